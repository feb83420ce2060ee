"""Combinations of packages that are known not to work are named, with the command that mends them."""

from __future__ import annotations

import pytest

from studio.hardware.versions import check, installed


@pytest.mark.parametrize(
    ("have", "package", "command"),
    [
        ({"tensorflow-tpu": "2.20.0", "libtpu": "0.0.32"}, "libtpu", "libtpu==0.0.14"),
        ({"tensorflow-tpu": "2.20.0", "libtpu": "0.0.43.2"}, "libtpu", "libtpu==0.0.14"),
        ({"tensorflow-tpu": "2.20.0", "tensorflow": "2.21.0"}, "tensorflow", "uninstall -y tensorflow "),
        ({"keras": "3.13.2"}, "keras", "keras>=3.15.1"),
        ({"tensorflow-metadata": "1.21.0", "protobuf": "5.29.6"}, "protobuf", "protobuf>=6.31.1"),
    ],
)
def test_bad_pairs(have: dict[str, str], package: str, command: str) -> None:
    (bad,) = [version for version in check(have) if version.problem]
    assert bad.package == package
    assert command in bad.command


@pytest.mark.parametrize(
    "have",
    [
        {"tensorflow-tpu": "2.20.0", "libtpu": "0.0.14", "keras": "3.15.1", "protobuf": "6.33.0"},
        {"tensorflow": "2.21.0", "keras": "3.16.0", "tensorflow-metadata": "1.21.0", "protobuf": "7.36.2"},
        {"libtpu": "0.0.52"},  # beside JAX it is the right one
    ],
)
def test_good_sets(have: dict[str, str]) -> None:
    assert [version for version in check(have) if version.problem] == []


def test_this_environment_is_read() -> None:
    have = installed()
    assert have["keras"] >= "3.15"
    assert "numpy" in have
