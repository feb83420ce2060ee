"""How far a run is and how long it will take, from what its worker reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio import runs
from studio.jobs.pace import expected_seconds, fraction_done, seconds_a_step, seconds_in, seconds_left, seconds_so_far
from studio.jobs.states import Phase, State
from studio.jobs.store import Job, Store
from studio.settings import Settings
from studio.spec.plan import Plan
from studio.spec.recipes import RECIPES

NOW = 1_000.0


@pytest.fixture
def plan(settings: Settings) -> Plan:
    return runs.check(settings, RECIPES["digits"].spec)


@pytest.fixture
def running(store: Store, plan: Plan) -> Job:
    """Ten of 40 epochs of 39 steps in 8 seconds of training and 2 of validating, after 5 of preparing."""
    return replace(
        runs.start(store, plan),
        state=State.RUNNING,
        started=NOW - 15,
        phase=Phase.VALIDATE,
        phase_started=NOW - 1,
        phase_seconds={"data": 5.0, "train": 8.0, "validate": 1.0},
        epoch=10,
        step=390,
    )


def test_the_part_that_is_done_counts_steps(running: Job) -> None:
    assert fraction_done(running) == 0.25
    assert fraction_done(replace(running, step=0)) == 0.0
    assert fraction_done(replace(running, steps_per_epoch=None)) == 0.0
    assert fraction_done(replace(running, state=State.FINISHED, step=0)) == 1.0


def test_the_present_phase_counts_up_to_now(running: Job) -> None:
    assert seconds_in(running, Phase.VALIDATE, NOW) == 2.0
    assert seconds_in(running, Phase.TRAIN, NOW) == 8.0
    assert seconds_in(running, Phase.SAVE, NOW) == 0.0


def test_the_time_left_leaves_out_what_happens_once(running: Job) -> None:
    assert seconds_left(running, NOW) == pytest.approx(30.0)
    assert seconds_a_step(running) == pytest.approx(9 / 390)


@pytest.mark.parametrize("epoch", [0, 1])
def test_the_time_left_is_not_guessed_from_one_epoch(running: Job, epoch: int) -> None:
    assert seconds_left(replace(running, epoch=epoch), NOW) is None


def test_a_run_of_one_epoch_tells_the_time_from_its_steps(running: Job) -> None:
    only = replace(running, epochs=1, epoch=0, step=13)
    assert seconds_left(only, NOW) == pytest.approx(20.0)
    assert seconds_left(replace(only, step=0), NOW) is None


def test_the_time_so_far_counts_all_attempts(running: Job) -> None:
    assert seconds_so_far(running, NOW) == 15.0
    assert seconds_so_far(replace(running, seconds=100.0), NOW) == 115.0
    assert seconds_so_far(replace(running, state=State.STOPPED, seconds=15.0), NOW + 99) == 15.0


def test_an_earlier_run_of_the_same_kind_tells_the_time(running: Job, plan: Plan) -> None:
    before = replace(running, state=State.FINISHED, phase=None, epoch=20)
    assert expected_seconds([before], plan) == pytest.approx(5 + 9 * 2)


def test_another_kind_of_run_tells_nothing(running: Job, plan: Plan) -> None:
    before = replace(running, state=State.FINISHED, phase=None)
    larger = before.spec | {"training": before.spec["training"] | {"batch_size": 64}}
    assert expected_seconds([replace(before, spec=larger)], plan) is None
    assert expected_seconds([replace(before, state=State.STOPPED)], plan) is None
    assert expected_seconds([], plan) is None


def test_the_longest_run_tells_the_time_and_a_quick_try_not_that_of_a_long_one(running: Job, plan: Plan) -> None:
    before = replace(running, state=State.FINISHED, epoch=running.epochs or 0, phase=None)
    quick = replace(before, train_images=(before.train_images or 0) // 100, epoch=1)
    assert expected_seconds([quick], plan) is None
    assert expected_seconds([quick, before], plan) == expected_seconds([before], plan)
