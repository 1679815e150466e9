"""The regions of a tree as far as a picture shows them: a ring a node, and a line a split.

Glossary
    window    the rectangle that is drawn, as a ring: from its lower left corner round by the right
    ring      a polygon, see engine/splits/family.py; here the part of a node's region that is drawn
    line      of a split: edges in a row that the rings of its two children share
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.leaf_models import LeafModel
from dtviz.engine.splits import (
    Known,
    Plane,
    Ring,
    Split,
    family_of,
    feature_of,
    in_gutter,
    joined,
    parted,
    parts,
    share_of,
)
from dtviz.engine.tree import Node, preorder
from dtviz.pictures.axes import AS_LEVELS, Orders, places_of
from dtviz.pictures.frame_types import Axis, Shapes, Varied
from dtviz.pictures.palette import SCALE

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


MOST_SHADED = 400
"""Of more leaves those that are drawn largest vary; the others have one colour."""
BANDS = 10
"""The steps of a share, from 0 to 1."""
STEPS = 60
"""The pieces of a line that is curved."""
Shade = tuple[int, float, Ring]


def varied(
    data: Dataset, model: LeafModel, drawn: Mapping[int, tuple[Ring, Node]], plane: Plane
) -> Varied:
    """How the predictions of some leaves vary, by the places of their rings; {} where none does."""
    strip = plane.up is None
    if model.level is None and model.proba is None:
        return {}
    leaves = {
        at: _Leaf(data, model, np.array(node.params), ring, plane)
        for at, (ring, node) in _largest(drawn).items()
    }
    out: Varied = {}
    if strip and (not data.classes or len(data.classes) == 2):
        lines = [(at, line) for at, leaf in leaves.items() for line in leaf.lines()]
        owner = np.array([at for at, _ in lines], np.int32)
        out["curves"] = {"owner": owner, **shapes([line for _, line in lines])}
    if data.classes or not strip:
        shades = [(at, shade) for at, leaf in leaves.items() for shade in leaf.shades()]
        out["shades"] = {
            "owner": np.array([at for at, _ in shades], np.int32),
            "code": np.array([code for _, (code, _, _) in shades], np.int32),
            "share": np.array([share for _, (_, share, _) in shades], np.float64),
            **shapes([ring for _, (_, _, ring) in shades]),
        }
    return out


def _largest(drawn: Mapping[int, tuple[Ring, Node]]) -> Mapping[int, tuple[Ring, Node]]:
    if len(drawn) <= MOST_SHADED:
        return drawn
    window = next(iter(drawn.values()))[0]
    order = sorted(drawn, key=lambda at: area(drawn[at][0], window), reverse=True)
    return {at: drawn[at] for at in sorted(order[:MOST_SHADED])}


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A leaf that is drawn: `params` are those of its model."""

    data: Dataset
    model: LeafModel
    params: Floats
    ring: Ring
    plane: Plane

    def lines(self) -> Iterator[Ring]:
        """What it predicts over a strip, or the share of the second class, a line a part."""
        curved = self.model.level is not None and self.model.proba is not None
        for part in parts(self.ring):
            low, high = (pick(corner[0] for corner in part) for pick in (min, max))
            share = np.linspace(0, 1, STEPS + 1 if curved else 2)
            places = (1 - share) * low + share * high
            yield tuple(zip(places.tolist(), self._height(places).tolist(), strict=True))

    def _height(self, across: Floats) -> Floats:
        columns, rows = self._columns(across), np.arange(len(across))
        params = np.tile(self.params, (len(across), 1))
        if self.model.proba is None:
            return self.model.predict(params, columns, rows)
        return np.asarray(self.model.proba.of(params, columns, rows)[:, 1])

    def shades(self) -> Iterator[Shade]:
        """The parts of its ring of one colour each: class or step of the scale, and the share."""
        proba = self.model.proba
        if self.model.level is None and proba is not None:
            shares = proba.of(self.params[None], self._columns(np.zeros(1)), np.zeros(1, np.intp))
            yield int(self.params[0]), float(shares[0, int(self.params[0])]), self.ring
            return
        steps = self._odds() if self.data.classes else self._numbers()
        for part in parts(self.ring):
            for band, ring in self._bands(part, steps):
                middle = (band + 0.5) / BANDS
                yes = middle > 0.5
                yield (
                    (int(yes), middle if yes else 1 - middle, ring) if proba else (band, 1.0, ring)
                )

    def _odds(self) -> Floats:
        """The log odds between the bands of shares."""
        share = np.arange(1, BANDS) / BANDS
        return np.asarray(np.log(share / (1 - share)))

    def _numbers(self) -> Floats:
        """The numbers between the steps of the scale."""
        low, high = float(self.data.y.min()), float(self.data.y.max())
        return np.linspace(low, high, len(SCALE) + 1)[1:-1]

    def _bands(self, ring: Ring, steps: Floats) -> Iterator[tuple[int, Ring]]:
        """The parts of a ring between levels, each with the number of its band."""
        rest = self._raised(ring)
        for band, step in enumerate([*steps.tolist(), np.inf]):
            below, rest = parted(rest, 2, step) if rest else ((), ())
            if len(below) > 2:
                yield band, tuple(corner[:2] for corner in below)

    def _raised(self, ring: Ring) -> Ring:
        """The corners of a ring of one part with their levels."""
        assert self.model.level is not None
        up = np.array([corner[1] for corner in ring])
        columns = self._columns(np.array([corner[0] for corner in ring]), up)
        params = np.tile(self.params, (len(ring), 1))
        levels = self.model.level(params, columns, np.arange(len(ring))).tolist()
        return tuple((*corner[:2], level) for corner, level in zip(ring, levels, strict=True))

    def _columns(self, across: Floats, up: Floats | None = None) -> Floats:
        """The columns of places on the plane, (M, r); only those that are drawn vary."""
        columns = np.repeat(np.array(self.plane.pinned)[:, None], len(across), axis=1)
        columns[self.plane.across] = across
        if self.plane.up is not None and up is not None:
            columns[self.plane.up] = up
        return columns
