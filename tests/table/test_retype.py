"""Types said by hand: what a column becomes, how many cells do not fit, the way through a link."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal

import dtviz
from dtviz.quantities import quantity_in
from dtviz.screen.address import read, write
from dtviz.screen.session import Session
from dtviz.table import uploads
from dtviz.table.data import is_number
from dtviz.table.retype import TYPES, as_type, as_types, written

DAYS = pd.to_datetime(["2024-02-01", "2024-11-02", None])


FRAME = pd.DataFrame({
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
        (DAYS, "category", ["2024-02-01", "2024-11-02", None]),
        (pd.Categorical(["5", "6", None]), "number", [5, 6, np.nan]),
    ):  # fmt: skip
        series = pd.Series(values, index=[4, 5, 6], name="x")
        out = as_type(series, kind)
        assert (out.name, out.index.tolist()) == ("x", [4, 5, 6]), values
        expected = pd.Series(result, index=[4, 5, 6])
        assert out.isna().tolist() == expected.isna().tolist(), values
        assert out.dropna().tolist() == expected.dropna().tolist(), values
        assert (kind == "category") is not is_number(out), values


def test_a_type_that_does_not_fit_is_refused_with_how_many_cells() -> None:
    for values, kind, says in (
        (["1", "x", "y"], "number", "2 of 3 cells in 'a' are not a number, such as 'x'"),
        (["1", "inf", None], "number", "1 of 2 cells in 'a' is not a number, such as 'inf'"),
        (DAYS, "number", "2 of 2 cells in 'a' are not a number, such as '2024-02-01'"),
        (["9007199254740993", "1", "2"], "number", "beyond 2^53 are rounded: keep it a category"),
        ([2024, 20240101, 1], "date", "3 of 3 cells in 'a' are not a date, such as '2024'"),
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
        assert says in refusal(as_types, FRAME, types), says


@given(st.lists(st.integers(0, 9), min_size=2, max_size=20), st.sampled_from(list(TYPES)))
def test_a_type_said_twice_is_said_once(numbers: list[int], kind: str) -> None:
    day = pd.Series([f"{n + 1}/{n + 1}/2024" for n in numbers], name="x")
    series = pd.Series(numbers, name="x") if kind in ("number", "category") else day
    once = as_type(series, kind)
    again = as_type(once, kind)
    assert quantity_in(again) == quantity_in(once)
    pd.testing.assert_series_equal(again, once)


def test_types_hold_for_the_target_and_the_rows_of_another_table_too() -> None:
    data = dtviz.from_frame(FRAME, "y", types=TYPED, test=FRAME[["day", "zip", "y"]])
    assert data.levels == ((1, 2), ())
    assert data.quantities[1].kind == "date"
    assert (data.test.columns == data.columns).all()
    assert FRAME["zip"].tolist() == [1, 2, 1, 2]
    many = pd.DataFrame({"x": range(30), "y": range(30)})
    assert not dtviz.from_frame(many, "y").classes
    assert dtviz.from_frame(many, "y", types={"y": "category"}).classes == (*range(30),)


def test_a_note_on_the_column_gives_way_to_the_type_by_hand() -> None:
    text = FRAME.to_csv(index=False).encode()
    guessed, reason = (dtviz.read_table(text, "y", types=types).notes for types in (None, TYPED))
    assert "the month could be first" in " ".join(note.text for note in guessed)
    assert [note.text for note in reason if note.kind == "column"] == [
        "its type by hand: category",
        "its type by hand: day-first",
    ]


def test_types_go_through_the_address() -> None:
    whole = uploads.recipe_of("01", "a.csv", "y", None, "classification")
    wanted = uploads.also(whole, types=written(TYPED))
    result = uploads.build(wanted, {"01": (FRAME, ())})
    assert result.levels == ((1, 2), ())
    link = write(Session(wanted), result, lambda *_: ())
    assert link["types"] == '["day=day-first","zip=category"]'
    assert (read(link, whole).recipe, read(link, whole).problems) == (wanted, ())
