"""The formulas for looks against searches in plain Python that count each look as they make it.

Glossary
    search    grows a whole tree in its own way by Gini, and counts; all of them grow the same tree
    meter     a list with one number: the looks so far
    order     the rows of a node sorted by one feature
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtviz
from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.complexity import (
    SEARCH_METHODS,
    halving_splits,
    one_row_splits,
    sort_looks,
    split_sizes,
)
from dtviz.engine.tree import Tree

Rows = list[int]
Cut = tuple[int, float]  # feature, threshold
Splits = dict[int, Cut]
Search = Callable[[Dataset, list[int]], Splits]


def distinct(seed: int, n: int, m: int, classes: int = 2) -> Dataset:
    """Rows whose values are all different on each feature."""
    rng = np.random.default_rng(seed)
    columns = np.array([rng.permutation(n).astype(float) for _ in range(m)])
    names = [f"x{j}" for j in range(m)]
    return make_dataset(columns, rng.integers(0, classes, n), names, "y", "abc"[:classes])


def spread(counts: Sequence[int]) -> float:
    """Rows times Gini impurity."""
    n = sum(counts)
    return n - sum(c * c for c in counts) / n if n else 0.0


def best_of(found: list[tuple[float, Cut]]) -> Cut:
    """The cut of the least spread; equal ones but for rounding go to the first."""
    least = min(loss for loss, _ in found)
    return next(cut for loss, cut in found if loss <= least + 1e-9)


def is_pure(data: Dataset, rows: Rows) -> bool:
    return len({int(data.y[row]) for row in rows}) < 2


def counts_of(data: Dataset, rows: Rows) -> list[int]:
    return [sum(int(data.y[row]) == k for row in rows) for k in range(len(data.classes))]


def merge_sort(data: Dataset, rows: Rows, feature: int, meter: list[int]) -> Rows:
    if len(rows) < 2:
        return rows
    half = len(rows) // 2
    left = merge_sort(data, rows[:half], feature, meter)
    right = merge_sort(data, rows[half:], feature, meter)
    out = []
    column = data.columns[feature]
    while left or right:
        meter[0] += 1  # a row is put in its place
        first = bool(left) and (not right or column[left[0]] <= column[right[0]])
        out.append((left if first else right).pop(0))
    return out


def passed(data: Dataset, order: Rows, feature: int, meter: list[int]) -> list[tuple[float, Cut]]:
    """The cuts along an order, by moving one row after the other to the left."""
    right, left = counts_of(data, order), [0] * len(data.classes)
    column, found = data.columns[feature], []
    for k, row in enumerate(order):
        meter[0] += 1  # its row is added to the left side
        left[int(data.y[row])] += 1
        right[int(data.y[row])] -= 1
        if k + 1 < len(order):
            middle = (column[row] + column[order[k + 1]]) / 2
            found.append((spread(left) + spread(right), (feature, middle)))
    return found


def sent(data: Dataset, rows: Rows, cut: Cut, meter: list[int]) -> tuple[Rows, Rows]:
    left, right = [], []
    for row in rows:
        meter[0] += 1  # its row is sent to a child
        (left if data.columns[cut[0]][row] <= cut[1] else right).append(row)
    return left, right


def node_by_node(data: Dataset, orders: list[Rows], cuts_of: Any, meter: list[int]) -> Splits:
    """Each node is searched by itself, and each of its orders of rows is sent to both children."""
    splits: Splits = {}
    waiting = [(1, orders)]
    while waiting:
        node, here = waiting.pop()
        if not is_pure(data, here[0]):
            splits[node] = best_of([*cuts_of(here)])
            both = [sent(data, order, splits[node], meter) for order in here]
            waiting += [(2 * node + side, [pair[side] for pair in both]) for side in (0, 1)]
    return splits


def naive(data: Dataset, meter: list[int]) -> Splits:
    def cuts_of(orders: list[Rows]) -> Iterator[tuple[float, Cut]]:
        for feature, column in enumerate(data.columns):
            for low, high in pairwise(sorted(column[row] for row in orders[0])):
                left, right = [0] * len(data.classes), [0] * len(data.classes)
                for row in orders[0]:
                    meter[0] += 1  # its value is compared with the threshold
                    side = left if column[row] <= (low + high) / 2 else right
                    side[int(data.y[row])] += 1
                yield spread(left) + spread(right), (feature, (low + high) / 2)

    return node_by_node(data, [[*range(data.n)]], cuts_of, meter)


def sorted_at_each_node(data: Dataset, meter: list[int]) -> Splits:
    def cuts_of(orders: list[Rows]) -> Iterator[tuple[float, Cut]]:
        for feature in range(len(data.columns)):
            yield from passed(data, merge_sort(data, orders[0], feature, meter), feature, meter)

    return node_by_node(data, [[*range(data.n)]], cuts_of, meter)


def presorted(data: Dataset, meter: list[int]) -> Splits:
    def cuts_of(orders: list[Rows]) -> Iterator[tuple[float, Cut]]:
        for feature, order in enumerate(orders):
            yield from passed(data, order, feature, meter)

    orders = [merge_sort(data, [*range(data.n)], one, meter) for one in range(len(data.columns))]
    return node_by_node(data, orders, cuts_of, meter)


def level_wise(data: Dataset, meter: list[int]) -> Splits:
    splits: Splits = {}
    features = range(len(data.columns))
    orders = [merge_sort(data, [*range(data.n)], one, meter) for one in features]
    node_of = [1] * data.n
    while True:
        nodes = {
            node: [row for row in range(data.n) if node_of[row] == node] for node in {*node_of}
        }
        going = [node for node, rows in nodes.items() if not is_pure(data, rows)]
        if not going:
            return splits
        found: dict[int, list[tuple[float, Cut]]] = {node: [] for node in going}
        for one in features:
            last = dict.fromkeys(going, -1)
            left = {node: [0] * len(data.classes) for node in going}
            for row in orders[one]:
                meter[0] += 1  # its row is added to the left side of its node
                node = node_of[row]
                if node not in found:
                    continue
                if last[node] >= 0:
                    right = [
                        all_ - part
                        for all_, part in zip(counts_of(data, nodes[node]), left[node], strict=True)
                    ]
                    middle = (data.columns[one][last[node]] + data.columns[one][row]) / 2
                    found[node].append((spread(left[node]) + spread(right), (one, middle)))
                left[node][int(data.y[row])] += 1
                last[node] = row
        splits |= {node: best_of(cuts) for node, cuts in found.items()}
        for row in range(data.n):
            meter[0] += 1  # its row is sent to a child, if its node has any
            node = node_of[row]
            if node in found:
                feature, threshold = splits[node]
                node_of[row] = 2 * node + int(data.columns[feature][row] > threshold)


SEARCHES: dict[str, Search] = {
    "naive": naive,
    "sorted at each node": sorted_at_each_node,
    "presorted": presorted,
    "level-wise": level_wise,
}


def grown(data: Dataset) -> Tree:
    return dtviz.fit(data, Rules("gini")).tree


def splits_of(tree: Tree) -> Splits:
    return {
        node: (split.projection.feature, split.threshold) for node, split in tree.splits.items()
    }


def test_a_search_that_counts_makes_as_many_looks_as_the_formula_says() -> None:
    for data, way in product(
        [distinct(0, 23, 2), distinct(1, 40, 3, 3), distinct(2, 16, 1), distinct(3, 2, 2)],
        SEARCH_METHODS,
    ):
        tree, meter = grown(data), [0]
        assert SEARCHES[way.name](data, meter) == splits_of(tree), (way, data)
        assert way.looks(split_sizes(tree), len(data.features)) == meter[0], (way, data)


def test_every_way_has_a_search_that_counts() -> None:
    assert [way.name for way in SEARCH_METHODS] == [*SEARCHES]


def test_a_chain_costs_what_the_searches_count() -> None:
    for way in SEARCH_METHODS:
        # where each row is a class of its own all cuts tie, and the first parts one row
        data = make_dataset([[float(k) for k in range(8)]], np.arange(8), ["x"], "y", "abcdefgh")
        meter = [0]
        assert SEARCHES[way.name](data, meter) == splits_of(grown(data)), way
        assert way.looks(one_row_splits(8), 1) == meter[0], way


@given(st.integers(0, 600))
def test_sorting_by_merging_puts_so_many_rows_in_place(n: int) -> None:
    meter = [0]
    found = distinct(n, max(n, 1), 1)
    merge_sort(found, [*range(n)], 0, meter)
    assert sort_looks(n) == meter[0]


def slow_sizes(n: int, parts: Callable[[int], int]) -> list[tuple[int, int]]:
    """(rows, depth) of each split node where s rows are parted into parts(s) and the rest."""
    out, waiting = [], [(n, 0)]
    while waiting:
        s, at = waiting.pop()
        if s > 1:
            out.append((s, at))
            waiting += [(parts(s), at + 1), (s - parts(s), at + 1)]
    return out


def test_balanced_trees_and_chains_have_these_nodes() -> None:
    for (made, parts), n in product(
        [(halving_splits, lambda s: s // 2), (one_row_splits, lambda s: 1)],
        [0, 1, 2, 3, 7, 8, 100, 129],
    ):
        shape, nodes = made(n), slow_sizes(n, parts)
        assert shape.n_rows == n, (n, made, parts)
        assert shape.n_levels == max((at + 1 for _, at in nodes), default=0), (n, made, parts)
        assert shape.sum_of_sizes == sum(s for s, _ in nodes), (n, made, parts)
        assert shape.sum_of_pairs == sum(s * (s - 1) for s, _ in nodes), (n, made, parts)
        assert shape.sum_of_sort_looks == sum(sort_looks(s) for s, _ in nodes), (n, made, parts)


def test_the_root_alone_costs_no_more_than_its_sort() -> None:
    shape = split_sizes(grown(make_dataset([[1.0, 2.0]], np.array([0, 0]), ["x"], "y", "ab")))
    assert [way.looks(shape, 3) for way in SEARCH_METHODS] == [0, 0, 6, 6]


def test_halving_grows_as_n_log_n_and_a_chain_as_n_squared() -> None:
    presorted_way = SEARCH_METHODS[2]
    halved = [presorted_way.looks(halving_splits(1 << k), 1) / ((1 << k) * k) for k in (4, 10, 20)]
    chained = [presorted_way.looks(one_row_splits(1 << k), 1) / (1 << k) ** 2 for k in (10, 15, 20)]
    assert halved == pytest.approx([3, 3, 3])
    assert chained == pytest.approx([1, 1, 1], abs=0.02)


def test_a_multi_way_cut_is_one_split() -> None:
    rules = Rules(families=("multiway",))
    shape = split_sizes(dtviz.fit(dtviz.load("restaurant"), rules).tree)
    assert shape.n_levels == 4
    assert sorted(shape.size_ranges) == [(2, 2, 1), (4, 4, 1), (6, 6, 1), (12, 12, 1)]
