"""Download and prepare a set of the TFDS catalogue, as a job: with progress, stoppable, whole or not at all."""

from __future__ import annotations

import errno
import shutil
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tensorflow_datasets as tfds
from tensorflow_datasets.core.utils import tqdm_utils

from studio.data.catalogue import CatalogueEntry, builder_dir, entry
from studio.data.index import open_index
from studio.engine.reachability import require_servers
from studio.engine.stopped import Stopped
from studio.engine.unfinished import unfinished_folder
from studio.errors import StudioError
from studio.jobs.reporter import Reporter
from studio.jobs.states import Phase
from studio.jobs.store import Job
from studio.settings import Settings

LOOK_EVERY = 0.25  # seconds between two reports of progress
LEAVE_WITHIN = 1.0  # seconds that a stopped preparation gets to end by itself
SPACE_FACTOR = 3  # the archive, what is unpacked from it, and the prepared set


def run(job: Job, reporter: Reporter, settings: Settings) -> str:
    """Bring the set that the job names into the data folder.

    Everything happens in a folder of its own, from which the prepared set is moved to its place in one step.

    Returns:
        A sentence that says what is there now.

    Raises:
        Stopped: somebody asked for it; nothing is left.
        StudioError: the server does not answer, the disk is full, or the set cannot be prepared; nothing is left.
    """
    wanted = entry(job.spec["dataset"])
    if builder_dir(settings, wanted.name) is not None:
        return f"{wanted.title} is on this machine already."
    with reporter.safe_to_leave():
        reporter.phase(Phase.DOWNLOAD, 0, wanted.download_bytes)
        require_servers(tfds.builder_cls(wanted.name).url_infos or ())
        _require_space(settings.data_dir, wanted)
    try:
        with unfinished_folder(settings.data_dir) as folder:
            prepared = _prepare(wanted, folder, reporter)
            _put_in_place(prepared, settings.data_dir / prepared.relative_to(folder))
    except OSError as error:
        raise _disk_error(settings.data_dir, error) from error
    index = open_index(settings, wanted.name)
    return f"{wanted.title} is ready: {index.count():,} images in {len(index.classes)} classes."


class _Preparation(threading.Thread):
    """TFDS at work, in a thread, because nothing interrupts it while it waits for a server."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name=f"prepare {name}", daemon=True)
        self.downloads = folder / "downloads"
        self.builder = tfds.builder(name, data_dir=folder)
        self.examples = 0
        self.error: Exception | None = None
        self.give_up = threading.Event()

    def run(self) -> None:
        try:
            with _counted(self):
                self.builder.download_and_prepare(download_dir=self.downloads)
        except Exception as error:
            self.error = error

    def downloaded_bytes(self) -> int:
        """Size of what has arrived so far; unpacked files do not count."""
        files = (file for file in self.downloads.rglob("*") if "extracted" not in file.parts)
        return sum(_size(file) for file in files)


def _prepare(wanted: CatalogueEntry, folder: Path, reporter: Reporter) -> Path:
    """Download and prepare a set in a folder; returns its builder directory there."""
    preparation = _Preparation(wanted.name, folder)
    preparation.start()
    try:
        while preparation.is_alive():
            preparation.join(LOOK_EVERY)
            if reporter.stop_requested:
                raise Stopped("while downloading")
            if preparation.examples:
                reporter.phase(Phase.PREPARE, preparation.examples, sum(wanted.images.values()))
            else:
                arrived = min(preparation.downloaded_bytes(), wanted.download_bytes)
                reporter.phase(Phase.DOWNLOAD, arrived, wanted.download_bytes)
    finally:
        preparation.give_up.set()
        preparation.join(LEAVE_WITHIN)
    if preparation.error is not None:
        raise _preparation_error(wanted, preparation.error)
    return Path(preparation.builder.data_dir)


@contextmanager
def _counted(preparation: _Preparation) -> Iterator[None]:
    """Count the examples that TFDS writes: it tells them to its progress bars, and to nobody else."""

    class Bar(tqdm_utils.EmptyTqdm):
        def __init__(self, *arguments: Any, unit: str = "", **others: Any) -> None:
            super().__init__(*arguments)
            self._counts = unit.strip() == "examples" and others.get("desc", "").startswith("Generating")

        def __iter__(self) -> Iterator[Any]:
            for item in super().__iter__():
                if preparation.give_up.is_set():
                    raise InterruptedError
                yield item
                preparation.examples += self._counts

    original = tqdm_utils.EmptyTqdm
    tqdm_utils.EmptyTqdm = Bar
    tfds.disable_progress_bar()
    try:
        yield
    finally:
        tqdm_utils.EmptyTqdm = original


def _put_in_place(prepared: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        prepared.rename(target)
    except OSError:
        if not target.exists():  # somebody else may have downloaded the same set meanwhile
            raise


def _require_space(data_dir: Path, wanted: CatalogueEntry) -> None:
    existing = next(folder for folder in (data_dir, *data_dir.parents) if folder.exists())
    free, needed = shutil.disk_usage(existing).free, SPACE_FACTOR * wanted.download_bytes
    if free < needed:
        raise StudioError(
            f"{wanted.title} needs about {needed / 2**20:,.0f} MiB in {data_dir} while it is prepared, and "
            f"{free / 2**20:,.0f} MiB are free; free some space, or set TFDS_DATA_DIR to a larger disk."
        )


def _preparation_error(wanted: CatalogueEntry, error: Exception) -> StudioError:
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return StudioError(
            f"The disk became full while {wanted.title} was prepared; nothing was stored. Free some space, or set "
            "TFDS_DATA_DIR to a larger disk."
        )
    detail = "".join(traceback.format_exception(error))
    if "checksum" in type(error).__name__.lower():
        sentence = f"What the server sent is not {wanted.title} as it was published; nothing was stored. Try later."
    else:
        sentence = f"{wanted.title} could not be downloaded and prepared; nothing was stored. Try again later."
    return StudioError(sentence, detail=detail)


def _disk_error(data_dir: Path, error: OSError) -> StudioError:
    return StudioError(
        f"The data folder {data_dir} cannot be written ({error.strerror}); set TFDS_DATA_DIR to another folder.",
        detail=repr(error),
    )


def _size(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except FileNotFoundError:  # renamed since it was listed
        return 0
