"""Data: are these the right images?"""

from __future__ import annotations

import streamlit as st

from components import places, session
from components.class_counts import class_counts
from components.draft_strip import draft_strip
from components.image_sizes import image_sizes
from components.running_line import running_line
from components.set_download import set_download
from components.set_list import choose_set, is_here, shape_in_words
from components.set_samples import set_samples
from components.set_settings import set_settings
from components.set_splits import set_splits
from components.words import counted, escaped
from studio.data import catalogue
from studio.data.index import open_index

st.title("Data", anchor=False)
draft_strip()
running_line()
present = session.draft().spec.get("data", {})
list_column, set_column = st.columns([1, 3], gap="large")
with list_column:
    chosen = choose_set(str(present.get("dataset", "")))
if chosen is not None:
    with set_column:
        st.header(chosen.title, anchor=False)
        st.markdown(chosen.sentence)
        home_page = f" · [Home page]({chosen.homepage})" if chosen.homepage else ""
        st.markdown(f":small[License: {chosen.license}{home_page}]")

if chosen is not None and not is_here(session.settings(), chosen.name):
    with set_column:
        set_download(chosen)
elif chosen is not None:
    place = set_column.container()
    with place, place.skeleton(height=400):
        facts = catalogue.facts(session.settings(), chosen.name)
        index = open_index(session.settings(), chosen.name)
        st.caption(
            f"Version {escaped(facts.version)} · {counted(facts.images, 'image')}, "
            f"{counted(len(facts.classes), 'class', 'classes')}, "
            f"{shape_in_words(facts.height, facts.width, facts.channels)}"
        )
        set_samples(chosen.name, index)

    counts_column, settings_column = st.columns(2, gap="large")
    with counts_column:
        st.header("Images per class", anchor=False)
        class_counts(facts)
    with settings_column:
        st.header("Before the model sees them", anchor=False)
        st.caption(image_sizes(index))
        values = set_settings(facts, present)
        st.header("Images per split", anchor=False)
        in_one_line = set_splits(facts, values["validation_share"])

    with st.bottom.container(horizontal=True, vertical_alignment="center"):
        if st.button("Use these images", type="primary", icon=":material/check:", key="data_use"):
            draft = session.change_draft("data", **values)
            st.switch_page(places.MODEL, query_params={"draft": draft.id})
        st.caption(in_one_line, width="content")
