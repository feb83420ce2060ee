"""What must be known about a dataset before a run can be planned."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DataFacts:
    """Counts and shapes of one version of a dataset, as read from its index.

    Attributes:
        name: what a spec calls it.
        title: what the interface calls it.
        version: version of the dataset.
        classes: names in label order.
        splits: for each of `train`, `validation`, `test` that exists, the number of images of every class.
        height, width: pixels; None where the images differ in size.
        channels: 1 (grey) or 3 (RGB).
    """

    name: str
    title: str
    version: str
    classes: tuple[str, ...]
    splits: dict[str, tuple[int, ...]]
    height: int | None
    width: int | None
    channels: int

    @property
    def images(self) -> int:
        """All images of all splits."""
        return sum(sum(counts) for counts in self.splits.values())
