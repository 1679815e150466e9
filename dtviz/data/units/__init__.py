"""Quantities: what the numbers of a column measure: plain numbers, dates, durations or ranks.

A new kind of quantity is a new value in KINDS, as ranks are (`dtviz.data.categories`);
`QuantityKind` in `numbers.py` has the functions that it needs.
"""

from dtviz.data.units.numbers import (
    KINDS,
    NUMBER,
    PLAIN,
    AxisTicks,
    Quantity,
    kind_of,
    quantity_of_column,
)
from dtviz.data.units.times import DATE, DURATION, MAX_TEXTS_TRIED, could_be_time, parse_time_column

__all__ = [
    "KINDS",
    "MAX_TEXTS_TRIED",
    "PLAIN",
    "AxisTicks",
    "Quantity",
    "could_be_time",
    "kind_of",
    "parse_time_column",
    "quantity_of_column",
]

KINDS |= {kind.name: kind for kind in (NUMBER, DATE, DURATION)}
