"""The trees of XGBoost, from the JSON that it writes of itself; see boosted.py."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dtviz.model import Model
from dtviz.others.boosted import WRONG, Boosted, Booster, need_numbers, parsed, tree_of
from dtviz.others.foreign import Foreign
from dtviz.others.penalised import Told
from dtviz.table.data import DataError
from dtviz.text import shown


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
