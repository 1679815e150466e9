"""Another table with what a tree says of each row: columns added, its own cells as they were."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import AGE_CAR_RISK, HEIGHTS, data_of
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, data, grown

import dtviz
from dtviz import (
    Collapse,
    DataError,
    Grow,
    LogError,
    Rules,
    RulesError,
    axis_split,
    candidates,
    fit,
    steps,
)
from dtviz.data.csv import read_frame
from dtviz.data.dataset import Dataset
from dtviz.data.notes import Note
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.engine.problem import Problem
from dtviz.engine.rules import minimum_of
from dtviz.engine.tree import fold, rows_in
from dtviz.models import steps as steps_module
from dtviz.models.steps import Step, candidates_by_criterion, csv, prediction_notes

FRAME = pd.DataFrame(
    {"x": [1.0, 2.0, 3.0, 4.0], "car": ["van", "bus", "van", "bus"], "y": ["a", "a", "b", "=b"]}
)
MODEL = dtviz.fit(dtviz.from_frame(FRAME, "y"))
NUMBERS = dtviz.fit(
    dtviz.from_frame(FRAME, "x", ["car"], task="regression"), Rules("squared_error")
)


def test_columns_are_added_after_those_of_the_table() -> None:
    table = FRAME[["y", "x", "car"]].assign(more=[None, "=1+1", "-5", "@x"])
    found = steps_module.add_predictions(MODEL, table)
    assert found[[*table]].equals(table)
    added = ["predicted y", "leaf", "share of =b", "share of a", "share of b"]
    assert [*found][4:] == added
    assert found["predicted y"].tolist() == MODEL.predict(table).tolist()
    assert found["leaf"].tolist() == MODEL.apply(table).tolist()
    assert np.array_equal(found[added[2:]].to_numpy(), MODEL.predict_proba(table))
    assert [*table] == ["y", "x", "car", "more"]  # what was given is as it was


def test_a_number_has_no_shares() -> None:
    found = steps_module.add_predictions(NUMBERS, FRAME[["car"]])
    assert [*found] == ["car", "predicted x", "leaf"]
    assert found["predicted x"].tolist() == [2, 3, 2, 3]


def test_trees_that_predict_together_have_no_leaf_to_tell() -> None:
    forest = dtviz.forest(dtviz.from_frame(FRAME, "y"), trees=5)
    found = steps_module.add_predictions(forest, FRAME)
    assert [*found][3:] == ["predicted y", "share of =b", "share of a", "share of b"]
    assert found["predicted y"].tolist() == forest.predict(FRAME).tolist()
    lacking = FRAME.assign(x=[1.0, np.nan, 3.0, 4.0])
    assert prediction_notes(forest, lacking)[0].text == "not predicted, no value in 'x'"


def test_names_that_are_taken_are_left_to_the_table() -> None:
    found = steps_module.add_predictions(NUMBERS, FRAME.assign(**{"leaf": 0, "predicted x": 1}))
    assert [*found][-2:] == ["predicted x (2)", "leaf (2)"]


def test_a_row_without_a_value_is_not_predicted_and_told() -> None:
    table = FRAME.assign(x=[1.0, np.nan, 3.0, 4.0], car=["van", None, "tram", "bus"])
    table.attrs["lines"] = np.array([2, 3, 5, 6])
    found = steps_module.add_predictions(MODEL, table)
    assert found["predicted y"].isna().tolist() == [False, True, False, False]
    assert found["leaf"].isna().tolist() == [False, True, False, False]
    assert prediction_notes(MODEL, table) == (
        Note("column", "'tram' in no training row: goes with most rows", None, "car"),
        Note("row", "not predicted, no value in 'x', 'car'", 3),
    )
    assert prediction_notes(MODEL, FRAME) == ()


def test_a_value_that_training_rows_lack_too_is_no_problem() -> None:
    model = dtviz.fit(dtviz.from_frame(FRAME.assign(x=[1.0, 2.0, None, 4.0]), "y"))
    table = FRAME.assign(x=np.nan)
    assert prediction_notes(model, table) == ()
    assert (
        steps_module.add_predictions(model, table)["predicted y"].tolist()
        == model.predict(table).tolist()
    )


def test_rows_not_predicted_are_told_once_for_the_values_that_they_lack() -> None:
    some = FRAME.assign(x=[np.nan, np.nan, np.nan, 1.0], car=["van", None, "van", None])
    assert prediction_notes(MODEL, some) == (
        Note("row", "not predicted, no value in 'x'", 1, None, 2, (3,)),
        Note("row", "not predicted, no value in 'x', 'car'", 2),
        Note("row", "not predicted, no value in 'car'", 4),
    )


def test_rows_that_lack_their_values_in_many_ways_are_told_together() -> None:
    values = np.arange(400.0).reshape(40, 10)
    names = [f"x{i}" for i in range(10)]
    model = dtviz.fit(
        dtviz.from_frame(pd.DataFrame(values, columns=names).assign(y=["a", "b"] * 20), "y")
    )
    gaps = np.where(np.eye(10, dtype=bool).repeat(4, axis=0), np.nan, values)
    assert prediction_notes(model, pd.DataFrame(gaps, columns=names)) == (
        Note(
            "row",
            "not predicted, no value in at least one of 'x0', 'x1', 'x2', 'x3', 'x4' and 5 more",
            1,
            None,
            40,
            (2, 3, 4, 5),
        ),
    )


def test_of_too_large_a_table_the_shares_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps_module, "MAX_CELLS", 31)  # 4 rows of 3 + 2 + 3 columns are 32 cells
    assert [*steps_module.add_predictions(MODEL, FRAME)] == ["x", "car", "y", "predicted y", "leaf"]
    said = "the shares of the classes are left out: at most 31 cells"
    assert prediction_notes(MODEL, FRAME) == (Note("file", said),)
    monkeypatch.setattr(steps_module, "MAX_CELLS", 32)
    assert len([*steps_module.add_predictions(MODEL, FRAME)]) == 8


def test_a_table_that_does_not_suit_is_refused() -> None:
    refused: tuple[tuple[Any, str], ...] = (
        (FRAME[["x"]], "the table has no column 'car'"),
        (FRAME.assign(x="many"), "the tree needs numbers in 'x'; here it holds text"),
        ([1], "`frame` must be a DataFrame"),
    )
    for table, message in refused:
        for ask in (steps_module.add_predictions, prediction_notes):
            with pytest.raises(DataError) as error:
                ask(MODEL, table)
            assert message in str(error.value)


def test_an_empty_table_comes_back_empty() -> None:
    assert len(steps_module.add_predictions(MODEL, FRAME[:0])) == 0


# --- as text --------------------------------------------------------------------------------------


def test_whole_numbers_have_no_decimals_and_gaps_are_empty() -> None:
    table = pd.DataFrame(
        {"a": [1.0, np.nan], "b": [0.5, 2.0], "c": [2.0**60, 1.0], "d": [None, "x"]}
    )
    assert csv(table) == "a,b,c,d\n1,0.5,1.152921504606847e+18,\n,2.0,1.0,x\n"


def test_a_cell_that_a_spreadsheet_would_run_is_shown_instead() -> None:
    cells = ["=1+1", "+x", "-5a", "@sum", "＝1", "plain", "-5", 'a "quoted", cell', "two\nlines"]
    table = pd.DataFrame({"x": 1, "car": "van", "=cell": cells})
    again, _ = read_frame(csv(steps_module.add_predictions(MODEL, table)).encode())
    assert again["'=cell"].tolist() == ["'=1+1", "'+x", "'-5a", "'@sum", "'＝1", *cells[5:]]
    assert again["predicted y"].tolist() == ["a"] * len(cells)
    named = csv(pd.DataFrame({"x": [1.5]}, index=["=1+1"]))
    assert named == ",x\n'=1+1,1.5\n"
    text = csv(steps_module.add_predictions(MODEL, FRAME))
    assert "'=b" in text
    assert not any(part.startswith("=") for part in text.split(","))


def test_cells_that_are_no_text_stay_what_they_are() -> None:
    table = pd.DataFrame({"n": [-5, 3], "f": [-0.5, 1e300], "b": [True, False]})
    table["c"] = pd.Categorical(["=a", "b"])
    table["d"] = pd.to_datetime(["2024-01-01", None])
    assert csv(table) == "n,f,b,c,d\n-5,-0.5,True,'=a,2024-01-01\n3,1e+300,False,b,\n"


def test_the_names_of_rows_stay() -> None:
    assert csv(FRAME[["x"]].set_axis(["p", "q", "r", "s"])) == ",x\np,1\nq,2\nr,3\ns,4\n"


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_numbers_come_back_to_the_last_digit(values: list[float]) -> None:
    text = csv(pd.DataFrame({"v": values, "w": "x"}))
    assert read_frame(text.encode())[0]["v"].tolist() == values


COLUMNS = [
    "feature", "rule", "threshold", "n_left", "n_right", "impurity_left", "impurity_right", "gain",
    "weighted_gain", "admissible", "boundary",
]  # fmt: skip


@settings(max_examples=12)
@given(grown())
def test_the_table_has_one_row_a_cut(case: Any) -> None:
    found, rules, log, tree = case
    for node in tree.nodes:
        table = candidates(found, rules, log, node)
        own = [rules.criterion] if rules.criterion in ("cart", "gain_ratio") else []
        assert list(table.columns) == COLUMNS + own
        place = table.feature.map(found.features.index)
        order = pd.DataFrame({"f": place, "t": table.threshold})
        assert order.equals(order.sort_values(["f", "t"]))
        rows = rows_in(tree, node)
        for cut in table.itertuples():
            x = found.columns[found.features.index(cut.feature), rows]
            assert cut.n_left == (x <= cut.threshold).sum()
            assert cut.n_right == (x > cut.threshold).sum()
            name, limit = cut.rule.rsplit(" <= ", 1)
            assert (name, int((x <= float(limit)).sum())) == (cut.feature, cut.n_left)
            assert cut.weighted_gain == pytest.approx(cut.gain * len(rows))
            least = minimum_of(rules, found)
            enough = max(least.rows, least.weight - 1e-9)
            assert cut.admissible == (min(cut.n_left, cut.n_right) >= enough)


def test_the_table_of_the_heights() -> None:
    table = candidates(data_of(HEIGHTS))
    assert table.rule.tolist() == ["height <= 165", "height <= 175"]
    assert table.weighted_gain.tolist() == pytest.approx([3.286956, 0.896597], abs=5e-7)
    assert table.impurity_left.tolist() == pytest.approx([0, 1])
    assert table.boundary.tolist() == [True, True]
    assert table.admissible.tolist() == [True, True]
    assert table.n_left.tolist() == [2, 6]


def test_a_measure_of_its_own_is_a_column() -> None:
    table = candidates(data_of(AGE_CAR_RISK), Rules("cart")).set_index("rule")
    for rule, printed in AGE_CAR_RISK["candidates"].items():
        assert table.cart[rule] == pytest.approx(printed["cart"], abs=5e-7)
        assert table.gain[rule] == pytest.approx(printed["gini"], abs=5e-7)


def test_no_cut_is_an_empty_table() -> None:
    table = candidates(dtviz.from_frame(pd.DataFrame({"x": [1, 1], "y": ["a", "b"]}), "y"))
    assert list(table.columns) == COLUMNS
    assert len(table) == 0


def test_a_node_that_is_not_there_is_named() -> None:
    found = data_of(HEIGHTS)
    with pytest.raises(LogError, match=r"node 2 is not in the tree; it has \[1\]"):
        candidates(found, node=2)
    with pytest.raises(LogError, match="leaves one side empty") as caught:
        candidates(found, log=(Grow(1, axis_split(0, 165)), Grow(2, axis_split(0, 100))))
    assert caught.value.index == 1
    with pytest.raises(RulesError, match="`criterion`"):
        candidates(found, Rules("squared_error"))


def test_steps_go_on_from_a_log_of_your_own() -> None:
    found = data_of(HEIGHTS)
    own = (Grow(1, axis_split(0, 175)),)
    after = list(steps(found, log=own))
    assert [step.move for step in after] == [Grow(2, axis_split(0, 165))]
    assert after[0].log == (*own, after[0].move)
    assert after[0].before.splits == {1: own[0].split}
    assert list(steps(found, log=(*own, Collapse(1)))) == []


def test_steps_do_not_look_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    found = dtviz.load("moons", n=100, seed=1)
    made = []
    plain = dtviz.engine.grow.extend
    monkeypatch.setattr(dtviz.engine.grow, "extend", lambda *a: made.append(1) or plain(*a))
    walk = steps(found, Rules())
    assert made == []
    next(walk)
    next(walk)
    assert len(made) == 2


def test_a_collapse_is_a_step_too() -> None:
    found = data_of(HEIGHTS)
    log = (Grow(1, axis_split(0, 165)), Collapse(1))
    step = Step(found, Rules(), log, log[1], fold(Problem(found, Rules()), log[:1]))
    assert step.why.startswith("height <= 165 wins")
    assert np.array_equal(step.candidates.threshold, [165, 175])


@given(data(), st.data())
def test_the_steps_are_the_moves_of_the_fit(table: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(table))
    taken = list(steps(table, rules))
    model = fit(table, rules)
    assert tuple(step.move for step in taken) == model.log
    for k, step in enumerate(taken):
        assert step.log == model.log[: k + 1]
        assert step.before.splits == fold(Problem(table, rules), model.log[:k]).splits
        assert len(step.table) == len(step.candidates)
        assert step.why.endswith(".")
        cuts = step.candidates
        assert cuts.best is not None
        if isinstance(step.move, Collapse):
            assert step.move.node in step.before.splits
        else:
            assert cuts.split(cuts.best) == step.move.split
    for start in range(len(taken)):
        rest = [step.move for step in steps(table, rules, model.log[:start])]
        assert tuple(rest) == model.log[start:]


def test_the_steps_of_a_pruned_tree_by_hand() -> None:
    # y = a b a a: x <= 0.5 and x <= 1.5 part the b, which lowers gini from 0.375 to 0 with three
    # leaves: alpha is 0.375 / 2 for both splits, 0.25 for the second alone
    found = dtviz.data.dataset.make_dataset(
        [np.arange(4.0)], np.array([0, 1, 0, 0]), ["x"], "y", "ab"
    )
    taken = list(steps(found, Rules("gini", ccp_alpha=0.2)))
    assert [step.move for step in taken] == [
        Grow(1, axis_split(0, 1.5)),
        Grow(2, axis_split(0, 0.5)),
        Collapse(1),
    ]
    assert set(taken[-1].before.splits) == {1, 2}
    assert [len(step.candidates) for step in taken] == [3, 1, 3]
    assert "each of 2 more leaves" in taken[-1].why
    assert "0.19;" in taken[-1].why
    assert "0.2" in taken[-1].why


def test_a_split_of_your_own_is_explained_as_such() -> None:
    found = data_of(HEIGHTS)
    move = Grow(1, axis_split(0, 175))
    step = Step(found, Rules(), (move,), move, fold(Problem(found, Rules()), ()))
    assert "% of the best cut, height <= 165" in step.why


@settings(max_examples=8)
@given(grown(10))
def test_the_race_is_over_the_same_cuts(case: Any) -> None:
    found, rules, log, tree = case
    for node in tree.nodes:
        raced = candidates_by_criterion(Problem(found, rules), tree, node)
        assert tuple(raced) == criteria_of(found)
        for name, cuts in raced.items():
            own = candidates(found, replace(rules, criterion=name), log, node)
            score = own[name if CRITERIA[name].measure else "gain"]
            assert cuts.threshold.tolist() == own.threshold.tolist()
            assert [found.features[f] for f in cuts.line] == own.feature.tolist()
            assert cuts.score.tolist() == score.tolist()
            assert cuts.admissible.tolist() == own.admissible.tolist()


@given(data(10), st.integers(1, 3))
def test_each_criterion_s_winner_is_the_split_it_would_make(found: Dataset, least: int) -> None:
    usual = Rules(criteria_of(found)[0], min_samples_leaf=least)
    raced = candidates_by_criterion(Problem(found, usual), fit(found, usual, ()).tree, 1)
    for name, cuts in raced.items():
        grown_one = fit(found, Rules(name, max_depth=1, min_samples_leaf=least)).log
        if cuts.best is None:
            assert grown_one == ()
        elif grown_one:  # pure rows are not split, though every cut of theirs ties
            assert grown_one == (Grow(1, cuts.split(cuts.best)),)
        else:
            assert cuts.gain.max() == 0


def test_the_race_on_the_printed_gains() -> None:
    found = data_of(AGE_CAR_RISK)
    raced = candidates_by_criterion(Problem(found, Rules()), fit(found, Rules(), ()).tree, 1)
    for rule, printed in AGE_CAR_RISK["candidates"].items():
        feature, limit = rule.rsplit(" <= ", 1)
        for name, gain in printed.items():
            at = raced[name].find(axis_split(found.features.index(feature), float(limit)))
            assert raced[name].score[at] == pytest.approx(gain, abs=5e-7)


def test_numbers_below_zero_are_ranked_by_squares_and_distances() -> None:
    found = dtviz.load("sine")
    rules = dtviz.engine.rules.default_rules("regression")
    assert list(candidates_by_criterion(Problem(found, rules), fit(found, rules, ()).tree, 1)) == [
        "squared_error", "absolute_error",
    ]  # fmt: skip


def test_steps_and_candidates_take_the_table_as_the_policy_does() -> None:
    frame = pd.DataFrame({"g": ["u", "v", None] * 4, "y": [*"abbabcabbaab"]})
    table = dtviz.from_frame(frame, "y", ["g"])
    for missing in ("value", "drop"):
        rules = Rules("gini", missing=missing)
        model = fit(table, rules)
        assert tuple(step.move for step in dtviz.steps(table, rules)) == model.log
        first = candidates(table, rules)
        assert first["gain"].tolist() == candidates(model.data, rules)["gain"].tolist()
        assert {*(first["n_left"] + first["n_right"])} == {model.data.n}, missing


# --- the rows of a node ---------------------------------------------------------------------------


def test_the_rows_of_a_node_are_told_with_their_cells_left_out_ones_too() -> None:
    table, _ = read_frame(b"id,x,note,y\nP-1,1,a,u\nP-2,2,b,\nP-3,3,c,v\n\nP-4,4,d,v\nP-5,,=e,v\n")
    data = dtviz.from_frame(table, "y", ["x"])
    assert data.lines is not None
    assert data.lines.tolist() == [2, 4, 6, 7]
    tree = fit(data).tree
    rows = steps_module.rows_of_node(data, tree, 3, table)
    assert rows.columns.tolist() == ["row", "id", "x", "note", "y", "predicted y"]
    assert rows["row"].tolist() == [2, 3, 4]
    assert rows["id"].tolist() == ["P-3", "P-4", "P-5"]
    assert rows["predicted y"].tolist() == ["v", "v", "v"]
    assert csv(rows).splitlines()[-1] == "4,P-5,,'=e,v,v"
    alone = steps_module.rows_of_node(data, tree, 1)
    assert alone.columns.tolist() == ["row", "x", "y", "predicted y"]
    assert alone["y"].tolist() == ["u", "v", "v", "v"]
    # without the rows that lack a value the others keep their lines
    complete = dtviz.data.columns.complete_rows(data)
    assert complete.lines is not None
    assert complete.lines.tolist() == [2, 4, 6]


def test_the_rows_of_a_node_hold_numbers_dates_and_categories_as_values() -> None:
    frame = pd.DataFrame({
        "day": pd.to_datetime(["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01"]),
        "row": [*"abab"], "y": [1.5, 2.5, 8.0, 9.0],
    })  # fmt: skip
    data = dtviz.from_frame(frame, "y")
    tree = fit(data, Rules(max_depth=1, criterion="squared_error")).tree
    rows = steps_module.rows_of_node(data, tree, 2)
    assert rows.columns.tolist() == ["row (2)", "day", "row", "y", "predicted y"]
    assert rows["day"].tolist() == frame["day"].tolist()[:2]
    assert rows["predicted y"].tolist() == [2.0, 2.0]
