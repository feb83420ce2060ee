"""Shards are read and written as TensorFlow does, and damage is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.data.tfrecord import BrokenShard, frame, scan

PAYLOADS = [b"first", b"", b"third" * 100]


@pytest.fixture
def shard(tmp_path: Path) -> Path:
    path = tmp_path / "toy-train.tfrecord-00000-of-00001"
    path.write_bytes(b"".join(map(frame, PAYLOADS)))
    return path


def test_a_record_is_framed_as_tensorflow_frames_it() -> None:
    # Written by tf.io.TFRecordWriter (TensorFlow 2.21) for the payload b"studio".
    assert frame(b"studio").hex() == "06000000000000007369d53773747564696fc18d24ee"


def test_payloads_come_back_with_their_offsets(shard: Path) -> None:
    found = list(scan(shard))
    assert [payload for _, payload in found] == PAYLOADS
    content = shard.read_bytes()
    assert all(content[offset : offset + len(payload)] == payload for offset, payload in found)


def test_an_empty_shard_has_no_records(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert list(scan(tmp_path / "empty")) == []


@pytest.mark.parametrize("missing", [1, 4, 5, 300, 520])
def test_a_shard_that_is_cut_off_is_refused(shard: Path, missing: int) -> None:
    shard.write_bytes(shard.read_bytes()[:-missing])
    with pytest.raises(BrokenShard, match=r"toy-train.* is cut off"):
        list(scan(shard))


@pytest.mark.parametrize("position", [0, 9, 13, 18])
def test_a_flipped_bit_is_noticed(shard: Path, position: int) -> None:
    content = bytearray(shard.read_bytes())
    content[position] ^= 1
    shard.write_bytes(content)
    with pytest.raises(BrokenShard, match="is damaged"):
        list(scan(shard))
