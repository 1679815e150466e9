"""The trees of LightGBM, from the JSON that it writes of itself; see boosted.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dtviz.model import Model
from dtviz.others.boosted import WRONG, Boosted, Booster, need_numbers, parsed, tree_of
from dtviz.others.foreign import Foreign
from dtviz.others.penalised import Told
from dtviz.table.data import DataError
from dtviz.text import quoted


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
