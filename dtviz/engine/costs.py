"""What mistakes cost, where that is told: the least expected cost of a node, and error as a cost.

Glossary
    expected cost   of calling the rows of a node a class: sum_i p_i L_ij, p_i by own weights
    cheapest        the class of the least expected cost, the first of equals: the majority where
                    all mistakes cost the same

Costs L stand beside weights that are raised by them (table/costs.py), so that node shares p_i here
are by raised weights, and a mistake costs C_ij = L_ij / (mean of L_i.) for each unit of them: every
sum_i p_i C_ij is the expected cost but for one factor. Source: Breiman et al., Classification and
Regression Trees (1984), 4.4; rpart has the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import ROUNDING, Floats
from dtviz.engine.criteria import ERROR, Impurity, Sums
from dtviz.engine.worked import Group, Step, figure, share
from dtviz.table.costs import relative
from dtviz.table.data import Dataset


def cheapest(sums: NDArray[Any], costs: Floats) -> NDArray[np.intp]:
    """The class of the least expected cost of each node, (m,), but for rounding the first.

    `sums` are what its classes weigh, (m, K).
    """
    expected = sums @ relative(costs)
    least = expected.min(axis=1, keepdims=True)
    return np.asarray((expected * (1 - ROUNDING) <= least).argmax(axis=1))


def impurity_on(impurity: Impurity, data: Dataset) -> Impurity:
    """The impurity as the data's costs have it: of two classes each costs what it weighs."""
    if impurity is not ERROR or data.costs is None or len(data.costs) == 2:
        return impurity
    costs = relative(data.costs)
    return replace(
        ERROR,
        lead="**Error**: the expected cost of the class that costs least, $C_{ij}$ being what a "
        "mistake costs for each unit of weight [C]",
        formula=r"\min_j \sum_i p_i \, C_{ij}",
        spread=partial(_spread, costs),
        step=partial(_step, costs),
    )


def _spread(costs: Floats, counts: Sums, _n: NDArray[Any]) -> Floats:
    """n times the expected cost of the cheapest class: min_j sum_i c_i C_ij."""
    expected: Floats | None = None
    for count, line in zip(counts, costs, strict=True):
        part = np.multiply.outer(line, count)
        expected = part if expected is None else np.add(expected, part, out=expected)
    assert expected is not None
    return np.asarray(expected.min(axis=0))


def _step(costs: Floats, group: Group) -> Step:
    """p_1 C_1j + p_2 C_2j + ... of the cheapest class j."""
    parts, whole = np.asarray(group.parts, np.float64), group.whole
    line = costs[:, int((parts @ costs).argmin())]
    pairs: Iterable[tuple[float, float]] = zip(parts.tolist(), line.tolist(), strict=True)
    terms = tuple(
        rf"{share(part, whole)} \cdot {figure(cost)}" for part, cost in pairs if part and cost
    )
    return Step(terms=terms) if terms else Step("0")
