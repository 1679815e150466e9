"""The trees of LightGBM and XGBoost, from the JSON that they write of themselves.

Both grow a tree on the first and second derivative of the loss, g and h of each row, and rank cuts
by G²/H summed over the sides (Chen, Guestrin 2016, eq. 7, without its penalties). That is the fall
of the squared error of -g/h with weights h, which is what these trees have as target and weights.

Glossary
    dump      a model as JSON: text, or what `json.loads` makes of it
    before    what the trees of earlier rounds had added up for each row and class, (n, K)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dtviz.model import Model
from dtviz.others.foreign import Foreign, model_of
from dtviz.others.tables import (
    codes_of,
    data_of,
    floats_of,
    numbers_of,
    place_of,
    target_of,
    weights_of,
)
from dtviz.table.data import DataError
from dtviz.text import quoted, shown

Floats = NDArray[np.float64]
WRONG = (KeyError, TypeError, ValueError, IndexError, AttributeError)
LEAST_HESSIAN = 1e-16


class Booster(NamedTuple):
    """The trees of a model with what each of their leaves adds, `classes` trees a round.

    `start` is what is there before any; `average` what the first round began with, if its trees
    hold that too.
    """

    trees: Sequence[tuple[Foreign, Floats]]
    classes: int
    objective: str
    start: Floats
    features: int
    names: Sequence[str] | None
    average: Floats | None = None


def from_lightgbm(
    dump: Any, X: Any, y: ArrayLike, member: int = 0, sample_weight: ArrayLike | None = None
) -> Model:
    """A tree of LightGBM's `booster.dump_model()`, as the log of its splits on these rows.

    `dump` is that dict or its JSON text, the booster, or what scikit-learn's interface to it has
    fitted; `member` counts its trees from 0. X has shape (n, M), y
    and `sample_weight` (n,). The target is -g/h and weights are h, see above; y is numbers, or
    classes in their sorted order. Raises DataError for another objective than those of OBJECTIVES,
    splits of categories, or other rows.
    """
    return _model(_lightgbm(_parsed(_of_lightgbm(dump))), X, y, member, sample_weight)


def from_xgboost(
    dump: Any, X: Any, y: ArrayLike, member: int = 0, sample_weight: ArrayLike | None = None
) -> Model:
    """A tree of the JSON that XGBoost's `save_model('m.json')` or `save_raw('json')` writes.

    Everything else is as in `from_lightgbm`.
    """
    return _model(_xgboost(_parsed(_of_xgboost(dump))), X, y, member, sample_weight)


def _of_lightgbm(given: Any) -> Any:
    """The dump of a booster, or of what scikit-learn's interface has fitted; or what is given."""
    booster = getattr(given, "booster_", given)
    return booster.dump_model() if hasattr(booster, "dump_model") else given


def _of_xgboost(given: Any) -> Any:
    """The same of XGBoost's."""
    try:
        booster = given.get_booster() if hasattr(given, "get_booster") else given
    except ValueError as problem:  # as scikit-learn says that a model is not fitted
        raise DataError(f"the model gives no booster: {problem}") from None
    return booster.save_raw("json") if hasattr(booster, "save_raw") else given


def _parsed(dump: Any) -> Mapping[str, Any]:
    if isinstance(dump, str | bytes | bytearray):
        try:
            dump = json.loads(dump)
        except ValueError:
            raise DataError("`dump` must be a model as JSON; this text is none") from None
    if not isinstance(dump, Mapping):
        raise DataError(f"`dump` must be a model as JSON; not {shown(dump)}")
    return dump


def _model(found: Booster, X: Any, y: ArrayLike, member: int, sample_weight: Any) -> Model:
    """The model of one of the trees."""
    member = place_of(member, len(found.trees))
    if found.objective not in OBJECTIVES:
        known = ", ".join(OBJECTIVES)
        raise DataError(f"the objective {quoted(found.objective)} is not among {known}")
    frame = numbers_of(X, found.features, found.names)
    weights, target = weights_of(sample_weight, len(frame)), _target(y, found, len(frame))
    before = np.tile(found.start, (len(frame), 1))
    values, k = frame.to_numpy().T, member % found.classes
    for at, (tree, adds) in enumerate(found.trees[: member - k]):
        before[:, at % found.classes] += adds[tree.leaves(values)]
    if member < found.classes and found.average is not None:
        before += found.average
    first, second = OBJECTIVES[found.objective](target, before, k)
    second = np.maximum(second, LEAST_HESSIAN)
    name = getattr(y, "name", None)
    data = data_of(frame, pd.Series(-first / second, name=name), weights * second, "regression")
    return model_of(found.trees[member][0], data, "squared_error")


def _target(y: ArrayLike, found: Booster, rows: int) -> Floats:
    """y as numbers: itself, or the place of each class among them all, in order."""
    values = target_of(y, rows)
    return floats_of(values) if found.objective in NUMBERS else codes_of(values)[1].astype(float)


# --- LightGBM -------------------------------------------------------------------------------------


def _lightgbm(dump: Mapping[str, Any]) -> Booster:
    try:
        objective = str(dump["objective"]).split()
        trees = [_tree_of_lightgbm(one["tree_structure"]) for one in dump["tree_info"]]
        classes, names = int(dump["num_tree_per_iteration"]), list(map(str, dump["feature_names"]))
    except DataError:
        raise
    except WRONG:
        raise DataError("`dump` must be what LightGBM's `dump_model()` makes") from None
    plain = [f"Column_{j}" for j in range(len(names))]
    firsts = [one["tree_structure"] for one in dump["tree_info"][:classes]]
    average = np.array([one.get("internal_value", 0.0) for one in firsts], np.float64)
    named = None if names == plain else names
    return Booster(trees, classes, objective[0], np.zeros(classes), len(names), named, average)


def _tree_of_lightgbm(root: Mapping[str, Any]) -> tuple[Foreign, Floats]:
    """The arrays of nested nodes; a value that is none or, if so said, 0 goes where it says."""
    nodes = [root]
    left, right = [], []
    for node in nodes:  # grows on the way
        inner = "split_feature" in node
        left.append(len(nodes) * inner)
        right.append((len(nodes) + 1) * inner)
        if inner:
            if node["decision_type"] != "<=" or node["missing_type"] == "Zero":
                raise DataError("splits of categories, or with 0 as missing, cannot be read")
            nodes += [node["left_child"], node["right_child"]]
    weight = np.array([node.get("leaf_weight", 0.0) for node in nodes], np.float64)
    for at in range(len(nodes) - 1, -1, -1):
        weight[at] += weight[left[at]] + weight[right[at]] if left[at] else 0.0
    return Foreign(
        np.array([node.get("split_feature", 0) for node in nodes], np.intp),
        np.array([node.get("threshold", 0.0) for node in nodes], np.float64),
        np.array(left, np.intp),
        np.array(right, np.intp),
        np.array([_missing_left(node) for node in nodes], np.bool_),
        single=False,
        weight=weight,
        exact=1e-3,
    ), np.array([node.get("leaf_value", 0.0) for node in nodes], np.float64)


def _missing_left(node: Mapping[str, Any]) -> bool:
    """Where no value was missing when it was grown, NaN is taken for 0."""
    if node.get("missing_type") == "None":
        return bool(node["threshold"] >= 0)
    return bool(node.get("default_left"))


# --- XGBoost --------------------------------------------------------------------------------------


def _xgboost(dump: Mapping[str, Any]) -> Booster:
    try:
        learner = dump["learner"]
        listed = learner["gradient_booster"]["model"]["trees"]
        told = learner["learner_model_param"]
        objective = str(learner["objective"]["name"])
        classes = max(int(told["num_class"]), 1)
        trees = [_tree_of_xgboost(one) for one in listed]
        many = int(told["num_feature"])
        scores = np.array(json.loads(str(told["base_score"])), np.float64).ravel()
        names = [str(name) for name in learner.get("feature_names", [])]
    except DataError:
        raise
    except WRONG:
        raise DataError("`dump` must be what XGBoost's `save_model('m.json')` writes") from None
    if objective == "binary:logistic":
        scores = np.log(scores / (1 - scores))
    start = np.broadcast_to(scores, classes)
    return Booster(trees, classes, objective, start, many, names or None)


def _tree_of_xgboost(tree: Mapping[str, Any]) -> tuple[Foreign, Floats]:
    if any(tree["split_type"]):
        raise DataError("splits of categories cannot be read")
    conditions = np.array(tree["split_conditions"], np.float32).astype(np.float64)
    left = np.array(tree["left_children"], np.intp)
    return Foreign(
        np.array(tree["split_indices"], np.intp),
        conditions,
        np.maximum(left, 0),
        np.maximum(np.array(tree["right_children"], np.intp), 0),
        np.array(tree["default_left"], np.bool_),
        strict=True,
        weight=np.array(tree["sum_hessian"], np.float64),
        exact=1e-3,
    ), conditions


# --- objectives -----------------------------------------------------------------------------------

Derivatives = tuple[Floats, Floats]


def _squared(y: Floats, before: Floats, k: int) -> Derivatives:
    return before[:, k] - y, np.ones(len(y))


def _logistic(y: Floats, before: Floats, k: int) -> Derivatives:
    p = 1 / (1 + np.exp(-before[:, k]))
    return p - y, p * (1 - p)


def _softmax(y: Floats, before: Floats, k: int) -> Derivatives:
    odds = np.exp(before - before.max(axis=1, keepdims=True))
    p = odds[:, k] / odds.sum(axis=1)
    return p - (y == k), p * (1 - p)


OBJECTIVES: dict[str, Callable[[Floats, Floats, int], Derivatives]] = {
    "regression": _squared,
    "binary": _logistic,
    "multiclass": _softmax,
    "reg:squarederror": _squared,
    "binary:logistic": _logistic,
    "multi:softprob": _softmax,
    "multi:softmax": _softmax,
}
"""The first and second derivative of each loss, up to a factor, by what either library calls it."""
NUMBERS = {"regression", "reg:squarederror"}
"""Those whose target is a number."""
