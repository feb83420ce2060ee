"""Device nodes: whether an accelerator can be here at all, found without loading anything."""

from __future__ import annotations

from pathlib import Path

TPU_NODES = ("dev/accel*", "dev/vfio/[0-9]*")  # /dev/vfio/vfio alone is the kernel's control node
GPU_NODES = ("dev/nvidia[0-9]*", "dev/dxg")  # dxg: a GPU lent to the Windows Subsystem for Linux


def tpu_nodes(root: Path = Path("/")) -> tuple[str, ...]:
    """Nodes that TPU chips appear as."""
    return _found(root, TPU_NODES)


def gpu_nodes(root: Path = Path("/")) -> tuple[str, ...]:
    """Nodes that GPUs appear as."""
    return _found(root, GPU_NODES)


def _found(root: Path, patterns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"/{path.relative_to(root)}" for pattern in patterns for path in sorted(root.glob(pattern)))
