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
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dtviz.model import Model
from dtviz.others.foreign import Foreign, first_of, model_of
from dtviz.others.penalised import Told, need_same_target
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
SINGLE = 2e-4
"""The share of what is added up by which single precision makes one unsure: 2e-7 of it is SAME."""


class Boosted(NamedTuple):
    """A tree with what its leaves add (m,), and what else it tells of its nodes.

    `group` is its class; its round begins with the tree `begin`.
    """

    tree: Foreign
    adds: Floats
    told: Told
    group: int
    begin: int


class Booster(NamedTuple):
    """The trees of a model with what each of their leaves adds, for each of `classes`.

    `start` is what is there before any; `average` what the first round may have begun with, if its
    trees hold that too. Rows of the class 1 weigh `positive` times as much.
    """

    trees: Sequence[Boosted]
    classes: int
    objective: str
    start: Floats
    features: int
    names: Sequence[str] | None
    average: Floats | None = None
    positive: float = 1.0


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
    if any((one.tree.feature < 0).any() for one in found.trees) or any(
        (one.tree.feature >= found.features).any() for one in found.trees
    ):
        raise DataError("`dump` must be a whole model: a tree asks for a feature that is not there")
    frame = numbers_of(X, found.features, found.names)
    weights, target = weights_of(sample_weight, len(frame)), _target(y, found, len(frame))
    weights = weights * np.where(target == 1, found.positive, 1.0)
    before = np.tile(found.start, (len(frame), 1))
    values, asked = frame.to_numpy().T, found.trees[member]
    for tree, adds, _, group, _ in found.trees[: asked.begin]:
        before[:, group] += adds[tree.leaves(values)]
    begun = [before]
    if asked.begin == 0 and found.average is not None:
        average = found.average
        if found.objective in NUMBERS:  # of which the dump has six digits
            average = np.average(target, weights=weights) * np.ones(1)
        begun.insert(0, before + average)
    name = getattr(y, "name", None)
    return first_of(
        partial(_grown, found, asked, frame, target, weights, one, name) for one in begun
    )


def _grown(
    found: Booster,
    asked: Boosted,
    frame: pd.DataFrame,
    target: Floats,
    weights: Floats,
    before: Floats,
    name: Any,
) -> Model:
    """The model of a tree that was grown on what was there before; raises DataError."""
    first, second = OBJECTIVES[found.objective](target, before, asked.group)
    second = np.maximum(second, LEAST_HESSIAN)
    data = data_of(frame, pd.Series(-first / second, name=name), weights * second, "regression")
    model = model_of(asked.tree, data, "squared_error")
    around = np.abs(first - second * np.average(first / second, weights=weights * second))
    around += SINGLE * (np.abs(before).max(axis=1) + np.abs(target))
    amounts = weights * np.array([first, around])
    sums = asked.tree.totals(frame.to_numpy().T, amounts.T)
    if asked.begin == 0 and (before != found.start).any():
        held = before[0, asked.group]
        told = replace(asked.told, value=asked.told.value - held)
        told = replace(told, parts=[(part, None) for part, _ in told.parts])
    else:
        told = asked.told
    need_same_target(asked.tree, told, *sums.T)
    return model


def _target(y: ArrayLike, found: Booster, rows: int) -> Floats:
    """y as numbers: itself, or the place of each class among them all, in order."""
    values = target_of(y, rows)
    if found.objective in NUMBERS:
        return floats_of(values).astype(np.float32).astype(np.float64)  # as both libraries keep it
    return codes_of(values)[1].astype(np.float64)


# --- LightGBM -------------------------------------------------------------------------------------


def _lightgbm(dump: Mapping[str, Any]) -> Booster:
    try:
        objective, *more = str(dump.get("objective", "")).split() or [""]
        classes, names = int(dump["num_tree_per_iteration"]), list(map(str, dump["feature_names"]))
        trees = [
            _tree_of_lightgbm(one, at % classes, at - at % classes)
            for at, one in enumerate(dump["tree_info"])
        ]
    except DataError:
        raise
    except WRONG:
        raise DataError("`dump` must be what LightGBM's `dump_model()` makes") from None
    if dump.get("average_output") or {*more} - {"sigmoid:1", f"num_class:{classes}"}:
        told = "boosting='rf'" if dump.get("average_output") else quoted(" ".join(more))
        raise DataError(f"trees that LightGBM grew with {told} cannot be read")
    plain = [f"Column_{j}" for j in range(len(names))]
    firsts = [one["tree_structure"] for one in dump["tree_info"][:classes]]
    average = np.array([one.get("internal_value", 0.0) for one in firsts], np.float64)
    named = None if names == plain else names
    return Booster(trees, classes, objective, np.zeros(classes), len(names), named, average)


def _tree_of_lightgbm(one: Mapping[str, Any], group: int, begin: int) -> Boosted:
    """The arrays of nested nodes; a value that is none or, if so said, 0 goes where it says."""
    nodes = [one["tree_structure"]]
    left, right = [], []
    for node in nodes:  # grows on the way
        inner = "split_feature" in node
        if node.get("leaf_coeff"):
            raise DataError("leaves with lines, as of `linear_tree`, cannot be read")
        left.append(len(nodes) * inner)
        right.append((len(nodes) + 1) * inner)
        if inner:
            if node["decision_type"] != "<=" or node["missing_type"] == "Zero":
                raise DataError("splits of categories, or with 0 as missing, cannot be read")
            nodes += [node["left_child"], node["right_child"]]
    weight = np.array([node.get("leaf_weight", 0.0) for node in nodes], np.float64)
    for at in range(len(nodes) - 1, -1, -1):
        weight[at] += weight[left[at]] + weight[right[at]] if left[at] else 0.0
    adds = np.array([node.get("leaf_value", 0.0) for node in nodes], np.float64)
    tree = Foreign(
        np.array([node.get("split_feature", 0) for node in nodes], np.intp),
        np.array([node.get("threshold", 0.0) for node in nodes], np.float64),
        np.array(left, np.intp),
        np.array(right, np.intp),
        np.array([_missing_left(node) for node in nodes], np.bool_),
        single=False,
        weight=weight,
        exact=1e-3,
    )
    told = Told(adds, [(tree.left == 0, float(one["shrinkage"]))])  # others have six digits
    return Boosted(tree, adds, told, group, begin)


def _missing_left(node: Mapping[str, Any]) -> bool:
    """Where no value was missing when it was grown, NaN is taken for 0."""
    if node.get("missing_type") == "None":
        return bool(node["threshold"] >= 0)
    return bool(node.get("default_left"))


# --- XGBoost --------------------------------------------------------------------------------------


def _xgboost(dump: Mapping[str, Any]) -> Booster:
    try:
        learner = dump["learner"]
        booster, told = learner["gradient_booster"], learner["learner_model_param"]
        if booster.get("name", "gbtree") != "gbtree":
            raise DataError(f"of boosters only gbtree can be read; not {shown(booster['name'])}")
        if int(told.get("num_target", 1)) > 1:
            raise DataError("a model of several targets cannot be read; train one for each")
        model, objective = booster["model"], str(learner["objective"]["name"])
        classes, many = max(int(told["num_class"]), 1), int(told["num_feature"])
        listed, groups = model["trees"], list(map(int, model["tree_info"]))
        parallel = int(model.get("gbtree_model_param", {}).get("num_parallel_tree", 1))
        each = classes * max(parallel, 1)
        trees = [_tree_of_xgboost(one, groups[at], at - at % each) for at, one in enumerate(listed)]
        if not {*groups} <= {*range(classes)}:
            raise ValueError
        scores = np.array(json.loads(str(told["base_score"])), np.float64).ravel()
        names = [str(name) for name in learner.get("feature_names", [])]
        weighed = learner["objective"].get("reg_loss_param", {})
        positive = float(weighed.get("scale_pos_weight", 1.0))
        if objective == "binary:logistic":
            scores = np.log(scores / (1 - scores))
        start = np.broadcast_to(scores, classes)
    except DataError:
        raise
    except WRONG:
        raise DataError("`dump` must be what XGBoost's `save_model('m.json')` writes") from None
    return Booster(trees, classes, objective, start, many, names or None, None, positive)


def _tree_of_xgboost(tree: Mapping[str, Any], group: int, begin: int) -> Boosted:
    """The arrays of the nodes that are left where some were pruned, parents before children."""
    if any(tree["split_type"]):
        raise DataError("splits of categories cannot be read")
    lefts, rights = tree["left_children"], tree["right_children"]
    order = [0]
    for at in order:  # grows on the way
        order += [lefts[at], rights[at]] * (lefts[at] >= 0)
        if len(order) > len(lefts):
            raise ValueError
    place = {at: new for new, at in enumerate(order)}
    left, right = (np.array([place.get(side[at], 0) for at in order]) for side in (lefts, rights))

    def own(name: str, kind: Any) -> NDArray[Any]:
        return np.array(tree[name], kind)[order]

    adds = own("split_conditions", np.float32).astype(np.float64)
    found = Foreign(
        own("split_indices", np.intp),
        adds,
        left,
        right,
        own("default_left", np.bool_),
        strict=True,
        weight=own("sum_hessian", np.float64),
        exact=1e-3,
    )
    inner = left > 0
    told = Told(
        np.where(inner, own("base_weights", np.float64), adds),
        [(inner, 1.0), (~inner, None)],  # leaves are told times the learning rate
        own("loss_changes", np.float64),
    )
    return Boosted(found, adds, told, group, begin)


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
