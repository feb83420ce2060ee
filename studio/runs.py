"""What pages and the command line ask for: check a spec against data and devices, start a run, keep or drop one."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from studio.data import catalogue
from studio.hardware import detect
from studio.jobs.states import Kind
from studio.jobs.store import Job, Store
from studio.settings import Settings
from studio.spec.models import MODELS, mobilenet_weights_file
from studio.spec.plan import Plan, make_plan
from studio.spec.run import RunSpec

QUICK_TRY_SHARE = 0.1


def check(settings: Settings, spec: RunSpec) -> Plan:
    """What a run of this spec would do on this machine, in numbers.

    Raises:
        NotOnDisk: the dataset has to be downloaded first.
        SpecError: settings, data and devices do not fit.
        RequestError: there is no such dataset.
    """
    facts = catalogue.facts(settings, spec.data.dataset)
    hardware = detect(settings)
    return make_plan(
        spec,
        facts,
        hardware_kind=hardware.kind,
        hardware_replicas=hardware.replicas,
        imagenet_at_hand=has_imagenet_weights(settings, spec),
    )


def has_imagenet_weights(settings: Settings, spec: RunSpec) -> bool:
    """Whether the ImageNet weights that MobileNetV2 would start from are on this machine."""
    size = spec.data.image_size or MODELS["mobilenet_v2"].default_size
    return settings.has_imagenet_weights(mobilenet_weights_file(spec.model.width, size))


def quick_try(spec: RunSpec) -> RunSpec:
    """The same run with one epoch on a tenth of the training images, to see that everything works."""
    training = spec.training.model_copy(update={"epochs": 1, "share": QUICK_TRY_SHARE})
    return spec.model_copy(update={"training": training})


def start(
    store: Store,
    plan: Plan,
    *,
    owner: str = "",
    name: str = "",
    parent: str | None = None,
    reserved_by: str | None = None,
) -> Job:
    """Freeze a checked plan into a train job at the end of the queue, with the counts that are known already."""
    job = store.create(
        Kind.TRAIN,
        plan.spec.model_dump(mode="json"),
        name=name or default_name(plan),
        owner=owner,
        parent=parent,
        epochs=plan.spec.training.epochs,
        reserved_by=reserved_by,
    )
    store.update(
        job.id,
        steps_per_epoch=plan.steps_per_epoch,
        classes=plan.classes,
        train_images=plan.train_images,
        validation_images=plan.validation_images,
        guessing=plan.guessing_accuracy,
    )
    return store.get(job.id)


def default_name(plan: Plan) -> str:
    """What a run is called until somebody renames it: `Digits, small CNN`."""
    return f"{plan.facts.title}, {MODELS[plan.model].in_sentence}"


def download(store: Store, dataset: str, *, owner: str = "", reserved_by: str | None = None) -> Job:
    """Put the download and preparation of a dataset into the queue, or join the one that is under way.

    Raises:
        RequestError: there is no such dataset.
    """
    entry = catalogue.entry(dataset)
    for job in store.jobs(kind=Kind.DOWNLOAD):
        if job.live and job.spec.get("dataset") == dataset:
            return job
    return store.create(
        Kind.DOWNLOAD, {"dataset": dataset}, name=f"Download {entry.title}", owner=owner, reserved_by=reserved_by
    )


def delete(store: Store, job_id: str) -> None:
    """Put an ended job and its folder into the bin, where it stays for some days.

    Raises:
        RequestError: there is no such job, or it has not ended.
    """
    store.delete(job_id)
    target = store.settings.bin / job_id
    shutil.rmtree(target, ignore_errors=True)
    if store.folder(job_id).exists():
        store.folder(job_id).rename(target)


def restore(store: Store, job_id: str) -> None:
    """Take a job and its folder out of the bin."""
    if (store.settings.bin / job_id).exists():
        (store.settings.bin / job_id).rename(store.folder(job_id))
    store.restore(job_id)


def settings_of(job: Job, settings: Settings) -> Settings:
    """The settings with the data folders that were stored with a job."""
    return replace(
        settings,
        data_dir=Path(job.environment["TFDS_DATA_DIR"]),
        keras_home=Path(job.environment["KERAS_HOME"]),
    )
