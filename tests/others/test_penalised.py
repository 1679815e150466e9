"""Trees grown under penalties: read with the target they had, refused with any other.

The file beside this one holds one table, its targets, and what LightGBM 4.7 and XGBoost 3.2 wrote
of two rounds on it under the settings that each is named by.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dtviz import DataError, Model, from_lightgbm, from_xgboost

READ: dict[str, Callable[..., Model]] = {"lightgbm": from_lightgbm, "xgboost": from_xgboost}
TOLD = json.loads((Path(__file__).parent / "penalised.json").read_text("utf-8"))
X = np.array(TOLD["X"])
KNOWN = [
    *(("lightgbm", name) for name in ("plain", "penalties", "from 0", "least gain")),
    *(("xgboost", name) for name in ("plain", "penalties", "stump", "pruned", "three at once")),
    ("xgboost", "positive"),
]
OTHER = "not the (target|rows) that the tree was grown on"


def told(library: str, name: str) -> tuple[Any, np.ndarray[Any, Any]]:
    kind, dump = TOLD[library][name]
    return copy.deepcopy(dump), np.array(TOLD["y"][kind])


def trees(library: str, dump: Any) -> list[Any]:
    if library == "lightgbm":
        return list(dump["tree_info"])
    return list(dump["learner"]["gradient_booster"]["model"]["trees"])


def test_a_tree_under_penalties_is_read_with_its_target_and_with_no_other() -> None:
    for library, name in KNOWN:
        dump, y = told(library, name)
        for member in range(len(trees(library, dump))):
            READ[library](dump, X, y, member)
            for other in (np.roll(y, 7), 1 - y)[member:]:
                with pytest.raises(DataError, match=OTHER):
                    READ[library](dump, X, other, member)


def test_what_was_grown_otherwise_is_refused_and_named() -> None:
    for library, name, member, words in (
        ("lightgbm", "rf", 0, "with boosting='rf' cannot be read"),
        ("lightgbm", "sqrt", 0, "with 'sqrt' cannot be read"),
        ("lightgbm", "lines", 1, "leaves with lines"),
        ("lightgbm", "sigmoid", 0, "with 'sigmoid:2' cannot be read"),
        ("lightgbm", "dart", 1, "those of dart"),
        ("lightgbm", "path_smooth", 1, "path_smooth"),
        ("xgboost", "dart", 0, "only gbtree can be read; not 'dart'"),
        ("xgboost", "targets", 0, "several targets cannot be read"),
        ("xgboost", "max_delta_step", 1, "max_delta_step"),
    ):
        dump, y = told(library, name)
        with pytest.raises(DataError, match=words):
            READ[library](dump, X, y, member)


def test_dumps_that_ask_for_what_is_not_there_are_refused() -> None:
    dump, y = told("lightgbm", "plain")
    with pytest.raises(DataError, match="the objective '' is not among"):
        from_lightgbm(dump | {"objective": ""}, X, y)
    trees("lightgbm", dump)[0]["tree_structure"]["split_feature"] = 9
    with pytest.raises(DataError, match="a feature that is not there"):
        from_lightgbm(dump, X, y)
    for name, value in (("left_children", 99), ("left_children", 0), ("split_indices", 9)):
        dump, y = told("xgboost", "plain")
        trees("xgboost", dump)[0][name][0] = value
        with pytest.raises(DataError, match="`dump` must be"):
            from_xgboost(dump, X, y)


def test_text_stands_for_no_number() -> None:
    dump, y = told("xgboost", "plain")
    with pytest.raises(DataError, match="`y` must be numbers"):
        from_xgboost(dump, X, ["a"] * 60)
    with pytest.raises(DataError, match="a number for each row of X: 60; not 'w'"):
        from_xgboost(dump, X, y, sample_weight="w")
