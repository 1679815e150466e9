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
from dtviz.say.ensembles import KINDS


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


@pytest.mark.parametrize("kind", ENSEMBLES)
def test_the_python_of_each_kind_predicts_classes_and_their_shares(kind: str) -> None:
    data = from_frame(table(150, 1), "y")
    same(dtviz.forest(data, Rules(max_depth=3), kind, trees=6), table(200, 2))


@pytest.mark.parametrize("kind", [k for k, of in ENSEMBLES.items() if "regression" in of.tasks])
def test_the_python_of_each_kind_predicts_numbers(kind: str) -> None:
    data = from_frame(table(150, 3, numbers=True), "y")
    same(
        dtviz.forest(data, Rules("squared_error", max_depth=3), kind, trees=6), table(200, 4, True)
    )


@pytest.mark.parametrize("kind", ["forest", "gradient"])
def test_two_classes_with_ties_and_one_row_at_each_threshold(kind: str) -> None:
    data = dtviz.load("moons", n=60)
    found = dtviz.forest(data, Rules(max_depth=2), kind, trees=4)
    frame = pd.DataFrame(data.columns.T, columns=[*data.features]).assign(y="A")
    for one in range(len(found)):
        for split in found.model(one).tree.splits.values():
            frame.loc[len(frame)] = frame.iloc[0]
            at = data.features[split.projection.feature]
            frame.loc[len(frame) - 1, at] = split.threshold
    same(found, frame)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(max_depth=2, leaf_model="logistic"),
        Rules(max_depth=3, families=("axis", "oblique", "radial")),
    ],
)
def test_leaf_models_and_other_cuts_are_said_too(rules: Rules) -> None:
    data = dtviz.load("moons", n=80)
    found = dtviz.forest(data, rules, "bagging", trees=3)
    same(found, pd.DataFrame(data.columns.T, columns=[*data.features]).assign(y="A"))


def test_surrogates_are_said_too() -> None:
    data = from_frame(table(100, 5), "y")
    same(dtviz.forest(data, Rules(max_depth=2, missing="surrogates"), trees=3), table(80, 6))


def test_where_mistakes_cost_the_cheapest_class_is_predicted() -> None:
    costs = {"low": {"mid": 1, "high": 9}, "mid": {"low": 1}, "high": {"mid": 5}}
    data = from_frame(table(150, 7), "y", costs=costs)
    found = dtviz.forest(data, Rules(max_depth=3), trees=5)
    free = dtviz.forest(from_frame(table(150, 7), "y"), Rules(max_depth=3), trees=5)
    other = table(200, 8)
    assert found.predict(other).tolist() != free.predict(other).tolist()
    same(found, other)


@pytest.mark.parametrize(
    ("kind", "way"), [("forest", "vote"), ("adaboost", "vote"), ("gradient", "logits")]
)
def test_the_json_tells_how_the_trees_add_up(kind: str, way: str) -> None:
    data = dtviz.load("moons", n=60)
    found = dtviz.forest(data, kind=kind, trees=5)
    told = json.loads(found.export("json"))
    assert (told["ensemble"], told["way"], told["classes"]) == (kind, way, ["A", "B"])
    scores = np.repeat(np.array(told["start"])[:, None], data.n, axis=1)
    for tree in told["trees"]:
        nodes = {node["id"]: node for node in tree["nodes"]}
        for k, row in enumerate(data.columns.T):
            at = 1
            while "left" in nodes[at]:
                left = row[data.features.index(nodes[at]["feature"])] <= nodes[at]["threshold"]
                at = nodes[at]["left" if left else "right"]
            says = nodes[at]["value"]
            if way == "vote":
                scores[told["classes"].index(says), k] += tree["amount"]
            else:
                scores[tree["column"], k] += tree["amount"] * says
    second = scores[1] > scores[0] if way == "vote" else scores[0] > 0
    assert np.where(second, "B", "A").tolist() == found.predict(data).tolist()


def test_another_kind_is_refused() -> None:
    found = dtviz.forest(dtviz.load("moons", n=20), trees=1)
    said = re.escape("`kind` must be one of python, json; not 'sql'")
    with pytest.raises(ValueError, match=said):
        found.export("sql")
    assert KINDS == ("python", "json")
