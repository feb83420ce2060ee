"""`hardware`: what training will use here, and why."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from studio.cli.output import emit
from studio.hardware import detect
from studio.settings import Settings, prepare_home

AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]


def hardware(as_json: AsJson = False) -> None:
    """Look for a TPU, then GPUs, then the CPU, and say what was found."""
    settings = Settings.load()
    prepare_home(settings)
    found = detect(settings, force=True)
    if as_json:
        emit(asdict(found))
        return
    print(found.verdict)
    for step in found.steps:
        print(f"  {step.name:12} {step.outcome:10} {step.seconds:6.1f} s  {step.message}")
