"""One target far from all others: each comparison is as fine as what it compares.

Glossary
    far      plateaus near 3 with some noise, and one target at 999999
    cost     R + alpha |T|, of a subtree
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeRegressor
from strategies import data, rules_for

import dtviz
from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.prune import alpha_path, prune_at_alpha, reduced_error_links, weakest_links
from dtviz.engine.subtrees import (
    Nodes,
    connected_splits,
    losses,
    nodes_of,
    splits_kept_by_rules,
    subtree_leaves,
)
from dtviz.engine.tree import fold, is_in_subtree, rows_in

TABLES = ((0, 1), (1, 3), (2, 8), (3, 3))  # seeds, rows of a leaf


def far(seed: int, top: float = 999_999.0) -> Dataset:
    """Ten plateaus of ten rows; row 50 + 7 seed is far from all others."""
    random = np.random.default_rng(seed)
    steps = random.integers(-40, 40, 10).repeat(10) / 100
    y = 3 + steps + random.integers(-20, 20, 100) / 1000
    y[50 + 7 * seed] = top
    return make_dataset([np.arange(100.0)], y, ["x"], "y")


def theirs(found: Dataset, **limits: Any) -> DecisionTreeRegressor:
    return DecisionTreeRegressor(**limits).fit(found.columns.T, found.y)


def cuts_of(model: Any) -> list[float]:
    return sorted(float(at) for at in model.tree_.threshold if at != -2)


def ours(found: Dataset, **limits: Any) -> list[float]:
    tree = dtviz.fit(found, Rules("squared_error", **limits)).tree
    return sorted(split.threshold for split in tree.splits.values())


def test_pruned_as_scikit_learn_prunes() -> None:
    for (seed, size), alpha in product(TABLES, [0.05, 0.005, 0.0005]):
        found, limits = far(seed), {"min_samples_leaf": size, "ccp_alpha": alpha}
        assert ours(found, **limits) == cuts_of(theirs(found, **limits)), (alpha, seed, size)


def test_the_path_is_that_of_exact_arithmetic() -> None:
    for case in TABLES:
        seed, size = case
        found = far(seed)
        nodes = full_tree(Problem(found, Rules("squared_error", min_samples_leaf=size)))
        line, (steps, order) = alpha_path(nodes, nodes.is_split), exact_path(found, nodes)
        assert line.leaves.tolist() == [leaves for _, leaves in steps], case
        assert line.alphas == pytest.approx([float(alpha) for alpha, _ in steps], rel=1e-9), case
        assert [nodes.ids[link.index] for link in weakest_links(nodes, nodes.is_split)] == order, (
            case
        )


def exact_path(found: Dataset, nodes: Nodes) -> tuple[list[tuple[Fraction, int]], list[int]]:
    """The alphas of the path and their leaves, from targets of three decimals as fractions.

    And the links in their order, of equal ones the lowest id first.
    """
    y = [round(value * 1000) for value in found.y.tolist()]
    risk = {}
    for node in nodes.ids:
        own = [y[row] for row in rows_in(nodes.tree, node).tolist()]
        squares = len(own) * sum(one * one for one in own) - sum(own) ** 2
        risk[node] = Fraction(squares, len(own) * found.n * 1_000_000)
    splits, out, order = set(nodes.tree.splits), [(Fraction(0), len(nodes.tree.rows))], []

    @cache
    def under(node: int) -> tuple[Fraction, int]:
        if node not in splits:
            return risk[node], 1
        (left, many), (right, more) = under(2 * node), under(2 * node + 1)
        return left + right, many + more

    def alpha(node: int) -> Fraction:
        below, many = under(node)
        return (risk[node] - below) / (many - 1)

    while splits:
        least = min(map(alpha, splits))
        while weak := [node for node in sorted(splits) if alpha(node) <= least]:
            splits -= {node for node in splits if is_in_subtree(node, weak[0])}
            under.cache_clear()
            order.append(weak[0])
        out.append((least, len(splits) + 1))
    return out, order


def test_best_first_cuts_where_most_is_gained() -> None:
    for case in product(TABLES, [3, 6, 12]):
        (seed, size), leaves = case
        found, limits = far(seed), {"min_samples_leaf": size, "max_leaf_nodes": leaves}
        assert ours(found, order="best", **limits) == cuts_of(theirs(found, **limits)), case


def test_reduced_error_keeps_whatever_saves_a_little() -> None:
    for case in TABLES:
        seed, size = case
        # judged on the plateaus with other noise, without the leaf of the far row
        found = far(seed)
        nodes = full_tree(Problem(found, Rules("squared_error", min_samples_leaf=size)))
        leaf = losses(nodes, found)[1]
        near = take_rows(found, leaf != leaf[found.y.argmax()])
        noise = np.random.default_rng(seed + 50).integers(-20, 20, near.n) / 1000
        lost = losses(nodes, replace(near, y=near.y + noise))[0]
        left = nodes.is_split.copy()
        left[reduced_error_links(nodes, nodes.is_split, lost)] = False
        left = connected_splits(nodes, left)
        assert lost[subtree_leaves(nodes, left)].sum() == pytest.approx(
            least_loss(nodes, lost), rel=1e-9
        )
        assert left.sum() >= 5, case


def test_reduced_error_takes_back_what_saves_the_last_bits_of_a_mean() -> None:
    # 0.2 0.4 | 0.3 0.3: all means are 0.3, but one is 0.30000000000000004 in floats
    found = make_dataset([[0, 0, 1, 1]], np.array([0.2, 0.4, 0.3, 0.3]), ["x"], "y")
    log = (dtviz.Grow(1, dtviz.axis_split(0, 0.5)),)
    nodes = nodes_of(fold(Problem(found, Rules("squared_error")), log))
    held = make_dataset([[0, 1]], nodes.value[1:], ["x"], "y")
    assert reduced_error_links(nodes, nodes.is_split, losses(nodes, held)[0]) == [0]


def least_loss(nodes: Nodes, lost: Any) -> float:
    """What the best subtree loses."""
    best = lost.copy()
    for at in np.flatnonzero(nodes.is_split)[::-1]:
        best[at] = min(best[at], best[nodes.left[at]] + best[nodes.left[at] + 1])
    return float(best[0])


@given(data(16), st.data())
def test_the_tree_at_an_alpha_is_the_path_s(found: Dataset, drawn: st.DataObject) -> None:
    """At every alpha of the path, as `pruned` and as moves, with one value far away or none."""
    if not found.classes and drawn.draw(st.booleans()):
        found = make_dataset(found.columns, _one_far(found.y), found.features, "y")
    rules = drawn.draw(rules_for(found.task, ccp_alpha=0.0))
    nodes = full_tree(Problem(found, rules))
    stays = splits_kept_by_rules(nodes, rules)
    line = alpha_path(nodes, stays)
    for alpha, leaves, risk in zip(line.alphas, line.leaves, line.impurities, strict=True):
        left = prune_at_alpha(nodes, stays, float(alpha))
        assert left.sum() + 1 == leaves
        assert nodes.risk[subtree_leaves(nodes, left)].sum() == pytest.approx(
            risk, rel=1e-9, abs=1e-300
        )
        tree = dtviz.fit(found, replace(rules, ccp_alpha=float(alpha))).tree
        assert sorted(tree.splits) == [nodes.ids[at] for at in np.flatnonzero(left)]
    for low, high in pairwise(line.alphas.tolist()):
        middle = low + (high - low) / 2
        if middle < high * (1 - 1e-6):
            between = prune_at_alpha(nodes, stays, middle)
            assert between.tolist() == prune_at_alpha(nodes, stays, low).tolist() or low == 0


def _one_far(y: Any) -> Any:
    out = y.copy()
    out[len(y) // 2] = 1e6
    return out


@given(data(16), st.data())
def test_links_are_taken_back_the_weakest_first(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(rules_for(found.task))
    nodes = full_tree(Problem(found, rules))
    for link in weakest_links(nodes, nodes.is_split):
        assert link.lower_alpha <= link.alpha


def test_equal_links_go_together_far_from_others_too() -> None:
    # 0 0.1 0.3 and 5 5.1 5.3 part alike: first the 0.1 of both goes back, then the 0.3 of both
    y = np.array([0.0, 0.1, 0.3, 1e6, 5.0, 5.1, 5.3])
    found = make_dataset([np.arange(7.0)], y, ["x"], "y")
    nodes = full_tree(Problem(found, Rules("squared_error")))
    line = alpha_path(nodes, nodes.is_split)
    assert line.leaves.tolist() == [7, 5, 3, 1]
    assert line.alphas[1:3] == pytest.approx([0.005 / 7, (2 / 3 * 0.0625) / 7])


def test_a_link_that_lowers_no_risk_but_by_rounding_goes_at_any_alpha() -> None:
    for criterion, many in [("gini", 6), ("entropy", 1)]:
        # one class to two on either side: in floats the two sides are a little purer than the whole
        y = np.array([0, 1, 1] * many + [0, 1, 1] * (2 if criterion == "entropy" else 1))
        x = np.repeat([0, 1], [3 * many, len(y) - 3 * many])
        found = make_dataset([x], y, ["x"], "y", "ab")
        nodes = full_tree(Problem(found, Rules(criterion)))
        assert nodes.risk[0] > nodes.risk[1:].sum(), (criterion, many)
        assert alpha_path(nodes, nodes.is_split).alphas.tolist() == [0, 5e-324], (criterion, many)


TWINS = [
    ([1, 2, 2, 2, 2], [1, 1, 1, 0, 0], "gini", 0.08),
    ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [0, 1, 1, 1, 1, 1, 1, 1, 1, 0], "gini", 0.32 - 0.9 * 16 / 81),
    ([0, 1, 1, 1], [0.1, 0.4, 0.4, 0.4], "squared_error", 0.016875),
]


def test_a_gain_of_exactly_min_gain_is_enough() -> None:
    for x_y_criterion_gain in TWINS:
        x, y, criterion, gain = x_y_criterion_gain
        found = make_dataset([x], np.array(y), ["x"], "y", "ab" if criterion == "gini" else "")
        for least, split in ((gain, True), (gain * (1 + 1e-6), False)):
            rules = Rules(criterion, min_gain=least, max_depth=1)
            grown = dtviz.fit(found, rules)
            assert bool(grown.tree.splits) == split, x_y_criterion_gain
            assert bool(list(dtviz.steps(found, rules))) == split, x_y_criterion_gain
            nodes = full_tree(Problem(found, rules))
            assert bool(splits_kept_by_rules(nodes, rules).any()) == split, x_y_criterion_gain
