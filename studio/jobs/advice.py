"""What to try next when a run went wrong."""

from __future__ import annotations

HIGHEST_ADVISED_RATE = 0.01  # ten times less than far too much is still too much


def lower_rate(learning_rate: float) -> float:
    """The learning rate to try after one with which the loss became NaN or infinite."""
    return min(learning_rate / 10, HIGHEST_ADVISED_RATE)
