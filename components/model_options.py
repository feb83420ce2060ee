"""The settings of a model, only those it has."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components import session
from components.setting_field import setting_field
from studio.spec.model import ModelSpec
from studio.spec.models import MODELS

WORDS: dict[str, dict[Any, str]] = {
    "weights": {"imagenet": "ImageNet", "random": "Random numbers"},
    "width": {0.35: "0.35, small and fast", 1.0: "1.0, as published"},
}


def model_options(name: str, present: dict[str, Any]) -> dict[str, Any]:
    """Draw the options of a model.

    Args:
        name: of the model that is shown.
        present: the model settings of the draft; they count where the draft has this model.

    Returns:
        A value for every setting of `ModelSpec`, None for those the model does not have.
    """
    card = MODELS[name]
    values = present if present.get("name") == name else {}
    starts: dict[str, Any] = {}
    if card.dropout is not None:
        starts["dropout"] = card.dropout
    if card.batch_normalization:
        starts["batch_normalization"] = False
    if card.pretrained:
        starts |= {"weights": "imagenet", "width": 1.0, "train_backbone": False}
    chosen: dict[str, Any] = dict.fromkeys(ModelSpec.model_fields) | {"name": name}
    if not starts:
        st.caption("This model has no options.")
    with st.grid(2, min_column_width=200, vertical_alignment="bottom", key="model_options"):
        for option, start in starts.items():
            chosen[option] = setting_field(
                ModelSpec,
                option,
                values.get(option, start),
                key=f"{session.CHOICE}{name}_{option}",
                words=WORDS.get(option),
            )
    return chosen
