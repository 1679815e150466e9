"""The gain of every cut: best starred, ties ringed, forbidden hollow, no boundary faint.

Subsets of a category that its order does not show are small and faint, see `pictures/stage_cuts.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dtviz.base.lazy import Last
from dtviz.base.text import plotly
from dtviz.data.dataset import Dataset
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import Split, features_of, quantity_of, score
from dtviz.engine.tree import Tree, depth, preorder
from dtviz.explain import why
from dtviz.explain.dot import PALETTE
from dtviz.explain.words import SIGNED, cut_text, line_text, some_texts
from dtviz.pictures.axes import clock_ticks, ladder_of
from dtviz.pictures.charts import axes_at, axis_title, band_ticks, sheet, whole_ticks
from dtviz.pictures.frame_types import Ranking, Rung, SideWeights, Strips
from dtviz.pictures.packing import short
from dtviz.pictures.palette import LIGHT, Theme, tint
from dtviz.pictures.stage_cuts import has_numbers, places, shown_cuts

MAX_CUTS = 1_500
FAINT = 0.4
COLUMNS = 2


def gain_traces(
    cuts: Candidates,
    span: slice,
    chosen: int | None,
    theme: Theme,
    x: str,
    y: str,
    rule: Callable[[int], str] | None = None,
) -> list[dict[str, Any]]:
    """The traces of one line's gains; customdata is the index of the cut.

    `rule` says what a cut is in words, where the line is no number's.
    """
    every = shown_cuts(cuts, span, chosen, MAX_CUTS)
    place = places(cuts, np.arange(span.start, span.stop))
    apart = cuts.scattered[every] > 0
    at = every[~apart]
    here = chosen is not None and span.start <= chosen < span.stop
    axes = {"xaxis": x, "yaxis": y, "showlegend": False, "type": "scatter"}

    def spots(at: NDArray[np.intp]) -> dict[str, Any]:
        return {"x": place[at - span.start], "y": cuts.score[at], "customdata": at}

    traces = [
        spots(at)
        | {
            "mode": "markers" if cuts.alone[at].any() else "lines+markers",
            "line": {"width": 1.2, "color": tint(theme.accent, 0.45)},
            "marker": _markers(cuts, at, theme),
            "hovertemplate": "≤ %{x:.6g}: %{y:.4g}<extra></extra>",
        }
        | axes
    ]
    if apart.any():
        marker = _markers(cuts, every[apart], theme) | {"size": 4, "opacity": FAINT}
        traces.append(spots(every[apart]) | {"mode": "markers", "marker": marker} | axes)
    if rule is not None:
        for trace in traces:
            texts = [plotly(rule(i)) for i in trace["customdata"].tolist()]
            trace |= {"text": texts, "hovertemplate": "%{text}: %{y:.4g}<extra></extra>"}
    ringed = every[cuts.tied[every] & (cuts.score[every] > 0)]
    if cuts.best is not None:
        ring = {"symbol": "circle-open", "size": 13, "color": theme.accent}
        star = {"symbol": "star", "size": 15, "color": theme.accent}
        traces += _mark(spots(ringed[ringed != cuts.best]), ring, axes)
        traces += _mark(spots(at[at == cuts.best]), star, axes)
    if chosen is not None and here and chosen != cuts.best:
        diamond = {"symbol": "diamond", "size": 12, "color": theme.accent}
        traces += _mark(spots(np.array([chosen])), diamond, axes)
    if chosen is not None and here:
        traces.append(_drop_line(spots(np.array([chosen])), theme, axes))
    return traces


def order_at(cuts: Candidates, span: slice) -> tuple[int, ...]:
    """The codes between which the cuts of a line stand, in order; none for numbers."""
    here = cuts.line[span]
    return cuts.orders.get(int(here[0]), ()) if len(here) else ()


@dataclass(frozen=True, slots=True)
class Panel:
    """One small chart: the cuts of a line, with the titles beside and under it."""

    data: Dataset
    cuts: Candidates
    span: slice
    chosen: int | None
    beside: str
    under: str


def gain_curves(
    data: Dataset,
    cuts: Candidates,
    chosen: int | None = None,
    measure: str = "gain",
    theme: Theme = LIGHT,
    lines: Sequence[int] | None = None,
) -> go.Figure:
    """One small panel a line, or one of some lines each, all on one gain scale."""
    lines = range(len(cuts.projections)) if lines is None else lines
    panels = [
        Panel(
            data,
            cuts,
            cuts.of_line(line),
            chosen,
            measure if place % COLUMNS == 0 else "",
            line_text(data, cuts.projections[line]),
        )
        for place, line in enumerate(lines)
    ]
    return _grid(panels, min(COLUMNS, len(panels)), theme)


def by_gain(cuts: Candidates) -> list[int]:
    """The lines, those with the best cut first; equal ones in their order."""
    top = np.full(len(cuts.projections), -np.inf)
    np.fmax.at(top, cuts.line, np.where(cuts.admissible, cuts.score, -np.inf))
    return [int(line) for line in np.argsort(-top, kind="stable")]


def race_curves(
    data: Dataset,
    raced: Mapping[str, Candidates],
    axes: Sequence[int],
    theme: Theme = LIGHT,
) -> go.Figure:
    """One line of panels a criterion, one panel a feature on the axes, each line on its own scale.

    `raced` maps a criterion's title to the node's candidates under it.
    """
    last = len(raced) - 1

    def under(feature: int, row: int) -> str:
        return data.features[feature] if row == last else ""

    panels = [
        Panel(
            data,
            cuts,
            cuts.along(f),
            None,
            "" if column else title,
            data.features[f] if row == last else "",
        )
        for row, (title, cuts) in enumerate(raced.items())
        for column, f in enumerate(axes)
    ]
    return _grid(panels, len(axes), theme, height=110)


def _grid(panels: Sequence[Panel], columns: int, theme: Theme, height: int = 190) -> go.Figure:
    """The panels in lines of so many."""
    lines = -(-len(panels) // columns)
    layout = sheet(lines, theme, height)
    traces: list[dict[str, Any]] = []
    for place, panel in enumerate(panels):
        key, across, up = axes_at(place, columns, lines, theme)
        layout |= _panel_axes(panel, key, across, up, theme)
        shown = panel.cuts, panel.span, panel.chosen, theme
        start, many = panel.span.start, panel.span.stop - panel.span.start
        plain = many == 0 or has_numbers(panel.data, panel.cuts, start)
        rule = None if plain else _rule_of(panel)
        traces += gain_traces(*shown, x=f"x{key}", y=f"y{key}", rule=rule)
    return go.Figure({"data": traces, "layout": layout})


def _rule_of(panel: Panel) -> Callable[[int], str]:
    """What a cut of a panel asks, for those that are no thresholds."""
    return lambda i: cut_text(panel.data, panel.cuts, i, SIGNED)


def _panel_axes(
    panel: Panel, key: str, across: dict[str, Any], up: dict[str, Any], theme: Theme
) -> dict[str, Any]:
    """The two axes of a panel, which stand at its place."""
    top = float(panel.cuts.score.max(initial=0.0)) or 1.0
    across |= {"title": axis_title(plotly(panel.under), theme), **_named_ticks(panel)}
    beside = axis_title(plotly(panel.beside), theme) | {"standoff": 14}
    up |= {"range": [0, top * 1.12], "title": beside}
    return {f"xaxis{key}": across, f"yaxis{key}": up}


def _named_ticks(panel: Panel) -> dict[str, Any]:
    """The values of a category, in the order of its cuts; dates and durations where these lie."""
    order = order_at(panel.cuts, panel.span)
    feature = panel.cuts.axis(panel.span.start) if len(panel.cuts) else None
    if not order:
        limits = panel.cuts.threshold[panel.span]
        limits = limits[np.isfinite(limits)]  # known from missing is no place on the axis
        if not len(limits):
            return {}
        own = {} if feature is None else whole_ticks(panel.data.columns[feature])
        return clock_ticks(_ladder(panel, limits)) or own
    levels = panel.data.levels[feature or 0]
    return band_ticks([levels[code] for code in order])


def _ladder(panel: Panel, limits: NDArray[np.float64]) -> list[Rung]:
    line = panel.cuts.projections[panel.cuts.line[panel.span.start]]
    return ladder_of(quantity_of(line, panel.data), float(limits.min()), float(limits.max()))


def _markers(cuts: Candidates, at: NDArray[np.intp], theme: Theme) -> dict[str, Any]:
    hollow = ~cuts.admissible[at]
    marker: dict[str, Any] = {
        "size": 5 if len(at) > 150 else 7,
        "color": theme.accent,
        "opacity": np.where(cuts.boundary[at], 0.95, 0.3),
    }
    if hollow.any():
        marker["symbol"] = np.where(hollow, "circle-open", "circle").tolist()
    return marker


def _mark(
    spots: dict[str, Any], marker: dict[str, Any], axes: dict[str, Any]
) -> list[dict[str, Any]]:
    if not len(spots["x"]):
        return []
    return [spots | {"mode": "markers", "marker": marker, "hoverinfo": "skip"} | axes]


def _drop_line(spots: dict[str, Any], theme: Theme, axes: dict[str, Any]) -> dict[str, Any]:
    """From the chosen cut's gain down to its threshold, to lead the eye."""
    (limit,), (score,) = spots["x"].tolist(), spots["y"].tolist()
    line = {"width": 1.5, "color": theme.accent, "dash": "dot"}
    trace = {"x": [limit, limit], "y": [0, score], "mode": "lines", "line": line}
    return trace | {"hoverinfo": "skip"} | axes


MOST_LISTED, MOST_TOLD = 100, 4


def ranking_frame(
    problem: Problem, cuts: Candidates, chosen: int | None, most: int, stamp: str
) -> Ranking:
    """The first `most` candidates, and which of them is looked at."""
    data = problem.data
    order = best_a_feature_first(cuts)[:most]
    marks = marks_of(data, cuts, order)
    words = list(dict.fromkeys(marks))
    weights: SideWeights = {}
    if data.weights is not None:
        weights = {
            "weight_left": short(cuts.weight_left[order]),
            "weight_right": short(cuts.weight_right[order]),
        }
    at = np.flatnonzero(order == chosen).tolist()
    return {
        "picture": "stage",
        "stamp": stamp,
        "measure": score_title(problem.rules),
        "index": order.astype(np.int32),
        "cut": some_texts(data, cuts, order, SIGNED),
        "words": words,
        "mark": np.array([words.index(mark) for mark in marks], np.int32),
        "row": at[0] if at else None,
        "said": _said(problem, cuts, len(order)) if most else [],
        "left": cuts.n_left[order].astype(np.int32),
        "right": cuts.n_right[order].astype(np.int32),
        "score": short(cuts.score[order]),
        "share": shares(cuts, order),
        "impurity_left": short(cuts.impurity_left[order]),
        "impurity_right": short(cuts.impurity_right[order]),
        **weights,
    }


def _said(problem: Problem, cuts: Candidates, listed: int) -> list[str]:
    """What is not in the table, and how the cuts of categories were searched for."""
    searched = [*why.searched(problem, cuts)[:MOST_TOLD]]
    if listed == len(cuts):
        return searched
    return [f"The first {listed:,} of {len(cuts):,} cuts; Export has all of them.", *searched]


def score_title(rules: Rules) -> str:
    """What cuts are ranked by, with its unit: 'gain (bit)'."""
    unit = why.unit_of(rules)
    return why.measure_name(rules) + (f" ({unit})" if unit else "")


def best_a_feature_first(cuts: Candidates) -> NDArray[np.intp]:
    """Cut indices: each feature's best first, then all others, by score; ties as in the engine."""
    order = np.argsort(-np.where(cuts.admissible, cuts.score, -1.0), kind="stable")
    leads = order[np.sort(_leads(cuts, order))]
    return np.concatenate([leads, order[~np.isin(order, leads)]])


def _leads(cuts: Candidates, order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where in an order the first of each feature stands."""
    return np.unique(cuts.line[order], return_index=True)[1]


def marks_of(data: Dataset, cuts: Candidates, order: NDArray[np.intp]) -> list[str]:
    """What is special about each cut, in a word or two."""
    leads = {*_leads(cuts, order).tolist()}
    return [_rank_mark(data, cuts, at, k in leads) for k, at in enumerate(order.tolist())]


def _rank_mark(data: Dataset, cuts: Candidates, index: int, leads: bool) -> str:
    """That of one; `leads`: it is the best of its feature."""
    if index == cuts.best:
        return "★ best"
    if cuts.tied[index] and cuts.score[index] > 0:
        return "○ tie"
    if not cuts.admissible[index]:
        return "too little on a side"
    if leads:
        own = cuts.projections[cuts.line[index]]
        alone = len(features_of(own)) == 1  # the cut names it
        return "best of its feature" if alone else f"best on {line_text(data, own)}"
    return "" if cuts.boundary[index] else "no class boundary"


def shares(cuts: Candidates, order: NDArray[np.intp]) -> NDArray[np.float64]:
    """The scores in percent of the best, three digits; only a tie is 100."""
    best = float(cuts.score[cuts.best]) if cuts.best is not None else 0.0
    if not best:
        return np.zeros(len(order))
    share = short(100 * cuts.score[order] / best, 3)
    return np.where((share == 100) & ~cuts.tied[order], 99.9, share)


BINS = 23
LEVELS = 7
"""The levels of a number as target."""
MOST = 127
"""The most strips of a tree, those nearest to the root."""
FULL = 255


def strips_of(data: Dataset, tree: Tree, levels: int | None, last: Last | None = None) -> Strips:
    """The strips of the nodes above that depth (None: of all), of many the upper ones.

    A count is a share of the node's fullest bin, at least 1 where there is a row; rows without a
    score are in none. `last` knows those of other trees of the same data.
    """
    last = last or Last()
    drawn = (node for node in tree.splits if levels is None or depth(node) < levels)
    nodes = sorted(drawn, key=lambda node: (depth(node), node))[:MOST]
    kinds = _kinds(data)
    many = min(len(data.classes), len(PALETTE)) or LEVELS
    leaves = sorted(tree.rows, key=preorder)
    order = np.concatenate([tree.rows[leaf] for leaf in leaves])
    starts = np.cumsum([0, *(tree.rows[leaf].size for leaf in leaves)])
    place = {leaf: k for k, leaf in enumerate(leaves)}
    left = np.zeros(len(nodes), np.uint8)
    counts = np.zeros((len(nodes), many, BINS), np.uint8)

    def strip(node: int) -> tuple[int, NDArray[np.uint8]]:
        first, end = (place[_end(tree, node, side)] for side in (0, 1))
        rows = order[starts[first] : starts[end + 1]]
        left, at, known = _binned(data, tree.splits[node], rows)
        flat = np.bincount(kinds[rows[known]] * BINS + at, minlength=many * BINS)
        return left, _shares(flat.reshape(many, BINS), tall=bool(data.classes))

    for k, node in enumerate(nodes):
        way = [tree.splits[node >> up] for up in range(depth(node) + 1)]
        left[k], counts[k] = last.get(("strip", node), way, partial(strip, node))
    return {
        "nodes": list(map(str, nodes)),
        "left": left,
        "counts": counts.reshape(-1),
        "kinds": many,
        "classes": bool(data.classes),
    }


def _kinds(data: Dataset) -> NDArray[np.intp]:
    """The kind of each row, (n,)."""
    if data.classes:
        return data.y.astype(np.intp) % len(PALETTE)
    low, high = float(data.y.min()), float(data.y.max())
    share = (data.y - low) / (high - low) if high > low else np.full(data.n, 0.5)
    return np.minimum(share * LEVELS, LEVELS - 1).astype(np.intp)


def _end(tree: Tree, node: int, side: int) -> int:
    """The first (0) or the last (1) leaf under a node."""
    while node in tree.splits:
        node = 2 * node + side
    return node


def _binned(
    data: Dataset, split: Split, rows: NDArray[np.intp]
) -> tuple[int, NDArray[np.intp], NDArray[np.bool_]]:
    """How many bins are left of the threshold; the bin of each row that has a score; which have."""
    values = score(split.projection, data.columns, rows)
    known = np.isfinite(values)
    values, cut = values[known], split.threshold
    if not values.size:
        return BINS // 2, values.astype(np.intp), known
    low, high = min(float(values.min()), cut), max(float(values.max()), cut)
    share = (cut - low) / (high - low) if high > low and math.isfinite(high - low) else 0.5
    left = max(1, min(round(BINS * share), BINS - 1))
    goes = values <= cut
    with np.errstate(all="ignore"):
        below = np.nan_to_num((values - low) / (cut - low)) * left
        above = np.nan_to_num((values - cut) / (high - cut)) * (BINS - left)
    return (
        left,
        np.where(
            goes,
            np.clip(below, 0, left - 1).astype(np.intp),
            left + np.clip(above, 0, BINS - left - 1).astype(np.intp),
        ),
        known,
    )


def _shares(counts: NDArray[np.intp], tall: bool) -> NDArray[np.uint8]:
    """Counts as shares of the fullest bin, kinds on top of one another where they are `tall`."""
    most = (counts.sum(axis=0) if tall else counts).max()
    if not most:
        return counts.astype(np.uint8)
    return np.where(counts, np.maximum(counts * FULL // most, 1), 0).astype(np.uint8)
