"""The rows that a model was given, as our data: X is numbers, y classes or numbers.

X is a frame or an array of shape (n, M); y has shape (n,); a row's weight is at least 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dtviz.arrays import Floats
from dtviz.table.arrow import any_frame
from dtviz.table.data import DataError, Dataset, Task
from dtviz.table.held import from_frame
from dtviz.text import count, quoted, shown


def numbers_of(X: Any, many: int, names: Sequence[str] | None = None) -> pd.DataFrame:
    """X as numbers under the names of its `many` features: its own, those given, or x1, x2, ...

    Raises DataError where it is no table of numbers, or has other columns than the model had.
    """
    frame = any_frame(X)
    try:
        values = np.asarray(frame, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"`X` must be a table of numbers, as the model had; not {shown(X)}"
        ) from None
    if values.ndim != 2 or values.shape[1] != many:
        raise DataError(f"`X` must have {count(many, 'column')}; its shape is {values.shape}")
    own = [*map(str, frame.columns)] if isinstance(frame, pd.DataFrame) else None
    listed = own or (None if names is None else [*map(str, names)])
    listed = listed or [f"x{j + 1}" for j in range(values.shape[1])]
    if own and names is not None and [*map(_written, own)] != [*map(_written, names)]:
        raise DataError(f"`X` must have the columns the model had: {', '.join(map(quoted, names))}")
    return pd.DataFrame(values, columns=listed)


def place_of(member: Any, many: int, what: str = "tree") -> int:
    """Which of so many trees a member is; raises DataError where it is none."""
    at = int(member) if isinstance(member, Integral) else -1
    if not 0 <= at < many:
        raise DataError(f"`member` must say which {what}: 0 to {many - 1}; not {shown(member)}")
    return at


def _written(name: Any) -> str:
    """A name as LightGBM writes it, which has no blanks."""
    return str(name).replace(" ", "_")


def weights_of(sample_weight: Any, rows: int) -> Floats:
    """A number for each row, 1 where none are given; raises DataError."""
    if sample_weight is None:
        return np.ones(rows)
    try:
        weights = np.array(sample_weight, np.float64)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if weights.shape != (rows,):
        raise DataError(
            f"`sample_weight` must have a number for each row of X: {rows:,}; "
            f"not {shown(sample_weight)}"
        )
    return weights


def target_of(y: ArrayLike, rows: int) -> NDArray[Any]:
    """A value for each row; raises DataError."""
    values = np.asarray(y).ravel()
    if len(values) != rows:
        raise DataError(f"`y` must have a value for each row of X: {rows:,}; not {len(values):,}")
    return values


def floats_of(y: NDArray[Any]) -> Floats:
    """A target of numbers; raises DataError."""
    try:
        return y.astype(np.float64)
    except (TypeError, ValueError):
        raise DataError("`y` must be numbers, as the model had") from None


def codes_of(y: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """The classes in order, and the place of each row's among them; raises DataError."""
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        raise DataError("`y` must be classes of one kind, as the model had") from None
    return classes.tolist(), codes


def data_of(X: pd.DataFrame, y: ArrayLike, weights: Floats | None, task: Task) -> Dataset:
    """The Dataset of these rows; those of weight 0 are left out. Raises DataError.

    It has no weights where each is 1.
    """
    target = pd.Series(y)
    if len(target) != len(X):
        raise DataError(f"`y` must have a value for each row of X: {len(X):,}; not {len(target):,}")
    name = str(getattr(y, "name", None) or "y")
    while name in X.columns:
        name += "'"
    table = X.assign(**{name: target.to_numpy()})
    data = from_frame(table, name, [*X.columns], task, sample_weight=weights)
    plain = data.weights is not None and (data.weights == 1).all()
    return replace(data, weights=None) if plain else data
