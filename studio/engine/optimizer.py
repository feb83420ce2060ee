"""The optimizers a spec can name."""

from __future__ import annotations

import keras

from studio.spec.training import TrainingSpec


def make_optimizer(training: TrainingSpec) -> keras.optimizers.Optimizer:
    """The optimizer of a spec. Its name is the key of its state in a checkpoint."""
    rate = training.learning_rate
    match training.optimizer:
        case "adam":
            return keras.optimizers.Adam(rate, name="adam")
        case "adamw":
            return keras.optimizers.AdamW(rate, name="adamw")
        case "sgd":
            return keras.optimizers.SGD(rate, momentum=training.momentum, name="sgd")
        case "rmsprop":
            return keras.optimizers.RMSprop(rate, name="rmsprop")
