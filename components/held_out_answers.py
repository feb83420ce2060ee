"""The model's answers for images of its own set that it was not trained on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import streamlit as st
from PIL import Image

from components.answers import Answer, ask_about_examples
from components.samples import picture
from studio.data.index import Index
from studio.data.splits import positions
from studio.settings import Settings
from studio.spec.run import RunSpec

MOST_IMAGES = 1000
CHUNK = 100  # images a question, after each of which the page says how far it is


@dataclass(frozen=True)
class HeldOut:
    """Answers for the test images, or for the validation images of a set without test images.

    Attributes:
        role: `test` or `validation`.
        images: how many there are; at most `MOST_IMAGES` of them, spread evenly, were asked about.
    """

    role: str
    images: int
    answers: list[Answer]


def held_out_answers(model: tuple[str, int], spec: RunSpec, index: Index, settings: Settings) -> HeldOut:
    """Ask about the held-out images of a run's set, with a progress bar where it takes long.

    Raises:
        StudioError: the model cannot be loaded, or the helper does not answer.
    """
    roles = positions(index, spec)
    role = "test" if "test" in roles else "validation"
    chosen = roles[role]
    rows, labels = index.rows(chosen.split)[chosen.positions], chosen.labels
    if len(rows) > MOST_IMAGES:
        spread = np.linspace(0, len(rows) - 1, MOST_IMAGES).astype(int)
        rows, labels = rows[spread], labels[spread]
    said = []
    progress = st.empty()
    for start in range(0, len(rows), CHUNK):
        words = f"Asking the model, {start:,} of {len(rows):,} images" if start else "Loading the model"
        progress.progress(start / len(rows), text=words)
        said += ask_about_examples(
            model, settings.data_dir, spec.data.dataset, index.version, rows[start : start + CHUNK]
        )
    progress.empty()
    answers = [
        Answer(
            key=str(row),
            title=f"{role.capitalize()} image {number:,}",
            label=int(label),
            top=tuple((int(answer), float(share)) for answer, share in one["top"]),
            seen=Path(one["seen"]),
            read=partial(_read, settings, index, int(row)),
        )
        for number, (row, label, one) in enumerate(zip(rows, labels, said, strict=True), start=1)
        if "error" not in one
    ]
    return HeldOut(role, len(chosen), answers)


def _read(settings: Settings, index: Index, row: int) -> Image.Image:
    return picture(settings, index.get(row))
