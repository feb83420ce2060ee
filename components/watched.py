"""The curves of the runs that are being looked at, shared by all browsers; each look reads only what is new."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from studio.jobs.curves import Axis, Curve, CurveCache
from studio.jobs.reading import Epochs
from studio.jobs.store import Store

MOST_RUNS = 8  # kept in the memory of the server
EVERY_EPOCH = 1_000_000  # more points than a run may have epochs: nothing is left out
SERIES = ("loss", "accuracy", "val_loss", "val_accuracy")


@dataclass(frozen=True)
class EpochTable:
    """The epochs at which all four figures are finite numbers, int32 (epochs,), and the figures."""

    epochs: npt.NDArray[np.int32]
    figures: Epochs


class WatchedRun:
    """The curves of one run. Many threads may ask at once."""

    def __init__(self, store: Store, job_id: str) -> None:
        self._cache = CurveCache(store, job_id)
        self._lock = threading.Lock()

    def refresh(self) -> None:
        """Read what was recorded since the last call."""
        with self._lock:
            self._cache.refresh()

    def read(self, axis: Axis, name: str, most: int) -> Curve:
        """One series as it was at the last `refresh`, at most `most` points, as `CurveCache.read` promises."""
        with self._lock:
            return self._cache.read(axis, name, max_points=most)

    def table(self) -> EpochTable:
        """What was measured at the end of every epoch, as it was at the last `refresh`."""
        with self._lock:
            curves = [self._cache.read("epoch", name, max_points=EVERY_EPOCH) for name in SERIES]
        common = curves[0].points
        for curve in curves[1:]:
            common = np.intersect1d(common, curve.points)
        return EpochTable(common, Epochs(*(curve.values[np.isin(curve.points, common)] for curve in curves)))


@lru_cache(maxsize=MOST_RUNS)
def watched(store: Store, job_id: str) -> WatchedRun:
    """The curves of a run; those that were not looked at for the longest time are forgotten."""
    return WatchedRun(store, job_id)
