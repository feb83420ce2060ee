"""What was tried to find an accelerator, one line a step, in the words of the libraries."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from components.words import duration
from studio.hardware.record import Step

OUTCOMES = {
    "ok": ":green-badge[:material/check_circle: worked]",
    "failed": ":red-badge[:material/error: failed]",
    "crashed": ":red-badge[:material/error: crashed]",
    "skipped": ":gray-badge[:material/remove: not tried]",
}
WHAT_IT_DOES = {
    "resolver": "asks where the TPU is",
    "connect": "connects to it",
    "initialize": "starts its chips",
    "strategy": "puts one copy of the model on each chip",
    "gpu": "looks for GPUs",
    "cpu": "is always there",
}


def hardware_steps(steps: Iterable[Step]) -> None:
    """Each step with its outcome, its time and the exact message."""
    for step in steps:
        first, *more = step.message.strip().splitlines() or [""]
        with st.container(key=f"hardware_step_{step.name}", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{step.name}**", width=80)
                st.markdown(OUTCOMES.get(step.outcome, step.outcome), width=110)
                st.caption(WHAT_IT_DOES.get(step.name, ""), width=250)
                st.caption(duration(step.seconds) if step.seconds else "", width=60)
                st.text(first, width="content")
            if more:
                with st.expander("Whole message"):
                    st.code(step.message, language=None)
