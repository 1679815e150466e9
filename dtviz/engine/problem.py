"""A dataset with the rules that grow a tree on it, compiled once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from dtviz.base.arrays import Ints
from dtviz.base.lazy import lazy_property
from dtviz.data.dataset import Dataset
from dtviz.data.weights import weights_before_costs
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.leaves.leaf_models import LeafModel
from dtviz.engine.rules import (
    Rules,
    criterion_of,
    leaf_model_of,
    minimum_of,
    policy_of,
    projections_of,
    with_row_counts,
)
from dtviz.engine.search.missing import MissingPolicy
from dtviz.engine.splits import FAMILIES, Axis, Multiway, Projection, levels_of, score
from dtviz.engine.splits.split import Minimum


@dataclass(frozen=True, eq=False)
class Problem:
    """A dataset with the rules that grow a tree on it.

    Each property is computed at its first use and then kept; it raises RulesError if a rule does
    not suit the data.

    >>> import dtviz
    >>> problem = Problem(dtviz.load("play_tennis"), dtviz.Rules(min_samples_leaf=0.2))
    >>> problem.criterion.name, problem.minimum.rows, len(problem.projections)
    ('entropy', 3, 4)
    """

    data: Dataset
    """Rows that the tree is grown on."""
    rules: Rules
    """Settings of growth as they were chosen."""

    @lazy_property
    def counted_rules(self) -> Rules:
        """The rules, with shares of rows replaced by numbers of rows."""
        return with_row_counts(self.rules, self.data.n_grown)

    @lazy_property
    def criterion(self) -> Criterion:
        """The measure that ranks candidates, adapted to costs and leaf model."""
        return criterion_of(self.rules, self.data)

    @lazy_property
    def minimum(self) -> Minimum:
        """Rows and weight that both sides of a split must have."""
        return minimum_of(self.rules, self.data)

    @lazy_property
    def policy(self) -> MissingPolicy:
        """The rule for rows whose value is missing."""
        return policy_of(self.rules)

    @lazy_property
    def leaf_model(self) -> LeafModel:
        """The model that predicts in a leaf."""
        return leaf_model_of(self.rules, self.data)

    @lazy_property
    def projections(self) -> tuple[Projection, ...]:
        """Projections that every node searches, (L,)."""
        return projections_of(self.data, self.rules)

    @lazy_property
    def table(self) -> Dataset:
        """The data with the scores along the projections as its columns, (L, n).

        The search knows no family of splits: it looks for thresholds in the columns of this table.
        With splits of single features alone the table is the data itself.
        """
        if self.projections == tuple(map(Axis, range(len(self.data.features)))):
            return self.data
        return _cached_columns(self.data, self.projections)

    @lazy_property
    def weight(self) -> float:
        """Sum of the weights of all rows."""
        return self.data.weight

    @lazy_property
    def rows_per_weight(self) -> float:
        """Number of rows that a weight of 1 stands for in a test.

        It is 1 where all weights are whole, as they then count rows; others are taken so that all
        weights together are the number of rows.
        """
        weights = weights_before_costs(self.data)
        if weights is None or (weights == np.floor(weights)).all():
            return 1.0
        return float(self.data.n / weights.sum())

    @lazy_property
    def nodes_propose(self) -> bool:
        """True if a node proposes projections from its rows, beside those of the problem."""
        return any(FAMILIES[name].propose_in_node for name in self.rules.families)

    @lazy_property
    def has_multiway(self) -> bool:
        """True if nodes compare multi-way cuts."""
        return any(isinstance(projection, Multiway) for projection in self.projections)

    def for_row_block(
        self, member: Problem, data: Dataset, table: Dataset, row_ids: Ints
    ) -> Problem:
        """Make a problem of the rows of several members of an ensemble, one member below the other.

        `data` and `table` have an entry for each row of each member; `row_ids`, (N,), are the rows
        of this problem that the entries repeat. `member`, the problem of one member alone, gives
        the minimum, the weight and the numbers of rows that all members share.
        """
        block = Problem(data, self.rules)
        # set as if computed: a lazy property keeps its value under its name
        vars(block).update(
            table=table,
            criterion=self.criterion.take_rows(row_ids),
            projections=self.projections,
            minimum=member.minimum,
            counted_rules=member.counted_rules,
            weight=member.weight,
        )
        if self.rules.max_p_value < 1:
            vars(block).update(rows_per_weight=member.rows_per_weight)
        return block

    def with_rules(self, **changes: Any) -> Problem:
        """The problem of the same data with other rules: `changes` are fields of Rules."""
        return Problem(self.data, replace(self.rules, **changes))


def project_columns(data: Dataset, projections: tuple[Projection, ...]) -> Dataset:
    """Replace the columns of the data by their scores along these projections, (L, n)."""
    table = np.array([score(projection, data.columns) for projection in projections])
    levels = tuple(levels_of(projection, data) for projection in projections)
    return replace(data, columns=table, levels=levels)


# cached, since a session makes a new problem at each event
_cached_columns = lru_cache(maxsize=4)(project_columns)
