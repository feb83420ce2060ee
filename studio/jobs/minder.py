"""One look at the queue, as a server and a command line take it: bury, end what does not answer, launch."""

from __future__ import annotations

import subprocess

from studio.jobs.launch import launch
from studio.jobs.queue import bury, claim, escalate
from studio.jobs.states import HELD
from studio.jobs.store import Store


class Minder:
    """Starts the jobs that this process may claim and knows how the workers it started have ended.

    Args:
        claimer: name of a waiting command line, which claims only its own jobs; None for a server.
    """

    def __init__(self, store: Store, claimer: str | None = None) -> None:
        self._store = store
        self._claimer = claimer
        self._workers: dict[str, subprocess.Popen[bytes]] = {}

    def tick(self) -> None:
        """One look. Cheap when nothing is to be done: it only reads."""
        exit_codes = {job_id: code for job_id, worker in self._workers.items() if (code := worker.poll()) is not None}
        if self._store.count(states=HELD):
            bury(self._store, exit_codes)
            escalate(self._store)
        for job_id in exit_codes:
            del self._workers[job_id]
        while (claimed := claim(self._store, self._claimer)) is not None:
            worker = launch(self._store, claimed)
            if worker is not None:
                self._workers[claimed.job.id] = worker

    def wait(self, job_id: str) -> None:
        """Return when the worker of an ended job is gone, if it was started here."""
        worker = self._workers.pop(job_id, None)
        if worker is not None:
            worker.wait()
