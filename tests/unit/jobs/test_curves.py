"""Curves are read ordered, thinned, with their ends and extremes, and with NaN said apart."""

from __future__ import annotations

import numpy as np
import pytest

from studio.jobs import curves
from studio.jobs.schema import transaction
from studio.jobs.states import Kind
from studio.jobs.store import Store


@pytest.fixture
def job_id(store: Store) -> str:
    return store.create(Kind.TRAIN, {}, name="a run").id


def record(store: Store, job_id: str, first: int, values: list[float], axis: curves.Axis = "step") -> None:
    with transaction(store.database) as opened:
        curves.append(opened, job_id, 1, axis, range(first, first + len(values)), {"loss": values})


def test_a_short_curve_is_read_as_it_was_written(store: Store, job_id: str) -> None:
    record(store, job_id, 1, [3.0, 2.0])
    record(store, job_id, 3, [1.5])
    curve = curves.read(store, job_id, "step", "loss")
    assert curve.points.tolist() == [1, 2, 3]
    assert curve.values.tolist() == [3.0, 2.0, 1.5]
    assert (curve.points.dtype, curve.values.dtype) == (np.int32, np.float32)


def test_a_long_curve_is_thinned_and_keeps_ends_and_extremes(store: Store, job_id: str) -> None:
    values = np.sin(np.arange(20_000) / 300)
    values[0], values[-1], values[777], values[15_001] = 0.1, 0.2, 9.0, -9.0
    record(store, job_id, 1, values.tolist())
    curve = curves.read(store, job_id, "step", "loss", max_points=100)
    assert len(curve.points) <= 100
    assert np.all(np.diff(curve.points) > 0)
    assert {1, 20_000, 778, 15_002} <= set(curve.points.tolist())
    assert np.array_equal(curve.values, values.astype(np.float32)[curve.points - 1])


def test_values_that_are_not_finite_are_said_and_not_drawn(store: Store, job_id: str) -> None:
    record(store, job_id, 1, [1.0, float("nan"), float("inf"), 2.0])
    curve = curves.read(store, job_id, "step", "loss")
    assert curve.points.tolist() == [1, 4]
    assert curve.not_finite.tolist() == [2, 3]


def test_a_series_nobody_recorded_is_empty(store: Store, job_id: str) -> None:
    assert len(curves.read(store, job_id, "epoch", "accuracy").points) == 0


def test_a_watched_curve_grows_and_forgets_what_a_resume_dropped(store: Store, job_id: str) -> None:
    cache = curves.CurveCache(store, job_id)
    record(store, job_id, 1, [3.0, 2.0])
    record(store, job_id, 3, [1.0])
    cache.refresh()
    assert cache.read("step", "loss").points.tolist() == [1, 2, 3]
    with transaction(store.database) as opened:
        curves.drop_after(opened, job_id, step=2, epoch=0)
    record(store, job_id, 3, [7.0, 6.0])
    cache.refresh()
    assert cache.read("step", "loss").values.tolist() == [3.0, 2.0, 7.0, 6.0]
    assert cache.names("step") == ["loss"]
