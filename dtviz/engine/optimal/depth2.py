"""The best tree of depth 2 over all pairs of levels: what greedy growth may miss.

Greedy growth takes the best cut of the root and only then looks at its children. Here every root
cut counts, each with the best cut of its left and of its right child: the children share no row,
so the best of each is the best of both. Most need not be opened, see intervals.py.

Glossary
    root cut   a candidate of the root that leaves enough on both sides
    decrease   what a tree lowers the impurity by: that of the root less that of the leaves, each
               weighted by its share of the rows
    entry      a row in the ordering of one feature; each root cut needs all of them scanned
    work       root cuts opened x rows x features x statistics a row: what the scan adds up in all
    batch      root cuts opened together: their sides are the nodes of one frontier
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dtviz.base import progress
from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.leaves.node_facts import facts
from dtviz.engine.optimal.bounds import (
    Bar,
    Intervals,
    Reach,
    Roots,
    Span,
    costs_between,
    costs_inside,
    roots_of,
)
from dtviz.engine.problem import Problem
from dtviz.engine.search.best_split import Best, best, split_at
from dtviz.engine.search.evaluate import scan
from dtviz.engine.search.frontier import Frontier, along, children, parted, restrict, root_frontier
from dtviz.engine.search.minimum import ONE_ROW, Least
from dtviz.engine.search.missing import Policy
from dtviz.engine.splits import (
    Axis,
    Category,
    Projection,
    Split,
    Subset,
    goes_left,
    subset_split,
)
from dtviz.engine.tree import Grow, Log

MOST_WORK = 200_000_000
"""The most that is searched: 5 seconds of one core, more on a machine busy with much else."""

BOUNDED = 0.2
"""The share of the search that is done once all rows between root cuts are bounded."""

BATCH = 200_000
"""The work of one batch: 5 to 15 milliseconds, some 20 MB. A single root cut may be more."""


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Two levels to be searched: the data along `projections`, and what its cuts are scored by."""

    data: Dataset
    projections: Sequence[Projection]
    front: Frontier
    criterion: Criterion
    least: Least
    policy: Policy
    roots: Roots


def best_of_depth_2(problem: Problem) -> Generator[float, None, Log]:
    """The moves that grow the tree of depth 2 with the least impurity in its leaves (lazy).

    Yields the share decided, up to 1, after each batch; returns Grow(1, ..) and, where a child's
    best cut gains anything, Grow(2, ..) and Grow(3, ..). The log is empty when no tree gains
    anything. Impurity is that of the criterion (entropy for gain_ratio, Gini for cart); of the
    other rules only those count that say what a cut leaves on each side. Ties go to the fewest
    splits, then to the lowest root feature, then threshold. Raises ValueError once the work is more
    than MOST_WORK, RulesError when the criterion does not suit the task.
    """
    levels = levels_of(problem)
    decrease, splits = yield from opened(levels)
    first = _first_of_best(decrease, splits, levels.roots.tolerance)
    if first is None:
        return ()
    top, grows = _best_cuts(levels, sides_of(levels, np.array([first])), levels.least)
    below = (
        Grow(2 + side, top.split(side, levels.projections))
        for side in np.flatnonzero(grows).tolist()
    )
    return (Grow(1, root_split(levels, first)), *below)


def levels_of(problem: Problem) -> Levels:
    """What is searched of this data under the rules; raises ValueError and RulesError."""
    data = problem.data
    criterion = replace(problem.criterion, measure=None)
    if any(data.gaps) and not problem.policy.counts_missing:
        raise ValueError(
            "the best tree of depth 2 is searched where rows without a value count in the gain; "
            "choose another way for missing values, such as the learned side"
        )
    data, projections = problem.table, problem.projections
    front = root_frontier(data)
    least, policy = problem.minimum, problem.policy
    roots = roots_of(data, front, criterion, least, policy)
    return Levels(data, projections, front, criterion, least, policy, roots)


def opened(levels: Levels, within: float = 0.0) -> Generator[float, None, tuple[Floats, Ints]]:
    """What the best tree of each root cut lowers the impurity by, and its number of splits, (R,).

    Only those within that share of the best are sure to be known; the others may stand at -inf.
    Yields the share decided, up to 1.
    """
    data, roots, least = levels.data, levels.roots, levels.least
    many, one = len(roots.gain), work_of_one(data)
    decrease, splits = np.full(many, -np.inf), np.ones(many, np.intp)
    left = Intervals(roots.nested, roots.gain, roots.whole)
    places = yield from progress.within(_bounded(levels, left), 0.0, BOUNDED)
    settle = partial(_settled, levels, left, places)
    while len(batch := left.next(max(BATCH // one, 1), settle)):
        if left.opened * one > MOST_WORK:
            raise _too_much(data, left.opened, many, within)
        sides = sides_of(levels, batch)
        top, grows = _best_cuts(levels, sides, least)
        gained = np.where(grows, top.gain * top.weight, 0.0).reshape(2, -1)
        decrease[batch] = roots.gain[batch] + gained.sum(axis=0) / data.weight
        splits[batch] += grows.reshape(2, -1).sum(axis=0)
        freer = top if least == ONE_ROW else _best_cuts(levels, sides, ONE_ROW)[0]
        costs = np.array([_costs(levels, sides, freer), _costs(levels, sides)])
        left.learn(costs.reshape(2, 2, -1), _bar(levels, decrease, splits, within))
        if left.share < 1:
            yield BOUNDED + (1 - BOUNDED) * left.share
    yield 1.0
    return decrease, splits


def _bounded(levels: Levels, left: Intervals) -> Slices[dict[int, Ints]]:
    """Tell the intervals what the rows of each cost; the rows' places along each line of cuts.

    A place is the number of the first cut that has the row on its left.
    """

    def stumps(blocks: Frontier) -> Floats:
        return _costs(levels, blocks, _best_cuts(levels, blocks, ONE_ROW)[0])

    roots, places = levels.roots, dict[int, Ints]()
    for done, span in enumerate(left.lines):
        line, limits = int(roots.nested[span[0]]), roots.splits.threshold[slice(*span)]
        (column,) = roots.lines(np.array(span[:1]))
        place = places[line] = span[0] + limits.searchsorted(levels.data.columns[column])
        costs = costs_between(levels.front, place, span, left.half, stumps)
        shares = (some / len(left.lines) for some in (done, done + 1))
        left.between |= yield from progress.within(costs, *shares)
    return places


def _settled(
    levels: Levels, left: Intervals, places: Mapping[int, Ints], span: Span
) -> list[Reach] | None:
    """What each root cut of an interval reaches at most; None where that is not told."""
    data, roots = levels.data, levels.roots
    if not data.classes or data.weights is not None or any(data.levels) or any(data.gaps):
        return None
    most = roots.whole - left.bar.floor - left.between.get(span, 0.0)
    ends = most - left.costs[0, [1, 0], [span[1], span[0] - 1]]
    spread, place = levels.criterion.spread, places[int(roots.nested[span[0]])]
    costs = costs_inside(data, levels.front, spread, place, span, ends * data.n)
    if costs is None:
        return None
    (low, low_right), (leaf, leaf_right) = costs / data.n
    three = roots.whole - (low + low_right)
    two = roots.whole - np.minimum(low + leaf_right, leaf + low_right)
    one = roots.gain[slice(*span)]
    return [(-math.inf, *reach) for reach in np.array([one, two, three]).T.tolist()]


def _costs(levels: Levels, nodes: Frontier, top: Best | None = None) -> Floats:
    """What nodes leave with these cuts or none, of impurity for all rows, (m,)."""
    known = facts(levels.data, nodes, levels.criterion)
    left = known.impurity
    if top is not None:
        left = left - np.where(top.cut >= 0, top.gain, 0.0)
    return np.asarray(left * known.weight / levels.data.weight)


def _bar(levels: Levels, decrease: Floats, splits: Ints, within: float) -> Bar:
    """What a root cut must reach: to be near the best so far, or to be the one reported."""
    most, room = float(decrease.max()), levels.roots.tolerance
    floor = (1 - within) * most - 4 * room
    first = None if within else _first_of_best(decrease, splits, room)
    return Bar(floor) if first is None else Bar(floor, most + room / 2, int(splits[first]), first)


def _too_much(data: Dataset, opened: int, many: int, within: float) -> ValueError:
    what = f"what comes within {within:.0%} of " if within else ""
    classes = f", {len(data.classes):,} classes" if len(data.classes) > 2 else ""
    return ValueError(
        f"{what}the best pair of levels on {data.n:,} rows and {len(data.features):,} "
        f"features{classes} is not known after {opened:,} of {many:,} root cuts, which is too "
        "much work; take a sample of the rows or fewer features"
    )


def root_split(levels: Levels, at: int) -> Split:
    """A root cut as a split of the data."""
    roots, projections = levels.roots, levels.projections
    line = int(roots.splits.line[at])
    one = roots.splits.projections[line]
    limit = float(roots.splits.threshold[at])
    if isinstance(one, Subset):
        category = projections[one.feature]
        assert isinstance(category, Category)
        known = np.isinf(limit)
        return split_at(category, limit) if known else subset_split(category.feature, one.named)
    assert isinstance(one, Axis)
    return split_at(projections[one.feature], limit)


def work_of_one(data: Dataset) -> int:
    """The work of one root cut."""
    return data.n * len(data.columns) * max(len(data.classes) - 1, 1)


def sides_of(levels: Levels, which: Ints) -> Frontier:
    """The frontier of both sides of a batch of b root cuts: all left ones before all right ones.

    They are the children of b nodes that each hold all rows: nothing is sorted anew.
    """
    data, front, roots = levels.data, levels.front, levels.roots
    rows = np.arange(data.n)
    left = goes_left(roots.splits, data.columns, rows, which[:, None])
    starts = np.arange(len(which)) * data.n
    repeated = np.tile(front.rows, len(which))
    entries = repeated + np.repeat(starts, data.n)
    sizes = np.full(len(which), data.n)
    many = Frontier(repeated, starts, sizes, entries.shape[1], entries)
    first = left.take(front.rows[0], axis=1).ravel()
    return children(many, *parted(many, first), np.ones(2 * len(which), np.bool_))


def _best_cuts(levels: Levels, sides: Frontier, least: Least) -> tuple[Best, Bools]:
    """The best cut of each side, and which sides it gains anything in."""
    top = best(scan(levels.data, sides, levels.criterion, least, levels.policy), sides)
    return top, (top.cut >= 0) & (top.gain > 0)


def _first_of_best(decrease: Floats, splits: Ints, tolerance: float) -> int | None:
    """The place of the best root cut, of equal ones the first with the fewest splits.

    None where the root alone is as good.
    """
    most = decrease.max(initial=0.0)
    if most <= tolerance:
        return None
    equal = np.flatnonzero(decrease >= most - tolerance)
    return int(equal[splits[equal].argmin()])


WITHIN = 0.01
"""The share of the best tree's decrease that a near tree may lack."""

MOST_KEPT = 9
MOST_KINDS = 20_000
LEAF = -1
Kind = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class NearTree:
    """The moves of the best tree of a kind, its decrease, and how many near trees are like it.

    `ends` are the first and the last of their root cuts, by threshold.
    """

    log: Log
    decrease: float
    alike: int
    ends: tuple[Split, Split]


@dataclass(frozen=True, slots=True)
class Near:
    """The best of each kind, at most MOST_KEPT and the best first; how many kinds, and trees."""

    trees: tuple[NearTree, ...]
    kinds: int
    many: int


@dataclass(slots=True)
class _Found:
    """Of one kind so far: the decrease of its best tree, the root cut of that, how many trees.

    `first` and `last` are root cuts too: those that any of the trees has.
    """

    decrease: float
    root: int
    many: int
    first: int
    last: int


def near_best(problem: Problem) -> Generator[float, None, Near]:
    """The trees of depth 2 that lower the impurity by at least 99 % of what the best does (lazy).

    It is a share of the decrease and not of the loss, since the best may leave no loss at all.
    Yields the share done, up to 1. Ties go to the fewest splits, then to the lowest root feature
    and threshold; the first tree is that of `best_of_depth_2`. No tree is near where none gains
    anything. Raises what that does, and ValueError where more than MOST_KINDS kinds are near.
    """
    levels = levels_of(problem)
    steps = opened(levels, WITHIN)
    while True:
        try:
            yield next(steps) / 2
        except StopIteration as last:
            decrease, _ = last.value
            break
    room = levels.roots.tolerance
    most = float(decrease.max(initial=0.0))
    limit = (1 - WITHIN) * most - room
    which = np.flatnonzero(decrease >= limit) if most > room else np.zeros(0, np.intp)
    kinds: dict[Kind, _Found] = {}
    size = max(BATCH // work_of_one(levels.data), 1)
    for first in range(0, len(which), size):
        batch = which[first : first + size]
        for root, left, right in _cuts_below(levels, batch):
            _count(kinds, levels, root, left, right, limit)
        yield (1 + (first + len(batch)) / len(which)) / 2
    if not len(which):
        yield 1.0
    ranked = _ranked(kinds, room)
    trees = (
        NearTree(
            log=_log(levels, kind, one),
            decrease=one.decrease,
            alike=one.many,
            ends=(root_split(levels, one.first), root_split(levels, one.last)),
        )
        for kind, one in ranked
    )
    return Near(tuple(trees), len(kinds), sum(one.many for one in kinds.values()))


Below = dict[int, Floats]
"""The amounts of a side's cuts by their line, ascending; at LEAF the one of no cut."""


def _cuts_below(levels: Levels, batch: Ints) -> Iterator[tuple[int, Below, Below]]:
    """Each root cut of the batch with the cuts of its left and of its right side."""
    cuts = scan(levels.data, sides_of(levels, batch), levels.criterion, levels.least, levels.policy)
    at = np.flatnonzero(cuts.admissible & (cuts.sides.gain > 0))
    node, line = cuts.node[at], cuts.lines_of(at)
    amount = cuts.sides.gain[at] * cuts.weight.take(node) / levels.data.weight
    order = np.lexsort((amount, line, node))
    node, line, amount = node[order], line[order], amount[order]
    starts = np.searchsorted(node, np.arange(2 * len(batch) + 1))

    def below(side: int) -> Below:
        own = slice(int(starts[side]), int(starts[side + 1]))
        lines, first = np.unique(line[own], return_index=True)
        parts = np.split(amount[own], first[1:])
        return {LEAF: np.zeros(1)} | dict(zip(lines.tolist(), parts, strict=False))

    for k, root in enumerate(batch.tolist()):
        yield root, below(k), below(len(batch) + k)


def _count(
    kinds: dict[Kind, _Found], levels: Levels, root: int, left: Below, right: Below, limit: float
) -> None:
    """Add the near trees of one root cut, by their kinds."""
    own, room = float(levels.roots.gain[root]), levels.roots.tolerance
    line = int(levels.roots.lines(np.array([root]))[0])
    names = [*left], [*right]
    tops = [np.array([side[one][-1] for one in side]) for side in (left, right)]
    for i, j in np.argwhere(tops[1] >= (limit - own - tops[0])[:, None]).tolist():
        one, other = names[0][i], names[1][j]
        some, reach = right[other], own + float(tops[0][i] + tops[1][j])
        found = kinds.setdefault((line, one, other), _Found(-np.inf, root, 0, root, root))
        found.last = root
        found.many += int((len(some) - some.searchsorted(limit - own - left[one])).sum())
        if reach > found.decrease + room:
            found.decrease, found.root = reach, root
    if len(kinds) > MOST_KINDS:
        raise ValueError(
            f"more than {MOST_KINDS:,} choices of features are within {WITHIN:.0%} of the best "
            "tree of depth 2; take fewer features"
        )


def _ranked(kinds: dict[Kind, _Found], room: float) -> list[tuple[Kind, _Found]]:
    """The best kinds, the best first; of equal ones those with the fewest splits, then roots."""
    falling = sorted(kinds.items(), key=lambda pair: -pair[1].decrease)
    size = np.array([one.decrease for _, one in falling])
    rank = np.cumsum(-np.diff(size, prepend=size[:1]) > room).tolist()

    def place(at: int) -> tuple[int, int, int, Kind]:
        kind, one = falling[at]
        return rank[at], -kind.count(LEAF), one.root, kind

    return [falling[at] for at in sorted(range(len(falling)), key=place)[:MOST_KEPT]]


def _log(levels: Levels, kind: Kind, found: _Found) -> Log:
    """The moves of the best tree of a kind."""
    sides = sides_of(levels, np.array([found.root]))
    moves = [Grow(1, root_split(levels, found.root))]
    for side, line in enumerate(kind[1:]):
        if line == LEAF:
            continue
        own = along(restrict(sides, np.arange(2) == side), np.array([[line]]))
        cuts = scan(levels.data, own, levels.criterion, levels.least, levels.policy)
        top = best(cuts, own)
        moves.append(Grow(2 + side, top.split(0, (levels.projections[line],))))
    return tuple(moves)
