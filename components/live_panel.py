"""The moving part of a run's page: one fragment that looks again once or twice a second while the run lives."""

from __future__ import annotations

import time

import streamlit as st

from components import session
from components.answers_now import answers_now
from components.curve_cards import curve_cards
from components.kpi_row import kpi_row
from components.progress_words import explanation, progress_text, waiting
from components.renewing import renewing
from components.run_details import run_details
from components.run_title import facts_line, tab_title
from components.words import duration, escaped
from studio.jobs.locks import is_held
from studio.jobs.pace import fraction_done, seconds_a_step, seconds_left, seconds_so_far
from studio.jobs.queue import lock_file
from studio.jobs.states import State
from studio.jobs.store import Job, Store

QUICK = 0.5  # seconds between two looks at a run that is over within a minute
USUAL = 1.0
SHORT_RUN = 60.0  # seconds
SILENT = 5.0  # seconds without news

Face = tuple[State, bool, float]


def live_panel(job: Job) -> None:
    """Draw everything below the header of a run. While it lives the panel renews itself; when it ends, or enters
    another state, the whole page runs once more."""
    every = _interval(job) if job.live else None
    renewing(_panel, every=every)(job.id, _face(job))


def _face(job: Job) -> Face:
    """What the header and the pace of this page depend on."""
    return job.state, job.stop_requested is not None, _interval(job)


def _interval(job: Job) -> float:
    now = time.time()
    left = seconds_left(job, now)
    return USUAL if left is not None and left + (seconds_so_far(job, now) or 0.0) > SHORT_RUN else QUICK


def _panel(job_id: str, face: Face) -> None:
    store, now = session.store(), time.time()
    job = store.get(job_id)
    st.set_page_config(page_title=tab_title(job))
    if job.live:
        facts_line(job)
    text = f"**{waiting(store, job, now)}**" if job.state == State.QUEUED else progress_text(job, now)
    # In a container of their own, so that an explanation that comes or goes moves nothing below to another place: the
    # charts would be built again.
    with st.container(gap="xsmall", key="progress"):
        st.progress(fraction_done(job), text=text)
        why = explanation(store, job, now)
        if why:
            st.caption(escaped(why))
    if job.live:
        kpi_row(job, now)
    curve_cards(job, store)
    if job.live:
        answers_now(job, session.settings())
    run_details(job, store)
    if job.live:
        _news(job, store, now)
    if _face(job) != face:
        st.rerun()  # last, so that what is on the screen stays there until the page is drawn anew


def _news(job: Job, store: Store, now: float) -> None:
    """How old what is shown is, and whether the run goes on."""
    if job.state == State.QUEUED or job.heartbeat is None:
        st.caption(":material/sync: The run starts by itself, also if you close this page.")
        return
    silent = max(now - job.heartbeat, 0.0)
    if silent < SILENT:
        st.caption(f":material/sync: Updated {duration(round(silent))} ago. The run goes on if you close this page.")
        return
    pace = seconds_a_step(job)
    step = f" (a step usually takes {duration(pace)})" if pace is not None else ""
    alive = "The worker is alive." if is_held(lock_file(store, job.id)) else "The worker is gone; the run ends now."
    st.markdown(f":yellow[:material/warning: No news for {duration(round(silent))}{step}. {alive}]")
