"""The cuts that can be the best of a node, where others can be told apart by less than their gain.

By Gini and by squared error the gain of a cut is S = sum_k (l_k - n_L t_k / n)^2 / (n_L n_R), l and
t being the sums on its left and of its node. Few steps tell S of every cut but for rounding, which
is far less than what makes a tie: cuts that are worse than the best by more than two ties need no
look. By entropy, and where no node is heavy, these are the boundary points.

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

from functools import reduce
from typing import Any

import numpy as np

from dtviz.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.engine.criteria import Criterion
from dtviz.engine.cuts import Cuts, running_sums, scan, searched
from dtviz.engine.few import best_of_few
from dtviz.engine.frontier import Frontier, lengths, starts_of
from dtviz.engine.least import ONE_ROW, Least
from dtviz.engine.missing import Policy
from dtviz.engine.search import Best, best
from dtviz.engine.sums import Amounts
from dtviz.engine.tally import Tally, tally
from dtviz.table.data import Dataset

MOST = int((32 / (2 * ROUNDING)) ** 0.25)
"""A heavier node keeps all its cuts: 2,000."""
FEW = 32_000
"""Of fewer sums, one a class and entry, it takes longer to tell cuts apart than to score all."""
MANY = 4_000
"""Of fewer values it takes longer to look which cuts are near the best than to rank them all."""
LEAST_SQUARE = 1e-280
"""Squares of numbers of a smaller variance have rounding of their own: all cuts are looked at."""
LEAST = -np.finfo(np.float64).max
"""Less than the S of any cut."""


def hopeful_best(
    data: Dataset, front: Frontier, criterion: Criterion, least: Least, policy: Policy
) -> Best:
    """The best cut of each node of the frontier."""
    few = front.rows.size * max(len(data.classes), 1) <= FEW
    if few and data.weights is None and is_plain(data, criterion, least):
        return best_of_few(data, front, criterion)
    return best(hopeful_cuts(data, front, criterion, least, policy), front)


def is_plain(data: Dataset, criterion: Criterion, least: Least) -> bool:
    """Whether the best cuts can be told by less than a rank of all."""
    by = criterion.impurity
    plain = criterion.measure is None and (by.strict or by.squares) and least == ONE_ROW
    return plain and not (any(data.gaps) or any(data.levels))


def hopeful_cuts(
    data: Dataset, front: Frontier, criterion: Criterion, least: Least, policy: Policy
) -> Cuts:
    """Cuts of every node of the frontier, its best one and all that tie with it among them."""
    by = criterion.impurity
    if not is_plain(data, criterion, least):
        return scan(data, front, criterion, least, policy)
    found = tally(data, front, by.statistics)
    if found.weight_unit is None:
        heavy = not by.strict or found.node_weight.max(initial=0) > MOST
        if by.squares and heavy and len(found.values) > MANY:
            found = _near_the_best(found)
        elif by.strict:
            found = _boundary_points(found)
    return searched(found, criterion, policy)


def _near_the_best(found: Tally) -> Tally:
    """The tally of whole weights with those cuts alone whose S is near the best of their node."""
    sizes, m = found.per_segment.ravel(), len(found.node_weight)
    ends = sizes.cumsum()
    starts = ends - sizes

    def inside(amounts: Amounts | None) -> tuple[Floats, Ints]:
        """The sums of each segment up to each of its groups, and in all."""
        if amounts is None:
            return np.arange(1.0, ends[-1] + 1) - starts.astype(np.float64).repeat(sizes), sizes
        running = running_sums(amounts)
        before = running.take(starts)
        left = running[1:] - before.repeat(sizes)
        return left.astype(np.float64), running.take(ends) - before

    left, whole = inside(found.n if found.weight is None else found.weight)
    apart = []
    for amounts in found.sums():
        part, total = inside(amounts)
        part -= left * (total / whole).repeat(sizes)
        apart.append(part)
    if found.partition:
        apart.append(reduce(np.add, apart))
    squares = reduce(np.add, map(np.square, apart))
    left *= whole.astype(np.float64).repeat(sizes) - left
    left[ends - 1] = 1.0
    squares /= left
    squares[ends - 1] = -np.inf  # behind the last group no cut stands
    highest = np.maximum.reduceat(squares, starts).reshape(-1, m)
    limit = np.maximum.reduce(highest, axis=0) - _two_ties(found)
    near = squares >= np.maximum(np.tile(limit, len(highest)), LEAST).repeat(sizes)
    cut = near.nonzero()[0]
    return found._replace(cut=(cut, lengths(cut.searchsorted(starts), len(cut))))


def _two_ties(found: Tally) -> Any:
    """How far apart S is of two cuts of a node, (m,), each of which ties with a third."""
    if found.scale is None or found.unit is None:
        return 2 * ROUNDING
    room = 2 * ROUNDING * found.scale / found.unit / found.unit
    return np.where(found.scale > LEAST_SQUARE, room, np.inf)


def _boundary_points(found: Tally) -> Tally:
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
