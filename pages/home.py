"""Home: where do I start?"""

from __future__ import annotations

import streamlit as st

from components import places, session
from components.recipe_cards import recipe_cards
from components.run_rows import run_rows
from components.running_line import running_line
from components.words import escaped
from studio.hardware import detect
from studio.jobs.states import Kind

st.title("Train an image classifier", anchor=False)
st.markdown("Pick images, pick a model, press Start, and watch it learn on this machine. No code needed.")
running_line()
hardware_place = st.container()

st.header("Start from a recipe", anchor=False)
recipe_cards()

st.header("Latest runs", anchor=False)
latest = session.store().jobs(kind=Kind.TRAIN, limit=5)
if latest:
    with st.container(border=True, gap="small", key="latest_runs"):
        run_rows(latest)
    st.page_link(places.RUNS, label="All runs", icon=":material/arrow_forward:", icon_position="right")
else:
    st.caption("No runs yet. Your first one appears here a few seconds after you press Start.")

# Last, because asking a device can take minutes, and nothing above needs the answer.
line = hardware_place.container(border=True, horizontal=True, vertical_alignment="center", key="hardware_line")
with line.skeleton(height=24):
    verdict, _, rest = detect(session.settings()).verdict.partition(". ")
line.markdown(f":material/memory: **{escaped(verdict)}**", width="content")
line.caption(escaped(rest), width="content")
line.space("stretch")
line.page_link(places.HARDWARE, label="See what was tried", icon=":material/arrow_forward:", icon_position="right")
