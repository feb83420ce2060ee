"""One form field for one setting: label, help, bounds and choices come from where the setting is declared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st
from pydantic import BaseModel

from components.words import with_terms
from studio.spec.fields import about

SHARE_STEP = 0.05  # one click on plus where the value has a decimal point


def setting_field(
    spec: type[BaseModel],
    name: str,
    value: Any,
    *,
    key: str,
    words: Mapping[Any, str] | None = None,
    empty: str = "",
    disabled: bool = False,
    help: str = "",
) -> Any:
    """Draw the field of the setting `name` of a spec class.

    Args:
        value: what stands in it at first; None for nothing.
        words: what each choice is called, where that is not the value itself.
        empty: what an empty field means; a field without it cannot be left empty.
        help: replaces the declared help.

    Returns:
        The value as the spec takes it, None where the field is empty.
    """
    setting = about(spec, name)
    label = f"{setting.label} ({setting.unit})" if setting.unit else setting.label
    explained = with_terms(help or setting.help)
    if setting.choices:
        choices = list(setting.choices)
        return st.selectbox(
            label,
            choices,
            index=choices.index(value) if value in choices else 0,
            format_func=lambda choice: (words or {}).get(choice, str(choice)),
            key=key,
            help=explained,
            disabled=disabled,
        )
    if isinstance(setting.default, bool):
        return st.checkbox(label, value=bool(value), key=key, help=explained, disabled=disabled)
    if empty and key not in st.session_state:
        st.session_state[key] = value  # a field with a `value` of its own could not be emptied
    return st.number_input(
        label,
        min_value=setting.minimum,
        max_value=setting.maximum,
        value=None if empty else value,
        step=1 if isinstance(setting.minimum, int) else SHARE_STEP,
        key=key,
        help=explained,
        placeholder=empty,
        disabled=disabled,
    )
