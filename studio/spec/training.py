"""How a model is trained: the settings of the Train page."""

from __future__ import annotations

from typing import Literal

from studio.spec.fields import Spec, setting

Precision = Literal["float32", "mixed_bfloat16", "mixed_float16"]
StrategyName = Literal["auto", "tpu", "gpu", "cpu", "virtual"]


class TrainingSpec(Spec):
    """How long, how fast and on what a model is trained."""

    epochs: int = setting(10, "Epochs", "How many times the model sees every training image.", ge=1, le=100_000)
    batch_size: int = setting(
        32,
        "Global batch size",
        "Images per training step over all replicas together; larger is faster on TPUs and GPUs but gives fewer "
        "updates per epoch.",
        unit="images",
        ge=1,
        le=65_536,
    )
    learning_rate: float = setting(
        0.001,
        "Learning rate",
        "How far the weights move at each step; too high makes the loss jump or explode, too low makes it crawl.",
        gt=0.0,
        le=100.0,
    )
    optimizer: Literal["adam", "adamw", "sgd", "rmsprop"] = setting(
        "adam", "Optimizer", "The rule that turns gradients into changes of the weights."
    )
    momentum: float = setting(
        0.9,
        "Momentum",
        "How much of the last change SGD carries into the next one; the other optimizers do not use it.",
        ge=0.0,
        le=0.999,
    )
    precision: Precision = setting(
        "float32",
        "Precision",
        "The number format of the arithmetic; weights are always kept in float32.",
    )
    strategy: StrategyName = setting(
        "auto",
        "Run on",
        "Which devices hold a copy of the model and how they share each batch; the best one found here is chosen.",
    )
    replicas: int | None = setting(
        None,
        "Replicas",
        "Copies of the model that train together, each on its part of the batch, and exchange gradients after "
        "every step.",
        ge=1,
        le=4096,
    )
    seed: int = setting(
        7,
        "Seed",
        "Start of all random choices; the same seed, data and machine give the same numbers on a CPU and nearly "
        "the same on other devices.",
        ge=0,
        le=2**31 - 1,
    )
    share: float = setting(
        1.0,
        "Share of the training images",
        "Trains on this part of the training images only, the same part of every class; validation stays whole.",
        gt=0.0,
        le=1.0,
    )
