"""Costs as they are given, noted, refused, carried by a recipe and to rows held out."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from refusals import refusal

import dtviz
from dtviz import from_frame
from dtviz.screen.address import read, write
from dtviz.screen.session import Session
from dtviz.table import uploads
from dtviz.table.costs import costs_in, own_weight, own_weights, written_costs
from dtviz.table.data import take
from dtviz.table.held import together
from dtviz.table.notes import summary
from dtviz.table.values import write_value

THREE = pd.DataFrame({"x": [1.0, 2, 3, 4], "z": 1.0, "y": list("abcc")})
COSTS = {"a": {"b": 5, "c": 2}, "c": {"a": 0}}
MATRIX = [[0, 5, 2], [1, 0, 1], [0, 1, 0]]


def test_costs_raise_weights_by_their_mean_and_a_note_tells_them() -> None:
    found = from_frame(THREE, "y", costs=COSTS)
    assert found.costs.tolist() == MATRIX
    assert not found.costs.flags.writeable
    assert found.weights.tolist() == [3.5, 1, 0.5, 0.5]
    assert own_weights(found).tolist() == [1, 1, 1, 1]
    assert own_weight(found) == 4
    assert (
        "column 'y': what a mistake costs, by which the weight of a row is raised: "
        "a called b 5, c 2; b called a 1, c 1; c called a 0, b 1"
    ) in summary(found.notes)
    assert take(found, np.array([0, 3])).costs is found.costs
    assert from_frame(THREE, "y").costs is None


def test_costs_stand_beside_every_other_weight() -> None:
    weight, costs = {"a": 2.0, "b": 1.0, "c": 4.0}, {"a": {"b": 5}}
    for own in (None, [1.0, 2, 3, 4]):
        plain = from_frame(THREE, "y", sample_weight=own, class_weight=weight)
        both = from_frame(THREE, "y", sample_weight=own, class_weight=weight, costs=costs)
        assert both.weights == pytest.approx(plain.weights * np.array([3, 1, 1, 1]))
        assert own_weights(both) == pytest.approx(plain.weights)
    priors = {"a": 0.5, "b": 0.3, "c": 0.2}  # rpart: altered to p_i L_i, by the sum of these
    found = from_frame(THREE, "y", priors=priors, costs=costs)
    shares = np.bincount(found.y, found.weights) / found.weight
    parts = np.array([0.5 * 6, 0.3 * 2, 0.2 * 2])
    assert shares == pytest.approx(parts / parts.sum())


def test_a_class_may_be_called_by_its_text() -> None:
    table = pd.DataFrame({"x": [1.0, 2, 3], "y": [0, 1, 1]})
    for one, other in (("1", 0), (1, "0"), (np.int64(1), 0.0)):
        found = from_frame(table, "y", costs={one: {other: 3}})
        assert found.costs.tolist() == [[0, 1], [3, 0]]


def test_what_cannot_be_is_named() -> None:
    for asked, says in (
        ({"costs": "high"}, "must be numbers by class and by the class it is called, such as"),
        ({"costs": MATRIX}, "`costs` must be numbers by class and by the class"),
        ({"costs": {"a": 5}}, "`costs` must be numbers by class and by the class"),
        ({"costs": {"a": [0, 1, 2]}}, "`costs` must be numbers by class and by the class"),
        ({"costs": {"d": {"a": 1}}}, "`costs` must speak of 'a', 'b', 'c'; not of 'd'"),
        ({"costs": {"a": {"d": 1}}}, "`costs` must speak of 'a', 'b', 'c'; not of 'd'"),
        ({"costs": {"a": {"a": 1}}}, "`costs` must be 0; not 1 for 'a' called 'a'"),
        ({"costs": {"a": {"b": -1}}}, "0, or numbers from 1e-100 to 1e+100; not -1 for 'a' called"),
        ({"costs": {"a": {"b": math.nan}}}, "not nan for 'a' called 'b'"),
        ({"costs": {"a": {"b": math.inf}}}, "not inf for 'a' called 'b'"),
        ({"costs": {"a": {"b": True}}}, "not True for 'a' called 'b'"),
        ({"costs": {"a": {"b": "2"}}}, "not '2' for 'a' called 'b'"),
        ({"costs": {"b": {"a": 0, "c": 0}}}, "some mistake with each class; those with 'b' are"),
        ({"costs": {"a": {"b": 1e99}}, "sample_weight": [1e99, 1, 1, 1]}, "must leave the weight"),
        ({"costs": {}, "target": "x", "task": "regression"}, "`costs` speak of classes; 'x' is a"),
        ({"costs": {}, "target": "z"}, "`costs` need from 2 to 50 classes; the table has one"),
        ({"costs": {}, "target": "k"}, "`costs` need from 2 to 50 classes; the table has 60"),
    ):  # fmt: skip
        table = THREE.assign(z="same")
        if asked.get("target") == "k":
            table = pd.DataFrame({"x": range(60), "k": [f"k{at}" for at in range(60)]})
        assert says in refusal(from_frame, table, **{"target": "y", **asked}), says


def test_rows_held_out_have_the_costs_and_those_of_classes_never_seen_cost_1() -> None:
    test = pd.DataFrame({"x": [1.0, 4, 9], "z": 1.0, "y": ["a", "c", "d"]})
    found = from_frame(THREE, "y", ["x"], costs=COSTS, test=test)
    held = found.test
    assert held.classes == ("a", "b", "c", "d")
    assert held.costs[:3, :3].tolist() == MATRIX
    assert held.costs[3].tolist() == [1, 1, 1, 0]
    assert own_weights(held) == pytest.approx([1, 1, 1])
    model = dtviz.fit(found)
    assert model.predict(test).tolist() == ["a", "a", "a"]  # to call c a is free
    assert model.cost(held) == model.cost(test) == pytest.approx((0 + 0 + 1) / 3)
    assert model.score(held) == pytest.approx(1 / 3)
    both = together(found, held)
    assert own_weight(both) == pytest.approx(7)
    grown = take(both, np.arange(4))
    assert dtviz.fit(grown).log == model.log
    assert dtviz.fit(grown).predict(test).tolist() == ["a", "a", "a"]
    assert "at least one row" in refusal(model.cost, test[:0])
    number = dtviz.fit(from_frame(THREE, "x", task="regression"))
    with pytest.raises(ValueError, match="`cost` needs classes"):
        number.cost(THREE)


def test_costs_go_through_the_address_to_the_rows() -> None:
    table = THREE.assign(y=["a=b", "[c", "d,e:f", "d,e:f"])
    names = ("a=b", "[c", "d,e:f")
    lines = {one: dict(zip(names, MATRIX[i], strict=True)) for i, one in enumerate(names)}
    params = {"costs": written_costs(lines)}
    assert params["costs"] == ("a=b=0,5,2", "[c=1,0,1", "d,e:f=0,1,0")
    assert costs_in(params["costs"]) == lines
    about = uploads.recipe_of("01", "a.csv", "y", None, "classification")
    wanted = uploads.also(about, **params)
    found = uploads.build(wanted, {"01": (table, ())})
    at = [found.classes.index(name) for name in names]
    assert found.costs[np.ix_(at, at)].tolist() == MATRIX
    link = write(Session(wanted), found, lambda *_: ())
    assert link["costs"] == write_value(params["costs"])
    again = read(link, wanted)
    assert again.recipe == wanted
    assert again.problems == ()
