"""The order in which the values of a category are cut: node by node, by how they predict.

Two classes and numbers: by their share or mean; some cut between neighbours is then the best of all
2^(v-1) - 1 subsets (Breiman et al. 1984, 4.4; Fisher 1958). Where it leaves too little on a side,
another subset may be the best that is left: every subset is tried where a node has at most
MOST_TRIED values; beyond, only the cuts of this order are. More classes: every subset is tried
where a node has at most MOST_TRIED values; beyond, the values are ordered by the first principal
component of their class shares (Coppersmith, Hong, Hosking 1999), which need not find the best
subset. Absolute error orders them by their medians, regressions by their means, which need not find
it either.

Where every subset is tried, the values of the best one stand on one side of the others: of two
classes and of numbers both sides keep their order, of more classes each side is ordered by how far
its class shares lean from this one to that.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.engine.criteria.criteria import Criterion, Sides
from dtviz.engine.criteria.statistics import Amounts
from dtviz.engine.search.frontier import starts_of
from dtviz.engine.search.histogram import Tally, ranges
from dtviz.engine.search.minimum import ADMISSIBLE, ONE_ROW, Least

MOST_TRIED = 10
BLOCK = 1 << 20
"""Subsets tried together, times the classes."""


def subsets(values: int) -> int:
    """How many ways there are to part so many values in two: 2^(v-1) - 1."""
    return int(2 ** max(values - 1, 0)) - 1


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
    values = found.values.take(at)
    key, tried = _keys(found, at, Segments(own, count, known, whole), criterion, least)
    key[np.isnan(values)] = np.inf
    order[at] = at[np.lexsort((values, key, np.arange(len(own)).repeat(count)))]
    in_full = np.zeros(len(sizes), np.bool_)
    in_full[own[tried]] = True
    return found.taken(order, found.per_segment)._replace(
        categories=categories, in_full=in_full.reshape(found.per_segment.shape)
    )


class Segments(NamedTuple):
    """Segments of categories: one entry each, arrays (s,)."""

    place: Ints
    """The number of the segment in the tally."""
    groups: Ints
    """The number of its groups."""
    known: Ints
    """The number of its groups whose rows have a value; the last group may be of the others."""
    weight: Floats
    """The weight of its rows."""


def _keys(
    found: Tally, at: Ints, segments: Segments, criterion: Criterion, least: Least
) -> tuple[Floats, Bools]:
    """Sort keys of the groups `at`, segment by segment, and the segments tried in full, (s,)."""
    order, count = criterion.impurity.statistics.ordered, segments.groups
    tried = np.zeros(len(count), np.bool_)
    if found.entries is not None and order is not None:
        return order.of(found.entries.rows(found.sizes)).take(at), tried
    node = segments.place % found.per_segment.shape[1]
    table, n, weight = _amounts(found, at, node.repeat(count))
    few = segments.known <= MOST_TRIED
    if has_order := len(table) - found.partition == 1:
        key = table[0] / weight * (-1 if found.partition else 1)
        if least == ONE_ROW:
            return key, tried
        key[np.isnan(found.values.take(at))] = np.inf
        parts = [np.flatnonzero(few)]
    else:
        key, parts = np.empty(len(at)), [np.flatnonzero(few), np.flatnonzero(~few)]
        tried |= few & (len(table) > 1)
    tolerance = _tolerances(found).take(node)
    starts = starts_of(count)
    for nodes in parts:
        for some in _blocks(nodes, count, len(table)):
            place = np.arange(count[some].max())
            there = place < count[some, None]
            groups = np.where(there, starts[some, None] + place, 0)

            def of(amounts: Floats, groups: Ints = groups, there: Bools = there) -> Floats:
                return np.where(there, amounts[..., groups], 0.0)

            rows = of(n)
            values = Values(of(table), rows, rows if weight is n else of(weight))
            if has_order:
                own = np.where(there, key[groups], np.inf)
                search = Search(values, count[some], segments.weight[some], criterion, least)
                keys, tried[some] = _sided(search, own, tolerance[some])
            elif few[some[0]]:
                search = Search(values, count[some], segments.weight[some], criterion, least)
                keys = _leaning(search)
            else:
                keys = _component(values, there)
            key[groups[there]] = keys[there]
    return key, tried


def _amounts(found: Tally, at: Ints, node: Ints) -> tuple[Floats, Floats, Floats]:
    """Sums, (K, g), rows and weights of the groups `at`, which are of these nodes, (g,)."""

    def of_groups(amounts: Amounts | None, unit: Floats | None) -> Floats:
        out = np.ones(len(at)) if amounts is None else amounts[at].astype(np.float64)
        return out if unit is None else out * unit.take(node)

    n = of_groups(found.n, None)
    weight = n if found.weight is None else of_groups(found.weight, found.weight_unit)
    sums = [of_groups(amounts, found.unit) for amounts in found.sums()]
    return np.array([*sums, weight - sum(sums)] if found.partition else sums), n, weight


def _tolerances(found: Tally) -> Floats:
    """Difference up to which scores from sums of each node are equal, (m,)."""
    scale = np.ones(len(found.node_weight)) if found.scale is None else found.scale
    if found.worth is not None:
        scale = scale / np.where(found.worth > 0, found.worth, 1.0)
    return np.asarray(ROUNDING * scale)


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


class Search(NamedTuple):
    """The values of b nodes, and by what their subsets are searched."""

    values: Values
    sizes: Ints
    """The number of values of each node, (b,)."""
    weight: Floats
    """The weight of each node, (b,)."""
    criterion: Criterion
    least: Least


def _sided(search: Search, key: Floats, tolerance: Floats) -> tuple[Floats, Bools]:
    """Sort keys of the values, (b, v), and the nodes of which every subset was tried, (b,).

    `key` orders the values so that a cut between neighbours is the best of all subsets; those
    without a value have an infinite one. Where such a cut is not admissible and a subset scores
    more, by more than `tolerance`, (b,), than all admissible cuts, the side of that subset with the
    first value stands before the other side.
    """
    order = np.argsort(key, axis=1, kind="stable")
    table, n, weight = search.values
    ordered = Values(
        np.take_along_axis(table, order[None].repeat(len(table), axis=0), axis=2),
        np.take_along_axis(n, order, axis=1),
        np.take_along_axis(weight, order, axis=1),
    )
    missing = np.isinf(np.take_along_axis(key, order, axis=1))

    def before(amounts: Floats) -> Floats:
        """Amounts of the first 1, 2, ... values, then of the same with the missing rows."""
        left = np.where(missing, 0.0, amounts).cumsum(axis=-1)
        lacking = np.where(missing, amounts, 0.0).sum(axis=-1, keepdims=True)
        return np.concatenate([left, left + lacking], axis=-1)

    left = Values(before(ordered.table), before(ordered.n), before(ordered.weight))
    score, admissible = _scores(left, search)
    top = np.where(admissible, score, -np.inf).max(axis=1)
    tried = (top < score.max(axis=1) - tolerance) & (search.sizes > 2)
    keys = np.empty(key.shape)
    np.put_along_axis(keys, order, np.arange(key.shape[1], dtype=np.float64)[None], axis=1)
    some = np.flatnonzero(tried)
    if len(some):
        part = search._replace(
            values=Values(table[:, some], n[some], weight[some]),
            sizes=search.sizes[some],
            weight=search.weight[some],
        )
        best, reached = _best_subset(part)
        first = np.take_along_axis(best, order[some, :1], axis=1)
        better = reached > top[some] + tolerance[some]
        keys[some] += key.shape[1] * ((best != first) & better[:, None])
    return keys, tried


def _leaning(search: Search) -> Floats:
    """Places of the values, (b, v): those of the best subset come first.

    On each side they stand by how far their class shares lean from the one side to the other.
    """
    table, _, weight = search.values
    best, _ = _best_subset(search)
    left = (table * best).sum(axis=2)
    heavy = (weight * best).sum(axis=1)
    rest = weight.sum(axis=1) - heavy
    apart = left / heavy - (table.sum(axis=2) - left) / np.where(rest > 0, rest, 1.0)
    lean = (_signed(apart)[:, :, None] * table).sum(axis=0) / np.where(weight > 0, weight, 1.0)
    return np.asarray(lean - 3 * (best & (search.sizes > 2)[:, None]))


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


def _best_subset(search: Search) -> tuple[Bools, Floats]:
    """Members of the best admissible subset of each node, (b, v), and its score, (b,).

    The score is -inf, and the subset the first, where no subset is admissible.
    """
    table, n, weight = search.values
    many = n.shape[1]
    tried = masks(max(many, 2))[:, :many]  # a value alone is on the left
    chosen = tried.T.astype(np.float64)
    score, admissible = _scores(Values(table @ chosen, n @ chosen, weight @ chosen), search)
    own = np.arange(len(tried)) < 2.0 ** (search.sizes - 1)[:, None] - 1
    score = np.where(own & admissible, score, -np.inf)
    return tried[score.argmax(axis=1)], score.max(axis=1)


def _scores(left: Values, search: Search) -> tuple[Floats, Bools]:
    """Scores of cuts with these left sides, and the mask of the admissible ones: (b, cuts) each.

    The score of a cut with an empty side is -inf.
    """
    table, n, weight = search.values
    criterion, spread = search.criterion, search.criterion.impurity.spread

    def sides(amounts: Floats, of_values: Floats) -> Floats:
        return np.array([amounts, of_values.sum(axis=-1)[..., None] - amounts])

    both, rows, heavy = sides(left.table, table), sides(left.n, n), sides(left.weight, weight)
    shape = rows.shape[1:]

    def sums() -> Iterator[Floats]:
        return (both[:, k].reshape(2, -1) for k in range(len(table)))

    with np.errstate(invalid="ignore", divide="ignore"):  # a side may have no row
        below = spread((part.ravel() for part in sums()), heavy.ravel()).reshape(heavy.shape)
        node = weight.sum(axis=1)
        gain = (spread(table.sum(axis=2), node)[:, None] - below.sum(axis=0)) / node[:, None]
        score = gain
        if criterion.measure is not None:
            flat = Sides(sums, rows.reshape(2, -1), heavy.reshape(2, -1), gain.ravel())
            score = criterion.measure.score(flat).reshape(shape)
        whole = search.weight.repeat(shape[1])
        flat_sides = (rows.reshape(2, -1), heavy.reshape(2, -1), whole, both[:, 0].reshape(2, -1))
        grades = search.least.grades(*flat_sides).reshape(shape)
    full = (rows > 0).all(axis=0)
    return np.where(full, score, -np.inf), full & (grades == ADMISSIBLE)


@lru_cache(maxsize=MOST_TRIED + 1)
def masks(values: int) -> NDArray[Any]:
    """Every subset of so many values but none and all, one of each pair of sides: (subsets, v)."""
    numbers = np.arange(1, subsets(values) + 1)
    chosen = (numbers[:, None] >> np.arange(values)) & 1 == 1
    chosen.setflags(write=False)
    return np.asarray(chosen)
