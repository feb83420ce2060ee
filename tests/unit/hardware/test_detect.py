"""What training will use: with no device nodes, with planted ones, and while a run holds the device."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from studio.hardware import child, record, tpu
from studio.hardware.child import Transcript
from studio.hardware.detect import detect
from studio.hardware.nodes import gpu_nodes, tpu_nodes
from studio.hardware.record import Step
from studio.settings import Settings

OK = tuple(Step(name, "ok", 0.1, "") for name in ("resolver", "connect", "initialize", "strategy"))
FAILED = Transcript((Step("initialize", "failed", 0.1, "NotFoundError: TPUs not found"),), ())


class FakeChild:
    """A fake of `child.ask` that gives prepared transcripts and notes what it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **transcripts: Transcript) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        self._transcripts = transcripts
        monkeypatch.setattr(child, "ask", self._ask)

    def _ask(self, kind: str, environment: dict[str, str]) -> Transcript:
        self.asked.append((kind, dict(environment)))
        return self._transcripts[kind]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / "dev" / "vfio").mkdir(parents=True)
    return tmp_path / "root"


def plant(root: Path, *names: str) -> None:
    for name in names:
        (root / "dev" / name).touch()


def test_without_nodes_it_is_the_cpu_and_nothing_is_started(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeChild(monkeypatch)
    found = detect(settings, root=root)
    assert (found.kind, found.replicas, found.devices) == ("cpu", 1, ("CPU",))
    assert fake.asked == []
    assert [step.name for step in found.steps] == ["resolver", "connect", "initialize", "strategy", "gpu", "cpu"]
    assert {step.outcome for step in found.steps[:-1]} == {"skipped"}
    assert found.verdict.startswith("Training will use the CPU.")
    assert found.cores >= 1
    assert found.memory > 2**28


def test_the_answer_without_nodes_loads_no_training_library(settings: Settings) -> None:
    script = """
import sys
from pathlib import Path
from studio.hardware import detect
from studio.settings import Settings
detect(Settings.load(), root=Path("/no such folder"))
print([name for name in ("tensorflow", "keras", "jax") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_nodes_are_told_apart(root: Path) -> None:
    plant(root, "vfio/vfio", "nvidiactl", "null")  # control nodes: there without any device
    assert tpu_nodes(root) == gpu_nodes(root) == ()
    plant(root, "accel0", "accel1", "vfio/17", "nvidia0", "dxg")
    assert tpu_nodes(root) == ("/dev/accel0", "/dev/accel1", "/dev/vfio/17")
    assert gpu_nodes(root) == ("/dev/nvidia0", "/dev/dxg")


def test_a_tpu_that_answers(settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(root, "accel0")
    monkeypatch.setenv("TPU_ACCELERATOR_TYPE", "v5litepod-8")
    fake = FakeChild(monkeypatch, tpu=Transcript(OK, tuple(f"TPU:{number}" for number in range(8))))
    found = detect(settings, root=root)
    assert (found.kind, found.replicas, found.runtime) == ("tpu", 8, "pjrt")
    assert found.verdict == "Training will use the TPU: 8 replicas."
    assert [kind for kind, _ in fake.asked] == ["tpu"]
    assert fake.asked[0][1]["PJRT_DEVICE"] == "TPU"
    assert detect(settings, root=root) == found
    assert len(fake.asked) == 1  # the second answer was the kept one
    detect(settings, force=True, root=root)
    assert len(fake.asked) == 2


def test_without_a_known_generation_both_runtimes_are_tried_then_gpus_then_the_cpu(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(root, "accel0", "nvidia0")
    monkeypatch.delenv("TPU_ACCELERATOR_TYPE", raising=False)
    no_gpu = Transcript((Step("gpu", "failed", 1.0, "RuntimeError: TensorFlow lists no GPU"),), ())
    fake = FakeChild(monkeypatch, tpu=FAILED, gpu=no_gpu)
    found = detect(settings, root=root)
    assert [kind for kind, _ in fake.asked] == ["tpu", "tpu", "gpu"]
    assert fake.asked[0][1] != fake.asked[1][1] == tpu.environment("se")
    assert fake.asked[2][1] == {"TPU_LOAD_LIBRARY": "0"}
    assert found.kind == "cpu"
    assert "could not use it" in found.verdict
    assert any(step.message.startswith("NotFoundError") for step in found.steps)


def test_two_gpus_are_two_replicas(settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(root, "nvidia0", "nvidia1")
    FakeChild(monkeypatch, gpu=Transcript((Step("gpu", "ok", 1.0, ""),), ("L4", "L4")))
    found = detect(settings, root=root)
    assert (found.kind, found.replicas) == ("gpu", 2)
    assert found.steps[0].outcome == "skipped"


def test_libtpu_that_ends_the_process_is_not_even_tried(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(root, "accel0")
    monkeypatch.setattr("studio.hardware.versions.installed", lambda: {"tensorflow-tpu": "2.20.0", "libtpu": "0.0.52"})
    fake = FakeChild(monkeypatch)
    found = detect(settings, root=root)
    assert fake.asked == []
    assert 'pip install "libtpu==0.0.14"' in found.steps[0].message


def test_while_a_run_holds_the_device_the_kept_answer_is_given(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(root, "accel0")
    fake = FakeChild(monkeypatch, tpu=Transcript(OK, ("TPU:0",)))
    settings.home.mkdir(parents=True)
    with settings.accelerator_lock.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        busy = detect(settings, root=root)
        assert busy.kind == "unknown"
        assert "A run is using the accelerator" in busy.steps[0].message
        assert record.stored(settings.home) is None  # no answer that others would take for one
    found = detect(settings, root=root)
    with settings.accelerator_lock.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert detect(settings, force=True, root=root) == found
    assert len(fake.asked) == 1


def test_who_asks_meanwhile_waits_for_the_same_answer(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(root, "accel0")
    fake = FakeChild(monkeypatch, tpu=Transcript(OK, ("TPU:0",)))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: detect(settings, root=root), range(4)))
    assert {answer.kind for answer in found} == {"tpu"}
    assert len(fake.asked) == 1


def test_a_kept_answer_that_cannot_be_read_is_none(settings: Settings) -> None:
    settings.home.mkdir(parents=True)
    (settings.home / record.FILE_NAME).write_text('{"kind": "tpu"}')
    assert record.stored(settings.home) is None
