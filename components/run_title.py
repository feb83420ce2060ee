"""The head of a run's page: its name and state, what can be done with it, what it is made of, and the tab title."""

from __future__ import annotations

import streamlit as st

from components import session
from components.callbacks import callback
from components.links import train_link
from components.progress_words import percent_done
from components.words import STATES, counted, escaped, percent, plain, short
from studio.data.catalogue import SETS
from studio.jobs.states import HELD, State
from studio.jobs.store import Job
from studio.spec.models import MODELS

LONGEST_NAME = 80  # characters
LONGEST_TITLE = 40  # characters of the name in the tab title


def run_title(job: Job) -> None:
    """Draw the header. It stands outside the renewing part of the page, so a click never waits for it."""
    head = st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="run_title"
    )
    with head.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        st.title(escaped(job.name), width="content", anchor=False)
        st.markdown(STATES[job.state].badge, width="content")
    with head.container(horizontal=True, gap="small", width="content"):
        if job.live:
            stopping = job.stop_requested is not None
            st.button(
                "Stopping" if stopping else "Stop",
                key="stop_run",
                icon=":material/stop_circle:",
                disabled=stopping,
                on_click=_stop,
                args=(job.id,),
            )
        st.button("New draft", key="back_to_draft", icon=":material/add:", on_click=show_draft)
        _more(job)


@callback
def show_draft() -> None:
    """Leave the run and go back to the draft of this visitor."""
    st.query_params.pop("run", None)
    session.draft()


@callback
def duplicate_as_draft(job_id: str, **training: object) -> None:
    """Begin a draft with the settings of a run, some of training changed, and show it."""
    spec = session.store().get(job_id).spec
    spec["training"] |= training
    st.query_params.pop("run", None)
    session.remember_draft(session.new_draft(spec).id)


def facts_line(job: Job) -> None:
    """What the run is made of, in one line; what only its worker can know is missing until it says so."""
    data, model, training = job.spec["data"], job.spec["model"], job.spec["training"]
    name = str(data["dataset"])
    parameters = f", {counted(job.parameters, 'parameter')}" if job.parameters is not None else ""
    replicas = job.replicas or training.get("replicas") or 1
    precision = f"{job.precision}, read back from the layers" if job.precision else f"{training['precision']} asked for"
    virtual = "virtual " if training.get("strategy") == "virtual" else ""
    parts = [
        SETS[name].title if name in SETS else name,
        MODELS[model["name"]].in_sentence + parameters,
        f"batch {training['batch_size']} on {counted(replicas, virtual + 'replica')}",
        precision,
        *([job.device] if job.device else []),
    ]
    st.caption(escaped(" · ".join(parts)))


def tab_title(job: Job) -> str:
    """What the tab of the browser says: progress while other tabs are looked at, then how it ended."""
    name = short(job.name, LONGEST_TITLE)
    if job.state == State.QUEUED:
        return f"Waiting · {name}"
    if job.state in HELD:
        return f"{percent_done(job)}% · {name}"
    ends = {State.FINISHED: f"✓ {percent(job.val_accuracy)}", State.STOPPED: "■ stopped", State.FAILED: "✕ failed"}
    return f"{ends.get(job.state, STATES[job.state].label)} · {name}"


def _more(job: Job) -> None:
    with st.popover("More", icon=":material/more_horiz:", key="more"):
        st.button(
            "Duplicate as draft",
            key="duplicate_run",
            icon=":material/content_copy:",
            width="stretch",
            help="Begins a draft with the settings of this run. The run stays as it is.",
            on_click=duplicate_as_draft,
            args=(job.id,),
        )
        # A closed popover keeps the text it was left with and would bring it back: another name has another key.
        key = f"run_name_{job.id}_{job.name}"
        st.text_input("Rename", job.name, key=key, max_chars=LONGEST_NAME, on_change=_rename, args=(job.id, key))
        st.caption("Link to this run")
        st.code(train_link(run=job.id), language=None, wrap_lines=True)


@callback
def _stop(job_id: str) -> None:
    session.store().request_stop(job_id, "you")


@callback
def _rename(job_id: str, key: str) -> None:
    name = plain(st.session_state[key])[:LONGEST_NAME]
    if name:
        session.store().update(job_id, name=name)
