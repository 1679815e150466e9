"""The types that all kinds of quantities share: plain numbers, dates, durations and ranks.

A moment is a date with a time of day; it is aware if it has an offset, and then shown in UTC. A
limit is the text of a threshold. A rung is the ticks of an axis at one step; a ladder is several
rungs, the widest step first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from dtviz.base.arrays import Floats
from dtviz.base.text import Dialect

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
