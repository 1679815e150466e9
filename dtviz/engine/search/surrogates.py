"""Cuts of other features that send rows as a split does: they stand in where its value is missing.

Glossary
    primary     the split that is stood in for
    agreement   the weight of the rows that a surrogate sends where the primary does, as a share of
                all rows the primary can send: rows without the surrogate's value count against it
    adjusted    (agreement - majority) / (1 - majority), the majority being the agreement of sending
                every row to the primary's heavier side

Source: rpart (Therneau, Atkinson, An Introduction to Recursive Partitioning, 5), whose rules these
are: LEAST rows on each side of a number's cut, either direction, each value of a category where
most of its rows go, only what beats the majority, the MOST best by agreement. One thing differs:
rpart sums up the weights of the rows alone, here class weights, priors and costs are part of a
row's weight in the agreement and in the majority too, as in everything else that is weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.data.dataset import Dataset
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

LEAST = 2
"""The rows that a surrogate sends each way at least."""
MOST = 5
"""The surrogates that a split has at most."""
BEATS = 1e-10
"""What the adjusted agreement of a surrogate exceeds."""


class _Sent(NamedTuple):
    """Rows that have a score, ascending: it, what they weigh where they go left and right, (n,)."""

    scores: Floats
    left: Floats
    right: Floats


class _Found(NamedTuple):
    """The best cut of a line, whether it sends low scores right, and the weight it sends alike."""

    split: Split
    turned: bool
    alike: float


def surrogates(
    data: Dataset, projections: Sequence[Projection], rows: Ints, primary: Split
) -> tuple[Surrogate, ...]:
    """The surrogates of a split among the rows of its node, the best first; ties by line."""
    rows = rows[~np.isnan(score(primary.projection, data.columns, rows))]
    left = goes_left(primary, data.columns, rows)
    weights = np.ones(len(rows)) if data.weights is None else data.weights.take(rows)
    whole, most = weights.sum(), max(weights[left].sum(), weights[~left].sum())
    own, default = feature_of(primary.projection), bool(2 * weights[left].sum() > whole)
    out = []
    for projection in projections:
        if projection == primary.projection or feature_of(projection) == own is not None:
            continue
        scores = score(projection, data.columns, rows)
        best = _best(projection, _sent(scores, left, weights), default)
        adjusted = (best.alike - most) / (whole - most) if best and whole > most else 0.0
        if best and adjusted > BEATS:
            out.append(Surrogate(best.split, best.turned, best.alike / whole, adjusted))
    return tuple(sorted(out, key=lambda one: -one.agreement)[:MOST])


def _sent(scores: Floats, left: Bools, weights: Floats) -> _Sent:
    order = np.argsort(scores, kind="stable")[: np.count_nonzero(~np.isnan(scores))]
    left, weights = left.take(order), weights.take(order)
    return _Sent(scores.take(order), weights * left, weights * ~left)


def _best(projection: Projection, sent: _Sent, default_left: bool) -> _Found | None:
    if isinstance(projection, Category):
        return _of_category(projection, sent, default_left)
    return _of_number(projection, sent)


def _of_number(projection: Projection, sent: _Sent) -> _Found | None:
    """The cut that sends most weight alike, of equal ones the first; None where there is no cut."""
    ends = np.flatnonzero(sent.scores[:-1] < sent.scores[1:])
    ends = ends[(ends + 1 >= LEAST) & (len(sent.scores) - 1 - ends >= LEAST)]
    if not len(ends):
        return None
    left, right = sent.left.cumsum(), sent.right.cumsum()
    straight = left[ends] + right[-1] - right[ends]
    turned = right[ends] + left[-1] - left[ends]
    alike = np.maximum(straight, turned)
    at = int(alike.argmax())
    limit = midpoint(sent.scores[ends[at : at + 1]], sent.scores[ends[at : at + 1] + 1])
    return _Found(
        Split(projection, float(limit[0])), bool(turned[at] > straight[at]), float(alike[at])
    )


def _of_category(projection: Category, sent: _Sent, default_left: bool) -> _Found | None:
    """Each value where most of its weight goes, a tie where most of all goes."""
    codes = sent.scores.astype(np.intp)
    seen = codes >= 0
    left, right = (np.bincount(codes[seen], of[seen]) for of in (sent.left, sent.right))
    there = left + right > 0
    goes = there & ((left >= right) if default_left else (left > right))
    named = np.flatnonzero(goes)
    if not len(named):
        return None
    alike = float(np.where(goes, left, right).sum())
    return _Found(subset_split(projection.feature, named.tolist()), False, alike)
