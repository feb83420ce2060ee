"""What a model is made of: asked from a helper process, shown as a table and a diagram."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import streamlit as st

from components.words import count, counted
from studio.desk import desk
from studio.spec.plan import Plan

ROW_HEIGHT = 38  # pixels


def ask_summary(plan: Plan) -> dict[str, Any]:
    """Layers, shapes and parameters of a planned model; the answers for the last few models are kept.

    Raises:
        StudioError: it cannot be built, or the helper does not answer.
    """
    question = {
        "ask": "summary",
        "spec": plan.spec.model_dump(mode="json"),
        "height": plan.height,
        "width": plan.width,
        "channels": plan.channels,
        "classes": plan.classes,
    }
    return _ask(json.dumps(question))


@st.cache_data(max_entries=32, show_spinner=False)
def _ask(question: str) -> dict[str, Any]:
    return desk("shapes").ask(json.loads(question))


def total_in_words(summary: dict[str, Any]) -> str:
    """`35,914 parameters, all of them trained`."""
    total, trained = summary["parameters"], summary["trainable"]
    return f"{counted(total, 'parameter')}, {'all' if total == trained else count(trained)} of them trained"


def layer_table(summary: dict[str, Any]) -> None:
    """One row a layer with the shape of what it gives out, without the batch."""
    frame = pd.DataFrame(
        {
            "Layer": [layer["name"] for layer in summary["layers"]],
            "Kind": [_kind(layer) for layer in summary["layers"]],
            "Output": [_shape(layer) for layer in summary["layers"]],
            "Parameters": [layer["parameters"] for layer in summary["layers"]],
            "Trained": [layer["trainable"] for layer in summary["layers"]],
        }
    )
    st.dataframe(
        frame,
        hide_index=True,
        row_height=ROW_HEIGHT,
        height="content",
        column_config={
            "Parameters": st.column_config.NumberColumn(format="localized"),
            "Trained": st.column_config.NumberColumn(format="localized"),
        },
        key="layer_table",
        alt="Layers of the model with their output shapes and parameters",
    )


def layer_diagram(summary: dict[str, Any]) -> None:
    """The model as a chain of blocks, from the image to the scores: a block begins where parameters do."""
    blocks: list[list[dict[str, Any]]] = []
    for layer in summary["layers"]:
        if layer["parameters"] or not blocks:
            blocks.append([])
        blocks[-1].append(layer)
    words = [", ".join(_kind(layer) for layer in block) for block in blocks]
    nodes = [f'block{n}["{words[n]}<br/>{_shape(block[-1])}"]' for n, block in enumerate(blocks)]
    st.mermaid_chart("flowchart TD\n" + " --> ".join(nodes), alt="Diagram: " + "; then ".join(words))


def _kind(layer: dict[str, Any]) -> str:
    if layer["kind"] == "InputLayer":
        return "Image"
    return f"{layer['name']} ({counted(layer['layers'], 'layer')})" if layer["layers"] > 1 else str(layer["kind"])


def _shape(layer: dict[str, Any]) -> str:
    return " × ".join(count(side) for side in layer["shape"])
