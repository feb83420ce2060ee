"""How many images each class has, as a chart."""

from __future__ import annotations

from components.bar_chart import bar_chart
from components.words import count
from studio.spec.facts import DataFacts

MOST_BARS = 40
ROW_HEIGHT = 30  # pixels


def class_counts(facts: DataFacts) -> None:
    """Draw one bar a class over all splits, the largest first."""
    totals = [sum(counts) for counts in zip(*facts.splits.values(), strict=True)]
    order = sorted(range(len(totals)), key=lambda label: -totals[label])[:MOST_BARS]
    values = [totals[label] for label in order]
    bar_chart(
        [facts.classes[label] for label in order],
        values,
        [count(value) for value in values],
        longest=max(values),
        row_height=ROW_HEIGHT,
        key="class_counts",
        alt_text=f"Images of each class of {facts.title}",
    )
