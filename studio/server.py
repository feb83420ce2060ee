"""What lives as long as the server: the supervisor, and leaving in time.

The server process never imports TensorFlow, Keras or JAX: training runs in workers, questions about models go to
the desk.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

from studio.desk import close_desks, desk
from studio.jobs.supervisor import Supervisor
from studio.settings import Settings

FORCE_EXIT_AFTER = 3.0  # seconds that open requests get before uvicorn is told to leave without them

_page_served = threading.Event()


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Start the supervisor before the first visitor, and end with it."""
    supervisor = Supervisor(Settings.load())
    supervisor.start()
    _leave_in_time()
    threading.Thread(target=_warm, name="warm-up", daemon=True).start()
    try:
        yield
    finally:
        supervisor.stop()
        close_desks()


def page_served() -> None:
    """Tell that a page has been shown: what is only likely to be needed may be loaded from now on."""
    _page_served.set()


def _warm() -> None:
    """Load what the next pages will want, one after the other, without delaying the first page."""
    import studio.runs  # noqa: F401  # what every page needs, while the first browser is still loading

    _page_served.wait()
    import altair  # noqa: F401  # 0.4 s, on the first page with a chart otherwise
    import pandas  # noqa: F401

    desk("shapes").warm_up()
    desk("predictions").warm_up()


def _leave_in_time() -> None:
    """Make SIGTERM and SIGINT end the server within seconds, whatever requests are open.

    uvicorn waits without limit for open requests and takes a second SIGINT as "leave now"; so a timer sends one.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        previous = signal.getsignal(number)

        def leave(signum: int, frame: FrameType | None, previous: Any = previous) -> None:
            timer = threading.Timer(FORCE_EXIT_AFTER, os.kill, (os.getpid(), signal.SIGINT))
            timer.daemon = True
            timer.start()
            if callable(previous):
                previous(signum, frame)

        signal.signal(number, leave)
