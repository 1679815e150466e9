"""Minimum that both sides of a split must have: rows, weight, a mean above 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING

NO_CUT, FEW_ROWS, LITTLE_WEIGHT, ALL_ZERO, ADMISSIBLE = range(5)
"""Grades of a cut: the first requirement that it fails, in the order in which they are checked."""

Grades = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Minimum:
    """Rows and weight of each side of an admissible cut.

    >>> sides = np.array([[1, 2], [3, 2]])  # the first cut leaves one row on its left
    >>> Minimum(rows=2).grades(sides, sides, np.array([4, 4]))
    array([1, 4], dtype=int8)
    """

    rows: int = 1
    """The smallest number of rows of a side."""
    weight: float = 0.0
    """The smallest weight of a side."""
    above_zero: bool = False
    """True if the mean of the target must be above 0 on each side, as in scikit-learn's Poisson
    criterion: where a leaf predicts 0, any later count above 0 has an infinite deviance."""

    def grades(
        self,
        n: NDArray[Any],
        weight: NDArray[Any],
        node_weight: NDArray[Any],
        excess: NDArray[Any] | None = None,
    ) -> Grades:
        """Grade of each cut, (cuts,), from the rows and the weight of its sides, (2, cuts).

        `node_weight` is the weight of the rows that each cut parts, (cuts,); that of the sides may
        have another unit. `excess` is each side's sum of the target less its node's mean, as a
        share of that mean, (2, cuts): needed where the mean of a side must be above 0.
        """
        grades = np.where(n.min(axis=0) >= self.rows, np.int8(ADMISSIBLE), np.int8(FEW_ROWS))
        if self.weight:
            lighter = weight.min(axis=0) / weight.sum(axis=0) * node_weight
            light = lighter < self.weight * (1 - ROUNDING)
            grades[light & (grades == ADMISSIBLE)] = LITTLE_WEIGHT
        if self.above_zero and excess is not None:
            # A side of zeros alone is -1 times its weight away from the mean, but for rounding.
            zero = (excess <= weight * (ROUNDING - 1)).any(axis=0)
            grades[zero & (grades == ADMISSIBLE)] = ALL_ZERO
        return grades


ONE_ROW = Minimum()
