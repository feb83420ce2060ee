"""`python -m studio.engine.probe tpu|gpu`: try to reach the devices, and say on standard output how each step went.

Run by `studio.hardware.child`, which describes the lines; every step here may hang or end the process.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any


def main(kind: str) -> None:
    """Look for devices of that kind and print the transcript."""
    _say(devices=_tpu() if kind == "tpu" else _gpu())


def _tpu() -> list[str]:
    def resolve() -> Any:
        import tensorflow  # the import is part of the step: a library that does not fit ends the process here

        return tensorflow.distribute.cluster_resolver.TPUClusterResolver(tpu="local")

    resolver = _try("resolver", resolve)
    if resolver is None:
        return []
    import tensorflow as tf

    _try("connect", lambda: tf.config.experimental_connect_to_cluster(resolver))
    _try("initialize", lambda: tf.tpu.experimental.initialize_tpu_system(resolver))
    strategy = _try("strategy", lambda: tf.distribute.TPUStrategy(resolver))
    devices = [device.name for device in tf.config.list_logical_devices("TPU")]  # TPU_SYSTEM is not a chip
    if strategy is None or not devices:
        return []

    @tf.function
    def multiply() -> Any:
        return strategy.run(lambda: tf.linalg.matmul(tf.ones((128, 128)), tf.ones((128, 128))))

    return devices if _try("compute", multiply) is not None else []


def _gpu() -> list[str]:
    def look() -> list[str]:
        import tensorflow as tf

        found = tf.config.list_physical_devices("GPU")
        if not found:
            raise RuntimeError("TensorFlow lists no GPU; this build or its CUDA libraries do not fit the driver.")
        return [tf.config.experimental.get_device_details(gpu).get("device_name", gpu.name) for gpu in found]

    return _try("gpu", look) or []


def _try(step: str, action: Callable[[], Any]) -> Any:
    """Do one step and report it; None where it failed, and the next steps are tried all the same."""
    _say(begin=step)
    started = time.monotonic()
    outcome, message, result = "ok", "", None
    try:
        result = action()
    except Exception as error:  # whatever a runtime raises is the message that is wanted
        outcome, message = "failed", f"{type(error).__name__}: {error}"
    _say(step=step, outcome=outcome, seconds=round(time.monotonic() - started, 3), message=message)
    return result


def _say(**line: Any) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
