"""Plain numbers."""

from __future__ import annotations

import pandas as pd

from dtviz.arrays import Floats
from dtviz.quantities.quantity import Kind, Quantity
from dtviz.quantities.thresholds import thresholds
from dtviz.text import number, threshold

FEW = 8  # thresholds that are written faster one by one


def _limits(values: Floats, lower: Floats, upper: Floats, quantity: Quantity) -> list[str]:
    if len(values) > FEW:
        return thresholds(values, lower, upper)
    return [*map(threshold, values.tolist(), lower.tolist(), upper.tolist())]


NUMBER = Kind(
    name="number",
    asked="numbers",
    of=lambda series: None,
    encode=lambda series, quantity: None,
    decode=lambda values, quantity: pd.Series(values),
    texts=lambda values, quantity: [number(value) for value in values.tolist()],
    limits=_limits,
    literal=lambda value, quantity, dialect: dialect.number(value),
    stored=lambda value, quantity: {"threshold": value},
    condition=lambda dialect, score, low, high, _: dialect.between(score, low, high),
    ladder=lambda low, high, quantity: [],
)
