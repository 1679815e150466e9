"""Logistic regressions of many nodes at once: against scikit-learn, and scipy's own optimum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from dtviz.engine.logistic import RIDGE, chances, fitted


def scores(line: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The scores of rows: start + slope (x - centre) + ..."""
    return np.asarray(line[0] + line[1::3] @ (columns - line[2::3, None]))


def test_each_node_is_the_logistic_regression_of_scikit_learn() -> None:
    for case in [(0.0, True), (1e6, False), (1e9, True)]:
        far, weighted = case
        random = np.random.default_rng(3)
        x = random.normal(size=(3, 300)) + far
        y = x[0] - far + random.normal(size=300) > 0.3
        share = random.integers(1, 5, 300).astype(float) if weighted else np.ones(300)
        starts = np.array([0, 80, 200])
        found = fitted(x, y, share, starts)
        for own, rows in zip(found, np.split(np.arange(300), starts[1:]), strict=True):
            weight = share[rows]
            middle = np.average(x[:, rows], axis=1, weights=weight)[:, None]
            spread = np.sqrt(np.average((x[:, rows] - middle) ** 2, axis=1, weights=weight))[
                :, None
            ]
            told = ((x[:, rows] - middle) / spread).T
            ridge = RIDGE * weight.sum()
            oracle = LogisticRegression(C=1 / ridge, tol=1e-12, max_iter=1000)
            oracle.fit(told, y[rows], weight)
            mine = chances(scores(own, x[:, rows]))
            assert mine == pytest.approx(oracle.predict_proba(told)[:, 1], abs=2e-5), case


@settings(max_examples=10)
@given(st.data())
def test_no_other_line_loses_less_even_where_a_line_parts_the_classes(drawn: st.DataObject) -> None:
    n = drawn.draw(st.integers(2, 9))
    cells = st.lists(st.integers(-3, 3), min_size=n, max_size=n)
    x = np.array([drawn.draw(cells), drawn.draw(cells)], float)
    y = np.array(
        drawn.draw(
            st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda some: len(set(some)) == 2)
        )
    )
    (own,) = fitted(x, y, np.ones(n), np.zeros(1, np.intp))
    assert np.isfinite(own).all()
    spread = x.std(axis=1)
    told = (x - x.mean(axis=1)[:, None]) / np.where(spread > 0, spread, 1.0)[:, None]
    sign = np.where(y, 1.0, -1.0)

    def loss(beta: np.ndarray) -> float:
        lost = np.logaddexp(0, -sign * (beta[0] + beta[1:] @ told)).mean()
        return float(lost + RIDGE / 2 * (beta[1:] @ beta[1:]))

    mine = np.array([*scores(own, x.mean(axis=1)[:, None]), *(own[1::3] * spread)])
    found = minimize(loss, mine, method="BFGS", options={"gtol": 1e-10})
    assert loss(mine) <= found.fun + 1e-9
    start = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-9, "maxiter": 2000})
    assert loss(mine) <= start.fun + 1e-7


def test_a_node_does_not_know_its_neighbours() -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(2, 40)), random.random(40) > 0.4
    starts = np.array([0, 13, 30])
    together = fitted(x, y, np.ones(40), starts)
    for own, rows in zip(together, np.split(np.arange(40), starts[1:]), strict=True):
        alone = fitted(x[:, rows], y[rows], np.ones(len(rows)), np.zeros(1, np.intp))[0]
        assert own.tolist() == alone.tolist()


def test_rows_that_the_last_digit_alone_tells_apart_have_the_odds_of_rows_far_apart() -> None:
    x, y = np.array([[0.0] * 3 + [1, 0, 1, 1]]), np.array([1, 0, 0, 1, 0, 1, 0]) > 0
    near = 1 - (1 - x) * 2.0**-53
    (wide,), (narrow,) = (fitted(some, y, np.ones(7), np.zeros(1, np.intp)) for some in (x, near))
    assert scores(narrow, near) == pytest.approx(scores(wide, x))


def test_features_that_do_not_vary_have_no_slope_and_shares_are_those_of_the_rows() -> None:
    x, y = np.full((1, 4), 7.0), np.array([True, True, True, False])
    (own,) = fitted(x, y, np.ones(4), np.zeros(1, np.intp))
    assert own[1] == 0
    assert chances(own[:1]) == pytest.approx([0.75])


def test_odds_beyond_any_number_are_shares_of_0_and_1() -> None:
    assert chances(np.array([-1e300, 0.0, 1e300])).tolist() == pytest.approx([0, 0.5, 1])
