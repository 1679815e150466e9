"""What a leaf predicts: each kind of prediction is one value in LEAF_MODELS.

Glossary
    params     what is kept of a model fitted to a node's rows, (P,) floats; the first says what
               the node predicts as a whole: a class code or a number
    literal    how a language writes a class code or a number
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import Dialect
from dtviz.data.dataset import Dataset, Task
from dtviz.engine.criteria.criteria import Impurity, cheapest
from dtviz.engine.criteria.statistics import Rows, medians
from dtviz.engine.leaves.linear import (
    BLOCK,
    Literal,
    along,
    impurity_about,
    lines_of,
    put,
    regressors,
    slopes,
    sum_text,
    unfitted,
)
from dtviz.engine.leaves.node_facts import Facts
from dtviz.engine.leaves.probabilities import (
    RIDGE,
    both_chances,
    chances_said,
    chances_told,
    kept_shares,
    likelier,
    likelier_text,
    odds,
    shares_said,
    shares_told,
    smoothed,
)
from dtviz.engine.search.frontier import Frontier
from dtviz.engine.search.histogram import weights_of

COSTED = "least_cost"
IMPUTATION = "The mean of a feature in the leaf stands for a missing value of it."


@dataclass(frozen=True, slots=True)
class Proba:
    """How sure a prediction is of each class.

    `of` gives the share of each class for rows[i] of the columns by params[i], (r, K); `told` how a
    dialect writes these shares, K texts; `said` is what a person reads in the prediction's place.
    """

    of: Callable[[Floats, Floats, Ints], Floats]
    told: Callable[[Sequence[float], Sequence[str], Dialect], list[str]]
    said: Callable[[Sequence[float], Sequence[str], Dialect, Literal], str]


def _as_it_is(usual: Impurity, _data: Dataset) -> Impurity:
    return usual


@dataclass(frozen=True, slots=True)
class LeafModel:
    """A kind of prediction.

    `fit` gives the params of every node of a frontier, (m, P). `predict` gives the class code or
    number of rows[i] of the columns (M, n) by params[i], (r, P) -> (r,). `formula` writes what a
    node of these params predicts in a dialect. `about` is said beside its choice. `level` gives a
    number that rises with the prediction and is linear in the columns, where that varies in a leaf;
    `proba` how sure the leaf is. It takes so many `classes`, where that matters. `searched` gives
    the impurity that cuts are searched by where such leaves lose something else than a criterion's
    own, which it is given.
    """

    name: str
    title: str
    task: Task
    fit: Callable[[Dataset, Frontier, Facts], Floats]
    predict: Callable[[Floats, Floats, Ints], Floats]
    formula: Callable[[Sequence[float], Sequence[str], Dialect, Literal], str]
    about: str = ""
    level: Callable[[Floats, Floats, Ints], Floats] | None = None
    proba: Proba | None = None
    classes: int | None = None
    searched: Callable[[Impurity, Dataset], Impurity] = _as_it_is


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
    """The mean, and a line: its start, and (feature, slope, centre, mean) for each regressor.

    The least squares of each node's rows [H]; of equal ones that with the smallest slopes, each
    times what its feature varies by.
    """
    features, out = regressors(data), unfitted(data, known.value)
    weights = weights_of(data, front)
    for some, size in _alike(front.sizes, max(len(features), 1)):
        at = front.starts[some, None] + np.arange(size)
        rows, value = front.rows[0].take(at), out[some, 0]
        share = np.ones(rows.shape) if weights is None else weights.take(at)
        share = share / share.max(axis=1, keepdims=True)
        whole = share.sum(axis=1)
        columns = data.columns[features[:, None, None], rows]
        root, first = np.sqrt(share), columns[:, np.arange(len(rows)), share.argmax(axis=1)]
        apart = columns - first[:, :, None]
        middle = (apart * share).sum(axis=2) / whole
        heavy = (apart - middle[:, :, None]) * root
        found = slopes(heavy, (data.y.take(rows) - value[:, None]) * root)
        spread = np.sqrt((heavy * heavy).sum(axis=2) / whole)
        put(out, some, lines_of(value, found, first, middle, spread))
    return out


def _alike(sizes: Ints, features: int) -> Iterator[tuple[Ints, int]]:
    """Nodes of the same size, and that size: some at once, as many as take little room."""
    order = np.argsort(sizes, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(sizes[order])) + 1):
        size = int(sizes[own[0]])
        step = max(BLOCK // (size * features), 1)
        yield from ((own[k : k + step], size) for k in range(0, len(own), step))


def _constant(params: Floats, columns: Floats, rows: Ints) -> Floats:
    return params[:, 0]


def _literal(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: Literal
) -> str:
    return literal(params[0])


LEAF_MODELS: dict[str, LeafModel] = {
    model.name: model
    for model in (
        LeafModel(
            "majority",
            "Majority class",
            "classification",
            _value,
            _constant,
            _literal,
            "The class that weighs most, the first of equals.",
        ),
        LeafModel(
            COSTED,
            "Least cost",
            "classification",
            _cheapest,
            _constant,
            _literal,
            "The class whose mistakes cost least.",
        ),
        LeafModel(
            "shares",
            "Class shares",
            "classification",
            smoothed,
            _constant,
            _literal,
            "The share of each class by Laplace: (n_k + 1) / (n + K), of n rows and K "
            "classes. No class is impossible because a few rows lack it.",
            proba=Proba(kept_shares, shares_told, shares_said),
        ),
        LeafModel(
            "logistic",
            "Logistic regression",
            "classification",
            odds,
            likelier,
            likelier_text,
            "Logistic regression of the rows of each leaf, for two classes. The cuts are "
            f"those of the criterion. A ridge of {RIDGE:g} keeps slopes finite where a line parts "
            f"the classes. {IMPUTATION}",
            level=along,
            proba=Proba(both_chances, chances_told, chances_said),
            classes=2,
        ),
        LeafModel(
            "mean",
            "Mean",
            "regression",
            _value,
            _constant,
            _literal,
            "The number from which the squares of the rows are least.",
        ),
        LeafModel(
            "median",
            "Median",
            "regression",
            _median,
            _constant,
            _literal,
            "The number from which the distances of the rows are least.",
        ),
        LeafModel(
            "linear",
            "Linear regression",
            "regression",
            _line,
            along,
            sum_text,
            "A regression of the rows of each leaf. By squared error cuts are searched by "
            "what the regressions of both sides leave; by others they are those of the criterion. "
            + IMPUTATION,
            level=along,
            searched=impurity_about,
        ),
    )
}
"""Every leaf model by name; the first of a task is its usual one where mistakes have no costs."""


def leaf_models_for(data: Dataset) -> list[LeafModel]:
    """The leaf models that suit the data, the usual one first."""
    usual = usual_leaf_model(data)
    able = (one for one in LEAF_MODELS.values() if suits(one, data) and one.name != COSTED)
    return [*dict.fromkeys((usual, *able))]


def suits(model: LeafModel, data: Dataset) -> bool:
    """Whether a leaf model is of the data's task, and takes so many classes."""
    return model.task == data.task and model.classes in (None, len(data.classes))


def usual_leaf_model(data: Dataset) -> LeafModel:
    """The majority class, or the mean; where mistakes have costs the class of the least."""
    if data.costs is not None:
        return LEAF_MODELS[COSTED]
    return next(model for model in LEAF_MODELS.values() if model.task == data.task)
