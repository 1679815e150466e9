"""A model predicts from frames, datasets and single rows, and says why when it cannot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import AGE_CAR_RISK, GOOD_PLACE, RPART_TREBLE, data_of
from hypothesis import given
from strategies import data, grown

import dtviz
from dtviz import Collapse, DataError, Grow, LogError, Model, Rules, RulesError, axis_split, fit
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.rules import default_rules
from dtviz.engine.tree import leaf_ids


def frame(found: Dataset) -> pd.DataFrame:
    return pd.DataFrame(dict(zip(found.features, found.columns, strict=True)))


@given(grown())
def test_predictions_are_what_the_leaf_says(case: Any) -> None:
    found, rules, log, tree = case
    model = Model(found, rules, log, tree)
    leaves = model.apply(frame(found))
    assert leaves.tolist() == model.apply(found).tolist()
    for row, leaf in enumerate(leaves.tolist()):
        node = tree.nodes[leaf]
        assert row in tree.rows[leaf]
        assert model.path(found.columns[:, row].tolist())[-1] == leaf
        predicted = model.predict(found)[row]
        if found.classes:
            assert predicted == found.classes[node.counts.index(max(node.counts))]
            more = 0 if rules.leaf_model is None else 1  # the shares by Laplace
            whole = node.n + more * len(node.counts)
            shares = [(count + more) / whole for count in node.counts]
            assert model.predict_proba(found)[row].tolist() == pytest.approx(shares, rel=1e-15)
        elif rules.leaf_model != "linear":
            assert predicted == node.value
    assert [node.id for node in model.leaves] == leaf_ids(tree)
    assert [box.node for box in model.regions()] == leaf_ids(tree)
    assert [rule.node for rule in model.rules()] == leaf_ids(tree)
    assert list(model.stops()) == leaf_ids(tree)


@given(data())
def test_a_full_tree_is_right_wherever_rows_differ(found: Dataset) -> None:
    model = fit(found, default_rules(found.task))
    rows = [tuple(row) for row in found.columns.T.tolist()]
    distinct = {(row, y) for row, y in zip(rows, found.y.tolist(), strict=True)}
    if len(distinct) == len(set(rows)):
        assert model.score(found) == 1.0
    assert model.score(found) <= 1.0


def test_age_car_risk_predicts_as_recomputed() -> None:
    model = fit(data_of(AGE_CAR_RISK))
    for (age, car), risk in AGE_CAR_RISK["predict"]:
        row = {"Age": age, **{f"Car = {v}": int(v == car) for v in ("SUV", "Sports", "Vintage")}}
        assert model.predict(pd.DataFrame([row])).tolist() == [risk]
        assert model.path(row)[0] == 1


def test_predictions_are_the_classes_unchanged() -> None:
    cases: tuple[tuple[tuple[Any, ...], str], ...] = (
        (("a", "b"), "U"), ((1, 2), "i"), ((0.5, 1.5), "f"), ((False, True), "b"), ((1, "b"), "O"),
        (("a\0", "b"), "O"), ((-5, 2**64 - 1), "O"), ((("a", 1), ("b", 2)), "O"),
    )  # fmt: skip
    for classes, dtype in cases:
        table = make_dataset([[1, 2]], np.array([0, 1]), ["x"], "y", classes)
        predicted = fit(table).predict(table)
        assert predicted.tolist() == list(classes)
        assert [type(v) for v in predicted.tolist()] == [type(v) for v in classes]
        assert predicted.dtype.kind == dtype, classes


def test_a_frame_may_have_more_columns_in_any_order_or_no_rows() -> None:
    model = fit(data_of(GOOD_PLACE))
    expected = model.predict(model.data).tolist()
    shuffled = frame(model.data).iloc[:, ::-1].assign(extra="text")
    assert model.predict(shuffled).tolist() == expected
    assert model.predict(frame(model.data).astype("Int64")).tolist() == expected
    empty = frame(model.data).iloc[:0]
    assert model.predict(empty).shape == model.apply(empty).shape == (0,)
    assert model.predict_proba(empty).shape == (0, 2)


def test_a_frame_without_a_feature_or_value_is_refused() -> None:
    model = fit(data_of(GOOD_PLACE))
    good = frame(model.data)
    for ask in (model.predict, model.predict_proba, model.apply):
        with pytest.raises(DataError, match="the table has no column 'score'"):
            ask(good.drop(columns="score"))
        with pytest.raises(DataError, match="row 3 has no value for 'lies'"):
            ask(good.assign(lies=[0, 1, 2, None, *range(6)]))
        with pytest.raises(DataError, match="needs numbers in 'lies'; here it holds text"):
            ask(good.assign(lies="many"))


def test_infinite_values_have_their_side() -> None:
    model = fit(make_dataset([[1, 2]], np.array([0, 1]), ["x"], "y", "ab"))
    assert model.predict(pd.DataFrame({"x": [-np.inf, np.inf]})).tolist() == ["a", "b"]


def test_a_row_needs_every_feature() -> None:
    model = fit(data_of(GOOD_PLACE))
    refused: tuple[tuple[Any, str], ...] = (
        ([1], "a row needs 4 numbers"),
        ([1, 2, 3, 4, 5], "a row needs 4 numbers"),
        ([], "a row needs 4 numbers"),
        ([1, 2, np.nan, 4], r"the row has no value for '.*'; every row that the tree"),
        ({"forbidden_expression": 1}, "the row has no 'score'"),
    )
    for row, message in refused:
        with pytest.raises(DataError, match=message):
            model.path(row)
    with pytest.raises(DataError, match=r"a row needs 1 number; not \[1, 2\]"):
        fit(dtviz.load("heights")).path([1, 2])


def test_a_number_is_predicted_by_squared_error_and_has_no_class_shares() -> None:
    table = data_of(RPART_TREBLE, "regression")
    model = fit(table)
    assert model.rules_used == Rules("squared_error")
    assert next(dtviz.steps(table)).why
    assert len(dtviz.candidates(table))
    with pytest.raises(ValueError, match="needs classes; this tree predicts a number"):
        model.predict_proba(table)


def test_scores_by_hand() -> None:
    treble = data_of(RPART_TREBLE, "regression")
    model = fit(treble, Rules("squared_error", max_depth=1))
    assert model.score(treble) == pytest.approx(0.757576, abs=5e-7)
    assert fit(treble, Rules("squared_error"), log=()).score(treble) == pytest.approx(0)
    constant = make_dataset([[1, 2]], np.array([3.0, 3.0]), ["x"], "y")
    assert fit(constant, Rules("squared_error")).score(constant) == 1.0
    place = data_of(GOOD_PLACE)
    assert fit(place, log=()).score(place) == 0.5
    assert fit(place).score(place) == 1.0


def test_ids_beyond_63_bits_stay_whole() -> None:
    n = 70
    found = make_dataset([np.arange(n)], np.arange(n) % 2, ["x"], "y", "ab")
    log = tuple(Grow(2**k, axis_split(0, n - k - 1.5)) for k in range(n - 1))
    ids = fit(found, log=log).apply(found)
    assert ids.dtype == object
    assert ids[0] == 2**69
    short = fit(found, log=log[:5]).apply(found)
    assert short.dtype == np.int64


def test_a_log_is_followed_to_the_letter() -> None:
    found = data_of(GOOD_PLACE)
    log = (Grow(1, axis_split(1, 5)), Collapse(1), Grow(1, axis_split(3, 0.5)))
    model = fit(found, log=list(log))  # type: ignore[arg-type]
    assert model.log == log
    assert sorted(model.tree.nodes) == [1, 2, 3]
    assert fit(found, log=()).leaves[0].n == 10
    with pytest.raises(LogError, match="node 4 is no leaf"):
        fit(found, log=(*log, Grow(4, axis_split(0, 0.5))))


def test_the_log_of_a_fit_fits_again() -> None:
    found = dtviz.load("moons", n=60, seed=1)
    model = fit(found, Rules("gini", order="best"))
    again = fit(found, Rules("gini"), log=model.log)
    assert again.tree.splits == model.tree.splits
    assert again.export("text") == model.export("text")


def test_the_criterion_must_suit_the_task() -> None:
    with pytest.raises(RulesError, match=r"'squared_error' or .* or 'poisson' for regression"):
        fit(data_of(RPART_TREBLE, "regression"), Rules("gini"))
    with pytest.raises(RulesError, match="for classification"):
        fit(data_of(GOOD_PLACE), Rules("squared_error"))


def test_a_notebook_shows_one_line_of_what_was_made() -> None:
    data = dtviz.load("moons", n=80)
    model = dtviz.fit(data, dtviz.Rules("gini", max_depth=1))
    assert repr(data) == f"Dataset('{data.target}', 80 rows, 2 features, 2 classes)"
    assert repr(model) == "Model(gini, 2 leaves, height 1, 80 rows)"
    assert repr(dtviz.load("sine", n=80)).endswith(", 80 rows, 1 feature)")
    assert repr(dtviz.forest(data, trees=2)).endswith(", 2 trees, 80 rows)")
