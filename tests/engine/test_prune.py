"""Pruning by weakest links and by held-out rows: by hand, by brute force, against scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from cases import IRIS_CCP, RPART_TREBLE, data_of
from grids import grids
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, between, data
from test_oracle import follow, make, oracle
from test_tree import same

import dtviz
from dtviz import Collapse, Grow, Rules, axis_split
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.engine.grow import finish, full_tree, moves
from dtviz.engine.problem import Problem
from dtviz.engine.prune import (
    PruningPath,
    alpha_path,
    prune_at_alpha,
    reduced_error_links,
    weakest_links,
)
from dtviz.engine.subtrees import (
    Nodes,
    connected_splits,
    losses,
    nodes_of,
    splits_kept_by_rules,
    subtree,
    subtree_leaves,
)
from dtviz.engine.tree import Log, extend, fold, replay, root_tree

XOR = make_dataset([[0, 0, 1, 1], [0, 1, 0, 1]], np.array([0, 1, 1, 0]), ["x1", "x2"], "y", "ab")
TREBLE = data_of(RPART_TREBLE, "regression")
NUMBERS = Rules("squared_error", min_samples_split=4)


def ids_in(nodes: Nodes, chosen: Any) -> list[int]:
    """The ids of a mask."""
    return [node for node, inside in zip(nodes.ids, chosen.tolist(), strict=True) if inside]


def paths(found: Dataset, rules: Rules) -> tuple[Nodes, Any, PruningPath]:
    """The whole tree, what the stop rules leave of it, and the path of that."""
    nodes = full_tree(Problem(found, rules))
    stays = splits_kept_by_rules(nodes, rules)
    return nodes, stays, alpha_path(nodes, stays)


def left_at(nodes: Nodes, stays: Any, alpha: float) -> set[int]:
    """The ids of the splits that are left at an alpha."""
    return set(ids_in(nodes, prune_at_alpha(nodes, stays, alpha)))


def all_subtrees(nodes: Nodes, stays: Any) -> Iterator[Any]:
    """Every mask that makes a subtree of the splits that stay, the root alone too."""

    def under(place: int) -> list[list[int]]:
        if not stays[place]:
            return [[]]
        left, right = under(int(nodes.left[place])), under(int(nodes.left[place]) + 1)
        return [[], *([place, *a, *b] for a in left for b in right)]

    for places in under(0):
        out = np.zeros(len(nodes.ids), bool)
        out[places] = True
        yield out


# --- the path, by hand ---


def test_the_path_of_treble_by_hand() -> None:
    # sums of squares: 82.5 at the root, 10 and 10 below it, 2 and 0.5 below each; ten rows.
    # alpha of 2 and of 3: 1.0 - 0.25 = 0.75, of the root: (8.25 - 0.5) / 3; then 8.25 - 2 = 6.25
    nodes, stays, found = paths(TREBLE, NUMBERS)
    assert ids_in(nodes, stays) == [1, 2, 3]
    assert [(nodes.ids[link.index], link.leaves) for link in weakest_links(nodes, stays)] == [
        (2, 3),
        (3, 2),
        (1, 1),
    ]
    assert [link.alpha for link in weakest_links(nodes, stays)] == pytest.approx([0.75, 0.75, 6.25])
    assert [link.risk for link in weakest_links(nodes, stays)] == pytest.approx([1.25, 2, 8.25])
    assert found.alphas == pytest.approx([0, 0.75, 6.25])
    assert found.impurities == pytest.approx([0.5, 2, 8.25])
    assert found.leaves.tolist() == [4, 2, 1]


def test_what_is_left_of_treble_by_hand() -> None:
    for case in [
        (0.0, {1, 2, 3}),
        (0.74, {1, 2, 3}),
        (0.75, {1}),
        (6.24, {1}),
        (6.25, set()),
        (99.0, set()),
    ]:
        alpha, left = case
        nodes, stays, _ = paths(TREBLE, NUMBERS)
        assert left_at(nodes, stays, alpha) == left, case
        assert set(dtviz.fit(TREBLE, replace(NUMBERS, ccp_alpha=alpha)).tree.splits) == left, case


def test_xor_goes_all_at_once() -> None:
    # the first cut of XOR gains nothing by itself: alpha of the root is 0.5 / 3, and 0.25 below it
    nodes, stays, found = paths(XOR, Rules("gini"))
    assert found.alphas == pytest.approx([0, 1 / 6])
    assert found.impurities.tolist() == [0, 0.5]
    assert found.leaves.tolist() == [4, 1]
    (link,) = weakest_links(nodes, stays)
    assert (nodes.ids[link.index], link.leaves) == (1, 1)
    log = dtviz.fit(XOR, Rules("gini", ccp_alpha=0.2)).log
    assert [type(move) for move in log] == [Grow, Grow, Grow, Collapse]
    assert log[-1] == Collapse(1)


USELESS = make_dataset([[0, 0, 0, 1, 1, 1]], np.array([0, 0, 0, 0, 0, 1]), ["x"], "y", "ab")


def test_a_split_that_lowers_no_risk_goes_at_any_alpha_but_0() -> None:
    # one row of six is wrong before the cut and after it
    rules = Rules("error")
    nodes, stays, found = paths(USELESS, rules)
    assert ids_in(nodes, stays) == [1]
    assert found.alphas.tolist() == [0, 5e-324]
    assert found.impurities == pytest.approx([1 / 6, 1 / 6])
    assert found.leaves.tolist() == [2, 1]
    assert left_at(nodes, stays, 0.0) == {1}
    for alpha in (5e-324, 1e-9, 0.5):
        assert left_at(nodes, stays, alpha) == set()
        assert dtviz.fit(USELESS, Rules("error", ccp_alpha=alpha)).log[-1] == Collapse(1)
    assert len(dtviz.fit(USELESS, rules).leaves) == 2


def test_the_path_of_a_root_alone() -> None:
    nodes = full_tree(Problem(USELESS, Rules("gini", min_samples_leaf=4)))
    found = alpha_path(nodes, nodes.is_split)
    assert (found.alphas.tolist(), found.leaves.tolist()) == ([0], [1])
    assert found.impurities == pytest.approx([10 / 36])
    assert reduced_error_links(nodes, nodes.is_split, losses(nodes, USELESS)[0]) == []


def test_the_path_of_iris() -> None:
    assert_their_path(dtviz.load("iris"), Rules("gini"))
    found = paths(dtviz.load("iris"), Rules("gini"))[2]
    assert found.alphas == pytest.approx(IRIS_CCP["ccp_alphas"], abs=5e-7)
    assert found.impurities == pytest.approx(IRIS_CCP["impurities"], abs=5e-7)
    assert found.leaves.tolist() == [9, 7, 5, 4, 3, 2, 1]


# --- the path, against scikit-learn ---


def assert_their_path(found: Dataset, rules: Rules) -> None:
    """scikit-learn's path, which starts at 0 and repeats an alpha once for each link that ties.

    Its first entry is the tree before any link is taken back, as ours is; of the others the last
    of equal alphas is the subtree for that alpha.
    """
    _, _, ours = paths(found, rules)
    theirs = oracle(found, rules).cost_complexity_pruning_path(found.columns.T, found.y)
    alphas, impurities = theirs.ccp_alphas, theirs.impurities
    room = 1e-12 * impurities[-1]
    last = np.append(np.diff(alphas) > room, True)
    last[0] = True
    assert ours.alphas == pytest.approx(alphas[last], rel=0, abs=room)
    assert ours.impurities == pytest.approx(impurities[last], rel=0, abs=room)


@grids
def test_scikit_learn_s_path(grid: Any) -> None:
    # runs of one class of uneven length along one feature: no ties (see test_oracle.py)
    for criterion, limits, kind, features in grid(
        ("gini", "entropy", "squared_error"),
        ({}, {"min_samples_leaf": 4}, {"max_depth": 4}),
        ("plain", "adjacent", "offset"),
        (1, 3),
    ):
        numbers, compared = criterion == "squared_error", 0
        rules = replace(Rules(criterion, **limits), min_samples_leaf=4 * features)
        for seed in range(30):
            found = make(seed, 80, features, 0 if numbers else 3, kind, 0.15 * (features > 1))
            if compared < 2 and follow(found, rules)[1] == 0:
                assert_their_path(found, rules)
                compared += 1
        assert compared == 2, (rules, kind)


# --- the path, against all subtrees ---


def assert_nested(nodes: Nodes, stays: Any, found: PruningPath) -> None:
    """The path as promised: it starts at the subtree given and ends at the root alone."""
    many = len(found.alphas)
    assert len(found.impurities) == len(found.leaves) == many
    assert found.alphas[0] == 0
    assert found.leaves[-1] == 1
    assert found.impurities[-1] == pytest.approx(float(nodes.risk[0]))
    assert all(a < b for a, b in pairwise(found.alphas.tolist()))
    assert all(a > b for a, b in pairwise(found.leaves.tolist()))
    room = 1e-9 * float(nodes.risk[0])
    assert all(a <= b + room for a, b in pairwise(found.impurities.tolist()))
    before = set(ids_in(nodes, stays))
    for alpha, risk, leaves in zip(found.alphas, found.impurities, found.leaves, strict=True):
        mask = prune_at_alpha(nodes, stays, float(alpha))
        assert connected_splits(nodes, mask).tolist() == mask.tolist()
        left, end = set(ids_in(nodes, mask)), subtree_leaves(nodes, mask)
        assert left < before or (alpha == 0 and left == before)
        assert (len(left) + 1, int(end.sum())) == (leaves, leaves)
        assert float(nodes.risk[end].sum()) == pytest.approx(risk, abs=room)
        before = left
    assert before == set()


@given(data(16), st.data())
def test_pruned_trees_are_nested(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(found))
    assert_nested(*paths(found, rules))


@given(data(10), st.data())
def test_no_subtree_costs_less_or_as_little_and_is_smaller(
    found: Dataset, drawn: st.DataObject
) -> None:
    rules = drawn.draw(any_rules(found, max_leaf_nodes=7))
    nodes, stays, line = paths(found, rules)
    assert stays.sum() <= 6
    every = list(all_subtrees(nodes, stays))
    risks = np.array([float(nodes.risk[subtree_leaves(nodes, mask)].sum()) for mask in every])
    leaves = np.array([int(mask.sum()) + 1 for mask in every])
    room = 1e-9 * float(nodes.risk[0])
    alphas = line.alphas.tolist()[1:]
    for alpha in (*alphas, *between(line.alphas.tolist()), 2 * line.alphas[-1] + room):
        mask = prune_at_alpha(nodes, stays, alpha)
        cost = float(nodes.risk[subtree_leaves(nodes, mask)].sum()) + alpha * (int(mask.sum()) + 1)
        costs = risks + alpha * leaves
        assert cost <= costs.min() + room
        for other, its in zip(every, costs.tolist(), strict=True):
            assert its > costs.min() + room or (mask <= other).all()


# --- as moves ---


def rest_of(found: Dataset, rules: Rules, log: Log) -> Log:
    """The automatic moves after a log."""
    problem = Problem(found, rules)
    return finish(problem, fold(problem, log))[0]


@settings(max_examples=15)
@given(data(14), st.data())
def test_growing_and_pruning_is_a_subtree_of_the_full(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(found))
    nodes, stays, _ = paths(found, rules)
    stays = prune_at_alpha(nodes, stays, rules.ccp_alpha)
    problem = Problem(found, rules)
    bare = root_tree(problem)
    log, tree = finish(problem, bare)
    assert set(tree.splits) == set(ids_in(nodes, stays))
    same(replace(subtree(nodes, stays), pruned=tree.pruned), tree)
    same(fold(problem, log), tree)
    one_log, one_tree = [], bare
    for move, after in moves(problem, bare):
        one_log.append(move)
        one_tree = after
    assert tuple(one_log) == log
    same(one_tree, tree)
    assert [type(move) for move in log] == sorted(
        (type(move) for move in log), key=lambda kind: kind is Collapse
    )


def test_the_future_from_any_prefix_of_a_larger_log() -> None:
    for order, most, classes in (("depth", None, 3), ("breadth", 12, 0), ("best", 12, 3)):
        found = make(2, 60, 2, classes)
        rules = Rules("gini" if classes else "squared_error", order=order, max_leaf_nodes=most)
        alphas = paths(found, rules)[2].alphas
        rules = replace(rules, ccp_alpha=float(alphas[-3 if most is None else -2]))
        log = rest_of(found, rules, ())
        prunes = sum(isinstance(move, Collapse) for move in log)
        assert prunes >= 3, order
        for made in {*range(0, len(log), 7), *range(len(log), len(log) - prunes, -3)}:
            assert rest_of(found, rules, log[:made]) == log[made:], (order, made)


@given(data(14), st.data())
def test_prunes_go_from_the_weakest_link_on(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(found))
    nodes, stays, _ = paths(found, rules)
    links = list(weakest_links(nodes, stays))
    expected = [Collapse(nodes.ids[link.index]) for link in links]
    log = rest_of(found, rules, ())
    prunes = [move for move in log if isinstance(move, Collapse)]
    assert prunes == expected[: len(prunes)]
    room = 1e-9 * float(nodes.risk[0])
    assert all(link.alpha <= rules.ccp_alpha + room for link in links[: len(prunes)])
    if rules.ccp_alpha:
        assert all(link.alpha > rules.ccp_alpha for link in links[len(prunes) :])
    else:
        assert prunes == []
    tree = fold(Problem(found, rules), log)
    assert tree.pruned <= set(tree.rows)


def test_a_split_of_your_own_is_pruned_like_any_other() -> None:
    own = Grow(1, axis_split(0, 9.5))  # parts one row of ten
    rules = replace(NUMBERS, ccp_alpha=1.0, max_depth=1)
    # y = 1 alone: 8.25 - 0.9 * 6.667 = 2.25, more than 1; at alpha 2.3 it goes
    assert rest_of(TREBLE, rules, (own,)) == ()
    assert rest_of(TREBLE, replace(rules, ccp_alpha=2.3), (own,)) == (Collapse(1),)


@pytest.mark.parametrize("n", [130, pytest.param(1_030, marks=pytest.mark.nightly)])
def test_a_chain_is_grown_collapsed_and_pruned(n: int) -> None:
    # the tip of each interval is split off: ids have n bits, more than a whole number or a float
    found = make_dataset([np.arange(n)[::-1]], np.arange(float(n)), ["x"], "y")
    rules = Rules("squared_error")
    log: Log = tuple(Grow(2**k, axis_split(0, n - k - 1.5)) for k in range(n - 1))
    problem = Problem(found, rules)
    tree = fold(problem, log)
    nodes = nodes_of(tree)
    line = alpha_path(nodes, nodes.is_split)
    assert (line.leaves[0], line.leaves[-1]) == (n, 1)
    half = float(line.alphas[len(line.alphas) // 2])
    prunes, after = finish(Problem(found, Rules("squared_error", ccp_alpha=half)), tree)
    assert set(after.splits) == left_at(nodes, nodes.is_split, half)
    assert len(prunes) == n // 2  # from the last of the chain up, one by one
    again, error = replay(problem, tree, prunes)
    assert error is None
    same(again, after)
    bare = extend(problem, tree, Collapse(1))
    assert bare.rows[1].tolist() == list(range(n))
    middle = extend(problem, tree, Collapse(2 ** (n // 2)))
    assert len(middle.splits) == n // 2
    assert middle.pruned == {2 ** (n // 2)}


# --- by held-out rows ---


def test_reduced_error_by_hand() -> None:
    # grown on a a a b | a b b b and cut at 3.5, 1.5, 5.5, 2.5; the held-out rows are all a left of
    # 3.5: its lower cuts can go; right of it 4, 5 are b and so 3 is better off without its cut
    y = np.array([0, 0, 0, 1, 0, 1, 1, 1])
    found = make_dataset([np.arange(8.0)], y, ["x"], "y", "ab")
    cuts = [(1, 3.5), (2, 1.5), (3, 5.5), (5, 2.5)]
    log = tuple(Grow(node, axis_split(0, at)) for node, at in cuts)
    nodes = nodes_of(fold(Problem(found, Rules("gini")), log))
    held = make_dataset([np.arange(8.0)], np.array([0, 0, 0, 0, 1, 1, 1, 1]), ["x"], "y", "ab")
    lost = losses(nodes, held)[0]
    # by id 1 2 3 4 5 6 7 10 11: 6 says a
    assert lost.tolist() == [4, 0, 0, 0, 0, 2, 0, 0, 1]
    places = reduced_error_links(nodes, nodes.is_split, lost)
    assert [nodes.ids[at] for at in places] == [3, 2]  # saves 2, then 1
    only = nodes.is_split.copy()
    only[nodes.ids.index(3)] = False
    assert [nodes.ids[at] for at in reduced_error_links(nodes, only, lost)] == [2]
    upside_down = take_rows(replace(held, y=1 - held.y), np.array([0, 7]))
    turned = losses(nodes, upside_down)[0]  # one row a class, both wrong below the root
    assert [nodes.ids[at] for at in reduced_error_links(nodes, nodes.is_split, turned)] == [1]


def test_a_link_is_taken_back_once_even_where_a_better_one_lies_below() -> None:
    # 2 goes as a whole: that 4 is worth its cut, and 8 below it is not, no longer matters
    x = np.arange(8.0)
    found = make_dataset([x], np.array([0, 1, 0, 1, 0, 1, 0, 1]), ["x"], "y", "ab")
    cuts = [(1, 6.5), (2, 4.5), (4, 2.5), (8, 0.5)]
    nodes = nodes_of(
        fold(
            Problem(found, Rules("gini")), tuple(Grow(node, axis_split(0, at)) for node, at in cuts)
        )
    )
    lost = dict.fromkeys(nodes.ids, 0.0)
    lost |= {1: 10.0, 2: 3.0, 4: 4.0, 5: 2.0, 8: 1.0, 9: 0.0, 16: 1.0, 17: 1.0, 3: 0.0}
    # 8: 1 <= 1 + 1 goes; 4: 4 > 1 + 0 stays; 2: 3 <= 1 + 2 goes; 1: 10 > 3 + 0 stays
    places = reduced_error_links(
        nodes, nodes.is_split, np.array([lost[node] for node in nodes.ids])
    )
    assert [nodes.ids[at] for at in places] == [2]


@given(data(14), st.data())
def test_no_subtree_loses_less_on_held_out_rows(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(found, max_leaf_nodes=7))
    lines = st.lists(st.integers(0, found.n - 1), min_size=1, max_size=14)
    part, held = (take_rows(found, np.array(drawn.draw(lines))) for _ in range(2))
    problem = Problem(part, rules)
    nodes = full_tree(problem)
    stays = splits_kept_by_rules(nodes, rules)
    lost = losses(nodes, held)[0]
    places = reduced_error_links(nodes, stays, lost)

    _assert_none_loses_less(nodes, stays, lost, places)
    grown = subtree(nodes, stays)
    log = tuple(Collapse(nodes.ids[at]) for at in places)
    after, error = replay(problem, grown, log)
    assert error is None
    assert len(after.pruned) == len(places)


def test_no_subtree_loses_less_whatever_the_losses() -> None:
    rng = np.random.default_rng(7)
    chain = Rules("squared_error", max_leaf_nodes=7, order="depth")  # deep: 6 splits, down and down
    wide = replace(chain, order="best")
    for seed in range(5):
        for rules in (chain, wide):
            nodes, stays, _ = paths(make(seed, 60, 1, 0), rules)
            for most in (2, 4, 9, 30):
                lost = rng.integers(0, most, len(nodes.ids)).astype(float)
                lost[0] += 3 * most  # or the root alone is best
                _assert_none_loses_less(nodes, stays, lost, reduced_error_links(nodes, stays, lost))


def _assert_none_loses_less(nodes: Nodes, stays: Any, lost: Any, places: list[int]) -> None:
    """Taken back in turn, the places save ever less; no subtree loses less or as little on fewer
    leaves.
    """
    mask, loss, room = (
        stays.copy(),
        float(lost[subtree_leaves(nodes, stays)].sum()),
        1e-9 * float(lost[0]),
    )
    saved = []
    for at in places:
        assert mask[at]
        mask[at] = False
        mask = connected_splits(nodes, mask)
        now = float(lost[subtree_leaves(nodes, mask)].sum())
        assert now <= loss + room
        saved.append(loss - now)
        loss = now
    assert all(a >= b - room for a, b in pairwise(saved))

    every = list(all_subtrees(nodes, stays))
    worth = np.array([float(lost[subtree_leaves(nodes, one)].sum()) for one in every])
    assert loss <= worth.min() + room
    best = [int(one.sum()) for one, its in zip(every, worth, strict=True) if its <= loss + room]
    assert int(mask.sum()) == min(best)
