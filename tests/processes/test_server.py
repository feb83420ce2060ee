"""Servers come and go; the runs stay what they are."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.browsing import ROOT, Server, serve
from studio import runs
from studio.jobs.states import Kind, Phase, State
from studio.jobs.store import Job, Store
from studio.spec.run import parse_spec
from tests.processes.conftest import Starter, wait_for, wait_for_job

APP = ROOT / "studio" / "app.py"


def queue_digits(store: Store, epochs: int, share: float = 1.0) -> Job:
    spec = parse_spec({"data": {"dataset": "digits"}, "training": {"epochs": epochs, "share": share}})
    return runs.start(store, runs.check(store.settings, spec))


def in_training(store: Store, job: Job) -> Job:
    return wait_for_job(store, job.id, lambda seen: seen.epoch >= 1 and seen.phase == Phase.TRAIN)


def kill_worker(store: Store, job: Job) -> None:
    pid = store.pid(store.get(job.id))
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


def kill_server(server: Server) -> None:
    server.process.kill()
    server.process.wait()


def test_a_killed_worker_fails_its_run_within_ten_seconds_and_the_next_one_starts(store: Store, home: Path) -> None:
    first, second = queue_digits(store, 1000), queue_digits(store, 1, 0.1)
    with serve(APP, home) as server:
        server.wait()
        in_training(store, first)
        kill_worker(store, first)
        failed = wait_for(lambda: store.get(first.id).state == State.FAILED and store.get(first.id), 10)
        assert isinstance(failed, Job)
        assert failed.reason is not None
        assert "killed (signal 9)" in failed.reason
        wait_for_job(store, second.id, lambda seen: seen.state == State.FINISHED)


def test_a_run_survives_its_server_and_is_found_by_the_next_one_without_a_visitor(store: Store, home: Path) -> None:
    job, waiting = queue_digits(store, 1000), queue_digits(store, 1, 0.1)
    with serve(APP, home) as server:
        server.wait()
        in_training(store, job)
        kill_server(server)
    before = store.get(job.id)
    wait_for_job(store, job.id, lambda seen: seen.epoch > before.epoch)
    with serve(APP, home) as server:
        server.wait()
        goes_on = wait_for_job(store, job.id, lambda seen: seen.epoch > before.epoch + 2)
        assert goes_on.attempt == 1
        kill_worker(store, job)  # it is not a child of this server, and still it is buried
        wait_for(lambda: store.get(job.id).state == State.FAILED, 10)
        wait_for_job(store, waiting.id, lambda seen: seen.state == State.FINISHED)


def test_a_worker_that_died_without_a_server_is_buried_by_the_next_one(store: Store, home: Path) -> None:
    job = queue_digits(store, 1000)
    with serve(APP, home) as server:
        server.wait()
        in_training(store, job)
        kill_server(server)
    kill_worker(store, job)
    assert store.get(job.id).state == State.RUNNING
    with serve(APP, home) as server:
        server.wait()
        wait_for(lambda: store.get(job.id).state == State.FAILED, 10)


def test_the_server_leaves_within_five_seconds_and_the_run_goes_on(store: Store, home: Path) -> None:
    job = queue_digits(store, 1000)
    with serve(APP, home) as server:
        server.wait()
        in_training(store, job)
        asked = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(timeout=10)
        assert time.monotonic() - asked < 5
    before = store.get(job.id)
    wait_for_job(store, job.id, lambda seen: seen.epoch > before.epoch)


@pytest.mark.thorough
def test_two_servers_and_a_command_line_do_six_runs_once_each_one_at_a_time(
    store: Store, home: Path, start_cli: Starter
) -> None:
    with serve(APP, home) as first, serve(APP, home) as second:
        first.wait()
        second.wait()
        jobs = [queue_digits(store, 2, 0.1) for _ in range(3)]
        own = start_cli("train", "--recipe", "digits", "--set", "training.epochs=2", "--set", "training.share=0.1")
        wait_for(lambda: store.count(kind=Kind.TRAIN) == 4)
        jobs += [queue_digits(store, 2, 0.1) for _ in range(2)]
        for job in jobs:
            wait_for_job(store, job.id, lambda seen: seen.state == State.FINISHED, 240)
        assert own.wait(timeout=240) == 0
    with sqlite3.connect(store.database) as opened:
        spans = opened.execute("SELECT job, started, ended FROM attempt ORDER BY started").fetchall()
    assert len(spans) == len({job for job, _, _ in spans}) == 6
    for (_, _, ended), (_, started, _) in pairwise(spans):
        assert started >= ended
