"""The embedded digits: real handwriting that needs no network, read from scikit-learn's own file."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
from PIL import Image

from studio.data.images import to_png
from studio.data.writer import Picture, write_builder
from studio.errors import StudioError

CLASSES = tuple("0123456789")
SIDE = 8  # pixels
LARGEST_VALUE = 16  # the file counts ink from 0 to 16
HELD_OUT = 270  # images each of validation and test; 1,257 of 1,797 are left to train on
SEED = 20


def write_digits(folder: Path) -> None:
    """Write the 1,797 handwritten digits that scikit-learn ships, 8 × 8 pixels, grey, as a TFDS set.

    Each class is split in the same proportions; the splits are fixed.

    Raises:
        StudioError: scikit-learn's file is not on this machine.
    """
    table = np.loadtxt(_digits_file(), delimiter=",", dtype=np.uint8)
    values, labels = table[:, :-1], table[:, -1]
    pixels = np.rint(values * (255 / LARGEST_VALUE)).astype(np.uint8).reshape(-1, SIDE, SIDE)
    validation, test, train = _stratified(labels, [HELD_OUT, HELD_OUT])
    splits = {
        split: [Picture(to_png(Image.fromarray(pixels[row])), int(labels[row]), f"digit-{row:04d}.png") for row in rows]
        for split, rows in (("train", train), ("validation", validation), ("test", test))
    }
    write_builder(
        folder,
        splits,
        classes=CLASSES,
        shape=(SIDE, SIDE, 1),
        description="Handwritten digits, the test set of the UCI optical recognition collection.",
        homepage="https://archive.ics.uci.edu/dataset/80",
    )


def _digits_file() -> Path:
    """scikit-learn's file, found without importing it: the import costs 1.5 s and 140 MB."""
    package = importlib.util.find_spec("sklearn")
    for place in (package.submodule_search_locations or []) if package else []:
        file = Path(place) / "datasets" / "data" / "digits.csv.gz"
        if file.is_file():
            return file
    raise StudioError(
        "The digits come with the package scikit-learn, which is not installed here; "
        "install it with: pip install scikit-learn"
    )


def _stratified(labels: np.ndarray, sizes: list[int]) -> list[np.ndarray]:
    """Deal the rows into parts of the given sizes and a last one with the rest, each class in proportion.

    The rows of each class, in random order, get evenly spaced places between 0 and 1; in the order of these
    places every stretch holds each class in proportion.
    """
    random = np.random.default_rng(SEED)
    places = np.empty(len(labels))
    for label in np.unique(labels):
        rows = random.permutation(np.flatnonzero(labels == label))
        places[rows] = (np.arange(len(rows)) + 0.5) / len(rows)
    parts = np.split(np.argsort(places, kind="stable"), np.cumsum(sizes))
    return [random.permutation(part) for part in parts]
