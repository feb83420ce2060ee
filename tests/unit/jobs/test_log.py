"""Logs stay small and their end can be read."""

from __future__ import annotations

from pathlib import Path

from studio.jobs import log


def test_a_log_over_its_cap_keeps_its_newer_lines_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    with path.open("ab") as worker:
        worker.write(b"".join(b"line %d\n" % number for number in range(10_000)))
        worker.flush()
        log.cap(path, 20_000)
        worker.write(b"after\n")
    lines = path.read_text().splitlines()
    assert path.stat().st_size <= 20_000
    assert lines[0] == "(older lines were left out)"
    assert lines[-2:] == ["line 9999", "after"]


def test_a_small_log_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"one\n")
    log.cap(path, 100)
    assert path.read_bytes() == b"one\n"


def test_the_tail_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    assert log.tail(path) == []
    path.write_bytes(b"one\ntwo\n\xff three\n")
    assert log.tail(path, 2) == ["two", "\\xff three"]
