"""Images that do not fit in memory: read from disk in each epoch, mixed while still encoded, then decoded."""

from __future__ import annotations

from pathlib import Path

import tensorflow as tf

from studio.data.splits import Positions
from studio.engine.feeding import feeding_options
from studio.engine.reading import encoded, to_model_size
from studio.spec.plan import Plan


class StreamedPart:
    """Images of one role on disk.

    Args:
        folder: TFDS builder directory.
        part: which images of it.
        plan: says how they are decoded and resized.
        buffer: encoded images among which the next one is drawn; where all fit, the mixing is perfect.
    """

    def __init__(self, folder: Path, part: Positions, plan: Plan, buffer: int) -> None:
        self._source = encoded(folder, part)
        self._prepare = to_model_size(plan)
        self._count = len(part)
        self._buffer = min(buffer, len(part))

    def shuffled(self, *, batch: int, steps: int, seed: int, epochs: range, skip_steps: int) -> tf.data.Dataset:
        """Full batches of every epoch, each epoch in an order of its own that (seed, epoch) fixes."""

        def images_of(epoch: tf.Tensor) -> tf.data.Dataset:
            mixed = self._source.shuffle(self._buffer, seed=seed + epoch, reshuffle_each_iteration=False)
            # Whole batches only, so that batches of neighboring epochs do not mix below.
            return mixed.take(steps * batch)

        images = tf.data.Dataset.range(epochs.start, epochs.stop).flat_map(images_of)
        return (
            # What was seen before a stop is passed by while it is still encoded.
            images.skip(skip_steps * batch)
            .map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch, drop_remainder=True)
            .apply(tf.data.experimental.assert_cardinality(len(epochs) * steps - skip_steps))
            .prefetch(tf.data.AUTOTUNE)
            .with_options(feeding_options())
        )

    def in_order(self, *, batch: int, pad: bool) -> tf.data.Dataset:
        """Every image once. With `pad` the last batch is filled up with images of weight 0."""
        images = self._source.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        if pad:
            weighted = images.map(lambda image, label: (image, label, 1.0))
            filling = weighted.take(1).map(lambda image, label, _: (image, label, 0.0)).repeat(-self._count % batch)
            images = weighted.concatenate(filling)
        steps = -(-self._count // batch)
        return (
            images.batch(batch, drop_remainder=pad)
            .apply(tf.data.experimental.assert_cardinality(steps))
            .prefetch(tf.data.AUTOTUNE)
            .with_options(feeding_options())
        )

    def _decode(self, data: tf.Tensor, label: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return self._prepare(data), label
