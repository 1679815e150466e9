"""Order in which the values of a category are cut: node by node, by how they predict.

Two classes and numbers: by class share or mean; some cut between neighbours is then the best of all
2^(v-1) - 1 subsets (Breiman et al. 1984, 4.4; Fisher 1958). If this cut does not leave the minimum
on both sides, another subset may be the best that does: every subset is tried where a node has few
values; with more values, only the cuts of the order are.

More classes: every subset is tried where a node has few values; more values are ordered by the
first principal component of their class shares (Coppersmith, Hong, Hosking 1999), which need not
find the best subset. Absolute error orders values by their medians, regressions by their means,
which need not find it either.

Where every subset is tried, the values of the best one come before or after all others. With two
classes or numbers both sides keep their order; with more classes each side is ordered by how far
its class shares lean from one side to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.engine.criteria.criteria import Criterion, SideSums
from dtviz.engine.criteria.statistics import Amounts
from dtviz.engine.search.frontier import starts_of
from dtviz.engine.search.histogram import Histogram, ranges
from dtviz.engine.splits.split import ADMISSIBLE, ONE_ROW, Minimum

MAX_VALUES_TRIED = 10
"""Number of values of a category in a node, few, up to which every subset is tried."""
BLOCK = 1 << 20
"""Size of the table of subsets tried together: subsets times classes."""


def count_subsets(values: int) -> int:
    """Number of ways to divide so many values in two: 2^(v-1) - 1."""
    return int(2 ** max(values - 1, 0)) - 1


def sort_categories(
    hist: Histogram, categories: Bools, criterion: Criterion, minimum: Minimum
) -> Histogram:
    """Sorts the groups of the segments of categories, in the mask (L, m), by their category order.

    Missing values take part in the choice of the order, and stay the last group of their segment.
    The entries are dropped where the groups alone determine the scores of the cuts.
    """
    if criterion.impurity.statistics.category_key is None:
        hist = hist._replace(entries=None)
    sizes, m = hist.per_segment.ravel(), hist.per_segment.shape[1]
    segments = np.flatnonzero(categories.ravel() & (sizes > 0))
    count, order = sizes[segments], np.arange(len(hist.values))
    groups = ranges(starts_of(sizes)[segments], count)
    weight = hist.node_weight.take(segments % m)
    if hist.known_share is not None:
        weight = weight * hist.known_share.ravel().take(segments)
    n_known = count if hist.has_missing is None else count - hist.has_missing.ravel().take(segments)
    values = hist.values.take(groups)
    listed = CategorySegments(segments, count, n_known, weight)
    keys, is_tried = _keys(hist, groups, listed, criterion, minimum)
    keys[np.isnan(values)] = np.inf
    order[groups] = groups[np.lexsort((values, keys, np.arange(len(segments)).repeat(count)))]
    in_full = np.zeros(len(sizes), np.bool_)
    in_full[segments[is_tried]] = True
    return hist.take(order, hist.per_segment)._replace(
        categories=categories, all_subsets_tried=in_full.reshape(hist.per_segment.shape)
    )


class CategorySegments(NamedTuple):
    """Segments of categories: one entry each, arrays (s,)."""

    segment: Ints
    """Number of the segment in the histogram."""
    n_groups: Ints
    """Number of its groups."""
    n_known: Ints
    """Number of its groups of known values; missing values may be one more, the last."""
    weight: Floats
    """Weight of its rows."""


def _keys(
    hist: Histogram,
    groups: Ints,
    segments: CategorySegments,
    criterion: Criterion,
    minimum: Minimum,
) -> tuple[Floats, Bools]:
    """Sort keys of the given groups, segment by segment; mask of the segments tried in full, (s,).

    A segment is tried in full where every subset of its values was compared.
    """
    order, count = criterion.impurity.statistics.category_key, segments.n_groups
    is_tried = np.zeros(len(count), np.bool_)
    if hist.entries is not None and order is not None:
        return order.compute(hist.entries.rows(hist.sizes)).take(groups), is_tried
    nodes = segments.segment % hist.per_segment.shape[1]
    table, n, weight = _group_sums(hist, groups, nodes.repeat(count))
    is_small = segments.n_known <= MAX_VALUES_TRIED
    if has_order := len(table) - hist.partition == 1:
        key = table[0] / weight * (-1 if hist.partition else 1)
        if minimum == ONE_ROW:
            return key, is_tried
        key[np.isnan(hist.values.take(groups))] = np.inf
        batches = [np.flatnonzero(is_small)]
    else:
        key, batches = np.empty(len(groups)), [np.flatnonzero(is_small), np.flatnonzero(~is_small)]
        is_tried |= is_small & (len(table) > 1)
    tolerance = _tolerances(hist).take(nodes)
    starts = starts_of(count)
    for batch in batches:
        for block in _blocks(batch, count, len(table)):
            positions = np.arange(count[block].max())
            exists = positions < count[block, None]
            group_ids = np.where(exists, starts[block, None] + positions, 0)

            def padded(amounts: Floats, ids: Ints = group_ids, mask: Bools = exists) -> Floats:
                return np.where(mask, amounts[..., ids], 0.0)

            n_rows = padded(n)
            weights = n_rows if weight is n else padded(weight)
            values = CategoryValues(padded(table), n_rows, weights)
            node_weight = segments.weight[block]
            search = SubsetSearch(values, count[block], node_weight, criterion, minimum)
            if has_order:
                padded_key = np.where(exists, key[group_ids], np.inf)
                keys, is_tried[block] = _keys_with_minimum(search, padded_key, tolerance[block])
            elif is_small[block[0]]:
                keys = _keys_by_lean(search)
            else:
                keys = _principal_components(values, exists)
            key[group_ids[exists]] = keys[exists]
    return key, is_tried


def _group_sums(hist: Histogram, groups: Ints, nodes: Ints) -> tuple[Floats, Floats, Floats]:
    """Sums, (K, g), rows and weights of the given groups, which are of the given nodes, (g,)."""

    def group_amounts(amounts: Amounts | None, unit: Floats | None) -> Floats:
        out = np.ones(len(groups)) if amounts is None else amounts[groups].astype(np.float64)
        return out if unit is None else out * unit.take(nodes)

    n = group_amounts(hist.n, None)
    weight = n if hist.weight is None else group_amounts(hist.weight, hist.weight_unit)
    sums = [group_amounts(amounts, hist.unit) for amounts in hist.sums()]
    return np.array([*sums, weight - sum(sums)] if hist.partition else sums), n, weight


def _tolerances(hist: Histogram) -> Floats:
    """Difference up to which two scores of a node are equal, (m,)."""
    scale = np.ones(len(hist.node_weight)) if hist.scale is None else hist.scale
    if hist.spread_factor is not None:
        scale = scale / np.where(hist.spread_factor > 0, hist.spread_factor, 1.0)
    return np.asarray(ROUNDING * scale)


def _blocks(nodes: Ints, count: Ints, classes: int) -> Iterator[Ints]:
    """Splits the nodes into blocks whose tables of subsets have at most BLOCK numbers."""
    n_values = int(count[nodes].max(initial=0))
    n_subsets = count_subsets(min(n_values, MAX_VALUES_TRIED + 1))
    step = max(BLOCK // (classes * max(classes, n_subsets)), 1)
    return (nodes[k : k + step] for k in range(0, len(nodes), step))


class CategoryValues(NamedTuple):
    """Values of a category in b nodes; a node with fewer values has zeros at the end."""

    table: Floats
    """Weight of each class in each value, (K, b, v), or the sums of other statistics."""
    n: Floats
    """Rows of each value, (b, v)."""
    weight: Floats
    """Weight of each value, (b, v)."""


class SubsetSearch(NamedTuple):
    """Values of b nodes, and the criterion and minimum by which their subsets are compared."""

    values: CategoryValues
    """Values of the nodes."""
    sizes: Ints
    """Number of values of each node, (b,)."""
    weight: Floats
    """Weight of each node, (b,)."""
    criterion: Criterion
    """Criterion that scores the subsets."""
    minimum: Minimum
    """Minimum of both sides."""


def _keys_with_minimum(
    search: SubsetSearch, key: Floats, tolerance: Floats
) -> tuple[Floats, Bools]:
    """Sort keys of the values, (b, v), and mask of the nodes of which every subset was tried, (b,).

    `key`, infinite for missing values, orders the values so that a cut between neighbours is the
    best of all subsets. Where this cut is not admissible, and some subset scores more than all
    admissible cuts by more than `tolerance`, (b,), the side of that subset with the first value
    comes first.
    """
    order = np.argsort(key, axis=1, kind="stable")
    table, n, weight = search.values
    ordered = CategoryValues(
        np.take_along_axis(table, order[None].repeat(len(table), axis=0), axis=2),
        np.take_along_axis(n, order, axis=1),
        np.take_along_axis(weight, order, axis=1),
    )
    is_missing = np.isinf(np.take_along_axis(key, order, axis=1))

    def left_amounts(amounts: Floats) -> Floats:
        """Amounts of the first 1, 2, ... values, then the same with missing values added."""
        left = np.where(is_missing, 0.0, amounts).cumsum(axis=-1)
        missing_amount = np.where(is_missing, amounts, 0.0).sum(axis=-1, keepdims=True)
        return np.concatenate([left, left + missing_amount], axis=-1)

    left = CategoryValues(*map(left_amounts, ordered))
    score, admissible = _scores(left, search)
    top = np.where(admissible, score, -np.inf).max(axis=1)
    is_tried = (top < score.max(axis=1) - tolerance) & (search.sizes > 2)
    keys = np.empty(key.shape)
    np.put_along_axis(keys, order, np.arange(key.shape[1], dtype=np.float64)[None], axis=1)
    nodes = np.flatnonzero(is_tried)
    if len(nodes):
        tried_search = search._replace(
            values=CategoryValues(table[:, nodes], n[nodes], weight[nodes]),
            sizes=search.sizes[nodes],
            weight=search.weight[nodes],
        )
        best, best_score = _best_subset(tried_search)
        first = np.take_along_axis(best, order[nodes, :1], axis=1)
        is_better = best_score > top[nodes] + tolerance[nodes]
        keys[nodes] += key.shape[1] * ((best != first) & is_better[:, None])
    return keys, is_tried


def _keys_by_lean(search: SubsetSearch) -> Floats:
    """Sort keys of the values, (b, v), with those of the best subset first.

    Each side is ordered by how far the class shares of a value lean from one side to the other.
    """
    table, _, weight = search.values
    best, _ = _best_subset(search)
    left_table = (table * best).sum(axis=2)
    left_weight = (weight * best).sum(axis=1)
    right_weight = weight.sum(axis=1) - left_weight
    right_weight[right_weight <= 0] = 1.0
    direction = left_table / left_weight - (table.sum(axis=2) - left_table) / right_weight
    lean = (_signed(direction)[:, :, None] * table).sum(axis=0) / np.where(weight > 0, weight, 1.0)
    return np.asarray(lean - 3 * (best & (search.sizes > 2)[:, None]))


def _signed(axes: Floats) -> Floats:
    """Directions, (K, b), with the sign that makes the largest part of each positive."""
    largest = np.abs(axes).argmax(axis=0)
    return np.asarray(axes * np.sign(axes[largest, np.arange(axes.shape[1])]))


def _principal_components(values: CategoryValues, exists: Bools) -> Floats:
    """First principal component of the class shares of the values of each node, (b, v)."""
    table, weight = values.table, values.weight
    mean = table.sum(axis=2) / weight.sum(axis=1)
    shares = table / np.where(exists, weight, 1.0)
    deviation = np.where(exists, shares - mean[:, :, None], 0.0).transpose(1, 0, 2)  # (b, K, v)
    axes = np.linalg.eigh((deviation * weight[:, None]) @ deviation.transpose(0, 2, 1))[1][:, :, -1]
    return np.asarray((_signed(axes.T).T[:, None] @ deviation)[:, 0])


def _best_subset(search: SubsetSearch) -> tuple[Bools, Floats]:
    """Mask of the best admissible subset of each node, (b, v), and its score, (b,).

    Where no subset is admissible the score is -inf, and the subset the first.
    """
    table, n, weight = search.values
    n_values = n.shape[1]
    members = subset_masks(max(n_values, 2))[:, :n_values]  # a single value is on the left
    columns = members.T.astype(np.float64)
    left = CategoryValues(table @ columns, n @ columns, weight @ columns)
    score, admissible = _scores(left, search)
    exists = np.arange(len(members)) < 2.0 ** (search.sizes - 1)[:, None] - 1
    score = np.where(exists & admissible, score, -np.inf)
    return members[score.argmax(axis=1)], score.max(axis=1)


def _scores(left: CategoryValues, search: SubsetSearch) -> tuple[Floats, Bools]:
    """Scores of cuts with the given left sides, and mask of the admissible ones: (b, cuts) each.

    The score of a cut with an empty side is -inf.
    """
    table, _, weight = search.values
    criterion, spread = search.criterion, search.criterion.impurity.spread

    def both_sides(amounts: Floats, of_values: Floats) -> Floats:
        return np.array([amounts, of_values.sum(axis=-1)[..., None] - amounts])

    side_sums, side_rows, side_weight = map(both_sides, left, search.values)
    shape = side_rows.shape[1:]

    def sums() -> Iterator[Floats]:
        return (side_sums[:, k].reshape(2, -1) for k in range(len(table)))

    with np.errstate(invalid="ignore", divide="ignore"):  # a side may have no row
        side_spread = spread((part.ravel() for part in sums()), side_weight.ravel())
        side_spread = side_spread.reshape(side_weight.shape)
        node = weight.sum(axis=1)
        gain = (spread(table.sum(axis=2), node)[:, None] - side_spread.sum(axis=0)) / node[:, None]
        score = gain
        flat_rows, flat_weight = side_rows.reshape(2, -1), side_weight.reshape(2, -1)
        if criterion.measure is not None:
            flat = SideSums(sums, flat_rows, flat_weight, gain.ravel())
            score = criterion.measure.score(flat).reshape(shape)
        node_weight = search.weight.repeat(shape[1])
        excess = side_sums[:, 0].reshape(2, -1)
        grades = search.minimum.grades(flat_rows, flat_weight, node_weight, excess).reshape(shape)
    has_rows = (side_rows > 0).all(axis=0)
    return np.where(has_rows, score, -np.inf), has_rows & (grades == ADMISSIBLE)


@lru_cache(maxsize=MAX_VALUES_TRIED + 1)
def subset_masks(values: int) -> NDArray[Any]:
    """Masks of the subsets of so many values, (subsets, v): one of each pair of two sides."""
    numbers = np.arange(1, count_subsets(values) + 1)
    is_member = (numbers[:, None] >> np.arange(values)) & 1 == 1
    is_member.setflags(write=False)
    return np.asarray(is_member)
