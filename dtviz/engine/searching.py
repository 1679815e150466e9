"""What a growth searches by, and the best cut of each node of a frontier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dtviz.engine.criteria import Criterion
from dtviz.engine.cuts import Bools, Cuts, Ints, scan
from dtviz.engine.frontier import Frontier, restrict, unsorted
from dtviz.engine.least import Least
from dtviz.engine.leaves import facts
from dtviz.engine.lines import has_own, lined
from dtviz.engine.missing import Policy
from dtviz.engine.own import contested, own_best
from dtviz.engine.rules import Rules, counted, criterion_of, least_of, policy_of, proposed_by
from dtviz.engine.search import Best, best
from dtviz.engine.sides import settled
from dtviz.engine.splits import Projection, Split, goes_left
from dtviz.table.data import Dataset


class Searching(NamedTuple):
    """What a growth searches by: `table` has the scores of the `projections` as its columns.

    `weight` is that of all rows of a tree.
    """

    data: Dataset
    rules: Rules
    table: Dataset
    projections: Sequence[Projection]
    criterion: Criterion
    least: Least
    policy: Policy
    weight: float

    def best(self, front: Frontier) -> Best:
        """The best cut of each node."""
        cuts = self.scan(front)
        top = best(cuts, front, self.least)
        if has_own(self.rules):
            about = self.criterion, self.least, self.policy
            own = own_best(self.data, self.rules, front, *about)
            top = contested(self.data, self.rules, front, cuts, top, own)
        uncounted = any(self.data.gaps) or self.data.weights is not None
        if self.policy.counts_missing or not (self.policy.surrogates or uncounted):
            return top
        return self.sent(front, top)

    def scan(self, front: Frontier) -> Cuts:
        """Every cut of each node."""
        return scan(self.table, front, self.criterion, self.least, self.policy)

    def sent(self, front: Frontier, top: Best) -> Best:
        """The best cuts with what they gain once the rows that were not counted are sent too."""
        some = np.flatnonzero(top.cut >= 0)
        if not len(some):
            return top
        splits, sides, gain = dict[int, Split](), list[Ints](), top.gain.copy()
        groups = np.split(front.rows[0], front.starts[1:])
        for j in some.tolist():
            rows, split = groups[j], top.split(j, self.projections)
            splits[j] = settled(self.data, self.rules, rows, split)
            left = goes_left(splits[j], self.data.columns, rows)
            sides += [rows[left], rows[~left]]
        node = facts(self.data, restrict(front, top.cut >= 0), self.criterion)
        below = facts(self.data, unsorted(sides), self.criterion)
        rest = (below.weight * below.impurity).reshape(-1, 2).sum(axis=1)
        gain[some] = np.maximum(node.impurity - rest / node.weight, 0.0)
        return top._replace(gain=gain, settled=splits)

    def lost(self, top: Best, sizes: Ints) -> Bools:
        """Which of the nodes send rows that lack the value left: `sizes` are of the children."""
        if self.policy.left:
            return np.ones(len(top.cut), np.bool_)
        return np.greater(*sizes.reshape(2, -1)) if top.left is None else top.left


def searching(data: Dataset, rules: Rules) -> Searching:
    """What a tree on the data is searched by."""
    table, projections = lined(data, rules), proposed_by(data, rules)
    about = criterion_of(rules, data), least_of(rules, data), policy_of(rules)
    return Searching(data, counted(rules, data.n), table, projections, *about, data.weight)
