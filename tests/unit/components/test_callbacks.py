"""Errors of clicks: every handler keeps them for the page, and a part that renews itself passes them on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[3]
INTERFACE = [path for folder in ("pages", "components") for path in sorted((ROOT / folder).glob("*.py"))]
HANDLERS = {"on_click", "on_change", "on_select"}


def handlers(path: Path) -> Iterator[tuple[int, ast.expr]]:
    """What a file gives to widgets as handlers; words like "rerun" are none."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.keyword) and node.arg in HANDLERS and not isinstance(node.value, ast.Constant):
            yield node.value.lineno, node.value


def guarded() -> set[str]:
    return {
        node.name
        for path in INTERFACE
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and "callback" in map(ast.unparse, node.decorator_list)
    }


@pytest.mark.parametrize("path", INTERFACE, ids=lambda path: path.stem)
def test_every_handler_keeps_its_errors_for_the_page(path: Path) -> None:
    for line, handler in handlers(path):
        called = (
            handler.args[0] if isinstance(handler, ast.Call) and ast.unparse(handler.func) == "partial" else handler
        )
        assert ast.unparse(called) in guarded(), f"line {line}: {ast.unparse(handler)} is no callback"


def test_the_rule_finds_handlers() -> None:
    assert sum(len(list(handlers(path))) for path in INTERFACE) > 10


def test_a_part_that_renews_itself_leaves_the_error_of_a_click_to_the_page() -> None:
    def page() -> None:
        import streamlit as st

        from components.callbacks import callback, take_problem
        from components.renewing import renewing

        @callback
        def fail() -> None:
            raise ValueError("the click failed")

        if st.session_state.setdefault("runs", 0) == 1:
            st.text(f"page: {take_problem()}")
        else:
            fail()  # as in a run of the part alone, before which the page is not asked
        st.session_state["runs"] += 1
        renewing(lambda: None, every=None)()

    at = AppTest.from_function(page).run()
    assert not at.exception
    assert [text.value for text in at.text] == ["page: the click failed"]
