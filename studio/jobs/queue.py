"""Who may start a job, and which jobs have lost their worker: decided in single transactions.

Any number of servers and command lines share a STUDIO_HOME: each launches what it claims, and buries what nobody
holds. The lock of a job is taken inside the claiming transaction and handed to the worker as an open file, so it
is never free between claim and death.
"""

from __future__ import annotations

import os
import platform
import signal
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from studio.jobs.locks import is_held, try_lock
from studio.jobs.schema import connection, transaction
from studio.jobs.states import HELD, Phase, State
from studio.jobs.store import Job, Store, move

MOST_WITHOUT_ACCELERATOR = 2  # such jobs at a time
KILL_AFTER_TERM = 10.0  # seconds between SIGTERM and SIGKILL
SAVING_GRACE = 4  # saving may take this many times the usual grace: it is finished, not broken off


@dataclass(frozen=True)
class Claim:
    """A job that this process alone may start, with the open lock files to hand to its worker."""

    job: Job
    lock: int
    accelerator: int | None

    @property
    def descriptors(self) -> tuple[int, ...]:
        return (self.lock,) if self.accelerator is None else (self.lock, self.accelerator)

    def close(self) -> None:
        """Give up the own copies; the locks stay with the worker that has inherited them."""
        for descriptor in self.descriptors:
            os.close(descriptor)


def lock_file(store: Store, job_id: str) -> Path:
    """The file whose lock the worker of a job holds."""
    return store.folder(job_id) / "worker.lock"


def waiting_file(store: Store, name: str) -> Path:
    """The file whose lock a command line holds while it waits for its own job."""
    return store.settings.temporary / f"waiting-{name}.lock"


def claim(store: Store, reserved_by: str | None = None) -> Claim | None:
    """Claim the next job in the queue, if one may start now.

    A job that needs the accelerator starts when no other one that needs it is starting or running and the device
    is free; of the others at most two run at once. Strictly in the order of the queue.

    Args:
        reserved_by: name of the waiting command line that claims; it takes only jobs reserved by it. A server
            (None) takes any job that no living command line has reserved.
    """
    if not store.count(states=[State.QUEUED]):
        return None  # without a write transaction: this is asked several times a second
    with transaction(store.database) as opened:
        for needs_accelerator in (True, False):
            row = _next(opened, needs_accelerator)
            if row is None or not _may_claim(store, row["reserved_by"], reserved_by):
                continue
            claimed = _take(store, opened, row["id"], needs_accelerator)
            if claimed is not None:
                return claimed
    return None


def bury(store: Store, exit_codes: Mapping[str, int] | None = None) -> list[str]:
    """End every job whose worker is gone, and say why; return their ids.

    Args:
        exit_codes: by job id, how workers that this process had started ended.
    """
    buried = []
    for job in store.jobs(states=HELD):
        if is_held(lock_file(store, job.id)):
            continue
        with transaction(store.database) as opened:
            row = opened.execute("SELECT * FROM job WHERE id = ?", (job.id,)).fetchone()
            present = Job.from_row(row)
            if present.state not in HELD or is_held(lock_file(store, job.id)):
                continue
            now = time.time()
            state = State.STOPPED if present.stop_requested else State.FAILED
            reason = _reason(present, (exit_codes or {}).get(job.id))
            worked = (present.seconds or 0.0) + now - (present.started or now)
            move(opened, job.id, present.state, state, ended=now, reason=reason, seconds=worked, phase=None)
            opened.execute(
                "UPDATE attempt SET ended = ?, reason = ? WHERE job = ? AND number = ?",
                (now, reason, job.id, present.attempt),
            )
            opened.execute(
                "INSERT INTO event (job, time, actor, kind, text) VALUES (?, ?, 'supervisor', ?, ?)",
                (job.id, now, state, reason),
            )
        buried.append(job.id)
    return buried


def escalate(store: Store) -> None:
    """Send SIGTERM, later SIGKILL, to workers that do not answer a stop request within the grace."""
    for job in store.jobs(states=HELD):
        if job.stop_requested is None:
            continue
        saving = job.phase in (Phase.SAVE, Phase.CHECK)
        grace = store.settings.stop_grace * (SAVING_GRACE if saving else 1)
        late = time.time() - job.stop_requested - grace
        pid = store.pid(job)
        if late < 0 or pid is None or not is_held(lock_file(store, job.id)):
            continue
        try:
            os.kill(pid, signal.SIGKILL if late > KILL_AFTER_TERM else signal.SIGTERM)
        except ProcessLookupError:
            continue


def note_worker(store: Store, job: Job, pid: int) -> None:
    """Remember the process id of the worker that was just started."""
    with connection(store.database) as opened:
        opened.execute(
            "UPDATE attempt SET pid = ? WHERE job = ? AND number = ? AND rank = 0", (pid, job.id, job.attempt)
        )


def _next(opened: sqlite3.Connection, needs_accelerator: bool) -> sqlite3.Row | None:
    (held,) = opened.execute(
        "SELECT count(*) FROM job WHERE needs_accelerator = ? AND state IN ('starting', 'running')",
        (needs_accelerator,),
    ).fetchone()
    if held >= (1 if needs_accelerator else MOST_WITHOUT_ACCELERATOR):
        return None
    row: sqlite3.Row | None = opened.execute(
        "SELECT id, reserved_by FROM job WHERE state = 'queued' AND needs_accelerator = ? ORDER BY position LIMIT 1",
        (needs_accelerator,),
    ).fetchone()
    return row


def _may_claim(store: Store, job_reserved_by: str | None, claimer: str | None) -> bool:
    if claimer is not None:
        return job_reserved_by == claimer
    return job_reserved_by is None or not is_held(waiting_file(store, job_reserved_by))


def _take(store: Store, opened: sqlite3.Connection, job_id: str, needs_accelerator: bool) -> Claim | None:
    accelerator = None
    if needs_accelerator:
        accelerator = try_lock(store.settings.accelerator_lock)
        if accelerator is None:  # the process that had it is still leaving
            return None
    lock = try_lock(lock_file(store, job_id))
    if lock is None:
        if accelerator is not None:
            os.close(accelerator)
        return None
    now = time.time()
    move(opened, job_id, State.QUEUED, State.STARTING, started=now, heartbeat=now)
    opened.execute("UPDATE job SET attempt = attempt + 1 WHERE id = ?", (job_id,))
    row = opened.execute("SELECT * FROM job WHERE id = ?", (job_id,)).fetchone()
    opened.execute(
        "INSERT INTO attempt (job, number, host, started) VALUES (?, ?, ?, ?)",
        (job_id, row["attempt"], platform.node(), now),
    )
    return Claim(Job.from_row(row), lock, accelerator)


def _reason(job: Job, exit_code: int | None) -> str:
    """Why a worker that vanished did so, as far as that is known, and what is left of its work."""
    if job.stop_requested is not None:
        what = f"Stopped by {job.stop_by}; the worker was ended by force"
    elif exit_code is None:
        what = "The worker process vanished (killed, or the machine was restarted)"
    elif exit_code == -signal.SIGKILL:
        what = "The worker was killed (signal 9), by a person or by the system because memory ran out"
    elif exit_code < 0:
        what = f"The worker crashed ({signal.Signals(-exit_code).name}) without a word"
    else:
        what = f"The worker ended with code {exit_code} without a word"
    if job.checkpoint_step:
        return f"{what}. The checkpoint of epoch {job.checkpoint_epoch} is kept: resume goes on from there."
    return f"{what}. There is no checkpoint yet: resume begins again from the start."
