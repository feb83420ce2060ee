"""The data room works without TensorFlow, though it reads and writes its formats."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

USE_EVERYTHING = """
import importlib, pkgutil, sys
import studio.data
for module in pkgutil.walk_packages(studio.data.__path__, "studio.data."):
    importlib.import_module(module.name)
from studio.data import catalogue, images, index, splits
from studio.settings import Settings
from studio.spec.run import parse_spec

settings = Settings.load()
for name in ("digits", "shapes"):
    catalogue.facts(settings, name)
    opened = index.open_index(settings, name)
    for example in opened.sample("train", 16, seed=0):
        images.decode(index.read_image_bytes(example), name=example.name, max_pixels=10_000)
    splits.positions(opened, parse_spec({"data": {"dataset": name}}))
unwanted = {"tensorflow", "keras", "jax", "sklearn", "streamlit"} & set(sys.modules)
assert not unwanted, unwanted
assert "tensorflow_datasets" in sys.modules
"""


def test_using_all_of_it_loads_no_tensorflow(home: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-c", USE_EVERYTHING],
        cwd=Path(__file__).resolve().parents[3],
        check=False,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
