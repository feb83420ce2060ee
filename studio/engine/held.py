"""Images held in memory: a batch is one gather, which costs next to nothing."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from studio.engine.feeding import feeding_options


class HeldPart:
    """Decoded images of one role, uint8 (images, height, width, channels), with their labels, int32 (images,)."""

    def __init__(self, images: np.ndarray, labels: np.ndarray) -> None:
        # On the host, wherever the model is: tf.data runs there.
        with tf.device("CPU:0"):
            self._images = tf.constant(images)
            self._labels = tf.constant(labels, tf.int32)
        self._count = len(images)

    def shuffled(self, *, batch: int, steps: int, seed: int, epochs: range, skip_steps: int) -> tf.data.Dataset:
        """Full batches of every epoch, each epoch in an order of its own that (seed, epoch) fixes."""

        def order_of(epoch: tf.Tensor) -> tf.data.Dataset:
            order = tf.random.experimental.stateless_shuffle(
                tf.range(self._count), seed=tf.stack([tf.constant(seed, tf.int64), epoch]), alg="philox"
            )
            return tf.data.Dataset.from_tensor_slices(tf.reshape(order[: steps * batch], (steps, batch)))

        return (
            tf.data.Dataset.range(epochs.start, epochs.stop)
            .flat_map(order_of)
            .skip(skip_steps)
            .map(self._gather)
            .apply(tf.data.experimental.assert_cardinality(len(epochs) * steps - skip_steps))
            .prefetch(2)
            .with_options(feeding_options())
        )

    def in_order(self, *, batch: int, pad: bool) -> tf.data.Dataset:
        """Every image once. With `pad` the last batch is filled up with images of weight 0."""
        steps = -(-self._count // batch)

        def batch_of(step: tf.Tensor) -> tuple[tf.Tensor, ...]:
            rows = tf.range(step * batch, (step + 1) * batch if pad else tf.minimum((step + 1) * batch, self._count))
            if not pad:
                return self._gather(rows)
            rows = tf.ensure_shape(rows, (batch,))
            return *self._gather(tf.minimum(rows, self._count - 1)), tf.cast(rows < self._count, tf.float32)

        return tf.data.Dataset.range(steps).map(batch_of).prefetch(2).with_options(feeding_options())

    def _gather(self, rows: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return tf.gather(self._images, rows), tf.gather(self._labels, rows)
