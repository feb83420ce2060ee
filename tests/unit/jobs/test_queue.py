"""Each job is started once, in order; a job whose holder died is ended with a reason."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from studio.jobs.locks import is_held, try_lock
from studio.jobs.queue import Claim, bury, claim, escalate, kill_deadline, lock_file, waiting_file
from studio.jobs.states import Kind, State
from studio.jobs.store import Job, Store

HOLDER = """
import os, subprocess, sys, time
for fd in sys.argv[1:]:
    os.set_inheritable(int(fd), False)
children = [subprocess.Popen(["sleep", "60"]) for _ in range(2)]
print("on", flush=True)
time.sleep(60)
"""


def make(store: Store, kind: Kind = Kind.TRAIN, **more: str) -> Job:
    return store.create(kind, {}, name="a job", **more)  # type: ignore[arg-type]


def take(store: Store) -> Claim:
    """The claim of the next job, which must be there to be had."""
    claimed = claim(store)
    assert claimed is not None
    return claimed


def hold(descriptors: tuple[int, ...]) -> subprocess.Popen[bytes]:
    """A process that holds locks as a worker does, with two children of its own, until it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, *map(str, descriptors)],
        pass_fds=descriptors,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"on\n"
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def test_jobs_are_claimed_in_order_and_one_at_a_time(store: Store) -> None:
    first, second = make(store), make(store)
    claimed = take(store)
    assert claimed.job.id == first.id
    assert (claimed.job.state, claimed.job.attempt) == (State.STARTING, 1)
    assert claim(store) is None
    claimed.close()
    assert bury(store) == [first.id]
    after = claim(store)
    assert after is not None
    assert after.job.id == second.id
    after.close()


def test_many_claimers_start_a_job_once(store: Store) -> None:
    make(store)
    with ThreadPoolExecutor(8) as pool:
        claims = [found for found in pool.map(lambda _: claim(store), range(16)) if found]
    assert len(claims) == 1
    claims[0].close()


def test_the_next_job_waits_until_the_device_is_free(store: Store) -> None:
    make(store)
    device = try_lock(store.settings.accelerator_lock)
    assert device is not None
    assert claim(store) is None
    os.close(device)
    claimed = take(store)
    claimed.close()


def test_a_claim_that_fails_gives_the_locks_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    job = make(store)

    def fail(*given: object, **columns: object) -> bool:
        raise OSError("no space")

    with monkeypatch.context() as patch:
        patch.setattr("studio.jobs.queue.move", fail)
        with pytest.raises(OSError, match="no space"):
            claim(store)
    assert not is_held(store.settings.accelerator_lock)
    assert not is_held(lock_file(store, job.id))
    assert store.get(job.id).state == State.QUEUED
    claimed = take(store)
    claimed.close()


def test_a_claim_that_cannot_be_committed_gives_the_locks_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    make(store)
    with sqlite3.connect(store.database, isolation_level=None) as other, monkeypatch.context() as patch:
        patch.setattr("studio.jobs.schema.BUSY_TIMEOUT", 0.05)
        other.execute("CREATE TRIGGER full BEFORE INSERT ON attempt BEGIN SELECT raise(ROLLBACK, 'disk is full'); END")
        with pytest.raises(sqlite3.IntegrityError):
            claim(store)
        other.execute("DROP TRIGGER full")
    assert not is_held(store.settings.accelerator_lock)
    claimed = take(store)
    claimed.close()


def test_the_time_of_a_worker_ends_with_its_last_sign_of_life(store: Store) -> None:
    job = make(store)
    claimed = take(store)
    claimed.close()
    eight_hours_ago = time.time() - 8 * 3600
    store.update(job.id, started=eight_hours_ago, heartbeat=eight_hours_ago + 60)
    bury(store)
    assert store.get(job.id).seconds == pytest.approx(60, abs=1)


def test_saving_gets_more_time_before_it_is_ended_by_force(store: Store) -> None:
    job = make(store)
    claimed = take(store)
    assert kill_deadline(store.get(job.id), store.settings) is None
    store.request_stop(job.id, "you")
    usual = kill_deadline(store.get(job.id), store.settings)
    store.update(job.id, phase="save")
    saving = kill_deadline(store.get(job.id), store.settings)
    assert usual is not None
    assert saving is not None
    assert saving > usual + store.settings.stop_grace
    claimed.close()


def test_downloads_do_not_wait_for_training_and_run_two_at_a_time(store: Store) -> None:
    make(store)
    for _ in range(3):
        make(store, Kind.DOWNLOAD)
    claims = [claim(store) for _ in range(4)]
    kinds = [found.job.kind for found in claims if found]
    assert kinds == [Kind.TRAIN, Kind.DOWNLOAD, Kind.DOWNLOAD]
    for found in claims:
        if found:
            found.close()


def test_a_job_of_a_waiting_command_line_is_left_to_it_while_it_lives(store: Store) -> None:
    lock = try_lock(waiting_file(store, "cli"))
    assert lock is not None
    job = make(store, reserved_by="cli")
    assert claim(store) is None
    assert claim(store, "another") is None
    own = claim(store, "cli")
    assert own is not None
    assert own.job.id == job.id
    own.close()
    os.close(lock)


def test_a_job_of_a_command_line_that_died_is_taken_by_anybody(store: Store) -> None:
    make(store, reserved_by="gone")
    claimed = take(store)
    claimed.close()


def test_a_killed_worker_is_buried_although_its_children_live(store: Store) -> None:
    job = make(store)
    claimed = take(store)
    worker = hold(claimed.descriptors)
    claimed.close()
    try:
        assert bury(store) == []
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        assert bury(store, {job.id: worker.returncode}) == [job.id]
        found = store.get(job.id)
        assert found.state == State.FAILED
        assert found.reason is not None
        assert "killed (signal 9)" in found.reason
        assert "begins again from the start" in found.reason
        assert not is_held(store.settings.accelerator_lock)
    finally:
        end(worker)


def test_a_suspended_worker_is_not_buried(store: Store) -> None:
    make(store)
    claimed = take(store)
    worker = hold(claimed.descriptors)
    claimed.close()
    try:
        os.kill(worker.pid, signal.SIGSTOP)
        store.update(claimed.job.id, heartbeat=0.0)
        assert bury(store) == []
    finally:
        end(worker)


@pytest.mark.parametrize(("late", "ending"), [(1.0, -signal.SIGTERM), (1000.0, -signal.SIGKILL)])
def test_a_worker_that_does_not_answer_a_stop_is_ended(store: Store, late: float, ending: int) -> None:
    job = make(store)
    claimed = take(store)
    worker = hold(claimed.descriptors)
    claimed.close()
    try:
        assert store.begin(claimed.job, worker.pid)
        store.request_stop(job.id, "you")
        escalate(store)
        assert worker.poll() is None  # the grace is not over
        requested = store.get(job.id).stop_requested
        assert requested is not None
        store.update(job.id, stop_requested=requested - store.settings.stop_grace - late)
        escalate(store)
        assert worker.wait(timeout=10) == ending
        bury(store)
        found = store.get(job.id)
        assert found.state == State.STOPPED
        assert found.reason is not None
        assert "Stopped by you; the worker was ended by force" in found.reason
    finally:
        end(worker)


def test_a_lock_that_nobody_ever_took_is_not_held_and_not_created(store: Store) -> None:
    path = lock_file(store, "train-7")
    assert not is_held(path)
    assert not path.exists()
