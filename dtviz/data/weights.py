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

from dtviz.base.arrays import Floats
from dtviz.base.text import quoted, shown
from dtviz.data.dataset import (
    MAX_CLASSES,
    NUMBER,
    WEIGHTS,
    DataError,
    Dataset,
    Recipe,
    Value,
    is_number,
    numbers,
    take,
    text_of,
    write_value,
)
from dtviz.data.notes import Note
from dtviz.data.units import PLAIN, quantity_in

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


Costs = Mapping[Any, Mapping[Any, float]] | None

MOST_COSTED = 50
"""The most classes whose mistakes have costs."""
ALLOWED = "numbers by class and by the class it is called, such as {'a': {'b': 5}}"


def with_costs(data: Dataset, given: Costs) -> Dataset:
    """The data with the costs of its mistakes, the weights of its rows raised; a note tells both.

    A mistake that is not named costs 1. Raises DataError, see `from_frame`.
    """
    if given is None:
        return data
    if not data.classes:
        raise DataError(f"`costs` speak of classes; {quoted(data.target)} is a number")
    if not 2 <= len(data.classes) <= MOST_COSTED:
        many = "one" if len(data.classes) == 1 else f"{len(data.classes):,}"
        raise DataError(f"`costs` need from 2 to {MOST_COSTED} classes; the table has {many}")
    costs = _matrix(data, given)
    free = np.flatnonzero(~costs.any(axis=1))
    if len(free):
        raise DataError(
            f"`costs` must be above 0 for some mistake with each class; those with "
            f"{quoted(data.class_names[free[0]])} are all free"
        )
    own = np.ones(data.n) if data.weights is None else data.weights
    weights, (low, high) = own * raised(costs)[data.y], WEIGHTS
    if weights.min() < low or weights.max() > high:
        raise DataError(f"`costs` must leave the weight of each row from {low:g} to {high:g}")
    told = (_line(data, costs, line) for line in range(len(costs)))
    more = "; ..." if len(costs) > SHOWN_CLASSES else ""
    said = "; ".join(islice(told, SHOWN_CLASSES)) + more
    text = f"what a mistake costs, by which the weight of a row is raised: {said}"
    note = Note("column", text, None, data.target)
    return replace(data, weights=weights, costs=costs, notes=(*data.notes, note))


def raised(costs: Floats) -> Floats:
    """What the weight of a row of each class is times, (K,): the mean cost of its mistakes."""
    return np.asarray(costs.sum(axis=1) / (len(costs) - 1))


def relative_costs(costs: Floats) -> Floats:
    """What mistakes cost for each unit of the weight that costs have raised, (K, K)."""
    return np.asarray(costs / raised(costs)[:, None])


def own_weights(data: Dataset) -> Floats | None:
    """What each row's own mistakes count for, (n,): its weight, not raised by costs; None: 1."""
    if data.weights is None or data.costs is None:
        return data.weights
    return np.asarray(data.weights / raised(data.costs)[data.y])


def own_weight(data: Dataset) -> float:
    """The own weights of all rows together: their number, where they have no weights."""
    weights = own_weights(data)
    return data.n if weights is None else float(weights.sum())


def longer(costs: Floats, classes: int) -> Floats:
    """The costs with classes more that no training row has; they raise the others as before.

    A mistake with such a row costs 1.
    """
    few = len(costs)
    out = np.ones((classes, classes)) - np.eye(classes)
    out[:few, :few], out[:few, few:] = costs, raised(costs)[:, None]
    return out


def _matrix(data: Dataset, given: Any) -> Floats:
    """The costs as they are given, 1 where they are not, (K, K)."""
    if not isinstance(given, Mapping):
        raise DataError(f"`costs` must be {ALLOWED}; not {shown(given)}")
    costs = 1.0 - np.eye(len(data.classes))
    low, high = WEIGHTS
    for i, line in codes_of_classes(data, "costs", given):
        if not isinstance(line, Mapping):
            raise DataError(f"`costs` must be {ALLOWED}; not {shown(dict(given))}")
        for j, cost in codes_of_classes(data, "costs", line):
            if not real(cost) or not (cost == 0 or (i != j and low <= cost <= high)):
                asked = "0" if i == j else f"0, or numbers from {low:g} to {high:g}"
                called = f"{quoted(data.class_names[i])} called {quoted(data.class_names[j])}"
                raise DataError(f"`costs` must be {asked}; not {shown(cost)} for {called}")
            costs[i, j] = cost
    return costs


def _line(data: Dataset, costs: Floats, line: int) -> str:
    """What mistakes with a class cost: 'a called b 5, c 1'."""
    others = [at for at in range(len(costs)) if at != line]
    told = [f"{data.class_names[at]} {costs[line, at]:.4g}" for at in others[:SHOWN_CLASSES]]
    more = ", ..." if len(others) > SHOWN_CLASSES else ""
    return f"{data.class_names[line]} called {', '.join(told)}{more}"


# --- in a recipe ----------------------------------------------------------------------------------


def written_costs(costs: Mapping[str, Mapping[str, float]]) -> tuple[str, ...]:
    """Costs as a parameter of a recipe: a line a class, its numbers in the order of the lines.

    For example ('a=0,5', 'b=1,0').
    """
    return tuple(
        f"{label}={','.join(write_value(float(line[other])) for other in costs)}"
        for label, line in costs.items()
    )


def costs_in(given: Value) -> dict[str, dict[str, float]] | None:
    """The costs that a parameter of a recipe has, or None where it has none."""
    if not isinstance(given, tuple) or not 2 <= len(given) <= MOST_COSTED:
        return None
    parts = [text.rpartition("=") for text in given]
    names = [label for label, _, _ in parts]
    found: dict[str, dict[str, float]] = {}
    for label, _, line in parts:
        numbers = line.split(",")
        if len(numbers) != len(names) or not all(map(NUMBER.fullmatch, numbers)):
            return None
        found[label] = dict(zip(names, map(float, numbers), strict=True))
    (low, high), every = WEIGHTS, [cost for line in found.values() for cost in line.values()]
    fine = len(found) == len(names) and all(not cost or low <= cost <= high for cost in every)
    return found if fine else None


def costing(wanted: Recipe) -> dict[str, Value]:
    """What a recipe says of costs, as it is written; raises DataError with the parameter."""
    given = wanted.get("costs")
    if given is None:
        return {}
    if wanted.get("task") == "regression":
        raise DataError("`costs` speak of classes; the target is a number", "costs")
    found = costs_in(given)
    if found is None:
        raise DataError(f'`costs` must be like ["a=0,5","b=1,0"]; not {shown(given)}', "costs")
    return {"costs": written_costs(found)}
