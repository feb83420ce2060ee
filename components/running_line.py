"""One line under the title of every page: the run that is under way, or the one that has just ended."""

from __future__ import annotations

import time

import streamlit as st

from components import places, session
from components.renewing import renewing
from components.run_title import tab_title
from components.words import STATES, counted, duration, escaped, percent, short
from studio.jobs.pace import seconds_left
from studio.jobs.states import ENDED, HELD, LIVE, Kind, State
from studio.jobs.store import Job, Store

INTERVAL = 2.0  # seconds
LONGEST_NAME = 40  # characters
TITLE = "Training Studio"  # of the tab, where there is nothing to say


def running_line() -> None:
    """Show what is running, with a link to it; after the end how it went, until that was looked at."""
    renewing(_line, every=INTERVAL)()


def _line() -> None:
    store, now = session.store(), time.time()
    live = store.jobs(kind=Kind.TRAIN, states=LIVE)
    job = _present(live) or _not_seen_yet(store)
    st.set_page_config(page_title=tab_title(job) if job else TITLE)
    if job is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small", key="running_line"):
        st.markdown(STATES[job.state].badge, width="content")
        st.markdown(f"**{escaped(short(job.name, LONGEST_NAME))}**", width="content")
        st.caption(" · ".join(_words(job, len(live) - 1, now)), width="content")
        st.space("stretch")
        st.page_link(
            places.TRAIN,
            label="Watch" if job.live else "See result",
            icon=":material/arrow_forward:",
            icon_position="right",
            query_params={"run": job.id},
        )


def _present(live: list[Job]) -> Job | None:
    """The run a worker has; else the first of the queue."""
    held = [job for job in live if job.state in HELD]
    return held[0] if held else min(live, key=lambda job: job.position, default=None)


def _not_seen_yet(store: Store) -> Job | None:
    """The run of this browser that ended last, if its end was not looked at."""
    latest = store.jobs(kind=Kind.TRAIN, states=ENDED, limit=1)
    return next((job for job in latest if job.owner == session.owner() and not job.seen), None)


def _words(job: Job, waiting: int, now: float) -> list[str]:
    if not job.live:
        return [percent(job.val_accuracy)] if job.state == State.FINISHED else []
    words = []
    if job.epochs and job.epoch + 1 <= job.epochs and job.state == State.RUNNING:
        words.append(f"epoch {job.epoch + 1} of {job.epochs}")
    left = seconds_left(job, now)
    if left is not None:
        words.append(f"{duration(round(left))} left")
    if waiting:
        words.append(f"{counted(waiting, 'more', 'more')} waiting")
    return words
