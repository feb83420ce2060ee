"""Pictures as the pages show them: small ones enlarged pixel by pixel, large ones made small before they are sent."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageOps

GAP = 4  # pixels between the pictures of a strip


def shown(image: Image.Image, side: int) -> Image.Image:
    """A picture for a place of `side` pixels; a small one is enlarged by a whole number, without smoothing."""
    factor = side // max(image.size)
    if factor > 1:
        return image.resize((image.width * factor, image.height * factor), Image.Resampling.NEAREST)
    return ImageOps.contain(image, (side, side)) if max(image.size) > side else image


def is_enlarged(image: Image.Image, side: int) -> bool:
    """Whether `shown` enlarges this picture, which the page then says."""
    return side // max(image.size) > 1


def square(image: Image.Image, side: int) -> Image.Image:
    """The middle of a picture as a square of `side` pixels; a small one is enlarged without smoothing."""
    method = Image.Resampling.NEAREST if max(image.size) < side else Image.Resampling.BICUBIC
    return ImageOps.fit(image, (side, side), method)


def strip(images: Sequence[Image.Image], side: int) -> Image.Image:
    """Pictures side by side as one, with gaps that let the page through."""
    width = len(images) * (side + GAP) - GAP
    whole = Image.new("RGBA", (max(width, 1), side), (0, 0, 0, 0))
    for number, image in enumerate(images):
        whole.paste(square(image, side).convert("RGB"), (number * (side + GAP), 0))
    return whole
