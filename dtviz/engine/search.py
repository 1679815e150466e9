"""The best cut of each of many nodes, and which rows it sends left."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import starmap
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Bools, Floats, Ints
from dtviz.engine.cuts import Cuts, Named
from dtviz.engine.frontier import Frontier, starts_of
from dtviz.engine.least import ADMISSIBLE, NO_CUT, Grades
from dtviz.engine.splits import (
    HALF,
    RIGHT,
    Known,
    Missing,
    Projection,
    Split,
    Splits,
    Subset,
    features_of,
    goes_left,
    naming,
)
from dtviz.table.data import Dataset

NOTHING_NAMED: Mapping[int, Named] = MappingProxyType({})
NOTHING_SETTLED: Mapping[int, Split] = MappingProxyType({})


class Best(NamedTuple):
    """The best cut of each node, arrays (m,); where `cut` is -1 no cut is admissible.

    `grade` is the highest of its cuts' grades, see `Least`. `weight` is that of the node's rows:
    their number, where they have no weights. `named` are the codes that the cut of a category
    sends left, by node; its threshold is that of all subsets. `left` says which of the cuts send
    rows that lack the value left; None: those with more rows there. `settled` are the splits, by
    node, that send those rows by more than a side.
    """

    cut: Ints
    line: Ints
    lower: Floats
    upper: Floats
    threshold: Floats
    gain: Floats
    grade: Grades
    weight: NDArray[Any]
    named: Mapping[int, Named] = NOTHING_NAMED
    left: Bools | None = None
    settled: Mapping[int, Split] = NOTHING_SETTLED

    def split(self, node: int, projections: Sequence[Projection]) -> Split:
        """The best cut of a node, along these lines."""
        if node in self.settled:
            return self.settled[node]
        one = projections[self.line[node]]
        if node in self.named:
            return naming(one, self.named[node])
        return split_at(one, float(self.threshold[node]))


def split_at(projection: Projection, threshold: float, missing: Missing = RIGHT) -> Split:
    """The split at a place on a line; an infinite one parts known from missing values."""
    if math.isinf(threshold):
        return Split(Known(features_of(projection), missing_left=threshold < 0), HALF)
    return Split(projection, threshold, missing)


def best(cuts: Cuts, front: Frontier) -> Best:
    """The best admissible cut of each node; ties go to the lowest feature, then threshold."""
    m = len(front.sizes)
    score = cuts.score if cuts.grades is None else np.where(cuts.admissible, cuts.score, np.nan)
    highest = _highest(score, cuts.per_segment)
    limit = np.fmax.reduce(highest, axis=0) - cuts.tolerance
    limits = limit[None].repeat(len(highest), axis=0).ravel().repeat(cuts.per_segment.ravel())
    equal = (score >= limits).nonzero()[0][::-1]
    first = np.full(m, -1, np.intp)
    first[cuts.node[equal]] = equal  # written backwards: the first of equal cuts stays
    grade = _grades(cuts, first)
    if not len(cuts.node):
        line, none = np.zeros(m, np.intp), np.full(m, np.nan)
        return Best(first, line, none, none, none, none, grade, cuts.weight)
    at = np.maximum(first, 0)
    line = (highest >= limit).argmax(axis=0)
    lower, upper = cuts.beside(at)
    middle, gain = cuts.between(lower, upper), cuts.sides.gain[at]
    named, behind = NOTHING_NAMED, None
    if cuts.categories is not None:
        behind = np.zeros(m, np.bool_)
        of_category = cuts.categories[line, np.arange(m)] & (first >= 0) & np.isfinite(middle)
        lower[of_category], middle[of_category], upper[of_category] = 0.0, HALF, 1.0
        nodes = np.flatnonzero(of_category)
        codes, behind[nodes] = cuts.named(first[nodes], line[nodes])
        named = dict(zip(nodes.tolist(), codes, strict=True))
    if cuts.left is not None:
        known = np.isinf(middle)
        lower[known], upper[known] = 0.0, 1.0
    left = cuts.sends_left(at, behind)
    return Best(first, line, lower, upper, middle, gain, grade, cuts.weight, named, left)


def _grades(cuts: Cuts, best_cut: Ints) -> Grades:
    """Highest grade of each node's cuts, (m,); `best_cut` is -1 where none is admissible."""
    out = np.where(best_cut >= 0, np.int8(ADMISSIBLE), np.int8(NO_CUT))
    if cuts.grades is not None:
        others = (best_cut < 0).take(cuts.node).nonzero()[0]
        np.maximum.at(out, cuts.node.take(others), cuts.grades.take(others))
    return out


COLUMNS = "cut", "line", "lower", "upper", "threshold", "gain", "grade"


def one_after_another(parts: Sequence[Best]) -> Best:
    """The best cuts of the nodes of all parts: none names codes, nor settles missing rows."""
    names = (*COLUMNS, "weight")
    both: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in names
    }
    return Best(**both)


def instead(top: Best, at: Bools, other: Best) -> Best:
    """The best cuts with others at some of the nodes, (m,): `other` has those of them in order."""
    place = np.flatnonzero(at).tolist()
    new: dict[str, Any] = {}
    for name in COLUMNS:
        new[name] = getattr(top, name).copy()
        new[name][at] = getattr(other, name)
    if other.left is not None:  # it is None too where there are no cuts
        new["left"] = np.zeros(len(at), np.bool_) if top.left is None else top.left.copy()
        new["left"][at] = other.left
    for name in ("named", "settled"):
        there = {place[j]: one for j, one in getattr(other, name).items()}
        new[name] = {j: one for j, one in getattr(top, name).items() if not at[j]} | there
    return top._replace(**new)


def _highest(score: Floats, per_segment: Ints) -> Floats:
    """The highest score of each line and node, (L, m); -inf or NaN where it has none."""
    sizes = per_segment.ravel()
    if sizes.all():
        return np.fmax.reduceat(score, starts_of(sizes)).reshape(per_segment.shape)
    out, some = np.full(len(sizes), -np.inf), sizes.nonzero()[0]
    if len(some):
        out[some] = np.fmax.reduceat(score, starts_of(sizes).take(some))
    return out.reshape(per_segment.shape)


def divide(data: Dataset, front: Frontier, splits: Best, whole: Dataset | None = None) -> Bools:
    """Which of the frontier's rows go left at their node's best cut, as `front.rows[0]` has them.

    Nodes without a cut keep all left. The columns of `data` are those that the search ran along,
    those of `whole` the features.
    """
    limits, rows = np.where(splits.cut < 0, np.inf, splits.threshold), front.rows[0]
    lost = splits.left if any(data.gaps) else None
    scores = data.columns.ravel().take((splits.line * data.n).repeat(front.sizes) + rows)
    left = np.asarray(scores <= limits.repeat(front.sizes))
    if lost is not None:
        left |= np.isnan(scores) & lost.repeat(front.sizes)
    if splits.named:
        nodes = np.fromiter(splits.named, np.intp)
        lines = zip(splits.line[nodes].tolist(), splits.named.values(), strict=True)
        order = np.full(len(front.sizes), -1)
        order[nodes] = np.arange(len(nodes))
        which = order.take(front.owner)
        own = which >= 0
        asked = Splits(
            tuple(starmap(Subset, lines)),
            np.arange(len(nodes)),
            np.full(len(nodes), HALF),
            None if lost is None else lost[nodes],
        )
        left[own] = goes_left(asked, data.columns, rows[own], which[own])
    for node, split in splits.settled.items():
        its = slice(int(front.starts[node]), int(front.starts[node] + front.sizes[node]))
        left[its] = goes_left(split, (whole or data).columns, rows[its])
    return left
