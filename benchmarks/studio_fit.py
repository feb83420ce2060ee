"""The studio's own training with a clock inside `fit`: the other half of `overhead.py`.

python -m benchmarks.studio_fit mnist --epochs 3

Runs the trainer as the worker does, recording into a store, in a temporary STUDIO_HOME. Prints one line of
JSON: what `plain_keras.py` prints and the CPU seconds spent in the studio's callbacks and recorder thread.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import keras

from benchmarks.plain_keras import BATCH, Clock
from studio import runs
from studio.engine import trainer
from studio.jobs.reporter import Reporter
from studio.jobs.store import Store
from studio.settings import Settings
from studio.spec.recipes import recipe


class Meter:
    """Adds up the CPU seconds of the calling thread inside callbacks, from the second epoch on."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.counting = False

    def watch(self, callback: keras.callbacks.Callback) -> None:
        """Time every hook that the callback's own class defines. Keras skips those it does not."""
        for owner in type(callback).__mro__:
            if owner is keras.callbacks.Callback:
                break
            for name in vars(owner):
                if name.startswith(("on_epoch_", "on_train_batch_", "on_test_")):
                    setattr(callback, name, self._timed(getattr(callback, name)))

    def _timed(self, hook: Callable[..., None]) -> Callable[..., None]:
        def timed(*arguments: Any, **keywords: Any) -> None:
            began = time.thread_time()
            hook(*arguments, **keywords)
            if self.counting:
                self.seconds += time.thread_time() - began

        return timed


class MeteredClock(Clock):
    """The clock of the plain script, which also switches the meter on and reads the recorder's own time."""

    def __init__(self, meter: Meter, reporter: Reporter) -> None:
        super().__init__()
        self.meter = meter
        self.reporter = reporter
        self.steps = 0
        self.recorder_seconds = 0.0

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        super().on_epoch_end(epoch, logs)
        if epoch == 0:
            self.meter.counting = True
            self._recorder_began = self.reporter.cpu_seconds

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:
        self.steps += 1

    def on_train_end(self, logs: dict[str, float] | None = None) -> None:
        super().on_train_end(logs)
        self.meter.counting = False
        self.recorder_seconds = self.reporter.cpu_seconds - self._recorder_began


def train(name: str, epochs: int) -> dict[str, Any]:
    """Train the recipe `name` and give the figures of the module's docstring."""
    with tempfile.TemporaryDirectory(prefix="studio-benchmark-") as home:
        settings = replace(Settings.load(), home=Path(home))
        store = Store(settings)
        spec = recipe(name).spec
        spec = spec.model_copy(update={"training": spec.training.model_copy(update={"epochs": epochs})})
        job = runs.start(store, runs.check(settings, spec))
        reporter = Reporter(store, job)
        meter = Meter()
        clock = MeteredClock(meter, reporter)
        plain_fit = keras.Model.fit

        def fit(self: keras.Model, *arguments: Any, callbacks: list[Any], **keywords: Any) -> Any:
            for callback in callbacks:
                meter.watch(callback)
            return plain_fit(self, *arguments, callbacks=[*callbacks, clock], **keywords)

        keras.Model.fit = fit
        trainer.run(job, reporter, settings)
        reporter.close()
        return {
            "parameters": store.get(job.id).parameters,
            "steps": clock.steps,
            "cpu_seconds": clock.cpu_seconds,
            "callback_seconds": meter.seconds + clock.recorder_seconds,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=sorted(BATCH))
    parser.add_argument("--epochs", type=int, default=3)
    choice = parser.parse_args()
    print(json.dumps(train(choice.name, choice.epochs)))


if __name__ == "__main__":
    main()
