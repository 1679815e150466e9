"""Many trees over a plane, and leaves that vary: each is made of its tiles and predictions."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, data
from test_grow_many import bags, mixed, together_on

import dtviz
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.ensembles.trees import TreeArrays
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules, prepare_data
from dtviz.engine.splits import FeaturePlane
from dtviz.engine.tree import fold, leaf_probabilities
from dtviz.models.model import Model
from dtviz.pictures import regions as shading
from dtviz.pictures import tree_overlay as layers
from dtviz.pictures.axes import orders_of_tree
from dtviz.pictures.palette import step_of
from dtviz.pictures.regions import (
    BANDS,
    STEPS,
    area,
    lines_between,
    plane_of,
    varying_predictions,
    window_of,
)
from dtviz.pictures.slice import pinned_values
from dtviz.pictures.stage import rings_of, stage_axes
from dtviz.pictures.tree_overlay import DrawnLayer, draw_layer

Ring = tuple[tuple[float, ...], ...]


def layer_of(members: TreeArrays) -> tuple[DrawnLayer, Any]:
    """The layer over the first two features, and the axes of its plane."""
    found = members.data
    axes = (0, min(1, len(found.features) - 1))
    splits = {
        node: members.split(at) for node, at in members.nodes_of(0).items() if members.left[at] >= 0
    }
    orders = orders_of_tree(found, splits)
    both, middle = stage_axes(found, axes, orders), pinned_values(found)
    plane = plane_of(found, axes, middle, both, orders)
    order = np.arange(len(members))
    return run_to_end(draw_layer("name", members, order, window_of(*both), plane)), both


def shapes_of(shapes: Any) -> list[Ring]:
    corners, starts = shapes["corners"].reshape(-1, 2), shapes["starts"]
    return [tuple(map(tuple, corners[a:b].tolist())) for a, b in pairwise(starts)]


def tiles_of(drawn: DrawnLayer, place: int) -> set[int]:
    found = drawn.layer
    tiles = {*found["full"].tolist()}
    if place:
        a, b = found["starts"][place - 1 : place + 1]
        tiles ^= {*found["toggles"][a:b].tolist()}
    return tiles


def turned(ring: Ring) -> frozenset[Any]:
    """A ring by its corners; of several parts, with what stands between them left out."""
    return frozenset(corner for corner in ring if corner[0] == corner[0])


def assert_each_is_its_tree(members: TreeArrays, drawn: DrawnLayer, axes: tuple[int, int]) -> None:
    """Every member has the rings of its own leaves, as one tree has them on its own."""
    found = members.data
    rings, codes = shapes_of(drawn.layer["tiles"]), drawn.layer["tiles"]["code"].tolist()
    orders = orders_of_tree(found, {m.node: m.split for m in members.log(0)})
    low, high = float(found.y.min()), float(found.y.max())
    for place, member in enumerate(drawn.member_ids.tolist()):
        tree = fold(Problem(members.data_of(member), members.rules), members.log(member))
        own = rings_of(found, tree, axes, pinned_values(found), orders)
        nodes = members.nodes_of(member)
        expected = {}
        for node, ring in own.items():
            if node in tree.rows:
                value = members.params[nodes[node], 0]
                code = int(value) if found.classes else step_of(float(value), low, high)
                expected[turned(ring)] = code
        assert {turned(rings[tile]): codes[tile] for tile in tiles_of(drawn, place)} == expected


@settings(max_examples=8)
@given(mixed(), st.data())
def test_each_tree_is_made_of_the_rings_of_its_leaves_where_values_lack_or_are_categories(
    table: Dataset, drawn: st.DataObject
) -> None:
    rules = Rules("gini" if table.classes else "squared_error")
    members = together_on(prepare_data(table, rules), rules, drawn.draw(bags(table.n)))
    assert_each_is_its_tree(members, layer_of(members)[0], (0, 1))


@settings(max_examples=10)
@given(data(10, 2), st.data())
def test_each_tree_is_made_of_the_rings_of_its_leaves_and_a_line_has_the_share_of_its_trees(
    table: Dataset, drawn: st.DataObject
) -> None:
    members = together_on(table, drawn.draw(any_rules(table)), drawn.draw(bags(table.n)))
    axes = (0, min(1, len(table.features) - 1))
    layer = layer_of(members)[0]
    assert_each_is_its_tree(members, layer, axes)
    share: dict[Any, float] = {}
    for member in range(len(members)):
        tree, nodes = members.tree(member), members.nodes_of(member)
        rings = rings_of(table, tree, axes, pinned_values(table))
        for node in tree.splits:
            leaves = [leaf for leaf in tree.rows if bin(leaf)[2:].startswith(bin(node)[2:])]
            values = {members.params[nodes[leaf], 0] for leaf in leaves}
            if len(values) > 1 or not table.classes:  # the cut parts what is predicted
                for line in lines_between(rings, node):
                    share[frozenset(line)] = share.get(frozenset(line), 0) + 1 / len(members)
    ghosts = layer.layer["ghosts"]
    lines = zip(shapes_of(ghosts), ghosts["share"].tolist(), strict=True)
    assert {frozenset(line): part for line, part in lines} == pytest.approx(share)


def test_over_a_strip_of_numbers_each_tile_has_its_height_at_both_ends_and_its_share() -> None:
    x = np.arange(6.0)
    table = make_dataset([x], np.array([0.0, 0, 0, 4, 4, 9]), ["x"], "y")
    weights = np.ones((3, 6), int)
    weights[1, 5] = 0
    tiles = layer_of(together_on(table, default_rules("regression"), weights))[0].layer["tiles"]
    heights = dict(zip(map(turned, shapes_of(tiles)), tiles["heights"].reshape(-1, 2), strict=True))
    low = stage_axes(table, (0, 0))[1]["low"]
    left = [ring for ring in heights if (2.5, low) in ring and min(ring)[0] < 0]
    assert [heights[ring].tolist() for ring in left] == [[0.0, 0.0]]
    assert sorted(tiles["share"].tolist()) == pytest.approx([1 / 3, 2 / 3, 2 / 3, 1])
    table, rules = (
        make_dataset([x], 2 * x + 1, ["x"], "y"),
        Rules("squared_error", leaf_model="linear"),
    )
    drawn, both = layer_of(together_on(table, rules, np.ones((2, 6), int)))
    ends = [2 * both[0][end] + 1 for end in ("low", "high")]
    assert drawn.layer["tiles"]["heights"].tolist() == pytest.approx(ends)


def test_where_there_are_very_many_cuts_the_first_trees_of_the_order_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(1)
    found = make_dataset(
        random.normal(size=(2, 40)), random.integers(0, 2, 40), ["a", "b"], "y", "AB"
    )
    weights = random.poisson(1.0, (9, 40)) + 0
    weights[0] = 1
    members = together_on(found, default_rules("classification"), weights)
    monkeypatch.setattr(layers, "MAX_SPLITS_DRAWN", 60)
    monkeypatch.setattr(layers, "SPLITS_A_SLICE", 5)
    axes = stage_axes(found, (0, 1))
    plane = plane_of(found, (0, 1), pinned_values(found), axes)
    order = np.array([0, 5, 3, 8, 1, 2, 4, 6, 7])
    shares = list(draw_layer("few", members, order, window_of(*axes), plane))
    drawn = run_to_end(draw_layer("few", members, order, window_of(*axes), plane))
    assert drawn.member_ids.tolist() == order[: len(drawn.member_ids)].tolist()
    assert 2 <= len(drawn.member_ids) < 9
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert_each_is_its_tree(members, drawn, (0, 1))
    assert drawn.layer["ghosts"]["share"].min() == pytest.approx(1 / 9)


def test_the_upper_cuts_of_trees_that_are_not_drawn_are_ghosts_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(1)
    found = make_dataset(
        random.normal(size=(2, 60)), random.integers(0, 2, 60), ["a", "b"], "y", "AB"
    )
    weights = random.poisson(1.0, (12, 60))
    members = together_on(found, default_rules("classification"), weights)
    monkeypatch.setattr(layers, "MAX_SPLITS_DRAWN", 1)
    drawn, _ = layer_of(members)
    assert drawn.member_ids.tolist() == [0, 1]
    lines = {frozenset(line) for line in shapes_of(drawn.layer["ghosts"])}
    for member in range(12):
        rings = rings_of(found, members.tree(member), (0, 1), pinned_values(found))
        assert {frozenset(line) for line in lines_between(rings, 1)} <= lines


# --- leaves that vary -----------------------------------------------------------------------------


WINDOW = ((-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0))
STRIP = ((-2.0, -0.5), (20.0, -0.5), (20.0, 1.5), (-2.0, 1.5))


def one_leaf(data: Dataset, name: str) -> Model:
    """The tree of the root alone."""
    task = "squared_error" if not data.classes else "gini"
    return dtviz.fit(data, Rules(task, leaf_model=name), ())


def drawn_leaves(model: Model, ring: Any, strip: bool = False) -> Any:
    plane = FeaturePlane(0, None if strip else 1, tuple(pinned_values(model.data).tolist()))
    return varying_predictions(
        model.data, model.tree.leaf_model, {3: (ring, model.leaves[0])}, plane
    )


def along(n: int = 16) -> Dataset:
    x = np.arange(float(n))
    return make_dataset([x], ((x % 5 > 1) ^ (x > 9)).astype(int), ["x"], "y", "ab")


def test_bands_of_shares_part_a_leaf_and_hold_what_is_predicted_in_their_middle() -> None:
    model = one_leaf(dtviz.load("moons", n=80, noise=0.3, seed=3), "logistic")
    found = drawn_leaves(model, WINDOW)
    assert set(found) == {"shades"}
    shades = found["shades"]
    assert sum(area(ring, WINDOW) for ring in shapes_of(shades)) == pytest.approx(1)
    assert set(shades["owner"].tolist()) == {3}
    for ring, code, share in zip(shapes_of(shades), shades["code"], shades["share"], strict=True):
        middle = np.array(ring).mean(axis=0)[:, None]
        told = leaf_probabilities(model.data, model.tree, middle)[0]
        assert told.argmax() == code
        assert abs(told[code] - share) <= 0.5 / BANDS + 1e-9


def test_shares_that_do_not_vary_are_a_single_shade_a_leaf() -> None:
    model = one_leaf(dtviz.load("iris"), "shares")
    shades = drawn_leaves(model, WINDOW)["shades"]
    assert shapes_of(shades) == [WINDOW]
    assert shades["share"].tolist() == pytest.approx([51 / 153])
    strip = drawn_leaves(model, STRIP, strip=True)
    assert "curves" not in strip  # of three classes none is the second
    for name, example in (("majority", "moons"), ("mean", "sine"), ("median", "sine")):
        assert drawn_leaves(one_leaf(dtviz.load(example, n=20), name), WINDOW) == {}, name


def test_over_a_strip_a_line_has_the_share_of_the_second_class_or_the_ends_of_a_regression() -> (
    None
):
    for name, corners in (("logistic", STEPS + 1), ("shares", 2)):
        model = one_leaf(along(), name)
        drawn = drawn_leaves(model, STRIP, strip=True)
        (line,) = shapes_of(drawn["curves"])
        assert len(line) == corners
        x, y = np.array(line).T
        assert (x[0], x[-1]) == (-2.0, 20.0)
        assert y == pytest.approx(leaf_probabilities(model.data, model.tree, x[None])[:, 1])
        assert drawn["shades"]["code"].size
    model = one_leaf(dtviz.load("sine", n=60), "linear")
    drawn = drawn_leaves(model, STRIP, strip=True)
    assert set(drawn) == {"curves"}
    x, y = np.array(*shapes_of(drawn["curves"])).T
    assert y == pytest.approx(model.predict(pd.DataFrame({"x": x})))


def test_of_very_many_leaves_the_largest_vary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shading, "MAX_LEAVES_SHADED", 2)
    model = one_leaf(dtviz.load("iris"), "shares")
    some = {}
    for at, wide in enumerate((6.0, 1.0, 3.0, 2.0)):
        ring = ((-3.0, -3.0), (-3.0 + wide, -3.0), (-3.0 + wide, 3.0), (-3.0, 3.0))
        some[at] = (ring, model.leaves[0])
    plane = FeaturePlane(0, 1, tuple(pinned_values(model.data).tolist()))
    found = varying_predictions(model.data, model.tree.leaf_model, some, plane)
    assert found["shades"]["owner"].tolist() == [0, 2]
