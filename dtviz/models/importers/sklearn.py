"""scikit-learn's trees, and the members of its forests and boosters, without importing it.

A fitted model is read by its public attributes: `tree_`, `estimators_`, and those below.

Glossary
    member    one tree of an ensemble, by its place, or (round, class) where a round has several
    before    what a booster had added up when it grew a member, (n,) or (n, K)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dtviz.base.arrays import Floats
from dtviz.base.text import quoted, several, shown
from dtviz.data.dataset import DataError, Task
from dtviz.engine.criteria.criteria import ALIASES, CRITERIA
from dtviz.models.importers.boosted import GRADIENTS
from dtviz.models.importers.foreign_tree import (
    NOT_ITS_TARGET,
    SAME,
    Foreign,
    codes_of,
    data_of,
    first_of,
    floats_of,
    model_of,
    numbers_of,
    place_of,
    target_of,
    weights_of,
)
from dtviz.models.model import Model

OTHER_VALUES = f"{NOT_ITS_TARGET}: its nodes have other values; give the same y"
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
    if getattr(fitted, "n_outputs_", 1) > 1:
        raise DataError("a tree of several targets cannot be read; fit one to each")
    frame = numbers_of(X, fitted.n_features_in_, getattr(fitted, "feature_names_in_", None))
    target, weights = target_of(y, len(frame)), weights_of(sample_weight, len(frame))
    classes, name = getattr(fitted, "classes_", None), getattr(y, "name", None)
    if classes is not None and classes.tolist() != codes_of(target)[0]:
        known = several(classes.tolist())
        raise DataError(f"`y` must have the classes that the model had: {known}")
    grown = kind.member(fitted, frame, target, weights, member)
    return first_of(partial(_model, one, frame, name) for one in grown)


def _model(grown: Grown, frame: pd.DataFrame, name: Any) -> Model:
    """The model of one tree; raises DataError where this is not what it was grown on."""
    estimator = grown.estimator
    tree = getattr(estimator, "tree_", None)
    if tree is None:
        raise DataError(f"the members must be decision trees; not {shown(estimator)}")
    if np.any(getattr(estimator, "monotonic_cst", None)):
        raise DataError(
            "a tree that was held to `monotonic_cst` cannot be read: rules have no such"
        )
    foreign = _foreign(tree)
    if grown.columns is not None:
        own, place = np.unique(grown.columns, return_inverse=True)  # one may be drawn twice
        frame, foreign = frame.iloc[:, own], replace(foreign, feature=place[foreign.feature])
    task: Task = "classification" if hasattr(estimator, "classes_") else "regression"
    least = estimator.min_samples_leaf
    rows = int(least) if isinstance(least, Integral) else math.ceil(least * len(frame))
    data = data_of(frame, pd.Series(grown.y, name=name), grown.weights, task)
    model = model_of(
        foreign,
        data,
        _criterion(estimator),
        min_samples_leaf=rows,
        min_weight_fraction_leaf=estimator.min_weight_fraction_leaf,
    )
    _need_same_values(tree, foreign, frame.to_numpy().T, grown, task)
    return model


def _need_same_values(
    tree: Any, foreign: Foreign, columns: Floats, grown: Grown, task: Task
) -> None:
    """Raises DataError where a node has other shares of classes, or another mean, than there."""
    there = np.array(tree.value[:, 0], np.float64)
    if task == "regression" and grown.estimator.criterion == "absolute_error":
        sides = np.sign(floats_of(grown.y) - there[0])  # the distances to medians are impurities
        side = np.bincount((sides + 1).astype(int), grown.weights, 3)
        if max(side[0], side[2]) > (0.5 + SAME) * side.sum():
            raise DataError(OTHER_VALUES)
        return
    if task == "classification":
        targets, asked = np.eye(there.shape[1])[codes_of(grown.y)[1]], foreign.left >= 0
    else:  # a booster sets those of the leaves anew
        targets, asked = floats_of(grown.y)[:, None], foreign.left > 0
    weights = grown.weights[:, None]
    sums = foreign.totals(columns, np.hstack([targets * weights, weights]))
    here = sums[:, :-1] / sums[:, -1:]
    rounding = SAME * (np.sqrt(tree.impurity[0]) + np.abs(there[0]).max())
    if (np.abs(here - there)[asked] > rounding).any():
        raise DataError(OTHER_VALUES)


def _foreign(tree: Any) -> Foreign:
    """The arrays of a `tree_`, whose leaves have children -1."""
    lefts = np.array(tree.children_left)
    missing = getattr(tree, "missing_go_to_left", np.zeros(len(lefts)))
    return Foreign(
        np.maximum(tree.feature, 0),  # leaves have -2
        np.array(tree.threshold, np.float64),
        np.maximum(lefts, 0),
        np.maximum(tree.children_right, 0),
        np.array(missing, np.bool_),
        weight=np.array(tree.weighted_n_node_samples, np.float64),
        impurity=np.array(tree.impurity, np.float64),
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
    member: Callable[[Any, pd.DataFrame, NDArray[Any], Floats, Member], Sequence[Grown]]
    """What the tree may have been grown on, the likeliest first."""


def _single(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Sequence[Grown]:
    if member is not None:
        raise DataError("one tree has no members: leave `member` out")
    by = getattr(fitted, "class_weight", None)
    return [Grown(fitted, y, weights * _class_weights(by, y, y))]


def _drawn(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Sequence[Grown]:
    """A member of a forest or of bagging: what was drawn counts as often as it was.

    Weights multiply that, or, from scikit-learn 1.9 on, only say how often a row is drawn.
    """
    at = place_of(member, len(fitted.estimators_))
    own, features = fitted.estimators_[at], getattr(fitted, "estimators_features_", None)
    columns = None if features is None else np.asarray(features[at])
    drawn = fitted.bootstrap or features is not None
    counts = np.ones(len(y))
    if drawn:
        counts = np.bincount(fitted.estimators_samples_[at], minlength=len(y)).astype(float)
    by = getattr(fitted, "class_weight", None)
    if by == "balanced_subsample":
        counts *= _class_weights("balanced", y.repeat(counts.astype(int)), y) if drawn else 1
        by = None if drawn else "balanced"
    if features is not None:
        codes = codes_of(y)[1] if hasattr(fitted, "classes_") else y  # as bagging numbers them
        counts *= _class_weights(getattr(own, "class_weight", None), codes, codes)
    ways = [counts * weights * _class_weights(by, y, y)]
    ways += [counts] if drawn else [weights * _class_weights(by, y, y, weights)]
    return [Grown(own, y, way, columns) for way in ways]


def _weighted(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Sequence[Grown]:
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
    own = fitted.estimators_[at]
    return [Grown(own, y, weights * _class_weights(getattr(own, "class_weight", None), y, y))]


def _boosted(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Sequence[Grown]:
    """A member of gradient boosting, grown on the negative gradient of the loss."""
    if fitted.subsample < 1:
        raise DataError("with `subsample` below 1 a booster does not keep which rows a member had")
    rounds, classes = fitted.estimators_.shape
    at, k = member if isinstance(member, tuple) and len(member) == 2 else (member, None)
    at = place_of(at, rounds)
    k = 0 if classes == 1 and k is None else place_of(k, classes, "class, as member=(round, class)")
    tree = fitted.estimators_[at, k]
    if fitted.n_iter_no_change is not None and tree.tree_.n_node_samples[0] < (weights > 0).sum():
        raise DataError(
            "with `n_iter_no_change` a booster keeps rows apart, not which: give only the others"
        )
    before = _before(fitted, X, at)
    return [Grown(tree, _gradient(fitted, y, before, k), weights)]


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


def _class_weights(
    by: Any, counted: NDArray[Any], y: NDArray[Any], weights: Floats | None = None
) -> Floats:
    """What each row's class multiplies its weight by; 'balanced': n / (K n_k) of those counted."""
    if by is None:
        return np.ones(len(y))
    if by == "balanced":
        labels, codes = codes_of(counted)
        counts = np.bincount(codes, weights)
        if not counts.all():
            raise DataError("with balanced classes each must weigh something")
        by = dict(zip(labels, (counts.sum() / (len(labels) * counts)).tolist(), strict=True))
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
        y = y == classes[k if len(classes) > 2 else 1]
    return GRADIENTS[fitted.loss](floats_of(y), before, k)
