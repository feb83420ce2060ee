"""A folder to build something in: it disappears whatever happens, unless what was built is moved out of it."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from studio.jobs.locks import is_held, try_lock

PREFIX = ".unfinished-"
LOCK = "lock"
SETTLING = 60.0  # seconds in which a folder may exist before its owner has locked it


@contextmanager
def unfinished_folder(parent: Path) -> Iterator[Path]:
    """An empty folder inside `parent` (made if missing), removed at the end with all that is still in it.

    What processes left behind that were killed meanwhile is removed first. A folder that is still being worked
    in is known by its lock, which falls with its owner.
    """
    parent.mkdir(parents=True, exist_ok=True)
    sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    lock = try_lock(folder / LOCK)
    try:
        yield folder
    finally:
        _remove(folder)
        if lock is not None:
            os.close(lock)


def sweep(parent: Path) -> None:
    """Remove the unfinished folders in `parent` whose owners are dead."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(FileNotFoundError):  # another process sweeps too
            locked_once = (folder / LOCK).exists()
            age = time.time() - folder.stat().st_mtime
            if not is_held(folder / LOCK) and (locked_once or age > SETTLING):
                _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder in which a thread may still be writing: under another name it finds nothing any more."""
    away = folder.with_name(f"{folder.name}.removed")
    folder.rename(away)
    shutil.rmtree(away, ignore_errors=True)
