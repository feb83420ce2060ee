"""Open the devices a plan names, in this process, before TensorFlow computes anything.

TensorFlow fixes its devices at the first operation: visible devices, logical devices and the TPU system can
only be chosen before it, so `open_devices` is the first thing a run does with TensorFlow. That a run on the CPU
sees no other device is arranged before TensorFlow is imported (`studio.engine.worker`).
"""

from __future__ import annotations

from dataclasses import dataclass

import tensorflow as tf

from studio.errors import StudioError


@dataclass(frozen=True)
class Devices:
    """The devices a run computes on.

    Attributes:
        strategy: variables made under its `scope()` live on all replicas.
        name: `"default"`, `"MirroredStrategy"` or `"TPUStrategy"`.
        device: `"CPU"`, `"GPU"` or `"TPU"`.
    """

    strategy: tf.distribute.Strategy
    name: str
    device: str

    @property
    def replicas(self) -> int:
        return int(self.strategy.num_replicas_in_sync)


def open_devices(kind: str, replicas: int) -> Devices:
    """Open the devices of a plan.

    Args:
        kind: `"tpu"`, `"gpu"`, `"cpu"` or `"virtual"` (logical CPU devices that each hold a replica).
        replicas: how many copies of the model the plan counts on.

    Raises:
        StudioError: the devices cannot be opened, or are not as many as planned.
    """
    try:
        devices = _OPEN[kind](replicas)
    except Exception as error:  # each runtime has errors of its own; none may reach a person as they are
        raise StudioError(
            f"The {_WORDS[kind]} could not be opened; look at the hardware page to see what answers now.", str(error)
        ) from error
    if devices.replicas != replicas:
        raise StudioError(
            f"The run was planned for {replicas} replicas, but the {_WORDS[kind]} has {devices.replicas} now; "
            "look at the hardware page, then start the run again."
        )
    return devices


def _open_tpu(replicas: int) -> Devices:
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu="local")
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    return Devices(tf.distribute.TPUStrategy(resolver), "TPUStrategy", "TPU")


def _open_gpu(replicas: int) -> Devices:
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        raise RuntimeError("TensorFlow lists no GPU.")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if len(gpus) == 1:
        return Devices(tf.distribute.get_strategy(), "default", "GPU")
    return Devices(tf.distribute.MirroredStrategy(), "MirroredStrategy", "GPU")


def _open_cpu(replicas: int) -> Devices:
    return Devices(tf.distribute.get_strategy(), "default", "CPU")


def _open_virtual(replicas: int) -> Devices:
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * replicas)
    names = [f"CPU:{number}" for number in range(replicas)]
    return Devices(tf.distribute.MirroredStrategy(names), "MirroredStrategy", "CPU")


_OPEN = {"tpu": _open_tpu, "gpu": _open_gpu, "cpu": _open_cpu, "virtual": _open_virtual}
_WORDS = {"tpu": "TPU", "gpu": "GPU", "cpu": "CPU", "virtual": "virtual replicas on the CPU"}
