"""Trees of LightGBM and XGBoost: their rows in their leaves, their gains beside the best.

The files beside this one hold what LightGBM 4.7 and XGBoost 3.2 wrote: for each model its table,
its dump, and for each tree the leaf that the library itself put each row in; and, of one table of
penalised.json, two rounds under the settings that each is named by.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import FunctionTransformer

import dtviz
from dtviz import DataError, Model, from_lightgbm, from_xgboost, regrets
from dtviz.models.importers import from_fitted

READ: dict[str, Callable[..., Model]] = {"lightgbm": from_lightgbm, "xgboost": from_xgboost}
MODELS = {
    name: json.loads((Path(__file__).parent / f"{name}.json").read_text("utf-8")) for name in READ
}
CASES = [
    (name, kind, member)
    for name, kind in product(READ, ("regression", "binary", "classes"))
    for member in range(len(MODELS[name][kind]["leaves"]))
]


def told(name: str, kind: str) -> tuple[Any, np.ndarray[Any, Any], list[int]]:
    found = MODELS[name][kind]
    return found["dump"], np.array(found["X"], np.float64), found["y"]


def test_each_tree_has_the_rows_of_the_library_in_its_leaves() -> None:
    for name, kind, member in CASES:
        dump, X, y = told(name, kind)
        model = READ[name](dump, X, y, member)
        ours = model.apply(pd.DataFrame(X, columns=list(model.data.features))).tolist()
        theirs = MODELS[name][kind]["leaves"][member]
        pairs = {*zip(ours, theirs, strict=True)}
        assert len(pairs) == len({*ours}) == len({*theirs}), (name, kind, member)
        assert not [*dtviz.steps(model.data, model.rules_used, model.log)]


def test_categories_of_lightgbm_are_those_of_pandas() -> None:
    case = MODELS["lightgbm"]["categories"]
    X, new = (
        pd.DataFrame(case[rows], columns=["c", "k", "x"]).astype({"c": "category", "k": "category"})
        for rows in ("X", "new")
    )
    for member, leaves in enumerate(zip(case["leaves"], case["new_leaves"], strict=True)):
        model = from_lightgbm(case["dump"], X, case["y"], member)
        assert model.data.levels == (("a", "b", "c", "d", "e", "f"), (1, 2, 3), ())
        ours = [*model.apply(X).tolist(), *model.apply(new).tolist()]
        pairs = {*zip(ours, [*leaves[0], *leaves[1]], strict=True)}
        assert len(pairs) == len({*ours}) == len({theirs for _, theirs in pairs})
        assert model.path_told(new.iloc[0].to_dict())[0].startswith("c in {a, d")
        with pytest.raises(DataError, match=r"not the (target|rows)"):
            from_lightgbm(case["dump"], X, case["y"][::-1], member)
    with pytest.raises(DataError, match="`X` must have 2 columns of categories"):
        from_lightgbm(case["dump"], X.assign(k=1.0), case["y"])


def gains_in(node: dict[str, Any]) -> list[float]:
    """The gains that LightGBM tells of a node and of those below it."""
    if "split_gain" not in node:
        return []
    below = gains_in(node["left_child"]) + gains_in(node["right_child"])
    return [node["split_gain"], *below]


def test_gains_are_the_boosters_own_and_their_splits_give_nothing_away() -> None:
    for name, kind, member in CASES:
        dump, X, y = told(name, kind)
        model = READ[name](dump, X, y, member)
        found = regrets(model)
        weighted = [row.gain * model.tree.nodes[row.node].weight for row in found.itertuples()]
        if name == "xgboost":
            tree = dump["learner"]["gradient_booster"]["model"]["trees"][member]
            inner = [k for k, left in enumerate(tree["left_children"]) if left >= 0]
            theirs = np.array(tree["loss_changes"])[inner].tolist()
            assert (found.regret <= 0.02 * found.best_gain).all()
        else:
            theirs = gains_in(dump["tree_info"][member]["tree_structure"])
        assert sorted(weighted) == pytest.approx(sorted(theirs), rel=2e-3, abs=1e-5), (name, kind)


def test_a_dump_may_be_text_and_labels_are_classes_in_their_order() -> None:
    for name, read in READ.items():
        dump, X, y = told(name, "classes")
        log = read(dump, X, y, 2).log
        assert read(json.dumps(dump), X, y, 2).log == log, name
        assert read(dump, X, np.array(["a", "b", "c"])[y], 2).log == log, name


def test_other_rows_are_refused() -> None:
    for name, read in READ.items():
        dump, X, y = told(name, "regression")
        with pytest.raises(DataError, match="not the rows that the tree was grown on"):
            read(dump, X[::2], y[::2])
        with pytest.raises(DataError, match="a value for each row of X: 80; not 40"):
            read(dump, X, y[::2])
        with pytest.raises(DataError, match="columns; its shape is"):
            read(dump, X[:, :2], y)


def test_what_is_no_dump_is_refused() -> None:
    wrong: tuple[Any, ...] = ("{", "[]", "{}", {}, None, 3, {"learner": []}, {"tree_info": [1]})
    for dump in wrong:
        for read in READ.values():
            with pytest.raises(DataError, match="`dump` must be"):
                read(dump, [[1.0], [2.0]], [0, 1])


def test_a_dump_that_was_changed_is_read_or_refused_in_a_sentence() -> None:
    dump, X, y = told("lightgbm", "binary")

    def lightgbm(change: Callable[[dict[str, Any]], object]) -> Callable[[], Model]:
        other = copy.deepcopy(dump)
        change(other["tree_info"][0]["tree_structure"])
        return lambda: from_lightgbm(other, X, y)

    def leaf(node: dict[str, Any]) -> dict[str, Any]:
        return leaf(node["left_child"]) if "left_child" in node else node

    calls: list[Callable[[], Model]] = [
        lightgbm(lambda root: root.update(left_child=root)),
        lightgbm(lambda root: root.update(left_child=root["right_child"])),
        lambda: from_lightgbm('{"tree_info":' * 100_000, X, y),
        lambda: from_lightgbm(dump | {"num_tree_per_iteration": 0}, X, y),
        lambda: from_lightgbm(dump | {"num_tree_per_iteration": 10**9}, X, y),
    ]
    amounts = (10**400, -(10**400), "1e400", None, [1], float("nan"), float("inf"))
    for value, field in product(amounts, ("threshold", "split_feature")):
        calls.append(lightgbm(lambda root, v=value, f=field: root.update({f: v})))  # type: ignore[misc]
    for value, field in product(amounts, ("leaf_value", "leaf_weight")):
        calls.append(lightgbm(lambda root, v=value, f=field: leaf(root).update({f: v})))  # type: ignore[misc]
    whole, Z, z = told("xgboost", "binary")
    fields = "split_conditions loss_changes sum_hessian base_weights split_indices left_children"
    for value, field in product(amounts, fields.split()):
        other = copy.deepcopy(whole)
        other["learner"]["gradient_booster"]["model"]["trees"][0][field][0] = value
        calls.append(lambda other=other: from_xgboost(other, Z, z))  # type: ignore[misc]
    for score in ("1e400", "nan", "2", "0", str(10**400)):
        other = copy.deepcopy(whole)
        other["learner"]["learner_model_param"]["base_score"] = score
        calls.append(lambda other=other: from_xgboost(other, Z, z))  # type: ignore[misc]
    for call in calls:
        with pytest.raises(DataError):
            call()


def test_members_objectives_and_splits_of_categories_that_cannot_be_read_are_refused() -> None:
    dump, X, y = told("lightgbm", "regression")
    for member in (-1, 2, "0", None):
        with pytest.raises(DataError, match="`member` must say which tree: 0 to 1"):
            from_lightgbm(dump, X, y, member)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="the objective 'tweedie' is not among"):
        from_lightgbm(dump | {"objective": "tweedie"}, X, y)
    with pytest.raises(DataError, match="of categories"):
        from_lightgbm(json.dumps(dump).replace('"<="', '"=="'), X, y)


def booster_of(name: str, dump: Any) -> Any:
    """As XGBoost's, with its JSON and a `dump_model` that writes a file; or as LightGBM's."""
    if name == "lightgbm":
        return SimpleNamespace(dump_model=lambda: dump)
    raw = {"json": bytearray(json.dumps(dump), "utf-8")}
    return SimpleNamespace(save_raw=lambda raw_format: raw[raw_format], dump_model=open)


def test_a_booster_and_scikit_learn_s_interface_to_it_are_read_as_their_dump() -> None:
    for name, read in READ.items():
        dump, X, y = told(name, "binary")
        booster, log = booster_of(name, dump), read(dump, X, y, 1).log
        fitted = (
            SimpleNamespace(booster_=booster)
            if name == "lightgbm"
            else SimpleNamespace(get_booster=lambda booster=booster: booster)
        )
        steps = [("same", FunctionTransformer().fit(X)), ("last", fitted)]
        pipeline = SimpleNamespace(steps=steps, named_steps=dict(steps))
        for given in (booster, fitted, pipeline):
            assert read(given, X, y, np.int64(1)).log == log, name
            assert from_fitted(given, X, y, 1).log == log


def test_a_model_that_is_not_fitted_is_refused() -> None:
    class Unfitted:
        def get_booster(self) -> Any:
            raise ValueError("need to call fit")

    with pytest.raises(DataError, match="need to call fit"):
        from_fitted(Unfitted(), [[1.0]], [1])


def test_lightgbm_writes_blanks_in_names_as_lines() -> None:
    dump, X, y = told("lightgbm", "regression")
    named = dump | {"feature_names": ["a_b", "c", "d_"][: len(dump["feature_names"])]}
    frame = pd.DataFrame(X, columns=["a b", "c", "d "])
    assert from_lightgbm(named, frame, y).data.features[:2] == ("a b", "c")
    with pytest.raises(DataError, match="the columns the model had: 'a_b'"):
        from_lightgbm(named, frame[["c", "a b", "d "]], y)


# --- trees grown under penalties: read with the target they had, refused with any other ---

PENALISED = json.loads((Path(__file__).parent / "penalised.json").read_text("utf-8"))
ROWS = np.array(PENALISED["X"])
READABLE = [
    *(("lightgbm", name) for name in ("plain", "penalties", "from 0", "least gain")),
    *(("xgboost", name) for name in ("plain", "penalties", "stump", "pruned", "three at once")),
    ("xgboost", "positive"),
]
OTHER = "not the (target|rows) that the tree was grown on"


def penalised(library: str, name: str) -> tuple[Any, np.ndarray[Any, Any]]:
    kind, dump = PENALISED[library][name]
    return copy.deepcopy(dump), np.array(PENALISED["y"][kind])


def trees(library: str, dump: Any) -> list[Any]:
    if library == "lightgbm":
        return list(dump["tree_info"])
    return list(dump["learner"]["gradient_booster"]["model"]["trees"])


def test_a_tree_under_penalties_is_read_with_its_target_and_with_no_other() -> None:
    for library, name in READABLE:
        dump, y = penalised(library, name)
        for member in range(len(trees(library, dump))):
            READ[library](dump, ROWS, y, member)
            for other in (np.roll(y, 7), 1 - y)[member:]:
                with pytest.raises(DataError, match=OTHER):
                    READ[library](dump, ROWS, other, member)


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
        dump, y = penalised(library, name)
        with pytest.raises(DataError, match=words):
            READ[library](dump, ROWS, y, member)


def test_dumps_that_ask_for_what_is_not_there_are_refused() -> None:
    dump, y = penalised("lightgbm", "plain")
    with pytest.raises(DataError, match="the objective '' is not among"):
        from_lightgbm(dump | {"objective": ""}, ROWS, y)
    trees("lightgbm", dump)[0]["tree_structure"]["split_feature"] = 9
    with pytest.raises(DataError, match="a feature that is not there"):
        from_lightgbm(dump, ROWS, y)
    for name, value in (("left_children", 99), ("left_children", 0), ("split_indices", 9)):
        dump, y = penalised("xgboost", "plain")
        trees("xgboost", dump)[0][name][0] = value
        with pytest.raises(DataError, match="`dump` must be"):
            from_xgboost(dump, ROWS, y)


def test_text_stands_for_no_number() -> None:
    dump, y = penalised("xgboost", "plain")
    with pytest.raises(DataError, match="`y` must be numbers"):
        from_xgboost(dump, ROWS, ["a"] * 60)
    with pytest.raises(DataError, match="a number for each row of X: 60; not 'w'"):
        from_xgboost(dump, ROWS, y, sample_weight="w")
