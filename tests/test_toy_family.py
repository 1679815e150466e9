"""A family of splits is one value: registered, it walks through everything with no file touched."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from screens import frame_of, page, params_of, press, stage_of
from toys import SUM, Sum, sum_family

import dtviz
from dtviz.engine.grow import whole
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.splits import Plane, Split, address_text, family_of
from dtviz.engine.tree import regions
from dtviz.judge.axes import AXES
from dtviz.judge.curves import errors
from dtviz.say.explain import arithmetic, cut_latex, why
from dtviz.table.data import Dataset
from dtviz.trace import node_candidates

MOONS = {"data": "moons", "n": "200", "noise": "0.25", "seed": "7"}


@pytest.fixture(autouse=True)
def family() -> Iterator[None]:
    with sum_family():
        yield


@pytest.fixture
def rules() -> Rules:
    """Both kinds of cut compete."""
    return Rules("gini", families=("axis", "sum"), max_depth=3)


@pytest.fixture
def slanted() -> Dataset:
    """Two classes parted by x1 + x2 = 1, which no cut of one feature finds."""
    random = np.random.default_rng(5)
    frame = pd.DataFrame(random.random((60, 2)), columns=["a", 'b "q"'])
    frame["y"] = np.where(frame.sum(axis=1) > 1, "over", "under")
    return dtviz.from_frame(frame, "y")


def as_frame(data: Dataset) -> pd.DataFrame:
    return pd.DataFrame(dict(zip(data.features, data.columns, strict=True)))


def test_it_wins_where_it_is_right_and_not_where_it_does_not_compete(
    slanted: Dataset, rules: Rules
) -> None:
    model = dtviz.fit(slanted, rules)
    assert [*model.tree.splits] == [1]
    split = model.tree.splits[1]
    assert split.projection == Sum(0, 1)
    assert (slanted.columns.sum(axis=0) <= split.threshold).tolist() == [
        slanted.classes[code] == "under" for code in slanted.y
    ]
    assert model.predict(slanted).tolist() == [slanted.classes[code] for code in slanted.y]
    assert len(dtviz.fit(slanted, Rules("gini", max_depth=3)).leaves) > 2
    alone = dtviz.fit(slanted, Rules("gini", families=("sum",)))
    assert alone.tree.splits == model.tree.splits


def test_its_cuts_are_told_as_any_others(slanted: Dataset, rules: Rules) -> None:
    (step,) = dtviz.steps(slanted, rules)
    assert step.why.startswith('a + b "q" <= ')
    assert "times the best cut on " in step.why
    table = step.table
    own = table[table.feature == 'a + b "q"']
    assert len(own) == slanted.n - 1
    assert own.rule.str.startswith('a + b "q" <= ').all()
    problem = Problem(slanted, rules)
    cuts = node_candidates(problem, step.before, 1)
    at = cuts.best
    assert at is not None
    assert cuts.split(at) == step.move.split
    assert cuts.find(cuts.split(at)) == at
    assert why(problem, cuts, cuts.split(at)) == step.why
    lines = arithmetic(problem, cuts, at, np.arange(slanted.n))
    n_left = int((slanted.columns.sum(axis=0) <= cuts.threshold[at]).sum())
    assert rf"\frac{{{n_left}}}{{60}}" in " ".join(lines)
    assert r"\text{a} + \text{b" in cut_latex(slanted, cuts, at)


def test_its_rules_and_exports_say_and_do_what_predict_does(slanted: Dataset, rules: Rules) -> None:
    random = np.random.default_rng(6)
    model = dtviz.fit(slanted, Rules("gini", families=("sum", "axis")), log=None)
    noisy = dtviz.from_frame(
        as_frame(slanted).assign(y=random.integers(0, 2, slanted.n).astype(str)), "y"
    )
    deep = dtviz.fit(noisy, rules)
    assert {family_of(split.projection).name for split in deep.tree.splits.values()} == {
        "axis",
        "sum",
    }
    frame = as_frame(noisy)
    wanted = deep.predict(frame).tolist()
    scope: dict[str, Any] = {}
    exec(deep.export("python"), scope)
    assert [scope["predict"](row) for row in frame.to_dict("records")] == wanted
    with sqlite3.connect(":memory:") as base:
        frame.to_sql("t", base, index=False)
        found = base.execute(f"SELECT {deep.export('sql')} FROM t").fetchall()
    base.close()
    assert [value for (value,) in found] == wanted
    assert 'a + b "q" <= ' in model.export("text")
    assert "a + b" in model.export("dot")
    node = json.loads(model.export("json"))["nodes"][0]
    assert (node["family"], node["projection"], node["score"]) == ("s", "0-1", 'a + b "q"')
    assert any("a + b" in condition for rule in deep.rules() for condition in rule.conditions)
    for box in regions(noisy, deep.tree):
        inside = np.ones(noisy.n, bool)
        for projection, (low, high) in box.bounds:
            score = family_of(projection).score(
                (projection,), np.zeros(1, int), noisy.columns, np.arange(noisy.n)
            )
            inside &= (low < score) & (score <= high)
        assert np.flatnonzero(inside).tolist() == sorted(deep.tree.rows[box.node])


def test_its_subtrees_are_judged_as_any_others(slanted: Dataset, rules: Rules) -> None:
    nodes = whole(Problem(slanted, rules))
    depths = AXES["depth"].values(nodes, rules)
    found = errors(nodes, AXES["depth"].subtrees(nodes, rules, depths), slanted)
    assert found.tolist() == [0.0]


def test_its_splits_travel_in_an_address() -> None:
    split = Split(Sum(0, 1), 0.25)
    assert address_text(split) == "s0-1.0.25"
    assert family_of(split.projection) is SUM


def test_its_moves_can_be_made_by_hand_and_are_checked(slanted: Dataset, rules: Rules) -> None:
    model = dtviz.fit(slanted, rules, log=(dtviz.Grow(1, Split(Sum(0, 1), 1.0)),))
    assert len(model.leaves) == 2
    with pytest.raises(dtviz.LogError, match="features that are not there; there are 2"):
        dtviz.fit(slanted, rules, log=(dtviz.Grow(1, Split(Sum(0, 7), 1.0)),))


def test_it_parts_the_plane_along_its_line() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    left, right = SUM.clip(Sum(0, 1), 1.0, square, Plane(0, 1, (0.0, 0.0)))
    assert left == ((0, 0), (1, 0), (0, 1))
    assert right == ((1, 0), (1, 1), (0, 1))


def test_grow_draws_it_says_it_and_keeps_it_in_the_address() -> None:
    params = {**MOONS, "families": "axis.sum", "log": "1.s0-1.0.5_a1"}
    at = page("grow", **params)
    assert not at.warning
    assert params_of(at) == params
    stage, tree = stage_of(at), frame_of(at, "tree")
    assert tree["nodes"][0][3].startswith("Node 1: x1 + x2 ≤ 0.5; ")
    lines = stage["lines"]
    assert (lines["node"][0], lines["rule"][0]) == ("1", "x1 + x2 ≤ 0.5")
    ends = np.reshape(lines["corners"][:4], (2, 2))  # the line runs across the plane
    assert ends.sum(axis=1) == pytest.approx([0.5, 0.5])
    assert params_of(press(at, "next")) == {**params, "log": "1.s0-1.0.5_a2"}
    unknown = page("grow", data="moons", log="1.q0-1.0.5")
    assert unknown.warning


def test_overfit_judges_it() -> None:
    at = page("overfit", **MOONS, families="axis.sum")
    assert not at.warning
    assert params_of(at) == {**MOONS, "families": "axis.sum"}
