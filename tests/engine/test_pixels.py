"""The engine's pixels are Pillow's, byte for byte, and one resize serves everybody."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
import pytest
import tensorflow as tf
from PIL import Image

from studio.data.images import decode
from studio.data.index import open_index, read_image_bytes
from studio.engine.pixels import decode_image, resize
from studio.settings import Settings


@pytest.mark.parametrize("name", ["digits", "shapes", "mnist", "cifar10", "tf_flowers"])
def test_pixels_equal_pillow_on_every_set(name: str, settings: Settings, request: pytest.FixtureRequest) -> None:
    if name not in ("digits", "shapes"):
        # Skips, with its reason, where the prepared sets are absent.
        settings = dataclasses.replace(settings, data_dir=request.getfixturevalue("tfds_dir"))
    index = open_index(settings, name)
    examples = index.sample(index.splits[0], 60, seed=1)
    assert len(examples) == 60
    for example in examples:
        data = read_image_bytes(example)
        expected = np.asarray(decode(data, name=example.name, max_pixels=10**8))
        found = decode_image(tf.constant(data), index.channels).numpy()
        assert found.dtype == np.uint8
        assert found.shape == (example.height, example.width, index.channels)
        np.testing.assert_array_equal(found.reshape(expected.shape), expected)


@pytest.mark.parametrize("mode", ["L", "RGB"])
@pytest.mark.parametrize("options", [{"quality": 75}, {"quality": 92, "progressive": True}])
def test_pixels_equal_pillow_on_jpeg_of_odd_size(mode: str, options: dict) -> None:
    # Smooth colors: with chroma at half resolution they show how a decoder brings it back to full size.
    y, x = np.mgrid[0:61, 0:47]
    colors = np.stack([x * 5, y * 4, (x + y) * 2], axis=2).astype(np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(colors).convert(mode).save(buffer, "JPEG", **options)
    expected = np.asarray(decode(buffer.getvalue(), name="jpeg", max_pixels=10**6))
    found = decode_image(tf.constant(buffer.getvalue()), len(mode)).numpy()
    np.testing.assert_array_equal(found.reshape(expected.shape), expected)


def test_damaged_picture_raises() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        decode_image(tf.constant(b"\x89PNG and nothing more"), 3)


def test_same_size_is_left_alone() -> None:
    image = np.random.default_rng(0).integers(0, 256, (8, 8, 1), dtype=np.uint8)
    for mode in ("stretch", "crop", "pad"):
        np.testing.assert_array_equal(resize(tf.constant(image), 8, 8, mode), image)


def test_stretch_is_pillows_antialiased_bilinear() -> None:
    image = np.random.default_rng(0).integers(0, 256, (90, 120, 3), dtype=np.uint8)
    expected = np.asarray(Image.fromarray(image).resize((40, 30), Image.Resampling.BILINEAR), dtype=int)
    assert np.abs(resize(tf.constant(image), 30, 40).numpy() - expected).max() <= 1


def test_crop_cuts_both_ends_of_the_longer_side() -> None:
    image = np.zeros((20, 60, 3), np.uint8)
    image[:, 20:40] = 200  # the middle third is all that is left
    assert (resize(tf.constant(image), 20, 20, "crop").numpy() == 200).all()


def test_pad_keeps_the_whole_picture_between_black_bars() -> None:
    image = np.full((20, 60, 3), 200, np.uint8)
    padded = resize(tf.constant(image), 30, 30, "pad").numpy()
    assert (padded[10:20] == 200).all()
    assert not padded[:10].any()
    assert not padded[20:].any()


def test_a_thin_picture_keeps_one_pixel() -> None:
    image = np.full((1, 5000, 3), 200, np.uint8)
    assert resize(tf.constant(image), 16, 16, "pad").numpy().any()


def test_both_work_inside_tf_data() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (10, 6), (10, 20, 30)).save(buffer, "PNG")
    dataset = tf.data.Dataset.from_tensors(buffer.getvalue()).map(
        lambda data: resize(decode_image(data, 3), 4, 4, "crop")
    )
    assert dataset.element_spec == tf.TensorSpec((4, 4, 3), tf.uint8)
    assert next(iter(dataset)).numpy()[0, 0].tolist() == [10, 20, 30]
