"""Texts are dates or durations only where all of a column are, in one form that is clear."""

from __future__ import annotations

import datetime as dt

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dtviz.quantities.texts import could_be_time, day_or_month_first, read_words, typed

CLEAR = {
    "days": ["2024-03-01", "1999-12-31"],
    "slashes": ["2024/03/01", "1999/12/31"],
    "times": ["2024-03-01 08:30", "2024-03-01T08:30:15.25", "2024-03-02"],
    "offsets": ["2024-03-01T08:30Z", "2024-03-01 08:30:00+05:45", "2024-03-01 08:30:00-0330"],
    "day first": ["31/12/2024", "01/02/2024"],
    "month first": ["12/31/2024 8:05", "01/02/2024 12:00"],
    "points": ["31.12.2024", "1.2.2024"],
}


def test_dates_are_read() -> None:
    for name in CLEAR:
        truth = {
            "days": ["2024-03-01", "1999-12-31"],
            "slashes": ["2024-03-01", "1999-12-31"],
            "times": ["2024-03-01 08:30", "2024-03-01 08:30:15.25", "2024-03-02"],
            "offsets": ["2024-03-01 08:30Z", "2024-03-01 02:45Z", "2024-03-01 12:00Z"],
            "day first": ["2024-12-31", "2024-02-01"],
            "month first": ["2024-12-31 08:05", "2024-01-02 12:00"],
            "points": ["2024-12-31", "2024-02-01"],
        }[name]
        found, said = typed(pd.Series([*CLEAR[name], None], dtype=object))
        assert found is not None, name
        assert found.tolist()[:-1] == [pd.Timestamp(text) for text in truth], name
        assert pd.isna(found.iloc[-1]), name
        assert bool(said) == (name not in ("days", "slashes", "times")), name


def test_what_is_not_clear_stays_text() -> None:
    for words in (
        ["2024-03-01", "soon"], ["2024-03-01", "01/03/2024"], ["2024-02-30"], ["0000-01-01"],
        ["2024-03/01"], ["2024-03-01 25:00"], ["2024-03-01 08:30", "2024-03-01 08:30Z"],
        ["01/02/2024", "03/04/2024"], ["31/12/2024", "12/31/2024"], ["32/01/2024"],
        ["7 days", "soon"], ["08:30"], ["days"], ["-"], [""], ["99999999 days"], [],
    ):  # fmt: skip
        assert read_words(words) is None, words


def test_a_date_alone_looks_like_one() -> None:
    for name in CLEAR:
        assert all(map(could_be_time, CLEAR[name])), name
        assert could_be_time("1 days 02:00:00"), name
        assert not any(map(could_be_time, ("", "-", "soon", "2024", "1.5", "02:15"))), name


def test_day_or_month_first_is_asked_where_both_could_be() -> None:
    assert day_or_month_first(["01/02/2024", "12/11/2024"]) == ""
    assert day_or_month_first(["01/02/2024", "13/11/2024"]) == "day"
    assert day_or_month_first(["01/02/2024", "12/13/2024"]) == "month"
    assert day_or_month_first(["05/05/2024"]) == "day"
    assert day_or_month_first(["5 May 2024"]) is None
    assert typed(pd.Series(["01/02/2024", "12/11/2024"]))[1] == (
        "in '01/02/2024' the day or the month could be first: read as text"
    )


def test_durations_are_read() -> None:
    for words, truth in (
        (["1 days 02:00:00", "3 days", "-1 days +22:00:00"], ["26h", "72h", "-2h"]),
        (["02:15:00", "100:00:00", "-00:00:00.5"], ["135m", "100h", "-500ms"]),
        (["1 day, 2:00:00", "0:00:01"], ["26h", "1s"]),
    ):  # fmt: skip
        found, said = typed(pd.Series(words))
        assert found is not None, words
        assert found.tolist() == [pd.Timedelta(text) for text in truth], words
        assert not said, words


def test_one_cell_in_ten_may_be_no_date() -> None:
    days = [f"2024-03-{day:02}" for day in range(1, 10)]
    for odd in ("soon", "2024-02-30", "0000-00-00", "01/03/2024"):
        found, said = typed(pd.Series([odd, *days, None], dtype=object))
        assert found is not None
        assert found.isna().tolist() == [True, *[False] * 9, True]
        assert found.iloc[1] == pd.Timestamp("2024-03-01")
        assert not said
        assert typed(pd.Series([odd, *days[:8]], dtype=object)) == (None, "")
    unclear = typed(pd.Series(["soon", *(f"0{day}/0{10 - day}/2024" for day in range(1, 10))]))
    assert unclear == (None, "in '01/09/2024' the day or the month could be first: read as text")


def test_times_of_day_are_read_as_durations_and_told() -> None:
    found, said = typed(pd.Series(["08:30:00", "23:59:59"]))
    assert found is not None
    assert said == "hours, minutes and seconds read as durations"


@given(st.lists(st.datetimes(), min_size=1), st.booleans())
def test_what_python_and_pandas_write_is_read_back(moments: list[dt.datetime], iso: bool) -> None:
    words = [at.isoformat() if iso else str(at) for at in moments]
    found, _ = typed(pd.Series(words))
    assert found is not None
    assert found.tolist() == moments


@given(st.lists(st.timedeltas(dt.timedelta(-50_000), dt.timedelta(50_000)), min_size=1))
def test_what_python_and_pandas_write_of_durations_is_read_back(spans: list[dt.timedelta]) -> None:
    for words in (map(str, spans), map(str, map(pd.Timedelta, spans))):
        found, _ = typed(pd.Series([*words]))
        assert found is not None
        assert found.tolist() == [pd.Timedelta(span) for span in spans]
