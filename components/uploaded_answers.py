"""The model's answers for pictures that a person uploads."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path

import streamlit as st
from PIL import Image

from components import session
from components.answers import Answer, ask_about_upload
from components.words import counted, escaped
from studio.errors import StudioError

LARGEST_UPLOAD = 50  # MB a picture, held in the server's memory
MOST_PICTURES = 50


def uploaded_answers(model: tuple[str, int]) -> list[Answer]:
    """Draw the upload field, ask about each picture that can be read, and say of each other one why it cannot."""
    files = st.file_uploader(
        "Pictures",
        accept_multiple_files=True,
        max_upload_size=LARGEST_UPLOAD,
        key="predict_upload",
        help="JPEG, PNG, WebP, GIF, BMP or TIFF. The files are not kept, only small copies for this page, for a while.",
    )
    answers, problems = [], []
    for number, file in enumerate(files[:MOST_PICTURES]):
        data = file.getvalue()
        digest = hashlib.blake2b(data, digest_size=16).hexdigest()
        try:
            said = ask_about_upload(model, digest, file.name, data, session.settings().temporary)
        except StudioError as error:  # it may have been too much for the helper; the others need not be
            said = {"error": f"‘{file.name}’: {error.sentence}"}
        if "error" in said:
            problems.append(said["error"])
            continue
        answers.append(
            Answer(
                key=f"{number}_{digest}",
                title=file.name,
                label=None,
                top=tuple((int(answer), float(share)) for answer, share in said["top"]),
                seen=Path(said["seen"]),
                read=partial(_open, Path(said["copy"])),
                size=(int(said["size"][0]), int(said["size"][1])),
            )
        )
    for sentence in problems:
        st.markdown(f":red[:material/error:] {escaped(sentence)}")
    if problems and answers:
        st.caption(f"{counted(len(answers), 'other file')} could be read.")
    if len(files) > MOST_PICTURES:
        st.caption(f"Only the first {MOST_PICTURES} files were read; remove some to see the others.")
    return answers


def _open(file: Path) -> Image.Image:
    with Image.open(file) as image:
        image.load()
        return image
