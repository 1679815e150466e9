"""The split looked at on Grow with its rival, and splits drawn by hand as lines or circles."""

from __future__ import annotations

import numpy as np

from dtviz.base.arrays import Floats
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import (
    Projection,
    Split,
    axis_split,
    direction,
    goes_left,
    plain_features,
    radial_around,
    score,
)
from dtviz.engine.tree import rows_in
from dtviz.session.impurity import CLASSES, MAX_CLASS_ROWS, TwoSplits
from dtviz.session.screen import Screen


def two_cuts(screen: Screen) -> TwoSplits | None:
    """Return the split looked at and its rival as counts of the classes that the node has.

    None where there is no rival, rows have weights, or a class has more rows than MOST_ROWS.
    """
    data = screen.data
    if not data.classes or data.weights is not None:
        return None
    row_ids = rows_in(screen.tree, screen.node)
    parent = np.bincount(data.y[row_ids], minlength=len(data.classes))
    has_rows = parent > 0
    if has_rows.sum() not in CLASSES or parent.max() > MAX_CLASS_ROWS:
        return None
    cuts, chosen = screen.node_view.candidates, screen.node_view.index
    rival = None if chosen is None else _rival(cuts, chosen)
    if chosen is None or rival is None:
        return None
    masks = (goes_left(cuts.split(index), data.columns, row_ids) for index in (chosen, rival))
    left = [np.bincount(data.y[row_ids[mask]], minlength=len(parent)) for mask in masks]
    return TwoSplits(*(tuple(counts[has_rows].tolist()) for counts in (parent, *left)))


def _rival(cuts: Candidates, chosen: int) -> int | None:
    """Return the index of the best admissible candidate of another projection than the chosen one.

    Where there is none, the best other candidate of the same projection.
    """
    other = cuts.admissible & (np.arange(len(cuts)) != chosen)
    elsewhere = other & (cuts.line != cuts.line[chosen])
    indices = np.flatnonzero(elsewhere if elsewhere.any() else other)
    return int(indices[np.argmax(cuts.score[indices])]) if len(indices) else None


Corner = tuple[float, float]
"""A place on the plane that is drawn, x and y."""


def can_draw(screen: Screen, family: str) -> bool:
    """True if splits of a family compete, and both axes of the plane are plain numbers."""
    axes = screen.node_view.axes
    is_plain = {*axes} <= {*plain_features(screen.data)} and axes[0] != axes[1]
    return is_plain and family in screen.session.rules.families


def line_cut(screen: Screen, start: Corner, end: Corner) -> Split | None:
    """Return the candidate along the direction of a line whose threshold is nearest to the line.

    The line runs through two corners. A direction that no oblique split has, such as that of an
    axis, stands for a split of one feature. None where there is no such candidate.
    """
    spans = [(f, end[k] - start[k]) for k, f in enumerate(screen.node_view.axes)]
    (a, run), (b, rise) = spans
    spread = np.nanstd(screen.data.columns[[a, b]], axis=1)
    middle = _place(screen, (start[0] / 2 + end[0] / 2, start[1] / 2 + end[1] / 2))
    weights = np.array([rise, -run])
    order = [0, 1] if a < b else [1, 0]
    projection: Projection | None = direction(
        [(a, b)[k] for k in order], weights[order], spread[order]
    )
    if projection is None:
        feature = a if abs(rise) * spread[0] >= abs(run) * spread[1] else b
        projection = axis_split(feature, 0.0).projection
    return _nearest(screen, projection, float(score(projection, middle)[0]))


def circle_cut(screen: Screen, centre: Corner, rim: Corner) -> Split | None:
    """Return the candidate around `centre` whose radius is nearest to a circle through `rim`.

    None where there is no such candidate.
    """
    place = _place(screen, centre)[:, 0].tolist()
    projection = radial_around(screen.data, place, screen.node_view.axes)
    if projection is None:
        return None
    return _nearest(screen, projection, float(score(projection, _place(screen, rim))[0]))


def _place(screen: Screen, corner: Corner) -> Floats:
    """Return a corner as a row of the data, (M, 1); features on no axis are NaN."""
    out = np.full((len(screen.data.features), 1), np.nan)
    out[[*screen.node_view.axes], 0] = corner
    return out


def _nearest(screen: Screen, projection: Projection, limit: float) -> Split | None:
    """Return the focus's candidate of a projection whose threshold is nearest to `limit`."""
    cuts = screen.with_line(screen.node_view.candidates, projection)
    indices = cuts.of_line(cuts.projections.index(projection))
    thresholds = cuts.threshold[indices]
    if not len(thresholds) or not np.isfinite(limit):
        return None
    return cuts.split(indices.start + int(np.abs(thresholds - limit).argmin()))
