"""Ranks: categories in an order of their own, cut as numbers and told by their names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.arrays import Floats
from dtviz.quantities.quantity import Kind, Quantity, Rung
from dtviz.table.levels import UNSEEN, codes_of, levels_of, told
from dtviz.text import Dialect


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
