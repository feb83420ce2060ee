"""The model's answers for pictures that a person uploads."""

from __future__ import annotations

import hashlib
import secrets
from functools import partial
from pathlib import Path

import streamlit as st
from PIL import Image

from components import session
from components.answers import Answer, ask_about_picture
from components.words import counted, escaped
from studio.data.images import decode, to_png
from studio.errors import StudioError

LARGEST_UPLOAD = 50  # MB a picture, held in the server's memory
MOST_PICTURES = 50


def uploaded_answers(model: tuple[str, int]) -> list[Answer]:
    """Draw the upload field, ask about each picture that can be read, and say of each other one why it cannot.

    Raises:
        StudioError: the model cannot be loaded, or the helper does not answer.
    """
    files = st.file_uploader(
        "Pictures",
        accept_multiple_files=True,
        max_upload_size=LARGEST_UPLOAD,
        key="predict_upload",
        help="JPEG, PNG, WebP, GIF, BMP or TIFF. They are not stored.",
    )
    answers, problems = [], []
    for number, file in enumerate(files[:MOST_PICTURES]):
        data = file.getvalue()
        digest = hashlib.blake2b(data, digest_size=16).hexdigest()
        read = partial(_read, data, file.name)
        try:
            said = ask_about_picture(model, digest, partial(_write, read))
            if "error" in said:
                raise StudioError(said["error"])
        except StudioError as error:
            problems.append(error.sentence)
            continue
        answers.append(
            Answer(
                key=f"{number}_{digest}",
                title=file.name,
                label=None,
                top=tuple((int(answer), float(share)) for answer, share in said["top"]),
                seen=Path(said["seen"]),
                read=read,
            )
        )
    for sentence in problems:
        st.markdown(f":red[:material/error:] {escaped(sentence)}")
    if problems and answers:
        st.caption(f"{counted(len(answers), 'other file')} could be read.")
    if len(files) > MOST_PICTURES:
        st.caption(f"Only the first {MOST_PICTURES} files were read; remove some to see the others.")
    return answers


def _read(data: bytes, name: str) -> Image.Image:
    return decode(data, name=name, max_pixels=session.settings().max_pixels)


def _write(read: partial[Image.Image]) -> Path:
    """The picture as a file of its own, under a name that is not the uploaded one."""
    png = to_png(read())
    folder = session.settings().temporary
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{secrets.token_hex(16)}.png"
    file.write_bytes(png)
    return file
