"""Start, at the bottom of the screen: always in sight, and with the reason where it cannot be pressed."""

from __future__ import annotations

import time

import streamlit as st

from components import session
from components.callbacks import callback
from components.draft_check import check_draft
from components.draft_field import write_fields
from components.outlook import Note
from components.words import counted, duration, escaped
from studio import runs
from studio.errors import StudioError
from studio.jobs.pace import expected_seconds, seconds_left
from studio.jobs.states import LIVE, Kind, State
from studio.jobs.store import Job, Store
from studio.spec.plan import Plan

STARTED = "runs_started"  # how many runs this tab has started
SHORTCUT = "Mod+Enter"
MOST_PAST_RUNS = 50  # that are looked at for the time a run takes


def start_bar(checked: Plan | StudioError, notes: list[Note], reason: str) -> None:
    """Draw Start, Quick try and the line beside them.

    Args:
        checked: what the draft would do, or why it cannot be started.
        notes: what is worth knowing about it.
        reason: says why it cannot be started.
    """
    store = session.store()
    before = store.jobs(kind=Kind.TRAIN, states=LIVE)
    plan = checked if isinstance(checked, Plan) else None
    quick = _quick_plan(plan)
    turn = st.session_state.get(STARTED, 0)
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", gap="small", key="start_bar"):
        st.button(
            "Add to the queue" if before else "Start training",
            key="start",
            type="primary",
            icon=":material/play_arrow:",
            shortcut=SHORTCUT,
            disabled=plan is None,
            on_click=_start,
            args=(False, turn),
        )
        st.button(
            "Quick try",
            key="quick_try",
            icon=":material/bolt:",
            disabled=not isinstance(quick, Plan),
            help=escaped(quick.sentence)
            if isinstance(quick, StudioError)
            else "One epoch on a tenth of the training images, to see that everything works.",
            on_click=_start,
            args=(True, turn),
        )
        st.caption(_line(store, plan, before, notes) if plan else reason, width="stretch")


def _line(store: Store, plan: Plan, before: list[Job], notes: list[Note]) -> str:
    """How long it will take, or what comes before it, and what was checked."""
    if before:
        left = seconds_left(before[0], time.time()) if len(before) == 1 else None
        starts = f", starts in about {duration(left)}" if left is not None else ""
        return f"{counted(len(before), 'run')} before this one{starts}"
    expected = expected_seconds(store.jobs(kind=Kind.TRAIN, states=[State.FINISHED], limit=MOST_PAST_RUNS), plan)
    warnings = sum(warning for warning, _ in notes)
    passed = len(notes) - warnings
    about = "Not measured on this machine yet"
    if expected is not None:
        about = f"About {duration(round(expected))} on this machine"
    checks = [f"{counted(passed, 'check')} passed"] if passed else []
    checks += [counted(warnings, "note")] if warnings else []
    return " · ".join([about, ", ".join(checks)])


def _quick_plan(plan: Plan | None) -> Plan | StudioError | None:
    if plan is None:
        return None
    try:
        return runs.check(session.settings(), runs.quick_try(plan.spec))
    except StudioError as error:  # a tenth of the images may not fill one batch
        return error


@callback
def _start(quick: bool, turn: int) -> None:
    """Start a run of the draft as it is now, and show it.

    The draft is read again: a number that was typed just before the click is in it, and not on the page yet. A second
    click that came before the page had changed starts nothing.
    """
    if st.session_state.get(STARTED, 0) != turn:
        return
    write_fields()
    checked = check_draft(session.draft().spec)
    if isinstance(checked, StudioError):
        raise checked
    plan = runs.check(session.settings(), runs.quick_try(checked.spec)) if quick else checked
    name = f"{runs.default_name(plan)}, quick try" if quick else ""
    job = runs.start(session.store(), plan, owner=session.owner(), name=name)
    st.session_state[STARTED] = turn + 1
    st.query_params["run"] = job.id
