"""The thread that keeps the queue moving: launches, ends what does not answer, buries what is gone."""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
import time

from studio.errors import StudioError
from studio.jobs.launch import launch
from studio.jobs.queue import bury, claim, escalate
from studio.jobs.states import HELD
from studio.jobs.store import Store

INTERVAL = 0.25  # seconds between two looks at the queue
HOUSEKEEPING = 3600.0  # seconds between two looks into the bin

logger = logging.getLogger(__name__)


class Supervisor:
    """Minds the jobs of one STUDIO_HOME from a background thread, beside any number of others that do the same.

    A supervisor that dies takes nothing along: workers go on, and the next one finds them by their locks.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)
        self._next_housekeeping = 0.0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread; running workers go on."""
        self._leaving.set()
        self._thread.join(timeout=2)

    def tick(self) -> None:
        """One look at the queue. Cheap when nothing is to be done: it only reads."""
        exit_codes = {job_id: code for job_id, worker in self._workers.items() if (code := worker.poll()) is not None}
        if self._store.count(states=HELD):
            bury(self._store, exit_codes)
            escalate(self._store)
        for job_id in exit_codes:
            del self._workers[job_id]
        while (claimed := claim(self._store)) is not None:
            worker = launch(self._store, claimed)
            if worker is not None:
                self._workers[claimed.job.id] = worker
        if time.monotonic() >= self._next_housekeeping:
            self._next_housekeeping = time.monotonic() + HOUSEKEEPING
            for job_id in self._store.empty_bin(time.time()):
                shutil.rmtree(self._store.settings.bin / job_id, ignore_errors=True)

    def _run(self) -> None:
        last_trouble = ""
        while not self._leaving.is_set():
            try:
                self.tick()
                last_trouble = ""
            except StudioError as error:  # a full disk or a busy store: say it once, try again
                if error.sentence != last_trouble:
                    logger.warning("%s", error.sentence)
                last_trouble = error.sentence
            except Exception:
                logger.exception("The supervisor failed once and goes on")
            self._leaving.wait(INTERVAL)
