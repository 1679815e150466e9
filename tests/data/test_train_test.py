"""Rows held out by a column or in a second table: who may look at them, and what is said."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal

import dtviz
from dtviz import Dataset, Rules, from_frame
from dtviz.data.dataset import take_rows
from dtviz.data.train_test import ROLES, choosing_role, join_rows, roles_of

FRAME = pd.DataFrame({
    "x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
    "car": ["van", "bus", "van", "bus", "van", "bus", "cab", "van"],
    "y": ["a", "a", "b", "b", "a", "b", "c", "a"],
    "for": ["train", " Training", "TRAIN", "training", "Val", "test", "holdout", "dev"],
})  # fmt: skip


def same(one: Dataset, other: Dataset) -> bool:
    """Whether the rows are the same, whatever is noted of them."""
    names = ("features", "target", "classes", "levels", "task")
    alike = all(getattr(one, name) == getattr(other, name) for name in names)
    return alike and all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True)
        for name in ("columns", "y")
    )


def test_a_tree_sees_the_training_rows_alone() -> None:
    data = from_frame(FRAME, "y", role="for")
    assert same(data, from_frame(FRAME.drop(columns="for")[:4], "y"))
    assert (data.validation.n, data.test.n) == (2, 2)
    note = "says what a row is for: 4 for training, 2 for validation, 2 for test"
    assert note in [note.text for note in data.notes]
    for word, role in ROLES.items():
        frame = FRAME.assign(**{"for": ["train"] * 7 + [f" {word.upper()} "]})
        data = from_frame(frame, "y", role="for")
        rows = {"training": data.n - 7, "validation": data.validation, "test": data.test}
        assert rows[role], word
    assert roles_of(FRAME["for"]) == {"training", "validation", "test"}
    assert roles_of(FRAME["car"]) == {None}
    assert roles_of(pd.Series(["train", None, 7])) == {"training", None}


def test_values_and_classes_that_no_training_row_has_come_after_the_others() -> None:
    data = from_frame(FRAME, "y", role="for")
    assert (data.classes, data.test.classes) == (("a", "b"), ("a", "b", "c"))
    assert (data.levels[1], data.test.levels[1]) == (("bus", "van"), ("bus", "van", "cab"))
    assert data.test.columns.tolist() == [[6, 7], [0, 2]]
    assert data.test.y.tolist() == [1, 2]
    assert [(note.column, note.text) for note in data.notes if "in no" in note.text] == [
        ("car", "test rows: 'cab' in no training row"),
        ("y", "test rows: 'c' in no training row"),
    ]
    both = join_rows(data, data.test)
    assert (both.n, both.classes, both.levels) == (6, data.test.classes, data.test.levels)
    assert both.weights is None
    assert both.columns[0].tolist() == [1, 2, 3, 4, 6, 7]
    weighed = from_frame(FRAME, "y", role="for", class_weight={"b": 3})
    assert join_rows(data, weighed.test).weights.tolist() == [1, 1, 1, 1, 3, 1]


def test_a_second_table_is_the_test_rows() -> None:
    frame = FRAME.drop(columns="for")
    data = from_frame(frame[:4], "y", test=frame[4:])
    by_role = from_frame(frame.assign(role=["train"] * 4 + ["test"] * 4), "y", role="role")
    assert same(data, by_role)
    assert same(data.test, by_role.test)
    turned = from_frame(frame[:4], "y", test=frame[["y", "car", "x"]].assign(more=1)[4:])
    assert same(turned.test, data.test)
    data = from_frame(FRAME[[True] * 5 + [False] * 2 + [True]], "y", role="for", test=FRAME[5:])
    assert (data.n, data.validation.n, data.test.n) == (4, 2, 3)
    assert choosing_role(data) == "validation"
    assert choosing_role(from_frame(FRAME, "y")) is None
    assert choosing_role(from_frame(FRAME, "y", role="for")) == "validation"
    assert choosing_role(from_frame(FRAME, "y", test=FRAME)) == "test"
    assert choosing_role(take_rows(from_frame(FRAME, "y", role="for"), np.arange(4))) is None


def test_rows_that_do_not_suit_are_refused_by_name() -> None:
    odd, gap = (FRAME.assign(**{"for": [*FRAME["for"][:7], word]}) for word in ("fold 1", None))
    for options, says in (
        ({"role": "for", "frame": odd},
         "'for' must say train, validation or test in every row; not 'fold 1' (line 8)"),
        ({"role": "for", "frame": gap},
         "'for' must say train, validation or test in every row; not"),
        ({"role": "for", "frame": FRAME[4:]},
         "no row of 'for' says train; a tree needs rows to grow on"),
        ({"role": "fur"}, "`role` must be one of the columns ('x', 'car', 'y', 'for')"),
        ({"role": "y"}, "'y' is the target; it cannot say what a row is for too"),
        ({"role": "for", "features": ["x", "for"]}, "not 'for'"),
        ({"role": "for", "frame": FRAME, "test": FRAME},
         "`test` must be None: 'for' has test rows already"),
        ({"test": FRAME[["y"]]}, "the test rows have no column 'x', 'car'; they need it"),
        ({"test": FRAME[["x", "car"]]}, "the test rows have no column 'y'"),
        ({"test": FRAME.assign(x="many")},
         "the test rows have text in 'x', the training rows numbers"),
        ({"test": FRAME[:0]}, "the test rows: 0 of 0 rows have a value"),
        ({"test": FRAME.assign(y=7)}, "the test rows have no class of the training rows: '7'"),
        ({"test": 3}, "`frame` must be a DataFrame"),
    ):  # fmt: skip
        frame = FRAME[["x", "car", "y"]] if "test" in options else FRAME
        assert says in refusal(from_frame, **{"frame": frame, "target": "y"} | options), says
    frame = pd.DataFrame({"x": range(30), "y": np.arange(30) / 7})
    reason = refusal(from_frame, frame, "y", test=frame.assign(y="many"))
    assert "the test rows: 'y' holds text" in reason


def test_rows_held_out_are_weighed_as_the_others() -> None:
    frame = FRAME.assign(w=range(1, 9))
    for weight in ("w", np.arange(1, 9)):
        data = from_frame(frame, "y", ["x"], role="for", sample_weight=weight)
        assert (data.weights.tolist(), data.test.weights.tolist()) == ([1, 2, 3, 4], [6, 7])
    balanced = from_frame(frame, "y", role="for", class_weight={"b": 3})
    assert balanced.test.weights.tolist() == [3, 1]  # no training row has class c
    both = from_frame(frame, "y", role="for", sample_weight="w", class_weight={"b": 3})
    assert both.test.weights.tolist() == [18, 7]
    frame = FRAME.assign(y=np.linspace(1.5, 5, 8), w=[1.0, 2, 1, 2, 3, 4, 5, 6])
    data = from_frame(frame, "y", role="for", sample_weight="w")
    assert [rows.weights.tolist() for rows in (data.validation, data.test)] == [[3, 6], [4, 5]]


@settings(max_examples=10)
@given(st.lists(st.sampled_from(["train", "test"]), min_size=20, max_size=20))
def test_held_rows_are_scored_as_their_frame_is(roles: list[str]) -> None:
    if len({*roles}) < 2:
        return
    random = np.random.default_rng(len(roles) + roles.count("test"))
    x, c = random.integers(0, 9, 20), random.choice([*"pqrst"], 20)
    frame = pd.DataFrame({"x": x, "c": c, "y": [*"uv"] * 10})
    for_test = np.array(roles) == "test"
    if frame.y[~for_test].nunique() < 2:
        return
    data = from_frame(frame.assign(role=roles), "y", ["x", "c"], role="role")
    model = dtviz.fit(data, Rules(max_depth=4))
    assert model.score(data.test) == model.score(frame[for_test])
    assert model.predict(data.test).tolist() == model.predict(frame[for_test]).tolist()


def test_tables_in_files() -> None:
    text = FRAME.to_csv(index=False).encode()
    data = dtviz.read_table(text, "y", role="for")
    assert same(data, from_frame(FRAME, "y", role="for"))
    second = FRAME[4:].assign(x=["5", "?", "7", "8"]).to_csv(index=False).encode()
    data = dtviz.read_table(text, "y", ["x", "car"], test=io.BytesIO(second))
    assert (data.test.n, data.test.gaps) == (4, (True, False))
    assert "test rows: '?' read as missing" in [note.text for note in data.notes]
    odd = FRAME.assign(**{"for": "fold"}).to_csv(index=False).encode()
    assert "not 'fold' (line 2)" in refusal(dtviz.read_table, odd, "y", role="for")
