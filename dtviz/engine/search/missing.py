"""Missing policies: where a row without the value of a split goes, and if it counts in the gain.

A value is missing where the column of the feature has NaN; a row with a value is known. A policy
holds for all splits of a tree; POLICIES has them by name.

Sources: scikit-learn (the learned side); Breiman et al. (1984), 5.3, and rpart (surrogates, and the
majority where none helps).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dtviz.base.arrays import Bools, Ints
from dtviz.data.columns import complete_rows, with_missing_category
from dtviz.data.dataset import Dataset
from dtviz.engine.search.frontier import starts_of
from dtviz.engine.search.histogram import Histogram, ranges


def missing_last(hist: Histogram) -> Histogram:
    """Histogram as it is: missing values are the last group, right of every cut."""
    return hist


def missing_first(hist: Histogram) -> Histogram:
    """Histogram with missing values as the first group, left of every cut."""
    sizes, has_missing = hist.per_segment.ravel(), _missing_mask(hist)
    starts = starts_of(sizes)
    order = np.arange(len(hist.values))
    order -= has_missing.repeat(sizes)
    order[starts[has_missing]] = (starts + sizes - 1)[has_missing]
    return hist.take(order, hist.per_segment)


def known_rows(hist: Histogram) -> Histogram:
    """Histogram of the rows that have a value; `part` is their share of the weight."""
    sizes, has_missing = hist.per_segment.ravel(), _missing_mask(hist)
    starts = starts_of(sizes)
    order = ranges(starts, sizes - has_missing)
    weight = np.asarray(hist.sizes if hist.weight is None else hist.weight, np.float64)
    segment_weight = np.add.reduceat(weight, starts)
    missing_weight = np.where(has_missing, weight.take(starts + sizes - 1), 0.0)
    shape = hist.per_segment.shape
    known_share = ((segment_weight - missing_weight) / segment_weight).reshape(shape)
    known_hist = hist.take(order, (sizes - has_missing).reshape(shape))
    return known_hist._replace(has_missing=None, known_share=known_share)


def counted_rows(hist: Histogram, policy: MissingPolicy) -> Histogram:
    """Histogram of the rows that a policy counts."""
    return hist if hist.has_missing is None or policy.counts_missing else known_rows(hist)


def _missing_mask(hist: Histogram) -> Bools:
    """Mask of the segments that have missing values, flat (L m,)."""
    assert hist.has_missing is not None
    return np.asarray(hist.has_missing.ravel())


def twins_of(hist: Histogram) -> Ints:
    """Index, for each cut with missing values right of it, of its twin with them left, (cuts,).

    Twins divide the known rows in the same way. The last cut of a segment, between known and
    missing values, has the first one as its twin, with the sides exchanged.
    """
    counts, has_missing = hist.per_segment.ravel() - 1, _missing_mask(hist)
    starts = starts_of(counts)
    position = np.arange(counts.sum()) - starts.repeat(counts)
    twin_position = (position + has_missing.repeat(counts)) % counts.repeat(counts)
    return np.asarray(twin_position + starts.repeat(counts))


Arrangement = Callable[[Histogram], Histogram]


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
    """Arrangements of a histogram in which cuts are scored: missing values on one side, or on
    either; empty: without them."""
    always_left: bool = False
    """True if missing values always go left. Otherwise they go to the side that scores higher, or,
    where they do not count, with the majority of known rows."""
    surrogates: bool = False
    """True if surrogates, splits of other features, send missing values first."""
    prepare: Callable[[Dataset], Dataset] = lambda data: data
    """Prepares the table before a tree is grown."""

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
