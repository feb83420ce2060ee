"""Train a model: the whole path of a run, from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import keras

from studio.data.catalogue import facts
from studio.engine import checkpoint, pipeline, saving
from studio.engine.backend.tensorflow import OutOfMemory, prepare_state, read_state, write_state
from studio.engine.build import build
from studio.engine.callbacks.answers import Answers
from studio.engine.callbacks.broken_epoch import EpochIsOver, LeaveAtEpochEnd, PutMetricsBack
from studio.engine.callbacks.checkpoints import Checkpoints
from studio.engine.callbacks.phases import Phases
from studio.engine.callbacks.recorder import Recorder
from studio.engine.callbacks.speed import Speed
from studio.engine.callbacks.stop import Stop, StopRequested
from studio.engine.checkpoint import Place
from studio.engine.optimizer import make_optimizer
from studio.engine.precision import read_precision, set_precision
from studio.engine.stopped import Stopped
from studio.engine.strategy import open_devices
from studio.errors import StudioError
from studio.jobs.reporter import Reporter
from studio.jobs.states import Phase
from studio.jobs.store import Job
from studio.settings import Settings
from studio.spec.plan import Plan, make_plan
from studio.spec.run import parse_spec

MEASURED = (  # columns of the job that an attempt which begins again from the start has to measure anew
    "loss",
    "accuracy",
    "val_loss",
    "val_accuracy",
    "validation_right",
    "best_val_accuracy",
    "best_epoch",
    "examples_per_second",
    "answers",
)
SPEC_FILE = "spec.json"  # beside the model, so that the folder of a run explains itself


def run(job: Job, reporter: Reporter, settings: Settings) -> str:
    """Do a train job: from its spec to a checked `model.keras` in its folder, or on from its checkpoint.

    Returns:
        How it ended, in one sentence.

    Raises:
        Stopped: somebody asked for it; a checkpoint holds everything.
        StudioError: it cannot go on; the sentence says why.
    """
    folder = settings.jobs / job.id
    with ExitStack() as before_the_first_step:  # until then a stop loses nothing and ends the process at once
        before_the_first_step.enter_context(reporter.safe_to_leave())

        # load data
        reporter.phase(Phase.DATA)
        plan = plan_of(job, settings)
        (folder / SPEC_FILE).write_text(plan.spec.to_json())
        devices = open_devices(plan.strategy, plan.replicas)
        data = pipeline.load(settings, plan, partial(reporter.phase, Phase.DATA))
        pictures = pipeline.panel_examples(settings, plan)

        # build under the strategy, compile
        reporter.phase(Phase.COMPILE)
        training = plan.spec.training
        keras.utils.clear_session()  # names of seed generators count up in a process, and are keys of a checkpoint
        keras.utils.set_random_seed(training.seed)
        set_precision(training.precision)
        with devices.strategy.scope():
            model = build(plan)
            accuracy = keras.metrics.SparseCategoricalAccuracy(name="accuracy")
            model.compile(
                optimizer=make_optimizer(training),
                loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                weighted_metrics=[accuracy],  # images that only fill up a batch have weight 0
                jit_compile="auto" if devices.name == "default" else False,
            )
            prepare_state(model, devices.strategy, plan.classes)
        precision = read_precision(model)
        place = _restore(model, folder / "checkpoint", plan, reporter)
        reporter.update(
            strategy=devices.name,
            device=devices.device,
            replicas=devices.replicas,
            precision=precision,
            parameters=model.count_params(),
            epochs=training.epochs,
            steps_per_epoch=plan.steps_per_epoch,
            classes=plan.classes,
            train_images=plan.train_images,
            validation_images=plan.validation_images,
            guessing=plan.guessing_accuracy,
        )

        # train and validate
        speed = Speed(training.batch_size)
        checkpoints = Checkpoints(reporter, folder / "checkpoint", place, plan.steps_per_epoch)
        callbacks = [
            Phases(reporter, on_first_step=before_the_first_step.close),
            speed,
            Recorder(reporter, place, accuracy, speed, plan),
            Answers(reporter, pictures),
            checkpoints,
            Stop(reporter),
        ]
        try:
            with devices.strategy.scope():
                _train(model, data, plan, place, callbacks)
        except StopRequested:
            checkpoints.write()
            raise Stopped(f"at epoch {place.epoch + 1}, step {place.step}") from None
        except OutOfMemory as error:
            raise StudioError(
                f"The {devices.device} ran out of memory with {training.batch_size} images in a batch; start again "
                f"with a global batch size of {max(1, training.batch_size // 2)}, or with smaller images.",
                str(error),
            ) from error

    # save, check the save
    reporter.phase(Phase.SAVE)
    part = saving.save(model, folder)
    reporter.phase(Phase.CHECK)
    path = saving.check(part, model, pictures.images, exact=devices.device == "CPU", precision=precision)
    reporter.update(model_path=str(path))
    return f"Finished after {place.epoch} {'epoch' if place.epoch == 1 else 'epochs'}."


def plan_of(job: Job, settings: Settings) -> Plan:
    """The plan a job was made from: its spec names the devices, so they are not looked for again."""
    spec = parse_spec(job.spec)
    training = spec.training
    return make_plan(
        spec,
        facts(settings, spec.data.dataset),
        hardware_kind="cpu" if training.strategy == "virtual" else training.strategy,
        hardware_replicas=training.replicas or 1,
    )


def _restore(model: keras.Model, folder: Path, plan: Plan, reporter: Reporter) -> Place:
    """Put the model where its checkpoint left it, if there is one, and forget what was recorded after it."""
    if not checkpoint.exists(folder):
        reporter.drop_after(step=0, epoch=0)
        reporter.progress(epoch=0, step=0)
        reporter.update(**dict.fromkeys(MEASURED))
        return Place()
    tree, place = checkpoint.read(folder)
    if checkpoint.names(tree) != checkpoint.names(read_state(model)):  # Keras would leave out what it does not know
        raise StudioError(
            f"The checkpoint in {folder} belongs to another model; start the run again from the beginning."
        )
    write_state(model, tree)
    step = place.epoch * plan.steps_per_epoch + place.step
    reporter.drop_after(step=step, epoch=place.epoch)
    reporter.progress(place.epoch, step)
    reporter.event(
        "resumed",
        f"Went on from epoch {place.epoch + 1}, step {place.step}.",
        epoch=step / plan.steps_per_epoch,
        step=step,
    )
    return place


def _train(
    model: keras.Model,
    data: pipeline.Splits,
    plan: Plan,
    place: Place,
    callbacks: Sequence[keras.callbacks.Callback],
) -> None:
    """Train from `place` to the last epoch. A broken epoch is ended first, so that every epoch is whole."""
    steps = plan.steps_per_epoch
    fit = partial(
        model.fit,
        validation_data=data.validation_batches(),
        validation_steps=data.validation_steps,
        shuffle=False,  # the batches come in the order of the seed
        verbose=0,
    )
    if place.step == steps:
        _validate(model, data, place, callbacks)
    elif place.step:
        back = PutMetricsBack(read_state(model)["metrics_variables"])
        with suppress(EpochIsOver):
            fit(
                data.train_batches(place.epoch, place.step),
                initial_epoch=place.epoch,
                epochs=place.epoch + 1,
                steps_per_epoch=steps - place.step,
                callbacks=[back, *callbacks, LeaveAtEpochEnd()],
            )
    if place.epoch < plan.spec.training.epochs:
        fit(
            data.train_batches(place.epoch, 0),
            initial_epoch=place.epoch,
            epochs=plan.spec.training.epochs,
            steps_per_epoch=steps,
            callbacks=callbacks,
        )


def _validate(
    model: keras.Model, data: pipeline.Splits, place: Place, callbacks: Sequence[keras.callbacks.Callback]
) -> None:
    """End an epoch of which no step is left: it was broken off in validation. (`fit` with no step would not end.)"""
    listeners = keras.callbacks.CallbackList(list(callbacks), model=model)
    figures = {name: float(value) for name, value in model.get_metrics_result().items()}
    measured = model.evaluate(
        data.validation_batches(), steps=data.validation_steps, callbacks=listeners, return_dict=True, verbose=0
    )
    listeners.on_epoch_end(place.epoch, figures | {f"val_{name}": value for name, value in measured.items()})
