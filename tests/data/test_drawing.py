"""Drawings: written into a link and read back exactly; what comes in becomes rows or nothing."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import refusal
from strategies import nasty

import dtviz
from dtviz.data import drawing
from dtviz.data.csv import read_frame
from dtviz.data.dataset import Recipe, make_dataset, make_recipe
from dtviz.data.drawing import (
    CLASSES,
    DRAWING_KINDS,
    MAX_NUMBER,
    Drawing,
    DrawingKind,
    DrawnRow,
    EmptyDrawingError,
)
from dtviz.data.train_test import from_frame
from dtviz.engine.rules import default_rules

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
def test_a_tree_grows_on_every_drawing_which_is_had_back_from_data_and_file(
    drawn: Drawing,
) -> None:
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
