"""The loss and the accuracy chart side by side, and the sentence that says what they show."""

from __future__ import annotations

import math
import re
from functools import partial

import streamlit as st

from components.callbacks import callback
from components.chart_options import chart_options, present_options
from components.charts import ZOOM, curve_chart, palette
from components.curve_frames import Figure, Window, curve_frame, epoch_axis, figures, value_axis
from components.shown_epochs import dragged_epochs, show_epochs, shown_epochs
from components.watched import WatchedRun, watched
from studio.jobs.reading import Sign, read_curves
from studio.jobs.store import Event, Job, Store

HEIGHT = 270  # pixels of a chart with its axes and legend
ICONS = {
    Sign.TOO_EARLY: "hourglass_empty",
    Sign.NOT_LEARNING: "trending_flat",
    Sign.DIVERGING: "trending_up",
    Sign.LEARNING: "trending_down",
    Sign.MEMORIZING: "warning",
    Sign.LEVELED_OFF: "trending_flat",
    Sign.OVERFITTING: "warning",
    Sign.NORMAL: "check",
    Sign.WAS_IMPROVING: "trending_down",
}


def curve_cards(job: Job, store: Store) -> None:
    """Draw both charts and the reading. Before the first step the axes and the guessing lines stand already."""
    run, events = watched(store, job.id), store.events(job.id)
    run.refresh()
    steps = job.steps_per_epoch or 1
    planned = job.epochs or job.spec["training"]["epochs"]
    whole = epoch_axis(job.step / steps, planned) if job.live else (0, planned)
    with st.grid(2, min_column_width=300, key="curves"):
        for figure in figures(job.classes or 2, job.guessing):
            _card(job, run, events, figure, whole)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="reading"):
        st.markdown(reading(job, run), width="stretch")
        chart_options(job.id, whole)


def _card(job: Job, run: WatchedRun, events: list[Event], figure: Figure, whole: Window) -> None:
    options, window = present_options(), shown_epochs(job.id, whole)
    log = options.log_loss and not figure.percent
    frame = curve_frame(run, figure, job.steps_per_epoch or 1, events, window=window, smooth=options.smooth)
    ends = value_axis(frame, figure, fit=options.fit, log=log, window=window)
    # The window is part of the key: the chart is made anew for it, without the mark of the drag.
    key = f"chart_{figure.name}_{job.id}_{window[0]}_{window[1]}"
    with st.container(border=True, gap="xsmall", key=f"card_{figure.name}"):
        st.markdown(f"**{figure.name.capitalize()}**")
        st.vega_lite_chart(
            frame,
            curve_chart(figure, palette(st.context.theme.type), window=window, ends=ends, log=log),
            width="stretch",
            height=HEIGHT,
            key=key,
            on_select=partial(_zoom, job.id, key, whole),
            selection_mode=ZOOM,
            alt=f"{figure.name.capitalize()} of training and validation by epoch",
        )


@callback
def _zoom(job_id: str, key: str, whole: Window) -> None:
    """Show what was dragged over, in both charts."""
    dragged = dragged_epochs(st.session_state[key].selection.get(ZOOM), whole)
    if dragged:
        show_epochs(job_id, dragged)


def reading(job: Job, run: WatchedRun) -> str:
    """What the curves say, as Markdown in which training is blue and validation orange."""
    found = read_curves(
        run.table().figures,
        guessing_loss=math.log(job.classes or 2),
        validation_images=job.validation_images or 1,
        ended=not job.live,
    )
    text = re.sub(r"\b([Tt]raining)\b", r":blue[\1]", found.text)
    text = re.sub(r"\b([Vv]alidation)\b", r":orange[\1]", text)
    return f":material/{ICONS[found.sign]}: **{found.sign}** {text}"
