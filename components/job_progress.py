"""The progress of a download, with Cancel and a clear end."""

from __future__ import annotations

import time

import streamlit as st

from components import session
from components.callbacks import callback
from components.errors import show_error
from components.renewing import renewing
from components.words import count, duration, size
from studio.data.catalogue import entry
from studio.errors import StudioError
from studio.jobs.states import Phase, State
from studio.jobs.store import Job

INTERVAL = 1.0  # seconds


def job_progress(job: Job) -> None:
    """Show a live download once a second until it ends, then the whole page anew; of an ended one, how it ended."""
    if job.live:
        with st.container(border=True, key="job_progress"):
            renewing(_live, every=INTERVAL)(job.id)
    elif job.state == State.FAILED:
        show_error(StudioError(job.reason or "The download failed.", job.detail or ""))
    elif job.state == State.STOPPED:
        st.caption(":material/stop_circle: The download was canceled. Nothing was stored.")


def _live(job_id: str) -> None:
    job = session.store().get(job_id)
    if not job.live:
        st.rerun()
    st.progress(_share(job), text=progress_words(job, time.time()))
    st.button("Cancel", icon=":material/stop_circle:", key="job_cancel", on_click=_cancel, args=(job_id,))


def progress_words(job: Job, now: float) -> str:
    """`Downloading CIFAR-10: 34 of 162 MiB, 12 s left. You can leave this page.`"""
    if job.stop_requested:
        return "Canceling. What was loaded so far is removed."
    title = entry(job.spec["dataset"]).title
    if job.state == State.QUEUED:
        return f"{title}: waiting for its turn. You can leave this page."
    doing = f"{'Preparing' if job.phase == Phase.PREPARE else 'Downloading'} {title}"
    parts = []
    if job.phase_done is not None and job.phase_total:
        amount = size if job.phase == Phase.DOWNLOAD else count
        parts.append(f"{amount(job.phase_done)} of {amount(job.phase_total)}")
        left = _seconds_left(job, now)
        if left is not None:
            parts.append(f"{duration(left)} left")
    return f"{doing}: {', '.join(parts)}. You can leave this page." if parts else f"{doing}. You can leave this page."


def _share(job: Job) -> float:
    return min(1.0, (job.phase_done or 0) / job.phase_total) if job.phase_total else 0.0


def _seconds_left(job: Job, now: float) -> float | None:
    """From the pace of this phase so far; nothing is said about its first two seconds."""
    if not job.phase_started or not job.phase_done or not job.phase_total or now - job.phase_started < 2:
        return None
    return float(round((job.phase_total - job.phase_done) * (now - job.phase_started) / job.phase_done))


@callback
def _cancel(job_id: str) -> None:
    session.store().request_stop(job_id, "you")
