"""Missing policies and surrogates: where a row without the value of a split goes.

A value is missing where the column of the feature has NaN; a row with a value is known. A policy
holds for all splits of a tree.

Sources: scikit-learn (the learned side); Breiman et al. (1984), 5.3, and rpart (surrogates, and the
majority where none helps).

The primary split is the one that a surrogate stands in for. The agreement of a surrogate is the
weight of the rows that it sends where the primary split does, as a share of all rows that the
primary split can send: rows without the surrogate's value count against it. The adjusted agreement
is (agreement - majority) / (1 - majority), the majority being the agreement of sending every row to
the heavier side of the primary split.

Surrogates are chosen as rpart does (Therneau, Atkinson, An Introduction to Recursive Partitioning,
5). A threshold leaves MIN_ROWS_A_SIDE rows on each side and may send rows either way. A value of a
category goes where most of its rows go. A surrogate must beat the majority, and the MAX_SURROGATES
best by agreement stay. One thing differs: rpart takes the weights of the rows alone; here class
weights, priors and costs are part of a row's weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.data.columns import complete_rows, with_missing_category
from dtviz.data.dataset import Dataset
from dtviz.engine.search.frontier import starts_of
from dtviz.engine.search.histogram import Histogram, ranges
from dtviz.engine.splits import (
    Category,
    Projection,
    Split,
    Surrogate,
    feature_of,
    goes_left,
    midpoint,
    score,
    subset_split,
)


def missing_last(hist: Histogram) -> Histogram:
    """Histogram as made: missing values are the last group of a segment, right of every cut."""
    return hist


def missing_first(hist: Histogram) -> Histogram:
    """Histogram with missing values as the first group of a segment, left of every cut."""
    sizes, has_missing = hist.groups_per_segment.ravel(), _missing_mask(hist)
    starts = starts_of(sizes)
    order = np.arange(len(hist.values))
    order -= has_missing.repeat(sizes)
    order[starts[has_missing]] = (starts + sizes - 1)[has_missing]
    return hist.take(order, hist.groups_per_segment)


def known_histogram(hist: Histogram) -> Histogram:
    """Histogram of the known rows; `known_share` is their share of the weight of each segment."""
    sizes, has_missing = hist.groups_per_segment.ravel(), _missing_mask(hist)
    starts = starts_of(sizes)
    order = ranges(starts, sizes - has_missing)
    weight = np.asarray(hist.sizes if hist.weight is None else hist.weight, np.float64)
    segment_weight = np.add.reduceat(weight, starts)
    missing_weight = np.where(has_missing, weight.take(starts + sizes - 1), 0.0)
    shape = hist.groups_per_segment.shape
    known_share = ((segment_weight - missing_weight) / segment_weight).reshape(shape)
    known_hist = hist.take(order, (sizes - has_missing).reshape(shape))
    return known_hist._replace(has_missing=None, known_share=known_share)


def counted_histogram(hist: Histogram, policy: MissingPolicy) -> Histogram:
    """Histogram of the rows that count in the gain of a cut under a policy."""
    return hist if hist.has_missing is None or policy.counts_missing else known_histogram(hist)


def _missing_mask(hist: Histogram) -> Bools:
    """Mask of the segments that have missing values, flat (L m,), for L lines and m nodes."""
    assert hist.has_missing is not None
    return np.asarray(hist.has_missing.ravel())


def twins_of(hist: Histogram) -> Ints:
    """Index of the twin of each cut, (cuts,).

    A cut of the arrangement `missing_last` and its twin in `missing_first` divide the known rows in
    the same way. The last cut of a segment, between known and missing values, has the first cut as
    its twin, with the sides exchanged.
    """
    n_cuts, has_missing = hist.groups_per_segment.ravel() - 1, _missing_mask(hist)
    starts = starts_of(n_cuts)
    position = np.arange(n_cuts.sum()) - starts.repeat(n_cuts)
    # one group, that of missing values, comes before the others
    twin_position = (position + has_missing.repeat(n_cuts)) % n_cuts.repeat(n_cuts)
    return np.asarray(twin_position + starts.repeat(n_cuts))


Arrangement = Callable[[Histogram], Histogram]
"""Function that puts the group of missing values on one side of all cuts."""


@dataclass(frozen=True, slots=True)
class MissingPolicy:
    """Rule that sends rows with a missing value."""

    name: str
    """Name in rules, addresses and files."""
    title: str
    """Name in users' texts."""
    about: str
    """Explanation in users' texts."""
    arrangements: tuple[Arrangement, ...]
    """Arrangements of a histogram in which cuts are scored: one for each side that missing values
    may take; empty: cuts are scored on the known rows."""
    always_left: bool = False
    """True if missing values always go left. Otherwise they go to the side that scores higher, or,
    where cuts are scored on the known rows, with the majority of these."""
    surrogates: bool = False
    """True if surrogates, splits of other features, send missing values first."""
    prepare: Callable[[Dataset], Dataset] = lambda data: data
    """Returns the dataset on which a tree is grown."""

    @property
    def counts_missing(self) -> bool:
        """True if rows with a missing value count in the gain of a cut."""
        return bool(self.arrangements)


POLICIES: dict[str, MissingPolicy] = {
    policy.name: policy
    for policy in (
        MissingPolicy(
            "learned",
            "Learned side",
            "Every cut is tried with the rows that lack the value on its left and on its right; "
            "the side with the higher gain is theirs, as in scikit-learn.",
            (missing_last, missing_first),
        ),
        MissingPolicy(
            "surrogates",
            "Surrogates",
            "Cuts are scored on the rows that have the value. A row without one is sent by the "
            "cut of another feature that agrees most with the node's own, as in rpart; with the "
            "majority where all fail.",
            (),
            surrogates=True,
        ),
        MissingPolicy(
            "majority",
            "Majority side",
            "Cuts are scored on the rows that have the value; the others go with most of those.",
            (),
        ),
        MissingPolicy(
            "value",
            "A value of its own",
            "'Missing' is one more value: of a category like any other, of numbers below all.",
            (missing_first,),
            always_left=True,
            prepare=with_missing_category,
        ),
        MissingPolicy(
            "drop",
            "Left out",
            "Rows that lack the value of any feature are left out.",
            (missing_last, missing_first),
            prepare=complete_rows,
        ),
    )
}
"""Every policy by name; the first is the default."""
LEARNED = POLICIES["learned"]


MIN_ROWS_A_SIDE = 2
"""Smallest number of rows that a surrogate sends each way."""
MAX_SURROGATES = 5
"""Largest number of surrogates of a split."""
MIN_ADJUSTED_AGREEMENT = 1e-10
"""Adjusted agreement that a surrogate must exceed."""


class _SentRows(NamedTuple):
    """Rows with a score, ascending, and where the primary split sends them, arrays (n,)."""

    scores: Floats
    """Score of the row by the projection of a surrogate."""
    left: Floats
    """Weight of the row if it goes left, else 0."""
    right: Floats
    """Weight of the row if it goes right, else 0."""


class _BestOfLine(NamedTuple):
    """Best surrogate of a projection."""

    split: Split
    """Split of the surrogate."""
    is_reversed: bool
    """True if low scores go right."""
    agreeing_weight: float
    """Weight of the rows that the surrogate sends where the primary split does."""


def surrogates(
    data: Dataset, projections: Sequence[Projection], rows: Ints, primary: Split
) -> tuple[Surrogate, ...]:
    """Surrogates of a split for the rows of its node, the best first; ties by projection."""
    rows = rows[~np.isnan(score(primary.projection, data.columns, rows))]
    left = goes_left(primary, data.columns, rows)
    weights = np.ones(len(rows)) if data.weights is None else data.weights.take(rows)
    total, left_weight = weights.sum(), weights[left].sum()
    majority, default_left = max(left_weight, weights[~left].sum()), bool(2 * left_weight > total)
    primary_feature = feature_of(primary.projection)
    out = []
    for projection in projections:
        feature = feature_of(projection)
        # a surrogate is asked where the value of the primary split's feature is missing
        if projection == primary.projection or feature == primary_feature is not None:
            continue
        scores = score(projection, data.columns, rows)
        best = _best_of_line(projection, _sent_rows(scores, left, weights), default_left)
        if best is None or total <= majority:
            continue
        adjusted = (best.agreeing_weight - majority) / (total - majority)
        if adjusted > MIN_ADJUSTED_AGREEMENT:
            agreement = best.agreeing_weight / total
            out.append(Surrogate(best.split, best.is_reversed, agreement, adjusted))
    return tuple(sorted(out, key=lambda surrogate: -surrogate.agreement)[:MAX_SURROGATES])


def _sent_rows(scores: Floats, left: Bools, weights: Floats) -> _SentRows:
    """Sorts the rows with a score; `left` masks the rows that the primary split sends left."""
    order = np.argsort(scores, kind="stable")[: np.count_nonzero(~np.isnan(scores))]
    left, weights = left.take(order), weights.take(order)
    return _SentRows(scores.take(order), weights * left, weights * ~left)


def _best_of_line(
    projection: Projection, sent: _SentRows, default_left: bool
) -> _BestOfLine | None:
    """Best surrogate of a projection; None: the projection has none."""
    if isinstance(projection, Category):
        return _surrogate_of_category(projection, sent, default_left)
    return _surrogate_of_number(projection, sent)


def _surrogate_of_number(projection: Projection, sent: _SentRows) -> _BestOfLine | None:
    """Threshold with the largest agreeing weight, the first of equal ones; None: there is none."""
    # positions of rows with a threshold between them and the next row
    ends = np.flatnonzero(sent.scores[:-1] < sent.scores[1:])
    ends = ends[(ends + 1 >= MIN_ROWS_A_SIDE) & (len(sent.scores) - 1 - ends >= MIN_ROWS_A_SIDE)]
    if not len(ends):
        return None
    left, right = sent.left.cumsum(), sent.right.cumsum()
    agreeing_forward = left[ends] + right[-1] - right[ends]
    agreeing_reversed = right[ends] + left[-1] - left[ends]
    agreeing = np.maximum(agreeing_forward, agreeing_reversed)
    index = int(agreeing.argmax())
    end = ends[index : index + 1]
    split = Split(projection, float(midpoint(sent.scores[end], sent.scores[end + 1])[0]))
    is_reversed = bool(agreeing_reversed[index] > agreeing_forward[index])
    return _BestOfLine(split, is_reversed, float(agreeing[index]))


def _surrogate_of_category(
    projection: Category, sent: _SentRows, default_left: bool
) -> _BestOfLine | None:
    """Subset that sends each value where most of its weight goes; None: no value goes left.

    `default_left` decides where the weights of a value's sides are equal.
    """
    codes = sent.scores.astype(int)
    left, right = np.bincount(codes, sent.left), np.bincount(codes, sent.right)
    occurs = left + right > 0
    is_left = occurs & ((left >= right) if default_left else (left > right))
    left_codes = np.flatnonzero(is_left)
    if not len(left_codes):
        return None
    agreeing = float(np.where(is_left, left, right).sum())
    return _BestOfLine(subset_split(projection.feature, left_codes.tolist()), False, agreeing)
