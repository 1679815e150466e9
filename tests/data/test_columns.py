"""Columns: what one holds is told in a line, and which level of a category a value stands for."""

from __future__ import annotations

import io
import json
import math
import sqlite3
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal

import dtviz
from dtviz.data import uploads
from dtviz.data.categories import (
    UNSEEN_CODE,
    OtherCategory,
    categories_of,
    category_text,
    code_of,
    codes_of,
)
from dtviz.data.columns import (
    N_BINS,
    TYPES,
    Profile,
    as_type,
    as_types,
    group_rare,
    key_column,
    profile,
    rare_categories,
    types_text,
)
from dtviz.data.dataset import is_numeric, make_recipe, unfit_reason
from dtviz.data.notes import Note
from dtviz.data.read_options import ReadOptions
from dtviz.data.read_table import read_file
from dtviz.data.train_test import from_frame
from dtviz.data.units import quantity_of_column
from dtviz.session.address import read_address, write_address
from dtviz.session.session import Session


def test_levels_are_of_one_type_or_text() -> None:
    for values, levels in (
        ([True, None, False], (False, True)), (pd.array([True, None], "boolean"), (True,)),
        (["10", "9", None], ("10", "9")), ([10, 9.0, 2.5, None], (2.5, 9, 10)),
        (pd.Categorical([3, 20]), (3, 20)),
        (pd.Categorical(["b", "a"], ["c", "b", "a"], ordered=True), ("c", "b", "a")),
        ([1, "1", True, 2.5], ("1", "2.5", "True")), ([1.0, math.inf], ("1.0", "inf")),
        ([True, 3], ("3", "True")),
    ):  # fmt: skip
        series = pd.Series(values, dtype=object if isinstance(values, list) else None)
        result = categories_of(series)
        assert result == levels, values
        assert [type(level) for level in result] == [type(level) for level in levels], values
        codes = codes_of(series, result)
        assert [not math.isnan(code) for code in codes] == series.notna().tolist(), values
        assert (codes[~np.isnan(codes)] >= 0).all(), values


def test_a_value_stands_for_the_level_it_equals() -> None:
    for value, levels, code in (
        (np.True_, (False, True), 1.0), ("TRUE", (False, True), 1.0), (0, (False, True), 0.0),
        ("no", (False, True), UNSEEN_CODE), (2, (False, True), UNSEEN_CODE), (np.float64(3),
        (2.5, 3), 1.0),
        ("3", (2.5, 3), UNSEEN_CODE), (3, ("3", "True"), 0.0), (True, ("3", "True"), 1.0),
        ("true", ("3", "True"), UNSEEN_CODE), ([3], (2.5, 3), UNSEEN_CODE), (10**5000,
        ("3",), UNSEEN_CODE),
    ):  # fmt: skip
        assert code_of(value, levels) == code, levels
    assert [category_text(True), category_text(2.5), category_text("a\nb")] == [
        "True",
        "2.5",
        "a b",
    ]


def test_truth_values_are_used_unasked_in_a_table_of_any_length() -> None:
    for flags in ([True, False], pd.array([True, None], "boolean"), [None, True]):
        assert unfit_reason(pd.Series(flags)) == ""
    data = from_frame(pd.DataFrame({"b": [True, False], "y": ["p", "q"]}), "y")
    assert (data.columns.tolist(), data.levels) == ([[1.0, 0.0]], ((False, True),))


SPREAD = tuple(np.histogram([0, 1, 1, 4], N_BINS)[0].tolist())
NOWHERE = (0,) * N_BINS
COLUMNS: dict[str, tuple[Any, Profile]] = {
    "whole numbers": ([4, 1, None, 1, 0], Profile("whole numbers", 3, 1, SPREAD)),
    "numbers": ([2.25, 0.75, 0.75, 0.25], Profile("numbers", 3, 0, SPREAD)),
    "nullable": (pd.array([4, 1, 1, 0, None], "Int64"), Profile("whole numbers", 3, 1, SPREAD)),
    "infinite": ([np.inf, 4, 1, 1, 0], Profile("whole numbers", 4, 0, SPREAD)),
    "booleans": (pd.array([True, None, True, False]), Profile("true or false", 2, 1, (2, 1))),
    "dates": (
        pd.to_datetime(["2020-01-05", "2020-01-02", "2020-01-02", "2020-01-01"]),
        Profile("dates", 3, 0, SPREAD),
    ),
    "durations": (
        pd.to_timedelta(["2 days 04:00:00", "2 days 01:00:00", "2 days 01:00:00", "2 days"]),
        Profile("durations", 3, 0, SPREAD),
    ),
    "text": (pd.Series(["a", None, "b", "b"], dtype=object), Profile("text", 2, 1, (2, 1))),
    "categories": (pd.Categorical(["a", "b", "b"], ["c", "b", "a"]), Profile("text", 2, 0, (2, 1))),
    "nothing": (pd.Series([None, None], dtype=object), Profile("text", 0, 2, ())),
    "no number": ([np.nan, np.nan], Profile("whole numbers", 0, 2, NOWHERE)),
}


def test_a_column_is_told() -> None:
    for name, (cells, wanted) in COLUMNS.items():
        assert profile(pd.Series(cells)) == wanted, name
    for largest in (1e308, 1.7e308, 5e-324):  # the ends of all numbers have a shape
        assert sum(profile(pd.Series([-largest, 0.0, largest])).counts) == 3, largest
    column = pd.Series([f"v{i}" for i in range(40)] + ["v7"] * 4, dtype=object)
    assert profile(column).counts == (5,) + (1,) * (N_BINS - 1)  # the most frequent


CITIES = [*("Ulm" for _ in range(6)), *("Bonn" for _ in range(5)), "Kiel", "Kiel", "Jena", "Hof"]
FRAME = pd.DataFrame({
    "city": CITIES, "far": ["yes"] * 11 + ["no"] * 4, "n": range(15), "y": [*"aaaaaabbbbbaaaa"],
})  # fmt: skip


def data(**more: Any) -> dtviz.Dataset:
    return dtviz.from_frame(FRAME, "y", ["city", "far", "n"], **more)


def test_values_that_fewer_rows_have_are_one_and_a_note_names_them() -> None:
    result = group_rare(data(), 5)
    assert result.levels == (("Bonn", "Ulm", "other"), ("no", "yes"), ())
    assert result.columns[0].tolist() == [*([1.0] * 6), *([0.0] * 5), *([2.0] * 4)]
    assert result.notes[-1] == Note(
        "column",
        "3 values that fewer than 5 rows have are put together as 'other': 'Hof', 'Jena', 'Kiel'",
        None,
        "city",
    )
    assert np.array_equal(result.columns[1:], data().columns[1:])
    frame = FRAME.assign(city=FRAME["city"].replace("Ulm", "other"))  # a value has that name
    result = group_rare(dtviz.from_frame(frame, "y", ["city"]), 5)
    assert result.levels == (("Bonn", "other", "other (2)"),)


def test_one_rare_value_alone_stays_and_so_do_numbers_and_truth_values() -> None:
    assert rare_categories(data()) == {"city": ("Hof", "Jena", "Kiel")}
    assert rare_categories(data(), 2) == {"city": ("Hof", "Jena")}
    frame = FRAME.assign(b=[True, False, *([None] * 13)], g=pd.Categorical(range(15)))
    some = dtviz.from_frame(frame.iloc[:2], "y", ["b", "g"])
    assert rare_categories(some) == {}
    assert group_rare(some).levels == some.levels


def test_rows_held_out_are_put_together_as_those_of_the_training_rows() -> None:
    test = pd.DataFrame({"city": ["Hof", "Ulm", "Rom"], "far": "yes", "n": 1, "y": ["a", "b", "a"]})
    result = group_rare(data(test=test), 5)
    assert result.test.levels[0] == result.levels[0]
    assert result.test.columns[0].tolist() == [2, 1, 2]
    held = dtviz.fit(result).predict(result.test).tolist()
    assert held == dtviz.fit(result).predict(test).tolist()


def test_how_few_is_a_whole_number() -> None:
    for least in (1, 0, -3, 2.5, True, "5", None):
        reason = refusal(group_rare, data(), least)
        assert "`rare` must be a whole number, at least 2" in reason, least
    assert "`data` must be a Dataset" in refusal(group_rare, FRAME)
    for rare, kept in (("5", 5), (5, 5), ("12", 12), ("1", None), ("x", None), (None, None)):
        about = {"sha": "s", "file": "f.csv", "target": "y", "task": "classification"}
        full = uploads.complete(make_recipe("file", **about, rare=rare))
        assert full.get("rare") == kept, rare
        levels = uploads.build(full, {"s": (FRAME, ())}).levels[0]
        assert (len(levels) < 5) == (kept is not None), rare


@given(
    st.lists(st.sampled_from("abcdefg"), min_size=4, max_size=30),
    st.randoms(use_true_random=False),
    st.sampled_from([("axis", "subset"), ("axis", "onevsrest")]),
)
def test_every_export_sends_rare_and_new_values_where_the_model_does(
    values: list[str], random: Any, families: tuple[str, ...]
) -> None:
    frame = pd.DataFrame({"g": values, "y": [random.choice("AB") for _ in values]})
    result = group_rare(dtviz.from_frame(frame, "y", ["g"]), 4)
    model = dtviz.fit(result, dtviz.Rules(families=families))
    rows = pd.DataFrame({"g": [*"abcdefg", "other", "it's new"]})
    expected = model.predict(rows).tolist()
    space: dict[str, Any] = {}
    exec(model.export("python"), space)
    assert [space["predict"](row) for row in rows.to_dict("records")] == expected
    base = sqlite3.connect(":memory:")
    rows.to_sql("t", base, index=False)
    answers = base.execute(f"SELECT {model.export('sql')} FROM t ORDER BY rowid").fetchall()
    base.close()
    assert [answer for (answer,) in answers] == expected
    if any(isinstance(level, OtherCategory) for level in result.levels[0]):
        assert expected[-1] == expected[-2]
        kept = {*result.levels[0]}
        assert {expected[k] for k, v in enumerate("abcdefg") if v not in kept} <= {expected[-1]}


def test_json_lists_the_side_that_has_names() -> None:
    frame = FRAME.assign(y=[*("a" * 11), *("b" * 4)])
    model = dtviz.fit(group_rare(dtviz.from_frame(frame, "y", ["city"]), 5))
    assert model.export("text").splitlines()[1].startswith('  city = other? yes: predict "b"')
    split = json.loads(model.export("json"))["nodes"][0]
    assert split["right_values"] == ["Bonn", "Ulm"]
    assert "left_values" not in split


DAYS = pd.to_datetime(["2024-02-01", "2024-11-02", None])


RETYPE_FRAME = pd.DataFrame({
    "zip": [1, 2, 1, 2], "day": [f"{k}/2/2024" for k in (1, 2, 3, 4)], "y": list("aabb"),
})  # fmt: skip
TYPED = {"zip": "category", "day": "day-first"}


def test_a_column_becomes_what_it_is_said_to_be() -> None:
    for values, kind, result in (
        ([1, 2, 3], "number", [1, 2, 3]), (["007", " 7", None], "number", [7, 7, np.nan]),
        (["1.234,5", "2", None], "number", [1234.5, 2, np.nan]),
        (["1,234.5", "2", "3"], "number", [1234.5, 2, 3]),
        (["1", "2", "3"], "category", ["1", "2", "3"]),
        ([1.0, 2.0, None], "category", [1, 2, None]),
        (["1/2/2024", "2/11/2024", None], "day-first", DAYS),
        (["2/1/2024", "11/2/2024", None], "month-first", DAYS),
        (["2024-02-01", "2024-11-02", None], "date", DAYS),
        (["2024-02-01", "2024-11-02", None], "month-first", DAYS), (DAYS, "date", DAYS),
        ([20240201, 20241102, None], "date", DAYS),
        (["1-2-24", "2-11-24", None], "day-first", DAYS),
        (DAYS, "category", ["2024-02-01", "2024-11-02", None]),
        (pd.Categorical(["5", "6", None]), "number", [5, 6, np.nan]),
    ):  # fmt: skip
        series = pd.Series(values, index=[4, 5, 6], name="x")
        out = as_type(series, kind)
        assert (out.name, out.index.tolist()) == ("x", [4, 5, 6]), values
        expected = pd.Series(result, index=[4, 5, 6])
        assert out.isna().tolist() == expected.isna().tolist(), values
        assert out.dropna().tolist() == expected.dropna().tolist(), values
        assert (kind == "category") is not is_numeric(out), values


def test_a_type_that_does_not_fit_is_refused_with_how_many_cells() -> None:
    for values, kind, says in (
        (["1", "x", "y"], "number", "2 of 3 cells in 'a' are not a number, such as 'x'"),
        (["1", "inf", None], "number", "1 of 2 cells in 'a' is not a number, such as 'inf'"),
        (DAYS, "number", "2 of 2 cells in 'a' are not a number, such as '2024-02-01'"),
        (["9007199254740993", "1", "2"], "number", "beyond 2^53 are rounded: keep it a category"),
        ([2024, 20241301, 1], "date", "3 of 3 cells in 'a' are not a date, such as '2024'"),
        (["31/1/2024", "1/31/2024", "1/1/2024"], "day-first", "1 of 3 cells in 'a' is not a date"),
        (["30/2/2024", "1/1/2024", None], "day-first", "with the day first, such as '30/2/2024'"),
        (["1/2/2024", "3/4/2024", None], "date", "say day-first or month-first"),
        (["2024-01-01", "1/2/2024", None], "day-first", "dates of several forms"),
        (["10:00:00", "1 days", None], "date", "2 of 2 cells in 'a' are not a date"),
        ([None, None, None], "number", "0 of 0 cells"),
        (["31/1/2024", "1/31/2024"], "date", "several forms"),
    ):  # fmt: skip
        assert says in refusal(as_type, pd.Series(values, name="a"), kind), says
    for types, says in (
        ({"gone": "number"}, "`types` must be one of the columns"),
        ({"zip": "numbers"}, "`types` must be of number, category, date, day-first, month-first"),
        ({"zip": None}, "not None for 'zip'"), (["zip"], "`types` must be types by column"),
    ):  # fmt: skip
        assert says in refusal(as_types, RETYPE_FRAME, types), says


@given(st.lists(st.integers(0, 9), min_size=2, max_size=20), st.sampled_from(list(TYPES)))
def test_a_type_said_twice_is_said_once(numbers: list[int], kind: str) -> None:
    day = pd.Series([f"{n + 1}/{n + 1}/2024" for n in numbers], name="x")
    series = pd.Series(numbers, name="x") if kind in ("number", "category") else day
    once = as_type(series, kind)
    again = as_type(once, kind)
    assert quantity_of_column(again) == quantity_of_column(once)
    pd.testing.assert_series_equal(again, once)


def test_types_hold_for_the_target_and_the_rows_of_another_table_too() -> None:
    data = dtviz.from_frame(RETYPE_FRAME, "y", types=TYPED, test=RETYPE_FRAME[["day", "zip", "y"]])
    assert data.levels == ((1, 2), ())
    assert data.quantities[1].kind == "date"
    assert (data.test.columns == data.columns).all()
    assert RETYPE_FRAME["zip"].tolist() == [1, 2, 1, 2]
    many = pd.DataFrame({"x": range(30), "y": range(30)})
    assert not dtviz.from_frame(many, "y").classes
    assert dtviz.from_frame(many, "y", types={"y": "category"}).classes == (*range(30),)


def test_a_note_on_the_column_gives_way_to_the_type_by_hand() -> None:
    text = RETYPE_FRAME.to_csv(index=False).encode()
    guessed, reason = (dtviz.read_table(text, "y", types=types).notes for types in (None, TYPED))
    guess = "'1/2/2024' read as 2024-02-01: the day first; say month-first if not"
    assert guess in [note.text for note in guessed]
    assert [note.text for note in reason if note.kind == "column"] == [
        "its type by hand: category",
        "its type by hand: day-first",
    ]


def test_dates_without_a_clear_order_are_read_alike_in_all_rows_unless_said_by_hand() -> None:
    test = pd.DataFrame({"zip": [1, 2], "day": ["1/3/2024", "20/4/2024"], "y": list("ab")})
    likely = dtviz.from_frame(RETYPE_FRAME, "y", test=test)
    by_hand = dtviz.from_frame(RETYPE_FRAME, "y", types={"day": "month-first"})
    days = [pd.Series(pd.to_datetime(data.columns[1], unit="D")) for data in (likely, by_hand)]
    assert [day.dt.day.tolist() for day in days] == [[1, 2, 3, 4], [2, 2, 2, 2]]
    assert pd.to_datetime(likely.test.columns[1], unit="D").month.tolist() == [3, 4]
    twice = pd.concat([RETYPE_FRAME] * 2)  # not each row with a text of its own
    for days in (twice["day"].tolist(), ["2024-01-01", "2024-01-02"] * 4):
        data = dtviz.from_frame(twice.assign(day=days), "y", types={"day": "category"})
        assert data.levels[1] == tuple(sorted({*days}))


def test_types_go_through_the_address() -> None:
    whole = uploads.upload_recipe("01", "a.csv", "y", None, "classification")
    wanted = uploads.with_params(whole, types=types_text(TYPED))
    (place,) = uploads.places_of(wanted)
    result = uploads.build(wanted, {place: (RETYPE_FRAME, ())})
    assert result.levels == ((1, 2), ())
    link = write_address(Session(wanted), result, lambda *_: ())
    assert link["types"] == '["day=day-first","zip=category"]'
    assert (read_address(link, whole).recipe, read_address(link, whole).problems) == (wanted, ())


# --- types and missing values by hand read the text again -----------------------------------------

CODES = b"gr,k\n" + b"1,x\n2,y\n3,y\n10,y\nK,x\n" * 10


def test_a_category_by_hand_has_the_cells_as_they_are_written() -> None:
    assert dtviz.read_table(b"gr,k\n" + b"1,x\n2,y\n" * 20 + b"K,x\n", "k").gaps == (True,)
    data = dtviz.read_table(CODES, "k", types={"gr": "category"})
    assert data.levels == (("1", "10", "2", "3", "K"),)
    versions = b"version,k\n" + b"1.1,y\n1.2,y\n1.10,x\n" * 10
    data = dtviz.read_table(versions, "k", types={"version": "category"})
    assert data.levels == (("1.1", "1.10", "1.2"),)
    assert dtviz.fit(data).tree.splits.keys() == {1}  # pure after one cut
    dates = b"day,k\n" + b"20240102,x\n20240203,y\n" * 10
    codes = dtviz.read_table(dates, "k", types={"day": "category"})
    assert codes.levels == (("20240102", "20240203"),)
    # a type that suits stays as it was read, with what its words mean
    numbers = dtviz.read_table(b"x,k\n" + b"1,x\n2,y\n" * 20 + b"K,x\n", "k", types={"x": "number"})
    assert numbers.gaps == (True,)


def test_words_of_missing_values_are_taken_back_or_added_by_column() -> None:
    places = b"x,continent\n" + b"0,AF\n1,NA\n2,EU\n" * 10
    assert dtviz.read_table(places, "continent").n == 20
    data = dtviz.read_table(places, "continent", missing_values={"continent": []})
    assert (data.n, data.classes) == (30, ("AF", "EU", "NA"))
    ages = b"age,kind\n" + b"-999,b\n21,a\n22.5,b\n-999.0,b\n" * 10
    data = dtviz.read_table(ages, "kind", missing_values={"age": ["-999"]})
    assert np.isnan(data.columns).sum() == 20
    notes = [note.text for note in data.notes if note.column == "age"]
    assert "'-999', '-999.0' read as missing" in notes
    colours = b"c,k\n" + b"red,a\nn/a,b\nunknown,b\n" * 10
    data = dtviz.read_table(colours, "k", missing_values={"c": ["Unknown"]})
    assert (data.levels, data.gaps) == ((("n/a", "red"),), (True,))
    reason = refusal(dtviz.read_table, colours, "k", missing_values={"c": ["a=b"]})
    assert "`missing_values` must be words of at most" in reason


def test_numbers_of_a_workbook_can_mean_a_missing_value() -> None:
    frame = pd.DataFrame({"age": [-999, 21, 22, -999] * 10, "kind": [*"baba"] * 10})
    content = io.BytesIO()
    frame.to_excel(content, index=False)
    data = dtviz.read_table(content.getvalue(), "kind", missing_values={"age": [-999]})
    assert np.isnan(data.columns).sum() == 20


def test_missing_values_go_through_the_address() -> None:
    options = ReadOptions(missing=(("age", ("-999", "0")), ("continent", ())), delimiter=";")
    wanted = uploads.upload_recipe("01", "a.csv", "kind", None, "classification", options)
    assert wanted.get("missing_values") == ("age=-999", "age=0", "continent=")
    assert uploads.complete(wanted) == wanted
    assert uploads.read_options_of(wanted) == options
    text = b"age;continent;kind\n-999;NA;a\n0;EU;b\n5;NA;a\n7;EU;b\n"
    files = {uploads.table_place("01", options): read_file(text, options=options)}
    data = uploads.build(wanted, files)
    assert data.levels[1] == ("EU", "NA")
    assert data.gaps == (True, False)
    link = write_address(Session(wanted), data, lambda *_: ())
    assert read_address(link, wanted).recipe == wanted


def test_a_column_of_keys_is_found_to_name_rows_by() -> None:
    frame = pd.DataFrame(
        {"size": [1.5, 2.5], "day": ["a", "a"], "key": ["P-1", "P-2"], "n": [1, 2]}
    )
    assert key_column(frame) == "key"
    assert key_column(frame[["size", "day", "n"]]) == "n"
    assert key_column(frame[["size", "day"]]) is None
    assert key_column(frame.assign(flag=[True, False])[["flag"]]) is None
