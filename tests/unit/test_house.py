"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path
    for folder in ("studio", "pages", "components", "benchmarks", "tests")
    for path in (ROOT / folder).rglob("*.py")
)
INTERFACE = [path for path in SOURCES if path.relative_to(ROOT).parts[0] in ("pages", "components")]
WIDGETS = frozenset(
    {"button", "checkbox", "toggle", "radio", "selectbox", "multiselect", "number_input", "text_input", "text_area"}
    | {"pagination", "file_uploader", "download_button", "data_editor", "camera_input", "menu_button", "popover"}
)
PICTURES = frozenset({"image", "altair_chart", "dataframe", "vega_lite_chart"})


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every call in a file that is made by an attribute: `st.button(...)` gives `button`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr, node


@pytest.mark.parametrize("path", sorted((ROOT / "pages").glob("*.py")), ids=named)
def test_a_page_is_a_short_script(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) < 120
    assert not any(isinstance(node, ast.ClassDef) for node in ast.parse(path.read_text()).body)


@pytest.mark.parametrize("path", INTERFACE, ids=named)
def test_widgets_have_keys_and_pictures_have_words(path: Path) -> None:
    for name, call in calls(path):
        given = {keyword.arg for keyword in call.keywords}
        if name in WIDGETS:
            assert "key" in given or None in given, f"line {call.lineno}: {name} without key"
        if name in PICTURES:
            assert "alt" in given or None in given, f"line {call.lineno}: {name} without alt"


@pytest.mark.parametrize("path", INTERFACE, ids=named)
def test_nothing_is_shown_as_markup_of_its_own(path: Path) -> None:
    text = path.read_text()
    assert "unsafe_allow" not in text
    assert "<style" not in text
    for name, call in calls(path):
        assert name not in {"slider", "select_slider", "segmented_control", "pills", "tabs", "html"}, call.lineno


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_nothing_a_person_can_supply_is_unpickled(path: Path) -> None:
    imported = {
        alias.name.split(".")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
    }
    assert not imported & {"pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_no_path_of_one_machine_stands_in_the_code(path: Path) -> None:
    if path == Path(__file__):
        return
    assert not re.search(r"/(root|work|home/\w+)/", path.read_text())


def test_no_module_of_the_entry_folder_hides_another() -> None:
    """Streamlit puts studio/ on sys.path: a file there named like a library would be imported in its place."""
    own = {path.stem for path in (ROOT / "studio").glob("*.py")} | {
        path.name for path in (ROOT / "studio").iterdir() if path.is_dir()
    }
    own -= {"__init__", "__main__", "__pycache__"}
    hidden = {name for name in own if name in sys.stdlib_module_names}
    installed = {
        name for name in own if (found := importlib.util.find_spec(name)) and "site-packages" in str(found.origin)
    }
    assert hidden | installed == set()


def test_functions_that_are_named_by_path_exist() -> None:
    """A worker imports what its job needs by name; a typing mistake would show only in a job of that kind."""
    text = (ROOT / "studio" / "engine" / "worker.py").read_text()
    paths = re.findall(r'"(studio\.[\w.]+):(\w+)"', text)
    assert len(paths) >= 2
    for module, function in paths:
        tree = ast.parse((ROOT / Path(*module.split("."))).with_suffix(".py").read_text())
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, (
            f"{module}:{function}"
        )
