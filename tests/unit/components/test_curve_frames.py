"""The rows of the charts: where each curve is drawn, how many points it has, and where the axes end."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from components.curve_frames import CURVES, Window, curve_frame, epoch_axis, figures, value_axis
from components.watched import WatchedRun
from studio.jobs import curves
from studio.jobs.schema import transaction
from studio.jobs.states import Kind
from studio.jobs.store import Event, Store

LOSS, ACCURACY = figures(10, 0.3)
STEPS_PER_EPOCH = 10


@pytest.fixture
def run(store: Store) -> WatchedRun:
    return WatchedRun(store, store.create(Kind.TRAIN, {}, name="a run").id)


def record(store: Store, axis: curves.Axis, points: list[int], **series: list[float]) -> None:
    with transaction(store.database) as opened:
        curves.append(opened, store.jobs()[0].id, 1, axis, points, series)


def frame(
    run: WatchedRun, *, window: Window = (0, 40), smooth: bool = True, events: tuple[Event, ...] = ()
) -> pd.DataFrame:
    run.refresh()
    return curve_frame(run, LOSS, STEPS_PER_EPOCH, events, window=window, smooth=smooth)


def rows(of: pd.DataFrame, curve: str) -> list[tuple[float, float]]:
    part = of[of["curve"] == curve]
    return [(float(epoch), round(float(value), 4)) for epoch, value in zip(part["epoch"], part["value"], strict=True)]


def test_training_stands_in_the_middle_of_its_epoch_and_validation_at_its_end(store: Store, run: WatchedRun) -> None:
    record(store, "epoch", [1, 2], loss=[2.0, 1.0], val_loss=[1.5, 0.5])
    drawn = frame(run)
    assert rows(drawn, "Training") == [(0.5, 2.0), (1.5, 1.0)]
    assert rows(drawn, "Validation") == [(1.0, 1.5), (2.0, 0.5)]


def test_guessing_is_drawn_before_anything_is_measured(run: WatchedRun) -> None:
    drawn = frame(run)
    assert rows(drawn, "Guessing") == [(0.0, 2.3026)]
    assert drawn["text"].tolist() == ["guessing: 2.30"]
    assert (LOSS.guessing, ACCURACY.guessing) == (pytest.approx(2.3026, abs=1e-4), 0.3)
    assert figures(10, None)[1].guessing == 0.1


def test_the_frame_has_the_same_columns_whatever_is_in_it(store: Store, run: WatchedRun) -> None:
    empty = frame(run)
    record(store, "step", [1, 5], loss=[2.0, 1.0])
    record(store, "epoch", [1], loss=[1.5], val_loss=[1.4])
    full = frame(run)
    assert list(empty) == list(full)
    for drawn in (empty, full):
        assert (drawn["epoch"].dtype, drawn["value"].dtype) == (np.float32, np.float32)
        assert tuple(drawn["curve"].cat.categories) == CURVES


def test_a_step_counts_a_quarter_and_a_gap_counts_its_steps(store: Store, run: WatchedRun) -> None:
    record(store, "step", [1, 2, 4], loss=[2.0, 1.0, 0.0])
    smoothed = [value for _, value in rows(frame(run), "Steps")]
    assert smoothed == [2.0, 1.75, 0.9844]
    assert [value for _, value in rows(frame(run, smooth=False), "Steps")] == [2.0, 1.0, 0.0]


def test_a_long_run_has_at_most_500_points_a_chart(store: Store, run: WatchedRun) -> None:
    places = list(range(1, 3_001))
    noise = np.random.default_rng(0).random(3_000).tolist()
    record(store, "step", places, loss=noise)
    record(store, "epoch", places, loss=noise, val_loss=noise)
    drawn = frame(run)
    assert len(drawn) <= 500
    assert len(drawn[drawn["curve"] == "Steps"]) <= 160


@pytest.mark.parametrize(("window", "layer"), [((0, 40), "Best"), ((0, 3), "Best left"), ((3, 9), None)])
def test_the_words_at_the_best_epoch_stand_where_there_is_room(
    store: Store, run: WatchedRun, window: Window, layer: str | None
) -> None:
    record(store, "epoch", [1, 2, 3], loss=[3.0, 2.0, 1.0], val_loss=[0.9, 0.9, 0.5] if layer else [0.9, 0.5, 0.9])
    drawn = frame(run, window=window)
    best = drawn[drawn["curve"].isin(["Best", "Best left"])]
    assert [str(curve) for curve in best["curve"]] == ([layer] if layer else [])
    assert best["text"].tolist() == (["lowest, epoch 3"] if layer else [])


def test_the_only_epoch_is_not_called_the_best(store: Store, run: WatchedRun) -> None:
    record(store, "epoch", [1], loss=[3.0], val_loss=[0.9])
    assert rows(frame(run), "Best") == rows(frame(run), "Best left") == []


def test_markers_say_what_happened(run: WatchedRun) -> None:
    events = (
        Event(0.0, "worker", "resumed", 3.5, 35, "Went on from epoch 4, step 5."),
        Event(0.0, "worker", "nan", 5.0, 50, "The loss became NaN."),
        Event(0.0, "you", "stop", None, None, "Stop was asked for."),
    )
    drawn = frame(run, events=events)
    assert [epoch for epoch, _ in rows(drawn, "Resumed")] == [3.5]
    assert [epoch for epoch, _ in rows(drawn, "Not a number")] == [5.0]
    assert drawn["text"].tolist()[1:] == ["Went on from epoch 4, step 5.", "The loss became NaN."]


@pytest.mark.parametrize(
    ("done", "planned", "end"),
    [(0, 40, 5), (3.9, 40, 5), (4, 40, 40), (0, 3, 3), (0, 5, 5), (5, 300, 10), (29, 300, 50), (50, 3_000, 100)],
)
def test_the_epoch_axis_ends_early_until_a_tenth_is_done(done: float, planned: int, end: int) -> None:
    assert epoch_axis(done, planned) == (0, end)


def test_the_loss_axis_holds_guessing_and_the_first_step(store: Store, run: WatchedRun) -> None:
    assert value_axis(frame(run), LOSS, fit=False, log=False, window=(0, 40)) == (
        0.0,
        pytest.approx(1.1 * 2.3026, abs=1e-3),
    )
    record(store, "step", [1, 2], loss=[9.0, 1.0])
    assert value_axis(frame(run), LOSS, fit=False, log=False, window=(0, 40)) == (0.0, pytest.approx(9.9))


def test_an_axis_that_fits_follows_what_is_in_the_window(store: Store, run: WatchedRun) -> None:
    record(store, "epoch", [1, 2, 3], loss=[9.0, 0.4, 0.3], val_loss=[9.0, 0.5, 0.4])
    low, high = value_axis(frame(run), LOSS, fit=True, log=False, window=(2, 3))
    assert 0.28 < low < 0.3
    assert 0.5 < high < 0.52
    low, _ = value_axis(frame(run), LOSS, fit=False, log=True, window=(0, 3))
    assert 0 < low < 0.3


def test_the_loss_axis_follows_a_run_that_diverges(store: Store, run: WatchedRun) -> None:
    record(store, "step", [1, 10, 20], loss=[2.4, 900.0, 150.0])
    record(store, "epoch", [1, 2], loss=[160.0, 170.0], val_loss=[150.0, 155.0])
    _, high = value_axis(frame(run), LOSS, fit=False, log=False, window=(0, 40))
    assert 170 < high < 400  # the means are seen, one wild step need not be
