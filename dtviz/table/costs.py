"""What each mistake costs: a number for each class called another, and as parameters of a recipe.

Glossary
    costs       L, (K, K): what it costs to call a row of class i (line) class j (column); L_ii = 0
    raised      what costs make of the weight of a row: it is times the mean cost of its mistakes
    own weight  of a row: its weight before that, by which what its mistakes cost counts

rpart's `loss` [Therneau and Atkinson, An introduction to recursive partitioning using the rpart
routines, sections 3.2 and 3.3]: a class's prior is altered to its share of prior times line sum. Of
two classes that is a class weight, and all that costs do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from dtviz.arrays import Floats
from dtviz.table.data import WEIGHTS, DataError, Dataset, Recipe, Value
from dtviz.table.notes import Note
from dtviz.table.values import NUMBER, write_value
from dtviz.table.weights import SHOWN_CLASSES, codes_of_classes, real
from dtviz.text import quoted, shown

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


def relative(costs: Floats) -> Floats:
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
