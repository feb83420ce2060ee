"""A checkpoint comes back as it was, is replaced whole, and says when it is damaged."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from studio.engine import checkpoint
from studio.engine.checkpoint import Place
from studio.errors import StudioError


@pytest.fixture
def tree() -> checkpoint.Tree:
    rng = np.random.default_rng(0)
    return {
        "trainable_variables": {"model": {"dense": {"kernel": rng.normal(size=(3, 2)).astype(np.float32)}}},
        "optimizer_variables": {"adam": {"iteration": np.int64(17)}},
        "non_trainable_variables": {"dropout": {"state": np.array([1, 2], np.uint32)}},
        "metrics_variables": {"loss": {"total": np.float32(0.1)}},
    }


def test_it_comes_back_bit_for_bit(tmp_path: Path, tree: checkpoint.Tree) -> None:
    place = Place(epoch=3, step=12, best_val_accuracy=0.875, best_epoch=2)
    checkpoint.write(tmp_path / "checkpoint", tree, place)
    found, found_place = checkpoint.read(tmp_path / "checkpoint")
    assert found_place == place
    assert found.keys() == tree.keys()
    kernel = found["trainable_variables"]["model"]["dense"]["kernel"]
    assert kernel.dtype == np.float32
    assert kernel.tobytes() == tree["trainable_variables"]["model"]["dense"]["kernel"].tobytes()
    assert found["optimizer_variables"]["adam"]["iteration"] == 17
    assert found["non_trainable_variables"]["dropout"]["state"].dtype == np.uint32


def test_a_write_that_fails_keeps_the_old_one_and_leaves_no_half(
    tmp_path: Path, tree: checkpoint.Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint.write(tmp_path, tree, Place(epoch=1))

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StudioError, match="No space left on device"):
        checkpoint.write(tmp_path, tree, Place(epoch=2))
    assert [path.name for path in tmp_path.iterdir()] == [checkpoint.FILE_NAME]
    assert checkpoint.read(tmp_path)[1].epoch == 1


@pytest.mark.parametrize("position", [0, 70, -40])
def test_one_changed_byte_anywhere_is_noticed(tmp_path: Path, tree: checkpoint.Tree, position: int) -> None:
    checkpoint.write(tmp_path, tree, Place())
    path = tmp_path / checkpoint.FILE_NAME
    content = bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)
    with pytest.raises(StudioError, match="cannot be read"):
        checkpoint.read(tmp_path)


def test_a_file_that_was_cut_off_is_noticed(tmp_path: Path, tree: checkpoint.Tree) -> None:
    checkpoint.write(tmp_path, tree, Place())
    path = tmp_path / checkpoint.FILE_NAME
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(StudioError, match="cannot be read"):
        checkpoint.read(tmp_path)


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="pickle"):
        checkpoint.write(tmp_path, {"weights": np.array([object()], dtype=object)}, Place())
