"""Devices are opened in a process that has computed nothing; what does not fit the plan is a sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest

from studio.engine.strategy import open_devices
from studio.errors import StudioError


def test_three_replicas_on_the_cpu() -> None:
    script = """
import tensorflow as tf
from studio.engine.strategy import open_devices
devices = open_devices("virtual", 3)
with devices.strategy.scope():
    weight = tf.Variable(1.0)
print(devices.name, devices.device, devices.replicas, len(weight.values))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.split() == ["MirroredStrategy", "CPU", "3", "3"], done.stderr


def test_importing_the_engine_computes_nothing() -> None:
    """Else the first operation would have fixed the devices before a plan could choose them."""
    script = """
from tensorflow.python.eager import context
import studio.engine.trainer, studio.engine.summary, studio.engine.predictions
print(context.context()._context_handle is None)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "True", done.stderr


def test_the_cpu_is_one_replica() -> None:
    devices = open_devices("cpu", 1)
    assert (devices.name, devices.device, devices.replicas) == ("default", "CPU", 1)


def test_other_devices_than_planned_are_refused() -> None:
    with pytest.raises(StudioError, match="planned for 8 replicas, but the CPU has 1"):
        open_devices("cpu", 8)


def test_a_gpu_that_is_not_there_is_a_sentence_with_the_reason_behind_it() -> None:
    with pytest.raises(StudioError, match="The GPU could not be opened") as refused:
        open_devices("gpu", 1)
    assert "no GPU" in refused.value.detail


def test_a_tpu_that_is_not_there_is_a_sentence_with_the_reason_behind_it() -> None:
    """Here with TensorFlow's real message; in a process of its own, because the TPU's set-up changes devices."""
    script = """
from studio.engine.strategy import open_devices
from studio.errors import StudioError
try:
    open_devices("tpu", 8)
except StudioError as error:
    print(error.sentence)
    print(bool(error.detail))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.splitlines()[0].startswith("The TPU could not be opened"), done.stderr
    assert done.stdout.splitlines()[-1] == "True"
