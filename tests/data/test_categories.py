"""Ranks: cut as numbers, told by their names, in words, in every export and from every table."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal

import dtviz
from dtviz import Rules
from dtviz.data.categories import category_text
from dtviz.data.columns import profile
from dtviz.data.dataset import make_dataset
from dtviz.data.units import Quantity, kind_of, quantity_of_column
from dtviz.engine.problem import Problem
from dtviz.engine.tree import root_tree
from dtviz.explain.why import candidate_latex, why
from dtviz.explain.words import candidate_text_column
from dtviz.models.steps import node_candidates
from dtviz.pictures.scales import scene_axes
from dtviz.pictures.stage import slice_text
from dtviz.pictures.stage_cuts import pinned_values

SIZES = ["small", "medium", "large", "it's huge"]
CODES = [0, 0, 1, 1, 2, 2, 3, 3, 0, 1]


def ranked(codes: Any, names: Any = SIZES) -> Any:
    return pd.Categorical.from_codes(codes, names, ordered=True)


def frame(names: Any = SIZES) -> pd.DataFrame:
    return pd.DataFrame({"size": ranked(CODES, names), "n": range(10), "y": [*"aabbaaaaab"]})


MODEL = dtviz.fit(dtviz.from_frame(frame(), "y", ["size"]))


def test_an_ordered_category_is_a_number_with_names() -> None:
    result = dtviz.from_frame(frame(), "y")
    assert result.features == ("size", "n")
    assert result.levels == ((), ())
    assert result.quantities[0] == Quantity("rank", rank_names=tuple(SIZES))
    assert result.columns[0].tolist() == CODES
    assert [str(rule) for rule in MODEL.rules()] == [
        "size <= small -> a (3 rows)",
        "small < size <= medium -> b (3 rows)",
        "size > medium -> a (4 rows)",
    ]
    other = frame().assign(size=frame()["size"].astype("category").cat.as_unordered())
    assert dtviz.from_frame(other, "y").levels[0] == tuple(sorted(SIZES))


def test_words_candidates_and_the_slice_tell_names() -> None:
    data, rules = MODEL.data, MODEL.rules_used
    problem = Problem(data, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    assert candidate_text_column(data, cuts).to_pylist() == [
        "size <= small",
        "size <= medium",
        "size <= large",
    ]
    assert candidate_latex(data, cuts, 1) == r"\text{size} \le \text{medium}"
    assert why(problem, cuts).startswith("size <= ")
    both = dtviz.from_frame(frame().assign(m=1), "y", ["n", "m", "size"])
    assert "size = medium" in slice_text(both, (0, 1), pinned_values(both))
    assert profile(frame()["size"]).kind == "ranks"


def test_an_axis_has_the_names_for_ticks_and_of_many_one_of_so_many() -> None:
    across, _ = scene_axes(dtviz.from_frame(frame(), "y"), (0, 1))
    assert across["clock"]["names"] == SIZES
    assert across["ladder"][-1]["text"] == SIZES
    assert (across["low"], across["high"]) == (-0.5, 3.5)
    many = Quantity("rank", rank_names=tuple(f"r{k}" for k in range(40)))
    rungs = kind_of(many).ticks(-2, 41, many)
    assert [len(rung.texts) for rung in rungs] == [2, 3, 5, 10, 20, 40]
    assert rungs[0].texts == ["r0", "r32"]
    assert kind_of(many).ticks(3.5, 4.5, many)[-1].texts == ["r4"]
    four = dtviz.from_frame(frame().iloc[:8], "y", ["n", "size"])  # a rank between two is the lower
    assert pinned_values(four)[1] == 1.5
    assert category_text(four.quantities[1].rank_names[1]) == "medium"
    texts = kind_of(four.quantities[1]).texts(np.array([1.5, -1, 9]), four.quantities[1])
    assert texts == ["medium", "small", "it's huge"]


def test_exports_list_the_names_of_a_side() -> None:
    assert "row['size'] is not nan and str(row['size']) in ('small',)" in MODEL.export("python")
    assert "\"size\" IN ('large', 'it''s huge')" in MODEL.export("sql")
    nodes = json.loads(MODEL.export("json"))["nodes"]
    sides = [node["left_values"] for node in nodes if "left_values" in node]
    assert sorted(sides) == [["small"], ["small", "medium"]]


NAMES = st.lists(
    st.one_of(st.text(max_size=4), st.integers(-9, 9)), min_size=2, max_size=6, unique_by=str
)


@given(NAMES, st.data())
def test_ranks_split_as_their_places_do_and_every_export_agrees(
    names: list[Any], drawn: st.DataObject
) -> None:
    codes = drawn.draw(st.lists(st.integers(0, len(names) - 1), min_size=2, max_size=20))
    y = drawn.draw(st.lists(st.sampled_from("AB"), min_size=len(codes), max_size=len(codes)))
    names = [name.replace("\0", "") if isinstance(name, str) else name for name in names]
    names = [*dict.fromkeys(names)]
    codes = [code % len(names) for code in codes]
    rows = pd.DataFrame({"g": ranked(codes, pd.Index(names, dtype=object)), "y": y})
    result, rules = dtviz.from_frame(rows, "y"), Rules("gini")
    model = dtviz.fit(result, rules)
    plain = make_dataset([codes], result.y, "g", "y", result.classes)
    assert model.log == dtviz.fit(plain, rules).log
    table = pd.DataFrame({"g": pd.Series(names, dtype=object)})
    expected = model.predict(table).tolist()
    assert model.predict(rows).tolist() == [expected[code] for code in codes]
    space: dict[str, Any] = {}
    exec(model.export("python"), space)
    assert [space["predict"](row) for row in table.to_dict("records")] == expected
    base = sqlite3.connect(":memory:")
    table.to_sql("t", base, index=False)
    answers = base.execute(f"SELECT {model.export('sql')} FROM t ORDER BY rowid").fetchall()
    base.close()
    assert [answer for (answer,) in answers] == expected
    assert [model.path([name])[-1] for name in names] == model.apply(table).tolist()


def test_numbers_and_intervals_that_are_ranks_are_read_by_their_texts() -> None:
    grades = frame([10, 20, 30, 40])
    model = dtviz.fit(dtviz.from_frame(grades, "y", ["size"]))
    assert '"size" IN (10)' in model.export("sql")
    assert model.predict(pd.DataFrame({"size": [10, 20.0, 40]})).tolist() == ["a", "b", "a"]
    assert model.path([20]) == model.path({"size": 20})
    reason = refusal(model.path, [1])
    assert "'size' must hold ranks in every row: '10', '20', '30'" in reason
    cut = pd.cut(pd.Series([1, 5, 9, 2]), [0, 3, 6, 10])
    assert quantity_of_column(cut).rank_names == ("(0, 3]", "(3, 6]", "(6, 10]")
    model = dtviz.fit(dtviz.from_frame(pd.DataFrame({"g": cut, "y": [*"abba"]}), "y"))
    assert model.predict(pd.DataFrame({"g": cut})).tolist() == [*"abba"]
    assert model.predict(pd.DataFrame({"g": ["(3, 6]"]})).tolist() == ["b"]


def test_what_is_no_rank_is_refused_with_those_there_are() -> None:
    for odd in (["tiny"], [1], [True]):
        reason = refusal(MODEL.predict, pd.DataFrame({"size": odd}))
        assert "'size' must hold ranks in every row: 'small', 'med" in reason, odd
    reason = refusal(MODEL.predict, pd.DataFrame({"size": [None]}))
    assert "row 0 has no value for 'size'" in reason
    space: dict[str, Any] = {}
    exec(MODEL.export("python"), space)
    with pytest.raises(ValueError, match="a feature has no value"):
        space["predict"]({"size": "tiny"})


def test_test_rows_are_ranked_as_the_training_rows() -> None:
    for as_text in (False, True):
        names = ["medium", "large"]
        test = pd.DataFrame({"size": ranked([1, 0], names), "n": [1, 2], "y": ["a", "b"]})
        test.index = [7, 9]
        if as_text:
            test["size"] = test["size"].astype(object)
        result = dtviz.from_frame(frame(), "y", test=test)
        assert result.test is not None, as_text
        assert result.test.quantities == result.quantities, as_text
        assert result.test.columns[0].tolist() == [2, 1], as_text
        reason = refusal(dtviz.from_frame, frame(), "y", test=test.assign(size=["tiny", "large"]))
        assert "the test rows: 'size' must hold ranks" in reason
    other = pd.DataFrame({"size": ranked([1, 0, 1], ["large", "medium"]), "y": [*"bab"]})
    data = dtviz.from_frame(other, "y", ["size"])
    assert data.columns[0].tolist() == [1, 0, 1]
    assert MODEL.predict(data).tolist() == [*"bab"]
    assert MODEL.score(data) == 1.0


def test_a_column_of_any_quantity_may_have_gaps() -> None:
    for kind in ("rank", "date", "duration"):
        columns = {
            "rank": pd.Series(ranked([0, 1, -1, 2, 0])),
            "date": pd.to_datetime(
                pd.Series(["2024-01-01", "2024-02-01", None, "2024-03-01", None])
            ),
            "duration": pd.to_timedelta(pd.Series([1, 2, None, 3, 1]), unit="h"),
        }
        rows = pd.DataFrame({"g": columns[kind], "y": [*"abbab"]})
        result = dtviz.from_frame(rows, "y", ["g"])
        assert (result.quantities[0].kind, result.gaps) == (kind, (True,)), kind
        assert np.isnan(result.columns[0]).tolist() == rows["g"].isna().tolist(), kind
        assert dtviz.from_frame(rows, "y").features == ("g",), kind
