"""What a column's numbers measure. Here is what every kind of quantity shares.

Glossary
    quantity   what the numbers of one column measure: its kind, and how long 1 is
    kind       numbers, dates, durations or ranks: all that has to be known of one
    moment     a date and a time of day; aware: it has an offset, and is told in UTC
    limit      the text of a threshold
    rung       ticks of an axis at one step; a ladder has several rungs, the widest step first
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from dtviz.base.arrays import Floats
from dtviz.base.text import Dialect

MICRO = 1_000
"""Nanoseconds of a microsecond, and below of the others."""
MILLI, SECOND = 1_000 * MICRO, 1_000_000 * MICRO
MINUTE, HOUR, DAY = 60 * SECOND, 3_600 * SECOND, 86_400 * SECOND
OFTEN = 20
"""A limit is rounded to a step only if the gap between its neighbours holds so many of them."""
LARGEST = 2**53
"""Whole numbers beyond are not all floats."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a column measures: the name of its kind, the nanoseconds of 1, whether it is aware.

    `names` are those of ranks, whose numbers are 0, 1, ...
    """

    kind: str = "number"
    unit: int = 1
    aware: bool = False
    names: tuple[str | bool | int | float, ...] = ()


PLAIN = Quantity()


class Rung(NamedTuple):
    """The ticks of an axis at one step: where they stand, and their texts."""

    values: list[float]
    texts: list[str]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of quantity.

    `of` is the quantity of a column, None where it is of another kind; `encode` gives its numbers,
    (n,), NaN for none, or None where it holds something else, and `decode` is its inverse. `texts`
    writes values. `limits` writes thresholds, each shortened as far as it hardly moves between its
    neighbours; `literal` writes one in full, in a dialect, and `stored` for JSON; `condition` says
    of a score that it lies between two such texts, '' for no bound. `ladder` has the ticks between
    two numbers. `asked` names what a column must hold, in messages.
    """

    name: str
    asked: str
    of: Callable[[pd.Series[Any]], Quantity | None]
    encode: Callable[[pd.Series[Any], Quantity], Floats | None]
    decode: Callable[[Floats, Quantity], pd.Series[Any]]
    texts: Callable[[Floats, Quantity], list[str]]
    limits: Callable[[Floats, Floats, Floats, Quantity], list[str]]
    literal: Callable[[float, Quantity, Dialect], str]
    stored: Callable[[float, Quantity], dict[str, Any]]
    condition: Callable[[Dialect, str, str, str, Quantity], str]
    ladder: Callable[[float, float, Quantity], list[Rung]]


KINDS: dict[str, Kind] = {}
"""Every kind by name."""


def kind_of(quantity: Quantity) -> Kind:
    """The kind a quantity is of."""
    return KINDS[quantity.kind]


def quantity_in(series: pd.Series[Any]) -> Quantity:
    """What a column measures; plain numbers, where it is of no other kind."""
    for kind in KINDS.values():
        if (found := kind.of(series)) is not None:
            return found
    return PLAIN
