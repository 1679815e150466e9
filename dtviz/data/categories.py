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

from dtviz.base.arrays import Floats
from dtviz.base.text import Dialect, clean
from dtviz.data.units.unit import Kind, Quantity, Rung

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


def _of(series: pd.Series[Any]) -> Quantity | None:
    if not isinstance(series.dtype, pd.CategoricalDtype) or not series.dtype.ordered:
        return None
    return Quantity("rank", names=levels_of(series))


def _encode(series: pd.Series[Any], quantity: Quantity) -> Floats | None:
    found = codes_of(series, quantity.names)
    return None if (found == UNSEEN).any() else found


def _decode(values: Floats, quantity: Quantity) -> pd.Series[Any]:
    codes = np.where(np.isnan(values), -1, values).astype(np.intp)
    names = pd.Index([*quantity.names], dtype=object)
    return pd.Series(pd.Categorical.from_codes(codes, names, ordered=True))


def _at(values: Floats, quantity: Quantity) -> NDArray[np.intp]:
    """The places of the names at these numbers, or next below; the first, where there is none."""
    return np.clip(np.floor(values), 0, len(quantity.names) - 1).astype(np.intp)


def _texts(values: Floats, quantity: Quantity) -> list[str]:
    return [told(quantity.names[at]) for at in _at(values, quantity).tolist()]


def _below(threshold: float, quantity: Quantity) -> int:
    """How many ranks are at most a threshold."""
    return int(np.clip(np.floor(threshold) + 1, 0, len(quantity.names)))


def _condition(dialect: Dialect, score: str, low: str, high: str, quantity: Quantity) -> str:
    return dialect.ranked(score, low, high, quantity.names)


def _ladder(low: float, high: float, quantity: Quantity) -> list[Rung]:
    """Every rank, or one of so many."""
    rungs = []
    for step in (2**power for power in range(len(quantity.names).bit_length(), -1, -1)):
        places = [at for at in range(0, len(quantity.names), step) if low <= at <= high]
        if len(places) > 1 or (step == 1 and places):
            texts = [told(quantity.names[at]) for at in places]
            rungs.append(Rung([float(at) for at in places], texts))
    return rungs


RANK = Kind(
    name="rank",
    asked="ranks",
    of=_of,
    encode=_encode,
    decode=_decode,
    texts=_texts,
    limits=lambda values, lower, upper, quantity: _texts(values, quantity),
    literal=lambda value, quantity, dialect: str(_below(value, quantity)),
    stored=lambda value, quantity: {"left_values": [*quantity.names[: _below(value, quantity)]]},
    condition=_condition,
    ladder=_ladder,
)
