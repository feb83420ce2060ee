"""What goes wrong, as sentences a person can act on.

Every error that may reach a person is a `StudioError`: one sentence that says what is wrong, where, and what
to do. The technical reason (a traceback, a library's message) travels beside it as `detail`, one click away.
"""

from __future__ import annotations

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_REQUEST = 2
EXIT_STOPPED = 3
EXIT_INTERRUPTED = 130  # as shells say it of Ctrl-C


class StudioError(Exception):
    """Something failed while it was being done.

    Args:
        sentence: what is wrong, where, and what to do, in one sentence.
        detail: what a specialist wants to read in addition; may span lines.
    """

    exit_code = EXIT_FAILED

    def __init__(self, sentence: str, detail: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.detail = detail


class RequestError(StudioError):
    """The request itself is wrong (a name, an id, a file, a setting); nothing was created or changed."""

    exit_code = EXIT_REQUEST


class SpecError(RequestError):
    """A setting has a value that is not allowed, or settings do not fit each other or the data."""
