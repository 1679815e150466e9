"""All trees of a fitted ensemble of scikit-learn, which predict and are judged as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from dtviz import DataError
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import take_rows
from dtviz.engine.ensembles import Ensemble, predictions_of_scores, scores_of
from dtviz.evaluate.stability import impurity_importances, out_of_bag, round_errors
from dtviz.models.importers import sklearn
from dtviz.models.importers.ensemble_file import read_ensemble, write_ensemble
from dtviz.models.importers.sklearn import ensemble_from_sklearn

IRIS = load_iris(return_X_y=True)
NUMBERS = tuple(part[:150] for part in load_diabetes(return_X_y=True))
JUDGED: dict[str, Any] = {"oob_score": True, "random_state": 0}
ENSEMBLES = (
    RandomForestClassifier(40, **JUDGED),
    RandomForestClassifier(40, class_weight="balanced_subsample", max_depth=2, **JUDGED),
    # leaves of several classes: a mean of shares is no vote, and some trees are one leaf
    ExtraTreesClassifier(9, min_samples_leaf=45, random_state=0),
    BaggingClassifier(DecisionTreeClassifier(max_depth=2), 40, max_features=0.5, **JUDGED),
    RandomForestRegressor(40, max_depth=4, **JUDGED),
    RandomForestRegressor(9, criterion="absolute_error", max_depth=3, random_state=0),
    ExtraTreesRegressor(9, max_depth=4, random_state=0),
    BaggingRegressor(n_estimators=40, max_samples=0.5, **JUDGED),
)


def rows_for(fitted: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    return IRIS if is_classifier(fitted) else NUMBERS


def assert_predicts_as(fitted: Any, ensemble: Ensemble, X: NDArray[Any]) -> None:
    scores, name = scores_of(ensemble, X.T), str(fitted)
    predicted = predictions_of_scores(ensemble, scores)
    if not is_classifier(fitted):
        np.testing.assert_allclose(predicted, fitted.predict(X), rtol=1e-12, err_msg=name)
        return
    shares_of = ensemble.combiner.class_shares
    assert shares_of is not None
    shares = fitted.predict_proba(X)
    np.testing.assert_allclose(shares_of(scores).T, shares, atol=1e-12, err_msg=name)
    first, second = np.sort(shares)[:, :-3:-1].T
    clear = first - second > 1e-9  # of shares that tie, it takes what rounding makes the largest
    assert (predicted == np.searchsorted(fitted.classes_, fitted.predict(X)))[clear].all(), name


def test_all_trees_predict_and_are_judged_as_the_ensemble_that_was_fitted() -> None:
    for model in ENSEMBLES:
        X, y = rows_for(model)
        fitted = model.fit(X, y)
        made = ensemble_from_sklearn(fitted, X, y)
        ensemble = read_ensemble(write_ensemble(made), made.data)
        grid = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), (300, X.shape[1]))
        assert_predicts_as(fitted, ensemble, np.concatenate([X, grid]))
        if hasattr(fitted, "feature_importances_"):
            importances = impurity_importances(ensemble)
            np.testing.assert_allclose(importances, fitted.feature_importances_, atol=1e-12)
        mask = out_of_bag(ensemble)
        assert (mask is None) == isinstance(fitted, ExtraTreesClassifier | ExtraTreesRegressor)
        if mask is not None and getattr(fitted, "oob_score", False):
            (errors,) = run_to_end(round_errors(ensemble, ensemble.data, [mask]))
            error = errors.error[-1] / (1 if is_classifier(fitted) else y.var())
            assert errors.weight[-1] == len(X)
            assert 1 - error == pytest.approx(fitted.oob_score_)


def test_rows_without_values_go_where_each_tree_sends_them() -> None:
    X, y = IRIS
    with_gaps = np.where(np.random.default_rng(0).uniform(size=X.shape) < 0.1, np.nan, X)
    fitted = RandomForestClassifier(20, random_state=0).fit(with_gaps, y)
    made = ensemble_from_sklearn(fitted, with_gaps, y)
    assert_predicts_as(fitted, read_ensemble(write_ensemble(made), made.data), with_gaps)


def test_an_ensemble_that_cannot_be_shown_as_it_is_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, y = IRIS
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    others = BaggingClassifier(KNeighborsClassifier(), 3).fit(X, y)
    boosted = GradientBoostingClassifier(n_estimators=2).fit(X, y)
    for fitted, order, text in (
        (boosted, 1, "must be one of RandomForestClassifier"),
        (others, 1, "must be decision trees"),
        (forest, -1, "not the rows"),
    ):
        with pytest.raises(DataError, match=text):
            ensemble_from_sklearn(fitted, X[::order], y[::order])
    made = ensemble_from_sklearn(forest, X, y)
    with pytest.raises(DataError, match="not the rows"):
        read_ensemble(write_ensemble(made), take_rows(made.data, np.arange(99)))
    monkeypatch.setattr(sklearn, "MAX_NODES_READ", 20)
    with pytest.raises(DataError, match=r"too large .*: 3 trees with"):
        ensemble_from_sklearn(forest, X, y)
