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
from components.set_splits import set_splits
from components.setting_field import setting_field
from components.words import counted, escaped, size
from studio import runs
from studio.data import catalogue
from studio.data.index import open_index
from studio.spec.data import DataSpec

RESIZE_WORDS = {"stretch": "Stretch to a square", "crop": "Cut to a square", "pad": "Pad with black"}

st.title("Data")
draft_strip()
running_line()
present = session.draft().spec.get("data", {})
list_column, set_column = st.columns([1, 3], gap="large")
with list_column:
    chosen = choose_set(str(present.get("dataset", "")))
if chosen is None:
    st.stop()

with set_column:
    st.header(escaped(chosen.title))
    st.markdown(chosen.sentence)
    home_page = f" · [Home page]({chosen.homepage})" if chosen.homepage else ""
    st.markdown(f":small[License: {chosen.license}{home_page}]")
    here = is_here(session.settings(), chosen.name)
    if not here:
        download = set_download(chosen)

if not here:
    with st.bottom.container(horizontal=True, vertical_alignment="center"):
        busy = download is not None and download.live
        if st.button(
            f"Download {size(chosen.download_bytes)}",
            type="primary",
            icon=":material/download:",
            key="data_download",
            disabled=busy,
        ):
            runs.download(session.store(), chosen.name, owner=session.owner())
            st.rerun()
        st.caption("Under way." if busy else "Needs the network once; afterwards it works offline.", width="content")
    st.stop()

with set_column:
    samples = st.container()
    with samples.skeleton(height=300):
        facts = catalogue.facts(session.settings(), chosen.name)
        index = open_index(session.settings(), chosen.name)
        with samples:
            st.caption(
                f"Version {escaped(facts.version)} · {counted(facts.images, 'image')}, "
                f"{counted(len(facts.classes), 'class', 'classes')}, "
                + shape_in_words(facts.height, facts.width, facts.channels)
            )
            set_samples(chosen.name, index)

counts_column, splits_column = st.columns(2, gap="large")
with counts_column:
    st.header("Images per class")
    class_counts(facts)
with splits_column:
    st.header("Before the model sees them")
    st.caption(image_sizes(index))
    values = present if present.get("dataset") == chosen.name else {}
    key = f"{session.CHOICE}{chosen.name}_"
    with st.grid(2, min_column_width=200, key="data_settings"):
        image_size = setting_field(
            DataSpec, "image_size", values.get("image_size"), key=f"{key}image_size", empty="As it fits the model"
        )
        resize = setting_field(
            DataSpec, "resize", values.get("resize", "stretch"), key=f"{key}resize", words=RESIZE_WORDS
        )
        validation_share = setting_field(
            DataSpec,
            "validation_share",
            values.get("validation_share", 0.1),
            key=f"{key}validation_share",
            disabled=bool(sum(facts.splits.get("validation", ()))),
        )
    st.header("Images per split")
    in_one_line = set_splits(facts, validation_share)

with st.bottom.container(horizontal=True, vertical_alignment="center"):
    if st.button("Use these images", type="primary", icon=":material/check:", key="data_use"):
        session.change_draft(
            "data", dataset=chosen.name, image_size=image_size, resize=resize, validation_share=validation_share
        )
        st.switch_page(places.MODEL, query_params={"draft": session.draft().id})
    st.caption(in_one_line, width="content")
