"""scikit-learn as the oracle: the same cuts, leaves and accuracy on the same rows.

Glossary
    exact     values that float32 holds, since scikit-learn casts X to it (and takes gaps of 1e-7
              or less for none)
    follow    walk down both trees at once: where several cuts tie, the oracle may take another of
              them (it looks at features in random order); then our tree is grown by that cut
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtviz import Grow, Rules, axis_split, fit
from dtviz.engine.candidates import candidates
from dtviz.engine.criteria import CRITERIA
from dtviz.engine.grow import status, whole
from dtviz.engine.problem import Problem
from dtviz.engine.prune import path
from dtviz.engine.rules import least_of
from dtviz.engine.subtrees import kept
from dtviz.engine.tree import Log, Tree, fold
from dtviz.table.data import Dataset, dataset

DEPTHS = (1, 2, 3, 5, None)
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
        return dataset(columns, np.sin(9 * rank) + rng.normal(size=n) / 4, names, "y")
    borders = np.sort(rng.random(4 * classes))
    y = (np.searchsorted(borders, rank) + (rng.random(n) < noise)) % classes
    return dataset(columns, y, names, "y", [f"c{k}" for k in range(classes)])


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
    assert ours == cuts_of(theirs)
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
        cuts = candidates(found, rows[node], criterion, least_of(rules, found))
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
    assert all(decision.stop for decision in status(problem, tree).values())
    return tree, others


def assert_same_where_nothing_ties(rules: Rules, **how: Any) -> None:
    """Three draws without a tie at any node: the trees must be the same."""
    free = 0
    for seed in range(60):
        found = make(seed, **how)
        if follow(found, rules)[1] == 0:
            assert_same(found, rules)
            free += 1
            if free == len(SEEDS):
                return
    pytest.fail(f"{free} draws without ties")


@pytest.mark.uncounted
@pytest.mark.parametrize("kind", ["plain", "adjacent", "offset"])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_shallow_class_trees(criterion: str, classes: int, depth: int, kind: str) -> None:
    rules = Rules(criterion, max_depth=depth)
    assert_same_where_nothing_ties(rules, n=400, m=3, classes=classes, kind=kind)


@pytest.mark.uncounted
@pytest.mark.parametrize("kind", ["plain", "adjacent", "offset"])
@pytest.mark.parametrize("depth", [5, None])
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_deep_class_trees_without_ties(criterion: str, depth: Any, kind: str) -> None:
    # runs of one class of uneven length along one feature: a full tree without a single tie
    rules = Rules(criterion, max_depth=depth)
    assert_same_where_nothing_ties(rules, n=300, m=1, classes=3, kind=kind, noise=0.0)


@pytest.mark.uncounted
@pytest.mark.parametrize("kind", ["plain", "adjacent", "offset"])
@pytest.mark.parametrize("depth", [5, None])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_deep_class_trees_up_to_ties(criterion: str, classes: int, depth: Any, kind: str) -> None:
    for seed in SEEDS:
        found = make(seed, 150, 2, classes, kind)
        rules = Rules(criterion, max_depth=depth)
        _, others = follow(found, rules)
        if depth is None:
            model, theirs = fit(found, rules), oracle(found, rules)
            assert model.score(found) == theirs.score(found.columns.T, found.y) == 1.0
        if others == 0:
            assert_same(found, rules)


@pytest.mark.uncounted
@pytest.mark.parametrize("kind", ["plain", "adjacent", "offset"])
@pytest.mark.parametrize("depth", DEPTHS)
def test_number_trees_on_one_feature(depth: Any, kind: str) -> None:
    # one feature and a continuous target: no ties at any depth
    for seed in SEEDS:
        assert_same(make(seed, 200, 1, 0, kind), Rules("squared_error", max_depth=depth))


@pytest.mark.parametrize("kind", ["plain", "adjacent", "offset"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_number_trees_on_three_features(depth: int, kind: str) -> None:
    for seed in SEEDS:
        assert_same(make(seed, 300, 3, 0, kind), Rules("squared_error", max_depth=depth))


@pytest.mark.parametrize("depth", [5, None])
def test_deep_number_trees_up_to_ties(depth: Any) -> None:
    for seed in SEEDS:
        found = make(seed, 120, 2, 0)
        rules = Rules("squared_error", max_depth=depth)
        follow(found, rules)
        theirs = oracle(found, rules)
        if depth is None:
            assert len(fit(found, rules).leaves) == theirs.get_n_leaves() == 120


@pytest.mark.parametrize("offset", [1e4, 1e6, 1e8])
def test_number_trees_with_a_far_target(offset: float) -> None:
    plain = make(0, 200, 2, 0)
    y = np.round(plain.y * 1024) / 1024 + offset
    found = dataset(plain.columns, y, plain.features, "y")
    near = dataset(plain.columns, y - offset, plain.features, "y")
    rules = Rules("squared_error", max_depth=3)
    assert fit(found, rules).tree.splits == fit(near, rules).tree.splits
    assert_same(near, rules)


@pytest.mark.uncounted
@pytest.mark.parametrize(
    "limits",
    [
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
    ],
    ids=str,
)
@pytest.mark.parametrize("criterion", ["entropy", "gini", "squared_error"])
@pytest.mark.parametrize("weighed", [False, True])
def test_stop_rules(criterion: str, limits: dict[str, float], weighed: bool) -> None:
    for seed in SEEDS:
        found = make(seed, 200, 1, 0 if criterion == "squared_error" else 2)
        if weighed:
            weights = np.random.default_rng(seed).uniform(0.5, 3, found.n)
            found = replace(found, weights=weights)
        rules = Rules(criterion, **limits)
        _, others = follow(found, rules)
        if others == 0 or criterion == "squared_error":
            assert_same(found, rules)


@pytest.mark.uncounted
@pytest.mark.parametrize("leaves", [2, 3, 5, 10, 25])
@pytest.mark.parametrize("criterion", ["entropy", "gini", "squared_error"])
def test_best_first(criterion: str, leaves: int) -> None:
    classes = 0 if criterion == "squared_error" else 3
    rules = Rules(criterion, max_leaf_nodes=leaves, min_samples_leaf=5)
    assert len(fit(make(0, 400, 2, classes), rules).leaves) == leaves
    assert_same_where_nothing_ties(rules, n=400, m=2, classes=classes)


@pytest.mark.uncounted
@pytest.mark.parametrize("criterion", ["entropy", "gini", "squared_error"])
def test_values_that_repeat(criterion: str) -> None:
    for seed in SEEDS:
        plain = make(seed, 300, 2, 0 if criterion == "squared_error" else 3)
        columns = np.round(plain.columns * 4) / 4
        found = dataset(columns, plain.y, plain.features, "y", plain.classes)
        for depth in (1, 2, 3, None):
            follow(found, Rules(criterion, max_depth=depth))


LIMITS = [
    {},
    {"max_depth": 3},
    {"max_leaf_nodes": 9},
    {"max_leaf_nodes": 12, "order": "best", "max_depth": 5, "min_samples_leaf": 2},
]


@pytest.mark.uncounted
@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("criterion", ["entropy", "gini", "squared_error"])
def test_pruned_trees(criterion: str, limits: dict[str, Any]) -> None:
    # alphas half-way between those of the path, where rounding decides nothing
    numbers, compared = criterion == "squared_error", 0
    rules = Rules(criterion, **limits)
    for seed in range(40):
        found = make(seed, 80, 1, 0 if numbers else 3, noise=0.0)
        if follow(found, rules)[1]:
            continue
        nodes = whole(Problem(found, rules))
        alphas = path(nodes, kept(nodes, rules)).alphas.tolist()
        middles = [(a + b) / 2 for a, b in pairwise([*alphas, 1.2 * alphas[-1]])]
        some = middles[:: max(len(middles) // 8, 1)]
        leaves = [assert_same(found, replace(rules, ccp_alpha=alpha)) for alpha in some]
        assert leaves == sorted(set(leaves), reverse=True)
        compared += len(leaves) > 1
        if compared == len(SEEDS):
            return
    pytest.fail(f"{compared} draws without ties")
