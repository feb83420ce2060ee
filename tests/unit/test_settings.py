"""A STUDIO_HOME that cannot hold a store is refused with a folder that would do."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from studio.errors import RequestError
from studio.jobs.store import Store
from studio.settings import Settings, prepare_home


def test_folders_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDIO_HOME", str(tmp_path / "a"))
    monkeypatch.setenv("TFDS_DATA_DIR", str(tmp_path / "b"))
    monkeypatch.setenv("KERAS_HOME", "~/keras")
    settings = Settings.load()
    assert (settings.home, settings.data_dir) == (tmp_path / "a", tmp_path / "b")
    assert settings.keras_home == Path("~/keras").expanduser()


def test_a_home_below_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STUDIO_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(RequestError, match=r"cannot be written .*export STUDIO_HOME=/"):
        prepare_home(Settings.load())


def test_a_network_disk_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mount table is a fake: this does not prove that a real NFS mount is listed in it."""
    home.mkdir()
    mount = SimpleNamespace(mountpoint=str(home), fstype="nfs4")
    monkeypatch.setattr("psutil.disk_partitions", lambda all: [mount])
    with pytest.raises(RequestError, match=r"network disk \(nfs4\).*export STUDIO_HOME=/"):
        prepare_home(Settings.load())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 1 MiB, where this user may mount one."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this user may not mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_refused(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDIO_HOME", str(small_disk / "home"))
    with pytest.raises(RequestError, match=r"is full: .* MiB are free"):
        Store(Settings.load())
    assert not (small_disk / "home" / "studio.db").exists()
