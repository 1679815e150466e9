"""Quantities and their kinds, the kind of plain numbers, and the texts of many thresholds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dtviz.base.arrays import Floats, Int64s
from dtviz.base.lazy import pa, pd
from dtviz.base.text import Dialect, number, threshold

MICRO = 1_000
"""Nanoseconds in a microsecond; the next constants are nanoseconds too."""
MILLI, SECOND = 1_000 * MICRO, 1_000_000 * MICRO
MINUTE, HOUR, DAY = 60 * SECOND, 3_600 * SECOND, 86_400 * SECOND
MIN_STEPS_BETWEEN = 20
"""A threshold's text is rounded to a step if so many steps fit between the values beside it."""
MAX_EXACT_INTEGER = 2**53
"""Every whole number up to this one is a float."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """The quantity that a column's numbers measure, with its unit."""

    kind: str = "number"
    """Name of the kind, in KINDS."""
    unit: int = 1
    """Nanoseconds in 1, for dates and durations."""
    has_offset: bool = False
    """True for moments with an offset from UTC."""
    rank_names: tuple[str | bool | int | float, ...] = ()
    """Names of the ranks, in the order of their numbers 0, 1, ..."""


PLAIN = Quantity()
"""The quantity of plain numbers."""


class AxisTicks(NamedTuple):
    """The ticks of an axis at one step."""

    values: list[float]  # positions of the ticks
    texts: list[str]  # text of each tick


@dataclass(frozen=True, slots=True)
class QuantityKind:
    """A kind of quantity: how its columns become numbers, and its numbers text."""

    name: str
    """Name in `Quantity.kind`."""
    noun: str
    """Noun of the values that a column must hold, in messages."""
    quantity_of: Callable[[pd.Series[Any]], Quantity | None]
    """Quantity of a column; None if the column is of another kind."""
    encode: Callable[[pd.Series[Any], Quantity], Floats | None]
    """Numbers of a column, (n,), NaN for missing; None if it holds other values."""
    decode: Callable[[Floats, Quantity], pd.Series[Any]]
    """Column of values from numbers: the inverse of `encode`."""
    texts: Callable[[Floats, Quantity], list[str]]
    """Texts of values."""
    threshold_texts: Callable[[Floats, Floats, Floats, Quantity], list[str]]
    """Short texts of thresholds, from the values below and above each: no row changes its side."""
    literal: Callable[[float, Quantity, Dialect], str]
    """Text of a threshold in full, in a language."""
    json_fields: Callable[[float, Quantity], dict[str, Any]]
    """Fields of a threshold in JSON."""
    condition: Callable[[Dialect, str, str, str, Quantity], str]
    """Text, from language, score, low, high: the score is between two thresholds; '' for none."""
    ticks: Callable[[float, float, Quantity], list[AxisTicks]]
    """Ticks between two numbers, the widest step first."""


KINDS: dict[str, QuantityKind] = {}
"""Each kind of quantity, by name."""


def kind_of(quantity: Quantity) -> QuantityKind:
    """The kind of a quantity."""
    return KINDS[quantity.kind]


def quantity_of_column(series: pd.Series[Any]) -> Quantity:
    """The quantity of a column; PLAIN if it is of no other kind."""
    for kind in KINDS.values():
        if (quantity := kind.quantity_of(series)) is not None:
            return quantity
    return PLAIN


DIGITS = 15
"""A number written with so many significant digits stays the same when it is read as a float."""

_TRIES = ((6, True), *((digits, False) for digits in range(4, DIGITS + 1)))
"""Number of digits, and True if they must equal the number; the first try that fits is taken."""
_POWERS = np.array([10.0**power for power in range(23)])  # as floats these are exact
_COMMON_POWERS = np.array([10.0**power for power in range(-4, 15)])
_MAX_COMMON = 9e14  # smaller numbers have at most 15 digits before the point, also if rounded
_SPLITTER = 2.0**27 + 1  # of Veltkamp's method (1968): a float becomes two of 26 bits each
_MAX_SPLIT_PLACES = 11  # 10**11 is 5**11, a number of 26 bits, times a power of 2
_MAX_ARROW = 1e10  # Arrow writes larger numbers with an exponent


def parsed_thresholds(
    values: Floats, lower: Floats, upper: Floats
) -> tuple[Floats, dict[int, str]]:
    """The texts of `threshold` read as numbers, (n,), and those that are uncommon, by position.

    A common text has at most 15 digits and no exponent. Values that are not finite stay.
    """
    numbers, size = values + 0.0, np.abs(values)
    is_common = (size >= _COMMON_POWERS[0]) & (size < _MAX_COMMON)
    uncommon = np.isfinite(values) & (values != 0) & ~is_common
    rows = np.flatnonzero(is_common)
    power = np.searchsorted(_COMMON_POWERS, size, "right") - 5  # power of ten of the first digit
    for digits, is_exact in _TRIES:
        value = values[rows]
        parsed = _round_to_digits(value, digits, digits - 1 - power[rows])
        fits = parsed == value if is_exact else (lower[rows] <= parsed) & (parsed < upper[rows])
        numbers[rows[fits]] = parsed[fits]
        rows = rows[~fits]
        if not len(rows):
            break
    uncommon[rows] = True
    texts = {
        i: threshold(float(values[i]), float(lower[i]), float(upper[i]))
        for i in np.flatnonzero(uncommon).tolist()
    }
    numbers[[*texts]] = [*map(float, texts.values())]
    return numbers, texts


def _round_to_digits(values: Floats, digits: int, places: Int64s) -> Floats:
    """The values rounded to so many significant digits, as `format` does.

    `places`, (n,), are the places of the last digits behind the decimal point.
    """
    up, down = _POWERS.take(np.maximum(places, 0)), _POWERS.take(np.maximum(-places, 0))
    scaled = values * up / down  # one of the two is 1
    whole = np.rint(scaled)
    # Near a half, the rounding of `scaled` itself may decide. Products of 26 bits are exact there.
    near = np.flatnonzero(np.abs(np.abs(scaled - whole) - 0.5) <= 2.0**-51 * np.abs(scaled))
    half, value, up_near = np.floor(scaled[near]) + 0.5, values[near], up[near]
    high = _SPLITTER * value - (_SPLITTER * value - value)
    above = (high * up_near - half * down[near]) + (value - high) * up_near
    whole[near] = np.where(above == 0, np.rint(half), np.floor(half) + (above > 0))
    rounded: Floats = whole / up * down
    for i in near[places[near] > _MAX_SPLIT_PLACES].tolist():
        rounded[i] = float(f"{values[i]:.{digits}g}")
    return rounded


def threshold_column(values: Floats, lower: Floats, upper: Floats, prefix: str) -> pa.Array:
    """The texts of `threshold`, each behind a prefix, as strings of Arrow, (n,)."""
    from pyarrow.compute import binary_join_element_wise, replace_with_mask

    numbers, texts = parsed_thresholds(values, lower, upper)
    column, size = pa.array(numbers).cast(pa.string()), np.abs(numbers)
    is_whole = (size >= _MAX_ARROW) & (size < _MAX_COMMON) & (numbers == np.floor(numbers))
    is_odd = ~(is_whole | (size < _MAX_ARROW))
    is_odd[[*texts]] = True
    odd = {i: number(float(numbers[i]), DIGITS) for i in np.flatnonzero(is_odd).tolist()} | texts
    whole = pa.array(numbers[is_whole].astype(np.int64))
    for mask, strings in ((is_whole, whole), (is_odd, pa.array(odd.values(), pa.string()))):
        if mask.any():
            column = replace_with_mask(column, pa.array(mask), strings.cast(pa.string()))
    return binary_join_element_wise(prefix, column, "")


NUMBER = QuantityKind(
    name="number",
    noun="numbers",
    quantity_of=lambda series: None,
    encode=lambda series, quantity: None,
    decode=lambda values, quantity: pd.Series(values),
    texts=lambda values, quantity: [number(value) for value in values.tolist()],
    threshold_texts=lambda values, lower, upper, quantity: [
        *map(threshold, values.tolist(), lower.tolist(), upper.tolist())
    ],
    literal=lambda value, quantity, dialect: dialect.number(value),
    json_fields=lambda value, quantity: {"threshold": value},
    condition=lambda dialect, score, low, high, _: dialect.in_interval(score, low, high),
    ticks=lambda low, high, quantity: [],
)
