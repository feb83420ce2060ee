"""From the bytes of a picture file to what a model sees."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from studio.data.images import decode
from studio.engine.pixels import resize


def as_the_model_sees(data: bytes, shape: tuple[int, int, int], mode: str, *, name: str, max_pixels: int) -> np.ndarray:
    """Decode a picture and bring it to the model's input.

    Args:
        data: a picture file of any kind that an import takes.
        shape: height, width and channels (1 or 3) of the input; color pictures become grey for a model that
            learned grey ones, and grey ones three equal channels.
        mode: how another shape is brought to this one (`data.resize` of the run).
        name: what the picture is called in errors.

    Returns:
        uint8 (height, width, channels).

    Raises:
        ImageError: it is no picture, is damaged, or has more than `max_pixels` pixels.
    """
    height, width, channels = shape
    picture = decode(data, name=name, max_pixels=max_pixels).convert("L" if channels == 1 else "RGB")
    pixels = np.asarray(picture, dtype=np.uint8).reshape(picture.height, picture.width, channels)
    return np.asarray(resize(tf.constant(pixels), height, width, mode))
