"""How numbers, times and names from outside are said."""

from __future__ import annotations

import pytest

from components.words import ago, count, counted, duration, escaped, loss, percent, plain, short, size


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.9814, "98.1%"),
        (0.995, "99.50%"),
        (0.99963, "99.96%"),
        (0.999999, "99.99%"),
        (1.0, "100.0%"),
        (0.0, "0.0%"),
        (None, "–"),
    ],
)
def test_percent_has_a_second_decimal_only_near_the_top(share: float | None, said: str) -> None:
    assert percent(share) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.04, "0 s"),
        (0.44, "0.4 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (14.4, "14 s"),
        (59.6, "1 min"),
        (92, "1 min 32 s"),
        (7_500, "2 h 5 min"),
        (86_400 * 3 + 3_600 * 4, "3 d 4 h"),
        (-1, "0 s"),
        (None, "–"),
    ],
)
def test_a_duration_has_at_most_two_units(seconds: float | None, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (5, "just now"),
        (60, "1 minute ago"),
        (250, "4 minutes ago"),
        (7_300, "2 hours ago"),
        (86_400, "yesterday"),
        (86_400 * 12, "12 days ago"),
        (-30, "just now"),
    ],
)
def test_how_long_ago_is_said_in_words(seconds: float, said: str) -> None:
    assert ago(1_000_000, 1_000_000 + seconds) == said


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 bytes"), (1, "1 byte"), (812, "812 bytes"), (11_594_722, "11 MiB"), (1_500_000_000, "1.4 GiB")],
)
def test_a_size_has_a_unit_that_fits(number: int, said: str) -> None:
    assert size(number) == said


def test_counts_and_losses() -> None:
    assert count(1_257) == "1,257"
    assert counted(1, "image") == "1 image"
    assert counted(2, "class", "classes") == "2 classes"
    assert loss(0.05) == "0.050"
    assert loss(None) == "–"


def test_a_name_stays_one_line_of_visible_characters() -> None:
    assert plain("a\n b\tc") == "a b c"
    assert plain("photo\u202egnp.exe\x07") == "photo\ufffdgnp.exe\ufffd"
    assert plain("Straße 猫") == "Straße 猫"
    assert plain("\ud800.png") == "\ufffd.png"


@pytest.mark.parametrize("mark", list("\\`*_{}[]()<>#+-.!|~$:&=^'\"/"))
def test_every_sign_of_markdown_is_escaped(mark: str) -> None:
    assert escaped(f"a{mark}") == f"a\\{mark}"


@pytest.mark.parametrize("name", ["http://a.example/x", "www.a.example", "WWW.a.example", "me@a.example", ":smile:"])
def test_what_is_looked_for_after_markdown_is_broken_up(name: str) -> None:
    """Links, addresses, emoji and icons are found in the finished text, where backslashes are gone."""
    after_markdown = escaped(name).replace("\\", "")
    assert name.lower() not in after_markdown.lower()
    assert after_markdown.replace("\u2060", "") == name


def test_a_long_name_is_cut_in_its_middle() -> None:
    assert short("Handwritten digits") == "Handwritten digits"
    cut = short("Chest X-rays of the year 2024, v3", 20)
    assert len(cut) <= 20
    assert cut.startswith("Chest X-ra")
    assert cut.endswith("v3")
    assert " … " in cut
