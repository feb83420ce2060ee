"""The four numbers of a live run."""

from __future__ import annotations

import streamlit as st

from components.words import NOTHING, count, duration, loss, percent
from studio.jobs.pace import seconds_left, seconds_so_far, settled_epochs
from studio.jobs.store import Job


def kpi_row(job: Job, now: float) -> None:
    """Draw the numbers, each with what makes it readable; before its first value, when that will come."""
    first, settled = "after epoch 1", settled_epochs(job)
    left, so_far = seconds_left(job, now), seconds_so_far(job, now)
    later = f"after epoch {settled}" if settled else "after the first steps"
    measured = job.val_accuracy is not None
    rate = job.examples_per_second if job.epoch >= settled else None
    numbers = (
        (
            "Validation accuracy",
            percent(job.val_accuracy),
            f"best {percent(job.best_val_accuracy)}, epoch {job.best_epoch}" if measured else first,
            "Share of the validation images that are right; these images are never trained on.",
        ),
        (
            "Validation loss",
            loss(job.val_loss),
            f"training {loss(job.loss)}" if measured else first,
            "How wrong the answers are, confidence included; smaller is better.",
        ),
        (
            "Images per second",
            count(rate),
            "while training" if rate is not None else f"after epoch {max(settled, 1)}",
            "Training images the model works through; validation does not count.",
        ),
        (
            "Time left",
            NOTHING if left is None else duration(round(left)),
            later if left is None else f"{duration(round(so_far or 0))} so far",
            "For the epochs that are left, at the pace so far.",
        ),
    )
    with st.grid(4, min_column_width=150, key="kpi_row"):
        for label, value, second, help_text in numbers:
            st.metric(
                label,
                value,
                delta_description=second,
                help=help_text,
                border=True,
            )
