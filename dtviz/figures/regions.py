"""The regions of a tree as far as a picture shows them: a ring a node, and a line a split.

Glossary
    window    the rectangle that is drawn, as a ring: from its lower left corner round by the right
    ring      a polygon, see engine/splits/family.py; here the part of a node's region that is drawn
    line      of a split: edges in a row that the rings of its two children share
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.splits import (
    Known,
    Plane,
    Ring,
    Split,
    family_of,
    feature_of,
    in_gutter,
    joined,
    parts,
    share_of,
)
from dtviz.engine.tree import preorder
from dtviz.figures.bands import AS_LEVELS, Orders, places_of
from dtviz.figures.kinds import Axis, Shapes
from dtviz.table.data import Dataset

MAX_REGIONS = 3_000
Rings = Mapping[int, Ring]
Edge = tuple[tuple[float, ...], tuple[float, ...]]


def plane_of(
    data: Dataset,
    axes: tuple[int, int],
    pinned: NDArray[np.float64],
    drawn: tuple[Axis, Axis],
    orders: Orders = AS_LEVELS,
) -> Plane:
    """The plane of a picture, its axes as `drawn`: with one feature alone the target stands up."""
    across, up = axes if len(data.features) > 1 else (0, None)
    places = {feature: places_of(order).tolist() for feature, order in orders.items()}
    pairs = zip((across, up), drawn, strict=True)
    gutters = {f: axis["gutter"] for f, axis in pairs if f is not None and "gutter" in axis}
    return Plane(across, up, tuple(pinned.tolist()), places, gutters)


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
            for k, half in enumerate(halves(split, rings[node], plane)):
                if half:
                    rings[2 * node + k] = half
    return {node: rings[node] for node in sorted(rings, key=preorder)}


def halves(split: Split, ring: Ring, plane: Plane) -> tuple[Ring, Ring]:
    """What of a ring of any number of parts goes left and right."""
    asked = [(split, False), *((one.split, one.turned) for one in split.missing.surrogates or ())]
    found = [half for part in parts(ring) for half in _sent(asked, split.missing.left, part, plane)]
    left, right = ([half for half in halves if half] for halves in zip(*found, strict=True))
    return joined(_mended(left, plane)), joined(_mended(right, plane))


def _mended(some: list[Ring], plane: Plane) -> list[Ring]:
    """The rings of one part, those that share an edge, as on both sides of a gutter, being one."""
    if not plane.gutters:
        return some
    out: list[Ring] = []
    for ring in (part for one in some for part in parts(one)):
        merged = ring
        for other in [*out]:
            shared = {(end, start) for start, end in _edges(other)}.intersection(_edges(merged))
            if shared:
                out.remove(other)
                start, end = shared.pop()
                merged = (*_from(end, merged)[:-1], *_from(start, other)[:-1])
        out.append(merged)
    return out


def _from(corner: tuple[float, ...], ring: Ring) -> Ring:
    """The corners of a ring in turn, from one of them on."""
    at = ring.index(corner)
    return (*ring[at:], *ring[:at])


def _sent(
    asked: Sequence[tuple[Split, bool]], otherwise: bool, ring: Ring, plane: Plane
) -> Iterator[tuple[Ring, Ring]]:
    """What of a ring of one part each split sends of what those before it cannot, turned or not."""
    if not asked:
        yield (ring, ()) if otherwise else ((), ring)
        return
    (split, turned), *more = asked
    projection = split.projection
    feature = None if isinstance(projection, Known) else feature_of(projection)
    gutter, rest = in_gutter(feature, ring, plane)
    if rest:
        left, right = family_of(projection).clip(projection, split.threshold, rest, plane)
        yield (right, left) if turned else (left, right)
    if gutter:
        yield from _sent(more, otherwise, gutter, plane)


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
    whole = 0.0
    for part in parts(ring):
        at = [(share_of(left, right, x), share_of(bottom, top, y)) for x, y in part]
        pairs = zip(at, at[1:] + at[:1], strict=True)
        whole += abs(sum(a * d - b * c for (a, b), (c, d) in pairs)) / 2
    return whole


def lines_between(rings: Rings, node: int) -> list[Ring]:
    """The lines of a split, each from end to end; none where the window shows one side alone."""
    return between(rings.get(2 * node, ()), rings.get(2 * node + 1, ()))


def between(left: Ring, right: Ring) -> list[Ring]:
    """The lines that part two halves of a ring."""
    back = {(end, start) for part in parts(right) for start, end in _edges(part)}
    return [line for part in parts(left) for line in _runs([*_edges(part)], back)]


def _edges(ring: Ring) -> Iterator[Edge]:
    return zip(ring, (*ring[1:], *ring[:1]), strict=True)


def _runs(edges: Sequence[Edge], shared: Collection[Edge]) -> list[Ring]:
    """The runs of shared edges round a ring, as lines."""
    first = next((k for k, edge in enumerate(edges) if edge not in shared), 0)
    turned = [*edges[first:], *edges[:first]]
    runs = [[*run] for own, run in groupby(turned, lambda edge: edge in shared) if own]
    return [(run[0][0], *(end for _, end in run)) for run in runs]


def shapes(some: Collection[Ring]) -> Shapes:
    """Rings or lines as they travel."""
    return {
        "corners": np.array([corner for one in some for corner in one], np.float64).ravel(),
        "starts": np.cumsum([0, *map(len, some)]).astype(np.int32),
    }
