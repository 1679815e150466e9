"""Texts are dates or durations only where all of a column are, in one form that is clear."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dtviz.data.units import PLAIN, Quantity, kind_of, quantity_of_column
from dtviz.data.units.numbers import DAY, MICRO, SECOND
from dtviz.data.units.times import (
    could_be_time,
    day_or_month_first,
    likely_day_or_month_first,
    parse_time_column,
    parse_times,
)
from dtviz.engine.splits import midpoint

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
        result, reason = parse_time_column(pd.Series([*words, None], dtype=object))
        assert result.tolist()[:-1] == [pd.Timestamp(text) for text in truth], name
        assert pd.isna(result.iloc[-1]), name
        assert bool(reason) == (name not in ("days", "slashes", "times")), name
        assert all(map(could_be_time, words)), name
    assert could_be_time("1 days 02:00:00")
    assert not any(map(could_be_time, ("", "-", "soon", "2024", "1.5", "2:5")))


def test_what_is_not_clear_stays_text() -> None:
    for words in (
        ["2024-03-01", "soon"], ["2024-03-01", "01/03/2024"], ["2024-02-30"], ["0000-01-01"],
        ["2024-03/01"], ["2024-03-01 25:00"], ["2024-03-01 08:30", "2024-03-01 08:30Z"],
        ["01/02/2024", "03/04/2024"], ["31/12/2024", "12/31/2024"], ["32/01/2024"],
        ["7 days", "soon"], ["08:60"], ["13:00 PM"], ["days"], ["-"], [""], ["99999999 days"], [],
    ):  # fmt: skip
        assert parse_times(words) is None, words


def test_day_or_month_first_is_asked_where_both_could_be() -> None:
    for words, first in (
        (["01/02/2024", "12/11/2024"], ""), (["01/02/2024", "13/11/2024"], "day"),
        (["01/02/2024", "12/13/2024"], "month"), (["05/05/2024"], "day"), (["5 May 2024"], None),
    ):  # fmt: skip
        assert day_or_month_first(words) == first, words
    reason = "in '01/02/2024' the day or the month could be first: read as text"
    assert parse_time_column(pd.Series(["01/02/2024", "12/11/2024"]))[1] == reason


def test_durations_and_times_of_day_are_read() -> None:
    for words, truth, note in (
        (["1 days 02:00:00", "3 days", "-1 days +22:00:00"], ["26h", "72h", "-2h"], ""),
        (["02:15:00", "100:00:00", "-00:00:00.5"], ["135m", "100h", "-500ms"], ""),
        (["1 day, 2:00:00", "0:00:01"], ["26h", "1s"], ""),
        (["08:30:00", "23:59:59"], ["510m", "86399s"],
         "hours, minutes and seconds read as durations"),
        (["14:27", "8:05", "-1:30"], ["867m", "485m", "-90m"],
         "'14:27' read as hours and minutes; minutes and seconds are written '0:14:27'"),
        (["1:27.452", "2:05"], ["87452ms", "125s"], "'1:27.452' read as minutes and seconds"),
        (["2:27 PM", "12 am", "12:00:01 p.m."], ["867m", "0s", "43201s"],
         "times of day read as durations from midnight on"),
    ):  # fmt: skip
        result, reason = parse_time_column(pd.Series(words))
        assert result.tolist() == [pd.Timedelta(text) for text in truth], words
        assert reason == note, words


def test_the_likelier_order_is_the_day_first_unless_months_or_hours_tell() -> None:
    for words, likely in (
        (["1/1/2014", "1/2/2014"], ("day", "'1/2/2014' read as 2014-02-01: the day first")),
        (["1/1/2014", "2/1/2014"], ("month", "'2/1/2014' read as 2014-02-01: the month first")),
        (["1/2/2014 2 PM", "3/4/2014 9 AM"], ("month", "'1/2/2014 2 PM' read as 2014-01-02")),
        (["1/2/2014", "13/2/2014"], None), (["1.2.2014", "2.3.2014"], None), (["5/5/2014"], None),
        (["2014-01-02"], None), (["01-02-03", "04-05-06"], None), ([], None),
    ):  # fmt: skip
        result = likely_day_or_month_first(words)
        assert (result and result[0]) == (likely and likely[0]), words
        assert not result or result[1].startswith(likely[1]), words


def test_one_cell_in_ten_may_be_no_date() -> None:
    days = [f"2024-03-{day:02}" for day in range(1, 10)]
    for odd in ("soon", "2024-02-30", "0000-00-00", "01/03/2024"):
        result, reason = parse_time_column(pd.Series([odd, *days, None], dtype=object))
        assert result is not None
        assert result.isna().tolist() == [True, *[False] * 9, True]
        assert result.iloc[1] == pd.Timestamp("2024-03-01")
        assert not reason
        assert parse_time_column(pd.Series([odd, *days[:8]], dtype=object)) == (None, "")
    unclear = parse_time_column(
        pd.Series(["soon", *(f"0{day}/0{10 - day}/2024" for day in range(1, 10))])
    )
    assert unclear == (None, "in '01/09/2024' the day or the month could be first: read as text")


@given(
    st.lists(st.datetimes(), min_size=1),
    st.lists(st.timedeltas(dt.timedelta(-50_000), dt.timedelta(50_000)), min_size=1),
)
def test_what_python_and_pandas_write_is_read_back(
    moments: list[dt.datetime], spans: list[dt.timedelta]
) -> None:
    for words in ([at.isoformat() for at in moments], [*map(str, moments)]):
        assert parse_time_column(pd.Series(words))[0].tolist() == moments
    for words in (map(str, spans), map(str, map(pd.Timedelta, spans))):
        assert parse_time_column(pd.Series([*words]))[0].tolist() == [
            pd.Timedelta(span) for span in spans
        ]


DAYS = Quantity("date", DAY)
SECONDS = Quantity("date", SECOND)
MICROS = Quantity("date", MICRO)
AWARE = Quantity("date", SECOND, has_offset=True)
LENGTHS = Quantity("duration", SECOND)

days = st.dates()
moments = st.datetimes()
columns = st.one_of(
    st.lists(days, min_size=2, max_size=8),
    st.lists(moments.map(lambda at: at.replace(microsecond=0)), min_size=2, max_size=8),
    st.lists(moments, min_size=2, max_size=8),
    st.lists(moments.map(lambda at: at.replace(tzinfo=dt.UTC)), min_size=2, max_size=8),
)
spans = st.one_of(
    st.integers(-50_000, 50_000).map(lambda n: n * DAY),
    st.integers(-(10**9), 10**9).map(lambda n: n * SECOND),
    st.integers(-(2**53), 2**53).map(lambda n: n * MICRO // 8),
    st.integers(-(2**52), 2**52),
)
lengths = st.lists(spans, min_size=2, max_size=8)


def spans_of(nanos: list[int]) -> pd.Series[Any]:
    return pd.Series(np.array(nanos, "timedelta64[ns]"), name="wait")


def column(values: Any) -> pd.Series[Any]:
    return pd.Series(list(values), dtype=object, name="when")


def encoded(values: Any, quantity: Quantity) -> np.ndarray:
    series = values if isinstance(values, pd.Series) else column(values)
    return np.asarray(kind_of(quantity).encode(series, quantity))


def text(value: float, quantity: Quantity) -> str:
    return kind_of(quantity).texts(np.array([value]), quantity)[0]


def literal(threshold: float, quantity: Quantity) -> str:
    return str(kind_of(quantity).json_fields(threshold, quantity)["before"])


def limit(threshold: float, lower: float, upper: float, quantity: Quantity) -> str:
    own = (np.array([value]) for value in (threshold, lower, upper))
    return kind_of(quantity).threshold_texts(*own, quantity)[0]


def test_a_column_is_measured_by_its_longest_whole_unit() -> None:
    day, hour, utc = dt.datetime(2024, 3, 1), dt.datetime(2024, 3, 1, 8), dt.UTC
    for values, quantity in (
        ([dt.date(2024, 3, 1), None], DAYS), ([day, pd.NaT], DAYS), ([hour, day], SECONDS),
        ([dt.datetime(2024, 3, 1, 8, 0, 0, 5)], MICROS), ([day.replace(tzinfo=utc)], AWARE),
        ([dt.date(2024, 3, 1), hour], SECONDS), ([day, day.replace(tzinfo=utc)], PLAIN),
        (["2024-03-01"], PLAIN), ([1.5, 2], PLAIN),
    ):  # fmt: skip
        assert quantity_of_column(column(values)) == quantity, values
    far = pd.Series(np.array([10**13, 0], "datetime64[s]"))  # years that no text has
    assert quantity_of_column(far) == PLAIN


def test_every_unit_and_zone_of_pandas_is_the_same_moment() -> None:
    for unit, zone in zip(
        ["s", "ms", "us", "ns"], [None, "UTC", "Europe/Berlin", "Asia/Kathmandu"], strict=True
    ):
        series = pd.Series(pd.to_datetime(["2024-07-01 08:30:00", None, "1969-12-31 23:59:59"]))
        series = series.astype(f"datetime64[{unit}]").dt.tz_localize(zone)
        quantity = quantity_of_column(series)
        assert quantity == Quantity("date", SECOND, zone is not None), unit
        numbers = kind_of(quantity).encode(series, quantity)
        assert numbers[[0, 2]].tolist() == [at.timestamp() for at in series.dropna()], unit
        assert np.isnan(numbers[1]), unit


@given(columns)
def test_what_is_encoded_is_decoded_and_its_text_is_read_back(values: list[Any]) -> None:
    quantity = quantity_of_column(column(values))
    numbers = encoded([*values, None], quantity)
    back = kind_of(quantity).decode(numbers, quantity)
    assert pd.isna(back.iloc[-1])
    numbers = numbers[:-1]
    assert np.abs(numbers).max() < 2**53
    assert np.array_equal(numbers, np.floor(numbers))
    off = [pd.Timestamp(one) - own for one, own in zip(values, back[:-1].tolist(), strict=True)]
    assert all(pd.Timedelta(0) <= one < pd.Timedelta(quantity.unit) for one in off)
    years = [one.year for one in values]
    assert not any(off) or not 1684 < min(years) <= max(years) < 2255
    texts = kind_of(quantity).texts(encoded(values, quantity), quantity)
    assert encoded(texts, quantity).tolist() == encoded(values, quantity).tolist()


@given(columns, st.data())
def test_a_limit_parts_the_rows_as_its_threshold_does(
    values: list[Any], data: st.DataObject
) -> None:
    quantity = quantity_of_column(column(values))
    numbers = np.unique(encoded(values, quantity))
    if len(numbers) < 2:
        return
    at = data.draw(st.integers(1, len(numbers) - 1))
    lower, upper = numbers[at - 1], numbers[at]
    threshold = float(midpoint(lower, upper))
    for said in (limit(threshold, lower, upper, quantity), literal(threshold, quantity)):
        (first,) = encoded([said], quantity)
        assert ((numbers < first) == (numbers <= threshold)).all()


@given(st.sampled_from([DAYS, SECONDS, MICROS]), moments, moments, st.integers(-(10**6), 10**6))
def test_any_moment_is_before_a_literal_where_predict_sends_it_left(
    quantity: Quantity, one: dt.datetime, other: dt.datetime, near: int
) -> None:
    lower, upper = sorted(encoded([one, other], quantity))
    if lower == upper or max(abs(lower), abs(upper)) > 2**53:
        return
    threshold = float(midpoint(lower, upper))
    said = literal(threshold, quantity)
    edge = pd.Timestamp(said).to_pydatetime()
    beside = edge + dt.timedelta(microseconds=near) if dt.MINYEAR < edge.year < dt.MAXYEAR else one
    for at in (one, other, edge, beside):
        goes_left = bool(encoded([at], quantity)[0] <= threshold)
        assert goes_left == (at < edge)
        assert goes_left == (str(at) < said)  # as exported code compares
        assert goes_left == (pd.Timestamp(at).isoformat(" ") < said)


def test_a_limit_is_shortened_by_little_of_its_gap() -> None:
    for lower, upper, said in (
        ("2024-02-29", "2024-03-01", "2024-02-29 12:00"),
        ("2024-03-01 08:13:22", "2024-04-04 09:11:01", "2024-03-18"),
        ("2024-03-01 08:13:22", "2024-03-04 09:11:01", "2024-03-02 21:00"),
        ("2024-03-01 08:13:22", "2024-03-01 19:11:01", "2024-03-01 13:42"),
        ("2024-03-01 08:13:22", "2024-03-01 08:15:01", "2024-03-01 08:14:12"),
        ("2024-03-01 08:13:22", "2024-03-01 08:13:24", "2024-03-01 08:13:24"),
    ):  # fmt: skip
        ends = encoded([lower, upper], SECONDS)
        assert limit(float(midpoint(*ends)), *ends, SECONDS) == said, lower
    for lower, upper, said in (
        ("1949-01-01", "1949-02-01", "1949-02-01"), ("1949-01-01", "1949-04-01", "1949-03-01"),
        ("1949-01-01", "1949-01-20", "1949-01-11"), ("1949-01-01", "1953-01-01", "1951-01-01"),
    ):  # fmt: skip
        ends = encoded([lower, upper], DAYS)  # months are parted at the first of a month
        assert limit(float(midpoint(*ends)), *ends, DAYS) == said, lower


def test_moments_with_an_offset_are_told_in_utc_and_not_compared_with_others() -> None:
    (number,) = encoded(["2024-03-01 01:30:00+02:00"], AWARE)
    assert text(number, AWARE) == "2024-02-29 23:30Z"
    assert literal(number, AWARE) == "2024-02-29 23:30:01+00:00"
    midnight = encoded(["2024-03-01 00:00Z"], AWARE)[0]
    assert text(midnight, AWARE) == "2024-03-01 00:00Z"
    kind = kind_of(AWARE)
    assert kind.encode(column([dt.datetime(2024, 3, 1)]), AWARE) is None
    assert kind.encode(column([dt.datetime(2024, 3, 1, tzinfo=dt.UTC)]), SECONDS) is None
    assert np.isnan(encoded([None, pd.NaT], AWARE)).all()


@given(st.sampled_from([DAYS, SECONDS, MICROS, AWARE]), moments, moments)
def test_ticks_stand_inside_the_axis_at_what_they_say(
    quantity: Quantity, one: dt.datetime, other: dt.datetime
) -> None:
    zone = dt.UTC if quantity.has_offset else None
    low, high = sorted(encoded([at.replace(tzinfo=zone) for at in (one, other)], quantity))
    for values, texts in kind_of(quantity).ticks(low, high, quantity):
        assert 2 <= len(values) == len(texts) <= 12
        assert low <= values[0]
        assert values[-1] <= high
        assert values == sorted(set(values))
        for value, said in zip(values, texts, strict=True):
            whole = text(value, quantity)
            assert whole.startswith(said) or whole.endswith(f" {said}") or said in f"{whole}:00"


def test_ticks_are_round() -> None:
    for low, high, rungs in (
        ("2019-05-01", "2024-03-01", [["2020", "2022", "2024"], ["2020", "2021", "2022"]]),
        ("2024-01-20", "2024-05-03", [["2024-02", "2024-03", "2024-04", "2024-05"]]),
        ("2024-03-01", "2024-03-20", [["2024-03-04", "2024-03-11", "2024-03-18"]]),
        ("2024-03-01 20:30", "2024-03-02 05:00", [["21:00", "2024-03-02", "03:00"]]),
    ):  # fmt: skip
        ladder = kind_of(SECONDS).ticks(*encoded([low, high], SECONDS), SECONDS)
        for rung, texts in zip(ladder, rungs, strict=False):
            assert rung.texts[: len(texts)] == texts, low


def test_a_column_of_durations_is_measured_by_its_longest_whole_unit() -> None:
    for values, unit in (
        (["1 days", None], DAY), (["1 days 02:00:00"], SECOND), (["00:00:00.25"], MICRO),
        (["00:00:00.000000250"], 1),
    ):  # fmt: skip
        result = quantity_of_column(pd.Series(pd.to_timedelta(values)))
        assert result == Quantity("duration", unit), values
    python = pd.Series([dt.timedelta(days=2), None], dtype=object)
    assert quantity_of_column(python) == Quantity("duration", DAY)
    far = pd.Series(np.array([10**12], "timedelta64[s]"))  # longer than 146 years
    assert quantity_of_column(far) == PLAIN


@given(lengths)
def test_what_is_encoded_of_durations_is_decoded_and_its_text_is_read_back(
    nanos: list[int],
) -> None:
    series = spans_of(nanos)
    quantity = quantity_of_column(series)
    numbers = encoded(series, quantity)
    kind = kind_of(quantity)
    back = kind.decode(np.array([*numbers, np.nan]), quantity)
    assert pd.isna(back.iloc[-1])
    texts = kind.texts(numbers, quantity)
    if max(map(abs, nanos)) < 2**53 * quantity.unit and not any(n % quantity.unit for n in nanos):
        assert back[:-1].tolist() == series.tolist()
        assert encoded(texts, quantity).tolist() == numbers.tolist()
        assert [pd.Timedelta(text) for text in texts] == series.tolist()


@given(lengths, st.data())
def test_a_limit_of_durations_parts_the_rows_as_its_threshold_does(
    nanos: list[int], data: st.DataObject
) -> None:
    quantity = quantity_of_column(spans_of(nanos))
    numbers = np.unique(encoded(spans_of(nanos), quantity))
    if len(numbers) < 2 or not np.array_equal(numbers, np.floor(numbers)):
        return
    at = data.draw(st.integers(1, len(numbers) - 1))
    lower, upper = numbers[at - 1 : at], numbers[at : at + 1]
    threshold = midpoint(lower, upper)
    (said,) = kind_of(quantity).threshold_texts(threshold, lower, upper, quantity)
    longest = encoded([said], quantity)
    assert ((numbers <= longest) == (numbers <= threshold)).all()
    seconds = kind_of(quantity).json_fields(float(threshold[0]), quantity)["most_seconds"]
    if numbers.max() < 2**50:
        own = numbers * quantity.unit / SECOND
        assert ((own <= float(seconds)) == (numbers <= threshold)).all()


def test_a_limit_of_durations_is_shortened_by_little_of_its_gap() -> None:
    for lower, upper, said in (
        ("0 days", "3 days", "1 day 12:00:00"), ("0 days", "41 days", "21 days"),
        ("1 day 20:10:17", "2 days 20:10:20", "2 days 08:00:00"),
        ("00:10:00", "00:11:30", "00:10:45"), ("00:10:20", "00:51:31.25", "00:31:00"),
        ("00:00:01", "00:00:02", "00:00:01.5"), ("00:00:01.2", "00:00:01.5001", "00:00:01.35"),
        ("-22:00:00", "-02:00:00", "-12:00:00"), ("-5 days", "-26:00:00", "-73:00:00"),
    ):  # fmt: skip
        quantity = Quantity("duration", MICRO)
        ends = (encoded([end], quantity) for end in (lower, upper))
        low, high = ends
        assert kind_of(quantity).threshold_texts(midpoint(low, high), low, high, quantity) == [
            said
        ], lower


@given(spans, spans)
def test_ticks_of_durations_stand_inside_the_axis_at_what_they_say(one: int, other: int) -> None:
    low, high = sorted(value / SECOND for value in (one, other))
    for values, texts in kind_of(LENGTHS).ticks(low, high, LENGTHS):
        assert 2 <= len(values) == len(texts) <= 12
        assert low <= values[0] + 1e-9 * abs(low)
        assert values[-1] <= high + 1e-9 * abs(high)
        for value, text in zip(values, texts, strict=True):  # its minus speaks of all
            size = pd.Timedelta(text.removeprefix("-")).total_seconds()
            assert np.isclose(-size if text.startswith("-") else size, value)
    ladder = kind_of(LENGTHS).ticks(-1800.0, 20_000.0, LENGTHS)
    rungs = [["0", "3 h"], ["0", "1 h", "2 h", "3 h", "4 h", "5 h"]]
    assert [rung.texts for rung in ladder] == rungs
