"""Durations: cut at a length, which itself goes left."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.text import Dialect
from dtviz.data.units.times import LONGEST, Counts, counts_in, spans_of
from dtviz.data.units.unit import (
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

Nanos = NDArray[np.int64]
"""Durations in nanoseconds."""

MOST_TICKS = 12
_UNITS = (DAY, SECOND, MICRO, 1)
_STEPS = [many * DAY * 10**power for power in range(4, -1, -1) for many in (5, 2, 1)]
_STEPS += [many * HOUR for many in (12, 6, 3, 1)]
_STEPS += [many * MINUTE for many in (30, 10, 5, 1)]
_STEPS += [many * SECOND for many in (30, 10, 5, 1)]
_STEPS += [many * 10**power for power in range(8, -1, -1) for many in (5, 2, 1)]


def _of(series: pd.Series[Any]) -> Quantity | None:
    """By the longest unit of which all are whole, as far as these numbers are exact."""
    found = spans_of(series)
    if found is None:
        return None
    present = found.values[~found.gaps]
    most = int(np.abs(present).max(initial=0)) * found.step
    for unit, finer in pairwise(_UNITS):
        whole = not (present % max(unit // found.step, 1)).any()
        if whole or most // finer >= LARGEST:
            return Quantity("duration", unit)
    return Quantity("duration", _UNITS[-1])


def _encode(series: pd.Series[Any], quantity: Quantity) -> Floats | None:
    found = spans_of(series) or counts_in(series, are_spans=True)
    return None if found is None else np.where(found.gaps, np.nan, _numbers(found, quantity.unit))


def _numbers(found: Counts, unit: int) -> Floats:
    values = np.where(found.gaps, 0, found.values)
    if found.step >= unit:
        return (values * (found.step // unit)).astype(np.float64)
    each = unit // found.step
    return values // each + values % each / each


def _nanos(values: Floats, quantity: Quantity) -> Nanos:
    """Numbers of a quantity as whole nanoseconds, rounded down."""
    most = LONGEST // quantity.unit
    kept = np.clip(values, -most, most)
    whole = np.floor(kept)
    return whole.astype(np.int64) * quantity.unit + ((kept - whole) * quantity.unit).astype(
        np.int64
    )


def _decode(values: Floats, quantity: Quantity) -> pd.Series[Any]:
    spans = _nanos(np.nan_to_num(values), quantity).view("timedelta64[ns]")
    return pd.Series(np.where(np.isnan(values), np.timedelta64("NaT"), spans))


def _texts(values: Floats, quantity: Quantity) -> list[str]:
    return [*map(_text, _nanos(values, quantity).tolist())]


def _text(nanos: int) -> str:
    """A duration: '3 days', '1 day 02:15:00', '00:00:02.5'; below 0 in hours, or in days."""
    days, rest = divmod(abs(nanos), DAY)
    if nanos < 0 and rest:
        days, rest = 0, -nanos
    seconds, parts = divmod(rest, SECOND)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    whole = f"{days} day{'s' * (days > 1)}" if days else ""
    clock = f"{hours:02}:{minutes:02}:{seconds:02}" if rest or not days else ""
    part = f".{parts:09}".rstrip("0") if parts else ""
    return "-" * (nanos < 0) + f"{whole} {clock}{part}".strip()


def _limits(values: Floats, lower: Floats, upper: Floats, quantity: Quantity) -> list[str]:
    out = _nanos(values, quantity)
    least, most = _nanos(lower, quantity), _nanos(upper, quantity)
    for step in (MILLI, SECOND, MINUTE, HOUR, DAY):
        found = (out + step // 2) // step * step
        fits = (most - least >= OFTEN * step) & (least <= found) & (found < most)
        out = np.where(fits, found, out)
    return [*map(_text, out.tolist())]


def _literal(threshold: float, quantity: Quantity, dialect: Dialect) -> str:
    """The threshold in seconds."""
    return dialect.number(threshold * quantity.unit / SECOND)


def _ladder(low: float, high: float, quantity: Quantity) -> list[Rung]:
    start, end = _nanos(np.array([low, high]), quantity).tolist()
    out = []
    for step in _STEPS:
        first, last = -(-start // step), end // step
        if 1 <= last - first < MOST_TICKS:
            places = [at * step for at in range(first, last + 1)]
            out.append(
                Rung([at / quantity.unit for at in places], [_tick(at, step) for at in places])
            )
    return out


def _tick(nanos: int, step: int) -> str:
    """A duration at a tick, as short as its step allows: '1 day 12 h', '02:15:00'."""
    days, rest = divmod(abs(nanos), DAY)
    if step % HOUR or not rest:
        return _text(nanos) if nanos else "0"
    return "-" * (nanos < 0) + (f"{_text(days * DAY)} " if days else "") + f"{rest // HOUR} h"


DURATION = Kind(
    name="duration",
    asked="durations",
    of=_of,
    encode=_encode,
    decode=_decode,
    texts=_texts,
    limits=_limits,
    literal=_literal,
    stored=lambda value, quantity: {"most_seconds": value * quantity.unit / SECOND},
    condition=lambda dialect, score, low, high, _: dialect.lasting(score, low, high),
    ladder=_ladder,
)
