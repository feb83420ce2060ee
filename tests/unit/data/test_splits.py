"""Splits are seeded, in proportion for every class, and agree with the plan."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.data.catalogue import facts
from studio.data.index import open_index
from studio.data.splits import assign, positions, subset
from studio.errors import SpecError
from studio.settings import Settings
from studio.spec.plan import make_plan
from studio.spec.run import parse_spec

LABELS = np.array([0] * 50 + [1] * 30 + [2] * 2)
CLASSES = ("a", "b", "rare")


def test_validation_takes_the_share_of_every_class_and_at_least_one() -> None:
    train, validation = assign(LABELS, 0.1, 7, CLASSES)
    assert np.bincount(LABELS[validation]).tolist() == [5, 3, 1]
    assert sorted([*train, *validation]) == list(range(len(LABELS)))


def test_the_seed_chooses() -> None:
    first, again, other = (assign(LABELS, 0.1, seed, CLASSES)[1].tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_a_class_of_one_is_refused_by_name() -> None:
    with pytest.raises(SpecError, match="rare"):
        assign(np.array([0, 0, 1, 1, 2]), 0.1, 7, CLASSES)


def test_subset_keeps_every_class() -> None:
    assert np.bincount(LABELS[subset(LABELS, 0.1, 7)]).tolist() == [5, 3, 1]
    assert subset(LABELS, 1.0, 7).tolist() == list(range(len(LABELS)))


@given(st.lists(st.integers(0, 4), min_size=20, max_size=200), st.floats(0.01, 0.5), st.integers(0, 2**31 - 1))
def test_no_image_is_on_both_sides(values: list[int], share: float, seed: int) -> None:
    labels = np.array([*values, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    train, validation = assign(labels, share, seed, ("a", "b", "c", "d", "e"))
    assert sorted([*train, *validation]) == list(range(len(labels)))
    assert set(labels[train]) == set(labels[validation]) == set(labels)
    np.testing.assert_array_equal(train, np.sort(train))


def test_a_given_validation_split_is_kept(settings: Settings) -> None:
    roles = positions(open_index(settings, "digits"), parse_spec({"data": {"dataset": "digits"}}))
    assert {role: (part.split, len(part)) for role, part in roles.items()} == {
        "train": ("train", 1257),
        "validation": ("validation", 270),
        "test": ("test", 270),
    }


@pytest.mark.parametrize("name", ["mnist", "cifar10", "tf_flowers"])
def test_counts_are_those_of_the_plan(name: str, settings: Settings, tfds_dir: Path) -> None:
    settings = dataclasses.replace(settings, data_dir=tfds_dir)
    spec = parse_spec({"data": {"dataset": name}, "training": {"share": 0.3}})
    plan = make_plan(spec, facts(settings, name))
    roles = positions(open_index(settings, name), plan.spec)
    counts = {role: tuple(np.bincount(part.labels).tolist()) for role, part in roles.items()}
    assert counts["train"] == plan.train_counts
    assert counts["validation"] == plan.validation_counts
    assert roles["validation"].split == "train"
    full = positions(open_index(settings, name), parse_spec({"data": {"dataset": name}}))
    np.testing.assert_array_equal(full["validation"].positions, roles["validation"].positions)
    assert set(roles["train"].positions) < set(full["train"].positions)
