"""Runs as a table, one of which can be ticked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from components.words import NOTHING, STATES, counted, duration, plain, short
from studio.data.catalogue import SETS
from studio.jobs.store import Job
from studio.spec.models import MODELS

ROW_HEIGHT = 38  # pixels
LONGEST_NAME = 60  # characters


def run_table(jobs: Sequence[Job], *, key: str) -> Job | None:
    """Draw one row a run, newest first.

    Returns:
        The run whose row is ticked, None while none is.
    """
    happened = pd.to_datetime([job.started or job.created for job in jobs], unit="s", utc=True)
    frame = pd.DataFrame([_row(job) for job in jobs]).assign(Started=happened)
    event = st.dataframe(
        frame,
        hide_index=True,
        row_height=ROW_HEIGHT,
        placeholder=NOTHING,
        column_config={
            "State": st.column_config.MultiselectColumn(
                options=[words.label for words in STATES.values()],
                color=[words.color for words in STATES.values()],
                width="small",
            ),
            "Run": st.column_config.TextColumn(pinned=True, width="medium"),
            "Best validation accuracy": st.column_config.NumberColumn(format="%.1f%%"),
            "Started": st.column_config.DatetimeColumn(format="distance"),
        },
        on_select="rerun",
        selection_mode="single-row",
        key=key,
        alt="Runs with their state, data, model, settings, accuracy and time",
    )
    rows = event.selection.rows
    return jobs[rows[0]] if rows and rows[0] < len(jobs) else None


def main_settings(job: Job) -> str:
    """The settings that differ most between runs, in one line."""
    training: dict[str, Any] = job.spec.get("training", {})
    parts = [
        counted(int(training.get("epochs", 0)), "epoch"),
        f"batch {training.get('batch_size', NOTHING)}",
        str(training.get("optimizer", NOTHING)),
        f"rate {training.get('learning_rate', NOTHING)}",
        str(job.precision or training.get("precision", NOTHING)),
    ]
    if (job.replicas or 1) > 1:
        parts.append(counted(int(job.replicas or 1), "replica"))
    return ", ".join(parts)


def data_title(job: Job) -> str:
    """What the interface calls the set of a run."""
    name = str(job.spec.get("data", {}).get("dataset", NOTHING))
    return SETS[name].title if name in SETS else plain(name)


def model_title(job: Job) -> str:
    """What the interface calls the model of a run."""
    name = str(job.spec.get("model", {}).get("name") or NOTHING)
    return MODELS[name].title if name in MODELS else plain(name)


def _row(job: Job) -> dict[str, Any]:
    accuracy = job.best_val_accuracy
    return {
        "Run": short(job.name, LONGEST_NAME),
        "State": [STATES[job.state].label],
        "Data": data_title(job),
        "Model": model_title(job),
        "Settings": main_settings(job),
        "Best validation accuracy": None if accuracy is None else 100 * accuracy,
        "Took": None if job.seconds is None else duration(job.seconds),
    }
