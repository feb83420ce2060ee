"""Which images are learned from, and at which size."""

from __future__ import annotations

from typing import Literal

from studio.spec.fields import Spec, setting


class DataSpec(Spec):
    """The dataset of a run and what happens to its images before the model sees them."""

    dataset: str = setting(
        ...,
        "Dataset",
        "The set of labeled images to learn from.",
        min_length=1,
        max_length=100,
    )
    image_size: int | None = setting(
        None,
        "Image size",
        "Every image is brought to this size before the model sees it; larger shows more detail and costs time "
        "with the square of the side.",
        unit="pixels",
        ge=8,
        le=512,
    )
    resize: Literal["stretch", "crop", "pad"] = setting(
        "stretch",
        "Resize",
        "How an image of another shape is brought to a square: stretched, cut at the longer sides, or padded "
        "with black.",
    )
    validation_share: float = setting(
        0.1,
        "Validation split",
        "Images kept out of training to measure progress; the same share of every class, chosen by the seed. "
        "Sets that come with a validation split keep it.",
        ge=0.01,
        le=0.5,
    )
