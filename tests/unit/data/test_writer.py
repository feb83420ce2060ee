"""Builder directories are written whole or not at all, and read back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.data import writer
from studio.data.tfrecord import scan
from studio.data.writer import Picture, read_record, write_builder

PICTURES = [Picture(b"picture %d" % number, number % 3, f"é{number}.png") for number in range(25)]


def _write(folder: Path) -> None:
    write_builder(
        folder,
        {"train": PICTURES, "test": PICTURES[:4]},
        classes=("a", "b c", "ü"),
        shape=(None, None, 3),
        description="Made for a test.",
        images_per_shard=10,
    )


def test_everything_written_is_read_back_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "toy" / "1.0.0"
    _write(folder)
    shards = sorted(folder.glob("toy-train.tfrecord-*-of-00003"))
    assert [read_record(payload) for shard in shards for _, payload in scan(shard)] == PICTURES
    info = json.loads((folder / "dataset_info.json").read_text())
    assert (info["name"], info["version"]) == ("toy", "1.0.0")
    lengths = {split["name"]: list(map(int, split["shardLengths"])) for split in info["splits"]}
    assert {split: sum(of_split) for split, of_split in lengths.items()} == {"train": 25, "test": 4}
    assert len(lengths["train"]) == 3
    assert (folder / "label.labels.txt").read_text().split("\n")[:3] == ["a", "b c", "ü"]


def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(writer, "_write_metadata", fail)
    with pytest.raises(OSError, match="disk full"):
        _write(tmp_path / "toy" / "1.0.0")
    assert list((tmp_path / "toy").iterdir()) == []


def test_who_comes_second_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "toy" / "1.0.0"
    write_metadata = writer._write_metadata

    def overtaken(*arguments: object) -> None:
        monkeypatch.setattr(writer, "_write_metadata", write_metadata)
        _write(folder)  # another process is faster
        (folder / "witness").touch()
        write_metadata(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(writer, "_write_metadata", overtaken)
    _write(folder)
    assert (folder / "witness").exists()
    assert all(path.is_file() for path in folder.iterdir())
    assert [path.name for path in (tmp_path / "toy").iterdir()] == ["1.0.0"]


@pytest.mark.parametrize("payload", [b"no example at all", b""])
def test_what_is_no_record_is_refused(payload: bytes) -> None:
    with pytest.raises(ValueError, match="no"):
        read_record(payload)
