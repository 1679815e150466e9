"""Which root cuts need not be opened, told by the cuts on both sides of them.

Along one feature the left side of a cut holds that of every cut before it, and rows more. Rows more
never lower what the best tree of a side leaves of impurity. So between two opened cuts a and b no
cut leaves less than the left side of a, the right side of b and the rows between them do: where
that is too much already, all between them are decided. They are too where they are at best as good
as what is known, but come after it or need more splits.

Glossary
    opened      the best cuts of its two sides have been searched
    cost        what a side leaves of impurity, as a share of all rows' weight
    interval    the cuts between two opened ones, or between one and an end of the line
    reach       the most that a cut of an interval can lower the impurity by
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion, Spread
from dtviz.engine.leaves.node_facts import facts
from dtviz.engine.search.category_order import MOST_TRIED, masks
from dtviz.engine.search.evaluate import scan
from dtviz.engine.search.frontier import Frontier, children, parted, restrict, root_frontier
from dtviz.engine.search.minimum import Least
from dtviz.engine.search.missing import Policy
from dtviz.engine.splits import Axis, Splits, Subset, feature_of, score

FEWEST = 8
"""A block of fewer rows is parted so well by chance that it is taken to cost nothing."""

Span = tuple[int, int]


def costs_between(
    front: Frontier,
    place: Ints,
    whole: Span,
    half: Callable[[Span], int],
    stumps: Callable[[Frontier], Floats],
) -> Slices[dict[Span, float]]:
    """What the rows of each span cost at least, from the whole line of root cuts down.

    `front` is one node of all rows, `place`, (n,), how many cuts of the line have each row on their
    right, counted from the first of all cuts; `half` is the cut that parts a span in two, `stumps`
    gives what the best cuts of blocks leave, (m,). Yields the share done, level by level.
    """
    spans, known = [whole], {whole: 0.0}
    while spans:
        yield 1.0 - 1.0 / (1.0 + len(known))
        ats = [half(span) for span in spans]
        child, sizes = parted(front, place.take(front.rows[0]) <= np.take(ats, front.owner))
        below = [(first, at) for (first, _), at in zip(spans, ats, strict=True)]
        below += [(at + 1, end) for (_, end), at in zip(spans, ats, strict=True)]
        keep = sizes >= FEWEST
        if not keep.any():
            break
        front = children(front, child, sizes, keep)
        spans = [span for span, on in zip(below, keep.tolist(), strict=True) if on]
        known |= zip(spans, stumps(front).tolist(), strict=True)
        going = np.array([first < end for first, end in spans])
        front, spans = restrict(front, going), [(a, b) for a, b in spans if a < b]
    return _least(known, half)


def _least(stumps: dict[Span, float], half: Callable[[Span], int]) -> dict[Span, float]:
    """What spans cost at least from what the best cuts of their blocks leave, halves first."""
    out: dict[Span, float] = {}
    for first, end in reversed(stumps):
        if first == end:
            out[first, end] = math.inf  # no cut lies in it
            continue
        at = half((first, end))
        one, other = (first, at), (at + 1, end)
        whole, other_whole = stumps.get(one, 0.0), stumps.get(other, 0.0)
        out[first, end] = min(
            whole + other_whole, out.get(one, 0.0) + other_whole, whole + out.get(other, 0.0)
        )
    return out


Reach = tuple[float, ...]
"""The most that trees of 0, 1, 2 and 3 splits reach: with none nothing is cut."""


Settle = Callable[[Span], "list[Reach] | None"]
"""What each cut of an interval reaches; None: it is not told."""

FEW = 64
"""The cuts of an interval that may be settled: of more, too many cuts below survive."""


class Bar(NamedTuple):
    """What a root cut must reach to matter: more than the best known, or as much if it wins a tie.

    It ties from `floor` on, and then wins with fewer splits than `splits`, or as many before `at`.
    """

    floor: float = -math.inf
    best: float = math.inf
    splits: int = 3
    at: float = math.inf

    def met(self, reach: Reach, first: int) -> bool:
        """Whether the cuts from `first` on that reach so much may matter."""
        tie = reach[self.splits if first < self.at else self.splits - 1]
        return tie >= self.floor or reach[-1] > self.best


class Intervals:
    """The root cuts that are not decided, in intervals by what they reach.

    `line`, (R,), says which line each cut is on, those of one line in order; one at -1 is alone.
    `gain`, (R,), is what each gains by itself: the highest of a line is opened first. `whole` is
    the impurity of the root. `between` is what the rows of an interval cost at least, where that
    is known, see between.py.
    """

    def __init__(self, line: Ints, gain: Floats, whole: float) -> None:
        self.line, self.gain, self.whole = line, gain, whole
        self.opened, self.settled, self.bar = 0, 0, Bar()
        self.costs = np.zeros((2, 2, len(line)))
        ends = (np.flatnonzero((np.diff(line) != 0) | (line[1:] < 0)) + 1).tolist()
        lines = [*pairwise([0, *ends, len(line)])] if len(line) else []
        self.tops = {(first, end): first + int(gain[first:end].argmax()) for first, end in lines}
        self.between: dict[Span, float] = {}
        anything: Reach = (math.inf,) * 4
        self.heap = [(-math.inf, span, anything) for span in lines]  # least reach last
        self.asked: list[tuple[Span, int]] = []

    @property
    def lines(self) -> list[Span]:
        """The lines of more than one cut."""
        return [(first, end) for first, end in self.tops if end - first > 1]

    @property
    def share(self) -> float:
        """The share of the cuts that are decided."""
        left = sum(
            span[1] - span[0] for _, span, reach in self.heap if self.bar.met(reach, span[0])
        )
        return 1.0 - left / max(len(self.line), 1)

    def inner(self, span: Span) -> bool:
        """Whether an interval between opened cuts has few, for the first time."""
        first, end = span
        line, last = self.line, len(self.line)
        few = FEW // 2 <= end - first <= FEW and first > 0 and end < last
        return few and bool(line[first - 1] == line[first] == line[end])

    def half(self, span: Span) -> int:
        """The cut of an interval that is opened first: of a whole line the best by itself."""
        return self.tops.get(span, sum(span) // 2)

    def next(self, most: int, settle: Settle) -> Ints:
        """The cuts to be opened next, at most so many; none once all are decided.

        Some intervals are settled on the way: what each of their cuts reaches is told at once.
        """
        self.asked = []
        while self.heap and len(self.asked) < most:
            _, span, reach = heapq.heappop(self.heap)
            if not self.bar.met(reach, span[0]):
                continue
            reached = settle(span) if self.inner(span) else None
            if reached is None:
                self.asked.append((span, self.half(span)))
            else:
                self.settled += 1
                for at, one in zip(range(*span), reached, strict=True):
                    self._keep((at, at + 1), one)
        self.opened += len(self.asked)
        return np.array([at for _, at in self.asked], np.intp)

    def learn(self, costs: Floats, bar: Bar) -> None:
        """What the sides of those cost, in the order asked, and the bar after them.

        The costs, (2, 2, B), are those of a cut on the left and on the right, then of a leaf there.
        """
        self.bar = bar
        for k, (_, at) in enumerate(self.asked):
            self.costs[..., at] = costs[..., k]
        for (first, end), at in self.asked:
            self._put((first, at))
            self._put((at + 1, end))

    def _put(self, span: Span) -> None:
        """Keep an interval, unless it is empty or decided."""
        first, end = span
        if first == end:
            return
        line, last, costs = self.line, len(self.line), np.zeros((2, 2))
        if first and line[first - 1] == line[first]:
            costs[:, 0] = self.costs[:, 0, first - 1]
        if end < last and line[end] == line[first]:
            costs[:, 1] = self.costs[:, 1, end]
        (left, right), (left_leaf, right_leaf) = costs.tolist()
        whole = self.whole - self.between.get(span, 0.0)
        one = float(self.gain[first:end].max())
        two, three = whole - min(left + right_leaf, left_leaf + right), whole - (left + right)
        self._keep(span, (-math.inf, one, two, three))

    def _keep(self, span: Span, reach: Reach) -> None:
        """Keep an interval that reaches so much, unless that is too little."""
        if self.bar.met(reach, span[0]):
            heapq.heappush(self.heap, (-reach[-1], span, reach))


@dataclass(frozen=True, slots=True, eq=False)
class Roots:
    """The root cuts ordered by feature, then threshold, arrays (R,); `tolerance` is the root's.

    `whole` is the impurity of the root. `nested` says of each cut which line of numbers it is on,
    -1 where its sides hold no more rows than the next one's.
    """

    splits: Splits
    gain: Floats
    tolerance: float
    whole: float
    nested: Ints

    def lines(self, which: Ints) -> Ints:
        """The line of the data that each of some cuts is on."""
        own = [feature_of(one) for one in self.splits.projections]
        return np.array(own, np.intp)[self.splits.line[which]]


def roots_of(
    data: Dataset, front: Frontier, criterion: Criterion, least: Least, policy: Policy
) -> Roots:
    """Every root cut; none where all targets are equal."""
    lines = _root_lines(data, front, criterion, least, policy)
    table = replace(data, columns=np.array([score(one, data.columns) for one in lines]), levels=())
    cuts = scan(table, root_frontier(table), criterion, least, policy)
    at = np.flatnonzero(cuts.admissible & ~facts(data, front, criterion).pure)
    limits, line = cuts.between(*cuts.beside(at)), cuts.lines_of(at)
    plain = np.array([isinstance(one, Axis) for one in lines])
    gaps = np.array(table.gaps)
    return Roots(
        splits=Splits(lines, line, limits, cuts.sends_left(at)),
        gain=cuts.sides.gain.take(at),
        tolerance=float(cuts.tolerance[0]),
        whole=float(facts(data, front, criterion).impurity[0]),
        nested=np.where((plain & ~gaps)[line], line, -1),
    )


def _root_lines(
    data: Dataset, front: Frontier, criterion: Criterion, least: Least, policy: Policy
) -> tuple[Axis | Subset, ...]:
    """What the root is cut along: each line of numbers, each subset of a category."""
    out: list[Axis | Subset] = []
    for line, levels in enumerate(data.levels):
        codes = _codes(data, line) if levels else ()
        if len(codes) > MOST_TRIED:
            cuts = scan(data, front, criterion, least, policy)
            its = np.flatnonzero(cuts.lines_of(np.arange(len(cuts.node))) == line)
            its = its[np.isfinite(cuts.between(*cuts.beside(its)))]
            every, _ = cuts.named(its, np.full(len(its), line))
            out += [Subset(line, named) for named in every]
        elif len(codes) > 1:
            out += [_lighter(data, line, codes[own], codes[~own]) for own in masks(len(codes))]
        else:
            out.append(Axis(line))
    return tuple(out)


def _codes(data: Dataset, line: int) -> Ints:
    """The codes that rows have."""
    column = data.columns[line]
    return np.unique(column[~np.isnan(column)]).astype(np.intp)


def _lighter(data: Dataset, line: int, some: Ints, others: Ints) -> Subset:
    """The subset of a category that names the lighter of two sides, or the shorter."""
    known = ~np.isnan(data.columns[line])
    own = None if data.weights is None else data.weights[known]
    weights = np.bincount(data.columns[line][known].astype(np.intp), own)
    one, other = ((float(weights[side].sum()), len(side), side) for side in (some, others))
    return Subset(line, tuple(min(one, other, key=lambda side: side[:2])[2].tolist()))


CELLS = 250_000
"""The cells of one piece of a table: its counts take some 20 MB."""

MOST = 0.05
"""The share of all places that may survive: of more, it is faster to open the root cuts."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The sides of an interval's cuts: a base, (n,), `movers` in order, and how many each has."""

    base: Bools
    movers: Ints
    taken: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Survivors:
    """Places along one line: the values beside each, (S,), and the counts before it, (K, S)."""

    lower: Floats
    upper: Floats
    before: Ints
    whole: Ints
    line: Floats

    def __len__(self) -> int:
        return len(self.lower)


def costs_inside(
    data: Dataset, front: Frontier, spread: Spread, place: Ints, span: Span, most: Floats
) -> Floats | None:
    """What the sides of each root cut of a span leave at least: rows times impurity, (2, 2, cuts).

    First with a cut on the left and on the right, then as leaves. `front` is one node of all rows,
    `place`, (n,), the number of the first cut that has the row on its left, `most`, (2,), what the
    cuts below may leave of the left and of the right base. The targets are classes; no row lacks a
    value or has a weight. None where too many places survive.
    """
    first, end = span
    movers = np.flatnonzero((place >= first) & (place <= end))
    movers = movers[place[movers].argsort(kind="stable")]
    taken = place[movers].searchsorted(np.arange(first, end), side="right")
    left = Side(place < first, movers, taken)
    right = Side(place > end, movers[::-1], len(movers) - taken)
    both, left_over = (left, right), MOST * front.rows.size
    found = []
    for side, own in zip(both, most.tolist(), strict=True):
        found.append(survivors(data, front, spread, side, own))
        left_over -= sum(map(len, found[-1]))
        if left_over < 0:
            return None
    low = [least_costs(data, spread, *own) for own in zip(both, found, strict=True)]
    return np.array([low, [leaf_costs(data, spread, side) for side in both]])


def survivors(
    data: Dataset, front: Frontier, spread: Spread, side: Side, most: float
) -> list[Survivors]:
    """The places along each line that cost at most so much on the base: rows times impurity.

    `front` is one node of all rows. The targets are classes, no row lacks a value or has a weight.
    """
    out = []
    for column, order in zip(data.columns, front.rows, strict=True):
        rows = order[side.base[order]]
        values = np.concatenate([[-np.inf], column[rows], [np.inf]])
        at = np.flatnonzero(values[:-1] < values[1:])
        counts = np.zeros((len(data.classes), len(rows) + 1), np.intp)
        np.cumsum(data.y[rows] == _classes(data), axis=1, out=counts[:, 1:])
        whole = counts[:, -1:]
        before = counts[:, at]
        some = _cost(spread, before, whole - before) <= most
        at = at[some]
        out.append(Survivors(values[at], values[at + 1], before[:, some], whole, column))
    return out


def least_costs(data: Dataset, spread: Spread, side: Side, found: list[Survivors]) -> Floats:
    """What the best of these leaves at least on the side of each root cut: rows times impurity.

    Movers between the values beside a place are left out: they may go either way.
    """
    out = np.full(len(side.taken), np.inf)
    for one in found:
        for cost in _tables(data, spread, side, one):
            np.minimum(out, cost.min(axis=0), out=out)
    return out


def leaf_costs(data: Dataset, spread: Spread, side: Side) -> Floats:
    """What the side of each root cut costs without a cut: rows times impurity."""
    own = data.y[side.movers] == _classes(data)
    counts = np.zeros((len(own), len(side.movers) + 1), np.intp)
    np.cumsum(own, axis=1, out=counts[:, 1:])
    base = np.bincount(data.y[side.base], minlength=len(own))
    return _spread(spread, base[:, None] + counts[:, side.taken])


def _tables(data: Dataset, spread: Spread, side: Side, found: Survivors) -> Iterator[Floats]:
    """The costs of survivors on the sides of all cuts, (s, cuts), piece by piece."""
    values, own = found.line[side.movers], data.y[side.movers] == _classes(data)
    size = max(CELLS // max(len(values), 1), 1)
    for first in range(0, len(found), size):
        piece = slice(first, first + size)
        halves = []
        for goes, base in (
            (values <= found.lower[piece, None], found.before[:, piece]),
            (values >= found.upper[piece, None], found.whole - found.before[:, piece]),
        ):
            counts = np.zeros((len(own), len(goes), len(values) + 1), np.intp)
            np.cumsum(goes & own[:, None], axis=2, out=counts[..., 1:])
            halves.append(base[..., None] + counts[..., side.taken])
        yield _cost(spread, *halves)


def _classes(data: Dataset) -> Ints:
    return np.arange(len(data.classes))[:, None]


def _cost(spread: Spread, left: Ints, right: Ints) -> Floats:
    """What two groups leave together, from the counts of their classes, (K, ...)."""
    return _spread(spread, left) + _spread(spread, right)


def _spread(spread: Spread, counts: Ints) -> Floats:
    """The spread of groups; of an empty one 0."""
    flat = counts.reshape(len(counts), -1)
    n = flat.sum(axis=0)
    out = np.where(n > 0, spread(flat, np.maximum(n, 1)), 0.0)
    return np.asarray(out.reshape(counts.shape[1:]))
