"""What a node says of its rows: counts, majority or mean, share, impurity, purity."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from exported import as_frame, in_duckdb, in_python, in_sqlite, scope_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from strategies import class_data, number_data

import dtviz
from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA, criteria_for, impurity
from dtviz.engine.leaves.node_facts import (
    RIDGE,
    brier_scores,
    compute_facts,
    log_losses,
    logistic_lines,
    sigmoid,
)
from dtviz.engine.rules import RulesError
from dtviz.engine.search.frontier import frontier, root_frontier
from dtviz.evaluate.metrics import share_losses


@given(class_data(), st.sampled_from(criteria_for("classification")), st.data())
def test_class_facts_are_counts_of_a_node(found: Dataset, name: str, drawn: st.DataObject) -> None:
    marks = np.array(drawn.draw(st.lists(st.booleans(), min_size=found.n, max_size=found.n)))
    groups = [rows for rows in (np.flatnonzero(marks), np.flatnonzero(~marks)) if len(rows)]
    known = compute_facts(found, frontier(found, groups), CRITERIA[name])
    for j, rows in enumerate(groups):
        counts = [int(np.sum(found.y[rows] == k)) for k in range(len(found.classes))]
        assert known.counts[j].tolist() == counts
        assert known.n[j] == len(rows)
        assert known.value[j] == counts.index(max(counts))  # the first of equals
        assert known.share[j] == max(counts) / len(rows)
        assert bool(known.pure[j]) == (max(counts) == len(rows))
        assert known.impurity[j] == pytest.approx(impurity(name, np.array(counts)), abs=1e-12)
        assert known.impurity[j] >= 0


@given(number_data(), st.data())
def test_number_facts_are_mean_and_variance(found: Dataset, drawn: st.DataObject) -> None:
    marks = np.array(drawn.draw(st.lists(st.booleans(), min_size=found.n, max_size=found.n)))
    groups = [rows for rows in (np.flatnonzero(marks), np.flatnonzero(~marks)) if len(rows)]
    known = compute_facts(found, frontier(found, groups), CRITERIA["squared_error"])
    for j, rows in enumerate(groups):
        y = [Fraction(v) for v in found.y[rows].tolist()]
        mean = sum(y) / len(y)
        variance = float(sum((v - mean) ** 2 for v in y) / len(y))
        assert known.value[j] == pytest.approx(float(mean), rel=1e-14)
        assert known.impurity[j] == pytest.approx(variance, rel=1e-9)
        assert bool(known.pure[j]) == (len(set(y)) == 1)
        assert known.impurity[j] >= 0


def test_a_pure_number_node_is_exact() -> None:
    found = make_dataset([np.arange(3.0)], np.full(3, 0.1), ["x"], "y")
    known = compute_facts(found, root_frontier(found), CRITERIA["squared_error"])
    assert (known.value[0], known.impurity[0], known.share[0]) == (0.1, 0.0, 1.0)


def test_the_mean_of_large_numbers_keeps_its_digits() -> None:
    y = np.array([1e8, 1e8 + 1, 1e8 + 2, 1e8 + 3])
    found = make_dataset([np.arange(4.0)], y, ["x"], "y")
    known = compute_facts(found, root_frontier(found), CRITERIA["squared_error"])
    assert (known.value[0], known.impurity[0]) == (1e8 + 1.5, 1.25)


def test_equal_counts_say_the_first_class() -> None:
    found = make_dataset([np.arange(4.0)], np.array([2, 1, 2, 1]), ["x"], "y", "abc")
    known = compute_facts(found, root_frontier(found), CRITERIA["gini"])
    assert (known.value[0], known.counts[0].tolist()) == (1, [0, 2, 2])


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
        found = logistic_lines(x, y, share, starts)
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
            mine = sigmoid(scores(own, x[:, rows]))
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
    (own,) = logistic_lines(x, y, np.ones(n), np.zeros(1, int))
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
    together = logistic_lines(x, y, np.ones(40), starts)
    for own, rows in zip(together, np.split(np.arange(40), starts[1:]), strict=True):
        alone = logistic_lines(x[:, rows], y[rows], np.ones(len(rows)), np.zeros(1, int))[0]
        assert own.tolist() == alone.tolist()


def test_rows_that_the_last_digit_alone_tells_apart_have_the_odds_of_rows_far_apart() -> None:
    x, y = np.array([[0.0] * 3 + [1, 0, 1, 1]]), np.array([1, 0, 0, 1, 0, 1, 0]) > 0
    near = 1 - (1 - x) * 2.0**-53
    (wide,), (narrow,) = (
        logistic_lines(some, y, np.ones(7), np.zeros(1, int)) for some in (x, near)
    )
    assert scores(narrow, near) == pytest.approx(scores(wide, x))


def test_features_that_do_not_vary_have_no_slope_and_shares_are_those_of_the_rows() -> None:
    x, y = np.full((1, 4), 7.0), np.array([True, True, True, False])
    (own,) = logistic_lines(x, y, np.ones(4), np.zeros(1, int))
    assert own[1] == 0
    assert sigmoid(own[:1]) == pytest.approx([0.75])


def test_odds_beyond_any_number_are_shares_of_0_and_1() -> None:
    assert sigmoid(np.array([-1e300, 0.0, 1e300])).tolist() == pytest.approx([0, 0.5, 1])


duckdb = pytest.importorskip("duckdb")


@given(class_data(14))
def test_shares_are_laplaces_and_predictions_the_majoritys(found: Dataset) -> None:
    rules = Rules(max_depth=2, leaf_model="shares")
    model, usual = dtviz.fit(found, rules), dtviz.fit(found, replace(rules, leaf_model=None))
    assert model.log == usual.log
    assert model.predict(found).tolist() == usual.predict(found).tolist()
    shares, k = model.predict_proba(found), len(found.classes)
    for leaf, rows in model.tree.rows.items():
        counts = np.bincount(found.y[rows], minlength=k)
        wanted = (counts + 1) / (len(rows) + k)
        assert shares[rows] == pytest.approx(np.tile(wanted, (len(rows), 1)))
        rule = next(one for one in model.rules() if one.node == leaf)
        assert rule.shares == pytest.approx(wanted)
    assert (shares > 0).all()


def test_weights_count_in_shares_and_costs_do_not() -> None:
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    rules = Rules(max_depth=1, leaf_model="shares")
    heavy = dtviz.from_frame(frame, "y", sample_weight=[1, 2, 3, 0.5])
    assert dtviz.fit(heavy, rules).predict_proba(heavy)[0] == pytest.approx([4 / 5, 1 / 5])
    dear = dtviz.from_frame(frame, "y", costs={"a": {"b": 9}, "b": {"a": 1}})
    assert dtviz.fit(dear, rules).predict_proba(dear)[0] == pytest.approx([3 / 4, 1 / 4])


def test_a_logistic_leaf_is_the_regression_of_its_rows_and_says_the_likelier_class() -> None:
    found = dtviz.load("moons", n=200, noise=0.3, seed=1)
    model = dtviz.fit(found, Rules(max_depth=1, leaf_model="logistic"))
    shares, said = model.predict_proba(found), model.predict(found)
    for rows in model.tree.rows.values():
        x, y = found.columns[:, rows], found.y[rows]
        told = ((x - x.mean(axis=1)[:, None]) / x.std(axis=1)[:, None]).T
        oracle = LogisticRegression(C=1 / RIDGE / len(rows), tol=1e-10, max_iter=1000).fit(told, y)
        assert shares[rows] == pytest.approx(oracle.predict_proba(told), abs=1e-4)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert said.tolist() == [found.classes[k] for k in (shares[:, 1] > 0.5).astype(int)]
    plain = dtviz.fit(found, Rules(max_depth=1))
    assert model.log == plain.log  # the cuts are the criterion's
    assert model.score(found) > plain.score(found)


def test_a_logistic_leaf_of_one_class_tells_its_smoothed_share() -> None:
    found = dtviz.from_frame(pd.DataFrame({"x": [1.0, 2, 3, 4], "y": list("aabb")}), "y")
    model = dtviz.fit(found, Rules(leaf_model="logistic"))
    assert model.predict_proba(found)[:, 1] == pytest.approx([1 / 4, 1 / 4, 3 / 4, 3 / 4])
    assert model.leaves[0].params[3] == 0.0


def test_every_export_tells_the_same_shares() -> None:
    for name in ["shares", "logistic"]:
        found = dtviz.load("moons", n=120, noise=0.35, seed=2)
        model, frame = dtviz.fit(found, Rules(max_depth=2, leaf_model=name)), as_frame(found)
        wanted, said = model.predict_proba(frame), model.predict(frame).tolist()
        names, rows = list(found.classes), frame.to_dict("records")
        assert in_python(model, frame) == said, name
        shares_of = scope_of(model)["predict_proba"]
        told = [[shares_of(row)[one] for one in names] for row in rows]
        assert np.array(told) == pytest.approx(wanted, abs=1e-13), name
        with duckdb.connect() as base:
            base.register("t", frame)
            table = base.execute(f"SELECT {model.export('sql')} FROM t").fetchdf()
        assert table.iloc[:, 0].tolist() == said, name
        assert list(table.columns[1:]) == [f"share of {one}" for one in names], name
        assert table.iloc[:, 1:].to_numpy() == pytest.approx(wanted, abs=1e-13), name
        if name == "shares":
            lines = in_sqlite(model, frame)
            assert [line[0] for line in lines] == said, name
            assert np.array([line[1:] for line in lines]) == pytest.approx(wanted), name
        body = json.loads(model.export("json"))
        assert body["leaf_model"] == name, name
        assert body["nodes"][-1]["params"] == list(model.leaves[-1].params), name
        words = model.export("text") + model.export("dot")
        first = f"P({names[1]}) = 1 / (1 + e^-(" if name == "logistic" else f"{said[0]} 0."
        assert first in words, name


def test_a_single_leaf_exports_its_shares_too() -> None:
    found = dtviz.load("moons", n=40, noise=0.3, seed=2)
    frame = as_frame(found)
    for name in ("shares", "logistic"):
        model = dtviz.fit(found, Rules(leaf_model=name), ())
        told = [*map(scope_of(model)["predict_proba"], frame.to_dict("records"))]
        told = [list(shares.values()) for shares in told]
        assert np.array(told) == pytest.approx(model.predict_proba(frame))
        assert in_python(model, frame) == model.predict(frame).tolist()


def test_odds_far_away_are_told_without_fail() -> None:
    x = np.array([-1.0, 0, 1, 2])
    found = dtviz.from_frame(pd.DataFrame({"x": x, "y": list("abab")}), "y")
    steep = dtviz.fit(found, Rules(leaf_model="logistic"), ())
    far = pd.DataFrame({"x": [-1e300, 1e300]})
    shares_of = scope_of(steep)["predict_proba"]
    told = [shares_of(row)["b"] for row in far.to_dict("records")]
    assert told == pytest.approx(steep.predict_proba(far)[:, 1])
    assert [row[2] for row in in_duckdb(steep, far)] == pytest.approx(told)


def test_text_names_the_largest_shares_of_many_classes() -> None:
    frame = pd.DataFrame({"x": np.arange(12.0), "y": list("aaaaaabbbccd")})
    model = dtviz.fit(dtviz.from_frame(frame, "y"), Rules(leaf_model="shares"), ())
    assert str(model.rules()[0]) == "always -> a 0.4375, b 0.25, c 0.1875, ... (12 rows)"


def test_logistic_leaves_are_for_two_classes() -> None:
    with pytest.raises(RulesError, match=r"'majority'.*'shares' for 3 classes; not 'logistic'"):
        dtviz.fit(dtviz.load("iris"), Rules(leaf_model="logistic"))
    with pytest.raises(RulesError, match=r"'mean' or 'median' or 'linear' for regression"):
        dtviz.fit(dtviz.load("sine"), Rules("squared_error", leaf_model="shares"))


def test_of_two_classes_that_tie_without_a_slope_the_first_is_said_everywhere() -> None:
    table = pd.DataFrame({"x": [1.0] * 4, "y": list("abab")})
    model = dtviz.fit(dtviz.from_frame(table, target="y"), Rules(leaf_model="logistic"))
    assert model.predict(table).tolist() == ["a"] * 4
    assert in_python(model, table) == ["a"] * 4


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
    assert share_losses(found, model.tree) == pytest.approx(
        (model.log_loss(found), model.brier(found))
    )


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
