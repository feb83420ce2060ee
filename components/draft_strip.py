"""The draft in one line under the title of Data, Model and Train: what is chosen, what does not fit, Undo."""

from __future__ import annotations

import streamlit as st

from components import places, session
from components.callbacks import callback
from components.draft_check import check_draft, section_of
from components.words import counted, escaped, short
from studio.data.catalogue import SETS
from studio.errors import StudioError
from studio.jobs.drafts import Draft
from studio.spec.fields import about
from studio.spec.models import MODELS
from studio.spec.plan import Plan
from studio.spec.training import TrainingSpec


def draft_strip() -> Plan | StudioError:
    """Draw the strip of the present draft.

    Returns:
        What the draft would do, or the error that says why it cannot be started yet.
    """
    draft = session.draft()
    checked = check_draft(draft.spec)
    problem = checked if isinstance(checked, StudioError) else None
    parts = (
        ("data", "Data", _data(draft), places.DATA, ":material/photo_library:"),
        ("model", "Model", _model(draft, checked), places.MODEL, ":material/layers:"),
        ("training", "Training", _training(draft), places.TRAIN, ":material/play_circle:"),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="draft_strip"):
        st.caption("Draft", width="content")
        for section, title, words, page, icon in parts:
            if section != "data":
                st.markdown(":gray[:material/chevron_right:]", width="content")
            wrong = problem is not None and section_of(problem) == section
            st.page_link(
                page,
                label=f"{':yellow[:material/warning:] ' if wrong else ''}**{title}** {escaped(short(words))}",
                icon=icon,
                help=escaped(problem.sentence) if problem and wrong else None,
                query_params={"draft": draft.id},
            )
        if draft.undo_steps:
            st.button(
                "Undo",
                key="draft_undo",
                icon=":material/undo:",
                type="tertiary",
                help=f"Takes back the last change of this draft; {counted(draft.undo_steps, 'change')} can be undone.",
                on_click=_undo,
            )
    return checked


@callback
def _undo() -> None:
    """Take back the last change, and what was chosen on a page but not yet put into the draft."""
    session.undo()
    for key in [key for key in st.session_state if str(key).startswith(session.CHOICE)]:
        del st.session_state[key]


def _data(draft: Draft) -> str:
    name = str(draft.spec.get("data", {}).get("dataset") or "")
    if not name:
        return "not chosen yet"
    return SETS[name].title if name in SETS else name


def _model(draft: Draft, checked: Plan | StudioError) -> str:
    name = checked.model if isinstance(checked, Plan) else draft.spec.get("model", {}).get("name")
    if name is None:
        return "one that fits"
    return MODELS[name].title if name in MODELS else str(name)


def _training(draft: Draft) -> str:
    chosen = draft.spec.get("training", {})
    epochs, batch, precision = (
        chosen.get(name, about(TrainingSpec, name).default) for name in ("epochs", "batch_size", "precision")
    )
    return f"{epochs} epochs, batch {batch}, {precision}"
