"""Horizontal bars, one a class, with their values in words at the end."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from components.charts import palette
from components.words import plain

PADDING = {"left": 2, "top": 4, "right": 4, "bottom": 2}
ROOM_FOR_WORDS = 1.3  # a bar of full length leaves the rest of the width to the words at its end
LONGEST_NAME = 140  # pixels
STRONG = {"light": "#1f5fd6", "dark": "#6ea8ff"}
QUIET = {"light": "#b8c3d4", "dark": "#46566d"}


def bar_chart(
    classes: Sequence[str],
    values: Sequence[float],
    words: Sequence[str],
    *,
    longest: float,
    row_height: int,
    key: str,
    alt_text: str,
    strong: int | None = None,
) -> None:
    """Draw one bar a class, from top to bottom in the given order.

    Args:
        words: what stands at the end of each bar.
        longest: the value that a bar of full length stands for.
        row_height: pixels from one bar to the next.
        alt_text: what a person hears who cannot see the chart.
        strong: the position of the bar in the accent color.
    """
    theme = "dark" if st.context.theme.type == "dark" else "light"
    colors = palette(theme)
    frame = pd.DataFrame({"class": [plain(name) for name in classes], "value": list(values), "words": list(words)})
    frame["place"] = range(len(frame))
    frame["color"] = [STRONG[theme] if row == strong else QUIET[theme] for row in range(len(frame))]
    base = alt.Chart(frame).encode(
        x=alt.X("value:Q", axis=None, scale=alt.Scale(domain=[0, max(longest, 1e-9) * ROOM_FOR_WORDS], nice=False)),
        y=alt.Y(
            "class:N",
            # By a field, since a chart that is there keeps its order of names when new rows come.
            sort=alt.EncodingSortField(field="place", op="min", order="ascending"),
            axis=alt.Axis(
                title=None,
                ticks=False,
                domain=False,
                labelLimit=LONGEST_NAME,
                labelFontSize=13,
                labelPadding=8,
                labelColor=colors.words,
            ),
            scale=alt.Scale(paddingInner=0.45, paddingOuter=0.2),
        ),
        tooltip=[alt.Tooltip("class:N", title="Class"), alt.Tooltip("words:N", title="Value")],
    )
    bars = base.mark_bar(cornerRadiusEnd=3).encode(color=alt.Color("color:N", scale=None))
    ends = base.mark_text(align="left", dx=7, fontSize=13, color=colors.words).encode(text="words:N")
    chart = (
        (bars + ends)
        .properties(height=row_height * len(frame), padding=PADDING, usermeta={"embedOptions": {"renderer": "canvas"}})
        .configure_view(stroke=None)
    )
    st.altair_chart(chart, key=key, alt=alt_text)
