"""What an admissible cut leaves on each side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LAST_BITS = 1e-12
"""How far a sum of weights may be off, as a share of it."""


@dataclass(frozen=True, slots=True)
class Least:
    """So many rows, of so much weight."""

    rows: int = 1
    weight: float = 0.0

    def many(self, n: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether both sides of each cut, (2, cuts), have rows enough."""
        return np.asarray(n.min(axis=0) >= self.rows)

    def enough(
        self, n: NDArray[Any], weight: NDArray[Any], whole: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Whether they also weigh enough, but for rounding.

        `whole` is what each cut's node weighs; the sides, (2, cuts), may be told in another unit.
        """
        out = self.many(n)
        if self.weight:
            lighter = weight.min(axis=0) / weight.sum(axis=0) * whole
            out &= lighter >= self.weight * (1 - LAST_BITS)
        return out


ONE_ROW = Least()
