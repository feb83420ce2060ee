"""The sets to choose from: those on this machine, and those of the catalogue that can be downloaded."""

from __future__ import annotations

import streamlit as st

from components import session
from components.words import counted, size
from studio.data.catalogue import SETS, CatalogueEntry, builder_dir
from studio.errors import StudioError
from studio.settings import Settings

HERE, CATALOGUE = "Ready here", "Catalogue"
SOURCE_KEY = f"{session.CHOICE}source"
SET_KEYS = {HERE: f"{session.CHOICE}set_here", CATALOGUE: f"{session.CHOICE}set_catalogue"}


def choose_set(present: str) -> CatalogueEntry | None:
    """Let a person look at a set; at first it is the `present` one of the draft.

    Returns:
        The set, None where there is none in the list.
    """
    here = [name for name in SETS if is_here(session.settings(), name)]
    sets = {HERE: here, CATALOGUE: [name for name in SETS if name not in here]}
    if st.session_state.get(SET_KEYS[CATALOGUE]) in here:  # its download has ended: go on looking at it
        st.session_state[SOURCE_KEY] = HERE
        st.session_state[SET_KEYS[HERE]] = st.session_state.pop(SET_KEYS[CATALOGUE])
    source = st.radio(
        "Images from",
        list(sets),
        index=1 if present in sets[CATALOGUE] else 0,
        horizontal=True,
        key=SOURCE_KEY,
    )
    names = sets[source]
    if not names:
        st.caption("Every set of the catalogue is on this machine.")
        return None
    chosen = st.radio(
        "Dataset",
        names,
        index=names.index(present) if present in names else 0,
        format_func=lambda name: SETS[name].title,
        captions=[_caption(SETS[name], on_disk=source == HERE) for name in names],
        key=SET_KEYS[source],
    )
    return SETS[chosen]


def is_here(settings: Settings, name: str) -> bool:
    """Whether a set is on this machine; a damaged one is, and says so when it is opened."""
    if SETS[name].built_in:
        return True
    try:
        return builder_dir(settings, name) is not None
    except StudioError:
        return True


def shape_in_words(height: int | None, width: int | None, channels: int) -> str:
    """`8 × 8 pixels, grey`."""
    sides = f"{width} × {height} pixels" if width and height else "different sizes"
    return f"{sides}, {'grey' if channels == 1 else 'color'}"


def _caption(published: CatalogueEntry, *, on_disk: bool) -> str:
    about = f"{counted(len(published.classes), 'class', 'classes')}, "
    about += shape_in_words(published.height, published.width, published.channels)
    return about if on_disk else f"{about}, {size(published.download_bytes)}"
