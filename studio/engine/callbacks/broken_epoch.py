"""Train the rest of an epoch that was broken off, in a `fit` call of its own."""

from __future__ import annotations

from typing import Any

import keras

from studio.engine.backend.tensorflow import Tree, write_state


class EpochIsOver(Exception):
    """Raised out of the `fit` call of a broken epoch's rest, at the epoch's end."""


class PutMetricsBack(keras.callbacks.Callback):
    """Give the metrics what they had counted when the epoch was broken off; `fit` begins by resetting them."""

    def __init__(self, metrics: Tree) -> None:
        super().__init__()
        self._metrics = metrics

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        write_state(self.model, {"metrics_variables": self._metrics})


class LeaveAtEpochEnd(keras.callbacks.Callback):
    """End `fit` by an exception: its normal end replaces the weights by their average, which is for a run's end.

    The last of the callbacks, so that the others see the end of the epoch.
    """

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        raise EpochIsOver
