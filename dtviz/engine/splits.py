"""What a tree asks of a row: is `score(x) <= threshold`?

Glossary
    projection   how a row becomes one number: today the value of one feature (`Axis`)
    threshold    rows at or below it go left, the others right
    candidate    a threshold half-way between two consecutive distinct values in the node
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, order=True)
class Axis:
    """The projection on one feature, by its index."""

    feature: int


Projection = Axis


@dataclass(frozen=True, slots=True, order=True)
class Split:
    """A row goes left when the projection of it is at most `threshold`."""

    projection: Projection
    threshold: float

    @property
    def feature(self) -> int:
        """Index of the feature that is cut."""
        return self.projection.feature


def axis_split(feature: int, threshold: float) -> Split:
    """The split `x_feature <= threshold`."""
    return Split(Axis(int(feature)), float(threshold))


def score(projection: Projection, columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """One number a row: `columns` has shape (M, n), the answer (n,)."""
    return np.asarray(columns[projection.feature])


def goes_left(split: Split, columns: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which rows go left; a row exactly at the threshold does. Shapes (M, n) -> (n,)."""
    return score(split.projection, columns) <= split.threshold


def midpoint(lower: NDArray[Any], upper: NDArray[Any]) -> NDArray[np.float64]:
    """Half-way between neighbouring values, or the lower one where that rounds up to the upper.

    Halves are added, so that values near the largest float do not overflow.
    """
    middle = lower / 2 + upper / 2
    return np.where(middle < upper, middle, lower)
