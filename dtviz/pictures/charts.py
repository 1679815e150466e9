"""The charts under the cockpit of Overfit: heat map of a grid, learning curve, spread of trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import clean, number, plotly
from dtviz.data.categories import Level, told
from dtviz.data.dataset import Dataset
from dtviz.engine.complexity import WAYS, Shape, balanced, chain
from dtviz.engine.importance import Dependence
from dtviz.evaluate.curves import mean_and_error
from dtviz.evaluate.metrics import Score
from dtviz.evaluate.validation import Grid, Learning, Spread
from dtviz.explain.words import SETTINGS, values_text
from dtviz.pictures.axes import clock_ticks, ladder_of
from dtviz.pictures.palette import LIGHT, SCALE, Theme, class_colour, tint
from dtviz.pictures.stage import drawn_rows

MOST_NAMES, MAX_NAME_LETTERS = 8, 12
"""So many values of a category are named on an axis, with so many letters."""
GAP = 0.05
"""The room left of a chart, in shares of the sheet."""
UNDER = 0.32
"""The room under a chart, in shares of its line."""


def sheet(lines: int, theme: Theme, height: int) -> dict[str, Any]:
    """The layout of so many lines of charts, each of a height in pixels."""
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": theme.ink, "size": 12},
        "margin": {"l": 76, "r": 10, "t": 10, "b": 40},
        "height": height * lines + 40,
        "showlegend": False,
        "dragmode": False,
        "separators": ".",  # no comma: 2,007.5 is no year
    }


def axes_at(
    place: int, columns: int, lines: int, theme: Theme
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The key of the axes of the chart at a place, and the two axes."""
    key, column, row = "" if place == 0 else str(place + 1), place % columns, place // columns
    across = {
        "domain": [column / columns + (GAP if column else 0), (column + 1) / columns],
        "anchor": f"y{key}",
        "gridcolor": theme.grid,
        "zeroline": False,
        "nticks": 6,
    }
    up = {
        "domain": [1 - (row + 1) / lines + UNDER / lines, 1 - row / lines],
        "anchor": f"x{key}",
        "gridcolor": theme.grid,
        "nticks": 3,
    }
    return key, across, up


def band_ticks(names: Sequence[Level]) -> dict[str, Any]:
    """The names under the bands of an axis, or even ones of them."""
    places = range(0, len(names), -(-len(names) // MOST_NAMES))
    texts = [plotly(clean(told(names[place]), MAX_NAME_LETTERS)) for place in places]
    ticks = {"tickmode": "array", "tickvals": [*places], "ticktext": texts}
    return ticks | {"range": [-0.5, len(names) - 0.5]}


def whole_ticks(values: Floats) -> dict[str, Any]:
    """Ticks at whole numbers where the values are some of a few; none of other values."""
    known = values[~np.isnan(values)]
    few = len(known) > 0 and not (known % 1).any() and np.ptp(known) <= MOST_NAMES
    return {"tick0": float(known.min()), "dtick": 1} if few else {}


def axis_title(text: str, theme: Theme) -> dict[str, Any]:
    """An axis title in the page's ink; `text` is plotly text already."""
    return {"text": text, "font": {"color": theme.ink, "size": 13}, "standoff": 6}


DEPTH = SETTINGS["max_depth"].words
_HEAT = [[at / (len(SCALE) - 1), colour] for at, colour in enumerate(SCALE)]


def heat_map(found: Grid, score: Score, theme: Theme = LIGHT) -> go.Figure:
    """The mean error of every line and depth: the best cell starred, its ties ringed.

    Each cell can be clicked; its customdata is [value of the line, depth].
    """
    lines = found.lines
    titles = [lines.text(value) for value in found.values]
    depths = [str(depth) for depth in found.depths]
    cells = [(i, j) for i in range(len(titles)) for j in range(len(depths))]
    shown = score.scale * found.mean
    middle = (float(found.mean.min()) + float(found.mean.max())) / 2
    ink = ["#ffffff" if found.mean[cell] <= middle else "#111418" for cell in cells]
    marks = ["★ " if cell == found.best else "○ " if found.tied[cell] else "" for cell in cells]
    texts = [mark + number(shown[cell], 3) for cell, mark in zip(cells, marks, strict=True)]
    heat: dict[str, Any] = {
        "type": "heatmap",
        "x": depths,
        "y": titles,
        "z": shown,
        "colorscale": _HEAT,
    }
    heat |= {"showscale": False, "hoverinfo": "skip", "xgap": 2, "ygap": 2}
    clicks = {
        "type": "scatter",
        "x": [depths[j] for _, j in cells],
        "y": [titles[i] for i, _ in cells],
        "mode": "markers+text",
        "text": texts,
        "textfont": {"color": ink, "size": 13},
        "marker": {"size": 34, "symbol": "square", "color": "rgba(0,0,0,0)"},
        "customdata": [[found.values[i], found.depths[j]] for i, j in cells],
        "hovertemplate": f"{lines.title} ".lstrip()
        + f"%{{y}}, {DEPTH.lower()} %{{x}}: %{{text}}<extra></extra>",
        "unselected": {"marker": {"opacity": 1}, "textfont": {"color": None}},
    }
    bare = {"type": "category", "fixedrange": True, "showgrid": False, "ticks": ""}
    layout = layout_of(theme, 60 + 46 * len(titles)) | {
        "xaxis": bare | {"title": axis_title(DEPTH, theme)},
        "yaxis": bare | {"autorange": "reversed", "title": axis_title(lines.title, theme)},
        "margin": {"l": 104, "r": 10, "t": 10, "b": 44},
    }
    return go.Figure({"data": [heat, clicks], "layout": layout})


def learning_curve(found: Learning, score: Score, theme: Theme = LIGHT) -> go.Figure:
    """The error on the rows grown on and on the others by training size, each with its band."""
    traces = [
        *_band(found.sizes, *mean_and_error(found.training), "training", theme.muted),
        *_band(found.sizes, *mean_and_error(found.held), "fold left out", theme.accent),
    ]
    return _at_places(_lines(traces, "training rows", score, theme), found.sizes.tolist())


def spread_curve(found: Spread, score: Score, theme: Theme = LIGHT) -> go.Figure:
    """By depth: the error of a single tree, that of the vote, and the spread of trees round it."""
    names = ("one tree", score.vote, "spread")
    lines = (found.single, found.vote, found.spread)
    looks = ((theme.ink, "solid"), (theme.accent, "solid"), (theme.muted, "dash"))
    traces = [
        _line(found.depths, line, name, *look)
        for line, name, look in zip(lines, names, looks, strict=True)
    ]
    return _at_places(_lines(traces, DEPTH, score, theme), found.depths)


def told_against(data: Dataset, told: Floats, theme: Theme = LIGHT) -> go.Figure:
    """What is predicted for each row, (n,), against what it is; on the line both are the same."""
    rows = drawn_rows(data)
    y, told = data.y[rows], told[rows]
    ends = [float(min(y.min(), told.min())), float(max(y.max(), told.max()))]
    line = {"type": "scatter", "x": ends, "y": ends, "mode": "lines", "hoverinfo": "skip"}
    points = {
        "type": "scatter",
        "x": y,
        "y": told,
        "mode": "markers",
        "marker": {"size": 6, "color": theme.accent, "opacity": 0.7},
        "hovertemplate": "is %{x:.4g}, predicted %{y:.4g}<extra></extra>",
    }
    layout = layout_of(theme, 340) | {
        "xaxis": axis_of(plotly(data.target), theme),
        "yaxis": axis_of("predicted", theme),
        "showlegend": False,
    }
    return go.Figure(
        {"data": [line | {"line": {"color": theme.muted, "width": 1}}, points], "layout": layout}
    )


def _band(x: Sequence[Any] | Any, mean: Floats, error: Floats, name: str, colour: str) -> list[Any]:
    low = np.maximum(mean - error, 0.0)
    edge = {"type": "scatter", "x": x, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return [
        edge | {"y": low, "showlegend": False},
        edge
        | {"y": mean + error, "showlegend": False, "fill": "tonexty"}
        | {"fillcolor": tint(colour, 0.15)},
        _line(x, mean, name, colour, "solid"),
    ]


def _line(x: Any, y: Floats, name: str, colour: str, dash: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": name,
        "mode": "lines+markers",
        "line": {"color": colour, "width": 2, "dash": dash},
        "marker": {"size": 5},
    }


def _lines(
    traces: list[Any], across: str, score: Score, theme: Theme, measured: str = ""
) -> go.Figure:
    up = axis_of(measured or score.error, theme) | {"rangemode": "tozero"}
    layout = layout_of(theme, 340) | {
        "xaxis": axis_of(across, theme),
        "yaxis": up | ({"tickformat": ".0%"} if score.unit else {}),
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "hovermode": "x unified",
    }
    return go.Figure({"data": traces, "layout": layout})


def _at_places(figure: go.Figure, places: Sequence[int]) -> go.Figure:
    """The chart with ticks at some of these whole numbers and nowhere between."""
    every = -(-len(places) // 8)
    return figure.update_xaxes(tickmode="array", tickvals=list(places)[::every])


def axis_of(title: str, theme: Theme) -> dict[str, Any]:
    """An axis of these charts."""
    grid = {"gridcolor": theme.grid, "zeroline": False, "fixedrange": True}
    return {"title": axis_title(title, theme), "nticks": 7} | grid


def layout_of(theme: Theme, height: int) -> dict[str, Any]:
    """What the charts have in common."""
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": theme.ink, "size": 12},
        "hoverlabel": {"bgcolor": theme.paper, "font": {"color": theme.ink}},
        "margin": {"l": 64, "r": 10, "t": 30, "b": 44},
        "height": height,
        "dragmode": False,
    }


COLUMNS = 2
HEIGHT = 190
LEGEND = 30
"""Pixels above the charts, for the names of the classes."""
MOST_CLASSES = 8
"""So many classes have a curve: those that are told surest anywhere."""
MOST_LETTERS = 24
"""So many of the name of a class."""
MOST_PLACES = 1_500
"""So many places of a curve are drawn, an even choice of more."""
HALF_BAND = 0.38
"""A level of a category is drawn so far to both sides."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
"""Classes are told apart without colour too."""


def dependence_curves(
    data: Dataset, found: Sequence[Dependence], theme: Theme = LIGHT
) -> go.Figure:
    """A chart a feature: a curve a class, or one of the prediction; short lines mark tenths."""
    lines, columns = -(-len(found) // COLUMNS), min(COLUMNS, len(found))
    low, high = _scale(data, found)
    above = LEGEND if data.classes else 0
    layout = sheet(lines, theme, HEIGHT) | {"height": HEIGHT * lines + above + 10}
    layout["margin"] |= {"t": above + 10, "b": 0}  # the last line has room under it, as each
    if data.classes:
        layout |= {"showlegend": True, "legend": _legend(lines, theme)}
    traces: list[dict[str, Any]] = []
    for place, one in enumerate(found):
        key, across, up = axes_at(place, columns, lines, theme)
        name = plotly(data.features[one.feature])
        across |= {"title": axis_title(name, theme), **_ticks(data, one)}
        beside = "" if place % columns else "share" if data.classes else plotly(data.target)
        up |= {"range": [low, high], "title": axis_title(beside, theme) | {"standoff": 14}}
        up |= {"zeroline": False, "showticklabels": place % columns == 0}
        layout |= {f"xaxis{key}": across, f"yaxis{key}": up}
        axes = {"xaxis": f"x{key}", "yaxis": f"y{key}", "type": "scatter"}
        traces += [trace | axes for trace in _curves(data, one, shown_classes(found), theme)]
        traces += [trace | axes for trace in _tenths(data, one, low, theme)]
        for trace in traces if place == 0 else ():
            trace["showlegend"] = bool(trace.get("name"))
    return go.Figure({"data": traces, "layout": layout})


def shown_classes(found: Sequence[Dependence]) -> Ints:
    """The classes that have a curve, or the one number, in their order."""
    top = np.max([one.mean.max(axis=0) for one in found], axis=0)
    return np.sort(np.argsort(-top, kind="stable")[:MOST_CLASSES])


def _scale(data: Dataset, found: Sequence[Dependence]) -> tuple[float, float]:
    """The ends of the scale that all charts share: a little more than what is drawn."""
    if data.classes:
        return -0.04, 1.04
    low = float(min(one.mean.min() for one in found))
    high = float(max(one.mean.max() for one in found))
    room = 0.06 * (high - low) or 0.5 * abs(high) or 0.5
    return low - room, high + room


def _legend(lines: int, theme: Theme) -> dict[str, Any]:
    """The names of the classes, in a line above all charts."""
    return {
        "orientation": "h",
        "x": 0,
        "y": 1 + 8 / (HEIGHT * lines),
        "yanchor": "bottom",
        "font": {"color": theme.ink, "size": 12},
        "bgcolor": "rgba(0,0,0,0)",
        "itemclick": False,
        "itemdoubleclick": False,
    }


def _ticks(data: Dataset, one: Dependence) -> dict[str, Any]:
    """The levels of a category or a rank; dates and durations where these are round."""
    quantity = data.quantities[one.feature]
    if names := data.levels[one.feature] or quantity.names:
        return band_ticks(names)
    ladder = ladder_of(quantity, float(one.places[0]), float(one.places[-1]))
    return clock_ticks(ladder) or whole_ticks(data.columns[one.feature])


def _curves(data: Dataset, one: Dependence, classes: Ints, theme: Theme) -> list[dict[str, Any]]:
    """The traces of one chart."""
    banded = bool(data.levels[one.feature] or data.quantities[one.feature].names)
    at = np.linspace(0, len(one.places) - 1, min(len(one.places), MOST_PLACES)).astype(np.intp)
    x, at = _bands(one.places) if banded else (one.places[at], at)
    texts = _said(data, one)
    told: list[dict[str, Any]] = []
    for k in classes.tolist():
        name = plotly(clean(data.class_names[k], MOST_LETTERS)) if data.classes else ""
        colour = class_colour(k) if data.classes else theme.accent
        told.append(
            {
                "x": x,
                "y": np.where(np.isnan(x), np.nan, one.mean[at, k]),
                "mode": "lines",
                "line": {"width": 2, "color": colour, "dash": DASHES[k % len(DASHES)]},
                "name": name,
                "legendgroup": str(k),
                "showlegend": False,
                "text": [texts[place] for place in at.tolist()],
                "hovertemplate": f"%{{text}}: %{{y:.4g}}<extra>{name}</extra>",
            }
        )
    return told


def _said(data: Dataset, one: Dependence) -> list[str]:
    """The places as text; that just above a threshold reads as the threshold, and is told so."""
    texts = values_text(data, one.feature, one.places)
    before = ["", *texts]
    return [
        plotly(f"> {text}" if text == last else text)
        for text, last in zip(texts, before, strict=False)
    ]


def _bands(places: Floats) -> tuple[Floats, Ints]:
    """A level stretch beside each place, with a gap behind it; and which place each point is of."""
    x = places.repeat(3) + np.tile([-HALF_BAND, HALF_BAND, np.nan], len(places))
    return x, np.arange(len(places)).repeat(3)


def _tenths(data: Dataset, one: Dependence, low: float, theme: Theme) -> list[dict[str, Any]]:
    """Short lines at the tenths of the values: they say where along a curve the rows are."""
    column = data.columns[one.feature]
    if data.levels[one.feature] or data.quantities[one.feature].names:
        return []
    known = np.sort(column[~np.isnan(column)])
    tenths = known[((len(known) - 1) * np.arange(1, 10)) // 10]
    return [
        {
            "x": tenths,
            "y": np.full(len(tenths), low),
            "mode": "markers",
            "marker": {"symbol": "line-ns-open", "size": 12, "color": theme.muted},
            "hoverinfo": "skip",
            "showlegend": False,
        }
    ]


SHOWN = ("presorted", "naive")
POINTS = 24


def cost_curves(shape: Shape, m: int, theme: Theme = LIGHT) -> go.Figure:
    """Looks at balanced trees and chains of up to as many rows as the shape has, and at itself.

    The curves M n log2 n, M n^2 and M n^3 / 3 are dotted; each way to search has a colour.
    """
    places = sizes_to(shape.n)
    ways = [way for way in WAYS if way.name in SHOWN]
    traces: list[dict[str, Any]] = []
    for name, curve in CURVES.items():
        y = [curve(n, m) for n in places]
        texts = [name if k == 2 * len(places) // 3 else "" for k in range(len(places))]
        traces.append(
            _cost_line(places, y, name, theme.muted, "dot", 1.2)
            | {"mode": "lines+text", "text": texts, "textposition": "bottom right"}
            | {"showlegend": False, "hoverinfo": "skip", "textfont": {"color": theme.muted}}
        )
    for way, colour in zip(reversed(ways), (theme.accent, theme.ink), strict=True):
        for made, words, dash in ((balanced, "balanced", "solid"), (chain, "chain", "dash")):
            y = [float(way.looks(made(n), m)) for n in places]
            traces.append(_cost_line(places, y, f"{way.name}, {words}", colour, dash, 2))
        traces.append(
            {
                "type": "scatter",
                "x": [shape.n],
                "y": [float(way.looks(shape, m))],
                "name": f"{way.name}, this tree",
                "mode": "markers",
                "marker": {"symbol": "star", "size": 13, "color": colour},
                "showlegend": False,
                "cliponaxis": False,
                "hovertemplate": "%{y:,.0f} looks<extra>%{fullData.name}</extra>",
            }
        )
    grid = {"type": "log", "gridcolor": theme.grid, "zeroline": False, "fixedrange": True}
    layout = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": theme.ink, "size": 12},
        "hoverlabel": {"bgcolor": theme.paper, "font": {"color": theme.ink}},
        "margin": {"l": 64, "r": 16, "t": 10, "b": 44},
        "height": 360,
        "dragmode": False,
        "xaxis": grid | {"title": axis_title("rows", theme), "dtick": 1},
        "yaxis": grid | {"title": axis_title("looks", theme), "exponentformat": "power"},
        "legend": {"orientation": "h", "y": -0.22, "yanchor": "top", "x": 0},
    }
    return go.Figure({"data": traces, "layout": layout})


CURVES: dict[str, Callable[[int, int], float]] = {
    "M n log₂ n": lambda n, m: m * n * math.log2(n),
    "M n²": lambda n, m: float(m * n**2),
    "M n³ / 3": lambda n, m: m * n**3 / 3,
}
"""What theory.md says of balanced trees and chains, and of a chain searched naively."""


def sizes_to(n: int) -> list[int]:
    """Some numbers of rows from 2 to n, evenly spread on a logarithmic axis."""
    steps = (round(2 * (n / 2) ** (k / (POINTS - 1))) for k in range(POINTS))
    return sorted({*steps, n})


def _cost_line(
    x: list[int], y: list[float], name: str, colour: str, dash: str, width: float
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": name,
        "mode": "lines",
        "line": {"color": colour, "width": width, "dash": dash},
        "hovertemplate": "%{x:,} rows: %{y:,.0f} looks<extra>%{fullData.name}</extra>",
    }
