"""Why a node stops: the rules that need no look at its cuts, and those that do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, reduce
from operator import or_

import numpy as np

from dtviz.arrays import Bools, Floats, Ints
from dtviz.engine.frontier import Frontier
from dtviz.engine.least import ALL_ZERO, FEW_ROWS, LITTLE_WEIGHT, NO_CUT
from dtviz.engine.leaves import Facts
from dtviz.engine.rules import Rules
from dtviz.engine.search import Best
from dtviz.engine.subtrees import gains_enough, pure_enough
from dtviz.table.data import Dataset

STOPS = (
    "",
    "pure",
    "purity",
    "min_samples_split",
    "max_depth",
    "constant",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "above_zero",
    "min_gain",
    "min_impurity_decrease",
    "zero_gain",
    "max_leaf_nodes",
    "pruned",
)
Stops = Iterator[tuple[str, Bools]]
"""Rules with the nodes that each stops, (m,): the first that holds is the reason."""


def pure_children(data: Dataset, front: Frontier, child: Ints, sizes: Ints) -> Bools:
    """Whether the rows of each child have one target, (2 m,): see `parted`.

    Each row is compared with any one of its own child; where all targets differ, only one row is
    pure.
    """
    if front.entries is None and _all_differ(data):
        return sizes <= 1
    m, y = len(front.sizes), data.y.take(front.rows[0])
    one = np.zeros(2 * m, y.dtype)
    one[child] = y
    mixed = np.zeros(2 * m, np.bool_)
    mixed[child.compress(y != one.take(child))] = True
    return ~mixed


@lru_cache(maxsize=4)
def _all_differ(data: Dataset) -> bool:
    """Whether the target is another number in every row."""
    if data.classes:
        return False
    y = np.sort(data.y)
    return bool((y[1:] > y[:-1]).all())


def majority(data: Dataset, known: Facts) -> Floats | None:
    """The share of each node's majority class; numbers have none."""
    return known.share if data.classes else None


def before_search(
    rules: Rules, depths: Ints | None, n: Ints, pure: Bools, share: Floats | None
) -> Stops:
    """Which nodes stop by what needs no look at their cuts.

    `depths` matter where there is a `max_depth`; `share` is that of the most frequent class, where
    there are classes and it matters.
    """
    yield "pure", pure
    if share is not None:
        yield "purity", pure_enough(share, rules.purity)
    yield "min_samples_split", n < rules.min_samples_split
    if rules.max_depth is not None and depths is not None:
        yield "max_depth", depths >= rules.max_depth


def after_search(rules: Rules, top: Best, impurity: Floats | None, weight: float) -> Stops:
    """Which nodes stop by their best cut; `weight` is that of all rows of their tree.

    Impurities matter where there is a `min_gain` or a `min_impurity_decrease`.
    """
    yield "constant", top.grade == NO_CUT
    yield "min_samples_leaf", top.grade == FEW_ROWS
    yield "min_weight_fraction_leaf", top.grade == LITTLE_WEIGHT
    yield "above_zero", top.grade == ALL_ZERO
    yield from _too_little(rules, top, impurity, weight)


def chosen_to_split(rules: Rules, top: Best, impurity: Floats | None, weight: float) -> Bools:
    """The nodes that none of those stops: they have an admissible cut, and it gains enough."""
    chosen = top.cut >= 0
    for _, stopped in _too_little(rules, top, impurity, weight):
        chosen &= ~stopped
    return chosen


def _too_little(rules: Rules, top: Best, impurity: Floats | None, weight: float) -> Stops:
    """Which nodes stop by what their best cut gains."""
    if impurity is not None:
        share = top.weight / weight
        lowers = gains_enough(top.gain * share, impurity * share, rules.min_impurity_decrease)
        yield "min_gain", ~gains_enough(top.gain, impurity, rules.min_gain)
        yield "min_impurity_decrease", ~lowers
    if rules.stop_at_zero_gain:
        yield "zero_gain", top.gain <= 0


def unstopped(stops: Stops) -> Bools:
    """The nodes that nothing stops."""
    return ~reduce(or_, (stopped for _, stopped in stops))


def reasons(stops: Stops, nodes: int) -> list[str]:
    """The first rule that stops each of so many nodes; '' where none does."""
    out = [""] * nodes
    for name, stopped in stops:
        for j in np.flatnonzero(stopped).tolist():
            out[j] = out[j] or name
    return out
