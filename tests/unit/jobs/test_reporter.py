"""What a worker reports reaches the store, in order, and never holds it up."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from studio.errors import StudioError
from studio.jobs import curves
from studio.jobs.reporter import Reporter
from studio.jobs.states import Kind, Phase, State
from studio.jobs.store import Store


@pytest.fixture
def reporter(store: Store) -> Iterator[Reporter]:
    job = store.create(Kind.TRAIN, {}, name="a run")
    store.move(job.id, State.QUEUED, State.STARTING, started=time.time())
    store.move(job.id, State.STARTING, State.RUNNING)
    made = Reporter(store, store.get(job.id))
    yield made
    made.close()


def test_a_flush_stores_everything_recorded(store: Store, reporter: Reporter) -> None:
    reporter.phase(Phase.TRAIN)
    for step in range(1, 6):
        reporter.record_step(step, loss=1.0 / step, accuracy=step / 10)
    reporter.record_epoch(1, loss=0.5)
    reporter.progress(epoch=1, step=5)
    reporter.flush(durable=True)
    job = store.jobs()[0]
    assert (job.epoch, job.step, job.phase) == (1, 5, Phase.TRAIN)
    assert curves.read(store, job.id, "step", "accuracy").values.tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    assert curves.read(store, job.id, "epoch", "loss").values.tolist() == [0.5]


def test_a_busy_store_loses_nothing(store: Store, reporter: Reporter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.jobs.schema.BUSY_TIMEOUT", 0.05)
    reporter.flush()
    with sqlite3.connect(store.database, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        reporter.record_step(1, loss=2.0)
        with pytest.raises(StudioError, match="busy"):
            reporter.flush()
        other.execute("ROLLBACK")
    reporter.record_step(2, loss=1.0)
    reporter.flush()
    assert curves.read(store, store.jobs()[0].id, "step", "loss").values.tolist() == [2.0, 1.0]


def test_the_seconds_of_each_phase_are_kept(store: Store, reporter: Reporter, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("studio.jobs.reporter.time.time", lambda: now)
    reporter.phase(Phase.DATA)
    now += 2
    reporter.phase(Phase.COMPILE, 1, 2)
    now += 3
    reporter.phase(Phase.COMPILE, 2, 2)
    now += 4
    reporter.phase(Phase.TRAIN)
    reporter.flush()
    assert store.jobs()[0].phase_seconds == {"data": 2.0, "compile": 7.0}


def test_a_stop_request_is_seen(store: Store, reporter: Reporter) -> None:
    assert not reporter.stop_requested
    store.request_stop(store.jobs()[0].id, "you")
    reporter.flush()
    assert reporter.stop_requested


def test_the_end_is_recorded_with_all_that_came_before(store: Store, reporter: Reporter) -> None:
    reporter.record_step(1, loss=0.25)
    reporter.update(val_accuracy=0.5)
    reporter.update(model_path="model.keras")
    reporter.finish(State.FINISHED, "Done.")
    job = store.jobs()[0]
    assert (job.state, job.reason, job.val_accuracy, job.model_path) == (State.FINISHED, "Done.", 0.5, "model.keras")
    assert job.ended is not None
    assert len(curves.read(store, job.id, "step", "loss").points) == 1


def test_trouble_with_the_store_does_not_end_the_recording(
    store: Store, reporter: Reporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stop is asked for while the store is busy: the process must leave when the store answers again."""
    left = threading.Event()
    monkeypatch.setattr("studio.jobs.reporter.os._exit", lambda code: left.set())
    monkeypatch.setattr("studio.jobs.schema.BUSY_TIMEOUT", 0.05)
    with sqlite3.connect(store.database, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        reporter.request_stop()
        with pytest.raises(StudioError, match="busy"), reporter.safe_to_leave():
            raise AssertionError("it goes on although it was asked to stop")
        other.execute("ROLLBACK")
    monkeypatch.setattr("studio.jobs.schema.BUSY_TIMEOUT", 15.0)
    reporter._may_leave = 1
    assert left.wait(timeout=10)
    assert store.jobs()[0].state == State.STOPPED


LEAVING = """
import sys, time
from studio.jobs.reporter import Reporter
from studio.jobs.states import Phase
from studio.jobs.store import Store
from studio.settings import Settings
store = Store(Settings.load())
reporter = Reporter(store, store.jobs()[0])
reporter.phase(Phase.COMPILE)
with reporter.safe_to_leave():
    print("preparing", flush=True)
    time.sleep(60)
"""


def test_a_stop_before_the_first_step_ends_the_process_at_once(store: Store, reporter: Reporter) -> None:
    reporter.close()
    job = store.jobs()[0]
    process = subprocess.Popen([sys.executable, "-c", LEAVING], stdout=subprocess.PIPE, env=dict(os.environ))
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == b"preparing\n"
        store.request_stop(job.id, "you")
        assert process.wait(timeout=10) == 0
    found = store.get(job.id)
    assert (found.state, found.reason) == (State.STOPPED, "Stopped while compiling, by you.")
