"""The sets that need no network: made once, on demand, under STUDIO_HOME, and the same on every machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from studio.data.digits import write_digits
from studio.data.shapes import write_shapes
from studio.settings import Settings

VERSION = "1.0.0"
WRITERS: dict[str, Callable[[Path], None]] = {"digits": write_digits, "shapes": write_shapes}


def ensure_written(settings: Settings, name: str) -> Path:
    """The TFDS builder directory of a built-in set; it is written now (about a second) if it is not there.

    Any number of processes may ask at once.
    """
    folder = settings.datasets / name / VERSION
    if not folder.exists():
        WRITERS[name](folder)
    return folder
