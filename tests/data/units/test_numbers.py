"""The texts of many thresholds are those of one at a time, to the letter."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtviz.base.text import number as short
from dtviz.base.text import threshold
from dtviz.data.units.numbers import parsed_thresholds, threshold_column
from dtviz.engine.splits import midpoint

finite = st.floats(allow_nan=False, allow_infinity=False)
decimal = st.builds(
    lambda digits, places: digits / 10**places,
    st.integers(-(10**15), 10**15), st.integers(0, 18),
)  # fmt: skip
edge = st.sampled_from(
    [0.0, -0.0, 5e-324, 1e-4, 1e15, 9e14, 9.9999995, 999999.5, 0.125, 2.5, 1e8, 2.0**52, 1e16, 1e22]
).flatmap(lambda v: st.sampled_from([v, -v, math.nextafter(v, 9e99), math.nextafter(v, -9e99)]))
number = st.one_of(finite, decimal, edge, st.floats(-1000, 1000), st.floats(0.0001, 1))


def one_by_one(values: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> list[str]:
    rows = zip(values.tolist(), lower.tolist(), upper.tolist(), strict=True)
    return [threshold(*row) for row in rows]


def assert_the_same(values: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> None:
    texts = one_by_one(values, lower, upper)
    named = [f"Größe <= {text}" for text in texts]
    assert threshold_column(values, lower, upper, "Größe <= ").to_pylist() == named


@given(st.lists(st.tuples(number, number), min_size=1, max_size=30))
def test_the_middle_of_any_two_numbers_as_a_text_and_as_a_number(
    pairs: list[tuple[float, float]],
) -> None:
    kept = np.array([sorted(pair) for pair in pairs if pair[0] != pair[1]]).reshape(-1, 2)
    about = midpoint(kept[:, 0], kept[:, 1]), kept[:, 0], kept[:, 1]
    assert_the_same(*about)
    numbers, odd = parsed_thresholds(*about)
    texts = one_by_one(*about)
    assert numbers.tolist() == [float(text) for text in texts]
    common = [text for text in texts if text not in odd.values()]
    assert [short(float(text), 15) for text in common] == common


@given(number, st.integers(1, 3), st.booleans())
def test_any_number_with_its_neighbours_near(value: float, steps: int, at_lower: bool) -> None:
    lower, upper = value, value
    for _ in range(steps):
        upper = math.nextafter(upper, math.inf)
        lower = lower if at_lower else math.nextafter(lower, -math.inf)
    if math.isfinite(lower) and math.isfinite(upper):
        assert_the_same(*(np.array([v]) for v in (value, lower, upper)))


def decimals(digits: int, scale: float) -> None:
    """Columns of decimals of so many digits and of all digits, of this size."""
    rng, lower, upper = np.random.default_rng(digits), [], []
    for values in (
        rng.normal(size=300), rng.integers(-500, 500, 300) / 100, rng.uniform(1, 1.001, 300),
    ):  # fmt: skip
        ends = np.unique([float(f"{v:.{digits}g}") for v in (values * scale).tolist()])
        lower.append(ends[:-1])
        upper.append(ends[1:])
    low, high = np.concatenate(lower), np.concatenate(upper)
    assert_the_same(np.append(midpoint(low, high), low), np.append(low, low), np.append(high, high))


SCALES = (1e-12, 1e-4, 1, 1e4, 1e9, 1e18)


def test_columns_of_decimals_and_of_all_digits() -> None:
    for digits in range(1, 17, 3):
        decimals(digits, SCALES[digits % 6])
    for scale in SCALES:
        decimals(16, scale)


@pytest.mark.nightly
def test_columns_of_all_decimals_and_sizes() -> None:
    for digits in range(1, 17):
        for scale in SCALES:
            decimals(digits, scale)


def test_halves_are_rounded_to_even_as_the_number_itself_stands() -> None:
    """1234567.5 is a tie, 1700000000.0005 is not quite: its float lies above or below."""
    values = np.concatenate([np.arange(1e6, 1e6 + 200) + 0.5, 1.7e9 + np.arange(200) / 2000])
    for gap in (1e-3, 0.6, 1.5, 60.0):
        assert_the_same(values, values - gap, values + gap)


def test_as_many_as_there_are_and_what_stands_before() -> None:
    values = np.arange(20_003) / 8
    texts = threshold_column(values, values, values + 0.1, "Größe <= ").to_pylist()
    assert texts[:3] == ["Größe <= 0", "Größe <= 0.125", "Größe <= 0.25"]
    assert texts[-1] == f"Größe <= {20_002 / 8}"
    assert len(texts) == 20_003
    none = np.empty(0)
    assert threshold_column(none, none, none, "x <= ").to_pylist() == []


def test_what_is_not_finite_stays_a_number() -> None:
    ends = np.array([np.nan, np.inf, 2.5])
    result, odd = parsed_thresholds(ends, np.full(3, -np.inf), np.full(3, np.inf))
    assert result.tolist()[1:] == [np.inf, 2.5]
    assert np.isnan(result[0])
    assert odd == {}
