"""A small convolutional network for small images."""

from __future__ import annotations

import keras
from keras import layers

from studio.spec.model import ModelSpec


def build(spec: ModelSpec, shape: tuple[int, int, int], classes: int) -> keras.Model:
    """Two convolutions, each halved by pooling, and a small head: 35,914 parameters for 8 × 8 grey digits.

    Batch normalization, where chosen, stands between a convolution and its activation; the convolution then
    has no bias, because normalization would take it away again.
    """
    image = keras.Input(shape, dtype="uint8", name="image")
    x = layers.Rescaling(1 / 255, name="scale")(image)
    for number, filters in enumerate((32, 64), start=1):
        x = layers.Conv2D(filters, 3, padding="same", use_bias=not spec.batch_normalization, name=f"conv{number}")(x)
        if spec.batch_normalization:
            # The default of 0.99 needs hundreds of steps to forget its start; small sets have 40 in an epoch.
            x = layers.BatchNormalization(momentum=0.9, name=f"norm{number}")(x)
        x = layers.ReLU(name=f"relu{number}")(x)
        x = layers.MaxPooling2D(name=f"pool{number}")(x)
    x = layers.Flatten(name="flatten")(x)
    x = layers.Dense(64, activation="relu", name="dense")(x)
    if spec.dropout:
        x = layers.Dropout(spec.dropout, name="dropout")(x)
    logits = layers.Dense(classes, dtype="float32", name="logits")(x)
    return keras.Model(image, logits, name="small_cnn")
