"""The built-in sets: fixed content, fixed splits, any number of writers at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from studio.data import digits
from studio.data.builtin import ensure_written
from studio.data.catalogue import entry, facts
from studio.data.images import decode
from studio.data.index import open_index, read_image_bytes
from studio.errors import StudioError
from studio.settings import Settings

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", ["digits", "shapes"])
def test_counts_are_those_of_the_catalogue_and_no_class_is_rare(name: str, settings: Settings) -> None:
    found = facts(settings, name)
    assert {split: sum(counts) for split, counts in found.splits.items()} == entry(name).images
    assert found.classes == entry(name).classes
    assert (found.height, found.width, found.channels) == (
        entry(name).height,
        entry(name).width,
        entry(name).channels,
    )
    for counts in found.splits.values():
        assert max(counts) - min(counts) <= 6  # the digits are not quite even themselves


def test_digits_are_scikit_learns_scaled_to_a_byte(settings: Settings) -> None:
    index = open_index(settings, "digits")
    table = np.loadtxt(digits._digits_file(), delimiter=",", dtype=int)
    seen = []
    for split in index.splits:
        for example in index.page(split, None, 0, 2000):
            row = int(example.name.removeprefix("digit-").removesuffix(".png"))
            pixels = np.asarray(decode(read_image_bytes(example), name="", max_pixels=64), dtype=int)
            assert example.label == table[row, -1]
            assert np.abs(pixels.ravel() - table[row, :-1] * 255 / 16).max() <= 0.5
            seen.append(row)
    assert sorted(seen) == list(range(1797))


def test_missing_digits_are_one_sentence(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digits.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(StudioError, match="pip install scikit-learn"):
        ensure_written(settings, "digits")


@pytest.mark.parametrize("name", ["digits", "shapes"])
def test_a_set_is_the_same_wherever_it_is_written(name: str, tmp_path: Path) -> None:
    one, other = (
        ensure_written(Settings(home=tmp_path / home, data_dir=tmp_path, keras_home=tmp_path), name)
        for home in ("one", "other")
    )
    files = sorted(path.name for path in one.iterdir())
    assert files == sorted(path.name for path in other.iterdir())
    assert all((one / file).read_bytes() == (other / file).read_bytes() for file in files)


def test_two_processes_write_the_same_set_at_once(settings: Settings) -> None:
    ask = (
        "from studio.data.catalogue import facts\nfrom studio.settings import Settings\n"
        "input()\nprint(facts(Settings.load(), 'digits').images)"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", ask], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    for process in processes:  # all are waiting at input()
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate(timeout=60)[0].strip() for process in processes] == ["1797"] * 3
    assert [path.name for path in (settings.datasets / "digits").iterdir()] == ["1.0.0"]
    assert len(list(settings.indexes.iterdir())) == 1
