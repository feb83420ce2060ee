"""How tf.data may run: always the same order, and nothing sharded behind our back."""

from __future__ import annotations

import tensorflow as tf


def feeding_options() -> tf.data.Options:
    """Options for every dataset that is fed to a model."""
    options = tf.data.Options()
    options.deterministic = True
    # One host reads all: under a strategy each global batch is divided among its replicas.
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    return options
