"""Which images stand in which batch: rows of numbers, a function of seed and epoch alone."""

from __future__ import annotations

import tensorflow as tf


def shuffled(count: int, *, batch: int, steps: int, seed: int, epochs: range, skip_steps: int = 0) -> tf.data.Dataset:
    """Full batches of every epoch, each epoch in an order of its own.

    Args:
        count: number of images; a row names some of 0 … count - 1.
        batch: images in a batch.
        steps: batches in an epoch; what is over is left out, other images in each epoch.
        seed: with the number of the epoch, fixes the order.
        epochs: the epochs to give, one after the other.
        skip_steps: batches at the beginning that are left out, because they were seen before a stop.

    Returns:
        A dataset of `len(epochs) * steps - skip_steps` rows, int32 (batch,).
    """

    def rows_of(epoch: tf.Tensor) -> tf.data.Dataset:
        order = tf.random.experimental.stateless_shuffle(
            tf.range(count), seed=tf.stack([tf.constant(seed, tf.int64), epoch]), alg="philox"
        )
        return tf.data.Dataset.from_tensor_slices(tf.reshape(order[: steps * batch], (steps, batch)))

    return tf.data.Dataset.range(epochs.start, epochs.stop).flat_map(rows_of).skip(skip_steps)


def ascending(count: int, *, batch: int) -> tf.data.Dataset:
    """Every image once: rows int32 (batch,), of which the last may be shorter."""
    return tf.data.Dataset.range(-(-count // batch)).map(
        lambda step: tf.range(tf.cast(step, tf.int32) * batch, tf.minimum((tf.cast(step, tf.int32) + 1) * batch, count))
    )


def ascending_padded(count: int, *, batch: int) -> tf.data.Dataset:
    """Every image once: (row int32 (batch,), weights float32 (batch,)).

    The last row is filled up with the last image, at weight 0.
    """

    def padded(step: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        row = tf.cast(step, tf.int32) * batch + tf.range(batch)
        return tf.minimum(row, count - 1), tf.cast(row < count, tf.float32)

    return tf.data.Dataset.range(-(-count // batch)).map(padded)
