"""What a TFDS builder directory says about itself, read from its metadata without TensorFlow."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.errors import RequestError

INFO_FILE = "dataset_info.json"
FEATURES_FILE = "features.json"
LABELS_FILE = "label.labels.txt"
LONGEST_CLASS_NAME = 200  # characters


class BrokenSet(RequestError):
    """A dataset on disk is incomplete or damaged."""


@dataclass(frozen=True)
class Shard:
    """One file of a split and the number of examples that it must hold."""

    path: Path
    examples: int


@dataclass(frozen=True)
class BuilderFolder:
    """One version of a set: its shards in reading order, its classes and the shape of its images.

    Attributes:
        classes: names in label order; None where the set keeps no names.
        class_count: number of classes.
        height, width: pixels, None where the images differ.
        channels: 1 (grey) or 3 (RGB).
    """

    path: Path
    name: str
    version: str
    splits: dict[str, tuple[Shard, ...]]
    classes: tuple[str, ...] | None
    class_count: int
    height: int | None
    width: int | None
    channels: int


def read_builder_folder(path: Path) -> BuilderFolder:
    """Read and check the metadata of a TFDS builder directory with the features `image` and `label`.

    Raises:
        BrokenSet: a file is missing or cannot be understood; the sentence names it.
    """
    info, features = _json(path, INFO_FILE), _json(path, FEATURES_FILE)
    try:
        if info.get("fileFormat", "tfrecord") != "tfrecord":
            raise broken(path, f"is stored as {info['fileFormat']!r}, and only tfrecord can be read")
        named = features["featuresDict"]["features"]
        shape = named["image"]["image"]["shape"]["dimensions"]
        height, width, channels = (None if int(side) < 1 else int(side) for side in shape)
        class_count = int(named["label"]["classLabel"]["numClasses"])
        splits = {split["name"]: _shards(path, str(info["name"]), split) for split in info["splits"]}
        version = str(info["version"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise broken(path, "is no set of images with one label each", detail=repr(error)) from error
    if channels not in (1, 3):
        raise broken(path, f"has images of {channels} channels, and only grey and RGB can be used")
    return BuilderFolder(
        path=path,
        name=str(info["name"]),
        version=version,
        splits=splits,
        classes=_class_names(path, class_count),
        class_count=class_count,
        height=height,
        width=width,
        channels=channels,
    )


def broken(path: Path, what: str, detail: str = "") -> BrokenSet:
    """The sentence for a set on disk that cannot be used."""
    return BrokenSet(f"The dataset in {path} {what}; delete that folder and get the dataset again.", detail=detail)


def _json(path: Path, file_name: str) -> dict[str, Any]:
    try:
        value = json.loads((path / file_name).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise broken(path, f"is incomplete ({file_name} is missing)") from error
    except (OSError, ValueError) as error:
        raise broken(path, f"is damaged ({file_name} cannot be read)", detail=repr(error)) from error
    if not isinstance(value, dict):
        raise broken(path, f"is damaged ({file_name} cannot be read)")
    return value


def _shards(path: Path, name: str, split: dict[str, Any]) -> tuple[Shard, ...]:
    lengths = [int(length) for length in split["shardLengths"]]
    template = split.get("filepathTemplate", "{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}")
    shards = []
    for number, length in enumerate(lengths):
        file_name = template
        for key, value in (
            ("{DATASET}", name),
            ("{SPLIT}", split["name"]),
            ("{FILEFORMAT}", "tfrecord"),
            ("{SHARD_X_OF_Y}", f"{number:05d}-of-{len(lengths):05d}"),
        ):
            file_name = file_name.replace(key, value)
        if Path(file_name).name != file_name:
            raise broken(path, f"names a file outside of itself ({file_name})")
        if not (path / file_name).is_file():
            raise broken(path, f"is incomplete ({file_name} is missing)")
        shards.append(Shard(path / file_name, length))
    return tuple(shards)


def _class_names(path: Path, count: int) -> tuple[str, ...] | None:
    """The names of the classes as TFDS reads them: one a line, outer blanks and empty lines dropped."""
    file = path / LABELS_FILE
    if not file.exists():
        return None
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise broken(path, f"is damaged ({LABELS_FILE} is no UTF-8 text)", detail=repr(error)) from error
    names = tuple(line.strip() for line in lines if line.strip())
    if len(names) != count:
        raise broken(path, f"is damaged ({LABELS_FILE} names {len(names)} classes, {count} are expected)")
    if len(set(names)) < count:
        raise broken(path, f"is damaged ({LABELS_FILE} names a class twice)")
    for name in names:
        if len(name) > LONGEST_CLASS_NAME or any(unicodedata.category(sign) == "Cc" for sign in name):
            raise broken(path, f"has a class name that cannot be shown ({name[:40]!r})")
    return names
