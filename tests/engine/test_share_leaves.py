"""Leaves that tell how sure they are of each class: counted, exported, refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from exported import as_frame, in_duckdb, in_python, in_sqlite, scope_of
from hypothesis import given
from sklearn.linear_model import LogisticRegression
from strategies import class_data

import dtviz
from dtviz import Rules
from dtviz.engine.logistic import RIDGE
from dtviz.engine.rules import RulesError
from dtviz.table.data import Dataset

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
