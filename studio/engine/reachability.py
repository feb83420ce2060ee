"""Do the servers of a dataset answer? Asked before a download, which would try for minutes without a word."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from urllib.parse import urlsplit

import requests

from studio.errors import StudioError

PATIENCE = 9.0  # seconds for the whole check


def require_servers(urls: Iterable[str], patience: float = PATIENCE) -> None:
    """Ask each server for the headers of one file; any answer at all will do, even a refusal.

    Raises:
        StudioError: one of them did not answer in time.
    """
    one_of_each_server = {urlsplit(url).netloc: url for url in urls if url.startswith("http")}
    started = time.monotonic()
    # Not a `with` block: leaving it would wait for a look-up that hangs.
    pool = ThreadPoolExecutor(max(1, len(one_of_each_server)))
    questions = [pool.submit(_ask, url, patience) for url in one_of_each_server.values()]
    answered, silent = wait(questions, timeout=patience)
    pool.shutdown(wait=False)
    failed = [error for question in answered if (error := question.exception())]
    if silent or failed:
        seconds = max(1, math.ceil(time.monotonic() - started))
        raise StudioError(
            f"The server of this dataset does not answer (tried for {seconds} s). Nothing was stored. "
            "Check the network, or choose a set that is on this machine.",
            detail="\n".join(map(str, failed)) or f"No answer from {', '.join(one_of_each_server)}",
        )


def _ask(url: str, patience: float) -> None:
    # The final server may be another one; for the first answer that does not matter.
    requests.head(url, timeout=patience / 2, allow_redirects=False)
