"""The models to choose from, as cards."""

from __future__ import annotations

import streamlit as st

from components import session
from components.callbacks import callback
from studio.spec.models import MODELS, ModelCard

MODEL_KEY = f"{session.CHOICE}model"


def choose_model(present: str) -> str:
    """Let a person look at a model; at first it is the `present` one of the draft.

    Returns:
        Its name in `studio.spec.models.MODELS`.
    """
    shown: str = st.session_state.get(MODEL_KEY, present)
    for column, (name, card) in zip(st.columns(len(MODELS), gap="small"), MODELS.items(), strict=True):
        with column.container(border=True, gap="small", height="stretch", key=f"model_card_{name}"):
            st.markdown(f"**{card.title}**" + (" :blue-badge[shown below]" if name == shown else ""))
            st.markdown(card.sentence)
            st.caption(_facts(card))
            st.space("stretch")
            st.button(
                "Look at it",
                key=f"model_{name}",
                width="stretch",
                disabled=name == shown,
                on_click=_look_at,
                args=(name,),
            )
    return shown


@callback
def _look_at(name: str) -> None:
    st.session_state[MODEL_KEY] = name


def _facts(card: ModelCard) -> str:
    start = "Starts from ImageNet weights or random ones" if card.pretrained else "Starts from random weights"
    return f"Images of at least {card.smallest} × {card.smallest} pixels. {start}."
