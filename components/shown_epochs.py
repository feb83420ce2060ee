"""Which epochs of a run its charts show: the whole run, or a part that was dragged over or chosen by number."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from components.callbacks import callback
from components.curve_frames import Window

ADDRESS = "epochs"  # `?epochs=3-16`: the part stands in the address too, so that it survives a reload

# What counts is the state of the session, into which the address is read once. A tick that was on its way while the
# part was changed still carries the old address and would bring the old part back.


def shown_epochs(job_id: str, whole: Window) -> Window:
    """The epochs to show. The address is made to say the same."""
    key = _key(job_id)
    if key not in st.session_state:
        st.session_state[key] = _parse(st.query_params.get(ADDRESS, ""))
    part: Window | None = st.session_state[key]
    _write_address(part)
    if part is None:
        return whole
    first, last = part[0], min(part[1], whole[1])
    return (first, last) if first < last else whole


@callback
def show_epochs(job_id: str, part: Window | None) -> None:
    """Show these epochs from now on; None shows the whole run."""
    st.session_state[_key(job_id)] = part
    _write_address(part)


def dragged_epochs(selection: Any, whole: Window) -> Window | None:
    """The whole epochs that a drag across a chart covers; None where nothing was dragged."""
    ends = (selection or {}).get("epoch")
    if not ends:
        return None
    first = max(math.floor(min(ends)), whole[0])
    last = min(math.ceil(max(ends)), whole[1])
    return (first, last) if last > first else None


def _key(job_id: str) -> str:
    return f"shown_epochs_{job_id}"


def _parse(text: str) -> Window | None:
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal()) or max(len(first), len(last)) > 9:
        return None
    return (int(first), int(last)) if int(first) < int(last) else None


def _write_address(part: Window | None) -> None:
    wanted = None if part is None else f"{part[0]}-{part[1]}"
    if st.query_params.get(ADDRESS) == wanted:
        return
    if wanted is None:
        del st.query_params[ADDRESS]
    else:
        st.query_params[ADDRESS] = wanted
