"""Every candidate of one node, with all that is shown of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.data.dataset import Dataset, read_only
from dtviz.engine.criteria.criteria import Criterion, Impurity, Running
from dtviz.engine.search.all_subsets import places_of, scattered
from dtviz.engine.search.best_split import best, split_at
from dtviz.engine.search.category_order import MOST_TRIED, subsets
from dtviz.engine.search.evaluate import (
    Cuts,
    Named,
    in_order,
    reader_of,
    running_sums,
    scan,
    searched,
    turned_sides,
)
from dtviz.engine.search.frontier import Frontier, frontier
from dtviz.engine.search.histogram import Tally, tally
from dtviz.engine.search.minimum import ONE_ROW, Least
from dtviz.engine.search.missing import LEARNED, Policy, arrived, twins
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


Orders = Mapping[int, Named]
NOTHING_ORDERED: Orders = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Every cut of one node, ordered by line, then threshold; all arrays have shape (cuts,).

    A line is a projection; `line` says at which place of `projections` that of each cut stands.
    `n_left` counts rows, `weight_left` is what they weigh: the same where rows have no weights;
    where rows without a value do not count, of those that have one. `weight` is that of all rows.
    `score` ranks them (the gain, unless the criterion has a measure of its own); `best` is the
    index of the winner or None; `tied` marks every admissible cut that scores as much. `orders` has
    the codes of each line that is a category, as the node orders them: its thresholds are places
    between them, or a place whose value alone goes left. Where it is `turned`, what stands behind
    goes left. The last cuts of such a line may be `scattered`, see `search/all_subsets.py`: the bits
    of the places whose values go left, 0 for any other cut; the threshold is that of the cut with
    as many values on the side of the first. `missing_left` says where rows without the value go,
    None where no row of the table lacks one; a threshold is infinite where they stand alone.
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
    weight: float
    orders: Orders = field(default_factory=lambda: NOTHING_ORDERED)
    turned: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    scattered: Ints = field(default_factory=lambda: np.zeros(0, np.intp))
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
        found = naming(one, self._named(index, order))
        return found._replace(missing=LEFT) if self._missing(index) is LEFT else found

    def _named(self, index: int, order: Named) -> Named:
        """The codes that a cut of a category sends left."""
        place, bits = float(self.threshold[index]), int(self.scattered[index])
        if bits:
            return tuple([order[at] for at in places_of(bits)])
        left = int(place + HALF)
        if place == left:
            return order[left : left + 1]
        return order[left:] if self.turned[index] else order[:left]

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
    arrays = {name: getattr(more, name) for name in _arrays(cuts)}
    arrays["line"] = more.line + len(cuts.projections)
    arrays["tied"] = np.zeros(len(more), np.bool_)
    return replace(_with(cuts, arrays), projections=(*cuts.projections, *more.projections))


def _arrays(cuts: Candidates) -> list[str]:
    """The names of all that is told of each cut."""
    return [name for name in cuts.__slots__ if isinstance(getattr(cuts, name), np.ndarray)]


def _with(cuts: Candidates, more: Mapping[str, NDArray[Any]]) -> Candidates:
    """The candidates with more cuts, which come last on their lines; the best stays what it is."""
    order = np.argsort(np.append(cuts.line, more["line"]), kind="stable")
    both: dict[str, Any] = {
        name: np.append(getattr(cuts, name), of).take(order) for name, of in more.items()
    }
    best = None if cuts.best is None else int(np.flatnonzero(order == cuts.best)[0])
    return replace(cuts, **both, best=best)


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
    data, orders, in_full = _ordered(data, rows, criterion, least, policy)
    front = frontier(data, [rows])
    found = arrived(tally(data, front, criterion.impurity.statistics), policy)
    if orders:  # a side is named, and missing rows that gain nothing sent, as in whole levels
        of_category = np.isin(np.arange(len(data.columns)), list(orders))
        found = found._replace(categories=of_category[:, None])
    cuts = searched(found, criterion, policy, least)
    every = np.arange(len(cuts.node))
    line, (lower, upper) = cuts.lines_of(every), cuts.beside(every)
    winner, allowed = int(best(cuts, front).cut[0]), cuts.admissible
    weight, n = cuts.sides.weight, cuts.sides.n
    if found.weight_unit is not None:
        weight = weight * found.node_weight[0]
    top = cuts.score[winner] if winner >= 0 else np.inf
    place = cuts.between(lower, upper)
    impurity, boundary = beside_each(data, front, found, cuts, criterion, policy)
    turned = _turned_of(cuts, line, place, orders)
    if turned.any():
        n, weight, impurity = (np.where(turned, of[::-1], of) for of in (n, weight, impurity))
    lines = (Category(at) if at in orders else Axis(at) for at in range(len(data.columns)))
    plain = Candidates(
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
        weight=float(found.node_weight[0]),
        orders=orders,
        turned=turned,
        scattered=np.zeros(len(every), np.intp),
        missing_left=cuts.sends_left(every, turned) if any(data.gaps) else None,
    )
    values = {at: len(order) for at, order in orders.items() if at in in_full}
    others = scattered(found, values, criterion, policy, least)
    if others is None:
        return plain
    told = others.told(found)
    tied = told["admissible"] & (told["score"] >= top - cuts.tolerance)
    return _with(
        plain, {name: told[name] for name in _arrays(plain) if name in told} | {"tied": tied}
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
) -> tuple[Dataset, Orders, frozenset[int]]:
    """The data with places in the node's order for the codes of its categories, and these orders.

    From there on a category is cut as a number is. Last come the lines of which every subset was
    tried.
    """
    if not any(data.levels):
        return data, NOTHING_ORDERED, frozenset()
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
    in_full = () if found.in_full is None else np.flatnonzero(found.in_full[:, 0]).tolist()
    return replace(data, columns=columns, levels=()), MappingProxyType(orders), frozenset(in_full)


MOST_CUTS = 500_000
LEAST_LINES = 50


def some_lines(data: Dataset, lines: Ints) -> Dataset:
    """The data with these lines alone as its columns."""
    levels = tuple(data.levels[line] for line in lines.tolist())
    return replace(data, columns=data.columns[lines], levels=levels)


def top_scores(
    data: Dataset,
    rows: Ints,
    criterion: Criterion,
    least: Least = ONE_ROW,
    policy: Policy = LEARNED,
) -> Floats:
    """The best score of each line over the rows, (L,); -inf where it has no admissible cut.

    Some lines at a time are searched, so that the cuts of all are never there together.
    """
    many = len(data.columns)
    at_once = max(MOST_CUTS // len(rows), 1)
    out = np.full(many, -np.inf)
    for first in range(0, many, at_once):
        some = np.arange(first, min(first + at_once, many))
        part = some_lines(data, some)
        cuts = scan(part, frontier(part, [rows]), criterion, least, policy)
        score = np.where(cuts.admissible, cuts.score, -np.inf)
        np.fmax.at(out, some[cuts.lines_of(np.arange(len(score)))], score)
    return out


def leading(top: Floats, cuts: int) -> tuple[int, ...]:
    """The places of the best scores, in order: as many as have room with so many cuts each."""
    return tuple(sorted(np.argsort(-top, kind="stable")[: _room(cuts)].tolist()))


def have_room(lines: int, cuts: int) -> bool:
    """Whether all cuts of so many lines, of so many cuts each, can be shown."""
    return lines <= _room(cuts)


def cuts_a_line(data: Dataset, rows: int) -> int:
    """Upper bound on the cuts of a line over so many rows: one each, or every subset."""
    return max(rows, subsets(MOST_TRIED)) if any(data.levels) else rows


def _room(cuts: int) -> int:
    return max(MOST_CUTS // cuts, LEAST_LINES)


def best_features(data: Dataset, criterion: Criterion) -> tuple[int, int]:
    """The two features whose best cuts score highest over all rows, in their own order."""
    many = len(data.features)
    if many <= 2:
        return 0, many - 1
    top = top_scores(data, np.arange(data.n), criterion)
    first, second = sorted(np.argsort(-top, kind="stable")[:2].tolist())
    return first, second
