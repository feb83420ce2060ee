"""Write a checkpoint at the end of each epoch, and where training is broken off."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import keras

from studio.engine import checkpoint
from studio.engine.backend.tensorflow import Tree, read_state
from studio.engine.checkpoint import Place
from studio.jobs.reporter import Reporter


class Checkpoints(keras.callbacks.Callback):
    """Keep the newest state of a run in `folder`.

    Args:
        place: where the run stands; written with the state.
        steps_per_epoch: training steps in a whole epoch.

    Raises:
        StudioError: from `fit` and `write`: a checkpoint cannot be written.
    """

    def __init__(self, reporter: Reporter, folder: Path, place: Place, steps_per_epoch: int) -> None:
        super().__init__()
        self._reporter = reporter
        self._folder = folder
        self._place = place
        self._steps_per_epoch = steps_per_epoch
        self._trained: Tree | None = None  # the metrics of training, while validation uses their variables

    def on_test_begin(self, logs: dict[str, Any] | None = None) -> None:
        self._trained = read_state(self.model)["metrics_variables"]

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self._trained = None
        self.write()

    def write(self) -> None:
        """Write the state as it is now. What was recorded up to here is made durable first, because a resumed
        run counts on it."""
        place = self._place
        tree = read_state(self.model)
        if self._trained is not None:
            tree["metrics_variables"] = self._trained
        self._reporter.flush(durable=True)
        checkpoint.write(self._folder, tree, place)
        self._reporter.update(
            checkpoint_epoch=place.epoch,
            checkpoint_step=place.epoch * self._steps_per_epoch + place.step,
            checkpoint_time=time.time(),
        )
