"""Order in which the values of a category are cut: node by node, by how they predict.

The order depends on the target. Few values are at most MAX_VALUES_TRIED in a node.

- Two classes, or numbers: values are ordered by class share or mean. Some cut between neighbours is
  then the best of all 2^(v-1) - 1 subsets of v values (Breiman et al. 1984, 4.4; Fisher 1958). If
  this cut does not leave the minimum on both sides, another subset may be the best of those that
  do: of few values every subset is tried, of more only the cuts of the order.
- More classes: of few values every subset is tried. More values are ordered by the first principal
  component of their class shares (Coppersmith, Hong, Hosking 1999), which may miss the best subset.
- Absolute error orders values by their medians, regressions order them by their means: both may
  miss the best subset.

Where every subset is tried, the values of the best subset come before or after all others. With two
classes or numbers the values of each side keep their order. With more classes each side is ordered
by how far the class shares of a value lean from one side to the other.
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
"""Number of values of a category in a node up to which every subset is tried."""
MAX_BLOCK_SIZE = 1 << 20
"""Numbers in the tables of segments that are searched together."""


def count_subsets(n_values: int) -> int:
    """Number of ways to divide v values in two: 2^(v-1) - 1."""
    return int(2 ** max(n_values - 1, 0)) - 1


def sort_categories(
    hist: Histogram, categories: Bools, criterion: Criterion, minimum: Minimum
) -> Histogram:
    """Sorts the groups of the segments in the mask `categories`, (L, m), by their category order.

    Missing values take part in the choice of the order, and stay the last group of their segment.
    """
    if criterion.impurity.statistics.category_key is None:
        hist = hist._replace(entries=None)  # the groups alone determine the scores of the cuts
    sizes, m = hist.groups_per_segment.ravel(), hist.groups_per_segment.shape[1]
    segments = np.flatnonzero(categories.ravel() & (sizes > 0))
    count, order = sizes[segments], np.arange(len(hist.values))
    groups = ranges(starts_of(sizes)[segments], count)
    weight = hist.node_weight.take(segments % m)
    if hist.known_share is not None:
        weight = weight * hist.known_share.ravel().take(segments)
    n_known = count if hist.has_missing is None else count - hist.has_missing.ravel().take(segments)
    values = hist.values.take(groups)
    category_segments = CategorySegments(segments, count, n_known, weight)
    keys, is_tried = _keys(hist, groups, category_segments, criterion, minimum)
    keys[np.isnan(values)] = np.inf
    order[groups] = groups[np.lexsort((values, keys, np.arange(len(segments)).repeat(count)))]
    all_tried = np.zeros(len(sizes), np.bool_)
    all_tried[segments[is_tried]] = True
    return hist.take(order, hist.groups_per_segment)._replace(
        categories=categories, all_subsets_tried=all_tried.reshape(hist.groups_per_segment.shape)
    )


class CategorySegments(NamedTuple):
    """The s segments of categories in a histogram, as arrays (s,)."""

    segment: Ints
    """Number of the segment among all of the histogram."""
    n_groups: Ints
    """Number of groups of the segment."""
    n_known: Ints
    """Number of groups of known values: all, or all but the last, which has missing values."""
    weight: Floats
    """Weight of the rows of the segment that are in its groups."""


def _keys(
    hist: Histogram,
    groups: Ints,
    segments: CategorySegments,
    criterion: Criterion,
    minimum: Minimum,
) -> tuple[Floats, Bools]:
    """Sort keys of the given groups, segment by segment.

    Also returned is the mask, (s,), of the segments of which every subset of values was compared.
    """
    category_key, count = criterion.impurity.statistics.category_key, segments.n_groups
    is_tried = np.zeros(len(count), np.bool_)
    if hist.entries is not None and category_key is not None:  # the criterion has its own order
        return category_key.compute(hist.entries.rows(hist.sizes)).take(groups), is_tried
    nodes = segments.segment % hist.groups_per_segment.shape[1]
    table, n, weight = _group_sums(hist, groups, nodes.repeat(count))
    is_small = segments.n_known <= MAX_VALUES_TRIED
    # one sum alone, that of two classes or of numbers: an order has the best subset as a cut
    if has_order := len(table) - hist.has_remainder == 1:
        # high shares of the first class, or low means, come first
        key = table[0] / weight * (-1 if hist.has_remainder else 1)
        if minimum == ONE_ROW:  # every cut is admissible, the best one too
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
            # a table with a line for each segment: shorter ones are filled up, where not `exists`
            positions = np.arange(count[block].max())
            exists = positions < count[block, None]
            group_ids = np.where(exists, starts[block, None] + positions, 0)

            def pad(amounts: Floats, ids: Ints = group_ids, mask: Bools = exists) -> Floats:
                return np.where(mask, amounts[..., ids], 0.0)

            n_rows = pad(n)
            weights = n_rows if weight is n else pad(weight)
            values = CategoryValues(pad(table), n_rows, weights)
            node_weight = segments.weight[block]
            search = SubsetSearch(values, count[block], node_weight, criterion, minimum)
            if has_order:
                padded_key = np.where(exists, key[group_ids], np.inf)
                keys, is_tried[block] = _keys_with_minimum(search, padded_key, tolerance[block])
            elif is_small[block[0]]:  # and so are all of the block
                keys = _keys_by_lean(search)
            else:
                keys = _principal_components(values, exists)
            key[group_ids[exists]] = keys[exists]
    return key, is_tried


def _group_sums(hist: Histogram, groups: Ints, nodes: Ints) -> tuple[Floats, Floats, Floats]:
    """Sums of the statistics, (K, g), rows and weights of the given groups.

    `nodes`, (g,), are the nodes of the groups.
    """

    def group_amounts(amounts: Amounts | None, unit: Floats | None) -> Floats:
        out = np.ones(len(groups)) if amounts is None else amounts[groups].astype(np.float64)
        return out if unit is None else out * unit.take(nodes)

    n = group_amounts(hist.n, None)
    weight = n if hist.weight is None else group_amounts(hist.weight, hist.weight_unit)
    sums = [group_amounts(amounts, hist.unit) for amounts in hist.sums()]
    return np.array([*sums, weight - sum(sums)] if hist.has_remainder else sums), n, weight


def _tolerances(hist: Histogram) -> Floats:
    """Difference up to which two scores of a node are equal, (m,)."""
    scale = np.ones(len(hist.node_weight)) if hist.scale is None else hist.scale
    if hist.spread_unit is not None:
        scale = scale / np.where(hist.spread_unit > 0, hist.spread_unit, 1.0)
    return np.asarray(ROUNDING * scale)


def _blocks(segments: Ints, count: Ints, classes: int) -> Iterator[Ints]:
    """Divides the segments into blocks whose tables have at most MAX_BLOCK_SIZE numbers.

    `count` is the number of values of each segment.
    """
    n_values = int(count[segments].max(initial=0))
    # missing values are one more value; of still more values no subset is tried
    n_subsets = count_subsets(min(n_values, MAX_VALUES_TRIED + 1))
    # a segment has sums of each subset, or the covariances of the class shares
    step = max(MAX_BLOCK_SIZE // (classes * max(classes, n_subsets)), 1)
    return (segments[k : k + step] for k in range(0, len(segments), step))


class CategoryValues(NamedTuple):
    """Values of categories in b nodes: up to v values; a node with fewer has zeros at the end."""

    table: Floats
    """Weight of each class in each value, (K, b, v), or the sums of other statistics."""
    n: Floats
    """Rows of each value, (b, v)."""
    weight: Floats
    """Weight of each value, (b, v)."""


class SubsetSearch(NamedTuple):
    """Values of b nodes, and the criterion and minimum by which their subsets are compared."""

    values: CategoryValues
    """Rows, weights and sums of the values of the nodes."""
    n_values: Ints
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
    best of all subsets. This cut may not be admissible: then every subset is tried. The best
    subset divides the values if it scores more than all admissible cuts by more than `tolerance`,
    (b,): then its side with the first value of the order comes first.
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
    top_admissible = np.where(admissible, score, -np.inf).max(axis=1)
    # of two values there is one subset alone
    is_tried = (top_admissible < score.max(axis=1) - tolerance) & (search.n_values > 2)
    keys = np.empty(key.shape)
    np.put_along_axis(keys, order, np.arange(key.shape[1], dtype=np.float64)[None], axis=1)
    nodes = np.flatnonzero(is_tried)
    if len(nodes):
        tried_search = search._replace(
            values=CategoryValues(table[:, nodes], n[nodes], weight[nodes]),
            n_values=search.n_values[nodes],
            weight=search.weight[nodes],
        )
        best, best_score = _best_subset(tried_search)
        first = np.take_along_axis(best, order[nodes, :1], axis=1)
        is_better = best_score > top_admissible[nodes] + tolerance[nodes]
        # values on the other side than the first value come after all others
        keys[nodes] += key.shape[1] * ((best != first) & is_better[:, None])
    return keys, is_tried


def _keys_by_lean(search: SubsetSearch) -> Floats:
    """Sort keys of the values, (b, v): of more than two values those of the best subset come first.

    Each side is ordered by how far the class shares of a value lean from one side to the other.
    """
    table, _, weight = search.values
    best, _ = _best_subset(search)
    left_table = (table * best).sum(axis=2)
    left_weight = (weight * best).sum(axis=1)
    right_weight = weight.sum(axis=1) - left_weight
    right_weight[right_weight <= 0] = 1.0
    direction = left_table / left_weight - (table.sum(axis=2) - left_table) / right_weight
    lean = (_orient(direction)[:, :, None] * table).sum(axis=0) / np.where(weight > 0, weight, 1.0)
    # a lean is between -1 and 1, so 3 separates the sides
    return np.asarray(lean - 3 * (best & (search.n_values > 2)[:, None]))


def _orient(directions: Floats) -> Floats:
    """Directions, (K, b), each with the sign that makes its largest component positive."""
    largest = np.abs(directions).argmax(axis=0)
    return np.asarray(directions * np.sign(directions[largest, np.arange(directions.shape[1])]))


def _principal_components(values: CategoryValues, exists: Bools) -> Floats:
    """First principal component of the class shares of the values of each node, (b, v)."""
    table, weight = values.table, values.weight
    mean = table.sum(axis=2) / weight.sum(axis=1)
    shares = table / np.where(exists, weight, 1.0)
    deviation = np.where(exists, shares - mean[:, :, None], 0.0).transpose(1, 0, 2)  # (b, K, v)
    axes = np.linalg.eigh((deviation * weight[:, None]) @ deviation.transpose(0, 2, 1))[1][:, :, -1]
    return np.asarray((_orient(axes.T).T[:, None] @ deviation)[:, 0])


def _best_subset(search: SubsetSearch) -> tuple[Bools, Floats]:
    """Mask of the best admissible subset of each node, (b, v), and its score, (b,).

    Where no subset is admissible the score is -inf, and the subset the first.
    """
    table, n, weight = search.values
    n_values = n.shape[1]
    masks = subset_masks(max(n_values, 2))[:, :n_values]  # a single value is on the left
    columns = masks.T.astype(np.float64)
    left = CategoryValues(table @ columns, n @ columns, weight @ columns)
    score, admissible = _scores(left, search)
    # the first 2^(v-1) - 1 masks are those of the subsets of v values
    exists = np.arange(len(masks)) < 2.0 ** (search.n_values - 1)[:, None] - 1
    score = np.where(exists & admissible, score, -np.inf)
    return masks[score.argmax(axis=1)], score.max(axis=1)


def _scores(left: CategoryValues, search: SubsetSearch) -> tuple[Floats, Bools]:
    """Scores of the cuts with these left sides, and mask of the admissible cuts: (b, cuts) each.

    The score of a cut with an empty side is -inf.
    """
    table, _, weight = search.values
    criterion, spread = search.criterion, search.criterion.impurity.spread

    def both_sides(left_amounts: Floats, value_amounts: Floats) -> Floats:
        return np.array([left_amounts, value_amounts.sum(axis=-1)[..., None] - left_amounts])

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
def subset_masks(n_values: int) -> NDArray[Any]:
    """Masks of the subsets of v values, (subsets, v), without the last value.

    A subset and its complement make the same split: the last value is always in the complement.
    """
    numbers = np.arange(1, count_subsets(n_values) + 1)
    is_member = (numbers[:, None] >> np.arange(n_values)) & 1 == 1
    is_member.setflags(write=False)
    return np.asarray(is_member)
