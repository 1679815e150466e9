"""The tree's frame: the texts and figures of its nodes, what is left out."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from screens import HOSTILE
from strategies import any_rules, data
from test_grow_many import bags, mixed, together_on

import dtviz
from dtviz.base.progress import run_to_end
from dtviz.base.text import clean, count, number
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.ensembles.trees import TreeArrays
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules, prepare_data
from dtviz.engine.splits import FeaturePlane, goes_left
from dtviz.engine.tree import depth, fold, height, leaf_probabilities, preorder_key, rows_in
from dtviz.models.model import Model
from dtviz.pictures import regions as shading
from dtviz.pictures import tree as layers
from dtviz.pictures.gains import BINS, FULLEST_COUNT, MAX_HISTOGRAMS, TARGET_PARTS, node_histograms
from dtviz.pictures.packing import pack
from dtviz.pictures.regions import (
    CURVE_PIECES,
    SHARE_STEPS,
    StageContext,
    lines_between,
    varying_predictions,
    window_share,
)
from dtviz.pictures.scales import DARK, LIGHT, SCALE, class_colour, orders_of_tree, step_of
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.pictures.tree import MAX_NODES, DrawnLayer, draw_layer, max_depth_drawn, tree_frame


def framed(model: Model, **more: Any) -> dict[str, Any]:
    stops = more.pop("stops", dict.fromkeys(model.tree.rows, ""))
    return tree_frame(Problem(model.data, model.rules_used), model.tree, stops, **more)


def nodes_of(frame: dict[str, Any]) -> dict[int, tuple[str | None, ...]]:
    """Rule, prediction, rows, impurity, note on costs and stop of each node by its id."""
    return {int(node): tuple(rest) for node, *rest in frame["nodes"]}


HEIGHTS = dtviz.fit(dtviz.load("heights"))
TREBLE = dtviz.fit(dtviz.load("rpart_treble"), Rules("squared_error"))


@cache
def many() -> Model:
    """A very large tree."""
    return dtviz.fit(dtviz.load("moons", n=4000, noise=0.6, seed=7))


@cache
def chain() -> Model:
    """A very deep one."""
    return dtviz.fit(make_dataset([np.arange(400.0)], np.arange(400) % 2, ["x"], "y", "AB"))


def test_every_node_has_its_texts_parents_first_and_left_before_right() -> None:
    frame, tree = framed(HEIGHTS), HEIGHTS.tree
    nodes = nodes_of(frame)
    assert list(nodes) == sorted(tree.nodes, key=preorder_key)
    for node, (rule, prediction, rows, impurity, _, stop, answer) in nodes.items():
        facts = tree.nodes[node]
        assert answer == ("" if node == 1 else "no" if node % 2 else "yes")
        assert (rule, stop) == ("", "") if node in tree.rows else (rule, None)
        assert prediction == HEIGHTS.data.class_names[int(facts.value)]
        assert (rows, impurity) == (count(facts.n, "row"), number(facts.impurity))
    assert re.fullmatch(r"\S.* ≤ \S+", str(nodes[1][0]))
    assert (frame["target"], frame["impurity_name"], frame["unit"]) == ("gender", "entropy", "bit")
    assert frame["unsent_descendants"] == {}
    gini = framed(dtviz.fit(dtviz.load("heights"), Rules("gini")))
    assert (gini["impurity_name"], gini["unit"]) == ("gini", "")
    assert nodes_of(gini)[1][3] == "0.4898"


def test_bars_are_the_shares_of_the_classes_and_a_rare_class_is_seen() -> None:
    frame = framed(HEIGHTS)
    bars = frame["bars"].reshape(len(frame["nodes"]), -1)
    nodes = [HEIGHTS.tree.nodes[int(node)] for node, *_ in frame["nodes"]]
    shares = [np.array(facts.counts) / facts.n for facts in nodes]
    assert np.abs(bars / 255 - shares).max() <= 0.5 / 255
    rare = make_dataset([np.zeros(1000)], np.array([0] * 999 + [1]), ["x"], "y", "ab")
    assert framed(dtviz.fit(rare))["bars"].tolist() == [255, 1]
    assert framed(TREBLE)["bars"].size == 0


def test_a_node_says_how_many_classes_tie_for_its_prediction() -> None:
    data = make_dataset([np.arange(5.0)], np.array([1, 1, 0, 0, 2]), ["x"], "y", "ABC")
    texts = nodes_of(framed(dtviz.fit(data, Rules(max_depth=1))))
    assert {node: prediction for node, (_, prediction, *_) in texts.items()} == {
        1: "A (tie of 2)",
        2: "B",
        3: "A",
    }
    shares = nodes_of(framed(dtviz.fit(data, Rules(leaf_model="shares", max_depth=1))))
    assert shares[1][1] == "A 0.375, B 0.375, C 0.25"  # says it already


def test_a_stop_stands_at_its_leaf_and_focus_and_next_are_ids() -> None:
    stops = dict.fromkeys(HEIGHTS.tree.rows, "") | {2: "pure: all 2 rows are f"}
    frame = framed(HEIGHTS, stops=stops, focus=3, next_node=2)
    assert {node: texts[-2] for node, texts in nodes_of(frame).items()} == {
        1: None,
        3: None,
    } | stops
    assert (frame["focus"], frame["next_node"]) == ("3", "2")
    assert framed(HEIGHTS)["focus"] == framed(HEIGHTS)["next_node"] == ""


def test_of_a_very_large_tree_the_deepest_nodes_are_left_out_and_counted() -> None:
    tree, frame = many().tree, framed(many())
    total, levels = len(tree.nodes), max_depth_drawn(tree)
    nodes = nodes_of(frame)
    assert total > MAX_NODES
    assert levels is not None
    assert set(nodes) == {node for node in tree.nodes if depth(node) <= levels}
    assert 500 < len(nodes) <= MAX_NODES
    assert sum(frame["unsent_descendants"].values()) == total - len(nodes)
    assert {depth(int(node)) for node in frame["unsent_descendants"]} == {levels}
    assert frame["summary"] == f"{len(tree.rows):,} leaves, height {height(tree)}"
    assert framed(HEIGHTS)["summary"] == "3 leaves, height 2"


def test_the_ids_of_a_deep_chain_are_sent_as_text() -> None:
    frame = framed(chain())
    assert pack("tree", frame)
    assert max(depth(int(node)) for node, *_ in frame["nodes"]) > 200


def test_the_dark_theme_has_its_colours() -> None:
    names = ("ink", "paper", "muted", "accent")
    for theme in (LIGHT, DARK):
        colours = framed(HEIGHTS, theme=theme)["colours"]
        assert colours == {name: getattr(theme, name) for name in names}


def test_names_are_sent_clean_and_long_ones_hide_no_threshold() -> None:
    for name in HOSTILE:
        data = make_dataset([[1, 2, 3]], np.array([0, 1, 1]), [name], name, [name, "other"])
        frame = framed(dtviz.fit(data))
        nodes = nodes_of(frame)
        assert set(nodes) == {1, 2, 3}, name
        assert all(text.isprintable() for texts in nodes.values() for text in texts if text), name
        assert frame["target"] == clean(name), name
    data = make_dataset([[1, 2, 3]], np.array([0, 1, 1]), ["n" * 200], "y", "AB")
    rule = str(nodes_of(framed(dtviz.fit(data)))[1][0])
    assert rule.endswith(" ≤ 1.5")
    assert len(rule) < 80


def test_the_shape_has_every_node_in_the_order_of_the_algorithm_and_the_colours_of_the_plane() -> (
    None
):
    for model in (HEIGHTS, TREBLE, chain()):
        shape, y = framed(model)["shape"], model.data.y
        nodes = sorted(model.tree.nodes, key=preorder_key)
        entries = [model.tree.nodes[node] for node in nodes]
        assert shape["depth"].tolist() == [depth(node) for node in nodes]
        assert shape["rows"].tolist() == [entry.n for entry in entries]
        hues = [shape["node_colours"][k] for k in shape["colour_index"]]
        if model.data.classes:
            assert hues == [class_colour(int(entry.value)) for entry in entries]
        else:
            assert shape["node_colours"] == SCALE
            steps = [step_of(entry.value, y.min(), y.max()) for entry in entries]
            assert shape["colour_index"].tolist() == steps
            assert len(set(steps)) > 1


# --- strips ---------------------------------------------------------------------------------------


COLUMN = np.array([1.0, 2, 3, 4, np.nan, 6, 7, 8])
MODELS = {
    "classes": dtviz.fit(dtviz.load("iris")),
    "numbers": dtviz.fit(dtviz.load("sine")),
    "categories": dtviz.fit(dtviz.load("play_tennis")),
    "gaps": dtviz.fit(make_dataset([COLUMN], np.arange(8) // 4, ["x"], "y", "AB")),
    "one row a leaf": dtviz.fit(
        make_dataset([np.arange(9.0) ** 9], np.arange(9) % 2, ["x"], "y", "AB")
    ),
    "huge values": dtviz.fit(
        make_dataset([np.array([-1e308, 1e308])], np.arange(2), ["x"], "y", "AB")
    ),
}


def counted(model: Model, levels: int | None = None) -> dict[int, tuple[int, Any]]:
    """The bins left of the cut and the counts, (kinds, BINS), by node."""
    strips = node_histograms(model.data, model.tree, levels)
    counts = strips["counts"].reshape(-1, strips["kinds"], BINS)
    pairs = zip(strips["left"].tolist(), counts, strict=True)
    return dict(zip(map(int, strips["nodes"]), pairs, strict=True))


def test_every_row_is_on_its_side_and_of_its_kind() -> None:
    for name, model in MODELS.items():
        data, strips = model.data, counted(model)
        assert set(strips) == set(model.tree.splits), name
        low, high = data.y.min(), data.y.max()
        levels = np.minimum((data.y - low) / (high - low) * TARGET_PARTS, TARGET_PARTS - 1).astype(
            int
        )
        kinds = data.y.astype(int) if data.classes else levels
        for node, (left, counts) in strips.items():
            split, rows = model.tree.splits[node], rows_in(model.tree, node)
            rows = rows[~np.isnan(data.columns[:, rows]).any(axis=0)]
            goes = goes_left(split, data.columns, rows)
            assert 0 < left < BINS, (name, node)
            for side, taken in ((counts[:, :left], goes), (counts[:, left:], ~goes)):
                there = set(np.flatnonzero(side.any(axis=1)).tolist())
                assert there == set(kinds[rows[taken]].tolist()), (name, node)


def test_counts_are_shares_of_the_fullest_bin_and_many_classes_are_counted_by_their_colours() -> (
    None
):
    x = np.array([0.0] * 50 + [10.0] * 100 + [5.0])
    model = dtviz.fit(make_dataset([x], np.array([0] * 50 + [1] * 101), ["x"], "y", "AB"))
    ((left, counts),) = counted(model).values()
    assert counts[0, 0] == FULLEST_COUNT * 50 // 100
    assert counts[1, BINS - 1] == FULLEST_COUNT
    assert counts[1, left:].tolist().count(FULLEST_COUNT // 100) == 1  # the row at 5
    assert left == round(BINS * 0.25)
    y = np.arange(20)
    model = dtviz.fit(make_dataset([y], y, ["x"], "y", [f"c{k}" for k in y]), Rules(max_depth=1))
    ((_, counts),) = counted(model).values()
    assert counts.shape == (8, BINS)
    assert counts.any(axis=1).all()


def test_only_the_nodes_that_are_drawn_have_one_and_the_upper_ones_where_there_are_many() -> None:
    model, found = many(), counted(many())
    assert len(found) == MAX_HISTOGRAMS < len(model.tree.splits)
    deepest = max(node.bit_length() for node in found)
    assert {node for node in model.tree.splits if node.bit_length() < deepest} <= set(found)
    assert set(counted(model, 2)) == {1, 2, 3} & set(model.tree.splits)
    assert counted(model, 0) == {}


Ring = tuple[tuple[float, ...], ...]


def layer_of(members: TreeArrays) -> tuple[DrawnLayer, Any]:
    """The layer over the first two features, and the axes of its plane."""
    found = members.data
    axes = (0, min(1, len(found.features) - 1))
    splits = {
        node: members.split(at) for node, at in members.nodes_of(0).items() if members.left[at] >= 0
    }
    orders = orders_of_tree(found, splits)
    stage, order = StageContext(found, axes, pinned_values(found), orders), np.arange(len(members))
    return run_to_end(draw_layer("name", members, order, stage)), stage.drawn_axes


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
        own = StageContext(found, axes, pinned_values(found), orders).rings(tree)
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
        rings = StageContext(table, axes, pinned_values(table)).rings(tree)
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
    low = StageContext(table, (0, 0)).drawn_axes[1]["low"]
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
    stage = StageContext(found, (0, 1), pinned_values(found))
    order = np.array([0, 5, 3, 8, 1, 2, 4, 6, 7])
    shares = list(draw_layer("few", members, order, stage))
    drawn = run_to_end(draw_layer("few", members, order, stage))
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
        rings = StageContext(found, (0, 1), pinned_values(found)).rings(members.tree(member))
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
    assert sum(window_share(ring, WINDOW) for ring in shapes_of(shades)) == pytest.approx(1)
    assert set(shades["owner"].tolist()) == {3}
    for ring, code, share in zip(shapes_of(shades), shades["code"], shades["share"], strict=True):
        middle = np.array(ring).mean(axis=0)[:, None]
        told = leaf_probabilities(model.data, model.tree, middle)[0]
        assert told.argmax() == code
        assert abs(told[code] - share) <= 0.5 / SHARE_STEPS + 1e-9


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
    for name, corners in (("logistic", CURVE_PIECES + 1), ("shares", 2)):
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
