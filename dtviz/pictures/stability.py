"""The picture of Stability: the plane with the trees of other rows, what wins their roots, which
of them change most.

Glossary
    order    the full tree, then the others, those that change most first; a picture speaks of a
             tree by its place there
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.text import clean, count, number, plotly
from dtviz.data.dataset import Dataset
from dtviz.engine.splits import FAMILIES, Split, feature_of, share_of
from dtviz.evaluate.metrics import score_by
from dtviz.evaluate.stability import WAYS, Shaken, shaken, trees_of
from dtviz.evaluate.validation import Spread
from dtviz.explain.words import BRIEF, split_text
from dtviz.pictures.axes import clock_ticks, orders_in
from dtviz.pictures.charts import axis_of, band_ticks, layout_of
from dtviz.pictures.frame_types import Axis, Bare, Layer, RootCut, Stability
from dtviz.pictures.palette import LIGHT, SCALE, Theme, class_colour, tint
from dtviz.pictures.regions import plane_of, window_of
from dtviz.pictures.slice import pinned
from dtviz.pictures.stage import bare_scene, drawn_rows, scene_axes, stage_axes
from dtviz.pictures.tree_overlay import EMPTY, Drawn, cells_of, layer, middles, plane_points
from dtviz.session.jobs import Work
from dtviz.session.screen import Screen, short_name

CELLS = 64
"""The picture is asked so many cells wide and high what changes there."""
BINS = 40
MOST_ROOTS = 4
MOST_CUTS = 3


# --- the work -------------------------------------------------------------------------------------


def works(screen: Screen) -> Iterator[Work[Any]]:
    """What the picture waits for, in the order in which it is to be done."""
    wanted = trees_work(screen)
    yield wanted
    found = screen.done(wanted)
    if found is not None:
        yield layer_work(screen, found)


def trees_work(screen: Screen) -> Work[Shaken]:
    """The trees of other rows, and how they change over the rows and the picture."""
    session, data, axes = screen.session, screen.data, screen.axes
    shake = replace(session.shake, shown=None)
    rules = session.rules if session.rules.max_leaf_nodes else replace(session.rules, order=None)
    way, middle = WAYS[shake.way], pinned(data, session.pins)
    trees = trees_of(data, rules, shake)
    return Work(
        ("shaken", session.recipe, rules, shake, axes, session.pins),
        lambda: shaken(data, session.rules, shake, plane_points(data, axes, middle, CELLS)),
        f"{way.title}, {count(trees, 'tree')}",
    )


def layer_work(screen: Screen, found: Shaken) -> Work[Drawn]:
    """These trees over the plane."""
    data, axes = screen.data, screen.axes
    asked = ("layer", trees_work(screen).asked)
    orders = orders_in(data, found.splits)
    both, middle = stage_axes(data, axes, orders), pinned(data, screen.session.pins)
    plane = plane_of(data, axes, middle, both, orders)
    return Work(
        asked,
        lambda: layer(short_name(asked), found.members, order_of(found), window_of(*both), plane),
        "Their cuts over the plane",
    )


def order_of(found: Shaken) -> Ints:
    """The trees by how much they change over the picture, then over the rows; the full one first.

    Those of one change by their numbers.
    """
    return np.append(0, 1 + np.lexsort((-found.moved, -found.seen)))


# --- the frames -----------------------------------------------------------------------------------


def layer_frame(screen: Screen, theme: Theme) -> Layer:
    """The layer, once it is known."""
    drawn = grown(screen)
    return EMPTY if drawn is None else drawn[1].layer


def grown(screen: Screen) -> tuple[Shaken, Drawn] | None:
    """The trees and their layer; None while these are under way."""
    found = screen.done(trees_work(screen))
    drawn = None if found is None else screen.done(layer_work(screen, found))
    return None if found is None or drawn is None else (found, drawn)


def stability_frame(screen: Screen, theme: Theme, cloud: str) -> Stability | Bare:
    """The trees over the cloud; the points alone while these are under way."""
    data, shake, made = screen.data, screen.session.shake, grown(screen)
    if made is None:
        return bare_scene(data, screen.axes, theme, cloud)
    found, drawn = made
    others, rows = drawn.some[1:], drawn_rows(data)
    orders = orders_in(data, found.splits)
    number_of = np.array([found.number(tree) for tree in others.tolist()], np.int32)
    at = {number: k for k, number in enumerate(number_of.tolist())}
    without = [at.get(row, -1) if found.rows is not None else -1 for row in rows.tolist()]
    return {
        **bare_scene(data, screen.axes, theme, cloud, orders),
        "layer": drawn.layer["name"],
        "each": found.rows is not None,
        "number": number_of,
        "change": found.seen[others - 1],
        "moved": found.moved[others - 1],
        "root": (found.roots[others] != found.roots[0]).astype(np.uint8),
        "same": (found.alike[others] == found.alike[0]).astype(np.uint8),
        "tree": np.array(without, np.int32),
        "wavers": found.wavers[rows],
        "shown": -1 if shake.shown is None else at.get(shake.shown, -1),
        "percent": bool(data.classes),
        "roots": root_cuts(data, found),
        "stamp": short_name(screen.session, theme.dark),
    }


def root_cuts(data: Dataset, found: Shaken) -> list[RootCut]:
    """What wins the roots of the trees, the full one left out: by feature, the commonest first."""
    numbers, counts = np.unique(found.roots[1:], return_counts=True)
    first = {number: k for k, number in enumerate(found.roots.tolist())}
    cuts = [
        (found.root(first[number]), many)
        for number, many in zip(numbers.tolist(), counts.tolist(), strict=True)
    ]
    homes: dict[int | str | None, list[tuple[Split | None, int]]] = {}
    for split, many in cuts:
        homes.setdefault(_home(split), []).append((split, many))
    own, trees = found.root(0), len(found.seen)
    every = [_root(data, some, own, trees) for some in homes.values()]
    return sorted(every, key=lambda one: -one["share"])[:MOST_ROOTS]


def _home(split: Split | None) -> int | str | None:
    """The feature that a root is cut by, else the kind of the cut; None for no cut."""
    if split is None:
        return None
    feature = feature_of(split.projection)
    return split.projection.family if feature is None else feature


def _root(
    data: Dataset, cuts: list[tuple[Split | None, int]], own: Split | None, trees: int
) -> RootCut:
    """What some cuts of one home are, each so often at the root."""
    home = _home(cuts[0][0])
    out: RootCut = {
        "name": _name(data, home),
        "share": sum(many for _, many in cuts) / trees,
        "own": home == _home(own),
        "cuts": [],
    }
    if isinstance(home, int) and not data.levels[home]:
        axis = scene_axes(data, (home, home))[0]
        low, high = axis["low"], axis["high"]
        out |= {"axis": axis, "bins": np.zeros(BINS)}
        for split, many in cuts:
            if split is not None and np.isfinite(split.threshold):
                place = int(share_of(low, high, split.threshold) * BINS)
                out["bins"][min(max(place, 0), BINS - 1)] += many / trees
        if out["own"] and own is not None and np.isfinite(own.threshold):
            out["at"] = own.threshold
        return out
    for split, many in (
        sorted(cuts, key=lambda one: -one[1])[:MOST_CUTS] if home is not None else ()
    ):
        assert split is not None
        text = split_text(data, split, number(split.threshold), BRIEF)
        out["cuts"].append((text, many / trees))
    return out


def _name(data: Dataset, home: int | str | None) -> str:
    if home is None:
        return "no cut"
    return FAMILIES[home].title if isinstance(home, str) else clean(data.features[home])


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
