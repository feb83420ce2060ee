"""The index answers for every example, follows changed files, and never writes into a data folder."""

from __future__ import annotations

import dataclasses
import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from studio.data import index as index_module
from studio.data import published
from studio.data.builder_folder import BrokenSet
from studio.data.catalogue import facts
from studio.data.images import to_png
from studio.data.index import open_index, read_image_bytes
from studio.data.tfrecord import BrokenShard, frame
from studio.data.writer import Picture, write_builder
from studio.settings import Settings

CLASSES = ("red", "green", "blue")


def _picture(number: int, label: int | None = None) -> Picture:
    color = [0, 0, 0]
    color[number % 3] = 200
    size = (10 + number % 2, 12)
    data = to_png(Image.new("RGB", size, (color[0], color[1], color[2])))
    return Picture(data, number % 3 if label is None else label, f"{number}.png")


def _write(settings: Settings, count: int = 30, label: int | None = None) -> Path:
    folder = settings.data_dir / "toy" / "1.0.0"
    write_builder(
        folder,
        {"train": [_picture(n, label) for n in range(count)], "test": [_picture(n) for n in range(6)]},
        classes=CLASSES,
        shape=(None, None, 3),
        description="",
        images_per_shard=7,
    )
    return folder


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    made = dataclasses.replace(published.SETS["tf_flowers"], name="toy", title="Toy", classes=CLASSES)
    monkeypatch.setitem(published.SETS, "toy", made)


def test_every_example_is_there_in_reading_order(settings: Settings) -> None:
    _write(settings)
    index = open_index(settings, "toy")
    assert (index.count(), index.count("train"), index.count("test", 1)) == (36, 30, 2)
    assert index.labels("train").tolist() == [n % 3 for n in range(30)]
    assert index.per_class("test") == (2, 2, 2)
    assert index.rows("test").tolist() == list(range(30, 36))
    examples = index.page("train", None, 0, 100)
    assert [example.name for example in examples] == [f"{n}.png" for n in range(30)]
    assert [read_image_bytes(example) for example in examples] == [_picture(n).data for n in range(30)]
    assert {(example.width, example.height) for example in examples} == {(10, 12), (11, 12)}
    assert index.sizes("train") == [(10, 12, 15), (11, 12, 15)]
    assert index.get(31) == index.page("test", None, 1, 1)[0]
    with pytest.raises(KeyError):
        index.get(36)


def test_equal_pictures_have_equal_hashes(settings: Settings) -> None:
    _write(settings)
    examples = open_index(settings, "toy").page(None, None, 0, 100)
    hashes = {example.content_hash for example in examples}
    assert len(hashes) == len({read_image_bytes(example) for example in examples}) == 6


def test_sample_is_seeded_and_filtered(settings: Settings) -> None:
    _write(settings)
    index = open_index(settings, "toy")
    rows = [example.row for example in index.sample("train", 16, seed=1)]
    assert len(set(rows)) == 16
    assert rows == [example.row for example in index.sample("train", 16, seed=1)]
    assert rows != [example.row for example in index.sample("train", 16, seed=2)]
    assert {example.label for example in index.sample("train", 16, seed=1, label=2)} == {2}
    assert len(index.sample("test", 16, seed=1)) == 6


def test_pages_do_not_overlap(settings: Settings) -> None:
    _write(settings)
    index = open_index(settings, "toy")
    rows = [example.row for start in (0, 4, 8) for example in index.page("train", 1, start, 4)]
    assert rows == [n for n in range(30) if n % 3 == 1]


def test_facts_are_what_is_on_disk(settings: Settings) -> None:
    _write(settings)
    found = facts(settings, "toy")
    assert (found.title, found.version, found.classes) == ("Toy", "1.0.0", CLASSES)
    assert found.splits == {"train": (10, 10, 10), "test": (2, 2, 2)}
    assert (found.height, found.width, found.channels) == (None, None, 3)


def test_a_set_without_class_names_gets_those_of_the_catalogue(settings: Settings) -> None:
    (_write(settings) / "label.labels.txt").unlink()
    assert open_index(settings, "toy").classes == CLASSES


def test_a_second_look_does_not_scan(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(settings)
    open_index(settings, "toy")
    monkeypatch.setattr(index_module, "scan", None)
    assert open_index(settings, "toy").count() == 36


def test_a_changed_folder_gets_a_new_index_in_place_of_the_old(settings: Settings) -> None:
    folder = _write(settings)
    assert open_index(settings, "toy").count("train") == 30
    folder.rename(folder.with_name("old"))
    _write(settings, count=9)
    assert open_index(settings, "toy").count("train") == 9
    assert len(list(settings.indexes.iterdir())) == 1


def test_a_file_of_another_time_is_scanned_again(settings: Settings) -> None:
    shard = next(_write(settings).glob("toy-train*-00001-of-*"))
    open_index(settings, "toy")
    (first,) = settings.indexes.iterdir()
    os.utime(shard, ns=(0, shard.stat().st_mtime_ns + 1_000_000))
    open_index(settings, "toy")
    assert list(settings.indexes.iterdir()) != [first]


def test_a_data_folder_is_not_written_to(settings: Settings) -> None:
    folder = _write(settings)
    before = {path: path.stat().st_mtime_ns for path in settings.data_dir.rglob("*")}
    facts(settings, "toy")
    assert {path: path.stat().st_mtime_ns for path in settings.data_dir.rglob("*")} == before
    assert not list(folder.glob("*.sqlite"))


def test_a_failed_scan_leaves_no_index(settings: Settings) -> None:
    shard = next(_write(settings).glob("toy-train*-00002-of-*"))
    shard.write_bytes(shard.read_bytes()[:-9])
    with pytest.raises(BrokenShard, match=f"{shard.name} is cut off; delete its folder"):
        open_index(settings, "toy")
    assert list(settings.indexes.iterdir()) == []


def test_missing_records_are_noticed(settings: Settings) -> None:
    shard = next(_write(settings).glob("toy-train*-00001-of-*"))
    shard.write_bytes(b"")
    with pytest.raises(BrokenSet, match=r"is incomplete \(toy-train.* holds 0 of 6 examples\)"):
        open_index(settings, "toy")


def test_a_label_outside_of_the_classes_is_refused(settings: Settings) -> None:
    _write(settings, label=3)
    with pytest.raises(BrokenSet, match="has a label 3 where 0 to 2 are allowed"):
        open_index(settings, "toy")


def test_a_record_that_is_no_image_is_refused(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.data.writer.frame", lambda payload: frame(b"junk"))
    _write(settings)
    with pytest.raises(BrokenSet, match=r"is damaged \(example 1 of toy-train"):
        open_index(settings, "toy")


def test_a_file_lost_since_is_one_sentence(settings: Settings) -> None:
    _write(settings)
    example = open_index(settings, "toy").get(0)
    os.truncate(example.shard, 100)
    with pytest.raises(BrokenSet, match="has become shorter"):
        read_image_bytes(example)
    example.shard.unlink()
    with pytest.raises(BrokenSet, match="has lost"):
        read_image_bytes(example)


def test_real_sets(settings: Settings, tfds_dir: Path) -> None:
    settings = dataclasses.replace(settings, data_dir=tfds_dir)
    mnist = facts(settings, "mnist")
    assert mnist.classes == tuple("0123456789")  # the set itself keeps no names
    assert {split: sum(counts) for split, counts in mnist.splits.items()} == {"train": 60_000, "test": 10_000}
    flowers = open_index(settings, "tf_flowers")
    assert flowers.classes == ("dandelion", "daisy", "tulips", "sunflowers", "roses")
    for example in flowers.sample("train", 5, seed=0):
        with Image.open(io.BytesIO(read_image_bytes(example))) as image:
            assert image.size == (example.width, example.height)
    assert np.sum([count for *_, count in flowers.sizes()]) == 1671
