"""Rings part the window: together they are all of it, and each holds what the engine sends there.

Glossary
    splits    any thresholds at all, in reach of the window or beyond it
    place     a point of the plane; one on a cut goes left
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rings import box_of, rings_in
from toys import Sum, sum_family

import dtviz
from dtviz.data.dataset import make_dataset
from dtviz.engine.rules import Rules
from dtviz.engine.splits import Axis, FeaturePlane, Projection, Ring, Split, goes_left
from dtviz.engine.tree import apply
from dtviz.pictures import regions
from dtviz.pictures.stage_cuts import pinned_values

WINDOWS = {
    "small": (0.0, 8.0, -2.0, 2.0),
    "offset": (1e8, 1e8 + 16, -1e8 - 8, -1e8),
    "wide": (-1e300, 1e300, -1e300, 1e300),
    "all there is": (-1.7976931348623157e308, 1.7976931348623157e308, 0.0, 1.0),
    "narrow": (0.0, 5e-323, 1.0, 1.0 + 2e-15),
    "unlike": (0.0, 1e-9, 0.0, 1e9),
}
PINNED = (0.0, 0.0, 4.0)
PLANE = FeaturePlane(0, 1, PINNED)


@pytest.fixture(autouse=True)
def family() -> Iterator[None]:
    with sum_family():
        yield


def square(left: float, right: float, bottom: float, top: float) -> Ring:
    return (left, bottom), (right, bottom), (right, top), (left, top)


@st.composite
def split_trees(draw: st.DrawFn, window: Ring, kinds: tuple[Projection, ...]) -> dict[int, Split]:
    """Up to a dozen splits under one another, their thresholds near, in and beyond the window."""
    ends = [sorted({corner[k] for corner in window}) for k in (0, 1)]
    splits: dict[int, Split] = {}
    leaves = [1]
    for _ in range(draw(st.integers(0, 12))):
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        projection = draw(st.sampled_from(kinds))
        along = ends[projection.feature] if projection in (Axis(0), Axis(1)) else ends[0]
        share = draw(st.sampled_from([0.0, 1.0, 0.5, 0.25]) | st.floats(-0.5, 1.5))
        at = (1 - share) * along[0] + share * along[1]
        if isinstance(projection, Sum):
            at += (1 - share) * ends[1][0] + share * ends[1][1]
        splits[node] = Split(projection, float(np.nan_to_num(at)))
        leaves += [2 * node, 2 * node + 1]
    return splits


@st.composite
def cases(draw: st.DrawFn, *kinds: Projection) -> tuple[Ring, dict[int, Split]]:
    window = square(*draw(st.sampled_from(list(WINDOWS.values()))))
    return window, draw(split_trees(window, kinds))


def leaf_of(splits: dict[int, Split], x: float, y: float) -> int:
    """Where the engine sends a place of the plane."""
    node, row = 1, np.array([[x], [y], [PINNED[2]]])
    while node in splits:
        node = 2 * node + int(not goes_left(splits[node], row)[0])
    return node


def leaves_in(rings: dict[int, Any], splits: dict[int, Split]) -> dict[int, Any]:
    return {node: ring for node, ring in rings.items() if node not in splits}


def places_in(window: Ring, values: list[float]) -> list[tuple[float, float]]:
    """A grid over the window, through these values too where they lie in it."""
    (x0, y0), (x1, y1) = window[0], window[2]
    shares = (np.arange(4) + 0.37) / 4

    def along(low: float, high: float) -> list[float]:
        even = (low * (1 - shares) + high * shares).tolist()
        return [low, *even, high, *(value for value in values if low <= value <= high)]

    return [(x, y) for x in along(x0, x1) for y in along(y0, y1)]


def exact_area(ring: Ring) -> Fraction:
    corners = [(Fraction(x), Fraction(y)) for x, y in ring]
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return sum((a * d - b * c for (a, b), (c, d) in pairs), Fraction()) / 2


@given(cases(Axis(0), Axis(1), Axis(2)))
def test_rectangles_part_the_window_to_the_last_bit_and_a_place_has_the_first_from_the_left(
    case: Any,
) -> None:
    window, splits = case
    rings = regions.node_rings(splits, window, PLANE)
    leaves = leaves_in(rings, splits)
    for node in splits:
        parts = [exact_area(rings.get(2 * node + k, ())) for k in (0, 1)]
        assert sum(parts) == exact_area(rings.get(node, ()))
    assert sum(map(exact_area, leaves.values())) == exact_area(window)
    for ring in rings.values():
        left, right, bottom, top = box_of(ring)
        assert left <= right
        assert bottom <= top
    boxes = {node: box_of(ring) for node, ring in leaves.items()}
    for x, y in places_in(window, [split.threshold for split in splits.values()]):
        holding = (n for n, (a, b, c, d) in boxes.items() if a <= x <= b and c <= y <= d)
        assert next(holding) == leaf_of(splits, x, y)


def test_a_cut_beyond_the_window_leaves_it_undivided_and_its_edge_goes_left() -> None:
    window = square(0, 4, 0, 4)
    for limit, child in ((-1.0, 3), (4.0, 2), (5.0, 2)):
        rings = regions.node_rings({1: Split(Axis(0), limit)}, window, PLANE)
        assert rings == {1: window, child: window}
        assert regions.lines_between(rings, 1) == []
    rings = regions.node_rings({1: Split(Axis(0), 0.0)}, window, PLANE)
    assert box_of(rings[2]) == (0, 0, 0, 4)
    assert rings[3] == window


def test_with_one_feature_the_plane_has_no_feature_up() -> None:
    one = make_dataset([[1.0, 2.0]], np.array([0, 1]), ["x"], "y", "AB")
    plane = regions.StageContext(one, (0, 0), np.array([1.5])).plane
    assert plane == FeaturePlane(0, None, (0.0,))  # the axis has all its values
    rings = regions.node_rings({1: Split(Axis(0), 1.5)}, square(1, 2, 0, 1), plane)
    assert box_of(rings[2]) == (1, 1.5, 0, 1)


@given(cases(Axis(0), Axis(1), Sum(0, 1), Sum(0, 2), Sum(1, 2)))
def test_slanted_regions_part_the_window_and_hold_the_places_of_their_leaves(case: Any) -> None:
    window, splits = case
    rings = regions.node_rings(splits, window, PLANE)
    shares = {node: regions.window_share(ring, window) for node, ring in rings.items()}
    for node in splits.keys() & rings.keys():
        parts = sum(shares.get(2 * node + k, 0.0) for k in (0, 1))
        assert parts == pytest.approx(shares[node], abs=1e-6)
    assert sum(leaves_in(shares, splits).values()) == pytest.approx(1.0, abs=1e-6)
    assert np.isfinite(regions.shapes(rings.values())["corners"]).all()
    splits = {k: split for k, split in splits.items() if abs(split.threshold) < 1e307}
    leaves = leaves_in(regions.node_rings(splits, window, PLANE), splits)
    for x, y in places_in(window, []):
        holding = [node for node, ring in leaves.items() if near(ring, window, x, y)]
        assert leaf_of(splits, x, y) in holding


def near(ring: Ring, window: Ring, x: float, y: float) -> bool:
    """Whether a place lies in a ring, or beside it by no more than rounding."""
    (x0, y0), (x1, y1) = window[0], window[2]
    wide, tall = Fraction(x1) - Fraction(x0), Fraction(y1) - Fraction(y0)
    exact = [(Fraction(a), Fraction(b)) for a, b in (*ring, (x, y))]
    places = [((a - Fraction(x0)) / wide, (b - Fraction(y0)) / tall) for a, b in exact]
    corners, (px, py) = places[:-1], places[-1]
    edges = pairwise([*corners, corners[0]])
    turns = [(c - a) * (py - b) - (d - b) * (px - a) for (a, b), (c, d) in edges]
    inside = all(
        min(c[k] for c in corners) - 1e-6 <= p <= max(c[k] for c in corners) + 1e-6
        for k, p in ((0, px), (1, py))
    )
    return inside and min(turns) >= -1e-6


def test_a_grown_tree_of_both_families_has_its_places_in_their_rings() -> None:
    random = np.random.default_rng(3)
    x = random.random((3, 150)).round(3)
    y = (x[0] + x[1] > 1).astype(int) + (x[2] > 0.6) * (x[0] > 0.3)
    data = make_dataset(x, y, "abc", "y", "ABC")
    tree = dtviz.fit(data, Rules("gini", families=("axis", "sum"), max_depth=4)).tree
    assert {split.projection.family for split in tree.splits.values()} == {"axis", "sum"}
    middle = pinned_values(data)
    for axes in ((0, 1), (1, 0), (2, 1)):
        rings = regions.StageContext(data, axes, middle).rings(tree)
        leaves = leaves_in(rings, tree.splits)
        assert any(map(is_slanted, leaves.values())) == (set(axes) == {0, 1}), axes
        window = rings[1]
        places = places_in(window, [])
        rows = np.repeat(middle[:, None], len(places), axis=1)
        rows[list(axes)] = np.array(places).T
        ids, index = apply(tree, rows)
        for place, k in zip(places, index.tolist(), strict=True):
            assert near(leaves[ids[k]], window, *place), (axes, place)
        assert sum(regions.window_share(ring, window) for ring in leaves.values()) == pytest.approx(
            1
        )


def is_slanted(ring: Ring) -> bool:
    """Whether a ring is far from filling the rectangle round it."""
    (left, bottom), (right, top) = np.min(ring, axis=0), np.max(ring, axis=0)
    return regions.window_share(ring, square(left, right, bottom, top)) < 0.99


def test_a_diagonal_worked_by_hand() -> None:
    # x1 + x2 <= 3 cuts a corner off the square of side 4; x1 <= 1 parts that corner
    splits = {1: Split(Sum(0, 1), 3.0), 2: Split(Axis(0), 1.0)}
    window = square(0, 4, 0, 4)
    rings = regions.node_rings(splits, window, PLANE)
    assert list(rings) == [1, 2, 4, 5, 3]
    assert set(rings[2]) == {(0, 0), (3, 0), (0, 3)}
    assert set(rings[3]) == {(3, 0), (4, 0), (4, 4), (0, 4), (0, 3)}
    assert set(rings[4]) == {(0, 0), (1, 0), (1, 2), (0, 3)}
    assert [regions.window_share(rings[k], window) for k in (2, 3, 4, 5)] == [
        4.5 / 16,
        11.5 / 16,
        2.5 / 16,
        2 / 16,
    ]
    assert set(*regions.lines_between(rings, 1)) == {(3, 0), (0, 3)}
    assert set(*regions.lines_between(rings, 2)) == {(1, 0), (1, 2)}


def test_a_line_of_many_corners_runs_from_end_to_end() -> None:
    left = ((0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (1.0, 2.0), (0.0, 2.0))
    for turn in range(5):
        rings = {2: left[turn:] + left[:turn], 3: ((1.0, 0.0), (3.0, 0.0), (1.0, 2.0), (2.0, 1.0))}
        assert regions.lines_between(rings, 1) == [((1.0, 0.0), (2.0, 1.0), (1.0, 2.0))]


def test_of_very_many_regions_the_largest_and_the_focus_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    splits = {2**k: Split(Axis(0), 8.0 / 2 ** (k + 1)) for k in range(6)}
    rings = regions.node_rings(splits, square(0, 8, 0, 1), PLANE)
    assert regions.largest_rings(rings, 1) == rings
    monkeypatch.setattr(regions, "MAX_REGIONS", 4)
    assert list(regions.largest_rings(rings, 64)) == [1, 2, 4, 64, 3]
    huge = regions.node_rings(splits, square(*WINDOWS["all there is"]), PLANE)
    assert len(regions.largest_rings(huge, 1)) == 4


def test_rings_travel_as_one_array() -> None:
    rings = {1: square(0, 1, 2, 3), 5: square(0, 1, 2, 3)[:3]}
    sent = regions.shapes(rings.values())
    assert sent["starts"].tolist() == [0, 4, 7]
    read = rings_in({**sent, "node": rings})
    assert {node: tuple(map(tuple, ring.tolist())) for node, ring in read.items()} == rings
    assert regions.shapes([])["starts"].tolist() == [0]
    assert regions.shapes([])["corners"].dtype == np.float64
