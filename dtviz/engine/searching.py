"""What a growth searches by, and the best cut of each node of a frontier."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dtviz.arrays import Bools, Ints
from dtviz.engine.cuts import scan, searched
from dtviz.engine.draws import Draws, Keys, by_feature, one_cut, orders, placed, two_sides
from dtviz.engine.frontier import Frontier, along, children, first_feature, parted, restrict
from dtviz.engine.hopeful import hopeful_best
from dtviz.engine.least import NO_CUT
from dtviz.engine.leaves import facts
from dtviz.engine.own import contested, own_best
from dtviz.engine.problem import Problem
from dtviz.engine.search import Best, best, divide, instead
from dtviz.engine.sides import settled
from dtviz.slices import Slices, finished

OWN = 16
"""To let nodes propose lines takes so many times as long."""


def work_of(problem: Problem) -> int:
    """About how many times as long a tree takes as by plain cuts and constant leaves."""
    sums = max(problem.criterion.impurity.work // 4, 1)
    return sums * OWN if problem.nodes_propose else sums


class Splitter(NamedTuple):
    """A problem with the search for the best split of each node of a frontier."""

    problem: Problem
    """Data, criterion, projections and minimum of the search."""
    draws: Draws | None = None
    """Random features and thresholds that a node draws; None: it searches all."""

    @property
    def unordered(self) -> bool:
        """Tells that no node needs its rows in order: one threshold a line is drawn, of numbers."""
        data, by = self.problem.table, self.problem.criterion.impurity.statistics
        proposed = self.problem.nodes_propose
        numbers = not (any(data.gaps) or any(data.levels) or by.ordered or proposed)
        return numbers and self.draws is not None and self.draws.one_cut

    def best(self, front: Frontier, keys: Keys | None = None) -> Best:
        """The best cut of each node; where nodes draw what they try, `keys`, (m,), are theirs."""
        return finished(self.steps(front, keys))

    def steps(self, front: Frontier, keys: Keys | None = None) -> Slices[Best]:
        """The same in slices."""
        if self.draws is None or keys is None:
            return (yield from self._best(front))
        lines = by_feature(self.problem.projections)
        order, m = orders(keys, len(lines)), len(keys)
        some = min(self.draws.features or len(lines), len(lines))
        first = lines[order[:some]].transpose(0, 2, 1).reshape(-1, m)
        top = yield from self._drawn(front, first, keys)
        for k in range(some, len(lines)):
            none = top.grade == NO_CUT
            if not none.any():
                break
            own = lines[order[k, none]].T
            other = yield from self._drawn(restrict(front, none), own, keys[none])
            top = instead(top, none, other)
        return top

    def _drawn(self, front: Frontier, lines: Ints, keys: Keys) -> Slices[Best]:
        """The best cut of each node along these lines, (L, m)."""
        lines = np.sort(lines, axis=0)
        if not self.unordered:
            return (yield from self._best(along(front, lines), keys))
        by = self.problem.criterion.impurity.statistics
        found, thresholds = two_sides(self.problem.table, front, by, keys, lines)
        cuts = searched(found, self.problem.criterion, self.problem.policy, self.problem.minimum)
        top = best(cuts, front)
        line = lines[top.line, np.arange(len(keys))]
        return placed(top, thresholds)._replace(line=line)

    def _best(self, front: Frontier, keys: Keys | None = None) -> Slices[Best]:
        """The best cut of each node along the lines of the frontier."""
        problem, lines, drawn, draws = self.problem, front.lines, None, self.draws
        owning = problem.nodes_propose
        places = draws is not None and draws.one_cut
        about = problem.table, front, problem.criterion, problem.minimum, problem.policy
        if places or owning:
            cuts = scan(*about)
            if places and keys is not None and lines is not None:
                cuts, drawn = one_cut(cuts, keys, lines)
            top = best(cuts, front)
        else:
            top = hopeful_best(*about)
        if drawn is not None:
            top = placed(top, drawn)
        if lines is not None:
            top = top._replace(line=lines[top.line, np.arange(len(top.cut))])
        if owning:
            own = yield from own_best(problem, front, keys if places else None)
            top = contested(problem, front, cuts, top, own)
        uncounted = any(self.problem.data.gaps) or (
            self.problem.data.weights is not None and owning
        )
        if self.problem.policy.counts_missing or not (self.problem.policy.surrogates or uncounted):
            return top
        return self.sent(front, top)

    def sent(self, front: Frontier, top: Best) -> Best:
        """The best cuts with what they gain once the rows that were not counted are sent too."""
        cut = top.cut >= 0
        if not cut.any():
            return top
        if self.problem.policy.surrogates or top.left is None or not any(self.problem.table.gaps):
            top = self._settled(front, top)
        left, first = (
            divide(self.problem.table, front, top, self.problem.data),
            first_feature(front),
        )
        known = facts(self.problem.data, restrict(first, cut), self.problem.criterion)
        own = children(first, *parted(first, left), np.tile(cut, 2))
        below = facts(self.problem.data, own, self.problem.criterion)
        rest = (below.weight * below.impurity).reshape(2, -1).sum(axis=0)
        gain = top.gain.copy()
        gain[cut] = np.maximum(known.impurity - rest / known.weight, 0.0)
        return top._replace(gain=gain)

    def _settled(self, front: Frontier, top: Best) -> Best:
        """The best cuts with what the rows of their nodes say of those that lack the value."""
        groups = np.split(front.rows[0], front.starts[1:])
        splits = {
            j: settled(self.problem, groups[j], top.split(j, self.problem.projections))
            for j in np.flatnonzero(top.cut >= 0).tolist()
        }
        return top._replace(settled=splits)

    def lost(self, top: Best, sizes: Ints) -> Bools:
        """Which of the nodes send rows that lack the value left: `sizes` are of the children."""
        if self.problem.policy.left:
            return np.ones(len(top.cut), np.bool_)
        return np.greater(*sizes.reshape(2, -1)) if top.left is None else top.left
