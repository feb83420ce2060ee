"""`data list`: which sets can be trained on."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from studio.cli.output import emit
from studio.data import catalogue
from studio.errors import StudioError
from studio.settings import Settings, prepare_home

app = typer.Typer(help="Datasets.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]


@app.callback()
def data() -> None:
    """Datasets."""


@app.command("list")
def list_sets(as_json: AsJson = False) -> None:
    """List the sets that can be trained on, and whether they are on this machine."""
    settings = Settings.load()
    prepare_home(settings)
    rows = [_row(settings, name) for name in catalogue.SETS]
    if as_json:
        emit(rows)
        return
    for row in rows:
        where = "on this machine" if row["on_disk"] else "to be downloaded"
        print(f"{row['name']:15}  {row['images'] or '?':>7}  {where:17}  {row['title']}")


def _row(settings: Settings, name: str) -> dict[str, Any]:
    entry = catalogue.entry(name)
    row: dict[str, Any] = {"name": name, "title": entry.title, "on_disk": False, "images": None, "classes": None}
    row |= {"splits": None, "version": None, "error": None}
    try:
        facts = catalogue.facts(settings, name)
    except catalogue.NotOnDisk:
        return row | {"images": sum(entry.images.values()), "splits": entry.images, "classes": list(entry.classes)}
    except StudioError as error:
        return row | {"error": error.sentence}
    return row | {
        "on_disk": True,
        "images": facts.images,
        "classes": list(facts.classes),
        "splits": {split: sum(counts) for split, counts in facts.splits.items()},
        "version": facts.version,
    }
