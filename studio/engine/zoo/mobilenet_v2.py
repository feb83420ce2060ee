"""Transfer learning: a backbone that knows a million photos, and a new head for yours."""

from __future__ import annotations

import keras
from keras import layers

from studio.errors import StudioError
from studio.spec.model import ModelSpec


def build(spec: ModelSpec, shape: tuple[int, int, int], classes: int) -> keras.Model:
    """MobileNetV2 without its top, average pooling, dropout and a dense layer.

    Grey images are shown to the backbone as three equal channels. A frozen backbone runs in inference mode,
    batch normalization included: its statistics belong to its weights.

    Raises:
        StudioError: the ImageNet weights are neither on this machine nor can they be downloaded.
    """
    height, width, channels = shape
    image = keras.Input(shape, dtype="uint8", name="image")
    x = layers.Rescaling(1 / 127.5, offset=-1.0, name="scale")(image)
    if channels == 1:
        x = layers.Concatenate(name="grey_to_rgb")([x, x, x])
    backbone = _backbone(spec, (height, width, 3))
    backbone.trainable = spec.train_backbone
    x = backbone(x, training=None if spec.train_backbone else False)
    x = layers.GlobalAveragePooling2D(name="average")(x)
    if spec.dropout:
        x = layers.Dropout(spec.dropout, name="dropout")(x)
    logits = layers.Dense(classes, dtype="float32", name="logits")(x)
    return keras.Model(image, logits, name="mobilenet_v2")


def _backbone(spec: ModelSpec, shape: tuple[int, int, int]) -> keras.Model:
    try:
        return keras.applications.MobileNetV2(
            input_shape=shape,
            alpha=spec.width,
            include_top=False,
            weights="imagenet" if spec.weights == "imagenet" else None,
            name="backbone",
        )
    except Exception as error:  # Keras raises a bare Exception where a download fails
        raise StudioError(
            "The ImageNet weights of MobileNetV2 could not be loaded; connect this machine to the internet, point "
            "KERAS_HOME at a folder that has them, or choose random starting weights.",
            str(error),
        ) from error
