"""What a leaf predicts: each kind of prediction is one value in LEAF_MODELS.

Glossary
    params     what is kept of a model fitted to a node's rows, (P,) floats; the first says what
               the node predicts as a whole: a class code or a number
    literal    how a language writes a class code or a number
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dtviz.engine.absolute import medians
from dtviz.engine.costs import cheapest
from dtviz.engine.cuts import Floats, Ints
from dtviz.engine.frontier import Frontier
from dtviz.engine.leaves import Facts
from dtviz.engine.sums import Rows
from dtviz.engine.tally import weights_of
from dtviz.table.data import Dataset, Task
from dtviz.text import Dialect

COSTED = "least_cost"
Literal = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class LeafModel:
    """A kind of prediction.

    `fit` gives the params of every node of a frontier, (m, P). `predict` gives the class code or
    number of rows[i] of the columns (M, n) by params[i], (r, P) -> (r,). `formula` writes what a
    node of these params predicts in a dialect.
    """

    name: str
    title: str
    task: Task
    fit: Callable[[Dataset, Frontier, Facts], Floats]
    predict: Callable[[Floats, Floats, Ints], Floats]
    formula: Callable[[Sequence[float], Sequence[str], Dialect, Literal], str]


def _value(data: Dataset, front: Frontier, known: Facts) -> Floats:
    return np.asarray(known.value, np.float64)[:, None]


def _cheapest(data: Dataset, front: Frontier, known: Facts) -> Floats:
    if data.costs is None:
        return _value(data, front, known)
    return cheapest(known.sums, data.costs).astype(np.float64)[:, None]


def _median(data: Dataset, front: Frontier, known: Facts) -> Floats:
    rows = Rows(data.y.take(front.rows[0]), weights_of(data, front), front.starts, front.sizes)
    return medians(rows)[:, None]


def _constant(params: Floats, columns: Floats, rows: Ints) -> Floats:
    return params[:, 0]


def _literal(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: Literal
) -> str:
    return literal(params[0])


LEAF_MODELS: dict[str, LeafModel] = {
    model.name: model
    for model in (
        LeafModel("majority", "Majority class", "classification", _value, _constant, _literal),
        LeafModel(COSTED, "Least cost", "classification", _cheapest, _constant, _literal),
        LeafModel("mean", "Mean", "regression", _value, _constant, _literal),
        LeafModel("median", "Median", "regression", _median, _constant, _literal),
    )
}
"""Every leaf model by name; the first of a task is its usual one where mistakes have no costs."""


def usual_leaf_model(data: Dataset) -> LeafModel:
    """The majority class, or the mean; where mistakes have costs the class of the least."""
    if data.costs is not None:
        return LEAF_MODELS[COSTED]
    return next(model for model in LEAF_MODELS.values() if model.task == data.task)
