"""What the stage draws: points, regions and, on the same axes, the gain of every cut.

With two features or more the plane has x1 and x2, the gains of x1 stand above it and those of x2
to its right. With one feature the strip shows x against y (a number) or the classes in lanes, and
the gains lie under it.

Glossary
    cloud      the rows as points; it depends on data and axes alone and is sent once
    scene      the rest: regions, lines, focus and the cuts of the focus; new at every step
    slice      the plane through the values at which the features on no axis are pinned
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.text import clean
from dtviz.data.dataset import Dataset
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import Ring, family_of, score
from dtviz.engine.tree import Tree, rows_in
from dtviz.explain.row_path import Way
from dtviz.explain.why import subsets_told
from dtviz.explain.words import SIGNED, line_text, rule_text, values_text
from dtviz.pictures.axes import (
    AS_LEVELS,
    GOLDEN,
    PLASTIC,
    Orders,
    names_of,
    orders_of,
    places_of,
    spread,
    with_clock,
)
from dtviz.pictures.frame_types import (
    Axis,
    Bare,
    Cloud,
    Drawn,
    Ends,
    Fading,
    Grown,
    Lines,
    Plane,
    Regions,
    ShownRow,
    Slanted,
    Ways,
)
from dtviz.pictures.palette import SCALE, Theme, class_look, colours_of, step_of
from dtviz.pictures.regions import (
    Rings,
    largest,
    lines_between,
    node_rings,
    plane_of,
    shapes,
    varied,
    window_of,
)
from dtviz.pictures.slice import Slice, nearness, pinned
from dtviz.pictures.stage_cuts import MAX_CUTS, View, cuts_frame, fits, shown_axes, slanted
from dtviz.session.session import Row

SHARE = 0.1
"""The width of the gutter of a number's axis, as a share of the rest."""
FILLED = 0.6
"""How much of it its rows are spread over."""
BESIDE = -1.0
"""The middle of the gutter of bands: that of one more band."""


def with_gutter(data: Dataset, feature: int, axis: Axis) -> Axis:
    """The axis of a feature, with a gutter where some row has no value."""
    if not data.gaps[feature]:
        return axis
    low, high = axis["low"], axis["high"]
    width = 1.0 if "lanes" in axis else SHARE * (high / 2 - low / 2) * 2
    if not np.isfinite(low - width):
        width = np.finfo(np.float64).max + low
    return {**axis, "low": float(low - width), "gutter": float(low)}


def placed(values: NDArray[np.float64], axis: Axis, step: float) -> NDArray[np.float64]:
    """The values as they stand on an axis: those that are missing in its gutter."""
    if "gutter" not in axis:
        return values
    low, end = axis["low"], axis["gutter"]
    middle, width = low / 2 + end / 2, end - low
    beside = spread(np.zeros(len(values)), step) * 2 * FILLED * width / 2
    if "lanes" in axis:
        middle, beside = BESIDE, spread(np.zeros(len(values)), step)
    return np.where(np.isnan(values), middle + beside, values)


def gutter_ends(axes: Iterable[Axis]) -> list[float]:
    """Where the gutters of axes end; the axis begins where it has none."""
    return [axis.get("gutter", axis["low"]) for axis in axes]


MOST_LEAVES = 3_000
"""Of a tree with more, the leaves of the points are not sent: a click alone tells a way."""


def ways_frame(data: Dataset, tree: Tree, rows: NDArray[np.intp]) -> Ways:
    """The leaf of each of these rows, and what it predicts; nothing of a very large tree.

    Nodes stand in the order in which they came, so that few rows are told anew after a split.
    """
    if len(tree.rows) > MOST_LEAVES:
        return {}
    leaf = np.zeros(data.n, np.int32)
    for place, node in enumerate(tree.nodes):
        if node in tree.rows:
            leaf[tree.rows[node]] = place
    ends: Ends = {"node": [*map(str, tree.nodes)], "of": leaf[rows]}
    if tree.leaf_model.level is None:
        ends["value"] = np.array([one.value for one in tree.nodes.values()], np.float64)
    return {"ends": ends}


def row_frame(
    data: Dataset, way: Way, row: Row | None, axes: tuple[int, int], drawn: tuple[Axis, Axis]
) -> ShownRow:
    """The row whose way is shown, over axes as they are `drawn`.

    Of one feature alone a typed row stands up where the tree predicts it.
    """
    across, up = drawn
    if len(data.features) > 1:
        place = _at(way.values[axes[0]], across), _at(way.values[axes[1]], up)
    else:
        place = _at(way.values[0], across), _predicted(way)
    number = row if isinstance(row, int) else None
    return {"node": str(way.nodes[-1]), "number": number, "place": place}


def _at(value: float, axis: Axis) -> float | None:
    """Where a value stands on an axis, at its end where it is beyond it; of none in its gutter."""
    if np.isnan(value):
        if "gutter" not in axis:
            return None
        return BESIDE if "lanes" in axis else axis["low"] / 2 + axis["gutter"] / 2
    placed = float(axis["places"][int(value)]) if "places" in axis else value
    return float(min(max(placed, axis.get("gutter", axis["low"])), axis["high"]))


def _predicted(way: Way) -> float | None:
    """What is predicted at the end of a way: of classes the lane."""
    return None if np.isnan(way.predicted) else way.predicted


MAX_POINTS = 20_000
MAX_LABELS = 24
MAX_LANES = 40
LARGEST = float(np.finfo(np.float64).max)
Span = tuple[float, float]


def cloud(data: Dataset, axes: tuple[int, int], name: str) -> Cloud:
    """The points, under a name that scenes refer to; `code` is a class or a step of SCALE."""
    rows = drawn_rows(data)
    across, up = stage_axes(data, axes)
    x = _column(data, shown_axes(data, axes)[0], PLASTIC, across)[rows]
    if len(data.features) > 1:
        y = _column(data, axes[1], GOLDEN, up)[rows]
    else:
        y = (spread(data.y, GOLDEN) if data.classes else data.y)[rows]
    points: Cloud = {"name": name, "x": x, "y": y, "code": _codes(data, rows)}
    if data.weights is not None:
        points["weight"] = data.weights[rows]
    if not data.classes:
        points["value"] = data.y[rows]
    if len(rows) < data.n:
        points["row"] = rows.astype(np.int32)
    return points


def _codes(data: Dataset, rows: NDArray[np.intp]) -> NDArray[np.int32]:
    """The class of some rows, or the step of their number on SCALE."""
    if data.classes:
        return data.y[rows].astype(np.int32)
    low, high = float(data.y.min()), float(data.y.max())
    return np.array([step_of(value, low, high) for value in data.y[rows].tolist()], np.int32)


def _column(data: Dataset, feature: int, step: float, axis: Axis) -> NDArray[np.float64]:
    """The values of a feature as they stand on its axis; of a category its codes, spread."""
    values = data.columns[feature]
    return placed(spread(values, step) if data.levels[feature] else values, axis, step)


def scene(data: Dataset, tree: Tree, view: View, name: str) -> Drawn:
    """The picture of the tree's regions with the cuts of the focus, over the cloud `name`."""
    orders, rows = orders_of(data, view.cuts), rows_in(tree, view.focus)
    grown = regions_of(data, tree, view.axes, view.pinned, orders, view.focus)
    members = np.zeros(data.n, np.bool_)
    members[rows] = True
    ends, whole = gutter_ends(stage_axes(data, view.axes)), data.n <= MAX_POINTS
    near = nearness(data, tree, view.axes, view.pinned)
    fading: Fading = {} if near is None else {"near": near[drawn_rows(data)]}
    return {
        **_frame_of(data, view.axes, view.theme, name, orders),
        **cuts_frame(data, view, ends, rows, whole),
        **_slant(data, view, orders),
        "measure": view.measure,
        "unit": view.unit,
        "impurity": view.impurity,
        "n": len(rows),
        "focus": str(view.focus),
        **grown,
        "inside": np.packbits(members[drawn_rows(data)]),
        "seen": str(view.focus) in grown["regions"]["node"],
        **ways_frame(data, tree, drawn_rows(data)),
        **fading,
    }


def regions_of(
    data: Dataset,
    tree: Tree,
    axes: tuple[int, int],
    at: NDArray[np.float64],
    orders: Orders = AS_LEVELS,
    focus: int = 1,
) -> Grown:
    """The largest regions of a tree, that of the focus among them, in the slice through `at`."""
    rings = rings_of(data, tree, axes, at, orders)
    shown = largest(rings, focus)
    leaves = {at: node for at, node in enumerate(shown) if node in tree.rows}
    drawn = {at: (shown[node], tree.nodes[node]) for at, node in leaves.items()}
    values = {str(leaf): tree.nodes[leaf].value for leaf in leaves.values()}
    plane = plane_of(data, axes, at, stage_axes(data, axes, orders), orders)
    return {
        "regions": _regions(shown),
        "fills": _fills(data, values),
        "values": values,
        "lines": _lines(data, tree, rings, shown),
        **varied(data, tree.leaf_model, drawn, plane),
    }


def _slant(data: Dataset, view: View, orders: Orders) -> Slanted:
    """How the line of cuts that is on no axis stands over the plane, where one is shown."""
    line = slanted(data, view)
    if line is None:
        return {}
    one, both = view.cuts.projections[line], stage_axes(data, view.axes, orders)
    form = family_of(one).form
    assert form is not None
    scores = score(one, data.columns, drawn_rows(data))
    low, high = _span(scores)
    about = form(one, plane_of(data, view.axes, view.pinned, both, orders))
    name = line_text(data, one)
    return {"slant": {"name": name, "low": low, "high": high, "score": scores, "form": [*about]}}


def bare_scene(
    data: Dataset, axes: tuple[int, int], theme: Theme, name: str, orders: Orders = AS_LEVELS
) -> Bare:
    """The points without a tree."""
    return {**_frame_of(data, axes, theme, name, orders), "bare": True}


def _frame_of(
    data: Dataset, axes: tuple[int, int], theme: Theme, name: str, orders: Orders = AS_LEVELS
) -> Plane:
    """What names and measures the picture: axes, classes or scale, colours of the page."""
    across, up = stage_axes(data, axes, orders)
    plain: Plane = {
        "cloud": name,
        "form": "plane" if len(data.features) > 1 else "strip",
        "across": across,
        "up": up,
        "target": clean(data.target),
        "colours": colours_of(theme),
        "whole": data.n <= MAX_POINTS and data.costs is None,  # so that points can be counted
    }
    if data.classes:
        named = enumerate(data.class_names)
        return plain | {"classes": [class_look(k, n) for k, n in named]}
    return plain | {
        "scale": list(SCALE),
        "low": float(data.y.min()),
        "high": float(data.y.max()),
    }


def scene_axes(
    data: Dataset, axes: tuple[int, int], orders: Orders = AS_LEVELS
) -> tuple[Axis, Axis]:
    """Name and range of the axis across and the axis up."""
    if len(data.features) > 1:
        a, b = axes
        return _axis_of(data, a, orders), _axis_of(data, b, orders)
    across = _axis_of(data, 0, orders)
    if not data.classes:
        return across, _axis(data.target, data.y)
    lanes, high = list(data.class_names[:MAX_LANES]), len(data.classes) - 0.5
    return across, {"name": clean(data.target), "low": -0.5, "high": high, "lanes": lanes}


def stage_axes(
    data: Dataset, axes: tuple[int, int], orders: Orders = AS_LEVELS
) -> tuple[Axis, Axis]:
    """The same with a gutter where rows have no value."""
    across, up = scene_axes(data, axes, orders)
    if len(data.features) > 1:
        return with_gutter(data, axes[0], across), with_gutter(data, axes[1], up)
    return with_gutter(data, 0, across), up


def _axis_of(data: Dataset, feature: int, orders: Orders) -> Axis:
    """The axis of a feature; that of a category has a band a value."""
    if not data.levels[feature]:
        plain = _axis(data.features[feature], data.columns[feature])
        return with_clock(plain, data.quantities[feature])
    lanes = names_of(data, feature, orders)
    axis: Axis = {
        "name": clean(data.features[feature]),
        "low": -0.5,
        "high": len(lanes) - 0.5,
        "lanes": lanes,
    }
    if feature in orders:
        axis["places"] = places_of(orders[feature]).astype(np.int32)
    return axis


def _axis(name: str, values: NDArray[Any]) -> Axis:
    low, high = _span(values)
    return {"name": clean(name), "low": low, "high": high}


def _span(values: NDArray[Any]) -> Span:
    """The range that is drawn: the data with a margin, never empty."""
    known = values[~np.isnan(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    margin = 0.05 * high - 0.05 * low if low < high else max(abs(low) * 0.05, 0.5)
    return max(low - margin, -LARGEST), min(high + margin, LARGEST)


# --- regions --------------------------------------------------------------------------------------


def rings_of(
    data: Dataset,
    tree: Tree,
    axes: tuple[int, int],
    pinned: NDArray[np.float64],
    orders: Orders = AS_LEVELS,
) -> dict[int, Ring]:
    """The rings of all nodes that meet the slice, from the root down."""
    both = stage_axes(data, axes, orders)
    return node_rings(tree.splits, window_of(*both), plane_of(data, axes, pinned, both, orders))


def _regions(rings: Rings) -> Regions:
    return {"node": list(map(str, rings)), **shapes(rings.values())}


def _fills(data: Dataset, values: dict[str, float]) -> dict[str, int]:
    """The leaves' colours: the class each predicts, or the step of its mean on SCALE."""
    if data.classes:
        return {leaf: int(value) for leaf, value in values.items()}
    low, high = float(data.y.min()), float(data.y.max())
    return {leaf: step_of(value, low, high) for leaf, value in values.items()}


def _lines(data: Dataset, tree: Tree, rings: Rings, shown: Rings) -> Lines:
    """The lines of the splits in sight, those of the upper levels first."""
    split = {node: lines_between(rings, node) for node in sorted(shown) if node in tree.splits}
    told = [node for node, lines in split.items() if lines][:MAX_LABELS]
    rules = {node: rule_text(data, tree, node, SIGNED) for node in told}
    lines = [(node, line) for node, some in split.items() for line in some]
    return {
        "node": [str(node) for node, _ in lines],
        "rule": [rules.pop(node, "") for node, _ in lines],
        **shapes([line for _, line in lines]),
    }


# --- words and rows -------------------------------------------------------------------------------


def drawn_rows(data: Dataset) -> NDArray[np.intp]:
    """The rows that are drawn: all, or an even choice of MAX_POINTS of them."""
    if data.n <= MAX_POINTS:
        return np.arange(data.n)
    return np.linspace(0, data.n - 1, MAX_POINTS).astype(np.intp)


def caption(
    data: Dataset,
    cuts: Candidates,
    axes: tuple[int, int],
    at: NDArray[np.float64],
    by_hand: Slice = (),
) -> str:
    """What must be said under the picture: pinned features, and what is left out of the drawing."""
    parts = [sliced(data, axes, at, by_hand)]
    many = [len(cuts.gain[cuts.along(f)]) for f in shown_axes(data, axes)]
    parts.append(_small_dots(data, cuts, axes))
    if data.costs is not None:
        parts.append("Where mistakes have costs, sides of a cut have no class bars and tints.")
    elif data.n > MAX_POINTS and not fits(data, min(max(many, default=0), MAX_CUTS + 2)):
        parts.append("Of so many classes, sides of a cut have no bars and tints.")
    return " ".join(part for part in parts if part)


def _small_dots(data: Dataset, cuts: Candidates, axes: tuple[int, int]) -> str:
    """What the small dots beside a gain curve are, where there are some."""
    told = []
    for feature in shown_axes(data, axes):
        its = cuts.along(feature)
        if cuts.scattered[its].any():
            order = cuts.orders[int(cuts.line[its.start])]
            told.append(f"{data.features[feature]}: {subsets_told(len(order))}")
    if not told:
        return ""
    return (
        f"{'; '.join(told)}. The curve has the cuts of their order; each small dot is another, "
        "behind the cut of as many values."
    )


def sliced(
    data: Dataset, axes: tuple[int, int], at: NDArray[np.float64], by_hand: Slice = ()
) -> str:
    """Where the features on no axis are pinned, and how many of the points are drawn."""
    parts = []
    others = [f for f in range(len(data.features)) if f not in axes]
    if others and len(data.features) > 1:
        own, moved = {feature for feature, _ in by_hand}, at != pinned(data)
        chosen = [f for f in others if f in own]
        there, rest = (
            [f for f in others if f not in own and moved[f] == so] for so in (True, False)
        )
        hand = f"at {_values_at(data, chosen, at)}" if chosen else ""
        through = f"through the node at {_values_at(data, there, at)}" if there else ""
        usual = [
            word
            for word, of in (("medians", False), ("most frequent values", True))
            if any(bool(data.levels[f]) == of for f in rest)
        ]
        middle = f"at the {' and '.join(usual)} of the others ({_values_at(data, rest, at)})"
        both = ", ".join(filter(None, (hand, through, middle if rest else "")))
        parts.append(f"The plane is the slice {both}.")
    if data.n > MAX_POINTS:
        parts.append(f"{MAX_POINTS:,} of {data.n:,} points are drawn; every row counts.")
    return " ".join(parts)


def _values_at(data: Dataset, features: Sequence[int], at: NDArray[np.float64]) -> str:
    """The values of some features, those of the first few told: 'age = 30, size = small'."""
    told = [f"{data.features[f]} = {values_text(data, f, at[f : f + 1])[0]}" for f in features[:4]]
    more = f" and {len(features) - 4} more" if len(features) > 4 else ""
    return f"{', '.join(told)}{more}"
