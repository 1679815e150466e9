"""Every candidate of many nodes at once, and the best of each.

Glossary
    cut        a place in a segment between two groups of a tally; its threshold lies half-way
    tie        two cuts whose scores differ by no more than rounding

A frontier of one node is a single step, a frontier of many is a whole level: one scan serves both.
"""

from __future__ import annotations

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
from dtviz.engine.splits import (
    HALF,
    Axis,
    Category,
    Projection,
    Split,
    Splits,
    Subset,
    axis_of,
    goes_left,
    midpoint,
    subset_split,
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
    The values of the lines in `categories` are codes, in the order of each node.
    """

    group: Ints
    node: Ints
    per_segment: Ints
    values: Floats
    sides: Sides
    spread: Floats
    score: Floats
    tolerance: Floats
    weight: NDArray[Any]
    categories: tuple[int, ...] = ()

    @property
    def lower(self) -> Floats:
        """The value just left of each cut."""
        return self.values.take(self.group)

    @property
    def upper(self) -> Floats:
        """The value just right of each cut."""
        return self.values.take(self.group + 1)

    def lines_of(self, at: Ints) -> Ints:
        """The lines along which cuts `at` stand."""
        ends = self.per_segment.sum(axis=1).cumsum()
        return np.asarray(ends.searchsorted(at, side="right"))

    def named(self, cut: int, line: int) -> Named:
        """The codes that a cut of a category names."""
        groups = self.per_segment.ravel() + 1
        segment = line * self.per_segment.shape[1] + int(self.node[cut])
        last = int(groups[: segment + 1].sum())
        order = self.values[last - int(groups[segment]) : last].astype(np.intp).tolist()
        left = int(self.group[cut]) + 1 - last + len(order)
        heavy = self.turned(np.array([cut]), np.array([left]), np.array([len(order)]))[0]
        return tuple(sorted(order[left:] if heavy else order[:left]))

    def turned(self, cuts: Ints, left: Ints, values: Ints) -> Bools:
        """Whether the right sides of cuts of a category are named: the lighter, then the shorter.

        `left` and `values` are the numbers of values left of each and in its node.
        """
        one, other = self.sides.weight[:, cuts]
        return np.asarray((one > other) | ((one == other) & (2 * left > values)))


class _Reader(NamedTuple):
    """Reads sums off a tally: left and right of c cuts, and of the m nodes, flat (2 c + m,).

    `cuts` says how many groups come before each cut's segment, before the cut, and before the
    segment's end, (3, c); `nodes` how many before each node's first segment and before its end,
    (2, m). The cuts have their `node`, (c,).
    """

    cuts: Ints
    nodes: Ints
    node: Ints

    def read(self, amounts: Amounts | None, unit: Floats | None = None) -> NDArray[Any]:
        """The sums of one statistic, running sums apart; of None each group has 1."""
        cuts, nodes = self.cuts, self.nodes
        if amounts is not None:
            running = _running(amounts)
            cuts, nodes = running.take(cuts), running.take(nodes)
        below = 2 * cuts.shape[1]
        out = np.empty(below + nodes.shape[1], cuts.dtype)
        np.subtract(cuts[1:], cuts[:-1], out=out[:below].reshape(2, -1))
        np.subtract(nodes[1], nodes[0], out=out[below:])
        if unit is None:
            return out
        each = unit.take(self.node)
        return np.asarray(out * np.concatenate([each, each, unit]))


class Best(NamedTuple):
    """The best cut of each node, arrays (m,); where `cut` is -1 no cut is admissible.

    `any_cut` says whether there is a cut at all, `any_large` one with rows enough on each side.
    `weight` is that of the node's rows: their number, where they have no weights. `named` are the
    codes that the cut of a category sends left, by node; its threshold is that of all subsets.
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

    def split(self, node: int, projections: Sequence[Projection]) -> Split:
        """The best cut of a node, along these lines."""
        one = projections[self.line[node]]
        if node in self.named and isinstance(one, Category):
            return subset_split(one.feature, self.named[node])
        return Split(one, float(self.threshold[node]))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Every cut of one node, ordered by line then threshold; all arrays have shape (cuts,).

    A line is a projection; `line` says at which place of `projections` that of each cut stands.
    `n_left` counts rows, `weight_left` is what they weigh: the same where rows have no weights.
    `score` ranks them (the gain, unless the criterion has a measure of its own); `best` is the
    index of the winner or None; `tied` marks every admissible cut that scores as much. `orders` has
    the codes of each line that is a category, as the node orders them: its thresholds are places
    between them, or a place whose value alone goes left. Where it is `turned`, what stands behind
    goes left.
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

    def __post_init__(self) -> None:
        read_only(self)

    def __len__(self) -> int:
        return len(self.line)

    def split(self, index: int) -> Split:
        """The split of cut `index`."""
        one, order = self.projections[self.line[index]], self.orders.get(int(self.line[index]))
        if order is None or not isinstance(one, Category):
            return Split(one, float(self.threshold[index]))
        place = float(self.threshold[index])
        left = int(place + HALF)
        if place == left:
            return subset_split(one.feature, order[left : left + 1])
        return subset_split(one.feature, order[left:] if self.turned[index] else order[:left])

    @property
    def alone(self) -> Bools:
        """Which cuts part one value of a category from the rest."""
        return np.asarray(np.isin(self.line, list(self.orders)) & (self.threshold % 1 == 0))

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
        if isinstance(split.projection, Subset):
            span = self.along(split.projection.feature)
            return next(
                (at for at in range(span.start, span.stop) if self.split(at) == split), None
            )
        if split.projection not in self.projections:
            return None
        span = self.of_line(self.projections.index(split.projection))
        at = span.start + int(np.searchsorted(self.threshold[span], split.threshold))
        found = at < span.stop and self.threshold[at] == split.threshold
        return at if found else None


def scan(data: Dataset, front: Frontier, criterion: Criterion, least: Least = ONE_ROW) -> Cuts:
    """Every cut of every node of the frontier with its gain and score, in one pass."""
    found = tally(data, front, criterion.impurity.statistics)
    return rank(_in_order(data, found, criterion, least), criterion)


def _in_order(data: Dataset, found: Tally, criterion: Criterion, least: Least) -> Tally:
    """The tally, with the values of its categories as they are cut."""
    lines = [line for line, levels in enumerate(data.levels) if levels]
    return arranged(found, lines, criterion, least) if lines else found


def rank(found: Tally, criterion: Criterion) -> Cuts:
    """Every cut between the groups of a tally with its gain and score."""
    reader = _reader(found)
    node, c = reader.node, len(reader.node)
    n = reader.read(found.n)
    weight = n if found.weight is None else reader.read(found.weight, found.weight_unit)
    sums = partial(_sums, found, reader, weight)
    spread = criterion.impurity.spread(sums(), weight)
    below = spread[: 2 * c].reshape(2, c)
    gain = below[0] + below[1]
    np.subtract(spread[2 * c :].take(node), gain, out=gain)
    gain /= weight[2 * c :].astype(np.float64).take(node)
    if found.worth is not None:
        gain *= found.worth.take(node)
    m = reader.nodes.shape[1]
    tolerance = np.full(m, ROUNDING) if found.scale is None else ROUNDING * found.scale
    least = ROUNDING if found.scale is None else tolerance.take(node)
    np.copyto(gain, 0.0, where=gain <= least)
    n, weight = (of[: 2 * c].reshape(2, c) for of in (n, weight))
    sides = Sides(lambda: (of[: 2 * c].reshape(2, c) for of in sums()), n, weight, gain)
    score = gain if criterion.measure is None else criterion.measure.score(sides)
    return Cuts(
        group=reader.cuts[1] - 1,
        node=node,
        per_segment=found.per_segment - 1,
        values=found.values,
        sides=sides,
        spread=below,
        score=score,
        tolerance=tolerance,
        weight=found.node_weight,
        categories=found.categories,
    )


def _reader(found: Tally) -> _Reader:
    """A cut stands behind every group but a segment's last."""
    sizes, m = found.per_segment.ravel(), found.per_segment.shape[1]
    ends, segment = sizes.cumsum(), np.arange(len(sizes))
    starts = ends - sizes
    cuts = np.array([starts, segment + 1, ends, segment % m]).repeat(sizes - 1, axis=1)
    cuts[1] += np.arange(cuts.shape[1])
    return _Reader(cuts[:3], np.array([starts[:m], ends[:m]]), cuts[3])


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
    line, group = (highest >= limit).argmax(axis=0), cuts.group.take(at)
    lower, upper = cuts.values.take(group), cuts.values.take(group + 1)
    middle, gain = midpoint(lower, upper), cuts.sides.gain.take(at)
    named = dict[int, Named]()
    if cuts.categories:
        of_category = np.isin(line, cuts.categories) & (first >= 0)
        lower[of_category], middle[of_category], upper[of_category] = 0.0, HALF, 1.0
        some = np.flatnonzero(of_category).tolist()
        named = {j: cuts.named(int(first[j]), int(line[j])) for j in some}
    return Best(first, line, lower, upper, middle, gain, any_cut, any_large, cuts.weight, named)


def _highest(score: Floats, per_segment: Ints) -> Floats:
    """The highest score of each line and node, (L, m); -inf or NaN where it has none."""
    sizes = per_segment.ravel()
    some = sizes.nonzero()[0]
    out = np.full(len(sizes), -np.inf)
    if len(some):
        out[some] = np.fmax.reduceat(score, starts_of(sizes).take(some))
    return out.reshape(per_segment.shape)


def divide(data: Dataset, front: Frontier, splits: Best) -> tuple[Bools, Ints]:
    """Which of the frontier's rows go left at their node's best cut, and the sizes of the children.

    The first answer has shape (N,) and follows `front.rows[0]`; the second (2 m,), all left ones
    before all right ones. Nodes without a cut keep all left.
    """
    lines: list[Projection] = list(map(Axis, range(len(data.columns))))
    limits, which = np.where(splits.cut < 0, np.inf, splits.threshold), splits.line
    if splits.named:
        which = which.copy()
        for node, codes in splits.named.items():
            lines.append(Subset(int(which[node]), codes))
            which[node] = len(lines) - 1
    cut = Splits(tuple(lines), which, limits)
    left = goes_left(cut, data.columns, front.rows[0], front.owner)
    n_left = np.add.reduceat(left, front.starts, dtype=np.intp)
    return left, np.concatenate([n_left, front.sizes - n_left])


def candidates(
    data: Dataset,
    rows: Ints,
    criterion: Criterion,
    least: Least = ONE_ROW,
    projections: Sequence[Projection] | None = None,
) -> Candidates:
    """Every candidate of the node that holds `rows`, with all that is shown of it.

    The columns of `data` are the scores of the `projections`, the features themselves by default.
    """
    data, orders = _ordered(data, rows, criterion, least)
    front = frontier(data, [rows])
    found = tally(data, front, criterion.impurity.statistics)
    cuts = rank(found, criterion)
    winner = int(best(cuts, front, least).cut[0])
    allowed = admissible(cuts, least)
    sides, lower, upper = cuts.sides, cuts.lower, cuts.upper
    weight = sides.weight
    if found.weight_unit is not None:
        weight = weight * found.node_weight[0]
    last = cuts.group if found.n is None else found.n.cumsum(dtype=np.intp).take(cuts.group) - 1
    running = criterion.impurity.running
    if running is None:
        impurity = np.maximum(cuts.spread / sides.weight, 0.0)
    else:
        impurity = _beside(data, front.rows, last, running)
    top = cuts.score[winner] if winner >= 0 else np.inf
    line, place = cuts.lines_of(np.arange(len(cuts.node))), midpoint(lower, upper)
    turned = _turned(cuts, line, place, orders)
    n = sides.n
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
        gain=sides.gain,
        score=cuts.score,
        admissible=allowed,
        boundary=_boundary(data.y.take(front.rows.ravel()), last, len(rows)),
        tied=allowed & (cuts.score >= top - cuts.tolerance),
        best=winner if winner >= 0 else None,
        orders=orders,
        turned=turned,
    )


def _turned(cuts: Cuts, line: Ints, place: Floats, orders: Orders) -> Bools:
    """Which cuts name what stands behind them in the order of their category."""
    out = np.zeros(len(line), np.bool_)
    for one, order in orders.items():
        its = np.flatnonzero(line == one)
        left = (place[its] + HALF).astype(np.intp)
        out[its] = cuts.turned(its, left, np.full(len(its), len(order)))
    return out


def _ordered(
    data: Dataset, rows: Ints, criterion: Criterion, least: Least
) -> tuple[Dataset, Orders]:
    """The data with places in the node's order for the codes of its categories, and these orders.

    From there on a category is cut as a number is.
    """
    if not any(data.levels):
        return data, NOTHING_ORDERED
    found = tally(data, frontier(data, [rows]), criterion.impurity.statistics)
    found = _in_order(data, found, criterion, least)
    ends, columns, orders = found.per_segment.ravel().cumsum(), data.columns.copy(), {}
    for line in found.categories:
        first = int(ends[line] - found.per_segment[line, 0])
        codes = found.values[first : int(ends[line])].astype(np.intp)
        place = np.full(len(data.levels[line]), np.nan)
        place[codes] = np.arange(len(codes))
        columns[line] = place.take(columns[line].astype(np.intp))
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


def _beside(data: Dataset, rows: Ints, place: Ints, running: Running) -> Floats:
    """The impurity left and right of each cut, (2, cuts); `rows` is (L, N), sorted by each line."""

    def along(rows: Ints) -> Floats:
        weights = None if data.weights is None else data.weights.take(rows)
        return running(data.y.take(rows), weights)

    left = np.concatenate([along(line) for line in rows])
    right = np.concatenate([along(line[::-1])[::-1] for line in rows])
    return np.array([left.take(place), right.take(place + 1)])


def _boundary(y: NDArray[Any], place: Ints, width: int) -> Bools:
    """Whether the rows at the two values beside a cut differ in y [C]; fades hopeless cuts."""
    change = _running(y[1:] != y[:-1])
    line = place // width * width
    before = np.zeros(len(place), np.intp)
    before[1:] = place[:-1] + 1
    after = np.full(len(place), len(y) - 1, np.intp)
    after[:-1] = place[1:]
    first = np.maximum(before, line)
    last = np.minimum(after, line + width - 1)
    return np.asarray(change.take(last) > change.take(first))
