"""scikit-learn as the oracle: the same cuts, leaves and accuracy on the same rows.

Glossary
    exact     values that float32 holds, since scikit-learn casts X to it (and takes gaps of 1e-7
              or less for none)
    follow    walk down both trees at once: where several cuts tie, the oracle may take another of
              them (it looks at features in random order); then our tree is grown by that cut
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise, product
from typing import Any

import numpy as np
import pytest
from grids import grids
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtviz import Grow, Rules, axis_split, fit
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.grow import decide_all, full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.prune import alpha_path
from dtviz.engine.rules import minimum_of
from dtviz.engine.search.candidates import candidates
from dtviz.engine.subtrees import splits_kept_by_rules
from dtviz.engine.tree import Log, Tree, fold

DEPTHS = (1, 2, 3, 5, None)
KINDS = ("plain", "adjacent", "offset")
CRITERIA_OF_BOTH = ("entropy", "gini", "squared_error")
SEEDS = (0, 1)


def exact(rng: np.random.Generator, n: int, m: int, kind: str = "plain") -> np.ndarray:
    """(m, n) distinct values a feature, exact in float32."""
    if kind == "adjacent":  # neighbours in float32, 4.8e-7 apart
        first = np.float32(4.0).view(np.int32)
        return np.array(
            [(first + rng.permutation(n)).astype(np.int32).view(np.float32) for _ in range(m)]
        )
    if kind == "offset":  # 1e8 and the floats above it, 8 apart
        return np.array([1e8 + 8.0 * rng.permutation(n) for _ in range(m)])
    return rng.normal(size=(m, n)).astype(np.float32)


def make(
    seed: int, n: int, m: int, classes: int, kind: str = "plain", noise: float = 0.15
) -> Dataset:
    """Random rows; the class (a number if `classes` is 0) depends on the features, with noise."""
    rng = np.random.default_rng(seed)
    columns = exact(rng, n, m, kind).astype(np.float64)
    assert (columns == columns.astype(np.float32)).all()
    rank = columns.argsort(axis=1).argsort(axis=1).sum(axis=0) / (m * n)
    names = [f"x{j}" for j in range(m)]
    if not classes:
        return make_dataset(columns, np.sin(9 * rank) + rng.normal(size=n) / 4, names, "y")
    borders = np.sort(rng.random(4 * classes))
    y = (np.searchsorted(borders, rank) + (rng.random(n) < noise)) % classes
    return make_dataset(columns, y, names, "y", [f"c{k}" for k in range(classes)])


def oracle(found: Dataset, rules: Rules) -> Any:
    """scikit-learn's tree under the same rules."""
    kind = DecisionTreeClassifier if found.classes else DecisionTreeRegressor
    best = rules.max_leaf_nodes is not None
    assert best == (rules.growing_order == "best")
    return kind(
        criterion=rules.criterion,
        max_depth=rules.max_depth,
        min_samples_split=rules.min_samples_split,
        min_samples_leaf=rules.min_samples_leaf,
        min_weight_fraction_leaf=rules.min_weight_fraction_leaf,
        max_leaf_nodes=rules.max_leaf_nodes,
        ccp_alpha=rules.ccp_alpha,
        min_impurity_decrease=rules.min_impurity_decrease,
        random_state=0,
    ).fit(found.columns.T, found.y, found.weights)


def cuts_of(theirs: Any) -> dict[int, tuple[int, float]]:
    """The oracle's cuts, by our node ids."""
    inner, out, waiting = theirs.tree_, {}, [(0, 1)]
    while waiting:
        at, node = waiting.pop()
        if inner.children_left[at] != -1:
            out[node] = (int(inner.feature[at]), float(inner.threshold[at]))
            waiting += [
                (inner.children_left[at], 2 * node),
                (inner.children_right[at], 2 * node + 1),
            ]
    return out


def assert_same(found: Dataset, rules: Rules) -> int:
    """The trees agree node by node; how many leaves they have."""
    model, theirs = fit(found, rules), oracle(found, rules)
    ours = {
        k: (split.projection.feature, split.threshold) for k, split in model.tree.splits.items()
    }
    assert ours == cuts_of(theirs), rules
    assert len(model.leaves) == theirs.get_n_leaves()
    score = theirs.score(found.columns.T, found.y, found.weights)
    assert model.score(found) == pytest.approx(score, abs=1e-12)
    predicted = theirs.predict(found.columns.T)
    expected = found.y if not found.classes else None
    mine = model.predict(found)
    if expected is None:
        assert [found.classes[code] for code in predicted] == mine.tolist()
    else:
        assert (np.abs(mine - predicted) <= 1e-9 * np.maximum(np.abs(predicted), 1)).all()
    return len(model.leaves)


def follow(found: Dataset, rules: Rules) -> tuple[Tree, int]:
    """Our tree grown by the oracle's cuts, each one of our best, and how many others tied."""
    criterion = CRITERIA[rules.criterion]
    theirs = cuts_of(oracle(found, rules))
    rows, others = {1: np.arange(found.n)}, 0
    log: Log = ()
    for node in sorted(theirs):
        cuts = candidates(found, rows[node], criterion, minimum_of(rules, found))
        feature, threshold = theirs[node]
        at = cuts.find(axis_split(feature, threshold))
        assert at is not None
        assert cuts.tied[at], (node, theirs[node], cuts.gain[at], cuts.gain[cuts.best])
        others += int(cuts.tied.sum()) - 1
        log += (Grow(node, cuts.split(at)),)
        left = found.columns[feature, rows[node]] <= threshold
        rows[2 * node], rows[2 * node + 1] = rows[node][left], rows[node][~left]
    problem = Problem(found, rules)
    tree = fold(problem, log)
    assert {leaf: tree.rows[leaf].tolist() for leaf in tree.rows} == {
        leaf: rows[leaf].tolist() for leaf in rows if leaf not in theirs
    }
    assert all(decision.stop for decision in decide_all(problem, tree).values())
    return tree, others


@grids
def test_class_trees(grid: Any) -> None:
    # runs of one class of uneven length along one feature: a tree without a single tie
    alike = 0
    for criterion, classes, depth, kind, features in grid(
        ("entropy", "gini"), (2, 3, 7), DEPTHS, KINDS, (1, 2, 3)
    ):
        rules, noise = Rules(criterion, max_depth=depth), 0.15 * (features > 1)
        for seed in SEEDS:
            found = make(seed, 450 // features, features, classes, kind, noise)
            if follow(found, rules)[1] == 0:
                assert_same(found, rules)
                alike += 1
            if depth is None:
                score = oracle(found, rules).score(found.columns.T, found.y)
                assert fit(found, rules).score(found) == score == 1.0, rules
    assert alike > 15


@grids
def test_number_trees(grid: Any) -> None:
    alike = 0
    for depth, kind, features, seed in grid(DEPTHS, KINDS, (1, 2, 3), SEEDS):
        found, rules = make(seed, 160, features, 0, kind), Rules("squared_error", max_depth=depth)
        if follow(found, rules)[1] == 0:
            assert_same(found, rules)
            alike += 1
        else:
            assert features > 1, rules  # one feature and a continuous target: no ties
        if depth is None:
            leaves = len(fit(found, rules).leaves)
            assert leaves == oracle(found, rules).get_n_leaves() == 160, (kind, features)
    assert alike > 8


def test_number_trees_with_a_far_target() -> None:
    plain = make(0, 200, 2, 0)
    rules = Rules("squared_error", max_depth=3)
    for offset in (1e4, 1e6, 1e8):
        y = np.round(plain.y * 1024) / 1024 + offset
        found = make_dataset(plain.columns, y, plain.features, "y")
        near = make_dataset(plain.columns, y - offset, plain.features, "y")
        assert fit(found, rules).tree.splits == fit(near, rules).tree.splits, offset
        assert_same(near, rules)


STOPS = [
    {"min_samples_leaf": 5},
    {"min_samples_leaf": 20},
    {"min_samples_split": 30},
    {"min_samples_split": 12, "min_samples_leaf": 4, "max_depth": 6},
    {"min_samples_leaf": 101},
    {"min_samples_split": 201},
    {"min_samples_leaf": 0.033},
    {"min_samples_split": 0.151, "min_samples_leaf": 0.01},
    {"min_samples_split": 0.001, "min_samples_leaf": 0.5},
    {"min_weight_fraction_leaf": 0.0511},
    {"min_weight_fraction_leaf": 0.02, "min_samples_leaf": 4},
    {"min_weight_fraction_leaf": 0.5},
    {"min_impurity_decrease": 0.011},
    {"min_impurity_decrease": 0.003, "min_samples_leaf": 3},
]


@grids
def test_stop_rules(grid: Any) -> None:
    for limits, criterion, weighed, seed in grid(STOPS, CRITERIA_OF_BOTH, (False, True), SEEDS):
        found = make(seed, 200, 1, 0 if criterion == "squared_error" else 2)
        if weighed:
            weights = np.random.default_rng(seed).uniform(0.5, 3, found.n)
            found = replace(found, weights=weights)
        rules = Rules(criterion, **limits)
        _, others = follow(found, rules)
        if others == 0 or criterion == "squared_error":
            assert_same(found, rules)


def test_best_first() -> None:
    for criterion, leaves in product(CRITERIA_OF_BOTH, (2, 5, 10)):
        rules = Rules(criterion, max_leaf_nodes=leaves, min_samples_leaf=5)
        classes = 0 if criterion == "squared_error" else 3
        tables = (make(seed, 300, 1, classes, noise=0.0) for seed in range(60))
        free = (found for found in tables if follow(found, rules)[1] == 0)
        assert [assert_same(found, rules) for found in islice(free, 2)] == [leaves] * 2, rules


def test_values_that_repeat() -> None:
    for criterion, depth in product(CRITERIA_OF_BOTH, (1, 3, None)):
        plain = make(1, 300, 2, 0 if criterion == "squared_error" else 3)
        columns = np.round(plain.columns * 4) / 4
        found = make_dataset(columns, plain.y, plain.features, "y", plain.classes)
        follow(found, Rules(criterion, max_depth=depth))


LIMITS: list[dict[str, Any]] = [
    {},
    {"max_leaf_nodes": 12, "order": "best", "max_depth": 5, "min_samples_leaf": 2},
]


def test_pruned_trees() -> None:
    # alphas half-way between those of the path, where rounding decides nothing
    for criterion, limits in product(CRITERIA_OF_BOTH, LIMITS):
        numbers, compared = criterion == "squared_error", 0
        rules = Rules(criterion, **limits)
        for seed in range(40):
            found = make(seed, 80, 1, 0 if numbers else 3, noise=0.0)
            if compared or follow(found, rules)[1]:
                continue
            nodes = full_tree(Problem(found, rules))
            alphas = alpha_path(nodes, splits_kept_by_rules(nodes, rules)).alphas.tolist()
            middles = [(a + b) / 2 for a, b in pairwise([*alphas, 1.2 * alphas[-1]])]
            some = middles[:: max(len(middles) // 4, 1)]
            leaves = [assert_same(found, replace(rules, ccp_alpha=alpha)) for alpha in some]
            assert leaves == sorted(set(leaves), reverse=True), rules
            compared += len(leaves) > 1
        assert compared, rules
