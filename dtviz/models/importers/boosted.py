"""A tree of a booster as LightGBM and XGBoost grow it, on the rows it was grown on.

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
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dtviz.base.arrays import Bools, Floats
from dtviz.base.text import quoted, shown
from dtviz.data.dataset import DataError
from dtviz.models.importers.foreign_tree import (
    NOT_ITS_TARGET,
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


SAME = 1e-3
"""How far off what is told may be: it is of single precision, or of six digits."""
ROUNDS = 40
LEAST = 1e-300
SHARES = np.array([0.0, 0.003, 0.01, 0.03, 0.1])
"""Of what G could be, the penalties a that are begun with."""


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """The values w (m,) that a tree tells of its nodes, in parts with scales of their own.

    A scale of None is not known, but in (0, 1]. `gain` (m,) is that of each split, if it is exact.
    """

    value: Floats
    parts: Sequence[tuple[Bools, float | None]]
    gain: Floats | None = None


def need_same_target(foreign: Foreign, told: Told, G: Floats, size: Floats) -> None:
    """Raises DataError where no penalties make of these G (m,) what the tree tells.

    `size` is what |G| could be at most: the sum of |g| over the rows of each node, about.
    """
    assert foreign.weight is not None
    H, size = foreign.weight, np.maximum(size, LEAST)
    middle = float(np.median(H[foreign.left == 0]))
    starts = [(), *product((0.0, 1.0, middle)), *product((0.0, middle), size[0] * SHARES)]
    if not any(_explained(foreign, told, G, size, H, np.array(start)) for start in starts):
        raise DataError(
            f"{NOT_ITS_TARGET}: its leaves have other values than this y gives; give the same X, y "
            "and sample_weight. Trees under max_delta_step, path_smooth or monotone constraints "
            "cannot be told from such, nor those of dart or with other starting scores"
        )


def _explained(
    foreign: Foreign, told: Told, G: Floats, size: Floats, H: Floats, start: Floats
) -> bool:
    """Whether some penalties, as many as there are in `start`, explain it; by Gauss-Newton."""
    unit = np.array([H[0], size[0]])[: len(start)]
    found, met = start, set[bytes]()
    for _ in range(ROUNDS):
        if found.tobytes() in met:  # from here on it goes round and round
            return False
        met.add(found.tobytes())
        off = _off(foreign, told, G, size, H, found)
        if np.abs(off).max() < SAME:
            return True
        if len(start):
            step = 1e-7 * unit
            slopes = [
                (_off(foreign, told, G, size, H, found + one) - off) / one.sum()
                for one in np.diag(step)
            ]
            found = np.maximum(found - np.linalg.lstsq(np.array(slopes).T, off, rcond=None)[0], 0.0)
    return False


def _off(
    foreign: Foreign, told: Told, G: Floats, size: Floats, H: Floats, penalties: Floats
) -> Floats:
    """By how much each thing told is off under these penalties."""
    lam, a = (*penalties.tolist(), 0.0, 0.0)[:2]
    T, under = np.sign(G) * np.maximum(np.abs(G) - a, 0.0), np.maximum(H + lam, LEAST)
    w = -T / under
    out = []
    for part, scale in told.parts:
        ours, theirs = w[part], told.value[part]
        square = float(ours @ ours)
        by = scale or (np.clip(ours @ theirs / square, 0.0, 1.0) if square else 0.0)
        out.append((ours - theirs / by if by else theirs) * under[part] / size[part])
    if told.gain is not None:
        inner = np.flatnonzero(foreign.left)
        score = T * T / under
        sides = score[foreign.left[inner]] + score[foreign.right[inner]]
        at_most = (size * size / under)[inner]
        out.append((sides - score[inner] - told.gain[inner]) / at_most)
    return np.concatenate(out)


WRONG = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError)
"""Errors of a dump that is none; an ArithmeticError is of a number too large to hold, or a 0."""
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


def parsed(dump: Any) -> Mapping[str, Any]:
    """The dump as a dict; raises DataError."""
    if isinstance(dump, str | bytes | bytearray):
        try:
            dump = json.loads(dump)
        except (ValueError, RecursionError):
            raise DataError("`dump` must be a model as JSON; this text is none") from None
    if not isinstance(dump, Mapping):
        raise DataError(f"`dump` must be a model as JSON; not {shown(dump)}")
    return dump


def need_numbers(*amounts: Floats) -> None:
    """Raises ValueError where an amount is infinite or none."""
    if not all(np.isfinite(some).all() for some in amounts):
        raise ValueError


def tree_of(found: Booster, X: Any, y: ArrayLike, member: int, sample_weight: Any) -> Model:
    """The model of one of the trees; raises DataError where it was grown on other rows."""
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


def from_lightgbm(
    dump: Any, X: Any, y: ArrayLike, member: int = 0, sample_weight: ArrayLike | None = None
) -> Model:
    """A tree of LightGBM's `booster.dump_model()`, as the log of its splits on these rows.

    `dump` is that dict or its JSON text, the booster, or what scikit-learn's interface to it has
    fitted; `member` counts its trees from 0. X has shape (n, M), y
    and `sample_weight` (n,). The target is -g/h and weights are h, see `boosted`; y is numbers, or
    classes in their sorted order. Raises DataError for another objective than those of OBJECTIVES,
    splits of categories, or other rows.
    """
    return tree_of(_lightgbm(parsed(_of_lightgbm(dump))), X, y, member, sample_weight)


def _of_lightgbm(given: Any) -> Any:
    """The dump of a booster, or of what scikit-learn's interface has fitted; or what is given."""
    booster = getattr(given, "booster_", given)
    return booster.dump_model() if hasattr(booster, "dump_model") else given


def _lightgbm(dump: Mapping[str, Any]) -> Booster:
    try:
        objective, *more = str(dump.get("objective", "")).split() or [""]
        classes, names = int(dump["num_tree_per_iteration"]), list(map(str, dump["feature_names"]))
        if not 1 <= classes <= len(dump["tree_info"]):
            raise ValueError
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
    left, right, node_ids = [], [], {id(nodes[0])}
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
            node_ids.update(map(id, nodes[-2:]))
            if len(node_ids) < len(nodes):
                raise DataError("`dump` holds no tree: a node is below two others, or below itself")
    weight = np.array([node.get("leaf_weight", 0.0) for node in nodes], np.float64)
    for at in range(len(nodes) - 1, -1, -1):
        weight[at] += weight[left[at]] + weight[right[at]] if left[at] else 0.0
    adds = np.array([node.get("leaf_value", 0.0) for node in nodes], np.float64)
    need_numbers(weight, adds)
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


def from_xgboost(
    dump: Any, X: Any, y: ArrayLike, member: int = 0, sample_weight: ArrayLike | None = None
) -> Model:
    """A tree of the JSON that XGBoost's `save_model('m.json')` or `save_raw('json')` writes.

    Everything else is as in `from_lightgbm`.
    """
    return tree_of(_xgboost(parsed(_of_xgboost(dump))), X, y, member, sample_weight)


def _of_xgboost(given: Any) -> Any:
    """The JSON of a booster, or of what scikit-learn's interface has fitted; or what is given."""
    try:
        booster = given.get_booster() if hasattr(given, "get_booster") else given
    except ValueError as problem:  # as scikit-learn says that a model is not fitted
        raise DataError(f"the model gives no booster: {problem}") from None
    return booster.save_raw("json") if hasattr(booster, "save_raw") else given


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
        if classes > len(listed) or not all(0 <= group < classes for group in groups):
            raise ValueError
        parallel = int(model.get("gbtree_model_param", {}).get("num_parallel_tree", 1))
        each = classes * max(parallel, 1)
        trees = [_tree_of_xgboost(one, groups[at], at - at % each) for at, one in enumerate(listed)]
        scores = np.array(json.loads(str(told["base_score"])), np.float64).ravel()
        names = [str(name) for name in learner.get("feature_names", [])]
        weighed = learner["objective"].get("reg_loss_param", {})
        positive = float(weighed.get("scale_pos_weight", 1.0))
        if objective == "binary:logistic":
            if not ((scores > 0) & (scores < 1)).all():
                raise ValueError
            scores = np.log(scores / (1 - scores))
        need_numbers(scores)
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

    with np.errstate(over="ignore"):
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
    values = np.where(inner, own("base_weights", np.float64), adds)
    gains = own("loss_changes", np.float64)
    need_numbers(own("sum_hessian", np.float64), values, gains)
    told = Told(values, [(inner, 1.0), (~inner, None)], gains)  # leaves: times the learning rate
    return Boosted(found, adds, told, group, begin)
