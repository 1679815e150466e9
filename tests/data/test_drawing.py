"""Drawings: written into a link and read back exactly; what comes in becomes rows or nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from futures import future_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from refusals import refusal
from screens import page as page_of
from screens import params_of, step, words
from strategies import nasty

import dtviz
from dtviz.data import drawing, gallery, uploads
from dtviz.data.csv import read_frame
from dtviz.data.dataset import DataError, Dataset, Recipe, make_dataset, make_recipe, write_value
from dtviz.data.drawing import (
    CLASSES,
    DRAWING_KINDS,
    MAX_NUMBER,
    ORIGINS,
    Drawing,
    DrawingKind,
    DrawnRow,
    EmptyDrawingError,
    Origin,
    features_left_out,
    leave_out,
    origin_of,
    title_of,
)
from dtviz.data.gallery import GALLERY
from dtviz.data.notes import Note
from dtviz.data.read_options import ReadOptions
from dtviz.data.train_test import from_frame
from dtviz.data.uploads import FileNeededError, UploadedTables
from dtviz.engine.ensembles import Plan
from dtviz.engine.rules import Rules, default_rules
from dtviz.evaluate.stability import StabilitySettings
from dtviz.session.address import read_address, session_at, write_address
from dtviz.session.derived_data import member_recipe, sample_recipe
from dtviz.session.session import go_to_step

anywhere = st.floats(-MAX_NUMBER, MAX_NUMBER).map(lambda value: value + 0.0)
numbers = anywhere.filter(lambda value: value == 0 or abs(value) > 1e-120)  # nearer have no squares
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | nasty,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(nasty, inner, max_size=3),
    max_leaves=20,
)


def rows_of(kind: DrawingKind) -> st.SearchStrategy[DrawnRow]:
    values = {
        "classes": st.integers(0, len(CLASSES) - 1).map(float),
        "colour": numbers,
        "height": st.just(0.0),
    }
    return st.tuples(numbers, numbers, values[kind])


@st.composite
def drawings(draw: st.DrawFn, least: int = 0) -> Drawing:
    kind = draw(st.sampled_from(DRAWING_KINDS))
    return Drawing(kind, tuple(draw(st.lists(rows_of(kind), min_size=least, max_size=12))))


def pairs(old: Drawing, new: Drawing) -> list[Any]:
    """The change that makes `new` of `old`, as the browser would send it."""
    gone = [[list(row), None] for row in old.rows]
    return gone + [[None, list(row)] for row in new.rows]


@given(drawings(), st.sampled_from(DRAWING_KINDS))
@example(Drawing("colour", ((1.25, 3.5, -1e-300), (5e-324, 0.1, MAX_NUMBER))), "height")
def test_a_drawing_comes_back_from_its_text_and_keeps_its_places_as_another_kind(
    drawn: Drawing, kind: DrawingKind
) -> None:
    text = drawing.drawing_text(drawn)
    assert re.fullmatch(r"[A-Za-z0-9._~-]*", text)
    assert drawing.parse(drawn.kind, text) == (drawn, "")
    made = drawing.drawing_recipe(drawn)
    assert drawing.drawing_of(made) == drawn
    assert drawing.complete(made) == made
    assert hash(made) == hash(drawing.complete(made))
    after = drawing.convert(drawn, kind)
    assert after.kind == kind
    assert [row[:2] for row in after.rows] == [row[:2] for row in drawn.rows]
    assert all(drawing.row_of(kind, row) == row for row in after.rows)


def test_the_text_as_it_stands_in_a_link() -> None:
    drawn = Drawing("classes", ((1.25, 3.5, 0.0), (2.0, 1.0, 1.0)))
    assert drawing.drawing_text(drawn) == "1.25~3.5~A_2~1~B"
    assert drawing.drawing_text(Drawing("colour", ((1.0, 2.0, 6.0),))) == "1~2~6"
    assert drawing.drawing_text(Drawing("height", ((1.0, -2.5, 0.0),))) == "1~-2.5"
    made = drawing.drawing_recipe(Drawing("height", ((1.0, 2.0, 0.0),)))
    assert made == Recipe("drawn", (("kind", "height"), ("points", "1~2")))
    assert drawing.drawing_recipe(Drawing("height")) == Recipe("drawn", (("kind", "height"),))


def test_the_longest_readable_beginning_is_kept() -> None:
    for text, read, says in (
        ("", 0, ""), ("1~2~A_", 1, "cut short before ''"),
        ("1~2~A_3~4~Z_5~6~B", 1, "cut short before '3~4~Z'"), ("1~2~A_nan~1~A", 1, "nan"),
        ("1~2~A_1e10~1~A", 1, "1e10"), ("1~2", 0, "'1~2'"), ("1~2~A~3", 0, "no point"),
        ("_", 0, "no point"), ("_".join(["1~2~A"] * 301), 300, "first 300"),
        ("1" * 5000, 0, "no point"),
    ):  # fmt: skip
        drawn, problem = drawing.parse("classes", text)
        assert len(drawn.rows) == read, text
        assert says in problem, text
        assert bool(problem) == bool(says), text


@given(nasty, nasty)
def test_any_text_is_read(kind: str, text: str) -> None:
    drawn, problem = drawing.parse("colour", text)
    assert drawing.parse("colour", drawing.drawing_text(drawn)) == (drawn, "")
    problems = drawing.problems(make_recipe("drawn", kind=kind, points=text))
    assert all("points" in each for each in problems)
    assert problem == "" or "points" in problem
    made = drawing.complete(make_recipe("drawn", kind="colour", points=text))
    assert drawing.complete(made) == made


def test_the_text_of_a_link_is_parsed_once_and_carries_three_hundred_points() -> None:
    drawing.parse.cache_clear()
    made = drawing.complete(make_recipe("drawn", points="0.125~2~A_3~4~B"))
    assert drawing.problems(made) == ()
    assert drawing.build(drawing.drawing_of(made)).n == 2
    assert drawing.parse.cache_info().misses == 1
    row = (1.0, 2.0, 0.0)
    assert drawing.fits_link(Drawing("classes", (row,) * 300))
    assert not drawing.fits_link(Drawing("classes", (row,) * 301))
    long = (-1.2345678901234567e-300,) * 3
    assert not drawing.fits_link(Drawing("colour", (long,) * 300))


@given(drawings(), anything, anything)
def test_any_change_at_all_leaves_a_drawing(drawn: Drawing, change: Any, kind: Any) -> None:
    for one in (change, [change], [[change, change]], [[None, [1, 2, change]]]):
        after = drawing.apply_change(drawn, one, kind)
        assert after.kind == drawn.kind
        assert len(after.rows) <= drawing.MAX_ROWS_DRAWN
        assert all(drawing.row_of(after.kind, row) == row for row in after.rows)


@given(st.sampled_from(DRAWING_KINDS), st.data())
def test_a_change_makes_one_drawing_of_another(kind: DrawingKind, data: st.DataObject) -> None:
    rows = st.lists(rows_of(kind), max_size=8).map(tuple)
    old, new = (Drawing(kind, data.draw(rows)) for _ in range(2))
    assert drawing.apply_change(old, pairs(old, new)) == new


def test_a_change_keeps_what_it_does_not_name_and_a_drawing_stays_bounded() -> None:
    drawn = Drawing("classes", ((1.0, 1.0, 0.0), (2.0, 2.0, 1.0), (1.0, 1.0, 0.0)))
    moved = drawing.apply_change(drawn, [[[1, 1, 0], [5, 5, 0]]])
    assert moved.rows == ((5.0, 5.0, 0.0), (2.0, 2.0, 1.0), (1.0, 1.0, 0.0))
    assert drawing.apply_change(drawn, [[[9, 9, 0], None]]) == drawn
    assert drawing.apply_change(drawn, [[[9, 9, 0], [3, 3, 1]]]).rows[3:] == ((3.0, 3.0, 1.0),)
    full = Drawing("height", ((1.0, 1.0, 0.0),) * drawing.MAX_ROWS_DRAWN)
    assert drawing.apply_change(full, [[None, [2, 2, 0]]] * 10_000) == full
    now = drawing.convert(Drawing("classes", drawn.rows[:2]), "colour")
    after = drawing.apply_change(now, [[[2, 2, 1], None], [None, [3, 3, 7]]], "classes")
    assert after.rows == ((1.0, 1.0, 1.0), (3.0, 3.0, 8.0))  # of before the kind was changed


def test_the_number_and_the_class_of_a_cell() -> None:
    for cell, number in (
        ("1.5", 1.5), (" 1,5 ", 1.5), ("−2", -2.0), ("1e3", 1000.0), (True, None), ("1_0", None),
        ("nan", None), (float("inf"), None), (10**400, None), ("1,2,3", None), ("٣", None),
        (None, None), ([1], None), ("-0", 0.0), (3, 3.0), ("1" * 41, None),
    ):  # fmt: skip
        assert drawing.number_of(cell) == number, cell
    for cell, code in (
        ("A", 0.0), (" h ", 7.0), ("I", None), ("", None), ("AB", None), (3, 3.0), (8, None),
        (-1, None), (0.5, None), (None, None), ({}, None), ("1", None),
    ):  # fmt: skip
        assert drawing.class_of(cell) == code, cell
    drawn = Drawing("classes", tuple((1.0, 2.0, float(code)) for code in range(8)))
    assert drawing.convert(drawing.convert(drawn, "colour"), "classes") == drawn


def test_the_three_kinds_as_data() -> None:
    data = drawing.build(Drawing("classes", ((1.0, 2.0, 2.0), (3.0, 4.0, 0.0))))
    about = (data.features, data.target, data.task)
    assert about == (("x1", "x2"), "class", "classification")
    assert data.classes == ("A", "B", "C")
    assert data.y.tolist() == [2, 0]
    data = drawing.build(Drawing("colour", ((1.0, 2.0, 6.5),)))
    assert (data.features, data.target, data.task) == (("x1", "x2"), "y", "regression")
    assert data.y.tolist() == [6.5]
    data = drawing.build(Drawing("height", ((1.0, 2.0, 0.0),)))
    assert (data.features, data.target, data.columns.tolist()) == (("x",), "y", [[1.0]])
    assert data.y.tolist() == [2.0]
    for kind in DRAWING_KINDS:
        with pytest.raises(EmptyDrawingError, match="the drawing is empty: put points on the pad"):
            drawing.build(Drawing(kind))


@given(drawings(least=1))
def test_a_tree_grows_on_every_drawing_which_is_had_back_from_data_and_file(drawn: Drawing) -> None:
    data = drawing.build(drawn)
    assert len(dtviz.fit(data, default_rules(data.task)).leaves) >= 1
    assert drawing.from_dataset(data) == drawn
    frame, notes = read_frame(drawing.csv_bytes(drawn))
    options = dict(drawing.file_recipe(drawn, "0").params)
    data = from_frame(frame, options["target"], options["features"], options["task"], notes)
    assert drawing.from_dataset(data) == drawn


def test_the_points_of_an_example_are_taken_as_they_are_or_it_is_said_why_not() -> None:
    moons = dtviz.load("moons", n=50)
    drawn = drawing.from_dataset(moons)
    assert np.array_equal(np.array(drawn.rows)[:, :2].T, moons.columns)
    assert drawn.kind == "classes"
    assert drawing.from_dataset(dtviz.load("sine", n=20)).kind == "height"
    assert drawing.from_dataset(dtviz.load("rpart_treble")).kind == "colour"
    for data, says in (
        (dtviz.load("iris"), "two features"),
        (dtviz.load("moons", n=301), "at most 300 rows can be drawn on; not 301"),
        (dtviz.load("blobs", k=9, n=90), "at most 8 classes; not 9"),
        (make_dataset([[1e10], [1.0]], np.array([1.0]), ["a", "b"], "y"), "some here are larger"),
    ):
        assert says in refusal(drawing.from_dataset, data), says
    for params, says in (
        ({"kind": "circle"}, "`kind` must be one of classes, colour, height; not 'circle'"),
        ({"kind": 3}, "not '3'"), ({"n": 200}, "takes kind, points; not 'n'"),
    ):  # fmt: skip
        assert says in refusal(drawing.complete, make_recipe("drawn", **params)), says


FRAME = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.5, 0.5, 2.5], "y": ["u", "u", "v"]})
FILES: UploadedTables = {"01": (FRAME, ())}
POINTS = "1~2~A_3~4~B"
RECIPES = (
    *map(gallery.example_recipe, GALLERY),
    make_recipe("drawn", kind="classes", points=POINTS),
    uploads.upload_recipe("01", "007.csv", "y", ("a", "b"), "classification"),
    member_recipe(gallery.example_recipe("moons"), Rules("gini"), Plan("adaboost", 3), 2),
    sample_recipe(
        gallery.example_recipe("moons"), Rules("gini"), StabilitySettings("some", 20, shown=3)
    ),
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
    wanted = uploads.upload_recipe(
        "01", "a.csv", "column 2", None, "classification", ReadOptions(names_line=0)
    )
    assert uploads.complete(wanted) == wanted
    as_text = replace(wanted, params=tuple((key, str(value)) for key, value in wanted.params))
    assert uploads.complete(as_text).get("header") is False
    with pytest.raises(FileNeededError):
        uploads.build(wanted, FILES)
    table = read_frame(b"1,u\n2,v\n", ReadOptions(names_line=0))
    files = {**FILES, uploads.table_place("01", ReadOptions(names_line=0)): table}
    assert uploads.build(wanted, files).features == ("column 1",)
    assert uploads.build(uploads.upload_recipe(*ABOUT), files).features == ("a", "b")


def test_the_rows_that_judge_are_part_of_the_recipe() -> None:
    about = ("01", "a.csv", "y", ("a",), "classification")
    for wanted in (
        uploads.upload_recipe(*about, role="1"),
        uploads.upload_recipe(*about, ReadOptions(names_line=0), test=("02", "b.csv")),
        uploads.upload_recipe(*about, ReadOptions(), "for", ("02", "b.csv")),
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


# --- features that are left out -------------------------------------------------------------------


def test_a_feature_is_left_out_of_a_table_and_brought_back() -> None:
    whole = uploads.upload_recipe(*ABOUT)
    data = uploads.build(whole, FILES)
    assert features_left_out(whole, FILES) == ()
    less = leave_out(whole, data, ("a",), FILES)
    assert (features_left_out(less, FILES), uploads.build(less, FILES).features) == (("a",), ("b",))
    assert uploads.complete(less) == less
    assert leave_out(less, uploads.build(less, FILES), (), FILES) == whole
    with pytest.raises(DataError, match="one feature at least must stay"):
        leave_out(less, uploads.build(less, FILES), ("a", "b"), FILES)
    named = uploads.upload_recipe("01", "a.csv", "y", ("a",), "classification")
    assert features_left_out(named, FILES) == ("b",)
    both = leave_out(named, uploads.build(named, FILES), (), FILES)
    assert uploads.build(both, FILES).features == ("a", "b")
    iris = gallery.example_recipe("iris")
    fewer = leave_out(iris, gallery.build(iris), ("petal_length_cm",), FILES)
    assert features_left_out(fewer, {}) == ("petal_length_cm",)
    assert len(gallery.build(fewer).features) == 3
    assert features_left_out(gallery.example_recipe("moons"), {}) is None
