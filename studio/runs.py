"""What pages and the command line ask for: check a spec against data and devices, start a run, keep or drop one."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from studio.data import catalogue
from studio.errors import RequestError
from studio.hardware import detect
from studio.jobs.states import Kind
from studio.jobs.store import Job, Store
from studio.settings import Settings
from studio.spec.facts import DataFacts
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
    return _plan(settings, spec, catalogue.facts(settings, spec.data.dataset))


def check_published(settings: Settings, spec: RunSpec) -> None:
    """Check a spec whose set is not on this machine yet, with the numbers that its publishers give.

    Raises:
        SpecError: settings, data and devices would not fit.
        RequestError: there is no such dataset.
    """
    _plan(settings, spec, catalogue.published_facts(spec.data.dataset))


def _plan(settings: Settings, spec: RunSpec, facts: DataFacts) -> Plan:
    hardware = detect(settings)
    if hardware.kind == "unknown" and spec.training.strategy not in ("cpu", "virtual"):
        raise RequestError(
            "A run has the accelerator, and this machine was not looked at before it began; wait for its end, or "
            "choose the CPU (training.strategy cpu)."
        )
    side = spec.data.image_size or MODELS["mobilenet_v2"].default_size
    return make_plan(
        spec,
        facts,
        hardware_kind=hardware.kind,
        hardware_replicas=hardware.replicas,
        imagenet_at_hand=settings.has_imagenet_weights(mobilenet_weights_file(spec.model.width, side, side)),
    )


def has_imagenet_weights(settings: Settings, plan: Plan) -> bool:
    """Whether the ImageNet weights that a MobileNetV2 of this plan starts from are on this machine."""
    file = mobilenet_weights_file(plan.spec.model.width, plan.height, plan.width)
    return settings.has_imagenet_weights(file)


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
    return store.create(
        Kind.TRAIN,
        plan.spec.model_dump(mode="json"),
        name=name or default_name(plan),
        owner=owner,
        parent=parent,
        reserved_by=reserved_by,
        epochs=plan.spec.training.epochs,
        steps_per_epoch=plan.steps_per_epoch,
        classes=plan.classes,
        train_images=plan.train_images,
        validation_images=plan.validation_images,
        guessing=plan.guessing_accuracy,
    )


def default_name(plan: Plan) -> str:
    """What a run is called until somebody renames it: `Digits, small CNN`."""
    return f"{plan.facts.title}, {MODELS[plan.model].in_sentence}"


def download(store: Store, dataset: str, *, owner: str = "", reserved_by: str | None = None) -> Job:
    """Put the download and preparation of a dataset into the queue, or join the one that is under way.

    Raises:
        RequestError: there is no such dataset.
    """
    name = f"Download {catalogue.entry(dataset).title}"
    return store.create(Kind.DOWNLOAD, {"dataset": dataset}, name=name, owner=owner, join=True, reserved_by=reserved_by)


def download_of(store: Store, dataset: str) -> Job | None:
    """The newest download of a set, whatever became of it."""
    jobs = store.jobs(kind=Kind.DOWNLOAD)
    return next((job for job in jobs if job.spec.get("dataset") == dataset), None)


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
