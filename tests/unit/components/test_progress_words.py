"""What is said while a stop request waits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from components.progress_words import explanation
from studio import runs
from studio.jobs.queue import kill_deadline
from studio.jobs.states import Phase, State
from studio.jobs.store import Job, Store
from studio.settings import Settings
from studio.spec.recipes import RECIPES

ASKED = 1_000_000.0


@pytest.fixture
def asked(settings: Settings, store: Store) -> Job:
    """A run that was asked to stop in the middle of training."""
    job = runs.start(store, runs.check(settings, RECIPES["digits"].spec))
    return replace(job, state=State.RUNNING, phase=Phase.TRAIN, stop_requested=ASKED)


def test_stop_is_obeyed_after_the_step(asked: Job, store: Store) -> None:
    assert explanation(store, asked, ASKED + 9) == "Stopping after this step, then saving a checkpoint"


def test_a_worker_that_does_not_answer_is_ended_when_the_queue_does_it(asked: Job, store: Store) -> None:
    deadline = kill_deadline(asked, store.settings)
    assert deadline is not None
    late = replace(asked, checkpoint_time=deadline - 12 - 40)
    assert explanation(store, late, deadline - 12) == (
        "It does not answer. It will be ended by force in 12 s; the last checkpoint is 40 s old"
    )


@pytest.mark.parametrize("phase", [Phase.SAVE, Phase.CHECK])
def test_saving_is_not_called_silence(asked: Job, store: Store, phase: Phase) -> None:
    saving = replace(asked, phase=phase)
    assert explanation(store, saving, ASKED + store.settings.stop_grace + 20) == "Saving is finished first"
