"""Pictures of a set in a grid, each with its label."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import session
from components.pictures import square
from components.samples import picture
from components.words import escaped, plain, short
from studio.data.index import Example

SIDE = 160  # pixels of a picture as it is sent
NARROWEST = 76  # pixels of a picture on the page
LONGEST_NAME = 18  # characters


def image_grid(examples: Sequence[Example], classes: Sequence[str], *, columns: int, key: str) -> None:
    """Draw the examples with the names of their classes; photos are cut to squares."""
    with st.grid(columns, min_column_width=NARROWEST, gap="small", key=key):
        for example in examples:
            name = classes[example.label]
            with st.container(gap="xxsmall"):
                image = square(picture(session.settings(), example), SIDE)
                st.image(image, width="stretch", alt=f"Image with the label {plain(name)}")
                st.caption(escaped(short(name, LONGEST_NAME)), text_alignment="center")
