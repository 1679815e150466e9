"""Confusion, the figures of numbers and the baseline, against scikit-learn and by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import (
    confusion_matrix,
    mean_absolute_error,
    mean_squared_error,
    precision_score,
    r2_score,
    recall_score,
    roc_auc_score,
    roc_curve,
)

from dtviz.data.dataset import Dataset, make_dataset
from dtviz.evaluate.metrics import baseline, calls_at, confusion, error_summary, threshold_curve


def data_of(y: list[int] | list[float], classes: str = "", weights: bool = False) -> Dataset:
    """Rows of one feature with these targets."""
    found = make_dataset([np.arange(len(y))], np.array(y), ["x"], "y", classes)
    many = np.random.default_rng(5).integers(1, 9, len(y)) / 2
    return replace(found, weights=many) if weights else found


pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


@given(pairs, st.booleans())
def test_the_confusion_is_that_of_scikit_learn(found: list[tuple[int, int]], weights: bool) -> None:
    y, called = (np.array(one) for one in zip(*found, strict=True))
    data = data_of(y.tolist(), "abcd", weights)
    own = confusion(data, called.astype(float))
    kinds = range(4)
    assert own.rows.tolist() == confusion_matrix(y, called, labels=kinds).tolist()
    weighed = confusion_matrix(y, called, labels=kinds, sample_weight=data.weights)
    if weights:
        assert own.weights == pytest.approx(weighed)
    else:
        assert own.weights is None
    asked = {"labels": kinds, "average": None, "zero_division": np.nan}
    recall = recall_score(y, called, sample_weight=data.weights, **asked)
    precision = precision_score(y, called, sample_weight=data.weights, **asked)
    assert own.recall == pytest.approx(recall, nan_ok=True)
    assert own.precision == pytest.approx(precision, nan_ok=True)
    assert own.accuracy == pytest.approx(np.average(y == called, weights=data.weights))


@given(st.lists(st.tuples(*[st.integers(-50, 50)] * 2), min_size=2, max_size=40), st.booleans())
def test_the_figures_of_numbers_are_those_of_scikit_learn(
    found: list[tuple[int, int]], weights: bool
) -> None:
    y, told = (np.array(one, float) for one in zip(*found, strict=True))
    data = data_of(y.tolist(), weights=weights)
    own = error_summary(data, told)
    by = {"sample_weight": data.weights}
    assert own.squared_error == pytest.approx(mean_squared_error(y, told, **by))
    assert own.absolute_error == pytest.approx(mean_absolute_error(y, told, **by))
    if np.ptp(y):
        assert own.r2 == pytest.approx(r2_score(y, told, **by))
    else:
        assert np.isnan(own.r2), "equal targets leave nothing to explain"


def test_the_baseline_is_the_majority_or_the_mean_of_the_training_rows() -> None:
    random = np.random.default_rng(0)
    y, other = random.choice(3, 60, p=[0.2, 0.5, 0.3]), random.integers(0, 3, 25)
    for weights in (False, True):
        training, held = (data_of(of.tolist(), "abc", weights) for of in (y, other))
        dummy = DummyClassifier(strategy="most_frequent").fit(
            training.columns.T, y, sample_weight=training.weights
        )
        right = dummy.score(held.columns.T, other, sample_weight=held.weights)
        assert baseline(training, held) == pytest.approx(1 - right)
        training, held = (data_of((of * 1.7).tolist(), weights=weights) for of in (y, other))
        mean = DummyRegressor().fit(training.columns.T, training.y, sample_weight=training.weights)
        predicted = mean.predict(held.columns.T)
        expected = mean_squared_error(held.y, predicted, sample_weight=held.weights)
        assert baseline(training, held) == pytest.approx(expected)


def test_where_mistakes_have_costs_the_baseline_is_the_class_that_costs_least() -> None:
    costs = np.array([[0.0, 1], [9, 0]])
    training = replace(data_of([0, 0, 0, 1], "ab"), costs=costs)  # all a: 9, all b: 3
    held = replace(data_of([0, 1, 0, 0, 0], "ab"), costs=costs)
    assert baseline(training, held) == pytest.approx(4 / 5)


def test_of_no_rows_held_out_there_is_no_baseline() -> None:
    assert np.isnan(baseline(data_of([0, 1], "ab"), None))


scored_rows = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6)), min_size=2, max_size=40)


def shares_of(scores: list[int], code: int) -> np.ndarray:
    """Shares of three classes, (n, 3): sixths for one class, the rest parted in two unevenly."""
    share = np.array(scores) / 6
    others = np.outer(1 - share, [0.7, 0.3])
    return np.insert(others, code, share, axis=1)


@given(scored_rows, st.integers(0, 2), st.booleans())
def test_the_roc_curve_and_its_area_are_those_of_scikit_learn(
    found: list[tuple[int, int]], code: int, weights: bool
) -> None:
    y, scores = map(list, zip(*found, strict=True))
    data, shares = data_of(y, "abc", weights), shares_of(scores, code)
    curve, is_class = threshold_curve(data, shares, code), np.array(y) == code
    if is_class.all() or not is_class.any():
        assert np.isnan(curve.auc)
        return
    asked = {"sample_weight": data.weights}
    false, true, thresholds = roc_curve(is_class, shares[:, code], drop_intermediate=False, **asked)
    assert curve.false_positive_rate == pytest.approx(false)
    assert curve.true_positive_rate == pytest.approx(true)
    assert curve.thresholds == pytest.approx(thresholds)
    assert curve.auc == pytest.approx(roc_auc_score(is_class, shares[:, code], **asked))
    if not weights:  # pairs of a row of the class and another: 2 if in order, 1 if tied
        own, other = ([s for s, c in zip(scores, is_class, strict=True) if c == k] for k in (1, 0))
        points = sum(2 * (a > b) + (a == b) for a in own for b in other)
        assert curve.auc == points / (2 * len(own) * len(other)), "without rounding"


@given(scored_rows, st.integers(0, 2), st.booleans(), st.booleans())
def test_every_threshold_has_the_counts_lift_and_loss_of_its_calls(
    found: list[tuple[int, int]], code: int, weights: bool, has_costs: bool
) -> None:
    y, scores = map(list, zip(*found, strict=True))
    data, shares = data_of(y, "abc", weights), shares_of(scores, code)
    costs = np.array([[0.0, 1, 4], [2, 0, 3], [9, 5, 0]])
    if has_costs:
        raised = np.ones(data.n) if data.weights is None else data.weights
        data = replace(data, costs=costs, weights=raised * (costs.sum(axis=1) / 2)[data.y])
    curve = threshold_curve(data, shares, code)
    for k, threshold in enumerate(curve.thresholds):
        calls = calls_at(data, shares, code, threshold)
        is_called = shares[:, code] >= threshold - 1e-9
        assert ((calls == code) == is_called).all()
        matrix = confusion(data, calls)
        amounts, positives = matrix.amounts, matrix.amounts[:, code].sum()
        assert curve.true_positives[k] == pytest.approx(amounts[code, code])
        assert curve.false_positives[k] == pytest.approx(positives - amounts[code, code])
        loss = (amounts * (costs if has_costs else 1 - np.eye(3))).sum()
        assert curve.loss[k] == pytest.approx(loss)
        if positives and amounts[code].sum():
            base = amounts[code].sum() / amounts.sum()
            assert curve.lift[k] == pytest.approx(matrix.precision[code] / base)
    if not has_costs:  # 0.7 of what is left goes to the first other class
        assert set(calls_at(data, shares, code, np.inf)) == {1.0 if code == 0 else 0.0}


def test_equal_shares_of_weights_that_round_apart_are_one_step() -> None:
    data, share = data_of([0, 1, 0], "ab"), np.array([0.1 + 0.2, 0.3, 0.5])
    curve = threshold_curve(data, np.stack([1 - share, share], axis=1), 1)
    assert curve.thresholds.tolist() == [np.inf, 0.5, 0.3]
    assert curve.auc == pytest.approx(0.25)
    assert curve.at(np.array([0, 2])).true_positives.tolist() == [0, 1]
