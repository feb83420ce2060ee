"""A run that was stopped and resumed ends as the run that was never stopped, bit for bit."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from studio.engine import checkpoint
from studio.jobs import curves
from studio.jobs.schema import transaction
from studio.jobs.states import State
from studio.jobs.store import Job
from tests.engine.conftest import Runs, StopAt

STEPS = 12  # in an epoch of these runs
SPEC: dict[str, dict[str, Any]] = {
    "model": {"name": "small_cnn", "batch_normalization": True, "dropout": 0.3},
    "training": {"epochs": 3, "batch_size": 32, "share": 0.31, "seed": 5},
}


def assert_same_end(training: Runs, job: Job, reference: Job) -> None:
    """Everything a run leaves is the same: the state, the place, the figures, the curves of the epochs."""
    assert job.state == reference.state == State.FINISHED
    (tree, place), (expected, expected_place) = (
        checkpoint.read(training.store.folder(one.id) / "checkpoint") for one in (job, reference)
    )
    assert place == expected_place
    found_leaves, expected_leaves = dict(leaves(tree)), dict(leaves(expected))
    assert found_leaves.keys() == expected_leaves.keys()
    assert any("norm1" in name for name in found_leaves)
    assert any("seed" in name for name in found_leaves)
    different = [name for name, value in found_leaves.items() if value.tobytes() != expected_leaves[name].tobytes()]
    assert different == []
    for figure in ("loss", "accuracy", "val_loss", "val_accuracy", "best_val_accuracy", "best_epoch"):
        assert getattr(job, figure) == getattr(reference, figure), figure
    for name in ("loss", "accuracy", "val_loss", "val_accuracy"):
        found, wanted = (curves.read(training.store, one.id, "epoch", name) for one in (job, reference))
        assert found.points.tolist() == wanted.points.tolist() == [1, 2, 3]
        assert found.values.tolist() == wanted.values.tolist()


def leaves(tree: checkpoint.Tree, prefix: str = "") -> list[tuple[str, np.ndarray]]:
    found: list[tuple[str, np.ndarray]] = []
    for name, value in tree.items():
        found += leaves(value, f"{prefix}{name}/") if isinstance(value, dict) else [(f"{prefix}{name}", value)]
    return found


@pytest.fixture(scope="module")
def reference(training: Runs) -> Job:
    """The run that was never stopped."""
    return training.here(training.create(SPEC))


@pytest.mark.parametrize(
    ("stop", "epoch", "step"),
    [
        ({"steps": STEPS + 7}, 1, 7),
        ({"steps": 2 * STEPS - 1}, 1, STEPS - 1),
        ({"steps": 2 * STEPS}, 1, STEPS),  # the epoch's last step: validation is all that is left of it
        ({"validation_steps": 3}, 0, STEPS),
    ],
)
def test_stopped_anywhere_and_resumed(
    training: Runs, reference: Job, stop: dict[str, int], epoch: int, step: int
) -> None:
    job = training.here(training.create(SPEC), StopAt(**stop))
    assert job.state == State.STOPPED
    assert job.checkpoint_step == epoch * STEPS + step
    assert f"epoch {epoch + 1}, step {step}" in str(job.reason)
    assert_same_end(training, training.here(job), reference)


def test_stopped_twice_in_one_epoch(training: Runs, reference: Job) -> None:
    job = training.here(training.create(SPEC), StopAt(steps=4))
    job = training.here(job, StopAt(steps=4))
    assert job.checkpoint_step == 8
    assert_same_end(training, training.here(job), reference)


def test_a_resumed_run_forgets_what_was_recorded_after_its_checkpoint(training: Runs) -> None:
    job = training.here(training.create(SPEC), StopAt(steps=STEPS + 3))
    with transaction(training.store.database) as opened:
        curves.append(opened, job.id, 1, "step", [STEPS + 9], {"loss": [99.0]})
    job = training.here(job)
    losses = curves.read(training.store, job.id, "step", "loss")
    assert 99.0 not in losses.values
    assert losses.points.tolist() == sorted(set(losses.points.tolist()))


def test_a_run_in_mixed_float16_with_momentum(training: Runs) -> None:
    """Its optimizer is wrapped in one that scales the loss, whose state belongs to the checkpoint too.

    On three steps an epoch, because CPUs calculate in float16 very slowly.
    """
    other = {"optimizer": "sgd", "learning_rate": 0.05, "precision": "mixed_float16", "share": 0.1}
    spec = SPEC | {"training": SPEC["training"] | other}
    undisturbed = training.here(training.create(spec))
    job = training.here(training.create(spec), StopAt(steps=4))
    assert (job.steps_per_epoch, job.checkpoint_step) == (3, 4)
    assert_same_end(training, training.here(job), undisturbed)


def test_two_real_workers_do_what_one_does(training: Runs) -> None:
    """In new processes, with the stop coming from the store at a moment nobody chose."""
    spec = SPEC | {"training": SPEC["training"] | {"epochs": 12, "share": 1.0}}
    reference = training.by_worker(training.create(spec))

    job = training.create(spec)

    def stop_when_it_trains() -> None:
        deadline = time.monotonic() + 200
        while training.store.get(job.id).step == 0:
            assert time.monotonic() < deadline
            time.sleep(0.01)  # how the store is watched; nothing is waited out
        training.store.request_stop(job.id, "a test")

    stopped = training.by_worker(job, stop_when_it_trains)
    assert stopped.state == State.STOPPED
    assert stopped.model_path is None
    resumed = training.by_worker(stopped)
    assert (resumed.loss, resumed.val_loss) == (reference.loss, reference.val_loss)
    assert read_weights(resumed) == read_weights(reference)


def read_weights(job: Job) -> list[bytes]:
    assert job.model_path is not None
    model = keras.saving.load_model(Path(job.model_path), compile=False)
    return [weight.numpy().tobytes() for weight in model.weights]
