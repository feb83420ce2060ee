"""The two ways in which TensorFlow speaks to a TPU, chosen by environment variables before it is imported.

Generations v2 to v4 have the StreamExecutor runtime (`se`), v5e and later the PJRT runtime (`pjrt`). Where the
generation is not known both are tried, each in a process of its own, because the wrong one can end it.
"""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

RUNTIMES = ("pjrt", "se")


def runtimes_to_try() -> tuple[str, ...]:
    """The runtimes that may fit, the likelier one first; `TPU_ACCELERATOR_TYPE` (as `v5litepod-8`) decides."""
    generation = re.match(r"v(\d+)", os.environ.get("TPU_ACCELERATOR_TYPE", ""))
    if generation is None:
        return RUNTIMES
    return ("pjrt",) if int(generation[1]) >= 5 else ("se",)


def environment(runtime: str) -> dict[str, str]:
    """Variables for a process that may use the TPU by that runtime; with `""`, one that must leave it alone.

    TensorFlow's TPU build takes the machine-wide TPU lock at import, so every other process hides the library.
    """
    if runtime == "":
        return {"TPU_LOAD_LIBRARY": "0"}
    if runtime == "se":
        return {}
    return {
        "PJRT_DEVICE": "TPU",
        "NEXT_PLUGGABLE_DEVICE_USE_C_API": "true",
        "TF_PLUGGABLE_DEVICE_LIBRARY_PATH": _library(),
    }


def _library() -> str:
    package = importlib.util.find_spec("libtpu")
    folders = package.submodule_search_locations if package else None
    return str(Path(folders[0]) / "libtpu.so") if folders else "libtpu.so"
