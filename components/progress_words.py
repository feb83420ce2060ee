"""What a run is doing now, in the words of the interface: its phases, its place in the queue, its silence."""

from __future__ import annotations

from components.words import counted, duration
from studio.jobs.pace import fraction_done, seconds_in, seconds_left
from studio.jobs.queue import kill_deadline
from studio.jobs.states import Kind, Phase, State
from studio.jobs.store import Job, Store

PATIENCE = 3.0  # seconds in one phase until it is explained
STOP_PATIENCE = 10.0  # seconds after Stop until it is said that the worker does not answer

# Phase: what is being done, the one word for it beside its time, and what a waiting person may want to know.
PHASES: dict[Phase, tuple[str, str, str]] = {
    Phase.DOWNLOAD: ("Downloading", "download", ""),
    Phase.PREPARE: ("Preparing the dataset", "prepare", "Every image is written in the form that training reads"),
    Phase.DATA: ("Preparing data", "data", "Images are read once, resized and kept in memory"),
    Phase.COMPILE: (
        "Compiling",
        "compile",
        "The program for your hardware is built once. That is why the first epoch is slow and the others are not",
    ),
    Phase.TRAIN: ("Training", "training", ""),
    Phase.VALIDATE: ("Validating", "validating", ""),
    Phase.SAVE: ("Saving the model", "saving", ""),
    Phase.CHECK: (
        "Checking the saved model",
        "checking the saved model",
        "It is loaded again and must give the same answers",
    ),
}
IN_EPOCHS = (Phase.TRAIN, Phase.VALIDATE)
SAVING = (Phase.SAVE, Phase.CHECK)  # in which a stop request is not obeyed


def progress_text(job: Job, now: float) -> str:
    """The line over the progress bar, as Markdown: the epoch, the phases so far with their times, the present one."""
    times = [
        f"**{name}** {duration(spent)}" if phase == job.phase else f"{name} {duration(spent)}"
        for phase, (_, name, _) in PHASES.items()
        if (spent := seconds_in(job, phase, now)) >= 0.05 or phase == job.phase
    ]
    return " · ".join([_where(job), *times])


def explanation(store: Store, job: Job, now: float) -> str:
    """What a person who waits may want to know; empty where there is nothing to explain."""
    if job.stop_requested is not None and job.state in (State.STARTING, State.RUNNING):
        return _stopping(store, job, now)
    if job.state == State.QUEUED:
        running = store.jobs(kind=Kind.TRAIN, states=[State.STARTING, State.RUNNING], limit=1)
        return f"Running now: {running[0].name}" if running else ""
    if job.state == State.STARTING:
        return "TensorFlow is being loaded" if now - (job.started or now) > PATIENCE else ""
    if job.phase and job.phase_started and now - job.phase_started > PATIENCE:
        return PHASES[job.phase][2]
    return ""


def waiting(store: Store, job: Job, now: float) -> str:
    """The place of a queued run: `Waiting, 1 run before this one, starts in about 4 min`."""
    before = store.place_in_queue(job)
    if not before:
        return "Waiting, next in the queue"
    running = store.jobs(kind=Kind.TRAIN, states=[State.STARTING, State.RUNNING], limit=1)
    left = seconds_left(running[0], now) if running and before == 1 else None
    starts = f", starts in about {duration(left)}" if left is not None else ""
    return f"Waiting, {counted(before, 'run')} before this one{starts}"


def _where(job: Job) -> str:
    if job.state == State.STARTING:
        return "**Starting the worker**"
    if not job.live:
        return f"**{job.epoch} of {counted(job.epochs or 0, 'epoch')}**"
    if job.phase in IN_EPOCHS and job.steps_per_epoch:
        # The last epoch stays the last one while it is validated.
        epoch = min(job.epoch + 1, job.epochs or job.epoch + 1)
        step = job.step - job.epoch * job.steps_per_epoch
        return f"**Epoch {epoch} of {job.epochs}**, step {max(step, 0)} of {job.steps_per_epoch}"
    if job.phase is None:
        return "**Starting the worker**"
    words = f"**{PHASES[job.phase][0]}**"
    return words + (f", {job.phase_done:,} of {job.phase_total:,}" if job.phase_done and job.phase_total else "")


def _stopping(store: Store, job: Job, now: float) -> str:
    if job.phase in SAVING:
        return "Saving is finished first"
    deadline = kill_deadline(job, store.settings)
    if deadline is None or job.stop_requested is None or now - job.stop_requested < STOP_PATIENCE:
        return "Stopping after this step, then saving a checkpoint"
    kept = f"; the last checkpoint is {duration(now - job.checkpoint_time)} old" if job.checkpoint_time else ""
    return f"It does not answer. It will be ended by force in {duration(max(deadline - now, 0))}{kept}"


def percent_done(job: Job) -> int:
    """Whole percent of the planned steps, for the tab title."""
    return int(100 * fraction_done(job))
