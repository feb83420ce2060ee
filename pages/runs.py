"""Runs: what did I do, and which was best?"""

from __future__ import annotations

import math

import streamlit as st

from components import places, session
from components.run_actions import bin_line, run_actions
from components.run_table import run_table
from components.running_line import running_line
from components.words import counted
from studio.jobs.states import Kind

PER_PAGE = 50

st.title("Runs", anchor=False)
running_line()
bin_line()
total = session.store().count(kind=Kind.TRAIN)
if total == 0:
    st.markdown("No runs yet. Open a recipe on Home; the digits take about 15 seconds.")
    st.page_link(places.HOME, label="Open a recipe", icon=":material/home:")
else:
    actions = st.container()
    pages = math.ceil(total / PER_PAGE)
    table = st.container()
    page = st.pagination(pages, key="runs_page") if pages > 1 else 1
    with table:
        jobs = session.store().jobs(kind=Kind.TRAIN, limit=PER_PAGE, offset=(page - 1) * PER_PAGE)
        chosen = run_table(jobs, key=f"runs_table_{page}_{total}")
    with actions:
        if chosen is None:
            st.caption(f"{counted(total, 'run')}, newest first. Tick one to open it, try it, copy it or delete it.")
        else:
            run_actions(chosen)
