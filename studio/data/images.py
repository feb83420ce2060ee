"""The one decoder: from the bytes of a file to an upright picture of 8 bits, grey or RGB.

Import, preview and upload all come through here, so a picture looks the same wherever it is seen. The
engine's `pixels.py` gives the same pixels byte for byte for the JPEG and PNG files that a dataset holds.
"""

from __future__ import annotations

import io
import struct

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from studio.errors import RequestError

FORMATS = ("JPEG", "PNG", "GIF", "BMP", "DIB", "TIFF", "WEBP", "PPM", "AVIF", "JPEG2000", "ICO")
LARGEST_SIDE = 20_000  # pixels; beyond it a file is a mistake or an attack, whatever its area
BACKGROUND = 255  # transparent parts are shown on white

# What people upload by mistake, told by the first bytes.
OTHER_KINDS = (
    (b"%PDF", "it is a PDF"),
    (b"PK\x03\x04", "it is a ZIP archive"),
    (b"<svg", "it is a vector drawing (SVG)"),
    (b"<!doctype html", "it is a web page"),
    (b"<html", "it is a web page"),
    (b"version https://git-lfs", "it is a Git LFS pointer, not the file itself"),
)
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"mif1", b"msf1")


class ImageError(RequestError):
    """A file is no picture, is damaged, or is too large."""


def decode(data: bytes, *, name: str, max_pixels: int) -> Image.Image:
    """Read a picture as a person sees it.

    The camera's orientation is applied, 16-bit grey is scaled by 1/257, transparency is flattened on white,
    and of an animation the first frame is taken.

    Args:
        data: the bytes of the file.
        name: the file's name, for the error sentence.
        max_pixels: largest width × height that is decoded.

    Returns:
        A Pillow image of mode `L` (grey) or `RGB`, uint8.

    Raises:
        ImageError: the file is empty, no picture of a known format, damaged, or too large.
    """
    if not data:
        raise ImageError(f"‘{name}’ is empty; choose another file.")
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
        # Before `load`: the size stands in the header, the memory is needed only for the pixels.
        _check_size(image, name, max_pixels)
        image.load()
        # Some formats tell a frame's true size only now.
        _check_size(image, name, max_pixels)
        return _to_grey_or_rgb(_upright(image))
    except UnidentifiedImageError as error:
        raise ImageError(f"‘{name}’ is not a picture that can be read ({_kind(data)}).") from error
    except Image.DecompressionBombError as error:
        raise ImageError(f"‘{name}’ has too many pixels; at most {max_pixels:,} are allowed.") from error
    except ImageError:
        raise
    except (OSError, SyntaxError, ValueError, EOFError, struct.error, OverflowError, IndexError) as error:
        # Pillow's readers report damage by all of these.
        raise ImageError(f"‘{name}’ is damaged and cannot be read.", detail=repr(error)) from error


def to_png(image: Image.Image) -> bytes:
    """The picture as a PNG file, without loss."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _check_size(image: Image.Image, name: str, max_pixels: int) -> None:
    width, height = image.size
    if width * height > max_pixels or max(width, height) > LARGEST_SIDE:
        raise ImageError(
            f"‘{name}’ is {width:,} × {height:,} pixels; at most {max_pixels:,} pixels and {LARGEST_SIDE:,} "
            "on a side are allowed. Make it smaller first."
        )


def _upright(image: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # broken EXIF fails in every way there is, and the pixels are still fine
        return image


def _to_grey_or_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):
        return _from_16_bits(image)
    if image.mode == "F":
        # No file says where white is; TIFF programs that write floats mean 0 to 255.
        image = image.convert("L")
    if image.has_transparency_data:
        return _flatten(image)
    return image if image.mode in ("L", "RGB") else image.convert("L" if image.mode == "1" else "RGB")


def _from_16_bits(image: Image.Image) -> Image.Image:
    """Pillow's own conversion of 16-bit grey clips at 255 instead of scaling: nearly all turns white."""
    values = np.asarray(image).astype(np.float64)
    return Image.fromarray(np.clip(np.rint(values / 257), 0, 255).astype(np.uint8))


def _flatten(image: Image.Image) -> Image.Image:
    """Transparency on white. Palette images go through RGBA, where their transparent entries count."""
    grey = image.mode in ("L", "LA", "La")
    rgba = image.convert("RGBA")
    white = Image.new("RGBA", rgba.size, (BACKGROUND, BACKGROUND, BACKGROUND, 255))
    return Image.alpha_composite(white, rgba).convert("L" if grey else "RGB")


def _kind(data: bytes) -> str:
    start = data[:512].lstrip().lower()
    for signature, kind in OTHER_KINDS:
        if start.startswith(signature.lower()):
            return kind
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        return "it is HEIC, the iPhone's format; export it as JPEG"
    if start.startswith(b"<?xml") and b"<svg" in start:
        return "it is a vector drawing (SVG)"
    return "use JPEG, PNG, WebP, GIF, BMP or TIFF"
