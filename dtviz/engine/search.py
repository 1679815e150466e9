"""Every candidate of many nodes at once, and the best of each.

Glossary
    cut        a place in a segment between two groups of a tally; its threshold lies half-way
    tie        two cuts whose scores differ by no more than rounding

A frontier of one node is a single step, a frontier of many is a whole level: one scan serves both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.arrange import arranged
from dtviz.engine.criteria import Criterion, Running, Sides
from dtviz.engine.frontier import Frontier, frontier, starts_of
from dtviz.engine.least import ONE_ROW, Least
from dtviz.engine.missing import LEARNED, Policy, arrived, missing_first, twins
from dtviz.engine.splits import (
    HALF,
    LEFT,
    RIGHT,
    Axis,
    Known,
    Missing,
    Projection,
    Split,
    Splits,
    Subset,
    axis_of,
    feature_of,
    goes_left,
    midpoint,
    naming,
)
from dtviz.engine.sums import Amounts
from dtviz.engine.tally import COUNT, Tally, tally
from dtviz.table.data import Dataset, read_only

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

Named = tuple[int, ...]
Orders = Mapping[int, Named]
NOTHING_NAMED: Mapping[int, Named] = MappingProxyType({})
NOTHING_ORDERED: Orders = MappingProxyType({})
NOTHING_SETTLED: Mapping[int, Split] = MappingProxyType({})

ROUNDING = 1e-12
"""Scores closer than this (times the node's variance, for numbers) are equal."""

np.empty(31 << 20, np.uint8)
# glibc maps a block afresh, page by page, if it is larger than any it has seen freed. Freeing one
# of 31 MiB, never touched, keeps our scratch arrays on its heap from then on: fits of 10,000 to
# 100,000 rows take a third of the time. Elsewhere the line does nothing.


class Cuts(NamedTuple):
    """One entry a cut of the frontier, ordered by line, node, threshold; arrays (cuts,).

    `group` is the group just left of each cut, `node` its node in the frontier; `per_segment`
    counts the cuts of each line and node, shape (L, m); `values` are those of the tally's groups.
    `spread` is that of both sides, (2, cuts), as Sides has them; `weight` is each node's, (m,).
    The values of the lines in `categories` are codes, in the order of each node. `left` says which
    cuts send rows without a value left, and `asked` which have such rows; None: there are none.
    `part` is the share of its node's weight that a cut parts, where it is not all.
    """

    group: Ints
    node: Ints
    per_segment: Ints
    sizes: Ints
    values: Floats
    sides: Sides
    spread: Floats
    score: Floats
    tolerance: Floats
    weight: NDArray[Any]
    categories: tuple[int, ...] = ()
    left: Bools | None = None
    asked: Bools | None = None
    of_known: NDArray[Any] | None = None
    part: Floats | None = None

    @property
    def lower(self) -> Floats:
        """The value just left of each cut."""
        return self.beside(np.arange(len(self.group)))[0]

    @property
    def upper(self) -> Floats:
        """The value just right of each cut."""
        return self.beside(np.arange(len(self.group)))[1]

    def beside(self, at: Ints) -> tuple[Floats, Floats]:
        """The values left and right of some cuts; infinite where only missing ones are."""
        group = self.group.take(at)
        lower, upper = self.values.take(group), self.values.take(group + 1)
        if self.left is None:
            return lower, upper
        return np.where(np.isnan(lower), -np.inf, lower), np.where(np.isnan(upper), np.inf, upper)

    def between(self, lower: Floats, upper: Floats) -> Floats:
        """The thresholds half-way between such values; infinite where one is."""
        middle = midpoint(lower, upper)
        return middle if self.left is None else np.where(upper == np.inf, np.inf, middle)

    def lines_of(self, at: Ints) -> Ints:
        """The lines along which cuts `at` stand."""
        ends = self.per_segment.sum(axis=1).cumsum()
        return np.asarray(ends.searchsorted(at, side="right"))

    def sends_left(self, at: Ints, behind: Bools) -> Bools | None:
        """Which of some cuts send rows that lack the value left; None: the rows alone tell it.

        Where no row of a node lacks one, or they do not count, they go with most of the others: of
        equally many to the right as in scikit-learn, or to the left as in rpart. Left is what is
        named `behind` some cuts.
        """
        if self.left is None and self.part is None and self.sides.weight is self.sides.n:
            return None
        sides = self.sides.weight.take(at, axis=1)
        one, other = np.where(behind, sides[::-1], sides)
        if self.part is not None:
            return np.asarray(one >= other)
        if self.left is None or self.asked is None:
            return np.asarray(one > other)
        return np.where(self.asked.take(at), self.left.take(at) ^ behind, one > other)

    def named(self, cut: int, line: int) -> tuple[Named, bool]:
        """The codes that a cut of a category names, and whether they stand behind it."""
        groups = self.sizes.ravel()
        segment = line * self.per_segment.shape[1] + int(self.node[cut])
        first = int(groups[:segment].sum())
        values = self.values[first : first + int(groups[segment])]
        order = values[~np.isnan(values)].astype(np.intp).tolist()
        left = int(self.group[cut]) + 1 - first
        behind = bool(_turned(self.known[:, cut], left, len(order)))
        return tuple(sorted(order[left:] if behind else order[:left])), behind

    @property
    def known(self) -> NDArray[Any]:
        """What the rows with a value weigh left and right of each cut, (2, cuts)."""
        return self.sides.weight if self.of_known is None else self.of_known


def _turned(known: NDArray[Any], left: Any, values: Any) -> Any:
    """Whether what stands behind cuts of a category is named: the lighter side, then the shorter.

    `known` is what their sides weigh, (2, cuts), `left` how many of its `values` stand before each.
    """
    one, other = known
    heavy = (one > other) | ((one == other) & (2 * left > values))
    return heavy & (left < values)  # behind all values stand only missing ones


class _Reader(NamedTuple):
    """Reads sums off a tally: left and right of c cuts, and of t wholes, flat (2 c + t,).

    `cuts` says how many groups come before each cut's segment, before the cut, and before the
    segment's end, (3, c); `wholes` how many before each whole and before its end, (2, t). The cuts
    have their `node` and their `whole`, (c,); the wholes are the nodes, or, where rows were left
    out, the segments that have cuts, each of the node `of_whole`. What stands between the two
    places `beside` each cut, (2, c), is on its left too.
    """

    cuts: Ints
    wholes: Ints
    node: Ints
    whole: Ints
    of_whole: Ints | None = None
    beside: Ints | None = None

    def read(self, amounts: Amounts | None, unit: Floats | None = None) -> NDArray[Any]:
        """The sums of one statistic, running sums apart; of None each group has 1."""
        cuts, wholes, beside = self.cuts, self.wholes, self.beside
        if amounts is not None:
            running = _running(amounts)
            cuts, wholes = running.take(cuts), running.take(wholes)
            beside = None if beside is None else running.take(beside)
        below = 2 * cuts.shape[1]
        out = np.empty(below + wholes.shape[1], cuts.dtype)
        np.subtract(cuts[1:], cuts[:-1], out=out[:below].reshape(2, -1))
        np.subtract(wholes[1], wholes[0], out=out[below:])
        if beside is not None:
            out[: cuts.shape[1]] += beside[1] - beside[0]
        if unit is None:
            return out
        each = unit.take(self.node)
        whole = unit if self.of_whole is None else unit.take(self.of_whole)
        return np.asarray(out * np.concatenate([each, each, whole]))


class Best(NamedTuple):
    """The best cut of each node, arrays (m,); where `cut` is -1 no cut is admissible.

    `any_cut` says whether there is a cut at all, `any_large` one with rows enough on each side.
    `weight` is that of the node's rows: their number, where they have no weights. `named` are the
    codes that the cut of a category sends left, by node; its threshold is that of all subsets.
    `left` says which of the cuts send rows that lack the value left; None: those with more rows
    there. `settled` are the splits, by node, that send those rows by more than a side.
    """

    cut: Ints
    line: Ints
    lower: Floats
    upper: Floats
    threshold: Floats
    gain: Floats
    any_cut: Bools
    any_large: Bools
    weight: NDArray[Any]
    named: Mapping[int, Named] = NOTHING_NAMED
    left: Bools | None = None
    settled: Mapping[int, Split] = NOTHING_SETTLED

    def split(self, node: int, projections: Sequence[Projection]) -> Split:
        """The best cut of a node, along these lines."""
        one = projections[self.line[node]]
        if node in self.named:
            return naming(one, self.named[node])
        return split_at(one, float(self.threshold[node]))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Every cut of one node, ordered by line then threshold; all arrays have shape (cuts,).

    A line is a projection; `line` says at which place of `projections` that of each cut stands.
    `n_left` counts rows, `weight_left` is what they weigh: the same where rows have no weights.
    `score` ranks them (the gain, unless the criterion has a measure of its own); `best` is the
    index of the winner or None; `tied` marks every admissible cut that scores as much. `orders` has
    the codes of each line that is a category, as the node orders them: its thresholds are places
    between them, or a place whose value alone goes left. Where it is `turned`, what stands behind
    goes left. `missing_left` says where rows without the value go, None where no row of the table
    lacks one; a threshold is infinite where they stand alone.
    """

    projections: tuple[Projection, ...]
    line: Ints
    threshold: Floats
    lower: Floats
    upper: Floats
    n_left: Ints
    n_right: Ints
    weight_left: NDArray[Any]
    weight_right: NDArray[Any]
    impurity_left: Floats
    impurity_right: Floats
    gain: Floats
    score: Floats
    admissible: Bools
    boundary: Bools
    tied: Bools
    best: int | None
    orders: Orders = field(default_factory=lambda: NOTHING_ORDERED)
    turned: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    missing_left: Bools | None = None

    def __post_init__(self) -> None:
        read_only(self)

    def __len__(self) -> int:
        return len(self.line)

    def split(self, index: int) -> Split:
        """The split of cut `index`."""
        one, order = self.projections[self.line[index]], self.orders.get(int(self.line[index]))
        place = float(self.threshold[index])
        if order is None or math.isinf(place):
            return split_at(one, place, self._missing(index))
        left = int(place + HALF)
        named = order[left:] if self.turned[index] else order[:left]
        if place == left:
            named = order[left : left + 1]
        return naming(one, named)._replace(missing=self._missing(index))

    def _missing(self, index: int) -> Missing:
        return LEFT if self.missing_left is not None and self.missing_left[index] else RIGHT

    @property
    def alone(self) -> Bools:
        """Which cuts part one value of a category from the rest."""
        whole = self.threshold == np.floor(self.threshold)
        return np.asarray(
            np.isin(self.line, list(self.orders)) & np.isfinite(self.threshold) & whole
        )

    def axis(self, index: int) -> int | None:
        """The feature along whose axis cut `index` stands, or None."""
        return axis_of(self.projections[self.line[index]])

    def of_line(self, line: int) -> slice:
        """Where the cuts of one line stand."""
        first, last = np.searchsorted(self.line, [line, line + 1])
        return slice(int(first), int(last))

    def along(self, feature: int) -> slice:
        """Where the cuts that stand along the axis of a feature are; nowhere if none does."""
        places = map(axis_of, self.projections)
        line = next((at for at, axis in enumerate(places) if axis == feature), None)
        return slice(0, 0) if line is None else self.of_line(line)

    def find(self, split: Split) -> int | None:
        """The index of the cut with exactly this split, or None."""
        if split.projection not in self.projections:
            feature = feature_of(split.projection)
            span = slice(0, 0) if feature is None else self.along(feature)
            some = range(span.start, span.stop)
            return next((at for at in some if self.split(at) == split), None)
        span = self.of_line(self.projections.index(split.projection))
        at = span.start + int(np.searchsorted(self.threshold[span], split.threshold))
        found = at < span.stop and self.threshold[at] == split.threshold
        return at if found else None


def split_at(projection: Projection, threshold: float, missing: Missing = RIGHT) -> Split:
    """The split at a place on a line; an infinite one parts known from missing values."""
    feature = feature_of(projection)
    if math.isinf(threshold) and feature is not None:
        return Split(Known(feature, missing_left=threshold < 0), HALF)
    return Split(projection, threshold, missing)


def scan(
    data: Dataset,
    front: Frontier,
    criterion: Criterion,
    least: Least = ONE_ROW,
    policy: Policy = LEARNED,
) -> Cuts:
    """Every cut of every node of the frontier with its gain and score, in one pass."""
    found = arrived(tally(data, front, criterion.impurity.statistics), policy)
    return searched(_arranged(data, found, criterion, least), criterion, policy)


def _arranged(data: Dataset, found: Tally, criterion: Criterion, least: Least) -> Tally:
    """The tally, with the values of its categories as they are cut."""
    lines = [line for line, levels in enumerate(data.levels) if levels]
    return arranged(found, lines, criterion, least) if lines else found


def searched(found: Tally, criterion: Criterion, policy: Policy) -> Cuts:
    """Every cut of a tally; where rows lack a value, as the policy sends them."""
    if found.gaps is None:
        return rank(found, criterion)
    asked = found.gaps.ravel().repeat((found.per_segment - 1).ravel())
    if policy.left:
        (turn,) = policy.searches
        return rank(turn(found), criterion)._replace(left=np.ones_like(asked), asked=asked)
    right, left = rank(found, criterion), _with_missing_left(found, criterion)
    apart, room, known = left.score - right.score, right.tolerance.take(right.node), None
    lower = apart > room
    if found.categories:
        known = np.array([right.sides.weight[0], left.sides.weight[1]])
        lower |= (apart >= -room) & _named_behind(found, right, known)
    lower &= asked

    def better(of_right: Floats, of_left: Floats) -> Floats:
        return np.where(lower, of_left, of_right)

    n, gain = better(right.sides.n, left.sides.n), better(right.sides.gain, left.sides.gain)
    plain = right.sides.weight is right.sides.n
    weight = n if plain else better(right.sides.weight, left.sides.weight)
    return right._replace(
        sides=Sides(right.sides.sums, n, weight, gain),
        spread=better(right.spread, left.spread),
        score=gain if right.score is right.sides.gain else better(right.score, left.score),
        left=lower,
        asked=asked,
        of_known=known,
    )


def _with_missing_left(found: Tally, criterion: Criterion) -> Cuts:
    """The same cuts with the missing rows on their left, but for those from the known ones."""
    if not criterion.impurity.statistics.ordered:
        return rank(found, criterion, left=True)
    cuts, twin = rank(missing_first(found), criterion), twins(found)
    n, weight = (of.take(twin, axis=1) for of in (cuts.sides.n, cuts.sides.weight))
    return cuts._replace(
        sides=Sides(cuts.sides.sums, n, weight, cuts.sides.gain.take(twin)),
        spread=cuts.spread.take(twin, axis=1),
        score=cuts.score.take(twin),
    )


def _named_behind(found: Tally, cuts: Cuts, known: NDArray[Any]) -> Bools:
    """Which cuts are of a category and name what stands behind them."""
    out = np.zeros(len(cuts.node), np.bool_)
    if found.categories and found.gaps is not None:
        line = cuts.lines_of(np.arange(len(cuts.node)))
        its = np.flatnonzero(np.isin(line, found.categories))
        segment = line[its] * len(found.node_weight) + cuts.node[its]
        left = cuts.group[its] + 1 - starts_of(found.per_segment.ravel())[segment]
        values = (found.per_segment - found.gaps).ravel()[segment]
        out[its] = _turned(known[:, its], left, values)
    return out


def rank(found: Tally, criterion: Criterion, left: bool = False) -> Cuts:
    """Every cut between the groups of a tally with its gain and score.

    Missing rows, the last group, stand right of each cut; or, where `left`, left of all but the
    cut that parts them from the others.
    """
    reader = _reader(found)
    if left and found.gaps is not None:
        reader = _to_the_left(reader, found.gaps.ravel().repeat(_counts(found).ravel()))
    node, c = reader.node, len(reader.node)
    n = reader.read(found.n)
    weight = n if found.weight is None else reader.read(found.weight, found.weight_unit)
    sums = partial(_sums, found, reader, weight)
    spread = criterion.impurity.spread(sums(), weight)
    below = spread[: 2 * c].reshape(2, c)
    gain = below[0] + below[1]
    np.subtract(spread[2 * c :].take(reader.whole), gain, out=gain)
    gain /= weight[2 * c :].astype(np.float64).take(reader.whole)
    part = _part(found)
    if part is not None:
        gain *= part
    if found.worth is not None:
        gain *= found.worth.take(node)
    m = len(found.node_weight)
    tolerance = np.full(m, ROUNDING) if found.scale is None else ROUNDING * found.scale
    least = ROUNDING if found.scale is None else tolerance.take(node)
    np.copyto(gain, 0.0, where=gain <= least)
    sized = n[: 2 * c].reshape(2, c)
    weight = sized if weight is n else weight[: 2 * c].reshape(2, c)
    sides = Sides(lambda: (of[: 2 * c].reshape(2, c) for of in sums()), sized, weight, gain)
    score = gain if criterion.measure is None else criterion.measure.score(sides)
    return Cuts(
        group=reader.cuts[1] - 1,
        node=node,
        per_segment=_counts(found),
        sizes=found.per_segment,
        values=found.values,
        sides=sides,
        spread=below,
        score=score,
        tolerance=tolerance,
        weight=found.node_weight,
        categories=found.categories,
        part=part,
    )


def _counts(found: Tally) -> Ints:
    """The number of cuts of each line and node, (L, m)."""
    counts = found.per_segment - 1
    return counts if found.part is None else np.maximum(counts, 0)


def _part(found: Tally) -> Floats | None:
    """The share of its node's weight that each cut parts, where it is not all."""
    return None if found.part is None else found.part.ravel().repeat(_counts(found).ravel())


def _reader(found: Tally) -> _Reader:
    """A cut stands behind every group but a segment's last."""
    sizes, m = found.per_segment.ravel(), found.per_segment.shape[1]
    ends, segment = sizes.cumsum(), np.arange(len(sizes))
    starts = ends - sizes
    if found.part is None:
        cuts = np.array([starts, segment + 1, ends, segment % m]).repeat(sizes - 1, axis=1)
        cuts[1] += np.arange(cuts.shape[1])
        return _Reader(cuts[:3], np.array([starts[:m], ends[:m]]), cuts[3], cuts[3])
    counts = _counts(found).ravel()
    some = np.flatnonzero(counts)
    whole = np.zeros(len(sizes), np.intp)
    whole[some] = np.arange(len(some))
    before = starts - starts_of(counts) + 1
    cuts = np.array([starts, before, ends, segment % m, whole]).repeat(counts, axis=1)
    cuts[1] += np.arange(cuts.shape[1])
    wholes = np.array([starts[some], ends[some]])
    return _Reader(cuts[:3], wholes, cuts[3], cuts[4], some % m)


def _to_the_left(reader: _Reader, gaps: Bools) -> _Reader:
    """The reader that counts missing rows left of the cuts that have some; `gaps` (c,) says which.

    A cut that parts these from all others stays as it is.
    """
    starts, after, ends = reader.cuts
    known = ends - gaps
    ends_here = np.where(after == known, ends, known)
    cuts, beside = np.array([starts, after, ends_here]), np.array([ends_here, ends])
    return reader._replace(cuts=cuts, beside=beside)


def _sums(found: Tally, reader: _Reader, weight: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """One statistic after the other, as the reader gives them."""
    rest = weight
    for amounts in found.sums():
        read = reader.read(amounts, found.unit)
        if found.partition:
            rest = rest - read
        yield read
    if found.partition:
        yield rest


def best(cuts: Cuts, front: Frontier, least: Least = ONE_ROW) -> Best:
    """The best admissible cut of each node; ties go to the lowest feature, then threshold."""
    m = len(front.sizes)
    score = cuts.score
    if least != ONE_ROW:
        score = np.where(admissible(cuts, least), score, np.nan)
    highest = _highest(score, cuts.per_segment)
    limit = np.fmax.reduce(highest, axis=0) - cuts.tolerance
    equal = (score >= limit.take(cuts.node)).nonzero()[0][::-1]
    first = np.full(m, -1, np.intp)
    first[cuts.node.take(equal)] = equal  # written backwards: the first of equal cuts stays
    any_cut = np.asarray(cuts.per_segment.any(axis=0))
    any_large = first >= 0
    if least.weight:
        any_large[cuts.node.compress(least.many(cuts.sides.n))] = True
    if not len(cuts.node):
        line, none = np.zeros(m, np.intp), np.full(m, np.nan)
        return Best(first, line, none, none, none, none, any_cut, any_large, cuts.weight)
    at = np.maximum(first, 0)
    line = (highest >= limit).argmax(axis=0)
    lower, upper = cuts.beside(at)
    middle, gain = cuts.between(lower, upper), cuts.sides.gain.take(at)
    named, behind = dict[int, Named](), np.zeros(m, np.bool_)
    if cuts.categories:
        of_category = np.isin(line, cuts.categories) & (first >= 0) & np.isfinite(middle)
        lower[of_category], middle[of_category], upper[of_category] = 0.0, HALF, 1.0
        for j in np.flatnonzero(of_category).tolist():
            named[j], behind[j] = cuts.named(int(first[j]), int(line[j]))
    if cuts.left is not None:
        known = np.isinf(middle)
        lower[known], upper[known] = 0.0, 1.0
    left = cuts.sends_left(at, behind)
    return Best(
        first, line, lower, upper, middle, gain, any_cut, any_large, cuts.weight, named, left
    )


def _highest(score: Floats, per_segment: Ints) -> Floats:
    """The highest score of each line and node, (L, m); -inf or NaN where it has none."""
    sizes = per_segment.ravel()
    some = sizes.nonzero()[0]
    out = np.full(len(sizes), -np.inf)
    if len(some):
        out[some] = np.fmax.reduceat(score, starts_of(sizes).take(some))
    return out.reshape(per_segment.shape)


def divide(
    data: Dataset, front: Frontier, splits: Best, whole: Dataset | None = None
) -> tuple[Bools, Ints]:
    """Which of the frontier's rows go left at their node's best cut, and the sizes of the children.

    The first answer has shape (N,) and follows `front.rows[0]`; the second (2 m,), all left ones
    before all right ones. Nodes without a cut keep all left. The columns of `data` are those that
    the search ran along, those of `whole` the features.
    """
    lines: list[Projection] = list(map(Axis, range(len(data.columns))))
    limits, which = np.where(splits.cut < 0, np.inf, splits.threshold), splits.line
    if splits.named:
        which = which.copy()
        for node, codes in splits.named.items():
            lines.append(Subset(int(which[node]), codes))
            which[node] = len(lines) - 1
    cut = Splits(tuple(lines), which, limits, splits.left if any(data.gaps) else None)
    left = goes_left(cut, data.columns, front.rows[0], front.owner)
    for node, split in splits.settled.items():
        own = slice(int(front.starts[node]), int(front.starts[node] + front.sizes[node]))
        left[own] = goes_left(split, (whole or data).columns, front.rows[0][own])
    n_left = np.add.reduceat(left, front.starts, dtype=np.intp)
    return left, np.concatenate([n_left, front.sizes - n_left])


def candidates(
    data: Dataset,
    rows: Ints,
    criterion: Criterion,
    least: Least = ONE_ROW,
    projections: Sequence[Projection] | None = None,
    policy: Policy = LEARNED,
) -> Candidates:
    """Every candidate of the node that holds `rows`, with all that is shown of it.

    The columns of `data` are the scores of the `projections`, the features themselves by default.
    """
    data, orders = _ordered(data, rows, criterion, least, policy)
    front = frontier(data, [rows])
    found = arrived(tally(data, front, criterion.impurity.statistics), policy)
    cuts = searched(found, criterion, policy)
    every = np.arange(len(cuts.node))
    line, (lower, upper) = cuts.lines_of(every), cuts.beside(every)
    winner = int(best(cuts, front, least).cut[0])
    allowed = admissible(cuts, least)
    weight, n = cuts.sides.weight, cuts.sides.n
    if found.weight_unit is not None:
        weight = weight * found.node_weight[0]
    top = cuts.score[winner] if winner >= 0 else np.inf
    place = cuts.between(lower, upper)
    impurity, boundary = _beside(data, front, found, cuts, criterion, policy)
    turned = _turned_of(cuts, line, place, orders)
    if turned.any():
        n, weight, impurity = (np.where(turned, of[::-1], of) for of in (n, weight, impurity))
    return Candidates(
        projections=tuple(projections or map(Axis, range(len(data.columns)))),
        line=line,
        threshold=place,
        lower=lower,
        upper=upper,
        n_left=n[0],
        n_right=n[1],
        weight_left=weight[0],
        weight_right=weight[1],
        impurity_left=impurity[0],
        impurity_right=impurity[1],
        gain=cuts.sides.gain,
        score=cuts.score,
        admissible=allowed,
        boundary=boundary,
        tied=allowed & (cuts.score >= top - cuts.tolerance),
        best=winner if winner >= 0 else None,
        orders=orders,
        turned=turned,
        missing_left=cuts.sends_left(every, turned) if any(data.gaps) else None,
    )


def _turned_of(cuts: Cuts, line: Ints, place: Floats, orders: Orders) -> Bools:
    """Which cuts name what stands behind them in the order of their category."""
    out = np.zeros(len(line), np.bool_)
    for one, order in orders.items():
        its = np.flatnonzero(line == one)
        left = np.minimum(place[its] + HALF, len(order)).astype(np.intp)
        out[its] = _turned(cuts.known[:, its], left, len(order))
    return out


def _ordered(
    data: Dataset, rows: Ints, criterion: Criterion, least: Least, policy: Policy
) -> tuple[Dataset, Orders]:
    """The data with places in the node's order for the codes of its categories, and these orders.

    From there on a category is cut as a number is.
    """
    if not any(data.levels):
        return data, NOTHING_ORDERED
    found = tally(data, frontier(data, [rows]), criterion.impurity.statistics)
    found = _arranged(data, arrived(found, policy), criterion, least)
    ends, columns, orders = found.per_segment.ravel().cumsum(), data.columns.copy(), {}
    for line in found.categories:
        first = int(ends[line] - found.per_segment[line, 0])
        codes = found.values[first : int(ends[line])]
        codes = codes[~np.isnan(codes)].astype(np.intp)
        place = np.full(len(data.levels[line]) + 1, np.nan)  # the last is of those without a value
        place[codes] = np.arange(len(codes))
        own = columns[line]
        columns[line] = place.take(np.where(np.isnan(own), -1, own).astype(np.intp))
        orders[line] = tuple(codes.tolist())
    return replace(data, columns=columns, levels=()), MappingProxyType(orders)


def _running(values: NDArray[Any]) -> NDArray[Any]:
    """Sums of the first 0, 1, ..., n values, shape (n + 1,)."""
    total = np.zeros(len(values) + 1, COUNT if values.dtype == np.bool_ else values.dtype)
    values.cumsum(out=total[1:], dtype=total.dtype)
    return total


def admissible(cuts: Cuts, least: Least) -> Bools:
    """Which cuts leave enough on each side."""
    return least.enough(cuts.sides.n, cuts.sides.weight, cuts.weight.take(cuts.node))


def _beside(
    data: Dataset, front: Frontier, found: Tally, cuts: Cuts, criterion: Criterion, policy: Policy
) -> tuple[Floats, Bools]:
    """The impurity left and right of each cut of one node, (2, cuts), and its boundary points."""
    running = criterion.impurity.running
    turns = [found] if found.gaps is None else [turn(found) for turn in policy.searches]
    seen = [_along(data, front, turn, running) for turn in turns]
    if len(seen) > 1 and cuts.left is not None:
        (right, edge), (left, other) = seen
        twin = twins(found)
        impurity = np.where(cuts.left, left.take(twin, axis=1), right)
        boundary = np.where(cuts.left, other.take(twin), edge)
    else:
        ((impurity, boundary),) = seen
    if running is None:
        impurity = np.maximum(cuts.spread / cuts.sides.weight, 0.0)
    return impurity, boundary


def _along(
    data: Dataset, front: Frontier, found: Tally, running: Running | None
) -> tuple[Floats, Bools]:
    """What the rows in the order of a tally say of its cuts: see `_beside`."""
    rows = front.rows.ravel()
    if found.entries is not None and found.entries.at is not None:
        rows = rows.take(found.entries.at)
    behind = found.sizes.cumsum()
    starts, after, ends = np.append(0, behind).take(_reader(found).cuts)
    last = after - 1
    impurity = np.zeros((2, len(last)))
    if running is not None:
        left, right = np.empty(len(rows)), np.empty(len(rows))
        for start, end in zip(np.unique(starts).tolist(), np.unique(ends).tolist(), strict=True):
            own = rows[start:end]
            left[start:end] = _impurities(data, own, running)
            right[start:end] = _impurities(data, own[::-1], running)[::-1]
        impurity = np.array([left.take(last), right.take(after)])
    return impurity, _boundary(data.y.take(rows), last, starts, ends)


def _impurities(data: Dataset, rows: Ints, running: Running) -> Floats:
    """The impurity of the first 1, 2, ... of some rows."""
    weights = None if data.weights is None else data.weights.take(rows)
    return running(data.y.take(rows), weights)


def _boundary(y: NDArray[Any], place: Ints, starts: Ints, ends: Ints) -> Bools:
    """Whether the rows at the two values beside a cut differ in y [C]; fades hopeless cuts.

    The line of a cut has the rows from `starts` to `ends`.
    """
    change = _running(y[1:] != y[:-1])
    before = np.zeros(len(place), np.intp)
    before[1:] = place[:-1] + 1
    after = np.full(len(place), len(y) - 1, np.intp)
    after[:-1] = place[1:]
    first, last = np.maximum(before, starts), np.minimum(after, ends - 1)
    return np.asarray(change.take(last) > change.take(first))
