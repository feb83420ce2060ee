"""Hardware: the verdict and how it was found."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from components import tunnel
from studio import hardware
from studio.hardware import detect
from studio.hardware.record import Hardware, Step
from studio.hardware.versions import Version
from studio.settings import Settings
from tests.app.pages import open_page, words


@pytest.fixture
def tpu(settings: Settings) -> Hardware:
    """What a TPU machine answers."""
    return replace(
        detect(settings),
        kind="tpu",
        devices=tuple(f"/device:TPU:{chip}" for chip in range(8)),
        replicas=8,
        steps=(
            Step("resolver", "ok", 0.4, "found"),
            Step("connect", "ok", 1.2, "connected"),
            Step("initialize", "failed", 7.0, "first line\n*second* line"),
            Step("strategy", "crashed", 0.1, "SIGABRT"),
        ),
        versions=(Version("libtpu", "0.0.40", "it ends the process", 'pip install "libtpu==0.0.14"'),),
        checked_at=time.time() - 250,
        verdict="Training will use the TPU: 8 replicas.",
    )


def test_a_machine_without_accelerator_says_what_was_tried(home: Path) -> None:
    at = open_page("hardware")
    said = words(at)
    assert "Training will use the CPU." in said
    for step in ("resolver", "connect", "initialize", "strategy", "gpu", "cpu"):
        assert f"**{step}**" in said
    assert said.count("not tried") == 5
    assert "There is no device node of a TPU" in said
    assert "No known bad combination." in said


def test_outcomes_messages_and_bad_versions_of_a_tpu_are_shown(tpu: Hardware, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware, "detect", lambda settings, force=False: tpu)
    at = open_page("hardware")
    said = words(at)
    assert "Training will use the TPU: 8 replicas." in said
    assert "Looked 4 minutes ago." in said
    assert said.count("worked") == 2
    assert said.count("failed") == 1
    assert said.count("crashed") == 1
    assert "libtpu 0.0.40**: it ends the process." in said
    codes = [code.value for code in at.code]
    assert "first line\n*second* line" in codes
    assert 'pip install "libtpu==0.0.14"' in codes
    assert any(code.startswith("gcloud compute tpus tpu-vm ssh") for code in codes)


def test_look_again_asks_anew(tpu: Hardware, monkeypatch: pytest.MonkeyPatch) -> None:
    forced = []

    def fake(settings: Settings, force: bool = False) -> Hardware:
        forced.append(force)
        return tpu

    monkeypatch.setattr(hardware, "detect", fake)
    at = open_page("hardware")
    assert True not in forced
    at.button(key="hardware_look_again").click().run()
    assert True in forced


def test_the_tunnel_command_names_user_and_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnel.getpass, "getuser", lambda: "ada")
    monkeypatch.setattr(tunnel.socket, "gethostname", lambda: "lab-1")
    assert tunnel.tunnel_command(8501, tpu=False) == "ssh -L 8501:localhost:8501 ada@lab-1"


def test_a_user_without_a_name_is_a_word_to_replace(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_name() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(tunnel.getpass, "getuser", no_name)
    assert "USER@" in tunnel.tunnel_command(8501, tpu=False)
