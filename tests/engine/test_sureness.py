"""Log loss and Brier score of shares: against scikit-learn's."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sklearn.metrics import brier_score_loss, log_loss
from strategies import class_data

import dtviz
from dtviz import Rules
from dtviz.engine.sureness import brier_scores, log_losses
from dtviz.judge.metrics import sureness
from dtviz.table.data import Dataset


@given(class_data(14))
def test_they_are_those_of_scikit_learn(found: Dataset) -> None:
    model = dtviz.fit(found, Rules(max_depth=2, leaf_model="shares"))
    shares, k = model.predict_proba(found), len(found.classes)
    if k > 1:
        assert model.log_loss(found) == pytest.approx(log_loss(found.y, shares, labels=range(k)))
    whole = np.square(shares - np.eye(k)[found.y]).sum(axis=1).mean()
    assert model.brier(found) == pytest.approx(whole / 2 if k == 2 else whole)
    if k == 2:
        oracle = brier_score_loss(found.y, shares[:, 1], pos_label=1)
        assert model.brier(found) == pytest.approx(oracle)
    assert sureness(found, model.tree) == pytest.approx((model.log_loss(found), model.brier(found)))


def test_rows_count_by_their_weights() -> None:
    frame = pd.DataFrame({"x": [1.0, 1, 1], "y": ["a", "a", "b"]})
    plain = dtviz.fit(dtviz.from_frame(frame, "y"), Rules(leaf_model="shares"))
    heavy = dtviz.from_frame(frame, "y", sample_weight=[1, 1, 2])
    p = np.array([3 / 5, 3 / 5, 2 / 5])
    assert plain.log_loss(heavy) == pytest.approx(-np.average(np.log(p), weights=[1, 1, 2]))


def test_a_class_that_a_leaf_thinks_impossible_costs_without_end_but_smoothed() -> None:
    data = dtviz.from_frame(pd.DataFrame({"x": [1.0, 2, 3, 4], "y": list("aabb")}), "y")
    other = pd.DataFrame({"x": [1.0, 4.0], "y": ["b", "b"]})
    sharp, smooth = (dtviz.fit(data, Rules(leaf_model=name)) for name in (None, "shares"))
    assert sharp.log_loss(other) == math.inf
    assert smooth.log_loss(other) == pytest.approx(-(math.log(1 / 4) + math.log(3 / 4)) / 2)
    assert sharp.brier(other) == 0.5
    strange = pd.DataFrame({"x": [1.0], "y": ["never seen"]})
    assert smooth.log_loss(strange) == math.inf


def test_of_no_share_nothing_is_foretold() -> None:
    shares = np.array([[0.2, 0.8], [1.0, 0.0]])
    assert log_losses(shares, np.array([-1, 5])).tolist() == [math.inf, math.inf]
    assert brier_scores(shares, np.array([1, 1])) == pytest.approx([0.04, 1.0])


def test_numbers_have_none() -> None:
    model = dtviz.fit(dtviz.load("sine", n=20), Rules("squared_error", max_depth=1))
    for judge in (model.log_loss, model.brier):
        with pytest.raises(ValueError, match="needs classes"):
            judge(model.data)
