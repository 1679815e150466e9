"""The cuts that a tree of depth 2 may have at its root: of every line, and every subset.

Every candidate is tried at the root, not only boundary points: the best first cut of two levels
may lie between two rows of one class, which a single level never needs. Of a category these are all
2^(v-1) - 1 subsets, of more than MOST_TRIED values those that the root's own order of them has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.arrange import MOST_TRIED, masks
from dtviz.engine.criteria import Criterion
from dtviz.engine.cuts import scan
from dtviz.engine.frontier import Frontier, root_frontier
from dtviz.engine.least import Least
from dtviz.engine.leaves import facts
from dtviz.engine.missing import Policy
from dtviz.engine.splits import Axis, Splits, Subset, feature_of, score
from dtviz.table.data import Dataset


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


def roots_of(
    data: Dataset, front: Frontier, criterion: Criterion, least: Least, policy: Policy
) -> Roots:
    """Every root cut; none where all targets are equal."""
    lines = _root_lines(data, front, criterion, least, policy)
    table = replace(data, columns=np.array([score(one, data.columns) for one in lines]), levels=())
    cuts = scan(table, root_frontier(table), criterion, least, policy)
    at = np.flatnonzero(cuts.admissible & ~facts(data, front, criterion).pure)
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
