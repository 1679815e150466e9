"""scikit-learn's trees, and the members of its forests and boosters, without importing it.

A fitted model is read by its public attributes: `tree_`, `estimators_`, and those below.

Glossary
    member    one tree of an ensemble, by its place, or (round, class) where a round has several
    before    what a booster had added up when it grew a member, (n,) or (n, K)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dtviz.engine.criteria import ALIASES, CRITERIA
from dtviz.model import Model
from dtviz.others.foreign import Foreign, model_of
from dtviz.others.tables import data_of, numbers_of, place_of
from dtviz.table.data import DataError, Task
from dtviz.text import quoted, shown

Floats = NDArray[np.float64]
Member = int | tuple[int, int] | None


class Grown(NamedTuple):
    """A tree of scikit-learn with what it was grown on: target (n,), weights (n,), features."""

    estimator: Any
    y: NDArray[Any]
    weights: Floats
    columns: NDArray[np.intp] | None = None


def from_sklearn(
    fitted: Any, X: Any, y: ArrayLike, member: Member = None, sample_weight: ArrayLike | None = None
) -> Model:
    """The tree that scikit-learn grew, as the log of its splits on the rows it was grown on.

    `fitted` is a decision tree or an ensemble of such (random forest, extra trees, bagging,
    AdaBoost's classifier, gradient boosting), of which `member` names one, (round, class) where a
    round has several. X has shape (n, M), y and `sample_weight` (n,). A member of a booster has as
    its target what it was fitted to: the negative gradient of the loss. What a forest or bagging
    drew is in the weights. Raises DataError for anything else, and where these are other rows.
    """
    kind = next((kind for kind in KINDS if kind.knows(fitted)), None)
    if kind is None:
        raise DataError(f"`fitted` must be one of {KNOWN}, fitted; not {shown(fitted)}")
    frame = numbers_of(X, fitted.n_features_in_, getattr(fitted, "feature_names_in_", None))
    target = np.asarray(y).ravel()
    if len(target) != len(frame):
        raise DataError(f"`y` must have a value for each row of X: {len(frame):,}")
    weights = np.ones(len(frame)) if sample_weight is None else np.array(sample_weight, np.float64)
    if weights.shape != target.shape:
        raise DataError(f"`sample_weight` must have a number for each row of X: {len(frame):,}")
    grown = kind.member(fitted, frame, target, weights, member)
    tree = getattr(grown.estimator, "tree_", None)
    if tree is None:
        raise DataError(f"the members must be decision trees; not {shown(grown.estimator)}")
    if grown.columns is not None:
        frame = frame.iloc[:, grown.columns]
    task: Task = "classification" if hasattr(grown.estimator, "classes_") else "regression"
    named = pd.Series(grown.y, name=getattr(y, "name", None))
    data = data_of(frame, named, grown.weights, task)
    least = grown.estimator.min_samples_leaf
    rows = int(least) if isinstance(least, Integral) else math.ceil(least * len(frame))
    return model_of(_foreign(tree), data, _criterion(grown.estimator), rows)


def _foreign(tree: Any) -> Foreign:
    """The arrays of a `tree_`, whose leaves have children -1."""
    lefts = np.array(tree.children_left)
    missing = getattr(tree, "missing_go_to_left", np.zeros(len(lefts)))
    return Foreign(
        np.array(tree.feature),
        np.array(tree.threshold, np.float64),
        np.maximum(lefts, 0),
        np.maximum(tree.children_right, 0),
        np.array(missing, np.bool_),
        weight=np.array(tree.weighted_n_node_samples, np.float64),
    )


def _criterion(estimator: Any) -> str:
    name = str(estimator.criterion)
    if ALIASES.get(name, name) not in CRITERIA:
        raise DataError(f"the criterion {quoted(name)} is not among ours: {', '.join(CRITERIA)}")
    return name


# --- kinds of models ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fitted model: how it is known, and how one of its trees is found."""

    name: str
    knows: Callable[[Any], bool]
    member: Callable[[Any, pd.DataFrame, NDArray[Any], Floats, Member], Grown]


def _single(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Grown:
    if member is not None:
        raise DataError("one tree has no members: leave `member` out")
    by = getattr(fitted, "class_weight", None)
    return Grown(fitted, y, weights * _class_weights(by, y, y))


def _drawn(fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member) -> Grown:
    """A member of a forest or of bagging: what was drawn counts as often as it was."""
    at = place_of(member, len(fitted.estimators_))
    features = getattr(fitted, "estimators_features_", None)
    counts = np.ones(len(y), np.intp)
    if fitted.bootstrap or features is not None:
        counts = np.bincount(fitted.estimators_samples_[at], minlength=len(y))
    by, counted = getattr(fitted, "class_weight", None), y
    if by == "balanced_subsample":
        by, counted = "balanced", y.repeat(counts)
    columns = None if features is None else np.asarray(features[at])
    return Grown(
        fitted.estimators_[at], y, weights * counts * _class_weights(by, counted, y), columns
    )


def _weighted(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Grown:
    """A member of AdaBoost's classifier (SAMME): rows weigh more that those before got wrong."""
    at = place_of(member, len(fitted.estimators_))
    if not hasattr(fitted, "classes_"):
        raise DataError("AdaBoost's regressor does not keep which rows it drew for a member")
    weights = weights / weights.sum()
    rounds = zip(fitted.estimators_, fitted.estimator_weights_, strict=False)
    for before, alpha in islice(rounds, at):
        wrong = before.predict(_given(fitted, X)) != y
        weights = weights * np.exp(alpha * wrong)
        weights /= weights.sum()
    return Grown(fitted.estimators_[at], y, weights)


def _boosted(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Grown:
    """A member of gradient boosting, grown on the negative gradient of the loss."""
    if fitted.subsample < 1:
        raise DataError("with `subsample` below 1 a booster does not keep which rows a member had")
    rounds, classes = fitted.estimators_.shape
    at, k = member if isinstance(member, tuple) and len(member) == 2 else (member, None)
    at = place_of(at, rounds)
    k = 0 if classes == 1 and k is None else place_of(k, classes, "class, as member=(round, class)")
    tree = fitted.estimators_[at, k]
    before = _before(fitted, X, at)
    return Grown(tree, _gradient(fitted, y, before, k), weights)


KINDS = (
    Kind("a decision tree", lambda one: hasattr(one, "tree_"), _single),
    Kind(
        "gradient boosting",
        lambda one: hasattr(one, "estimators_") and hasattr(one, "init_"),
        _boosted,
    ),
    Kind("AdaBoost", lambda one: hasattr(one, "estimator_weights_"), _weighted),
    Kind(
        "a random forest, extra trees or bagging",
        lambda one: hasattr(one, "estimators_samples_"),
        _drawn,
    ),
)
"""The first that knows a model is its kind."""
KNOWN = ", ".join(kind.name for kind in KINDS)


def _class_weights(by: Any, counted: NDArray[Any], y: NDArray[Any]) -> Floats:
    """What each row's class multiplies its weight by; 'balanced': n / (K n_k) of those counted."""
    if by is None:
        return np.ones(len(y))
    if by == "balanced":
        labels, counts = np.unique(counted, return_counts=True)
        by = dict(zip(labels.tolist(), len(counted) / (len(labels) * counts), strict=True))
    if not isinstance(by, dict):
        raise DataError(
            f"`class_weight` of the model must be 'balanced' or a dict; not {shown(by)}"
        )
    return np.array([by.get(label, 1.0) for label in y.tolist()], np.float64)


def _given(fitted: Any, X: pd.DataFrame) -> Any:
    """X as the model takes it: with names where it was fitted with names."""
    return X if hasattr(fitted, "feature_names_in_") else X.to_numpy()


def _before(fitted: Any, X: pd.DataFrame, at: int) -> Floats:
    """What the rounds before round `at` had added up, (n, K) or (n, 1)."""
    given = _given(fitted, X)
    staged: Iterable[Any] = getattr(fitted, "staged_decision_function", fitted.staged_predict)(
        given
    )
    after = np.array(next(islice(staged, at, None)), np.float64).reshape(len(X), -1)
    values = X.to_numpy(np.float32)
    own = np.column_stack([tree.predict(values) for tree in fitted.estimators_[at]])
    return np.asarray(after - fitted.learning_rate * own)


def _gradient(fitted: Any, y: NDArray[Any], before: Floats, k: int) -> Floats:
    """The negative gradient of the loss of class k at what was added up before (Friedman 2001)."""
    if fitted.loss not in GRADIENTS:
        raise DataError(f"the loss {quoted(str(fitted.loss))} is not among {', '.join(GRADIENTS)}")
    classes = getattr(fitted, "classes_", None)
    if classes is not None:
        y = (y == classes[k if len(classes) > 2 else 1]).astype(np.float64)
    return GRADIENTS[fitted.loss](np.asarray(y, np.float64), before, k)


def _log_loss(y: Floats, before: Floats, k: int) -> Floats:
    if before.shape[1] == 1:
        return np.asarray(y - 1 / (1 + np.exp(-before[:, 0])))
    odds = np.exp(before - before.max(axis=1, keepdims=True))
    return np.asarray(y - odds[:, k] / odds.sum(axis=1))


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
