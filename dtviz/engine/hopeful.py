"""The cuts that can be the best of a node: boundary points, where that is proven.

Between two boundary points all rows that a cut passes are of one class, so that its gain is convex
in how far it stands: no cut between beats the better of the two, see Fayyad & Irani (1992). It must
not tie with it either, since the first of tying cuts is taken. Let a node weigh W, each row a whole
number, and let n, b and q be the weight of a side, that of its other classes, and the sum of the
squares of these. By Gini the second derivative of the gain is (2 / W) sum (b^2 + q) / n^3, at least
64 / W^4 where both sides have other classes: a cut between is at least 32 / W^4 worse. Where one
side has none, it is at least 2 / W^3 worse. By entropy both are more. So rounding cannot make them
tie while W <= MOST.
"""

from __future__ import annotations

import numpy as np

from dtviz.engine.criteria import Criterion
from dtviz.engine.cuts import ROUNDING, Cuts, scan, searched
from dtviz.engine.frontier import Bools, Frontier, lengths, starts_of
from dtviz.engine.least import ONE_ROW, Least
from dtviz.engine.missing import Policy
from dtviz.engine.tally import Tally, tally
from dtviz.table.data import Dataset

MOST = int((32 / (2 * ROUNDING)) ** 0.25)
"""A heavier node keeps all its cuts: 2,000."""


def hopeful_cuts(
    data: Dataset, front: Frontier, criterion: Criterion, least: Least, policy: Policy
) -> Cuts:
    """Cuts of every node of the frontier, its best one and all that tie with it among them."""
    strict = criterion.measure is None and criterion.impurity.strict and least == ONE_ROW
    if not strict or any(data.gaps) or any(data.levels):
        return scan(data, front, criterion, least, policy)
    found = tally(data, front, criterion.impurity.statistics)
    return searched(_hopeful(found) if found.weight_unit is None else found, criterion, policy)


def _hopeful(found: Tally) -> Tally:
    """The tally of whole weights with cuts at its boundary points alone, where a node has any."""
    small = found.node_weight <= MOST
    if not small.any():
        return found
    sizes, edge = found.per_segment.ravel(), _edges(found)
    ends = sizes.cumsum()
    if not small.all():
        edge |= ~np.tile(small, len(found.per_segment)).repeat(sizes)[:-1]
    edge[ends[:-1] - 1] = False
    cut = edge.nonzero()[0]
    many = lengths(cut.searchsorted(ends - sizes), len(cut))
    if not many.all() and ((many == 0) & (sizes > 1)).any():  # a pure node
        return found
    return found._replace(cut=(cut, many))


def _edges(found: Tally) -> Bools:
    """Whether each group and the next are not both of one class, (g - 1,)."""
    assert found.entries is not None
    low = high = found.entries.values
    if found.n is None:
        return np.asarray(low[:-1] != high[1:])
    starts = starts_of(found.sizes)
    low, high = np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)
    return np.asarray((low[:-1] != high[1:]) | (high[:-1] != low[1:]))
