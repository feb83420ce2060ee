"""The run that an address asks for, and what is said where there is none."""

from __future__ import annotations

import streamlit as st

from components import places, session
from components.words import ago
from studio.jobs.states import Kind
from studio.jobs.store import Job, NoSuchJob


def find_run(run_id: str) -> Job | None:
    """The run with this id, also one in the bin; None where there is none. A download is no run."""
    try:
        job = session.store().get(run_id)
    except NoSuchJob:
        return None
    return job if job.kind == Kind.TRAIN else None


def missing_run(job: Job | None) -> None:
    """Say that the run was deleted, or that there is none, and lead to the others."""
    if job is None or job.deleted is None:
        st.markdown("There is no run at this address. The link may be incomplete, or its run was deleted long ago.")
    else:
        st.markdown(f"This run was deleted {ago(job.deleted)}. The others are in the list.")
    st.page_link(places.RUNS, label="All runs", icon=":material/list_alt:")
