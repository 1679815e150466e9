"""Types of arrays by the type of their values, and the rounding of their sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int_]
"""Ids, positions and sizes: numpy's default integer, of 32 bits on some platforms."""
Int64s = NDArray[np.int64]
"""Integers that are added or multiplied: 64 bits on every platform."""

ROUNDING = 1e-12
"""Rounding error of a sum, as a share of it: scores closer than this (for regression, times the
node's variance) are equal."""
