"""What the columns of a table hold, a line each, to be seen before any of them is chosen.

Glossary
    shape   how many rows lie in each of BINS equal parts of a column's range; of what has no range,
            how many rows each of the most frequent values has
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.quantities import PLAIN, kind_of, quantity_in
from dtviz.table.data import encoded

BINS = 16
KINDS = ("whole numbers", "numbers", "true or false", "dates", "durations", "ranks", "text")


@dataclass(frozen=True, slots=True)
class Profile:
    """What a column holds (one of KINDS), its distinct values, the rows with none, its shape."""

    kind: str
    distinct: int
    gaps: int
    shape: tuple[int, ...]


def profile(series: pd.Series[Any]) -> Profile:
    """The profile of a column."""
    present = series.dropna()
    kind, line = _kind(present)
    counts = _frequent(present) if line is None else _parts(line)
    return Profile(kind, present.nunique(), len(series) - len(present), tuple(counts.tolist()))


def _frequent(present: pd.Series[Any]) -> NDArray[np.intp]:
    """How many rows each of the most frequent values has."""
    counts = present.value_counts().head(BINS).to_numpy(np.intp)
    return np.asarray(counts[counts > 0])  # a category may have no row


def _parts(line: NDArray[np.float64]) -> NDArray[np.intp]:
    """How many of the finite values lie in each of BINS equal parts of their range."""
    line = line[np.isfinite(line)]
    line = line / (np.abs(line).max(initial=0) or 1)  # no difference is too large
    low, high = line.min(initial=1), line.max(initial=-1)
    parts = np.floor((line - low) / ((high - low) or 1) * BINS).astype(np.intp)
    return np.bincount(np.minimum(parts, BINS - 1), minlength=BINS)


def _kind(present: pd.Series[Any]) -> tuple[str, NDArray[np.float64] | None]:
    """What the values are, and where they lie on a line, if they do."""
    types = pd.api.types
    if types.is_bool_dtype(present):
        return "true or false", None
    quantity = quantity_in(present)
    if quantity != PLAIN:
        line = encoded(present, (), quantity)
        return kind_of(quantity).asked, line - line.min()
    if not types.is_numeric_dtype(present) or types.is_complex_dtype(present):
        return "text", None
    line = np.asarray(present.to_numpy(np.float64))
    return ("whole numbers" if np.array_equal(line, np.floor(line)) else "numbers"), line
