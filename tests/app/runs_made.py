"""Runs in every state, made without training."""

from __future__ import annotations

from typing import Any

from studio import runs
from studio.jobs.queue import claim
from studio.jobs.reporter import Reporter
from studio.jobs.states import State
from studio.jobs.store import Job, Store
from studio.spec.recipes import RECIPES

OWNER = "local"  # a visitor without a browser
MODEL = "model.keras"


def queued_run(store: Store, name: str = "") -> Job:
    """A digits run that waits for a worker."""
    return runs.start(store, runs.check(store.settings, RECIPES["digits"].spec), owner=OWNER, name=name)


def ended_run(store: Store, state: State, *, name: str = "", reason: str = "It ended.", **columns: Any) -> Job:
    """A digits run that has ended; a finished one has left a file as its model."""
    job = queued_run(store, name)
    claimed = claim(store)
    assert claimed is not None
    assert store.move(job.id, State.STARTING, State.RUNNING)
    reporter = Reporter(store, store.get(job.id))
    if state == State.FINISHED:
        path = store.folder(job.id) / MODEL
        path.write_bytes(b"not read by these tests")
        columns = {"val_accuracy": 0.974, "best_val_accuracy": 0.985, "model_path": str(path)} | columns
    reporter.update(**columns)
    reporter.finish(state, reason)
    reporter.close()
    claimed.close()
    return store.get(job.id)
