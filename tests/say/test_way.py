"""The way of a row in words ends where the tree sends it, and says what decided."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import data

import dtviz
from dtviz import Rules
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.splits import Axis, Split
from dtviz.engine.tree import Grow, shares
from dtviz.model import Model
from dtviz.say.way import Way, way

GAPS = pd.DataFrame(
    {
        "x": [1.0, 2, 3, 4, 5, 6, 7, 8, np.nan, np.nan, np.nan],
        "z": [10.0, 20, 30, 40, 50, 60, 70, 80, 15, 75, np.nan],
        "y": [*"ppppqqqqpqq"],
    }
)
COLOURS = pd.DataFrame({"c": [*"rrggbb"] * 2, "y": [*"ppqqqq"] * 2})


def of(model: Model, row: list[float]) -> Way:
    return way(Problem(model.data, model.rules_used), model.tree, np.array(row))


@given(st.data())
def test_a_way_ends_in_the_leaf_that_predicts_the_row(draw: st.DataObject) -> None:
    found = draw.draw(data())
    model = dtviz.fit(found, default_rules(found.task))
    for at in range(found.n):
        one = of(model, found.columns[:, at].tolist())
        assert one.nodes == model.path(found.columns[:, at].tolist())
        assert one.predicted == _predicted(model, at)
        for step, (node, child) in zip(one.steps, pairwise(one.nodes), strict=True):
            assert step.node == node
            assert step.side == ("left" if child == 2 * node else "right")
            assert step.answer == ("yes" if child == 2 * node else "no")
        if found.classes:
            assert one.shares == tuple(shares(found, model.tree, found.columns[:, [at]])[0])
            assert one.says.startswith(found.class_names[int(one.predicted)])


def _predicted(model: Model, at: int) -> float:
    said = model.predict(model.data)[at]
    return model.data.classes.index(said) if model.data.classes else said


def test_each_question_is_answered_with_the_value_of_the_row() -> None:
    data = dtviz.from_frame(GAPS.dropna(), "y")
    one = of(dtviz.fit(data), [7.0, 70.0])
    assert [*map(str, one.steps)] == ["x = 7: x <= 4.5? no, right"]
    assert one.says == "q, 4 of 4 rows"
    assert one.shares == (0.0, 1.0)


@pytest.mark.parametrize(
    ("policy", "row", "said"),
    [
        ("learned", [np.nan, 20.0], "x missing: "),
        ("surrogates", [np.nan, 20.0], "x missing, by surrogate 1, z <= 45: left"),
        ("surrogates", [np.nan, np.nan], "x missing: left"),
    ],
)
def test_a_missing_value_says_what_decided(policy: str, row: list[float], said: str) -> None:
    data = dtviz.from_frame(GAPS, "y")
    rules = Rules(missing=policy, max_depth=1)
    model = dtviz.fit(data, rules, (Grow(1, Split(Axis(0), 4.5)),))
    one = of(model, row)
    assert str(one.steps[0]).startswith(said)
    assert one.nodes == model.path(row)


def test_where_nothing_says_where_a_row_goes_its_way_ends() -> None:
    data = dtviz.from_frame(GAPS.dropna(), "y")
    one = of(dtviz.fit(data), [np.nan, 70.0])
    assert one.nodes == (1,)
    assert not one.steps
    assert np.isnan(one.predicted)
    assert "x missing: x <= 4.5?" in one.ends


def test_a_category_is_told_by_its_name() -> None:
    data = dtviz.from_frame(COLOURS, "y")
    (step,) = of(dtviz.fit(data), [float(data.levels[0].index("r"))]).steps
    assert step.values == "c = r"
