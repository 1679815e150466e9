"""The cut looked at on Grow and its rival, as two splits told by counts."""

from __future__ import annotations

import numpy as np

from dtviz.engine.candidates import Candidates
from dtviz.engine.splits import goes_left
from dtviz.engine.tree import rows_in
from dtviz.screen.lab import CLASSES, MOST_ROWS, TwoSplits
from dtviz.screen.screen import Screen


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
