"""A checkpoint: everything a run needs to go on exactly where it was.

One file, `checkpoint/state.ckpt`: the SHA-256 of the rest in hexadecimal, a newline, then a NumPy archive of
the model's state tree (weights, optimizer, metrics and seed generators) and the place in the run. It is
written beside the old one, flushed to the disk and renamed: at every moment there is one whole checkpoint.
Nothing in it is executed when it is read.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from studio.errors import StudioError

FILE_NAME = "state.ckpt"
_PLACE = "place"
_SEPARATOR = "/"


@dataclass
class Place:
    """Where in a run training stands.

    Attributes:
        epoch: epochs that are over, training and validation.
        step: training steps done in the epoch after those.
        best_val_accuracy, best_epoch: of the epochs that are over; the epoch counts from 1, 0 for none.
    """

    epoch: int = 0
    step: int = 0
    best_val_accuracy: float = 0.0
    best_epoch: int = 0


Tree = dict[str, Any]  # nested by names, NumPy arrays as leaves, as from `Model.get_state_tree`


def exists(folder: Path) -> bool:
    """Whether a checkpoint stands in `folder`."""
    return (folder / FILE_NAME).is_file()


def write(folder: Path, tree: Tree, place: Place) -> None:
    """Replace the checkpoint in `folder`.

    Raises:
        StudioError: it cannot be written (most often, the disk is full). The old checkpoint still stands, and
            what was half written is gone, so that there is room to record the failure.
    """
    target = folder / FILE_NAME
    part = folder / f"{FILE_NAME}.part"
    archive = io.BytesIO()
    arrays = {_PLACE: np.array(json.dumps(asdict(place))), **_flatten(tree)}
    np.savez(archive, allow_pickle=False, **arrays)
    content = archive.getbuffer()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(hashlib.sha256(content).hexdigest().encode() + b"\n")
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
        _flush_folder(folder)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StudioError(
            f"The checkpoint could not be written ({error.strerror}); free some space on the disk of {folder}, then "
            "resume the run from its last checkpoint.",
            str(error),
        ) from error


def read(folder: Path) -> tuple[Tree, Place]:
    """Read the checkpoint in `folder` back.

    Raises:
        StudioError: there is none, or it is damaged.
    """
    path = folder / FILE_NAME
    try:
        digest, _, content = path.read_bytes().partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() != digest:
            raise ValueError("the checksum does not match")
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        place = Place(**json.loads(str(arrays.pop(_PLACE))))
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise StudioError(
            f"The checkpoint {path} cannot be read ({error}); start the run again from the beginning.", str(error)
        ) from error
    return _nest(arrays), place


def names(tree: Tree) -> set[str]:
    """The paths of all arrays in a state tree."""
    return set(_flatten(tree))


def _flatten(tree: Tree, prefix: str = "") -> dict[str, np.ndarray]:
    flat: dict[str, np.ndarray] = {}
    for name, value in tree.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{name}{_SEPARATOR}")
        else:
            flat[f"{prefix}{name}"] = np.asarray(value)
    return flat


def _nest(flat: dict[str, np.ndarray]) -> Tree:
    tree: Tree = {}
    for path, value in flat.items():
        *folders, name = path.split(_SEPARATOR)
        below = tree
        for folder in folders:
            below = below.setdefault(folder, {})
        below[name] = value
    return tree


def _flush_folder(folder: Path) -> None:
    """Make the rename itself survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
