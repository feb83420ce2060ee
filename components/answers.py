"""What a finished run's model says about pictures, asked from a helper process that leaves training alone."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from PIL import Image

from studio.desk import desk

MOST_PIXELS = 40_000_000  # of an uploaded picture
KEPT = "12h"  # an answer is forgotten before the helper removes the pictures that it names

Said = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """The model's answer for one picture.

    Attributes:
        key: names the picture among the others.
        title: what the page calls it.
        label: the class that the data says, None where nobody said.
        top: class index and probability, the likeliest first.
        seen: file of the picture as the model sees it.
        read: gives the picture itself, or a smaller copy of it.
        size: width and height of the picture itself; None where that is what `read` gives.
    """

    key: str
    title: str
    label: int | None
    top: tuple[tuple[int, float], ...]
    seen: Path
    read: Callable[[], Image.Image]
    size: tuple[int, int] | None = None

    @property
    def right(self) -> bool | None:
        """Whether the likeliest class is the label, None where there is no label."""
        return None if self.label is None else self.top[0][0] == self.label


def ask_about_examples(
    model: tuple[str, int], data_dir: Path, dataset: str, version: str, rows: Sequence[int]
) -> list[Said]:
    """What the model says about examples of a set: for each `top` and `seen`, or `error`.

    Args:
        data_dir: where the sets are that were downloaded.

    Raises:
        StudioError: the model cannot be loaded, or the helper does not answer.
    """
    return _examples(model, str(data_dir), dataset, version, tuple(int(row) for row in rows))


# Small and bounded: numbers and paths, no pictures. Model time and data version make an old answer unfindable.
@st.cache_data(max_entries=64, ttl=KEPT, show_spinner=False)
def _examples(model: tuple[str, int], data_dir: str, dataset: str, version: str, rows: tuple[int, ...]) -> list[Said]:
    question = {"ask": "predict_examples", "model": model[0], "rows": list(rows)}
    question |= {"data_dir": data_dir, "dataset": dataset}
    return list(desk("predictions").ask(question)["pictures"])


@st.cache_data(max_entries=256, ttl=KEPT, show_spinner=False)
def ask_about_upload(model: tuple[str, int], digest: str, name: str, _data: bytes, temporary: Path) -> Said:
    """What the model says about one picture: `top`, `seen`, `copy` and `size`, or `error`.

    The picture is decoded by the helper process: a small file may need gigabytes.

    Args:
        digest: of the picture; the same one is not asked about twice.
        name: what errors call the picture.
        temporary: folder for the picture, under a name that is not the uploaded one, until the answer is there.

    Raises:
        StudioError: the model cannot be loaded, or the helper does not answer.
    """
    file = temporary / f"{secrets.token_hex(16)}.upload"
    question = {
        "ask": "predict",
        "model": model[0],
        "pictures": [str(file)],
        "names": [name],
        "max_pixels": MOST_PIXELS,
    }
    try:
        file.write_bytes(_data)
        said: Said = desk("predictions").ask(question)["pictures"][0]
        return said
    finally:
        file.unlink(missing_ok=True)
