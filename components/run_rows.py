"""A few runs as plain rows: quick to draw, since a data frame would load pandas on the first page."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from components import places
from components.words import STATES, ago, duration, escaped, percent, short
from studio.jobs.store import Job

LONGEST_NAME = 40  # characters


def run_rows(jobs: Iterable[Job]) -> None:
    """One line a run, with a link to it."""
    for job in jobs:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"run_row_{job.id}"):
            st.markdown(STATES[job.state].badge, width=110)
            st.page_link(
                places.TRAIN,
                label=escaped(short(job.name, LONGEST_NAME)),
                help=escaped(job.name) if len(job.name) > LONGEST_NAME else None,
                query_params={"run": job.id},
                width=320,
            )
            accuracy = "" if job.val_accuracy is None else f"{percent(job.val_accuracy)} validation accuracy"
            st.caption(accuracy, width=200)
            st.caption("" if job.seconds is None else f"took {duration(job.seconds)}", width=140)
            st.caption(f"started {ago(job.started)}" if job.started else f"queued {ago(job.created)}", width="content")
