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
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from studio.jobs.locks import is_held, try_lock
from studio.jobs.schema import transaction
from studio.jobs.states import HELD, Phase, State
from studio.jobs.store import Job, Store, end, move
from studio.settings import Settings

MOST_WITHOUT_ACCELERATOR = 2  # such jobs at a time
KILL_AFTER_TERM = 10.0  # seconds between SIGTERM and SIGKILL
SAVING_GRACE = 4  # saving may take this many times the usual grace: it is finished, not broken off


@dataclass(frozen=True)
class Claim:
    """A job that this process alone may start, with the open lock files to hand to its worker.

    Whoever has a claim owns its descriptors and closes them, also when the worker cannot be started.
    """

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
    with ExitStack() as locks:  # whatever fails, the commit included, frees what was taken
        with transaction(store.database) as opened:
            claimed = _claim(store, opened, reserved_by, locks)
        if claimed is not None:
            locks.pop_all()
        return claimed


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
            state = State.STOPPED if present.stop_requested else State.FAILED
            reason = _reason(present, (exit_codes or {}).get(job.id))
            last_seen = max(present.heartbeat or 0.0, present.started or 0.0)  # it may have died long ago
            end(opened, present, state, reason, actor="supervisor", worked_until=last_seen)
        buried.append(job.id)
    return buried


def escalate(store: Store) -> None:
    """Send SIGTERM, later SIGKILL, to workers that do not answer a stop request within the grace."""
    for job in store.jobs(states=HELD):
        deadline = kill_deadline(job, store.settings)
        if deadline is None or time.time() < deadline:
            continue
        pid = store.pid(job)
        if pid is None or not is_held(lock_file(store, job.id)):
            continue
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL if time.time() > deadline + KILL_AFTER_TERM else signal.SIGTERM)


def kill_deadline(job: Job, settings: Settings) -> float | None:
    """When a worker that was asked to stop is ended by force (seconds since the epoch); None if it was not asked."""
    if job.stop_requested is None:
        return None
    saving = job.phase in (Phase.SAVE, Phase.CHECK)
    return job.stop_requested + settings.stop_grace * (SAVING_GRACE if saving else 1)


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


def _claim(store: Store, opened: sqlite3.Connection, claimer: str | None, locks: ExitStack) -> Claim | None:
    for needs_accelerator in (True, False):
        row = _next(opened, needs_accelerator)
        if row is None or not _may_claim(store, row["reserved_by"], claimer):
            continue
        accelerator = None
        if needs_accelerator:
            accelerator = _lock(store.settings.accelerator_lock, locks)
            if accelerator is None:  # the process that had it is still leaving
                continue
        lock = _lock(lock_file(store, row["id"]), locks)
        if lock is not None:
            return Claim(_start(opened, row["id"]), lock, accelerator)
        locks.close()
    return None


def _lock(path: Path, locks: ExitStack) -> int | None:
    descriptor = try_lock(path)
    if descriptor is not None:
        locks.callback(os.close, descriptor)
    return descriptor


def _start(opened: sqlite3.Connection, job_id: str) -> Job:
    """Move a queued job to its next attempt."""
    now = time.time()
    move(opened, job_id, State.QUEUED, State.STARTING, started=now, heartbeat=now)
    opened.execute("UPDATE job SET attempt = attempt + 1 WHERE id = ?", (job_id,))
    job = Job.from_row(opened.execute("SELECT * FROM job WHERE id = ?", (job_id,)).fetchone())
    opened.execute(
        "INSERT INTO attempt (job, number, host, started) VALUES (?, ?, ?, ?)",
        (job_id, job.attempt, platform.node(), now),
    )
    return job


def _reason(job: Job, exit_code: int | None) -> str:
    """Why a worker that vanished did so, as far as that is known, and what is left of its work."""
    if job.stop_requested is not None:
        what = f"Stopped by {job.stop_by}; the worker was ended by force"
    elif exit_code is None:
        what = "The worker process vanished (killed, or the machine was restarted)"
    elif exit_code == -signal.SIGKILL:
        what = "The worker was killed (signal 9), by a person or by the system because memory ran out"
    elif exit_code < 0:
        what = f"The worker crashed ({signal.Signals(-exit_code).name}); the end of its log may say where"
    else:
        what = f"The worker ended with code {exit_code}; the end of its log may say why"
    if job.checkpoint_step:
        return f"{what}. The checkpoint of epoch {job.checkpoint_epoch} is kept: resume goes on from there."
    return f"{what}. There is no checkpoint yet: resume begins again from the start."
