"""Installed packages that matter for training, read from their metadata: nothing is imported."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata

PACKAGES = (
    "tensorflow",
    "tensorflow-cpu",
    "tensorflow-tpu",
    "libtpu",
    "keras",
    "tf-keras",
    "tensorflow-datasets",
    "tensorflow-metadata",
    "protobuf",
    "numpy",
    "nvidia-cudnn-cu12",
)


@dataclass(frozen=True)
class Version:
    """One installed package, and where it does not fit the others, why and the command that mends it."""

    package: str
    version: str
    problem: str = ""
    command: str = ""


@dataclass(frozen=True)
class _Clash:
    """A combination that is known not to work.

    Attributes:
        package: the one that is to be changed.
        applies: whether the installed versions (package to version) clash.
    """

    package: str
    applies: Callable[[Mapping[str, str]], bool]
    problem: str
    command: str


# Each was seen on the released wheels, most by running them (tensorflow-tpu 2.20.0, keras 3.15.1).
_CLASHES = (
    _Clash(
        "libtpu",
        lambda have: "tensorflow-tpu" in have and _at_least(have, "libtpu", (0, 0, 32)),
        "tensorflow-tpu 2.20 ends the process while it is imported with libtpu 0.0.32 or later",
        'pip install "libtpu==0.0.14"',
    ),
    _Clash(
        "tensorflow",
        lambda have: "tensorflow-tpu" in have and "tensorflow" in have,
        "it overwrites parts of tensorflow-tpu, which then finds no TPU",
        "pip uninstall -y tensorflow && pip install --force-reinstall --no-deps tensorflow-tpu==2.20.0",
    ),
    _Clash(
        "tensorflow-cpu",
        lambda have: "tensorflow-tpu" in have and "tensorflow-cpu" in have,
        "it overwrites parts of tensorflow-tpu, which then finds no TPU",
        "pip uninstall -y tensorflow-cpu && pip install --force-reinstall --no-deps tensorflow-tpu==2.20.0",
    ),
    _Clash(
        "keras",
        lambda have: "keras" in have and not _at_least(have, "keras", (3, 15, 1)),
        "models from other people can run code when they are loaded; mended in 3.15.1",
        'pip install "keras>=3.15.1"',
    ),
    _Clash(
        "protobuf",
        lambda have: _at_least(have, "tensorflow-metadata", (1, 18)) and not _at_least(have, "protobuf", (6, 31, 1)),
        "tensorflow-metadata 1.18 and later need protobuf 6.31.1 or later",
        'pip install "protobuf>=6.31.1,<7"',
    ),
)


@cache
def installed() -> dict[str, str]:
    """The packages of `PACKAGES` that are installed, with their versions."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def check(have: Mapping[str, str]) -> tuple[Version, ...]:
    """One entry for each package of `have`, with the first known problem of each."""
    return tuple(_check_one(package, version, have) for package, version in have.items())


def _check_one(package: str, version: str, have: Mapping[str, str]) -> Version:
    for clash in _CLASHES:
        if clash.package == package and clash.applies(have):
            return Version(package, version, clash.problem, clash.command)
    return Version(package, version)


def _at_least(have: Mapping[str, str], package: str, wanted: tuple[int, ...]) -> bool:
    numbers = tuple(int(number) for number in re.findall(r"\d+", have.get(package, "")))
    return bool(numbers) and numbers >= wanted
