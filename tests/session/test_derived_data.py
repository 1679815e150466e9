"""Data made of other data: a tree's own rows, of an ensemble or left out, each with its link."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import nasty

import dtviz
from dtviz.app.instrument import Instrument
from dtviz.base.progress import run_to_end
from dtviz.data import uploads
from dtviz.data.dataset import DataError, Recipe, make_recipe, take_rows, write_value
from dtviz.data.drawing import ORIGINS, origin_of, title_of
from dtviz.data.gallery import build as example
from dtviz.data.gallery import example_recipe
from dtviz.engine.ensembles import ENSEMBLES, Plan, build
from dtviz.engine.rules import Rules, default_rules, prepare_data
from dtviz.evaluate.stability import StabilitySettings, rows_of_selected
from dtviz.session.address import read_address, session_at, write_address
from dtviz.session.derived_data import (
    MEMBER,
    MEMBER_RECIPES,
    SAMPLE_RECIPES,
    member_recipe,
    sample_recipe,
    sample_session,
)
from dtviz.session.session import Session, Visit

MOONS = example_recipe("moons", n=40)
SINE = example_recipe("sine")
START = make_recipe("heights")


def member(of: Recipe) -> Recipe:
    return member_recipe(of, Rules(), Plan("forest"), 2)


def sample(of: Recipe) -> Recipe:
    return sample_recipe(of, Rules(), StabilitySettings(shown=3))


def test_a_row_can_be_left_out_of_the_rows_of_a_tree_and_the_other_way_round() -> None:
    for of, one in ((member(MOONS), sample), (sample(MOONS), member)):
        whole = one(of)
        assert origin_of(whole).complete(whole) == whole
        assert origin_of(whole).build(whole, {}).n <= origin_of(of).build(of, {}).n
        assert title_of(whole).startswith(title_of(of))


def test_none_is_made_twice() -> None:
    for make, kind in ((member, MEMBER_RECIPES), (sample, SAMPLE_RECIPES)):
        twice = make(MOONS)
        assert kind.is_derived(twice)
        assert not kind.is_derived(MOONS)
        for of in (twice, sample(member(MOONS)), member(sample(MOONS))):
            with pytest.raises(DataError, match="the rows of a tree already"):
                make(of)


def test_what_is_of_nothing_or_of_itself_is_refused_by_its_name() -> None:
    for kind in (MEMBER_RECIPES, SAMPLE_RECIPES):
        for of in (None, "nope", kind.name, 7):
            params = {} if of is None else {f"{kind.name}_of": of}
            with pytest.raises(DataError, match=f"`{kind.name}_of` must name the data") as error:
                kind.read(make_recipe(kind.name, **params))
            assert error.value.parameter == (None if of is None else f"{kind.name}_of")


def test_a_ring_of_names_ends() -> None:
    ring = make_recipe("sample", sample_of="member", sample_shown=1, member_of="sample")
    with pytest.raises(DataError):
        origin_of(ring).complete(ring)


def test_the_weights_of_a_file_are_no_parameter_of_a_sample() -> None:
    plain = uploads.upload_recipe("0" * 16, "f.csv", "y", ("x",), "classification")
    file = uploads.complete(uploads.with_params(plain, sample_weight="w"))
    assert not SAMPLE_RECIPES.is_derived(file)
    assert SAMPLE_RECIPES.read(sample(file))[0] == file
    odd = make_recipe("sample", **dict(sample(MOONS).params), sample_colour="red")
    with pytest.raises(DataError, match="`sample_colour` must be left out") as error:
        SAMPLE_RECIPES.read(odd)
    assert error.value.parameter == "sample_colour"


# --- a tree of an ensemble ------------------------------------------------------------------------


def test_a_link_builds_what_the_tree_grew_on() -> None:
    for of, kind in product((MOONS, SINE, example_recipe("sign_ups")), ENSEMBLES):
        rules = Rules(max_depth=2, missing="majority") if of.name == "sign_ups" else Rules()
        data = prepare_data(example(of), rules)
        if data.task not in ENSEMBLES[kind].tasks:
            continue
        rules = rules if data.classes else Rules("squared_error")
        plan = Plan(kind, 4, seed=3)
        members = run_to_end(build(data, rules, plan)).members
        member = min(2, len(members) - 1)  # a tree that gets every row right is the last one
        wanted = member_recipe(of, rules, plan, member)
        params = {name: write_value(value) for name, value in wanted.params} | {"data": "member"}
        link = read_address(params, MOONS)
        assert (link.recipe, link.problems) == (wanted, ())
        again, first = MEMBER.build(wanted, {}), members.data_of(member)
        assert np.array_equal(again.columns, first.columns, equal_nan=True), (of, kind)
        assert again.y.tolist() == first.y.tolist()
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
        wanted = make_recipe(
            "member", **{f"member_{name}": value for name, value in params.items()}
        )
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
    found = read_address(params | {"member_number": "1000"}, MOONS)
    assert found.recipe == MOONS
    assert found.problems == ("This link does not say whole which data it means; Moons is shown",)


@given(st.dictionaries(st.sampled_from(["of", "kind", "number", "seed", "rate", "rules"]), nasty))
def test_any_text_is_a_tree_or_a_refusal(texts: dict[str, str]) -> None:
    usual = {"of": "moons", "kind": "forest", "number": "1"} | texts
    params = {f"member_{name}": MEMBER.read(text) for name, text in usual.items()}
    try:
        complete = MEMBER.complete(make_recipe("member", **params))
    except DataError:
        return
    assert MEMBER.complete(complete) == complete


def test_a_trees_rows_are_those_that_weigh_something() -> None:
    table = MEMBER.build(member_recipe(MOONS, Rules(), Plan(), 0), {})
    assert table.n < 40
    assert table.weights.sum() == 40
    assert np.all(table.weights >= 1)


# --- without rows: opened in Grow -----------------------------------------------------------------


def test_a_tree_opened_is_grown_on_its_own_rows_and_its_link_brings_it_back() -> None:
    tab = Instrument(Visit(Session(MOONS)))
    rules = Rules("gini", max_depth=4)
    for shake in (
        StabilitySettings(shown=7),
        StabilitySettings("some", 20, seed=3, shown=4),
        StabilitySettings("resample", shown=0),
    ):
        sample = sample_recipe(MOONS, rules, shake)
        future = tab.future(sample)
        after = sample_session(Session(MOONS, rules, shake=shake), future)
        data = tab.dataset(after.recipe)
        assert data.columns.tolist() == rows_of_selected(tab.dataset(MOONS), shake).columns.tolist()
        screen = tab.screen(after)
        assert dict(screen.tree.splits) == dict(dtviz.fit(data, rules).tree.splits)
        assert screen.next_move is None
        link = read_address(write_address(after, data, future), START)
        assert link.recipe == sample
        assert session_at(link, tab.dataset(link.recipe), future) == (after, ()), shake


def test_without_a_row_there_is_every_other() -> None:
    wanted = sample_recipe(START, Rules(), StabilitySettings(shown=2))
    table = origin_of(wanted).build(wanted, {})
    expected = take_rows(example(START), np.arange(7) != 2)
    assert table.columns.tolist() == expected.columns.tolist()
    assert table.weights is None


def test_rows_are_counted_as_the_rules_take_those_without_a_value() -> None:
    penguins = example_recipe("penguins")
    rules = replace(default_rules("classification"), missing="drop")
    tab = Instrument(Visit(Session(penguins)))
    table = tab.prepared_data(penguins, rules)
    shake = StabilitySettings(shown=table.n - 1)
    wanted = sample_recipe(penguins, rules, shake)
    assert tab.dataset(wanted).n == table.n - 1


def test_the_title_says_which_rows() -> None:
    def title(shake: StabilitySettings) -> str:
        return title_of(sample_recipe(START, Rules(), shake)).removeprefix(title_of(START))

    assert title(StabilitySettings(shown=2)) == " without row 3"
    assert title(StabilitySettings("some", 20, shown=0)) == " without 20 % of the rows: tree 1"
    assert title(StabilitySettings("resample", shown=4)) == ", resampled: tree 5"


def test_equal_rows_have_equal_recipes() -> None:
    wanted = sample_recipe(MOONS, Rules(), StabilitySettings("some", 20, shown=3))
    texts = {name: write_value(value) for name, value in wanted.params if value is not None}
    link = read_address({"data": "sample"} | texts, START)
    assert (link.recipe, link.problems) == (wanted, ())


def test_a_recipe_that_cannot_be_is_refused_in_a_sentence() -> None:
    first: dict[str, Any] = {"sample_of": "heights", "sample_shown": 1}
    for params in (
        {}, {"sample_of": "sample", "sample_shown": 1}, {"sample_of": "nope", "sample_shown": 1},
        {"sample_of": 7}, {"sample_of": "heights"}, first | {"sample_shown": -1},
        *(first | other for other in ({"sample_way": "x"}, {"sample_trees": 9}, {"n": 5},
                                      {"sample_missing": "x"})),
    ):  # fmt: skip
        with pytest.raises(DataError):
            ORIGINS["sample"].complete(make_recipe("sample", **params))


def test_a_row_that_there_is_not_leaves_no_data() -> None:
    wanted = sample_recipe(START, Rules(), StabilitySettings(shown=99))
    with pytest.raises(DataError, match="there is no tree 99"):
        origin_of(wanted).build(wanted, {})


@given(st.dictionaries(st.sampled_from(("sample_of", "sample_way", "sample_shown")), nasty))
def test_of_any_text_something_is_read(params: dict[str, str]) -> None:
    read_address({"data": "sample"} | params, START)
