"""One picture and what the model says about it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from PIL import Image

from components.answers import Answer
from components.pictures import is_enlarged, shown
from components.top_five import top_five
from components.words import counted, escaped, plain

SIDE = 280  # pixels
BADGES = {
    True: ":green-badge[:material/check: right]",
    False: ":red-badge[:material/close: wrong, the label is {label}]",
    None: "",
}


def answer_cards(answer: Answer, classes: Sequence[str]) -> None:
    """The answer first, so that it comes first on a phone, then the picture."""
    says, shows = st.columns([3, 2], gap="small")
    with says.container(border=True, height="stretch", key="answer_card"):
        _answer(answer, classes)
    with shows.container(border=True, height="stretch", key="picture_card"):
        _picture(answer)


def _answer(answer: Answer, classes: Sequence[str]) -> None:
    label = "" if answer.label is None else escaped(classes[answer.label])
    badge = BADGES[answer.right].format(label=label)
    st.markdown(f"**The model says {escaped(classes[answer.top[0][0]])}** {badge}")
    top_five(answer.top, classes, answer.label)
    which = f"The {len(answer.top)} likeliest of" if len(answer.top) < len(classes) else "All"
    st.caption(f"{which} {counted(len(classes), 'class', 'classes')}. The percentages are the model's own confidence.")


def _picture(answer: Answer) -> None:
    image = answer.read()
    seen = _open(answer)
    width, height = answer.size or image.size
    same = seen is not None and seen.size == (width, height) and seen.tobytes() == image.convert(seen.mode).tobytes()
    st.markdown("**The image**")
    st.image(shown(image, SIDE), alt=plain(answer.title))
    enlarged = ", shown enlarged" if is_enlarged(image, SIDE) else ""
    kind = "grey" if image.mode == "L" else "color"
    exactly = " The model gets exactly these pixels." if same else ""
    st.caption(f"{escaped(answer.title)} · {width:,} × {height:,} pixels, {kind}{enlarged}.{exactly}")
    if seen is not None and not same:
        st.markdown("**As the model sees it**")
        st.image(shown(seen, SIDE), alt=f"{plain(answer.title)} as the model sees it")
        st.caption(f"{seen.width:,} × {seen.height:,} pixels, {'grey' if seen.mode == 'L' else 'color'}.")


def _open(answer: Answer) -> Image.Image | None:
    """The picture as the model sees it, None where its file was cleaned away meanwhile."""
    try:
        with Image.open(answer.seen) as image:
            image.load()
            return image
    except OSError:
        return None
