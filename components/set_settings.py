"""What happens to the images of a set before the model sees them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components import session
from components.setting_field import setting_field
from studio.spec.data import DataSpec
from studio.spec.facts import DataFacts
from studio.spec.fields import about

RESIZE_WORDS = {"stretch": "Stretch to a square", "crop": "Cut to a square", "pad": "Pad with black"}


def set_settings(facts: DataFacts, present: dict[str, Any]) -> dict[str, Any]:
    """Draw the settings of `DataSpec`.

    Args:
        present: the data settings of the draft; they count where the draft has this set.

    Returns:
        The chosen values with the name of the set, None for a setting that is left open.
    """
    values = present if present.get("dataset") == facts.name else {}
    chosen: dict[str, Any] = {"dataset": facts.name}
    with st.grid(2, min_column_width=200, key="set_settings"):
        for name in ("image_size", "resize", "validation_share"):
            chosen[name] = setting_field(
                DataSpec,
                name,
                values.get(name, about(DataSpec, name).default),
                key=f"{session.CHOICE}{facts.name}_{name}",
                words=RESIZE_WORDS if name == "resize" else None,
                empty="As it fits the model" if name == "image_size" else "",
                percent=name == "validation_share",
                disabled=name == "validation_share" and bool(sum(facts.splits.get("validation", ()))),
            )
    return chosen
