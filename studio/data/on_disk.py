"""Where the sets are on this machine."""

from __future__ import annotations

import re
from pathlib import Path

from studio.data.builder_folder import INFO_FILE, broken
from studio.data.builtin import ensure_written
from studio.data.published import entry
from studio.errors import RequestError
from studio.settings import Settings

VERSION_FOLDER = re.compile(r"\d+\.\d+\.\d+")


class NotOnDisk(RequestError):
    """A set of the catalogue has not been downloaded to this machine."""


def builder_dir(settings: Settings, name: str) -> Path | None:
    """The folder of the newest complete version of a set on this machine, None where there is none.

    A built-in set is written if it is not there yet (about a second).

    Raises:
        BrokenSet: there are folders of this set, but none is complete.
        RequestError: the catalogue has no such set.
    """
    if entry(name).built_in:
        return ensure_written(settings, name)
    try:
        folders = [folder for folder in (settings.data_dir / name).iterdir() if _is_version(folder)]
    except OSError:
        return None
    complete = [folder for folder in folders if (folder / INFO_FILE).is_file()]
    if complete:
        return max(complete, key=_version)
    if folders:
        raise broken(max(folders, key=_version), f"is incomplete ({INFO_FILE} is missing)")
    return None


def require_builder_dir(settings: Settings, name: str) -> Path:
    """As `builder_dir`, for callers that cannot go on without the set.

    Raises:
        NotOnDisk: it has to be downloaded first.
    """
    folder = builder_dir(settings, name)
    if folder is None:
        raise NotOnDisk(f"{entry(name).title} ({name}) is not on this machine; download it first.")
    return folder


def _is_version(folder: Path) -> bool:
    return bool(VERSION_FOLDER.fullmatch(folder.name)) and folder.is_dir()


def _version(folder: Path) -> tuple[int, ...]:
    return tuple(map(int, folder.name.split(".")))
