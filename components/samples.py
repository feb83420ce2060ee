"""Pictures of a set, read by their place in its files: no TensorFlow, and nothing of the set stays in memory."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from components.pictures import strip
from studio.data.images import decode, to_png
from studio.data.index import Example, open_index, read_image_bytes
from studio.settings import Settings

STRIP_PICTURES = 8
STRIP_SIDE = 64  # pixels
STRIP_SEED = 5


def picture(settings: Settings, example: Example) -> Image.Image:
    """The picture of one example, grey or RGB."""
    return decode(read_image_bytes(example), name=f"image {example.row}", max_pixels=settings.max_pixels)


@lru_cache(maxsize=16)
def sample_strip(settings: Settings, dataset: str, version: str) -> bytes:
    """Eight training images side by side as one PNG; `version` makes a new one when the set has changed."""
    index = open_index(settings, dataset)
    chosen = index.sample("train", STRIP_PICTURES, STRIP_SEED)
    return to_png(strip([picture(settings, example) for example in chosen], STRIP_SIDE))
