"""What a finished run's model says about pictures, asked from a helper process that leaves training alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from PIL import Image

from studio.desk import desk

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
        read: gives the picture itself.
    """

    key: str
    title: str
    label: int | None
    top: tuple[tuple[int, float], ...]
    seen: Path
    read: Callable[[], Image.Image]

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
@st.cache_data(max_entries=64, show_spinner=False)
def _examples(model: tuple[str, int], data_dir: str, dataset: str, version: str, rows: tuple[int, ...]) -> list[Said]:
    question = {"ask": "predict_examples", "model": model[0], "rows": list(rows)}
    question |= {"data_dir": data_dir, "dataset": dataset}
    return list(desk("predictions").ask(question)["pictures"])


@st.cache_data(max_entries=256, show_spinner=False)
def ask_about_picture(model: tuple[str, int], digest: str, _write: Callable[[], Path]) -> Said:
    """What the model says about one picture.

    Args:
        digest: of the picture; the same one is not asked about twice.
        _write: puts the picture into a file of its own, which is removed afterwards.

    Raises:
        StudioError: the model cannot be loaded, or the helper does not answer.
    """
    file = _write()
    try:
        question = {"ask": "predict", "model": model[0], "pictures": [str(file)]}
        said: Said = desk("predictions").ask(question)["pictures"][0]
        return said
    finally:
        file.unlink(missing_ok=True)
