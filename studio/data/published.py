"""The catalogue as the publishers of the sets describe them."""

from __future__ import annotations

from dataclasses import dataclass

from studio.data import digits, shapes
from studio.errors import RequestError


@dataclass(frozen=True)
class CatalogueEntry:
    """A set as its publishers describe it; `facts` counts what is really on disk.

    Attributes:
        name: what a spec and TFDS call it.
        title: what the interface calls it.
        sentence: what the images show.
        license, homepage: as stated by the publishers.
        built_in: needs no network.
        images: published number of images of every split.
        classes: names in label order.
        height, width: pixels, None where the images differ in size.
        channels: 1 (grey) or 3 (RGB).
        download_bytes: size of the download, 0 for a built-in set.
    """

    name: str
    title: str
    sentence: str
    license: str
    homepage: str
    built_in: bool
    images: dict[str, int]
    classes: tuple[str, ...]
    height: int | None
    width: int | None
    channels: int
    download_bytes: int = 0


# Numbers of images, class names and shapes: the TFDS catalogue (tensorflow.org/datasets/catalog/NAME).
# Download sizes: the sum of the files in TFDS' own checksum list of the set (tensorflow_datasets 4.9.10).
# Licenses: the home page given; "not stated" where it says nothing.
_ENTRIES = (
    CatalogueEntry(
        name="digits",
        title="Handwritten digits",
        sentence="Small scans of digits written by 43 people; the first set to try, on this machine already.",
        license="CC BY 4.0",
        homepage="https://archive.ics.uci.edu/dataset/80",
        built_in=True,
        images={"train": 1_257, "validation": 270, "test": 270},
        classes=digits.CLASSES,
        height=digits.SIDE,
        width=digits.SIDE,
        channels=1,
    ),
    CatalogueEntry(
        name="shapes",
        title="Colored shapes",
        sentence="Simple shapes in random colors, drawn by the studio itself.",
        license="none needed, made on this machine",
        homepage="",
        built_in=True,
        images={split: count * len(shapes.CLASSES) for split, count in shapes.PER_CLASS.items()},
        classes=shapes.CLASSES,
        height=shapes.SIDE,
        width=shapes.SIDE,
        channels=3,
    ),
    CatalogueEntry(
        name="mnist",
        title="MNIST",
        sentence="Handwritten digits, the classic first set of machine learning.",
        license="CC BY-SA 3.0",
        homepage="http://yann.lecun.com/exdb/mnist/",
        built_in=False,
        images={"train": 60_000, "test": 10_000},
        classes=tuple("0123456789"),
        height=28,
        width=28,
        channels=1,
        download_bytes=11_594_722,
    ),
    CatalogueEntry(
        name="fashion_mnist",
        title="Fashion-MNIST",
        sentence="Pictures of clothes in the format of MNIST, and harder.",
        license="MIT",
        homepage="https://github.com/zalandoresearch/fashion-mnist",
        built_in=False,
        images={"train": 60_000, "test": 10_000},
        classes=(
            "T-shirt/top",
            "Trouser",
            "Pullover",
            "Dress",
            "Coat",
            "Sandal",
            "Shirt",
            "Sneaker",
            "Bag",
            "Ankle boot",
        ),
        height=28,
        width=28,
        channels=1,
        download_bytes=30_878_645,
    ),
    CatalogueEntry(
        name="cifar10",
        title="CIFAR-10",
        sentence="Small color photos of animals and vehicles.",
        license="not stated",
        homepage="https://www.cs.toronto.edu/~kriz/cifar.html",
        built_in=False,
        images={"train": 50_000, "test": 10_000},
        classes=(
            "airplane",
            "automobile",
            "bird",
            "cat",
            "deer",
            "dog",
            "frog",
            "horse",
            "ship",
            "truck",
        ),
        height=32,
        width=32,
        channels=3,
        download_bytes=170_052_171,
    ),
    CatalogueEntry(
        name="tf_flowers",
        title="Flower photos",
        sentence="Photos of five kinds of flowers in many sizes.",
        license="CC BY 2.0",
        homepage="https://www.tensorflow.org/tutorials/load_data/images",
        built_in=False,
        images={"train": 3_670},
        classes=("dandelion", "daisy", "tulips", "sunflowers", "roses"),
        height=None,
        width=None,
        channels=3,
        download_bytes=228_813_984,
    ),
)
SETS: dict[str, CatalogueEntry] = {entry.name: entry for entry in _ENTRIES}


def entry(name: str) -> CatalogueEntry:
    """What the catalogue says about a set.

    Raises:
        RequestError: there is no such set; the sentence lists those there are.
    """
    if name not in SETS:
        raise RequestError(f"data.dataset is {name!r}, which is not known; choose one of {', '.join(SETS)}.")
    return SETS[name]
