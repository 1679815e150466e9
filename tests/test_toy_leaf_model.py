"""A leaf model is one value: registered, it predicts, is judged, drawn, said and exported."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from screens import frame_of, page, params_of, stage_of
from toys import slope_model

import dtviz
from dtviz.engine.grow import whole
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, RulesError
from dtviz.engine.subtrees import losses
from dtviz.figures.graph import tree_frame
from dtviz.judge.axes import AXES
from dtviz.judge.curves import errors
from dtviz.judge.metrics import held_out, squared_error
from dtviz.table.data import Dataset

SINE = {"data": "sine", "n": "120", "noise": "0.25", "seed": "7"}
X = np.arange(20) / 10
Y = np.where(X < 1, 3 * X, 7 - 2 * X)


@pytest.fixture(autouse=True)
def leaf_model() -> Iterator[None]:
    with slope_model():
        yield


@pytest.fixture
def rules() -> Rules:
    """Two leaves, each with its own line."""
    return Rules("squared_error", leaf_model="slope", max_depth=1)


@pytest.fixture
def bent() -> Dataset:
    """Two straight lines that meet nowhere."""
    return dtviz.from_frame(pd.DataFrame({"x": X, "y": Y}), "y", task="regression")


def test_it_predicts_row_by_row_where_the_mean_cannot(bent: Dataset, rules: Rules) -> None:
    log = (dtviz.Grow(1, dtviz.axis_split(0, 0.95)),)
    model = dtviz.fit(bent, rules, log)
    assert model.predict(bent) == pytest.approx(Y)
    assert model.score(bent) == pytest.approx(1.0)
    assert squared_error(bent, model.tree) == pytest.approx(0.0)
    plain = dtviz.fit(bent, Rules("squared_error", max_depth=1), log)
    assert squared_error(bent, plain.tree) > 0.1
    assert [node.value for node in model.leaves] == [node.value for node in plain.leaves]


def test_it_is_judged_by_what_it_predicts(bent: Dataset, rules: Rules) -> None:
    problem = Problem(bent, rules)
    nodes = whole(problem)
    found = errors(nodes, AXES["depth"].subtrees(nodes, rules, [1, 2]), bent)
    trees = [dtviz.fit(bent, Rules("squared_error", d, leaf_model="slope")) for d in (1, 2)]
    assert found == pytest.approx([squared_error(bent, one.tree) for one in trees])
    loss, _ = losses(nodes, bent)
    assert loss[0] == pytest.approx(
        float(np.sum(np.square(np.polyval(np.polyfit(X, Y, 1), X) - Y)))
    )
    plain = Rules("squared_error", max_depth=1)
    assert held_out(problem, (1,)) < held_out(Problem(bent, plain), (1,))


def test_it_is_said_in_the_tree_the_rules_and_every_export(bent: Dataset, rules: Rules) -> None:
    model = dtviz.fit(bent, rules, (dtviz.Grow(1, dtviz.axis_split(0, 0.95)),))
    frame = pd.DataFrame({"x": X})
    scope: dict[str, Any] = {}
    exec(model.export("python"), scope)
    assert [scope["predict"](row) for row in frame.to_dict("records")] == pytest.approx(Y)
    with sqlite3.connect(":memory:") as base:
        frame.to_sql("t", base, index=False)
        found = base.execute(f"SELECT {model.export('sql')} FROM t").fetchall()
    base.close()
    assert [value for (value,) in found] == pytest.approx(Y)
    assert "7 + -2 * x" in model.export("text")
    assert "7 + -2 * x" in model.export("dot")
    body = json.loads(model.export("json"))
    assert body["leaf_model"] == "slope"
    assert body["nodes"][-1]["params"] == pytest.approx([Y[10:].mean(), 7, -2])
    drawn = tree_frame(Problem(bent, rules), model.tree, {})
    assert any("7 + -2 * x" in spoken for *_, spoken in drawn["nodes"])


def test_it_is_refused_for_classes_and_unknown_ones_are(bent: Dataset) -> None:
    with pytest.raises(RulesError, match=r"must be one of majority, .*, slope or None"):
        Rules(leaf_model="other")
    classes = dtviz.load("moons", n=20)
    with pytest.raises(RulesError, match=r"must be 'majority' or .* for classification"):
        dtviz.fit(classes, Rules(leaf_model="slope"))


def test_grow_and_overfit_show_it_and_the_address_keeps_it() -> None:
    params = {**SINE, "leaf_model": "slope", "log": "a2"}
    at = page("grow", **params)
    assert not at.warning
    assert params_of(at) == params
    assert any(" * x" in spoken for *_, spoken in frame_of(at, "tree")["nodes"])
    assert stage_of(at)["values"]
    judged = page("overfit", **SINE, leaf_model="slope")
    assert not judged.warning
    assert params_of(judged)["leaf_model"] == "slope"
    refused = page("grow", data="moons", leaf_model="slope")
    assert "leaf" in str(refused.warning[0].value)
