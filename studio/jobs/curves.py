"""Curves: what was measured at each step and epoch, stored in chunks and read thinned.

Two axes: `step` (optimizer steps since the run began) and `epoch` (completed epochs). A flush of the recorder is
one row with all its series, so a million points are a few thousand rows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt
import tsdownsample

from studio.jobs.schema import connection
from studio.jobs.store import Store

Axis = Literal["step", "epoch"]
Points = npt.NDArray[np.int32]
Values = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Curve:
    """One series: `points` (int32, ascending) and `values` (float32) of equal length, both finite.

    `not_finite` holds the points at which the value was NaN or infinite; they are not in `points`.
    """

    points: Points
    values: Values
    not_finite: Points


@dataclass
class _Series:
    points: list[Points] = field(default_factory=list)
    values: list[Values] = field(default_factory=list)


def append(
    opened: sqlite3.Connection,
    job_id: str,
    attempt: int,
    axis: Axis,
    points: Iterable[int],
    series: Mapping[str, Iterable[float]],
) -> None:
    """Store one flush: the value of every series at every point. Runs inside the caller's transaction."""
    places = np.fromiter(points, dtype="<i4")
    if not len(places):
        return
    blocks = [np.fromiter(values, dtype="<f4", count=len(places)) for values in series.values()]
    opened.execute(
        "INSERT INTO curve_chunk (job, attempt, axis, first, last, count, series, points, vals) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            job_id,
            attempt,
            axis,
            int(places[0]),
            int(places[-1]),
            len(places),
            json.dumps(list(series)),
            places.tobytes(),
            np.concatenate(blocks).tobytes(),
        ),
    )


def drop_after(opened: sqlite3.Connection, job_id: str, *, step: int, epoch: int) -> None:
    """Forget what lies after a checkpoint, before a resumed run measures it again.

    The recorder flushes before each checkpoint, so a chunk lies on one side of it.
    """
    opened.execute(
        "DELETE FROM curve_chunk WHERE job = ? AND ((axis = 'step' AND last > ?) OR (axis = 'epoch' AND last > ?))",
        (job_id, step, epoch),
    )


class CurveCache:
    """The curves of one job, kept in memory; each `refresh` reads only the chunks that are new."""

    def __init__(self, store: Store, job_id: str) -> None:
        self._store = store
        self._job_id = job_id
        self._last_chunk = 0
        self._chunks = 0
        self._series: dict[tuple[str, str], _Series] = {}

    def refresh(self) -> None:
        """Read what was recorded since the last call; begins anew when a resume dropped chunks."""
        with connection(self._store.database) as opened:
            known = opened.execute(
                "SELECT count(*) FROM curve_chunk WHERE job = ? AND number <= ?",
                (self._job_id, self._last_chunk),
            ).fetchone()[0]
            if known != self._chunks:
                self._last_chunk, self._chunks, self._series = 0, 0, {}
            rows = opened.execute(
                "SELECT number, axis, count, series, points, vals FROM curve_chunk "
                "WHERE job = ? AND number > ? ORDER BY number",
                (self._job_id, self._last_chunk),
            ).fetchall()
        for row in rows:
            points = np.frombuffer(row["points"], dtype="<i4")
            blocks = np.frombuffer(row["vals"], dtype="<f4").reshape(-1, row["count"])
            for name, values in zip(json.loads(row["series"]), blocks, strict=True):
                series = self._series.setdefault((row["axis"], name), _Series())
                series.points.append(points)
                series.values.append(values)
            self._last_chunk = row["number"]
            self._chunks += 1

    def names(self, axis: Axis) -> list[str]:
        """The series recorded on an axis, in the order in which they first came."""
        return [name for recorded_axis, name in self._series if recorded_axis == axis]

    def read(self, axis: Axis, name: str, *, max_points: int = 500) -> Curve:
        """One series, thinned to at most `max_points` (at least 4).

        Guaranteed: ascending; the first, the last, the lowest and the highest finite value are kept; the same
        recorded points give the same answer; NaN and infinite values are reported apart. A series that was never
        recorded is empty.
        """
        series = self._series.get((axis, name))
        if series is None:
            empty = np.empty(0, np.int32)
            return Curve(empty, np.empty(0, np.float32), empty)
        if len(series.points) > 1:
            series.points = [np.concatenate(series.points)]
            series.values = [np.concatenate(series.values)]
        points, values = series.points[0], series.values[0]
        finite = np.isfinite(values)
        not_finite = points[~finite]
        points, values = points[finite], values[finite]
        kept = _thin(values, max_points)
        return Curve(points[kept], values[kept], not_finite)


def read(store: Store, job_id: str, axis: Axis, name: str, *, max_points: int = 500) -> Curve:
    """One series of a job, read once; the promises are those of `CurveCache.read`."""
    cache = CurveCache(store, job_id)
    cache.refresh()
    return cache.read(axis, name, max_points=max_points)


def _thin(values: Values, most: int) -> npt.NDArray[np.int64]:
    """Indices to keep: tsdownsample's min/max selection, and always the ends and the extremes."""
    count = len(values)
    if count <= most:
        return np.arange(count)
    room = max(2, (most - 4) // 2 * 2)
    chosen = tsdownsample.MinMaxDownsampler().downsample(np.ascontiguousarray(values), n_out=room)
    ends = np.array([0, int(values.argmin()), int(values.argmax()), count - 1])
    return np.unique(np.concatenate([chosen.astype(np.int64), ends]))
