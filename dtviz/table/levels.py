"""Categories as numbers: the place of each value among the levels of its column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

UNSEEN = -1.0
"""The code of a value that is none of the levels."""


def levels_of(series: pd.Series[Any]) -> tuple[str, ...]:
    """The distinct values of a column as text, in their order where it has one, else sorted."""
    values = series.cat.categories if _ordered(series) else sorted({*map(str, series.dropna())})
    return tuple(map(str, values))


def codes_of(series: pd.Series[Any], levels: tuple[str, ...]) -> NDArray[np.float64]:
    """The place of each value among the levels, (n,); UNSEEN where it is none, NaN for no value."""
    place = {level: float(at) for at, level in enumerate(levels)}
    values = series.astype(object)  # by its text: True and 1 are equal, and two values
    found = values.map(lambda value: place.get(str(value), UNSEEN), na_action="ignore")
    return np.asarray(found.to_numpy(dtype=np.float64, na_value=np.nan))


def code_of(value: Any, levels: tuple[str, ...]) -> float:
    """The place of one value among the levels; UNSEEN where it is none, NaN for no value."""
    return float(codes_of(pd.Series([value], dtype=object), levels)[0])


def _ordered(series: pd.Series[Any]) -> bool:
    return isinstance(series.dtype, pd.CategoricalDtype) and bool(series.dtype.ordered)
