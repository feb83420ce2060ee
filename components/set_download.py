"""A set that is not on this machine: what its publishers say, and the download under way or as it ended."""

from __future__ import annotations

import streamlit as st

from components import session
from components.job_progress import job_progress
from components.words import count, counted, escaped, size
from studio.data.catalogue import CatalogueEntry
from studio.jobs.states import Kind
from studio.jobs.store import Job


def set_download(published: CatalogueEntry) -> Job | None:
    """Draw what is known before the download, and its progress.

    Returns:
        The download that was asked for last, None where there was none.
    """
    splits = ", ".join(f"{count(images)} {split}" for split, images in published.images.items())
    st.caption(
        f"{counted(sum(published.images.values()), 'image')} ({splits}), "
        f"{counted(len(published.classes), 'class', 'classes')}, {size(published.download_bytes)} to download"
    )
    st.caption(f"Classes: {escaped(', '.join(published.classes))}")
    downloads = session.store().jobs(kind=Kind.DOWNLOAD)
    last = next((job for job in downloads if job.spec.get("dataset") == published.name), None)
    if last is not None:
        job_progress(last)
    return last
