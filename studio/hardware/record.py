"""The answer of the detection, and how it is kept between processes."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from studio.hardware.versions import Version

FILE_NAME = "hardware.json"


@dataclass(frozen=True)
class Step:
    """One thing that was tried.

    Attributes:
        name: `resolver`, `connect`, `initialize` or `strategy` (the four steps to a TPU), `gpu` or `cpu`.
        outcome: `ok`, `failed` (an error came back), `crashed` (the process that tried it died) or `skipped`.
        seconds: how long it took.
        message: what came back, word for word, or why it was skipped.
    """

    name: str
    outcome: str
    seconds: float
    message: str


@dataclass(frozen=True)
class Hardware:
    """What training will use on this machine.

    Attributes:
        kind: `cpu`, `gpu` or `tpu`; `unknown` while a run has the accelerator and nothing was found before.
        devices: names of the devices of that kind, as TensorFlow gives them.
        replicas: copies of the model that train together on them.
        runtime: how TensorFlow speaks to the TPU (see `studio.hardware.tpu`), `""` without one.
        steps: what was tried, in order.
        versions: packages that matter, with what is wrong with them.
        cores: logical processors.
        memory: main memory in bytes.
        nodes: device nodes that were found.
        checked_at: when, in seconds since 1970.
        verdict: the answer in one sentence.
    """

    kind: str
    devices: tuple[str, ...]
    replicas: int
    runtime: str
    steps: tuple[Step, ...]
    versions: tuple[Version, ...]
    cores: int
    memory: int
    nodes: tuple[str, ...]
    checked_at: float
    verdict: str


def store(home: Path, hardware: Hardware) -> None:
    """Keep an answer for processes that must not ask; it is replaced in one step."""
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=home, prefix=FILE_NAME, delete=False) as file:
        json.dump(asdict(hardware), file, indent=2)
    Path(file.name).replace(home / FILE_NAME)


def stored(home: Path) -> Hardware | None:
    """The last answer, or None where there is none that can be read."""
    try:
        fields = json.loads((home / FILE_NAME).read_text())
        fields["steps"] = tuple(Step(**step) for step in fields["steps"])
        fields["versions"] = tuple(Version(**version) for version in fields["versions"])
        fields["devices"] = tuple(fields["devices"])
        fields["nodes"] = tuple(fields["nodes"])
        return Hardware(**fields)
    except (OSError, ValueError, KeyError, TypeError):
        return None
