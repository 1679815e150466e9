"""Frames of the stage: points, regions and, on the same axes, the gain of every candidate.

With two features or more the picture is the plane of two of them, x1 and x2; the gains of x1 stand
above the plane and those of x2 to its right. With one feature the picture is a strip, x against the
target or against the classes in lanes; the gains stand under the strip.

The cloud is the rows as points: it depends on data and axes alone and is sent once. The scene is
the rest (regions, lines, focus, candidates of the focus) and is sent at every step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Ints
from dtviz.base.lazy import ValueKeeper, keep_nothing
from dtviz.base.text import clean
from dtviz.data.dataset import Dataset
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import branch_nodes, family_of, score
from dtviz.engine.tree import Tree, rows_in
from dtviz.explain.row_path import RowPath
from dtviz.explain.why import subset_count_text
from dtviz.explain.words import SYMBOL_WORDS, feature_value_texts, projection_text, rule_text
from dtviz.pictures import frame_types, regions, scales, stage_cuts
from dtviz.session.screen import Screen
from dtviz.session.session import SelectedRow

GUTTER_BAND_SHARE = 0.6
"""Share of a gutter's width that is a band of rows, half of which the jitter fills."""
BAND_GUTTER_MIDDLE = -1.0
"""Middle of the gutter of an axis with bands: the gutter is one more band before the first."""


def positions_on_axis(
    values: NDArray[np.float64], axis: frame_types.FrameAxis, jitter_step: float
) -> NDArray[np.float64]:
    """Positions of values on an axis; missing values are spread over its gutter, see `jitter`."""
    if "gutter" not in axis:
        return values
    low, end = axis["low"], axis["gutter"]
    middle, width = low / 2 + end / 2, end - low
    offset = scales.jitter(np.zeros(len(values)), jitter_step) * GUTTER_BAND_SHARE * width
    if "lanes" in axis:
        middle, offset = BAND_GUTTER_MIDDLE, scales.jitter(np.zeros(len(values)), jitter_step)
    return np.where(np.isnan(values), middle + offset, values)


MAX_LEAVES_SENT = 3_000
"""Of a tree with more leaves the leaves of points are not sent: only a click shows a row path."""


def point_leaves_frame(data: Dataset, tree: Tree, rows: Ints) -> frame_types.OptionalPointLeaves:
    """Leaf of each of these rows, and the prediction of each node; {} for a very large tree.

    Nodes stand in the order in which they were made, so that few entries change after a split.
    """
    if len(tree.rows) > MAX_LEAVES_SENT:
        return {}
    leaf_places = np.zeros(data.n, np.int32)
    for place, node in enumerate(tree.nodes):
        if node in tree.rows:
            leaf_places[tree.rows[node]] = place
    ends: frame_types.PointLeaves = {"node": [*map(str, tree.nodes)], "leaf": leaf_places[rows]}
    if tree.leaf_model.linear_score is None:
        ends["value"] = np.array([facts.value for facts in tree.nodes.values()], np.float64)
    return {"point_leaves": ends}


def row_frame(
    data: Dataset,
    path: RowPath,
    row: SelectedRow | None,
    axes: tuple[int, int],
    drawn_axes: tuple[frame_types.FrameAxis, frame_types.FrameAxis],
) -> frame_types.ShownRow:
    """Row whose row path is shown, over the drawn axes.

    In a strip a typed row stands at the height that the tree predicts.
    """
    across, up = drawn_axes
    if len(data.features) > 1:
        place = _position(path.values[axes[0]], across), _position(path.values[axes[1]], up)
    else:
        place = _position(path.values[0], across), _prediction_height(path)
    row_number = row if isinstance(row, int) else None
    return {"node": str(path.nodes[-1]), "number": row_number, "place": place}


def _position(value: float, axis: frame_types.FrameAxis) -> float | None:
    """Position of a value on an axis, or the nearer end of the axis if it lies beyond.

    A missing value stands in the gutter; None without a gutter.
    """
    if np.isnan(value):
        if "gutter" not in axis:
            return None
        return BAND_GUTTER_MIDDLE if "lanes" in axis else axis["low"] / 2 + axis["gutter"] / 2
    position = float(axis["places"][int(value)]) if "places" in axis else value
    return float(min(max(position, axis.get("gutter", axis["low"])), axis["high"]))


def _prediction_height(path: RowPath) -> float | None:
    """Height of a row path's prediction in a strip, of classes the lane; None without one."""
    return None if np.isnan(path.predicted) else path.predicted


MAX_RULE_LABELS = 24
"""Splits whose lines have their rules as text."""


def cloud_frame(data: Dataset, axes: tuple[int, int], name: str) -> frame_types.Cloud:
    """Frame of the points, under a name by which scenes refer to it."""
    stage = regions.StageContext(data, axes)
    row_ids, (across_axis, up_axis) = stage.row_ids, stage.drawn_axes
    x = _column_positions(data, stage.features[0], scales.PLASTIC, across_axis)[row_ids]
    if len(data.features) > 1:
        y = _column_positions(data, axes[1], scales.GOLDEN, up_axis)[row_ids]
    else:
        y = (scales.jitter(data.y, scales.GOLDEN) if data.classes else data.y)[row_ids]
    points: frame_types.Cloud = {
        "name": name,
        "x": x,
        "y": y,
        "code": scales.colour_codes(data, data.y[row_ids]),
    }
    if data.weights is not None:
        points["weight"] = data.weights[row_ids]
    if not data.classes:
        points["value"] = data.y[row_ids]
    if len(row_ids) < data.n:
        points["row"] = row_ids.astype(np.int32)
    return points


def _column_positions(
    data: Dataset, feature: int, jitter_step: float, axis: frame_types.FrameAxis
) -> NDArray[np.float64]:
    """Positions of all rows on a feature's axis; a category's codes are spread over their bands."""
    values = data.columns[feature]
    return positions_on_axis(
        scales.jitter(values, jitter_step) if data.levels[feature] else values, axis, jitter_step
    )


def scene_frame(
    data: Dataset,
    tree: Tree,
    view: stage_cuts.StageView,
    name: str,
    keep: ValueKeeper = keep_nothing,
) -> frame_types.TreeOnPlane:
    """Frame of the tree's regions with the candidates of the focus, over the cloud `name`.

    `keep` has the rings and lines of earlier trees of the same data.
    """
    orders = scales.orders_of_cuts(data, view.cuts, view.cut)
    stage = regions.StageContext(data, view.axes, view.pinned, orders, view.theme, keep)
    focus_rows, tree_frame = rows_in(tree, view.focus), regions_frame(stage, tree, view.focus)
    in_focus = np.zeros(data.n, np.bool_)
    in_focus[focus_rows] = True
    row_nearness = stage_cuts.nearness(stage, tree)
    fading: frame_types.OptionalNearness = (
        {} if row_nearness is None else {"nearness": row_nearness[stage.row_ids]}
    )
    return {
        **_plane_frame(stage, name),
        **stage_cuts.cuts_frame(stage, view, focus_rows),
        **_slant_frame(stage, view),
        "measure": view.measure,
        "unit": view.unit,
        "impurity": view.impurity,
        "n": tree.nodes[view.focus].n,
        "focus": str(view.focus),
        **tree_frame,
        "in_focus": np.packbits(in_focus[stage.row_ids]),
        "is_focus_drawn": str(view.focus) in tree_frame["regions"]["node"],
        **point_leaves_frame(data, tree, stage.row_ids),
        **fading,
    }


def regions_frame(
    stage: regions.StageContext, tree: Tree, focus: int = 1
) -> frame_types.TreeRegions:
    """Largest regions of a tree, the focus among them, in the slice at the pinned values."""
    data, rings = stage.data, stage.rings(tree)
    visible = (node for node in tree.shown_nodes if node in rings)
    shown = regions.largest_rings({node: rings[node] for node in visible}, focus)
    leaves = {place: node for place, node in enumerate(shown) if node in tree.rows}
    leaf_rings = {place: (shown[node], tree.nodes[node]) for place, node in leaves.items()}
    values = {str(leaf): tree.nodes[leaf].value for leaf in leaves.values()}
    codes = scales.colour_codes(data, np.array([*values.values()]))
    return {
        "regions": _rings_frame(shown),
        "fills": dict(zip(values, codes.tolist(), strict=True)),
        "values": values,
        "lines": _lines_frame(stage, tree, rings, shown),
        **regions.varying_predictions(data, tree.leaf_model, leaf_rings, stage.plane),
    }


def _slant_frame(
    stage: regions.StageContext, view: stage_cuts.StageView
) -> frame_types.OptionalSlant:
    """Name, scores and form of the projection on no axis that is shown; {} without one."""
    data, projection_id = stage.data, stage_cuts.shown_projection(stage.data, view)
    if projection_id is None:
        return {}
    projection = view.cuts.projections[projection_id]
    form_of = family_of(projection).form
    assert form_of is not None
    scores = score(projection, data.columns, stage.row_ids)
    low, high = scales.value_range(scores)
    form = [*form_of(projection, stage.plane)]
    name = projection_text(data, projection)
    return {"slant": {"name": name, "low": low, "high": high, "score": scores, "form": form}}


def bare_plane_frame(stage: regions.StageContext, name: str) -> frame_types.BarePlane:
    """Frame of the points without a tree, over the cloud `name`."""
    return {**_plane_frame(stage, name), "bare": True}


def _plane_frame(stage: regions.StageContext, name: str) -> frame_types.Plane:
    """Parts of every picture over a cloud: axes, classes or colour scale, colours of the page."""
    data, (across_axis, up_axis) = stage.data, stage.drawn_axes
    plain: frame_types.Plane = {
        "cloud": name,
        "form": "plane" if len(data.features) > 1 else "strip",
        "across": across_axis,
        "up": up_axis,
        "target": clean(data.target),
        "colours": scales.colours_of(stage.theme),
        "has_all_rows": data.n <= scales.MAX_POINTS
        and data.costs is None,  # so that points can be counted
    }
    if data.classes:
        looks = [scales.class_look(k, class_name) for k, class_name in enumerate(data.class_names)]
        return plain | {"classes": looks}
    return plain | {
        "scale": list(scales.SCALE),
        "low": float(data.y.min()),
        "high": float(data.y.max()),
    }


# --- regions --------------------------------------------------------------------------------------


def _rings_frame(rings: regions.Rings) -> frame_types.Regions:
    return {"node": list(map(str, rings)), **regions.shapes(rings.values())}


def _lines_frame(
    stage: regions.StageContext, tree: Tree, rings: regions.Rings, shown: regions.Rings
) -> frame_types.Lines:
    """Lines of the splits that are shown, upper levels first; the first have rules as text."""
    node_lines = {
        node: [
            line
            for child in branch_nodes(tree.splits, node)[:-1]
            for line in stage.lines(rings, child // 2)
        ]
        for node in sorted(shown)
        if node in tree.splits
    }
    labelled = [node for node, lines in node_lines.items() if lines][:MAX_RULE_LABELS]
    rules = {node: rule_text(stage.data, tree, node, SYMBOL_WORDS) for node in labelled}
    lines = [(node, line) for node, lines_of_node in node_lines.items() for line in lines_of_node]
    return {
        "node": [str(node) for node, _ in lines],
        "rule": [rules.pop(node, "") for node, _ in lines],
        **regions.shapes([line for _, line in lines]),
    }


# --- words and rows -------------------------------------------------------------------------------


def caption(
    data: Dataset,
    cuts: Candidates,
    axes: tuple[int, int],
    slice_values: NDArray[np.float64],
    pins: stage_cuts.Slice = (),
    index: int | None = None,
) -> str:
    """Text under the picture, on pinned features and on what the drawing leaves out.

    `index` is the candidate that is looked at.
    """
    parts = [slice_text(data, axes, slice_values, pins)]
    spans = {f: cuts.along(f, index) for f in regions.StageContext(data, axes).features}
    n_cuts = [span.stop - span.start for span in spans.values()]
    parts.append(_subset_dots_text(data, cuts, spans))
    if data.costs is not None:
        parts.append("Where mistakes have costs, sides of a cut have no class bars and tints.")
    elif data.n > scales.MAX_POINTS and not stage_cuts.statistics_fit(
        data, min(max(n_cuts, default=0), stage_cuts.MAX_CUTS + 2)
    ):
        parts.append("Of so many classes, sides of a cut have no bars and tints.")
    return " ".join(part for part in parts if part)


def _subset_dots_text(data: Dataset, cuts: Candidates, spans: Mapping[int, slice]) -> str:
    """Text on the small dots of gain curves: subsets outside a category's order; else ''.

    `spans` has the indices of the candidates along each axis, by its feature.
    """
    subset_texts = []
    for feature, span in spans.items():
        if cuts.scattered[span].any():
            order = cuts.orders[int(cuts.line[span.start])]
            subset_texts.append(f"{data.features[feature]}: {subset_count_text(len(order))}")
    if not subset_texts:
        return ""
    return (
        f"{'; '.join(subset_texts)}. The curve has the cuts of their order; "
        "each small dot is another, behind the cut of as many values."
    )


def slice_caption(screen: Screen) -> str:
    """Return the caption of a plane whose slice does not follow the focus."""
    pins = screen.session.pins
    return slice_text(screen.data, screen.axes, stage_cuts.pinned_values(screen.data, pins), pins)


SPREAD_TEXT = "Points of whole numbers are spread a little."


def slice_text(
    data: Dataset,
    axes: tuple[int, int],
    slice_values: NDArray[np.float64],
    pins: stage_cuts.Slice = (),
) -> str:
    """Text on the values of the features on no axis and on how many points are drawn."""
    is_spread = any("spread" in axis for axis in scales.scene_axes(data, axes))
    parts = [SPREAD_TEXT] if is_spread else []
    others = [f for f in range(len(data.features)) if f not in axes]
    if others and len(data.features) > 1:
        hand_features = {feature for feature, _ in pins}
        is_moved = slice_values != stage_cuts.pinned_values(data)
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
    if data.source is not None:
        parts.append(f"{data.n:,} of {data.n_grown:,} points are shown, drawn by chance.")
    elif data.n > scales.MAX_POINTS:
        parts.append(f"{scales.MAX_POINTS:,} of {data.n:,} points are drawn; every row counts.")
    return " ".join(parts)


def _values_text(data: Dataset, features: Sequence[int], slice_values: NDArray[np.float64]) -> str:
    """Values of features as text, the first four by name: 'age = 30, size = small'."""
    texts = [
        f"{data.features[f]} = {feature_value_texts(data, f, slice_values[f : f + 1])[0]}"
        for f in features[:4]
    ]
    others = f" and {len(features) - 4} more" if len(features) > 4 else ""
    return f"{', '.join(texts)}{others}"
