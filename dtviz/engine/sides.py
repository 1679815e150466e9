"""Where a split sends the rows that lack its value, told by the rows of its node."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dtviz.arrays import Bools, Floats, Ints
from dtviz.engine.cuts import scan
from dtviz.engine.frontier import frontier
from dtviz.engine.problem import Problem
from dtviz.engine.splits import LEFT, RIGHT, Known, Missing, Split, score
from dtviz.engine.surrogates import surrogates


def settled(problem: Problem, rows: Ints, split: Split) -> Split:
    """The split with what the policy says of missing values in the node that holds these rows."""
    data = problem.data
    if isinstance(split.projection, Known) or split.missing.given:
        return split
    scores = score(split.projection, data.columns, rows)
    missing = np.isnan(scores)
    left = _goes_left(problem, rows, split, scores, missing)
    if not problem.policy.surrogates:
        return split._replace(missing=LEFT if left else RIGHT)
    found = surrogates(data, problem.projections, rows, split)
    return split._replace(missing=Missing(left, found))


def _goes_left(problem: Problem, rows: Ints, split: Split, scores: Floats, missing: Bools) -> bool:
    data = problem.data
    policy = problem.policy
    if policy.left:
        return True
    below = (scores <= split.threshold) & ~missing
    if policy.counts_missing and missing.any():
        return _learned(problem, rows, np.where(missing, np.nan, ~below))
    weights = np.ones(len(rows)) if data.weights is None else data.weights.take(rows)
    left, right = weights[below].sum(), weights[~below & ~missing].sum()
    return bool(left > right if policy.counts_missing else left >= right)


def _learned(problem: Problem, rows: Ints, side: Floats) -> bool:
    """Whether the rows that lack the value score higher on the left; `side` is 0 there, else 1."""
    data = problem.data
    if not (side == 0).any() or not (side == 1).any():
        return bool((side == 1).any())
    column = np.zeros((1, data.n))
    column[0, rows] = side
    table = replace(data, columns=column, levels=())
    about = problem.criterion, problem.minimum, problem.policy
    cuts = scan(table, frontier(table, [rows]), *about)
    return bool(cuts.left is not None and cuts.left[0])
