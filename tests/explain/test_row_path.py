"""The way of a row in words, and where rows without a value go."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
from hypothesis import given
from strategies import data

import dtviz
from dtviz import Rules
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.splits import Axis, IsMissing, Split, subset_split
from dtviz.engine.tree import Grow, leaf_probabilities
from dtviz.explain.row_path import MissingNote, RowPath, StandIn, missing_note, trace_row
from dtviz.models.model import Model

FRAME = pd.DataFrame(
    {
        "x": [1.0, 2, 3, 4, 5, 6, 7, 8, np.nan, np.nan, np.nan],
        "z": [10.0, 20, 30, 40, 50, 60, 70, 80, 15, 75, np.nan],
        "y": [*"ppppqqqqpqq"],
    }
)
TABLE, FULL = dtviz.from_frame(FRAME, "y"), dtviz.from_frame(FRAME.dropna(), "y")
CUT = Split(Axis(0), 4.5)
LACK = "3 of 11 rows lack x; "


def gaps_of(policy: str, frame: pd.DataFrame = FRAME) -> MissingNote:
    table = dtviz.from_frame(frame, "y")
    gaps = missing_note(Problem(table, Rules(missing=policy)), np.arange(table.n), CUT)
    assert gaps is not None
    return gaps


def of(model: Model, row: list[float]) -> RowPath:
    return trace_row(Problem(model.data, model.rules_used), model.tree, np.array(row))


def test_each_policy_says_where_rows_without_a_value_go_and_why() -> None:
    learned = gaps_of("learned").sentence
    assert learned.startswith("3 of 11 rows lack x: on the left the gain is 0.4")
    assert learned.endswith("they go right.")
    majority = gaps_of("majority").sentence
    assert majority == LACK + "such a row goes left, with most of the others."
    value = gaps_of("value").sentence
    assert value.endswith("missing is below every number, so they go left.")
    surrogates = gaps_of("surrogates")
    assert surrogates.stand_ins == (StandIn("z <= 45", "left", 1.0, 1.0, 2),)
    assert surrogates.sentence == LACK + (
        "such a row goes where the first surrogate with a value sends it; "
        "where none can (1 row), left, with most of the others."
    )
    assert gaps_of("surrogates", FRAME[["x", "y"]]).sentence == LACK + (
        "no surrogate agrees enough: left, with most of the others."
    )
    assert missing_note(Problem(FULL, Rules()), np.arange(8), CUT) is None  # no row lacks a value
    assert missing_note(Problem(TABLE, Rules()), np.arange(11), Split(IsMissing((0,)), 0.5)) is None


@given(data())
def test_a_way_ends_in_the_leaf_that_predicts_the_row(table: dtviz.Dataset) -> None:
    model = dtviz.fit(table, default_rules(table.task))
    predicted = model.predict(table).tolist()
    for row, value in enumerate(predicted):
        ours = of(model, table.columns[:, row].tolist())
        assert ours.nodes == model.path(table.columns[:, row].tolist())
        assert ours.predicted == (table.classes.index(value) if table.classes else value)
        for step, (node, child) in zip(ours.steps, pairwise(ours.nodes), strict=True):
            assert step.node == node
            assert (step.side, step.answer) == (
                ("left", "yes") if child == 2 * node else ("right", "no")
            )
        if table.classes:
            assert ours.shares == tuple(
                leaf_probabilities(table, model.tree, table.columns[:, [row]])[0]
            )
            assert ours.prediction_text.startswith(table.class_names[int(ours.predicted)])


def test_each_question_is_answered_with_the_value_of_the_row() -> None:
    ours = of(dtviz.fit(FULL), [7.0, 70.0])
    assert [*map(str, ours.steps)] == ["x = 7: x <= 4.5? no, right"]
    assert (ours.prediction_text, ours.shares) == ("q, 4 of 4 rows", (0.0, 1.0))
    colours = pd.DataFrame({"c": [*"rrggbb"] * 2, "y": [*"ppqqqq"] * 2})
    table = dtviz.from_frame(colours, "y")
    (step,) = of(dtviz.fit(table), [float(table.levels[0].index("r"))]).steps
    assert step.values == "c = r"


def test_a_missing_value_says_what_decided_or_ends_the_way() -> None:
    for policy, row, words in (
        ("surrogates", [3.0, None], "x <= 4.5: yes"),
        ("learned", [np.nan, 20.0], "x missing: "),
        ("surrogates", [np.nan, 60.0], "x missing, by surrogate 1, z <= 45: right"),
        ("surrogates", [np.nan, np.nan], "x missing: left"),
    ):
        model = dtviz.fit(TABLE, Rules(missing=policy, max_depth=1), (Grow(1, CUT),))
        (decided,) = model.path_told(row)
        assert decided.startswith(words)
        assert model.path_told(dict(zip("xz", row, strict=True))) == (decided,)
        numbers = [np.nan if value is None else value for value in row]
        ours = of(model, numbers)
        assert ours.nodes == model.path(numbers)
        assert row[0] == 3 or str(ours.steps[0]).startswith(words)
    ours = of(dtviz.fit(FULL), [np.nan, 70.0])  # where nothing says where a row goes
    assert (ours.nodes, ours.steps) == ((1,), ())
    assert np.isnan(ours.predicted)
    assert "x missing: x <= 4.5?" in ours.end_reason


COLOURS = FRAME.assign(c=["b", "b", "a", "a", "c", "c", "d", "d", None, None, "c"])


def test_sides_of_a_category_are_yes_and_no() -> None:
    table = dtviz.from_frame(COLOURS[["c", "y"]], "y")
    codes = [table.levels[0].index(value) for value in "ab"]
    split = subset_split(0, codes)

    def sentence_of(policy: str) -> str:
        note = missing_note(Problem(table, Rules(missing=policy)), np.arange(11), split)
        assert note is not None
        return note.sentence

    assert sentence_of("learned") == (
        "2 of 11 rows lack c: on the yes side the gain is 0.6395 bit, on the no side 0.6175; "
        "they go to the yes side."
    )
    majority = "2 of 11 rows lack c; such a row goes to the no side, with most of the others."
    assert sentence_of("majority") == majority
    for row, text in (
        ([codes[0]], "c = a: c in {a, b}? yes"),
        ([table.levels[0].index("d")], "c = d: c in {a, b}? no"),
        ([np.nan], "c missing: to the no side"),
    ):
        model = dtviz.fit(table, Rules(missing="majority", max_depth=1), (Grow(1, split),))
        assert [*map(str, of(model, row).steps)] == [text]
    assert model.path_told([None]) == ("c missing: to the no side",)


def test_a_surrogate_sends_a_row_to_a_side_of_the_split_it_stands_for() -> None:
    table = dtviz.from_frame(COLOURS[["c", "z", "y"]], "y")
    split = subset_split(0, [table.levels[0].index(value) for value in "ab"])
    problem = Problem(table, Rules(missing="surrogates"))
    note = missing_note(problem, np.arange(11), split)
    assert note is not None
    assert note.stand_ins[0][:2] == ("z <= 45", "yes")
    model = dtviz.fit(table, Rules(missing="surrogates", max_depth=1), (Grow(1, split),))
    (step,) = of(model, [np.nan, 20.0]).steps
    assert str(step) == "c missing, by surrogate 1, z <= 45: to the yes side"
    assert step.side == "yes"


def test_a_row_takes_the_branch_of_its_value_or_the_default_branch() -> None:
    frame = pd.DataFrame({"c": ["no"] * 3 + ["yes"] * 4 + [None], "y": [*"pppqqqqq"]})
    table, rules = dtviz.from_frame(frame, "y"), Rules(families=("multiway",))
    model = dtviz.fit(table, rules)
    note = missing_note(Problem(table, rules), np.arange(8), model.tree.splits[1])
    assert note is not None
    assert note.sentence == "1 of 8 rows lack c; such a row goes to the default branch, yes."
    for row, text in (([1.0], "c in 2 branches: yes"), ([np.nan], "c missing: yes")):
        assert [*map(str, of(model, row).steps)] == [text]
