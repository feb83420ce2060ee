"""Broken builder directories are refused in one sentence that names the folder and the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.data.builder_folder import BrokenSet, read_builder_folder
from studio.data.writer import Picture, write_builder

CLASSES = ("a", "b", "c")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "toy" / "2.0.0"
    write_builder(path, {"train": [Picture(b"x", 0, "x")]}, classes=CLASSES, shape=(4, 5, 1), description="")
    return path


def test_a_whole_folder_is_understood(folder: Path) -> None:
    found = read_builder_folder(folder)
    assert (found.name, found.version, found.classes, found.class_count) == ("toy", "2.0.0", CLASSES, 3)
    assert (found.height, found.width, found.channels) == (4, 5, 1)
    assert [(shard.path.name, shard.examples) for shard in found.splits["train"]] == [
        ("toy-train.tfrecord-00000-of-00001", 1)
    ]


def _edit(file_name: str, **changes: object) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        content = json.loads((folder / file_name).read_text())
        (folder / file_name).write_text(json.dumps(content | changes))

    return edit


def _write(file_name: str, content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / file_name).write_bytes(content)


OUTSIDE = {"name": "train", "shardLengths": ["1"], "filepathTemplate": "../../{DATASET}"}


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda folder: (folder / "dataset_info.json").unlink(), "dataset_info.json is missing"),
        (lambda folder: (folder / "features.json").unlink(), "features.json is missing"),
        (lambda folder: next(folder.glob("*.tfrecord*")).unlink(), "00000-of-00001 is missing"),
        (_write("dataset_info.json", b'{"name": "to'), "dataset_info.json cannot be read"),
        (_write("dataset_info.json", b"[]"), "dataset_info.json cannot be read"),
        (_write("dataset_info.json", b"{}"), "is no set of images"),
        (_edit("dataset_info.json", splits=[OUTSIDE]), "names a file outside of itself"),
        (_edit("dataset_info.json", fileFormat="array_record"), "is stored as 'array_record'"),
        (_edit("features.json", featuresDict={"features": {"text": {}}}), "is no set of images"),
        (_write("label.labels.txt", b"a\nb\n"), "names 2 classes, 3 are expected"),
        (_write("label.labels.txt", b"a\nb\na\n"), "names a class twice"),
        (_write("label.labels.txt", b"a\nb\n\xff\xfe\n"), "is no UTF-8 text"),
        (_write("label.labels.txt", b"a\nb\n\x1b[2J\n"), "cannot be shown"),
        (_write("label.labels.txt", b"a\nb\n" + b"c" * 5000), "cannot be shown"),
    ],
)
def test_damage_is_one_sentence(folder: Path, damage: Callable[[Path], object], words: str) -> None:
    damage(folder)
    with pytest.raises(BrokenSet) as caught:
        read_builder_folder(folder)
    sentence = caught.value.sentence
    assert words in sentence
    assert str(folder) in sentence
    assert "\n" not in sentence
    assert "\x1b" not in sentence
    assert len(sentence) < 400


def test_class_names_are_any_text(folder: Path) -> None:
    names = ("<b>bold</b>", "👩‍🌾 farmer", "=cmd|' /C calc'!A0")
    (folder / "label.labels.txt").write_text("\n".join(names) + "\n")
    assert read_builder_folder(folder).classes == names
