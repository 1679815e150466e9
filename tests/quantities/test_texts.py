"""Texts are dates or durations only where all of a column are, in one form that is clear."""

from __future__ import annotations

import datetime as dt

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dtviz.quantities.texts import could_be_time, day_or_month_first, read_words, typed

CLEAR = {
    "days": (["2024-03-01", "1999-12-31"], ["2024-03-01", "1999-12-31"]),
    "slashes": (["2024/03/01", "1999/12/31"], ["2024-03-01", "1999-12-31"]),
    "times": (
        ["2024-03-01 08:30", "2024-03-01T08:30:15.25", "2024-03-02"],
        ["2024-03-01 08:30", "2024-03-01 08:30:15.25", "2024-03-02"],
    ),
    "offsets": (
        ["2024-03-01T08:30Z", "2024-03-01 08:30:00+05:45", "2024-03-01 08:30:00-0330"],
        ["2024-03-01 08:30Z", "2024-03-01 02:45Z", "2024-03-01 12:00Z"],
    ),
    "day first": (["31/12/2024", "01/02/2024"], ["2024-12-31", "2024-02-01"]),
    "month first": (
        ["12/31/2024 8:05", "01/02/2024 12:00"], ["2024-12-31 08:05", "2024-01-02 12:00"]
    ),
    "points": (["31.12.2024", "1.2.2024"], ["2024-12-31", "2024-02-01"]),
}  # fmt: skip


def test_dates_are_read() -> None:
    for name, (words, truth) in CLEAR.items():
        result, reason = typed(pd.Series([*words, None], dtype=object))
        assert result.tolist()[:-1] == [pd.Timestamp(text) for text in truth], name
        assert pd.isna(result.iloc[-1]), name
        assert bool(reason) == (name not in ("days", "slashes", "times")), name
        assert all(map(could_be_time, words)), name
    assert could_be_time("1 days 02:00:00")
    assert not any(map(could_be_time, ("", "-", "soon", "2024", "1.5", "02:15")))


def test_what_is_not_clear_stays_text() -> None:
    for words in (
        ["2024-03-01", "soon"], ["2024-03-01", "01/03/2024"], ["2024-02-30"], ["0000-01-01"],
        ["2024-03/01"], ["2024-03-01 25:00"], ["2024-03-01 08:30", "2024-03-01 08:30Z"],
        ["01/02/2024", "03/04/2024"], ["31/12/2024", "12/31/2024"], ["32/01/2024"],
        ["7 days", "soon"], ["08:30"], ["days"], ["-"], [""], ["99999999 days"], [],
    ):  # fmt: skip
        assert read_words(words) is None, words


def test_day_or_month_first_is_asked_where_both_could_be() -> None:
    for words, first in (
        (["01/02/2024", "12/11/2024"], ""), (["01/02/2024", "13/11/2024"], "day"),
        (["01/02/2024", "12/13/2024"], "month"), (["05/05/2024"], "day"), (["5 May 2024"], None),
    ):  # fmt: skip
        assert day_or_month_first(words) == first, words
    reason = "in '01/02/2024' the day or the month could be first: read as text"
    assert typed(pd.Series(["01/02/2024", "12/11/2024"]))[1] == reason


def test_durations_and_times_of_day_are_read() -> None:
    for words, truth, note in (
        (["1 days 02:00:00", "3 days", "-1 days +22:00:00"], ["26h", "72h", "-2h"], ""),
        (["02:15:00", "100:00:00", "-00:00:00.5"], ["135m", "100h", "-500ms"], ""),
        (["1 day, 2:00:00", "0:00:01"], ["26h", "1s"], ""),
        (["08:30:00", "23:59:59"], ["510m", "86399s"],
         "hours, minutes and seconds read as durations"),
    ):  # fmt: skip
        result, reason = typed(pd.Series(words))
        assert result.tolist() == [pd.Timedelta(text) for text in truth], words
        assert reason == note, words


def test_one_cell_in_ten_may_be_no_date() -> None:
    days = [f"2024-03-{day:02}" for day in range(1, 10)]
    for odd in ("soon", "2024-02-30", "0000-00-00", "01/03/2024"):
        result, reason = typed(pd.Series([odd, *days, None], dtype=object))
        assert result is not None
        assert result.isna().tolist() == [True, *[False] * 9, True]
        assert result.iloc[1] == pd.Timestamp("2024-03-01")
        assert not reason
        assert typed(pd.Series([odd, *days[:8]], dtype=object)) == (None, "")
    unclear = typed(pd.Series(["soon", *(f"0{day}/0{10 - day}/2024" for day in range(1, 10))]))
    assert unclear == (None, "in '01/09/2024' the day or the month could be first: read as text")


@given(
    st.lists(st.datetimes(), min_size=1),
    st.lists(st.timedeltas(dt.timedelta(-50_000), dt.timedelta(50_000)), min_size=1),
)
def test_what_python_and_pandas_write_is_read_back(
    moments: list[dt.datetime], spans: list[dt.timedelta]
) -> None:
    for words in ([at.isoformat() for at in moments], [*map(str, moments)]):
        assert typed(pd.Series(words))[0].tolist() == moments
    for words in (map(str, spans), map(str, map(pd.Timedelta, spans))):
        assert typed(pd.Series([*words]))[0].tolist() == [pd.Timedelta(span) for span in spans]
