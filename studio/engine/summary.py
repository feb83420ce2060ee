"""What a model is made of, layer by layer, without training or downloading anything."""

from __future__ import annotations

import math
from typing import Any

import keras

from studio.engine.build import build_model
from studio.spec.run import parse_spec


def summary(question: dict[str, Any]) -> dict[str, Any]:
    """Answer the desk's question `summary`.

    Args:
        question: `spec` (a resolved RunSpec), `height`, `width`, `channels`, `classes`.

    Returns:
        `layers`: for each its `name`, `kind`, `shape` (output without the batch), `parameters`, `trainable`
        (parameters that training changes) and `layers` (how many it is made of, 1 for a plain one); and the totals
        `parameters`, `trainable`.
    """
    spec = parse_spec(question["spec"])
    untrained = spec.model.model_copy(update={"weights": "random"})  # the same layers, and nothing to load
    shape = (question["height"], question["width"], question["channels"])
    keras.utils.clear_session()
    model = build_model(untrained, shape, question["classes"])
    return {
        "layers": [_row(layer) for layer in model.layers],
        "parameters": model.count_params(),
        "trainable": _count(model.trainable_weights),
    }


def _row(layer: keras.Layer) -> dict[str, Any]:
    nested = isinstance(layer, keras.Model)
    return {
        "name": layer.name,
        "kind": "Model" if nested else type(layer).__name__,
        "shape": list(layer.output.shape[1:]),
        "parameters": layer.count_params(),
        "trainable": _count(layer.trainable_weights),
        "layers": len(layer.layers) if nested else 1,
    }


def _count(weights: list[keras.Variable]) -> int:
    return sum(math.prod(weight.shape) for weight in weights)
