"""What scores that are sums of terms share: of which features, and how they are added up.

Glossary
    term      (feature, numbers): what one feature adds to a score, told by the numbers
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.splits.family import Projection, features_of, score
from dtviz.quantities import PLAIN
from dtviz.table.data import Dataset
from dtviz.text import quoted

MOST_TERMS = 20
LARGEST_PART = 1e150
"""The squares of smaller numbers are floats."""


class Sum(Protocol):
    """A projection that is a sum of terms, all with as many numbers."""

    @property
    def terms(self) -> tuple[tuple[Any, ...], ...]:
        """(feature, numbers), the features in order."""


def added(
    projections: Sequence[Sum],
    which: Ints,
    columns: Floats,
    rows: Ints,
    term: Callable[..., Floats],
) -> Floats:
    """The `score` of such projections, term by term, in the order in which every export adds them.

    `term` takes the values of a feature, then the numbers of the term.
    """
    most = max(len(one.terms) for one in projections)
    none = (-1, *projections[0].terms[0][1:])
    padded = [(*one.terms, *(none,) * (most - len(one.terms))) for one in projections]
    flat, n = columns.ravel(), columns.shape[1]
    out = np.zeros(np.broadcast_shapes(np.shape(which), np.shape(rows)))
    for k in range(most):
        feature, *numbers = (
            np.array(column).take(which)
            for column in zip(*(terms[k] for terms in padded), strict=True)
        )
        with np.errstate(over="ignore", invalid="ignore"):
            part = term(flat.take(np.maximum(feature, 0) * n + rows), *numbers)
            out = part if k == 0 else np.where(feature < 0, out, out + part)
    return np.asarray(out)


def brief(value: float) -> float:
    """The number with three digits."""
    return float(f"{value:.3g}")


def plain_features(data: Dataset) -> list[int]:
    """The features that are plain numbers: no category, no date, no duration, no rank."""
    able = zip(data.levels, data.quantities, strict=True)
    return [f for f, (levels, quantity) in enumerate(able) if not levels and quantity == PLAIN]


def spread_of(column: Floats) -> float:
    """The standard deviation of the values that are there; 0 where they cannot be added up."""
    known = column[~np.isnan(column)]
    fine = len(known) > 0 and bool(np.abs(known).max() < LARGEST_PART)
    return float(known.std()) if fine else 0.0


def not_added(projection: Projection, data: Dataset) -> str:
    """Why the features of a projection cannot be added up on the data, '' if they can."""
    if problem := _not_plain(features_of(projection), data):
        return problem
    huge = np.isinf(score(projection, data.columns)).any()
    return "its score of some row is no number" if huge else ""


def _not_plain(features: Iterable[int], data: Dataset) -> str:
    able = plain_features(data)
    for feature in features:
        if feature >= len(data.features):
            return f"feature {feature} does not exist; there are {len(data.features)}"
        if feature not in able:
            return f"{quoted(data.features[feature])} is no plain number: it is not added to others"
    return ""
