"""Wilson's interval against figures published elsewhere."""

from __future__ import annotations

import pytest

from studio.jobs.interval import wilson


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals(right: int, total: int, low: float, high: float) -> None:
    assert wilson(right, total) == pytest.approx((low, high), abs=5e-5)


def test_nothing_measured_means_nothing_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
