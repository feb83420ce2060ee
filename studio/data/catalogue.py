"""The sets that can be chosen: what they are, where they are on this machine, and what is in them."""

from __future__ import annotations

from studio.data.index import open_index
from studio.data.on_disk import NotOnDisk, builder_dir
from studio.data.published import SETS, CatalogueEntry, entry
from studio.settings import Settings
from studio.spec.facts import DataFacts

__all__ = ["SETS", "CatalogueEntry", "NotOnDisk", "builder_dir", "entry", "facts", "published_facts"]


def facts(settings: Settings, name: str) -> DataFacts:
    """Counts and shapes of a set on this machine, from its index (made at the first call, about a second).

    Raises:
        NotOnDisk: it has to be downloaded first.
        BrokenSet, BrokenShard: it is incomplete or damaged.
        RequestError: the catalogue has no such set.
    """
    index = open_index(settings, name)
    return DataFacts(
        name=name,
        title=entry(name).title,
        version=index.version,
        classes=index.classes,
        splits={split: index.per_class(split) for split in index.splits},
        height=index.height,
        width=index.width,
        channels=index.channels,
    )


def published_facts(name: str) -> DataFacts:
    """What the publishers of a set say is in it, as if every class had the same number of images.

    Raises:
        RequestError: the catalogue has no such set.
    """
    said = entry(name)
    classes = len(said.classes)
    return DataFacts(
        name=name,
        title=said.title,
        version="as published",
        classes=said.classes,
        splits={
            split: tuple(images // classes + (label < images % classes) for label in range(classes))
            for split, images in said.images.items()
        },
        height=said.height,
        width=said.width,
        channels=said.channels,
    )
