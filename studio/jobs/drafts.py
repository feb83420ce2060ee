"""Drafts: what will be trained next, kept under an id that stands in the address of the page."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from dataclasses import dataclass
from typing import Any

from studio.errors import RequestError
from studio.jobs.schema import connection, transaction
from studio.jobs.store import Store

MOST_UNDO = 10


@dataclass(frozen=True)
class Draft:
    """A spec that may still be incomplete (as a dictionary), and how many of its changes can be undone."""

    id: str
    owner: str
    spec: dict[str, Any]
    undo_steps: int


class Drafts:
    """Create, read and change drafts. Each belongs to the browser (`owner`) that made it."""

    def __init__(self, store: Store) -> None:
        self._database = store.database

    def create(self, spec: dict[str, Any], owner: str) -> Draft:
        """A new draft."""
        draft_id = "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(10))
        with transaction(self._database) as opened:
            opened.execute(
                "INSERT INTO draft (id, owner, spec, changed) VALUES (?, ?, ?, ?)",
                (draft_id, owner, json.dumps(spec), time.time()),
            )
        return Draft(draft_id, owner, spec, 0)

    def get(self, draft_id: str) -> Draft:
        """The draft of that id.

        Raises:
            RequestError: there is none.
        """
        with connection(self._database) as opened:
            row = _read(opened, draft_id)
        return Draft(row["id"], row["owner"], json.loads(row["spec"]), len(json.loads(row["history"])))

    def update(self, draft_id: str, spec: dict[str, Any]) -> Draft:
        """Change a draft; the last ten changes can be undone. Saying the same again is no change.

        Raises:
            RequestError: there is no such draft.
        """
        with transaction(self._database) as opened:
            row = _read(opened, draft_id)
            history, present = json.loads(row["history"]), json.loads(row["spec"])
            if spec != present:
                history = [*history, present][-MOST_UNDO:]
                _write(opened, draft_id, spec, history)
        return Draft(draft_id, row["owner"], spec, len(history))

    def undo(self, draft_id: str) -> Draft:
        """Take back the last change, if there is one.

        Raises:
            RequestError: there is no such draft.
        """
        with transaction(self._database) as opened:
            row = _read(opened, draft_id)
            history, spec = json.loads(row["history"]), json.loads(row["spec"])
            if history:
                spec = history.pop()
                _write(opened, draft_id, spec, history)
        return Draft(draft_id, row["owner"], spec, len(history))

    def latest(self, owner: str) -> Draft | None:
        """The draft that this browser changed last."""
        with connection(self._database) as opened:
            row = opened.execute(
                "SELECT id FROM draft WHERE owner = ? ORDER BY changed DESC LIMIT 1", (owner,)
            ).fetchone()
        return self.get(row["id"]) if row else None


def _read(opened: sqlite3.Connection, draft_id: str) -> sqlite3.Row:
    row: sqlite3.Row | None = opened.execute("SELECT * FROM draft WHERE id = ?", (draft_id,)).fetchone()
    if row is None:
        raise RequestError("The draft in this address is not there any more; a new one was begun.")
    return row


def _write(opened: sqlite3.Connection, draft_id: str, spec: dict[str, Any], history: list[Any]) -> None:
    opened.execute(
        "UPDATE draft SET spec = ?, history = ?, changed = ? WHERE id = ?",
        (json.dumps(spec), json.dumps(history), time.time(), draft_id),
    )
