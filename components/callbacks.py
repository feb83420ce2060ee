"""What a widget calls when it is clicked or changed; what goes wrong in it is shown above the page.

Streamlit calls it before the page runs, outside the one place that shows errors, and would print a red traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

PROBLEM_KEY = "problem"

P = ParamSpec("P")


def callback(act: Callable[P, object]) -> Callable[P, None]:
    """Keep what `act` raises for `take_problem`. Every `on_click`, `on_change` and `on_select` is one of these."""

    @wraps(act)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            act(*args, **kwargs)
        except Exception as error:
            st.session_state[PROBLEM_KEY] = error

    return guarded


def problem_waits() -> bool:
    """Whether the last click failed and the person was not told yet."""
    return PROBLEM_KEY in st.session_state


def take_problem() -> Exception | None:
    """Why the last click failed, to be told once; None where it did not."""
    problem: Exception | None = st.session_state.pop(PROBLEM_KEY, None)
    return problem
