"""How the charts are drawn: choices of the person, kept while pages and runs change, and the epochs that are shown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.curve_frames import Window

ADDRESS = "epochs"  # the shown epochs stand in the address, so that they survive a reload
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


def shown_epochs(whole: Window) -> Window:
    """The epochs to show: what was chosen by dragging or by number, else the whole run."""
    first, _, last = st.query_params.get(ADDRESS, "").partition("-")
    if not (first.isdecimal() and last.isdecimal()):
        return whole
    window = int(first), min(int(last), whole[1])
    return window if window[0] < window[1] else whole


def show_epochs(window: Window | None) -> None:
    """Show these epochs from now on; None shows the whole run."""
    if window is None:
        st.query_params.pop(ADDRESS, None)
    else:
        st.query_params[ADDRESS] = f"{window[0]}-{window[1]}"


def zoomed(selection: Any, whole: Window) -> Window | None:
    """The whole epochs that a drag across a chart covers, None where nothing was dragged."""
    ends = (selection or {}).get("epoch")
    if not ends:
        return None
    first = max(math.floor(min(ends)), whole[0])
    last = min(math.ceil(max(ends)), whole[1])
    return (first, last) if last > first else None


def chart_options(whole: Window) -> None:
    """Draw the options: for keyboard and touch also the first and the last epoch."""
    shown = shown_epochs(whole)
    if shown != whole:
        st.button(
            "Show whole run",
            key="show_whole_run",
            type="tertiary",
            icon=":material/zoom_out_map:",
            on_click=show_epochs,
            args=(None,),
        )
    with st.popover("Chart options", icon=":material/tune:", type="tertiary", key="chart_options"):
        for label, choices, key in (
            ("Loss scale", LOSS_SCALES, "chart_loss_scale"),
            ("Height", HEIGHTS, "chart_height"),
            ("Single steps", STEPS, "chart_steps"),
        ):
            st.radio(label, choices, horizontal=True, key=key, persist_state="session")
        st.session_state["chart_first"], st.session_state["chart_last"] = shown
        with st.grid(2, min_column_width=100):
            for label, key, low, high in (
                ("From epoch", "chart_first", whole[0], shown[1] - 1),
                ("To epoch", "chart_last", shown[0] + 1, whole[1]),
            ):
                st.number_input(label, low, high, step=1, key=key, on_change=_take_numbers, args=(whole,))


def _take_numbers(whole: Window) -> None:
    window = int(st.session_state["chart_first"]), int(st.session_state["chart_last"])
    show_epochs(None if window == whole else window)
