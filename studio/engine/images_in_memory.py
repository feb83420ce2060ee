"""Decoded images held in memory: a batch is one gather, which costs next to nothing."""

from __future__ import annotations

import numpy as np
import tensorflow as tf


class ImagesInMemory:
    """Images of one role of a run.

    Args:
        images: uint8 (images, height, width, channels).
        labels: int32 (images,).
    """

    def __init__(self, images: np.ndarray, labels: np.ndarray) -> None:
        # On the host, wherever the model is: tf.data runs there.
        with tf.device("CPU:0"):
            self._images = tf.constant(images)
            self._labels = tf.constant(labels, tf.int32)

    def __len__(self) -> int:
        return len(self._labels)

    def fetch(self, rows: tf.data.Dataset, batch: int, whole_batches: bool = False) -> tf.data.Dataset:
        """The images and labels that rows of numbers name; see `ImagesOnDisk.fetch`."""
        options = tf.data.Options()
        # A copy of some kilobytes: handing it to more threads costs more than it saves.
        options.threading.private_threadpool_size = 1
        return rows.map(lambda row: (tf.gather(self._images, row), tf.gather(self._labels, row))).with_options(options)
