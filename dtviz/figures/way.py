"""What the stage needs for the ways of rows: the leaf of every point, and the place of one row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.tree import Tree
from dtviz.figures.gutter import BESIDE
from dtviz.figures.kinds import Axis, Ends, ShownRow, Ways
from dtviz.say.way import Way
from dtviz.screen.session import Row
from dtviz.table.data import Dataset

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
