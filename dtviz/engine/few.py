"""The best cut of each node where there are few rows, in as few steps as can be.

Of few rows the steps count, not the numbers in them. So the place behind each entry is scored,
whether a cut can stand there or not: no tally, no list of cuts. What is found is, to the last bit,
what `best` finds among all cuts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import ROUNDING, Floats
from dtviz.engine.criteria import Criterion
from dtviz.engine.frontier import Frontier, starts_of
from dtviz.engine.least import ADMISSIBLE, NO_CUT
from dtviz.engine.search import Best
from dtviz.engine.splits import midpoint
from dtviz.engine.sums import Amounts, Told
from dtviz.engine.tally import COUNT, told_of, unweighed, values_of
from dtviz.table.data import Dataset


def best_of_few(data: Dataset, front: Frontier, criterion: Criterion) -> Best:
    """The best cut of each node by its gain, where `is_plain` and rows have no weights."""
    owner, starts, width = front.owner, front.starts, front.rows.shape[1]
    x = values_of(data, front)
    told = told_of(data, front, criterion.impurity.statistics, unweighed(front))
    n, of_node = np.empty((2, 1, width), COUNT), front.sizes.take(owner)
    left = np.arange(1, width + 1) - starts.take(owner)
    last = left == of_node  # of its node: behind it stands no cut
    n[0], n[1] = left, of_node - left + last
    gain = np.empty(x.shape)  # of one class there are no sums by line
    np.divide(_gains(data, front, criterion, told, n), of_node, out=gain)
    tolerance = np.full(len(starts), ROUNDING) if told.scale is None else ROUNDING * told.scale
    np.putmask(gain, gain <= tolerance.take(owner), 0.0)
    none = last[None].repeat(len(x), axis=0)
    none[:, :-1] |= x[:, :-1] >= x[:, 1:]
    np.putmask(gain, none, np.nan)
    highest = np.fmax.reduceat(gain, starts, axis=1)
    limit = np.fmax.reduce(highest, axis=0) - tolerance
    equal = (gain >= limit.take(owner)).ravel().nonzero()[0][::-1]
    first = np.empty(len(starts), np.intp)
    first.fill(-1)
    first[owner.take(equal % width)] = equal  # written backwards: the first of equal cuts stays
    lower, upper = x.take(first), x.take(first + 1, mode="clip")
    return Best(
        cut=first,
        line=(highest >= limit).argmax(axis=0),
        lower=lower,
        upper=upper,
        threshold=midpoint(lower, upper),
        gain=gain.take(first),
        grade=np.where(first >= 0, ADMISSIBLE, NO_CUT).astype(np.int8),
        weight=front.sizes,
    )


def _gains(
    data: Dataset, front: Frontier, criterion: Criterion, told: Told, n: NDArray[Any]
) -> Floats:
    """What a cut behind each entry gains, times the rows of its node, as `rank` has it.

    (L, N), or (1, N) where all lines tell the same; `n` are the rows on its sides, (2, 1, N).
    """
    statistics, spread = criterion.impurity.statistics, criterion.impurity.spread
    of_nodes: list[NDArray[Any]] = []

    def below() -> Iterator[NDArray[Any]]:
        rest, left = n, front.sizes
        for amounts in statistics.each(told.values, len(data.classes), None, front.starts):
            part, whole = _sides(front, amounts, told.unit)
            of_nodes.append(whole)
            if statistics.partition:
                rest, left = rest - part, left - whole
            yield part
        if statistics.partition:
            of_nodes.append(left)
            yield rest

    one, other = spread(below(), n)
    one += other
    return np.asarray(spread(of_nodes, front.sizes).take(front.owner) - one)


def _sides(
    front: Frontier, amounts: Amounts, unit: Floats | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The sums of what each entry adds, (L N,), on both sides of it and of each node, (m,)."""
    kind, width = COUNT if amounts.dtype == np.bool_ else amounts.dtype, front.rows.shape[1]
    whole = np.add.reduceat(amounts[:width], front.starts, dtype=kind)
    out = np.empty((2, *front.rows.shape), kind)
    left, right = out
    np.add.accumulate(amounts.reshape(left.shape), axis=1, out=left)
    left -= starts_of(whole).take(front.owner)
    np.subtract(whole.take(front.owner), left, out=right)
    return (out, whole) if unit is None else (out * unit.take(front.owner), whole * unit)
