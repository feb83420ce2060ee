"""Whether the present draft can be started, asked once for the strip and the page under it."""

from __future__ import annotations

import re
from typing import Any

from components.session import settings
from studio import runs
from studio.data.catalogue import NotOnDisk
from studio.errors import StudioError
from studio.spec.plan import Plan
from studio.spec.run import parse_spec

SECTIONS = ("data", "model", "training")


def check_draft(spec: dict[str, Any]) -> Plan | StudioError:
    """What the spec of a draft would do, or the sentence that says what is missing or does not fit."""
    if not spec.get("data", {}).get("dataset"):
        return StudioError("No images are chosen yet. Choose them on the Data page.")
    try:
        return runs.check(settings(), parse_spec(spec))
    except StudioError as error:
        return error


def section_of(error: StudioError) -> str:
    """The part of the draft that an error asks to change: the first setting its sentence names, else the data."""
    if isinstance(error, NotOnDisk):
        return "data"
    named = re.search(rf"\b({'|'.join(SECTIONS)})\.\w", error.sentence)
    return named[1] if named else "data"
