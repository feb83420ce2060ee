"""What will training use, and why: TPU, then GPUs, then the CPU."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from studio.hardware import child, record, tpu, versions
from studio.hardware.nodes import gpu_nodes, tpu_nodes
from studio.hardware.record import Hardware, Step
from studio.settings import Settings

TPU_STEPS = ("resolver", "connect", "initialize", "strategy")
NO_TPU = "There is no device node of a TPU (/dev/accel*, /dev/vfio/*)."
NO_GPU = "There is no device node of a GPU (/dev/nvidia*, /dev/dxg)."


def detect(settings: Settings, force: bool = False, *, root: Path = Path("/")) -> Hardware:
    """What this machine offers. At once where it can only be the CPU; up to some minutes where devices are asked.

    The answer is kept under STUDIO_HOME and given again while the device nodes and the installed versions are
    the same. While a run holds the accelerator nothing is asked, because asking would disturb it: the kept answer
    comes with the time it was found (`checked_at`).

    Args:
        force: ask again even where there is an answer.
        root: where to look for `dev`; another folder in tests.
    """
    tpus, gpus = tpu_nodes(root), gpu_nodes(root)
    have = versions.installed()
    known = record.stored(settings.home)
    if not tpus and not gpus:
        return _answer((*_skipped(NO_TPU), Step("gpu", "skipped", 0.0, NO_GPU)), "cpu", (), "", (), have)
    if known and not force and known.nodes == tpus + gpus and known.versions == versions.check(have):
        return known
    asked = time.time()
    with _lock(settings.home / "hardware.lock", wait=True):  # one asks, the others wait for its answer
        known = record.stored(settings.home)
        if known and known.checked_at >= asked:
            return known
        with _lock(settings.accelerator_lock, wait=False) as free:  # no run starts meanwhile
            if free:
                known = _ask(tpus, gpus, have)
                record.store(settings.home, known)
    return known or _not_known(tpus, gpus, have)


def _ask(tpus: tuple[str, ...], gpus: tuple[str, ...], have: dict[str, str]) -> Hardware:
    steps: tuple[Step, ...] = () if tpus else _skipped(NO_TPU)
    spoiled = next((found for found in versions.check(have) if found.package == "libtpu" and found.problem), None)
    if tpus and spoiled:
        steps = _skipped(f"libtpu {spoiled.version}: {spoiled.problem}. Mend it with: {spoiled.command}")
    elif tpus:
        for runtime in tpu.runtimes_to_try():
            transcript = child.ask("tpu", tpu.environment(runtime))
            steps = transcript.steps
            if transcript.devices:
                gpu = Step("gpu", "skipped", 0.0, "A TPU was found.")
                return _answer((*steps, gpu), "tpu", transcript.devices, runtime, tpus + gpus, have)
    if not gpus:
        return _answer((*steps, Step("gpu", "skipped", 0.0, NO_GPU)), "cpu", (), "", tpus + gpus, have)
    transcript = child.ask("gpu", tpu.environment(""))
    kind = "gpu" if transcript.devices else "cpu"
    return _answer((*steps, *transcript.steps), kind, transcript.devices, "", tpus + gpus, have)


def _not_known(tpus: tuple[str, ...], gpus: tuple[str, ...], have: dict[str, str]) -> Hardware:
    """The answer while a run holds the accelerator and none was found before: nobody can say."""
    message = "A run is using the accelerator; look again when it has ended."
    return _answer((*_skipped(message), Step("gpu", "skipped", 0.0, message)), "unknown", (), "", tpus + gpus, have)


def _answer(
    steps: tuple[Step, ...],
    kind: str,
    devices: tuple[str, ...],
    runtime: str,
    nodes: tuple[str, ...],
    have: dict[str, str],
) -> Hardware:
    cores, memory = psutil.cpu_count() or 1, psutil.virtual_memory().total
    size = f"{cores} {'core' if cores == 1 else 'cores'}, {memory / 2**30:.0f} GiB memory"
    cpu = Step("cpu", "skipped" if devices else "ok", 0.0, size)
    replicas = max(1, len(devices))
    return Hardware(
        kind=kind,
        devices=devices or ("CPU",),
        replicas=replicas,
        runtime=runtime,
        steps=(*steps, cpu),
        versions=versions.check(have),
        cores=cores,
        memory=memory,
        nodes=nodes,
        checked_at=time.time(),
        verdict=_verdict(kind, replicas, size, nodes),
    )


def _verdict(kind: str, replicas: int, size: str, nodes: tuple[str, ...]) -> str:
    if kind == "unknown":
        return "What training would use is not known yet: a run has the accelerator. Look again when it has ended."
    if kind == "tpu":
        return f"Training will use the TPU: {replicas} {'replica' if replicas == 1 else 'replicas'}."
    if kind == "gpu" and replicas > 1:
        return f"Training will use {replicas} GPUs: {replicas} replicas."
    if kind == "gpu":
        return "Training will use the GPU."
    if nodes:
        return f"Training will use the CPU. {size}. A device is here, but TensorFlow could not use it."
    return f"Training will use the CPU. {size}. No TPU and no GPU found."


def _skipped(message: str) -> tuple[Step, ...]:
    return tuple(Step(name, "skipped", 0.0, message) for name in TPU_STEPS)


@contextmanager
def _lock(path: Path, *, wait: bool) -> Iterator[bool]:
    """Hold the lock on a file; False where somebody else has it and it is not waited for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True
