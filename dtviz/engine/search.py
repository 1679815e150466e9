"""Every candidate of many nodes at once, and the best of each.

Glossary
    cut        a place in a segment between two groups of a tally; its threshold lies half-way
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

from dtviz.engine.criteria import Criterion, Running, Sides
from dtviz.engine.frontier import Frontier, frontier, root_frontier, starts_of
from dtviz.engine.splits import Axis, Projection, Split, Splits, axis_of, goes_left, midpoint
from dtviz.engine.sums import Amounts
from dtviz.engine.tally import COUNT, Tally, tally
from dtviz.table.data import Dataset, read_only

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

ROUNDING = 1e-12
"""Scores closer than this (times the node's variance, for numbers) are equal."""

np.empty(31 << 20, np.uint8)
# glibc maps a block afresh, page by page, if it is larger than any it has seen freed. Freeing one
# of 31 MiB, never touched, keeps our scratch arrays on its heap from then on: fits of 10,000 to
# 100,000 rows take a third of the time. Elsewhere the line does nothing.


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """One entry a cut of the frontier, ordered by line, node, threshold; arrays (cuts,).

    `group` is the group just left of each cut, `node` its node in the frontier; `per_segment`
    counts the cuts of each line and node, shape (L, m); `values` are those of the tally's groups.
    `spread` is that of both sides, (2, cuts), as Sides has them; `weight` is each node's, (m,).
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


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    """Reads sums off a tally: left and right of c cuts, and of the m nodes, flat (2 c + m,).

    A segment has its groups from `starts` to `ends` and `counts` cuts, (L m,); each cut stands
    behind the groups before `after` and has its `node`, (c,).
    """

    starts: Ints
    ends: Ints
    counts: Ints
    after: Ints
    node: Ints
    nodes: int

    def read(self, amounts: Amounts | None, unit: Floats | None = None) -> NDArray[Any]:
        """The sums of one statistic; of None each group has 1."""
        c, m = len(self.after), self.nodes
        running = None if amounts is None else _running(amounts)
        here, first, last = (
            at if running is None else running.take(at)
            for at in (self.after, self.starts, self.ends)
        )
        out = np.empty(2 * c + m, COUNT if running is None else running.dtype)
        np.subtract(here, first.repeat(self.counts), out=out[:c], casting="same_kind")
        np.subtract(last.repeat(self.counts), here, out=out[c : 2 * c], casting="same_kind")
        np.subtract(last[:m], first[:m], out=out[2 * c :], casting="same_kind")
        if unit is None:
            return out
        each = unit.take(self.node)
        return np.asarray(out * np.concatenate([each, each, unit]))


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best cut of each node, arrays (m,); where `cut` is -1 no cut is admissible.

    `weight` is that of the node's rows: their number, where they have no weights.
    """

    cut: Ints
    line: Ints
    lower: Floats
    upper: Floats
    threshold: Floats
    gain: Floats
    any_cut: Bools
    weight: NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Every cut of one node, ordered by line then threshold; all arrays have shape (cuts,).

    A line is a projection; `line` says at which place of `projections` that of each cut stands.
    `n_left` counts rows, `weight_left` is what they weigh: the same where rows have no weights.
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


def scan(data: Dataset, front: Frontier, criterion: Criterion) -> Cuts:
    """Every cut of every node of the frontier with its gain and score, in one pass."""
    return rank(tally(data, front, criterion.impurity.statistics), criterion)


def rank(found: Tally, criterion: Criterion) -> Cuts:
    """Every cut between the groups of a tally with its gain and score."""
    reader = _reader(found)
    c = len(reader.after)
    n = reader.read(found.n)
    weight = n if found.weight is None else reader.read(found.weight, found.weight_unit)
    sums = partial(_sums, found, reader, weight)
    spread = criterion.impurity.spread(sums(), weight)
    below = spread[: 2 * c].reshape(2, c)
    gain = below[0] + below[1]
    np.subtract(spread[2 * c :].take(reader.node), gain, out=gain)
    gain /= weight[2 * c :].take(reader.node)
    if found.worth is not None:
        gain *= found.worth.take(reader.node)
    tolerance = ROUNDING * (np.ones(reader.nodes) if found.scale is None else found.scale)
    np.copyto(gain, 0.0, where=gain <= tolerance.take(reader.node))
    n, weight = (of[: 2 * c].reshape(2, c) for of in (n, weight))
    sides = Sides(lambda: (of[: 2 * c].reshape(2, c) for of in sums()), n, weight, gain)
    score = gain if criterion.measure is None else criterion.measure.score(sides)
    return Cuts(
        group=reader.after - 1,
        node=reader.node,
        per_segment=reader.counts.reshape(found.per_segment.shape),
        values=found.values,
        sides=sides,
        spread=below,
        score=score,
        tolerance=tolerance,
        weight=found.node_weight,
    )


def _reader(found: Tally) -> _Reader:
    """A cut stands behind every group but a segment's last."""
    sizes, m = found.per_segment.ravel(), found.per_segment.shape[1]
    ends, counts = sizes.cumsum(), sizes - 1
    segment = np.arange(len(sizes))
    after = np.arange(1, len(found.values) - len(sizes) + 1)
    after += segment.repeat(counts)
    return _Reader(ends - sizes, ends, counts, after, (segment % m).repeat(counts), m)


def _sums(found: Tally, reader: _Reader, weight: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """One statistic after the other, as the reader gives them."""
    rest = weight.copy() if found.partition else None
    for amounts in found.sums():
        read = reader.read(amounts, found.unit)
        if rest is not None:
            rest -= read
        yield read
    if rest is not None:
        yield rest


def best(cuts: Cuts, front: Frontier, min_samples_leaf: int) -> Best:
    """The best admissible cut of each node; ties go to the lowest feature, then threshold."""
    m = len(front.sizes)
    score = cuts.score
    if min_samples_leaf > 1:
        score = np.where(_admissible(cuts.sides, min_samples_leaf), score, np.nan)
    top = _highest(score, cuts.per_segment)
    equal = np.flatnonzero(score >= (top - cuts.tolerance).take(cuts.node))[::-1]
    first = np.full(m, -1, np.intp)
    first[cuts.node.take(equal)] = equal  # written backwards: the first of equal cuts stays
    any_cut = np.asarray(cuts.per_segment.any(axis=0))
    if not len(cuts.node):
        none = np.full(m, np.nan)
        return Best(first, np.zeros(m, np.intp), none, none, none, none, any_cut, cuts.weight)
    at = np.maximum(first, 0)
    line, group = cuts.lines_of(at), cuts.group.take(at)
    lower, upper = cuts.values.take(group), cuts.values.take(group + 1)
    middle, gain = midpoint(lower, upper), cuts.sides.gain.take(at)
    return Best(first, line, lower, upper, middle, gain, any_cut, cuts.weight)


def _highest(score: Floats, per_segment: Ints) -> Floats:
    """The highest score of each node over all features, shape (m,); -inf or NaN if it has none."""
    sizes = per_segment.ravel()
    some = np.flatnonzero(sizes)
    out = np.full(len(sizes), -np.inf)
    if len(some):
        out[some] = np.fmax.reduceat(score, starts_of(sizes).take(some))
    return np.asarray(np.fmax.reduce(out.reshape(per_segment.shape), axis=0))


def divide(data: Dataset, front: Frontier, splits: Best) -> tuple[Bools, Ints]:
    """Which of the frontier's rows go left at their node's best cut, and the sizes of the children.

    The first answer has shape (N,) and follows `front.rows[0]`; the second (2 m,), all left ones
    before all right ones. Nodes without a cut keep all left.
    """
    lines = tuple(map(Axis, range(len(data.columns))))
    limits = np.where(splits.cut < 0, np.inf, splits.threshold)
    cut = Splits(lines, splits.line, limits)
    left = goes_left(cut, data.columns, front.rows[0], front.owner)
    n_left = np.add.reduceat(left, front.starts, dtype=np.intp)
    return left, np.concatenate([n_left, front.sizes - n_left])


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
    found = tally(data, front, criterion.impurity.statistics)
    cuts = rank(found, criterion)
    winner = int(best(cuts, front, min_samples_leaf).cut[0])
    admissible = _admissible(cuts.sides, min_samples_leaf)
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
    return Candidates(
        projections=tuple(projections or map(Axis, range(len(data.columns)))),
        line=cuts.lines_of(np.arange(len(cuts.node))),
        threshold=midpoint(lower, upper),
        lower=lower,
        upper=upper,
        n_left=sides.n_left,
        n_right=sides.n_right,
        weight_left=weight[0],
        weight_right=weight[1],
        impurity_left=impurity[0],
        impurity_right=impurity[1],
        gain=sides.gain,
        score=cuts.score,
        admissible=admissible,
        boundary=_boundary(data.y.take(front.rows.ravel()), last, len(rows)),
        tied=admissible & (cuts.score >= top - cuts.tolerance),
        best=winner if winner >= 0 else None,
    )


def best_features(data: Dataset, criterion: Criterion) -> tuple[int, int]:
    """The two features whose best cuts score highest over all rows, in their own order."""
    many = len(data.features)
    if many <= 2:
        return 0, many - 1
    cuts = scan(data, root_frontier(data), criterion)
    top = np.full(many, -1.0)
    np.maximum.at(top, cuts.lines_of(np.arange(len(cuts.node))), cuts.score)
    first, second = sorted(np.argsort(-top, kind="stable")[:2].tolist())
    return first, second


def _running(values: NDArray[Any]) -> NDArray[Any]:
    """Sums of the first 0, 1, ..., n values, shape (n + 1,)."""
    total = np.zeros(len(values) + 1, COUNT if values.dtype == np.bool_ else values.dtype)
    values.cumsum(out=total[1:], dtype=total.dtype)
    return total


def _admissible(sides: Sides, min_samples_leaf: int) -> Bools:
    return np.asarray(sides.n.min(axis=0) >= min_samples_leaf)


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
