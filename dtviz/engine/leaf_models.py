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
from dtviz.engine.frontier import Frontier, restrict
from dtviz.engine.leaves import Facts
from dtviz.engine.logistic import RIDGE, chances, fitted
from dtviz.engine.regression import impurity_about, regressors, slopes
from dtviz.engine.sums import Rows
from dtviz.engine.tally import weights_of
from dtviz.table.costs import own_weights, raised
from dtviz.table.data import Dataset, Task
from dtviz.text import Dialect

COSTED = "least_cost"
LAPLACE = 1.0
MOST_SAID = 3
"""So many classes are said with their shares."""
Literal = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Proba:
    """How sure a prediction is of each class.

    `of` gives the share of each class for rows[i] of the columns by params[i], (r, K); `told` how a
    dialect writes these shares, K texts; `said` is what a person reads in the prediction's place.
    """

    of: Callable[[Floats, Floats, Ints], Floats]
    told: Callable[[Sequence[float], Sequence[str], Dialect], list[str]]
    said: Callable[[Sequence[float], Sequence[str], Dialect, Literal], str]


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
    about: str | None = None
    level: Callable[[Floats, Floats, Ints], Floats] | None = None
    proba: Proba | None = None
    classes: int | None = None
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


# --- shares of classes ----------------------------------------------------------------------------


def _smoothed(data: Dataset, front: Frontier, known: Facts) -> Floats:
    """The majority class, and (n_k + LAPLACE) / (n + LAPLACE K) of each class, by own weights."""
    sums = _own_sums(data, known) + LAPLACE
    return np.column_stack([known.value, sums / sums.sum(axis=1, keepdims=True)])


def _own_sums(data: Dataset, known: Facts) -> Floats:
    """What the classes of each node weigh, (m, K), not raised by costs."""
    return np.asarray(known.sums / (1.0 if data.costs is None else raised(data.costs)))


def _kept_shares(params: Floats, columns: Floats, rows: Ints) -> Floats:
    return params[:, 1:]


def _shares_told(params: Sequence[float], features: Sequence[str], dialect: Dialect) -> list[str]:
    return [dialect.number(share) for share in params[1:]]


def _shares_said(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: Literal
) -> str:
    """The largest shares: 'a 0.75, b 0.2, c 0.05'."""
    shares = np.array(params[1:])
    order = np.argsort(-shares, kind="stable")
    order = np.append([int(params[0])], order[order != int(params[0])])
    some = [f"{literal(code)} {dialect.number(shares[code])}" for code in order[:MOST_SAID]]
    return ", ".join([*some, "..."] if len(shares) > MOST_SAID else some)


def _odds(data: Dataset, front: Frontier, known: Facts) -> Floats:
    """The majority class, and the log odds of the second: the intercept, a slope a regressor.

    The logistic regression of each node's rows by their own weights, see `logistic.fitted`; a node
    of one class has its smoothed share.
    """
    features, sums = regressors(data), _own_sums(data, known) + LAPLACE
    out = np.zeros((len(front.sizes), 2 + 2 * len(features)))
    out[:, 0], out[:, 1] = known.value, np.log(sums[:, 1] / sums[:, 0])
    out[:, 2::2] = features
    some = ~known.pure
    if some.any():
        both = restrict(front, some)
        rows = both.rows[0]
        weights = own_weights(data)
        share = np.ones(len(rows)) if weights is None else weights.take(rows)
        columns = data.columns[features[:, None], rows]
        found = fitted(columns, data.y.take(rows) == 1, share, both.starts)
        out[some, 1], out[some, 3::2] = found[:, 0], found[:, 1:]
    return out


def _likelier(params: Floats, columns: Floats, rows: Ints) -> Floats:
    return (_along(params, columns, rows) > 0).astype(np.float64)


def _chances(params: Floats, columns: Floats, rows: Ints) -> Floats:
    second = chances(_along(params, columns, rows))
    return np.column_stack([1 - second, second])


def _log_odds(params: Sequence[float], features: Sequence[str], dialect: Dialect) -> str:
    return _sum(params, features, dialect, dialect.number)


def _likelier_text(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: Literal
) -> str:
    if not any(params[3::2]):
        return literal(int(params[1] > 0))
    return dialect.either(_log_odds(params, features, dialect), literal(1), literal(0))


def _chances_told(params: Sequence[float], features: Sequence[str], dialect: Dialect) -> list[str]:
    if not any(params[3::2]):
        second = float(chances(np.array(params[1])))
        return [dialect.number(1 - second), dialect.number(second)]
    text = dialect.chance(_log_odds(params, features, dialect))
    return [f"1 - {text}", text]


def _chances_said(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: Literal
) -> str:
    """The share of the second class: 'P(b) = 1 / (1 + e^-(3·x1 - 2))'."""
    return f"P({literal(1)}) = {_chances_told(params, features, dialect)[1]}"


LEAF_MODELS: dict[str, LeafModel] = {
    model.name: model
    for model in (
        LeafModel("majority", "Majority class", "classification", _value, _constant, _literal),
        LeafModel(COSTED, "Least cost", "classification", _cheapest, _constant, _literal),
        LeafModel(
            "shares",
            "Class shares",
            "classification",
            _smoothed,
            _constant,
            _literal,
            about="The share of each class by Laplace: (n_k + 1) / (n + K), of n rows and K "
            "classes. No class is impossible because a few rows lack it.",
            proba=Proba(_kept_shares, _shares_told, _shares_said),
        ),
        LeafModel(
            "logistic",
            "Logistic regression",
            "classification",
            _odds,
            _likelier,
            _likelier_text,
            about="Logistic regression of the rows of each leaf, for two classes. The cuts are "
            f"those of the criterion. A ridge of {RIDGE:g} keeps slopes finite where a line parts "
            "the classes.",
            level=_along,
            proba=Proba(_chances, _chances_told, _chances_said),
            classes=2,
        ),
        LeafModel("mean", "Mean", "regression", _value, _constant, _literal),
        LeafModel("median", "Median", "regression", _median, _constant, _literal),
        LeafModel(
            "linear",
            "Linear regression",
            "regression",
            _line,
            _along,
            _sum,
            about="A regression of the rows of each leaf. By squared error cuts are searched by "
            "what the regressions of both sides leave; by others they are those of the criterion.",
            level=_along,
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
