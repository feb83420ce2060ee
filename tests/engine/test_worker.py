"""Real workers: how a job ends is in the store, whatever happens in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from studio.engine import worker
from studio.jobs.states import Kind, State
from tests.engine.conftest import Runs


def test_a_stop_before_the_first_step_ends_the_worker_at_once(training: Runs) -> None:
    """Also while TensorFlow is being imported, which alone takes longer than the worker does here."""
    job = training.create({"training": {"epochs": 500}})
    stopped = training.by_worker(job, lambda: training.store.request_stop(job.id, "a test"))
    assert stopped.state == State.STOPPED
    assert stopped.step == 0
    assert stopped.phase_seconds == {}
    assert "a test" in str(stopped.reason)


def test_an_error_nobody_expected_is_kept_with_its_traceback(training: Runs) -> None:
    job = training.create()
    (training.store.folder(job.id) / "spec.json").mkdir()  # where the trainer wants to write a file
    failed = training.by_worker(job)
    assert failed.state == State.FAILED
    assert "IsADirectoryError" in str(failed.reason)
    assert "Traceback" in str(failed.detail)
    assert "IsADirectoryError" in (training.store.folder(job.id) / "log.txt").read_text()


def test_an_error_a_person_can_act_on_is_one_sentence(training: Runs) -> None:
    job = training.store.create(Kind.TRAIN, {"data": {"dataset": "mnist"}}, name="not here")
    failed = training.by_worker(job)
    assert failed.state == State.FAILED
    assert "not on this machine" in str(failed.reason)
    assert not failed.detail


@pytest.mark.parametrize("kind", list(Kind))
def test_the_function_of_every_kind_is_there(kind: Kind) -> None:
    assert callable(worker.function_of(kind))


def test_children_of_a_worker_do_not_keep_its_locks(tmp_path: Path) -> None:
    """A forked child and a program started with open files both lose the descriptor; else the lock would live on."""
    script = """
import os, subprocess, sys
from studio.engine.worker import keep_from_children
fd = int(sys.argv[1])
keep_from_children(fd, None)
look = f"import os\\ntry: os.fstat({fd}); print('open')\\nexcept OSError: print('closed')"
print(subprocess.run([sys.executable, "-c", look], close_fds=False, capture_output=True, text=True).stdout.strip())
if os.fork() == 0:
    try:
        os.fstat(fd)
        print("open", flush=True)
    except OSError:
        print("closed", flush=True)
    os._exit(0)
os.wait()
os.fstat(fd)
print("kept")
"""
    with (tmp_path / "lock").open("w") as lock:
        os.set_inheritable(lock.fileno(), True)
        done = subprocess.run(
            [sys.executable, "-c", script, str(lock.fileno())],
            pass_fds=(lock.fileno(),),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.stdout.split() == ["closed", "closed", "kept"], done.stderr
