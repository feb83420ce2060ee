"""Which folder of a data folder is used, and what is said where none can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.data.builder_folder import BrokenSet
from studio.data.catalogue import SETS, NotOnDisk, builder_dir, entry, facts
from studio.errors import RequestError
from studio.settings import Settings


def _version(settings: Settings, version: str, complete: bool = True) -> Path:
    folder = settings.data_dir / "mnist" / version
    folder.mkdir(parents=True)
    if complete:
        (folder / "dataset_info.json").write_text("{}")
    return folder


def test_unknown_set_names_those_there_are(settings: Settings) -> None:
    with pytest.raises(RequestError, match=r"'mnis'.* choose one of digits, shapes, mnist") as caught:
        entry("mnis")
    assert caught.value.exit_code == 2


def test_a_set_that_is_not_there(settings: Settings) -> None:
    assert builder_dir(settings, "mnist") is None
    with pytest.raises(NotOnDisk, match=r"MNIST \(mnist\) is not on this machine"):
        facts(settings, "mnist")
    assert not settings.data_dir.exists()


def test_the_newest_complete_version_counts(settings: Settings) -> None:
    _version(settings, "3.0.2")
    newest = _version(settings, "3.0.10")
    _version(settings, "3.1.0", complete=False)
    _version(settings, "incomplete.ABC_9.9.9")
    assert builder_dir(settings, "mnist") == newest


def test_a_set_that_is_only_half_there(settings: Settings) -> None:
    folder = _version(settings, "3.0.1", complete=False)
    with pytest.raises(BrokenSet, match=r"is incomplete \(dataset_info.json is missing\)") as caught:
        builder_dir(settings, "mnist")
    assert str(folder) in caught.value.sentence


def test_catalogue_is_consistent() -> None:
    for name, described in SETS.items():
        assert described.name == name
        assert described.built_in == (described.download_bytes == 0)
        assert len(set(described.classes)) == len(described.classes) >= 2
        assert described.channels in (1, 3)
