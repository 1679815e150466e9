"""What a tree predicts on average along each feature: small charts, all on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dtviz.arrays import Floats, Ints
from dtviz.engine.dependence import Dependence
from dtviz.figures.clocks import clock_ticks, ladder_of
from dtviz.figures.multiples import axes_at, axis_title, band_ticks, sheet, whole_ticks
from dtviz.figures.palette import LIGHT, Theme, class_colour
from dtviz.say.words import values_text
from dtviz.table.data import Dataset
from dtviz.text import clean, plotly

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
