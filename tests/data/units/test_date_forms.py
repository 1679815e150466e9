"""Dates are read as people write them; what only looks like a date is left as it is."""

from __future__ import annotations

import datetime as dt

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import dtviz
from dtviz.data.units import quantity_of_column
from dtviz.data.units.times import could_be_time, is_date, parse_time_column

FORMS = (
    ("2014-7-1", "2014-07-01", ""), ("2014/7/1", "2014-07-01", ""),
    ("2014.07.01", "2014-07-01", ""),
    ("2014-07-01T14:27:09.123Z", "2014-07-01 14:27:09.123+00:00", "told in UTC"),
    ("2014-07-01 14:27:09+02", "2014-07-01 12:27:09+00:00", "told in UTC"),
    ("2014-07-01 14:27:09 UTC", "2014-07-01 14:27:09+00:00", "told in UTC"),
    ("20140701T142709Z", "2014-07-01 14:27:09+00:00", "told in UTC"),
    ("3/20/2014 2:27 PM", "2014-03-20 14:27", "dates read with the month first"),
    ("3/20/2014 12:05:09 am", "2014-03-20 00:05:09", "month first"),
    ("20/3/2014 2 p.m.", "2014-03-20 14:00", "day first"),
    ("3/20/14", "2014-03-20", "month first; '3/20/14' read as 2014-03-20"),
    ("20/3/69", "1969-03-20", "day first; '20/3/69' read as 1969-03-20"),
    ("20/3/68", "2068-03-20", "day first; '20/3/68' read as 2068-03-20"),
    ("01.07.14", "2014-07-01", "day first; '01.07.14' read as 2014-07-01"),
    ("1.7.2014 14:05", "2014-07-01 14:05", "day first"),
    ("2-Jan-2014", "2014-01-02", ""), ("2 January 2014", "2014-01-02", ""),
    ("02JAN2014:14:27:09", "2014-01-02 14:27:09", ""), ("1st July 2014", "2014-07-01", ""),
    ("2-Jan-14", "2014-01-02", "'2-Jan-14' read as 2014-01-02"),
    ("Jan 2, 2014", "2014-01-02", ""), ("Sept. 22nd, 2014, 2:27 PM", "2014-09-22 14:27", ""),
    ("2014 Jan 2", "2014-01-02", ""), ("Tue Jul 01 2014", "2014-07-01", ""),
    ("Tue, 01 Jul 2014 14:27:09 +0000", "2014-07-01 14:27:09+00:00", "told in UTC"),
    ("Tue Jul  1 14:27:09 2014", "2014-07-01 14:27:09", ""),
    ("Tue Jul 01 2014 14:27:09 GMT+0200 (Central European Summer Time)",
     "2014-07-01 12:27:09+00:00", "told in UTC"),
    ("2. Januar 2014", "2014-01-02", ""), ("1er août 2014", "2014-08-01", ""),
    ("2 DE ENERO DE 2014", "2014-01-02", ""), ("2 gennaio 2014", "2014-01-02", ""),
    ("1949-01", "1949-01-01", "months read as their first days"),
    ("1949-1", "1949-01-01", "months"), ("01/1949", "1949-01-01", "months"),
    ("January 1949", "1949-01-01", "months"), ("1949 Jan", "1949-01-01", "months"),
    ("1949M01", "1949-01-01", "months"), ("März 1949", "1949-03-01", "months"),
    ("Jan-14", "2014-01-01", "months read as their first days; 'Jan-14' read as 2014-01-01"),
    ("2014Q3", "2014-07-01", "quarters read as their first days"),
    ("Q1 2014", "2014-01-01", "quarters"),
    ("2014-W05", "2014-01-27", "weeks read as their Mondays"),
)  # fmt: skip
"""A text, the moment that it is, and a part of the remark."""

NO_DATES = (
    *("1.2.3", "2024.1.3", "3/4", "2-1", "10-12", "1/2", "555-1234", "S/M", "2014", "201401"),
    *("20140701", "1.7.14", "01-02-14", "14-Jan", "Jan 14", "DEC1234", "12MAR34", "4:3", "16:9"),
    *("31 Feb 2014", "2014-02-29", "2014-13-01", "2014-W54", "2014-00", "13:45 PM", "0 AM"),
    *("2014-07-01 14", "2014-07-01 25:00", "0000-01-01", "maybe 2014", "marc 5, 2014", "1549-13"),
    *("٢٠١٤-٠٧-٠١", "ſept. İ 2014", "2014-07-01" * 9),
)


def test_each_form_is_read_exactly_and_what_is_guessed_is_told() -> None:
    for word, moment, remark in FORMS:
        result, reason = parse_time_column(pd.Series([word, None, word.upper()], dtype=object))
        assert result is not None, word
        assert result.tolist()[::2] == [pd.Timestamp(moment)] * 2, word
        assert remark in reason if remark else not reason, (word, reason)
        assert could_be_time(word), word
        assert is_date(word), word


def test_what_only_looks_like_a_date_stays_as_it_is() -> None:
    for word in NO_DATES:
        assert parse_time_column(pd.Series([word] * 3, dtype=object)) == (None, ""), word
    for words in (
        ["2009/10", "2010/11", "2011/12"], ["1:10", "1:20", "1:50"], ["Jan 2, 2014", "2 Jan 2014"],
        ["2014-01-01 8:00", "2014-01-01 8:00 UTC"], ["31/12/2014", "12/31/2014"],
    ):  # fmt: skip
        assert parse_time_column(pd.Series(words))[0] is None, words


WRITTEN = (
    "{0.year}-{0.month}-{0.day}", "{0.day}.{0.month}.{0.year}", "{0:%d %B} {0.year}",
    "{0:%a %b %d} {0.year}", "{0:%b}. {0.day}, {0.year}", "{0:%d%b}{0.year}",
    "{0.year}/{0.month}/{0.day} {0:%I:%M:%S %p}", "{0.day}-{0:%b}-{0.year} {0:%H:%M:%S.%f}",
    "{0:%b}-{0.day}-{0.year}T{0:%H:%M:%S}", "{0.year}{0:%m%dT%H%M%S}",
)  # fmt: skip


@given(
    st.lists(st.datetimes(dt.datetime(1500, 1, 1), dt.datetime(2199, 12, 31)), min_size=1),
    st.sampled_from(WRITTEN),
)
def test_dates_are_read_back_from_every_form(moments: list[dt.datetime], form: str) -> None:
    truth = [
        moment.replace(microsecond=moment.microsecond * ("%f" in form))
        if "%S" in form
        else moment.replace(hour=0, minute=0, second=0, microsecond=0)
        for moment in moments
    ]
    result, _ = parse_time_column(pd.Series([form.format(moment) for moment in moments]))
    assert result is not None
    assert result.tolist() == truth


@given(st.lists(st.dates(dt.date(1970, 1, 1), dt.date(2068, 12, 31)), min_size=2))
def test_a_day_above_12_shows_which_number_is_the_day(days: list[dt.date]) -> None:
    if max(day.day for day in days) <= 12:
        days = [*days, dt.date(2014, 3, 20)]
    for form in ("{0.month}/{0.day}/{0.year}", "{0.day}/{0.month}/{0:%y}"):
        result, reason = parse_time_column(pd.Series([form.format(day) for day in days]))
        assert result.tolist() == [pd.Timestamp(day) for day in days]
        assert f"the {'month' if form.startswith('{0.m') else 'day'} first" in reason


def test_a_file_with_dates_as_people_write_them_is_cut_by_them() -> None:
    for form, note in (
        ("{0.year}-{0.month}-{0.day}", ""), ("{0:%Y-%m}", "months read as their first days"),
        ("{0.month}/{0.day}/{0.year} 2:27 PM", "dates read with the month first"),
    ):  # fmt: skip
        days = pd.date_range("1949-01-01", periods=40, freq="25D")
        rows = [f"{form.format(day)},{'ab'[day.year > 1949]}" for day in days]
        data = dtviz.read_table("\n".join(["d,kind", *rows]).encode(), "kind")
        assert data.quantities[0].kind == "date"
        assert [remark.text for remark in data.notes if remark.kind != "leak"] == [note] * bool(
            note
        )
        assert quantity_of_column(pd.Series(days)).kind == "date"
        limit = "d before 1950-01-01?" if note.startswith("months") else "d before 1949-12-"
        assert limit in dtviz.fit(data).export("text")
