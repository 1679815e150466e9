"""Every candidate of one node, with all that is shown of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria import Criterion, Impurity, Running
from dtviz.engine.cuts import (
    Bools,
    Cuts,
    Floats,
    Ints,
    Named,
    admissible,
    in_order,
    reader_of,
    running_sums,
    searched,
    turned_sides,
)
from dtviz.engine.frontier import Frontier, frontier
from dtviz.engine.least import ONE_ROW, Least
from dtviz.engine.missing import LEARNED, Policy, arrived, twins
from dtviz.engine.search import best, split_at
from dtviz.engine.splits import (
    HALF,
    LEFT,
    RIGHT,
    Axis,
    Category,
    Missing,
    Projection,
    Split,
    axis_of,
    features_of,
    naming,
)
from dtviz.engine.tally import Tally, tally
from dtviz.table.data import Dataset, read_only

Orders = Mapping[int, Named]
NOTHING_ORDERED: Orders = MappingProxyType({})


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
        """The index of the cut that parts the node's rows as this split does, or None."""
        if split.projection not in self.projections:
            of = features_of(split.projection)
            lines = [at for at, one in enumerate(self.projections) if features_of(one) == of != ()]
            some = np.flatnonzero(np.isin(self.line, lines)).tolist()
            return next((at for at in some if self.split(at) == split), None)
        span = self.of_line(self.projections.index(split.projection))
        at = span.start + int(np.searchsorted(self.upper[span], split.threshold, side="right"))
        found = at < span.stop and self.lower[at] <= split.threshold < np.inf
        return at if found and np.isfinite(self.threshold[at]) else None


def beside(cuts: Candidates, more: Candidates) -> Candidates:
    """The candidates with those of other lines, that do not compete: the best stays what it is."""
    if (cuts.missing_left is None) is not (more.missing_left is None):
        cuts, more = _with_majority(cuts), _with_majority(more)
    arrays = {name: getattr(cuts, name) for name in cuts.__slots__}
    both: dict[str, Any] = {
        name: np.concatenate([of, getattr(more, name)])
        for name, of in arrays.items()
        if isinstance(of, np.ndarray)
    }
    both |= {"line": np.append(cuts.line, more.line + len(cuts.projections))}
    both |= {"tied": np.append(cuts.tied, np.zeros(len(more), np.bool_))}
    return replace(cuts, projections=(*cuts.projections, *more.projections), **both)


def _with_majority(cuts: Candidates) -> Candidates:
    """The candidates, rows without a value going with the majority where none lacks one here."""
    if cuts.missing_left is not None:
        return cuts
    return replace(cuts, missing_left=cuts.weight_left > cuts.weight_right)


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
    lines = (Category(at) if at in orders else Axis(at) for at in range(len(data.columns)))
    return Candidates(
        projections=tuple(projections or lines),
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
        out[its] = turned_sides(cuts.known[:, its], left, len(order))
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
    found = in_order(data, arrived(found, policy), criterion, least)
    ends, columns, orders = found.per_segment.ravel().cumsum(), data.columns.copy(), {}
    for line in np.flatnonzero([*map(bool, data.levels)]).tolist():
        first = int(ends[line] - found.per_segment[line, 0])
        codes = found.values[first : int(ends[line])]
        codes = codes[~np.isnan(codes)].astype(np.intp)
        place = np.full(len(data.levels[line]) + 1, np.nan)  # the last is of those without a value
        place[codes] = np.arange(len(codes))
        own = columns[line]
        columns[line] = place.take(np.where(np.isnan(own), -1, own).astype(np.intp))
        orders[line] = tuple(codes.tolist())
    return replace(data, columns=columns, levels=()), MappingProxyType(orders)


def _beside(
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
    """What the rows in the order of a tally say of its cuts: see `_beside`."""
    rows = front.rows.ravel()
    if found.entries is not None and found.entries.at is not None:
        rows = rows.take(found.entries.at)
    behind = found.sizes.cumsum()
    starts, after, ends = np.append(0, behind).take(reader_of(found).cuts)
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
