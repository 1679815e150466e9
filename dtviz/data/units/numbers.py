"""Plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Int64s
from dtviz.base.text import number, threshold
from dtviz.data.units.unit import Kind, Quantity

Bytes = NDArray[np.uint8]

BLOCK = 1 << 14
"""Rows worked on together: few enough to stay in the processor's cache."""

DIGITS = 15
"""So many digits of any number come back from a float as they were."""

_TRIES = ((6, True), *((digits, False) for digits in range(4, DIGITS + 1)))
"""How many digits, and whether the number must be these in full; the first that fit are taken."""

_END = "\n"  # no name has one
_TENS = 10 ** np.arange(19)
_POWERS = _TENS.astype(np.float64)  # exact up to 10**22
_STEPS = np.array([10.0**k for k in range(-4, 15)])
_SMALLEST, _LARGEST = 1e-4, 9e14  # beyond, a text has an exponent
_MOST_PLACES = 16  # more may not fit 64 bits
_SPLITTER = 2.0**27 + 1


def thresholds(values: Floats, lower: Floats, upper: Floats) -> list[str]:
    """`text.threshold` of each value between its neighbours; arrays (n,)."""
    lines = b"".join(_blocks(values, lower, upper, ""))
    return lines.decode().split(_END)[:-1]


def column(values: Floats, lower: Floats, upper: Floats, before: str) -> pa.ChunkedArray:
    """The same with a text in front as a column, (n,), of which no text is an object in Python."""
    blocks = _blocks(values, lower, upper, before)
    return pa.chunked_array(map(_strings, blocks), pa.string())


def _strings(lines: bytes) -> pa.StringArray:
    ends = np.flatnonzero(np.frombuffer(lines, np.uint8) == ord(_END))
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends - np.arange(len(ends))
    texts = lines.translate(None, _END.encode())
    return pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(texts))


def limits(values: Floats, lower: Floats, upper: Floats) -> tuple[Floats, list[str]]:
    """The numbers that these texts are read as, (n,); and the texts of those that are not common.

    Common are those of at most 15 digits without an exponent; what is not finite stays as it is.
    """
    mantissa, places, found = _shortest(values, lower, upper)
    up, down = _POWERS.take(np.maximum(places, 0)), _POWERS.take(np.maximum(-places, 0))
    out = np.copysign(mantissa / up * down, values)
    out = np.where(found, out, values)
    odd = np.flatnonzero(np.isfinite(values) & (~found | (mantissa >= 10**DIGITS))).tolist()
    texts = [threshold(float(values[i]), float(lower[i]), float(upper[i])) for i in odd]
    out[odd] = [float(text) for text in texts]
    return out, texts


def _blocks(values: Floats, lower: Floats, upper: Floats, before: str) -> Iterator[bytes]:
    """The texts, each on a line of its own, some thousands at a time."""
    for start in range(0, len(values), BLOCK):
        part = slice(start, start + BLOCK)
        yield _block(values[part], lower[part], upper[part], before)


def _block(values: Floats, lower: Floats, upper: Floats, before: str) -> bytes:
    mantissa, places, found = _shortest(values, lower, upper)
    lines = _lines(before, values < 0, mantissa, places)
    if found.all():
        return lines
    texts = lines.decode().split(_END)
    for i in np.flatnonzero(~found).tolist():
        texts[i] = before + threshold(float(values[i]), float(lower[i]), float(upper[i]))
    return _END.join(texts).encode()


def _shortest(values: Floats, lower: Floats, upper: Floats) -> tuple[Int64s, Int64s, Bools]:
    """Mantissa and places of each text, and whether they were found; arrays (n,)."""
    mantissa, places = np.zeros((2, len(values)), np.int64)
    size, found = np.abs(values), values == 0
    rows = np.flatnonzero((size >= _SMALLEST) & (size < _LARGEST))
    first = np.searchsorted(_STEPS, size, "right") - 5  # the power of ten of the first digit
    first, sizes = first.take(rows), np.array([size, *_sizes(values, lower, upper)]).take(rows, 1)
    for digits, in_full in _TRIES:
        at = digits - 1 - first
        size, low, high = sizes
        whole, read = _rounded(size, at)
        fits = read == size if in_full else (low <= read) & (read <= high)
        fits &= at <= _MOST_PLACES
        here, rest = fits.nonzero()[0], (~fits).nonzero()[0]
        if len(here):
            own = rows.take(here)
            mantissa[own], places[own], found[own] = whole.take(here), at.take(here), True
            rows, first, sizes = rows.take(rest), first.take(rest), sizes.take(rest, 1)
        if not len(rest):
            break
    return mantissa, places, found


def _sizes(values: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """The least and the largest size of a number from `lower` on and below `upper`, (n,)."""
    last, minus = np.nextafter(upper, -np.inf), values < 0
    return np.where(minus, -last, lower), np.where(minus, -lower, last)


def _rounded(size: Floats, places: Int64s) -> tuple[Floats, Floats]:
    """The mantissas of sizes at so many places, halves to even, and what they are read as."""
    up, down = _POWERS.take(np.maximum(places, 0)), _POWERS.take(np.maximum(-places, 0))
    scaled = size * up / down  # one of the two is 1
    whole = np.rint(scaled)
    unsure = np.flatnonzero(np.abs(np.abs(scaled - whole) - 0.5) <= 2.0**-51 * scaled)
    if len(unsure):
        floor = np.floor(scaled[unsure])
        above = _compared(size[unsure], up[unsure], floor + 0.5, down[unsure])
        whole[unsure] = floor + ((above > 0) | ((above == 0) & (floor % 2 == 1)))
    return whole, whole / up * down


def _compared(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The sign of a b - c d, where one of b and d is 1 and the products are nearly equal."""
    (ab, rest_ab), (cd, rest_cd) = _product(a, b), _product(c, d)
    return (ab - cd) + (rest_ab - rest_cd)


def _product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """a b as a float, and what rounding took from it (Dekker)."""
    product = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return product, a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)


def _halves(a: Floats) -> tuple[Floats, Floats]:
    """Two floats of 26 bits whose sum is a (Veltkamp)."""
    top = _SPLITTER * a
    high = top - (top - a)
    return high, a - high


def _lines(before: str, negative: NDArray[np.bool_], mantissa: Int64s, places: Int64s) -> bytes:
    """Each number on a line of its own, a text before it."""
    power = _TENS.take(np.abs(places))
    whole = np.where(places < 0, mantissa * power, mantissa // power)
    rest = np.where(places < 0, 0, mantissa - whole * power)
    groups = max(-(-int(places.max()) // 4), 0)
    rest *= _TENS.take(4 * groups - np.maximum(places, 0))
    minus, point, end = _sign("-", negative), _sign(".", rest > 0), _sign(_END, whole >= 0)
    name = np.frombuffer(before.encode(), np.uint8)[None].repeat(len(whole), axis=0)
    columns = (name, minus, *_before_point(whole), point, *_behind_point(rest, groups), end)
    return np.concatenate(columns, axis=1).tobytes().translate(None, b"\0")


def _sign(sign: str, where: NDArray[np.bool_]) -> Bytes:
    return np.where(where, np.uint8(ord(sign)), np.uint8(0))[:, None]


def _before_point(whole: Int64s) -> list[Bytes]:
    """The digits of whole numbers, four a table (n, 4), without leading zeros."""
    groups: list[Bytes] = []
    units = whole == 0
    while not groups or whole.any():
        above = whole // 10_000
        groups.append(_digits(_LEADING, whole - 10_000 * above, above > 0))
        whole = above
    groups[0][units, 3] = ord("0")
    return groups[::-1]


def _behind_point(rest: Int64s, count: int) -> list[Bytes]:
    """The digits of whole numbers in `count` tables (n, 4), without zeros at their end."""
    groups: list[Bytes] = []
    more = np.zeros(len(rest), np.bool_)
    for _ in range(count):
        above = rest // 10_000
        group = rest - 10_000 * above
        groups.append(_digits(_TRAILING, group, more))
        more |= group > 0
        rest = above
    return groups[::-1]


def _digits(table: NDArray[np.uint32], groups: Int64s, inside: NDArray[np.bool_]) -> Bytes:
    """The digits of numbers below 10,000 from a table, all four of them where they are inside."""
    return table.take(groups + 10_000 * inside).view(np.uint8).reshape(-1, 4)


def _table(cut: Callable[[str], str]) -> NDArray[np.uint32]:
    """Four bytes a number: below 10,000 cut, zeros for what is cut away, then in full."""
    full = [f"{i:04}" for i in range(10_000)]
    text = [*map(cut, full), *full]
    return np.array([line.replace(" ", "\0").encode() for line in text], "S4").view(np.uint32)


_LEADING = _table(lambda text: f"{text.lstrip('0'):>4}")
_TRAILING = _table(lambda text: text.rstrip("0"))


FEW = 8  # thresholds that are written faster one by one


def _limits(values: Floats, lower: Floats, upper: Floats, quantity: Quantity) -> list[str]:
    if len(values) > FEW:
        return thresholds(values, lower, upper)
    return [*map(threshold, values.tolist(), lower.tolist(), upper.tolist())]


NUMBER = Kind(
    name="number",
    asked="numbers",
    of=lambda series: None,
    encode=lambda series, quantity: None,
    decode=lambda values, quantity: pd.Series(values),
    texts=lambda values, quantity: [number(value) for value in values.tolist()],
    limits=_limits,
    literal=lambda value, quantity, dialect: dialect.number(value),
    stored=lambda value, quantity: {"threshold": value},
    condition=lambda dialect, score, low, high, _: dialect.between(score, low, high),
    ladder=lambda low, high, quantity: [],
)
