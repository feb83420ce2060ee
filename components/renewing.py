"""A part of a page that draws itself anew while the rest stands still."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from components.callbacks import problem_waits
from components.errors import show_error

P = ParamSpec("P")


def renewing(draw: Callable[P, None], *, every: float | None) -> Callable[P, None]:
    """Make `draw` a fragment that runs every so many seconds, and at each click in it; None: only at clicks.

    It runs without the page, which shows what goes wrong, so it shows that itself; what went wrong in a click is told
    by the whole page.
    """

    @wraps(draw)
    def look(*args: P.args, **kwargs: P.kwargs) -> None:
        if problem_waits():
            st.rerun()
        try:
            draw(*args, **kwargs)
        except Exception as error:
            show_error(error)

    return st.fragment(look, run_every=every)
