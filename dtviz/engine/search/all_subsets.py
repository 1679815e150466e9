"""Subsets of the values of a category that a node tries beside the cuts of its category order.

A cut of an order divides the first values of a category from the others. A scattered subset has the
first value, but is not just the first few values of the order: no cut divides it from the rest. The
bits of a subset are a number: the sum of 2^position over its values, where the position is that of
the value in the order of the node.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Ints
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.criteria.statistics import Amounts
from dtviz.engine.search.category_order import MAX_VALUES_TRIED
from dtviz.engine.search.evaluate import ScoredCuts, evaluate_histogram
from dtviz.engine.search.frontier import starts_of
from dtviz.engine.search.histogram import COUNT_DTYPE, Histogram
from dtviz.engine.search.missing import MissingPolicy
from dtviz.engine.splits import HALF
from dtviz.engine.splits.split import Minimum


class ScatteredSubsets(NamedTuple):
    """Scattered subsets of some lines, arrays (subsets,), those of a line together."""

    line: Ints
    """Number of the line of the subset."""
    bits: Ints
    """Bits of the values that go left: the lighter side."""
    size: Ints
    """Number of values on the side of the first value."""
    cuts: ScoredCuts
    """Cuts of the histogram with one line a subset."""
    cut_ids: Ints
    """Index of the cut of the subset in `cuts`."""

    def candidate_arrays(self, hist: Histogram) -> dict[str, NDArray[Any]]:
        """Arrays of the subsets by the names that `Candidates` has for them, without `tied`.

        `hist` is the histogram of the node. No subset is a boundary point in a node of one class.
        """
        cut_ids, sides = self.cut_ids, self.cuts.sides
        n_rows, weight = sides.n.take(cut_ids, axis=1), sides.weight.take(cut_ids, axis=1)
        impurity = np.maximum(self.cuts.spread.take(cut_ids, axis=1) / weight, 0.0)
        weight_sums = weight if hist.weight_unit is None else weight * hist.node_weight[0]
        score = self.cuts.score.take(cut_ids)
        return {
            "line": self.line,
            # shown at the cut that has as many values on its left
            "threshold": self.size - HALF,
            "lower": self.size - 1.0,
            "upper": self.size.astype(np.float64),
            "n_left": n_rows[0],
            "n_right": n_rows[1],
            "weight_left": weight_sums[0],
            "weight_right": weight_sums[1],
            "impurity_left": impurity[0],
            "impurity_right": impurity[1],
            "gain": sides.gain.take(cut_ids),
            "score": score,
            "admissible": self.cuts.admissible.take(cut_ids),
            "boundary": (score > 0) | (impurity > 0).any(axis=0),
            "turned": np.zeros(len(cut_ids), np.bool_),
            "scattered": self.bits,
            "missing_left": np.asarray(self.cuts.sends_left(cut_ids)),
        }


class _LineSubsets(NamedTuple):
    """Scattered subsets of one line."""

    line: int
    """Number of the line."""
    groups: slice
    """Groups of the line in the histogram."""
    named: Bools
    """Mask of the values that each subset names, (subsets, values)."""

    def side_sums(self, amounts: Amounts) -> Amounts:
        """Sums over the named, the other and the missing values of each subset in turn, flat."""
        groups = amounts[self.groups]
        values = groups[: self.named.shape[1]]
        left = self.named.astype(COUNT_DTYPE) @ values
        out = [
            left,
            values.sum() - left,
            *(missing.repeat(len(left)) for missing in groups[len(values) :, None]),
        ]
        return np.array(out).T.ravel()


def scattered_subsets(
    hist: Histogram,
    n_values: Mapping[int, int],
    criterion: Criterion,
    policy: MissingPolicy,
    minimum: Minimum,
) -> ScatteredSubsets | None:
    """Evaluates the scattered subsets of the given lines of one node; None: there are none.

    `n_values` has the number of values of each line; the histogram has them in category order.
    """
    ends, weight = hist.groups_per_segment.ravel().cumsum(), _as_integers(hist, hist.weight)
    parts = list[_LineSubsets]()
    all_bits, all_sizes = list[Ints](), list[Ints]()
    for line_id, n in n_values.items():
        if not 2 < n <= MAX_VALUES_TRIED:
            continue
        groups = slice(int(ends[line_id] - hist.groups_per_segment[line_id, 0]), int(ends[line_id]))
        bits, size = _scattered_subsets(n)
        bits = _lighter_sides(bits, size, weight[groups][:n])
        named = (bits[:, None] >> np.arange(n) & 1).astype(np.bool_)
        parts.append(_LineSubsets(line_id, groups, named))
        all_bits.append(bits)
        all_sizes.append(size)
    if not parts:
        return None
    cuts = evaluate_histogram(_as_lines(hist, parts), criterion, policy, minimum)
    line_ids = np.array([subsets.line for subsets in parts]).repeat([*map(len, all_bits)])
    # a line has a cut between both sides, then perhaps one before the missing values
    cut_ids = starts_of(cuts.cuts_per_segment.ravel())
    bits, size = np.concatenate(all_bits), np.concatenate(all_sizes)
    return ScatteredSubsets(line_ids, bits, size, cuts, cut_ids)


@lru_cache(maxsize=MAX_VALUES_TRIED)
def _scattered_subsets(n_values: int) -> tuple[Ints, Ints]:
    """Bits of the scattered subsets of so many values, smaller subsets first, and their sizes."""
    bits = np.arange(1, 1 << n_values, 2)  # odd: with the first value
    bits = bits[bits & (bits + 1) > 0]  # 0 where the values are the first ones of the order
    size = np.array([subset.bit_count() for subset in bits.tolist()], int)
    order = np.lexsort((bits, size))
    return bits[order], size[order]


@lru_cache(maxsize=1 << MAX_VALUES_TRIED)
def positions_in(bits: int) -> tuple[int, ...]:
    """Positions of the values in a subset."""
    return tuple(position for position in range(bits.bit_length()) if bits >> position & 1)


def _lighter_sides(bits: Ints, size: Ints, value_weight: NDArray[Any]) -> Ints:
    """Bits of the side of each subset that is named: the lighter, then the shorter one."""
    n_values = len(value_weight)
    left = (bits[:, None] >> np.arange(n_values) & 1) @ value_weight
    right = value_weight.sum() - left
    is_heavy = (left > right) | ((left == right) & (2 * size > n_values))
    return np.where(is_heavy, (1 << n_values) - 1 - bits, bits)


def _as_integers(hist: Histogram, amounts: Amounts | None) -> Amounts:
    """Amounts as integers; for None the number of rows of each group."""
    return hist.sizes if amounts is None else amounts.astype(COUNT_DTYPE, copy=False)


def _as_lines(hist: Histogram, parts: list[_LineSubsets]) -> Histogram:
    """Histogram with one line a subset: a group for each side, and one for missing values."""

    def side_sums(amounts: Amounts) -> Amounts:
        return np.concatenate([part.side_sums(amounts) for part in parts])

    def for_each_subset(array: NDArray[Any] | None) -> NDArray[Any] | None:
        if array is None:
            return None
        return np.concatenate([array[part.line][None].repeat(len(part.named), 0) for part in parts])

    sums = [side_sums(_as_integers(hist, amounts)) for amounts in hist.sums()]
    n_rows = side_sums(hist.sizes)
    n_groups = [2 + part.groups.stop - part.groups.start - part.named.shape[1] for part in parts]
    n_subsets = [len(part.named) for part in parts]
    groups_per_segment = np.array(n_groups).repeat(n_subsets)[:, None]
    pairs = zip(n_groups, n_subsets, strict=True)
    values = [np.tile([0.0, 1.0, np.nan][:n], count) for n, count in pairs]
    return hist._replace(
        values=np.concatenate(values),
        groups_per_segment=groups_per_segment,
        n=n_rows,
        sums=lambda: iter(sums),
        weight=None if hist.weight is None else side_sums(_as_integers(hist, hist.weight)),
        has_missing=for_each_subset(hist.has_missing),
        known_share=for_each_subset(hist.known_share),
        categories=None,
        all_subsets_tried=None,
        entries=None,
    )
