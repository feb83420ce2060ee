"""A STUDIO_HOME may have any name that a folder can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.data import catalogue
from studio.settings import Settings


@pytest.mark.parametrize("name", ["a#b", "50%", "who?", "a b", "été", "%41"])
def test_the_built_in_set_is_read_there_and_nothing_stands_beside(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    settings = Settings(home=home, data_dir=home / "tfds", keras_home=home / "keras")
    assert catalogue.facts(settings, "digits").images == 1797
    assert [path.name for path in tmp_path.iterdir()] == [name]
