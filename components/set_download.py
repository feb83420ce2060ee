"""A set that is not on this machine: what its publishers say, and its download, under way or as it ended."""

from __future__ import annotations

import streamlit as st

from components import session
from components.callbacks import callback
from components.job_progress import job_progress
from components.set_samples import SPLITS
from components.words import count, counted, escaped, size
from studio import runs
from studio.data.catalogue import CatalogueEntry


def set_download(published: CatalogueEntry) -> None:
    """Draw what is known before the download, its progress, and the page's main button: Download."""
    splits = ", ".join(f"{count(images)} {SPLITS[split].lower()}" for split, images in published.images.items())
    st.caption(
        f"{counted(sum(published.images.values()), 'image')} ({splits}), "
        f"{counted(len(published.classes), 'class', 'classes')}"
    )
    st.caption(f"Classes: {escaped(', '.join(published.classes))}")
    last = runs.download_of(session.store(), published.name)
    busy = last is not None and last.live
    if last is not None:
        job_progress(last)
    with st.bottom.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Download {size(published.download_bytes)}",
            type="primary",
            icon=":material/download:",
            key="data_download",
            disabled=busy,
            on_click=_download,
            args=(published.name,),
        )
        st.caption("Under way." if busy else "Needs the network once; afterwards it works offline.", width="content")


@callback
def _download(name: str) -> None:
    runs.download(session.store(), name, owner=session.owner())
