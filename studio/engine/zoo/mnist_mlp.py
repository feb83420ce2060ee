"""The classic first network: dense layers on the plain pixels."""

from __future__ import annotations

import keras
from keras import layers

from studio.spec.model import ModelSpec


def build(spec: ModelSpec, shape: tuple[int, int, int], classes: int) -> keras.Model:
    """Two hidden layers of 512 units: 669,706 parameters for MNIST."""
    image = keras.Input(shape, dtype="uint8", name="image")
    x = layers.Rescaling(1 / 255, name="scale")(image)
    x = layers.Flatten(name="flatten")(x)
    for number in (1, 2):
        x = layers.Dense(512, activation="relu", name=f"dense{number}")(x)
        if spec.dropout:
            x = layers.Dropout(spec.dropout, name=f"dropout{number}")(x)
    logits = layers.Dense(classes, dtype="float32", name="logits")(x)
    return keras.Model(image, logits, name="mnist_mlp")
