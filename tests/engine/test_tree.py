"""A tree is the fold of its moves: rows, boxes and paths agree, and bad moves are named."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cases import RPART_TREBLE, data_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import grown

from dtviz import Collapse, Grow, LogError, Rules, axis_split
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine import tree as engine_tree
from dtviz.engine.grow import finish
from dtviz.engine.problem import Problem
from dtviz.engine.tree import (
    Log,
    Tree,
    ancestors,
    apply,
    class_shares,
    decision_path,
    depth,
    extend,
    fold,
    height,
    is_in_subtree,
    leaf_ids,
    prediction,
    preorder_key,
    region,
    regions,
    replay,
    root_tree,
    rows_in,
    split_gain,
)

LINE = make_dataset([np.arange(4.0)], np.array([0, 0, 1, 1]), ["x"], "y", "ab")
GINI = Rules("gini")
Case = tuple[Dataset, Rules, Log, Tree]


def same(one: Tree, other: Tree) -> None:
    """Assert that two trees are the same in all they know; means and variances to the last bits,
    which depend on the order in which rows are added up.
    """
    assert one.nodes.keys() == other.nodes.keys()
    for k, node in one.nodes.items():
        twin = other.nodes[k]
        assert (node.n, node.counts, node.pure) == (twin.n, twin.counts, twin.pure)
        assert (node.value, node.impurity) == pytest.approx(
            (twin.value, twin.impurity), rel=1e-12, abs=1e-12
        )
    assert one.splits == other.splits
    assert one.threshold_neighbours == other.threshold_neighbours
    assert one.pruned == other.pruned
    assert {k: sorted(v.tolist()) for k, v in one.rows.items()} == {
        k: sorted(v.tolist()) for k, v in other.rows.items()
    }


@given(grown())
def test_the_leaves_part_the_rows(case: Case) -> None:
    found, _, _, tree = case
    parts = [row for leaf in tree.rows for row in tree.rows[leaf].tolist()]
    assert sorted(parts) == list(range(found.n))
    assert all(tree.nodes[leaf].n == len(rows) > 0 for leaf, rows in tree.rows.items())
    assert set(tree.nodes) == set(tree.rows) | set(tree.splits)
    for node in tree.splits:
        children = tree.nodes[2 * node].n, tree.nodes[2 * node + 1].n
        assert sum(children) == tree.nodes[node].n
        assert sorted(rows_in(tree, node).tolist()) == rows_in(tree, node).tolist()


@given(grown())
def test_a_box_holds_exactly_its_rows(case: Case) -> None:
    found, _, _, tree = case
    for node in tree.nodes:
        box = region(found, tree, node)
        inside = np.ones(found.n, bool)
        for f in range(len(found.features)):
            x = found.columns[f]
            inside &= (box.lower[f] < x) & (x <= box.upper[f])
        assert np.flatnonzero(inside).tolist() == rows_in(tree, node).tolist()
        assert box.value == tree.nodes[node].value


@given(grown(), st.integers(1, 9), st.sampled_from([0.01, 0.5, 1.0]))
def test_apply_path_and_regions_agree(case: Case, block: int, share: float) -> None:
    found, _, _, tree = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_tree, "ROWS_PER_BLOCK", block)
        patch.setattr(engine_tree, "MIN_INNER_SHARE", share)
        ids, place = apply(tree, found.columns)
    assert ids == tuple(sorted(tree.nodes))
    assert leaf_ids(tree) == [box.node for box in regions(found, tree)]
    for row in range(found.n):
        leaf = ids[place[row]]
        assert row in tree.rows[leaf]
        passed = decision_path(tree, found.columns[:, row])
        assert passed == [*ancestors(leaf), leaf]


@given(grown())
def test_a_prefix_and_one_more_move_is_the_longer_prefix(case: Case) -> None:
    found, rules, log, tree = case
    problem = Problem(found, rules)
    for k in range(len(log)):
        before = fold(problem, log[:k])
        kept = fold(problem, log[:k])
        same(extend(problem, before, log[k]), fold(problem, log[: k + 1]))
        same(before, kept)  # the tree given is left as it was
    same(fold(problem, log), tree)


@given(grown(), st.data())
def test_collapse_then_grow_is_as_before(case: Case, drawn: st.DataObject) -> None:
    found, rules, _, tree = case
    if not tree.splits:
        return
    node = drawn.draw(st.sampled_from(sorted(tree.splits)))
    problem = Problem(found, rules)
    bare = extend(problem, tree, Collapse(node))
    assert node in bare.rows
    assert node in bare.pruned
    assert bare.rows[node].tolist() == rows_in(tree, node).tolist()
    assert bare.nodes[node] == tree.nodes[node]
    assert not [k for k in bare.nodes if k != node and is_in_subtree(k, node)]
    again = extend(problem, bare, Grow(node, tree.splits[node]))
    assert node not in again.pruned
    assert again.nodes[2 * node] == tree.nodes[2 * node]
    assert again.threshold_neighbours[node] == tree.threshold_neighbours[node]


def test_an_impossible_move_is_named_with_its_place() -> None:
    problem = Problem(LINE, GINI)
    for move, message in [
        (Grow(2, axis_split(0, 1.5)), "node 2 is no leaf"),
        (Grow(0, axis_split(0, 1.5)), "node 0 is no leaf"),
        (Grow(-1, axis_split(0, 1.5)), "node -1 is no leaf"),
        (Grow(1, axis_split(1, 1.5)), "feature 1 does not exist; there are 1"),
        (Grow(1, axis_split(-1, 1.5)), "feature -1 does not exist"),
        (Grow(1, axis_split(0, -1)), "node 1 leaves one side empty"),
        (Grow(1, axis_split(0, 3)), "node 1 leaves one side empty"),
        (Grow(1, axis_split(0, math.nan)), "node 1 leaves one side empty"),
        (Grow(1, axis_split(0, math.inf)), "node 1 leaves one side empty"),
        (Collapse(1), "node 1 has no split"),
        (Collapse(7), "node 7 has no split"),
    ]:
        with pytest.raises(LogError, match=message) as caught:
            fold(problem, (move,))
        assert caught.value.index == 0, (move, message)
        first: Log = (Grow(1, axis_split(0, 0.5)), Collapse(1))
        with pytest.raises(LogError, match=message) as caught:
            fold(problem, (*first, move))
        assert caught.value.index == 2, (move, message)


def test_a_failed_move_leaves_the_tree_as_it_was() -> None:
    problem = Problem(LINE, GINI)
    tree = root_tree(problem)
    with pytest.raises(LogError):
        extend(problem, tree, Grow(1, axis_split(0, 9)))
    same(tree, root_tree(problem))


def test_own_thresholds_need_not_be_half_way() -> None:
    tree = fold(Problem(LINE, GINI), (Grow(1, axis_split(0, 1.0)),))
    assert tree.threshold_neighbours[1] == (1.0, 2.0)
    assert tree.rows[2].tolist() == [0, 1]
    assert tree.splits[1].threshold == 1.0


def test_ids_are_arithmetic() -> None:
    assert [depth(k) for k in (1, 2, 3, 4, 2**200)] == [0, 1, 1, 2, 200]
    assert ancestors(13) == [1, 3, 6]
    assert ancestors(1) == []
    assert sorted([7, 6, 3, 5, 4, 2, 1], key=preorder_key) == [1, 2, 4, 5, 3, 6, 7]
    assert is_in_subtree(13, 3)
    assert is_in_subtree(3, 3)
    assert not is_in_subtree(3, 6)
    assert not is_in_subtree(13, 2)


@given(st.integers(1, 2**80), st.integers(1, 2**80))
def test_preorder_meets_a_node_before_all_below_it(one: int, other: int) -> None:
    assert preorder_key(one) < preorder_key(2 * one) < preorder_key(2 * one + 1)
    if preorder_key(one) < preorder_key(other) and not is_in_subtree(other, one):
        assert preorder_key(2 * one + 1) < preorder_key(other)


def test_a_chain_of_two_hundred_rows() -> None:
    # the tip of each interval is split off: depth far beyond 63 bits
    n = 200
    found = make_dataset([np.arange(n)], np.arange(n) % 2, ["x"], "y", "ab")
    log: Log = tuple(Grow(2**k, axis_split(0, n - k - 1.5)) for k in range(n - 1))
    problem = Problem(found, GINI)
    tree = fold(problem, log)
    assert height(tree) == n - 1
    assert len(tree.rows) == n
    ids, place = apply(tree, found.columns)
    assert [ids[p] for p in place] == [2 ** (n - 1)] + [2 ** (n - k) + 1 for k in range(1, n)]
    assert len(decision_path(tree, np.array([0.0]))) == n
    boxes = regions(found, tree)
    assert [box.upper[0] for box in boxes[:-1]] == [k + 0.5 for k in range(n - 1)]
    bare = extend(problem, tree, Collapse(1))
    assert bare.rows[1].tolist() == list(range(n))


# x = 0 ... 5, cut at 2.5; then at 0.5 and 1.5 on the left, at 3.5 on the right
SIX = make_dataset([np.arange(6.0)], np.array([0, 1, 0, 1, 0, 1]), ["x"], "y", "ab")
SIX_LOG: Log = (
    Grow(1, axis_split(0, 2.5)),
    Grow(2, axis_split(0, 0.5)),
    Grow(5, axis_split(0, 1.5)),
    Grow(3, axis_split(0, 3.5)),
)


def test_a_collapse_inside_a_collapse_by_hand() -> None:
    problem = Problem(SIX, GINI)
    inner = fold(problem, (*SIX_LOG, Collapse(5)))
    assert sorted(inner.splits) == [1, 2, 3]
    assert inner.pruned == {5}
    assert inner.rows[5].tolist() == [1, 2]
    outer = extend(problem, inner, Collapse(2))
    assert sorted(outer.splits) == [1, 3]
    assert outer.pruned == {2}  # 5 is no node any more
    assert outer.rows[2].tolist() == [0, 1, 2]
    assert sorted(outer.nodes) == [1, 2, 3, 6, 7]
    assert sorted(outer.threshold_neighbours) == [1, 3]
    at_once = fold(problem, (*SIX_LOG, Collapse(2)))
    same(outer, at_once)
    both = fold(problem, (*SIX_LOG, Collapse(3), Collapse(5)))
    assert both.pruned == {3, 5}
    assert fold(problem, (*SIX_LOG, Collapse(3), Collapse(5), Collapse(1))).pruned == {1}


def test_what_has_no_split_any_more_cannot_be_collapsed() -> None:
    problem = Problem(SIX, GINI)
    for after, node in [((Collapse(2),), 5), ((Collapse(2),), 2), ((), 4), ((Collapse(1),), 3)]:
        log = (*SIX_LOG, *after, Collapse(node))
        with pytest.raises(LogError, match=f"node {node} has no split") as caught:
            fold(problem, log)
        assert caught.value.index == len(log) - 1, (after, node)
        tree, error = replay(problem, root_tree(problem), log)
        same(tree, fold(problem, log[:-1]))
        assert error is not None, (after, node)
        assert error.index == len(log) - 1, (after, node)


def test_treble_s_preorder_sums_of_squares() -> None:
    found = data_of(RPART_TREBLE, "regression")
    rules = Rules("squared_error", min_samples_split=4)
    tree = finish(Problem(found, rules), root_tree(Problem(found, Rules("squared_error"))))[1]
    sums = [tree.nodes[k].n * tree.nodes[k].impurity for k in sorted(tree.nodes, key=preorder_key)]
    assert sums == pytest.approx(RPART_TREBLE["preorder_sum_of_squares"])
    assert tree.splits == {1: axis_split(0, 5.5), 2: axis_split(0, 3.5), 3: axis_split(0, 7.5)}
    assert split_gain(tree, 1) / tree.nodes[1].impurity == pytest.approx(0.757576, abs=5e-7)


def test_a_prediction_is_a_class_or_the_mean() -> None:
    tree = fold(Problem(LINE, GINI), (Grow(1, axis_split(0, 2.5)),))
    assert [prediction(LINE, tree.nodes[k]) for k in (1, 2, 3)] == ["a", "a", "b"]
    assert class_shares(tree.nodes[2]) == (2 / 3, 1 / 3)
    numbers = make_dataset([np.arange(2.0)], np.array([1.0, 2.0]), ["x"], "y")
    assert prediction(numbers, root_tree(Problem(numbers, Rules("squared_error"))).nodes[1]) == 1.5


def test_an_id_too_long_to_print_is_refused_in_words() -> None:
    for move in [Grow(10**5000, axis_split(0, 1)), Collapse(10**5000)]:
        with pytest.raises(LogError, match="node a huge or broken int"):
            fold(Problem(LINE, GINI), (move,))
