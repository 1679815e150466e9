"""Rings as tests look at them: out of frames, their areas, what they hold."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.float64]
Box = tuple[float, float, float, float]


def rings_in(shapes: dict[str, Any]) -> dict[Any, Corners]:
    """The corners of each ring or line of a frame, (k, 2), by its node."""
    corners = np.asarray(shapes["corners"]).reshape(-1, 2)
    parts = [corners[a:b] for a, b in pairwise(shapes["starts"])]
    assert shapes["starts"][0] == 0
    assert shapes["starts"][-1] == len(corners)
    return dict(zip(list(shapes["node"]), parts, strict=True))


def box_of(ring: Any) -> Box:
    """Left, right, bottom, top of a ring that is an upright rectangle, which it must be."""
    (left, bottom), (right, top) = np.min(ring, axis=0), np.max(ring, axis=0)
    rim = {(left, bottom), (right, bottom), (right, top), (left, top)}
    assert set(map(tuple, np.asarray(ring).tolist())) == rim
    assert len(ring) == len(rim)
    return float(left), float(right), float(bottom), float(top)


def boxes_in(shapes: dict[str, Any]) -> dict[Any, Box]:
    """The rectangles of a frame whose regions are all such, by node."""
    return {node: box_of(ring) for node, ring in rings_in(shapes).items()}
