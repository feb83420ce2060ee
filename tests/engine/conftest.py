"""Runs of the training loop in this process, and by real workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import keras
import pytest

from studio import runs
from studio.engine import trainer
from studio.engine.callbacks.stop import StopRequested
from studio.engine.precision import set_precision
from studio.engine.stopped import Stopped
from studio.errors import StudioError
from studio.jobs.launch import launch
from studio.jobs.queue import claim
from studio.jobs.reporter import Reporter
from studio.jobs.states import State
from studio.jobs.store import Job, Store
from studio.settings import Settings
from studio.spec.run import parse_spec

Spec = dict[str, dict[str, Any]]


class StopAt(keras.callbacks.Callback):
    """In place of the callback that looks for a stop request: stop after so many training or validation steps."""

    def __init__(self, *, steps: int = 0, validation_steps: int = 0) -> None:
        super().__init__()
        self._steps, self._validation_steps = steps, validation_steps

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        self._steps -= 1
        if self._steps == 0:
            raise StopRequested

    def on_test_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        self._validation_steps -= 1
        if self._validation_steps == 0:
            raise StopRequested


class Runs:
    """Train jobs on the built-in digits.

    `create` puts one into the queue; `here` does one attempt in this process, `by_worker` in a real worker.
    """

    def __init__(self, store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = store
        self._settings = settings
        self._monkeypatch = monkeypatch

    def create(self, spec: Spec | None = None) -> Job:
        plan = runs.check(self._settings, parse_spec({"data": {"dataset": "digits"}} | (spec or {})))
        return runs.start(self.store, plan)

    def here(self, job: Job, stop: StopAt | None = None) -> Job:
        """One attempt; what the trainer raises but `Stopped` reaches the test."""
        if job.state != State.QUEUED:
            self.store.resume(job.id, "a test")
        claimed = claim(self.store)
        assert claimed is not None
        self.store.move(job.id, State.STARTING, State.RUNNING)
        reporter = Reporter(self.store, self.store.get(job.id))
        self._monkeypatch.setattr(trainer, "Stop", lambda reporter: stop or StopAt())
        try:
            reporter.finish(State.FINISHED, trainer.run(claimed.job, reporter, self._settings))
        except Stopped as stopped:
            reporter.finish(State.STOPPED, reporter.stop_sentence(stopped.where))
        except StudioError as error:
            reporter.finish(State.FAILED, error.sentence)
            raise
        finally:
            reporter.close()
            claimed.close()
        return self.store.get(job.id)

    def by_worker(self, job: Job, meanwhile: Callable[[], object] = lambda: None) -> Job:
        """One attempt in a worker process; `meanwhile` is called while it works."""
        if job.state != State.QUEUED:
            self.store.resume(job.id, "a test")
        claimed = claim(self.store)
        assert claimed is not None
        process = launch(self.store, claimed)
        assert process is not None
        try:
            meanwhile()
            assert process.wait(timeout=200) == 0
        finally:
            process.kill()
        return self.store.get(job.id)


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """Runs in a STUDIO_HOME that the tests of a file share, because writing and reading the digits takes a second."""
    folder = tmp_path_factory.mktemp("training")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("STUDIO_HOME", str(folder / "home"))
        monkeypatch.setenv("KERAS_HOME", str(folder / "keras"))
        monkeypatch.delenv("TFDS_DATA_DIR", raising=False)
        settings = Settings.load()
        yield Runs(Store(settings), settings, monkeypatch)
        set_precision("float32")
