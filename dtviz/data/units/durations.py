"""Durations as numbers; a duration equal to the threshold goes left."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.text import Dialect
from dtviz.data.units.times import MAX_DURATION, StepCounts, parse_counts, spans_of
from dtviz.data.units.unit import (
    DAY,
    HOUR,
    MAX_EXACT_INTEGER,
    MICRO,
    MILLI,
    MIN_STEPS_BETWEEN,
    MINUTE,
    SECOND,
    AxisTicks,
    Quantity,
    QuantityKind,
)

Nanos = NDArray[np.int64]
"""Durations in nanoseconds."""

MAX_TICKS = 12
_UNITS = (DAY, SECOND, MICRO, 1)
_STEPS = [n * DAY * 10**power for power in range(4, -1, -1) for n in (5, 2, 1)]
_STEPS += [n * HOUR for n in (12, 6, 3, 1)]
_STEPS += [n * MINUTE for n in (30, 10, 5, 1)]
_STEPS += [n * SECOND for n in (30, 10, 5, 1)]
_STEPS += [n * 10**power for power in range(8, -1, -1) for n in (5, 2, 1)]


def _quantity(series: pd.Series[Any]) -> Quantity | None:
    """In the longest unit that divides all durations; a longer one if numbers would be inexact."""
    spans = spans_of(series)
    if spans is None:
        return None
    present = spans.values[~spans.gaps]
    longest = int(np.abs(present).max(initial=0)) * spans.step
    for unit, finer in pairwise(_UNITS):
        is_whole = not (present % max(unit // spans.step, 1)).any()
        if is_whole or longest // finer >= MAX_EXACT_INTEGER:
            return Quantity("duration", unit)
    return Quantity("duration", _UNITS[-1])


def _encode(series: pd.Series[Any], quantity: Quantity) -> Floats | None:
    spans = spans_of(series) or parse_counts(series, are_spans=True)
    return None if spans is None else np.where(spans.gaps, np.nan, _numbers(spans, quantity.unit))


def _numbers(spans: StepCounts, unit: int) -> Floats:
    values = np.where(spans.gaps, 0, spans.values)
    if spans.step >= unit:
        return (values * (spans.step // unit)).astype(np.float64)
    n_steps = unit // spans.step
    return values // n_steps + values % n_steps / n_steps


def _nanos(values: Floats, quantity: Quantity) -> Nanos:
    """Numbers of a quantity as whole nanoseconds, rounded down."""
    limit = MAX_DURATION // quantity.unit
    clipped = np.clip(values, -limit, limit)
    floor = np.floor(clipped)
    fraction = ((clipped - floor) * quantity.unit).astype(np.int64)
    return floor.astype(np.int64) * quantity.unit + fraction


def _decode(values: Floats, quantity: Quantity) -> pd.Series[Any]:
    spans = _nanos(np.nan_to_num(values), quantity).view("timedelta64[ns]")
    return pd.Series(np.where(np.isnan(values), np.timedelta64("NaT"), spans))


def _texts(values: Floats, quantity: Quantity) -> list[str]:
    return [*map(_text, _nanos(values, quantity).tolist())]


def _text(nanos: int) -> str:
    """Text of a duration: '3 days', '1 day 02:15:00', '00:00:02.5', '-3 days', '-26:15:00'."""
    days, remainder = divmod(abs(nanos), DAY)
    if nanos < 0 and remainder:
        days, remainder = 0, -nanos
    seconds, fraction = divmod(remainder, SECOND)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    day_text = f"{days} day{'s' * (days > 1)}" if days else ""
    clock = f"{hours:02}:{minutes:02}:{seconds:02}" if remainder or not days else ""
    decimals = f".{fraction:09}".rstrip("0") if fraction else ""
    return "-" * (nanos < 0) + f"{day_text} {clock}{decimals}".strip()


def _limits(values: Floats, lower: Floats, upper: Floats, quantity: Quantity) -> list[str]:
    out = _nanos(values, quantity)
    low, high = _nanos(lower, quantity), _nanos(upper, quantity)
    for step in (MILLI, SECOND, MINUTE, HOUR, DAY):
        rounded = (out + step // 2) // step * step
        fits = (high - low >= MIN_STEPS_BETWEEN * step) & (low <= rounded) & (rounded < high)
        out = np.where(fits, rounded, out)
    return [*map(_text, out.tolist())]


def _literal(threshold: float, quantity: Quantity, dialect: Dialect) -> str:
    """Text of a threshold in seconds."""
    return dialect.number(threshold * quantity.unit / SECOND)


def _ladder(low: float, high: float, quantity: Quantity) -> list[AxisTicks]:
    start, end = _nanos(np.array([low, high]), quantity).tolist()
    rungs = []
    for step in _STEPS:
        first, last = -(-start // step), end // step
        if 1 <= last - first < MAX_TICKS:
            ticks = [k * step for k in range(first, last + 1)]
            texts = [_tick(nanos, step) for nanos in ticks]
            rungs.append(AxisTicks([nanos / quantity.unit for nanos in ticks], texts))
    return rungs


def _tick(nanos: int, step: int) -> str:
    """Text of a tick, as short as its step allows: '1 day 12 h', '02:15:00'."""
    days, remainder = divmod(abs(nanos), DAY)
    if step % HOUR or not remainder:
        return _text(nanos) if nanos else "0"
    return "-" * (nanos < 0) + (f"{_text(days * DAY)} " if days else "") + f"{remainder // HOUR} h"


DURATION = QuantityKind(
    name="duration",
    noun="durations",
    quantity_of=_quantity,
    encode=_encode,
    decode=_decode,
    texts=_texts,
    threshold_texts=_limits,
    literal=_literal,
    json_fields=lambda value, quantity: {"most_seconds": value * quantity.unit / SECOND},
    condition=lambda dialect, score, low, high, _: dialect.in_durations(score, low, high),
    ticks=_ladder,
)
