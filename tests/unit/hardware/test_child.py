"""What is made of every way in which the process that asks for devices can end (with a fake of it)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from studio.hardware.child import Transcript, ask

FAKE = str(Path(__file__).with_name("fake_probe.py"))


def asked(how: str, timeout: float = 30.0) -> Transcript:
    return ask("tpu", {}, command=(sys.executable, FAKE, how), timeout=timeout)


def test_found_devices_come_with_the_steps() -> None:
    transcript = asked("found")
    assert transcript.devices == ("TPU:0", "TPU:1")
    assert [(step.name, step.outcome) for step in transcript.steps] == [("resolver", "ok"), ("initialize", "ok")]


def test_an_error_is_the_message_of_its_step() -> None:
    transcript = asked("none")
    assert transcript.devices == ()
    assert transcript.steps[-1].outcome == "failed"
    assert transcript.steps[-1].message == "NotFoundError: TPUs not found"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("crash", r"ended by SIGSEGV: .* Its last line: libtpu: no chip answers"),
        ("code", r"ended with code 3. Its last line: ImportError: no module"),
        ("garbage", r"no answer that can be read"),
    ],
)
def test_a_bad_end_is_a_sentence_at_the_step_it_happened_in(how: str, words: str) -> None:
    transcript = asked(how)
    assert transcript.devices == ()
    assert [(step.name, step.outcome) for step in transcript.steps] == [("resolver", "ok"), ("initialize", "crashed")]

    assert re.search(words, transcript.steps[-1].message)


def test_one_that_hangs_is_ended() -> None:
    transcript = asked("hang", timeout=1.0)
    assert transcript.steps[-1].name == "initialize"
    assert "No answer within 1 s" in transcript.steps[-1].message
