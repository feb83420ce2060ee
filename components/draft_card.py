"""The card beside the settings: what the draft would do, or what is missing, and how to take the draft elsewhere."""

from __future__ import annotations

import json
import shlex

import streamlit as st

from components import places, session
from components.callbacks import callback
from components.job_progress import job_progress
from components.links import train_link
from components.outlook import Note, outlook
from components.words import escaped, size
from studio import runs
from studio.data.catalogue import NotOnDisk, entry
from studio.errors import StudioError
from studio.jobs.drafts import Draft
from studio.spec.plan import Plan
from studio.spec.run import parse_spec


def draft_card(draft: Draft, checked: Plan | StudioError, notes: list[Note]) -> str:
    """Draw the card.

    Returns:
        Why the draft cannot be started, in a few words; empty where it can.
    """
    reason = ""
    with st.container(border=True, gap="small", key="what_will_happen"):
        st.header("What will happen", anchor=False)
        if isinstance(checked, Plan):
            outlook(checked, notes)
            _take_along(draft, checked)
        elif isinstance(checked, NotOnDisk):
            reason = _missing_set(str(draft.spec["data"]["dataset"]))
        else:
            st.markdown(f":yellow[:material/warning:] {escaped(checked.sentence)}")
            reason = f"Waiting: {escaped(checked.sentence)}"
            if not draft.spec.get("data", {}).get("dataset"):
                st.page_link(
                    places.DATA,
                    label="Choose images",
                    icon=":material/photo_library:",
                    query_params={"draft": draft.id},
                )
    return reason


def _missing_set(dataset: str) -> str:
    published = entry(dataset)
    st.markdown(f"**{escaped(published.title)}** is not on this machine yet.")
    last = runs.download_of(session.store(), dataset)
    if last is not None:
        job_progress(last)
    if last is not None and last.live:
        return f"Waiting for data: {escaped(published.title)} is being downloaded."
    st.button(
        f"Download {size(published.download_bytes)}",
        key="download_set",
        icon=":material/download:",
        on_click=_download,
        args=(dataset,),
    )
    return f"Waiting for data: {escaped(published.title)} is not on this machine."


@callback
def _download(dataset: str) -> None:
    runs.download(session.store(), dataset, owner=session.owner())


def _take_along(draft: Draft, plan: Plan) -> None:
    spec = parse_spec(draft.spec).model_dump(mode="json", exclude_defaults=True)
    with st.container(horizontal=True, gap="small"):
        with st.popover("Share draft", type="tertiary", icon=":material/link:", key="share_draft"):
            st.caption("Whoever opens this link gets a copy of the draft.")
            st.code(train_link(draft=draft.id), language=None, wrap_lines=True)
        with st.popover("Copy as command", type="tertiary", icon=":material/terminal:", key="copy_command"):
            st.caption("Trains the same without a browser, from the folder of the program:")
            st.code(
                f"echo {shlex.quote(json.dumps(spec))} > run.json && python -m studio train run.json",
                language="bash",
                wrap_lines=True,
            )
            st.caption("Every setting of this run, as the program reads it:")
            st.code(plan.spec.to_json(), language="json")
