"""Axes of dates, durations and ranks: what they measure, and ticks at round ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dtviz.figures.kinds import Axis, Rung
from dtviz.quantities import PLAIN, Quantity, kind_of
from dtviz.table.levels import told

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
