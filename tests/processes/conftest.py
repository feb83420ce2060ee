"""Command lines, servers and workers as real processes, all of which end with the test that started them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from studio.jobs.locks import is_held
from studio.jobs.queue import lock_file
from studio.jobs.states import HELD
from studio.jobs.store import Job, Store

ROOT = Path(__file__).resolve().parents[2]

T = TypeVar("T")
Runner = Callable[..., subprocess.CompletedProcess[str]]
Starter = Callable[..., subprocess.Popen[str]]


def wait_for(what: Callable[[], T], seconds: float = 60.0) -> T:
    """Return the first true value of `what`, asked again and again; fail after a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing came within {seconds:.0f} s")


def wait_for_job(store: Store, job_id: str, ready: Callable[[Job], bool], seconds: float = 90.0) -> Job:
    """Wait until a job is as wanted; fail at once when it has ended otherwise."""

    def look() -> Job | None:
        job = store.get(job_id)
        if ready(job):
            return job
        assert job.live, f"{job.id} is {job.state}: {job.reason}\n{job.detail}"
        return None

    found = wait_for(look, seconds)
    assert found is not None
    return found


@pytest.fixture
def command(home: Path) -> list[str]:
    return [sys.executable, "-m", "studio"]


@pytest.fixture
def cli(command: list[str]) -> Runner:
    """Run a command line to its end."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
        )

    return run


@pytest.fixture
def start_cli(command: list[str]) -> Iterator[Starter]:
    """Start a command line in the background; it is killed at the end of the test if it still lives."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(autouse=True)
def no_worker_is_left(store: Store) -> Iterator[None]:
    yield
    end_workers(store)


def end_workers(store: Store) -> None:
    """Kill the workers that a test leaves behind, by the id that the store has of each."""
    for job in store.jobs(states=HELD):
        pid = store.pid(job)
        if pid is not None and is_held(lock_file(store, job.id)):
            os.kill(pid, signal.SIGKILL)
            wait_for(partial(_is_free, store, job.id))


def _is_free(store: Store, job_id: str) -> bool:
    return not is_held(lock_file(store, job_id))


def only_line(process: subprocess.CompletedProcess[str]) -> Any:
    """The JSON on standard output, which must be one line."""
    assert process.stdout.count("\n") == 1, process.stdout + process.stderr
    return json.loads(process.stdout)
