"""The decoder gives upright 8-bit grey or RGB pictures and refuses everything else in one sentence."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from studio.data.images import ImageError, decode, to_png

LIMIT = 20_000_000


def _bytes(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def _decode(data: bytes, name: str = "picture.png", max_pixels: int = LIMIT) -> Image.Image:
    return decode(data, name=name, max_pixels=max_pixels)


def test_png_comes_back_as_it_was() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (5, 7, 3), dtype=np.uint8)
    again = _decode(to_png(Image.fromarray(pixels)))
    assert again.mode == "RGB"
    np.testing.assert_array_equal(np.asarray(again), pixels)


def test_sixteen_bits_are_scaled_not_clipped() -> None:
    ramp = np.linspace(0, 65535, 256).astype(np.uint16).reshape(16, 16)
    picture = _decode(_bytes(Image.fromarray(ramp)))
    assert picture.mode == "L"
    np.testing.assert_array_equal(np.asarray(picture).ravel(), np.arange(256))


def test_transparent_parts_become_white() -> None:
    picture = Image.new("RGBA", (2, 1), (255, 0, 0, 255))
    picture.putpixel((1, 0), (0, 0, 0, 0))
    assert [_decode(_bytes(picture)).getpixel((x, 0)) for x in (0, 1)] == [(255, 0, 0), (255, 255, 255)]


def test_grey_with_transparency_stays_grey() -> None:
    picture = Image.new("LA", (2, 1), (10, 255))
    picture.putpixel((1, 0), (10, 0))
    read = _decode(_bytes(picture))
    assert (read.mode, read.getpixel((0, 0)), read.getpixel((1, 0))) == ("L", 10, 255)


def test_transparent_palette_entry_becomes_white() -> None:
    picture = Image.new("P", (2, 1))
    picture.putpalette([0, 0, 255, 0, 255, 0])
    picture.putpixel((1, 0), 1)
    read = _decode(_bytes(picture, transparency=1))
    assert [read.getpixel((x, 0)) for x in (0, 1)] == [(0, 0, 255), (255, 255, 255)]


def test_orientation_is_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned by 90 degrees
    assert _decode(_bytes(Image.new("RGB", (20, 10)), "JPEG", exif=exif)).size == (10, 20)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"%PDF-1.7 ...", "it is a PDF"),
        (b"<!DOCTYPE html><html>", "it is a web page"),
        (b"\xff\xd8\xff", "picture"),
        (b"hello", "JPEG, PNG"),
    ],
)
def test_what_is_no_picture_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(ImageError, match=words) as caught:
        _decode(data, name="scan.tif")
    assert "‘scan.tif’" in caught.value.sentence
    assert caught.value.exit_code == 2


def test_half_a_file_is_damaged() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    data = to_png(Image.fromarray(noise))
    with pytest.raises(ImageError, match="damaged"):
        _decode(data[: len(data) // 2])


@pytest.mark.parametrize(
    ("size", "words"),
    [((30_000, 30_000), "too many pixels"), ((6_000, 6_000), "6,000 × 6,000"), ((30_000, 2), "30,000 × 2")],
)
def test_huge_picture_is_refused_by_its_header(size: tuple[int, int], words: str) -> None:
    data = _bytes(Image.new("1", size))
    with pytest.raises(ImageError, match=words):
        _decode(data)


@pytest.fixture(scope="module")
def cases() -> Path:
    folder = Path(__file__).resolve().parents[3] / "../shared/cases/images"
    if not folder.is_dir():
        pytest.skip("the collection of awkward pictures is not on this machine")
    return folder


@pytest.mark.filterwarnings("ignore::UserWarning")  # Pillow's remarks on damaged metadata
def test_awkward_real_files(cases: Path) -> None:
    """Every file that must open opens at the right size; every file that must be refused is refused."""
    wrong = []
    with (cases / "index.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["expect"] != "ignore"]
    for row in rows:
        try:
            picture = decode((cases / row["file"]).read_bytes(), name=row["file"], max_pixels=100_000_000)
        except ImageError:
            if row["expect"] == "ok":
                wrong.append(f"{row['file']} was refused")
            continue
        if row["expect"] == "refuse":
            wrong.append(f"{row['file']} was opened")
        elif picture.mode not in ("L", "RGB"):
            wrong.append(f"{row['file']} has mode {picture.mode}")
        elif row["size"] and sorted(picture.size) != sorted(map(int, row["size"].split("x"))):
            # Sorted, because the list gives some files as stored and some as seen upright.
            wrong.append(f"{row['file']} is {picture.size}, not {row['size']}")
    assert len(rows) > 100
    assert not wrong
