"""The rows of the nodes along what they are split by: small pictures, counted in bins.

Glossary
    strip   of a node that is split: its rows counted by bin of the score it is cut by
    bin     left of the threshold all are as wide as one another, and right of it, so that none
            holds rows of both sides
    kind    what a row counts as: the colour of its class, or the level of its target
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.splits import Split, score
from dtviz.engine.tree import Tree, depth, preorder
from dtviz.figures.kinds import Strips
from dtviz.once import Last
from dtviz.say.dot import PALETTE
from dtviz.table.data import Dataset

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
