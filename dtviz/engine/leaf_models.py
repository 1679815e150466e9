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
from dtviz.engine.criteria import Impurity
from dtviz.engine.cuts import Floats, Ints
from dtviz.engine.frontier import Frontier
from dtviz.engine.leaves import Facts
from dtviz.engine.regression import impurity_about, regressors, slopes
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
    node of these params predicts in a dialect. `searched` gives the impurity that cuts are searched
    by where such leaves lose something else than a criterion's own, which it is given.
    """

    name: str
    title: str
    task: Task
    fit: Callable[[Dataset, Frontier, Facts], Floats]
    predict: Callable[[Floats, Floats, Ints], Floats]
    formula: Callable[[Sequence[float], Sequence[str], Dialect, Literal], str]
    searched: Callable[[Impurity, Dataset], Impurity] = lambda usual, data: usual


def _value(data: Dataset, front: Frontier, known: Facts) -> Floats:
    return np.asarray(known.value, np.float64)[:, None]


def _cheapest(data: Dataset, front: Frontier, known: Facts) -> Floats:
    if data.costs is None:
        return _value(data, front, known)
    return cheapest(known.sums, data.costs).astype(np.float64)[:, None]


def _median(data: Dataset, front: Frontier, known: Facts) -> Floats:
    rows = Rows(data.y.take(front.rows[0]), weights_of(data, front), front.starts, front.sizes)
    return medians(rows)[:, None]


def _line(data: Dataset, front: Frontier, known: Facts) -> Floats:
    """The mean, the intercept, and a (feature, slope) for each regressor.

    The least squares of each node's rows [H]; of equal ones that with the smallest slopes, each
    times what its feature varies by.
    """
    features = regressors(data)
    out = np.zeros((len(front.sizes), 2 + 2 * len(features)))
    out[:, 0] = out[:, 1] = known.value
    out[:, 2::2] = features
    weights, groups = weights_of(data, front), np.split(front.rows[0], front.starts[1:])
    shares = [np.ones(len(rows)) for rows in groups]
    if weights is not None:
        shares = [own / own.max() for own in np.split(weights, front.starts[1:])]
    for j, (rows, share) in enumerate(zip(groups, shares, strict=True)):
        columns = data.columns[features[:, None], rows]
        middle = columns @ share / share.sum()
        root = np.sqrt(share)
        found = slopes((columns - middle[:, None]) * root, (data.y.take(rows) - out[j, 0]) * root)
        out[j, 1] -= found @ middle
        out[j, 3::2] = found
    return out


def _along(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """Term by term, in the order in which every export adds them."""
    out = params[:, 1]
    for at in range(2, params.shape[1], 2):
        out = out + params[:, at + 1] * columns[params[:, at].astype(np.intp), rows]
    return out


def _sum(params: Sequence[float], features: Sequence[str], dialect: Dialect, lit: Literal) -> str:
    text = lit(params[1])
    for feature, slope in zip(params[2::2], params[3::2], strict=True):
        if slope:
            term = dialect.times(lit(abs(slope)), dialect.name(features[int(feature)]))
            text += f" {'-' if slope < 0 else '+'} {term}"
    return text


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
        LeafModel("linear", "Linear regression", "regression", _line, _along, _sum, impurity_about),
    )
}
"""Every leaf model by name; the first of a task is its usual one where mistakes have no costs."""


def leaf_models_for(data: Dataset) -> list[LeafModel]:
    """The leaf models that suit the data, the usual one first."""
    usual = usual_leaf_model(data)
    able = (one for one in LEAF_MODELS.values() if one.task == data.task and one.name != COSTED)
    return [*dict.fromkeys((usual, *able))]


def usual_leaf_model(data: Dataset) -> LeafModel:
    """The majority class, or the mean; where mistakes have costs the class of the least."""
    if data.costs is not None:
        return LEAF_MODELS[COSTED]
    return next(model for model in LEAF_MODELS.values() if model.task == data.task)
