"""A tree of an ensemble as data of its own: its link gives the rows, weights and targets back."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import nasty

from dtviz.engine.ensembles import ENSEMBLES, Plan, build
from dtviz.engine.rules import Rules, prepared
from dtviz.screen.address import read
from dtviz.screen.member import MEMBER, member_recipe
from dtviz.slices import finished
from dtviz.table.data import DataError, recipe
from dtviz.table.gallery import build as example
from dtviz.table.gallery import example_recipe
from dtviz.table.origins import title_of
from dtviz.table.values import write_value

MOONS = example_recipe("moons", n=40)
SINE = example_recipe("sine")


def test_a_link_builds_what_the_tree_grew_on() -> None:
    for of, kind in product((MOONS, SINE, example_recipe("sign_ups")), ENSEMBLES):
        rules = Rules(max_depth=2, missing="majority") if of.name == "sign_ups" else Rules()
        data = prepared(example(of), rules)
        if data.task not in ENSEMBLES[kind].tasks:
            continue
        rules = rules if data.classes else Rules("squared_error")
        plan = Plan(kind, 4, seed=3)
        members = finished(build(data, rules, plan)).members
        member = min(2, len(members) - 1)  # a tree that gets every row right is the last one
        wanted = member_recipe(of, rules, plan, member)
        params = {name: write_value(value) for name, value in wanted.params} | {"data": "member"}
        link = read(params, MOONS)
        assert (link.recipe, link.problems) == (wanted, ())
        again, first = MEMBER.build(wanted, {}), members.data_of(member)
        assert np.array_equal(again.columns, first.columns, equal_nan=True), (of, kind)
        assert again.y.tolist() == first.y.tolist()
        assert again.weights is not None
        assert first.weights is not None
        assert again.weights.tolist() == first.weights.tolist()
        assert (again.target, again.task) == (first.target, first.task)


def test_its_title_says_which_tree_of_what_it_is() -> None:
    assert title_of(member_recipe(MOONS, Rules(), Plan(), 6)) == "Moons: tree 7, random forest"
    named = member_recipe(MOONS, Rules(), Plan("adaboost"), 0)
    assert title_of(named) == "Moons: tree 1, AdaBoost"


def test_what_no_tree_is_is_refused_by_its_parameter() -> None:
    wrong: tuple[tuple[str, Any], ...] = (
        ("number", -1), ("number", "x"), ("number", 1000), ("kind", "magic"), ("of", "member"),
        ("of", 7), ("seed", -1), ("rate", 7.0), ("rules", ("max_depth=0",)),
        ("rules", ("speed=1",)), ("rules", "max_depth=2"), ("size", 3),
    )  # fmt: skip
    for parameter, value in wrong:
        params = {"of": "moons", "kind": "forest", "number": 1, parameter: value}
        wanted = recipe("member", **{f"member_{name}": value for name, value in params.items()})
        with pytest.raises(DataError, match=f"`member_{parameter}`") as error:
            MEMBER.complete(wanted)
        assert error.value.parameter == f"member_{parameter}", value


def test_a_tree_beyond_those_that_grew_is_refused_and_none_put_in_its_place() -> None:
    rules = Rules(max_depth=9)  # a tree that gets every row right is the last one
    wanted = member_recipe(MOONS, rules, Plan("adaboost"), 1)
    with pytest.raises(DataError, match="`member_number` must be below 1") as error:
        MEMBER.build(wanted, {})
    assert error.value.parameter == "member_number"


def test_a_link_to_no_tree_is_told_once_and_shows_the_usual_data() -> None:
    params = {"data": "member", "member_of": "moons", "member_kind": "forest"}
    found = read(params | {"member_number": "1000"}, MOONS)
    assert found.recipe == MOONS
    assert found.problems == ("This link does not say whole which data it means; Moons is shown",)


@given(st.dictionaries(st.sampled_from(["of", "kind", "number", "seed", "rate", "rules"]), nasty))
def test_any_text_is_a_tree_or_a_refusal(own: dict[str, str]) -> None:
    usual = {"of": "moons", "kind": "forest", "number": "1"} | own
    params = {f"member_{name}": MEMBER.read(text) for name, text in usual.items()}
    try:
        whole = MEMBER.complete(recipe("member", **params))
    except DataError:
        return
    assert MEMBER.complete(whole) == whole


def test_a_trees_rows_are_those_that_weigh_something() -> None:
    own = MEMBER.build(member_recipe(MOONS, Rules(), Plan(), 0), {})
    assert own.n < 40
    assert own.weights is not None
    assert own.weights.sum() == 40
    assert np.all(own.weights >= 1)
