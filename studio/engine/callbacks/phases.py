"""Say what a run is doing: compiling, training, validating."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras

from studio.jobs.reporter import Reporter
from studio.jobs.states import Phase


class Phases(keras.callbacks.Callback):
    """Report the phase, and say when the first step is over.

    Keras builds the program for the device inside the first step, so compiling lasts from the start of training to
    the first step's end.

    Args:
        on_first_step: called once, at the end of the first step.
    """

    def __init__(self, reporter: Reporter, on_first_step: Callable[[], None]) -> None:
        super().__init__()
        self._reporter = reporter
        self._on_first_step = on_first_step
        self._compiled = False

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        if not self._compiled:
            self._reporter.phase(Phase.COMPILE)

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        if self._compiled:
            self._reporter.phase(Phase.TRAIN)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        if not self._compiled:
            self._compiled = True
            self._on_first_step()
            self._reporter.phase(Phase.TRAIN)

    def on_test_begin(self, logs: dict[str, Any] | None = None) -> None:
        self._reporter.phase(Phase.VALIDATE)
