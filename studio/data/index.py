"""The index of a set: one row per example, so that counting, choosing and showing need no TensorFlow.

An index is an SQLite file under STUDIO_HOME/indexes. It is made by one scan of the set's files, at the first use,
and never written again; a set whose files have changed gets a new one.
"""

from __future__ import annotations

import hashlib
import io
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from studio.data.builder_folder import FEATURES_FILE, INFO_FILE, LABELS_FILE, BuilderFolder, broken, read_builder_folder
from studio.data.on_disk import require_builder_dir
from studio.data.published import entry
from studio.data.tfrecord import scan
from studio.data.writer import read_record
from studio.errors import StudioError
from studio.settings import Settings

LAYOUT = 1  # of the table; another one makes another file
TABLE = """
CREATE TABLE example (
    row INTEGER PRIMARY KEY,       -- over all splits, in reading order; positions in a split count from its first
    split TEXT NOT NULL,
    shard TEXT NOT NULL,           -- file name
    offset INTEGER NOT NULL,       -- of the encoded picture in the shard, bytes
    length INTEGER NOT NULL,       -- of the encoded picture, bytes
    label INTEGER NOT NULL,
    name TEXT NOT NULL,            -- of the source file, empty where none is kept
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    channels INTEGER NOT NULL,
    content_hash BLOB NOT NULL,    -- BLAKE2b of the encoded picture, 16 bytes
    perceptual_hash INTEGER        -- not computed yet
)
"""
COLUMNS = "row, split, shard, offset, length, label, name, width, height, channels, content_hash"


@dataclass(frozen=True)
class Example:
    """One row of an index. `offset` and `length` are those of the encoded picture in `shard`, in bytes."""

    row: int
    split: str
    shard: Path
    offset: int
    length: int
    label: int
    name: str
    width: int
    height: int
    channels: int
    content_hash: bytes


def open_index(settings: Settings, name: str) -> Index:
    """The index of a set; it is made now if there is none for its present files (60,000 images: about a second).

    Raises:
        NotOnDisk: the set has to be downloaded first.
        BrokenSet, BrokenShard: it is incomplete or damaged.
        RequestError: the catalogue has no such set.
    """
    folder = read_builder_folder(require_builder_dir(settings, name))
    place = hashlib.blake2b(str(folder.path.resolve()).encode(), digest_size=6).hexdigest()
    family = f"{name}-{folder.version}-{place}-"
    file = settings.indexes / f"{family}{_state(folder)}.sqlite"
    if not file.exists():
        settings.indexes.mkdir(parents=True, exist_ok=True)
        _build(file, folder)
        for old in settings.indexes.glob(f"{family}*.sqlite"):
            if old != file:
                old.unlink(missing_ok=True)
    classes = folder.classes or _default_classes(name, folder.class_count)
    return Index(file, folder, classes)


class Index:
    """Questions about the examples of one version of a set. Positions count from 0 within a split.

    Each call opens the file anew, so an Index may be used from any thread.
    """

    def __init__(self, file: Path, folder: BuilderFolder, classes: tuple[str, ...]) -> None:
        self._file = file
        self.folder = folder.path
        self.version = folder.version
        self.classes = classes
        self.splits = tuple(folder.splits)
        self.height, self.width, self.channels = folder.height, folder.width, folder.channels

    def count(self, split: str | None = None, label: int | None = None) -> int:
        """Number of examples of a split (of all splits without one), of one class or of all."""
        where, values = _where(split, label)
        return int(self._rows(f"SELECT COUNT(*) FROM example{where}", values)[0][0])

    def per_class(self, split: str) -> tuple[int, ...]:
        """Number of examples of each class, in label order."""
        counts = dict(self._rows("SELECT label, COUNT(*) FROM example WHERE split = ? GROUP BY label", (split,)))
        return tuple(counts.get(label, 0) for label in range(len(self.classes)))

    def labels(self, split: str) -> np.ndarray:
        """The label of each position of a split, int32 (examples,)."""
        rows = self._rows("SELECT label FROM example WHERE split = ? ORDER BY row", (split,))
        return np.fromiter((label for (label,) in rows), np.int32, len(rows))

    def places(self, split: str) -> list[tuple[str, int, int]]:
        """Where the encoded picture of each position of a split lies, for `read_bytes`: (file, offset, length)."""
        rows = self._rows("SELECT shard, offset, length FROM example WHERE split = ? ORDER BY row", (split,))
        return [(f"{self.folder}/{shard}", offset, length) for shard, offset, length in rows]

    def sizes(self, split: str | None = None) -> list[tuple[int, int, int]]:
        """The image sizes that occur as (width, height, number of images), the most frequent first."""
        where, values = _where(split, None)
        return self._rows(
            f"SELECT width, height, COUNT(*) FROM example{where} GROUP BY width, height "
            "ORDER BY COUNT(*) DESC, width, height",
            values,
        )

    def sample(self, split: str, n: int, seed: int, label: int | None = None) -> list[Example]:
        """At most `n` different examples in random order; the same seed gives the same ones."""
        where, values = _where(split, label)
        rows = [row for (row,) in self._rows(f"SELECT row FROM example{where} ORDER BY row", values)]
        chosen = np.random.default_rng(seed).permutation(len(rows))[:n]
        return [self.get(rows[number]) for number in chosen]

    def page(self, split: str | None, label: int | None, offset: int, limit: int) -> list[Example]:
        """Examples in reading order, `limit` at most, after leaving out the first `offset`."""
        where, values = _where(split, label)
        rows = self._rows(
            f"SELECT {COLUMNS} FROM example{where} ORDER BY row LIMIT ? OFFSET ?", (*values, limit, offset)
        )
        return [self._example(row) for row in rows]

    def get(self, row: int) -> Example:
        """The example of a row id.

        Raises:
            KeyError: there is no such row.
        """
        rows = self._rows(f"SELECT {COLUMNS} FROM example WHERE row = ?", (int(row),))
        if not rows:
            raise KeyError(row)
        return self._example(rows[0])

    def rows(self, split: str) -> np.ndarray:
        """The row id of each position of a split, int64 (examples,)."""
        rows = self._rows("SELECT row FROM example WHERE split = ? ORDER BY row", (split,))
        return np.fromiter((row for (row,) in rows), np.int64, len(rows))

    def _example(self, row: tuple) -> Example:
        number, split, shard, *rest = row
        return Example(number, split, self.folder / shard, *rest)

    def _rows(self, query: str, values: tuple = ()) -> list[tuple]:
        try:
            with closing(sqlite3.connect(f"{self._file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                return connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StudioError(
                f"The index of the set {self._file} cannot be read ({error}); delete that file, and it is made again.",
                str(error),
            ) from error


def read_image_bytes(example: Example) -> bytes:
    """The encoded picture of an example, PNG or JPEG, read from its shard.

    Raises:
        BrokenSet: the file is gone or has become shorter.
    """
    return read_bytes(str(example.shard), example.offset, example.length)


def read_bytes(shard: str, offset: int, length: int) -> bytes:
    """`length` bytes of a file from `offset` on; see `Index.places`.

    Raises:
        BrokenSet: the file is gone or has become shorter.
    """
    try:
        handle = os.open(shard, os.O_RDONLY)
        try:
            data = os.pread(handle, length, offset)
        finally:
            os.close(handle)
    except OSError as error:
        raise broken(Path(shard).parent, f"has lost {Path(shard).name}", detail=repr(error)) from error
    if len(data) < length:
        raise broken(Path(shard).parent, f"has become shorter ({Path(shard).name})")
    return data


def _state(folder: BuilderFolder) -> str:
    """A hash of the sizes and times of the set's files: it changes when one of them does."""
    files = [folder.path / name for name in (INFO_FILE, FEATURES_FILE, LABELS_FILE)]
    files += [shard.path for shards in folder.splits.values() for shard in shards]
    state = hashlib.blake2b(f"layout {LAYOUT}".encode(), digest_size=8)
    for file in files:
        if file.exists():
            stat = file.stat()
            state.update(f"|{file.name} {stat.st_size} {stat.st_mtime_ns}".encode())
    return state.hexdigest()


def _build(file: Path, folder: BuilderFolder) -> None:
    """Write the index beside its place and move it there, so that it is there whole or not at all."""
    handle, unfinished = tempfile.mkstemp(prefix="incomplete.", dir=file.parent)
    os.close(handle)
    try:
        with closing(sqlite3.connect(unfinished)) as connection:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(TABLE)
            places = ", ".join("?" * len(COLUMNS.split(", ")))
            connection.executemany(
                f"INSERT INTO example ({COLUMNS}) VALUES ({places})",
                ((number, *values) for number, values in enumerate(_examples(folder))),
            )
            connection.execute("CREATE INDEX example_class ON example (split, label)")
            connection.commit()
        Path(unfinished).replace(file)
    finally:
        Path(unfinished).unlink(missing_ok=True)


def _examples(folder: BuilderFolder) -> Iterator[tuple]:
    """One scan of all shards: the columns of each example but its row."""
    for split, shards in folder.splits.items():
        for shard in shards:
            found = 0
            for start, payload in scan(shard.path):
                found += 1
                try:
                    record = read_record(payload)
                    width, height = _size(record.data, folder)
                except (ValueError, OSError) as error:
                    raise broken(
                        folder.path, f"is damaged (example {found} of {shard.path.name})", detail=repr(error)
                    ) from error
                if not 0 <= record.label < folder.class_count:
                    raise broken(
                        folder.path,
                        f"has a label {record.label} where 0 to {folder.class_count - 1} are allowed "
                        f"(example {found} of {shard.path.name})",
                    )
                yield (
                    split,
                    shard.path.name,
                    start + payload.find(record.data),
                    len(record.data),
                    record.label,
                    record.name,
                    width,
                    height,
                    folder.channels,
                    hashlib.blake2b(record.data, digest_size=16).digest(),
                )
            if found != shard.examples:
                raise broken(
                    folder.path,
                    f"is incomplete ({shard.path.name} holds {found:,} of {shard.examples:,} examples)",
                )


def _size(data: bytes, folder: BuilderFolder) -> tuple[int, int]:
    """Width and height of an encoded picture; its header is opened only where the set's images differ."""
    if folder.width is not None and folder.height is not None:
        return folder.width, folder.height
    with Image.open(io.BytesIO(data), formats=("JPEG", "PNG")) as image:
        return image.size


def _default_classes(name: str, count: int) -> tuple[str, ...]:
    """Names for a set that keeps none on disk: those of the catalogue if they fit, else the numbers."""
    published = entry(name).classes
    return published if len(published) == count else tuple(map(str, range(count)))


def _where(split: str | None, label: int | None) -> tuple[str, tuple]:
    conditions = {"split": split, "label": None if label is None else int(label)}
    given = {column: value for column, value in conditions.items() if value is not None}
    clause = " AND ".join(f"{column} = ?" for column in given)
    return (f" WHERE {clause}" if clause else ""), tuple(given.values())
