"""Where rows without a value stand: in a gutter before their axis begins."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from dtviz.figures.bands import spread
from dtviz.figures.kinds import Axis
from dtviz.table.data import Dataset

SHARE = 0.1
"""The width of the gutter of a number's axis, as a share of the rest."""
FILLED = 0.6
"""How much of it its rows are spread over."""
BESIDE = -1.0
"""The middle of the gutter of bands: that of one more band."""


def with_gutter(data: Dataset, feature: int, axis: Axis) -> Axis:
    """The axis of a feature, with a gutter where some row has no value."""
    if not data.gaps[feature]:
        return axis
    low, high = axis["low"], axis["high"]
    width = 1.0 if "lanes" in axis else SHARE * (high / 2 - low / 2) * 2
    if not np.isfinite(low - width):
        width = np.finfo(np.float64).max + low
    return {**axis, "low": float(low - width), "gutter": float(low)}


def placed(values: NDArray[np.float64], axis: Axis, step: float) -> NDArray[np.float64]:
    """The values as they stand on an axis: those that are missing in its gutter."""
    if "gutter" not in axis:
        return values
    low, end = axis["low"], axis["gutter"]
    middle, width = low / 2 + end / 2, end - low
    beside = spread(np.zeros(len(values)), step) * 2 * FILLED * width / 2
    if "lanes" in axis:
        middle, beside = BESIDE, spread(np.zeros(len(values)), step)
    return np.where(np.isnan(values), middle + beside, values)


def gutter_ends(axes: Iterable[Axis]) -> list[float]:
    """Where the gutters of axes end; the axis begins where it has none."""
    return [axis.get("gutter", axis["low"]) for axis in axes]
