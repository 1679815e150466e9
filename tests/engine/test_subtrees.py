"""The subtrees of one tree: masks, ends, order and losses, by hand and against trees grown anew.

Glossary
    comb      eight rows on a line, x = 0 ... 7, and the tree cut at 3.5, 1.5, 5.5, 2.5

        place   0   1   2   3   4   5   6    7    8
        id      1   2   3   4   5   6   7   10   11
        rows  0-7 0-3 4-7 0-1 2-3 4-5 6-7    2    3
"""

from __future__ import annotations

import doctest
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cases import RPART_TREBLE, data_of
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, data, grown, rules_for
from test_tree import same

from dtviz import Grow, Rules, axis_split
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.engine import subtrees
from dtviz.engine.grow import finish, full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.subtrees import (
    Nodes,
    connected_splits,
    drop_splits,
    enclosing_leaves,
    height_of,
    level_slices,
    loss_of,
    losses,
    nodes_of,
    sort_in_growing_order,
    splits_in_growing_order,
    splits_kept_by_rules,
    subtree,
    subtree_leaves,
)
from dtviz.engine.tree import Log, Tree, apply, fold, height, is_in_subtree, predict, root_tree

Y = np.array([0, 0, 0, 1, 0, 1, 1, 1])
LINE = make_dataset([np.arange(8.0)], Y, ["x"], "y", "ab")
CUTS: Log = (
    Grow(1, axis_split(0, 3.5)),
    Grow(2, axis_split(0, 1.5)),
    Grow(3, axis_split(0, 5.5)),
    Grow(5, axis_split(0, 2.5)),
)
COMB = fold(Problem(LINE, Rules("gini")), CUTS)
NODES = nodes_of(COMB)


def mask(*ids: int, nodes: Nodes = NODES) -> Any:
    """The places of these ids, as a mask."""
    return np.isin(np.array(nodes.ids, dtype=object), ids)


def ids_in(chosen: Any, nodes: Nodes = NODES) -> list[int]:
    """The ids of a mask."""
    return [node for node, inside in zip(nodes.ids, chosen.tolist(), strict=True) if inside]


# --- arrays of a tree ---


def test_the_arrays_of_a_tree_by_hand() -> None:
    assert NODES.ids == (1, 2, 3, 4, 5, 6, 7, 10, 11)
    assert NODES.level_starts.tolist() == [0, 1, 3, 7, 9]
    assert level_slices(NODES) == [slice(0, 1), slice(1, 3), slice(3, 7), slice(7, 9)]
    assert NODES.parent.tolist() == [0, 0, 0, 1, 1, 2, 2, 4, 4]
    assert NODES.left.tolist() == [1, 3, 5, -1, 7, -1, -1, -1, -1]
    limits = NODES.splits.threshold[NODES.split_index[NODES.is_split]]
    assert limits.tolist() == [3.5, 1.5, 5.5, 2.5]
    assert NODES.n.tolist() == [8, 4, 4, 2, 2, 2, 2, 1, 1]
    assert NODES.value.tolist() == [0, 0, 1, 0, 0, 0, 1, 0, 1]
    assert NODES.majority_share.tolist() == [0.5, 0.75, 0.75, 1, 0.5, 0.5, 1, 1, 1]
    assert NODES.impurity.tolist() == [0.5, 0.375, 0.375, 0, 0.5, 0.5, 0, 0, 0]
    assert NODES.risk.tolist() == [0.5, 0.1875, 0.1875, 0, 0.125, 0.125, 0, 0, 0]
    assert NODES.gain.tolist() == [0.125, 0.125, 0.125, 0, 0.5, 0, 0, 0, 0]
    assert ids_in(NODES.is_split) == [1, 2, 3, 5]


def test_a_root_alone_is_a_tree_too() -> None:
    bare = nodes_of(root_tree(Problem(LINE, Rules("gini"))))
    assert (bare.ids, bare.level_starts.tolist(), bare.left.tolist()) == ((1,), [0, 1], [-1])
    none = np.zeros(1, bool)
    assert subtree_leaves(bare, none).tolist() == [True]
    assert enclosing_leaves(bare, none).tolist() == [0]
    assert (
        connected_splits(bare, none).tolist()
        == splits_kept_by_rules(bare, Rules("gini")).tolist()
        == [False]
    )
    assert splits_in_growing_order(bare, none, "best") == []
    same(subtree(bare, none), bare.tree)
    assert losses(bare, LINE)[0].tolist() == [4]


@settings(max_examples=20)
@given(data(14), st.data())
def test_the_whole_tree_is_what_its_rules_grow(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(rules_for(found.task))
    problem = Problem(found, rules)
    nodes = full_tree(problem)
    free = Rules(
        rules.criterion,
        min_samples_leaf=rules.min_samples_leaf,
        min_weight_fraction_leaf=rules.min_weight_fraction_leaf,
        leaf_model=rules.leaf_model,
    )
    tree = finish(Problem(found, free), root_tree(problem))[1]
    same(nodes.tree, tree)
    again = nodes_of(tree)
    scale = max(1.0, float(nodes.impurity[0]))
    assert nodes.gain == pytest.approx(again.gain, abs=1e-9 * scale)
    assert nodes.ids == again.ids
    for name in (
        "level_starts",
        "parent",
        "left",
        "n",
        "weight",
        "params",
        "impurity",
        "majority_share",
    ):
        assert np.array_equal(getattr(nodes, name), getattr(again, name)), name
    cut, other = (one.splits.threshold[one.split_index[one.is_split]] for one in (nodes, again))
    assert np.array_equal(cut, other)


# --- masks ---


def test_ends_by_hand() -> None:
    assert ids_in(subtree_leaves(NODES, mask(1, 2, 3, 5))) == [4, 6, 7, 10, 11]
    assert ids_in(subtree_leaves(NODES, mask(1, 2))) == [3, 4, 5]
    assert ids_in(subtree_leaves(NODES, mask())) == [1]
    both = subtree_leaves(NODES, np.array([mask(1), mask(1, 3)]))
    assert [ids_in(line) for line in both] == [[2, 3], [2, 6, 7]]


def test_asking_for_ends_leaves_the_mask_as_it_was() -> None:
    stays = mask(1, 2)
    subtree_leaves(NODES, stays), enclosing_leaves(NODES, stays), connected_splits(NODES, stays)
    assert ids_in(stays) == [1, 2]


def test_above_by_hand() -> None:
    def end_of(*splits: int) -> list[int]:
        return [NODES.ids[at] for at in enclosing_leaves(NODES, mask(*splits))]

    assert end_of(1, 2, 3, 5) == list(NODES.ids)
    assert end_of(1, 3) == [1, 2, 3, 2, 2, 6, 7, 2, 2]
    assert end_of(1, 2) == [1, 2, 3, 4, 5, 3, 3, 5, 5]
    assert end_of() == [1] * 9


def test_connected_by_hand() -> None:
    assert ids_in(connected_splits(NODES, mask(1, 2, 3, 5))) == [1, 2, 3, 5]
    assert ids_in(connected_splits(NODES, mask(1, 3, 5))) == [1, 3]
    assert ids_in(connected_splits(NODES, mask(2, 3, 5))) == []
    assert ids_in(connected_splits(NODES, mask(1, 2, 5))) == [1, 2, 5]


def test_a_subtree_by_hand() -> None:
    tree = subtree(NODES, mask(1, 2))
    assert tree.splits == {1: axis_split(0, 3.5), 2: axis_split(0, 1.5)}
    assert {leaf: rows.tolist() for leaf, rows in tree.rows.items()} == {
        4: [0, 1],
        5: [2, 3],
        3: [4, 5, 6, 7],
    }
    assert set(tree.nodes) == {1, 2, 3, 4, 5}
    assert set(tree.threshold_neighbours) == {1, 2}
    same(COMB, fold(Problem(LINE, Rules("gini")), CUTS))  # left as it was


@given(grown(14, 9), st.data())
def test_a_subtree_is_the_fold_of_its_splits(case: Any, drawn: st.DataObject) -> None:
    found, rules, _, tree = case
    nodes = nodes_of(tree)
    keep = drawn.draw(st.lists(st.booleans(), min_size=len(nodes.ids), max_size=len(nodes.ids)))
    stays = connected_splits(nodes, nodes.is_split & np.array(keep))
    log = tuple(Grow(nodes.ids[at], tree.splits[nodes.ids[at]]) for at in np.flatnonzero(stays))
    small = subtree(nodes, stays)
    same(small, replace(fold(Problem(found, rules), log), pruned=tree.pruned))
    assert set(ids_in(subtree_leaves(nodes, stays), nodes)) == set(small.rows)
    assert height_of(nodes, stays) == height(small)
    for at, end in enumerate(enclosing_leaves(nodes, stays).tolist()):
        node, top = nodes.ids[at], nodes.ids[end]
        assert is_in_subtree(node, top)
        assert node == top or top in small.rows
        assert node in small.nodes or top in small.rows


def test_without_nothing_is_the_same() -> None:
    same(drop_splits(COMB, []), COMB)
    same(drop_splits(COMB, [1, 2, 3, 5]), root_tree(Problem(LINE, Rules("gini"))))


# --- order ---


def test_the_order_of_growing_by_hand() -> None:
    # decreases: 1: 0.125; 2 and 3: 4/8 * 0.125 = 0.0625 each; 5: 2/8 * 0.5 = 0.125
    assert sort_in_growing_order(COMB, [5, 3, 2, 1], "depth") == [1, 2, 5, 3]
    assert sort_in_growing_order(COMB, [5, 3, 2, 1], "breadth") == [1, 2, 3, 5]
    assert sort_in_growing_order(COMB, [5, 3, 2, 1], "best") == [1, 2, 5, 3]


def test_best_first_prefers_the_larger_decrease_over_the_lower_id() -> None:
    # node 3 parts its rows clean (gain 0.5 of 4/8 rows), node 2 gains nothing
    found = make_dataset([np.arange(8.0)], np.array([0, 1, 0, 1, 0, 0, 1, 1]), ["x"], "y", "ab")
    cuts = (Grow(1, axis_split(0, 3.5)), Grow(2, axis_split(0, 1.5)), Grow(3, axis_split(0, 5.5)))
    nodes = nodes_of(fold(Problem(found, Rules("gini")), cuts))
    assert nodes.gain.tolist() == [0, 0, 0.5, 0, 0, 0, 0]
    assert sort_in_growing_order(nodes.tree, [1, 2, 3], "best") == [1, 3, 2]
    assert splits_in_growing_order(nodes, nodes.is_split, "best") == [0, 2, 1]
    assert splits_in_growing_order(nodes, mask(1, 2, nodes=nodes), "best") == [0, 1]
    for most, left in ((2, [1]), (3, [1, 3]), (4, [1, 2, 3])):
        rules = Rules("gini", order="best", max_leaf_nodes=most)
        assert ids_in(splits_kept_by_rules(nodes, rules), nodes) == left


def test_new_splits_are_put_in_order_below_those_that_are_there() -> None:
    assert sort_in_growing_order(COMB, [3, 5], "best") == [5, 3]  # 1 and 2 are split already
    assert sort_in_growing_order(COMB, [3, 5], "depth") == [5, 3]
    assert sort_in_growing_order(COMB, [3, 5], "breadth") == [3, 5]
    assert sort_in_growing_order(COMB, [], "best") == []


# --- what stop rules leave ---


def test_what_stop_rules_leave_by_hand() -> None:
    found = data_of(RPART_TREBLE, "regression")
    nodes = full_tree(Problem(found, Rules("squared_error")))
    assert ids_in(splits_kept_by_rules(nodes, Rules("squared_error")), nodes) == sorted(
        nodes.tree.splits
    )
    for rules, left in (
        (Rules("squared_error", max_depth=1), [1]),
        (Rules("squared_error", max_depth=2), [1, 2, 3]),
        (Rules("squared_error", min_samples_split=4), [1, 2, 3]),
        (Rules("squared_error", min_samples_split=11), []),
        (Rules("squared_error", min_gain=6.2), [1]),  # 82.5 / 10 - (10 + 10) / 10 = 6.25
        (Rules("squared_error", min_gain=6.3), []),
        (Rules("squared_error", max_leaf_nodes=2), [1]),
        (Rules("squared_error", max_leaf_nodes=4, order="breadth"), [1, 2, 3]),
        (Rules("squared_error", purity=0.0, max_depth=1), [1]),  # numbers have no majority
    ):
        assert ids_in(splits_kept_by_rules(nodes, rules), nodes) == left


@given(data(14), st.data())
def test_every_setting_s_tree_is_a_subtree_of_one(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(found, ccp_alpha=0.0))
    problem = Problem(found, rules)
    nodes = full_tree(problem)
    stays = splits_kept_by_rules(nodes, rules)
    log, tree = finish(problem, root_tree(problem))
    assert connected_splits(nodes, stays).tolist() == stays.tolist()
    same(subtree(nodes, stays), tree)
    places = splits_in_growing_order(nodes, stays, rules.growing_order)
    assert [nodes.ids[at] for at in places] == [move.node for move in log]


# --- losses ---


def test_losses_by_hand() -> None:
    total, place = losses(NODES, LINE)
    # y = a a a b | a b b b: the root says a (4 wrong), each half has 1 wrong; 2, 3 and 4, 5 tie
    assert total.tolist() == [4, 1, 1, 0, 1, 1, 0, 0, 0]
    assert [NODES.ids[at] for at in place] == [4, 4, 10, 11, 6, 6, 7, 7]
    other = make_dataset([[3.5, 9.0, 2.0]], np.array([1, 0, 1]), ["x"], "y", "ab")
    total, place = losses(NODES, other)  # 3.5 goes left at 3.5: 1 -> 2 -> 5 -> 11
    assert [NODES.ids[at] for at in place] == [11, 7, 10]
    # 1 says a: 2 wrong; 2 says a: both wrong; 3 and 7 say b: wrong; 5 says a; 10 says a; 11 says b
    assert total.tolist() == [2, 2, 1, 0, 2, 0, 1, 1, 0]


def test_the_loss_of_a_row() -> None:
    classes, said = np.array([0, 1, 2]), np.array([0.0, 0.0, 2.0])
    of_classes = make_dataset([np.arange(3.0)], classes, ["x"], "y", "abc")
    assert loss_of(of_classes, classes, said).tolist() == [0, 1, 0]
    costs = np.array([[0, 1, 1], [7.5, 0, 1], [1, 1, 0]])
    assert loss_of(replace(of_classes, costs=costs), classes, said).tolist() == [0, 7.5, 0]
    numbers = make_dataset([np.arange(2.0)], np.array([1.0, 4.0]), ["x"], "y")
    assert loss_of(numbers, numbers.y, np.array([3.0, 4.5])).tolist() == [4, 0.25]


def cut_there(nodes: Nodes, node: int) -> Tree:
    """The tree with the node's split taken back, and with it all below."""
    gone = [k for k in nodes.tree.splits if is_in_subtree(k, node)]
    return drop_splits(nodes.tree, gone)


@given(data(14), st.data())
def test_losses_are_those_of_the_tree_cut_at_the_node(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(rules_for(found.task))
    grown_on = drawn.draw(st.lists(st.integers(0, found.n - 1), min_size=1, max_size=14))
    nodes = full_tree(Problem(take_rows(found, np.array(grown_on)), rules))
    total, place = losses(nodes, found)
    ids, at = apply(nodes.tree, found.columns)
    assert [nodes.ids[k] for k in place] == [ids[k] for k in at]
    scale = 1e-9 * (1 + float(np.abs(found.y - nodes.value[0]).max()) ** 2)
    for k, node in enumerate(nodes.ids):
        cut = cut_there(nodes, node)
        leaves, where = apply(cut, found.columns)
        here = np.array([leaf == node for leaf in leaves])[where]
        predicted = predict(cut, found.columns)
        expected = loss_of(found, found.y[here], predicted[here]).sum()
        assert total[k] == pytest.approx(expected, abs=scale)


def test_losses_of_numbers_far_from_0() -> None:
    y = np.array([0.0, 1.0, 3.0, 2.0, 7.0, 8.0, 5.0, 9.0])
    near, far = (make_dataset([np.arange(8.0)], y + offset, ["x"], "y") for offset in (0.0, 1e8))
    rules = Rules("squared_error")
    nodes, there = full_tree(Problem(near, rules)), full_tree(Problem(far, rules))
    assert nodes.ids == there.ids
    total, place = losses(there, far)
    assert total == pytest.approx(there.n * there.impurity, abs=1e-6)
    assert total == pytest.approx(losses(nodes, near)[0], abs=1e-6)
    assert total[0] == pytest.approx(y.var() * 8)
    assert place.tolist() == losses(nodes, near)[1].tolist()


def test_examples_run() -> None:
    assert doctest.testmod(subtrees).failed == 0
