"""Costs and weights: given, noted, refused, and carried by a recipe through an address."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from refusals import refusal

import dtviz
from dtviz import from_frame
from dtviz.data import uploads, weights
from dtviz.data.dataset import DataError, take_rows, write_value
from dtviz.data.drawing import ORIGINS
from dtviz.data.notes import summary
from dtviz.data.train_test import join_rows
from dtviz.data.weights import (
    costs_text,
    parse_costs,
    total_weight_before_costs,
    weights_before_costs,
)
from dtviz.session.address import read_address, write_address
from dtviz.session.session import Session

THREE = pd.DataFrame({"x": [1.0, 2, 3, 4], "z": 1.0, "y": list("abcc")})
COSTS = {"a": {"b": 5, "c": 2}, "c": {"a": 0}}
ABOUT = uploads.upload_recipe("01", "a.csv", "y", None, "classification")
MATRIX = [[0, 5, 2], [1, 0, 1], [0, 1, 0]]


def test_costs_raise_weights_by_their_mean_and_a_note_tells_them() -> None:
    result = from_frame(THREE, "y", costs=COSTS)
    assert result.costs.tolist() == MATRIX
    assert not result.costs.flags.writeable
    assert result.weights.tolist() == [3.5, 1, 0.5, 0.5]
    assert weights_before_costs(result).tolist() == [1, 1, 1, 1]
    assert total_weight_before_costs(result) == 4
    assert (
        "column 'y': what a mistake costs, by which the weight of a row is raised: "
        "a called b 5, c 2; b called a 1, c 1; c called a 0, b 1"
    ) in summary(result.notes)
    assert take_rows(result, np.array([0, 3])).costs is result.costs
    assert from_frame(THREE, "y").costs is None


def test_costs_stand_beside_every_other_weight() -> None:
    weight, costs = {"a": 2.0, "b": 1.0, "c": 4.0}, {"a": {"b": 5}}
    for own in (None, [1.0, 2, 3, 4]):
        plain = from_frame(THREE, "y", sample_weight=own, class_weight=weight)
        both = from_frame(THREE, "y", sample_weight=own, class_weight=weight, costs=costs)
        assert both.weights == pytest.approx(plain.weights * np.array([3, 1, 1, 1]))
        assert weights_before_costs(both) == pytest.approx(plain.weights)
    priors = {"a": 0.5, "b": 0.3, "c": 0.2}  # rpart: altered to p_i L_i, by the sum of these
    result = from_frame(THREE, "y", priors=priors, costs=costs)
    shares = np.bincount(result.y, result.weights) / result.weight
    parts = np.array([0.5 * 6, 0.3 * 2, 0.2 * 2])
    assert shares == pytest.approx(parts / parts.sum())


def test_a_class_may_be_called_by_its_text() -> None:
    table = pd.DataFrame({"x": [1.0, 2, 3], "y": [0, 1, 1]})
    for one, other in (("1", 0), (1, "0"), (np.int64(1), 0.0)):
        result = from_frame(table, "y", costs={one: {other: 3}})
        assert result.costs.tolist() == [[0, 1], [3, 0]]


def test_what_cannot_be_is_named() -> None:
    for options, says in (
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
        if options.get("target") == "k":
            table = pd.DataFrame({"x": range(60), "k": [f"k{at}" for at in range(60)]})
        assert says in refusal(from_frame, table, **{"target": "y", **options}), says


def test_rows_held_out_have_the_costs_and_those_of_classes_never_seen_cost_1() -> None:
    test = pd.DataFrame({"x": [1.0, 4, 9], "z": 1.0, "y": ["a", "c", "d"]})
    result = from_frame(THREE, "y", ["x"], costs=COSTS, test=test)
    held = result.test
    assert held.classes == ("a", "b", "c", "d")
    assert held.costs[:3, :3].tolist() == MATRIX
    assert held.costs[3].tolist() == [1, 1, 1, 0]
    assert weights_before_costs(held) == pytest.approx([1, 1, 1])
    model = dtviz.fit(result)
    assert model.predict(test).tolist() == ["a", "a", "a"]  # to call c a is free
    assert model.cost(held) == model.cost(test) == pytest.approx((0 + 0 + 1) / 3)
    assert model.score(held) == pytest.approx(1 / 3)
    both = join_rows(result, held)
    assert total_weight_before_costs(both) == pytest.approx(7)
    grown = take_rows(both, np.arange(4))
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
    params = {"costs": costs_text(lines)}
    assert params["costs"] == ("a=b=0,5,2", "[c=1,0,1", "d,e:f=0,1,0")
    assert parse_costs(params["costs"]) == lines
    wanted = uploads.with_params(ABOUT, **params)
    result = uploads.build(wanted, {"01": (table, ())})
    at = [result.classes.index(name) for name in names]
    assert result.costs[np.ix_(at, at)].tolist() == MATRIX
    link = write_address(Session(wanted), result, lambda *_: ())
    assert link["costs"] == write_value(params["costs"])
    again = read_address(link, wanted)
    assert again.recipe == wanted
    assert again.problems == ()


FRAME = pd.DataFrame({"w": [1.0, 2, 3, 0], "x": [1.0, 2, 3, 4], "y": ["a=b", "a=b", "[c", "[c"]})


def test_weights_go_through_the_address_to_the_rows() -> None:
    for params, counted in (
        ({"sample_weight": "w"}, [1, 2, 3]),
        ({"class_weight": "balanced"}, [1, 1, 1, 1]),
        ({"class_weight": ("a=b=2", "[c=0.5")}, [2, 2, 0.5, 0.5]),
        ({"priors": ("[c=0.25", "a=b=0.75")}, [1.5, 1.5, 0.5, 0.5]),
        ({"class_weight": ("[c=3",), "sample_weight": "w"}, [1, 2, 9]),
    ):
        wanted = uploads.with_params(ABOUT, **params)
        data = uploads.build(wanted, {"01": (FRAME, ())})
        assert data.weights.tolist() == pytest.approx(counted), params
        link = write_address(Session(wanted), data, lambda *_: ())
        texts = {name: write_value(value) for name, value in params.items()}
        assert {name: link[name] for name in params} == texts
        assert read_address(link, wanted).recipe == wanted, params
        assert read_address(link, wanted).problems == (), params


def test_weights_costs_and_types_that_an_address_cannot_mean_are_left_out_and_said() -> None:
    link = {"data": "file", "sha": "01", "file": "a.csv", "target": "y"}
    many = str([f"{k}=1" for k in range(501)]).replace("'", '"')
    for name, texts in (
        ("sample_weight", ['["w"]']),
        ("class_weight", ["even", "[]", '["a"]', '["a=1e999"]', '["a=-1"]', '["a=nan"]']),
        ("priors", ["balanced", many]),
        ("costs", ["5", '["a=0"]', '["a=0,5","b=1"]', '["a=0,5","a=1,0"]', '["a=0,-5","b=1,0"]',
                   '["a=0,nan","b=1,0"]', '["a=0,1e999","b=1,0"]']),
        ("types", ["zip=category", '["zip"]', '["zip=x"]', "[]", '["=number="]']),
    ):  # fmt: skip
        for text in texts:
            result = read_address(link | {name: text}, ABOUT)
            assert [problem.startswith(f"'{name}=") for problem in result.problems] == [True], text
            assert result.recipe == ABOUT, (name, text)
    for params in ({"class_weight": "balanced"}, {"costs": '["a=0,5","b=1,0"]'}):
        result = read_address(link | params | {"task": "regression"}, ABOUT)
        assert [problem.startswith(f"'{next(iter(params))}=") for problem in result.problems] == [
            True
        ]
        assert not {*params} & {*dict(result.recipe.params)}
    both = uploads.with_params(ABOUT, class_weight="balanced", priors=("a=1",))
    with pytest.raises(DataError, match="left out beside") as error:
        ORIGINS["file"].complete(both)
    assert error.value.parameter == "priors"


def test_a_column_of_numbers_none_of_them_negative_can_weigh() -> None:
    for values, can in (
        ([0, 1, 2.5], True), ([1, 1, 1], True), ([0, 0, 0], False), ([1, -1, 1], False),
        ([1, None, 1], False), ([1, 1e101, 1], False), ([1, float("inf"), 1], False),
        (["1", "2", "3"], False), ([True, False, True], False),
        (pd.to_datetime(["2024-01-01"] * 3), False),
    ):  # fmt: skip
        series = pd.Series(values, name="w")
        assert weights.is_sample_weight(series) is can, values
        if can:
            frame = pd.DataFrame({"w": series, "x": [1.0, 2, 3], "y": ["a", "b", "a"]})
            data = uploads.build(uploads.with_params(ABOUT, sample_weight="w"), {"01": (frame, ())})
            assert data.features == ("x",), values
