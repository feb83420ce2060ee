"""Replicas on logical CPU devices do what one device does. They are set up once a process, so in workers."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import pytest

from studio.jobs import curves
from studio.jobs.states import State
from tests.engine.conftest import Runs

MLP: dict[str, Any] = {"name": "mnist_mlp"}  # without dropout: every replica would draw its own


def test_two_replicas_reach_the_loss_of_one(training: Runs) -> None:
    settings = {"epochs": 3, "batch_size": 32, "seed": 3}
    one = training.by_worker(training.create({"model": MLP, "training": settings}))
    two = training.by_worker(
        training.create({"model": MLP, "training": settings | {"strategy": "virtual", "replicas": 2}})
    )
    assert one.state == two.state == State.FINISHED, two.reason
    assert (two.strategy, two.device, two.replicas) == ("MirroredStrategy", "CPU", 2)
    for figure in ("loss", "val_loss"):  # 270 validation images: their last batch of 14 is filled up for two
        assert getattr(two, figure) == pytest.approx(getattr(one, figure), rel=1e-4), figure
    assert two.val_accuracy is not None
    assert two.val_accuracy == pytest.approx(one.val_accuracy, abs=1 / 270)
    assert two.validation_right == round(270 * two.val_accuracy)


def test_a_run_on_replicas_stopped_by_a_signal_goes_on_where_it_was(training: Runs) -> None:
    """SIGTERM is a stop request; state tree and broken epoch under a real strategy."""
    job = training.create({"training": {"epochs": 12, "strategy": "virtual", "replicas": 2}})

    def terminate_when_it_trains() -> None:
        deadline = time.monotonic() + 200
        while training.store.get(job.id).step == 0:
            assert time.monotonic() < deadline
            time.sleep(0.01)  # how the store is watched; nothing is waited out
        pid = training.store.pid(training.store.get(job.id))
        assert pid is not None
        os.kill(pid, signal.SIGTERM)

    stopped = training.by_worker(job, terminate_when_it_trains)
    assert stopped.state == State.STOPPED, stopped.reason
    assert stopped.checkpoint_step
    resumed = training.by_worker(stopped)
    assert resumed.state == State.FINISHED, resumed.detail
    losses = curves.read(training.store, job.id, "epoch", "loss")
    assert losses.points.tolist() == list(range(1, 13))
    assert losses.values[-1] < 0.5 * losses.values[0]
