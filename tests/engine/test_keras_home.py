"""Keras gets a folder of its own; the one of the person is read and never written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from studio.engine.keras_home import use_own_keras_home
from studio.settings import Settings

QUESTION = """
from studio.engine.keras_home import use_own_keras_home
from studio.settings import Settings
use_own_keras_home(Settings.load())
import keras
print(keras.config.image_data_format(), keras.config.floatx())
"""


def test_importing_keras_writes_into_studio_home_only(home: Path, settings: Settings) -> None:
    weights = settings.keras_home / "models" / "net.h5"
    weights.parent.mkdir(parents=True)
    weights.write_bytes(b"weights")
    configuration = settings.keras_home / "keras.json"
    configuration.write_text('{"image_data_format": "channels_first", "floatx": "float64", "backend": "torch"}')
    said = subprocess.run([sys.executable, "-c", QUESTION], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["channels_last", "float32"]
    assert sorted(path.name for path in settings.keras_home.rglob("*")) == ["keras.json", "models", "net.h5"]
    assert (home / "keras" / "keras.json").is_file()
    assert (home / "keras" / "models" / "net.h5").read_bytes() == b"weights"


def test_weights_that_went_away_are_not_linked_any_more(settings: Settings) -> None:
    weights = settings.keras_home / "models" / "net.h5"
    weights.parent.mkdir(parents=True)
    weights.write_bytes(b"weights")
    before = os.environ["KERAS_HOME"]
    try:
        use_own_keras_home(settings)
        assert settings.has_imagenet_weights("net.h5")
        weights.unlink()
        use_own_keras_home(settings)
    finally:
        os.environ["KERAS_HOME"] = before
    assert not settings.has_imagenet_weights("net.h5")
    assert list((settings.keras_files / "models").iterdir()) == []
