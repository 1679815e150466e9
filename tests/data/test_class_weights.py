"""Weights of classes and prior probabilities: scikit-learn's class_weight, rpart's priors.

rpart's figures are those of its own test of priors (tests/priors.R): 15 rows of three classes, with
counts 6, 5, 4, priors 0.2, 0.3, 0.5, and a split that leaves 4, 4, 0 of them on the left.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.class_weight import compute_sample_weight

import dtviz
from dtviz import Rules, from_frame
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset
from dtviz.data.notes import summary
from dtviz.data.train_test import join_rows
from dtviz.data.weights import rebalance, split_by_mask
from dtviz.engine.problem import Problem
from dtviz.engine.rules import prepare_data
from dtviz.engine.tree import class_shares
from dtviz.evaluate.curves import AXES, fold_errors, folded_parts
from dtviz.evaluate.metrics import folds, held_out_score, parts_by_fold
from dtviz.models.steps import candidates

COUNTS, PRIORS, LEFT = np.array([6, 5, 4]), np.array([0.2, 0.3, 0.5]), np.array([4, 4, 0])


def frame(n: int = 60, classes: str = "abc", seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2)).astype(np.float32).astype(float)
    codes = np.clip(np.abs(x[:, 0] + rng.normal(size=n) / 2), 0, len(classes) - 1).astype(int)
    return pd.DataFrame({"x1": x[:, 0], "x2": x[:, 1], "y": [classes[code] for code in codes]})


def rpart(priors: np.ndarray) -> Dataset:
    """rpart's rows, those of the left child at 0."""
    rest = COUNTS - LEFT
    x = np.repeat([0.0, 1.0], [LEFT.sum(), rest.sum()])
    y = [*np.repeat([1, 2, 3], LEFT), *np.repeat([1, 2, 3], rest)]
    frame = pd.DataFrame({"x": x, "y": y})
    return from_frame(frame, "y", priors=dict(enumerate(priors.tolist(), 1)))


def weighed(n: np.ndarray, priors: np.ndarray) -> np.ndarray:
    """The probability of a node and each class, as rpart's test writes it."""
    return n * priors / COUNTS


def test_class_weights_are_those_of_scikit_learn() -> None:
    for seed, (weight, sampled) in enumerate((
        ("balanced", False), ({"a": 2.0, "b": 0.5, "c": 3.7}, True), ({"c": 4}, False), ({}, True),
        ("balanced", True), ({"a": 2.0, "b": 0.5, "c": 3.7}, False),
    )):  # fmt: skip
        table = frame(seed=seed)
        own = np.random.default_rng(seed).uniform(0.5, 2, len(table)) if sampled else None
        data = from_frame(table, "y", ["x1"], sample_weight=own, class_weight=weight)
        each = compute_sample_weight(weight or None, table["y"])
        assert data.weights == pytest.approx(each * (1 if own is None else own), rel=1e-12), seed
        theirs = DecisionTreeClassifier(max_depth=3, class_weight=weight or None, random_state=0)
        theirs.fit(table[["x1"]].to_numpy(), table["y"], own)
        chances = dtviz.fit(data, Rules("gini", max_depth=3)).predict_proba(table)
        wanted = theirs.predict_proba(table[["x1"]].to_numpy())
        assert chances == pytest.approx(wanted, abs=1e-9), seed


def test_priors_give_nodes_the_probabilities_and_cuts_the_improvement_of_rpart() -> None:
    result = rpart(PRIORS)
    model = dtviz.fit(result, Rules("gini", max_depth=1))
    assert result.weight == pytest.approx(15)
    shares = {node: class_shares(known) for node, known in model.tree.nodes.items()}
    assert shares[1] == pytest.approx(PRIORS)
    for node, n in ((2, LEFT), (3, COUNTS - LEFT)):
        parts = weighed(n, PRIORS)
        assert model.tree.nodes[node].weight / 15 == pytest.approx(parts.sum())
        assert shares[node] == pytest.approx(parts / parts.sum())
        assert model.tree.nodes[node].counts == tuple(n)
    # by counts the left says 1, the first of 4 and 4; 4/6 of 0.2 is less than 4/5 of 0.3
    assert model.predict(pd.DataFrame({"x": [0.0, 1.0]})).tolist() == [2, 3]
    altered = np.array([4, 12, 5]) / 21  # what rpart makes of these priors and its losses

    def loss(n: np.ndarray) -> float:
        parts = weighed(n, altered)
        return float(parts.sum() * (1 - np.square(parts / parts.sum()).sum()))

    cut = candidates(rpart(altered), Rules("gini")).iloc[0]
    gain = 15 * (loss(COUNTS) - loss(LEFT) - loss(COUNTS - LEFT))
    assert cut.weighted_gain == pytest.approx(gain)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=20), st.data())
def test_the_shares_of_the_weight_are_the_priors(y: list[str], drawn: st.DataObject) -> None:
    names = sorted({*y})
    parts = drawn.draw(st.lists(st.integers(1, 9), min_size=len(names), max_size=len(names)))
    own = drawn.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=len(y), max_size=len(y)))
    priors = {name: part / sum(parts) for name, part in zip(names, parts, strict=True)}
    table = pd.DataFrame({"x": np.arange(len(y)), "y": y})
    result = from_frame(table, "y", sample_weight=own, priors=priors)
    assert result.weight == pytest.approx(math.fsum(own))
    shares = np.bincount(result.y, result.weights) / result.weight
    assert shares == pytest.approx([priors[name] for name in names])


def test_balanced_classes_weigh_the_same_and_a_note_says_what() -> None:
    table = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": list("abbb")})
    data = from_frame(table, "y", class_weight="balanced")
    assert np.bincount(data.y, data.weights) == pytest.approx([2, 2])
    note = "column 'y': the weight of a row is times that of its class: a 2, b 0.6667"
    assert note in summary(data.notes)
    text = str(dtviz.fit(data).export("text"))
    assert text.startswith("[4 rows, weight 4]")
    assert "weight 2" in text


def test_balanced_is_by_the_training_rows_of_every_fold_as_scikit_learn_has_it() -> None:
    table = frame(90)
    weight = np.random.default_rng(1).uniform(0.5, 2, 90)
    data = from_frame(table, "y", sample_weight=weight, class_weight="balanced")
    fold_of = folds(data, 4, 3)
    parts_of_curves = folded_parts(data, 4, 3)
    for fold, (others, rows) in enumerate(parts_by_fold(data, 4, 3)):
        out = fold_of == fold
        theirs = compute_sample_weight("balanced", table["y"][~out])
        assert others.weights == pytest.approx(theirs * weight[~out], rel=1e-12)
        grown, held = parts_of_curves[fold]
        assert grown.weights == pytest.approx(others.weights, rel=1e-12)
        each = dict(zip(table["y"][~out], theirs, strict=True))
        expected = table["y"][out].map(each).to_numpy() * weight[out]
        assert held.weights == pytest.approx(expected, rel=1e-12)
        assert rebalance(data, others).weights[rows] == pytest.approx(expected, rel=1e-12)
        back = rebalance(others, data).weights
        assert back == pytest.approx(data.weights[fold_of != fold])


def test_balanced_folds_grow_the_trees_of_scikit_learn_and_have_their_errors() -> None:
    table = frame(80, seed=4)
    data = from_frame(table, "y", class_weight="balanced")
    rules = Rules("gini", max_depth=2)
    x = table[["x1", "x2"]].to_numpy()
    right, weight_of_all, mean = 0.0, 0.0, []
    for others, rows in parts_by_fold(data, 4):
        rest = np.setdiff1d(np.arange(data.n), rows)
        theirs = DecisionTreeClassifier(max_depth=2, class_weight="balanced", random_state=0)
        theirs.fit(x[rest], table["y"].iloc[rest])
        mine = dtviz.fit(others, rules)
        assert mine.predict(table).tolist() == theirs.predict(x).tolist()
        assert mine.predict_proba(table) == pytest.approx(theirs.predict_proba(x), abs=1e-9)
        counts = table["y"].iloc[rest].value_counts()
        names = table["y"].iloc[rows]
        weight = (len(rest) / (3 * names.map(counts))).to_numpy()
        hit = theirs.predict(x[rows]) == names.to_numpy()
        right, weight_of_all = right + weight[hit].sum(), weight_of_all + weight.sum()
        mean.append(1 - weight[hit].sum() / weight.sum())
    assert held_out_score(Problem(data, rules), (99,), 4) == pytest.approx(right / weight_of_all)
    errors = run_to_end(fold_errors(data, rules, AXES["depth"], (2,), 4))
    assert errors[:, 0] == pytest.approx(mean)


def test_rows_that_are_dropped_do_not_balance() -> None:
    table = pd.DataFrame({"x": [1.0, math.nan, 3, 4, 5], "y": list("aabbb")})
    test = pd.DataFrame({"x": [1.0, 2, math.nan], "y": list("abc")})
    result = from_frame(table, "y", class_weight="balanced", test=test)
    dropped = prepare_data(result, Rules(missing="drop"))
    assert dropped.weights == pytest.approx([2, 2 / 3, 2 / 3, 2 / 3])
    assert dropped.test.weights == pytest.approx([2, 2 / 3])


def test_a_draw_without_a_class_balances_the_others_and_given_weights_stay() -> None:
    table = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": list("abbc")})
    result = from_frame(table, "y", class_weight="balanced", costs={"a": {"b": 3}})
    grown, held = split_by_mask(result, np.array([False, False, False, True]))
    assert grown.weights == pytest.approx([1.5 * 2, 0.75, 0.75])  # a is raised by its costs
    assert held.weights == pytest.approx([1])
    by_hand = from_frame(table, "y", class_weight={"a": 7})
    assert split_by_mask(by_hand, np.array([False, True, False, True]))[0].weights.tolist() == [
        7,
        1,
    ]
    test = pd.DataFrame({"x": [1.0, 2], "y": list("ad")})
    unseen = from_frame(table, "y", class_weight="balanced", test=test)
    whole = join_rows(unseen, unseen.test)
    grown, held = split_by_mask(whole, np.arange(6) >= 4)
    assert grown.weights == pytest.approx(unseen.weights)
    assert held.weights == pytest.approx(unseen.test.weights)


def test_a_class_may_be_called_by_its_text() -> None:
    table = pd.DataFrame({"x": [1.0, 2, 3], "y": [0, 1, 1]})
    for name in (1, "1", 1.0, np.int64(1), True):
        result = from_frame(table, "y", class_weight={name: 3})
        assert result.weights.tolist() == [1, 3, 3]


THREE = pd.DataFrame({"x": [1.0, 2, 3], "y": list("abc")})


def test_what_cannot_be_is_named() -> None:
    for options, says in (
        ({"class_weight": "even"}, "must be 'balanced' or numbers by class; not 'even'"),
        ({"class_weight": {"d": 1}}, "`class_weight` must speak of 'a', 'b', 'c'; not of 'd'"),
        ({"class_weight": {"a": 0}}, "must be numbers from 1e-100 to 1e+100; not 0 for 'a'"),
        ({"class_weight": {"a": math.nan}}, "not nan for 'a'"),
        ({"class_weight": {"a": True}}, "not True for 'a'"),
        ({"class_weight": {"a": "2"}}, "not '2' for 'a'"),
        ({"class_weight": {"a": 1e99}, "sample_weight": [1e99, 1, 1]}, "must leave the weight of"),
        ({"priors": {"a": 0.5, "b": 0.5}}, "one probability for each of 'a', 'b', 'c', 1 together"),
        ({"priors": {"a": 0.5, "b": 0.4, "c": 0.2}}, "one probability for each of 'a', 'b', 'c'"),
        ({"priors": "balanced"}, "`priors` must be probabilities by class; not 'balanced'"),
        ({"priors": {"a": 1}, "class_weight": "balanced"}, "must be None beside `class_weight`"),
        ({"priors": {"a": 1}, "target": "x", "task": "regression"}, "`priors` speaks of classes"),
        ({"class_weight": {}, "target": "x", "task": "regression"}, "`class_weight` speaks of"),
    ):  # fmt: skip
        table = THREE.assign(z=1.0)
        assert says in refusal(from_frame, table, **{"target": "y", **options}), says
