"""Break training off when somebody asked for it."""

from __future__ import annotations

from typing import Any

import keras

from studio.jobs.reporter import Reporter


class StopRequested(Exception):
    """Raised out of `fit` or `evaluate` at the end of the execution in flight."""


class Stop(keras.callbacks.Callback):
    """Leave training or validation at the end of the step in which a stop was asked for.

    By an exception and not by `model.stop_training`: that would validate first, and end with the optimizer's
    averaged weights in place of those training would go on from.
    """

    def __init__(self, reporter: Reporter) -> None:
        super().__init__()
        self._reporter = reporter

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        self._leave_if_asked()

    def on_test_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        self._leave_if_asked()

    def _leave_if_asked(self) -> None:
        if self._reporter.stop_requested:
            raise StopRequested
