"""Categories as codes, and ranks: a column's values as positions among its categories.

The categories of a column have one type: booleans, numbers, or text, also for a column of several
types. A value has the code of the category it equals: text like 'TRUE' equals the boolean, and any
value equals the text it is written as. A category None holds the rows without a value. Ranks are
categories with an order, which is that of their codes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.base.lazy import pd
from dtviz.base.text import Dialect, clean
from dtviz.data.units.numbers import AxisTicks, Quantity, QuantityKind

ScalarValue = str | bool | int | float
CategoryValue = ScalarValue | None


class OtherCategory(str):
    """The category of all values that are no other category."""

    __slots__ = ()


UNSEEN_CODE = -1.0
"""The code of a value that is no category."""


def categories_of(series: pd.Series[Any]) -> tuple[ScalarValue, ...]:
    """The distinct values of a column, sorted; for ranks, all ranks in their order."""
    if isinstance(series.dtype, pd.CategoricalDtype) and series.dtype.ordered:
        return _of_one_type(series.cat.categories.tolist())
    return tuple(sorted({*_of_one_type(series.dropna().astype(object).tolist())}))


def codes_of(series: pd.Series[Any], categories: Sequence[CategoryValue]) -> NDArray[np.float64]:
    """The code of each value, (n,): its position in `categories`, NaN for missing.

    A value that is no category has the code of the OtherCategory; UNSEEN_CODE where there is none.
    """
    code_by_category: dict[Any, float] = {c: float(code) for code, c in enumerate(categories)}
    boolean_by_text = {str(c).lower(): c for c in categories if isinstance(c, bool)}
    as_text = all(isinstance(c, str) for c in categories if c is not None)
    default = next(
        (code_by_category[c] for c in categories if isinstance(c, OtherCategory)), UNSEEN_CODE
    )

    def code(value: Any) -> float:
        try:
            category = str(value) if as_text else boolean_by_text.get(str(value).lower(), value)
            return code_by_category.get(category, default)
        except (TypeError, ValueError):  # no hash; or an int too long to be written
            return default

    codes = series.astype(object).map(code, na_action="ignore")
    return np.asarray(codes.to_numpy(dtype=np.float64, na_value=code_by_category.get(None, np.nan)))


def recode(codes: NDArray[np.float64], column: NDArray[np.float64]) -> NDArray[np.float64]:
    """The column with each code replaced by `codes[code]`, (n,); NaN stays."""
    has_value = np.isfinite(column)
    out = np.full(len(column), np.nan)
    out[has_value] = codes.take(column[has_value].astype(int))
    return out


def code_of(value: Any, categories: Sequence[CategoryValue]) -> float:
    """The code of one value, as `codes_of` gives it."""
    return float(codes_of(pd.Series([value], dtype=object), categories)[0])


def category_text(category: CategoryValue) -> str:
    """Text of a category, cleaned for display."""
    return "missing" if category is None else clean(str(category))


def _of_one_type(values: list[Any]) -> tuple[Any, ...]:
    """The values as Python values of one type; as texts where their types differ."""
    python_values = [python_value(value) for value in values]
    types = {type(value) for value in python_values}
    if types == {bool} or (types <= {int, float} and all(map(math.isfinite, python_values))):
        return tuple(python_values)
    return tuple(str(value) for value in values)


def python_value(value: Any) -> Any:
    """A numpy or Python value as a Python value, a float without a fraction as an int."""
    item = value.item() if isinstance(value, np.generic) else value
    is_whole = isinstance(item, float) and math.isfinite(item) and item.is_integer()
    return int(item) if is_whole else item


def _quantity(series: pd.Series[Any]) -> Quantity | None:
    if not isinstance(series.dtype, pd.CategoricalDtype) or not series.dtype.ordered:
        return None
    return Quantity("rank", rank_names=categories_of(series))


def _encode(series: pd.Series[Any], quantity: Quantity) -> Floats | None:
    codes = codes_of(series, quantity.rank_names)
    return None if (codes == UNSEEN_CODE).any() else codes


def _decode(values: Floats, quantity: Quantity) -> pd.Series[Any]:
    codes = np.where(np.isnan(values), -1, values).astype(int)
    names = pd.Index([*quantity.rank_names], dtype=object)
    return pd.Series(pd.Categorical.from_codes(codes, names, ordered=True))


def _rank_codes(values: Floats, quantity: Quantity) -> Ints:
    """Code of the rank at each number, or of the next rank below; at least 0."""
    return np.clip(np.floor(values), 0, len(quantity.rank_names) - 1).astype(int)


def _texts(values: Floats, quantity: Quantity) -> list[str]:
    return [
        category_text(quantity.rank_names[code]) for code in _rank_codes(values, quantity).tolist()
    ]


def _n_below(threshold: float, quantity: Quantity) -> int:
    """Number of ranks at or below a threshold."""
    return int(np.clip(np.floor(threshold) + 1, 0, len(quantity.rank_names)))


def _condition(dialect: Dialect, score: str, low: str, high: str, quantity: Quantity) -> str:
    return dialect.in_ranks(score, low, high, quantity.rank_names)


def _ladder(low: float, high: float, quantity: Quantity) -> list[AxisTicks]:
    """Ticks at every rank, every second, every fourth and so on; the widest step first."""
    rungs = []
    for step in (2**power for power in range(len(quantity.rank_names).bit_length(), -1, -1)):
        codes = [code for code in range(0, len(quantity.rank_names), step) if low <= code <= high]
        if len(codes) > 1 or (step == 1 and codes):
            texts = [category_text(quantity.rank_names[code]) for code in codes]
            rungs.append(AxisTicks([float(code) for code in codes], texts))
    return rungs


RANK = QuantityKind(
    name="rank",
    noun="ranks",
    quantity_of=_quantity,
    encode=_encode,
    decode=_decode,
    texts=_texts,
    threshold_texts=lambda values, lower, upper, quantity: _texts(values, quantity),
    literal=lambda value, quantity, dialect: str(_n_below(value, quantity)),
    json_fields=lambda value, quantity: {
        "left_values": [*quantity.rank_names[: _n_below(value, quantity)]]
    },
    condition=_condition,
    ticks=_ladder,
)
