"""How the charts are drawn: choices of the person, kept while pages and runs change, and the epochs that are shown."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components.callbacks import callback
from components.curve_frames import Window
from components.shown_epochs import show_epochs, shown_epochs

LOSS_SCALES = ("Linear", "Logarithmic")
HEIGHTS = ("Whole range", "Fit to the curves")
STEPS = ("Smoothed", "As measured")


@dataclass(frozen=True)
class ChartOptions:
    """The present choices."""

    log_loss: bool
    fit: bool
    smooth: bool


def present_options() -> ChartOptions:
    """The choices of this person."""
    return ChartOptions(
        log_loss=st.session_state.get("chart_loss_scale") == LOSS_SCALES[1],
        fit=st.session_state.get("chart_height") == HEIGHTS[1],
        smooth=st.session_state.get("chart_steps") != STEPS[1],
    )


def chart_options(job_id: str, whole: Window) -> None:
    """Draw the options: for keyboard and touch also the first and the last epoch."""
    shown = shown_epochs(job_id, whole)
    if shown != whole:
        st.button(
            "Show whole run",
            key="show_whole_run",
            type="tertiary",
            icon=":material/zoom_out_map:",
            on_click=show_epochs,
            args=(job_id, None),
        )
    with st.popover("Chart options", icon=":material/tune:", type="tertiary", key="chart_options"):
        for label, choices, key in (
            ("Loss scale", LOSS_SCALES, "chart_loss_scale"),
            ("Height", HEIGHTS, "chart_height"),
            ("Single steps", STEPS, "chart_steps"),
        ):
            st.radio(label, choices, horizontal=True, key=key, persist_state="session")
        # A closed popover keeps the numbers it was left with and would bring them back, so those of another window have
        # another key.
        first, last = (f"chart_{end}_{job_id}_{shown[0]}_{shown[1]}" for end in ("first", "last"))
        ends = (job_id, whole, first, last)
        with st.grid(2, min_column_width=100):
            st.number_input(
                "From epoch", whole[0], shown[1] - 1, shown[0], step=1, key=first, on_change=_take_numbers, args=ends
            )
            st.number_input(
                "To epoch", shown[0] + 1, whole[1], shown[1], step=1, key=last, on_change=_take_numbers, args=ends
            )


@callback
def _take_numbers(job_id: str, whole: Window, first: str, last: str) -> None:
    window = st.session_state[first], st.session_state[last]
    if None not in window:
        show_epochs(job_id, None if window == whole else window)
