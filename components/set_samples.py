"""Sixteen images of a set, chosen at random, by split and by class."""

from __future__ import annotations

import streamlit as st

from components.callbacks import callback
from components.image_grid import image_grid
from components.words import plain
from studio.data.index import Index

SAMPLES = 16
COLUMNS = 8
SPLITS = {"train": "Training", "validation": "Validation", "test": "Test"}
SEED_KEY = "samples_seed"


def set_samples(name: str, index: Index) -> None:
    """Draw the controls and the samples of a set."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="samples_controls"):
        split = st.selectbox(
            "Split",
            index.splits,
            format_func=lambda split: SPLITS.get(split, split),
            key=f"samples_split_{name}",
            width=160,
        )
        label = st.selectbox(
            "Class",
            [None, *range(len(index.classes))],
            format_func=lambda label: "All classes" if label is None else plain(index.classes[label]),
            key=f"samples_class_{name}",
            width=220,
        )
        st.button("Reshuffle", icon=":material/shuffle:", key="samples_reshuffle", on_click=_reshuffle)
    examples = index.sample(split, SAMPLES, st.session_state.get(SEED_KEY, 0), label)
    if not examples:
        st.caption("This class has no image in this split.")
    image_grid(examples, index.classes, columns=COLUMNS, key="samples")
    st.caption("Photos are cut to squares here, and small images are enlarged without smoothing.")


@callback
def _reshuffle() -> None:
    st.session_state[SEED_KEY] = st.session_state.get(SEED_KEY, 0) + 1
