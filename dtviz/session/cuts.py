"""The cut looked at on Grow and its rival, as two splits told by counts."""

from __future__ import annotations

import numpy as np

from dtviz.base.arrays import Floats
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import (
    Projection,
    Split,
    around,
    axis_split,
    direction,
    goes_left,
    plain_features,
    score,
)
from dtviz.engine.tree import rows_in
from dtviz.session.impurity import CLASSES, MOST_ROWS, TwoSplits
from dtviz.session.screen import Screen


def two_cuts(screen: Screen) -> TwoSplits | None:
    """The cut looked at and the best one on another line, else the best other one; by classes of
    which the node has rows.

    None where there are no two cuts to tell, rows have weights, or there are too many of them.
    """
    data = screen.data
    if not data.classes or data.weights is not None:
        return None
    rows = rows_in(screen.tree, screen.node)
    parent = np.bincount(data.y[rows], minlength=len(data.classes))
    there = parent > 0
    if there.sum() not in CLASSES or parent.max() > MOST_ROWS:
        return None
    cuts, chosen = screen.look.cuts, screen.look.cut
    rival = None if chosen is None else _rival(cuts, chosen)
    if chosen is None or rival is None:
        return None
    sides = (goes_left(cuts.split(at), data.columns, rows) for at in (chosen, rival))
    left = [np.bincount(data.y[rows[side]], minlength=len(parent)) for side in sides]
    return TwoSplits(*(tuple(counts[there].tolist()) for counts in (parent, *left)))


def _rival(cuts: Candidates, chosen: int) -> int | None:
    """The best admissible cut on another line than the chosen one's, else the best other one."""
    other = cuts.admissible & (np.arange(len(cuts)) != chosen)
    apart = other & (cuts.line != cuts.line[chosen])
    some = np.flatnonzero(apart if apart.any() else other)
    return int(some[np.argmax(cuts.score[some])]) if len(some) else None


Corner = tuple[float, float]


def can_draw(screen: Screen, family: str) -> bool:
    """Whether cuts of a family compete, and both axes of the plane are plain numbers."""
    axes = screen.look.axes
    plain = {*axes} <= {*plain_features(screen.data)} and axes[0] != axes[1]
    return plain and family in screen.session.rules.families


def line_cut(screen: Screen, start: Corner, end: Corner) -> Split | None:
    """The cut along the line through two corners, at the threshold nearest to it; None: none."""
    spans = [(f, end[k] - start[k]) for k, f in enumerate(screen.look.axes)]
    (a, run), (b, rise) = spans
    spread = np.nanstd(screen.data.columns[[a, b]], axis=1)
    middle = _place(screen, (start[0] / 2 + end[0] / 2, start[1] / 2 + end[1] / 2))
    weights = np.array([rise, -run])
    order = [0, 1] if a < b else [1, 0]
    found: Projection | None = direction([(a, b)[k] for k in order], weights[order], spread[order])
    if found is None:
        feature = a if abs(rise) * spread[0] >= abs(run) * spread[1] else b
        found = axis_split(feature, 0.0).projection
    return _nearest(screen, found, float(score(found, middle)[0]))


def circle_cut(screen: Screen, centre: Corner, rim: Corner) -> Split | None:
    """The cut along the circle round one corner that runs through another; None: none."""
    place = _place(screen, centre)[:, 0].tolist()
    found = around(screen.data, place, screen.look.axes)
    if found is None:
        return None
    return _nearest(screen, found, float(score(found, _place(screen, rim))[0]))


def _place(screen: Screen, corner: Corner) -> Floats:
    """A corner as a row of the data, (M, 1), that has no values but these."""
    out = np.full((len(screen.data.features), 1), np.nan)
    out[[*screen.look.axes], 0] = corner
    return out


def _nearest(screen: Screen, projection: Projection, limit: float) -> Split | None:
    """The cut of the focus whose threshold is nearest along a line."""
    cuts = screen.with_line(screen.look.cuts, projection)
    its = cuts.of_line(cuts.projections.index(projection))
    limits = cuts.threshold[its]
    if not len(limits) or not np.isfinite(limit):
        return None
    return cuts.split(its.start + int(np.abs(limits - limit).argmin()))
