"""Run the normal tests and, with them, a few of the thorough ones, chosen by a seed.

    python -m pytest -p tests.thorough_sample --thorough-sample 10 --thorough-seed 20260101

The thorough tests take too long to run them all on every change. A sample that changes from day to day finds
over a week what no single run looks for, and the printed seed brings the same sample back.
"""

from __future__ import annotations

import random
from datetime import date

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("thorough sample")
    group.addoption(
        "--thorough-sample", type=int, metavar="N", help="run N of the thorough tests beside the normal ones"
    )
    group.addoption(
        "--thorough-seed",
        type=int,
        metavar="S",
        default=int(date.today().strftime("%Y%m%d")),
        help="seed of the choice; today's date as YYYYMMDD unless given",
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name the seed before the first test runs, so that a broken run can be repeated."""
    number = config.option.thorough_sample
    if number is None:
        return None
    return f"thorough sample: {number} tests, --thorough-seed {config.option.thorough_seed}"


def pytest_configure(config: pytest.Config) -> None:
    # pyproject.toml leaves the thorough tests out by -m; here the sample decides instead.
    if config.option.thorough_sample is not None and config.option.markexpr == "not thorough":
        config.option.markexpr = ""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every normal test and N of the thorough ones; where there are fewer than N, all of them."""
    number = config.option.thorough_sample
    if number is None:
        return
    # Sorted, so that the choice depends on the names and the seed and not on the order of collection.
    thorough = sorted((item for item in items if item.get_closest_marker("thorough")), key=lambda t: t.nodeid)
    chooser = random.Random(config.option.thorough_seed)
    left_out = set(thorough) - set(chooser.sample(thorough, min(number, len(thorough))))
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]
