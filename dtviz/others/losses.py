"""The derivatives of the losses that boosters lower, by what each library calls them.

y, (n,), are the targets, `before`, (n, K), what was added up for each class, k the class asked for.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dtviz.arrays import Floats

Derivatives = tuple[Floats, Floats]


def _of_odds(logarithm: Floats) -> Floats:
    """The share that has these odds."""
    return np.asarray(1 / (1 + np.exp(-logarithm)))


def _of_all(before: Floats, k: int) -> Floats:
    """The share of class k where those of all are as e to the power of these."""
    odds = np.exp(before - before.max(axis=1, keepdims=True))
    return np.asarray(odds[:, k] / odds.sum(axis=1))


def _squared(y: Floats, before: Floats, k: int) -> Derivatives:
    return before[:, k] - y, np.ones(len(y))


def _logistic(y: Floats, before: Floats, k: int) -> Derivatives:
    p = _of_odds(before[:, k])
    return p - y, p * (1 - p)


def _softmax_of_lightgbm(y: Floats, before: Floats, k: int) -> Derivatives:
    """Softmax with h = K/(K-1) p (1 - p): the diagonal of the second derivative times K/(K-1).

    The factor is that of LightGBM (src/objective/multiclass_objective.hpp, `factor_`), after the
    (K-1)/K in the leaves of Friedman (2001), "Greedy function approximation", algorithm 6.
    """
    p, classes = _of_all(before, k), before.shape[1]
    return p - (y == k), classes / (classes - 1) * p * (1 - p)


def _softmax_of_xgboost(y: Floats, before: Floats, k: int) -> Derivatives:
    """Softmax with h = 2 p (1 - p), as XGBoost has it (src/objective/multiclass_obj.cu).

    2 bounds what the entries beside the diagonal of the second derivative can add to it.
    """
    p = _of_all(before, k)
    return p - (y == k), 2 * p * (1 - p)


OBJECTIVES: dict[str, Callable[[Floats, Floats, int], Derivatives]] = {
    "regression": _squared,
    "binary": _logistic,
    "multiclass": _softmax_of_lightgbm,
    "reg:squarederror": _squared,
    "binary:logistic": _logistic,
    "multi:softprob": _softmax_of_xgboost,
    "multi:softmax": _softmax_of_xgboost,
}
"""The derivatives g and h of each loss as either library takes them, by what it calls the loss."""
NUMBERS = {"regression", "reg:squarederror"}
"""Those whose target is a number."""


def _log_loss(y: Floats, before: Floats, k: int) -> Floats:
    return y - (_of_odds(before[:, 0]) if before.shape[1] == 1 else _of_all(before, k))


def _exponential(y: Floats, before: Floats, k: int) -> Floats:
    sign = 2 * y - 1
    return np.asarray(sign * np.exp(-sign * before[:, k]))


GRADIENTS: dict[str, Callable[[Floats, Floats, int], Floats]] = {
    "squared_error": lambda y, before, k: np.asarray(y - before[:, k]),
    "absolute_error": lambda y, before, k: np.asarray(np.sign(y - before[:, k])),
    "log_loss": _log_loss,
    "exponential": _exponential,
}
"""The negative gradients, by scikit-learn's names of the losses."""
