"""What somebody would write without the studio: the same models, data and batches in plain Keras.

python -m benchmarks.plain_keras mnist --pipeline cached --epochs 3

Prints one line of JSON: parameters, steps, and CPU seconds inside `fit` from the second epoch on. `overhead.py`
and `start_to_first_loss.py` compare the studio with it.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import keras
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
from keras import layers
from sklearn.datasets import load_digits

from studio.settings import Settings

BATCH = {"digits": 32, "mnist": 128, "cifar10": 128}


class Clock(keras.callbacks.Callback):
    """CPU seconds of this process, all threads, from the end of the first epoch to the end of `fit`."""

    cpu_seconds = 0.0

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        if epoch == 0:
            self._began = time.process_time()

    def on_train_end(self, logs: dict[str, float] | None = None) -> None:
        self.cpu_seconds = time.process_time() - self._began


def model(name: str) -> keras.Model:
    """The model of the recipe `name`, written out."""
    scale = layers.Rescaling(1 / 255)
    match name:
        case "digits":
            stack = [
                keras.Input((8, 8, 1)),
                scale,
                layers.Conv2D(32, 3, padding="same", activation="relu"),
                layers.MaxPooling2D(),
                layers.Conv2D(64, 3, padding="same", activation="relu"),
                layers.MaxPooling2D(),
                layers.Flatten(),
                layers.Dense(64, activation="relu"),
                layers.Dropout(0.3),
            ]
        case "mnist":
            stack = [
                keras.Input((28, 28, 1)),
                scale,
                layers.Flatten(),
                layers.Dense(512, activation="relu"),
                layers.Dropout(0.2),
                layers.Dense(512, activation="relu"),
                layers.Dropout(0.2),
            ]
        case "cifar10":
            stack = [
                keras.Input((32, 32, 3)),
                scale,
                layers.Conv2D(32, 3, activation="relu"),
                layers.MaxPooling2D(),
                layers.Conv2D(64, 3, activation="relu"),
                layers.MaxPooling2D(),
                layers.Conv2D(64, 3, activation="relu"),
                layers.Flatten(),
                layers.Dense(64, activation="relu"),
            ]
        case _:
            raise ValueError(f"no plain model for {name!r}")
    return keras.Sequential([*stack, layers.Dense(10)])


def datasets(name: str, pipeline: str) -> tuple[tf.data.Dataset, tf.data.Dataset]:
    """Training and validation batches: 90 % and 10 % of the training images.

    `cached` keeps the decoded images in memory and shuffles all of them; `article` decodes them anew in each
    epoch and shuffles 1,024 at a time, as many tutorials do.
    """
    if name == "digits":
        digits = load_digits()
        images = (digits.images[..., np.newaxis] * (255 / 16)).round().astype(np.uint8)
        whole = tf.data.Dataset.from_tensor_slices((images[:1527], digits.target[:1527]))
        train, validation = whole.take(1257), whole.skip(1257)
    else:
        train, validation = tfds.load(
            name,
            split=["train[:90%]", "train[90%:]"],
            data_dir=Settings.load().data_dir,
            as_supervised=True,
            download=False,
        )
    batch = BATCH[name]
    if pipeline == "cached":
        train, validation = train.cache(), validation.cache()
        train = train.shuffle(len(train))
    else:
        train = train.shuffle(1024)
    return (
        train.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE),
        validation.batch(batch).prefetch(tf.data.AUTOTUNE),
    )


def train(name: str, pipeline: str, epochs: int) -> dict[str, Any]:
    """Train and give the figures of the module's docstring."""
    keras.utils.set_random_seed(7)
    training, validation = datasets(name, pipeline)
    plain = model(name)
    plain.compile(
        optimizer=keras.optimizers.Adam(0.001),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    clock = Clock()
    plain.fit(training, validation_data=validation, epochs=epochs, callbacks=[clock], verbose=0)
    return {
        "parameters": plain.count_params(),
        "steps": len(training) * epochs,
        "cpu_seconds": clock.cpu_seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=sorted(BATCH))
    parser.add_argument("--pipeline", choices=["cached", "article"], default="cached")
    parser.add_argument("--epochs", type=int, default=3)
    choice = parser.parse_args()
    print(json.dumps(train(choice.name, choice.pipeline, choice.epochs)))


if __name__ == "__main__":
    main()
