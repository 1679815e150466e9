"""The regions of a tree as far as a picture shows them: a ring a node, and a line a split.

Glossary
    window    the rectangle that is drawn, as a ring: from its lower left corner round by the right
    ring      a polygon, see engine/splits/family.py; here the part of a node's region that is drawn
    line      of a split: what the rings of its two children share
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.splits import Plane, Ring, Split, family_of, share_of
from dtviz.engine.tree import preorder
from dtviz.figures.kinds import Axis, Shapes
from dtviz.table.data import Dataset

MAX_REGIONS = 3_000
Rings = Mapping[int, Ring]


def plane_of(data: Dataset, axes: tuple[int, int], pinned: NDArray[np.float64]) -> Plane:
    """The plane of a picture: with one feature alone the target stands up."""
    across, up = axes if len(data.features) > 1 else (0, None)
    return Plane(across, up, tuple(pinned.tolist()))


def window_of(across: Axis, up: Axis) -> Ring:
    """The window between the ends of the axes."""
    left, right, bottom, top = across["low"], across["high"], up["low"], up["high"]
    return (left, bottom), (right, bottom), (right, top), (left, top)


def node_rings(splits: Mapping[int, Split], window: Ring, plane: Plane) -> dict[int, Ring]:
    """The ring of every node that the window meets, a node before its left part, then its right."""
    rings = {1: window}
    for node in sorted(splits, key=preorder):
        if node in rings:
            split = splits[node]
            clip = family_of(split.projection).clip
            halves = clip(split.projection, split.threshold, rings[node], plane)
            rings |= {2 * node + k: ring for k, ring in enumerate(halves) if ring}
    return {node: rings[node] for node in sorted(rings, key=preorder)}


def largest(rings: Rings, focus: int) -> Rings:
    """The rings, or of very many those that can be seen best; the focus is always among them."""
    if len(rings) <= MAX_REGIONS:
        return rings
    order = sorted(rings, key=lambda node: area(rings[node], rings[1]), reverse=True)
    kept = {*order[:MAX_REGIONS], focus}
    return {node: ring for node, ring in rings.items() if node in kept}


def area(ring: Ring, window: Ring) -> float:
    """The share of the window that a ring encloses."""
    (left, bottom), (right, top) = window[0], window[2]
    at = [(share_of(left, right, x), share_of(bottom, top, y)) for x, y in ring]
    pairs = zip(at, at[1:] + at[:1], strict=True)
    return abs(sum(a * d - b * c for (a, b), (c, d) in pairs)) / 2


def line_between(rings: Rings, node: int) -> Ring:
    """The line of a split from end to end, or nothing where the window shows one side alone."""
    left, right = rings.get(2 * node, ()), rings.get(2 * node + 1, ())
    shared = set(left) & set(right)
    ends = [k for k, corner in enumerate(left) if corner in shared and left[k - 1] not in shared]
    first = ends[0] if ends else 0
    return tuple(corner for corner in left[first:] + left[:first] if corner in shared)


def shapes(some: Collection[Ring]) -> Shapes:
    """Rings or lines as they travel."""
    return {
        "corners": np.array([corner for one in some for corner in one], np.float64).ravel(),
        "starts": np.cumsum([0, *map(len, some)]).astype(np.int32),
    }
