"""The seeded sample of the thorough tests: every normal test, N thorough ones, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ("pytester",)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A suite of 2 normal and 20 thorough tests with this project's markers and options."""
    pytester.makeini(
        f"[pytest]\npythonpath = {ROOT}\naddopts = -m 'not thorough' --strict-markers\nmarkers =\n    thorough: slow\n"
    )
    pytester.makepyfile(
        "import pytest\n"
        "@pytest.mark.parametrize('n', range(2))\n"
        "def test_normal(n): pass\n"
        "@pytest.mark.thorough\n"
        "@pytest.mark.parametrize('n', range(20))\n"
        "def test_slow(n): pass\n"
    )
    return pytester


def names(suite: pytest.Pytester, *options: str) -> set[str]:
    """The tests that a run with these options passes."""
    result = suite.runpytest_inprocess("-v", "-p", "tests.thorough_sample", *options)
    return {line.split("::")[1].split()[0] for line in result.stdout.lines if "::" in line and "PASSED" in line}


def test_without_the_option_no_thorough_test_runs(suite: pytest.Pytester) -> None:
    assert names(suite) == {"test_normal[0]", "test_normal[1]"}


def test_the_sample_comes_on_top_of_the_normal_tests(suite: pytest.Pytester) -> None:
    ran = names(suite, "--thorough-sample", "5", "--thorough-seed", "1")
    assert {"test_normal[0]", "test_normal[1]"} < ran
    assert len(ran) == 7


def test_the_seed_alone_decides_which(suite: pytest.Pytester) -> None:
    first = names(suite, "--thorough-sample", "5", "--thorough-seed", "1")
    assert names(suite, "--thorough-sample", "5", "--thorough-seed", "1") == first
    assert names(suite, "--thorough-sample", "5", "--thorough-seed", "2") != first


def test_fewer_thorough_tests_than_asked_for_all_run(suite: pytest.Pytester) -> None:
    assert len(names(suite, "--thorough-sample", "50")) == 22


def test_the_seed_stands_in_the_header(suite: pytest.Pytester) -> None:
    result = suite.runpytest_inprocess("-p", "tests.thorough_sample", "--thorough-sample", "3")
    result.stdout.re_match_lines([r"thorough sample: 3 tests, --thorough-seed 20\d{6}$"])


def test_a_marker_asked_for_by_hand_is_obeyed(suite: pytest.Pytester) -> None:
    assert len(names(suite, "-m", "thorough")) == 20
