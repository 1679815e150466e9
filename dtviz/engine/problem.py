"""A dataset with its rules, compiled once: all that growing and explaining a tree looks up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from dtviz.base.arrays import Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.leaves.leaf_models import LeafModel
from dtviz.engine.rules import (
    Rules,
    counted,
    criterion_of,
    leaf_model_of,
    least_of,
    policy_of,
    proposed_by,
)
from dtviz.engine.search.minimum import Least
from dtviz.engine.search.missing import Policy
from dtviz.engine.splits import FAMILIES, Axis, Projection, levels_of, score


@dataclass(frozen=True, eq=False)
class Problem:
    """A dataset with the rules that grow a tree on it.

    What follows from both is computed at its first use and then kept. A rule that does not suit the
    data raises RulesError there.

    >>> import dtviz
    >>> problem = Problem(dtviz.load("weather"), dtviz.Rules(min_samples_leaf=0.2))
    >>> problem.criterion.name, problem.minimum.rows, len(problem.projections)
    ('gini', 3, 4)
    """

    data: Dataset
    """Rows that the tree is grown on."""
    rules: Rules
    """Settings of growth as they were chosen."""

    @cached_property
    def counted_rules(self) -> Rules:
        """The rules with numbers of rows in the place of shares of them."""
        return counted(self.rules, self.data.n)

    @cached_property
    def criterion(self) -> Criterion:
        """The measure that ranks candidates, as costs and leaf model have it."""
        return criterion_of(self.rules, self.data)

    @cached_property
    def minimum(self) -> Least:
        """Rows and weight that both sides of a split must have."""
        return least_of(self.rules, self.data)

    @cached_property
    def policy(self) -> Policy:
        """The rule for rows whose value is missing."""
        return policy_of(self.rules)

    @cached_property
    def leaf_model(self) -> LeafModel:
        """The model that predicts in a leaf."""
        return leaf_model_of(self.rules, self.data)

    @cached_property
    def projections(self) -> tuple[Projection, ...]:
        """Projections that every node searches, (L,)."""
        return proposed_by(self.data, self.rules)

    @cached_property
    def table(self) -> Dataset:
        """The data with the values of the projections as its columns, (L, n).

        The search knows no family of splits: it looks for thresholds in the columns of this table.
        With splits of single features alone the table is the data itself.
        """
        if self.projections == tuple(map(Axis, range(len(self.data.features)))):
            return self.data
        return _projected(self.data, self.projections)

    @cached_property
    def weight(self) -> float:
        """Sum of the weights of all rows."""
        return self.data.weight

    @cached_property
    def nodes_propose(self) -> bool:
        """True if nodes propose projections of their own, beside those that every node searches."""
        return any(FAMILIES[name].own for name in self.rules.families)

    def block(self, member: Problem, data: Dataset, table: Dataset, row_ids: Ints) -> Problem:
        """The problem of many members whose rows stand one below the other.

        `data` and `table` have a line for each row of each member, `row_ids`, (N,), say which row
        of this problem it is. The members share what `member`, one of them alone, has: its minimum,
        its weight and its numbers of rows.
        """
        block = Problem(data, self.rules)
        vars(block).update(
            table=table,
            criterion=self.criterion.taken(row_ids),
            projections=self.projections,
            minimum=member.minimum,
            counted_rules=member.counted_rules,
            weight=member.weight,
        )
        return block

    def with_rules(self, **changes: Any) -> Problem:
        """The same data with other rules: `changes` are fields of Rules."""
        return Problem(self.data, replace(self.rules, **changes))


def projected(data: Dataset, projections: tuple[Projection, ...]) -> Dataset:
    """The data with the values of these projections as its columns, (L, n)."""
    table = np.array([score(projection, data.columns) for projection in projections])
    levels = tuple(levels_of(projection, data) for projection in projections)
    return replace(data, columns=table, levels=levels)


_projected = lru_cache(maxsize=4)(projected)  # a session makes a problem anew at each event
