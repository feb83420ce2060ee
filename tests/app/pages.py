"""Opening a page as a visitor does, and reading what it says."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

ENTRY = Path(__file__).resolve().parents[2] / "studio" / "app.py"
JOINER = "\u2060"


def open_page(name: str, **address: str) -> AppTest:
    """A page of the program, through its entry, with this address."""
    at = AppTest.from_file(str(ENTRY), default_timeout=60).run()
    return go(at, name, **address)


def go(at: AppTest, name: str, **address: str) -> AppTest:
    """The same visitor on another page."""
    for key, value in address.items():
        at.query_params[key] = value
    at = at.switch_page(f"../pages/{name}.py").run()
    assert not at.exception
    return at


def words(at: AppTest) -> str:
    """Everything that a page says outside widgets, escapes taken out."""
    said = [*at.title, *at.header, *at.markdown, *at.caption, *at.text]
    return "\n".join(str(element.value) for element in said).replace("\\", "").replace(JOINER, "")


def links(at: AppTest) -> list[str]:
    """Labels of the links to other pages."""
    return [link.proto.label.replace("\\", "").replace(JOINER, "") for link in at.get("page_link")]


def alts(at: AppTest) -> list[str]:
    """What a person hears of the pictures who cannot see them."""
    return [picture.alt for image in at.get("image") for picture in image.proto.imgs]
