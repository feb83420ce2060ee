"""Measure how many images a second training works through."""

from __future__ import annotations

import time
from typing import Any

import keras


class Speed(keras.callbacks.Callback):
    """Images per second within epochs: validation, checkpoints and building the program do not count.

    The first epoch of a process is slower than the others, so it counts only while it is the only one, and then
    from the end of its first step, in which the program for the device is built.

    Args:
        batch_size: images in a step, over all replicas.
    """

    def __init__(self, batch_size: int) -> None:
        super().__init__()
        self._batch_size = batch_size
        self._began = self._ended = 0.0
        self._steps = 0
        self._built = False
        self._first: tuple[int, float] = (0, 0.0)  # steps and seconds of the first epoch
        self._others: tuple[int, float] = (0, 0.0)  # of all others
        self._epochs = 0

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self._steps = 0
        self._began = self._ended = time.perf_counter()

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        self._ended = time.perf_counter()
        if self._built:
            self._steps += 1
        else:
            self._built = True
            self._began = self._ended

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        spent = self._ended - self._began
        if self._epochs == 0:
            self._first = (self._steps, spent)
        else:
            self._others = (self._others[0] + self._steps, self._others[1] + spent)
        self._epochs += 1

    @property
    def examples_per_second(self) -> float | None:
        """Of the epochs that are over; None while nothing was measured."""
        steps, seconds = self._others if self._others[0] else self._first
        return steps * self._batch_size / seconds if seconds > 0 else None
