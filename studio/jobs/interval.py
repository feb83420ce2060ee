"""How sure a measured accuracy is."""

from __future__ import annotations

import math

Z_95 = 1.959963984540054  # 97.5 % quantile of the standard normal distribution


def wilson(right: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a rate of which `right` of `total` trials were a success, as two numbers from 0 to 1.

    The score interval of E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927), 209-212: unlike the textbook interval it stays inside
    0 to 1 and is right for few trials and for rates near the ends.
    """
    if total <= 0:
        return 0.0, 1.0
    rate = right / total
    square = Z_95**2
    middle = (rate + square / (2 * total)) / (1 + square / total)
    half = Z_95 / (1 + square / total) * math.sqrt(rate * (1 - rate) / total + square / (4 * total**2))
    return max(0.0, middle - half), min(1.0, middle + half)
