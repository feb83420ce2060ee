"""Pictures side by side, ten a page, each with the model's answer as a button that chooses it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from components.answers import Answer
from components.callbacks import callback
from components.pictures import square
from components.words import escaped, plain, short

PER_PAGE = 10
SIDE = 96  # pixels: ten of them and their gaps fill the widest page
LONGEST_NAME = 11  # characters
MARKS = {True: ":material/check: ", False: ":red[:material/close:] ", None: ""}
WORDS = {True: "right", False: "wrong", None: ""}


def film_strip(answers: Sequence[Answer], classes: Sequence[str], *, key: str) -> Answer:
    """Draw the pictures, at least one, page by page.

    Args:
        key: of the run and the choice of pictures; another one begins at the first page.

    Returns:
        The chosen picture: the first, until another one is.
    """
    chosen_key, page_key = f"{key}_chosen", f"{key}_page"
    chosen = next((answer for answer in answers if answer.key == st.session_state.get(chosen_key)), answers[0])
    pages = math.ceil(len(answers) / PER_PAGE)
    pictures = st.container(horizontal=True, wrap=False, gap="small", key=f"{key}_strip")
    page = st.pagination(pages, key=page_key) if pages > 1 else 1
    for answer in answers[(page - 1) * PER_PAGE : page * PER_PAGE]:
        name = classes[answer.top[0][0]]
        with pictures.container(width=SIDE, gap="xxsmall"):
            words = f", {WORDS[answer.right]}" if answer.label is not None else ""
            st.image(
                square(answer.read(), SIDE),
                width=SIDE,
                alt=f"{plain(answer.title)}: the model says {plain(name)}{words}",
            )
            st.button(
                f"{MARKS[answer.right]}{escaped(short(name, LONGEST_NAME))}",
                key=f"{key}_{answer.key}",
                type="secondary" if answer is chosen else "tertiary",
                width="stretch",
                on_click=_choose,
                args=(chosen_key, answer.key),
            )
    return chosen


@callback
def _choose(chosen_key: str, answer_key: str) -> None:
    st.session_state[chosen_key] = answer_key
