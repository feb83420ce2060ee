"""From the curves of a run to the rows of a chart, and to the ends of its axes.

One frame a chart with the same columns and types at every tick, because a chart whose specification stays the same
takes new rows without being built again:

    epoch float32 | value float32 | curve category | text category

`curve` says which layer draws a row: Steps, Training, Validation, Guessing, Best (words at its right), Best left,
Resumed, Not a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.watched import WatchedRun
from studio.jobs.store import Event

CURVES = ("Steps", "Training", "Validation", "Guessing", "Best", "Best left", "Resumed", "Not a number")
CURVE_TYPE = pd.CategoricalDtype(list(CURVES))
MARKERS = {"resumed": "Resumed", "nan": "Not a number"}  # by the kind of the event
MOST_POINTS = 160  # of one curve: three of them stay under 500 points a chart
MOST_STEPS = 4_000  # single steps that are smoothed before they are thinned
SMOOTHING = 0.25  # weight of a new step in the exponential mean
ROOM = 1.1  # upper end of the loss axis, as a multiple of what it must show
ROOM_AT_THE_RIGHT = 0.7  # part of the axis; a best epoch after it has its words at its left
EARLY = 0.1  # part of the planned epochs; until then the axis ends earlier
EARLY_ENDS = (5, 10, 20, 50)  # epochs, then ten times these, and so on

Window = tuple[int, int]  # first and last epoch that are shown


@dataclass(frozen=True)
class Figure:
    """What one of the two charts shows.

    Attributes:
        name: the series, `loss` or `accuracy`; validation is `val_` before it.
        guessing: its value when nothing is learned.
        percent: whether values are shares, written as percent.
        best_word: what the best epoch is called.
    """

    name: str
    guessing: float
    percent: bool
    best_word: str

    def words(self, value: float) -> str:
        """A value as it is written on the chart."""
        return f"{100 * value:.3g}%" if self.percent else f"{value:.2f}"


def figures(classes: int, guessing: float | None) -> tuple[Figure, Figure]:
    """The loss chart and the accuracy chart of a run.

    Args:
        guessing: the share of the most frequent class in validation, if it is known.
    """
    accuracy = max(guessing or 0.0, 1 / classes)
    return Figure("loss", math.log(classes), False, "lowest"), Figure("accuracy", accuracy, True, "best")


def curve_frame(
    run: WatchedRun,
    figure: Figure,
    steps_per_epoch: int,
    events: Iterable[Event],
    *,
    window: Window,
    smooth: bool,
) -> pd.DataFrame:
    """The rows of one chart.

    Training is drawn in the middle of its epoch, because it is a mean over the epoch, while validation is measured
    at its end; otherwise validation would look better than it is.
    """
    steps = run.read("step", figure.name, MOST_STEPS)
    training = run.read("epoch", figure.name, MOST_POINTS)
    validation = run.read("epoch", f"val_{figure.name}", MOST_POINTS)
    single = _smoothed(steps.points, steps.values) if smooth else steps.values
    chosen = _evenly(len(steps.points), MOST_POINTS)
    return _frame(
        [
            _Part("Steps", steps.points[chosen] / steps_per_epoch, single[chosen]),
            _Part("Training", training.points - 0.5, training.values),
            _Part("Validation", validation.points, validation.values),
            _Part("Guessing", [0], [figure.guessing], f"guessing: {figure.words(figure.guessing)}"),
            *_best(figure, validation.points, validation.values, window),
            *(
                _Part(MARKERS[event.kind], [event.epoch or 0.0], [figure.guessing], event.text)
                for event in events
                if event.kind in MARKERS
            ),
        ]
    )


def epoch_axis(done: float, planned: int) -> Window:
    """First and last epoch of the axis: the whole plan, or less while not a tenth of it is done."""
    if done >= EARLY * planned:
        return 0, planned
    factor = 1
    while True:
        for end in EARLY_ENDS:
            if end * factor >= planned:
                return 0, planned
            if end * factor > done:
                return 0, end * factor
        factor *= 10


def value_axis(frame: pd.DataFrame, figure: Figure, *, fit: bool, log: bool, window: Window) -> tuple[float, float]:
    """Lower and upper end of the vertical axis.

    The loss goes from 0 to 1.1 times the larger of guessing and the first step, the accuracy from 0 to 100 %, so
    that nothing moves while a run goes on (the loss axis doubles where a mean lies above it); `fit` follows the
    curves that are in the window instead.
    """
    drawn = frame[frame["curve"].isin(CURVES[:3])]
    values = drawn["value"].to_numpy()
    if fit:
        inside = drawn["epoch"].between(*window).to_numpy()
        values = values[inside]
    if not len(values):
        return (0.01 if log else 0.0), 1.0 if figure.percent else ROOM * figure.guessing
    lowest, highest = float(values.min()), float(values.max())
    if fit:
        margin = 0.05 * (highest - lowest) or 0.05
        low, high = max(lowest - margin, 0.0), min(highest + margin, 1.0) if figure.percent else highest + margin
    else:
        low, high = 0.0, 1.0 if figure.percent else ROOM * max(figure.guessing, float(values[0]))
        means = drawn[drawn["curve"] != "Steps"]["value"]
        while not figure.percent and len(means) and means.max() > high:  # a run that diverges, in few large steps
            high *= 2
    return (max(lowest * 0.8, 1e-6), high) if log else (low, high)


@dataclass(frozen=True)
class _Part:
    """The rows of one layer; the text is the same for all of them."""

    curve: str
    epochs: npt.ArrayLike
    values: npt.ArrayLike
    text: str = ""


def _frame(parts: list[_Part]) -> pd.DataFrame:
    """One frame of all rows. Categories are made from their numbers: this runs at every tick."""
    counts = [len(np.atleast_1d(part.values)) for part in parts]
    codes = np.repeat([CURVES.index(part.curve) for part in parts], counts)
    return pd.DataFrame(
        {
            "epoch": np.concatenate([np.asarray(part.epochs, np.float32) for part in parts]),
            "value": np.concatenate([np.asarray(part.values, np.float32) for part in parts]),
            "curve": pd.Categorical.from_codes(codes, dtype=CURVE_TYPE),
            "text": pd.Categorical(np.repeat([part.text for part in parts], counts)),
        }
    )


def _best(
    figure: Figure, epochs: npt.NDArray[np.int32], values: npt.NDArray[np.float32], window: Window
) -> list[_Part]:
    if len(values) < 2:  # the only one is not the best one
        return []
    place = int(np.argmax(values) if figure.percent else np.argmin(values))
    first, last = window
    if not first <= epochs[place] <= last:
        return []
    # The words stand on the side that has room.
    curve = "Best left" if epochs[place] > first + ROOM_AT_THE_RIGHT * (last - first) else "Best"
    return [_Part(curve, [epochs[place]], [values[place]], f"{figure.best_word}, epoch {epochs[place]}")]


def _smoothed(steps: npt.NDArray[np.int32], values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The exponential mean over steps: a value that stands for many steps since the one before counts as many."""
    smooth = values.copy()
    weights = 1 - (1 - SMOOTHING) ** np.diff(steps)
    for place, weight in enumerate(weights, start=1):
        smooth[place] = smooth[place - 1] + weight * (values[place] - smooth[place - 1])
    return smooth


def _evenly(count: int, most: int) -> npt.NDArray[np.int64]:
    """At most `most` places out of `count`, evenly spread, both ends included."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))
