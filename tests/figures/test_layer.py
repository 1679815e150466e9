"""Many trees over one plane: each is made of its tiles, and a line is as dark as trees have it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_rules, data
from test_together import bags, mixed, together_on

from dtviz.engine.members import Members
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules, prepared
from dtviz.engine.tree import fold
from dtviz.figures import layer as layers
from dtviz.figures.bands import orders_in
from dtviz.figures.layer import Drawn, layer
from dtviz.figures.palette import step_of
from dtviz.figures.pins import pinned
from dtviz.figures.regions import lines_between, plane_of, window_of
from dtviz.figures.scene import rings_of, stage_axes
from dtviz.slices import finished
from dtviz.table.data import Dataset, dataset

Ring = tuple[tuple[float, ...], ...]


def layer_of(members: Members) -> tuple[Drawn, Any]:
    """The layer over the first two features, and the axes of its plane."""
    found = members.data
    axes = (0, min(1, len(found.features) - 1))
    splits = {
        node: members.split(at) for node, at in members.nodes_of(0).items() if members.left[at] >= 0
    }
    orders = orders_in(found, splits)
    both, middle = stage_axes(found, axes, orders), pinned(found)
    plane = plane_of(found, axes, middle, both, orders)
    order = np.arange(len(members))
    return finished(layer("name", members, order, window_of(*both), plane)), both


def shapes_of(shapes: Any) -> list[Ring]:
    corners, starts = shapes["corners"].reshape(-1, 2), shapes["starts"]
    return [tuple(map(tuple, corners[a:b].tolist())) for a, b in pairwise(starts)]


def tiles_of(drawn: Drawn, place: int) -> set[int]:
    found = drawn.layer
    tiles = {*found["full"].tolist()}
    if place:
        a, b = found["starts"][place - 1 : place + 1]
        tiles ^= {*found["toggles"][a:b].tolist()}
    return tiles


def turned(ring: Ring) -> frozenset[Any]:
    """A ring by its corners; of several parts, with what stands between them left out."""
    return frozenset(corner for corner in ring if corner[0] == corner[0])


def assert_each_is_its_tree(members: Members, drawn: Drawn, axes: tuple[int, int]) -> None:
    """Every member has the rings of its own leaves, as one tree has them on its own."""
    found = members.data
    rings, codes = shapes_of(drawn.layer["tiles"]), drawn.layer["tiles"]["code"].tolist()
    orders = orders_in(found, {m.node: m.split for m in members.log(0)})
    low, high = float(found.y.min()), float(found.y.max())
    for place, member in enumerate(drawn.some.tolist()):
        tree = fold(Problem(members.data_of(member), members.rules), members.log(member))
        own = rings_of(found, tree, axes, pinned(found), orders)
        nodes = members.nodes_of(member)
        expected = {}
        for node, ring in own.items():
            if node in tree.rows:
                value = members.params[nodes[node], 0]
                code = int(value) if found.classes else step_of(float(value), low, high)
                expected[turned(ring)] = code
        assert {turned(rings[tile]): codes[tile] for tile in tiles_of(drawn, place)} == expected


@given(data(10, 2), st.data())
def test_each_tree_is_made_of_the_rings_of_its_leaves(found: Dataset, drawn: st.DataObject) -> None:
    members = together_on(found, drawn.draw(any_rules(found)), drawn.draw(bags(found.n)))
    axes = (0, min(1, len(found.features) - 1))
    assert_each_is_its_tree(members, layer_of(members)[0], axes)


@given(mixed(), st.data())
def test_so_it_is_where_values_lack_or_are_categories(found: Dataset, drawn: st.DataObject) -> None:
    rules = Rules("gini" if found.classes else "squared_error")
    members = together_on(prepared(found, rules), rules, drawn.draw(bags(found.n)))
    assert_each_is_its_tree(members, layer_of(members)[0], (0, 1))


@given(data(10, 2), st.data())
def test_a_line_has_the_share_of_the_trees_that_cut_there_and_tell_something_by_it(
    found: Dataset, drawn: st.DataObject
) -> None:
    rules = drawn.draw(any_rules(found))
    members = together_on(found, rules, drawn.draw(bags(found.n)))
    axes = (0, min(1, len(found.features) - 1))
    share: dict[Any, float] = {}
    for member in range(len(members)):
        tree, nodes = members.tree(member), members.nodes_of(member)
        rings = rings_of(found, tree, axes, pinned(found))
        for node in tree.splits:
            below = {
                members.params[nodes[leaf], 0]
                for leaf in tree.rows
                if bin(leaf)[2:].startswith(bin(node)[2:])
            }
            if len(below) > 1 or not found.classes:
                for line in lines_between(rings, node):
                    share[frozenset(line)] = share.get(frozenset(line), 0) + 1 / len(members)
    ghosts = layer_of(members)[0].layer["ghosts"]
    told = zip(shapes_of(ghosts), ghosts["share"].tolist(), strict=True)
    assert {frozenset(line): part for line, part in told} == pytest.approx(share)


def test_over_a_strip_of_numbers_each_tile_has_its_height_and_share() -> None:
    x = np.arange(6.0)
    found = dataset([x], np.array([0.0, 0, 0, 4, 4, 9]), ["x"], "y")
    weights = np.ones((3, 6), int)
    weights[1, 5] = 0
    members = together_on(found, default_rules("regression"), weights)
    drawn, _ = layer_of(members)
    tiles = drawn.layer["tiles"]
    told = dict(zip(map(turned, shapes_of(tiles)), tiles["heights"].reshape(-1, 2), strict=True))
    low = stage_axes(found, (0, 0))
    left = [ring for ring in told if (2.5, low[1]["low"]) in ring and min(ring)[0] < 0]
    assert [told[ring].tolist() for ring in left] == [[0.0, 0.0]]
    assert sorted(tiles["share"].tolist()) == pytest.approx([1 / 3, 2 / 3, 2 / 3, 1])


def test_linear_leaves_are_told_at_both_ends() -> None:
    x = np.arange(8.0)
    found = dataset([x], 2 * x + 1, ["x"], "y")
    members = together_on(found, Rules("squared_error", leaf_model="linear"), np.ones((2, 8), int))
    drawn, both = layer_of(members)
    ends = [2 * both[0][end] + 1 for end in ("low", "high")]
    assert drawn.layer["tiles"]["heights"].tolist() == pytest.approx(ends)


def test_where_there_are_very_many_cuts_the_first_trees_of_the_order_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(1)
    found = dataset(random.normal(size=(2, 40)), random.integers(0, 2, 40), ["a", "b"], "y", "AB")
    weights = random.poisson(1.0, (9, 40)) + 0
    weights[0] = 1
    members = together_on(found, default_rules("classification"), weights)
    monkeypatch.setattr(layers, "MOST_FORKS", 60)
    monkeypatch.setattr(layers, "STEP", 5)
    axes = stage_axes(found, (0, 1))
    plane = plane_of(found, (0, 1), pinned(found), axes)
    order = np.array([0, 5, 3, 8, 1, 2, 4, 6, 7])
    shares = list(layer("few", members, order, window_of(*axes), plane))
    drawn = finished(layer("few", members, order, window_of(*axes), plane))
    assert drawn.some.tolist() == order[: len(drawn.some)].tolist()
    assert 2 <= len(drawn.some) < 9
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert_each_is_its_tree(members, drawn, (0, 1))
    assert drawn.layer["ghosts"]["share"].min() == pytest.approx(1 / 9)


def test_the_upper_cuts_of_trees_that_are_not_drawn_are_ghosts_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(1)
    found = dataset(random.normal(size=(2, 60)), random.integers(0, 2, 60), ["a", "b"], "y", "AB")
    weights = random.poisson(1.0, (12, 60))
    members = together_on(found, default_rules("classification"), weights)
    monkeypatch.setattr(layers, "MOST_FORKS", 1)
    drawn, _ = layer_of(members)
    assert drawn.some.tolist() == [0, 1]
    lines = {frozenset(line) for line in shapes_of(drawn.layer["ghosts"])}
    for member in range(12):
        rings = rings_of(found, members.tree(member), (0, 1), pinned(found))
        assert {frozenset(line) for line in lines_between(rings, 1)} <= lines
