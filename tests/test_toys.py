"""A family of splits and a leaf model are a value each: registered, it walks through everything."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from screens import frame_of, page, params_of, press, stage_of
from toys import Sum, slope_model, sum_family

import dtviz
from dtviz import Model, Rules, RulesError
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.splits import Split, family_of
from dtviz.engine.subtrees import losses
from dtviz.evaluate.curves import AXES, errors
from dtviz.evaluate.metrics import held_out_score, squared_error

MOONS = {"data": "moons", "n": "200", "noise": "0.25", "seed": "7"}
SINE = {"data": "sine", "n": "120", "noise": "0.25", "seed": "7"}
# two classes parted by x1 + x2 = 1, which no cut of one feature finds
SQUARE = pd.DataFrame(np.random.default_rng(5).random((60, 2)), columns=["a", 'b "q"'])
SLANTED = dtviz.from_frame(SQUARE.assign(y=np.where(SQUARE.sum(axis=1) > 1, "over", "under")), "y")
# two straight lines that meet nowhere
X = np.arange(20) / 10
Y = np.where(X < 1, 3 * X, 7 - 2 * X)
BENT = dtviz.from_frame(pd.DataFrame({"x": X, "y": Y}), "y", task="regression")
HALVES = (dtviz.Grow(1, dtviz.axis_split(0, 0.95)),)
PLAIN = Rules("squared_error", max_depth=1)


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with sum_family(), slope_model():
        yield


def by_exports(model: Model, frame: pd.DataFrame) -> list[list[Any]]:
    """What exported Python and SQL predict for the rows of a table."""
    scope: dict[str, Any] = {}
    exec(model.export("python"), scope)
    with sqlite3.connect(":memory:") as base:
        frame.to_sql("t", base, index=False)
        rows = base.execute(f"SELECT {model.export('sql')} FROM t").fetchall()
    base.close()
    by_python = [scope["predict"](row) for row in frame.to_dict("records")]
    return [by_python, [value for (value,) in rows]]


# --- the family x1 + x2 <= t ----------------------------------------------------------------------


def competing() -> Rules:
    return Rules("gini", families=("axis", "sum"), max_depth=3)


def test_a_family_wins_where_it_is_right_and_not_where_it_does_not_compete() -> None:
    model = dtviz.fit(SLANTED, competing())
    assert [*model.tree.splits] == [1]
    split = model.tree.splits[1]
    assert split.projection == Sum(0, 1)
    classes = [SLANTED.classes[code] for code in SLANTED.y]
    left = SLANTED.columns.sum(axis=0) <= split.threshold
    assert np.where(left, "under", "over").tolist() == classes
    assert model.predict(SLANTED).tolist() == classes
    assert len(dtviz.fit(SLANTED, Rules("gini", max_depth=3)).leaves) > 2
    alone = dtviz.fit(SLANTED, Rules("gini", families=("sum",)))
    assert alone.tree.splits == model.tree.splits


def test_the_exports_of_a_family_do_what_predict_does_and_its_cuts_are_named() -> None:
    (step,) = dtviz.steps(SLANTED, competing())
    assert step.why.startswith('a + b "q" <= ')
    assert "times the best cut on " in step.why
    assert (step.table.feature == 'a + b "q"').sum() == SLANTED.n - 1
    noise = np.random.default_rng(6).integers(0, 2, 60).astype(str)
    model = dtviz.fit(dtviz.from_frame(SQUARE.assign(y=noise), "y"), competing())
    families = {family_of(split.projection).name for split in model.tree.splits.values()}
    assert families == {"axis", "sum"}
    assert by_exports(model, SQUARE) == [model.predict(SQUARE).tolist()] * 2
    nodes = json.loads(model.export("json"))["nodes"]
    assert {node["projection"] for node in nodes if node.get("family") == "s"} == {"0-1"}
    assert any("a + b" in condition for rule in model.rules() for condition in rule.conditions)


def test_the_moves_of_a_family_can_be_made_by_hand_and_are_checked() -> None:
    model = dtviz.fit(SLANTED, competing(), log=(dtviz.Grow(1, Split(Sum(0, 1), 1.0)),))
    assert len(model.leaves) == 2
    with pytest.raises(dtviz.LogError, match="features that are not there; there are 2"):
        dtviz.fit(SLANTED, competing(), log=(dtviz.Grow(1, Split(Sum(0, 7), 1.0)),))


def test_the_pages_draw_a_family_and_keep_it_in_the_address() -> None:
    params = {**MOONS, "families": "axis.sum", "log": "1.s0-1.0.5_a1"}
    at = page("grow", **params)
    assert not at.warning
    assert params_of(at) == params
    stage, tree = stage_of(at), frame_of(at, "tree")
    assert tree["nodes"][0][1] == "x1 + x2 ≤ 0.5"
    lines = stage["lines"]
    assert (lines["node"][0], lines["rule"][0]) == ("1", "x1 + x2 ≤ 0.5")
    ends = np.reshape(lines["corners"][:4], (2, 2))  # the line runs across the plane
    assert ends.sum(axis=1) == pytest.approx([0.5, 0.5])
    assert params_of(press(at, "next")) == {**params, "log": "1.s0-1.0.5_a2"}
    assert page("grow", data="moons", log="1.q0-1.0.5").warning
    judged = page("overfit", **MOONS, families="axis.sum")
    assert not judged.warning
    assert params_of(judged) == {**MOONS, "families": "axis.sum"}


# --- the leaf model a + b x1 ----------------------------------------------------------------------


def sloping(depth: int = 1) -> Rules:
    return Rules("squared_error", depth, leaf_model="slope")


def test_a_leaf_model_predicts_row_by_row_where_the_mean_cannot() -> None:
    model, plain = (dtviz.fit(BENT, rules, HALVES) for rules in (sloping(), PLAIN))
    assert model.predict(BENT) == pytest.approx(Y)
    assert model.score(BENT) == pytest.approx(1.0)
    assert squared_error(BENT, model.tree) == pytest.approx(0.0)
    assert squared_error(BENT, plain.tree) > 0.1
    assert [node.value for node in model.leaves] == [node.value for node in plain.leaves]


def test_a_leaf_model_is_judged_by_what_it_predicts() -> None:
    nodes = full_tree(Problem(BENT, sloping()))
    curve = errors(nodes, AXES["depth"].subtrees(nodes, sloping(), [1, 2]), BENT)
    trees = [dtviz.fit(BENT, sloping(depth)).tree for depth in (1, 2)]
    assert curve == pytest.approx([squared_error(BENT, tree) for tree in trees])
    loss, _ = losses(nodes, BENT)
    line = np.polyval(np.polyfit(X, Y, 1), X)
    assert loss[0] == pytest.approx(float(np.sum(np.square(line - Y))))
    assert held_out_score(Problem(BENT, sloping()), (1,)) < held_out_score(
        Problem(BENT, PLAIN), (1,)
    )


def test_the_exports_of_a_leaf_model_do_what_predict_does() -> None:
    model = dtviz.fit(BENT, sloping(), HALVES)
    for predicted in by_exports(model, pd.DataFrame({"x": X})):
        assert predicted == pytest.approx(Y)
    for kind in ("text", "dot"):
        assert "7 + -2 * x" in model.export(kind)
    body = json.loads(model.export("json"))
    assert body["leaf_model"] == "slope"
    assert body["nodes"][-1]["params"] == pytest.approx([Y[10:].mean(), 7, -2])


def test_a_leaf_model_is_refused_for_classes_and_an_unknown_one_is() -> None:
    with pytest.raises(RulesError, match=r"must be one of majority, .*, slope or None"):
        Rules(leaf_model="other")
    with pytest.raises(RulesError, match=r"must be 'majority' or .* for classification"):
        dtviz.fit(dtviz.load("moons", n=20), Rules(leaf_model="slope"))


def test_the_pages_show_a_leaf_model_and_keep_it_in_the_address() -> None:
    params = {**SINE, "leaf_model": "slope", "log": "a2"}
    at = page("grow", **params)
    assert not at.warning
    assert params_of(at) == params
    assert any(" * x" in prediction for _, _, prediction, *_ in frame_of(at, "tree")["nodes"])
    assert stage_of(at)["values"]
    judged = page("overfit", **SINE, leaf_model="slope")
    assert not judged.warning
    assert params_of(judged)["leaf_model"] == "slope"
    refused = page("grow", data="moons", leaf_model="slope")
    assert "leaf" in str(refused.warning[0].value)
