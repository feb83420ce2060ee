"""Follow a job in the foreground; start it when it is its turn, if it is this command line's own."""

from __future__ import annotations

import os
import secrets
import signal
import time
from contextlib import suppress
from types import FrameType

from studio.cli.output import say
from studio.errors import RequestError, StudioError
from studio.jobs.locks import try_lock
from studio.jobs.minder import Minder
from studio.jobs.queue import waiting_file
from studio.jobs.states import State
from studio.jobs.store import Job, NoSuchJob, Store

INTERVAL = 0.25  # seconds between two looks at the store


class Foreground:
    """A command line that waits for its own jobs.

    While it lives, a lock says that jobs reserved by `name` are to be claimed by it alone; when it is gone, any
    server or command line takes them. Ctrl-C asks for the job to be stopped; a lost terminal or a kill leaves a
    running job alone.
    """

    def __init__(self, store: Store, *, stops: bool = True) -> None:
        """With `stops=False`, Ctrl-C ends the following and not the job."""
        self.name = secrets.token_hex(8)
        self._stops = stops
        self._store = store
        self._lock = try_lock(waiting_file(store, self.name))
        self._minder = Minder(store, self.name)
        self._interrupted = False

    def __enter__(self) -> Foreground:
        self._previous = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *exc: object) -> None:
        signal.signal(signal.SIGINT, self._previous)
        if self._lock is not None:
            os.close(self._lock)
        waiting_file(self._store, self.name).unlink(missing_ok=True)

    def follow(self, job_id: str) -> Job:
        """Claim and start the job when it is its turn, tell how it goes, and return it when it has ended."""
        teller = Teller(self._store)
        last_trouble = ""
        while True:
            try:
                self._minder.tick()
                job = self._store.get(job_id)
                teller.tell(job)
                if not job.live:
                    self._minder.wait(job_id)
                    return job
                if self._interrupted and not self._stops:
                    return job
                if self._interrupted and job.stop_requested is None:
                    self._ask_to_stop(job_id)
                last_trouble = ""
            except NoSuchJob:
                raise
            except StudioError as error:  # a busy store, a full disk: the run goes on, and so does following it
                if error.sentence != last_trouble:
                    say(error.sentence)
                last_trouble = error.sentence
            time.sleep(INTERVAL)

    def _ask_to_stop(self, job_id: str) -> None:
        say("Stopping; the checkpoint is written first.")
        with suppress(RequestError):  # it has ended in this moment
            self._store.request_stop(job_id, "Ctrl-C")

    def _interrupt(self, signum: int, frame: FrameType | None) -> None:
        self._interrupted = True


class Teller:
    """Prints a line when something has changed: the place in the queue, a phase, an epoch, the end."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._last = ""

    def tell(self, job: Job) -> None:
        line = self._line(job)
        if line != self._last:
            say(line)
            self._last = line

    def _line(self, job: Job) -> str:
        if job.state == State.QUEUED:
            before = self._store.place_in_queue(job)
            return f"{job.id}: waiting, {before} before it in the queue"
        if job.state == State.STARTING:
            return f"{job.id}: starting the worker"
        if job.state != State.RUNNING:
            return f"{job.id}: {job.state}. {job.reason or ''}".rstrip()
        if job.epoch and job.phase in ("train", "validate"):
            parts = [f"{job.id}: epoch {job.epoch} of {job.epochs}"]
            figures = {"loss": job.loss, "accuracy": job.accuracy, "val_loss": job.val_loss}
            figures["val_accuracy"] = job.val_accuracy
            parts += [f"{name} {value:.4f}" for name, value in figures.items() if value is not None]
            if job.examples_per_second:
                parts.append(f"{job.examples_per_second:,.0f} images per second")
            return ", ".join(parts)
        done = f" {job.phase_done:,} of {job.phase_total:,}" if job.phase_done and job.phase_total else ""
        return f"{job.id}: {job.phase or 'running'}{done}"
