"""The order in which the values of a category are cut: node by node, by how they predict.

Two classes and numbers: by their share or mean; some cut between neighbours is then the best of all
2^(v-1) - 1 subsets (Breiman et al. 1984, 4.4; Fisher 1958). More classes: every subset is tried
where a node has at most MOST_TRIED values, and those of the best one stand first, then the others,
each side by how far its class shares lean from this one to that; beyond, the values are ordered by
the first principal component of their class shares (Coppersmith, Hong, Hosking 1999), which need
not find the best subset. Absolute error orders them by their medians, regressions by their means,
which need not find it either.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria import Criterion, Sides
from dtviz.engine.frontier import Bools, Floats, Ints, starts_of
from dtviz.engine.least import Least
from dtviz.engine.sums import Amounts
from dtviz.engine.tally import Tally, ranges

MOST_TRIED = 10
BLOCK = 1 << 20
"""Subsets tried together, times the classes."""


def subsets(values: int) -> int:
    """How many ways there are to part so many values in two: 2^(v-1) - 1."""
    return int(2 ** max(values - 1, 0)) - 1


def tries_all(criterion: Criterion, classes: int) -> bool:
    """Whether every subset of few values is tried: no order is known whose cuts have the best."""
    return classes > 2 and criterion.impurity.statistics.ordered is None


def arranged(found: Tally, categories: Bools, criterion: Criterion, least: Least) -> Tally:
    """The tally with the groups of each segment that is of a category, (L, m), in their order.

    Rows without a value take part in the choice of it, and stay the last of their node. Where the
    groups tell all that their cuts are ranked by, it is not kept what they hold.
    """
    if criterion.impurity.statistics.ordered is None:
        found = found._replace(entries=None)
    sizes, many = found.per_segment.ravel(), found.per_segment.shape[1]
    own = np.flatnonzero(categories.ravel() & (sizes > 0))
    count, order = sizes[own], np.arange(len(found.values))
    at = ranges(starts_of(sizes)[own], count)
    whole = found.node_weight.take(own % many)
    if found.part is not None:
        whole = whole * found.part.ravel().take(own)
    known = count if found.gaps is None else count - found.gaps.ravel().take(own)
    key, values = _keys(found, at, count, known, whole, criterion, least), found.values.take(at)
    key[np.isnan(values)] = np.inf
    order[at] = at[np.lexsort((values, key, np.arange(len(own)).repeat(count)))]
    return found.taken(order, found.per_segment)._replace(categories=categories)


def _keys(
    found: Tally,
    at: Ints,
    count: Ints,
    known: Ints,
    whole: Floats,
    criterion: Criterion,
    least: Least,
) -> Floats:
    """What the groups `at` are ordered by: `count` of a category in a node, in turn.

    So many of them are `known`: the last may be of the rows without a value. `whole` is what each
    of these nodes weighs.
    """
    order = criterion.impurity.statistics.ordered
    if found.entries is not None and order is not None:
        return order.of(found.entries.rows(found.sizes)).take(at)
    starts = starts_of(count)
    n = np.ones(len(at)) if found.n is None else found.n[at].astype(np.float64)
    weight = n if found.weight is None else found.weight[at].astype(np.float64)
    sums = [amounts[at].astype(np.float64) for amounts in found.sums()]
    if len(sums) == 1:
        return sums[0] / weight * (-1 if found.partition else 1)
    table = np.array([*sums, weight - sum(sums)] if found.partition else sums)
    key = np.empty(len(at))
    few = known <= MOST_TRIED
    for nodes in (np.flatnonzero(few), np.flatnonzero(~few)):
        for some in _blocks(nodes, count, len(table)):
            place = np.arange(count[some].max())
            there = place < count[some, None]
            groups = np.where(there, starts[some, None] + place, 0)

            def of(amounts: Floats, groups: Ints = groups, there: Bools = there) -> Floats:
                return np.where(there, amounts[..., groups], 0.0)

            rows = of(n)
            values = Values(of(table), rows, rows if weight is n else of(weight))
            if few[some[0]]:
                keys = _leaning(values, count[some], whole[some], criterion, least)
            else:
                keys = _component(values, there)
            key[groups[there]] = keys[there]
    return key


def _blocks(nodes: Ints, count: Ints, classes: int) -> Iterator[Ints]:
    """The nodes, so many at a time that what is known of their subsets is no more than BLOCK."""
    widest = int(count[nodes].max(initial=0))
    tried = subsets(min(widest, MOST_TRIED + 1))
    step = max(BLOCK // (classes * max(classes, tried)), 1)
    return (nodes[k : k + step] for k in range(0, len(nodes), step))


class Values(NamedTuple):
    """Of the values of a category in b nodes: the classes' weights (K, b, v), rows and weights.

    A node that has fewer of them has zeros at the end.
    """

    table: Floats
    n: Floats
    weight: Floats


def _leaning(
    values: Values, count: Ints, node: Amounts, criterion: Criterion, least: Least
) -> Floats:
    """Places of the values, (b, v), of b nodes with so many: those of the best subset come first.

    On each side they stand by how far their class shares lean from the one side to the other.
    """
    table, weight = values.table, values.weight
    best = _tried(values, count, node, criterion, least)
    left = (table * best).sum(axis=2)
    heavy = (weight * best).sum(axis=1)
    rest = weight.sum(axis=1) - heavy
    apart = left / heavy - (table.sum(axis=2) - left) / np.where(rest > 0, rest, 1.0)
    lean = (_signed(apart)[:, :, None] * table).sum(axis=0) / np.where(weight > 0, weight, 1.0)
    return np.asarray(lean - 3 * (best & (count > 2)[:, None]))


def _signed(axes: Floats) -> Floats:
    """Directions (K, b), turned so that the largest part of each is positive."""
    largest = np.abs(axes).argmax(axis=0)
    return np.asarray(axes * np.sign(axes[largest, np.arange(axes.shape[1])]))


def _component(values: Values, there: Bools) -> Floats:
    """The first principal component of the class shares of the values of each node, (b, v)."""
    table, weight = values.table, values.weight
    mean = table.sum(axis=2) / weight.sum(axis=1)
    shares = table / np.where(there, weight, 1.0)
    apart = np.where(there, shares - mean[:, :, None], 0.0).transpose(1, 0, 2)  # (b, K, v)
    axes = np.linalg.eigh((apart * weight[:, None]) @ apart.transpose(0, 2, 1))[1][:, :, -1]
    return np.asarray((_signed(axes.T).T[:, None] @ apart)[:, 0])


def _tried(
    values: Values, count: Ints, node: Amounts, criterion: Criterion, least: Least
) -> NDArray[np.bool_]:
    """Which values the best subset has, (b, v), of b nodes with so many values.

    `node` is what each of them weighs in full, (b,).
    """
    table, n, weight = values
    many = n.shape[1]
    tried = masks(max(many, 2))[:, :many].astype(np.float64)  # one value alone is on the left
    left = table @ tried.T
    both = np.array([left, table.sum(axis=2)[:, :, None] - left])
    rows = _sides(n, tried)
    heavy = rows if weight is n else _sides(weight, tried)
    shape = rows.shape[1:]

    def sums() -> Iterator[Floats]:
        return (both[:, k].reshape(2, -1) for k in range(len(table)))

    with np.errstate(invalid="ignore"):  # a side may have no row
        below = criterion.impurity.spread(
            (part.ravel() for part in sums()), np.asarray(heavy.ravel())
        ).reshape(heavy.shape)
    whole = criterion.impurity.spread(table.sum(axis=2), weight.sum(axis=1))
    gain = (whole[:, None] - below.sum(axis=0)) / weight.sum(axis=1)[:, None]
    score = gain
    if criterion.measure is not None:
        flat = Sides(sums, rows.reshape(2, -1), heavy.reshape(2, -1), gain.ravel())
        with np.errstate(invalid="ignore"):
            score = criterion.measure.score(flat).reshape(shape)
    own = np.arange(len(tried)) < 2.0 ** (count - 1)[:, None] - 1
    score = np.where(own & least.enough(rows, heavy, node[:, None]), score, -np.inf)
    return np.asarray(tried[score.argmax(axis=1)] > 0)


def _sides(amounts: Floats, tried: Floats) -> Floats:
    """The amounts of b nodes in each subset and outside of it, (2, b, subsets)."""
    left = amounts @ tried.T
    return np.array([left, amounts.sum(axis=1)[:, None] - left])


@lru_cache(maxsize=MOST_TRIED + 1)
def masks(values: int) -> NDArray[Any]:
    """Every subset of so many values but none and all, one of each pair of sides: (subsets, v)."""
    numbers = np.arange(1, subsets(values) + 1)
    chosen = (numbers[:, None] >> np.arange(values)) & 1 == 1
    chosen.setflags(write=False)
    return np.asarray(chosen)
