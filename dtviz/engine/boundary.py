"""What stands beside each cut of one node: how mixed both sides are, and whether it is a boundary.

Glossary
    boundary   a cut between two neighbouring values whose rows do not all share one class [C]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Bools, Floats, Ints
from dtviz.engine.criteria import Criterion, Impurity, Running
from dtviz.engine.cuts import Cuts, reader_of, running_sums
from dtviz.engine.frontier import Frontier
from dtviz.engine.missing import Policy, twins
from dtviz.engine.tally import Tally
from dtviz.table.data import Dataset


def beside_each(
    data: Dataset, front: Frontier, found: Tally, cuts: Cuts, criterion: Criterion, policy: Policy
) -> tuple[Floats, Bools]:
    """The impurity left and right of each cut of one node, (2, cuts), and its boundary points."""
    by = criterion.impurity
    turns = [found] if found.gaps is None else [turn(found) for turn in policy.searches]
    seen = [_along(data, front, turn, by) for turn in turns]
    if len(seen) > 1 and cuts.left is not None:
        (right, edge), (left, other) = seen
        twin = twins(found)
        impurity = np.where(cuts.left, left.take(twin, axis=1), right)
        boundary = np.where(cuts.left, other.take(twin), edge)
    else:
        ((impurity, boundary),) = seen
    if by.running is None:
        impurity = np.maximum(cuts.spread / cuts.sides.weight, 0.0)
    return impurity, boundary


def _along(data: Dataset, front: Frontier, found: Tally, by: Impurity) -> tuple[Floats, Bools]:
    """What the rows in the order of a tally say of its cuts: see `beside_each`."""
    rows = front.rows.ravel()
    if found.entries is not None and found.entries.at is not None:
        rows = rows.take(found.entries.at)
    behind = found.sizes.cumsum()
    reader = reader_of(found)
    at = (reader.starts.repeat(reader.counts), reader.cut, reader.ends.repeat(reader.counts))
    starts, after, ends = (np.append(0, behind).take(of) for of in at)
    last = after - 1
    impurity = np.zeros((2, len(last)))
    if by.running is not None:
        left, right = np.empty(len(rows)), np.empty(len(rows))
        for start, end in zip(np.unique(starts).tolist(), np.unique(ends).tolist(), strict=True):
            own = rows[start:end]
            left[start:end] = _impurities(data, own, by.running)
            right[start:end] = _impurities(data, own[::-1], by.running)[::-1]
        impurity = np.array([left.take(last), right.take(after)])
    if by.taken is not None:  # more than the target tells such a side
        return impurity, np.ones(len(last), np.bool_)
    return impurity, _boundary(data.y.take(rows), last, starts, ends)


def _impurities(data: Dataset, rows: Ints, running: Running) -> Floats:
    """The impurity of the first 1, 2, ... of some rows."""
    weights = None if data.weights is None else data.weights.take(rows)
    return running(data.y.take(rows), weights)


def _boundary(y: NDArray[Any], place: Ints, starts: Ints, ends: Ints) -> Bools:
    """Whether the rows at the two values beside a cut differ in y [C]; fades hopeless cuts.

    The line of a cut has the rows from `starts` to `ends`.
    """
    change = running_sums(y[1:] != y[:-1])
    before = np.zeros(len(place), np.intp)
    before[1:] = place[:-1] + 1
    after = np.full(len(place), len(y) - 1, np.intp)
    after[:-1] = place[1:]
    first, last = np.maximum(before, starts), np.minimum(after, ends - 1)
    return np.asarray(change.take(last) > change.take(first))
