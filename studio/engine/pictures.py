"""From a picture to what a model sees."""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from PIL import Image

from studio.engine.pixels import resize


def as_the_model_sees(picture: Image.Image, shape: tuple[int, int, int], mode: str) -> np.ndarray:
    """Bring a picture to the model's input.

    Args:
        picture: as `studio.data.images.decode` gives it.
        shape: height, width and channels (1 or 3) of the input; color pictures become grey for a model that
            learned grey ones, and grey ones three equal channels.
        mode: how another shape is brought to this one (`data.resize` of the run).

    Returns:
        uint8 (height, width, channels).
    """
    height, width, channels = shape
    pixels = np.asarray(picture.convert("L" if channels == 1 else "RGB"), dtype=np.uint8).reshape(
        picture.height, picture.width, channels
    )
    return np.asarray(resize(tf.constant(pixels), height, width, mode))
