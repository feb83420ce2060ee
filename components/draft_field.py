"""A field for one setting of the draft: every change is written to the draft at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from pydantic import BaseModel

from components import session
from components.callbacks import callback
from components.words import with_terms
from studio.jobs.drafts import Draft
from studio.spec.fields import Setting, about

FIELDS = "draft_fields"  # of this tab: by widget key, the value that was shown and how it is written
Values = Callable[[Any], dict[str, Any]]  # from the value of a field to settings

# The draft is what counts, not the widget: each run puts the draft's value into the widget before it is drawn, so that
# Undo, another tab or another page never leave an old value standing.


def number_field(draft: Draft, section: str, spec: type[BaseModel], name: str, *, percent: bool = False) -> None:
    """A number. `percent` shows a share as whole percent.

    It has no bounds of its own: a number that is not allowed stands in the draft, and the check of the draft says why
    it cannot be started. A field with bounds turns red and leaves the draft as it was, which Start would then use.
    """
    setting, key = about(spec, name), _key(draft, section, name)
    factor = 100 if percent else 1
    whole = percent or isinstance(setting.default, int)
    value = draft.spec.get(section, {}).get(name, setting.default) * factor
    shown = round(value) if whole else float(value)
    _show(key, shown, section, lambda number: {name: number / factor if percent else number})
    st.number_input(
        _label(setting, "%" if percent else setting.unit),
        step=1 if whole else 0.1 if (setting.maximum or math.inf) <= 1 else 0.0001,
        format="%d" if whole else "%.6g",
        key=key,
        help=with_terms(setting.help),
        on_change=_write,
    )


def choice_field(
    draft: Draft, section: str, spec: type[BaseModel], name: str, words: Mapping[Any, str] | None = None
) -> None:
    """One of the declared choices; `words` says what they are called where that is not the value itself."""
    setting = about(spec, name)
    value = draft.spec.get(section, {}).get(name, setting.default)
    select_field(draft, section, setting, setting.choices, value, words or {}, lambda choice: {name: choice})


def select_field(
    draft: Draft,
    section: str,
    setting: Setting,
    choices: Sequence[Any],
    value: Any,
    words: Mapping[Any, str],
    values: Values,
) -> None:
    """A choice that may stand for several settings: `values` gives them."""
    key = _key(draft, section, setting.name)
    _show(key, value if value in choices else choices[0], section, values)
    st.selectbox(
        _label(setting, ""),
        choices,
        format_func=lambda choice: words.get(choice, str(choice)),
        key=key,
        help=with_terms(setting.help),
        on_change=_write,
    )


def write_fields() -> None:
    """Write into the draft what was changed in its fields and is not there yet.

    A number that is typed and a click that follows at once arrive in one message, and their callbacks in no certain
    order: whoever acts on the draft in a callback calls this first.
    """
    for key, (shown, section, values) in st.session_state.get(FIELDS, {}).items():
        present = st.session_state.get(key)
        if present is not None and present != shown:
            session.change_draft(section, **values(present))


def _show(key: str, value: Any, section: str, values: Values) -> None:
    """Put a value into a field that is about to be drawn, and remember how a change of it is written.

    A field that shows it already is left alone: what is set here is sent to the browser, where it would take back a
    number that was typed meanwhile.
    """
    if st.session_state.get(key) != value:
        st.session_state[key] = value
    st.session_state.setdefault(FIELDS, {})[key] = (value, section, values)


@callback
def _write() -> None:
    write_fields()


def _key(draft: Draft, section: str, name: str) -> str:
    return f"{section}_{name}_{draft.id}"


def _label(setting: Setting, unit: str) -> str:
    return f"{setting.label}, {unit}" if unit == "%" else setting.label
