"""Another table with what a tree says of each row: columns added, its own cells as they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtviz
from dtviz import DataError, Rules
from dtviz.data.csv import read_frame
from dtviz.data.notes import Note
from dtviz.models import score_table
from dtviz.models.score_table import csv, prediction_notes

FRAME = pd.DataFrame(
    {"x": [1.0, 2.0, 3.0, 4.0], "car": ["van", "bus", "van", "bus"], "y": ["a", "a", "b", "=b"]}
)
MODEL = dtviz.fit(dtviz.from_frame(FRAME, "y"))
NUMBERS = dtviz.fit(
    dtviz.from_frame(FRAME, "x", ["car"], task="regression"), Rules("squared_error")
)


def test_columns_are_added_after_those_of_the_table() -> None:
    table = FRAME[["y", "x", "car"]].assign(more=[None, "=1+1", "-5", "@x"])
    found = score_table.add_predictions(MODEL, table)
    assert found[[*table]].equals(table)
    added = ["predicted y", "leaf", "share of =b", "share of a", "share of b"]
    assert [*found][4:] == added
    assert found["predicted y"].tolist() == MODEL.predict(table).tolist()
    assert found["leaf"].tolist() == MODEL.apply(table).tolist()
    assert np.array_equal(found[added[2:]].to_numpy(), MODEL.predict_proba(table))
    assert [*table] == ["y", "x", "car", "more"]  # what was given is as it was


def test_a_number_has_no_shares() -> None:
    found = score_table.add_predictions(NUMBERS, FRAME[["car"]])
    assert [*found] == ["car", "predicted x", "leaf"]
    assert found["predicted x"].tolist() == [2, 3, 2, 3]


def test_trees_that_predict_together_have_no_leaf_to_tell() -> None:
    forest = dtviz.forest(dtviz.from_frame(FRAME, "y"), trees=5)
    found = score_table.add_predictions(forest, FRAME)
    assert [*found][3:] == ["predicted y", "share of =b", "share of a", "share of b"]
    assert found["predicted y"].tolist() == forest.predict(FRAME).tolist()
    lacking = FRAME.assign(x=[1.0, np.nan, 3.0, 4.0])
    assert prediction_notes(forest, lacking)[0].text == "not predicted, no value in 'x'"


def test_names_that_are_taken_are_left_to_the_table() -> None:
    found = score_table.add_predictions(NUMBERS, FRAME.assign(**{"leaf": 0, "predicted x": 1}))
    assert [*found][-2:] == ["predicted x (2)", "leaf (2)"]


def test_a_row_without_a_value_is_not_predicted_and_told() -> None:
    table = FRAME.assign(x=[1.0, np.nan, 3.0, 4.0], car=["van", None, "tram", "bus"])
    table.attrs["lines"] = np.array([2, 3, 5, 6])
    found = score_table.add_predictions(MODEL, table)
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
        score_table.add_predictions(model, table)["predicted y"].tolist()
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
    monkeypatch.setattr(score_table, "MAX_CELLS", 31)  # 4 rows of 3 + 2 + 3 columns are 32 cells
    assert [*score_table.add_predictions(MODEL, FRAME)] == ["x", "car", "y", "predicted y", "leaf"]
    said = "the shares of the classes are left out: at most 31 cells"
    assert prediction_notes(MODEL, FRAME) == (Note("file", said),)
    monkeypatch.setattr(score_table, "MAX_CELLS", 32)
    assert len([*score_table.add_predictions(MODEL, FRAME)]) == 8


def test_a_table_that_does_not_suit_is_refused() -> None:
    refused: tuple[tuple[Any, str], ...] = (
        (FRAME[["x"]], "the table has no column 'car'"),
        (FRAME.assign(x="many"), "the tree needs numbers in 'x'; here it holds text"),
        ([1], "`frame` must be a DataFrame"),
    )
    for table, message in refused:
        for ask in (score_table.add_predictions, prediction_notes):
            with pytest.raises(DataError) as error:
                ask(MODEL, table)
            assert message in str(error.value)


def test_an_empty_table_comes_back_empty() -> None:
    assert len(score_table.add_predictions(MODEL, FRAME[:0])) == 0


# --- as text --------------------------------------------------------------------------------------


def test_whole_numbers_have_no_decimals_and_gaps_are_empty() -> None:
    table = pd.DataFrame(
        {"a": [1.0, np.nan], "b": [0.5, 2.0], "c": [2.0**60, 1.0], "d": [None, "x"]}
    )
    assert csv(table) == "a,b,c,d\n1,0.5,1.152921504606847e+18,\n,2.0,1.0,x\n"


def test_a_cell_that_a_spreadsheet_would_run_is_shown_instead() -> None:
    cells = ["=1+1", "+x", "-5a", "@sum", "＝1", "plain", "-5", 'a "quoted", cell', "two\nlines"]
    table = pd.DataFrame({"x": 1, "car": "van", "=cell": cells})
    again, _ = read_frame(csv(score_table.add_predictions(MODEL, table)).encode())
    assert again["'=cell"].tolist() == ["'=1+1", "'+x", "'-5a", "'@sum", "'＝1", *cells[5:]]
    assert again["predicted y"].tolist() == ["a"] * len(cells)
    named = csv(pd.DataFrame({"x": [1.5]}, index=["=1+1"]))
    assert named == ",x\n'=1+1,1.5\n"
    text = csv(score_table.add_predictions(MODEL, FRAME))
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
