"""Sample weights by column, by class, by priors and by costs; and all as parameters of a recipe.

Balanced class weights are n / (K n_k), computed from the rows that a tree is grown on: each fold
has its own, as in scikit-learn. Priors are the shares of the classes in the total weight. Costs
raise the weights of a class by the mean cost of its mistakes (Breiman et al. 1984, 4.4), as rpart
does with `loss`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.lazy import pd
from dtviz.base.text import quoted, short_repr
from dtviz.data.dataset import (
    MAX_CLASSES,
    NUMBER,
    WEIGHT_RANGE,
    DataError,
    Dataset,
    ParameterValue,
    Recipe,
    is_numeric,
    real_numbers,
    safe_text,
    take_rows,
    write_value,
)
from dtviz.data.notes import Note
from dtviz.data.units import PLAIN, quantity_of_column

ClassWeight = str | Mapping[Any, float] | None
"""Class weights as users give them: 'balanced', or a number by class."""
MAX_CLASSES_SHOWN = 10  # classes named in a message
PRIORS_TOLERANCE = 1e-6
"""Largest difference between the sum of the priors and 1."""


def is_sample_weight(series: pd.Series[Any]) -> bool:
    """True for a column that can be the sample weight.

    Every row has a number, 0 or within WEIGHT_RANGE, and not all are 0.
    """
    if quantity_of_column(series) != PLAIN or not is_numeric(series):
        return False
    values = real_numbers(series)
    low, high = WEIGHT_RANGE
    return bool(np.all((values == 0) | ((values >= low) & (values <= high))) and values.any())


def with_class_weight(
    data: Dataset, class_weight: ClassWeight, priors: Mapping[Any, float] | None
) -> Dataset:
    """The data with each weight multiplied by the weight of the row's class, and a note on it.

    The parameters are those of `from_frame`. Raises DataError.
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
    row_weights = np.ones(data.n) if data.weights is None else data.weights
    factors = (
        _prior_factors(data, row_weights, priors)
        if class_weight is None
        else _class_weights(data, class_weight)
    )
    weights, (low, high) = row_weights * factors[data.y], WEIGHT_RANGE
    if weights.min() < low or weights.max() > high:
        raise DataError(f"`{name}` must leave the weight of each row from {low:g} to {high:g}")
    pairs = zip(data.class_names, factors.tolist(), strict=True)
    listing = ", ".join(
        f"{label} {weight:.4g}" for label, weight in islice(pairs, MAX_CLASSES_SHOWN)
    )
    more = ", ..." if len(factors) > MAX_CLASSES_SHOWN else ""
    text = f"the weight of a row is times that of its class: {listing}{more}"
    note = Note("column", text, None, data.target)
    balance = factors if isinstance(class_weight, str) else None
    return replace(data, weights=weights, notes=(*data.notes, note), balance=balance)


def _class_weights(data: Dataset, weights: str | Mapping[Any, float]) -> NDArray[np.float64]:
    """Weight of each class, (K,)."""
    if isinstance(weights, str) and weights == "balanced":
        return _balanced(data, len(data.classes))
    factors = np.ones(len(data.classes))
    for code, value in _numbers_by_class(
        data, "class_weight", "'balanced' or numbers by class", weights
    ):
        factors[code] = value
    return factors


def _balanced(data: Dataset, n_classes: int) -> NDArray[np.float64]:
    """Balanced class weights over the K classes with a row, (n_classes,); 1 for other classes."""
    counts = np.bincount(data.y, minlength=n_classes)
    has_rows = counts > 0
    factors = np.ones(len(counts))
    factors[has_rows] = data.n / (np.count_nonzero(has_rows) * counts[has_rows])
    return factors


def rebalance(data: Dataset, rows: Dataset | None = None) -> Dataset:
    """The data with balanced class weights computed anew from `rows`; by default, its own rows.

    Data without balanced class weights is returned itself. `rows` are those that a tree is grown
    on; the held-out rows that judge the tree get their weights from them too.
    """
    if data.balance is None or data.weights is None:
        return data
    balance = _balanced(data if rows is None else rows, len(data.classes))
    return replace(data, weights=data.weights * (balance / data.balance)[data.y], balance=balance)


def split_by_mask(data: Dataset, held_out_mask: NDArray[np.bool_]) -> tuple[Dataset, Dataset]:
    """Split the rows by `held_out_mask`, (n,): rows to grow on, and held-out rows.

    Balanced class weights of both come from the rows to grow on.
    """
    training = rebalance(take_rows(data, ~held_out_mask))
    return training, rebalance(take_rows(data, held_out_mask), training)


def _prior_factors(data: Dataset, weights: NDArray[np.float64], priors: Any) -> NDArray[np.float64]:
    """Factor of the weights of each class that makes its share of the total its prior, (K,)."""
    shares = dict(_numbers_by_class(data, "priors", "probabilities by class", priors))
    if len(shares) < len(data.classes) or abs(math.fsum(shares.values()) - 1) > PRIORS_TOLERANCE:
        raise DataError(
            f"`priors` must be one probability for each of {class_names_text(data)}, 1 "
            "together; not "
            f"{short_repr(dict(priors))}"
        )
    ordered = np.array([shares[code] for code in range(len(shares))])
    return np.asarray(ordered / np.bincount(data.y, weights) * weights.sum())


def _numbers_by_class(
    data: Dataset, name: str, allowed: str, value: Any
) -> Iterator[tuple[int, float]]:
    """Code and number of each class in the parameter `name`; raises DataError."""
    if not isinstance(value, Mapping):
        raise DataError(f"`{name}` must be {allowed}; not {short_repr(value)}")
    low, high = WEIGHT_RANGE
    for code, number in codes_of_classes(data, name, value):
        if not is_real(number) or not low <= number <= high:
            raise DataError(
                f"`{name}` must be numbers from {low:g} to {high:g}; not {short_repr(number)} for "
                f"{quoted(data.class_names[code])}"
            )
        yield code, float(number)


def codes_of_classes(
    data: Dataset, name: str, by_class: Mapping[Any, Any]
) -> Iterator[tuple[int, Any]]:
    """Code and value of each class in the parameter `name`; raises DataError.

    A class is named by its label, or by the text of its label.
    """
    codes: dict[Any, int] = {str(label): code for code, label in enumerate(data.classes)}
    codes |= {label: code for code, label in enumerate(data.classes)}
    for label, value in by_class.items():
        if label not in codes and safe_text(label) not in codes:
            raise DataError(
                f"`{name}` must speak of {class_names_text(data)}; not of "
                f"{quoted(safe_text(label))}"
            )
        yield codes[label if label in codes else safe_text(label)], value


def is_real(value: Any) -> bool:
    """True for a real number; False for a boolean."""
    return isinstance(value, Real) and not isinstance(value, bool)


def class_names_text(data: Dataset) -> str:
    """The first classes in quotes, for messages."""
    names = [quoted(label) for label in islice(data.class_names, MAX_CLASSES_SHOWN)]
    return ", ".join(names) + (", ..." if len(data.classes) > MAX_CLASSES_SHOWN else "")


# --- class weights in a recipe --------------------------------------------------------------------


def numbers_text(numbers: Mapping[str, float]) -> tuple[str, ...]:
    """Text of a number for each class, as a parameter of a recipe: ('a=2', 'b=0.5')."""
    return tuple(f"{label}={write_value(number)}" for label, number in numbers.items())


def parse_numbers_by_class(value: ParameterValue) -> dict[str, float] | None:
    """Number of each class from a parameter of a recipe; None for any other value."""
    if not isinstance(value, tuple) or not 0 < len(value) <= MAX_CLASSES:
        return None
    parts = [text.rpartition("=") for text in value]
    if not all(NUMBER.fullmatch(number) for _, _, number in parts):
        return None
    numbers = {label: float(number) for label, _, number in parts}
    low, high = WEIGHT_RANGE
    return numbers if all(low <= number <= high for number in numbers.values()) else None


def checked_weight_params(recipe: Recipe) -> dict[str, ParameterValue]:
    """The checked parameters of a recipe about weights; raises DataError for a wrong one."""
    params: dict[str, ParameterValue] = {}
    column = recipe.get("sample_weight")
    if column is not None:
        if not isinstance(column, str):
            raise DataError("`sample_weight` must be the name of a column", "sample_weight")
        params["sample_weight"] = column
    for name in ("class_weight", "priors"):
        value = recipe.get(name)
        if value is None:
            continue
        if recipe.get("task") == "regression":
            raise DataError(f"`{name}` speaks of classes; the target is a number", name)
        if "class_weight" in params:
            raise DataError("`priors` must be left out beside `class_weight`", name)
        numbers = parse_numbers_by_class(value)
        if numbers is None and (name, value) != ("class_weight", "balanced"):
            raise DataError(f'`{name}` must be like ["a=2","b=1"]; not {short_repr(value)}', name)
        params[name] = value if numbers is None else numbers_text(numbers)
    return params


def weight_arguments(params: Mapping[str, ParameterValue]) -> dict[str, Any]:
    """Arguments of `from_frame` from the parameters of a complete recipe about weights."""
    names = ("sample_weight", "class_weight", "priors")
    return {
        name: parse_numbers_by_class(params[name]) or params[name]
        for name in names
        if name in params
    }


# --- costs of mistakes ----------------------------------------------------------------------------

MistakeCosts = Mapping[Any, Mapping[Any, float]] | None
"""Costs as users give them: by true class, then by predicted class."""
MAX_CLASSES_WITH_COSTS = 50
"""Maximum number of classes with costs."""
COSTS_ALLOWED = "numbers by class and by the class it is called, such as {'a': {'b': 5}}"


def with_costs(data: Dataset, mistakes: MistakeCosts) -> Dataset:
    """The data with the costs of its mistakes, its weights raised by them, and a note on both.

    A mistake that `mistakes` does not name costs 1. Raises DataError, see `from_frame`.
    """
    if mistakes is None:
        return data
    if not data.classes:
        raise DataError(f"`costs` speak of classes; {quoted(data.target)} is a number")
    if not 2 <= len(data.classes) <= MAX_CLASSES_WITH_COSTS:
        n_classes = "one" if len(data.classes) == 1 else f"{len(data.classes):,}"
        raise DataError(
            f"`costs` need from 2 to {MAX_CLASSES_WITH_COSTS} classes; the table has {n_classes}"
        )
    costs = _cost_matrix(data, mistakes)
    free_classes = np.flatnonzero(~costs.any(axis=1))
    if len(free_classes):
        raise DataError(
            f"`costs` must be above 0 for some mistake with each class; those with "
            f"{quoted(data.class_names[free_classes[0]])} are all free"
        )
    row_weights = np.ones(data.n) if data.weights is None else data.weights
    weights, (low, high) = row_weights * cost_factors(costs)[data.y], WEIGHT_RANGE
    if weights.min() < low or weights.max() > high:
        raise DataError(f"`costs` must leave the weight of each row from {low:g} to {high:g}")
    texts = (_costs_text(data, costs, code) for code in range(len(costs)))
    more = "; ..." if len(costs) > MAX_CLASSES_SHOWN else ""
    listing = "; ".join(islice(texts, MAX_CLASSES_SHOWN)) + more
    text = f"what a mistake costs, by which the weight of a row is raised: {listing}"
    note = Note("column", text, None, data.target)
    return replace(data, weights=weights, costs=costs, notes=(*data.notes, note))


def cost_factors(costs: Floats) -> Floats:
    """Factor of the weights of each class, (K,): the mean cost of its K - 1 mistakes."""
    return np.asarray(costs.sum(axis=1) / (len(costs) - 1))


def relative_costs(costs: Floats) -> Floats:
    """Costs of mistakes for each unit of the raised weight, (K, K)."""
    return np.asarray(costs / cost_factors(costs)[:, None])


def weights_before_costs(data: Dataset) -> Floats | None:
    """Weights of the rows before costs raised them, (n,); None: each row weighs 1."""
    if data.weights is None or data.costs is None:
        return data.weights
    return np.asarray(data.weights / cost_factors(data.costs)[data.y])


def total_weight_before_costs(data: Dataset) -> float:
    """Sum of the weights before costs raised them; the number of rows where there are none."""
    if data.source is not None:  # costs need all rows in memory
        return data.weight
    weights = weights_before_costs(data)
    return data.n if weights is None else float(weights.sum())


def extend_costs(costs: Floats, n_classes: int) -> Floats:
    """The costs extended to classes that no training row has, (n_classes, n_classes).

    A mistake with a row of such a class costs 1. To predict such a class costs the mean of the
    row's class, so that the results of `cost_factors` stay.
    """
    n_known = len(costs)
    out = np.ones((n_classes, n_classes)) - np.eye(n_classes)
    out[:n_known, :n_known], out[:n_known, n_known:] = costs, cost_factors(costs)[:, None]
    return out


def _cost_matrix(data: Dataset, mistakes: Any) -> Floats:
    """The costs as a matrix, (K, K), 1 for mistakes without a cost; raises DataError."""
    if not isinstance(mistakes, Mapping):
        raise DataError(f"`costs` must be {COSTS_ALLOWED}; not {short_repr(mistakes)}")
    costs = 1.0 - np.eye(len(data.classes))
    low, high = WEIGHT_RANGE
    for i, class_costs in codes_of_classes(data, "costs", mistakes):
        if not isinstance(class_costs, Mapping):
            raise DataError(f"`costs` must be {COSTS_ALLOWED}; not {short_repr(dict(mistakes))}")
        for j, cost in codes_of_classes(data, "costs", class_costs):
            if not is_real(cost) or not (cost == 0 or (i != j and low <= cost <= high)):
                allowed = "0" if i == j else f"0, or numbers from {low:g} to {high:g}"
                mistake = f"{quoted(data.class_names[i])} called {quoted(data.class_names[j])}"
                raise DataError(f"`costs` must be {allowed}; not {short_repr(cost)} for {mistake}")
            costs[i, j] = cost
    return costs


def _costs_text(data: Dataset, costs: Floats, true_code: int) -> str:
    """Text of the costs of mistakes with one class: 'a called b 5, c 1'."""
    others = [code for code in range(len(costs)) if code != true_code]
    parts = [
        f"{data.class_names[code]} {costs[true_code, code]:.4g}"
        for code in others[:MAX_CLASSES_SHOWN]
    ]
    more = ", ..." if len(others) > MAX_CLASSES_SHOWN else ""
    return f"{data.class_names[true_code]} called {', '.join(parts)}{more}"


# --- costs in a recipe ----------------------------------------------------------------------------


def costs_text(costs: Mapping[str, Mapping[str, float]]) -> tuple[str, ...]:
    """Text of costs, as a parameter of a recipe: ('a=0,5', 'b=1,0').

    Each class has one text, with its costs in the order of the classes.
    """
    return tuple(
        f"{label}={','.join(write_value(float(class_costs[other])) for other in costs)}"
        for label, class_costs in costs.items()
    )


def parse_costs(value: ParameterValue) -> dict[str, dict[str, float]] | None:
    """Costs from a parameter of a recipe; None for any other value."""
    if not isinstance(value, tuple) or not 2 <= len(value) <= MAX_CLASSES_WITH_COSTS:
        return None
    parts = [text.rpartition("=") for text in value]
    names = [label for label, _, _ in parts]
    costs: dict[str, dict[str, float]] = {}
    for label, _, text in parts:
        numbers = text.split(",")
        if len(numbers) != len(names) or not all(map(NUMBER.fullmatch, numbers)):
            return None
        costs[label] = dict(zip(names, map(float, numbers), strict=True))
    (low, high), cells = (
        WEIGHT_RANGE,
        [cost for by_class in costs.values() for cost in by_class.values()],
    )
    is_valid = len(costs) == len(names) and all(not cost or low <= cost <= high for cost in cells)
    return costs if is_valid else None


def checked_cost_params(recipe: Recipe) -> dict[str, ParameterValue]:
    """The parameter of a recipe about costs, checked, if it is there; raises DataError."""
    value = recipe.get("costs")
    if value is None:
        return {}
    if recipe.get("task") == "regression":
        raise DataError("`costs` speak of classes; the target is a number", "costs")
    costs = parse_costs(value)
    if costs is None:
        raise DataError(f'`costs` must be like ["a=0,5","b=1,0"]; not {short_repr(value)}', "costs")
    return {"costs": costs_text(costs)}
