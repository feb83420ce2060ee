"""What a job can be, and what it may become from there."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a job does. `NEEDS_ACCELERATOR` says which kinds wait for the device."""

    TRAIN = "train"
    DOWNLOAD = "download"


class State(StrEnum):
    """Where a job stands. "Stopping" is not a state but a request with a time."""

    QUEUED = "queued"
    STARTING = "starting"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"
    STOPPED = "stopped"


class Phase(StrEnum):
    """What a running job is doing. The words for people are in the interface."""

    DOWNLOAD = "download"
    PREPARE = "prepare"
    DATA = "data"
    COMPILE = "compile"
    TRAIN = "train"
    VALIDATE = "validate"
    SAVE = "save"
    CHECK = "check"


NEEDS_ACCELERATOR = frozenset({Kind.TRAIN})

# From each state, the states it may become. `failed` and `stopped` go back to `queued` by resume: the same job,
# next attempt. `finished` never changes.
TRANSITIONS: dict[State, frozenset[State]] = {
    State.QUEUED: frozenset({State.STARTING, State.STOPPED}),
    State.STARTING: frozenset({State.RUNNING, State.FAILED, State.STOPPED}),
    State.RUNNING: frozenset({State.FINISHED, State.FAILED, State.STOPPED, State.PAUSED}),
    State.PAUSED: frozenset({State.QUEUED, State.STOPPED}),
    State.FAILED: frozenset({State.QUEUED}),
    State.STOPPED: frozenset({State.QUEUED}),
    State.FINISHED: frozenset(),
}

HELD = frozenset({State.STARTING, State.RUNNING})  # a worker process has the job
LIVE = frozenset({State.QUEUED}) | HELD
ENDED = frozenset({State.FINISHED, State.FAILED, State.STOPPED})
