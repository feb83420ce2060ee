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
    percent: bool = False,
    disabled: bool = False,
) -> Any:
    """Draw the field of the setting `name` of a spec class.

    Args:
        value: what stands in it at first; None for nothing.
        words: what each choice is called, where that is not the value itself.
        empty: what an empty field means; a field without it cannot be left empty.
        percent: show a share as whole percent.

    Returns:
        The value as the spec takes it, None where the field is empty.
    """
    setting = about(spec, name)
    unit = "%" if percent else setting.unit
    label = f"{setting.label} ({unit})" if unit else setting.label
    explained = with_terms(setting.help)
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
    low, high, step = setting.minimum, setting.maximum, 1 if isinstance(setting.minimum, int) else SHARE_STEP
    if percent:
        low, high, step, value = round(100 * (low or 0)), round(100 * (high or 1)), 1, round(100 * value)
    if empty and key not in st.session_state:
        st.session_state[key] = value  # a field with a `value` of its own could not be emptied
    number = st.number_input(
        label,
        min_value=low,
        max_value=high,
        value=None if empty else value,
        step=step,
        key=key,
        help=explained,
        placeholder=empty,
        disabled=disabled,
    )
    return number / 100 if percent and number is not None else number
