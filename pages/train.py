"""Train: what will happen, what is happening, how it ended. `?run=ID` in the address shows that run."""

from __future__ import annotations

import streamlit as st

from components import session
from components.draft_card import draft_card
from components.draft_check import validation_comes_with
from components.draft_strip import draft_strip
from components.end_card import end_card
from components.live_panel import live_panel
from components.missing_run import find_run, missing_run
from components.outlook import notes_on
from components.run_title import facts_line, run_title
from components.running_line import running_line
from components.start_bar import start_bar
from components.training_form import training_form
from studio import runs
from studio.hardware import detect
from studio.spec.plan import Plan

run_id = st.query_params.get("run")
own = session.own_live_run()
if own and not run_id:
    run_id = st.query_params["run"] = own.id
job = find_run(run_id) if run_id else None

if run_id and (job is None or job.deleted is not None):
    st.title("Train", anchor=False)
    missing_run(job)
elif job:
    run_title(job)
    if not job.live:
        facts_line(job)
        end_card(job)
    live_panel(job)
else:
    st.title("Train", anchor=False)
    running_line()
    checked = draft_strip()
    draft = session.draft()
    form, card = st.columns([3, 2], gap="large")
    with form:
        training_form(draft, detect(session.settings()), validation_given=validation_comes_with(draft.spec))
    notes = []
    if isinstance(checked, Plan):
        at_hand = runs.has_imagenet_weights(session.settings(), checked)
        notes = notes_on(checked, imagenet_at_hand=at_hand)
    with card:
        reason = draft_card(draft, checked, notes)
    start_bar(checked, notes, reason)
