"""One line under the title of every page: the run that is under way, or the one that has just ended."""

from __future__ import annotations


def running_line() -> None:
    """Show what is running, with a link to it. Draws nothing where there is nothing to say."""
