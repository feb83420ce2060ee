"""How far a run is, how long it took, and how long it will take."""

from __future__ import annotations

from collections.abc import Iterable

from studio.jobs.states import HELD, Phase, State
from studio.jobs.store import Job
from studio.spec.plan import Plan

STEPPING = (Phase.TRAIN, Phase.VALIDATE)  # the phases that come again with every epoch
MOST_STRETCHED = 20  # times the images of a measured run; a longer plan cannot be told from it
SETTLED = 2  # epochs after which the time left is no guess


def fraction_done(job: Job) -> float:
    """The part of the planned optimizer steps that were done, from 0 to 1."""
    if job.state == State.FINISHED:
        return 1.0
    planned = (job.epochs or 0) * (job.steps_per_epoch or 0)
    return min(job.step / planned, 1.0) if planned else 0.0


def seconds_in(job: Job, phase: Phase, now: float) -> float:
    """How long a job was in a phase, over all attempts, the present moment included."""
    before = job.phase_seconds.get(phase, 0.0)
    return before + (max(now - job.phase_started, 0.0) if job.phase == phase and job.phase_started else 0.0)


def seconds_so_far(job: Job, now: float) -> float | None:
    """How long a job has worked, over all attempts; None before it began."""
    if job.state in HELD and job.started is not None:
        return (job.seconds or 0.0) + max(now - job.started, 0.0)
    return job.seconds


def settled_epochs(job: Job) -> int:
    """How many epochs must be completed until the time left is told: two, or all but the last of a shorter run."""
    return max(0, min(SETTLED, (job.epochs or 0) - 1))


def seconds_left(job: Job, now: float) -> float | None:
    """How long the epochs that are left will take at the pace so far; None until that is no guess any more."""
    if job.state not in HELD or job.epoch < settled_epochs(job) or not job.step:
        return None
    planned = (job.epochs or 0) * (job.steps_per_epoch or 0)
    return max(planned - job.step, 0) * _stepping_seconds(job, now) / job.step


def seconds_a_step(job: Job) -> float | None:
    """How long an optimizer step took so far on average, validation included; None until there is a measure."""
    before = _stepping(job)
    return before / job.step if before and job.step else None


def expected_seconds(past: Iterable[Job], plan: Plan) -> float | None:
    """How long a run of a plan will take on this machine; None where nothing like it was measured here.

    Args:
        past: finished runs. Of those with the same data, model, image size, devices and precision, the one that saw
            the most images gives the pace: seconds an image for the epochs, and the rest as it was. Where even that
            one saw much fewer images than the plan wants, its start-up is most of it, and it says nothing.
    """
    spec = plan.spec
    wanted = (spec.data.dataset, spec.data.image_size, spec.model, *_on(spec.training.model_dump()))

    def measured(job: Job) -> bool:
        data, model = job.spec["data"], job.spec["model"]
        same = (data["dataset"], data["image_size"], type(spec.model)(**model), *_on(job.spec["training"])) == wanted
        return same and job.state == State.FINISHED and bool(_images_seen(job) and _stepping(job))

    longest = max(filter(measured, past), key=_images_seen, default=None)
    planned = plan.train_images * spec.training.epochs
    if longest is None or planned > MOST_STRETCHED * _images_seen(longest):
        return None
    rest = sum(longest.phase_seconds.values()) - _stepping(longest)
    return rest + _stepping(longest) * planned / _images_seen(longest)


def _images_seen(job: Job) -> int:
    return (job.train_images or 0) * job.epoch


def _stepping(job: Job) -> float:
    return sum(job.phase_seconds.get(phase, 0.0) for phase in STEPPING)


def _stepping_seconds(job: Job, now: float) -> float:
    return sum(seconds_in(job, phase, now) for phase in STEPPING)


def _on(training: dict[str, object]) -> tuple[object, ...]:
    return tuple(training[name] for name in ("strategy", "replicas", "precision", "batch_size"))
