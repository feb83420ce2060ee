"""Model: what will learn, and does it fit?"""

from __future__ import annotations

import streamlit as st

from components import places, session
from components.draft_check import check_draft
from components.draft_strip import draft_strip
from components.errors import show_error
from components.model_cards import choose_model
from components.model_options import model_options
from components.model_summary import ask_summary, layer_diagram, layer_table, total_in_words
from components.running_line import running_line
from components.words import escaped
from studio import runs
from studio.errors import StudioError
from studio.spec.models import MODELS
from studio.spec.plan import Plan

st.title("Model", anchor=False)
present = draft_strip()
running_line()
draft = session.draft()
in_draft = draft.spec.get("model", {})
name = choose_model(present.model if isinstance(present, Plan) else in_draft.get("name") or next(iter(MODELS)))

options_column, layers_column = st.columns([2, 3], gap="large")
with options_column:
    st.header(MODELS[name].title, anchor=False)
    chosen = model_options(name, in_draft)
    diagram = st.container()
as_chosen = {setting: value for setting, value in chosen.items() if value is not None}
plan = check_draft(draft.spec | {"model": as_chosen})

with layers_column:
    st.header("Layers", anchor=False)
    line = ""
    if not draft.spec.get("data", {}).get("dataset"):
        st.markdown("The first and the last layer follow from the images, and none are chosen yet.")
        st.page_link(places.DATA, label="Choose images", icon=":material/photo_library:")
    elif isinstance(plan, StudioError):
        show_error(plan)
    else:
        try:
            with st.skeleton(height=400):
                summary = ask_summary(plan)
        except StudioError as error:
            show_error(error)
        else:
            line = total_in_words(summary)
            st.caption(f"For images of {plan.width} × {plan.height} pixels and {plan.classes} classes: {line}.")
            layer_table(summary)
            with diagram:
                layer_diagram(summary)
        if plan.spec.model.weights == "imagenet" and not runs.has_imagenet_weights(session.settings(), plan):
            st.markdown(
                ":yellow[:material/warning:] The ImageNet weights are not on this machine. "
                "The run loads them from the network when it starts."
            )

with st.bottom.container(horizontal=True, vertical_alignment="center"):
    if st.button("Use this model", type="primary", icon=":material/check:", key="model_use"):
        session.change_draft("model", **chosen)
        st.switch_page(places.TRAIN, query_params={"draft": draft.id})
    st.caption(escaped(line), width="content")
