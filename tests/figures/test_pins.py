"""Where features on no axis are pinned: in the middle, or where a node has its rows."""

from __future__ import annotations

import numpy as np
import pandas as pd

import dtviz
from dtviz.figures.pins import NEAREST, PLACES, nearness, pinned, pinned_in, places, sliceable
from dtviz.figures.scene import rings_of, sliced
from dtviz.table.data import dataset

IRIS = dtviz.fit(dtviz.load("iris"))


def test_the_slice_meets_the_node_in_focus_and_features_pinned_by_hand_stay() -> None:
    data, tree = IRIS.data, IRIS.tree
    usual = pinned(data)
    for node in tree.nodes:
        place = pinned_in(data, tree, node)
        assert node in rings_of(data, tree, (0, 1), place)
        if node in rings_of(data, tree, (0, 1), usual):
            assert place[2:].tolist() == usual[2:].tolist(), node
        assert pinned_in(data, tree, node, ((3, 0.2),))[3] == 0.2
    place = pinned(data, ((3, 0.2),))
    assert (place[3], place[:3].tolist()) == (0.2, usual[:3].tolist())
    text = sliced(data, (0, 1), place, ((3, 0.2),))
    assert text.startswith("The plane is the slice at petal_width_cm = 0.2, at the medians of")


def test_only_features_that_the_tree_asks_and_no_axis_has_are_moved() -> None:
    data = IRIS.data
    asked = {split.projection.feature for split in IRIS.tree.splits.values()}
    assert sliceable(data, IRIS.tree, (0, 1)) == sorted(asked - {0, 1})
    assert sliceable(data, dtviz.fit(data, dtviz.Rules(max_depth=1)).tree, (2, 3)) == []
    columns = np.random.default_rng(0).normal(size=(4, 60))
    found = dataset(columns, columns.sum(axis=0), "abcd", "y")
    rules = dtviz.Rules("squared_error", max_depth=1, leaf_model="linear")
    assert sliceable(found, dtviz.fit(found, rules).tree, (0, 2)) == [1, 3]


def test_few_values_can_all_be_chosen_and_a_node_is_sliced_at_values_of_its_rows() -> None:
    column = np.array([3.0, 1.0, np.nan, 2.0, 1.0])
    few = dataset([column, np.arange(5.0)], [0, 1, 0, 1, 0], "ab", "y", "AB")
    assert places(few, 0) == [1.0, 2.0, 3.0]
    many = dataset([np.arange(1_000.0)], [0, 1] * 500, "a", "y", "AB")
    assert len(places(many, 0)) == PLACES
    assert (places(many, 0)[0], places(many, 0)[-1]) == (0.0, 999.0)
    codes, y = np.repeat([0, 1, 2], [5, 3, 2]), np.repeat([0, 1, 1], [5, 3, 2])
    data = dataset([codes, np.ones(10)], y, "ab", "y", "AB", levels=(("p", "q", "r"), ()))
    tree = dtviz.fit(data, dtviz.Rules(max_depth=1)).tree
    assert {node: pinned_in(data, tree, node)[0] for node in tree.nodes} == {1: 0, 2: 0, 3: 1}


def test_points_fade_by_spreads_of_the_pinned_features_that_the_tree_asks() -> None:
    data, tree = IRIS.data, IRIS.tree
    place = pinned_in(data, tree, 1)
    features = sliceable(data, tree, (0, 1))
    assert features == [2, 3]
    near = nearness(data, tree, (0, 1), place)
    assert near is not None
    spread = data.columns[features].std(axis=1)[:, None]
    off = np.square((data.columns[features] - place[features, None]) / spread).mean(axis=0)
    assert abs(near - NEAREST * np.exp(-off / 2)).max() <= 0.5
    assert near.min() < NEAREST / 2
    assert near.max() == NEAREST
    assert (np.diff(near[np.argsort(off)].astype(int)) <= 0).all()
    stump = dtviz.fit(data, dtviz.Rules(max_depth=1)).tree
    assert nearness(data, stump, (2, 3), pinned(data)) is None, "the tree asks the axes alone"


def test_points_fade_alike_whatever_the_unit() -> None:
    values = np.array([-5.0, -3, -2, 3, 4, 5])
    for scale in (1e-300, 1.0, 1e300, 3.4e307):
        for place in (0, -5):
            data = dataset([np.zeros(6), scale * values], np.arange(6) // 3, "ab", "y", "AB")
            near = nearness(data, dtviz.fit(data).tree, (0, 0), np.array([0, place * scale]))
            assert near is not None
            wanted = NEAREST * np.exp(-np.square((values - place) / values.std()) / 2)
            assert near.tolist() == wanted.round().tolist(), (scale, place)
    columns = [np.zeros(4), np.array([0.0, 1, 2, np.nan]), np.full(4, 3.0)]
    data = dataset(columns, np.array([0, 0, 1, 1]), "abc", "y", "AB")
    for place in (1e100, 1e160, -1e200, 1.7e308):
        near = nearness(data, dtviz.fit(data).tree, (0, 2), np.array([0.0, place, 0.0]))
        assert near is not None
        assert near.tolist() == [0, 0, 0, round(NEAREST * np.exp(-0.5))], "none is near"


def test_another_category_and_a_missing_value_are_a_spread_from_the_slice() -> None:
    off = round(NEAREST * np.exp(-0.5))
    frame = pd.DataFrame({"a": 0.0, "b": [*"uuvvww"], "y": [*"AABBBB"]})
    data = dtviz.from_frame(frame, target="y")
    near = nearness(data, dtviz.fit(data).tree, (0, 0), np.array([0.0, 1.0]))
    assert near is not None
    assert near.tolist() == [off, off, NEAREST, NEAREST, off, off]
    columns = [np.zeros(5), np.array([0.0, 0, 4, 4, np.nan])]
    numbers = dataset(columns, np.array([0, 0, 1, 1, 1]), "ab", "y", "AB")
    near = nearness(numbers, dtviz.fit(numbers).tree, (0, 0), np.zeros(2))
    assert near is not None
    assert near.tolist() == [NEAREST, NEAREST, 1, 1, off]  # 4 is two spreads off
