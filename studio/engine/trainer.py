"""Train a model: the whole path of a run, from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import keras
import numpy as np

from studio.data.catalogue import facts
from studio.data.index import open_index, read_image_bytes
from studio.data.splits import positions
from studio.engine import checkpoint, pipeline, saving
from studio.engine.backend.tensorflow import prepare_state, read_state, write_state
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
from studio.engine.pictures import as_the_model_sees
from studio.engine.precision import read_precision, set_precision
from studio.engine.stopped import Stopped
from studio.engine.strategy import open_devices
from studio.jobs.reporter import Reporter
from studio.jobs.states import Phase
from studio.jobs.store import Job
from studio.settings import Settings
from studio.spec.plan import Plan, make_plan
from studio.spec.run import parse_spec

SPEC_FILE = "spec.json"  # beside the model, so that the folder of a run explains itself
PICTURES = 8  # validation pictures whose answers are shown while training


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
        data = pipeline.load(settings, plan)
        pictures, labels, rows = _pictures(settings, plan)

        # build under the strategy, compile
        reporter.phase(Phase.COMPILE)
        training = plan.spec.training
        keras.utils.set_random_seed(training.seed)
        set_precision(training.precision)
        with devices.strategy.scope():
            model = build(plan)
            accuracy = keras.metrics.SparseCategoricalAccuracy(name="accuracy")
            model.compile(
                optimizer=make_optimizer(training),
                loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                metrics=[accuracy],
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
            Recorder(reporter, place, accuracy, speed=speed, steps_per_epoch=plan.steps_per_epoch),
            Answers(reporter, pictures, labels, rows),
            checkpoints,
            Stop(reporter),
        ]
        try:
            with devices.strategy.scope():
                _train(model, data, plan, place, callbacks)
        except StopRequested:
            checkpoints.write()
            raise Stopped(f"at epoch {place.epoch + 1}, step {place.step}") from None

    # save, check the save
    reporter.phase(Phase.SAVE)
    part = saving.save(model, folder)
    reporter.phase(Phase.CHECK)
    path = saving.check(part, model, pictures, exact=devices.device == "CPU", precision=precision)
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


def _pictures(settings: Settings, plan: Plan) -> tuple[np.ndarray, list[int], list[int]]:
    """Some validation pictures as the model sees them, uint8 (pictures, height, width, channels), with their
    labels and their rows in the index; the same ones for the same seed."""
    spec = plan.spec
    index = open_index(settings, spec.data.dataset)
    validation = positions(index, spec)["validation"]
    chosen = np.random.default_rng(spec.training.seed).permutation(len(validation))[:PICTURES]
    rows = index.rows(validation.split)[validation.positions[chosen]].tolist()
    images = [
        as_the_model_sees(
            read_image_bytes(index.get(row)),
            (plan.height, plan.width, plan.channels),
            spec.data.resize,
            name=f"picture {row} of {spec.data.dataset}",
            max_pixels=settings.max_pixels,
        )
        for row in rows
    ]
    return np.stack(images), validation.labels[chosen].tolist(), rows


def _restore(model: keras.Model, folder: Path, plan: Plan, reporter: Reporter) -> Place:
    """Put the model where its checkpoint left it, if there is one, and forget what was recorded after it."""
    if not checkpoint.exists(folder):
        reporter.drop_after(step=0, epoch=0)
        return Place()
    tree, place = checkpoint.read(folder)
    write_state(model, tree)
    step = place.epoch * plan.steps_per_epoch + place.step
    reporter.drop_after(step=step, epoch=place.epoch)
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
    validation = {"validation_data": data.validation, "validation_steps": data.validation_steps}
    if place.step == steps:
        _validate(model, data, place, callbacks)
    elif place.step:
        back = PutMetricsBack(read_state(model)["metrics_variables"])
        with suppress(EpochIsOver):
            model.fit(
                data.train_batches(place.epoch, place.step),
                initial_epoch=place.epoch,
                epochs=place.epoch + 1,
                steps_per_epoch=steps - place.step,
                callbacks=[back, *callbacks, LeaveAtEpochEnd()],
                verbose=0,
                **validation,
            )
    if place.epoch < plan.spec.training.epochs:
        model.fit(
            data.train_batches(place.epoch, 0),
            initial_epoch=place.epoch,
            epochs=plan.spec.training.epochs,
            steps_per_epoch=steps,
            callbacks=callbacks,
            verbose=0,
            **validation,
        )


def _validate(
    model: keras.Model, data: pipeline.Splits, place: Place, callbacks: Sequence[keras.callbacks.Callback]
) -> None:
    """End an epoch of which no step is left: it was broken off in validation. (`fit` with no step would not end.)"""
    listeners = keras.callbacks.CallbackList(list(callbacks), model=model)
    figures = {name: float(value) for name, value in model.get_metrics_result().items()}
    measured = model.evaluate(
        data.validation, steps=data.validation_steps, callbacks=listeners, return_dict=True, verbose=0
    )
    listeners.on_epoch_end(place.epoch, figures | {f"val_{name}": value for name, value in measured.items()})
