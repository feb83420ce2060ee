"""What the interface, the checks and the builder know about each model, without building it.

The layers themselves are in studio/engine/zoo, one file a model, named as here.
"""

from __future__ import annotations

from dataclasses import dataclass

MOBILENET_SIZES = (96, 128, 160, 192, 224)  # sides for which Keras publishes MobileNetV2 weights


@dataclass(frozen=True)
class ModelCard:
    """One model of the zoo.

    Attributes:
        title: its name in the interface.
        sentence: what it is and when to use it.
        smallest: smallest side of an image it accepts, in pixels.
        default_size: side used for images of different sizes, in pixels.
        dropout: share that is dropped by default; None where the model has no dropout layer.
        batch_normalization: whether batch normalization is an option.
        pretrained: whether it has a backbone with ImageNet weights.
    """

    title: str
    sentence: str
    smallest: int
    default_size: int
    dropout: float | None
    batch_normalization: bool = False
    pretrained: bool = False

    @property
    def in_sentence(self) -> str:
        """The title as it stands inside a sentence: `small CNN`, but `MobileNetV2`."""
        return self.title[0].lower() + self.title[1:] if self.title.split()[0].istitle() else self.title


MODELS: dict[str, ModelCard] = {
    "small_cnn": ModelCard(
        title="Small CNN",
        sentence="Two convolutions and a small head; learns small images in seconds.",
        smallest=8,
        default_size=96,
        dropout=0.3,
        batch_normalization=True,
    ),
    "mnist_mlp": ModelCard(
        title="MLP",
        sentence="Two dense layers on the plain pixels; the classic first network, for small centered images.",
        smallest=8,
        default_size=32,
        dropout=0.0,
    ),
    "cifar10_cnn": ModelCard(
        title="CIFAR-10 CNN",
        sentence="Three convolutions and a dense layer; for small color images with more variety.",
        smallest=18,
        default_size=32,
        dropout=None,
    ),
    "mobilenet_v2": ModelCard(
        title="MobileNetV2",
        sentence="A network that has learned a million photos; its last layer is trained on yours.",
        smallest=32,
        default_size=160,
        dropout=0.2,
        pretrained=True,
    ),
}


def mobilenet_weights_file(width: float, image_height: int, image_width: int) -> str:
    """Name of the file in which Keras publishes MobileNetV2's ImageNet weights without its top.

    Keras takes the weights of 224 pixels for images that are not square or of a side it has none for
    (`keras.applications.mobilenet_v2`).
    """
    side = image_height if image_height == image_width and image_height in MOBILENET_SIZES else 224
    return f"mobilenet_v2_weights_tf_dim_ordering_tf_kernels_{width}_{side}_no_top.h5"
