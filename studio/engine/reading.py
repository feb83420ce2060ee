"""Read the pictures of a dataset on disk, encoded or decoded, in the order of its index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

from studio.data.builder_folder import broken
from studio.data.splits import Positions
from studio.engine.pixels import decode_image, resize
from studio.errors import StudioError
from studio.spec.plan import Plan

READ_AT_ONCE = 64  # images between two reports of progress


def encoded(folder: Path, part: Positions) -> tf.data.Dataset:
    """The pictures of a part as (PNG or JPEG bytes, label int32), by ascending position.

    TFDS reads the files and leaves the pictures alone: its own decoding gives other pixels than Pillow's.
    """
    examples = tfds.builder_from_directory(folder).as_dataset(
        split=part.split,
        shuffle_files=False,
        decoders={"image": tfds.decode.SkipDecoding()},
        # One shard after the other, so that the n-th example read is position n of the index.
        read_config=tfds.ReadConfig(interleave_cycle_length=1, try_autocache=False, skip_prefetch=True),
    )
    wanted = np.zeros(len(examples), dtype=bool)
    wanted[part.positions] = True
    if not wanted.all():
        mask = tf.constant(wanted)
        examples = examples.enumerate().filter(lambda number, _: mask[number]).map(lambda _, example: example)
    return examples.map(lambda example: (example["image"], tf.cast(example["label"], tf.int32)))


def to_model_size(plan: Plan) -> Callable[[tf.Tensor], tf.Tensor]:
    """The function from an encoded picture to uint8 (height, width, channels) as the plan's model takes it."""
    return lambda data: resize(decode_image(data, plan.channels), plan.height, plan.width, plan.spec.data.resize)


def decoded(folder: Path, part: Positions, plan: Plan, report: Callable[[int], None]) -> np.ndarray:
    """The pictures of a part in memory, uint8 (images, height, width, channels), by ascending position.

    Args:
        report: is told the number of images read so far; what it raises ends the reading.

    Raises:
        StudioError: a picture or a file cannot be read.
    """
    images = np.empty((len(part), plan.height, plan.width, plan.channels), np.uint8)
    prepare = to_model_size(plan)
    batches = (
        encoded(folder, part)
        .map(lambda data, _: prepare(data), num_parallel_calls=tf.data.AUTOTUNE)
        .batch(READ_AT_ONCE)
        .prefetch(2)
    )
    done = 0
    try:
        for batch in batches.as_numpy_iterator():
            images[done : done + len(batch)] = batch
            done += len(batch)
            report(done)
    except (tf.errors.InvalidArgumentError, tf.errors.DataLossError) as error:
        raise StudioError(
            f"A picture of the dataset in {folder} cannot be decoded (after {done:,} good ones); "
            "delete that folder and get the dataset again.",
            detail=str(error),
        ) from error
    if done < len(part):
        raise broken(folder, f"holds {done:,} of {len(part):,} images")
    return images
