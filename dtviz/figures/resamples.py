"""The trees of resamples themselves: what each says over the plane, thin, and what they vote.

Glossary
    told     what each tree predicts at the middle of every cell, (T, cells)
    edge     between two cells beside one another; its share is that of the trees that change there,
             for numbers how much they do on average, as a share of the largest such change
    step     of the shares, drawn as lines of one darkness
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dtviz.arrays import Bools, Floats, Ints
from dtviz.figures.cells import cells_of, middles
from dtviz.figures.clocks import clock_ticks
from dtviz.figures.judging import axis_of, layout_of
from dtviz.figures.kinds import Axis
from dtviz.figures.multiples import band_ticks
from dtviz.figures.palette import LIGHT, SCALE, Theme, class_colour, tint
from dtviz.figures.scene import drawn_rows, scene_axes
from dtviz.judge.metrics import score_by
from dtviz.judge.validate import Spread
from dtviz.table.data import Dataset
from dtviz.text import plotly

STEPS = 5
THICK = 5
"""So many lines high is the vote, above the trees."""


def trees_plane(
    data: Dataset, axes: tuple[int, int], found: Spread, theme: Theme = LIGHT
) -> go.Figure:
    """The trees over the plane: their boundaries over the vote; over one feature their steps."""
    across, up = scene_axes(data, axes)
    layout = layout_of(theme, 340) | {
        "xaxis": axis_of(plotly(across["name"]), theme) | _bands(across) | {"showgrid": False},
        "yaxis": axis_of(plotly(up["name"]), theme) | _bands(up) | {"showgrid": False},
    }
    if len(data.features) > 1:
        traces = [_vote(data, found, across, up), *_boundaries(data, found.told, across, up, theme)]
        return go.Figure({"data": traces, "layout": layout | {"showlegend": False}})
    x = middles(across["low"], across["high"], cells_of(data))
    if data.classes:
        return go.Figure({"data": [_lanes(data, x, found)], "layout": layout | _names(found)})
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    return go.Figure({"data": _steps(data, x, found, theme), "layout": layout | {"legend": legend}})


# --- over one feature -----------------------------------------------------------------------------


def _steps(data: Dataset, x: Floats, found: Spread, theme: Theme) -> list[Any]:
    """The rows, the step function of every tree, and the mean of these."""
    rows, many = drawn_rows(data), len(found.told)
    points = {
        "type": "scatter",
        "x": data.columns[0][rows],
        "y": data.y[rows],
        "mode": "markers",
        "marker": {"size": 4, "color": theme.muted, "opacity": 0.5},
        "name": "rows",
        "hoverinfo": "skip",
    }
    line = {"type": "scatter", "mode": "lines"}
    thin = {
        "x": np.tile(np.append(x, np.nan), many),
        "y": np.pad(found.told, ((0, 0), (0, 1)), constant_values=np.nan).ravel(),
        "name": f"{many} trees",
        "line": {"color": tint(theme.ink, 0.12), "width": 1, "shape": "hvh"},
        "hoverinfo": "skip",
    }
    strong = {
        "x": x,
        "y": found.voted,
        "name": score_by(data).vote,
        "line": {"color": theme.accent, "width": 3, "shape": "hvh"},
        "hovertemplate": "%{y:.4g}<extra></extra>",
    }
    return [points, line | thin, line | strong]


def _lanes(data: Dataset, x: Floats, found: Spread) -> dict[str, Any]:
    """A line a tree in the colours of its classes, those alike together, above them the vote."""
    order = np.lexsort(found.told.T[::-1])
    gap = np.full((2, len(x)), np.nan)
    z = np.concatenate([np.repeat(found.voted[None], THICK, axis=0), gap, found.told[order]])
    look = {"colorscale": _classes(data, 1.0), "showscale": False, "hoverinfo": "skip"}
    return {"type": "heatmap", "x": x, "z": z, **_range(data), **look}


def _names(found: Spread) -> dict[str, Any]:
    """The axis of these lines."""
    places = [(THICK - 1) / 2, THICK + 2 + (len(found.told) - 1) / 2]
    ticks = {"tickvals": places, "ticktext": ["vote", f"{len(found.told)} trees"], "ticks": ""}
    bare = {"autorange": "reversed", "fixedrange": True, "zeroline": False, "showgrid": False}
    return {"yaxis": ticks | bare}


# --- over two features ----------------------------------------------------------------------------


def _vote(data: Dataset, found: Spread, across: Axis, up: Axis) -> dict[str, Any]:
    """What the trees vote in every cell; under the pointer how far single trees are from it."""
    cells, score = cells_of(data), score_by(data)
    colours = (
        {"colorscale": _classes(data, 0.22), "showscale": False, **_range(data)}
        if data.classes
        else {
            "colorscale": [[at / (len(SCALE) - 1), colour] for at, colour in enumerate(SCALE)],
            "zmin": float(data.y.min()),
            "zmax": float(data.y.max()),
            "colorbar": {"thickness": 10},
            "opacity": 0.75,
        }
    )
    return {
        "type": "heatmap",
        "x": middles(across["low"], across["high"], cells),
        "y": middles(up["low"], up["high"], cells),
        "z": found.voted.reshape(cells, cells),
        "customdata": found.where.reshape(cells, cells) * score.scale,
        "hovertemplate": f"{score.spread}: %{{customdata:.3g}}{score.unit}<extra></extra>",
        **colours,
    }


def _boundaries(
    data: Dataset, told: Floats, across: Axis, up: Axis, theme: Theme
) -> Iterator[dict[str, Any]]:
    """The lines between cells where trees change, the darker the more of them do."""
    cells = cells_of(data)
    x, y = (_borders(axis, cells) for axis in (across, up))
    planes = told.reshape(-1, cells, cells)
    upright, level = _changes(data, planes), _changes(data, planes.transpose(0, 2, 1))
    most = 1.0 if data.classes else max(float(upright.max()), float(level.max())) or 1.0
    for step in range(1, STEPS + 1):
        parts = []
        for shares, own, other in ((upright, x, y), (level, y, x)):
            line, first, last = _runs(np.ceil(shares.T * (STEPS / most) - 1e-9) == step)
            gap = np.full(len(line), np.nan)
            place = np.array([own[line + 1], own[line + 1], gap])
            ends = np.array([other[first], other[last], gap])
            parts.append((place, ends) if own is x else (ends, place))
        if any(place.size for place, _ in parts):
            yield {
                "type": "scatter",
                "mode": "lines",
                "x": np.concatenate([part[0].T.ravel() for part in parts]),
                "y": np.concatenate([part[1].T.ravel() for part in parts]),
                "line": {"color": tint(theme.ink, 0.1 + 0.7 * step / STEPS), "width": 1.2},
                "hoverinfo": "skip",
            }


def _changes(data: Dataset, planes: Floats) -> Floats:
    """The share of trees, (C, C - 1), that change from a cell to the next, or their mean change."""
    out = np.zeros((planes.shape[1], planes.shape[2] - 1))
    for plane in planes:
        change = np.diff(plane, axis=1)
        out += (change != 0) if data.classes else np.abs(change)
    return out / len(planes)


def _runs(there: Bools) -> tuple[Ints, Ints, Ints]:
    """The runs of what is there in each line, (L, C): their line, first border and last."""
    ends = np.diff(np.pad(there, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    line, first = np.nonzero(ends == 1)
    return line, first, np.nonzero(ends == -1)[1]


def _borders(axis: Axis, cells: int) -> Floats:
    share = np.arange(cells + 1) / cells
    return np.asarray(axis["low"] * (1 - share) + axis["high"] * share)


# --- looks ----------------------------------------------------------------------------------------


def _classes(data: Dataset, alpha: float) -> list[Any]:
    """A scale with a step a class."""
    many = len(data.classes)
    colours = [tint(class_colour(code), alpha) for code in range(many)]
    return [[(code + k) / many, colours[code]] for code in range(many) for k in (0, 1)]


def _range(data: Dataset) -> dict[str, float]:
    return {"zmin": -0.5, "zmax": len(data.classes) - 0.5}


def _bands(axis: Axis) -> dict[str, Any]:
    return band_ticks(axis["lanes"]) if "lanes" in axis else clock_ticks(axis.get("ladder", ()))
