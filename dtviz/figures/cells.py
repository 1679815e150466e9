"""The plane of a picture in cells: where many trees are asked what they predict."""

from __future__ import annotations

import numpy as np

from dtviz.arrays import Floats
from dtviz.figures.scene import scene_axes
from dtviz.table.data import Dataset

CELLS, STRIP = 96, 400
"""A plane is usually this many cells wide and high, a strip over one feature so many wide."""


def cells_of(data: Dataset) -> int:
    """How many cells wide the picture usually is."""
    return STRIP if len(data.features) == 1 else CELLS


def plane_points(
    data: Dataset, axes: tuple[int, int], pinned: Floats, cells: int | None = None
) -> Floats:
    """The middle of every cell of the plane, so many wide and high, the other features pinned.

    The columns (M, cells), row by row from below; over one feature a single row.
    """
    cells = cells_of(data) if cells is None else cells
    across, up = scene_axes(data, axes)
    x, y = middles(across["low"], across["high"], cells), middles(up["low"], up["high"], cells)
    many = cells if len(data.features) == 1 else cells * cells
    out = np.repeat(pinned[:, None], many, axis=1)
    out[axes[0] if len(data.features) > 1 else 0] = np.tile(x, many // cells)
    if len(data.features) > 1:
        out[axes[1]] = np.repeat(y, cells)
    categories = [*map(bool, data.levels)]
    out[categories] = np.floor(out[categories] + 0.5)  # the code of the band it lies in
    return out


def middles(low: float, high: float, cells: int) -> Floats:
    """The middles of so many parts of a range."""
    share = (np.arange(cells) + 0.5) / cells
    return np.asarray(low * (1 - share) + high * share)  # high - low may be beyond any float
