"""What can be done with one run: open it, try it, copy it into a draft, put it into the bin."""

from __future__ import annotations

import streamlit as st

from components import places, session
from components.callbacks import callback
from components.words import STATES, ago, escaped, percent, plain
from studio import runs
from studio.jobs.states import State
from studio.jobs.store import Job

DELETED_KEY = "runs_deleted"  # id and name of the run put into the bin last, for Undo


def run_actions(job: Job) -> None:
    """Draw the name of a run and its buttons."""
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="run_actions"):
        st.markdown(f"**{escaped(job.name)}** {STATES[job.state].badge}", width="content")
        st.space("stretch")
        st.page_link(places.TRAIN, label="Open", icon=":material/open_in_full:", query_params={"run": job.id})
        if job.state == State.FINISHED:
            st.page_link(
                places.PREDICT,
                label="Try it on images",
                icon=":material/image_search:",
                query_params={"run": job.id},
            )
        if st.button("Duplicate as draft", icon=":material/content_copy:", key="run_duplicate"):
            draft = session.new_draft(job.spec)
            st.switch_page(places.TRAIN, query_params={"draft": draft.id})
        if st.button(
            "Delete",
            icon=":material/delete:",
            key="run_delete",
            disabled=job.live,
            help="It can be deleted when it has ended; stop it first." if job.live else None,
        ):
            _confirm(job)


@st.dialog("Delete this run?", icon=":material/delete:")
def _confirm(job: Job) -> None:
    days = session.settings().bin_days
    st.text(f"Delete ‘{plain(job.name)}’? Its model and curves go to the bin for {days} days.")
    known = [STATES[job.state].label, f"created {ago(job.created)}"]
    if job.best_val_accuracy is not None:
        known.insert(1, f"best validation accuracy {percent(job.best_val_accuracy)}")
    st.caption(" · ".join(known))  # runs of the same recipe have the same name
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="run_delete_confirmed", on_click=_delete, args=(job,)):
            st.rerun()
        if st.button("Keep it", key="run_delete_canceled"):
            st.rerun()


@callback
def _delete(job: Job) -> None:
    runs.delete(session.store(), job.id)
    st.session_state[DELETED_KEY] = (job.id, job.name)


def bin_line() -> None:
    """Say what was put into the bin last, with Undo."""
    if DELETED_KEY in st.session_state:
        job_id, name = st.session_state[DELETED_KEY]
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="bin_line"):
            st.markdown(f":material/delete: **{escaped(name)}** is in the bin.", width="content")
            st.space("stretch")
            st.button(
                "Undo", icon=":material/undo:", type="tertiary", key="run_restore", on_click=_restore, args=(job_id,)
            )


@callback
def _restore(job_id: str) -> None:
    runs.restore(session.store(), job_id)
    del st.session_state[DELETED_KEY]
