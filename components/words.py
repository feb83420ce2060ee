"""How the pages say numbers, times, names and states: one wording for all of them."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from studio.jobs.states import State

NOTHING = "–"  # stands where a value is not known
LONGEST_NAME = 28  # characters of a name in the draft strip
JOINER = "\u2060"  # word joiner: takes no room and never breaks a line


@dataclass(frozen=True)
class StateWords:
    """A state for people: never by its color alone, always with the icon and the word."""

    label: str
    icon: str
    color: str

    @property
    def badge(self) -> str:
        """The state as a Markdown badge."""
        return f":{self.color}-badge[{self.icon} {self.label}]"


STATES: dict[State, StateWords] = {
    State.QUEUED: StateWords("Waiting", ":material/schedule:", "gray"),
    State.STARTING: StateWords("Starting", ":material/sync:", "blue"),
    State.RUNNING: StateWords("Running", ":material/sync:", "blue"),
    State.PAUSED: StateWords("Paused", ":material/pause_circle:", "yellow"),
    State.FINISHED: StateWords("Finished", ":material/check_circle:", "green"),
    State.FAILED: StateWords("Failed", ":material/error:", "red"),
    State.STOPPED: StateWords("Stopped", ":material/stop_circle:", "yellow"),
}


def percent(share: float | None) -> str:
    """A share from 0 to 1: `98.1%`, and with two decimals from 99.5 % on."""
    if share is None:
        return NOTHING
    if 0.995 <= share < 1:
        return f"{min(100 * share, 99.99):.2f}%"  # what is not all is not called 100%
    return f"{100 * share:.1f}%"


def loss(value: float | None) -> str:
    """A loss: `0.050`."""
    return NOTHING if value is None else f"{value:,.3f}"


def count(number: float | None) -> str:
    """A count: `1,257`."""
    return NOTHING if number is None else f"{number:,.0f}"


def counted(number: int, thing: str, things: str = "") -> str:
    """A count with its noun: `1 image`, `1,257 images`. `things` is the plural where it is not the noun with an s."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def duration(seconds: float | None) -> str:
    """A time span in at most two units: `0.4 s`, `14 s`, `1 min 32 s`, `2 h 5 min`, `3 d 4 h`."""
    if seconds is None:
        return NOTHING
    if seconds < 9.95:
        return f"{max(seconds, 0):.1f} s".replace(".0 s", " s")
    whole = round(seconds)
    for large, small, size, part in (("d", "h", 86_400, 3_600), ("h", "min", 3_600, 60), ("min", "s", 60, 1)):
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {large} {rest} {small}" if rest else f"{whole // size} {large}"
    return f"{whole} s"


def ago(then: float | None, now: float | None = None) -> str:
    """How long ago a time (seconds since 1970) was: `just now`, `4 minutes ago`, `yesterday`, `12 days ago`."""
    if then is None:
        return NOTHING
    seconds = (time.time() if now is None else now) - then
    for limit, size, unit in ((60, 1, ""), (3_600, 60, "minute"), (86_400, 3_600, "hour")):
        if seconds < limit:
            return f"{counted(int(seconds // size), unit)} ago" if unit else "just now"
    days = int(seconds // 86_400)
    return "yesterday" if days == 1 else f"{days:,} days ago"


def size(number: float) -> str:
    """A number of bytes: `812 bytes`, `11 MiB`, `1.4 GiB`."""
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if number >= factor:
            value = number / factor
            return f"{value:.1f} {unit}" if value < 10 else f"{value:,.0f} {unit}"
    return counted(int(number), "byte")


def plain(text: str) -> str:
    """A name from outside as one line of visible characters: no control or direction marks, no line breaks."""
    line = " ".join(text.split())
    return "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in line)


def escaped(text: str) -> str:
    """A name from outside for a place that reads Markdown: every sign stands for itself.

    Backslashes are not enough. Links, icons and emoji are looked for once more after Markdown was read, so the
    colon of `http://…` and `:name:`, the at sign of an address and `www.` are followed by a word joiner.
    """
    marked = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", plain(text))
    return re.sub(r"([:@]|www)(?=[^\s])", rf"\1{JOINER}", marked, flags=re.IGNORECASE)


def short(text: str, longest: int = LONGEST_NAME) -> str:
    """A name cut in its middle, where two long names differ least: `Chest X-rays … v3`."""
    text = plain(text)
    if len(text) <= longest:
        return text
    kept = longest - 3
    return f"{text[: kept - kept // 3].rstrip()} … {text[-(kept // 3) :].lstrip()}"


def with_terms(sentence: str) -> str:
    """A help text that leads to the page of terms, which opens beside this one."""
    return f"{sentence} [More in Terms](terms)"
