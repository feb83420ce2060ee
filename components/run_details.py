"""The settings a run was started with, and the end of its log: closed, with their gist in the label."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.words import escaped, plain
from studio.jobs import log
from studio.jobs.store import Job, Store
from studio.spec.data import DataSpec
from studio.spec.fields import Spec, about
from studio.spec.model import ModelSpec
from studio.spec.training import TrainingSpec

SECTIONS: dict[str, type[Spec]] = {"data": DataSpec, "model": ModelSpec, "training": TrainingSpec}
LONGEST_LINE = 100  # characters of the last line of the log in the label
LOG_LINES = 200
LOG_HEIGHT = 320  # pixels
OPTIMIZERS = {"adam": "Adam", "adamw": "AdamW", "sgd": "SGD", "rmsprop": "RMSprop"}


def run_details(job: Job, store: Store) -> None:
    """Draw both expanders."""
    training, dropout = job.spec["training"], job.spec["model"]["dropout"]
    gist = [f"{OPTIMIZERS[training['optimizer']]} {training['learning_rate']:g}", f"seed {training['seed']}"]
    if dropout:
        gist.append(f"dropout {dropout:g}")
    with st.expander(f"**Settings of this run** {', '.join(gist)}", icon=":material/tune:", key="run_settings"):
        st.dataframe(settings_rows(job.spec), hide_index=True, alt="Settings of this run", key="run_settings_table")
    lines = log.tail(store.folder(job.id) / log.FILE_NAME, LOG_LINES)
    last = plain(next((line for line in reversed(lines) if line.strip()), "nothing was written yet"))[:LONGEST_LINE]
    opened = st.expander(f"**Log** {escaped(last)}", icon=":material/article:", key="run_log", on_change="rerun")
    if opened.open:
        with opened:
            st.code("\n".join(lines), language=None, height=LOG_HEIGHT)


def settings_rows(spec: dict[str, dict[str, Any]]) -> list[dict[str, str]]:
    """Every setting of a complete spec with its label and its value in words."""
    rows = []
    for section, declared in SECTIONS.items():
        for name, value in spec[section].items():
            setting = about(declared, name)
            rows.append({"Setting": setting.label, "Value": _words(value, setting.unit)})
    return rows


def _words(value: Any, unit: str) -> str:
    if value is None:
        return "not used"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value} {unit}".strip()
