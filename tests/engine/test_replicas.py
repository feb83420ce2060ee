"""Replicas on logical CPU devices do what one device does. They are set up once a process, so in workers."""

from __future__ import annotations

from typing import Any

import pytest

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
