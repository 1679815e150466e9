"""Quantities: the units of a column's numbers, which are plain numbers, dates, durations or ranks.

A new kind of quantity is a new value in KINDS, as ranks are (`dtviz.data.categories`); `Kind` in
`unit.py` has the functions that it needs.
"""

from dtviz.data.units.durations import DURATION
from dtviz.data.units.numbers import NUMBER
from dtviz.data.units.times import DATE, FIRST_LOOKED_AT, could_be_time, typed
from dtviz.data.units.unit import KINDS, PLAIN, Quantity, Rung, kind_of, quantity_in

__all__ = [
    "FIRST_LOOKED_AT",
    "KINDS",
    "PLAIN",
    "Quantity",
    "Rung",
    "could_be_time",
    "kind_of",
    "quantity_in",
    "typed",
]

KINDS |= {kind.name: kind for kind in (NUMBER, DATE, DURATION)}
