"""Which number format the arithmetic uses: set before a model is built, read back from what was built."""

from __future__ import annotations

from collections.abc import Iterator

import keras

from studio.errors import StudioError
from studio.spec.training import Precision


def set_precision(precision: Precision) -> None:
    """Make every layer that is built from now on, in this thread, compute in that precision."""
    keras.config.set_dtype_policy(precision)


def read_precision(model: keras.Model) -> str:
    """The precision the layers of a built model really have: `float32`, `mixed_bfloat16` or `mixed_float16`.

    Asks every layer that has weights, those of a backbone too, and the type its calculations are done in. The
    last layer is not asked: it is float32 in every precision, so that the loss does not lose digits.

    Raises:
        StudioError: the layers do not agree.
    """
    found = {
        (layer.compute_dtype, layer.variable_dtype)
        for layer in _layers(model)
        if layer.weights and layer is not model.layers[-1]
    }
    names = {compute if compute == stored else f"mixed_{compute}" for compute, stored in found}
    if len(names) != 1:
        raise StudioError(f"The layers of the model compute in different precisions: {', '.join(sorted(names))}.")
    return names.pop()


def _layers(model: keras.Model) -> Iterator[keras.Layer]:
    for layer in model.layers:
        if isinstance(layer, keras.Model):
            yield from _layers(layer)
        else:
            yield layer
