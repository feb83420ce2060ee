"""State and prediction of a model under a TensorFlow strategy."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import tensorflow as tf

Tree = dict[str, Any]  # nested by names, NumPy arrays as leaves
OutOfMemory = tf.errors.ResourceExhaustedError  # what a step raises that does not fit on the device


def prepare_state(model: keras.Model, strategy: tf.distribute.Strategy, classes: int) -> None:
    """Make every variable of a compiled model exist: those of the optimizer and of the metrics too.

    Keras makes them at the first step; a checkpoint can only be put back into variables that are there. Call it
    under the strategy's scope.
    """
    model.optimizer.build(model.trainable_variables)
    labels, logits = tf.zeros((1,), tf.int32), tf.zeros((1, classes))

    @tf.function
    def measure() -> None:
        strategy.run(lambda: model.compute_metrics(None, labels, logits, None))

    measure()
    model.reset_metrics()


def read_state(model: keras.Model) -> Tree:
    """Weights, optimizer, metrics and seed generators of a compiled model, as NumPy arrays."""
    tree: Tree = model.get_state_tree("numpy_array")
    return tree


def write_state(model: keras.Model, tree: Tree) -> None:
    """Put back what `read_state` gave, or a part of it."""
    model.set_state_tree(tree)


def predict(model: keras.Model, images: np.ndarray) -> np.ndarray:
    """Probabilities, float64 (images, classes), for uint8 images (images, height, width, channels).

    Every replica computes all of them; the first one's answer is returned.
    """
    logits = np.asarray(model.predict_on_batch(images))[: len(images)].astype(np.float64)
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: np.ndarray = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities
