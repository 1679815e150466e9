"""Ensembles against scikit-learn's, and by their definitions."""

from __future__ import annotations

import doctest
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier
from strategies import data

import dtviz
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import DataError, Dataset, make_dataset
from dtviz.engine.ensembles import (
    ENSEMBLES,
    Ensemble,
    Plan,
    build,
    kinds_for,
    predictions_of_scores,
    scores_by_round,
    scores_of,
    with_usual_depth,
)
from dtviz.engine.ensembles import ensemble as ensemble_module
from dtviz.engine.ensembles.ensemble import MAX_TREES, bootstrap_counts
from dtviz.engine.ensembles.trees import predictions
from dtviz.engine.grow import finish
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.search.best_split import default_max_features
from dtviz.engine.tree import predict, root_tree

N = 150


def table(classes: int, seed: int = 0, weighted: bool = False, n: int = N) -> Dataset:
    """Three features; the class, or the number, follows the first two and noise."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(3, n)).astype(np.float32).astype(np.float64)
    y = x[0] + 0.5 * x[1] + 0.7 * random.normal(size=n)
    codes = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes)) if classes else y
    weights = random.choice([0.5, 1.0, 3.0], n) if weighted else None
    return make_dataset(x, codes, "abc", "y", "ABCD"[:classes], (), weights)


def built(found: Dataset, rules: Rules | None = None, **plan: Any) -> Ensemble:
    return run_to_end(build(found, rules or default_rules(found.task), Plan(**plan)))


def rounds(ensemble: Ensemble, columns: Any) -> list[Any]:
    """The scores after each round."""
    return [s.copy() for s in scores_by_round(ensemble, predictions(ensemble.members, columns))]


def test_adaboost_is_scikit_learns_round_by_round() -> None:
    for case in [(2, True), (3, False), (3, True)]:
        classes, weighted = case
        found = table(classes, weighted=weighted)
        ours = built(found, Rules("gini"), kind="adaboost", trees=15)
        theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=15)
        theirs.fit(found.columns.T, found.y, sample_weight=found.weights)
        assert ours.member_factor == pytest.approx(theirs.estimator_weights_, rel=1e-9), case
        staged = theirs.staged_predict(found.columns.T)
        for scores, expected in zip(rounds(ours, found.columns), staged, strict=True):
            assert predictions_of_scores(ours, scores).tolist() == expected.tolist(), case


def test_gradient_boosting_is_scikit_learns_round_by_round() -> None:
    for classes, weighted in [(0, True), (2, False), (3, True)]:
        found = table(classes, weighted=weighted)
        ours = built(found, kind="gradient", trees=15)
        kind = GradientBoostingClassifier if classes else GradientBoostingRegressor
        theirs = kind(n_estimators=15).fit(found.columns.T, found.y, sample_weight=found.weights)
        if not classes:
            staged = theirs.staged_predict(found.columns.T)
        else:
            staged = theirs.staged_predict_proba(found.columns.T)
        for scores, expected in zip(rounds(ours, found.columns), staged, strict=True):
            shares = ours.combiner.class_shares
            told = predictions_of_scores(ours, scores) if shares is None else shares(scores).T
            assert told == pytest.approx(expected, rel=1e-7, abs=1e-9), (classes, weighted)


def test_boosting_ends_where_a_tree_gets_every_row_right() -> None:
    found = make_dataset([np.arange(6.0)], np.array([0, 0, 0, 1, 1, 1]), ["x"], "y", "AB")
    ours = built(found, kind="adaboost", trees=10)
    assert ours.rounds == 1
    assert predictions_of_scores(ours, scores_of(ours, found.columns)).tolist() == found.y.tolist()


def test_boosting_ends_before_a_tree_no_better_than_chance() -> None:
    found = make_dataset([[0.0, 0.0, 1.0, 1.0]], np.array([0, 1, 0, 1]), ["x"], "y", "AB")
    assert built(found, kind="adaboost", trees=10).rounds == 1


@given(data(12), st.data())
def test_every_kind_builds_on_any_table(found: Dataset, drawn: st.DataObject) -> None:
    kind = drawn.draw(st.sampled_from(kinds_for(found.task)))
    ours = built(found, kind=kind.name, trees=3)
    predicted = predictions_of_scores(ours, scores_of(ours, found.columns))
    if found.classes:
        assert set(predicted) <= set(range(len(found.classes)))
    elif kind.rate is None:
        assert (predicted >= found.y.min() - 1e-9 * np.abs(found.y).max()).all()
        assert (predicted <= found.y.max() + 1e-9 * np.abs(found.y).max()).all()
    assert 1 <= ours.rounds <= 3


def test_bagging_is_the_vote_or_the_mean_of_trees_grown_alone() -> None:
    for classes in [0, 3]:
        found = table(classes)
        ours = built(found, kind="bagging", trees=7, seed=3)
        weights = bootstrap_counts(found.n, 7, 3)
        assert weights.sum(axis=1).tolist() == [found.n] * 7, classes
        each = []
        for member in range(7):
            assert ours.members.weights[member].tolist() == weights[member].tolist(), classes
            own = ours.members.data_of(member)
            problem = Problem(own, ours.members.rules)
            each.append(predict(finish(problem, root_tree(problem))[1], found.columns))
        told = predictions_of_scores(ours, scores_of(ours, found.columns))
        if classes:
            counts = [(np.array(each) == code).sum(axis=0) for code in range(classes)]
            assert told.tolist() == np.argmax(counts, axis=0).tolist(), classes
        else:
            assert told == pytest.approx(np.mean(each, axis=0), rel=1e-12, abs=1e-12), classes


def test_a_member_is_the_tree_fitted_to_what_it_stands_on() -> None:
    for family in ["axis", "oblique", "radial"]:
        found = table(2, n=60)
        rules = Rules("entropy", families=("axis", family) if family != "axis" else ("axis",))
        ensemble = built(found, replace(rules, max_depth=3), kind="bagging", trees=4)
        for member in range(4):
            shown = ENSEMBLES["bagging"].data_of_member(found, rules, ensemble.plan, member)
            tree = dtviz.fit(shown, ensemble.members.rules).tree
            log = {move.node: move.split for move in ensemble.members.log(member)}
            assert log == dict(tree.splits), family


@pytest.mark.nightly
def test_a_forest_errs_on_rows_it_never_saw_as_scikit_learns_does() -> None:
    found, other = table(2, n=400), table(2, seed=1, n=2_000)
    ours, theirs = [], []
    for seed in range(4):
        forest = built(found, Rules("gini"), trees=50, seed=seed)
        ours.append(
            np.mean(predictions_of_scores(forest, scores_of(forest, other.columns)) != other.y)
        )
        sk = RandomForestClassifier(50, random_state=seed).fit(found.columns.T, found.y)
        theirs.append(np.mean(sk.predict(other.columns.T) != other.y))
    assert abs(np.mean(ours) - np.mean(theirs)) < 0.02  # two standard errors of a difference: 0.015


def test_equal_seeds_build_equal_ensembles_and_more_trees_leave_those_before() -> None:
    found = table(2)
    for kind in ENSEMBLES:
        few, again, more = (built(found, kind=kind, trees=trees) for trees in (4, 4, 6))
        other = built(found, kind="bagging", trees=4, seed=1)
        logs = [[one.members.log(k) for k in range(4)] for one in (few, again, more)]
        assert logs[0] == logs[1] == logs[2]
        if kind in ("forest", "bagging", "extra_trees"):
            assert logs[0] != [other.members.log(k) for k in range(4)]


def test_a_nodes_usual_number_of_features_is_the_square_root() -> None:
    assert [default_max_features(k) for k in (1, 2, 3, 4, 8, 9, 10, 100)] == [
        1,
        1,
        1,
        2,
        2,
        3,
        3,
        10,
    ]


def test_rules_without_a_depth_take_that_of_the_kind() -> None:
    assert with_usual_depth(ENSEMBLES["adaboost"], Rules()).max_depth == 1
    assert with_usual_depth(ENSEMBLES["adaboost"], Rules(max_depth=4)).max_depth == 4
    assert with_usual_depth(ENSEMBLES["forest"], Rules()).max_depth is None


def test_a_plan_out_of_its_range_is_refused_in_a_sentence() -> None:
    for name, value in [
        *[("trees", 0), ("trees", 2.0), ("trees", MAX_TREES + 1), ("seed", -1), ("seed", 10**9)],
        *[("features", 0), ("features", 10**6 + 1), ("rate", 0.0), ("rate", 2)],
    ]:
        with pytest.raises(DataError, match=f"`{name}` must"):
            Plan(**{name: value})


def test_a_plan_at_the_end_of_its_range_is_one() -> None:
    most = Plan(trees=MAX_TREES, seed=10**9 - 1, features=10**6, rate=1.0)
    assert (most.trees, most.seed) == (1_000, 999_999_999)


def test_a_kind_that_does_not_suit_the_task_is_refused() -> None:
    for kind, classes in [("adaboost", 0), ("magic", 2)]:
        with pytest.raises(DataError, match="`kind` must be one of"):
            built(table(classes), kind=kind)


def test_the_work_is_done_in_slices_that_tell_their_share() -> None:
    for kind in ENSEMBLES:
        shares = list(build(table(2), Rules(), Plan(kind, trees=10)))
        assert len(shares) > 5, kind
        assert shares == sorted(shares), kind
        assert shares[-1] <= 1, kind


def test_examples_run() -> None:
    assert doctest.testmod(ensemble_module).failed == 0
