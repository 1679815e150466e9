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
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dtviz import slices
from dtviz.arrays import Bools, Floats, Ints
from dtviz.engine.between import Span, costs_between
from dtviz.engine.criteria import Criterion
from dtviz.engine.cuts import scan
from dtviz.engine.frontier import Frontier, children, parted, root_frontier
from dtviz.engine.intervals import Bar, Intervals, Reach
from dtviz.engine.least import ONE_ROW, Least
from dtviz.engine.leaves import facts
from dtviz.engine.missing import Policy
from dtviz.engine.problem import Problem
from dtviz.engine.roots import Roots, roots_of
from dtviz.engine.search import Best, best, split_at
from dtviz.engine.splits import (
    Axis,
    Category,
    Projection,
    Split,
    Subset,
    goes_left,
    subset_split,
)
from dtviz.engine.survivors import costs_inside
from dtviz.engine.tree import Grow, Log
from dtviz.slices import Slices
from dtviz.table.data import Dataset

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
    places = yield from slices.within(_bounded(levels, left), 0.0, BOUNDED)
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
        left.between |= yield from slices.within(costs, *shares)
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
