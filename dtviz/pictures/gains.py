"""Candidates as plotly charts and as a table, and the histograms in the nodes of a tree.

The best candidate has a star and a tie a ring. A candidate that leaves too little on a side is
hollow, one that is no boundary point faint. Subsets outside the category order are small and faint.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Ints
from dtviz.base.lazy import ValueKeeper, keep_nothing
from dtviz.base.text import number, plotly
from dtviz.data.dataset import Dataset
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import (
    LEFT_RIGHT,
    YES_NO,
    CutPart,
    Split,
    features_of,
    quantity_of,
    score,
    side_names,
)
from dtviz.engine.tree import Tree, ancestors, preorder_key
from dtviz.explain import why
from dtviz.explain.dot import PALETTE
from dtviz.explain.words import SYMBOL_WORDS, candidate_text, candidate_texts, projection_text
from dtviz.pictures.charts import axes_at, axis_title, band_ticks, figure, panel_layout, whole_ticks
from dtviz.pictures.frame_types import OptionalBranchColumns, Ranking, Rung, SideWeights, Strips
from dtviz.pictures.packing import rounded_values
from dtviz.pictures.scales import LIGHT, Theme, clock_ticks, ladder_of, tint
from dtviz.pictures.stage_cuts import cut_positions, is_number_threshold, shown_cuts

if TYPE_CHECKING:
    import plotly.graph_objects as go

MAX_CUTS = 1_500
"""Candidates that one chart draws at most."""
SUBSET_OPACITY = 0.4
PANELS_A_ROW = 2


def gain_traces(
    cuts: Candidates,
    span: slice,
    chosen: int | None,
    theme: Theme,
    x_axis: str,
    y_axis: str,
    text_of: Callable[[int], str] | None = None,
) -> list[dict[str, Any]]:
    """Traces of the gains of one projection; customdata is the index of the candidate.

    `x_axis` and `y_axis` are plotly's keys of the axes. `text_of` gives the text of a candidate,
    for projections that are no plain numbers.
    """
    cut_ids = shown_cuts(cuts, span, chosen, MAX_CUTS)
    positions = cut_positions(cuts, np.arange(span.start, span.stop))
    is_subset = cuts.scattered[cut_ids] > 0
    curve_ids = cut_ids[~is_subset]
    has_chosen = chosen is not None and span.start <= chosen < span.stop
    axes = {"xaxis": x_axis, "yaxis": y_axis, "showlegend": False, "type": "scatter"}

    def points(ids: Ints) -> dict[str, Any]:
        return {"x": positions[ids - span.start], "y": cuts.score[ids], "customdata": ids}

    traces = [
        points(curve_ids)
        | {
            "mode": "markers" if cuts.alone[curve_ids].any() else "lines+markers",
            "line": {"width": 1.2, "color": tint(theme.accent, 0.45)},
            "marker": _marker_style(cuts, curve_ids, theme),
            "hovertemplate": "≤ %{x:.6g}: %{y:.4g}<extra></extra>",
        }
        | axes
    ]
    if is_subset.any():
        marker = _marker_style(cuts, cut_ids[is_subset], theme) | {
            "size": 4,
            "opacity": SUBSET_OPACITY,
        }
        traces.append(points(cut_ids[is_subset]) | {"mode": "markers", "marker": marker} | axes)
    if text_of is not None:
        for trace in traces:
            texts = [plotly(text_of(i)) for i in trace["customdata"].tolist()]
            trace |= {"text": texts, "hovertemplate": "%{text}: %{y:.4g}<extra></extra>"}
    ringed = cut_ids[cuts.tied[cut_ids] & (cuts.score[cut_ids] > 0)]
    if cuts.best is not None and cuts.can_gain:
        ring = {"symbol": "circle-open", "size": 13, "color": theme.accent}
        star = {"symbol": "star", "size": 15, "color": theme.accent}
        traces += _marker_traces(points(ringed[ringed != cuts.best]), ring, axes)
        traces += _marker_traces(points(curve_ids[curve_ids == cuts.best]), star, axes)
    if chosen is not None and has_chosen and chosen != cuts.best:
        diamond = {"symbol": "diamond", "size": 12, "color": theme.accent}
        traces += _marker_traces(points(np.array([chosen])), diamond, axes)
    if chosen is not None and has_chosen:
        traces.append(_drop_line(points(np.array([chosen])), theme, axes))
    return traces


@dataclass(frozen=True, slots=True)
class GainPanel:
    """Small chart of the candidates of one projection."""

    data: Dataset  # dataset of the node
    cuts: Candidates  # candidates of the node
    span: slice  # range of the candidates of the projection
    chosen: int | None  # index of the candidate that is looked at
    y_title: str  # title of the gain axis, '' for none
    x_title: str  # title of the threshold axis, '' for none


def gain_curves(
    data: Dataset,
    cuts: Candidates,
    chosen: int | None = None,
    measure: str = "gain",
    theme: Theme = LIGHT,
    projection_ids: Sequence[int] | None = None,
) -> go.Figure:
    """Chart with a panel for each projection, or each of `projection_ids`, all on one gain scale.

    `measure` is the title of the gain axes.
    """
    projection_ids = range(len(cuts.projections)) if projection_ids is None else projection_ids
    panels = [
        GainPanel(
            data,
            cuts,
            cuts.of_line(line),
            chosen,
            measure if place % PANELS_A_ROW == 0 else "",
            projection_text(data, cuts.projections[line]),
        )
        for place, line in enumerate(projection_ids)
    ]
    return _panel_chart(panels, min(PANELS_A_ROW, len(panels)), theme)


def projections_by_gain(cuts: Candidates) -> list[int]:
    """Numbers of the projections, the highest best score first; ties in their order."""
    top = np.full(len(cuts.projections), -np.inf)
    np.fmax.at(top, cuts.line, np.where(cuts.admissible, cuts.score, -np.inf))
    return [int(line) for line in np.argsort(-top, kind="stable")]


def criterion_curves(
    data: Dataset,
    cuts_by_criterion: Mapping[str, Candidates],
    axes: Sequence[int],
    theme: Theme = LIGHT,
) -> go.Figure:
    """Chart of several criteria: a row of panels a criterion, a panel a feature on the axes.

    `cuts_by_criterion` has the candidates of one node under each criterion, by the criterion's
    title. Each row has its own scale.
    """
    last = len(cuts_by_criterion) - 1
    panels = [
        GainPanel(
            data,
            cuts,
            cuts.along(f, cuts.best),
            None,
            "" if column else title,
            data.features[f] if row == last else "",
        )
        for row, (title, cuts) in enumerate(cuts_by_criterion.items())
        for column, f in enumerate(axes)
    ]
    return _panel_chart(panels, len(axes), theme, height=110)


def _panel_chart(
    panels: Sequence[GainPanel], columns: int, theme: Theme, height: int = 190
) -> go.Figure:
    """Chart of panels, `columns` in a row."""
    n_rows = -(-len(panels) // columns)
    layout = panel_layout(n_rows, theme, height)
    traces: list[dict[str, Any]] = []
    for place, panel in enumerate(panels):
        key, across_axis, up_axis = axes_at(place, columns, n_rows, theme)
        layout |= _panel_axes(panel, key, across_axis, up_axis, theme)
        curve = panel.cuts, panel.span, panel.chosen, theme
        start, n_cuts = panel.span.start, panel.span.stop - panel.span.start
        is_plain = n_cuts == 0 or is_number_threshold(panel.data, panel.cuts, start)
        text_of = None if is_plain else partial(_cut_text, panel)
        traces += gain_traces(*curve, x_axis=f"x{key}", y_axis=f"y{key}", text_of=text_of)
    return figure(traces, layout)


def _cut_text(panel: GainPanel, index: int) -> str:
    return candidate_text(panel.data, panel.cuts, index, SYMBOL_WORDS)


def _panel_axes(
    panel: GainPanel, key: str, across: dict[str, Any], up: dict[str, Any], theme: Theme
) -> dict[str, Any]:
    """Both axes of a panel, by their keys in the layout."""
    top = float(panel.cuts.score.max(initial=0.0)) or 1.0
    across |= {"title": axis_title(plotly(panel.x_title), theme), **_ticks(panel)}
    y_title = axis_title(plotly(panel.y_title), theme) | {"standoff": 14}
    up |= {"range": [0, top * 1.12], "title": y_title}
    return {f"xaxis{key}": across, f"yaxis{key}": up}


def _ticks(panel: GainPanel) -> dict[str, Any]:
    """Ticks of the threshold axis: categories in order, or round dates, durations, numbers."""
    line_ids = panel.cuts.line[panel.span].tolist()
    order = panel.cuts.orders.get(line_ids[0], ()) if line_ids else ()
    feature = panel.cuts.axis(panel.span.start) if len(panel.cuts) else None
    if not order:
        thresholds = panel.cuts.threshold[panel.span]
        # the is-missing split has no place on the axis
        thresholds = thresholds[np.isfinite(thresholds)]
        if not len(thresholds):
            return {}
        integers = {} if feature is None else whole_ticks(panel.data.columns[feature])
        return clock_ticks(_ladder(panel, thresholds)) or integers
    levels = panel.data.levels[feature or 0]
    return band_ticks([levels[code] for code in order])


def _ladder(panel: GainPanel, thresholds: NDArray[np.float64]) -> list[Rung]:
    projection = panel.cuts.projections[panel.cuts.line[panel.span.start]]
    low, high = float(thresholds.min()), float(thresholds.max())
    return ladder_of(quantity_of(projection, panel.data), low, high)


def _marker_style(cuts: Candidates, cut_ids: Ints, theme: Theme) -> dict[str, Any]:
    is_forbidden = ~cuts.admissible[cut_ids]
    marker: dict[str, Any] = {
        "size": 5 if len(cut_ids) > 150 else 7,
        "color": theme.accent,
        "opacity": np.where(cuts.boundary[cut_ids], 0.95, 0.3),
    }
    if is_forbidden.any():
        marker["symbol"] = np.where(is_forbidden, "circle-open", "circle").tolist()
    return marker


def _marker_traces(
    points: dict[str, Any], marker: dict[str, Any], axes: dict[str, Any]
) -> list[dict[str, Any]]:
    if not len(points["x"]):
        return []
    return [points | {"mode": "markers", "marker": marker, "hoverinfo": "skip"} | axes]


def _drop_line(points: dict[str, Any], theme: Theme, axes: dict[str, Any]) -> dict[str, Any]:
    """Line from the chosen candidate's gain down to its threshold, to lead the eye."""
    (threshold,), (score,) = points["x"].tolist(), points["y"].tolist()
    line = {"width": 1.5, "color": theme.accent, "dash": "dot"}
    trace = {"x": [threshold, threshold], "y": [0, score], "mode": "lines", "line": line}
    return trace | {"hoverinfo": "skip"} | axes


MAX_ROWS_LISTED, MAX_NOTES, MAX_SIDES_LISTED = 100, 4, 4
"""Candidates in the table, notes on the search of categories under it, branches of a cut."""


def ranking_frame(
    problem: Problem, cuts: Candidates, chosen: int | None, max_rows: int, stamp: str
) -> Ranking:
    """Table of the first `max_rows` candidates; `chosen` is the index of the one looked at."""
    data = problem.data
    order = ranking_order(cuts)[:max_rows]
    marks = candidate_marks(data, cuts, order)
    distinct_marks = list(dict.fromkeys(marks))
    weights: SideWeights = {}
    if data.weights is not None:
        weights = {
            "weight_left": rounded_values(cuts.weight_left[order]),
            "weight_right": rounded_values(cuts.weight_right[order]),
        }
    chosen_places = np.flatnonzero(order == chosen).tolist()
    return {
        "picture": "stage",
        "stamp": stamp,
        "measure": score_title(problem.rules),
        "sides": _side_names(cuts),
        "index": order.astype(np.int32),
        "cut": candidate_texts(data, cuts, order, SYMBOL_WORDS),
        "marks": distinct_marks,
        "mark_index": np.array([distinct_marks.index(mark) for mark in marks], np.int32),
        "chosen_place": chosen_places[0] if chosen_places else None,
        "notes": _notes(problem, cuts, len(order)) if max_rows else [],
        "left": cuts.n_left[order].astype(np.int32),
        "right": cuts.n_right[order].astype(np.int32),
        "score": rounded_values(cuts.score[order]),
        "share": percent_of_best(cuts, order),
        "impurity_left": rounded_values(cuts.impurity_left[order]),
        "impurity_right": rounded_values(cuts.impurity_right[order]),
        **weights,
        **_branch_columns(cuts, order, data.weights is not None),
    }


def _side_names(cuts: Candidates) -> tuple[str, str]:
    """Names of the sides of all candidates: 'yes' and 'no' if some are not 'left' and 'right'."""
    names = {*map(side_names, cuts.projections)}
    return YES_NO if YES_NO in names else LEFT_RIGHT


def _branch_columns(cuts: Candidates, order: Ints, has_weights: bool) -> OptionalBranchColumns:
    """Figures of the sides of candidates as texts, where some have many branches."""
    if not cuts.branches:
        return {}
    sides = [_figures_of_sides(cuts, index) for index in order.tolist()]
    texts: OptionalBranchColumns = {
        "row_texts": [_first_texts([f"{size:,}" for size in n], " + ") for n, _, _ in sides],
        "impurity_texts": [_first_texts(map(number, values), ", ") for _, _, values in sides],
    }
    if has_weights:
        texts["weight_texts"] = [_first_texts(map(number, values), " + ") for _, values, _ in sides]
    return texts


def _figures_of_sides(cuts: Candidates, index: int) -> tuple[list[int], list[float], list[float]]:
    """Rows, weights and impurities of the sides of a candidate."""
    branches = cuts.branches_of(index)
    if branches is not None:
        return branches.n.tolist(), branches.weight.tolist(), branches.impurity.tolist()
    return (
        [int(cuts.n_left[index]), int(cuts.n_right[index])],
        [float(cuts.weight_left[index]), float(cuts.weight_right[index])],
        [float(cuts.impurity_left[index]), float(cuts.impurity_right[index])],
    )


def _first_texts(texts: Iterable[str], joiner: str) -> str:
    """The first texts, joined; dots stand for the others."""
    first, others = (all_texts := [*texts])[:MAX_SIDES_LISTED], all_texts[MAX_SIDES_LISTED:]
    return joiner.join([*first, *(["…"] if others else [])])


def _notes(problem: Problem, cuts: Candidates, n_listed: int) -> list[str]:
    """Notes under the table: candidates left out, and how categories were searched."""
    searches = *why.subset_searches(problem, cuts), *why.wide_categories(problem, cuts)
    search_notes = [*searches[:MAX_NOTES]]
    if n_listed == len(cuts):
        return search_notes
    return [f"The first {n_listed:,} of {len(cuts):,} cuts; Export has all of them.", *search_notes]


def score_title(rules: Rules) -> str:
    """Name of the score that candidates are ranked by, with its unit: 'gain (bit)'."""
    unit = why.unit_of(rules)
    return why.measure_name(rules) + (f" ({unit})" if unit else "")


def ranking_order(cuts: Candidates) -> Ints:
    """Indices of candidates: the best of each projection, then all others; both by score.

    One with too little on a side counts as the lowest. Ties keep the order of their indices.
    """
    order = np.argsort(-np.where(cuts.admissible, cuts.score, -1.0), kind="stable")
    first = order[np.sort(_first_places(cuts, order))]
    return np.concatenate([first, order[~np.isin(order, first)]])


def _first_places(cuts: Candidates, order: Ints) -> Ints:
    """Places in `order` of the first candidate of each projection."""
    return np.unique(cuts.line[order], return_index=True)[1]


def candidate_marks(data: Dataset, cuts: Candidates, order: Ints) -> list[str]:
    """Mark of each candidate, such as '★ best' or 'between rows of one class'; '' for none."""
    first_places = {*_first_places(cuts, order).tolist()}
    return [
        _candidate_mark(data, cuts, cut_id, k in first_places)
        for k, cut_id in enumerate(order.tolist())
    ]


def _candidate_mark(
    data: Dataset, cuts: Candidates, index: int, is_first_of_projection: bool
) -> str:
    """Mark of one candidate; '' for none."""
    if not cuts.can_gain:
        return "" if cuts.admissible[index] else "too little on a side"
    if index == cuts.best:
        return "★ best"
    if cuts.tied[index] and cuts.score[index] > 0:
        return "○ tie"
    if not cuts.admissible[index]:
        return "too little on a side"
    if is_first_of_projection:
        projection = cuts.projections[cuts.line[index]]
        best = "best" if cuts.is_complete else "best counted"
        is_named = len(features_of(projection)) == 1  # the text of the cut names it already
        of_it = "of its feature" if is_named else f"on {projection_text(data, projection)}"
        return f"{best} {of_it}"
    return "" if cuts.boundary[index] else same_target_text(data)


def same_target_text(data: Dataset) -> str:
    """Mark of a candidate that is no boundary point."""
    return "between rows of one class" if data.classes else "between equal targets"


def percent_of_best(cuts: Candidates, order: Ints) -> NDArray[np.float64]:
    """Scores in percent of the best, three digits; 100 for the best and its ties alone."""
    best = float(cuts.score[cuts.best]) if cuts.best is not None else 0.0
    if not best:
        return np.zeros(len(order))
    percent = rounded_values(100 * cuts.score[order] / best, 3)
    return np.where((percent == 100) & ~cuts.tied[order], 99.9, percent)


BINS = 23
"""Bins of a histogram."""
TARGET_PARTS = 7
"""Number of equal parts of the range of a target, each a kind of rows."""
MAX_HISTOGRAMS = 127
"""Nodes with a histogram at most: those nearest to the root."""
FULLEST_COUNT = 255
"""Count of the fullest bin of a node."""


def node_histograms(
    data: Dataset, tree: Tree, max_depth: int | None, keep: ValueKeeper = keep_nothing
) -> Strips:
    """Histograms of the rows of each node along its split, of nodes above `max_depth`.

    With None, of all nodes; a multi-way cut has none. The fullest bin of a node has the count
    FULLEST_COUNT, others a count in proportion, at least 1 where there is a row. Rows without a
    score are in no bin. `keep` has the histograms of earlier trees of the same data.
    """
    depths = tree.cut_depths
    nodes = [
        node
        for node, split in tree.splits.items()
        if (max_depth is None or depths[node] < max_depth)
        and not isinstance(split.projection, CutPart)
    ]
    nodes = sorted(nodes, key=lambda node: (depths[node], node))[:MAX_HISTOGRAMS]
    kinds = _row_kinds(data)
    n_kinds = min(len(data.classes), len(PALETTE)) or TARGET_PARTS
    leaves = sorted(tree.rows, key=preorder_key)
    row_ids = np.concatenate([tree.rows[leaf] for leaf in leaves])
    starts = np.cumsum([0, *(tree.rows[leaf].size for leaf in leaves)])
    leaf_places = {leaf: k for k, leaf in enumerate(leaves)}
    left = np.zeros(len(nodes), np.uint8)
    counts = np.zeros((len(nodes), n_kinds, BINS), np.uint8)

    def histogram(node: int) -> tuple[int, NDArray[np.uint8]]:
        first_leaf, last_leaf = (leaf_places[_end_leaf(tree, node, side)] for side in (0, 1))
        rows = row_ids[starts[first_leaf] : starts[last_leaf + 1]]
        left, bins, has_score = _rows_in_bins(data, tree.splits[node], rows)
        flat = np.bincount(kinds[rows[has_score]] * BINS + bins, minlength=n_kinds * BINS)
        return left, _bin_shares(flat.reshape(n_kinds, BINS), is_stacked=bool(data.classes))

    for k, node in enumerate(nodes):
        splits = [tree.splits[above] for above in (*ancestors(node), node)]
        left[k], counts[k] = keep(("histogram", node), splits, partial(histogram, node))
    return {
        "nodes": list(map(str, nodes)),
        "left": left,
        "counts": counts.reshape(-1),
        "kinds": n_kinds,
        "classes": bool(data.classes),
    }


def _row_kinds(data: Dataset) -> Ints:
    """Kind of each row, (n,): the number of its class's colour, or of its target's part."""
    if data.classes:
        return data.y.astype(int) % len(PALETTE)
    low, high = float(data.y.min()), float(data.y.max())
    share = (data.y - low) / (high - low) if high > low else np.full(data.n, 0.5)
    return np.minimum(share * TARGET_PARTS, TARGET_PARTS - 1).astype(int)


def _end_leaf(tree: Tree, node: int, side: int) -> int:
    """First (side 0) or last (side 1) leaf under a node."""
    while node in tree.splits:
        node = 2 * node + side
    return node


def _rows_in_bins(data: Dataset, split: Split, rows: Ints) -> tuple[int, Ints, NDArray[np.bool_]]:
    """Number of bins left of the threshold, bins of the rows with a score, and which rows have one.

    The threshold always lies between two bins.
    """
    values = score(split.projection, data.columns, rows)
    has_score = np.isfinite(values)
    values, threshold = values[has_score], split.threshold
    if not values.size:
        return BINS // 2, values.astype(int), has_score
    low, high = min(float(values.min()), threshold), max(float(values.max()), threshold)
    share = (threshold - low) / (high - low) if high > low and math.isfinite(high - low) else 0.5
    left = max(1, min(round(BINS * share), BINS - 1))
    is_left = values <= threshold
    with np.errstate(all="ignore"):
        left_bins = np.nan_to_num((values - low) / (threshold - low)) * left
        right_bins = np.nan_to_num((values - threshold) / (high - threshold)) * (BINS - left)
    return (
        left,
        np.where(
            is_left,
            np.clip(left_bins, 0, left - 1).astype(int),
            left + np.clip(right_bins, 0, BINS - left - 1).astype(int),
        ),
        has_score,
    )


def _bin_shares(counts: Ints, is_stacked: bool) -> NDArray[np.uint8]:
    """Counts as shares of the fullest bin; where kinds are stacked, of the fullest stack."""
    fullest = (counts.sum(axis=0) if is_stacked else counts).max()
    if not fullest:
        return counts.astype(np.uint8)
    return np.where(counts, np.maximum(counts * FULLEST_COUNT // fullest, 1), 0).astype(np.uint8)
