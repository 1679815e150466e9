"""Dates and durations go in, and come out as dates and durations: in words and in every export."""

from __future__ import annotations

import datetime as dt
import io
import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from futures import future_of
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal

import dtviz
from dtviz import Model, from_frame, read_table
from dtviz.data.dataset import make_recipe
from dtviz.data.train_test import join_rows
from dtviz.data.units import PLAIN, Quantity
from dtviz.data.units.numbers import DAY, SECOND
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.search.candidates import candidates
from dtviz.explain.why import arithmetic, candidate_latex, why
from dtviz.explain.words import candidate_text_column, rule_text
from dtviz.session.address import read_address, session_at, write_address
from dtviz.session.session import Session

duckdb = pytest.importorskip("duckdb")
CSV = b"""signed_up,seen,waited,plan,left
2023-11-05,2024-05-01T08:30:00Z,1 days 02:00:00,3,no
2023-12-24,2024-05-01T09:30:00Z,0 days 00:05:00,1,no
2024-01-31,2024-05-02T08:30:00Z,0 days 00:15:00,2,no
2024-02-29,2024-05-02T10:00:00+02:00,0 days 00:25:00,1,no
2024-03-01,2024-05-03T08:30:00Z,0 days 00:10:00,2,yes
2024-04-15,2024-05-04T00:00:00Z,3 days 01:00:00,1,no
2024-05-01,2024-05-06T08:31:00Z,0 days 00:20:00,3,yes
2024-06-30,2024-05-05T23:59:59Z,4 days 00:00:00,3,no
"""
YES = "signed_up 2024-03-01 or later and waited <= 1 day 13:00:00"


@pytest.fixture(scope="module")
def model() -> Model:
    return dtviz.fit(read_table(CSV, "left"))


def frame_of(content: bytes = CSV) -> pd.DataFrame:
    """The table as pandas reads it, its dates as texts."""
    return pd.read_csv(io.BytesIO(content))


def typed() -> pd.DataFrame:
    """The table with its dates as dates."""
    plain = frame_of()
    return plain.assign(
        signed_up=pd.to_datetime(plain["signed_up"]),
        seen=pd.to_datetime(plain["seen"], utc=True, format="ISO8601"),
        waited=pd.to_timedelta(plain["waited"]),
    )


def test_a_file_of_dates_is_cut_at_dates(model: Model) -> None:
    data = model.data
    assert data.features == ("signed_up", "seen", "waited", "plan")
    assert data.quantities == (
        Quantity("date", DAY),
        Quantity("date", SECOND, has_offset=True),
        Quantity("duration", SECOND),
        PLAIN,
    )
    assert [note.text for note in data.notes] == ["times read with their offsets, told in UTC"]
    rules = [str(rule) for rule in model.rules()]
    assert f"{YES} -> yes (2 rows)" in rules
    assert "signed_up before 2024-03-01 -> no (4 rows)" in rules


def test_words_arithmetic_and_candidates_tell_dates(model: Model) -> None:
    data, rules = model.data, model.rules_used
    cuts = candidates(data, np.arange(data.n), CRITERIA[rules.criterion])
    problem = Problem(data, rules)
    assert why(problem, cuts).startswith("signed_up before 2024-03-01 wins: gain ")
    assert candidate_latex(data, cuts, cuts.best) == r"\text{signed\_up} < \text{2024{-}03{-}01}"
    assert arithmetic(problem, cuts, cuts.best, np.arange(data.n))
    texts = candidate_text_column(data, cuts).to_pylist()
    assert "seen before 2024-05-03 16:15Z" in texts
    assert "waited <= 00:07:30" in texts
    assert len(texts) == len(set(texts)) == len(cuts)


def test_exports_have_literals_of_dates_and_durations(model: Model) -> None:
    assert f'{YES.split(" and ")[1]}? yes: predict "yes" [2 rows' in model.export("text")
    assert "signed_up before 2024-03-01" in model.export("dot")
    code, sql = model.export("python"), model.export("sql")
    assert "'2024-03-01' <= when(row['signed_up'])" in code
    assert "\"signed_up\" >= '2024-03-01'" in sql
    nodes = {node["id"]: node for node in json.loads(model.export("json"))["nodes"]}
    assert (nodes[1]["feature"], nodes[1]["before"]) == ("signed_up", "2024-03-01")
    assert nodes[3]["most_seconds"] == 132_000.0


def test_a_frame_is_read_however_it_holds_its_dates(model: Model) -> None:
    plain, dated = frame_of(), typed()
    here = dated.assign(seen=dated["seen"].dt.tz_convert("Asia/Tokyo"))
    python = here.assign(
        signed_up=pd.Series([at.date() for at in here["signed_up"]], dtype=object),
        seen=pd.Series([at.to_pydatetime() for at in here["seen"]], dtype=object),
        waited=pd.Series([at.to_pytimedelta() for at in here["waited"]], dtype=object),
    )
    arrow, nullable = (
        dated.convert_dtypes(dtype_backend=backend).astype({"signed_up": "date32[pyarrow]"})
        for backend in ("pyarrow", "numpy_nullable")
    )
    for frame in (plain, here, python):
        assert model.predict(frame).tolist() == plain["left"].tolist()
        assert model.score(frame) == 1
        assert model.path(frame.iloc[4].to_dict()) == (1, 3, 6)
    for frame in (plain, here, python, arrow, nullable):
        data = from_frame(frame, "left")
        assert data.quantities == model.data.quantities
        assert np.array_equal(data.columns, model.data.columns)
    assert model.path(model.data.columns[:, 4].tolist()) == (1, 3, 6)
    offsets = [("seen", "times read with their offsets, told in UTC")]
    for frame, notes in ((plain, offsets), (here, offsets), (dated, [])):
        assert [(note.column, note.text) for note in from_frame(frame, "left").notes] == notes


def test_a_cell_that_is_no_date_is_a_gap_and_told() -> None:
    rows = [f"2024-03-{day:02},{'ab'[day > 5]}" for day in range(1, 13)]
    content = "\n".join(["at,y", *rows, "2024-02-30,a"]).encode()
    for data in (read_table(content, "y"), from_frame(frame_of(content), "y")):
        assert data.quantities == (Quantity("date", DAY),)
        assert np.flatnonzero(np.isnan(data.columns[0])).tolist() == [12]
        assert any("'2024-02-30' is" in note.text for note in data.notes)
    assert any("is not a date, read as missing" in n.text for n in read_table(content, "y").notes)
    frame = pd.DataFrame({"at": pd.to_datetime(["2024-03-01", None, "2024-03-03"]), "y": [*"abb"]})
    data = from_frame(frame, "y")
    assert data.columns[0, [0, 2]].tolist() == [19783.0, 19785.0]
    assert np.isnan(data.columns[0, 1])
    assert [note.column for note in data.notes] == ["at"]
    days = pd.DataFrame({"at": pd.date_range("2024-01-01", periods=40), "y": [1, 2, 2, 1] * 10})
    assert from_frame(days, "y").notes == ()  # no key


def test_rows_of_another_precision_are_read_as_the_trees(model: Model) -> None:
    frame = typed()
    later = frame.assign(signed_up=frame["signed_up"] + pd.Timedelta("23:59:59.999999"))
    data = from_frame(later.assign(waited=frame["waited"].dt.floor("D")), "left")
    assert data.quantities != model.data.quantities
    spans = pd.Series(pd.to_timedelta(data.columns[2], unit="D"))
    assert model.apply(data).tolist() == model.apply(later.assign(waited=spans)).tolist()


def test_what_is_no_date_is_refused_by_name(model: Model) -> None:
    for column, values, says in (
        ("signed_up", 7.5, "'signed_up' must hold dates in every row"),
        ("signed_up", "soon", "'signed_up' must hold dates in every row"),
        ("signed_up", "05/06/2024", "in '05/06/2024' the day or the month could be first"),
        ("seen", "2024-03-01 08:00", "'seen' must hold dates with an offset from UTC"),
        ("waited", "2024-03-01", "'waited' must hold durations in every row"),
        ("plan", pd.Timestamp("2024-03-01"), "numbers in 'plan'; here it holds dates"),
        ("signed_up", None, "row 0 has no value for 'signed_up'"),
    ):
        assert says in refusal(model.predict, typed().assign(**{column: values})), says


def test_dates_that_would_merge_are_no_feature_and_say_so() -> None:
    near = pd.Series(pd.to_datetime([0, 1, 2, 3], unit="ns"))
    frame = pd.DataFrame({"at": near, "x": [1, 2, 3, 4], "y": list("aabb")})
    data = from_frame(frame, "y")
    assert data.features == ("x",)
    assert "would become one" in data.notes[0].text
    assert "would become one" in refusal(from_frame, frame, "y", ["at"])


def test_dates_to_predict_are_classes_by_their_texts() -> None:
    days = pd.to_datetime(["2024-03-01", "2024-03-02", None, "2024-03-01"])
    frame = pd.DataFrame({"x": [1, 2, 3, 1], "due": days})
    model = dtviz.fit(from_frame(frame, "due"))
    assert model.data.classes == ("2024-03-01", "2024-03-02")
    assert model.score(frame.drop(index=2)) == 1
    reason = refusal(from_frame, frame, "due", task="regression")
    assert "'due' holds dates; regression needs a number" in reason


def test_rows_held_out_are_measured_as_the_training_rows() -> None:
    days = pd.to_datetime(["2024-03-01", "2024-03-02", "2024-03-03", "2024-03-04"])
    days += pd.to_timedelta([0, 0, 12, 0], unit="h")
    roles = ["train", "train", "test", "validation"]
    frame = pd.DataFrame({"at": days, "y": list("abab"), "role": roles})
    data = from_frame(frame, "y", role="role")
    assert data.quantities == data.test.quantities == data.validation.quantities
    assert join_rows(data, data.test).columns.tolist() == [[19783.0, 19784.0, 19785.0]]
    late = frame.assign(at=frame["at"].dt.tz_localize("UTC"))
    reason = refusal(from_frame, frame.iloc[:2], "y", test=late.iloc[2:])
    assert "the test rows: 'at' must hold dates" in reason


def test_an_address_keeps_a_cut_between_dates() -> None:
    data = dtviz.load("sign_ups")
    log = (dtviz.Grow(1, dtviz.axis_split(0, 19745.5)), dtviz.Grow(3, dtviz.axis_split(1, 1e5)))
    session = Session(make_recipe("sign_ups"), default_rules(data.task), log)
    params = write_address(session, data, future_of(data))
    back = session_at(read_address(params, make_recipe("other")), data, future_of(data))
    assert back == (session, ())
    model = dtviz.fit(data, session.rules, log)
    assert rule_text(data, model.tree, 1) == "signed_up before 2024-01-24"
    assert rule_text(data, model.tree, 3) == "waited <= 1 day 03:47:00"


def by_python(model: Model, frame: pd.DataFrame) -> list[Any]:
    names: dict[str, Any] = {}
    exec(model.export("python"), names)
    rows = frame.to_dict("records")
    python = [{k: getattr(v, "to_pydatetime", lambda v=v: v)() for k, v in r.items()} for r in rows]
    result = [names["predict"](row) for row in rows]
    assert result == [names["predict"](row) for row in python]
    return result


def by_sqlite(model: Model, frame: pd.DataFrame) -> list[Any]:
    base = sqlite3.connect(":memory:")
    stored = frame.copy()
    for name, column in frame.items():
        if pd.api.types.is_timedelta64_dtype(column):
            stored[name] = column.dt.total_seconds()
        elif pd.api.types.is_datetime64_any_dtype(column):
            stored[name] = column.map(str, na_action="ignore")
    stored.to_sql("t", base, index=False)
    return [row[0] for row in base.execute(f"SELECT {model.export('sql')} FROM t")]


def by_duckdb(model: Model, frame: pd.DataFrame) -> list[Any]:
    stored = frame.copy()
    for name, column in frame.items():
        if pd.api.types.is_timedelta64_dtype(column):
            stored[name] = column.dt.total_seconds()
    base = duck()
    base.register("t", stored)
    return [row[0] for row in base.execute(f"SELECT {model.export('sql')} FROM t").fetchall()]


@cache
def duck() -> duckdb.DuckDBPyConnection:
    """One base for all: to open it takes ten times as long as to ask it."""
    return duckdb.connect()


RUNS: tuple[Callable[[Model, pd.DataFrame], list[Any]], ...] = (by_python, by_sqlite, by_duckdb)


near = st.datetimes(dt.datetime(2024, 2, 27), dt.datetime(2024, 3, 3))
kept = {
    "days": near.map(lambda at: dt.datetime(at.year, at.month, at.day)),
    "seconds": near.map(lambda at: at.replace(microsecond=0)),
    "microseconds": near,
    "aware": near.map(lambda at: at.replace(microsecond=0, tzinfo=dt.UTC)),
    "spans": near.map(lambda at: at - dt.datetime(2024, 3, 1)),
}


def test_exports_predict_as_the_model_does(model: Model) -> None:
    for run in RUNS:
        assert run(model, typed()) == model.predict(typed()).tolist(), run


@pytest.mark.parametrize("name", kept)
@settings(max_examples=10)
@given(st.data(), st.sampled_from([None, "learned", "surrogates", "majority", "value"]))
def test_exports_send_every_moment_where_predict_does(
    name: str, data: st.DataObject, missing: Any
) -> None:
    values: list[Any] = data.draw(st.lists(kept[name], min_size=4, max_size=12, unique=True))
    values += [None] * (missing is not None)
    frame = pd.DataFrame({"at": values, "y": np.arange(len(values), dtype=float) % 3})
    rules = replace(default_rules("regression"), **({"missing": missing} if missing else {}))
    model = dtviz.fit(from_frame(frame, "y", task="regression"), rules)
    others = kept["microseconds"] if name in ("days", "seconds") else kept[name]
    more: Sequence[Any] = data.draw(st.lists(others, min_size=1, max_size=12))
    new = pd.DataFrame({"at": [*values, *more]})
    for run in RUNS:
        assert run(model, new) == model.predict(new).tolist(), run
