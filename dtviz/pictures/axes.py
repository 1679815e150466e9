"""Categories along an axis: a band a value, as the cuts of the node in focus order them.

Glossary
    order    of a category: its codes as they are drawn, from left to right or upwards
    place    of a code: where it stands in the order; its band reaches half a place to both sides
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.data.categories import told
from dtviz.data.dataset import Dataset
from dtviz.data.units import PLAIN, Quantity, kind_of
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import Split, Subset, axis_of
from dtviz.pictures.frame_types import Axis, Rung

Orders = Mapping[int, tuple[int, ...]]
"""The order of each category, by its feature; one that is not named stands as its levels do."""
AS_LEVELS: Orders = MappingProxyType({})
SPREAD = 0.5
"""How much of a band its rows are spread over."""
GOLDEN, PLASTIC = 0.6180339887, 0.7548776662
"""Steps of even sequences, up and across: two of one step would stand in a line."""


def orders_of(data: Dataset, cuts: Candidates) -> Orders:
    """The order of each category: as a node's cuts have it, then the values it does not hold.

    These stand by their mean target, so that regions of other nodes come in few parts.
    """
    found = {axis_of(cuts.projections[line]): order for line, order in cuts.orders.items()}
    orders = {}
    for feature, levels in enumerate(data.levels):
        if levels:
            first = found.get(feature, ())
            rest = [code for code in range(len(levels)) if code not in first]
            orders[feature] = (*first, *(_by_mean(data, feature, rest) if rest else ()))
    return orders


def orders_in(data: Dataset, splits: Mapping[int, Split]) -> Orders:
    """The order of each category where no node is in focus: as a tree first parts its values.

    The side with the value of the lowest mean target comes first; each side is ordered by these.
    """
    first: dict[int, tuple[int, ...]] = {}
    for node in sorted(splits):
        if isinstance(one := splits[node].projection, Subset):
            first.setdefault(one.feature, one.named)
    orders = {}
    for feature in np.flatnonzero([*map(bool, data.levels)]).tolist():
        order, named = _by_mean(data, feature, range(len(data.levels[feature]))), first.get(feature)
        near = [code for code in order if not named or (code in named) == (order[0] in named)]
        orders[feature] = (*near, *(code for code in order if code not in near))
    return orders


def _by_mean(data: Dataset, feature: int, some: Iterable[int]) -> list[int]:
    """Some codes by the mean target of their rows; for classes by that of their codes."""
    column, many = data.columns[feature], len(data.levels[feature])
    known = ~np.isnan(column)
    codes = column[known].astype(np.intp)
    rows = np.maximum(np.bincount(codes, minlength=many), 1)
    means = np.bincount(codes, data.y[known], many) / rows
    return sorted(some, key=lambda code: float(means[code]))


def order_of(data: Dataset, feature: int, orders: Orders) -> tuple[int, ...]:
    """The order of one category."""
    return orders.get(feature) or tuple(range(len(data.levels[feature])))


def places_of(order: tuple[int, ...]) -> NDArray[np.intp]:
    """The place of each code of an order."""
    return np.argsort(order)


def names_of(data: Dataset, feature: int, orders: Orders) -> list[str]:
    """The values of a category in their order."""
    return [told(data.levels[feature][code]) for code in order_of(data, feature, orders)]


def spread(values: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Whole numbers, each row a little beside its own, so that equal rows stay visible."""
    even = (np.arange(len(values)) * step) % 1
    return np.asarray(values + (even - 0.5) * SPREAD, dtype=np.float64)


MOST_TICKS = 5  # under a chart as wide as half a page


def with_clock(axis: Axis, quantity: Quantity) -> Axis:
    """The axis with what it measures, where that is no plain number; of ranks all are on it."""
    if quantity == PLAIN:
        return axis
    axis["clock"] = {"kind": quantity.kind, "unit": quantity.unit, "aware": quantity.aware}
    if quantity.names:
        axis["clock"]["names"] = [*map(told, quantity.names)]
        axis["low"], axis["high"] = -0.5, len(quantity.names) - 0.5
    axis["ladder"] = ladder_of(quantity, axis["low"], axis["high"])
    return axis


def ladder_of(quantity: Quantity, low: float, high: float) -> list[Rung]:
    """The ticks from low to high at every step that is round, the widest first."""
    rungs = kind_of(quantity).ladder(low, high, quantity)
    return [{"value": np.array(values), "text": texts} for values, texts in rungs]


def clock_ticks(ladder: Sequence[Rung]) -> dict[str, Any]:
    """The ticks of a chart: the narrowest step of which there are few; none of plain numbers."""
    if not ladder:
        return {}
    few = [rung for rung in ladder if len(rung["text"]) <= MOST_TICKS] or ladder[:1]
    return {"tickmode": "array", "tickvals": few[-1]["value"], "ticktext": few[-1]["text"]}
