"""Data made of other data are named by both, once of each kind."""

from __future__ import annotations

import pytest

from dtviz.engine.ensembles import Plan
from dtviz.engine.rules import Rules
from dtviz.judge.stability import Shake
from dtviz.screen.member import TREE, member_recipe
from dtviz.screen.sample import SAMPLE, sample_recipe
from dtviz.table import uploads
from dtviz.table.data import DataError, Recipe, recipe
from dtviz.table.origins import origin_of, title_of

MOONS = recipe("moons", n=40, noise=0.3, seed=1)


def member(of: Recipe) -> Recipe:
    return member_recipe(of, Rules(), Plan("forest"), 2)


def sample(of: Recipe) -> Recipe:
    return sample_recipe(of, Rules(), Shake(shown=3))


def test_a_row_can_be_left_out_of_the_rows_of_a_tree_and_the_other_way_round() -> None:
    for of, one in ((member(MOONS), sample), (sample(MOONS), member)):
        whole = one(of)
        assert origin_of(whole).complete(whole) == whole
        assert origin_of(whole).build(whole, {}).n <= origin_of(of).build(of, {}).n
        assert title_of(whole).startswith(title_of(of))


def test_none_is_made_twice() -> None:
    for make, kind in ((member, TREE), (sample, SAMPLE)):
        twice = make(MOONS)
        assert kind.within(twice)
        assert not kind.within(MOONS)
        for of in (twice, sample(member(MOONS)), member(sample(MOONS))):
            with pytest.raises(DataError, match="the rows of a tree already"):
                make(of)


def test_what_is_of_nothing_or_of_itself_is_refused_by_its_name() -> None:
    for kind in (TREE, SAMPLE):
        for of in (None, "nope", kind.name, 7):
            params = {} if of is None else {f"{kind.name}_of": of}
            with pytest.raises(DataError, match=f"`{kind.name}_of` must name the data") as error:
                kind.parts(recipe(kind.name, **params))
            assert error.value.parameter == (None if of is None else f"{kind.name}_of")


def test_a_ring_of_names_ends() -> None:
    ring = recipe("sample", sample_of="member", sample_shown=1, member_of="sample")
    with pytest.raises(DataError):
        origin_of(ring).complete(ring)


def test_the_weights_of_a_file_are_no_parameter_of_a_sample() -> None:
    plain = uploads.recipe_of("0" * 16, "f.csv", "y", ("x",), "classification")
    file = uploads.complete(uploads.also(plain, sample_weight="w"))
    assert not SAMPLE.within(file)
    assert SAMPLE.parts(sample(file))[0] == file
    odd = recipe("sample", **dict(sample(MOONS).params), sample_colour="red")
    with pytest.raises(DataError, match="`sample_colour` must be left out") as error:
        SAMPLE.parts(odd)
    assert error.value.parameter == "sample_colour"
