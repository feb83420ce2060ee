"""The store: every job, its attempts and its events, in one SQLite file that all processes share.

Every method opens its own connection, so a `Store` may be used from any thread and process.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.errors import RequestError
from studio.jobs.schema import connection, prepare_database, transaction
from studio.jobs.states import ENDED, NEEDS_ACCELERATOR, TRANSITIONS, Kind, Phase, State
from studio.settings import Settings, prepare_home


class NoSuchJob(RequestError):
    """A job id that is not in the store."""

    def __init__(self, job_id: str) -> None:
        super().__init__(f"There is no job {job_id!r}; `python -m studio jobs` lists those there are.")


@dataclass(frozen=True)
class Job:
    """One row of the job table as it was read; the columns are described in schema.py."""

    number: int
    id: str
    kind: Kind
    state: State
    name: str
    owner: str
    parent: str | None
    spec: dict[str, Any]
    environment: dict[str, str]
    needs_accelerator: bool
    position: int
    reserved_by: str | None
    created: float
    started: float | None
    ended: float | None
    seconds: float | None
    reason: str | None
    detail: str | None
    stop_requested: float | None
    stop_by: str | None
    heartbeat: float | None
    phase: Phase | None
    phase_started: float | None
    phase_done: int | None
    phase_total: int | None
    phase_seconds: dict[str, float]
    attempt: int
    epoch: int
    epochs: int | None
    step: int
    steps_per_epoch: int | None
    checkpoint_epoch: int | None
    checkpoint_step: int | None
    checkpoint_time: float | None
    strategy: str | None
    device: str | None
    replicas: int | None
    precision: str | None
    parameters: int | None
    classes: int | None
    train_images: int | None
    validation_images: int | None
    validation_right: int | None
    guessing: float | None
    loss: float | None
    accuracy: float | None
    val_loss: float | None
    val_accuracy: float | None
    best_val_accuracy: float | None
    best_epoch: int | None
    examples_per_second: float | None
    model_path: str | None
    answers: dict[str, Any] | None
    seen: bool
    deleted: float | None

    @property
    def live(self) -> bool:
        """Whether it still may change by itself: queued, starting or running."""
        return self.state not in ENDED and self.state != State.PAUSED

    @staticmethod
    def from_row(row: sqlite3.Row) -> Job:
        values = dict(row)
        for column in ("spec", "environment", "phase_seconds", "answers"):
            values[column] = json.loads(values[column]) if values[column] is not None else None
        values["kind"] = Kind(values["kind"])
        values["state"] = State(values["state"])
        values["phase"] = Phase(values["phase"]) if values["phase"] else None
        for column in ("needs_accelerator", "seen"):
            values[column] = bool(values[column])
        return Job(**values)


@dataclass(frozen=True)
class Event:
    """Something that happened to a job: a marker on its curves and an entry of its history."""

    time: float
    actor: str
    kind: str
    epoch: float | None
    step: int | None
    text: str


class Store:
    """Read and change jobs. Creating one makes STUDIO_HOME and the tables where they are missing.

    Raises:
        RequestError: STUDIO_HOME cannot hold a store, or a newer version wrote it.
        StudioError: from every method: the store cannot be read or written now.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = settings.database
        prepare_home(settings)
        prepare_database(self.database)

    # ---- reading -------------------------------------------------------------------------------------------

    def get(self, job_id: str) -> Job:
        """The job of that id, deleted ones included.

        Raises:
            NoSuchJob: there is none.
        """
        with connection(self.database) as opened:
            return _read(opened, job_id)

    def jobs(
        self,
        *,
        kind: Kind | None = None,
        states: Iterable[State] | None = None,
        limit: int = 1000,
        offset: int = 0,
    ) -> list[Job]:
        """Jobs that are not in the bin, newest first."""
        where, values = _where(kind, states)
        with connection(self.database) as opened:
            rows = opened.execute(
                f"SELECT * FROM job WHERE {where} ORDER BY number DESC LIMIT ? OFFSET ?",
                (*values, limit, offset),
            ).fetchall()
        return [Job.from_row(row) for row in rows]

    def count(self, *, kind: Kind | None = None, states: Iterable[State] | None = None) -> int:
        """How many jobs `jobs` would give without a limit."""
        where, values = _where(kind, states)
        with connection(self.database) as opened:
            return int(opened.execute(f"SELECT count(*) FROM job WHERE {where}", values).fetchone()[0])

    def place_in_queue(self, job: Job) -> int:
        """How many jobs come before this queued one: running ones that need the same, and earlier queued ones."""
        with connection(self.database) as opened:
            return int(
                opened.execute(
                    "SELECT count(*) FROM job WHERE deleted IS NULL AND needs_accelerator = ? AND id != ? AND "
                    "(state IN ('starting', 'running') OR (state = 'queued' AND position < ?))",
                    (job.needs_accelerator, job.id, job.position),
                ).fetchone()[0]
            )

    def events(self, job_id: str) -> list[Event]:
        """What happened to a job, oldest first."""
        with connection(self.database) as opened:
            rows = opened.execute(
                "SELECT time, actor, kind, epoch, step, text FROM event WHERE job = ? ORDER BY number",
                (job_id,),
            ).fetchall()
        return [Event(**dict(row)) for row in rows]

    def pid(self, job: Job) -> int | None:
        """Process id of the worker of the present attempt; it says nothing about whether that lives."""
        with connection(self.database) as opened:
            row = opened.execute(
                "SELECT pid FROM attempt WHERE job = ? AND number = ? AND rank = 0", (job.id, job.attempt)
            ).fetchone()
        return row["pid"] if row else None

    def folder(self, job_id: str) -> Path:
        """The folder of a job: its log, checkpoint and model."""
        return self.settings.jobs / job_id

    # ---- changing ------------------------------------------------------------------------------------------

    def create(
        self,
        kind: Kind,
        spec: dict[str, Any],
        *,
        name: str,
        owner: str = "",
        join: bool = False,
        **columns: Any,
    ) -> Job:
        """Put a new job at the end of the queue. TFDS_DATA_DIR and KERAS_HOME are kept with it.

        Args:
            join: where a live job of this kind and spec is there, return that one instead.
            columns: more columns of the job (see schema.py).
        """
        environment = {
            "TFDS_DATA_DIR": str(self.settings.data_dir),
            "KERAS_HOME": str(self.settings.keras_home),
        }
        written = json.dumps(spec)
        with transaction(self.database) as opened:
            if join:
                live = opened.execute(
                    "SELECT id FROM job WHERE kind = ? AND spec = ? AND state IN ('queued', 'starting', 'running')",
                    (kind, written),
                ).fetchone()
                if live is not None:
                    return _read(opened, live["id"])
            (number,) = opened.execute(
                "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'job'"
            ).fetchone()
            job_id = f"{kind}-{number}"
            columns |= {
                "id": job_id,
                "kind": kind,
                "state": State.QUEUED,
                "name": name,
                "owner": owner,
                "spec": written,
                "environment": environment,
                "needs_accelerator": kind in NEEDS_ACCELERATOR,
                "position": opened.execute("SELECT coalesce(max(position), 0) + 1 FROM job").fetchone()[0],
                "created": time.time(),
            }
            opened.execute(
                f"INSERT INTO job ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
                [_value(value) for value in columns.values()],
            )
            _add_event(opened, job_id, owner or "command line", "created", "Put into the queue.")
            self.folder(job_id).mkdir(parents=True, exist_ok=True)
            return _read(opened, job_id)

    def move(self, job_id: str, old: State, new: State, **columns: Any) -> bool:
        """Change the state, if it still is `old`; return whether it was.

        Raises:
            ValueError: the table of states does not allow it.
        """
        with transaction(self.database) as opened:
            return move(opened, job_id, old, new, **columns)

    def begin(self, job: Job, pid: int) -> bool:
        """Note that the worker of a claimed job has begun; return whether it may go on."""
        with transaction(self.database) as opened:
            opened.execute(
                "UPDATE attempt SET pid = ? WHERE job = ? AND number = ? AND rank = 0", (pid, job.id, job.attempt)
            )
            return move(opened, job.id, State.STARTING, State.RUNNING)

    def update(self, job_id: str, **columns: Any) -> None:
        """Set columns of a job; the state is changed by `move` only."""
        assert "state" not in columns
        with transaction(self.database) as opened:
            set_columns(opened, job_id, columns)

    def request_stop(self, job_id: str, who: str) -> Job:
        """Ask for a job to be stopped: at once if it waits, else its worker sees the request.

        Raises:
            NoSuchJob: there is none.
            RequestError: it has ended already.
        """
        now = time.time()
        with transaction(self.database) as opened:
            row = opened.execute("SELECT state, stop_requested FROM job WHERE id = ?", (job_id,)).fetchone()
            if row is None:
                raise NoSuchJob(job_id)
            state = State(row["state"])
            if state in ENDED:
                raise RequestError(f"{job_id} is not running: it is {state} already.")
            if state in (State.QUEUED, State.PAUSED):
                reason = f"Stopped before it began, by {who}." if state == State.QUEUED else f"Stopped by {who}."
                move(opened, job_id, state, State.STOPPED, ended=now, reason=reason)
            elif row["stop_requested"] is None:
                set_columns(opened, job_id, {"stop_requested": now, "stop_by": who})
            _add_event(opened, job_id, who, "stop", "Stop was asked for.")
        return self.get(job_id)

    def resume(self, job_id: str, who: str, reserved_by: str | None = None) -> Job:
        """Put a stopped or failed job back into the queue; it goes on from its checkpoint, or begins again.

        Raises:
            NoSuchJob: there is none.
            RequestError: it is not stopped or failed.
        """
        with transaction(self.database) as opened:
            row = opened.execute("SELECT state, checkpoint_step, deleted FROM job WHERE id = ?", (job_id,)).fetchone()
            if row is None or row["deleted"] is not None:
                raise NoSuchJob(job_id)
            state = State(row["state"])
            if state not in (State.STOPPED, State.FAILED):
                raise RequestError(f"{job_id} cannot be resumed: it is {state}, not stopped or failed.")
            (last,) = opened.execute("SELECT max(position) FROM job").fetchone()
            move(
                opened,
                job_id,
                state,
                State.QUEUED,
                position=last + 1,
                reserved_by=reserved_by,
                reason=None,
                detail=None,
                stop_requested=None,
                stop_by=None,
                ended=None,
                heartbeat=None,
                phase=None,
                seen=False,
            )
            begins = "from its checkpoint" if row["checkpoint_step"] else "again from the start"
            _add_event(opened, job_id, who, "resume", f"Resumed: it goes on {begins}.")
        return self.get(job_id)

    def delete(self, job_id: str) -> None:
        """Put an ended job into the bin.

        Raises:
            NoSuchJob: there is none.
            RequestError: it has not ended.
        """
        with transaction(self.database) as opened:
            row = opened.execute("SELECT state FROM job WHERE id = ? AND deleted IS NULL", (job_id,)).fetchone()
            if row is None:
                raise NoSuchJob(job_id)
            if State(row["state"]) not in ENDED:
                raise RequestError(f"{job_id} is {row['state']} and cannot be deleted; stop it first.")
            set_columns(opened, job_id, {"deleted": time.time()})

    def restore(self, job_id: str) -> None:
        """Take a job out of the bin."""
        self.update(job_id, deleted=None)

    def empty_bin(self, now: float) -> list[str]:
        """Forget jobs that have been in the bin for longer than its days; return their ids."""
        oldest = now - self.settings.bin_days * 86_400
        with transaction(self.database) as opened:
            ids = [row["id"] for row in opened.execute("SELECT id FROM job WHERE deleted < ?", (oldest,))]
            for job_id in ids:
                for table in ("attempt", "event", "curve_chunk"):
                    opened.execute(f"DELETE FROM {table} WHERE job = ?", (job_id,))
                opened.execute("DELETE FROM job WHERE id = ?", (job_id,))
        return ids

    def add_event(
        self,
        job_id: str,
        kind: str,
        text: str,
        *,
        actor: str,
        epoch: float | None = None,
        step: int | None = None,
    ) -> None:
        """Note something that happened to a job, with its place on the curves if it has one."""
        with transaction(self.database) as opened:
            _add_event(opened, job_id, actor, kind, text, epoch, step)


def _read(opened: sqlite3.Connection, job_id: str) -> Job:
    row = opened.execute("SELECT * FROM job WHERE id = ?", (job_id,)).fetchone()
    if row is None:
        raise NoSuchJob(job_id)
    return Job.from_row(row)


def move(opened: sqlite3.Connection, job_id: str, old: State, new: State, **columns: Any) -> bool:
    """As `Store.move`, inside the transaction of a caller."""
    if new not in TRANSITIONS[old]:
        raise ValueError(f"a job cannot go from {old} to {new}")
    assignments = "".join(f", {name} = ?" for name in columns)
    changed = opened.execute(
        f"UPDATE job SET state = ?{assignments} WHERE id = ? AND state = ?",
        (new, *map(_value, columns.values()), job_id, old),
    )
    return changed.rowcount == 1


def end(
    opened: sqlite3.Connection,
    job: Job,
    state: State,
    reason: str,
    *,
    actor: str,
    worked_until: float,
    detail: str | None = None,
) -> bool:
    """End the present attempt of a job that is starting or running, inside the transaction of a caller.

    Args:
        job: as it was read; if it is in another state now, nothing is done.
        worked_until: until when its worker worked, in seconds since the epoch.

    Returns:
        Whether it was ended.
    """
    worked = max(0.0, worked_until - (job.started or worked_until))
    moved = move(
        opened,
        job.id,
        job.state,
        state,
        ended=time.time(),
        seconds=(job.seconds or 0.0) + worked,
        reason=reason,
        detail=detail,
        phase=None,
    )
    if moved:
        opened.execute(
            "UPDATE attempt SET ended = ?, reason = ? WHERE job = ? AND number = ?",
            (worked_until, reason, job.id, job.attempt),
        )
        _add_event(opened, job.id, actor, state.value, reason)
    return moved


def set_columns(opened: sqlite3.Connection, job_id: str, columns: dict[str, Any]) -> None:
    """As `Store.update`, inside the transaction of a caller."""
    if columns:
        assignments = ", ".join(f"{name} = ?" for name in columns)
        opened.execute(f"UPDATE job SET {assignments} WHERE id = ?", (*map(_value, columns.values()), job_id))


def _value(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value


def _where(kind: Kind | None, states: Iterable[State] | None) -> tuple[str, list[str]]:
    where: list[str] = ["deleted IS NULL"]
    values: list[str] = []
    if kind is not None:
        where.append("kind = ?")
        values.append(kind)
    if states is not None:
        wanted = list(states)
        where.append(f"state IN ({', '.join('?' * len(wanted))})")
        values.extend(wanted)
    return " AND ".join(where), values


def _add_event(
    opened: sqlite3.Connection,
    job_id: str,
    actor: str,
    kind: str,
    text: str,
    epoch: float | None = None,
    step: int | None = None,
) -> None:
    opened.execute(
        "INSERT INTO event (job, time, actor, kind, epoch, step, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (job_id, time.time(), actor, kind, epoch, step, text),
    )
