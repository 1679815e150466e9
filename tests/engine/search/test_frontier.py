"""Frontiers whose nodes share rows: many trees grown as one are each the tree grown alone.

Glossary
    bag        the row numbers a tree is grown on, any of them more than once
    grown      nodes and cuts of a tree by node id: what the frontier of each level said of them
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import criteria_of_any, data

from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.engine.criteria.criteria import CRITERIA, Criterion
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.search.best_split import best_cuts, divide
from dtviz.engine.search.evaluate import evaluate_frontier
from dtviz.engine.search.frontier import (
    children,
    children_of_entries,
    frontier,
    keep_first_ordering,
    keep_nodes,
)
from dtviz.engine.splits.split import Minimum

Key = tuple[int, int]
"""A tree and a node of it."""
Grown = dict[Key, tuple[Any, ...]]


def bags_of(n: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(
        st.lists(st.integers(0, n - 1), min_size=1, max_size=14), min_size=1, max_size=4
    )


def grow_together(found: Dataset, bags: list[list[int]], criterion: Criterion, leaf: int) -> Grown:
    """Every tree, level by level in one frontier: each node's rows, facts and cut."""
    keys: list[Key] = [(tree, 1) for tree in range(len(bags))]
    front = frontier(found, [np.array(bag) for bag in bags])
    out: Grown = {}
    while keys:
        known = compute_facts(found, keep_first_ordering(front), criterion)
        top = best_cuts(evaluate_frontier(found, front, criterion, Minimum(leaf)), front)
        splits = (top.cut >= 0) & ~known.pure
        for j, key in enumerate(keys):
            rows = front.rows[:, front.starts[j] : front.starts[j] + front.sizes[j]]
            assert {tuple(sorted(line)) for line in rows.tolist()} == {tuple(sorted(rows[0]))}
            ordered = np.take_along_axis(found.columns, rows, axis=1)
            assert (ordered[:, :-1] <= ordered[:, 1:]).all()
            cut = (int(top.line[j]), float(top.threshold[j])) if splits[j] else None
            node = (sorted(rows[0].tolist()), known.value[j], known.counts[j].tolist())
            out[key] = (*node, bool(known.pure[j]), cut)
        left = divide(found, front, top)
        child, sizes = children_of_entries(front, left)
        parents = [key for key, grows in zip(keys, splits, strict=True) if grows]
        keys = [(tree, 2 * node + side) for side in (0, 1) for tree, node in parents]
        front = children(front, child, sizes, np.concatenate([splits, splits]))
    return out


@given(data(10), st.data())
def test_trees_grown_together_are_those_grown_alone(found: Dataset, drawn: st.DataObject) -> None:
    bags = drawn.draw(bags_of(found.n))
    criterion = CRITERIA[drawn.draw(st.sampled_from(criteria_of_any(found.task)))]
    leaf = drawn.draw(st.integers(1, 2))
    together = grow_together(found, bags, criterion, leaf)
    for tree, bag in enumerate(bags):
        own = take_rows(found, np.array(bag))
        alone = grow_together(own, [list(range(len(bag)))], criterion, leaf)
        mine = {node: one for (of, node), one in together.items() if of == tree}
        assert mine.keys() == {node for _, node in alone}
        for (_, node), (rows, value, *rest) in alone.items():
            assert mine[node][0] == sorted(bag[row] for row in rows)
            assert mine[node][1] == pytest.approx(value, rel=1e-12, abs=1e-12)
            assert [*mine[node][2:]] == rest


@given(data(10), st.data())
def test_a_part_of_a_frontier_holds_its_rows_in_order(found: Dataset, drawn: st.DataObject) -> None:
    bags = [np.array(bag) for bag in drawn.draw(bags_of(found.n))]
    going = np.array(drawn.draw(st.lists(st.booleans(), min_size=len(bags), max_size=len(bags))))
    kept = keep_nodes(frontier(found, bags), going)
    chosen = [bag for bag, goes in zip(bags, going, strict=True) if goes]
    assert kept.sizes.tolist() == [len(bag) for bag in chosen]
    for j, bag in enumerate(chosen):
        rows = kept.rows[:, kept.starts[j] : kept.starts[j] + kept.sizes[j]]
        assert [sorted(line) for line in rows.tolist()] == [sorted(bag.tolist())] * len(rows)


def test_of_more_nodes_than_a_byte_can_number_each_holds_its_own_rows_in_order() -> None:
    rng = np.random.default_rng(0)
    found = make_dataset(
        rng.normal(size=(2, 900)), rng.integers(0, 2, 900), ("a", "b"), "y", ("u", "v")
    )
    groups = np.split(rng.permutation(900), 300)
    front = frontier(found, groups)
    for j, group in enumerate(groups):
        rows = front.rows[:, 3 * j : 3 * j + 3]
        assert [sorted(line) for line in rows.tolist()] == [sorted(group.tolist())] * 2
        assert (np.diff(np.take_along_axis(found.columns, rows, axis=1)) > 0).all()


def test_one_row_may_go_left_in_one_node_and_right_in_another() -> None:
    x = np.arange(4.0)
    found = make_dataset([x, -x], np.array([0, 0, 1, 1]), ["x", "-x"], "y", "ab")
    front = frontier(found, [np.array([0, 1, 2]), np.array([0, 2, 3, 3])])
    top = best_cuts(evaluate_frontier(found, front, CRITERIA["gini"]), front)
    assert top.threshold.tolist() == [1.5, 1.0]
    left = divide(found, front, top)
    child, sizes = children_of_entries(front, left)
    below = children(front, child, sizes, np.ones(4, np.bool_))
    assert below.sizes.tolist() == sizes.tolist() == [2, 1, 1, 3]
    assert below.rows.tolist() == [[0, 1, 0, 2, 2, 3, 3], [1, 0, 0, 2, 3, 3, 2]]


def test_rows_that_nobody_shares_need_no_numbers_of_their_own() -> None:
    found = make_dataset([np.arange(4.0)], np.array([0, 0, 1, 1]), ["x"], "y", "ab")
    assert frontier(found, [np.array([0, 3]), np.array([1])]).entries is None
    assert frontier(found, [np.array([0, 3]), np.array([3])]).entries is not None


def test_one_ordering_that_is_kept_keeps_no_other_alive() -> None:
    found = make_dataset([[1.0, 2.0], [4.0, 3.0]], np.array([0, 1]), ["a", "b"], "y", "AB")
    one = keep_first_ordering(frontier(found, [np.arange(2)]))
    assert one.rows.tolist() == [[0, 1]]
    assert one.rows.base is None
