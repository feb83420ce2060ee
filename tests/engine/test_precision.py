"""What is said about the precision is read from the layers."""

from __future__ import annotations

from collections.abc import Iterator

import keras
import pytest

from studio.engine.build import build_model
from studio.engine.precision import read_precision, set_precision
from studio.errors import StudioError
from studio.spec.model import ModelSpec
from studio.spec.training import Precision


@pytest.fixture(autouse=True)
def _back_to_float32() -> Iterator[None]:
    yield
    set_precision("float32")


@pytest.mark.parametrize("precision", ["float32", "mixed_bfloat16", "mixed_float16"])
@pytest.mark.parametrize("name", ["small_cnn", "mobilenet_v2"])
def test_the_precision_that_was_set_is_what_the_layers_have(name: str, precision: Precision) -> None:
    set_precision(precision)
    spec = ModelSpec.model_validate({"name": name, "width": 0.35})
    model = build_model(spec, (32, 32, 3), 4)
    assert read_precision(model) == precision
    assert model.get_layer("logits").compute_dtype == "float32"
    assert {weight.dtype for weight in model.trainable_weights} == {"float32"}


def test_a_policy_changed_after_building_does_not_change_the_answer() -> None:
    set_precision("mixed_bfloat16")
    model = build_model(ModelSpec(name="small_cnn"), (8, 8, 1), 4)
    set_precision("float32")
    assert read_precision(model) == "mixed_bfloat16"


def test_layers_that_disagree_are_an_error() -> None:
    image = keras.Input((4,))
    x = keras.layers.Dense(3, dtype="mixed_bfloat16")(image)
    x = keras.layers.Dense(3, dtype="float32")(x)
    model = keras.Model(image, keras.layers.Dense(2, dtype="float32")(x))
    with pytest.raises(StudioError, match="mixed_bfloat16"):
        read_precision(model)
