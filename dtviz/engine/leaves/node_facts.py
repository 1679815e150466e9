"""Node facts (counts or mean, impurity, prediction) and the class probabilities of leaves.

The params of smoothed shares are the code of the majority class, then the share of each class. The
params of a logistic regression are that code, then the line of the second class's log odds: the
log odds as a linear function of the regressors, see `linear.empty_params`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.text import Dialect
from dtviz.data.dataset import Dataset
from dtviz.data.weights import cost_factors, weights_before_costs
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.criteria.latex import RowGroup
from dtviz.engine.criteria.statistics import NodeRows, means
from dtviz.engine.leaves.linear import (
    WriteLiteral,
    empty_params,
    has_slope,
    line_formula,
    lines_through,
    predict_line,
    regressors,
    set_lines,
)
from dtviz.engine.search.frontier import Frontier, keep_nodes
from dtviz.engine.search.histogram import weights_of


@dataclass(frozen=True, slots=True, eq=False)
class NodeFacts:
    """Facts of m nodes; K is the number of classes, 0 for regression."""

    n: Ints  # number of rows, (m,)
    counts: NDArray[Any]  # number of rows of each class, (m, K)
    weight: NDArray[Any]  # weight of the rows, (m,): `n` itself where rows have no weights
    weight_by_class: NDArray[
        Any
    ]  # weight of each class, (m, K): `counts` itself where rows have no weights
    value: NDArray[Any]  # class code with the largest weight, the first of equals, or mean, (m,)
    share: Floats  # share of that class in the weight; for regression 1 if pure, else 0, (m,)
    impurity: Floats  # impurity of the rows, (m,)
    pure: Bools  # True where all rows have the same target, or a regression fits all exactly, (m,)


def group_of(data: Dataset, rows: Ints) -> RowGroup:
    """The rows with these ids as a group for formulas."""
    weights = None if data.weights is None else data.weights.take(rows)
    return RowGroup(data.y.take(rows), len(data.classes), weights, rows)


def compute_facts(data: Dataset, front: Frontier, criterion: Criterion) -> NodeFacts:
    """Compute the facts of every node of a frontier."""
    y = data.y.take(front.rows[0])
    return (_of_classes if data.classes else _of_numbers)(data, y, front, criterion)


def _of_classes(data: Dataset, y: NDArray[Any], front: Frontier, criterion: Criterion) -> NodeFacts:
    n, m, classes = front.sizes, len(front.sizes), len(data.classes)
    cell = (np.arange(m) * classes).repeat(n) + y
    counts = np.bincount(cell, minlength=m * classes).reshape(m, classes)
    weights = weights_of(data, front)
    rows = NodeRows(y, weights, front.starts, n)
    weight, sums = rows.weight, counts
    if weights is not None:
        sums = np.bincount(cell, weights, minlength=m * classes).reshape(m, classes)
        sums = sums.astype(weights.dtype)
    largest = sums.max(axis=1)
    pure = (largest if weights is None else counts.max(axis=1)) == n
    impurity = np.where(pure, 0.0, criterion.impurity.node_impurities(rows, sums))
    value = sums.argmax(axis=1) if weights is None else _first_largest(sums, largest)
    share = np.where(pure, 1.0, largest / weight)
    return NodeFacts(n, counts, weight, sums, value, share, impurity, pure)


def _first_largest(sums: NDArray[Any], largest: NDArray[Any]) -> Ints:
    """First class of each node, (m,), whose weight equals the largest, but for rounding."""
    return np.asarray((sums >= (largest * (1 - ROUNDING))[:, None]).argmax(axis=1))


def _of_numbers(data: Dataset, y: NDArray[Any], front: Frontier, criterion: Criterion) -> NodeFacts:
    weights, no_classes = weights_of(data, front), np.zeros((len(front.sizes), 0), int)
    rows = NodeRows(y, weights, front.starts, front.sizes, front.rows[0])
    impurity = criterion.impurity.node_impurities(rows, no_classes)
    pure = np.minimum.reduceat(y, front.starts) == np.maximum.reduceat(y, front.starts)
    if criterion.impurity.take_rows is not None:  # a regression may predict unequal targets exactly
        pure |= impurity == 0
    share = pure.astype(float)
    value = means(rows)
    return NodeFacts(front.sizes, no_classes, rows.weight, no_classes, value, share, impurity, pure)


RIDGE = 1e-5
"""Weight of the squared slopes in the loss: slopes stay finite where a line parts the classes."""
MAX_STEPS = 60
"""Largest number of Newton's steps."""
MAX_HALVINGS = 30
"""Largest number of times that a step is halved."""
MIN_DECREASE = 1e-18
"""The loss is at its minimum if Newton's step would lower it by less."""
LOSS_ROUNDING = 1e-15
"""Rise of the loss that rounding alone can cause."""


def logistic_lines(columns: Floats, y: NDArray[np.bool_], weight: Floats, starts: Ints) -> Floats:
    """Fit the lines of the log odds, (m, 1 + 3 P) as of `linear.lines_through`, to m nodes.

    `columns`, (P, N), are the regressors; `y`, (N,), is True for the second class; `weight`, (N,),
    the weight of each row. Each node must have rows of both classes.
    """
    sizes = np.diff(starts, append=len(y))
    share = weight / np.add.reduceat(weight, starts).repeat(sizes)
    origin = columns.take(starts, axis=1)
    offset = columns - origin.repeat(sizes, axis=1)
    mean = np.add.reduceat(offset * share, starts, axis=1)
    offset -= mean.repeat(sizes, axis=1)
    deviation = np.sqrt(np.add.reduceat(offset * offset * share, starts, axis=1))
    # a regressor of equal values has no slope: their deviation is rounding alone
    flat = deviation <= 1e-12 * np.maximum.reduceat(np.abs(offset), starts, axis=1)
    offset /= np.where(flat, np.inf, deviation).repeat(sizes, axis=1)
    second_share = np.add.reduceat(share * y, starts)
    table = np.concatenate([np.ones((1, len(y))), offset])
    beta = np.zeros((len(starts), len(table)))
    beta[:, 0] = np.log(second_share / (1 - second_share))
    _minimise(table, y, share, starts, beta)
    slopes = beta[:, 1:].T / np.where(flat, np.inf, deviation)
    return lines_through(beta[:, 0], slopes, origin, mean, deviation)


def _minimise(
    table: Floats, y: NDArray[np.bool_], share: Floats, starts: Ints, beta: Floats
) -> None:
    """Minimise the logistic loss of all nodes by Newton's method; changes `beta`, (m, 1 + P).

    `table`, (1 + P, N), has ones, then the regressors; `share` is the part of each row in the
    weight of its node. A step that raises the loss of a node is halved.
    """
    sizes, sign = np.diff(starts, append=len(y)), np.where(y, 1.0, -1.0)
    ridge = np.full(len(table), RIDGE)
    ridge[0] = 0.0

    def loss_of(coefficients: Floats) -> Floats:
        score = (coefficients.T.repeat(sizes, axis=1) * table).sum(axis=0)
        log_loss = np.add.reduceat(share * np.logaddexp(0.0, -sign * score), starts)
        return np.asarray(log_loss + (ridge * coefficients * coefficients).sum(axis=1) / 2)

    active, loss = np.ones(len(beta), np.bool_), loss_of(beta)
    for _ in range(MAX_STEPS):
        step, decrease = _newton_step(table, y, share, starts, beta, ridge)
        active &= decrease > MIN_DECREASE
        if not active.any():
            return
        length = np.where(active, 1.0, 0.0)
        for _ in range(MAX_HALVINGS):
            new_beta = beta - length[:, None] * step
            new_loss = loss_of(new_beta)
            worse = active & ~(new_loss <= loss + LOSS_ROUNDING)
            if not worse.any():
                break
            length[worse] /= 2
        active &= new_loss <= loss + LOSS_ROUNDING
        beta[active], loss[active] = new_beta[active], new_loss[active]


def _newton_step(
    table: Floats, y: NDArray[np.bool_], share: Floats, starts: Ints, beta: Floats, ridge: Floats
) -> tuple[Floats, Floats]:
    """Newton's step of each node, (m, 1 + P), and the decrease of the loss it predicts, (m,)."""
    sizes, n = np.diff(starts, append=len(y)), len(table)
    probability = sigmoid((beta.T.repeat(sizes, axis=1) * table).sum(axis=0))
    gradient = np.add.reduceat(table * (share * (probability - y)), starts, axis=1).T + ridge * beta
    weight, hessian = share * probability * (1 - probability), np.empty((len(starts), n, n))
    for k in range(n):
        part = np.add.reduceat(weight * table[k] * table[k:], starts, axis=1).T
        hessian[:, k, k:] = hessian[:, k:, k] = part
    diagonal = np.arange(n)
    # the first coefficient has no ridge: the small term keeps its matrix invertible
    hessian[:, diagonal, diagonal] += ridge + 1e-15
    step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
    decrease: Floats = (gradient * step).sum(axis=1) / 2
    return np.asarray(step, np.float64), decrease


def sigmoid(log_odds: Floats) -> Floats:
    """Share of the second class from its log odds."""
    # clipped, since the exponential overflows beyond 709
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0))))


LAPLACE = 1.0
"""Number of rows that smoothing adds to each class."""
MAX_CLASSES_SHOWN = 3
"""Largest number of classes that a text shows with their shares."""


def fit_laplace(data: Dataset, front: Frontier, node_facts: NodeFacts) -> Floats:
    """Params of each node, (m, 1 + K): majority class, then (n_k + LAPLACE) / (n + LAPLACE K).

    The n_k are the weights of the classes, before costs raise them.
    """
    sums = _weights_before_costs(data, node_facts) + LAPLACE
    return np.column_stack([node_facts.value, sums / sums.sum(axis=1, keepdims=True)])


def _weights_before_costs(data: Dataset, node_facts: NodeFacts) -> Floats:
    """Weight of each class in each node, (m, K), before costs raise it."""
    return np.asarray(
        node_facts.weight_by_class / (1.0 if data.costs is None else cost_factors(data.costs))
    )


def predict_laplace(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """Smoothed shares of the leaf of each row, (r, K)."""
    return params[:, 1:]


def laplace_formulas(
    params: Sequence[float], features: Sequence[str], dialect: Dialect
) -> list[str]:
    """Write the smoothed shares in a dialect."""
    return [dialect.number(share) for share in params[1:]]


def laplace_text(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: WriteLiteral
) -> str:
    """Write the largest shares: 'a 0.75, b 0.2, c 0.05'."""
    shares = np.array(params[1:])
    order = np.argsort(-shares, kind="stable")
    order = np.append([int(params[0])], order[order != int(params[0])])
    shown = order[:MAX_CLASSES_SHOWN]
    texts = [f"{literal(code)} {dialect.number(shares[code])}" for code in shown]
    return ", ".join([*texts, "..."] if len(shares) > MAX_CLASSES_SHOWN else texts)


def fit_logistic(data: Dataset, front: Frontier, node_facts: NodeFacts) -> Floats:
    """Params of each node, (m, P): majority class, and the line of the second class's log odds.

    Rows have their weights before costs raise them. A node of one class has the log odds of its
    smoothed share, without slopes.
    """
    features, sums = regressors(data), _weights_before_costs(data, node_facts) + LAPLACE
    params = empty_params(data, node_facts.value)
    params[:, 1] = np.log(sums[:, 1] / sums[:, 0])
    mixed = ~node_facts.pure
    if mixed.any():
        mixed_front = keep_nodes(front, mixed)
        rows = mixed_front.rows[0]
        weights = weights_before_costs(data)
        weight = np.ones(len(rows)) if weights is None else weights.take(rows)
        columns = data.columns[features[:, None], rows]
        lines = logistic_lines(columns, data.y.take(rows) == 1, weight, mixed_front.starts)
        set_lines(params, mixed, lines)
    return params


def predict_likelier_class(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """Code of the likelier of two classes, (r,); the first class if both are as likely."""
    return (predict_line(params, columns, rows) > 0).astype(np.float64)


def predict_logistic(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """Shares of both classes by the log odds of each row, (r, 2)."""
    second = sigmoid(predict_line(params, columns, rows))
    return np.column_stack([1 - second, second])


def _log_odds_formula(params: Sequence[float], features: Sequence[str], dialect: Dialect) -> str:
    return line_formula(params, features, dialect, dialect.number)


def likelier_class_formula(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: WriteLiteral
) -> str:
    """Write the likelier class in a dialect: by the sign of the log odds, if there are slopes."""
    if not has_slope(params):
        return literal(int(params[1] > 0))
    return dialect.if_positive(_log_odds_formula(params, features, dialect), literal(1), literal(0))


def logistic_formulas(
    params: Sequence[float], features: Sequence[str], dialect: Dialect
) -> list[str]:
    """Write the shares of both classes in a dialect: formulas, or numbers if there is no slope."""
    if not has_slope(params):
        second = float(sigmoid(np.array(params[1])))
        return [dialect.number(1 - second), dialect.number(second)]
    text = dialect.logistic(_log_odds_formula(params, features, dialect))
    return [f"1 - {text}", text]


def logistic_text(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: WriteLiteral
) -> str:
    """Write the share of the second class: 'P(b) = 1 / (1 + e^-(3·x1 - 2))'."""
    return f"P({literal(1)}) = {logistic_formulas(params, features, dialect)[1]}"


def log_losses(shares: Floats, y: NDArray[Any]) -> Floats:
    """-ln p of the share p of each row's class, (n,), from shares (n, K); infinite where p is 0.

    A class without a column of shares, its code -1 or at least K, has p = 0.
    """
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(_share_of_class(shares, y)))


def brier_scores(shares: Floats, y: NDArray[Any]) -> Floats:
    """Squared distance of each row's shares from its class, (n,); half of it for two classes.

    Source: Brier (1950); scikit-learn halves it for two classes too.
    """
    distance = np.square(shares).sum(axis=1) - 2 * _share_of_class(shares, y) + 1
    return np.asarray(np.maximum(distance, 0.0) / (2 if shares.shape[1] == 2 else 1))


def _share_of_class(shares: Floats, y: NDArray[Any]) -> Floats:
    """Share of each row's class, (n,); 0 if the class has no column of shares."""
    codes = np.asarray(y).astype(int)
    has_share = (codes >= 0) & (codes < shares.shape[1])
    row_shares = shares[np.arange(len(codes)), np.where(has_share, codes, 0)]
    return np.where(has_share, row_shares, 0.0)
