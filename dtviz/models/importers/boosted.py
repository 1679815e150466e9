"""Importer of a tree that LightGBM or XGBoost grew, with the rows it was grown on.

Both libraries grow a tree on the first and second derivatives of the loss, g and h of each row.
They rank splits by G²/H summed over the sides, where G and H are the sums of g and h of a side
(Chen, Guestrin 2016, eq. 7, without its penalties). That is the decrease of the squared error of
the target -g/h with sample weights h, so that the imported tree has this target and these weights.

A dump is a model as JSON. The scores, (n, K), are the sums of what the trees of earlier rounds add
for each row and class.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dtviz.base.arrays import Bools, Floats
from dtviz.base.lazy import pd
from dtviz.base.text import quoted, short_repr
from dtviz.data.dataset import DataError
from dtviz.models.importers.foreign_tree import (
    OTHER_TARGET,
    ForeignTree,
    codes_of,
    data_of,
    first_readable,
    floats_of,
    member_index,
    model_of,
    number_frame,
    target_of,
    weights_of,
)
from dtviz.models.model import Model

Derivatives = tuple[Floats, Floats]
"""First and second derivative of the loss, g and h, (n,) each."""


def _sigmoid(log_odds: Floats) -> Floats:
    """The share that has these log odds, (n,)."""
    return np.asarray(1 / (1 + np.exp(-log_odds)))


def _softmax(scores: Floats, k: int) -> Floats:
    """The share of class k by the softmax of scores (n, K): (n,)."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(odds[:, k] / odds.sum(axis=1))


def _squared_derivatives(y: Floats, scores: Floats, k: int) -> Derivatives:
    return scores[:, k] - y, np.ones(len(y))


def _logistic_derivatives(y: Floats, scores: Floats, k: int) -> Derivatives:
    p = _sigmoid(scores[:, k])
    return p - y, p * (1 - p)


def _lightgbm_softmax_derivatives(y: Floats, scores: Floats, k: int) -> Derivatives:
    """Softmax with h = K/(K-1) p (1 - p): the diagonal of the second derivative times K/(K-1).

    The factor is that of LightGBM (src/objective/multiclass_objective.hpp, `factor_`), after the
    (K-1)/K in the leaves of Friedman (2001), "Greedy function approximation", algorithm 6.
    """
    p, classes = _softmax(scores, k), scores.shape[1]
    return p - (y == k), classes / (classes - 1) * p * (1 - p)


def _xgboost_softmax_derivatives(y: Floats, scores: Floats, k: int) -> Derivatives:
    """Softmax with h = 2 p (1 - p), as XGBoost has it (src/objective/multiclass_obj.cu).

    The factor 2 bounds what the entries off the diagonal of the second derivative can add.
    """
    p = _softmax(scores, k)
    return p - (y == k), 2 * p * (1 - p)


OBJECTIVES: dict[str, Callable[[Floats, Floats, int], Derivatives]] = {
    "regression": _squared_derivatives,
    "binary": _logistic_derivatives,
    "multiclass": _lightgbm_softmax_derivatives,
    "reg:squarederror": _squared_derivatives,
    "binary:logistic": _logistic_derivatives,
    "multi:softprob": _xgboost_softmax_derivatives,
    "multi:softmax": _xgboost_softmax_derivatives,
}
"""Functions of y, scores and class that compute derivatives, by a library's name of the loss."""
NUMERIC_OBJECTIVES = {"regression", "reg:squarederror"}
"""Objectives whose target is a number."""


def _log_loss_gradient(y: Floats, scores: Floats, k: int) -> Floats:
    return y - (_sigmoid(scores[:, 0]) if scores.shape[1] == 1 else _softmax(scores, k))


def _exponential_gradient(y: Floats, scores: Floats, k: int) -> Floats:
    sign = 2 * y - 1
    return np.asarray(sign * np.exp(-sign * scores[:, k]))


GRADIENTS: dict[str, Callable[[Floats, Floats, int], Floats]] = {
    "squared_error": lambda y, scores, k: np.asarray(y - scores[:, k]),
    "absolute_error": lambda y, scores, k: np.asarray(np.sign(y - scores[:, k])),
    "log_loss": _log_loss_gradient,
    "exponential": _exponential_gradient,
}
"""Functions of y, scores and class that compute the negative gradient, by scikit-learn's name of
the loss."""


MAX_VALUE_ERROR = 1e-3
"""Largest relative error of a dump's numbers, which have single precision or six digits."""
MAX_ITERATIONS = 40
SMALLEST_DIVISOR = 1e-300
"""Stands for 0 in a denominator."""
PENALTY_SHARES = np.array([0.0, 0.003, 0.01, 0.03, 0.1])
"""Initial L1 penalties, as shares of the largest G that is possible."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeValues:
    """Values and gains of the nodes of a tree, as a dump has them."""

    value: Floats  # value w of each node times a scale, (m,)
    masks_and_scales: Sequence[tuple[Bools, float | None]]
    """Masks of nodes, (m,), each with the scale of the values; None: an unknown scale in (0, 1]."""
    gain: Floats | None = None  # gain of each split, (m,), where the dump has it exactly


def _check_values(foreign: ForeignTree, node_values: NodeValues, G: Floats, size: Floats) -> None:
    """Raise DataError where no penalties of L1 and L2 give the values of the dump.

    `G` is the sum of g over the rows of each node, (m,). `size`, (m,), is about the sum of |g|, the
    largest |G| that is possible: errors are measured against it.
    """
    assert foreign.weight is not None
    H, size = foreign.weight, np.maximum(size, SMALLEST_DIVISOR)
    median_leaf = float(np.median(H[foreign.left == 0]))
    # Without penalties, then with L2 alone, then with L2 and L1.
    starts = [
        (),
        *product((0.0, 1.0, median_leaf)),
        *product((0.0, median_leaf), size[0] * PENALTY_SHARES),
    ]
    if not any(_can_explain(foreign, node_values, G, size, H, np.array(start)) for start in starts):
        raise DataError(
            f"{OTHER_TARGET}: its leaves have other values than this y gives; give the same X, y "
            "and sample_weight. Trees under max_delta_step, path_smooth or monotone constraints "
            "cannot be told from such, nor those of dart or with other starting scores"
        )


def _can_explain(
    foreign: ForeignTree, node_values: NodeValues, G: Floats, size: Floats, H: Floats, start: Floats
) -> bool:
    """True if penalties near `start` give the dump's values, found by the Gauss-Newton method."""
    units = np.array([H[0], size[0]])[: len(start)]
    penalties, visited = start, set[bytes]()
    for _ in range(MAX_ITERATIONS):
        if penalties.tobytes() in visited:  # the iteration is in a cycle
            return False
        visited.add(penalties.tobytes())
        value_errors = _value_errors(foreign, node_values, G, size, H, penalties)
        if np.abs(value_errors).max() < MAX_VALUE_ERROR:
            return True
        if len(start):
            step = 1e-7 * units
            slopes = [
                (_value_errors(foreign, node_values, G, size, H, penalties + shift) - value_errors)
                / shift.sum()
                for shift in np.diag(step)
            ]
            change = np.linalg.lstsq(np.array(slopes).T, value_errors, rcond=None)[0]
            penalties = np.maximum(penalties - change, 0.0)
    return False


def _value_errors(
    foreign: ForeignTree,
    node_values: NodeValues,
    G: Floats,
    size: Floats,
    H: Floats,
    penalties: Floats,
) -> Floats:
    """The relative error of each value and gain of the dump under the penalties (L2, L1)."""
    l2, l1 = (*penalties.tolist(), 0.0, 0.0)[:2]
    T = np.sign(G) * np.maximum(np.abs(G) - l1, 0.0)
    denominator = np.maximum(H + l2, SMALLEST_DIVISOR)
    w = -T / denominator
    value_errors = []
    for part, scale in node_values.masks_and_scales:
        values, dump_values = w[part], node_values.value[part]
        square = float(values @ values)
        factor = scale or (np.clip(values @ dump_values / square, 0.0, 1.0) if square else 0.0)
        difference = values - dump_values / factor if factor else dump_values
        value_errors.append(difference * denominator[part] / size[part])
    if node_values.gain is not None:
        inner = np.flatnonzero(foreign.left)
        score = T * T / denominator
        sides = score[foreign.left[inner]] + score[foreign.right[inner]]
        largest = (size * size / denominator)[inner]
        value_errors.append((sides - score[inner] - node_values.gain[inner]) / largest)
    return np.concatenate(value_errors)


DUMP_ERRORS = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError)
"""Errors that a wrong dump raises; ArithmeticError for numbers too large, or division by 0."""
MIN_HESSIAN = 1e-16
"""Least h of a row: smaller ones count as this."""
SINGLE_PRECISION_ERROR = 2e-4
"""Times |score| + |target| this is added to the size of g: MAX_VALUE_ERROR times this is 2e-7, the
rounding of scores in single precision."""


class BoostedTree(NamedTuple):
    """One tree of a booster."""

    tree: ForeignTree  # splits of the tree
    leaf_values: Floats  # number that each leaf adds to the score, (m,)
    node_values: NodeValues  # values and gains, for the check of the target
    class_code: int  # code of the class whose score the tree adds to
    round_start: int  # index of the first tree of the same round


class Booster(NamedTuple):
    """A model as a dump has it."""

    trees: Sequence[BoostedTree]  # in the order of the rounds
    classes: int  # number K of scores a row
    objective: str  # name of the loss
    start_scores: Floats  # scores before any tree, (K,)
    features: int  # number of features
    names: Sequence[str] | None  # names of the features, None where the model has none
    average_scores: Floats | None = None
    """Scores, (K,), from which the first round may have started; then its leaves contain them."""
    positive_weight: float = 1.0  # factor of the sample weights of rows of class 1


def _parse_dump(dump: Any) -> Mapping[str, Any]:
    """The dump as a mapping; raises DataError where it is no JSON object."""
    if isinstance(dump, str | bytes | bytearray):
        try:
            dump = json.loads(dump)
        except (ValueError, RecursionError):
            raise DataError("`dump` must be a model as JSON; this text is none") from None
    if not isinstance(dump, Mapping):
        raise DataError(f"`dump` must be a model as JSON; not {short_repr(dump)}")
    return dump


def _check_finite(*amounts: Floats) -> None:
    """Raise ValueError where a number is infinite or NaN."""
    if not all(np.isfinite(numbers).all() for numbers in amounts):
        raise ValueError


def _model_of_member(
    booster: Booster, X: Any, y: ArrayLike, member: int, sample_weight: Any
) -> Model:
    """The model of one of the trees; raises DataError where it was grown on other rows."""
    member = member_index(member, len(booster.trees))
    if booster.objective not in OBJECTIVES:
        objectives = ", ".join(OBJECTIVES)
        raise DataError(f"the objective {quoted(booster.objective)} is not among {objectives}")
    features = [boosted.tree.feature for boosted in booster.trees]
    if any(((tree < 0) | (tree >= booster.features)).any() for tree in features):
        raise DataError("`dump` must be a whole model: a tree asks for a feature that is not there")
    frame = number_frame(X, booster.features, booster.names)
    weights, target = weights_of(sample_weight, len(frame)), _numeric_target(y, booster, len(frame))
    weights = weights * np.where(target == 1, booster.positive_weight, 1.0)
    scores = np.tile(booster.start_scores, (len(frame), 1))
    values, boosted = frame.to_numpy().T, booster.trees[member]
    for tree, leaf_values, _, class_code, _ in booster.trees[: boosted.round_start]:
        scores[:, class_code] += leaf_values[tree.leaf_indices(values)]
    candidate_scores = [scores]
    if boosted.round_start == 0 and booster.average_scores is not None:
        average = booster.average_scores
        if booster.objective in NUMERIC_OBJECTIVES:  # in the dump the average has six digits only
            average = np.average(target, weights=weights) * np.ones(1)
        candidate_scores.insert(0, scores + average)
    make_model = partial(_model_of_tree, booster, boosted, frame, target, weights)
    name = getattr(y, "name", None)
    return first_readable(
        partial(make_model, start_scores, name) for start_scores in candidate_scores
    )


def _model_of_tree(
    booster: Booster,
    boosted: BoostedTree,
    frame: pd.DataFrame,
    target: Floats,
    weights: Floats,
    scores: Floats,
    name: Any,
) -> Model:
    """The model of a tree that was grown on scores, (n, K); raises DataError for other rows."""
    g, h = OBJECTIVES[booster.objective](target, scores, boosted.class_code)
    h = np.maximum(h, MIN_HESSIAN)
    data = data_of(frame, pd.Series(-g / h, name=name), weights * h, "regression")
    model = model_of(boosted.tree, data, "squared_error")
    size = np.abs(g - h * np.average(g / h, weights=weights * h))
    size += SINGLE_PRECISION_ERROR * (np.abs(scores).max(axis=1) + np.abs(target))
    amounts = weights * np.array([g, size])
    sums = boosted.tree.node_sums(frame.to_numpy().T, amounts.T)
    node_values = boosted.node_values
    if boosted.round_start == 0 and (scores != booster.start_scores).any():
        # The leaves contain the average that the round started from.
        node_values = replace(node_values, value=node_values.value - scores[0, boosted.class_code])
        node_values = replace(
            node_values, masks_and_scales=[(part, None) for part, _ in node_values.masks_and_scales]
        )
    _check_values(boosted.tree, node_values, *sums.T)
    return model


def _numeric_target(y: ArrayLike, booster: Booster, rows: int) -> Floats:
    """The target as floats: y, or the code of each row's class among the sorted classes, (n,)."""
    values = target_of(y, rows)
    if booster.objective in NUMERIC_OBJECTIVES:
        return floats_of(values).astype(np.float32).astype(np.float64)  # as both libraries keep it
    return codes_of(values)[1].astype(np.float64)


def from_lightgbm(
    dump: Any, X: Any, y: ArrayLike, member: int = 0, sample_weight: ArrayLike | None = None
) -> Model:
    """The model of a tree that LightGBM grew, with the rows it was grown on.

    `dump` is the dict of `booster.dump_model()` or its JSON text, the booster, or a model fitted by
    LightGBM's scikit-learn interface; `member` is the index of the tree. X has shape (n, M), y and
    `sample_weight` (n,); y is numbers, or classes in their sorted order. The tree has the target
    -g/h and the weights h, where g and h are derivatives of the loss. Raises DataError for another
    objective than those of OBJECTIVES, for splits of categories, and for other rows.
    """
    booster = _read_lightgbm(_parse_dump(_lightgbm_dump(dump)))
    return _model_of_member(booster, X, y, member, sample_weight)


def _lightgbm_dump(model: Any) -> Any:
    """The dump of a booster or of a model of the scikit-learn interface; else `model` unchanged."""
    booster = getattr(model, "booster_", model)
    return booster.dump_model() if hasattr(booster, "dump_model") else model


def _read_lightgbm(dump: Mapping[str, Any]) -> Booster:
    try:
        objective, *settings = str(dump.get("objective", "")).split() or [""]
        classes, names = int(dump["num_tree_per_iteration"]), list(map(str, dump["feature_names"]))
        if not 1 <= classes <= len(dump["tree_info"]):
            raise ValueError
        trees = [
            _read_lightgbm_tree(tree, index % classes, index - index % classes)
            for index, tree in enumerate(dump["tree_info"])
        ]
    except DataError:
        raise
    except DUMP_ERRORS:
        raise DataError("`dump` must be what LightGBM's `dump_model()` makes") from None
    if dump.get("average_output") or {*settings} - {"sigmoid:1", f"num_class:{classes}"}:
        setting = "boosting='rf'" if dump.get("average_output") else quoted(" ".join(settings))
        raise DataError(f"trees that LightGBM grew with {setting} cannot be read")
    default_names = [f"Column_{j}" for j in range(len(names))]
    first_roots = [tree["tree_structure"] for tree in dump["tree_info"][:classes]]
    average = np.array([tree.get("internal_value", 0.0) for tree in first_roots], np.float64)
    given_names = None if names == default_names else names
    return Booster(trees, classes, objective, np.zeros(classes), len(names), given_names, average)


def _read_lightgbm_tree(tree: Mapping[str, Any], class_code: int, round_start: int) -> BoostedTree:
    """Put the nodes of a tree into arrays; in a dump each node has its children inside it."""
    nodes = [tree["tree_structure"]]
    left, right, node_ids = [], [], {id(nodes[0])}
    for node in nodes:  # the loop appends the children to `nodes`
        is_split = "split_feature" in node
        if node.get("leaf_coeff"):
            raise DataError("leaves with lines, as of `linear_tree`, cannot be read")
        left.append(len(nodes) * is_split)
        right.append((len(nodes) + 1) * is_split)
        if is_split:
            if node["decision_type"] != "<=" or node["missing_type"] == "Zero":
                raise DataError("splits of categories, or with 0 as missing, cannot be read")
            nodes += [node["left_child"], node["right_child"]]
            node_ids.update(map(id, nodes[-2:]))
            if len(node_ids) < len(nodes):
                raise DataError("`dump` holds no tree: a node is below two others, or below itself")
    weight = np.array([node.get("leaf_weight", 0.0) for node in nodes], np.float64)
    for index in range(len(nodes) - 1, -1, -1):
        weight[index] += weight[left[index]] + weight[right[index]] if left[index] else 0.0
    leaf_values = np.array([node.get("leaf_value", 0.0) for node in nodes], np.float64)
    _check_finite(weight, leaf_values)
    foreign = ForeignTree(
        np.array([node.get("split_feature", 0) for node in nodes], int),
        np.array([node.get("threshold", 0.0) for node in nodes], np.float64),
        np.array(left, int),
        np.array(right, int),
        np.array([_missing_left(node) for node in nodes], np.bool_),
        single_precision=False,
        weight=weight,
        weight_tolerance=1e-3,
    )
    # Of leaves only: in a dump the values of inner nodes have six digits.
    node_values = NodeValues(leaf_values, [(foreign.left == 0, float(tree["shrinkage"]))])
    return BoostedTree(foreign, leaf_values, node_values, class_code, round_start)


def _missing_left(node: Mapping[str, Any]) -> bool:
    """True if a node sends rows without a value left."""
    if node.get("missing_type") == "None":  # no value was missing: NaN is then taken for 0
        return bool(node["threshold"] >= 0)
    return bool(node.get("default_left"))


def from_xgboost(
    dump: Any, X: Any, y: ArrayLike, member: int = 0, sample_weight: ArrayLike | None = None
) -> Model:
    """The model of a tree that XGBoost grew, with the rows it was grown on.

    `dump` is the JSON that `save_model('m.json')` or `save_raw('json')` writes, the booster, or a
    model fitted by XGBoost's scikit-learn interface. Everything else is as in `from_lightgbm`.
    """
    booster = _read_xgboost(_parse_dump(_xgboost_dump(dump)))
    return _model_of_member(booster, X, y, member, sample_weight)


def _xgboost_dump(model: Any) -> Any:
    """The JSON of a booster or of a model of the scikit-learn interface; else `model` unchanged."""
    try:
        booster = model.get_booster() if hasattr(model, "get_booster") else model
    except ValueError as problem:  # as scikit-learn says that a model is not fitted
        raise DataError(f"the model gives no booster: {problem}") from None
    return booster.save_raw("json") if hasattr(booster, "save_raw") else model


def _read_xgboost(dump: Mapping[str, Any]) -> Booster:
    try:
        learner = dump["learner"]
        booster, settings = learner["gradient_booster"], learner["learner_model_param"]
        if booster.get("name", "gbtree") != "gbtree":
            raise DataError(
                f"of boosters only gbtree can be read; not {short_repr(booster['name'])}"
            )
        if int(settings.get("num_target", 1)) > 1:
            raise DataError("a model of several targets cannot be read; train one for each")
        model, objective = booster["model"], str(learner["objective"]["name"])
        classes, n_features = max(int(settings["num_class"]), 1), int(settings["num_feature"])
        dumped_trees, groups = model["trees"], list(map(int, model["tree_info"]))
        if classes > len(dumped_trees) or not all(
            0 <= class_code < classes for class_code in groups
        ):
            raise ValueError
        parallel = int(model.get("gbtree_model_param", {}).get("num_parallel_tree", 1))
        trees_a_round = classes * max(parallel, 1)
        trees = [
            _read_xgboost_tree(tree, groups[index], index - index % trees_a_round)
            for index, tree in enumerate(dumped_trees)
        ]
        scores = np.array(json.loads(str(settings["base_score"])), np.float64).ravel()
        names = [str(name) for name in learner.get("feature_names", [])]
        loss_settings = learner["objective"].get("reg_loss_param", {})
        positive = float(loss_settings.get("scale_pos_weight", 1.0))
        if objective == "binary:logistic":
            if not ((scores > 0) & (scores < 1)).all():
                raise ValueError
            scores = np.log(scores / (1 - scores))
        _check_finite(scores)
        start = np.broadcast_to(scores, classes)
    except DataError:
        raise
    except DUMP_ERRORS:
        raise DataError("`dump` must be what XGBoost's `save_model('m.json')` writes") from None
    return Booster(trees, classes, objective, start, n_features, names or None, None, positive)


def _read_xgboost_tree(tree: Mapping[str, Any], class_code: int, round_start: int) -> BoostedTree:
    """Put the nodes of a tree into arrays, without pruned nodes, parents before children."""
    if any(tree["split_type"]):
        raise DataError("splits of categories cannot be read")
    lefts, rights = tree["left_children"], tree["right_children"]
    order = [0]
    for node in order:  # the loop appends the children to `order`
        order += [lefts[node], rights[node]] * (lefts[node] >= 0)
        if len(order) > len(lefts):
            raise ValueError
    index_of = {node: index for index, node in enumerate(order)}
    left, right = (
        np.array([index_of.get(side[node], 0) for node in order]) for side in (lefts, rights)
    )

    def column(name: str, dtype: Any) -> NDArray[Any]:
        return np.array(tree[name], dtype)[order]

    with np.errstate(over="ignore"):
        leaf_values = column("split_conditions", np.float32).astype(np.float64)
    foreign = ForeignTree(
        column("split_indices", int),
        leaf_values,
        left,
        right,
        column("default_left", np.bool_),
        is_strict=True,
        weight=column("sum_hessian", np.float64),
        weight_tolerance=1e-3,
    )
    is_split = left > 0
    values = np.where(is_split, column("base_weights", np.float64), leaf_values)
    gains = column("loss_changes", np.float64)
    _check_finite(column("sum_hessian", np.float64), values, gains)
    # The values of leaves are multiplied by a learning rate, which the dump does not have.
    node_values = NodeValues(values, [(is_split, 1.0), (~is_split, None)], gains)
    return BoostedTree(foreign, leaf_values, node_values, class_code, round_start)
