"""Frames of the stage: points, regions and, on the same axes, the gain of every candidate.

With two features or more the plane has x1 and x2, the gains of x1 stand above it and those of x2
to its right. With one feature the strip shows x against y (a number) or the classes in lanes, and
the gains lie under it.

The rows as points are the cloud: it depends on data and axes alone and is sent once. The scene is
the rest (regions, lines, focus, candidates of the focus) and is new at every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Ints
from dtviz.base.text import clean
from dtviz.data.dataset import Dataset
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import Ring, family_of, score
from dtviz.engine.tree import Tree, rows_in
from dtviz.explain.row_path import RowPath
from dtviz.explain.why import subset_count_text
from dtviz.explain.words import SIGNED, projection_text, rule_text, values_text
from dtviz.pictures.frame_types import (
    Bare,
    Cloud,
    Drawn,
    Ends,
    Fading,
    FrameAxis,
    Grown,
    Lines,
    Plane,
    PointLeaves,
    Regions,
    ShownRow,
    Slanted,
)
from dtviz.pictures.regions import (
    Rings,
    largest,
    lines_between,
    node_rings,
    plane_of,
    shapes,
    varying_predictions,
    window_of,
)
from dtviz.pictures.scales import (
    AS_LEVELS,
    GOLDEN,
    PLASTIC,
    SCALE,
    BandOrders,
    Theme,
    class_look,
    colours_of,
    names_of,
    orders_of_cuts,
    places_of,
    spread,
    step_of,
    with_clock,
)
from dtviz.pictures.stage_cuts import (
    MAX_CUTS,
    Slice,
    StageView,
    cuts_frame,
    nearness,
    pinned_values,
    shown_axes,
    shown_projection,
    statistics_fit,
)
from dtviz.session.session import SelectedRow

GUTTER_SHARE = 0.1
"""Width of the gutter of a number's axis, as a share of the rest of the axis."""
FILLED_SHARE = 0.6
"""Share of the gutter's width that its rows are spread over."""
BAND_GUTTER_MIDDLE = -1.0
"""Middle of the gutter of an axis with bands: that of one more band before the first."""


def with_gutter(data: Dataset, feature: int, axis: FrameAxis) -> FrameAxis:
    """Add a gutter to the axis of a feature where some row has no value."""
    if not data.gaps[feature]:
        return axis
    low, high = axis["low"], axis["high"]
    width = 1.0 if "lanes" in axis else GUTTER_SHARE * (high / 2 - low / 2) * 2
    if not np.isfinite(low - width):
        width = np.finfo(np.float64).max + low
    return {**axis, "low": float(low - width), "gutter": float(low)}


def positions_on_axis(
    values: NDArray[np.float64], axis: FrameAxis, step: float
) -> NDArray[np.float64]:
    """Positions of values on an axis; missing values stand in its gutter."""
    if "gutter" not in axis:
        return values
    low, end = axis["low"], axis["gutter"]
    middle, width = low / 2 + end / 2, end - low
    offset = spread(np.zeros(len(values)), step) * 2 * FILLED_SHARE * width / 2
    if "lanes" in axis:
        middle, offset = BAND_GUTTER_MIDDLE, spread(np.zeros(len(values)), step)
    return np.where(np.isnan(values), middle + offset, values)


def gutter_ends(axes: Iterable[FrameAxis]) -> list[float]:
    """Upper ends of the gutters of axes; the low end of an axis without one."""
    return [axis.get("gutter", axis["low"]) for axis in axes]


MAX_LEAVES_SENT = 3_000
"""Of a tree with more leaves, the points' leaves are not sent: only a click shows a row path."""


def ways_frame(data: Dataset, tree: Tree, rows: Ints) -> PointLeaves:
    """Leaf of each of these rows and what it predicts; {} for a very large tree.

    Nodes stand in the order in which they were made, so that few entries change after a split.
    """
    if len(tree.rows) > MAX_LEAVES_SENT:
        return {}
    leaf_places = np.zeros(data.n, np.int32)
    for place, node in enumerate(tree.nodes):
        if node in tree.rows:
            leaf_places[tree.rows[node]] = place
    ends: Ends = {"node": [*map(str, tree.nodes)], "of": leaf_places[rows]}
    if tree.leaf_model.linear_score is None:
        ends["value"] = np.array([facts.value for facts in tree.nodes.values()], np.float64)
    return {"ends": ends}


def row_frame(
    data: Dataset,
    path: RowPath,
    row: SelectedRow | None,
    axes: tuple[int, int],
    axes_drawn: tuple[FrameAxis, FrameAxis],
) -> ShownRow:
    """Row whose row path is shown, over the axes `axes_drawn`.

    In a strip a typed row stands at the height that the tree predicts.
    """
    across, up = axes_drawn
    if len(data.features) > 1:
        place = _position(path.values[axes[0]], across), _position(path.values[axes[1]], up)
    else:
        place = _position(path.values[0], across), _predicted(path)
    row_number = row if isinstance(row, int) else None
    return {"node": str(path.nodes[-1]), "number": row_number, "place": place}


def _position(value: float, axis: FrameAxis) -> float | None:
    """Position of a value on an axis, or the nearer end of the axis if it lies beyond.

    A missing value stands in the gutter; None without a gutter.
    """
    if np.isnan(value):
        if "gutter" not in axis:
            return None
        return BAND_GUTTER_MIDDLE if "lanes" in axis else axis["low"] / 2 + axis["gutter"] / 2
    position = float(axis["places"][int(value)]) if "places" in axis else value
    return float(min(max(position, axis.get("gutter", axis["low"])), axis["high"]))


def _predicted(path: RowPath) -> float | None:
    """Prediction at the end of a row path, of classes the lane; None if there is none."""
    return None if np.isnan(path.predicted) else path.predicted


MAX_POINTS = 20_000
MAX_LABELS = 24
MAX_LANES = 40
MAX_FLOAT = float(np.finfo(np.float64).max)


def cloud(data: Dataset, axes: tuple[int, int], name: str) -> Cloud:
    """Points under a name that scenes refer to; `code` is a class or a step of SCALE."""
    row_ids = drawn_rows(data)
    across_axis, up_axis = stage_axes(data, axes)
    x = _column(data, shown_axes(data, axes)[0], PLASTIC, across_axis)[row_ids]
    if len(data.features) > 1:
        y = _column(data, axes[1], GOLDEN, up_axis)[row_ids]
    else:
        y = (spread(data.y, GOLDEN) if data.classes else data.y)[row_ids]
    points: Cloud = {"name": name, "x": x, "y": y, "code": _codes(data, row_ids)}
    if data.weights is not None:
        points["weight"] = data.weights[row_ids]
    if not data.classes:
        points["value"] = data.y[row_ids]
    if len(row_ids) < data.n:
        points["row"] = row_ids.astype(np.int32)
    return points


def _codes(data: Dataset, row_ids: Ints) -> NDArray[np.int32]:
    """Class of each of some rows, or the step of its target on SCALE."""
    if data.classes:
        return data.y[row_ids].astype(np.int32)
    low, high = float(data.y.min()), float(data.y.max())
    return np.array([step_of(value, low, high) for value in data.y[row_ids].tolist()], np.int32)


def _column(data: Dataset, feature: int, step: float, axis: FrameAxis) -> NDArray[np.float64]:
    """Positions of all rows on a feature's axis; a category's codes are spread over their bands."""
    values = data.columns[feature]
    return positions_on_axis(spread(values, step) if data.levels[feature] else values, axis, step)


def scene(data: Dataset, tree: Tree, view: StageView, name: str) -> Drawn:
    """Frame of the tree's regions with the candidates of the focus, over the cloud `name`."""
    orders, focus_rows = orders_of_cuts(data, view.cuts), rows_in(tree, view.focus)
    tree_frame = regions_of(data, tree, view.axes, view.pinned, orders, view.focus)
    in_focus = np.zeros(data.n, np.bool_)
    in_focus[focus_rows] = True
    axis_ends, all_drawn = gutter_ends(stage_axes(data, view.axes)), data.n <= MAX_POINTS
    row_nearness = nearness(data, tree, view.axes, view.pinned)
    fading: Fading = {} if row_nearness is None else {"near": row_nearness[drawn_rows(data)]}
    return {
        **_frame_of(data, view.axes, view.theme, name, orders),
        **cuts_frame(data, view, axis_ends, focus_rows, all_drawn),
        **_slant(data, view, orders),
        "measure": view.measure,
        "unit": view.unit,
        "impurity": view.impurity,
        "n": len(focus_rows),
        "focus": str(view.focus),
        **tree_frame,
        "inside": np.packbits(in_focus[drawn_rows(data)]),
        "seen": str(view.focus) in tree_frame["regions"]["node"],
        **ways_frame(data, tree, drawn_rows(data)),
        **fading,
    }


def regions_of(
    data: Dataset,
    tree: Tree,
    axes: tuple[int, int],
    slice_values: NDArray[np.float64],
    orders: BandOrders = AS_LEVELS,
    focus: int = 1,
) -> Grown:
    """Largest regions of a tree, the focus among them, in the slice at `slice_values`, (M,)."""
    rings = rings_of(data, tree, axes, slice_values, orders)
    shown = largest(rings, focus)
    leaves = {place: node for place, node in enumerate(shown) if node in tree.rows}
    leaf_rings = {place: (shown[node], tree.nodes[node]) for place, node in leaves.items()}
    values = {str(leaf): tree.nodes[leaf].value for leaf in leaves.values()}
    plane = plane_of(data, axes, slice_values, stage_axes(data, axes, orders), orders)
    return {
        "regions": _regions(shown),
        "fills": _fills(data, values),
        "values": values,
        "lines": _lines(data, tree, rings, shown),
        **varying_predictions(data, tree.leaf_model, leaf_rings, plane),
    }


def _slant(data: Dataset, view: StageView, orders: BandOrders) -> Slanted:
    """Name, scores and form over the plane of the shown projection on no axis; {} without one."""
    projection_id = shown_projection(data, view)
    if projection_id is None:
        return {}
    projection = view.cuts.projections[projection_id]
    axes_drawn = stage_axes(data, view.axes, orders)
    form_of = family_of(projection).form
    assert form_of is not None
    scores = score(projection, data.columns, drawn_rows(data))
    low, high = _value_range(scores)
    form = form_of(projection, plane_of(data, view.axes, view.pinned, axes_drawn, orders))
    name = projection_text(data, projection)
    return {"slant": {"name": name, "low": low, "high": high, "score": scores, "form": [*form]}}


def bare_scene(
    data: Dataset, axes: tuple[int, int], theme: Theme, name: str, orders: BandOrders = AS_LEVELS
) -> Bare:
    """Frame of the points without a tree."""
    return {**_frame_of(data, axes, theme, name, orders), "bare": True}


def _frame_of(
    data: Dataset, axes: tuple[int, int], theme: Theme, name: str, orders: BandOrders = AS_LEVELS
) -> Plane:
    """Axes, classes or scale, and colours of the page of a picture of points."""
    across_axis, up_axis = stage_axes(data, axes, orders)
    plain: Plane = {
        "cloud": name,
        "form": "plane" if len(data.features) > 1 else "strip",
        "across": across_axis,
        "up": up_axis,
        "target": clean(data.target),
        "colours": colours_of(theme),
        "whole": data.n <= MAX_POINTS and data.costs is None,  # so that points can be counted
    }
    if data.classes:
        looks = [class_look(k, class_name) for k, class_name in enumerate(data.class_names)]
        return plain | {"classes": looks}
    return plain | {
        "scale": list(SCALE),
        "low": float(data.y.min()),
        "high": float(data.y.max()),
    }


def scene_axes(
    data: Dataset, axes: tuple[int, int], orders: BandOrders = AS_LEVELS
) -> tuple[FrameAxis, FrameAxis]:
    """Axis across and axis up, without gutters."""
    if len(data.features) > 1:
        across_feature, up_feature = axes
        return _feature_axis(data, across_feature, orders), _feature_axis(data, up_feature, orders)
    across = _feature_axis(data, 0, orders)
    if not data.classes:
        return across, _number_axis(data.target, data.y)
    lanes, high = list(data.class_names[:MAX_LANES]), len(data.classes) - 0.5
    return across, {"name": clean(data.target), "low": -0.5, "high": high, "lanes": lanes}


def stage_axes(
    data: Dataset, axes: tuple[int, int], orders: BandOrders = AS_LEVELS
) -> tuple[FrameAxis, FrameAxis]:
    """Axis across and axis up, with a gutter where rows have no value."""
    across_axis, up_axis = scene_axes(data, axes, orders)
    if len(data.features) > 1:
        return with_gutter(data, axes[0], across_axis), with_gutter(data, axes[1], up_axis)
    return with_gutter(data, 0, across_axis), up_axis


def _feature_axis(data: Dataset, feature: int, orders: BandOrders) -> FrameAxis:
    """Axis of a feature; a category has a band for each value."""
    if not data.levels[feature]:
        plain = _number_axis(data.features[feature], data.columns[feature])
        return with_clock(plain, data.quantities[feature])
    lanes = names_of(data, feature, orders)
    axis: FrameAxis = {
        "name": clean(data.features[feature]),
        "low": -0.5,
        "high": len(lanes) - 0.5,
        "lanes": lanes,
    }
    if feature in orders:
        axis["places"] = places_of(orders[feature]).astype(np.int32)
    return axis


def _number_axis(name: str, values: NDArray[Any]) -> FrameAxis:
    """Axis of plain numbers."""
    low, high = _value_range(values)
    return {"name": clean(name), "low": low, "high": high}


def _value_range(values: NDArray[Any]) -> tuple[float, float]:
    """Range that is drawn: that of the data with a margin, never empty."""
    present = values[~np.isnan(values)]
    low, high = (float(present.min()), float(present.max())) if len(present) else (0.0, 1.0)
    margin = 0.05 * high - 0.05 * low if low < high else max(abs(low) * 0.05, 0.5)
    return max(low - margin, -MAX_FLOAT), min(high + margin, MAX_FLOAT)


# --- regions --------------------------------------------------------------------------------------


def rings_of(
    data: Dataset,
    tree: Tree,
    axes: tuple[int, int],
    pinned: NDArray[np.float64],
    orders: BandOrders = AS_LEVELS,
) -> dict[int, Ring]:
    """Rings of all nodes that meet the slice at the values `pinned`, (M,), from the root down."""
    drawn = stage_axes(data, axes, orders)
    return node_rings(tree.splits, window_of(*drawn), plane_of(data, axes, pinned, drawn, orders))


def _regions(rings: Rings) -> Regions:
    return {"node": list(map(str, rings)), **shapes(rings.values())}


def _fills(data: Dataset, values: dict[str, float]) -> dict[str, int]:
    """Colour of each leaf: the class that it predicts, or the step of its mean on SCALE."""
    if data.classes:
        return {leaf: int(value) for leaf, value in values.items()}
    low, high = float(data.y.min()), float(data.y.max())
    return {leaf: step_of(value, low, high) for leaf, value in values.items()}


def _lines(data: Dataset, tree: Tree, rings: Rings, shown: Rings) -> Lines:
    """Lines of the splits in sight, upper levels first; only the first have their rules as text."""
    node_lines = {node: lines_between(rings, node) for node in sorted(shown) if node in tree.splits}
    labelled = [node for node, lines in node_lines.items() if lines][:MAX_LABELS]
    rules = {node: rule_text(data, tree, node, SIGNED) for node in labelled}
    lines = [(node, line) for node, lines_of_node in node_lines.items() for line in lines_of_node]
    return {
        "node": [str(node) for node, _ in lines],
        "rule": [rules.pop(node, "") for node, _ in lines],
        **shapes([line for _, line in lines]),
    }


# --- words and rows -------------------------------------------------------------------------------


def drawn_rows(data: Dataset) -> Ints:
    """Ids of the rows that are drawn: all, or an even choice of MAX_POINTS of them."""
    if data.n <= MAX_POINTS:
        return np.arange(data.n)
    return np.linspace(0, data.n - 1, MAX_POINTS).astype(int)


def caption(
    data: Dataset,
    cuts: Candidates,
    axes: tuple[int, int],
    slice_values: NDArray[np.float64],
    by_hand: Slice = (),
) -> str:
    """Text under the picture: pinned features, and what is left out of the drawing."""
    parts = [slice_text(data, axes, slice_values, by_hand)]
    n_cuts = [len(cuts.gain[cuts.along(f)]) for f in shown_axes(data, axes)]
    parts.append(_small_dots(data, cuts, axes))
    if data.costs is not None:
        parts.append("Where mistakes have costs, sides of a cut have no class bars and tints.")
    elif data.n > MAX_POINTS and not statistics_fit(
        data, min(max(n_cuts, default=0), MAX_CUTS + 2)
    ):
        parts.append("Of so many classes, sides of a cut have no bars and tints.")
    return " ".join(part for part in parts if part)


def _small_dots(data: Dataset, cuts: Candidates, axes: tuple[int, int]) -> str:
    """Text on the small dots beside a gain curve (subsets outside a category's order), or ''."""
    subset_texts = []
    for feature in shown_axes(data, axes):
        span = cuts.along(feature)
        if cuts.scattered[span].any():
            order = cuts.orders[int(cuts.line[span.start])]
            subset_texts.append(f"{data.features[feature]}: {subset_count_text(len(order))}")
    if not subset_texts:
        return ""
    return (
        f"{'; '.join(subset_texts)}. The curve has the cuts of their order; "
        "each small dot is another, behind the cut of as many values."
    )


def slice_text(
    data: Dataset, axes: tuple[int, int], slice_values: NDArray[np.float64], by_hand: Slice = ()
) -> str:
    """Text on the values of the features on no axis and on how many points are drawn."""
    parts = []
    others = [f for f in range(len(data.features)) if f not in axes]
    if others and len(data.features) > 1:
        hand_features = {feature for feature, _ in by_hand}
        is_moved = slice_values != pinned_values(data)
        chosen = [f for f in others if f in hand_features]
        moved, unmoved = (
            [f for f in others if f not in hand_features and is_moved[f] == flag]
            for flag in (True, False)
        )
        hand = f"at {_values_text(data, chosen, slice_values)}" if chosen else ""
        node = f"through the node at {_values_text(data, moved, slice_values)}" if moved else ""
        middles = [
            word
            for word, is_category in (("medians", False), ("most frequent values", True))
            if any(bool(data.levels[f]) == is_category for f in unmoved)
        ]
        values = _values_text(data, unmoved, slice_values)
        middle = f"at the {' and '.join(middles)} of the others ({values})" if unmoved else ""
        parts.append(f"The plane is the slice {', '.join(filter(None, (hand, node, middle)))}.")
    if data.n > MAX_POINTS:
        parts.append(f"{MAX_POINTS:,} of {data.n:,} points are drawn; every row counts.")
    return " ".join(parts)


def _values_text(data: Dataset, features: Sequence[int], slice_values: NDArray[np.float64]) -> str:
    """Values of features as text, the first four by name: 'age = 30, size = small'."""
    texts = [
        f"{data.features[f]} = {values_text(data, f, slice_values[f : f + 1])[0]}"
        for f in features[:4]
    ]
    others = f" and {len(features) - 4} more" if len(features) > 4 else ""
    return f"{', '.join(texts)}{others}"
