"""Predict: does it work on images it has not seen?"""

from __future__ import annotations

import streamlit as st

from components import places, session
from components.answer_cards import answer_cards
from components.answers import Answer
from components.film_strip import film_strip
from components.held_out_answers import held_out_answers
from components.held_out_filter import filter_answers
from components.run_choice import choose_run, class_names
from components.running_line import running_line
from components.uploaded_answers import uploaded_answers
from studio.data.index import open_index
from studio.runs import settings_of
from studio.spec.run import parse_spec

TEST, UPLOAD = "Test images", "Upload"

st.title("Predict", anchor=False)
running_line()
model_column, source_column = st.columns(2, gap="small")
with model_column:
    run = choose_run()

if run is None:
    st.markdown("No trained model yet. The digits recipe makes one in about 15 seconds.")
    st.page_link(places.HOME, label="Open a recipe", icon=":material/home:")
else:
    with source_column:
        source = st.radio("Images from", [TEST, UPLOAD], horizontal=True, key="predict_source")
    spec = parse_spec(run.job.spec)
    strip = st.container(border=True, key="predict_strip")
    answers: list[Answer]
    with strip:
        if source == UPLOAD:
            answers, key = uploaded_answers(run.model), f"predict_{run.job.id}_upload"
            classes = class_names(run.job)
        else:
            settings = settings_of(run.job, session.settings())
            index = open_index(settings, spec.data.dataset)
            held_out = held_out_answers(run.model, spec, index, settings)
            answers, key = filter_answers(held_out, key=f"predict_{run.job.id}")
            classes = index.classes
        chosen = film_strip(answers, classes, key=key) if answers else None
    if chosen is not None:
        answer_cards(chosen, classes)
