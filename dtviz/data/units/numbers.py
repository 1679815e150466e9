"""Units of a column's numbers, plain numbers, and the shortest texts of many thresholds.

A text is a mantissa and its number of decimal places. `thresholds` gives the texts of
`text.threshold`; `column` gives them as Arrow strings, without a Python object for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Int64s
from dtviz.base.late import pa, pd
from dtviz.base.text import Dialect, number, threshold

MICRO = 1_000
"""Nanoseconds in a microsecond; the next constants are nanoseconds too."""
MILLI, SECOND = 1_000 * MICRO, 1_000_000 * MICRO
MINUTE, HOUR, DAY = 60 * SECOND, 3_600 * SECOND, 86_400 * SECOND
MIN_STEPS_BETWEEN = 20
"""A limit is rounded to a step if at least this many steps fit between its neighbours."""
MAX_EXACT_INTEGER = 2**53
"""Up to it every whole number is a float."""


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
    """Column of numbers: the inverse of `encode`."""
    texts: Callable[[Floats, Quantity], list[str]]
    """Texts of values."""
    threshold_texts: Callable[[Floats, Floats, Floats, Quantity], list[str]]
    """Thresholds, values below and above each: short texts that send each row the same way."""
    literal: Callable[[float, Quantity, Dialect], str]
    """Text of a threshold in full, in a language."""
    json_fields: Callable[[float, Quantity], dict[str, Any]]
    """Fields of a threshold in JSON."""
    condition: Callable[[Dialect, str, str, str, Quantity], str]
    """Language, score, low, high: the score is between two texts of thresholds; '' is no limit."""
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


ByteArray = NDArray[np.uint8]

BLOCK = 1 << 14
"""Rows computed together: few enough to stay in the processor's cache."""

DIGITS = 15
"""Significant digits that any text keeps when it is read as a float."""

_TRIES = ((6, True), *((digits, False) for digits in range(4, DIGITS + 1)))
"""Number of digits, and True if they must equal the number; the first try that fits is taken."""

_END = "\n"  # no name contains it
_TENS = 10 ** np.arange(19)
_POWERS = _TENS.astype(np.float64)  # exact up to 10**22
_STEPS = np.array([10.0**k for k in range(-4, 15)])
_SMALLEST, _LARGEST = 1e-4, 9e14  # beyond, a text has an exponent
_MAX_PLACES = 16  # more may not fit 64 bits
_SPLITTER = 2.0**27 + 1  # of Veltkamp's method


def threshold_texts(values: Floats, lower: Floats, upper: Floats) -> list[str]:
    """The text that `text.threshold` gives each value between its neighbours; arrays (n,)."""
    lines = b"".join(_blocks(values, lower, upper, ""))
    return lines.decode().split(_END)[:-1]


def threshold_column(values: Floats, lower: Floats, upper: Floats, before: str) -> pa.ChunkedArray:
    """The texts of `thresholds`, each after the text `before`, as a column of Arrow, (n,)."""
    blocks = _blocks(values, lower, upper, before)
    return pa.chunked_array(map(_strings, blocks), pa.string())


def _strings(lines: bytes) -> pa.StringArray:
    ends = np.flatnonzero(np.frombuffer(lines, np.uint8) == ord(_END))
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends - np.arange(len(ends))
    texts = lines.translate(None, _END.encode())
    return pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(texts))


def parsed_thresholds(values: Floats, lower: Floats, upper: Floats) -> tuple[Floats, list[str]]:
    """The numbers that the texts of `thresholds` are read as, (n,); and the uncommon texts.

    A common text has at most 15 digits and no exponent. Values that are not finite stay.
    """
    mantissa, places, is_common = _shortest(values, lower, upper)
    up, down = _POWERS.take(np.maximum(places, 0)), _POWERS.take(np.maximum(-places, 0))
    out = np.where(is_common, np.copysign(mantissa / up * down, values), values)
    is_uncommon = np.isfinite(values) & (~is_common | (mantissa >= 10**DIGITS))
    uncommon = np.flatnonzero(is_uncommon).tolist()
    texts = [threshold(float(values[i]), float(lower[i]), float(upper[i])) for i in uncommon]
    out[uncommon] = [float(text) for text in texts]
    return out, texts


def _blocks(values: Floats, lower: Floats, upper: Floats, before: str) -> Iterator[bytes]:
    """The texts, one a line, BLOCK texts at a time."""
    for start in range(0, len(values), BLOCK):
        part = slice(start, start + BLOCK)
        yield _block(values[part], lower[part], upper[part], before)


def _block(values: Floats, lower: Floats, upper: Floats, before: str) -> bytes:
    mantissa, places, is_common = _shortest(values, lower, upper)
    lines = _lines(before, values < 0, mantissa, places)
    if is_common.all():
        return lines
    texts = lines.decode().split(_END)
    for i in np.flatnonzero(~is_common).tolist():
        texts[i] = before + threshold(float(values[i]), float(lower[i]), float(upper[i]))
    return _END.join(texts).encode()


def _shortest(values: Floats, lower: Floats, upper: Floats) -> tuple[Int64s, Int64s, Bools]:
    """Mantissa and decimal places of each text, and a mask of the values they are for; (n,)."""
    mantissa, places = np.zeros((2, len(values)), np.int64)
    size, is_done = np.abs(values), values == 0
    rows = np.flatnonzero((size >= _SMALLEST) & (size < _LARGEST))
    power = np.searchsorted(_STEPS, size, "right") - 5  # power of ten of the first digit
    power, sizes = power.take(rows), np.array([size, *_sizes(values, lower, upper)]).take(rows, 1)
    for digits, is_exact in _TRIES:
        n_places = digits - 1 - power
        size, low, high = sizes
        rounded, parsed = _rounded(size, n_places)
        fits = parsed == size if is_exact else (low <= parsed) & (parsed <= high)
        fits &= n_places <= _MAX_PLACES
        done, rest = fits.nonzero()[0], (~fits).nonzero()[0]
        if len(done):
            ids = rows.take(done)
            mantissa[ids], places[ids], is_done[ids] = rounded.take(done), n_places.take(done), True
            rows, power, sizes = rows.take(rest), power.take(rest), sizes.take(rest, 1)
        if not len(rest):
            break
    return mantissa, places, is_done


def _sizes(values: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Minimum and maximum absolute value of a number in [lower, upper), (n,)."""
    last, is_negative = np.nextafter(upper, -np.inf), values < 0
    return np.where(is_negative, -last, lower), np.where(is_negative, -lower, last)


def _rounded(size: Floats, places: Int64s) -> tuple[Floats, Floats]:
    """Mantissas of sizes at a number of places, halves to even, and the numbers they read as."""
    up, down = _POWERS.take(np.maximum(places, 0)), _POWERS.take(np.maximum(-places, 0))
    scaled = size * up / down  # one of the two is 1
    mantissa = np.rint(scaled)
    # Near a half, the rounding of `scaled` itself may decide: compare without rounding there.
    near_half = np.flatnonzero(np.abs(np.abs(scaled - mantissa) - 0.5) <= 2.0**-51 * scaled)
    if len(near_half):
        floor = np.floor(scaled[near_half])
        above = _product_difference(size[near_half], up[near_half], floor + 0.5, down[near_half])
        mantissa[near_half] = floor + ((above > 0) | ((above == 0) & (floor % 2 == 1)))
    return mantissa, mantissa / up * down


def _product_difference(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """A number with the sign of a b - c d, if b or d is 1 and the products are nearly equal."""
    (ab, error_ab), (cd, error_cd) = _product(a, b), _product(c, d)
    return (ab - cd) + (error_ab - error_cd)


def _product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The product a b as a float, and its rounding error (Dekker 1971)."""
    product = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return product, a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)


def _halves(a: Floats) -> tuple[Floats, Floats]:
    """Two floats of 26 bits whose sum is `a` (Veltkamp 1968)."""
    top = _SPLITTER * a
    high = top - (top - a)
    return high, a - high


def _lines(before: str, negative: NDArray[np.bool_], mantissa: Int64s, places: Int64s) -> bytes:
    """The text of each number on its line, after the text `before`."""
    # Characters are columns of a table of bytes; absent ones are zero bytes, deleted at the end.
    power = _TENS.take(np.abs(places))
    integers = np.where(places < 0, mantissa * power, mantissa // power)
    decimals = np.where(places < 0, 0, mantissa - integers * power)
    n_groups = max(-(-int(places.max()) // 4), 0)
    decimals *= _TENS.take(4 * n_groups - np.maximum(places, 0))
    minus, point, end = _sign("-", negative), _sign(".", decimals > 0), _sign(_END, integers >= 0)
    name = np.frombuffer(before.encode(), np.uint8)[None].repeat(len(integers), axis=0)
    digits = _decimal_digits(decimals, n_groups)
    columns = (name, minus, *_whole_digits(integers), point, *digits, end)
    return np.concatenate(columns, axis=1).tobytes().translate(None, b"\0")


def _sign(sign: str, mask: NDArray[np.bool_]) -> ByteArray:
    return np.where(mask, np.uint8(ord(sign)), np.uint8(0))[:, None]


def _whole_digits(integers: Int64s) -> list[ByteArray]:
    """Digits before the point in groups of four, each (n, 4), without leading zeros."""
    groups: list[ByteArray] = []
    is_zero = integers == 0
    while not groups or integers.any():
        higher = integers // 10_000
        groups.append(_digits(_LEADING, integers - 10_000 * higher, higher > 0))
        integers = higher
    groups[0][is_zero, 3] = ord("0")
    return groups[::-1]


def _decimal_digits(decimals: Int64s, n_groups: int) -> list[ByteArray]:
    """Digits behind the point in groups of four, each (n, 4), without trailing zeros."""
    groups: list[ByteArray] = []
    has_digits = np.zeros(len(decimals), np.bool_)
    for _ in range(n_groups):
        higher = decimals // 10_000
        group = decimals - 10_000 * higher
        groups.append(_digits(_TRAILING, group, has_digits))
        has_digits |= group > 0
        decimals = higher
    return groups[::-1]


def _digits(table: NDArray[np.uint32], groups: Int64s, in_full: NDArray[np.bool_]) -> ByteArray:
    """The digits of numbers below 10,000 from a table, all four where `in_full`, (n, 4)."""
    return table.take(groups + 10_000 * in_full).view(np.uint8).reshape(-1, 4)


def _table(strip: Callable[[str], str]) -> NDArray[np.uint32]:
    """Four bytes for each number below 10,000: stripped, with zero bytes; then all in full."""
    full = [f"{i:04}" for i in range(10_000)]
    text = [*map(strip, full), *full]
    return np.array([line.replace(" ", "\0").encode() for line in text], "S4").view(np.uint32)


_LEADING = _table(lambda text: f"{text.lstrip('0'):>4}")
_TRAILING = _table(lambda text: text.rstrip("0"))


_FEW_VALUES = 8  # so few are faster one by one than as arrays


def _limits(values: Floats, lower: Floats, upper: Floats, quantity: Quantity) -> list[str]:
    if len(values) > _FEW_VALUES:
        return threshold_texts(values, lower, upper)
    return [*map(threshold, values.tolist(), lower.tolist(), upper.tolist())]


NUMBER = QuantityKind(
    name="number",
    noun="numbers",
    quantity_of=lambda series: None,
    encode=lambda series, quantity: None,
    decode=lambda values, quantity: pd.Series(values),
    texts=lambda values, quantity: [number(value) for value in values.tolist()],
    threshold_texts=_limits,
    literal=lambda value, quantity, dialect: dialect.number(value),
    json_fields=lambda value, quantity: {"threshold": value},
    condition=lambda dialect, score, low, high, _: dialect.in_interval(score, low, high),
    ticks=lambda low, high, quantity: [],
)
