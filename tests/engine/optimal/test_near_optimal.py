"""The near trees of depth 2 against a list of all trees in plain Python.

Glossary
    slow     every tree from the definition: each root cut, each cut or none below it on each side
    kind     the features of the root cut and of the cuts on its left and right, -1 for none
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import data, rules_for
from test_depth2 import XOR, line, noisy, plane, slow_sides, slow_spread

import dtviz
from dtviz import Rules
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset
from dtviz.engine.optimal import depth2
from dtviz.engine.optimal import depth2 as near
from dtviz.engine.optimal.depth2 import NearOptimalTrees, best_of_depth_2, near_optimal_trees
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules, minimum_of
from dtviz.engine.splits import feature_of
from dtviz.engine.tree import Grow, Log, fold


def search(found: Dataset, rules: Rules | None = None) -> NearOptimalTrees:
    return run_to_end(near_optimal_trees(Problem(found, rules or default_rules(found.task))))


def slow_trees(found: Dataset, rules: Rules) -> list[tuple[tuple[int, int, int], float, int]]:
    """(kind, loss, rows on the root's left) of every tree whose lower cuts gain something."""
    y, least = found.y.tolist(), minimum_of(rules, found)

    def spread(rows: list[int]) -> float:
        return slow_spread(rules.criterion, [y[row] for row in rows])

    room = 1e-9 * spread([*range(found.n)])

    def below(rows: list[int]) -> list[tuple[int, float]]:
        """(feature, loss) of every way to go on."""
        whole = spread(rows)
        cuts = [
            (one, math.fsum([spread(left), spread(right)]))
            for one, left, right in slow_sides(found, rows, least)
        ]
        return [(-1, whole), *((one, loss) for one, loss in cuts if loss < whole - room)]

    return [
        ((root, one, other), loss + rest, len(left))
        for root, left, right in slow_sides(found, [*range(found.n)], least)
        for one, loss in below(left)
        for other, rest in below(right)
    ]


def slow_near(found: Dataset, rules: Rules) -> dict[tuple[int, int, int], tuple[int, float]]:
    """How many near trees each kind has, and the least loss among them."""
    trees = slow_trees(found, rules)
    whole = slow_spread(rules.criterion, found.y.tolist())
    most = max((whole - loss for _, loss, _ in trees), default=0.0)
    if most <= 1e-9 * whole:
        return {}
    some = [(kind, loss) for kind, loss, _ in trees if whole - loss >= 0.99 * most - 1e-9 * whole]
    many = Counter(kind for kind, _ in some)
    return {kind: (many[kind], min(loss for own, loss in some if own == kind)) for kind in many}


def kind_of(log: Log) -> tuple[int, ...]:
    asked: dict[int, Any] = {move.node: feature_of(move.split.projection) for move in log}
    return tuple(asked.get(node, -1) for node in (1, 2, 3))


def decrease_of(found: Dataset, rules: Rules, log: Log) -> float:
    tree = fold(Problem(found, rules), log)
    leaves = [tree.nodes[leaf] for leaf in tree.rows]
    return tree.nodes[1].impurity - sum(leaf.n * leaf.impurity for leaf in leaves) / found.n


# --- what is near ---


@settings(max_examples=40, deadline=None)
@given(st.data(), data(max_rows=8), st.integers(1, 3))
def test_it_counts_and_ranks_a_list_of_all_trees(
    draw: st.DataObject, found: Dataset, k: int
) -> None:
    rules = draw.draw(rules_for(found.task, min_samples_leaf=k, leaf_model=None))
    own, slow = search(found, rules), slow_near(found, rules)
    scale = slow_spread(rules.criterion, found.y.tolist()) / found.n
    assert own.n_kinds == len(slow)
    assert own.n_trees == sum(many for many, _ in slow.values())
    for tree in own.trees:
        many, loss = slow[kind_of(tree.log)]
        assert tree.n_trees == many
        assert tree.decrease == pytest.approx(scale - loss / found.n, rel=0, abs=1e-9 * scale)
        assert decrease_of(found, rules, tree.log) == pytest.approx(
            tree.decrease, rel=0, abs=1e-9 * scale
        )
    told = [tree.decrease for tree in own.trees]
    assert all(one >= other - 1e-9 * scale for one, other in pairwise(told))
    kept = sorted((loss for _, loss in slow.values()))[: len(told)]
    assert told == pytest.approx([scale - loss / found.n for loss in kept], rel=0, abs=1e-9 * scale)


@given(st.data(), data(max_rows=20))
def test_the_first_is_the_best_of_depth_2(draw: st.DataObject, found: Dataset) -> None:
    rules = draw.draw(rules_for(found.task))
    own, log = search(found, rules), run_to_end(best_of_depth_2(Problem(found, rules)))
    assert (own.trees[0].log if own.trees else ()) == log


def test_xor_is_cut_along_either_feature_first() -> None:
    near_xor = search(XOR)
    assert [kind_of(tree.log) for tree in near_xor.trees] == [(0, 1, 1), (1, 0, 0)]
    assert [(tree.decrease, tree.n_trees) for tree in near_xor.trees] == [(1, 1), (1, 1)]
    assert (near_xor.n_kinds, near_xor.n_trees) == (2, 2)


def test_of_equal_kinds_the_one_with_the_fewest_splits_stands_first() -> None:
    # x1 needs two cuts for what x2 does in one
    trees = search(plane([0, 3, 1, 2], [0, 0, 1, 1], [0, 0, 1, 1])).trees
    assert len(trees[0].log) == 1
    assert all(len(tree.log) > 1 for tree in trees[1:])
    assert len({round(tree.decrease, 9) for tree in trees}) == 1


def test_a_side_that_no_cut_helps_stays_a_leaf() -> None:
    found = line([1, 2, 3, 4, 5], [0.3, 0.3, 0.3, 5, 6])
    trees = search(found).trees
    assert kind_of(trees[0].log) == (0, -1, 0)
    assert all(isinstance(move, Grow) for tree in trees for move in tree.log)


def test_the_ends_are_the_first_and_last_root_cuts_of_the_near_trees() -> None:
    for seed in [3, 4, 6]:
        found, rules = noisy(seed, 20, 2, 2), Rules("gini", min_samples_leaf=4)
        trees = slow_trees(found, rules)
        whole = slow_spread("gini", found.y.tolist())
        limit = 0.99 * max(whole - loss for _, loss, _ in trees) - 1e-9
        told = search(found, rules)
        for tree in told.trees:
            kind = kind_of(tree.log)
            left = [size for own, loss, size in trees if own == kind and whole - loss >= limit]
            column = found.columns[kind[0]]
            ends = [int((column <= split.threshold).sum()) for split in tree.extreme_roots]
            assert ends == [min(left), max(left)], seed


def test_categories_and_gaps_are_counted_as_the_search_for_the_best_does() -> None:
    for seed in (0, 1, 2, 7):
        rng = np.random.default_rng(seed)
        n, number = 50, seed % 4 == 3
        table = pd.DataFrame({"a": rng.normal(size=n).round(1), "b": rng.choice(list("uvwxyz"), n)})
        table.loc[rng.random(n) < 0.2, "a"] = np.nan
        table.loc[rng.random(n) < 0.1, "b"] = None
        y = table.b.isin(list("uvw")) ^ (table.a > 0) ^ (rng.random(n) < 0.2)
        table["y"] = y + rng.normal(size=n) if number else y.map({True: "yes", False: "no"})
        found = dtviz.from_frame(table, target="y")
        rules = Rules("squared_error" if number else "gini", min_samples_leaf=1 + seed % 3)
        told = search(found, rules)
        assert told.trees[0].log == run_to_end(best_of_depth_2(Problem(found, rules))), seed
        for tree in told.trees:
            assert decrease_of(found, rules, tree.log) == pytest.approx(tree.decrease, abs=1e-9)


def test_none_is_near_where_none_gains_anything() -> None:
    for found in [plane([1], [2], [0]), plane([1, 2], [1, 2], [1, 1]), line([7, 7, 7], [1, 2, 3])]:
        assert search(found) == NearOptimalTrees((), 0, 0), found


# --- the work ---


def test_the_size_of_batches_does_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ["entropy", "error", "squared_error"]:
        with monkeypatch.context() as patch:
            found = noisy(4, 60, 3, 0 if name == "squared_error" else 2, offset=1e8)
            told = set()
            for size in (1, 777, 10**9):
                for module in (depth2, near):
                    patch.setattr(module, "WORK_PER_BATCH", size)
                told.add(repr(search(found, Rules(criterion=name))))
            assert len(told) == 1, name


def test_the_shares_ascend_to_1(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (depth2, near):
        monkeypatch.setattr(module, "WORK_PER_BATCH", 1)
    shares = [*near_optimal_trees(Problem(noisy(0, 40, 2, 2), Rules()))]
    assert len(shares) > 5
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert [*near_optimal_trees(Problem(plane([1], [2], [0]), Rules()))][-1] == 1


def test_roots_below_the_limit_are_not_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    sides = near.frontier_of_sides
    monkeypatch.setattr(
        near, "frontier_of_sides", lambda *given: made.append(len(given[1])) or sides(*given)
    )
    moons = dtviz.load("moons", n=600)
    assert search(moons, Rules("gini")).n_trees > 1
    assert sum(made) < 100 < sum(len(set(column.tolist())) for column in moons.columns)


def test_only_so_many_are_kept_but_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    found = dtviz.load("blobs")
    every = search(found)
    assert every.n_trees > every.n_kinds > 2
    monkeypatch.setattr(near, "MAX_TREES_KEPT", 2)
    some = search(found)
    assert some == NearOptimalTrees(every.trees[:2], every.n_kinds, every.n_trees)


def test_too_many_kinds_are_given_up_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "MAX_KINDS", 1)
    with pytest.raises(ValueError, match=r"more than 1 choices of features .* take fewer features"):
        search(XOR)


def test_too_much_work_names_what_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (depth2, near):
        monkeypatch.setattr(module, "WORK_PER_BATCH", 1)
    monkeypatch.setattr(depth2, "MAX_WORK", 100)
    with pytest.raises(ValueError, match=r"^what comes within 1% of the best pair of levels on 40"):
        search(noisy(0, 40, 2, 2))
