"""Every cut of many nodes at once, with its gain and score.

Glossary
    cut        a place in a segment between two groups of a tally; its threshold lies half-way
    tie        two cuts whose scores differ by no more than rounding

A frontier of one node is a single step, a frontier of many is a whole level: one scan serves both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion, Sides
from dtviz.engine.criteria.statistics import Amounts
from dtviz.engine.search.category_order import arranged
from dtviz.engine.search.frontier import Frontier, starts_of
from dtviz.engine.search.histogram import COUNT, Tally, tally
from dtviz.engine.search.minimum import ADMISSIBLE, ONE_ROW, Grades, Least
from dtviz.engine.search.missing import LEARNED, Policy, arrived, missing_first, twins
from dtviz.engine.splits import midpoint

Named = tuple[int, ...]

np.empty(31 << 20, np.uint8)
# glibc maps a block afresh, page by page, if it is larger than any it has seen freed. Freeing one
# of 31 MiB, never touched, keeps our scratch arrays on its heap from then on: fits of 10,000 to
# 100,000 rows take a third of the time. Elsewhere the line does nothing.


class Cuts(NamedTuple):
    """One entry a cut of the frontier, ordered by line, node, threshold; arrays (cuts,).

    `group` is the group just left of each cut, `node` its node in the frontier; `per_segment`
    counts the cuts of each line and node, shape (L, m); `values` are those of the tally's groups.
    `spread` is that of both sides, (2, cuts), as Sides has them; `weight` is each node's, (m,).
    The values of the segments in `categories`, (L, m), are codes, in the order of each node. `left`
    says which cuts send rows without a value left, and `asked` which have such rows; None: there
    are none. `part` is the share of its node's weight that a cut parts, where it is not all;
    `known_alone` says that rows without a value do not count. `grades`, (cuts,), are those of
    `Least`; None: each cut is admissible.
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
    categories: Bools | None = None
    left: Bools | None = None
    asked: Bools | None = None
    of_known: NDArray[Any] | None = None
    part: Floats | None = None
    known_alone: bool = False
    grades: Grades | None = None

    @property
    def admissible(self) -> Bools:
        """Mask of the cuts that leave enough on each side, (cuts,)."""
        if self.grades is None:
            return np.ones(len(self.node), np.bool_)
        return np.asarray(self.grades == ADMISSIBLE)

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
        group = self.group[at]
        lower, upper = self.values[group], self.values[group + 1]
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

    def sends_left(self, at: Ints, behind: Bools | None = None) -> Bools | None:
        """Which of some cuts send rows that lack the value left; None: the rows alone tell it.

        Where no row of a node lacks one, or they do not count, they go with most of the others: of
        equally many to the right as in scikit-learn, or to the left as in rpart. Left is what is
        named `behind` some cuts.
        """
        if self.left is None and self.part is None and self.sides.weight is self.sides.n:
            return None
        sides = self.sides.weight.take(at, axis=1)
        behind = np.zeros(len(at), np.bool_) if behind is None else behind
        one, other = np.where(behind, sides[::-1], sides)
        if self.known_alone:
            return np.asarray(one >= other)
        if self.left is None or self.asked is None:
            return np.asarray(one > other)
        return np.where(self.asked.take(at), self.left.take(at) ^ behind, one > other)

    def named(self, at: Ints, lines: Ints) -> tuple[list[Named], Bools]:
        """The codes that cuts of categories name, and whether they stand behind them, (k,)."""
        segment, groups = lines * self.per_segment.shape[1] + self.node[at], self.sizes.ravel()
        first, end = starts_of(groups)[segment], groups.cumsum()[segment]
        end -= np.isnan(self.values[end - 1])
        place = self.group[at] + 1
        behind = np.asarray(turned_sides(self.known[:, at], place - first, end - first))
        spans = np.where(behind, [place, end], [first, place]).T.tolist()
        return [tuple(sorted(self.values[a:b].astype(int).tolist())) for a, b in spans], behind

    @property
    def known(self) -> NDArray[Any]:
        """What the rows with a value weigh left and right of each cut, (2, cuts)."""
        return self.sides.weight if self.of_known is None else self.of_known


def turned_sides(known: NDArray[Any], left: Any, values: Any) -> Any:
    """Whether what stands behind cuts of a category is named: the lighter side, then the shorter.

    `known` is what their sides weigh, (2, cuts), `left` how many of its `values` stand before each.
    """
    one, other = known
    heavy = (one > other) | ((one == other) & (2 * left > values))
    return heavy & (left < values)  # behind all values stand only missing ones


class Reader(NamedTuple):
    """Reads sums off a tally: left and right of c cuts, and of t wholes, flat (2 c + t,).

    `cut` says how many groups come before each cut, (c,), `starts` and `ends` how many before each
    segment and before its end, `counts` how many cuts it has. The cuts have their `node`, (c,); the
    wholes are the nodes, or, where rows were left out, the segments that have cuts: `wholes` says
    which segments tell them, `of_whole` the node of each, `run` which of them the cuts part, in
    their order, and how many do. The last group of the segments with `gaps` is on the left of all
    their cuts but that beside it; None: of none.
    """

    cut: Ints
    starts: Ints
    ends: Ints
    counts: Ints
    node: Ints
    wholes: Ints | slice
    of_whole: Ints | slice
    run: tuple[Ints, Ints]
    gaps: Bools | None = None

    def read(self, amounts: Amounts | None, unit: Floats | None = None) -> NDArray[Any]:
        """The sums of one statistic, running sums apart; of None each group has 1."""
        at, before, behind = self.cut, self.starts, self.ends
        if amounts is not None:
            running = running_sums(amounts)
            at, before, behind = running.take(at), running.take(before), running.take(behind)
        c, whole = len(at), (behind - before)[self.wholes]
        out = np.empty(2 * c + len(whole), at.dtype)
        left, right, out[2 * c :] = out[:c], out[c : 2 * c], whole
        np.subtract(at, before.repeat(self.counts), out=left)
        np.subtract(behind.repeat(self.counts), at, out=right)
        if self.gaps is not None:
            last = self.gaps if amounts is None else amounts.take(self.ends - 1) * self.gaps
            beside = self._to_the_left(last)
            left += beside
            right -= beside
        if unit is None:
            return out
        each = unit.take(self.node)
        return np.asarray(out * np.concatenate((each, each, unit[self.of_whole])))

    def of_cuts(self, wholes: NDArray[Any]) -> NDArray[Any]:
        """What is known of the wholes, (t,), told of each cut, (c,)."""
        whole, many = self.run
        return wholes.take(whole).repeat(many)

    def _to_the_left(self, last: NDArray[Any]) -> NDArray[Any]:
        """What of the last groups is on the left of each cut, (c,), by segment."""
        out = last.repeat(self.counts)
        out[self.counts.cumsum()[self.counts > 0] - 1] = 0
        return out


def scan(
    data: Dataset,
    front: Frontier,
    criterion: Criterion,
    least: Least = ONE_ROW,
    policy: Policy = LEARNED,
) -> Cuts:
    """Every cut of every node of the frontier with its gain and score, in one pass."""
    found = arrived(tally(data, front, criterion.impurity.statistics), policy)
    return searched(in_order(data, found, criterion, least, front.lines), criterion, policy, least)


def in_order(
    data: Dataset, found: Tally, criterion: Criterion, least: Least, lines: Ints | None = None
) -> Tally:
    """The tally, with the values of its categories as they are cut.

    `lines` are those that its segments stand along, see `Frontier`.
    """
    if not any(data.levels):
        return found
    lines = np.arange(len(data.levels))[:, None] if lines is None else lines
    of_category = np.array([*map(bool, data.levels)]).take(lines)
    of_category = np.broadcast_to(of_category, found.per_segment.shape)
    return arranged(found, of_category, criterion, least) if of_category.any() else found


def searched(found: Tally, criterion: Criterion, policy: Policy, least: Least = ONE_ROW) -> Cuts:
    """Every cut of a tally; where rows lack a value, as the policy sends them.

    Where the policy tries both sides, the missing rows go to the side that leaves an admissible
    cut; where both do, or neither, to the side with the higher score.
    """
    if found.gaps is None:
        cuts = rank(found, criterion, least)
        return cuts if policy.counts_missing else cuts._replace(known_alone=True)
    asked = found.gaps.ravel().repeat((found.per_segment - 1).ravel())
    if policy.left:
        (turn,) = policy.searches
        cuts = rank(turn(found), criterion, least)
        return cuts._replace(left=np.ones_like(asked), asked=asked)
    right, left = rank(found, criterion, least), _with_missing_left(found, criterion, least)
    apart, room, known = left.score - right.score, right.tolerance.take(right.node), None
    lower = apart > room
    if found.categories is not None:
        known = np.array([right.sides.weight[0], left.sides.weight[1]])
        lower |= (apart >= -room) & _named_behind(found, right, known)
    grades = None
    if right.grades is not None and left.grades is not None:
        # An admissible side is never given up for a higher score: both are graded before.
        lower &= ~(right.admissible & ~left.admissible)
        lower |= left.admissible & ~right.admissible
        grades = np.where(asked, np.maximum(right.grades, left.grades), right.grades)
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
        grades=grades,
    )


def _with_missing_left(found: Tally, criterion: Criterion, least: Least) -> Cuts:
    """The same cuts with the missing rows on their left, but for those from the known ones."""
    if not criterion.impurity.statistics.ordered:
        return rank(found, criterion, least, left=True)
    cuts, twin = rank(missing_first(found), criterion, least), twins(found)
    n, weight = (of.take(twin, axis=1) for of in (cuts.sides.n, cuts.sides.weight))
    return cuts._replace(
        sides=Sides(cuts.sides.sums, n, weight, cuts.sides.gain.take(twin)),
        spread=cuts.spread.take(twin, axis=1),
        score=cuts.score.take(twin),
        grades=None if cuts.grades is None else cuts.grades.take(twin),
    )


def _named_behind(found: Tally, cuts: Cuts, known: NDArray[Any]) -> Bools:
    """Which cuts are of a category and name what stands behind them."""
    out = np.zeros(len(cuts.node), np.bool_)
    if found.categories is not None and found.gaps is not None:
        line = cuts.lines_of(np.arange(len(cuts.node)))
        its = np.flatnonzero(found.categories[line, cuts.node])
        segment = line[its] * len(found.node_weight) + cuts.node[its]
        left = cuts.group[its] + 1 - starts_of(found.per_segment.ravel())[segment]
        values = (found.per_segment - found.gaps).ravel()[segment]
        out[its] = turned_sides(known[:, its], left, values)
    return out


def rank(found: Tally, criterion: Criterion, least: Least = ONE_ROW, left: bool = False) -> Cuts:
    """Every cut between the groups of a tally with its gain, its score and its grade.

    Missing rows, the last group, stand right of each cut; or, where `left`, left of all but the
    cut that parts them from the others.
    """
    reader = reader_of(found)
    if left and found.gaps is not None:
        reader = reader._replace(gaps=found.gaps.ravel())
    node, c = reader.node, len(reader.node)
    n = reader.read(found.n)
    weight = n if found.weight is None else reader.read(found.weight, found.weight_unit)
    sums = partial(_sums, found, reader, weight)
    spread = criterion.impurity.spread(sums(), weight)
    below = spread[: 2 * c].reshape(2, c)
    gain = reader.of_cuts(spread[2 * c :])
    gain -= below[0] + below[1]
    gain /= reader.of_cuts(weight[2 * c :].astype(np.float64))
    part = None if found.part is None else found.part.ravel().repeat(reader.counts)
    if part is not None:
        gain *= part
    if found.worth is not None:
        gain *= found.worth.take(node)
    m = len(found.node_weight)
    tolerance = np.full(m, ROUNDING) if found.scale is None else ROUNDING * found.scale
    gain[gain <= (ROUNDING if found.scale is None else tolerance.take(node))] = 0.0
    sized = n[: 2 * c].reshape(2, c)
    weight = sized if weight is n else weight[: 2 * c].reshape(2, c)
    sides = Sides(lambda: (of[: 2 * c].reshape(2, c) for of in sums()), sized, weight, gain)
    score = gain if criterion.measure is None else criterion.measure.score(sides)
    grades = None
    if least != ONE_ROW:
        heavy = found.node_weight.take(node)
        excess = next(iter(sides.sums())) if least.above_zero else None
        grades = least.grades(sized, weight, heavy if part is None else heavy * part, excess)
    return Cuts(
        group=reader.cut - 1,
        node=node,
        per_segment=reader.counts.reshape(found.per_segment.shape),
        sizes=found.per_segment,
        values=found.values,
        sides=sides,
        spread=below,
        score=score,
        tolerance=tolerance,
        weight=found.node_weight,
        categories=found.categories,
        part=part,
        grades=grades,
    )


def reader_of(found: Tally) -> Reader:
    """Reads a tally at its cuts."""
    sizes, m = found.per_segment.ravel(), found.per_segment.shape[1]
    segment, ends = np.arange(len(sizes)), sizes.cumsum()
    starts = ends - sizes
    if found.cut is not None:
        cut, counts = found.cut[0] + 1, found.cut[1]
    else:
        counts = sizes - 1 if found.part is None else np.maximum(sizes - 1, 0)
        first = starts - starts_of(counts) + 1
        cut = first.repeat(counts)
        cut += np.arange(len(cut))
    of_segment = segment % m
    node = of_segment.repeat(counts)
    if found.part is None:
        nodes = slice(0, m)
        return Reader(cut, starts, ends, counts, node, nodes, nodes, (of_segment, counts))
    some = np.flatnonzero(counts)
    run = np.arange(len(some)), counts[some]
    return Reader(cut, starts, ends, counts, node, some, of_segment[some], run)


def _sums(found: Tally, reader: Reader, weight: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """One statistic after the other, as the reader gives them."""
    rest = weight
    for amounts in found.sums():
        read = reader.read(amounts, found.unit)
        if found.partition:
            rest = rest - read
        yield read
    if found.partition:
        yield rest


def running_sums(values: NDArray[Any]) -> NDArray[Any]:
    """Sums of the first 0, 1, ..., n values, shape (n + 1,)."""
    total = np.zeros(len(values) + 1, COUNT if values.dtype == np.bool_ else values.dtype)
    np.add.accumulate(values, out=total[1:], dtype=total.dtype)
    return total
