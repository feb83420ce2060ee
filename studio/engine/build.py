"""From a plan to a model that fits its data."""

from __future__ import annotations

import keras

from studio.engine.zoo import ZOO
from studio.spec.model import ModelSpec
from studio.spec.plan import Plan


def build(plan: Plan) -> keras.Model:
    """The plan's model for the plan's images and classes, with its starting weights, not compiled.

    Call it under the strategy's scope, after the seed and the precision are set.

    Raises:
        StudioError: starting weights cannot be loaded.
    """
    return build_model(plan.spec.model, (plan.height, plan.width, plan.channels), plan.classes)


def build_model(spec: ModelSpec, shape: tuple[int, int, int], classes: int) -> keras.Model:
    """A model of the zoo for images of `shape` (height, width, channels) and that many classes.

    The spec must be resolved: name, dropout and weights are those of a plan.
    """
    return ZOO[str(spec.name)](spec, shape, classes)
