"""An exported ensemble, run, predicts as its trees do together: every kind, gaps, categories."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dtviz
from dtviz import Forest, Rules, from_frame
from dtviz.engine.ensembles import ENSEMBLES
from dtviz.explain.export_ensemble import KINDS


def table(n: int, seed: int, numbers: bool = False) -> pd.DataFrame:
    """Two numbers with gaps, a category and a truth value; three classes, or a number."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": rng.normal(size=n), "it's": rng.normal(size=n).round(1)})
    frame["kind"] = rng.choice([*"pqr"], n)
    frame["so"] = rng.choice([True, False], n)
    score = frame.x + (frame.kind == "p") - frame.so + rng.normal(size=n) / 2
    frame["y"] = score if numbers else np.array(["low", "mid", "high"])[np.digitize(score, [-1, 1])]
    frame.loc[::7, "x"] = np.nan
    frame.loc[::11, "kind"] = None
    return frame


def run(found: Forest) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(compile(found.export("python"), "export", "exec"), space)
    return space


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [dict(row) for row in frame.drop(columns="y").to_dict("records")]


def same(found: Forest, frame: pd.DataFrame) -> None:
    space = run(found)
    told = [space["predict"](row) for row in rows_of(frame)]
    assert told == found.predict(frame).tolist()
    if found.data.classes:
        shares = [list(space["predict_proba"](row).values()) for row in rows_of(frame)]
        assert np.array(shares) == pytest.approx(found.predict_proba(frame))
        assert [*space["predict_proba"](rows_of(frame)[0])] == [*found.data.classes]


def test_the_python_of_each_kind_predicts_classes_and_numbers() -> None:
    classes, numbers = (from_frame(table(90, 1, of), "y") for of in (False, True))
    for kind, of in ENSEMBLES.items():
        same(dtviz.forest(classes, Rules(max_depth=3), kind, trees=4), table(60, 2))
        if "regression" in of.tasks:
            rules = Rules("squared_error", max_depth=3)
            same(dtviz.forest(numbers, rules, kind, trees=4), table(60, 4, True))


def test_two_classes_with_ties_and_a_row_on_each_threshold() -> None:
    data = dtviz.load("moons", n=60)
    for kind in ("forest", "gradient"):
        model = dtviz.forest(data, Rules(max_depth=2), kind, trees=4)
        frame = pd.DataFrame(data.columns.T, columns=[*data.features]).assign(y="A")
        for tree in range(len(model)):
            for split in model.model(tree).tree.splits.values():
                frame.loc[len(frame)] = frame.iloc[0]
                feature = data.features[split.projection.feature]
                frame.loc[len(frame) - 1, feature] = split.threshold
        same(model, frame)


def test_leaf_models_other_cuts_and_surrogates_are_written_too() -> None:
    data = dtviz.load("moons", n=60)
    frame = pd.DataFrame(data.columns.T, columns=[*data.features]).assign(y="A")
    for rules in (
        Rules(max_depth=2, leaf_model="logistic"),
        Rules(max_depth=3, families=("axis", "oblique", "radial")),
    ):
        same(dtviz.forest(data, rules, "bagging", trees=2), frame)
    gaps = from_frame(table(100, 5), "y")
    same(dtviz.forest(gaps, Rules(max_depth=2, missing="surrogates"), trees=2), table(80, 6))


def test_where_mistakes_cost_the_cheapest_class_is_predicted() -> None:
    costs = {"low": {"mid": 1, "high": 9}, "mid": {"low": 1}, "high": {"mid": 5}}
    dear, free = (from_frame(table(100, 7), "y", costs=of) for of in (costs, None))
    model, other = (dtviz.forest(of, Rules(max_depth=3), trees=4) for of in (dear, free))
    rows = table(80, 8)
    assert model.predict(rows).tolist() != other.predict(rows).tolist()
    same(model, rows)


def test_the_json_says_how_the_trees_add_up() -> None:
    data = dtviz.load("moons", n=60)
    for kind, way in (("forest", "vote"), ("adaboost", "vote"), ("gradient", "logits")):
        model = dtviz.forest(data, kind=kind, trees=4)
        body = json.loads(model.export("json"))
        assert (body["ensemble"], body["way"], body["classes"]) == (kind, way, ["A", "B"])
        scores = np.repeat(np.array(body["start"])[:, None], data.n, axis=1)
        for tree in body["trees"]:
            nodes = {node["id"]: node for node in tree["nodes"]}
            for k, row in enumerate(data.columns.T):
                node = nodes[1]
                while "left" in node:
                    left = row[data.features.index(node["feature"])] <= node["threshold"]
                    node = nodes[node["left" if left else "right"]]
                if way == "vote":
                    scores[body["classes"].index(node["value"]), k] += tree["amount"]
                else:
                    scores[tree["column"], k] += tree["amount"] * node["value"]
        second = scores[1] > scores[0] if way == "vote" else scores[0] > 0
        assert np.where(second, "B", "A").tolist() == model.predict(data).tolist(), kind


def test_another_kind_is_refused() -> None:
    found = dtviz.forest(dtviz.load("moons", n=20), trees=1)
    said = re.escape("`kind` must be one of python, json; not 'sql'")
    with pytest.raises(ValueError, match=said):
        found.export("sql")
    assert KINDS == ("python", "json")
