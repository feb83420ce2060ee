"""What the command line prints: JSON on standard output, everything for people on standard error."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

from studio.jobs.states import State
from studio.jobs.store import Job, Store


def say(text: str) -> None:
    """Tell the person at the terminal something. A terminal that is gone is no reason to stop."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        return


def emit(value: Any) -> None:
    """Print exactly one line of JSON on standard output."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False), flush=True)


def job_line(job: Job) -> dict[str, Any]:
    """One job as `jobs --json` lists it."""
    return {
        "job": job.id,
        "kind": job.kind.value,
        "state": job.state.value,
        "name": job.name,
        "reason": job.reason,
        "epoch": job.epoch,
        "epochs": job.epochs,
        "step": job.step,
        "created": job.created,
        "seconds": job.seconds,
    }


def result_line(store: Store, job: Job) -> dict[str, Any]:
    """How a job ended, as `train`, `resume` and `watch` print it: null for what is unknown, numbers unrounded.

    `loss`, `accuracy`, `val_loss` and `val_accuracy` are those of the last completed epoch.
    """
    finished = job.state == State.FINISHED
    return {
        "job": job.id,
        "state": job.state.value,
        "reason": job.reason,
        "epoch": job.epoch,
        "epochs": job.epochs,
        "loss": _finite(job.loss),
        "accuracy": _finite(job.accuracy),
        "val_loss": _finite(job.val_loss),
        "val_accuracy": _finite(job.val_accuracy),
        "examples_per_second": job.examples_per_second,
        "strategy": job.strategy,
        "device": job.device,
        "replicas": job.replicas,
        "precision": job.precision,
        "seconds": job.seconds,
        "model": job.model_path if finished else None,
        "folder": str(store.folder(job.id)),
    }


def error_line(sentence: str) -> dict[str, Any]:
    """What is printed on standard output instead of a result when there is none."""
    return {"job": None, "state": None, "error": sentence}


def _finite(value: float | None) -> float | None:
    """JSON has no infinity: a figure that is none is unknown."""
    return value if value is not None and math.isfinite(value) else None
