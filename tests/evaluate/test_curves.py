"""Error curves against trees fitted one by one, folds against scikit-learn, held rows by count.

Glossary
    ended      a piece of sliced work run to its end; the shares it yields ascend to 1
    smooth     continuous random features, exact in float32 as scikit-learn needs
    untied     a tree whose every split is the only best one: the oracle has to make it too
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import pairwise, product
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.model_selection import PredefinedSplit
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from strategies import any_rules, data, rules_for

import dtviz
from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.rules import criterion_of, default_rules, minimum_of, with_row_counts
from dtviz.engine.search.candidates import candidates
from dtviz.engine.subtrees import Nodes, subtree
from dtviz.engine.tree import height
from dtviz.evaluate import curves
from dtviz.evaluate.curves import (
    AXES,
    AXIS_OF,
    MAX_VALUES_PER_AXIS,
    Curve,
    RuleAxis,
    curve,
    fold_errors,
    folded_parts,
    index_of_best,
    kept_splits,
    mean_and_error,
    one_standard_error,
    rules_at,
)
from dtviz.evaluate.metrics import folds, held_rows

Found = TypeVar("Found")
Part = tuple[Dataset, Dataset, Rules]

DEPTH, LEAVES, LEAF_SIZE, ALPHA = (AXES[name] for name in ("depth", "leaves", "leaf_size", "alpha"))
STAIRS = make_dataset([np.arange(8.0)], np.array([0, 0, 1, 0, 1, 1, 1, 1]), ["x"], "y", "ab")
# x <= 1.5 lowers the risk from 11 to 2, x <= 2.5 to its right from 2 to 0
RAMP = make_dataset([np.arange(4.0)], np.array([0.0, 0, 4, 8]), ["x"], "y")


def ended(work: Generator[float, None, Found]) -> Found:
    """What the work returns; the shares it yields never fall and end at 1."""
    shares = []
    while True:
        try:
            shares.append(next(work))
        except StopIteration as end:
            assert shares == sorted(shares)
            assert shares[-1] == 1
            return end.value  # type: ignore[no-any-return]


def smooth(seed: int, n: int, m: int, classes: int, noise: float = 0.0) -> Dataset:
    """Distinct values in every feature; the target depends on the first two, with noise."""
    rng = np.random.default_rng(seed)
    columns = np.array([rng.permutation(8 * n)[:n] for _ in range(m)]) / 1024
    rank = columns.argsort(axis=1).argsort(axis=1) / n
    target = np.sin(7 * rank[0]) + rank[-1] + noise * rng.normal(size=n)
    names = [f"x{j}" for j in range(m)]
    if not classes:
        return make_dataset(columns, target, names, "y")
    codes = np.searchsorted(np.quantile(target, np.arange(1, classes) / classes), target)
    return make_dataset(columns, codes, names, "y", "abcdefghijkl"[:classes])


def untied(found: Dataset, rules: Rules) -> bool:
    """Whether every split that the rules make is the only best one."""
    tree, criterion = dtviz.fit(found, rules).tree, criterion_of(rules, found)
    rows = dict(tree.rows)
    for node in sorted(tree.splits, reverse=True):  # those below a node first
        rows[node] = np.sort(np.concatenate([rows[2 * node], rows[2 * node + 1]]))
        if candidates(found, rows[node], criterion, minimum_of(rules, found)).tied.sum() > 1:
            return False
    return True


def error_of(model: dtviz.Model, found: Dataset) -> float:
    """The share of wrong classes, or the mean squared error, from the model's predictions."""
    predicted = model.predict(found)
    if found.classes:
        return float(np.mean(np.array(found.classes)[found.y] != predicted))
    return float(np.mean((found.y - predicted) ** 2))


def drawn(found: Dataset, rules: Rules, axis: RuleAxis, held: Dataset | None = None) -> Curve:
    return ended(curve(lambda at: full_tree(Problem(found, at)), rules, axis, found, held))


@st.composite
def parted(draw: st.DrawFn, max_rows: int = 14) -> Part:
    """Training rows, held rows, and rules that suit them, with pruning or without."""
    found = draw(data(max_rows))
    assume(found.n > 1)
    held = held_rows(found, draw(st.sampled_from((0.2, 0.5))), draw(st.integers(0, 3)))
    training = take_rows(found, ~held)
    return training, take_rows(found, held), draw(any_rules(training))


def assert_fitted(found: Curve, training: Dataset, held: Dataset, rules: Rules) -> None:
    """The curve tells at every value what the tree fitted under that value tells."""
    scale = 1.0 if training.classes else max(float(np.square(training.y).max()), 1.0)
    nodes = full_tree(Problem(training, rules))
    for at, value in enumerate(found.values):
        own = rules_at(rules, found.axis, value)
        model = dtviz.fit(training, own)
        assert found.training[at] == pytest.approx(error_of(model, training), abs=1e-12 * scale)
        assert found.held[at] == pytest.approx(error_of(model, held), abs=1e-12 * scale)
        assert found.leaves[at] == len(model.leaves)
        assert found.height[at] == height(model.tree)
        if found.axis.one_tree:
            assert splits(nodes, found.split_masks[at]) == model.tree.splits
            assert subtree(nodes, found.split_masks[at]).nodes == model.tree.nodes
    if not found.axis.one_tree:
        assert found.split_masks.shape == (0, 0)


def splits(nodes: Nodes, stays: Any) -> dict[int, Any]:
    """The splits of a mask by node id."""
    return {nodes.ids[at]: nodes.tree.splits[nodes.ids[at]] for at in np.flatnonzero(stays)}


# --- curves against trees fitted one by one ---


@given(parted())
def test_a_curve_tells_what_each_fitted_tree_tells(part: Part) -> None:
    training, held, rules = part
    for axis in AXES.values():
        line = drawn(training, rules, axis, held)
        assert line.axis == axis
        assert line.values == assert_own_value(training, rules, axis)
        assert_fitted(line, training, held, rules)
        if axis == ALPHA:  # every alpha prunes something, the last all
            assert (np.diff(line.leaves) < 0).all()
            assert (line.values[0], line.leaves[-1]) == (0, 1)
        elif axis.one_tree and not rules.ccp_alpha and not (axis == DEPTH and rules.max_leaf_nodes):
            assert (np.diff(line.leaves) > 0).all()  # every value adds something
            assert (np.diff(line.training) <= 1e-12 * line.training.max()).all()


def test_every_curve_of_four_numbers_by_hand() -> None:
    wanted = {
        "depth": ((1, 2), [2, 0], [2, 3], [1, 2]),
        "leaves": ((2, 3), [2, 0], [2, 3], [1, 2]),
        "leaf_size": ((1, 2), [0, 2], [3, 2], [2, 1]),
        "alpha": ((0, 2, 9), [0, 2, 11], [3, 2, 1], [2, 1, 0]),
    }
    for name, (values, training, leaves, heights) in wanted.items():
        found = drawn(RAMP, default_rules("regression"), AXES[name])
        assert found.values == pytest.approx(values)
        assert found.training.tolist() == pytest.approx(training)
        assert found.leaves.tolist() == leaves
        assert found.height.tolist() == heights


SLIDERS: dict[str, tuple[Any, ...]] = {
    "max_depth": (1, 2, 3, 9, None),
    "max_leaf_nodes": (2, 3, 4, 6, None),
    "min_samples_split": (2, 3, 4, 5, 8, 40),
    "min_gain": (0.0, 1e-6, 0.01, 0.1, 0.3, 2.0),
    "ccp_alpha": (0.0, 5e-324, 0.01, 0.1, 0.3, 1e300),
}


@given(data(16), st.sampled_from([*SLIDERS]), st.data())
def test_all_values_at_once_leave_what_each_leaves_alone(
    found: Dataset, rule: str, drawn: st.DataObject
) -> None:
    rules, axis = drawn.draw(any_rules(found)), AXIS_OF[rule]
    nodes, values = full_tree(Problem(found, rules)), SLIDERS[rule]
    lines = axis.subtrees(nodes, rules, values)
    each = [kept_splits(nodes, rules_at(rules, axis, value)) for value in values]
    assert lines.tolist() == [line.tolist() for line in each]


def test_a_number_of_leaves_is_reached_best_first() -> None:
    rules = Rules(order="depth", max_depth=3)
    assert rules_at(rules, LEAVES, 4) == Rules(order="best", max_depth=3, max_leaf_nodes=4)
    assert rules_at(rules, DEPTH, 2) == Rules(order="depth", max_depth=2)
    assert rules_at(rules, LEAF_SIZE, 2).order == rules_at(rules, ALPHA, 0.1).order == "depth"


# --- values ---

MANY = {classes: smooth(3, 400, 2, classes, noise=1.0) for classes in (0, 4)}


def test_of_many_values_a_few_stay_with_first_last_and_current() -> None:
    for axis in AXES.values():
        table = MANY[0 if axis == ALPHA else 4]
        rules = default_rules(table.task)
        every = every_value(table, rules, axis)
        assert axis == DEPTH or len(every) > MAX_VALUES_PER_AXIS + 10  # no tree is that high
        for value in every[1 :: max(len(every) // 2, 1)]:
            values = assert_own_value(table, rules_at(rules, axis, value), axis)
            assert value in values, axis.name
            assert len(values) >= min(len(every), MAX_VALUES_PER_AXIS // 2)
            assert {every[0], every[-1]} <= set(values) <= set(every)


def test_values_thin_out_towards_the_simple_end_of_depth_and_the_complex_end_of_alpha() -> None:
    nodes = full_tree(Problem(MANY[4], Rules()))
    leaves, alphas = (axis.values(nodes, Rules()) for axis in (LEAVES, ALPHA))
    assert leaves[:8] == tuple(range(2, 10))
    assert leaves[-1] - leaves[-2] > 5
    every = every_value(MANY[4], Rules(), ALPHA)
    assert alphas[-8:] == tuple(every[-8:])
    assert every.index(alphas[1]) > 1


def test_a_deep_tree_has_few_depths_and_its_own() -> None:
    chain = make_dataset([2.0 ** np.arange(200)], 3.0 ** np.arange(200), ["x"], "y")
    rules = Rules("squared_error", max_depth=101)
    values = assert_own_value(chain, rules, DEPTH)
    assert len(every_value(chain, rules, DEPTH)) > 150
    assert 101 in values


def test_an_alpha_off_by_rounding_is_still_among_the_values() -> None:
    table = MANY[0]
    rules = default_rules(table.task)
    every = every_value(table, rules, ALPHA)
    few = ALPHA.values(full_tree(Problem(table, rules)), rules)
    alpha = [alpha for alpha in every if alpha not in few][8]
    below = replace(rules, ccp_alpha=float(np.nextafter(alpha, 0)))
    exact = dtviz.fit(table, replace(rules, ccp_alpha=alpha)).tree
    assert dtviz.fit(table, below).tree.splits == exact.splits
    assert alpha in ALPHA.values(full_tree(Problem(table, below)), below)


def every_value(found: Dataset, rules: Rules, axis: RuleAxis) -> list[Any]:
    """The values of an axis where none is left out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "MAX_VALUES_PER_AXIS", 10**6)
        return list(axis.values(full_tree(Problem(found, rules)), rules))


def assert_own_value(found: Dataset, rules: Rules, axis: RuleAxis) -> tuple[Any, ...]:
    """Values are few and ascend; the tree of the rules is that of one of them. The values."""
    problem = Problem(found, rules)
    values = axis.values(full_tree(problem), rules)
    assert 1 <= len(values) <= MAX_VALUES_PER_AXIS + 1
    assert all(low < high for low, high in pairwise(values))
    own = getattr(with_row_counts(rules, found.n), axis.rule)
    if axis == LEAF_SIZE:
        assert own in values or own > found.n // 2  # then no cut is left
        return values
    shape = replace(rules, order="best") if axis == LEAVES else rules
    wanted = dtviz.fit(found, shape).tree.splits
    if axis == ALPHA:
        rounding = 1e-12 * full_tree(problem).risk[0] if own else 0.0  # 0 prunes nothing at all
        at = np.searchsorted(values, own + rounding, side="right") - 1
        assert dtviz.fit(found, replace(rules, ccp_alpha=values[at])).tree.splits == wanted
    elif wanted != dtviz.fit(found, replace(shape, **{axis.rule: None})).tree.splits:
        assert own in values
    return values


def test_leaves_and_depths_grow_by_one() -> None:
    table = smooth(0, 60, 2, 3, noise=0.3)
    leaves, depths, sizes = (drawn(table, Rules(), axis) for axis in (LEAVES, DEPTH, LEAF_SIZE))
    assert leaves.leaves.tolist() == list(leaves.values)
    assert depths.height.tolist() == list(depths.values)
    assert sizes.values == tuple(range(1, 16))
    assert np.isnan([*leaves.held, *depths.held]).all()  # without held rows


# --- folds ---


LIMITS = ("criterion", "max_depth", "min_samples_split", "min_samples_leaf", "max_leaf_nodes",
          "ccp_alpha")  # fmt: skip


def theirs(table: Dataset, rules: Rules) -> Any:
    """scikit-learn's estimator under the same rules."""
    kind = DecisionTreeClassifier if table.classes else DecisionTreeRegressor
    return kind(random_state=0, **{name: getattr(rules, name) for name in LIMITS})


def oracle_errors(found: Dataset, rules: Rules, cv: Any) -> list[float]:
    """The error of each of scikit-learn's folds."""
    X, y, out = found.columns.T.astype(np.float32), found.y, []
    for others, held in cv.split(X):
        told = theirs(found, rules).fit(X[others], y[others]).predict(X[held])
        out.append(float(np.mean(told != y[held] if found.classes else (told - y[held]) ** 2)))
    return out


VALUES = {
    "depth": (1, 2, 3, 4, 5, 9),
    "leaves": (2, 3, 4, 6, 9, 40),
    "leaf_size": (8, 20, 28, 37),
    "alpha": (0.0, 0.0007, 0.0031, 0.0117, 0.041, 0.17),
}
# On one feature trees may grow to the end; two features part small nodes alike, so a cut ties.
UNTIED = [
    (smooth(11, 150, 1, 3, 0.1), Rules("entropy")),
    (smooth(11, 150, 1, 3, 0.1), Rules("gini")),
    (smooth(0, 150, 1, 0, 0.3), Rules("squared_error")),
    (smooth(9, 150, 2, 3, 0.1), Rules("entropy", min_samples_leaf=8)),
    (smooth(6, 80, 2, 3, 0.1), Rules("gini", min_samples_leaf=5)),
    (smooth(10, 150, 3, 0, 0.3), Rules("squared_error", min_samples_leaf=4)),
]


def test_fold_errors_are_those_of_scikit_learn() -> None:
    axes = (DEPTH, ALPHA, LEAVES, LEAF_SIZE, DEPTH, ALPHA)
    for (table, rules), axis in zip(UNTIED, axes, strict=True):
        values: Any = VALUES[axis.name]
        if axis == LEAF_SIZE:
            values = (rules.min_samples_leaf, *values[1:])
        deep = [rules] if axis.one_tree else [rules_at(rules, axis, value) for value in values]
        parts = folded_parts(table, 5, 2)
        assert all(untied(others, each) for each in deep for others, _ in parts)
        cv = PredefinedSplit(folds(table, 5, 2))
        wanted = [oracle_errors(table, rules_at(rules, axis, value), cv) for value in values]
        mine = ended(fold_errors(table, rules, axis, values, 5, 2))
        assert mine.shape == (5, len(values))
        assert mine == pytest.approx(np.array(wanted).T, abs=1e-12), (rules, axis.name)


@given(data(), st.integers(2, 14), st.sampled_from(list(AXES.values())), st.data())
def test_fold_errors_are_those_of_trees_fitted_without_the_fold(
    found: Dataset, k: int, axis: RuleAxis, pick: Any
) -> None:
    assume(found.n > 1)
    rules = pick.draw(rules_for(found.task, ccp_alpha=pick.draw(st.sampled_from((0.0, 0.02)))))
    values = (0.0, 0.01, 0.3) if axis == ALPHA else (2, 3)
    mine = ended(fold_errors(found, rules, axis, values, k, 1))
    assert mine.shape == (min(k, found.n), len(values))
    fold_of = folds(found, k, 1)
    scale = 1.0 if found.classes else max(float(np.square(found.y).max()), 1.0)
    for fold, row in enumerate(mine):
        others, held = take_rows(found, fold_of != fold), take_rows(found, fold_of == fold)
        models = [dtviz.fit(others, rules_at(rules, axis, value)) for value in values]
        wanted = [error_of(model, held) for model in models]
        assert row == pytest.approx(wanted, abs=1e-12 * scale)


def test_folds_that_cannot_be_are_refused_by_name() -> None:
    single = take_rows(STAIRS, np.array([0]))
    for table, rules, depth, k, seed, words in (
        (single, Rules(), 1, 5, 0, "at least two training rows; not 1"),
        (STAIRS, Rules(), 1, 1, 0, "`k` must be at least 2; not 1"),
        (STAIRS, Rules(), 1, 2, -1, "`seed` must be at least 0; not -1"),
        (STAIRS, Rules("squared_error"), 1, 2, 0, "`criterion` must be"),
        (STAIRS, Rules(), 0, 2, 0, "`max_depth` must be at least 1 or None; not 0"),
    ):
        with pytest.raises(ValueError, match=words):
            ended(fold_errors(table, rules, DEPTH, (depth,), k, seed))


# --- the choice ---


def test_mean_and_standard_error_by_hand() -> None:
    mean, error = mean_and_error(np.array([[0.1, 0.2], [0.3, 0.2]]))
    assert mean == pytest.approx([0.2, 0.2])
    assert error == pytest.approx([0.1, 0.0])  # sqrt(2 * 0.1^2 / 1) / sqrt(2)
    mean, error = mean_and_error(np.array([[1.0], [2.0], [6.0]]))
    assert (mean[0], error[0]) == pytest.approx((3.0, np.sqrt((4 + 1 + 9) / 2 / 3)))


def test_the_best_is_the_least_error_and_of_equals_the_simplest_tree() -> None:
    for errors, small, large in (
        ([0.3, 0.1, 0.2], 1, 1),
        ([0.3, 0.1, 0.2, 0.1, 0.2], 1, 3),
        ([0.1 + 0.2, 0.3, 0.4], 0, 1),  # 0.30000000000000004 is no more than 0.3
        ([0.3, 0.1 + 0.2, 0.4], 0, 1),
        ([0.0, 0.0, 0.0], 0, 2),
        ([5.0], 0, 0),
    ):
        chosen = [
            index_of_best(axis, np.array(errors)) for axis in (DEPTH, LEAVES, LEAF_SIZE, ALPHA)
        ]
        assert chosen == [small, small, large, large], errors


def test_one_standard_error_is_the_simplest_tree_that_near_the_best() -> None:
    fall = [0.30, 0.14, 0.10, 0.13, 0.20]
    for mean, error, small, large in (
        (fall, [0.9, 0.9, 0.05, 0.9, 0.9], 1, 3),
        (fall, [0.9, 0.9, 0.0, 0.9, 0.9], 2, 2),
        (fall, [0.0, 0.0, 0.2, 0.0, 0.0], 0, 4),
        ([0.30, 0.10, 0.40, 0.12], [0.0, 0.03, 0.0, 0.0], 1, 3),  # not side by side
        ([0.3, 0.2, 0.9], [0.0, 0.1, 0.0], 0, 1),  # 0.2 + 0.1 is no less than 0.3
        ([0.3, 0.1, 0.1, 0.15], [0.0, 0.2, 0.0, 0.0], 0, 2),  # the error of the best decides
    ):
        axes = (DEPTH, LEAVES, LEAF_SIZE, ALPHA)
        chosen = [one_standard_error(axis, np.array(mean), np.array(error)) for axis in axes]
        assert chosen == [small, small, large, large], (mean, error)


# --- small and odd tables ---


def odd(kind: str, task: str) -> Dataset:
    """A table that barely is one."""
    n = {"one row": 1, "two rows": 2}.get(kind, 6)
    x = np.zeros(n) if kind == "all features equal" else np.arange(n)
    if task == "regression":
        y = np.full(n, 0.3) if kind == "one class" else np.arange(n) ** 2.0
        return make_dataset([x, x], y, ["x", "z"], "y")
    codes = np.zeros(n, int) if kind == "one class" else np.arange(n) % 2
    return make_dataset([x, x], codes, ["x", "z"], "y", "a" if kind == "one class" else "ab")


ODD = [
    odd(kind, task)
    for kind in ("one row", "two rows", "one class", "all features equal")
    for task in ("classification", "regression")
]


def test_an_odd_table_has_a_curve_and_fold_errors_or_says_what_it_lacks() -> None:
    for table, axis in product(ODD, AXES.values()):
        rules = default_rules(table.task)
        held = take_rows(table, np.array([0]))
        assert_fitted(drawn(table, rules, axis, held), table, held, rules)
        values = assert_own_value(table, rules, axis)
        work = fold_errors(table, rules, axis, values, 5)
        if table.n == 1:
            with pytest.raises(ValueError, match="at least two training rows"):
                ended(work)
            continue
        errors = ended(work)
        assert errors.shape == (min(5, table.n), len(values))
        mean, error = mean_and_error(errors)
        assert np.isfinite([mean, error]).all()
        assert 0 <= index_of_best(axis, mean) < len(values)
        assert 0 <= one_standard_error(axis, mean, error) < len(values)


def test_a_table_without_cuts_has_one_tree() -> None:
    found = odd("all features equal", "classification")
    for axis, values in ((DEPTH, (1,)), (LEAVES, (2,)), (LEAF_SIZE, (1, 2, 3)), (ALPHA, (0.0,))):
        one = drawn(found, Rules(), axis)
        assert one.values == values
        assert set(one.training.tolist()) == {0.5}
        assert set(one.leaves.tolist()) == {1}
        assert set(one.height.tolist()) == {0}


# --- metrics.held_rows ---


@given(data(40), st.sampled_from((0.001, 0.1, 0.2, 1 / 3, 0.5, 0.75, 0.999)), st.integers(0, 5))
def test_held_rows_are_that_share_of_all_and_of_each_class(
    found: Dataset, share: float, seed: int
) -> None:
    held = held_rows(found, share, seed)
    assert held.shape == (found.n,)
    assert held.dtype == bool
    many = int(held.sum())
    assert abs(many - share * found.n) <= 1
    assert found.n == 1 or 1 <= many <= found.n - 1
    for code in range(len(found.classes)):
        own = found.y == code
        assert abs(held[own].sum() - many / found.n * own.sum()) < 1
        assert abs(held[own].sum() - share * own.sum()) < 1 + 0.5 * own.mean() + 1e-9


def test_held_rows_are_the_same_for_the_same_seed_only() -> None:
    for table in (smooth(0, 60, 1, 0), smooth(0, 60, 1, 3)):
        assert (held_rows(table, 0.3) == held_rows(table, 0.3, seed=0)).all()
        assert (held_rows(table, 0.3, 4) == held_rows(table, 0.3, np.int64(4))).all()  # type: ignore[arg-type]
        assert len({held_rows(table, 0.3, seed).tobytes() for seed in range(20)}) == 20


def test_every_row_is_held_out_about_equally_often() -> None:
    for table in (smooth(0, 20, 1, 0), smooth(0, 20, 1, 2)):
        often = sum(held_rows(table, 0.25, seed).astype(int) for seed in range(400))
        assert often.sum() == 400 * 5
        assert 60 < often.min() <= often.max() < 140  # 100 each, give or take 9


def test_of_a_single_row_none_and_of_two_rows_one_is_held_out() -> None:
    for task in ("regression", "classification"):
        assert held_rows(odd("one row", task), 0.9).tolist() == [False]
        for share in (0.01, 0.5, 0.99):
            assert held_rows(odd("two rows", task), share).sum() == 1


def test_a_share_or_seed_that_cannot_be_is_refused() -> None:
    shares: tuple[Any, ...] = (0, 1, 0.0, 1.0, -0.2, 1.2, float("nan"), True, "0.2", None)
    seeds: tuple[Any, ...] = (-1, 1.5, "0", None, True)
    for share in shares:
        with pytest.raises(ValueError, match=f"`share` must lie between 0 and 1; not {share!r}"):
            held_rows(STAIRS, share)
    for seed in seeds:
        with pytest.raises(ValueError, match=f"`seed` must be at least 0; not {seed!r}"):
            held_rows(STAIRS, 0.2, seed)
