"""What the numbers of a column measure: plain numbers, dates, durations.

A new kind of quantity is a new value in KINDS, as ranks are (`dtviz.table.ranks`); `quantity.py`
says what it has to know.
"""

from dtviz.quantities.durations import DURATION
from dtviz.quantities.numbers import NUMBER
from dtviz.quantities.quantity import KINDS, PLAIN, Quantity, Rung, kind_of, quantity_in
from dtviz.quantities.texts import FIRST_LOOKED_AT, could_be_time, typed
from dtviz.quantities.times import DATE

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
