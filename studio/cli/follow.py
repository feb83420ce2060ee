"""Follow a job in the foreground; start it when it is its turn, if it is this command line's own."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import time
from types import FrameType

from studio.cli.output import say
from studio.jobs.launch import launch
from studio.jobs.locks import try_lock
from studio.jobs.queue import bury, claim, escalate, waiting_file
from studio.jobs.states import State
from studio.jobs.store import Job, Store

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
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
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
        while True:
            self._mind()
            job = self._store.get(job_id)
            teller.tell(job)
            if not job.live:
                self._reap(job_id)
                return job
            if self._interrupted and not self._stops:
                return job
            if self._interrupted and job.stop_requested is None:
                say("Stopping; the checkpoint is written first.")
                self._store.request_stop(job_id, "Ctrl-C")
            time.sleep(INTERVAL)

    def _mind(self) -> None:
        exit_codes = {name: code for name, worker in self._workers.items() if (code := worker.poll()) is not None}
        bury(self._store, exit_codes)
        escalate(self._store)
        claimed = claim(self._store, self.name)
        if claimed is not None:
            worker = launch(self._store, claimed)
            if worker is not None:
                self._workers[claimed.job.id] = worker

    def _reap(self, job_id: str) -> None:
        worker = self._workers.pop(job_id, None)
        if worker is not None:
            worker.wait()

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
