"""The page Stability as a value: its address both ways, its acts, and the rows of a tree opened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from futures import future_of
from hypothesis import given
from hypothesis import strategies as hst
from strategies import nasty

import dtviz
from dtviz.engine.rules import Rules, default_rules
from dtviz.instrument import Instrument
from dtviz.judge.stability import MOST_PERCENT, MOST_TREES, WAYS, Shake, grown_on
from dtviz.screen.address import read, resolve, write
from dtviz.screen.handle import handle
from dtviz.screen.sample import opened, sample_recipe
from dtviz.screen.screen import screen_of
from dtviz.screen.session import Session
from dtviz.screen.visit import Visit
from dtviz.table.data import DataError, recipe, take
from dtviz.table.gallery import build, example_recipe
from dtviz.table.origins import ORIGINS, origin_of, title_of
from dtviz.table.values import write_value

START = recipe("heights")
DATA = build(START)
FUTURE = future_of(DATA)
HERE = screen_of(Session(START), DATA, FUTURE)
NAMES = ("vary", "vary_percent", "vary_trees", "vary_seed", "vary_shown")
MOONS = recipe("moons", n=40, noise=0.3, seed=1)

shakes = hst.builds(
    Shake,
    hst.sampled_from([*WAYS]),
    hst.integers(1, MOST_PERCENT),
    hst.integers(DATA.n, MOST_TREES),
    hst.integers(0, 10**9 - 1),
    hst.none() | hst.integers(0, DATA.n - 1),
)


def read_of(**params: str) -> tuple[Shake, tuple[str, ...]]:
    session, problems = resolve(read({"data": "heights"} | params, START), DATA, FUTURE)
    return session.shake, problems


def done(**values: Any) -> Shake:
    start = replace(HERE.session, shake=Shake(shown=3))
    here = screen_of(start, DATA, FUTURE)
    return handle(here, "stability", {"what": "set", "values": values}).shake


@given(shakes)
def test_any_shake_comes_back_from_its_address(shake: Shake) -> None:
    params = write(Session(START, shake=shake), DATA, FUTURE)
    assert read_of(**params) == (shake, ())
    fields = zip(NAMES, ("way", "percent", "trees", "seed", "shown"), strict=True)
    differ = {name for name, own in fields if getattr(shake, own) != getattr(Shake(), own)}
    assert params.keys() == {"data"} | differ


def test_a_tree_that_there_is_not_is_told_and_the_full_one_shown() -> None:
    trees: tuple[tuple[dict[str, str], int], ...] = (
        ({}, DATA.n), ({"vary": "some", "vary_trees": "25"}, 25), ({"vary": "resample"}, 500),
    )  # fmt: skip
    for params, shown in trees:
        shake, problems = read_of(**params, vary_shown=str(shown))
        assert shake.shown is None
        assert problems == (f"Tree {shown} is not one of these; the full tree is shown",)
        if shown < 500:
            last = read_of(**params, vary_shown=str(shown - 1))
            assert last == (replace(shake, shown=shown - 1), ())


def test_other_trees_are_others_than_the_one_that_was_looked_at() -> None:
    assert done(way="resample") == Shake("resample")
    assert done(seed=4) == Shake(seed=4)
    assert done(shown=5) == Shake(shown=5)
    assert done(shown=None) == Shake()


def test_what_cannot_be_is_refused_whole() -> None:
    before = replace(HERE.session, shake=Shake(shown=3))
    here = screen_of(before, DATA, FUTURE)
    for values in (
        {"way": "two"}, {"way": ["one"]}, {"way": None}, {"percent": 0}, {"percent": 10.0},
        {"trees": 10**9}, {"seed": "1"}, {"shown": -1}, {"shown": 1.5}, {"shown": True},
        {"nope": 1}, [], None, 7,
    ):  # fmt: skip
        assert handle(here, "stability", {"what": "set", "values": values}) == before, values


# --- opened in Grow -------------------------------------------------------------------------------


def test_a_tree_opened_is_grown_on_its_own_rows_and_its_link_brings_it_back() -> None:
    tab = Instrument(Visit(Session(MOONS)))
    rules = Rules("gini", max_depth=4)
    for shake in (Shake(shown=7), Shake("some", 20, seed=3, shown=4), Shake("resample", shown=0)):
        sample = sample_recipe(MOONS, rules, shake)
        future = tab.future(sample)
        after = opened(Session(MOONS, rules, shake=shake), future)
        data = tab.dataset(after.recipe)
        assert data.columns.tolist() == grown_on(tab.dataset(MOONS), shake).columns.tolist()
        screen = tab.screen(after)
        assert dict(screen.tree.splits) == dict(dtviz.fit(data, rules).tree.splits)
        assert screen.following is None
        link = read(write(after, data, future), START)
        assert link.recipe == sample
        assert resolve(link, tab.dataset(link.recipe), future) == (after, ()), shake


def test_without_a_row_there_is_every_other() -> None:
    own = sample_recipe(START, Rules(), Shake(shown=2))
    found = origin_of(own).build(own, {})
    expected = take(DATA, np.arange(DATA.n) != 2)
    assert found.columns.tolist() == expected.columns.tolist()
    assert found.weights is None


def test_rows_are_counted_as_the_rules_take_those_without_a_value() -> None:
    penguins = example_recipe("penguins")
    rules = replace(default_rules("classification"), missing="drop")
    tab = Instrument(Visit(Session(penguins)))
    table = tab.table(penguins, rules)
    shake = Shake(shown=table.n - 1)
    own = sample_recipe(penguins, rules, shake)
    assert tab.dataset(own).n == table.n - 1


def test_the_title_says_which_rows() -> None:
    def title(shake: Shake) -> str:
        return title_of(sample_recipe(START, Rules(), shake)).removeprefix(title_of(START))

    assert title(Shake(shown=2)) == " without row 3"
    assert title(Shake("some", 20, shown=0)) == " without 20 % of the rows: tree 1"
    assert title(Shake("resample", shown=4)) == ", resampled: tree 5"


def test_equal_rows_have_equal_recipes() -> None:
    own = sample_recipe(MOONS, Rules(), Shake("some", 20, shown=3))
    texts = {name: write_value(value) for name, value in own.params if value is not None}
    found = read({"data": "sample"} | texts, START)
    assert (found.recipe, found.problems) == (own, ())


def test_a_recipe_that_cannot_be_is_refused_in_a_sentence() -> None:
    first: dict[str, Any] = {"sample_of": "heights", "sample_shown": 1}
    for params in (
        {}, {"sample_of": "sample", "sample_shown": 1}, {"sample_of": "nope", "sample_shown": 1},
        {"sample_of": 7}, {"sample_of": "heights"}, first | {"sample_shown": -1},
        *(first | other for other in ({"sample_way": "x"}, {"sample_trees": 9}, {"n": 5},
                                      {"sample_missing": "x"})),
    ):  # fmt: skip
        with pytest.raises(DataError):
            ORIGINS["sample"].complete(recipe("sample", **params))


def test_a_row_that_there_is_not_leaves_no_data() -> None:
    own = sample_recipe(START, Rules(), Shake(shown=99))
    with pytest.raises(DataError, match="there is no tree 99"):
        origin_of(own).build(own, {})


@given(hst.dictionaries(hst.sampled_from(("sample_of", "sample_way", "sample_shown")), nasty))
def test_of_any_text_something_is_read(params: dict[str, str]) -> None:
    read({"data": "sample"} | params, START)
