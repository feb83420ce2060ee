"""The tables of the store, and how a connection to it is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from studio.errors import RequestError, StudioError

VERSION = 1
BUSY_TIMEOUT = 15.0  # seconds a writer waits for another before it gives up

TABLES = """
CREATE TABLE job (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    name TEXT NOT NULL,
    owner TEXT NOT NULL DEFAULT '',
    parent TEXT,
    spec TEXT NOT NULL,
    environment TEXT NOT NULL DEFAULT '{}',
    needs_accelerator INTEGER NOT NULL,
    position INTEGER NOT NULL,              -- place in the queue; a resumed job gets a new one
    reserved_by TEXT,                       -- name of the waiting command line's lock file, which alone may claim it
    created REAL NOT NULL,
    started REAL,
    ended REAL,
    seconds REAL,                           -- of work, over all attempts
    reason TEXT,                            -- why it ended, one sentence
    detail TEXT,                            -- the traceback or transcript behind the reason
    stop_requested REAL,
    stop_by TEXT,
    heartbeat REAL,
    phase TEXT,
    phase_started REAL,
    phase_done INTEGER,
    phase_total INTEGER,
    phase_seconds TEXT NOT NULL DEFAULT '{}',
    attempt INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER NOT NULL DEFAULT 0,       -- completed epochs
    epochs INTEGER,
    step INTEGER NOT NULL DEFAULT 0,        -- optimizer steps done since the run began
    steps_per_epoch INTEGER,
    checkpoint_epoch INTEGER,
    checkpoint_step INTEGER,
    checkpoint_time REAL,
    strategy TEXT,
    device TEXT,
    replicas INTEGER,
    precision TEXT,
    parameters INTEGER,
    classes INTEGER,
    train_images INTEGER,
    validation_images INTEGER,
    validation_right INTEGER,
    guessing REAL,
    loss REAL,
    accuracy REAL,
    val_loss REAL,
    val_accuracy REAL,
    best_val_accuracy REAL,
    best_epoch INTEGER,
    examples_per_second REAL,
    model_path TEXT,
    answers TEXT,
    seen INTEGER NOT NULL DEFAULT 0,        -- its end was looked at
    deleted REAL
) STRICT;
CREATE INDEX job_by_state ON job (state, position);
CREATE INDEX job_by_age ON job (deleted, kind, number);

CREATE TABLE attempt (
    job TEXT NOT NULL REFERENCES job (id),
    number INTEGER NOT NULL,
    rank INTEGER NOT NULL DEFAULT 0,
    host TEXT NOT NULL,
    pid INTEGER,
    started REAL NOT NULL,
    ended REAL,
    reason TEXT,
    PRIMARY KEY (job, number, rank)
) STRICT;

CREATE TABLE event (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    job TEXT NOT NULL REFERENCES job (id),
    time REAL NOT NULL,
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    epoch REAL,
    step INTEGER,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_job ON event (job, number);

-- One row a flush: `count` points of several named series on one axis.
CREATE TABLE curve_chunk (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    job TEXT NOT NULL REFERENCES job (id),
    attempt INTEGER NOT NULL,
    axis TEXT NOT NULL,                     -- 'step' or 'epoch'
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    count INTEGER NOT NULL,
    series TEXT NOT NULL,                   -- JSON list of names
    points BLOB NOT NULL,                   -- little-endian int32, the place of each point on the axis
    vals BLOB NOT NULL                      -- little-endian float32, one block a series
) STRICT;
CREATE INDEX curve_by_job ON curve_chunk (job, axis, number);

CREATE TABLE draft (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    spec TEXT NOT NULL,
    history TEXT NOT NULL DEFAULT '[]',
    changed REAL NOT NULL
) STRICT;
"""


@contextmanager
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    """A connection of its own for one call; opening one costs 0.2 ms, sharing one loses transactions.

    Raises:
        StudioError: the store cannot be opened or written; the sentence says why.
    """
    try:
        with closing(sqlite3.connect(database, timeout=BUSY_TIMEOUT, isolation_level=None)) as opened:
            opened.row_factory = sqlite3.Row
            opened.execute("PRAGMA foreign_keys = ON")
            opened.execute("PRAGMA synchronous = NORMAL")
            yield opened
    except sqlite3.OperationalError as error:
        raise StudioError(_store_sentence(database, str(error)), str(error)) from error
    except sqlite3.DatabaseError as error:
        if type(error) is not sqlite3.DatabaseError:  # a broken constraint and the like: a fault in the program
            raise
        raise StudioError(
            f"The store {database} is damaged ({error}); move it away to begin with an empty one.", str(error)
        ) from error


@contextmanager
def transaction(database: Path, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection inside one write transaction: committed at the end, rolled back by an exception.

    Args:
        durable: the commit returns only when the disk has it, so that it survives a power cut.
    """
    with connection(database) as opened:
        if durable:
            opened.execute("PRAGMA synchronous = FULL")
        opened.execute("BEGIN IMMEDIATE")
        try:
            yield opened
        except BaseException:
            if opened.in_transaction:  # SQLite has rolled back by itself where the disk is full
                opened.execute("ROLLBACK")
            raise
        opened.execute("COMMIT")


def prepare_database(database: Path) -> None:
    """Create the tables where they are missing.

    Raises:
        RequestError: the store was written by a newer version of the program.
    """
    with connection(database) as opened:
        opened.execute("PRAGMA journal_mode = WAL")
        found = opened.execute("PRAGMA user_version").fetchone()[0]
    if found > VERSION:
        raise RequestError(
            f"The store {database} was written by a newer version of Training Studio (format {found}, this one "
            f"reads {VERSION}); update the program, or set STUDIO_HOME to another folder."
        )
    if found == 0:
        with transaction(database) as opened:
            if opened.execute("PRAGMA user_version").fetchone()[0] == 0:
                for statement in TABLES.split(";\n"):
                    opened.execute(statement)
                opened.execute(f"PRAGMA user_version = {VERSION}")


def _store_sentence(database: Path, message: str) -> str:
    if "full" in message:
        return f"The disk of the store {database} is full; free some space and try again."
    if "locked" in message or "busy" in message:
        return f"The store {database} was busy for {BUSY_TIMEOUT:.0f} s; try again."
    if "readonly" in message or "unable to open" in message:
        return f"The store {database} cannot be written; check the permissions of its folder."
    return f"The store {database} cannot be used: {message}."
