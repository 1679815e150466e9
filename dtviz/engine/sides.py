"""Where a split sends the rows that lack its value, told by the rows of its node."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dtviz.arrays import Bools, Floats, Ints
from dtviz.engine.cuts import scan
from dtviz.engine.frontier import frontier
from dtviz.engine.rules import Rules, criterion_of, least_of, policy_of, proposed_by
from dtviz.engine.splits import LEFT, RIGHT, Known, Missing, Split, score
from dtviz.engine.surrogates import surrogates
from dtviz.table.data import Dataset


def settled(data: Dataset, rules: Rules, rows: Ints, split: Split) -> Split:
    """The split with what the policy says of missing values in the node that holds these rows."""
    if isinstance(split.projection, Known) or split.missing.given:
        return split
    scores = score(split.projection, data.columns, rows)
    missing = np.isnan(scores)
    left = _goes_left(data, rules, rows, split, scores, missing)
    if not policy_of(rules).surrogates:
        return split._replace(missing=LEFT if left else RIGHT)
    found = surrogates(data, proposed_by(data, rules), rows, split)
    return split._replace(missing=Missing(left, found))


def _goes_left(
    data: Dataset, rules: Rules, rows: Ints, split: Split, scores: Floats, missing: Bools
) -> bool:
    policy = policy_of(rules)
    if policy.left:
        return True
    below = (scores <= split.threshold) & ~missing
    if policy.counts_missing and missing.any():
        return _learned(data, rules, rows, np.where(missing, np.nan, ~below))
    weights = np.ones(len(rows)) if data.weights is None else data.weights.take(rows)
    left, right = weights[below].sum(), weights[~below & ~missing].sum()
    return bool(left > right if policy.counts_missing else left >= right)


def _learned(data: Dataset, rules: Rules, rows: Ints, side: Floats) -> bool:
    """Whether the rows that lack the value score higher on the left; `side` is 0 there, else 1."""
    if not (side == 0).any() or not (side == 1).any():
        return bool((side == 1).any())
    column = np.zeros((1, data.n))
    column[0, rows] = side
    table = replace(data, columns=column, levels=())
    about = criterion_of(rules, data), least_of(rules, data), policy_of(rules)
    cuts = scan(table, frontier(table, [rows]), *about)
    return bool(cuts.left is not None and cuts.left[0])
