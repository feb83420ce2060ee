"""Where things are kept and how large they may become: read from the environment, at each call.

| variable | meaning | default |
|---|---|---|
| STUDIO_HOME | the store and the run folders; a local disk | the user's data folder |
| TFDS_DATA_DIR | prepared TFDS sets; only a download writes into it | STUDIO_HOME/tfds |
| KERAS_HOME | ImageNet weights are in its models/; never written | ~/.keras |
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import psutil

from studio.errors import RequestError

NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb2", "smb3", "smbfs", "afs", "afpfs", "ceph", "glusterfs", "lustre", "beegfs", "9p"}
    | {"gcsfuse", "fuse.gcsfuse", "fuse.sshfs"}
)
SMALLEST_FREE_SPACE = 16 * 2**20  # bytes: an empty store, a log and a small checkpoint


@dataclass(frozen=True)
class Settings:
    """Folders and limits of this process. Sizes are in bytes, times in seconds."""

    home: Path
    data_dir: Path
    keras_home: Path
    max_pixels: int = 100_000_000
    max_log_bytes: int = 5 * 2**20
    max_cached_bytes: int = 2 * 2**30
    stop_grace: float = 30.0
    bin_days: int = 7

    @staticmethod
    def load() -> Settings:
        """Read the environment. Creates nothing and checks nothing; see `prepare_home`."""
        home = _folder("STUDIO_HOME", Path(platformdirs.user_data_dir("training-studio")))
        return Settings(
            home=home,
            data_dir=_folder("TFDS_DATA_DIR", home / "tfds"),
            keras_home=_folder("KERAS_HOME", Path("~/.keras")),
        )

    @property
    def database(self) -> Path:
        return self.home / "studio.db"

    @property
    def jobs(self) -> Path:
        return self.home / "jobs"

    @property
    def bin(self) -> Path:
        return self.home / "bin"

    @property
    def datasets(self) -> Path:
        return self.home / "datasets"

    @property
    def indexes(self) -> Path:
        return self.home / "indexes"

    @property
    def temporary(self) -> Path:
        return self.home / "tmp"

    @property
    def accelerator_lock(self) -> Path:
        return self.home / "accelerator.lock"

    @property
    def keras_files(self) -> Path:
        """The folder that Keras is given as its own: it writes a configuration and downloads into it."""
        return self.home / "keras"

    def has_imagenet_weights(self, file_name: str) -> bool:
        """Whether a file of ImageNet weights is on this machine."""
        return any((folder / "models" / file_name).is_file() for folder in (self.keras_home, self.keras_files))


def prepare_home(settings: Settings) -> None:
    """Create STUDIO_HOME and its folders, and make sure that a store can live there.

    Raises:
        RequestError: it cannot be written, is full, or stands on a network disk (SQLite's write-ahead log
            needs memory shared between processes, which network disks do not give).
    """
    home = settings.home
    file_system = file_system_of(home)
    if file_system in NETWORK_FILE_SYSTEMS:
        raise RequestError(
            f"STUDIO_HOME ({home}) is on a network disk ({file_system}), where the store cannot work; "
            f"choose a local folder, for example: export STUDIO_HOME={local_suggestion()}"
        )
    try:
        home.mkdir(parents=True, exist_ok=True)
        for folder in (settings.jobs, settings.bin, settings.datasets, settings.indexes, settings.temporary):
            folder.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        raise RequestError(
            f"STUDIO_HOME ({home}) cannot be written ({error.strerror}); "
            f"choose another folder, for example: export STUDIO_HOME={local_suggestion()}"
        ) from error
    free = shutil.disk_usage(home).free
    if free < SMALLEST_FREE_SPACE and not settings.database.exists():
        raise RequestError(
            f"The disk of STUDIO_HOME ({home}) is full: {free / 2**20:.1f} MiB are free and "
            f"{SMALLEST_FREE_SPACE / 2**20:.0f} MiB are needed; free some space or choose another folder, "
            f"for example: export STUDIO_HOME={local_suggestion()}"
        )


def file_system_of(folder: Path) -> str:
    """The type of the file system that holds a folder, also one that is yet to be made: `ext4`, `nfs4`; or `""`."""
    path = folder.resolve()
    mounts = {Path(part.mountpoint): part.fstype for part in psutil.disk_partitions(all=True)}
    for candidate in (path, *path.parents):
        if candidate in mounts:
            return mounts[candidate]
    return ""


def local_suggestion() -> Path:
    """A folder on a local disk that would do as STUDIO_HOME."""
    return Path(tempfile.gettempdir()) / f"training-studio-{os.getuid()}"


def _folder(variable: str, default: Path) -> Path:
    return Path(os.environ.get(variable) or default).expanduser().absolute()
