"""Dates, whole or with a time of day: cut before the first one that goes right.

A value lies in the day, second or microsecond it is in. So a row of any precision goes left exactly
when it is before the limit: the day (second, microsecond) after the one that the threshold is in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.arrays import Floats
from dtviz.quantities.counts import FIRST, LAST, Counts, moments_of
from dtviz.quantities.quantity import (
    DAY,
    HOUR,
    LARGEST,
    MICRO,
    MILLI,
    MINUTE,
    OFTEN,
    SECOND,
    Kind,
    Quantity,
    Rung,
)
from dtviz.quantities.texts import counts_in

Micros = NDArray[Any]
"""Moments as microseconds from 1970 on."""

MOST_TICKS = 12
_UNITS = (("D", DAY), ("m", MINUTE), ("s", SECOND), ("us", MICRO))
"""The precisions a text has: a moment is written in the first that holds it."""
_STEPS = [("Y", n) for n in (1000, 500, 200, 100, 50, 20, 10, 5, 2, 1)]
_STEPS += [("M", 6), ("M", 3), ("M", 1), ("D", 7), ("D", 1)]
_STEPS += [("h", 12), ("h", 6), ("h", 3), ("h", 1), ("m", 30), ("m", 10), ("m", 5), ("m", 1)]
_STEPS += [("s", 30), ("s", 10), ("s", 5), ("s", 1), ("ms", 100), ("ms", 10), ("ms", 1)]
_MONDAY = 4  # days from 1970 on


def _of(series: pd.Series[Any]) -> Quantity | None:
    """By days where every value is a midnight without an offset, else by seconds.

    By microseconds where one is no whole second, as far as these numbers are exact: 1684 to 2255.
    """
    found = moments_of(series)
    if found is None:
        return None
    present = found.values[~found.gaps]
    each = max(MICRO // found.step, 1)
    most = int(np.abs(present // each).max(initial=0)) * (max(found.step, MICRO) // MICRO)
    for unit in (DAY, SECOND):
        whole = not (present % max(unit // found.step, 1)).any()
        if whole and not (unit == DAY and found.aware):
            return Quantity("date", unit, found.aware)
    return Quantity("date", MICRO if most < LARGEST else SECOND, found.aware)


def _encode(series: pd.Series[Any], quantity: Quantity) -> Floats | None:
    found = moments_of(series)
    found = found or counts_in(series, are_spans=False)
    if found is None or (found.aware != quantity.aware and not found.gaps.all()):
        return None
    return np.where(found.gaps, np.nan, _floored(found, quantity.unit))


def _floored(found: Counts, unit: int) -> Floats:
    if found.step >= unit:
        return (found.values * (found.step // unit)).astype(np.float64)
    return (found.values // (unit // found.step)).astype(np.float64)


def _micros(values: Floats, quantity: Quantity) -> Micros:
    """Whole numbers of a quantity as moments; those beyond the years 1 to 9999 at their ends."""
    each, second = quantity.unit // MICRO, SECOND // MICRO
    kept = np.clip(values, FIRST * second // each, (LAST * second + second - 1) // each)
    return kept.astype(np.int64) * each


def _decode(values: Floats, quantity: Quantity) -> pd.Series[Any]:
    moments = _micros(np.nan_to_num(np.floor(values)), quantity).view("datetime64[us]")
    column: pd.Series[Any] = pd.Series(np.where(np.isnan(values), np.datetime64("NaT"), moments))
    return column.dt.tz_localize("UTC") if quantity.aware else column


def _texts(values: Floats, quantity: Quantity) -> list[str]:
    end = "Z" if quantity.aware else ""
    return [text + end for text in _written(_micros(np.floor(values), quantity), quantity.aware)]


def _written(moments: Micros, with_time: bool) -> list[str]:
    """Each as short as it can be: '2024-03-01', '2024-03-01 08:30'."""
    out = np.empty(len(moments), object)
    rest = np.ones(len(moments), bool)
    for name, length in _UNITS[with_time:]:
        here = rest & (moments % (length // MICRO) == 0)
        texts = _iso(moments[here], name)
        out[here] = [text.replace("T", " ") for text in texts]
        rest &= ~here
    return [text.rstrip("0") if "." in text else text for text in out.tolist()]


def _iso(moments: Micros, unit: Any) -> list[str]:
    """Each as ISO text, down to a unit of numpy's."""
    texts: list[str] = np.datetime_as_string(moments.view("datetime64[us]"), unit=unit).tolist()
    return texts


def _first_right(thresholds: Floats, quantity: Quantity) -> Micros:
    """The first whole day (second, microsecond) that a threshold sends right."""
    return _micros(np.floor(thresholds) + 1, quantity)


def _limits(values: Floats, lower: Floats, upper: Floats, quantity: Quantity) -> list[str]:
    out = _first_right(values, quantity)
    least, most = _micros(lower, quantity), _micros(upper, quantity)
    for length in (MILLI, SECOND, MINUTE, HOUR, DAY):
        step = length // MICRO
        found = (out + step // 2) // step * step
        fits = (most - least >= OFTEN * step) & (least < found) & (found <= most)
        out = np.where(fits, found, out)
    end = "Z" if quantity.aware else ""
    return [text + end for text in _written(out, quantity.aware)]


def _before(threshold: float, quantity: Quantity) -> str:
    """The first moment that goes right, in full."""
    end = "+00:00" if quantity.aware else ""
    return _written(_first_right(np.array([threshold]), quantity), quantity.aware)[0] + end


def _ladder(low: float, high: float, quantity: Quantity) -> list[Rung]:
    start, end = _micros(np.array([np.ceil(low), np.floor(high)]), quantity).tolist()
    rungs = [_rung(start, end, unit, many, quantity) for unit, many in _STEPS]
    return [rung for rung in rungs if rung is not None]


def _rung(start: int, end: int, unit: str, many: int, quantity: Quantity) -> Rung | None:
    """The ticks at every so many of a unit; None where there are too few or too many."""
    ends = np.array([start, end]).view("datetime64[us]")
    first, last = ends.astype(f"datetime64[{unit}]").astype(np.int64).tolist()
    if not 1 <= (last - first) / many <= 2 * MOST_TICKS:
        return None
    shift = {"Y": -1970, "D": _MONDAY if many > 1 else 0}.get(unit, 0)
    places = np.arange(-(-(first - shift) // many), (last - shift) // many + 1) * many + shift
    moments = places.view(f"datetime64[{unit}]").astype("datetime64[us]").view(np.int64)
    moments = moments[(moments >= start) & (moments <= end)]
    values = moments / (quantity.unit // MICRO)
    whole = (values == np.floor(values)).all()
    if not (2 <= len(moments) <= MOST_TICKS and whole):
        return None
    return Rung(values.tolist(), _tick_texts(moments, unit, quantity.aware))


def _tick_texts(moments: Micros, unit: str, aware: bool) -> list[str]:
    """What is written at ticks: of times of day, the date where a day begins."""
    if unit in "YMD":
        return _iso(moments, unit)
    end = "Z" if aware else ""
    return [
        text if len(text) == len("2024-03-01") else text.split(" ")[1] + end
        for text in _written(moments, with_time=False)
    ]


DATE = Kind(
    name="date",
    asked="dates",
    of=_of,
    encode=_encode,
    decode=_decode,
    texts=_texts,
    limits=_limits,
    literal=lambda value, quantity, dialect: _before(value, quantity),
    stored=lambda value, quantity: {"before": _before(value, quantity)},
    condition=lambda dialect, score, low, high, _: dialect.since(score, low, high),
    ladder=_ladder,
)
