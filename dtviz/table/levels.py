"""Categories as numbers: the place of each value among the levels of its column.

Levels are of one type: truth values, numbers, or text, as which a column of several types is read.
A value stands for the level it equals; text like 'TRUE' for the truth value, any value for the text
that it is written as. None among them is a level of its own, of rows without a value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.text import clean

Value = str | bool | int | float
Level = Value | None


class Rest(str):
    """The level of all values that are none of the others."""

    __slots__ = ()


UNSEEN = -1.0
"""The code of a value that is none of the levels."""


def levels_of(series: pd.Series[Any]) -> tuple[Value, ...]:
    """The distinct values of a column sorted; of ranks all, in their order."""
    if isinstance(series.dtype, pd.CategoricalDtype) and series.dtype.ordered:
        return _of_one_type(series.cat.categories.tolist())
    return tuple(sorted({*_of_one_type(series.dropna().astype(object).tolist())}))


def codes_of(series: pd.Series[Any], levels: Sequence[Level]) -> NDArray[np.float64]:
    """The place of each value among the levels, (n,), NaN for no value.

    One that is none of them has the place of the Rest; UNSEEN where the levels have none.
    """
    place: dict[Any, float] = {level: float(at) for at, level in enumerate(levels)}
    truth = {str(level).lower(): level for level in levels if isinstance(level, bool)}
    as_text = all(isinstance(level, str) for level in levels if level is not None)
    others = next((place[level] for level in levels if isinstance(level, Rest)), UNSEEN)

    def code(value: Any) -> float:
        try:
            known = str(value) if as_text else truth.get(str(value).lower(), value)
            return place.get(known, others)
        except (TypeError, ValueError):  # no hash; or an int too long to be written
            return others

    found = series.astype(object).map(code, na_action="ignore")
    return np.asarray(found.to_numpy(dtype=np.float64, na_value=place.get(None, np.nan)))


def taken(codes: NDArray[np.float64], column: NDArray[np.float64]) -> NDArray[np.float64]:
    """The codes at these places; NaN stays."""
    there = np.isfinite(column)
    out = np.full(len(column), np.nan)
    out[there] = codes.take(column[there].astype(np.intp))
    return out


def code_of(value: Any, levels: Sequence[Level]) -> float:
    """The place of one value among the levels; UNSEEN where it is none, NaN for no value."""
    return float(codes_of(pd.Series([value], dtype=object), levels)[0])


def told(level: Level) -> str:
    """A level as people read it."""
    return "missing" if level is None else clean(str(level))


def _of_one_type(values: list[Any]) -> tuple[Any, ...]:
    """The values as literals of one type; as their texts where they have none in common."""
    alike = [plain(value) for value in values]
    types = {type(value) for value in alike}
    if types == {bool} or (types <= {int, float} and all(map(math.isfinite, alike))):
        return tuple(alike)
    return tuple(str(value) for value in values)


def plain(value: Any) -> Any:
    """A value of numpy as Python's, a whole number as an int."""
    own = value.item() if isinstance(value, np.generic) else value
    whole = isinstance(own, float) and math.isfinite(own) and own.is_integer()
    return int(own) if whole else own
