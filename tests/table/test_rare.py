"""Rare values of categories as one: what counts as rare, what it is called, where new values go."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal

import dtviz
from dtviz.table import uploads
from dtviz.table.data import recipe
from dtviz.table.levels import Rest
from dtviz.table.notes import Note
from dtviz.table.rare import group_rare, rare_values

CITIES = [*("Ulm" for _ in range(6)), *("Bonn" for _ in range(5)), "Kiel", "Kiel", "Jena", "Hof"]
FRAME = pd.DataFrame({
    "city": CITIES, "far": ["yes"] * 11 + ["no"] * 4, "n": range(15), "y": [*"aaaaaabbbbbaaaa"],
})  # fmt: skip


def data(**more: Any) -> dtviz.Dataset:
    return dtviz.from_frame(FRAME, "y", ["city", "far", "n"], **more)


def test_values_that_fewer_rows_have_are_one_and_a_note_names_them() -> None:
    result = group_rare(data(), 5)
    assert result.levels == (("Bonn", "Ulm", "other"), ("no", "yes"), ())
    assert result.columns[0].tolist() == [*([1.0] * 6), *([0.0] * 5), *([2.0] * 4)]
    assert result.notes[-1] == Note(
        "column",
        "3 values that fewer than 5 rows have are put together as 'other': 'Hof', 'Jena', 'Kiel'",
        None,
        "city",
    )
    assert np.array_equal(result.columns[1:], data().columns[1:])
    frame = FRAME.assign(city=FRAME["city"].replace("Ulm", "other"))  # a value has that name
    result = group_rare(dtviz.from_frame(frame, "y", ["city"]), 5)
    assert result.levels == (("Bonn", "other", "other (2)"),)


def test_one_rare_value_alone_stays_and_so_do_numbers_and_truth_values() -> None:
    assert rare_values(data()) == {"city": ("Hof", "Jena", "Kiel")}
    assert rare_values(data(), 2) == {"city": ("Hof", "Jena")}
    frame = FRAME.assign(b=[True, False, *([None] * 13)], g=pd.Categorical(range(15)))
    some = dtviz.from_frame(frame.iloc[:2], "y", ["b", "g"])
    assert rare_values(some) == {}
    assert group_rare(some).levels == some.levels


def test_rows_held_out_are_put_together_as_those_of_the_training_rows() -> None:
    test = pd.DataFrame({"city": ["Hof", "Ulm", "Rom"], "far": "yes", "n": 1, "y": ["a", "b", "a"]})
    result = group_rare(data(test=test), 5)
    assert result.test.levels[0] == result.levels[0]
    assert result.test.columns[0].tolist() == [2, 1, 2]
    held = dtviz.fit(result).predict(result.test).tolist()
    assert held == dtviz.fit(result).predict(test).tolist()


def test_how_few_is_a_whole_number() -> None:
    for least in (1, 0, -3, 2.5, True, "5", None):
        reason = refusal(group_rare, data(), least)
        assert "`rare` must be a whole number, at least 2" in reason, least
    assert "`data` must be a Dataset" in refusal(group_rare, FRAME)
    for rare, kept in (("5", 5), (5, 5), ("12", 12), ("1", None), ("x", None), (None, None)):
        about = {"sha": "s", "file": "f.csv", "target": "y", "task": "classification"}
        full = uploads.complete(recipe("file", **about, rare=rare))
        assert full.get("rare") == kept, rare
        levels = uploads.build(full, {"s": (FRAME, ())}).levels[0]
        assert (len(levels) < 5) == (kept is not None), rare


@given(
    st.lists(st.sampled_from("abcdefg"), min_size=4, max_size=30),
    st.randoms(use_true_random=False),
    st.sampled_from([("axis", "subset"), ("axis", "onevsrest")]),
)
def test_every_export_sends_rare_and_new_values_where_the_model_does(
    values: list[str], random: Any, families: tuple[str, ...]
) -> None:
    frame = pd.DataFrame({"g": values, "y": [random.choice("AB") for _ in values]})
    result = group_rare(dtviz.from_frame(frame, "y", ["g"]), 4)
    model = dtviz.fit(result, dtviz.Rules(families=families))
    rows = pd.DataFrame({"g": [*"abcdefg", "other", "it's new"]})
    expected = model.predict(rows).tolist()
    space: dict[str, Any] = {}
    exec(model.export("python"), space)
    assert [space["predict"](row) for row in rows.to_dict("records")] == expected
    base = sqlite3.connect(":memory:")
    rows.to_sql("t", base, index=False)
    answers = base.execute(f"SELECT {model.export('sql')} FROM t ORDER BY rowid").fetchall()
    base.close()
    assert [answer for (answer,) in answers] == expected
    if any(isinstance(level, Rest) for level in result.levels[0]):
        assert expected[-1] == expected[-2]
        kept = {*result.levels[0]}
        assert {expected[k] for k, v in enumerate("abcdefg") if v not in kept} <= {expected[-1]}


def test_json_lists_the_side_that_has_names() -> None:
    frame = FRAME.assign(y=[*("a" * 11), *("b" * 4)])
    model = dtviz.fit(group_rare(dtviz.from_frame(frame, "y", ["city"]), 5))
    assert model.export("text").splitlines()[1].startswith("  city = other: yes: -> b")
    split = json.loads(model.export("json"))["nodes"][0]
    assert split["right_values"] == ["Bonn", "Ulm"]
    assert "left_values" not in split
