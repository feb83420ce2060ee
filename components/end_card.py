"""How a run ended, said once: what happened, how good it is, and what to do next."""

from __future__ import annotations

import json
from pathlib import Path

import streamlit as st

from components import places, session
from components.callbacks import callback
from components.run_title import duplicate_as_draft
from components.words import counted, duration, escaped, percent
from studio.hardware.versions import installed
from studio.jobs import log
from studio.jobs.advice import lower_rate
from studio.jobs.interval import wilson
from studio.jobs.states import State
from studio.jobs.store import Job, Store

REPORT_LINES = 50  # of the log
FROM_A_COMMAND_LINE = ("", "command line")  # owners without a browser


def end_card(job: Job) -> None:
    """Draw the card, and note that the end was seen by the one whose run it is."""
    store = session.store()
    with st.container(border=True, gap="small", key="end_card"):
        if job.state == State.FINISHED:
            _finished(job)
        elif job.state == State.STOPPED:
            st.header(escaped(job.reason or "Stopped."), anchor=False)
            st.markdown(_what_is_kept(job))
            _resume(job, "primary")
        else:
            st.header("The run failed", anchor=False)
            st.text(job.reason or "It ended without a word.")
            with st.container(horizontal=True, gap="small"):
                _change_settings(job, store)
                _resume(job, "secondary")
            _details(job, store)
    if not job.seen and job.owner in (session.owner(), *FROM_A_COMMAND_LINE):
        store.update(job.id, seen=True)


def _finished(job: Job) -> None:
    st.header(f"{percent(job.val_accuracy)} of the validation images are right", anchor=False)
    st.markdown(result_sentence(job))
    with st.container(horizontal=True, gap="small"):
        if st.button("Try it on images", key="try_it", type="primary", icon=":material/image_search:"):
            st.switch_page(places.PREDICT, query_params={"run": job.id})
        if job.model_path:
            st.download_button(
                "Download model",
                data=Path(job.model_path).read_bytes,
                file_name=f"{job.id}.keras",
                mime="application/octet-stream",
                key="download_model",
                icon=":material/download:",
                on_click="ignore",
                help="A Keras file: images as uint8 go in, one score for each class comes out.",
            )


def result_sentence(job: Job) -> str:
    """How good the saved model is: the count, the Wilson interval, guessing, the time, and that it was checked."""
    parts = []
    if job.validation_right is not None and job.validation_images:
        low, high = wilson(job.validation_right, job.validation_images)
        parts.append(
            f"{job.validation_right:,} of {job.validation_images:,}; the true rate is likely between {percent(low)} "
            f"and {percent(high)} (Wilson 95%)."
        )
    if job.guessing is not None:
        parts.append(f"Guessing would give {100 * job.guessing:.3g}%{_against_guessing(job)}.")
    if job.best_epoch is not None and job.best_epoch != job.epoch:
        best = percent(job.best_val_accuracy)
        parts.append(f"The saved model is that of epoch {job.epoch}, the last; epoch {job.best_epoch} had {best}.")
    parts.append(f"The run took {duration(job.seconds)}. The saved model was loaded again and gives the same answers.")
    return " ".join(parts)


def _against_guessing(job: Job) -> str:
    """Whether the result may be no better than guessing."""
    low, _ = wilson(job.validation_right or 0, job.validation_images or 0)
    return ", and this result may be no better" if low <= (job.guessing or 0.0) else ""


def _what_is_kept(job: Job) -> str:
    if not job.checkpoint_step:
        return "There is no checkpoint yet, so that resuming begins again from the start."
    measured = f" {percent(job.val_accuracy)} of the validation images are right." if job.val_accuracy else ""
    return f"The checkpoint after {counted(job.checkpoint_step, 'step')} holds everything.{measured}"


def _resume(job: Job, kind: str) -> None:
    st.button(
        "Resume" if job.checkpoint_step else "Start again",
        key="resume_run",
        type="primary" if kind == "primary" else "secondary",
        icon=":material/resume:",
        help="Goes on from the checkpoint." if job.checkpoint_step else "There is no checkpoint yet.",
        on_click=_put_back,
        args=(job.id,),
    )


@callback
def _put_back(job_id: str) -> None:
    session.store().resume(job_id, "you")


def _change_settings(job: Job, store: Store) -> None:
    """Offer a draft with the settings of the run, and with a lower learning rate where that is what it needs."""
    rate = job.spec["training"]["learning_rate"]
    exploded = any(event.kind == "nan" for event in store.events(job.id))
    better = {"learning_rate": lower_rate(rate)} if exploded else {}
    st.button(
        f"Use a learning rate of {better['learning_rate']:g}" if exploded else "Change the settings",
        key="change_settings",
        type="primary",
        icon=":material/tune:",
        help="Begins a draft with the settings of this run. The run stays as it is.",
        on_click=duplicate_as_draft,
        args=(job.id,),
        kwargs=better,
    )


def _details(job: Job, store: Store) -> None:
    if job.detail:
        with st.expander("Details", icon=":material/bug_report:", key="failure_details"):
            st.code(job.detail, language=None)
    with st.expander("Copy report", icon=":material/content_copy:", key="failure_report"):
        st.caption("Versions, settings and the end of the log, for whoever looks into it.")
        st.code(report(job, store), language=None, wrap_lines=True)


def report(job: Job, store: Store) -> str:
    """What somebody needs who looks into a failed run, as plain text."""
    lines = log.tail(store.folder(job.id) / log.FILE_NAME, REPORT_LINES)
    parts = {
        f"Run {job.id}": f"{job.reason}\nafter {job.epoch} epochs, {job.step} steps, attempt {job.attempt}",
        "Versions": "\n".join(f"{name} {version}" for name, version in sorted(installed().items())),
        "Settings": json.dumps(job.spec, indent=2),
        "Details": job.detail or "none",
        f"Last {REPORT_LINES} lines of the log": "\n".join(lines),
    }
    return "\n\n".join(f"## {title}\n{text}" for title, text in parts.items())
