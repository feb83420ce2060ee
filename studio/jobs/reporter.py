"""The worker's door to the store: what a job does, measures and is asked to do.

Recording appends to a list and returns. One thread writes what has gathered, four times a second, in one
transaction, and reads whether a stop was asked for; a busy or full disk therefore never holds up training.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from studio.errors import StudioError
from studio.jobs import curves, log
from studio.jobs.schema import transaction
from studio.jobs.states import Phase, State
from studio.jobs.store import Job, Store, end, set_columns

INTERVAL = 0.25  # seconds between two looks at the store
DOING = {
    None: "starting",
    Phase.DOWNLOAD: "downloading",
    Phase.PREPARE: "preparing the downloaded images",
    Phase.DATA: "preparing data",
    Phase.COMPILE: "compiling",
    Phase.TRAIN: "training",
    Phase.VALIDATE: "validating",
    Phase.SAVE: "saving the model",
    Phase.CHECK: "checking the saved model",
}


class Reporter:
    """Report on one job from its worker process. Call `close` before the process ends."""

    def __init__(self, store: Store, job: Job) -> None:
        self._store = store
        self._job = job
        self._log_file = store.folder(job.id) / log.FILE_NAME
        self._lock = threading.Lock()  # guards the fields that the training thread fills and the writer empties
        self._writing = threading.Lock()  # one flush at a time
        self._columns: dict[str, Any] = {}
        self._points: dict[tuple[curves.Axis, tuple[str, ...]], list[tuple[int, tuple[float, ...]]]] = {}
        self._phase: Phase | None = None
        self._phase_started = time.time()
        self._phase_seconds: dict[str, float] = dict(job.phase_seconds)
        self._may_leave = 0
        self._stop = threading.Event()
        self._closing = threading.Event()
        self.cpu_seconds = 0.0  # spent by the writing thread: the price of recording
        self._thread = threading.Thread(target=self._write_regularly, name="reporter", daemon=True)
        self._thread.start()

    @property
    def stop_requested(self) -> bool:
        """Whether somebody asked for this job to be stopped."""
        return self._stop.is_set()

    def request_stop(self) -> None:
        """Ask from inside, as a signal handler does."""
        self._stop.set()

    def phase(self, phase: Phase, done: int | None = None, total: int | None = None) -> None:
        """Say what is being done now, and how far it is."""
        now = time.time()
        with self._lock:
            if phase != self._phase:
                self._close_phase(now)
                self._phase, self._phase_started = phase, now
                self._columns |= {"phase": phase, "phase_started": now}
            self._columns |= {"phase_done": done, "phase_total": total}

    def progress(self, epoch: int, step: int) -> None:
        """Say how many epochs are completed and how many optimizer steps were done since the run began."""
        with self._lock:
            self._columns |= {"epoch": epoch, "step": step}

    def update(self, **columns: Any) -> None:
        """Set columns of the job (see schema.py)."""
        with self._lock:
            self._columns |= columns

    def record_step(self, step: int, **series: float) -> None:
        """Record values measured at an optimizer step."""
        self._record("step", step, series)

    def record_epoch(self, epoch: int, **series: float) -> None:
        """Record values of a completed epoch."""
        self._record("epoch", epoch, series)

    def event(self, kind: str, text: str, *, epoch: float | None = None, step: int | None = None) -> None:
        """Note an event: it is written at once."""
        self._store.add_event(self._job.id, kind, text, actor="worker", epoch=epoch, step=step)

    def log(self, line: str) -> None:
        """Write a line to the log of the job (standard error of a worker is its log)."""
        print(line, file=sys.stderr, flush=True)

    def drop_after(self, *, step: int, epoch: int) -> None:
        """Forget curve points after a checkpoint that a resumed run starts from."""
        with transaction(self._store.database) as opened:
            curves.drop_after(opened, self._job.id, step=step, epoch=epoch)

    @contextmanager
    def safe_to_leave(self) -> Iterator[None]:
        """Inside, nothing would be lost: a stop request records `stopped` and ends the process at once."""
        self._may_leave += 1
        try:
            if self.stop_requested:
                self._leave()
            yield
        finally:
            self._may_leave -= 1

    def flush(self, durable: bool = False) -> None:
        """Write everything recorded so far, and return when it is in the store.

        Args:
            durable: also wait until the disk has it, as before a checkpoint that counts on these rows.
        """
        with self._writing:
            with self._lock:
                columns, self._columns = self._columns, {}
                points, self._points = self._points, {}
            try:
                self._write(columns, points, durable)
            except StudioError:
                with self._lock:  # keep what could not be written for the next try
                    self._columns = columns | self._columns
                    for key, rows in points.items():
                        self._points[key] = rows + self._points.get(key, [])
                raise

    def finish(self, state: State, reason: str, *, detail: str = "") -> None:
        """Record the end of the job: everything gathered so far, then the state, in that order."""
        now = time.time()
        with self._lock:
            self._close_phase(now)
            self._phase = None
        self.flush()
        with transaction(self._store.database) as opened:
            end(opened, self._job, state, reason, actor="worker", worked_until=now, detail=detail or None)
        self.log(reason)

    def close(self) -> None:
        """Stop the writing thread after a last flush."""
        self._closing.set()
        self._thread.join(timeout=10)

    def _record(self, axis: curves.Axis, point: int, series: dict[str, float]) -> None:
        with self._lock:
            rows = self._points.setdefault((axis, tuple(series)), [])
            rows.append((point, tuple(series.values())))

    def _close_phase(self, now: float) -> None:
        if self._phase is not None:
            spent = self._phase_seconds.get(self._phase, 0.0) + now - self._phase_started
            self._phase_seconds[self._phase] = spent
            self._columns["phase_seconds"] = dict(self._phase_seconds)

    def _write_regularly(self) -> None:
        last_trouble = ""
        while not self._closing.wait(INTERVAL):
            try:
                self._tick()
                last_trouble = ""
            except Exception as error:  # a busy store, a full disk: said once, tried again; this thread must live
                trouble = error.sentence if isinstance(error, StudioError) else traceback.format_exc()
                if trouble != last_trouble:
                    self.log(f"Not recorded yet: {trouble}")
                last_trouble = trouble
        with suppress(StudioError):
            self.flush()

    def _tick(self) -> None:
        self.flush()
        if self.stop_requested and self._may_leave:
            self._leave()
        log.cap(self._log_file, self._store.settings.max_log_bytes)
        self.cpu_seconds = time.thread_time()

    def _write(self, columns: dict[str, Any], points: dict[Any, Any], durable: bool) -> None:
        now = time.time()
        with transaction(self._store.database, durable=durable) as opened:
            for (axis, names), rows in points.items():
                places = [point for point, _ in rows]
                columns_of_values = zip(*(values for _, values in rows), strict=True)
                curves.append(
                    opened,
                    self._job.id,
                    self._job.attempt,
                    axis,
                    places,
                    dict(zip(names, columns_of_values, strict=True)),
                )
            set_columns(opened, self._job.id, columns | {"heartbeat": now})
            row = opened.execute("SELECT stop_requested FROM job WHERE id = ?", (self._job.id,)).fetchone()
        if row["stop_requested"] is not None:
            self._stop.set()

    def _leave(self) -> None:
        """End this process now: nothing can be lost."""
        self.finish(State.STOPPED, self.stop_sentence(f"while {DOING[self._phase]}"))
        sys.stderr.flush()
        os._exit(0)

    def stop_sentence(self, where: str) -> str:
        """How a stopped job says that it was: `Stopped at epoch 7, step 12, by you.`"""
        who = self._store.get(self._job.id).stop_by or "a signal"
        return f"Stopped {where}, by {who}."
