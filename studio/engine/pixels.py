"""The two functions that every picture goes through before a model sees it: decode and resize.

Preview, training, evaluation, prediction and export share them, so a model always gets what it was trained on.
Both work on eager tensors and inside `tf.data`.
"""

from __future__ import annotations

import tensorflow as tf

JPEG_START = b"\xff\xd8\xff"


def decode_image(data: tf.Tensor, channels: int) -> tf.Tensor:
    """Decode one PNG or JPEG as a dataset holds it.

    The pixels are those of Pillow (`studio.data.images.decode`) byte for byte. For JPEG that takes the exact
    integer transform: TensorFlow's default is faster and up to 21 levels off.

    Args:
        data: the encoded picture, a string scalar.
        channels: 1 (grey) or 3 (RGB).

    Returns:
        uint8 (height, width, channels).

    Raises:
        tf.errors.InvalidArgumentError: the data is no PNG or JPEG, or is damaged.
    """
    image = tf.cond(
        tf.strings.substr(data, 0, len(JPEG_START)) == JPEG_START,
        lambda: tf.io.decode_jpeg(data, channels=channels, dct_method="INTEGER_ACCURATE"),
        lambda: tf.io.decode_png(data, channels=channels),
    )
    return tf.ensure_shape(image, (None, None, channels))


def resize(image: tf.Tensor, height: int, width: int, mode: str = "stretch") -> tf.Tensor:
    """Bring a picture to the size that the model takes, bilinear and antialiased, rounded to whole levels.

    Args:
        image: uint8 (height, width, channels).
        height, width: the size wanted, in pixels.
        mode: `"stretch"` changes the proportions, `"crop"` keeps them and cuts the longer side on both ends,
            `"pad"` keeps them and fills the shorter side with black on both ends.

    Returns:
        uint8 (height, width, channels). A picture that already has the size is returned as it is.
    """
    channels = image.shape[-1]
    same = tf.reduce_all(tf.shape(image)[:2] == (height, width))
    resized = tf.cond(same, lambda: image, lambda: _resize(image, height, width, mode))
    return tf.ensure_shape(resized, (height, width, channels))


def _resize(image: tf.Tensor, height: int, width: int, mode: str) -> tf.Tensor:
    if mode == "stretch":
        return _bilinear(image, tf.constant([height, width]))
    sides = tf.cast(tf.shape(image)[:2], tf.float64)
    wanted = tf.constant([height, width], tf.float64)
    scales = wanted / sides
    scale = tf.reduce_max(scales) if mode == "crop" else tf.reduce_min(scales)
    scaled = tf.maximum(tf.cast(tf.round(sides * scale), tf.int32), 1)
    return tf.image.resize_with_crop_or_pad(_bilinear(image, scaled), height, width)


def _bilinear(image: tf.Tensor, size: tf.Tensor) -> tf.Tensor:
    values = tf.image.resize(image, size, method="bilinear", antialias=True)
    return tf.cast(tf.round(tf.clip_by_value(values, 0.0, 255.0)), tf.uint8)
