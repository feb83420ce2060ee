"""Fixtures that all kinds of tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.jobs.store import Store
from studio.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty STUDIO_HOME of its own, with no downloaded data and no ImageNet weights."""
    folder = tmp_path / "home"
    monkeypatch.setenv("STUDIO_HOME", str(folder))
    monkeypatch.delenv("TFDS_DATA_DIR", raising=False)
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "keras"))
    return folder


@pytest.fixture
def settings(home: Path) -> Settings:
    return Settings.load()


@pytest.fixture
def store(settings: Settings) -> Store:
    return Store(settings)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real data sets and weights that stand beside the checkout; nothing of it belongs to the project."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real data sets is not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def tfds_dir(shared: Path) -> Path:
    """Prepared TFDS sets: mnist, cifar10 (a part), tf_flowers (a part). Read-only."""
    return shared / "data" / "tfds"


@pytest.fixture(scope="session")
def keras_home(shared: Path) -> Path:
    """A KERAS_HOME with real ImageNet weights. Read-only."""
    return shared / "data" / "keras_home"
