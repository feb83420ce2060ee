"""Which model learns."""

from __future__ import annotations

from typing import Literal

from studio.spec.fields import Spec, setting

ModelName = Literal["small_cnn", "mnist_mlp", "cifar10_cnn", "mobilenet_v2"]


class ModelSpec(Spec):
    """The model of a run. A setting that the chosen model does not have must stay at its default."""

    name: ModelName | None = setting(
        None,
        "Model",
        "The network that learns; without a choice one that fits the images is taken.",
    )
    dropout: float | None = setting(
        None,
        "Dropout",
        "Switches off this share of the values at random in training, so that the model does not rely on single ones.",
        ge=0.0,
        le=0.9,
    )
    batch_normalization: bool = setting(
        False,
        "Batch normalization",
        "Keeps the values inside the network in a healthy range using the batch's mean and spread.",
    )
    weights: Literal["imagenet", "random"] | None = setting(
        None,
        "Starting weights",
        "Where a pretrained part starts from: what it learned on ImageNet, or random numbers.",
    )
    width: float = setting(
        1.0,
        "Width",
        "Multiplies the number of channels in every layer of the backbone; a smaller one is faster and a little "
        "less accurate.",
        choices=(0.35, 1.0),
    )
    train_backbone: bool = setting(
        False,
        "Train the backbone",
        "Also changes the weights of the pretrained part; without it only the new last layers learn, which is "
        "fast and right for small datasets.",
    )
