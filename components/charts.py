"""The loss and the accuracy of a run as charts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt

from components.curve_frames import Figure, Window

PADDING = {"left": 2, "top": 2, "right": 14, "bottom": 4}
ZOOM = "zoom"  # name of the selection that a drag across the chart makes
FADED = 0.38  # opacity of single steps


@dataclass(frozen=True)
class Palette:
    """Colors of one theme. Blue is training and orange validation, here as in the theme's text colors."""

    training: str
    validation: str
    words: str
    grid: str
    alarm: str


LIGHT = Palette("#1f5fd6", "#b84e06", "#5b6472", "#e3e7ee", "#c92f33")
DARK = Palette("#6ea8ff", "#ffa94d", "#a9b4c2", "#2a3442", "#ff8a83")


def palette(theme: str | None) -> Palette:
    """The colors for `dark`, and for everything else those of the light theme."""
    return DARK if theme == "dark" else LIGHT


def curve_chart(
    figure: Figure, colors: Palette, *, window: Window, ends: tuple[float, float], log: bool
) -> dict[str, Any]:
    """The Vega-Lite specification of one chart, for `st.vega_lite_chart` with rows as `curve_frames.curve_frame` gives
    them: single steps, training and validation by epoch, the guessing line, the best epoch, markers.

    Nothing in it depends on the rows, so that the browser puts new rows into the chart that is there. A drag across
    it makes the selection `ZOOM`.

    Args:
        window: first and last epoch of the horizontal axis.
        ends: of the vertical axis.
    """
    specification: dict[str, Any] = json.loads(_specification(figure, colors, window, ends, log))
    return specification


@lru_cache(maxsize=64)
def _specification(figure: Figure, colors: Palette, window: Window, ends: tuple[float, float], log: bool) -> str:
    """Kept as text, because Altair needs a tenth of a second to build and check it."""
    across = alt.Axis(title="Epoch", format="d", tickMinStep=1, tickCount=8, grid=False)
    up = alt.Axis(title=None, tickCount=6, domain=False)
    if figure.percent:
        up.format = ".0%" if ends[1] - ends[0] >= 0.06 else ".1%"
    base = alt.Chart()  # all layers draw from the one frame, along the same two axes
    layers = [
        *_guessing(base, colors),
        _of(base, "Steps").mark_line(strokeWidth=1.2, opacity=FADED, color=colors.training, clip=True),
        _means(base, colors),
        _dots(base, figure, colors),
        *_best(base, figure, colors),
        *_markers(base, colors),
    ]
    chart = (
        alt.layer(*layers)
        .encode(
            x=alt.X("epoch:Q", axis=across, scale=alt.Scale(domain=list(window), nice=False)),
            y=alt.Y(
                "value:Q", axis=up, scale=alt.Scale(domain=list(ends), nice=False, type="log" if log else "linear")
            ),
        )
        .properties(padding=PADDING, usermeta={"embedOptions": {"renderer": "canvas"}})
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=colors.words,
            titleColor=colors.words,
            gridColor=colors.grid,
            domainColor=colors.grid,
            ticks=False,
            titlePadding=4,
        )
        .configure_legend(labelColor=colors.words, labelFontSize=13, title=None)
    )
    return str(chart.to_json(indent=None))


def _of(base: alt.Chart, *curves: str) -> alt.Chart:
    return base.transform_filter(alt.FieldOneOfPredicate(field="curve", oneOf=list(curves)))


def _means(base: alt.Chart, colors: Palette) -> alt.Chart:
    """Training and validation by epoch, with the legend that shows the dashes."""
    names = ["Training", "Validation"]
    legend = alt.Legend(orient="top", symbolType="stroke", symbolSize=300, symbolStrokeWidth=2.6, offset=4)
    return (
        _of(base, *names)
        .mark_line(strokeWidth=2.3, clip=True)
        .encode(
            color=alt.Color(
                "curve:N", scale=alt.Scale(domain=names, range=[colors.training, colors.validation]), legend=legend
            ),
            strokeDash=alt.StrokeDash("curve:N", scale=alt.Scale(domain=names, range=[[1, 0], [5, 3]]), legend=legend),
        )
        .add_params(alt.selection_interval(name=ZOOM, encodings=["x"]))
    )


def _dots(base: alt.Chart, figure: Figure, colors: Palette) -> alt.Chart:
    """A dot at every measured validation; it says its value."""
    return (
        _of(base, "Validation")
        .mark_point(filled=True, size=18, opacity=1, color=colors.validation, clip=True)
        .encode(
            tooltip=[
                alt.Tooltip("curve:N", title="Curve"),
                alt.Tooltip("epoch:Q", title="Epoch", format="d"),
                alt.Tooltip("value:Q", title=figure.name.capitalize(), format=".1%" if figure.percent else ".3f"),
            ]
        )
    )


def _guessing(base: alt.Chart, colors: Palette) -> list[alt.Chart]:
    """Where the curve would be if nothing were learned."""
    line = _of(base, "Guessing").encode(x=alt.value(0), x2=alt.value("width"))
    words = _of(base, "Guessing").encode(x=alt.value("width"), text="text:N")
    return [
        line.mark_rule(strokeDash=[2, 3], strokeWidth=1.2, color=colors.words, clip=True),
        words.mark_text(align="right", baseline="bottom", dx=-3, dy=-3, color=colors.words, clip=True),
    ]


def _best(base: alt.Chart, figure: Figure, colors: Palette) -> list[alt.Chart]:
    """A hollow diamond at the best epoch, and words on the side that has room. They may reach over the plot's edge."""
    below = 18 if figure.percent else -18
    words = [
        _of(base, curve)
        .encode(text="text:N")
        .mark_text(align="left" if dx < 0 else "right", dx=dx, dy=below, fontWeight="bold", color=colors.validation)
        for curve, dx in (("Best", -8), ("Best left", 8))
    ]
    diamond = _of(base, "Best", "Best left").mark_point(
        shape="diamond", size=120, filled=False, strokeWidth=2, opacity=0.85, color=colors.validation
    )
    return [diamond, *words]


def _markers(base: alt.Chart, colors: Palette) -> list[alt.Chart]:
    """Where a run was resumed, and where its loss stopped being a number; the words are in the tooltip."""
    return [
        _of(base, curve)
        .encode(y=alt.value("height"), tooltip=[alt.Tooltip("text:N", title="What happened")])
        .mark_text(text=sign, fontSize=15, fontWeight="bold", dy=-9, color=color, clip=True)
        for curve, sign, color in (("Resumed", "⟲", colors.words), ("Not a number", "✕", colors.alarm))
    ]
