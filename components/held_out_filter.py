"""All held-out images or only the mistakes, with how many there are."""

from __future__ import annotations

import streamlit as st

from components.answers import Answer
from components.held_out_answers import HeldOut
from components.words import percent

ALL, MISTAKES = "all", "mistakes"
ORIGINS = {"test": "never seen in training", "validation": "kept out of training; the set has no test images"}


def filter_answers(held_out: HeldOut, *, key: str) -> tuple[list[Answer], str]:
    """Draw what was asked about and the filter.

    Returns:
        The answers to show, and a key that is another one for another choice.
    """
    mistakes = [answer for answer in held_out.answers if answer.right is False]
    asked = len(held_out.answers)
    right = asked - len(mistakes)
    with st.container(horizontal=True, vertical_alignment="center", key="predict_heading"):
        some = "" if asked == held_out.images else f" {asked:,} of them, spread evenly, were asked about."
        st.markdown(
            f"**{held_out.images:,} {held_out.role} images** {ORIGINS[held_out.role]}.{some} "
            f"{right:,} answers are right, {percent(right / max(asked, 1))}.",
            width="content",
        )
        st.space("stretch")
        which = st.radio(
            "Show",
            [ALL, MISTAKES],
            format_func=lambda choice: "All" if choice == ALL else f"Mistakes ({len(mistakes):,})",
            horizontal=True,
            label_visibility="collapsed",
            key=f"{key}_filter",
        )
    if which == MISTAKES and not mistakes:
        st.caption("No mistakes among these images.")
    return (mistakes if which == MISTAKES else held_out.answers), f"{key}_{which}"
