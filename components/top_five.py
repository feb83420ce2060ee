"""The likeliest classes of one picture, as a chart."""

from __future__ import annotations

from collections.abc import Sequence

from components.bar_chart import bar_chart
from components.words import percent

ROW_HEIGHT = 52  # pixels


def top_five(top: Sequence[tuple[int, float]], classes: Sequence[str], label: int | None) -> None:
    """Draw the likeliest classes with the share of certainty the model gives to each.

    Args:
        top: class index and probability, the likeliest first.
        label: what the data says, None where it is not known.
    """
    bar_chart(
        [classes[index] for index, _ in top],
        [share for _, share in top],
        [percent(share) + (" (the label)" if index == label else "") for index, share in top],
        longest=1,
        row_height=ROW_HEIGHT,
        strong=0,
        key="top_five",
        alt_text="The likeliest classes with the model's confidence in each",
    )
