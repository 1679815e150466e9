"""The charts under the cockpit of Overfit: heat map of a grid, learning curve, spread of trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dtviz.arrays import Floats
from dtviz.figures.multiples import axis_title
from dtviz.figures.palette import LIGHT, SCALE, Theme, tint
from dtviz.figures.scene import drawn_rows
from dtviz.judge.curves import mean_and_error
from dtviz.judge.metrics import Score
from dtviz.judge.validate import Grid, Learning, Spread
from dtviz.say.settings import SETTINGS
from dtviz.table.data import Dataset
from dtviz.text import number, plotly

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
