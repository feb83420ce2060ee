"""The same eight validation pictures after each epoch, with what the model says about them now."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from components.pictures import square
from components.samples import picture
from components.words import escaped, short
from studio import runs
from studio.data.images import to_png
from studio.data.index import open_index
from studio.errors import StudioError
from studio.jobs.store import Job
from studio.settings import Settings

SIDE = 104  # pixels
LONGEST_CLASS = 10  # characters of a name, which has a line of its own under a picture


def answers_now(job: Job, settings: Settings) -> None:
    """Draw the pictures, if there are answers yet and the dataset can be read."""
    if not job.answers:
        return
    dataset = job.spec["data"]["dataset"]
    answers = job.answers["pictures"]
    try:
        pictures, classes = _pictures(
            runs.settings_of(job, settings), dataset, tuple(answer["row"] for answer in answers)
        )
    except StudioError:
        return  # the dataset is gone; the run itself does not need its pictures
    with st.container(border=True, gap="small", key="answers_now"):
        st.markdown("**What it says now** :small[the same validation images after each epoch]")
        with st.container(horizontal=True, wrap=False, gap="medium", horizontal_alignment="distribute"):
            for answer, png in zip(answers, pictures, strict=True):
                label, said = classes[answer["label"]], classes[answer["answer"]]
                right = answer["answer"] == answer["label"]
                with st.container(gap="xsmall", width=SIDE, horizontal_alignment="center"):
                    st.image(
                        png,
                        width=SIDE,
                        alt=f"Image with the label {label}; the model says {said}, {'right' if right else 'wrong'}",
                    )
                    sign = ":green[:material/check:]" if right else ":red[:material/close:]"
                    st.caption(
                        f"{sign} **{escaped(short(said, LONGEST_CLASS))}**  \n{answer['confidence']:.0%}"
                        + ("" if right else f", wrong  \nlabel {escaped(short(label, LONGEST_CLASS))}"),
                        text_alignment="center",
                    )


@lru_cache(maxsize=16)
def _pictures(settings: Settings, dataset: str, rows: tuple[int, ...]) -> tuple[tuple[bytes, ...], tuple[str, ...]]:
    """The pictures as PNG squares, and the class names of the set: both stay the same while a run goes on."""
    index = open_index(settings, dataset)
    return tuple(to_png(square(picture(settings, index.get(row)), 2 * SIDE)) for row in rows), index.classes
