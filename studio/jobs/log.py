"""The log of a job: what its worker and the libraries in it wrote, kept under a cap."""

from __future__ import annotations

import os
from pathlib import Path

FILE_NAME = "log.txt"
TAIL_BYTES = 64 * 1024


def cap(path: Path, most: int) -> None:
    """Shorten a log that has grown over `most` bytes to its newer half.

    The file stays the same file, because the worker and its libraries hold it open; they append, so what they
    write next follows the half that is kept.
    """
    try:
        if path.stat().st_size <= most:
            return
        with path.open("r+b") as opened:
            opened.seek(-(most // 2), os.SEEK_END)
            newer = opened.read()
            opened.seek(0)
            opened.write(b"(older lines were left out)\n" + newer[newer.find(b"\n") + 1 :])
            opened.truncate()
    except FileNotFoundError:
        return


def tail(path: Path, lines: int = 50) -> list[str]:
    """The last lines of a log; empty where there is none. Bytes that are no UTF-8 are shown as such."""
    try:
        with path.open("rb") as opened:
            opened.seek(0, os.SEEK_END)
            opened.seek(max(0, opened.tell() - TAIL_BYTES))
            return opened.read().decode("utf-8", errors="backslashreplace").splitlines()[-lines:]
    except FileNotFoundError:
        return []
