"""What this machine is and what training will use: asked of TensorFlow in a child process, never in this one."""

from __future__ import annotations

from studio.hardware.detect import detect
from studio.hardware.record import Hardware, Step

__all__ = ["Hardware", "Step", "detect"]
