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

Every candidate is tried at the root, not only boundary points: the best first cut of two levels
may lie between two rows of one class, which a single level never needs. Of a category these are all
2^(v-1) - 1 subsets, of more than MOST_TRIED values those that the root's own order of them has.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dtviz.engine.arrange import MOST_TRIED, masks
from dtviz.engine.criteria import Criterion
from dtviz.engine.cuts import Bools, Floats, Ints, admissible, scan
from dtviz.engine.frontier import Frontier, children, parted, root_frontier
from dtviz.engine.intervals import Intervals
from dtviz.engine.least import ONE_ROW, Least
from dtviz.engine.leaves import facts
from dtviz.engine.lines import lined
from dtviz.engine.missing import Policy
from dtviz.engine.rules import Rules, criterion_of, least_of, policy_of, proposed_by
from dtviz.engine.search import Best, best, split_at
from dtviz.engine.splits import (
    Axis,
    Category,
    Projection,
    Split,
    Splits,
    Subset,
    feature_of,
    goes_left,
    score,
    subset_split,
)
from dtviz.engine.tree import Grow, Log
from dtviz.table.data import Dataset

MOST_WORK = 200_000_000
"""The most that is searched: 5 seconds of one core, more on a machine busy with much else."""

BATCH = 200_000
"""The work of one batch: 5 to 15 milliseconds, some 20 MB. A single root cut may be more."""


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


def best_of_depth_2(data: Dataset, rules: Rules) -> Generator[float, None, Log]:
    """The moves that grow the tree of depth 2 with the least impurity in its leaves (lazy).

    Yields the share decided, up to 1, after each batch; returns Grow(1, ..) and, where a child's
    best cut gains anything, Grow(2, ..) and Grow(3, ..). The log is empty when no tree gains
    anything. Impurity is that of the criterion (entropy for gain_ratio, Gini for cart); of the
    other rules only those count that say what a cut leaves on each side. Ties go to the fewest
    splits, then to the lowest root feature, then threshold. Raises ValueError once the work is more
    than MOST_WORK, RulesError when the criterion does not suit the task.
    """
    levels = levels_of(data, rules)
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


def levels_of(data: Dataset, rules: Rules) -> Levels:
    """What is searched of this data under the rules; raises ValueError and RulesError."""
    criterion = replace(criterion_of(rules, data), measure=None)
    if any(data.gaps) and not policy_of(rules).counts_missing:
        raise ValueError(
            "the best tree of depth 2 is searched where rows without a value count in the gain; "
            "choose another way for missing values, such as the learned side"
        )
    data, projections = lined(data, rules), proposed_by(data, rules)
    front = root_frontier(data)
    least, policy = least_of(rules, data), policy_of(rules)
    roots = _roots(data, front, criterion, least, policy)
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
    while len(batch := left.next(max(BATCH // one, 1))):
        if left.opened * one > MOST_WORK:
            raise _too_much(data, left.opened, many, within)
        sides = sides_of(levels, batch)
        top, grows = _best_cuts(levels, sides, least)
        gained = np.where(grows, top.gain * top.weight, 0.0).reshape(2, -1)
        decrease[batch] = roots.gain[batch] + gained.sum(axis=0) / data.weight
        splits[batch] += grows.reshape(2, -1).sum(axis=0)
        freer = top if least == ONE_ROW else _best_cuts(levels, sides, ONE_ROW)[0]
        left.learn(
            _costs(levels, sides, freer), (1 - within) * float(decrease.max()) - 4 * roots.tolerance
        )
        yield left.share
    if not many:
        yield 1.0
    return decrease, splits


def _costs(levels: Levels, sides: Frontier, top: Best) -> Floats:
    """What the best cuts of both sides of some root cuts leave of impurity, (2, B)."""
    known = facts(levels.data, sides, levels.criterion)
    left = known.impurity - np.where(top.cut >= 0, top.gain, 0.0)
    return np.asarray((left * known.weight / levels.data.weight).reshape(2, -1))


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


def _roots(
    data: Dataset, front: Frontier, criterion: Criterion, least: Least, policy: Policy
) -> Roots:
    """Every root cut; none where all targets are equal."""
    lines = _root_lines(data, front, criterion, least, policy)
    table = replace(data, columns=np.array([score(one, data.columns) for one in lines]), levels=())
    cuts = scan(table, root_frontier(table), criterion, least, policy)
    at = np.flatnonzero(admissible(cuts, least) & ~facts(data, front, criterion).pure)
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
    many = Frontier(repeated, starts, np.full(len(which), data.n), entries)
    first = left.take(front.rows[0], axis=1).ravel()
    return children(many, *parted(many, first), np.ones(2 * len(which), np.bool_))


def _best_cuts(levels: Levels, sides: Frontier, least: Least) -> tuple[Best, Bools]:
    """The best cut of each side, and which sides it gains anything in."""
    top = best(scan(levels.data, sides, levels.criterion, least, levels.policy), sides, least)
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
