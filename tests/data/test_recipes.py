"""Every origin reads, completes, builds and titles its own recipes; a new one is one value."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from futures import future_of
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal
from screens import page as page_of
from screens import params_of, step, words
from strategies import nasty

import dtviz
from dtviz.data import gallery, uploads
from dtviz.data.csv import read_frame
from dtviz.data.dataset import (
    DataError,
    Dataset,
    Recipe,
    make_dataset,
    make_recipe,
    write_value,
)
from dtviz.data.drawing import EmptyDrawingError
from dtviz.data.gallery import GALLERY
from dtviz.data.notes import Note
from dtviz.data.recipes import ORIGINS, Origin, origin_of, title_of
from dtviz.data.uploads import FileNeededError, UploadedTables
from dtviz.engine.ensembles import Plan
from dtviz.engine.rules import Rules, default_rules
from dtviz.evaluate.stability import Shake
from dtviz.session.address import read_address, session_at, write_address
from dtviz.session.derived_data import member_recipe, sample_recipe
from dtviz.session.session import go_to_step

FRAME = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.5, 0.5, 2.5], "y": ["u", "u", "v"]})
FILES: UploadedTables = {"01": (FRAME, ())}
POINTS = "1~2~A_3~4~B"
RECIPES = (
    *map(gallery.example_recipe, GALLERY),
    make_recipe("drawn", kind="classes", points=POINTS),
    uploads.upload_recipe("01", "007.csv", "y", ("a", "b"), "classification"),
    member_recipe(gallery.example_recipe("moons"), Rules("gini"), Plan("adaboost", 3), 2),
    sample_recipe(gallery.example_recipe("moons"), Rules("gini"), Shake("some", 20, shown=3)),
)


def test_every_origin_builds_and_titles_what_it_completes() -> None:
    assert [wanted.name for wanted in RECIPES] == list(ORIGINS)
    assert list(ORIGINS) == [*GALLERY, "drawn", "file", "member", "sample"]
    for wanted in RECIPES:
        origin = origin_of(wanted)
        assert origin.name == wanted.name, wanted
        assert origin.private is (wanted.name in ("file", "member", "sample")), wanted
        assert origin.complete(wanted) == wanted, wanted
        assert origin.problems(wanted) == (), wanted
        assert origin.build(wanted, FILES).n > 0, wanted
        assert title_of(wanted), wanted
    assert title_of(make_recipe("moons")) == "Moons"
    assert title_of(make_recipe("drawn", kind="height")) == "Your drawing"
    assert title_of(uploads.upload_recipe("01", "007.csv", "y", None, "regression")) == "007.csv"


@settings(max_examples=15)
@given(st.dictionaries(nasty, nasty, max_size=4))
def test_no_text_raises_more_than_a_data_error(params: dict[str, str]) -> None:
    for name, origin in ORIGINS.items():
        wanted = Recipe(name, tuple(sorted((k, origin.read(v)) for k, v in params.items())))
        assert all(map(str, origin.problems(wanted))), name
        full, parameter = None, None
        try:
            full = origin.complete(wanted)
        except DataError as error:
            parameter = error.parameter
        assert parameter is None or parameter in params, name
        assert full is None or origin.complete(full) == full, name


def test_a_refusal_carries_its_parameter() -> None:
    for wanted, parameter in (
        (make_recipe("moons", n=-1), "n"), (make_recipe("moons", m=1), "m"),
        (make_recipe("iris", features=("x",)), "features"),
        (make_recipe("drawn", kind="circle"), "kind"),
        (make_recipe("drawn", points="", n=1), "n"),
        (make_recipe("file", sha="1", target="y"), None),
        (make_recipe("x"), "data"),
    ):  # fmt: skip
        with pytest.raises(DataError) as error:
            origin_of(wanted).complete(wanted)
        assert error.value.parameter == parameter, wanted
    assert re.match(  # the last is of a name that nobody has
        r"`data` must be one of heights, .*, file, member, sample; not 'x'", str(error.value)
    )


ABOUT = ("01", "a.csv", "y", None, "classification")


def test_a_file_s_parameters_are_completed_and_its_texts_stay_texts() -> None:
    bare = make_recipe("file", sha="01", file="a.csv", target="y", other="x")
    full = uploads.upload_recipe(*ABOUT)
    assert uploads.complete(bare) == full
    assert uploads.complete(replace(bare, params=(*bare.params, ("task", "x")))) == full
    number = uploads.complete(make_recipe("file", sha=7, file=1.5, target="y", task="regression"))
    assert (number.get("sha"), number.get("file"), number.get("task")) == ("7", "1.5", "regression")
    assert ORIGINS["file"].read("007") == "007"
    assert ORIGINS["file"].read('["1","b"]') == ("1", "b")
    assert ORIGINS["moons"].read("007") == 7
    assert ORIGINS["drawn"].read("1e3") == "1e3"


def test_a_file_is_built_of_the_table_given_or_asked_for_by_name() -> None:
    data = uploads.build(uploads.upload_recipe(*ABOUT), FILES)
    assert (data.features, data.classes) == (("a", "b"), ("u", "v"))
    data = uploads.build(uploads.upload_recipe("01", "a.csv", "a", ("b",), "regression"), FILES)
    assert (data.features, data.task) == (("b",), "regression")
    wanted = uploads.upload_recipe("01", "a.csv", "z", None, "classification")
    reason = refusal(uploads.build, wanted, FILES)
    assert "`target` must be one of the columns" in reason
    wanted = uploads.upload_recipe("02", *ABOUT[1:])
    with pytest.raises(FileNeededError, match=r"the link needs the file a\.csv") as error:
        uploads.build(wanted, FILES)
    assert error.value.recipe == wanted
    wanted = uploads.upload_recipe(*ABOUT, without=("b", "gone"))
    assert uploads.build(wanted, FILES).features == ("a",)
    named = uploads.upload_recipe("01", "a.csv", "y", ("a",), "classification", without=("b",))
    assert named == uploads.upload_recipe("01", "a.csv", "y", ("a",), "classification")


def test_a_file_without_a_header_is_a_table_of_its_own() -> None:
    wanted = uploads.upload_recipe("01", "a.csv", "column 2", None, "classification", header=False)
    assert uploads.complete(wanted) == wanted
    as_text = replace(wanted, params=tuple((key, str(value)) for key, value in wanted.params))
    assert uploads.complete(as_text).get("header") is False
    with pytest.raises(FileNeededError):
        uploads.build(wanted, FILES)
    table = read_frame(b"1,u\n2,v\n", header=False)
    files = {**FILES, uploads.table_place("01", header=False): table}
    assert uploads.build(wanted, files).features == ("column 1",)
    assert uploads.build(uploads.upload_recipe(*ABOUT), files).features == ("a", "b")


def test_the_rows_that_judge_are_part_of_the_recipe() -> None:
    about = ("01", "a.csv", "y", ("a",), "classification")
    for wanted in (
        uploads.upload_recipe(*about, role="1"),
        uploads.upload_recipe(*about, False, test=("02", "b.csv")),
        uploads.upload_recipe(*about, True, "for", ("02", "b.csv")),
        uploads.upload_recipe(*about[:3], None, "classification", without=("b", "[c")),
    ):
        assert uploads.complete(wanted) == wanted
        params = tuple((key, ORIGINS["file"].read(write_value(v))) for key, v in wanted.params)
        assert uploads.complete(replace(wanted, params=params)) == wanted
    bare = make_recipe("file", sha="01", file="a.csv", target="y", test="02", role=("x",))
    assert uploads.complete(bare) == uploads.upload_recipe(*about[:3], None, "classification")


def test_test_rows_come_from_the_second_table_or_a_column() -> None:
    second: UploadedTables = {"02": (FRAME.assign(a=7.0), (Note("cell", "odd", 3, "a"),))}
    wanted = uploads.upload_recipe(
        "01", "a.csv", "y", ("a",), "classification", test=("02", "b.csv")
    )
    result = uploads.build(wanted, {**FILES, **second})
    assert result.test.columns.tolist() == [[7, 7, 7]]
    assert Note("cell", "test rows: odd", 3, "a") in result.notes
    with pytest.raises(FileNeededError, match=r"^the link needs the file b\.csv$"):
        uploads.build(wanted, FILES)
    with pytest.raises(FileNeededError, match=r"^the link needs the file a\.csv$"):
        uploads.build(wanted, second)
    with pytest.raises(FileNeededError, match=r"the file a\.csv and the file b\.csv"):
        uploads.build(wanted, {})
    roles = FRAME.assign(role=["train", "train", "test"], y=["u", "v", "v"])
    wanted = uploads.upload_recipe("01", "a.csv", "y", ("a",), "classification", role="role")
    data = uploads.build(wanted, {"01": (roles, ())})
    assert (data.n, data.test.n) == (2, 1)


def test_an_empty_drawing_has_an_address_and_no_data() -> None:
    origin = ORIGINS["drawn"]
    empty = origin.complete(make_recipe("drawn"))
    assert empty == make_recipe("drawn", kind="classes")
    with pytest.raises(EmptyDrawingError):
        origin.build(empty, {})
    assert origin.problems(make_recipe("drawn", points="1~2~A_x")) == (
        "The points are cut short before 'x', which is no point",
    )


def _thrown(wanted: Recipe, _: UploadedTables) -> Dataset:
    """All throws of two dice; whether their sum is at least `least`."""
    dice = np.array([(a, b) for a in range(1, 7) for b in range(1, 7)]).T
    codes = (dice.sum(axis=0) >= wanted.get("least")).astype(int)
    return make_dataset(dice, codes, ["first", "second"], "sum", ["low", "high"])


def _whole(wanted: Recipe) -> Recipe:
    least: Any = wanted.get("least", 8)
    if least not in range(3, 12):
        raise DataError("`least` must be from 3 to 11", "least")
    return make_recipe("dice", least=least)


DICE = Origin("dice", _whole, _thrown, lambda wanted: f"Dice, {wanted.get('least')} wins")


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ORIGINS, DICE.name, DICE)


@pytest.mark.usefixtures("dice")
def test_a_new_origin_walks_from_the_address_to_every_export() -> None:
    result = read_address({"data": "dice", "least": "10", "log": "a1"}, make_recipe("heights"))
    assert (result.recipe, result.problems) == (make_recipe("dice", least=10), ())
    data = origin_of(result.recipe).build(result.recipe, {})
    future = future_of(data)
    session, problems = session_at(result, data, future)
    assert (session.recipe, len(session.log), problems) == (result.recipe, 1, ())
    assert title_of(session.recipe) == "Dice, 10 wins"
    assert write_address(session, data, future) == {"data": "dice", "least": "10", "log": "a1"}
    assert go_to_step(session, 99, future).log[:1] == session.log
    model = dtviz.fit(data, default_rules(data.task))
    assert model.score(data) == 1.0
    exports = [model.export(kind) for kind in ("text", "python", "sql", "json", "dot")]
    assert all("first" in text for text in exports)
    assert json.loads(exports[3])
    result = read_address({"data": "dice", "least": "99"}, make_recipe("heights"))
    assert result.recipe == make_recipe("dice", least=8)
    assert result.problems == ("'least=99' in this link was not understood; it is left out",)


@pytest.mark.usefixtures("dice")
def test_every_page_shows_a_new_origin() -> None:
    for page in ("grow", "data", "overfit", "learn"):
        link = {"data": "dice", "least": "10", "log": "a1"}
        at = page_of(page, **link)
        assert not at.warning, page
        assert params_of(at) == link, page
        if page != "data":
            assert "Dice, 10 wins" in words(at), page
        if page == "grow":
            assert step(at)[0] == 1, page
