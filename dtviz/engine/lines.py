"""The lines that a search runs along: one a projection that the rules' families propose.

The search knows no family but that of categories, whose values each node orders. It is given a
table whose columns are scores, one line a projection, and finds cuts of these lines; with cuts of
single features alone that table is the data itself.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from dtviz.engine.rules import Rules
from dtviz.engine.splits import FAMILIES, Axis, Category, Projection, score
from dtviz.table.data import Dataset


def projections_of(data: Dataset, rules: Rules) -> tuple[Projection, ...]:
    """The projections that every node tries, in the order of the lines."""
    return tuple(one for name in rules.families for one in FAMILIES[name].propose(data))


def lined(data: Dataset, rules: Rules) -> Dataset:
    """The data with the scores of those projections as its columns, (L, n)."""
    projections = projections_of(data, rules)
    if projections == tuple(map(Axis, range(len(data.features)))):
        return data
    return _lined(data, projections)


@lru_cache(maxsize=4)
def _lined(data: Dataset, projections: tuple[Projection, ...]) -> Dataset:
    table = np.array([score(one, data.columns) for one in projections])
    levels = (data.levels[one.feature] if isinstance(one, Category) else () for one in projections)
    return replace(data, columns=table, levels=tuple(levels))
