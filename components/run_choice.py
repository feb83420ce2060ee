"""The finished runs to choose a model from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from components import session
from components.words import ago, percent, plain, with_terms
from studio.data.catalogue import NotOnDisk, entry
from studio.data.index import open_index
from studio.jobs.states import Kind, State
from studio.jobs.store import Job
from studio.runs import settings_of


@dataclass(frozen=True)
class FinishedRun:
    """A run and its model: the path, and the time by which a changed file is noticed."""

    job: Job
    model: tuple[str, int]


MOST_RUNS = 200  # to choose from
RUN_KEY = "predict_run"


def choose_run() -> FinishedRun | None:
    """Let a person choose a finished run, at first the one in the address or the newest.

    Returns:
        The run, None where none has a model.
    """
    finished = session.store().jobs(kind=Kind.TRAIN, states=[State.FINISHED], limit=MOST_RUNS)
    runs = {job.id: FinishedRun(job, model) for job in finished if (model := _model_file(job))}
    if not runs:
        return None
    wanted = st.query_params.get("run")
    if wanted and wanted not in runs:
        st.caption(":yellow[:material/warning:] The run in the address has no finished model; the newest one is shown.")
    chosen = st.selectbox(
        "Model",
        list(runs),
        index=list(runs).index(wanted) if wanted in runs else 0,
        format_func=lambda run: _words(runs[run].job),
        key=RUN_KEY,
        help=with_terms("Finished runs, newest first. The model is the one that was saved at the end of the run."),
    )
    st.query_params["run"] = chosen
    return runs[chosen]


def class_names(job: Job) -> tuple[str, ...]:
    """Names of the classes of a run: from its set, or from the catalogue where the set is not on this machine.

    Raises:
        RequestError: there is no such set any more.
    """
    dataset = job.spec["data"]["dataset"]
    try:
        return open_index(settings_of(job, session.settings()), dataset).classes
    except NotOnDisk:
        return entry(dataset).classes


def _model_file(job: Job) -> tuple[str, int] | None:
    path = Path(job.model_path or "")
    return (str(path), path.stat().st_mtime_ns) if job.model_path and path.is_file() else None


def _words(job: Job) -> str:
    accuracy = "" if job.val_accuracy is None else f"{percent(job.val_accuracy)} validation accuracy, "
    return f"{plain(job.name)}: {accuracy}{ago(job.ended)}"
