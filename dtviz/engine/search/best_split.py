"""The best cut of each of many nodes, and which rows it sends left."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import starmap
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.criteria.statistics import Amounts, Told
from dtviz.engine.search.evaluate import Cuts, Named, running_sums, scan, searched
from dtviz.engine.search.frontier import Frontier, lengths, starts_of
from dtviz.engine.search.histogram import COUNT, Tally, tally, told_of, unweighed, values_of
from dtviz.engine.search.minimum import ADMISSIBLE, NO_CUT, ONE_ROW, Grades, Least
from dtviz.engine.search.missing import Policy
from dtviz.engine.splits import (
    HALF,
    RIGHT,
    Known,
    Missing,
    Projection,
    Split,
    Splits,
    Subset,
    features_of,
    goes_left,
    midpoint,
    naming,
)

NOTHING_NAMED: Mapping[int, Named] = MappingProxyType({})
NOTHING_SETTLED: Mapping[int, Split] = MappingProxyType({})


class Best(NamedTuple):
    """The best cut of each node, arrays (m,); where `cut` is -1 no cut is admissible.

    `grade` is the highest of its cuts' grades, see `Least`. `weight` is that of the node's rows:
    their number, where they have no weights. `named` are the codes that the cut of a category
    sends left, by node; its threshold is that of all subsets. `left` says which of the cuts send
    rows that lack the value left; None: those with more rows there. `settled` are the splits, by
    node, that send those rows by more than a side.
    """

    cut: Ints
    line: Ints
    lower: Floats
    upper: Floats
    threshold: Floats
    gain: Floats
    grade: Grades
    weight: NDArray[Any]
    named: Mapping[int, Named] = NOTHING_NAMED
    left: Bools | None = None
    settled: Mapping[int, Split] = NOTHING_SETTLED

    def split(self, node: int, projections: Sequence[Projection]) -> Split:
        """The best cut of a node, along these lines."""
        if node in self.settled:
            return self.settled[node]
        one = projections[self.line[node]]
        if node in self.named:
            return naming(one, self.named[node])
        return split_at(one, float(self.threshold[node]))


def split_at(projection: Projection, threshold: float, missing: Missing = RIGHT) -> Split:
    """The split at a place on a line; an infinite one parts known from missing values."""
    if math.isinf(threshold):
        return Split(Known(features_of(projection), missing_left=threshold < 0), HALF)
    return Split(projection, threshold, missing)


def best(cuts: Cuts, front: Frontier) -> Best:
    """The best admissible cut of each node; ties go to the lowest feature, then threshold."""
    m = len(front.sizes)
    score = cuts.score if cuts.grades is None else np.where(cuts.admissible, cuts.score, np.nan)
    highest = _highest(score, cuts.per_segment)
    limit = np.fmax.reduce(highest, axis=0) - cuts.tolerance
    limits = limit[None].repeat(len(highest), axis=0).ravel().repeat(cuts.per_segment.ravel())
    equal = (score >= limits).nonzero()[0][::-1]
    first = np.full(m, -1, np.intp)
    first[cuts.node[equal]] = equal  # written backwards: the first of equal cuts stays
    grade = _grades(cuts, first)
    if not len(cuts.node):
        line, none = np.zeros(m, np.intp), np.full(m, np.nan)
        return Best(first, line, none, none, none, none, grade, cuts.weight)
    at = np.maximum(first, 0)
    line = (highest >= limit).argmax(axis=0)
    lower, upper = cuts.beside(at)
    middle, gain = cuts.between(lower, upper), cuts.sides.gain[at]
    named, behind = NOTHING_NAMED, None
    if cuts.categories is not None:
        behind = np.zeros(m, np.bool_)
        of_category = cuts.categories[line, np.arange(m)] & (first >= 0) & np.isfinite(middle)
        lower[of_category], middle[of_category], upper[of_category] = 0.0, HALF, 1.0
        nodes = np.flatnonzero(of_category)
        codes, behind[nodes] = cuts.named(first[nodes], line[nodes])
        named = dict(zip(nodes.tolist(), codes, strict=True))
    if cuts.left is not None:
        known = np.isinf(middle)
        lower[known], upper[known] = 0.0, 1.0
    left = cuts.sends_left(at, behind)
    return Best(first, line, lower, upper, middle, gain, grade, cuts.weight, named, left)


def _grades(cuts: Cuts, best_cut: Ints) -> Grades:
    """Highest grade of each node's cuts, (m,); `best_cut` is -1 where none is admissible."""
    out = np.where(best_cut >= 0, np.int8(ADMISSIBLE), np.int8(NO_CUT))
    if cuts.grades is not None:
        others = (best_cut < 0).take(cuts.node).nonzero()[0]
        np.maximum.at(out, cuts.node.take(others), cuts.grades.take(others))
    return out


COLUMNS = "cut", "line", "lower", "upper", "threshold", "gain", "grade"


def one_after_another(parts: Sequence[Best]) -> Best:
    """The best cuts of the nodes of all parts: none names codes, nor settles missing rows."""
    names = (*COLUMNS, "weight")
    both: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in names
    }
    return Best(**both)


def instead(top: Best, at: Bools, other: Best) -> Best:
    """The best cuts with others at some of the nodes, (m,): `other` has those of them in order."""
    place = np.flatnonzero(at).tolist()
    new: dict[str, Any] = {}
    for name in COLUMNS:
        new[name] = getattr(top, name).copy()
        new[name][at] = getattr(other, name)
    if other.left is not None:  # it is None too where there are no cuts
        new["left"] = np.zeros(len(at), np.bool_) if top.left is None else top.left.copy()
        new["left"][at] = other.left
    for name in ("named", "settled"):
        there = {place[j]: one for j, one in getattr(other, name).items()}
        new[name] = {j: one for j, one in getattr(top, name).items() if not at[j]} | there
    return top._replace(**new)


def _highest(score: Floats, per_segment: Ints) -> Floats:
    """The highest score of each line and node, (L, m); -inf or NaN where it has none."""
    sizes = per_segment.ravel()
    if sizes.all():
        return np.fmax.reduceat(score, starts_of(sizes)).reshape(per_segment.shape)
    out, some = np.full(len(sizes), -np.inf), sizes.nonzero()[0]
    if len(some):
        out[some] = np.fmax.reduceat(score, starts_of(sizes).take(some))
    return out.reshape(per_segment.shape)


def divide(data: Dataset, front: Frontier, splits: Best, whole: Dataset | None = None) -> Bools:
    """Which of the frontier's rows go left at their node's best cut, as `front.rows[0]` has them.

    Nodes without a cut keep all left. The columns of `data` are those that the search ran along,
    those of `whole` the features.
    """
    limits, rows = np.where(splits.cut < 0, np.inf, splits.threshold), front.rows[0]
    lost = splits.left if any(data.gaps) else None
    scores = data.columns.ravel().take((splits.line * data.n).repeat(front.sizes) + rows)
    left = np.asarray(scores <= limits.repeat(front.sizes))
    if lost is not None:
        left |= np.isnan(scores) & lost.repeat(front.sizes)
    if splits.named:
        nodes = np.fromiter(splits.named, np.intp)
        lines = zip(splits.line[nodes].tolist(), splits.named.values(), strict=True)
        order = np.full(len(front.sizes), -1)
        order[nodes] = np.arange(len(nodes))
        which = order.take(front.owner)
        own = which >= 0
        asked = Splits(
            tuple(starmap(Subset, lines)),
            np.arange(len(nodes)),
            np.full(len(nodes), HALF),
            None if lost is None else lost[nodes],
        )
        left[own] = goes_left(asked, data.columns, rows[own], which[own])
    for node, split in splits.settled.items():
        its = slice(int(front.starts[node]), int(front.starts[node] + front.sizes[node]))
        left[its] = goes_left(split, (whole or data).columns, rows[its])
    return left


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
