"""Errors by round and what features are worth: against scikit-learn and by hand."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from sklearn.inspection import permutation_importance
from sklearn.tree import DecisionTreeClassifier

from dtviz.engine.ensembles import Ensemble, Plan, build, decided, scores_of
from dtviz.engine.members import predictions
from dtviz.engine.rules import Rules, default_rules
from dtviz.judge import ensembles
from dtviz.judge.ensembles import impurity_worth, out_of_bag, permutation_worth, staged
from dtviz.slices import finished
from dtviz.table.data import Dataset, dataset


def table(classes: int, weighted: bool = False) -> Dataset:
    random = np.random.default_rng(0)
    x = random.normal(size=(3, 120)).astype(np.float32).astype(np.float64)
    y = x[0] + 0.5 * x[1] + 0.7 * random.normal(size=120)
    codes = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes)) if classes else y
    weights = random.choice([0.5, 1.0, 3.0], 120) if weighted else None
    return dataset(x, codes, "abc", "y", "ABCD"[:classes], (), weights)


def built(found: Dataset, rules: Rules | None = None, **plan: Any) -> Ensemble:
    return finished(build(found, rules or default_rules(found.task), Plan(**plan)))


def test_a_row_is_judged_out_of_bag_by_the_trees_that_never_saw_it() -> None:
    for classes, weighted in product((0, 2), (False, True)):
        found = table(classes, weighted)
        ours = built(found, trees=9)
        predicted, out = predictions(ours.members, found.columns), out_of_bag(ours)
        assert out is not None
        (errors,) = finished(staged(ours, found, [out]))
        for round_ in (0, 3, 8):
            losses, weights = [], []
            for row in range(found.n):
                judges = [t for t in range(round_ + 1) if ours.members.weights[t, row] == 0]
                if not judges:
                    continue
                says = predicted[judges, row]
                if classes:
                    votes = [(says == code).sum() for code in range(classes)]
                    losses.append(float(np.argmax(votes) != found.y[row]))
                else:
                    losses.append((says.mean() - found.y[row]) ** 2)
                weights.append(1.0 if found.weights is None else found.weights[row])
            mean = np.average(losses, weights=weights)
            assert errors.error[round_] == pytest.approx(mean, rel=1e-9), (classes, weighted)
            shares = np.array(weights) / sum(weights)
            band = np.sqrt((((np.array(losses) - mean) * shares) ** 2).sum())
            assert errors.band[round_] == pytest.approx(band, rel=1e-9)


def test_before_a_row_is_out_of_any_bag_there_is_no_error() -> None:
    found = dataset([[1.0, 2.0]], np.array([0, 1]), ["x"], "y", "AB")
    ours = built(found, trees=3)
    told = np.array([[False, False], [True, False], [False, True]])
    errors = finished(staged(ours, found, [told]))[0].error
    assert np.isnan(errors[0])
    assert np.isfinite(errors[1:]).all()


def test_rows_are_judged_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    found = table(2, weighted=True)
    ours = built(found, trees=6)
    asked = (None, out_of_bag(ours))
    whole = finished(staged(ours, found, asked))
    monkeypatch.setattr(ensembles, "ROWS", 7)
    shares = list(staged(ours, found, asked))
    assert shares == sorted(shares)
    parts = finished(staged(ours, found, asked))
    for part, all_at_once in zip(parts, whole, strict=True):
        assert part.error == pytest.approx(all_at_once.error, rel=1e-12)
        assert part.band == pytest.approx(all_at_once.band, rel=1e-9)


def test_targets_of_any_size_have_an_error_and_a_band() -> None:
    found = dataset([np.arange(6.0)], np.array([0, 1, 2, 3, 4, 9]) * 1e149, ["x"], "y")
    (errors,) = finished(staged(built(found, trees=4), found))
    assert np.isfinite(errors.error).all()
    assert np.isfinite(errors.band).all()


def test_boosting_leaves_no_row_out() -> None:
    assert out_of_bag(built(table(2), kind="gradient", trees=3)) is None


def test_features_are_worth_as_much_impurity_as_scikit_learn_says() -> None:
    rest = {"n_estimators": 12, "min_samples_leaf": 9}  # few cuts tie
    stump = DecisionTreeClassifier(max_depth=1, min_samples_leaf=9)
    cases: tuple[tuple[str, int, Any], ...] = (
        ("adaboost", 2, AdaBoostClassifier(stump, n_estimators=12)),
        ("gradient", 3, GradientBoostingClassifier(**rest)),
        ("gradient", 0, GradientBoostingRegressor(**rest)),
    )
    for kind, classes, theirs in cases:
        found = table(classes)
        rules = Rules("gini" if classes else "squared_error", min_samples_leaf=9)
        ours = built(found, rules, kind=kind, trees=12)
        theirs.fit(found.columns.T, found.y)
        worth = theirs.feature_importances_
        assert impurity_worth(ours) == pytest.approx(worth, abs=1e-6), (kind, classes)


class _Ours:
    """An ensemble as scikit-learn asks one."""

    def __init__(self, ensemble: Ensemble) -> None:
        self.ensemble = ensemble

    def fit(self, X: Any, y: Any) -> None:
        """It is fitted."""

    def score(self, X: Any, y: Any) -> float:
        """Minus the mean loss."""
        told = decided(self.ensemble, scores_of(self.ensemble, np.ascontiguousarray(X.T)))
        wrong = told != y if self.ensemble.data.classes else (told - y) ** 2
        return -float(np.mean(wrong))


def test_a_permuted_column_costs_what_scikit_learn_says_of_the_same_permutations() -> None:
    # it shuffles one list of row numbers again and again, and each time what is permuted already
    seed, orders = np.random.RandomState(5).randint(np.iinfo(np.int32).max + 1), []
    for _ in range(3):
        random = np.random.RandomState(seed)
        place, order, each = np.arange(120), np.arange(120), []
        for _ in range(3):
            random.shuffle(place)
            order = order[place]
            each.append(order)
        orders.append(each)
    for kind, classes in (("forest", 3), ("gradient", 0)):
        found = table(classes)
        ours = built(found, kind=kind, trees=8)
        theirs = permutation_importance(
            _Ours(ours), found.columns.T, found.y, n_repeats=3, random_state=5
        )
        worth = finished(permutation_worth(ours, found, np.array(orders)))
        assert worth == pytest.approx(theirs.importances, rel=1e-9, abs=1e-12), kind


def test_a_feature_that_no_split_asks_is_worth_nothing() -> None:
    found = table(2)
    idle = dataset([*found.columns, np.zeros(found.n)], found.y, "abcd", "y", "AB")
    ours = built(idle, trees=5)
    random = np.random.default_rng(0)
    orders = np.array([[random.permutation(idle.n) for _ in range(2)] for _ in range(4)])
    worth = finished(permutation_worth(ours, idle, orders, out_of_bag(ours)))
    assert impurity_worth(ours)[3] == 0
    assert worth[3].tolist() == [0, 0]
    assert impurity_worth(ours)[0] > 0.3
    assert worth[0].mean() > 0.05
