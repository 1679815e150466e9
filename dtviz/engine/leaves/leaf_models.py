"""Leaf models: the kinds of prediction that a leaf can make, in LEAF_MODELS.

The params of a leaf model, (P,), are the numbers kept of its fit to the rows of a node. The first
param is a constant prediction of the node: a class code or a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import Dialect
from dtviz.data.dataset import Dataset, Task
from dtviz.engine.criteria.criteria import Impurity, least_cost_class
from dtviz.engine.criteria.statistics import NodeRows, medians
from dtviz.engine.leaves.linear import (
    BLOCK_NUMBERS,
    WriteLiteral,
    empty_params,
    least_squares,
    line_formula,
    lines_through,
    predict_line,
    regressors,
    residual_impurity,
    set_lines,
)
from dtviz.engine.leaves.node_facts import (
    RIDGE,
    NodeFacts,
    fit_laplace,
    fit_logistic,
    laplace_formulas,
    laplace_text,
    likelier_class_formula,
    logistic_formulas,
    logistic_text,
    predict_laplace,
    predict_likelier_class,
    predict_logistic,
)
from dtviz.engine.search.frontier import Frontier
from dtviz.engine.search.histogram import weights_of

LEAST_COST = "least_cost"
IMPUTATION = "The mean of a feature in the leaf stands for a missing value of it."
"""Sentence of the help texts about missing values in regressions."""


@dataclass(frozen=True, slots=True)
class ShareFunctions:
    """Functions of a leaf model that predicts the share of each class."""

    predict: Callable[[Floats, Floats, Ints], Floats]
    """Predicts shares, (r, K), from params (r, P), columns (M, n) and row ids (r,): rows[i] by
    params[i]."""
    formulas: Callable[[Sequence[float], Sequence[str], Dialect], list[str]]
    """Writes formulas of the K shares from params and names of features, in a dialect."""
    text: Callable[[Sequence[float], Sequence[str], Dialect, WriteLiteral], str]
    """Writes a text for people that replaces that of the prediction."""


def _unchanged(impurity: Impurity, _data: Dataset) -> Impurity:
    return impurity


@dataclass(frozen=True, slots=True)
class LeafModel:
    """A kind of prediction that leaves make.

    >>> from dtviz.data.gallery import load
    >>> [model.name for model in leaf_models_for(load("heights"))]
    ['majority', 'shares', 'logistic']
    >>> LEAF_MODELS["mean"].predict(np.array([[2.5]]), np.zeros((1, 4)), np.array([3]))
    array([2.5])
    """

    name: str
    """Value of the rule `leaf_model`."""
    title: str
    """Text of the choice on the pages."""
    task: Task
    """Kind of target that the model predicts."""
    fit: Callable[[Dataset, Frontier, NodeFacts], Floats]
    """Fits the params of every node of a frontier, (m, P)."""
    predict: Callable[[Floats, Floats, Ints], Floats]
    """Predicts codes or numbers, (r,), from params (r, P), columns (M, n) and row ids (r,)."""
    formula: Callable[[Sequence[float], Sequence[str], Dialect, WriteLiteral], str]
    """Writes the formula of the prediction from params and names of features, in a dialect."""
    description: str = ""
    """Help text of the choice on the pages."""
    linear_score: Callable[[Floats, Floats, Ints], Floats] | None = None
    """Computes numbers, (r,), that rise with the prediction and are linear in the columns; None:
    the prediction is constant in a leaf."""
    proba: ShareFunctions | None = None
    """Functions for shares of classes; None: the shares are those of the rows in the leaf."""
    n_classes: int | None = None
    """Number of classes that the data must have; None: any."""
    search_impurity: Callable[[Impurity, Dataset], Impurity] = _unchanged
    """Returns the impurity that splits are searched by, given that of the criterion."""


def _fit_value(_data: Dataset, _front: Frontier, node_facts: NodeFacts) -> Floats:
    return np.asarray(node_facts.value, np.float64)[:, None]


def _fit_least_cost(data: Dataset, front: Frontier, node_facts: NodeFacts) -> Floats:
    if data.costs is None:
        return _fit_value(data, front, node_facts)
    return least_cost_class(node_facts.weight_by_class, data.costs).astype(np.float64)[:, None]


def _fit_median(data: Dataset, front: Frontier, _facts: NodeFacts) -> Floats:
    rows = NodeRows(data.y.take(front.rows[0]), weights_of(data, front), front.starts, front.sizes)
    return medians(rows)[:, None]


def _fit_line(data: Dataset, front: Frontier, node_facts: NodeFacts) -> Floats:
    """Fit the mean, and a line: start, and feature, slope, centre and mean of each regressor.

    The fit is least squares over the rows of each node ([H], see criteria.py). Of several solutions
    it is the one with the smallest slopes, each times the standard deviation of its feature.
    """
    features, params = regressors(data), empty_params(data, node_facts.value)
    weights = weights_of(data, front)
    for nodes, size in _batches(front.sizes, max(len(features), 1)):
        entries = front.starts[nodes, None] + np.arange(size)
        rows, value = front.rows[0].take(entries), params[nodes, 0]
        weight = np.ones(rows.shape) if weights is None else weights.take(entries)
        weight = weight / weight.max(axis=1, keepdims=True)
        total = weight.sum(axis=1)
        columns = data.columns[features[:, None, None], rows]
        # Values less that of the heaviest row, then less their mean: no digits are lost.
        root, origin = np.sqrt(weight), columns[:, np.arange(len(rows)), weight.argmax(axis=1)]
        offset = columns - origin[:, :, None]
        mean = (offset * weight).sum(axis=2) / total
        weighted = (offset - mean[:, :, None]) * root
        slope = least_squares(weighted, (data.y.take(rows) - value[:, None]) * root)
        deviation = np.sqrt((weighted * weighted).sum(axis=2) / total)
        set_lines(params, nodes, lines_through(value, slope, origin, mean, deviation))
    return params


def _batches(sizes: Ints, features: int) -> Iterator[tuple[Ints, int]]:
    """Yield nodes of one size, and the size, in batches whose arrays stay small."""
    order = np.argsort(sizes, kind="stable")
    for nodes in np.split(order, np.flatnonzero(np.diff(sizes[order])) + 1):
        size = int(sizes[nodes[0]])
        step = max(BLOCK_NUMBERS // (size * features), 1)
        yield from ((nodes[k : k + step], size) for k in range(0, len(nodes), step))


def _predict_constant(params: Floats, columns: Floats, rows: Ints) -> Floats:
    return params[:, 0]


def _constant_text(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: WriteLiteral
) -> str:
    return literal(params[0])


LEAF_MODELS: dict[str, LeafModel] = {
    model.name: model
    for model in (
        LeafModel(
            "majority",
            "Majority class",
            "classification",
            _fit_value,
            _predict_constant,
            _constant_text,
            "The class that weighs most, the first of equals.",
        ),
        LeafModel(
            LEAST_COST,
            "Least cost",
            "classification",
            _fit_least_cost,
            _predict_constant,
            _constant_text,
            "The class whose mistakes cost least.",
        ),
        LeafModel(
            "shares",
            "Class shares",
            "classification",
            fit_laplace,
            _predict_constant,
            _constant_text,
            "The share of each class by Laplace: (n_k + 1) / (n + K), of n rows and K "
            "classes. No class is impossible because a few rows lack it.",
            proba=ShareFunctions(predict_laplace, laplace_formulas, laplace_text),
        ),
        LeafModel(
            "logistic",
            "Logistic regression",
            "classification",
            fit_logistic,
            predict_likelier_class,
            likelier_class_formula,
            "Logistic regression of the rows of each leaf, for two classes. The cuts are "
            f"those of the criterion. A ridge of {RIDGE:g} keeps slopes finite where a line parts "
            f"the classes. {IMPUTATION}",
            linear_score=predict_line,
            proba=ShareFunctions(predict_logistic, logistic_formulas, logistic_text),
            n_classes=2,
        ),
        LeafModel(
            "mean",
            "Mean",
            "regression",
            _fit_value,
            _predict_constant,
            _constant_text,
            "The number from which the squares of the rows are least.",
        ),
        LeafModel(
            "median",
            "Median",
            "regression",
            _fit_median,
            _predict_constant,
            _constant_text,
            "The number from which the distances of the rows are least.",
        ),
        LeafModel(
            "linear",
            "Linear regression",
            "regression",
            _fit_line,
            predict_line,
            line_formula,
            "A regression of the rows of each leaf. By squared error cuts are searched by "
            "what the regressions of both sides leave; by others they are those of the criterion. "
            + IMPUTATION,
            linear_score=predict_line,
            search_impurity=residual_impurity,
        ),
    )
}
"""Leaf models by name; the first of a task is its usual one where mistakes have no costs."""


def leaf_models_for(data: Dataset) -> list[LeafModel]:
    """Leaf models that suit the data, the usual one first."""
    usual = usual_leaf_model(data)
    others = (
        model
        for model in LEAF_MODELS.values()
        if suits_data(model, data) and model.name != LEAST_COST
    )
    return [*dict.fromkeys((usual, *others))]


def suits_data(model: LeafModel, data: Dataset) -> bool:
    """True if a leaf model is for the task of the data and its number of classes."""
    return model.task == data.task and model.n_classes in (None, len(data.classes))


def usual_leaf_model(data: Dataset) -> LeafModel:
    """The majority class, or the mean; the class of least cost where mistakes have costs."""
    if data.costs is not None:
        return LEAF_MODELS[LEAST_COST]
    return next(model for model in LEAF_MODELS.values() if model.task == data.task)
