"""The best tree of depth 2 against brute force in plain Python, and beside the greedy one.

Glossary
    search     what the generator returns, its shares dropped
    impurity   of a tree: that of its leaves, each weighted by its share of the rows
    slow       the same from the definition: one tree, one leaf and one row at a time
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from operator import mul
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from strategies import data, rules_for

import dtviz
from dtviz import Grow, Rules, axis_split
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import criteria_for
from dtviz.engine.grow import finish
from dtviz.engine.leaves.linear import regressors
from dtviz.engine.optimal import depth2
from dtviz.engine.optimal.bounds import Incumbent, IntervalQueue
from dtviz.engine.optimal.depth2 import best_of_depth_2
from dtviz.engine.problem import Problem
from dtviz.engine.rules import (
    RulesError,
    criterion_of,
    default_rules,
    minimum_of,
    without_stop_rules,
)
from dtviz.engine.search.candidates import candidates
from dtviz.engine.splits.split import Minimum
from dtviz.engine.tree import Log, Tree, fold, height, root_tree

XOR = make_dataset(
    [[0.0, 0, 1, 1], [0.0, 1, 0, 1]], np.array([0, 1, 1, 0]), ["x1", "x2"], "y", "ab"
)
EVERY = [*criteria_for("classification"), "squared_error"]


def plane(x1: Sequence[float], x2: Sequence[float], y: Sequence[int]) -> Dataset:
    """Two features and classes a, b."""
    return make_dataset([x1, x2], np.array(y), ["x1", "x2"], "y", "ab")


def line(x: Sequence[float], y: Sequence[float]) -> Dataset:
    """One feature and a number."""
    return make_dataset([x], np.array(y), ["x"], "y")


def noisy(seed: int, n: int, m: int, classes: int, offset: float = 0.0) -> Dataset:
    """Features rounded so that values repeat; classes or numbers that depend on them."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(m, n)).round(1)
    names = [f"x{j}" for j in range(m)]
    y = columns[0] * columns[-1] + rng.normal(size=n)
    if not classes:
        return make_dataset(columns, y.round(2) + offset, names, "y")
    return make_dataset(
        columns, y.argsort().argsort() * classes // n, names, "y", "abcdef"[:classes]
    )


def parts_of(found: Dataset, rules: Rules) -> tuple[list[float], Log]:
    """The shares that a search yields and the log it returns."""
    shares, going = [], best_of_depth_2(Problem(found, rules))
    while True:
        try:
            shares.append(next(going))
        except StopIteration as end:
            return shares, end.value


def search(found: Dataset, rules: Rules | None = None) -> Log:
    return parts_of(found, rules or default_rules(found.task))[1]


def built(found: Dataset, rules: Rules, log: Log) -> Tree:
    return fold(Problem(found, rules), log)


def impurity(tree: Tree) -> float:
    leaves = [tree.nodes[leaf] for leaf in tree.rows]
    return sum(leaf.n * leaf.impurity for leaf in leaves) / tree.nodes[1].n


def greedy(found: Dataset, rules: Rules) -> Tree:
    return finish(
        Problem(found, replace(without_stop_rules(rules), max_depth=2)),
        root_tree(Problem(found, rules)),
    )[1]


def slow_lines(found: Dataset, rows: list[int]) -> float:
    """What the line through some rows leaves, exactly: the sum of its squared errors."""
    known = [np.ones(found.n), *found.columns[regressors(found)]]
    *along, rest = [[Fraction(float(v)) for v in one[rows]] for one in (*known, found.y)]
    basis: list[list[Fraction]] = []
    for one in along:
        one = without(one, basis)
        basis += [one] if any(one) else []
    return float(sum(v * v for v in without(rest, basis)))


def without(one: list[Fraction], basis: list[list[Fraction]]) -> list[Fraction]:
    """What of a vector is at right angles to all of a basis, whose own are to one another."""
    for other in basis:
        share = sum(map(mul, one, other)) / sum(map(mul, other, other))
        one = [v - share * w for v, w in zip(one, other, strict=True)]
    return one


def slow_spread(name: str, y: Sequence[Any]) -> float:
    """Rows times impurity."""
    n = len(y)
    if name == "squared_error":
        offset = [v - y[0] for v in y]
        mean = math.fsum(offset) / n
        return math.fsum((v - mean) ** 2 for v in offset)
    counts = Counter(y).values()
    if name in ("gini", "cart"):
        return n - sum(c * c for c in counts) / n
    if name == "error":
        return n - max(counts)
    return math.fsum(-c * math.log2(c / n) for c in counts)


def slow_sides(
    found: Dataset, rows: list[int], least: Minimum
) -> Iterator[tuple[int, list[int], list[int]]]:
    """The feature and both sides of each candidate of the rows, from the values themselves."""
    for feature, column in enumerate(found.columns.tolist()):
        for value in sorted({column[row] for row in rows})[:-1]:
            left = [row for row in rows if column[row] <= value]
            right = [row for row in rows if column[row] > value]
            if min(len(left), len(right)) >= max(least.rows, least.weight - 1e-9):
                yield feature, left, right


def slow_best(found: Dataset, rules: Rules, rows: list[int], levels: int) -> float:
    """The least spread of the leaves of any tree with at most so many levels of splits."""
    if rules.leaf_model == "linear":
        least = slow_lines(found, rows)
    else:
        least = slow_spread(rules.criterion, [found.y.tolist()[row] for row in rows])
    if levels:
        for _, *sides in slow_sides(found, rows, minimum_of(rules, found)):
            both = [slow_best(found, rules, side, levels - 1) for side in sides]
            least = min(least, math.fsum(both))
    return least


def slow_impurity(found: Dataset, rules: Rules) -> float:
    return slow_best(found, rules, list(range(found.n)), 2) / found.n


def near(found: Dataset, value: float) -> Any:
    """Equal but for rounding, measured by the spread of the target."""
    scale = 1.0 if found.classes else float(np.var(found.y - found.y[0]))
    return pytest.approx(value, rel=0, abs=1e-9 * scale)


# --- the optimum ---


@settings(max_examples=30)
@given(st.data(), data(max_rows=9), st.integers(1, 4))
def test_no_tree_of_depth_2_has_purer_leaves(draw: st.DataObject, found: Dataset, k: int) -> None:
    rules = draw.draw(rules_for(found.task, min_samples_leaf=k))
    tree = built(found, rules, search(found, rules))
    assert impurity(tree) == near(found, slow_impurity(found, rules))
    assert height(tree) <= 2
    assert min(node.n for node in tree.nodes.values()) >= min(k, found.n)


def test_rows_that_many_leaves_would_fit_have_the_optimum_too() -> None:
    for k, name in product([1, 5], EVERY):
        found = noisy(3, 24, 2, 0 if name == "squared_error" else 3)
        rules = Rules(criterion=name, min_samples_leaf=k)
        tree = built(found, rules, search(found, rules))
        assert impurity(tree) == near(found, slow_impurity(found, rules)), (name, k)


def test_a_large_offset_of_the_target_changes_nothing() -> None:
    # whole targets, so that the offset rounds nothing away
    base = noisy(5, 60, 3, 0)
    y = (100 * base.y).round()
    near_0, far = (make_dataset(base.columns, y + add, base.features, "y") for add in (0.0, 1e8))
    assert search(near_0) == search(far)
    assert len(search(far)) == 3


def test_a_measure_of_its_own_gives_way_to_the_impurity() -> None:
    found = noisy(1, 80, 3, 3)
    for own, plain in (("gain_ratio", "entropy"), ("cart", "gini")):
        assert search(found, Rules(criterion=own)) == search(found, Rules(criterion=plain))


def test_of_the_other_rules_none_matters() -> None:
    found = noisy(2, 60, 2, 2)
    strict = Rules(
        max_depth=1, min_samples_split=50, max_leaf_nodes=2, min_gain=0.9, purity=0.1,
        order="best", stop_at_zero_gain=True, ccp_alpha=1.0,
    )  # fmt: skip
    assert search(found, strict) == search(found)


# --- greedy's limit ---


def test_four_xor_points_have_no_gain_at_the_root_and_a_perfect_tree() -> None:
    rules = Rules()
    assert candidates(XOR, np.arange(4), criterion_of(rules, XOR)).gain.tolist() == [0, 0]
    log = search(XOR, rules)
    cut = axis_split(1, 0.5)
    assert log == (Grow(1, axis_split(0, 0.5)), Grow(2, cut), Grow(3, cut))
    assert impurity(built(XOR, rules, log)) == 0


def test_noisy_xor_is_told_apart_where_greedy_learns_next_to_nothing() -> None:
    found = dtviz.load("xor", n=200, noise=0.5, seed=0)
    rules = Rules()
    tree = built(found, rules, search(found, rules))
    assert impurity(tree) < 0.05
    assert impurity(greedy(found, rules)) > 0.9
    assert abs(tree.splits[1].threshold) < 1


def test_the_best_first_cut_may_lie_between_two_rows_of_one_class() -> None:
    # by x2 the classes read b a b | b a b a a; x1 then parts each side: a | b b and b b | a a a
    found = plane([4, 1, 6, 0, 3, 2, 5, 7], [4, 1, 6, 3, 5, 0, 7, 2], [0, 0, 0, 1, 1, 1, 0, 1])
    log = search(found)
    assert log == (
        Grow(1, axis_split(1, 2.5)), Grow(2, axis_split(0, 1.5)), Grow(3, axis_split(0, 3.5)),
    )  # fmt: skip
    cuts = candidates(found, np.arange(8), criterion_of(Rules(), found))
    assert not cuts.boundary[cuts.find(log[0].split)]
    assert impurity(built(found, Rules(), log)) == 0


# --- leaves and ties ---


def test_where_no_tree_gains_anything_the_log_is_empty() -> None:
    for found in [
        plane([1], [2], [0]),
        plane([1, 2, 3], [3, 1, 2], [1, 1, 1]),
        plane([7, 7, 7], [7, 7, 7], [0, 1, 0]),
        line([1, 2, 3, 4], [0.3, 0.3, 0.3, 0.3]),
        line([5], [1e8]),
        plane([0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 1]),
    ]:
        shares, log = parts_of(found, default_rules(found.task))
        assert log == (), found
        assert shares[-1] == 1, found


def test_no_cut_leaves_more_rows_than_there_are() -> None:
    for least in (3, 4, 5, 10**30):
        rules = Rules(min_samples_leaf=least)
        assert parts_of(XOR, rules) == ([1.0], ())


def test_a_pure_child_stays_a_leaf() -> None:
    assert search(line([1, 2, 3], [0.3, 0.3, 1])) == (Grow(1, axis_split(0, 2.5)),)
    log = search(line([1, 2, 3, 4, 5], [0.3, 0.3, 0.3, 5, 6]))
    assert log == (Grow(1, axis_split(0, 3.5)), Grow(3, axis_split(0, 4.5)))


def test_a_child_whose_cuts_gain_nothing_stays_a_leaf() -> None:
    # left of the root cut x2 parts a b | a b
    found = plane([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 1, 1, 1, 1])
    assert search(found) == (Grow(1, axis_split(0, 0.5)),)


def test_of_equal_trees_the_one_with_the_fewest_splits_wins() -> None:
    # x1 needs two cuts for what x2 does in one
    assert search(plane([0, 3, 1, 2], [0, 0, 1, 1], [0, 0, 1, 1])) == (Grow(1, axis_split(1, 0.5)),)


def test_of_equal_root_cuts_the_lowest_feature_and_then_threshold_wins() -> None:
    # a b a: first 0.5 then 1.5 is as good as first 1.5 then 0.5
    log = search(plane([0, 1, 2], [0, 1, 2], [0, 1, 0]))
    assert log == (Grow(1, axis_split(0, 0.5)), Grow(3, axis_split(0, 1.5)))


# --- the work ---


def test_equal_targets_need_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth2, "WORK_PER_BATCH", 1)
    for found in (plane(range(9), range(9), [1] * 9), line(range(9), [0.3] * 9)):
        assert parts_of(found, default_rules(found.task)) == ([1.0], ())


def test_the_shares_ascend_to_1(monkeypatch: pytest.MonkeyPatch) -> None:
    for classes in [0, 2, 3]:
        with monkeypatch.context() as patch:
            found = noisy(0, 40, 2, classes)
            patch.setattr(depth2, "WORK_PER_BATCH", 1)
            shares, log = parts_of(found, default_rules(found.task))
            assert len(shares) > 5, classes
            assert shares == sorted(set(shares)), classes
            assert shares[0] > 0, classes
            assert shares[-1] == 1, classes
            assert log, classes


def test_the_size_of_batches_does_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in EVERY:
        with monkeypatch.context() as patch:
            for seed in range(2):
                found = noisy(seed, 40, 3, 0 if name == "squared_error" else 3, offset=1e8)
                rules = Rules(criterion=name, min_samples_leaf=2)
                logs = set()
                for size in (1, 777):
                    patch.setattr(depth2, "WORK_PER_BATCH", size)
                    logs.add(search(found, rules))
                assert len(logs) == 1, name


def test_most_root_cuts_are_never_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    sides = depth2.frontier_of_sides
    monkeypatch.setattr(
        depth2, "frontier_of_sides", lambda *given: opened.append(len(given[-1])) or sides(*given)
    )
    for classes, criterion in ((2, "gini"), (3, "gini"), (0, "squared_error"), (0, "poisson")):
        opened.clear()
        found = noisy(1, 600, 2, classes, offset=0 if classes else 100.0)
        assert search(found, Rules(criterion))
        assert sum(opened) < 0.7 * candidate_count(found, criterion)
    moons = dtviz.load("moons", n=600)
    opened.clear()
    assert search(moons, Rules("gini"))
    assert sum(opened) < candidate_count(moons) / 10


def candidate_count(found: Dataset, criterion: str = "gini") -> int:
    return len(candidates(found, np.arange(found.n), criterion_of(Rules(criterion), found)))


def test_too_much_work_is_given_up_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    found, rules = noisy(0, 40, 2, 3), Rules()
    monkeypatch.setattr(depth2, "WORK_PER_BATCH", 1)
    monkeypatch.setattr(depth2, "MAX_WORK", 2 * 40 * 2 * 2)
    with pytest.raises(ValueError, match="too much work") as error:
        search(found, rules)
    assert re.fullmatch(
        "the best pair of levels on 40 rows and 2 features, 3 classes is not known after 3 of "
        r"\d+ root cuts, which is too much work; take a sample of the rows or fewer features",
        str(error.value),
    )


@given(st.data(), st.lists(st.integers(0, 3), min_size=1, max_size=40), st.integers(1, 4))
def test_what_is_not_opened_reaches_less(draw: st.DataObject, steps: list[int], most: int) -> None:
    many = len(steps)
    line = np.sort(draw.draw(hnp.arrays(int, many, elements=st.integers(-1, 2))))
    up = draw.draw(hnp.arrays(int, many, elements=st.integers(0, 3)))
    costs = np.zeros((2, many))
    for one in range(-1, 3):  # left sides cost more and more, right sides less and less
        own = line == one
        costs[0, own], costs[1, own] = np.cumsum(np.array(steps)[own]), np.cumsum(up[own])[::-1]
    whole, reached = 300.0, {}
    left = IntervalQueue(line, -costs.sum(axis=0), whole)
    while len(batch := left.next_batch(most)):
        reached |= {at: whole - costs[:, at].sum() for at in batch.tolist()}
        left.update(np.array([costs[:, batch]] * 2), Incumbent(max(reached.values())))
    assert len(reached) == left.n_opened
    assert left.share_decided == 1
    best = (whole - costs.sum(axis=0)).max()
    wanted = {at for at in range(many) if whole - costs[:, at].sum() == best}
    assert wanted <= reached.keys()


def test_a_criterion_for_the_other_task_is_refused() -> None:
    with pytest.raises(RulesError, match="`criterion` must be"):
        next(best_of_depth_2(Problem(XOR, Rules(criterion="squared_error"))))
