"""The models: their sizes, their kinds of input and output, and that each can learn."""

from __future__ import annotations

import keras
import numpy as np
import pytest

from studio.engine.build import build_model
from studio.spec.model import ModelSpec
from studio.spec.models import MODELS

SHAPES = {
    "small_cnn": (8, 8, 1),
    "mnist_mlp": (28, 28, 1),
    "cifar10_cnn": (32, 32, 3),
    "mobilenet_v2": (96, 96, 1),
}


def small(name: str, **options: object) -> ModelSpec:
    """A spec of that model at its smallest."""
    return ModelSpec.model_validate(
        {"name": name, "dropout": MODELS[name].dropout, "width": 0.35 if MODELS[name].pretrained else 1.0} | options
    )


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("small_cnn", 35_914),
        ("mnist_mlp", 669_706),
        ("cifar10_cnn", 122_570),  # as TensorFlow's tutorial prints it
    ],
)
def test_parameters_are_the_published_ones(name: str, parameters: int) -> None:
    assert build_model(small(name), SHAPES[name], 10).count_params() == parameters


def test_mobilenet_has_the_published_backbone_and_a_head_for_the_classes() -> None:
    model = build_model(small("mobilenet_v2", width=1.0), (160, 160, 3), 5)
    assert model.get_layer("backbone").count_params() == 2_257_984  # Sandler et al. 2018 without the top
    assert model.get_layer("logits").count_params() == 1280 * 5 + 5


def test_batch_normalization_is_an_option_of_the_small_cnn() -> None:
    plain = {type(layer).__name__ for layer in build_model(small("small_cnn"), (8, 8, 1), 10).layers}
    normal = build_model(small("small_cnn", batch_normalization=True), (8, 8, 1), 10)
    assert "BatchNormalization" not in plain
    assert [layer.name for layer in normal.layers if isinstance(layer, keras.layers.BatchNormalization)] == [
        "norm1",
        "norm2",
    ]


@pytest.mark.parametrize("name", SHAPES)
def test_each_model_takes_uint8_gives_float32_logits_and_learns(name: str) -> None:
    keras.utils.set_random_seed(1)
    pretrained = MODELS[name].pretrained  # its random frozen backbone would give the head nothing to learn from
    model = build_model(small(name, train_backbone=pretrained), SHAPES[name], 3)
    assert model.input.dtype == "uint8"
    assert model.output.shape == (None, 3)
    assert model.output.dtype == "float32"
    images = np.random.default_rng(0).integers(0, 256, (12, *SHAPES[name]), dtype=np.uint8)
    labels = np.arange(12) % 3
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    before = [weight.numpy() for weight in model.trainable_weights]
    history = model.fit(images, labels, batch_size=12, epochs=4, verbose=0).history["loss"]
    assert history[-1] < history[0]
    assert any(np.any(old != new.numpy()) for old, new in zip(before, model.trainable_weights, strict=True))


def test_every_layer_has_a_name_of_its_own_in_every_process() -> None:
    """A second build in one process would get other automatic names, and its checkpoint other keys."""
    first, second = (build_model(small("small_cnn", batch_normalization=True), (8, 8, 1), 10) for _ in range(2))
    assert [weight.path for weight in first.weights] == [weight.path for weight in second.weights]
    assert first.name == second.name == "small_cnn"


def test_a_frozen_backbone_keeps_its_weights_and_its_statistics() -> None:
    model = build_model(small("mobilenet_v2"), (96, 96, 3), 2)
    backbone = model.get_layer("backbone")
    before = [weight.numpy() for weight in backbone.weights]
    assert backbone.trainable_weights == []
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    images = np.random.default_rng(0).integers(0, 256, (4, 96, 96, 3), dtype=np.uint8)
    model.fit(images, np.array([0, 1, 0, 1]), verbose=0)
    assert all(np.array_equal(old, new.numpy()) for old, new in zip(before, backbone.weights, strict=True))


def test_a_grey_image_is_to_mobilenet_the_same_as_its_color_copy() -> None:
    keras.utils.set_random_seed(1)
    grey = build_model(small("mobilenet_v2"), (96, 96, 1), 2)
    color = build_model(small("mobilenet_v2"), (96, 96, 3), 2)
    color.set_weights(grey.get_weights())
    image = np.random.default_rng(0).integers(0, 256, (1, 96, 96, 1), dtype=np.uint8)
    expected = color.predict_on_batch(np.repeat(image, 3, axis=-1))
    assert np.allclose(grey.predict_on_batch(image), expected, atol=1e-5)
