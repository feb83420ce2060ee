"""The thread of a server that keeps the queue moving and tidies up."""

from __future__ import annotations

import logging
import shutil
import threading
import time

from studio.errors import StudioError
from studio.jobs import log
from studio.jobs.locks import is_held
from studio.jobs.minder import Minder
from studio.jobs.store import Store
from studio.settings import Settings

INTERVAL = 0.25  # seconds between two looks at the queue
HOUSEKEEPING = 3600.0  # seconds between two rounds of tidying up
STALE = 86_400.0  # seconds after which a lock file that nobody holds is a leftover

logger = logging.getLogger(__name__)


class Supervisor:
    """Minds the jobs of one STUDIO_HOME from a background thread, beside any number of others that do the same.

    A supervisor that dies takes nothing along: workers go on, and the next one finds them by their locks. A store
    that cannot be used is tried again: a full disk is emptied some time.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread; running workers go on."""
        self._leaving.set()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        store: Store | None = None
        next_housekeeping = 0.0
        last_trouble = ""
        while not self._leaving.is_set():
            try:
                if store is None:
                    store = Store(self._settings)
                    minder = Minder(store)
                minder.tick()
                if time.monotonic() >= next_housekeeping:
                    next_housekeeping = time.monotonic() + HOUSEKEEPING
                    tidy(store)
                last_trouble = ""
            except StudioError as error:  # a full disk, a busy store: said once, tried again
                if error.sentence != last_trouble:
                    logger.warning("%s", error.sentence)
                last_trouble = error.sentence
            except Exception:
                logger.exception("The supervisor failed once and goes on")
            self._leaving.wait(INTERVAL)


def tidy(store: Store) -> None:
    """Forget what has been in the bin for long enough, and what killed processes left behind."""
    settings = store.settings
    for job_id in store.empty_bin(time.time()):
        for folder in (settings.bin / job_id, store.folder(job_id)):
            shutil.rmtree(folder, ignore_errors=True)
    for lock in settings.temporary.glob("waiting-*.lock"):
        if not is_held(lock) and lock.stat().st_mtime < time.time() - STALE:
            lock.unlink(missing_ok=True)
    for helper_log in settings.temporary.glob("desk-*.log"):
        log.cap(helper_log, settings.max_log_bytes)
