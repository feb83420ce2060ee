"""The models, one a file, named as in a spec.

All are of the same kind, so that training, prediction and export need to know only one:

- input `image`: uint8, (batch, height, width, channels), at the size of the plan; scaling is a layer inside;
- output `logits`: float32, (batch, classes), whatever the precision; the softmax is taken by the loss and by
  prediction, where it can be computed without losing digits;
- the model and all its layers have names of their own: they are the keys of a checkpoint;
- Keras layers only, no TensorFlow operations, so that every Keras backend can run them.
"""

from __future__ import annotations

from collections.abc import Callable

import keras

from studio.engine.zoo import cifar10_cnn, mnist_mlp, mobilenet_v2, small_cnn
from studio.spec.model import ModelSpec

Shape = tuple[int, int, int]  # height, width, channels

ZOO: dict[str, Callable[[ModelSpec, Shape, int], keras.Model]] = {
    "small_cnn": small_cnn.build,
    "mnist_mlp": mnist_mlp.build,
    "cifar10_cnn": cifar10_cnn.build,
    "mobilenet_v2": mobilenet_v2.build,
}
