"""Every candidate of many nodes at once, and the best of each.

Glossary
    frontier   the nodes that are searched together: for each feature their rows, sorted by that
               feature inside each node, one segment a node
    cut        a place in a segment where the value changes; its threshold lies half-way
    tie        two cuts whose scores differ by no more than rounding

A frontier of one node is a single step, a frontier of many is a whole level: one scan serves both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria import Counts, Criterion, Sides, running_variance
from dtviz.engine.splits import Axis, Projection, Split, Splits, axis_of, goes_left, midpoint
from dtviz.table.data import Dataset, read_only

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

COUNT = np.int32
"""The type of row counts: half the memory of 64 bits, and enough for 2,147,483,647 rows."""

ROUNDING = 1e-12
"""Scores closer than this (times the node's variance, for numbers) are equal."""

np.empty(31 << 20, np.uint8)
# glibc maps a block afresh, page by page, if it is larger than any it has seen freed. Freeing one
# of 31 MiB, never touched, keeps our scratch arrays on its heap from then on: fits of 10,000 to
# 100,000 rows take a third of the time. Elsewhere the line does nothing.


@dataclass(frozen=True, slots=True, eq=False)
class Frontier:
    """The rows of m nodes: `rows` is (M, N); node j owns starts[j] : starts[j] + sizes[j].

    Where a row stands more than once, in two nodes or twice in one, `entries` (M, N) says which of
    its places each entry is: a number that occurs once in every ordering. Else it is None.
    """

    rows: Ints
    starts: Ints
    sizes: Ints
    entries: Ints | None = None

    @property
    def ids(self) -> Ints:
        """What tells the entries of an ordering apart, (M, N): their row, where none is shared."""
        return self.rows if self.entries is None else self.entries


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where sums are read off: at both ends of every segment and behind every cut; `n` as Sides."""

    n: Counts
    starts: Ints
    ends: Ints
    after: Ints
    segment: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """One entry a cut of the frontier, ordered by feature, node, threshold; arrays (cuts,).

    `place` is the cut's position in the flattened (M, N) rows, `node` its node in the frontier;
    `per_segment` counts the cuts of each feature and node, shape (M, m); `values` are the sorted
    values of every feature, flat (M N,).
    """

    place: Ints
    node: Ints
    per_segment: Ints
    values: Floats
    sides: Sides
    score: Floats
    tolerance: Floats

    @property
    def lower(self) -> Floats:
        """The value just left of each cut."""
        return self.values.take(self.place)

    @property
    def upper(self) -> Floats:
        """The value just right of each cut."""
        return self.values.take(self.place + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best cut of each node, arrays (m,); where `cut` is -1 no cut is admissible."""

    cut: Ints
    line: Ints
    lower: Floats
    upper: Floats
    threshold: Floats
    gain: Floats
    any_cut: Bools


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Every cut of one node, ordered by line then threshold; all arrays have shape (cuts,).

    A line is a projection; `line` says at which place of `projections` that of each cut stands.
    `score` ranks them (the gain, unless the criterion has a measure of its own); `best` is the
    index of the winner or None; `tied` marks every admissible cut that scores as much.
    """

    projections: tuple[Projection, ...]
    line: Ints
    threshold: Floats
    lower: Floats
    upper: Floats
    n_left: Ints
    n_right: Ints
    impurity_left: Floats
    impurity_right: Floats
    gain: Floats
    score: Floats
    admissible: Bools
    boundary: Bools
    tied: Bools
    best: int | None

    def __post_init__(self) -> None:
        read_only(self)

    def __len__(self) -> int:
        return len(self.line)

    def split(self, index: int) -> Split:
        """The split of cut `index`."""
        return Split(self.projections[self.line[index]], float(self.threshold[index]))

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
            return None
        span = self.of_line(self.projections.index(split.projection))
        at = span.start + int(np.searchsorted(self.threshold[span], split.threshold))
        found = at < span.stop and self.threshold[at] == split.threshold
        return at if found else None


def frontier(data: Dataset, groups: Sequence[Ints]) -> Frontier:
    """The frontier of the nodes whose row numbers are `groups`, sorted once a feature.

    Groups may share rows and hold one more than once.
    """
    sizes = np.array([len(group) for group in groups], dtype=np.intp)
    rows = np.concatenate(groups) if len(groups) > 1 else groups[0]
    order = np.argsort(data.columns.take(rows, axis=1), axis=1)
    if len(groups) > 1:
        node = np.repeat(np.arange(len(groups)), sizes).astype(_small(len(groups)))
        by_node = np.argsort(node.take(order), axis=1, kind="stable")
        order = np.take_along_axis(order, by_node, axis=1)
    entries = order if _any_twice(rows, data.n) else None
    return Frontier(rows.take(order), _starts(sizes), sizes, entries)


def unsorted(groups: Sequence[Ints]) -> Frontier:
    """The frontier of many nodes with one ordering, by no feature: enough to sum up their rows."""
    sizes = np.array([len(group) for group in groups], dtype=np.intp)
    return Frontier(np.concatenate(groups)[None, :], _starts(sizes), sizes)


def root_frontier(data: Dataset) -> Frontier:
    """The frontier of the root alone: all rows."""
    order = np.argsort(data.columns, axis=1)
    return Frontier(order, np.zeros(1, np.intp), np.array([data.n], np.intp))


def scan(data: Dataset, front: Frontier, criterion: Criterion) -> Cuts:
    """Every cut of every node of the frontier with its gain and score, in one pass."""
    n_features, width = front.rows.shape
    m = len(front.sizes)
    starts = (np.arange(n_features)[:, None] * width + front.starts).ravel()
    x = _values(data, front.rows)
    change = _changes(x, starts)
    place = np.flatnonzero(change)
    per_segment = np.add.reduceat(change, starts, dtype=np.intp)
    segments = np.arange(n_features * m)
    segment = segments.repeat(per_segment)
    node = (segments % m).repeat(per_segment)
    sizes = front.sizes.take(segments % m)
    ends = starts + sizes
    y, classes = data.y.take(front.rows.ravel()), len(data.classes)
    if not classes:
        y = y - np.repeat(np.add.reduceat(y, starts) / sizes, sizes)
    after = place + 1
    n = np.empty((2, len(place)), COUNT)
    n[0] = after - starts.take(segment)
    n[1] = ends.take(segment) - after
    sums = partial(_sums, y, classes, _Places(n, starts, ends, after, segment))
    total = _totals(y[:width], classes, front)
    spread = criterion.spread
    below = spread(sums(), n)
    gain = (spread(total, front.sizes).take(node) - (below[0] + below[1])) / sizes.take(segment)
    tolerance = _tolerance(y[:width], classes, front)
    gain *= gain > tolerance.take(node)
    sides = Sides(sums, n, gain)
    score = gain if criterion.measure is None else criterion.measure.score(sides)
    counted = per_segment.reshape(n_features, m)
    return Cuts(place, node, counted, x, sides, score, tolerance)


def best(cuts: Cuts, front: Frontier, min_samples_leaf: int) -> Best:
    """The best admissible cut of each node; ties go to the lowest feature, then threshold."""
    m = len(front.sizes)
    width = front.rows.shape[1]
    score = cuts.score
    if min_samples_leaf > 1:
        score = np.where(_admissible(cuts.sides, min_samples_leaf), score, -np.inf)
    top = _highest(score, cuts.per_segment)
    equal = np.flatnonzero(score >= (top - cuts.tolerance).take(cuts.node))
    equal = equal[score[equal] > -np.inf][::-1]
    first = np.full(m, -1, np.intp)
    first[cuts.node.take(equal)] = equal  # written backwards: the first of equal cuts stays
    any_cut = np.asarray(cuts.per_segment.any(axis=0))
    if not len(cuts.place):
        none = np.full(m, np.nan)
        return Best(first, np.zeros(m, np.intp), none, none, none, none, any_cut)
    at = np.maximum(first, 0)
    place = cuts.place.take(at)
    lower, upper = cuts.values.take(place), cuts.values.take(place + 1)
    middle = midpoint(lower, upper)
    return Best(first, place // width, lower, upper, middle, cuts.sides.gain.take(at), any_cut)


def _highest(score: Floats, per_segment: Ints) -> Floats:
    """The highest score of each node over all features, shape (m,); -inf where it has no cut."""
    sizes = per_segment.ravel()
    some = np.flatnonzero(sizes)
    out = np.full(len(sizes), -np.inf)
    if len(some):
        out[some] = np.maximum.reduceat(score, _starts(sizes).take(some))
    return np.asarray(out.reshape(per_segment.shape).max(axis=0))


def divide(data: Dataset, front: Frontier, splits: Best) -> tuple[Bools, Ints]:
    """Which of the frontier's rows go left at their node's best cut, and how many a node.

    The first answer has shape (N,) and follows `front.rows[0]`; nodes without a cut keep all left.
    """
    rows = front.rows[0]
    lines = tuple(map(Axis, range(len(data.columns))))
    limits = np.where(splits.cut < 0, np.inf, splits.threshold)
    node = np.repeat(np.arange(len(front.sizes)), front.sizes)
    left = goes_left(Splits(lines, splits.line, limits), data.columns, rows, node)
    return left, np.add.reduceat(left, front.starts, dtype=np.intp)


def children(front: Frontier, left: Bools, n_left: Ints, keep: Bools) -> Frontier:
    """The frontier of the children, all left ones before all right ones, each feature still sorted.

    `keep` has shape (2 m,): which left and which right children go on.
    """
    m = len(front.sizes)
    sizes = np.concatenate([n_left, front.sizes - n_left])[keep]
    goes = [
        everywhere(front, side & np.repeat(going, front.sizes))
        for side, going in ((left, keep[:m]), (~left, keep[m:]))
    ]

    def kept(numbers: Ints) -> Ints:
        flat, many = numbers.ravel(), len(numbers)
        return np.concatenate([np.compress(side, flat).reshape(many, -1) for side in goes], axis=1)

    entries = None if front.entries is None else kept(front.entries)
    return Frontier(kept(front.rows), _starts(sizes), sizes, entries)


def everywhere(front: Frontier, values: NDArray[Any]) -> NDArray[Any]:
    """What is known of each entry of the first ordering, (N,), told of every ordering: (M N,)."""
    first = front.ids[0]
    by_id = np.zeros(int(first.max(initial=-1)) + 1, values.dtype)
    by_id[first] = values
    return by_id.take(front.ids.ravel())


def restrict(front: Frontier, going: Bools) -> Frontier:
    """The frontier of some of its nodes: `going` has shape (m,)."""
    inside = np.flatnonzero(np.repeat(going, front.sizes))
    sizes = front.sizes[going]
    entries = None if front.entries is None else front.entries.take(inside, axis=1)
    return Frontier(front.rows.take(inside, axis=1), _starts(sizes), sizes, entries)


def first_feature(front: Frontier) -> Frontier:
    """The same nodes with one ordering only: enough to sum up their rows."""
    entries = None if front.entries is None else front.entries[:1]
    return Frontier(front.rows[:1], front.starts, front.sizes, entries)


def candidates(
    data: Dataset,
    rows: Ints,
    criterion: Criterion,
    min_samples_leaf: int = 1,
    projections: Sequence[Projection] | None = None,
) -> Candidates:
    """Every candidate of the node that holds `rows`, with all that is shown of it.

    The columns of `data` are the scores of the `projections`, the features themselves by default.
    """
    front = frontier(data, [rows])
    cuts = scan(data, front, criterion)
    winner = int(best(cuts, front, min_samples_leaf).cut[0])
    admissible = _admissible(cuts.sides, min_samples_leaf)
    sides, lower, upper = cuts.sides, cuts.lower, cuts.upper
    inside = front.rows.ravel()
    if data.classes:
        impurity = np.maximum(criterion.spread(sides.sums(), sides.n) / sides.n, 0.0)
    else:
        impurity = _side_variances(data.y.take(front.rows), cuts.place)
    top = cuts.score[winner] if winner >= 0 else np.inf
    return Candidates(
        projections=tuple(projections or map(Axis, range(len(data.columns)))),
        line=cuts.place // front.rows.shape[1],
        threshold=midpoint(lower, upper),
        lower=lower,
        upper=upper,
        n_left=sides.n_left,
        n_right=sides.n_right,
        impurity_left=impurity[0],
        impurity_right=impurity[1],
        gain=sides.gain,
        score=cuts.score,
        admissible=admissible,
        boundary=_boundary(data.y.take(inside), cuts.place, front.rows.shape[1]),
        tied=admissible & (cuts.score >= top - cuts.tolerance[0]),
        best=winner if winner >= 0 else None,
    )


def best_features(data: Dataset, criterion: Criterion) -> tuple[int, int]:
    """The two features whose best cuts score highest over all rows, in their own order."""
    many = len(data.features)
    if many <= 2:
        return 0, many - 1
    cuts = scan(data, root_frontier(data), criterion)
    top = np.full(many, -1.0)
    np.maximum.at(top, cuts.place // data.n, cuts.score)
    first, second = sorted(np.argsort(-top, kind="stable")[:2].tolist())
    return first, second


def _starts(sizes: Ints) -> Ints:
    return np.cumsum(sizes) - sizes


def _any_twice(rows: Ints, n: int) -> bool:
    """Whether a row number, each below n, occurs more than once."""
    seen = np.zeros(n, np.bool_)
    seen[rows] = True
    return bool(np.count_nonzero(seen) < len(rows))


def _small(count: int) -> np.dtype[Any]:
    """The smallest integer type for `count` labels: numpy sorts 16-bit keys in linear time."""
    return np.min_scalar_type(max(count - 1, 0))


def _values(data: Dataset, rows: Ints) -> Floats:
    """The sorted values of every feature, flat (M N,)."""
    offset = np.arange(len(rows))[:, None] * data.n
    return data.columns.ravel().take((rows + offset).ravel())


def _changes(x: Floats, starts: Ints) -> Bools:
    """Whether the next value is larger and of the same segment, flat (M N,)."""
    change = np.zeros(x.size, np.bool_)
    np.less(x[:-1], x[1:], out=change[:-1])
    change[starts[1:] - 1] = False
    return change


def _sums(y: NDArray[Any], classes: int, at: _Places) -> Iterator[NDArray[Any]]:
    """One statistic after the other, left and right of each cut: arrays (2, cuts).

    The rows of the last class are those that are in no other.
    """
    if not classes:
        yield _both_sides(y, at)
        return
    rest = at.n.copy()
    for k in range(classes - 1):
        sides = _both_sides(y == k, at)
        rest -= sides
        yield sides
    yield rest


def _both_sides(statistic: NDArray[Any], at: _Places) -> NDArray[Any]:
    """One statistic summed left and right of each cut, (2, cuts)."""
    running = _running(statistic)
    here = running.take(at.after)
    sides = np.empty((2, len(here)), running.dtype)
    np.subtract(here, running.take(at.starts).take(at.segment), out=sides[0])
    np.subtract(running.take(at.ends).take(at.segment), here, out=sides[1])
    return sides


def _totals(y: NDArray[Any], classes: int, front: Frontier) -> NDArray[Any]:
    """The statistics summed over each node, (d, m); `y` follows the first feature's rows."""
    if not classes:
        return np.add.reduceat(y, front.starts)[None, :]
    return class_counts(y, classes, front).T


def class_counts(y: NDArray[Any], classes: int, front: Frontier) -> Ints:
    """How many rows of each class each node has, (m, K); `y` follows the first feature's rows."""
    m = len(front.sizes)
    cell = np.repeat(np.arange(m) * classes, front.sizes) + y
    return np.bincount(cell, minlength=m * classes).reshape(m, classes)


def _running(values: NDArray[Any]) -> NDArray[Any]:
    """Sums of the first 0, 1, ..., n values, shape (n + 1,)."""
    total = np.zeros(len(values) + 1, COUNT if values.dtype == np.bool_ else values.dtype)
    np.cumsum(values, out=total[1:], dtype=total.dtype)
    return total


def _tolerance(y: NDArray[Any], classes: int, front: Frontier) -> Floats:
    """What counts as rounding in each node's scores, shape (m,); numbers come centred."""
    if classes:
        return np.full(len(front.sizes), ROUNDING)
    return np.asarray(ROUNDING * np.add.reduceat(np.square(y), front.starts) / front.sizes)


def _admissible(sides: Sides, min_samples_leaf: int) -> Bools:
    return np.asarray(sides.n.min(axis=0) >= min_samples_leaf)


def _side_variances(y: NDArray[Any], place: Ints) -> Floats:
    """The variance left and right of each cut, (2, cuts); `y` is (M, N), sorted by each feature."""
    left = np.concatenate([running_variance(line) for line in y])
    right = np.concatenate([running_variance(line[::-1])[::-1] for line in y])
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
