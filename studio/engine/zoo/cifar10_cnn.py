"""The convolutional network of TensorFlow's CIFAR-10 tutorial."""

from __future__ import annotations

import keras
from keras import layers

from studio.spec.model import ModelSpec


def build(spec: ModelSpec, shape: tuple[int, int, int], classes: int) -> keras.Model:
    """Three convolutions without padding and a dense layer: 122,570 parameters for CIFAR-10."""
    image = keras.Input(shape, dtype="uint8", name="image")
    x = layers.Rescaling(1 / 255, name="scale")(image)
    x = layers.Conv2D(32, 3, activation="relu", name="conv1")(x)
    x = layers.MaxPooling2D(name="pool1")(x)
    x = layers.Conv2D(64, 3, activation="relu", name="conv2")(x)
    x = layers.MaxPooling2D(name="pool2")(x)
    x = layers.Conv2D(64, 3, activation="relu", name="conv3")(x)
    x = layers.Flatten(name="flatten")(x)
    x = layers.Dense(64, activation="relu", name="dense")(x)
    logits = layers.Dense(classes, dtype="float32", name="logits")(x)
    return keras.Model(image, logits, name="cifar10_cnn")
