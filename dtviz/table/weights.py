"""What a row counts for: a column says so, or its class; and both as the parameters of a recipe.

Glossary
    class weight   what the weight of each row of a class is multiplied by
    balanced       class weights n / (K n_k) of the rows that a tree is grown on: those of each fold
                   are its own, as in scikit-learn
    priors         the classes' shares of the weight of all rows
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.quantities import PLAIN, quantity_in
from dtviz.table.data import (
    MAX_CLASSES,
    WEIGHTS,
    DataError,
    Dataset,
    Recipe,
    Value,
    is_number,
    numbers,
    take,
    text_of,
)
from dtviz.table.notes import Note
from dtviz.table.values import NUMBER, write_value
from dtviz.text import quoted, shown

ClassWeight = str | Mapping[Any, float] | None
SHOWN_CLASSES = 10
PRIORS_OFF = 1e-6
"""How far the sum of prior probabilities may be off 1."""


def can_weigh(series: pd.Series[Any]) -> bool:
    """Whether a column can say what each row counts for: numbers, none of them negative or large.

    Some are positive, and no row is without one.
    """
    if quantity_in(series) != PLAIN or not is_number(series):
        return False
    values = numbers(series)
    low, high = WEIGHTS
    return bool(np.all((values == 0) | ((values >= low) & (values <= high))) and values.any())


def weigh_classes(
    data: Dataset, class_weight: ClassWeight, priors: Mapping[Any, float] | None
) -> Dataset:
    """The data with the weights of its rows times those of their classes, which a note tells.

    Raises DataError, see `from_frame`.
    """
    if class_weight is None and priors is None:
        return data
    name = "priors" if class_weight is None else "class_weight"
    if not data.classes:
        raise DataError(f"`{name}` speaks of classes; {quoted(data.target)} is a number")
    if class_weight is not None and priors is not None:
        raise DataError(
            "`priors` must be None beside `class_weight`: each says what a class weighs"
        )
    own = np.ones(data.n) if data.weights is None else data.weights
    each = (
        _by_priors(data, own, priors)
        if class_weight is None
        else _class_weights(data, class_weight)
    )
    weights, (low, high) = own * each[data.y], WEIGHTS
    if weights.min() < low or weights.max() > high:
        raise DataError(f"`{name}` must leave the weight of each row from {low:g} to {high:g}")
    pairs = zip(data.class_names, each.tolist(), strict=True)
    told = ", ".join(f"{label} {weight:.4g}" for label, weight in islice(pairs, SHOWN_CLASSES))
    more = ", ..." if len(each) > SHOWN_CLASSES else ""
    note = Note(
        "column", f"the weight of a row is times that of its class: {told}{more}", None, data.target
    )
    balance = each if isinstance(class_weight, str) else None
    return replace(data, weights=weights, notes=(*data.notes, note), balance=balance)


def _class_weights(data: Dataset, given: str | Mapping[Any, float]) -> NDArray[np.float64]:
    """What each class weighs, (K,)."""
    if isinstance(given, str) and given == "balanced":
        return _balanced(data, len(data.classes))
    each = np.ones(len(data.classes))
    for code, value in _by_class(data, "class_weight", "'balanced' or numbers by class", given):
        each[code] = value
    return each


def _balanced(data: Dataset, classes: int) -> NDArray[np.float64]:
    """What each class weighs so that all that have a row weigh the same, (K,); 1 without a row."""
    counts = np.bincount(data.y, minlength=classes)
    there = counts > 0
    each = np.ones(len(counts))
    each[there] = data.n / (np.count_nonzero(there) * counts[there])
    return each


def rebalanced(data: Dataset, by: Dataset | None = None) -> Dataset:
    """The data with its classes balanced by the rows `by`, its own by default, if they are at all.

    So are some of the rows that a tree is grown on, and with them those it is judged by.
    """
    if data.balance is None or data.weights is None:
        return data
    each = _balanced(data if by is None else by, len(data.classes))
    return replace(data, weights=data.weights * (each / data.balance)[data.y], balance=each)


def parted(data: Dataset, out: NDArray[np.bool_]) -> tuple[Dataset, Dataset]:
    """The rows to grow on, and those held out, (n,): balanced classes are so by the first."""
    grown = rebalanced(take(data, ~out))
    return grown, rebalanced(take(data, out), grown)


def _by_priors(data: Dataset, weights: NDArray[np.float64], given: Any) -> NDArray[np.float64]:
    """What each class weighs so that its rows have its prior share of the weight of all, (K,)."""
    told = dict(_by_class(data, "priors", "probabilities by class", given))
    if len(told) < len(data.classes) or abs(math.fsum(told.values()) - 1) > PRIORS_OFF:
        raise DataError(
            f"`priors` must be one probability for each of {class_list(data)}, 1 together; not "
            f"{shown(dict(given))}"
        )
    shares = np.array([told[code] for code in range(len(told))])
    return np.asarray(shares / np.bincount(data.y, weights) * weights.sum())


def _by_class(data: Dataset, name: str, allowed: str, given: Any) -> Iterator[tuple[int, float]]:
    """The code of each class that is given a number, and the number."""
    if not isinstance(given, Mapping):
        raise DataError(f"`{name}` must be {allowed}; not {shown(given)}")
    low, high = WEIGHTS
    for code, value in codes_of_classes(data, name, given):
        if not real(value) or not low <= value <= high:
            raise DataError(
                f"`{name}` must be numbers from {low:g} to {high:g}; not {shown(value)} for "
                f"{quoted(data.class_names[code])}"
            )
        yield code, float(value)


def codes_of_classes(
    data: Dataset, name: str, given: Mapping[Any, Any]
) -> Iterator[tuple[int, Any]]:
    """The code of each class that a parameter speaks of, and what it says; raises DataError."""
    named_so = {name: code for code, name in enumerate(map(str, data.classes))}
    place: dict[Any, int] = named_so | {label: code for code, label in enumerate(data.classes)}
    for label, value in given.items():
        if label not in place and text_of(label) not in place:
            raise DataError(
                f"`{name}` must speak of {class_list(data)}; not of {quoted(text_of(label))}"
            )
        yield place[label if label in place else text_of(label)], value


def real(value: Any) -> bool:
    """Whether a value is a real number, which a truth value is not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def class_list(data: Dataset) -> str:
    """The classes in a sentence."""
    some = [quoted(label) for label in islice(data.class_names, SHOWN_CLASSES)]
    return ", ".join(some) + (", ..." if len(data.classes) > SHOWN_CLASSES else "")


# --- in a recipe ----------------------------------------------------------------------------------


def by_class(each: Mapping[str, float]) -> tuple[str, ...]:
    """A number for each class as a parameter of a recipe: ('a=2', 'b=0.5')."""
    return tuple(f"{label}={write_value(number)}" for label, number in each.items())


def numbers_by_class(given: Value) -> dict[str, float] | None:
    """The number of each class that a parameter of a recipe has, or None where it is none."""
    if not isinstance(given, tuple) or not 0 < len(given) <= MAX_CLASSES:
        return None
    parts = [text.rpartition("=") for text in given]
    if not all(NUMBER.fullmatch(number) for _, _, number in parts):
        return None
    found = {label: float(number) for label, _, number in parts}
    low, high = WEIGHTS
    return found if all(low <= number <= high for number in found.values()) else None


def weighing(wanted: Recipe) -> dict[str, Value]:
    """What a recipe says of weights, as it is written; raises DataError with the parameter."""
    found: dict[str, Value] = {}
    column = wanted.get("sample_weight")
    if column is not None:
        if not isinstance(column, str):
            raise DataError("`sample_weight` must be the name of a column", "sample_weight")
        found["sample_weight"] = column
    for name in ("class_weight", "priors"):
        given = wanted.get(name)
        if given is None:
            continue
        if wanted.get("task") == "regression":
            raise DataError(f"`{name}` speaks of classes; the target is a number", name)
        if "class_weight" in found:
            raise DataError("`priors` must be left out beside `class_weight`", name)
        told = numbers_by_class(given)
        if told is None and (name, given) != ("class_weight", "balanced"):
            raise DataError(f'`{name}` must be like ["a=2","b=1"]; not {shown(given)}', name)
        found[name] = given if told is None else by_class(told)
    return found


def weighed(params: Mapping[str, Value]) -> dict[str, Any]:
    """The arguments of `from_frame` that these parameters of a complete recipe are."""
    names = ("sample_weight", "class_weight", "priors")
    return {
        name: numbers_by_class(params[name]) or params[name] for name in names if name in params
    }
