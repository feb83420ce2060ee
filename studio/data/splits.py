"""Which images a run trains on, is measured with, and never sees: seeded, and in proportion for every class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.data.index import Index
from studio.spec.plan import share_counts, validation_counts
from studio.spec.run import RunSpec


@dataclass(frozen=True)
class Positions:
    """A part of a set: positions (int64, ascending) in one split of the set on disk, and their labels (int32)."""

    split: str
    positions: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.positions)


def positions(index: Index, spec: RunSpec) -> dict[str, Positions]:
    """The images of a run by role: `train`, `validation` and, where the set has one, `test`.

    Validation is the set's own split or is carved from train before `training.share` thins out the rest, so
    it is the same for a quick try and for the full run. Counts are those of `studio.spec.plan.make_plan`.

    Raises:
        SpecError: a class has too few images.
    """
    seed = spec.training.seed
    labels = index.labels("train")
    train = np.arange(len(labels))
    roles = {}
    if index.count("validation"):
        roles["validation"] = _whole(index, "validation")
    else:
        train, held_out = assign(labels, spec.data.validation_share, seed, index.classes)
        roles["validation"] = Positions("train", held_out, labels[held_out])
    train = train[subset(labels[train], spec.training.share, seed)]
    roles["train"] = Positions("train", train, labels[train])
    if index.count("test"):
        roles["test"] = _whole(index, "test")
    return roles


def assign(labels: np.ndarray, share: float, seed: int, classes: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Carve validation from a training split: (train positions, validation positions), int64, ascending.

    Args:
        labels: the label of each position, int (examples,).
        share: part of each class that goes to validation, in (0, 1).
        seed: chooses which.
        classes: class names in label order.

    Raises:
        SpecError: a class has fewer than two images.
    """
    counts = tuple(np.bincount(labels, minlength=len(classes)).tolist())
    held_out = _choose(labels, validation_counts(counts, share, classes), seed)
    kept = np.ones(len(labels), dtype=bool)
    kept[held_out] = False
    return np.flatnonzero(kept), held_out


def subset(labels: np.ndarray, share: float, seed: int) -> np.ndarray:
    """A part of every class, at least one image of each: positions, int64, ascending. A share of 1 is all."""
    return _choose(labels, share_counts(tuple(np.bincount(labels).tolist()), share), seed)


def _whole(index: Index, split: str) -> Positions:
    labels = index.labels(split)
    return Positions(split, np.arange(len(labels)), labels)


def _choose(labels: np.ndarray, counts: tuple[int, ...], seed: int) -> np.ndarray:
    """`counts[label]` positions of each class, by a random order of all positions that the seed fixes."""
    order = np.random.default_rng(seed).permutation(len(labels))
    by_class = labels[order]
    chosen = [order[by_class == label][:count] for label, count in enumerate(counts)]
    return np.sort(np.concatenate(chosen))
