"""Ask TensorFlow for devices in a child process: it may hang, abort or die there, and the answer is a sentence.

The child prints one JSON object a line: `{"begin": STEP}` before it tries something and
`{"step": STEP, "outcome": …, "seconds": …, "message": …}` after it, at last `{"devices": […]}`. So when it dies it
is known in which step.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studio.hardware.record import Step

TIMEOUT = 90.0  # seconds; a TPU that answers does so in under 30
COMMAND = (sys.executable, "-m", "studio.engine.probe")


@dataclass(frozen=True)
class Transcript:
    """What a child tried, and the devices it found (none where it did not come to its end)."""

    steps: tuple[Step, ...]
    devices: tuple[str, ...]


def ask(
    kind: str, environment: Mapping[str, str], *, command: Sequence[str] = COMMAND, timeout: float = TIMEOUT
) -> Transcript:
    """Look for devices of a kind (`tpu`, `gpu`) with these variables added to the environment."""
    started = time.monotonic()
    process = subprocess.Popen(
        [*command, kind],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, **environment},
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=timeout)
        ending = _ending(process.returncode, errors)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        ending = f"No answer within {timeout:.0f} s; it was ended."
    return _read(output, ending, time.monotonic() - started)


def _ending(code: int, errors: str) -> str:
    """How the child ended, in words; `""` where it ended well."""
    if code == 0:
        return ""
    last = (errors.strip().splitlines() or ["it wrote nothing"])[-1][:500]
    if code < 0:
        return (
            f"The process that asked was ended by {signal.Signals(-code).name}: TensorFlow and the device's library do "
            f"not fit each other, or no device answers. Its last line: {last}"
        )
    return f"The process that asked ended with code {code}. Its last line: {last}"


def _read(output: str, ending: str, seconds: float) -> Transcript:
    steps: list[Step] = []
    devices: tuple[str, ...] | None = None
    begun, spent = "start", 0.0
    for line in output.splitlines():
        try:
            said = json.loads(line)
            if "begin" in said:
                begun = str(said["begin"])
            elif "step" in said:
                steps.append(Step(said["step"], said["outcome"], said["seconds"], said["message"]))
                spent += steps[-1].seconds
            else:
                devices = tuple(said["devices"])
        except (ValueError, KeyError, TypeError):
            continue  # a library wrote to standard output; what is missing shows below
    if ending or devices is None:
        message = ending or "The process that asked gave no answer that can be read."
        steps.append(Step(begun, "crashed", round(max(0.0, seconds - spent), 3), message))
        devices = ()
    return Transcript(tuple(steps), devices)
