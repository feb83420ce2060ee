"""Ready choices of data, model and settings: the cards of Home and `train --recipe`."""

from __future__ import annotations

from dataclasses import dataclass

from studio.errors import RequestError
from studio.spec.data import DataSpec
from studio.spec.model import ModelSpec
from studio.spec.run import RunSpec
from studio.spec.training import TrainingSpec


@dataclass(frozen=True)
class Recipe:
    """A complete spec with a title and a sentence for a person who has not seen it before."""

    name: str
    title: str
    sentence: str
    spec: RunSpec


RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "digits",
            "Handwritten digits",
            "Real scanned digits, small enough to watch every epoch.",
            RunSpec(
                data=DataSpec(dataset="digits"),
                model=ModelSpec(name="small_cnn"),
                training=TrainingSpec(epochs=40, batch_size=32),
            ),
        ),
        Recipe(
            "mnist",
            "MNIST in four steps",
            "The classic set and the classic first network.",
            RunSpec(
                data=DataSpec(dataset="mnist"),
                model=ModelSpec(name="mnist_mlp", dropout=0.2),
                training=TrainingSpec(epochs=8, batch_size=128),
            ),
        ),
        Recipe(
            "cifar10",
            "CIFAR-10 CNN",
            "Small color photos of animals and vehicles.",
            RunSpec(
                data=DataSpec(dataset="cifar10"),
                model=ModelSpec(name="cifar10_cnn"),
                training=TrainingSpec(epochs=10, batch_size=128),
            ),
        ),
        Recipe(
            "flowers",
            "Flower photos",
            "A network that knows a million photos learns five flowers.",
            RunSpec(
                data=DataSpec(dataset="tf_flowers", image_size=160),
                model=ModelSpec(name="mobilenet_v2", weights="imagenet"),
                training=TrainingSpec(epochs=3, batch_size=32),
            ),
        ),
    )
}


def recipe(name: str) -> Recipe:
    """The recipe of that name.

    Raises:
        RequestError: there is none; the sentence lists those there are.
    """
    if name not in RECIPES:
        raise RequestError(f"There is no recipe {name!r}; there are {', '.join(RECIPES)}.")
    return RECIPES[name]
