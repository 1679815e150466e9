"""Regions of a tree as far as a picture shows them: a ring for each node, lines for each split.

The window is the rectangle that is drawn, as a ring: counterclockwise from its lower left corner.
A ring is a polygon, see engine/splits/family.py; here the part of a node's region that is drawn.
The lines of a split are runs of edges that the rings of its two children share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.lazy import ValueKeeper, keep_nothing, lazy_property
from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.leaf_models import LeafModel
from dtviz.engine.splits import (
    FeaturePlane,
    IsMissing,
    Ring,
    Split,
    divide_at_gutter,
    divide_ring,
    family_of,
    feature_of,
    join_rings,
    position_between,
    ring_parts,
)
from dtviz.engine.tree import Node, Tree, preorder_key
from dtviz.pictures import scales
from dtviz.pictures.frame_types import FrameAxis, OptionalCurves, Shapes

MAX_REGIONS = 3_000
"""Rings that are drawn at most."""
Rings = Mapping[int, Ring]
"""Rings by node id."""
Edge = tuple[tuple[float, ...], tuple[float, ...]]
"""Start and end of an edge."""


@dataclass(frozen=True, eq=False)
class StageContext:
    """A dataset over two axes, and what a frame derives from both, computed once."""

    data: Dataset
    """The rows."""
    axes: tuple[int, int]
    """Features across and up; in a dataset of one feature the axis up is the target's."""
    pinned: Floats = field(default_factory=lambda: np.empty(0))
    """Values at which the features that are on no axis are pinned, (M,)."""
    orders: scales.BandOrders = field(default_factory=lambda: scales.AS_LEVELS)
    """Order of each category along its axis."""
    theme: scales.Theme = scales.LIGHT
    """Colours of the page."""
    keep: ValueKeeper = keep_nothing
    """Keeps what was computed for each node of earlier trees."""

    @lazy_property
    def features(self) -> tuple[int, ...]:
        """Features on the axes: two, or the only one of the dataset."""
        return self.axes if len(self.data.features) > 1 else (0,)

    @lazy_property
    def drawn_axes(self) -> tuple[FrameAxis, FrameAxis]:
        """Axis across and axis up, with a gutter where rows have no value."""
        across, up = scales.scene_axes(self.data, self.axes, self.orders)
        if len(self.features) > 1:
            up = scales.with_gutter(self.data, self.axes[1], up)
        return scales.with_gutter(self.data, self.features[0], across), up

    @lazy_property
    def window(self) -> Ring:
        """Rectangle between the ends of the axes."""
        across, up = self.drawn_axes
        left, right, bottom, top = across["low"], across["high"], up["low"], up["high"]
        return (left, bottom), (right, bottom), (right, top), (left, top)

    @lazy_property
    def plane(self) -> FeaturePlane:
        """Plane of the axes, for the projections of splits."""
        places = {
            feature: scales.places_of(order).tolist() for feature, order in self.orders.items()
        }
        pairs = zip(self.features, self.drawn_axes, strict=False)
        gutters = {feature: axis["gutter"] for feature, axis in pairs if "gutter" in axis}
        across, up = self.axes if len(self.features) > 1 else (0, None)
        pinned = self.pinned.tolist()
        # a feature on an axis is pinned nowhere: planes that differ in it alone are equal
        for feature in self.features if pinned else ():
            pinned[feature] = 0.0
        return FeaturePlane(across, up, tuple(pinned), places, gutters)

    @lazy_property
    def row_ids(self) -> Ints:
        """Ids of the rows that are drawn."""
        return scales.drawn_rows(self.data)

    def rings(self, tree: Tree) -> dict[int, Ring]:
        """Rings of all nodes that meet the slice at the pinned values, from the root down."""
        return node_rings(tree.splits, self.window, self.plane, self.keep)

    def lines(self, rings: Rings, node: int) -> list[Ring]:
        """Lines of a node's split, each from end to end; none where only one side is drawn."""
        sides = rings.get(2 * node, ()), rings.get(2 * node + 1, ())
        return self.keep(("lines", node), sides, partial(lines_between, rings, node))


def node_rings(
    splits: Mapping[int, Split], window: Ring, plane: FeaturePlane, keep: ValueKeeper = keep_nothing
) -> dict[int, Ring]:
    """Rings of the nodes that the window meets, each node before its left and right child."""
    rings = {1: window}
    for node in sorted(splits, key=preorder_key):
        if node in rings:
            inputs = splits[node], rings[node], plane
            sides = keep(("halves", node), inputs, partial(halves, *inputs))
            for k, child_ring in enumerate(sides):
                if child_ring:
                    rings[2 * node + k] = child_ring
    return {node: rings[node] for node in sorted(rings, key=preorder_key)}


def halves(split: Split, ring: Ring, plane: FeaturePlane) -> tuple[Ring, Ring]:
    """Rings of the points of a ring that a split sends left and right, of any number of parts."""
    surrogates = ((other.split, other.is_reversed) for other in split.missing.surrogates or ())
    splits, default_left = [(split, False), *surrogates], split.missing.left
    pairs = [
        pair for part in ring_parts(ring) for pair in _side_parts(splits, default_left, part, plane)
    ]
    left, right = ([part for part in side if part] for side in zip(*pairs, strict=True))
    return join_rings(_merge_at_edges(left, plane)), join_rings(_merge_at_edges(right, plane))


def _merge_at_edges(rings: list[Ring], plane: FeaturePlane) -> list[Ring]:
    """Merge rings that share an edge, as on both sides of a gutter, into rings of one part."""
    if not plane.gutters:
        return rings
    merged_rings: list[Ring] = []
    for part in (part for ring in rings for part in ring_parts(ring)):
        merged = part
        for other in [*merged_rings]:
            shared = {(end, start) for start, end in _edges(other)}.intersection(_edges(merged))
            if shared:
                merged_rings.remove(other)
                start, end = shared.pop()
                merged = (*_starting_at(end, merged)[:-1], *_starting_at(start, other)[:-1])
        merged_rings.append(merged)
    return merged_rings


def _starting_at(corner: tuple[float, ...], ring: Ring) -> Ring:
    """Corners of a ring in turn, beginning with `corner`."""
    index = ring.index(corner)
    return (*ring[index:], *ring[:index])


def _side_parts(
    splits: Sequence[tuple[Split, bool]], default_left: bool, ring: Ring, plane: FeaturePlane
) -> Iterator[tuple[Ring, Ring]]:
    """Parts of a ring that go left and right: a pair for each split that decides for some points.

    The ring has one part. Each of `splits` has True if its sides are exchanged; those after the
    first are surrogates. The points in the gutter have no value: the next split decides for them,
    and after the last one they go left if `default_left`.
    """
    if not splits:
        yield (ring, ()) if default_left else ((), ring)
        return
    (split, is_reversed), *surrogates = splits
    projection = split.projection
    feature = None if isinstance(projection, IsMissing) else feature_of(projection)
    without_value, with_value = divide_at_gutter(feature, ring, plane)
    if with_value:
        left, right = family_of(projection).clip(projection, split.threshold, with_value, plane)
        yield (right, left) if is_reversed else (left, right)
    if without_value:
        yield from _side_parts(surrogates, default_left, without_value, plane)


def largest_rings(rings: Rings, focus: int) -> Rings:
    """All rings, or of very many the largest; the ring of the focus is always among them."""
    if len(rings) <= MAX_REGIONS:
        return rings
    order = sorted(rings, key=lambda node: window_share(rings[node], rings[1]), reverse=True)
    shown = {*order[:MAX_REGIONS], focus}
    return {node: ring for node, ring in rings.items() if node in shown}


def window_share(ring: Ring, window: Ring) -> float:
    """Share of the window that a ring encloses."""
    (left, bottom), (right, top) = window[0], window[2]
    total = 0.0
    for part in ring_parts(ring):
        corners = [
            (position_between(left, right, x), position_between(bottom, top, y)) for x, y in part
        ]
        edges = zip(corners, corners[1:] + corners[:1], strict=True)
        total += abs(sum(a * d - b * c for (a, b), (c, d) in edges)) / 2
    return total


def lines_between(rings: Rings, node: int) -> list[Ring]:
    """Lines of a node's split, each from end to end; none where only one side is drawn."""
    return shared_lines(rings.get(2 * node, ()), rings.get(2 * node + 1, ()))


def shared_lines(left: Ring, right: Ring) -> list[Ring]:
    """Lines along which the two halves of a ring meet."""
    # both halves run the same way round, so a shared edge has opposite directions in them
    reversed_edges = {(end, start) for part in ring_parts(right) for start, end in _edges(part)}
    return [
        line for part in ring_parts(left) for line in _shared_runs([*_edges(part)], reversed_edges)
    ]


def _edges(ring: Ring) -> Iterator[Edge]:
    """Edges of a ring, from corner to corner."""
    return zip(ring, (*ring[1:], *ring[:1]), strict=True)


def _shared_runs(edges: Sequence[Edge], shared: Collection[Edge]) -> list[Ring]:
    """Lines along the edges of a ring that are in `shared`, one line for edges in a row."""
    # begin at an edge that is not shared, so that no run is cut in two where the ring closes
    first = next((k for k, edge in enumerate(edges) if edge not in shared), 0)
    rotated = [*edges[first:], *edges[:first]]
    runs = [[*run] for is_shared, run in groupby(rotated, lambda edge: edge in shared) if is_shared]
    return [(run[0][0], *(end for _, end in run)) for run in runs]


def shapes(rings: Collection[Ring]) -> Shapes:
    """Rings or lines as arrays of a frame."""
    return {
        "corners": np.array([corner for ring in rings for corner in ring], np.float64).ravel(),
        "starts": np.cumsum([0, *map(len, rings)]).astype(np.int32),
    }


MAX_LEAVES_SHADED = 400
"""Regions that show how predictions vary at most: the largest; the others have one colour."""
SHARE_STEPS = 10
"""Number of equal steps of a class share, from 0 to 1, each with a colour."""
CURVE_PIECES = 60
"""Number of straight pieces of a curved line."""
Shade = tuple[int, float, Ring]
"""Class or step of the colour scale, class share, and the part of a region that has both."""


def varying_predictions(
    data: Dataset,
    model: LeafModel,
    leaf_rings: Mapping[int, tuple[Ring, Node]],
    plane: FeaturePlane,
) -> OptionalCurves:
    """Lines and shades of the leaves of a model whose predictions vary, else {}.

    Leaves are known by the place of their ring among all that are drawn.
    """
    is_strip = plane.up is None
    if model.linear_score is None and model.proba is None:
        return {}
    leaves = {
        place: _VaryingLeaf(data, model, np.array(node.params), ring, plane)
        for place, (ring, node) in _largest_leaves(leaf_rings).items()
    }
    frame: OptionalCurves = {}
    if is_strip and (not data.classes or len(data.classes) == 2):
        lines = [(place, line) for place, leaf in leaves.items() for line in leaf.lines()]
        owner = np.array([place for place, _ in lines], np.int32)
        frame["curves"] = {"owner": owner, **shapes([line for _, line in lines])}
    if data.classes or not is_strip:
        shades = [(place, shade) for place, leaf in leaves.items() for shade in leaf.shades()]
        frame["shades"] = {
            "owner": np.array([place for place, _ in shades], np.int32),
            "code": np.array([code for _, (code, _, _) in shades], np.int32),
            "share": np.array([share for _, (_, share, _) in shades], np.float64),
            **shapes([ring for _, (_, _, ring) in shades]),
        }
    return frame


def _largest_leaves(leaf_rings: Mapping[int, tuple[Ring, Node]]) -> Mapping[int, tuple[Ring, Node]]:
    if len(leaf_rings) <= MAX_LEAVES_SHADED:
        return leaf_rings
    window = next(iter(leaf_rings.values()))[0]
    order = sorted(
        leaf_rings, key=lambda place: window_share(leaf_rings[place][0], window), reverse=True
    )
    return {place: leaf_rings[place] for place in sorted(order[:MAX_LEAVES_SHADED])}


@dataclass(frozen=True, slots=True)
class _VaryingLeaf:
    """A leaf inside which predictions vary."""

    data: Dataset
    model: LeafModel
    params: Floats  # parameters of the leaf model in this leaf
    ring: Ring
    plane: FeaturePlane

    def lines(self) -> Iterator[Ring]:
        """Lines of the prediction over a strip, one for each part of the ring."""
        is_curved = self.model.linear_score is not None and self.model.proba is not None
        for part in ring_parts(self.ring):
            low, high = (extreme(corner[0] for corner in part) for extreme in (min, max))
            share = np.linspace(0, 1, CURVE_PIECES + 1 if is_curved else 2)
            places = (1 - share) * low + share * high
            yield tuple(zip(places.tolist(), self._line_heights(places).tolist(), strict=True))

    def _line_heights(self, across: Floats) -> Floats:
        """Prediction at positions across; of two classes the share of the second."""
        columns, rows = self._columns(across), np.arange(len(across))
        params = np.tile(self.params, (len(across), 1))
        if self.model.proba is None:
            return self.model.predict(params, columns, rows)
        return np.asarray(self.model.proba.predict(params, columns, rows)[:, 1])

    def shades(self) -> Iterator[Shade]:
        """Parts of the ring as shades: by steps of the share or of the colour scale."""
        proba = self.model.proba
        if self.model.linear_score is None and proba is not None:
            shares = proba.predict(self.params[None], self._columns(np.zeros(1)), np.zeros(1, int))
            yield int(self.params[0]), float(shares[0, int(self.params[0])]), self.ring
            return
        borders = self._share_borders() if self.data.classes else self._scale_borders()
        for part in ring_parts(self.ring):
            for step, ring in self._parts_by_step(part, borders):
                middle = (step + 0.5) / SHARE_STEPS
                code = int(middle > 0.5)
                share = middle if code else 1 - middle
                yield (code, share, ring) if proba else (step, 1.0, ring)

    def _share_borders(self) -> Floats:
        """Log odds at the borders between the steps of the share."""
        share = np.arange(1, SHARE_STEPS) / SHARE_STEPS
        return np.asarray(np.log(share / (1 - share)))

    def _scale_borders(self) -> Floats:
        """Targets at the borders between the steps of the colour scale."""
        low, high = float(self.data.y.min()), float(self.data.y.max())
        return np.linspace(low, high, len(scales.SCALE) + 1)[1:-1]

    def _parts_by_step(self, ring: Ring, borders: Floats) -> Iterator[tuple[int, Ring]]:
        """Parts of a ring of one part between the borders of a score, each with its step."""
        remainder = self._with_scores(ring)
        for step, border in enumerate([*borders.tolist(), np.inf]):
            step_ring, remainder = divide_ring(remainder, 2, border) if remainder else ((), ())
            if len(step_ring) > 2:
                yield step, tuple(corner[:2] for corner in step_ring)

    def _with_scores(self, ring: Ring) -> Ring:
        """Corners of a ring of one part, each with the linear score there as a third number."""
        assert self.model.linear_score is not None
        up = np.array([corner[1] for corner in ring])
        columns = self._columns(np.array([corner[0] for corner in ring]), up)
        params = np.tile(self.params, (len(ring), 1))
        scores = self.model.linear_score(params, columns, np.arange(len(ring))).tolist()
        return tuple((*corner[:2], score) for corner, score in zip(ring, scores, strict=True))

    def _columns(self, across: Floats, up: Floats | None = None) -> Floats:
        """Columns of r points at these positions, (M, r); features on no axis are pinned."""
        columns = np.repeat(np.array(self.plane.pinned)[:, None], len(across), axis=1)
        columns[self.plane.across] = across
        if self.plane.up is not None and up is not None:
            columns[self.plane.up] = up
        return columns
