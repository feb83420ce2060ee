"""The real steps with the real TensorFlow, on a machine without the devices: each failure is its message."""

from __future__ import annotations

import pytest

from studio.hardware import tpu
from studio.hardware.child import ask


def test_no_tpu_answers_and_every_step_says_so() -> None:
    transcript = ask("tpu", tpu.environment("se") | {"TPU_SKIP_MDS_QUERY": "1"})
    if transcript.devices:
        pytest.skip("there is a TPU on this machine")
    steps = {step.name: step for step in transcript.steps}
    assert list(steps) == ["resolver", "connect", "initialize", "strategy"]
    assert steps["resolver"].outcome == "ok"  # it never looks at the hardware
    assert steps["initialize"].outcome == "failed"
    assert "Error" in steps["initialize"].message
    assert steps["strategy"].outcome == "failed"


def test_no_gpu_is_listed() -> None:
    transcript = ask("gpu", {"CUDA_VISIBLE_DEVICES": "-1"})
    assert transcript.devices == ()
    (step,) = transcript.steps
    assert (step.name, step.outcome) == ("gpu", "failed")
    assert "lists no GPU" in step.message
