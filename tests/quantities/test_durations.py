"""Durations: exact numbers of days, seconds or less, cut at a length that itself goes left."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dtviz.engine.splits import midpoint
from dtviz.quantities import PLAIN, Quantity, kind_of, quantity_in
from dtviz.quantities.quantity import DAY, MICRO, SECOND

SECONDS = Quantity("duration", SECOND)

spans = st.one_of(
    st.integers(-50_000, 50_000).map(lambda n: n * DAY),
    st.integers(-(10**9), 10**9).map(lambda n: n * SECOND),
    st.integers(-(2**53), 2**53).map(lambda n: n * MICRO // 8),
    st.integers(-(2**52), 2**52),
)
columns = st.lists(spans, min_size=2, max_size=8)


def column(nanos: Any) -> pd.Series[Any]:
    return pd.Series(np.array([*nanos], "timedelta64[ns]"), name="wait")


def encoded(series: Any, quantity: Quantity) -> np.ndarray:
    found = kind_of(quantity).encode(pd.Series(series), quantity)
    return np.asarray(found)


def test_a_column_is_measured_by_its_longest_whole_unit() -> None:
    for values, unit in (
        (["1 days", None], DAY), (["1 days 02:00:00"], SECOND), (["00:00:00.25"], MICRO),
        (["00:00:00.000000250"], 1),
    ):  # fmt: skip
        found = quantity_in(pd.Series(pd.to_timedelta(values)))
        assert found == Quantity("duration", unit), values
    python = pd.Series([dt.timedelta(days=2), None], dtype=object)
    assert quantity_in(python) == Quantity("duration", DAY)
    far = pd.Series(np.array([10**12], "timedelta64[s]"))  # longer than 146 years
    assert quantity_in(far) == PLAIN


@given(columns)
def test_what_is_encoded_is_decoded_and_its_text_is_read_back(nanos: list[int]) -> None:
    series = column(nanos)
    quantity = quantity_in(series)
    numbers = encoded(series, quantity)
    kind = kind_of(quantity)
    back = kind.decode(np.array([*numbers, np.nan]), quantity)
    assert pd.isna(back.iloc[-1])
    texts = kind.texts(numbers, quantity)
    if max(map(abs, nanos)) < 2**53 * quantity.unit and not any(n % quantity.unit for n in nanos):
        assert back[:-1].tolist() == series.tolist()
        assert encoded(texts, quantity).tolist() == numbers.tolist()
        assert [pd.Timedelta(text) for text in texts] == series.tolist()


@given(columns, st.data())
def test_a_limit_parts_the_rows_as_its_threshold_does(
    nanos: list[int], data: st.DataObject
) -> None:
    quantity = quantity_in(column(nanos))
    numbers = np.unique(encoded(column(nanos), quantity))
    if len(numbers) < 2 or not np.array_equal(numbers, np.floor(numbers)):
        return
    at = data.draw(st.integers(1, len(numbers) - 1))
    lower, upper = numbers[at - 1 : at], numbers[at : at + 1]
    threshold = midpoint(lower, upper)
    (said,) = kind_of(quantity).limits(threshold, lower, upper, quantity)
    longest = encoded([said], quantity)
    assert ((numbers <= longest) == (numbers <= threshold)).all()
    seconds = kind_of(quantity).stored(float(threshold[0]), quantity)["most_seconds"]
    if numbers.max() < 2**50:
        own = numbers * quantity.unit / SECOND
        assert ((own <= float(seconds)) == (numbers <= threshold)).all()


def test_a_limit_is_shortened_by_little_of_its_gap() -> None:
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
        assert kind_of(quantity).limits(midpoint(low, high), low, high, quantity) == [said], lower


@given(spans, spans)
def test_ticks_stand_inside_the_axis_at_what_they_say(one: int, other: int) -> None:
    low, high = sorted(value / SECOND for value in (one, other))
    for values, texts in kind_of(SECONDS).ladder(low, high, SECONDS):
        assert 2 <= len(values) == len(texts) <= 12
        assert low <= values[0] + 1e-9 * abs(low)
        assert values[-1] <= high + 1e-9 * abs(high)
        for value, text in zip(values, texts, strict=True):  # its minus speaks of all
            size = pd.Timedelta(text.removeprefix("-")).total_seconds()
            assert np.isclose(-size if text.startswith("-") else size, value)
    ladder = kind_of(SECONDS).ladder(-1800.0, 20_000.0, SECONDS)
    rungs = [["0", "3 h"], ["0", "1 h", "2 h", "3 h", "4 h", "5 h"]]
    assert [rung.texts for rung in ladder] == rungs
