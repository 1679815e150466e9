"""from_frame: tasks, classes and their order, missing rows with notes, and every refusal."""

from __future__ import annotations

import doctest
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import refusal
from strategies import nasty

import dtviz
from dtviz import DataError, from_frame
from dtviz.data.dataset import (
    MAX_CLASSES,
    MAX_PARAMETER_CHARS,
    NUMBER,
    infer_task,
    is_numeric,
    make_dataset,
    make_recipe,
    read_names,
    read_value,
    split_names,
    take_rows,
    write_names,
    write_value,
)
from dtviz.data.drawing import Drawing, build
from dtviz.data.notes import MAX_SENTENCES, Note, summary

LARGE = 2**53
TWO = pd.DataFrame({"a": [1, 2], "b": [3, 4], "y": ["p", "q"]})


def test_the_example_of_a_dataset_runs() -> None:
    assert doctest.testmod(dtviz.data.dataset).failed == 0


def table(y: Any, x: Any = None) -> pd.DataFrame:
    """One feature x (0, 1, 2, ...) and the target y."""
    return pd.DataFrame({"x": np.arange(len(y), dtype=float) if x is None else x, "y": y})


def test_the_task_is_inferred_or_chosen() -> None:
    for values, task in (
        (["a", "b"], "classification"), ([True, False], "classification"),
        ([1, 2, 3], "classification"), ([1.0, 2.0, np.nan], "classification"),
        (list(range(20)), "classification"), (list(range(21)), "regression"),
        ([1.0, 2.5], "regression"), ([1.0, 2.0, np.inf], "classification"),
        (pd.array([1, 2, None], "Int64"), "classification"),
        (pd.array([1, 2.5, None], "Float64"), "regression"),
        (pd.array([True, None, False], "boolean"), "classification"),
        (pd.array(["a", None, "b"], "string"), "classification"),
        (pd.Categorical([1.5, 2.5, 1.5]), "classification"),
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), "classification"),
    ):  # fmt: skip
        assert infer_task(pd.Series(values)) == task, values
    data = from_frame(table([0.5, 1.5, 2.25]), "y")
    assert (data.task, data.classes, data.class_names) == ("regression", (), ())
    assert data.y.tolist() == [0.5, 1.5, 2.25]
    assert from_frame(table([1, 2, 3]), "y", task="regression").y.tolist() == [1, 2, 3]
    assert from_frame(table([1.5, 2.5]), "y", task="classification").classes == (1.5, 2.5)
    assert from_frame(table([True, False]), "y", task="regression").y.tolist() == [1, 0]


def test_classes_are_in_order_and_plain() -> None:
    for values, classes in (
        ([10, 9, 100, 9], (9, 10, 100)), ([10.0, 2.5, 9.0], (2.5, 9, 10)),
        (["b", "a", "B"], ("B", "a", "b")), ([True, False, True], (False, True)),
        (pd.array([10, 9, 100], "Int64"), (9, 10, 100)),
        (pd.array([True, False], "boolean"), (False, True)),
        (pd.Categorical([10, 9, 100]), (9, 10, 100)),
        (pd.Categorical(["b", "a"], ["z", "b", "a"]), ("a", "b")),
        (pd.Series([10, "a", 9], dtype=object), (9, 10, "a")),
        (pd.Series(["a", math.inf], dtype=object), (math.inf, "a")),
    ):  # fmt: skip
        data = from_frame(table(values), "y", task="classification")
        assert data.classes == classes
        assert [type(c) for c in data.classes] == [type(c) for c in classes], values
        assert [data.classes[code] for code in data.y] == list(values)
    names = [f"id{i}" for i in range(MAX_CLASSES)]
    assert len(from_frame(table(names), "y").classes) == MAX_CLASSES


def test_a_row_without_target_is_left_out() -> None:
    for target in (
        pd.array([1, None, 3], "Int64"), pd.array([1.5, None, 3.5], "Float64"),
        pd.array(["a", None, "b"], "string"), pd.array([True, None, False], "boolean"),
        pd.Categorical(["a", None, "b"]), [1.5, np.nan, 2.5], [1.5, np.inf, 2.5], ["a", None, "b"],
    ):  # fmt: skip
        data = from_frame(table(target), "y")
        assert data.n == 2, target
        assert data.notes == (Note("row", "left out, no value in 'y'", 2),), target


def test_rows_stay_though_they_lack_a_value_and_infinite_ones_count_as_missing() -> None:
    nan = np.nan
    frame = pd.DataFrame({
        "a": [1, nan, 3, 4, np.inf], "b": [1, 2, 3, -np.inf, 5], "y": ["p", "q", None, "q", "p"],
    })  # fmt: skip
    data = from_frame(frame, "y")
    assert np.array_equal(data.columns, [[1, nan, 4, nan], [1, 2, nan, 5]], equal_nan=True)
    assert data.gaps == (True, True)
    assert data.classes == ("p", "q")
    assert data.notes == (
        Note("row", "left out, no value in 'y'", 3),
        Note("column", "2 rows without a value (50 %)", None, "a"),
        Note("column", "1 row without a value (25 %)", None, "b"),
    )
    for column in (pd.array([1, 2, None], "Int64"), pd.array([1, 2, None], "Float64"), [1, 2, nan]):
        data = from_frame(table(["p", "q", "p"], column), "y")
        assert data.columns.dtype == np.float64, column
        assert np.array_equal(data.columns, [[1, 2, nan]], equal_nan=True), column
        assert len(data.notes) == 1, column
    empty = pd.DataFrame({"a": [1.0, 2.0], "b": [nan] * 2, "y": ["p", "q"]})
    data = from_frame(empty, "y")
    assert data.features == ("a",)
    assert data.notes == (Note("column", "not used as a feature: no value in any row", None, "b"),)
    assert from_frame(empty, "y", ["a", "b"]).gaps == (False, True)


def test_notes_carry_the_file_s_lines_and_come_after_the_reader_s() -> None:
    frame = table(["p", None, "q"])
    frame.attrs["lines"] = [2, 5, 9]
    first = Note("file", "read as UTF-8")
    left_out = Note("row", "left out, no value in 'y'", 5)
    assert from_frame(frame, "y", notes=[first]).notes == (first, left_out)
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "w": [1, 0, 0, 0], "y": ["p", *"qqq"]})
    gap = pd.concat([frame.assign(y=[None] * 4, w=1)] * 2 + [frame], ignore_index=True)
    assert from_frame(gap, "y", sample_weight="w").notes == (
        Note("row", "left out, no value in 'y'", 1, None, 8, (2, 3, 4, 5)),
        Note("row", "left out, its weight is 0", 10, None, 3, (11, 12)),
    )


def test_text_of_few_values_is_a_category_and_what_is_left_out_is_told() -> None:
    n = 402
    frame = pd.DataFrame({
        "a": np.arange(n) % 7,
        "t": ["v", "u"] * (n // 2),
        "key": [f"k{row}" for row in range(n)],
        "many": [f"m{row // 2}" for row in range(n)],
        "when": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-02-09"] * (n // 3)),
        "span": pd.Period("2024-01"),
        "complex": 1j,
        "y": ["p", "q", "q", "q"] * (n // 4) + ["p", "q"],
    })  # fmt: skip
    data = from_frame(frame, "y")
    assert (data.features, data.levels) == (("a", "t", "when"), ((), ("u", "v"), ()))
    assert data.columns[1, :3].tolist() == [1, 0, 1]
    assert [(note.column, note.text) for note in data.notes] == [
        ("key", "not used as a feature: nearly every row has a text of its own, as a key has"),
        ("many", "not used as a feature: 201 distinct texts; at most 200 can be a category"),
        ("span", "not used as a feature: neither numbers nor text"),
        ("complex", "not used as a feature: neither numbers nor text"),
    ]
    few = frame.iloc[:3]
    assert from_frame(few, "y", features=["key", "a"]).levels == (("k0", "k1", "k2"), ())
    for values, threshold in (
        ([True, False], False), (pd.array([True, None], "boolean"), False), ([1, 2], True),
        (["1", "2"], False), (pd.to_datetime(["2020-01-01"]), True),
    ):  # fmt: skip
        assert is_numeric(pd.Series(values)) is threshold, values


def test_features_are_taken_in_the_order_given_and_found_by_their_numbers() -> None:
    data = from_frame(TWO, "y", features=["b", "a"])
    assert data.features == ("b", "a")
    assert data.columns.tolist() == [[3, 4], [1, 2]]
    assert from_frame(TWO, "y", features=("b",)).features == ("b",)
    frame = pd.DataFrame(np.array([[1.0, 5.0, 0.0], [2.0, 6.0, 1.0]]))
    data = from_frame(frame, 2, features=[1, 0])
    assert (data.features, data.target) == (("1", "0"), "2")
    assert from_frame(frame, "2").features == ("0", "1")


def test_large_whole_numbers_are_a_feature_only_where_they_stay_apart() -> None:
    frame = pd.DataFrame({"a": [1, 2], "id": [LARGE + 1, LARGE], "y": ["p", "q"]})
    data = from_frame(frame, "y")
    assert data.features == ("a",)
    why = "9007199254740992 and 9007199254740993 would become one number, beyond 2^53"
    assert data.notes == (Note("column", f"not used as a feature: {why}", None, "id"),)
    assert f"in 'id', {why}; subtract" in refusal(from_frame, frame, "y", features=["id"])
    reason = refusal(from_frame, frame, "id", features=["a"], task="regression")
    assert f"in 'id', {why}" in reason
    assert from_frame(frame, "id", features=["a"]).classes == (LARGE, LARGE + 1)
    column = pd.array([2**60, 2**60 + 4096, None], "Int64")
    columns = from_frame(table(["p", "q", "p"], column), "y").columns
    assert np.array_equal(columns, [[2**60, 2**60 + 4096, np.nan]], equal_nan=True)


def test_what_cannot_be_a_data_set_says_why() -> None:
    twice = pd.DataFrame([[1, 2, "a"]], columns=["x", "x", "y"])
    lists = pd.Series([[1], [2]], dtype=object)
    many = pd.DataFrame(np.zeros((1, 5001)), columns=[f"x{k}" for k in range(5001)]).assign(y="a")
    names = [f"id{i}" for i in range(MAX_CLASSES + 1)]
    for frame, target, options, says in (
        (table([1, 2]), "y", {"task": "cluster"},
         "`task` must be 'classification', 'regression' or None"),
        (table(["a", "b"]), "y", {"task": "regression"}, "'y' holds text; regression needs a"),
        (table(["a", "b"], [np.nan, np.inf]), "y", {}, "no feature is left"),
        (table([None, None], [1, 2]), "y", {}, "0 of 2 rows have a value in the target 'y'"),
        (pd.DataFrame({"x": [], "y": []}), "y", {}, "0 of 0 rows"),
        (pd.DataFrame({"y": [1, 2]}), "y", {}, "no feature is left"),
        (table([1, 2]), "z", {}, "`target` must be one of the columns ('x', 'y')"),
        (twice, "y", {}, "column 'x' occurs more than once"),
        (TWO, "y", {"features": ["a", "c"]},
         "`features` must be one of the columns ('a', 'b', 'y'); not 'c'"),
        (TWO, "y", {"features": ["a", "a"]}, "`features` names a column twice"),
        (TWO, "y", {"features": ["y"]}, "'y' is the target"),
        (TWO, "y", {"features": []}, "no feature is left"),
        (table(lists), "y", {}, "'y' holds values that cannot be classes"),
        (table(names), "y", {}, f"'y' has {MAX_CLASSES + 1:,} distinct values"),
        (many, "y", {}, "at most 5,000 features; not 5,001"),
    ):  # fmt: skip
        assert says in refusal(from_frame, frame, target, **options), says


def test_numbers_too_large_or_too_near_to_square_are_refused() -> None:
    for value in (1e200, -1e308):
        reason = refusal(from_frame, table([0.5, value, 1.5]), "y")
        assert "'y' " in reason
        assert "too large" in reason, value
    for y in (
        [1e-170, 2e-170, 3e-170], [0.5, 1e-200, 0.0], [5e-324, 0.0, 7.0], [9e-141, -1e-300, 1.0],
    ):  # fmt: skip
        reason = refusal(from_frame, table(y), "y")
        assert reason.startswith("'y' holds numbers only "), y
        assert " apart: too near" in reason, y
        rows = tuple((float(at), value, 0.0) for at, value in enumerate(y))
        reason = refusal(build, Drawing("height", rows))
        assert "too near to square; at least 1e-140, in a smaller unit" in reason, y
    y, options = [1e150, -1e150], {"task": "regression", "sample_weight": [1e9, 1e9]}
    assert from_frame(table(y), "y", **options | {"sample_weight": [1.0, 1.0]}).weight == 2
    with pytest.raises(DataError, match=r"'y' .*too large to square; at most 2\.2\d*e\+149"):
        from_frame(table(y), "y", **options)
    node = dtviz.fit(from_frame(table([1e149, -1e149]), "y", **options)).tree.nodes[1]
    assert (node.value, node.impurity) == (0, pytest.approx(1e298))


def test_at_both_ends_a_tree_is_that_of_any_other_unit() -> None:
    y = np.random.default_rng(3).integers(0, 9, 60).astype(float)
    rules = dtviz.Rules("squared_error", max_leaf_nodes=20)
    for unit in (1e-139, 1e149):
        frames = [pd.DataFrame({"x": np.arange(60.0), "y": y * scale}) for scale in (1.0, unit)]
        one, other = (dtviz.fit(from_frame(f, "y", task="regression"), rules) for f in frames)
        assert one.tree.splits == other.tree.splits, unit
        for node, known in one.tree.nodes.items():
            there = other.tree.nodes[node]
            assert there.impurity / unit / unit == pytest.approx(known.impurity, rel=1e-9), unit
            assert there.pure == known.pure, unit
    for value in (0.0, 5e-324, 1e-170, -1e150):
        data = from_frame(table([value] * 3), "y", task="regression")
        assert dtviz.fit(data, dtviz.Rules("squared_error")).tree.nodes[1].pure, value


def test_a_dataset_is_read_only_and_does_not_share() -> None:
    x = np.array([1.0, 2.0])
    data = make_dataset([x], np.array([0, 1]), ["x"], "y", ["a", "b"])
    x[0] = 9
    assert data.columns.tolist() == [[1, 2]]
    with pytest.raises(ValueError, match="read-only"):
        data.columns[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        data.y[0] = 1
    assert (data.n, data.task) == (2, "classification")


storable = nasty.filter(lambda raw: "\ud800" not in raw)  # pandas keeps no lone surrogates


@given(st.lists(storable, min_size=1, max_size=5, unique=True), storable)
def test_any_names_and_labels_are_kept_as_they_are(names: list[str], label: str) -> None:
    *features, target = [*(f"f{i}{name}" for i, name in enumerate(names)), "target" + names[0]]
    frame = pd.DataFrame([[*range(len(features)), label]] * 2, columns=[*features, target])
    frame[target] = pd.Series([label, label], dtype=object)
    data = from_frame(frame, target)
    assert data.features == tuple(features)
    assert data.classes == (label,)
    assert len(data.class_names[0]) <= 60


def test_some_rows_of_a_dataset_in_any_order() -> None:
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "z": [9.0, 8, 7, np.nan], "y": [*"abca"]})
    data = from_frame(frame, "y")
    part = take_rows(data, np.array([2, 0, 2]))
    assert part.columns.tolist() == [[3, 1, 3], [7, 9, 7]]
    assert [part.classes[code] for code in part.y] == ["c", "a", "c"]
    same = ("features", "target", "classes", "task")
    assert all(getattr(part, name) == getattr(data, name) for name in same)
    assert (len(data.notes), part.notes) == (1, ())
    assert part.columns.flags.c_contiguous
    assert not part.columns.flags.writeable
    assert not part.y.flags.writeable
    assert take_rows(data, data.y == 1).n == 1
    for rows in (np.array([], dtype=int), data.y > 9):
        assert "`rows` must hold at least one row" in refusal(take_rows, data, rows)
    with pytest.raises(IndexError):
        take_rows(data, np.array([4]))


def test_a_recipe_sorts_its_parameters() -> None:
    made = make_recipe("moons", seed=7, n=200)
    assert made.params == (("n", 200), ("seed", 7))
    assert (made.get("n"), made.get("noise"), made.get("noise", 0.5)) == (200, None, 0.5)
    assert made == make_recipe("moons", n=200, seed=7)


def test_a_summary_counts_equal_notes_and_cuts_what_there_is_most_of() -> None:
    rows = [Note("row", "left out, no value in 'a'", i) for i in range(2, 9)]
    column = Note("column", "text column", None, "t")
    assert summary([*rows, column, Note("row", "odd", 4)]) == [
        "7 rows: left out, no value in 'a' (lines 2, 3, 4, 5, 6, ...)",
        "column 't': text column",
        "1 row: odd (line 4)",
    ]
    assert summary([Note("row", "odd", 2, None, 12_345, (3, 5, 8, 9)), Note("row", "odd", 11)]) == [
        "12,346 rows: odd (lines 2, 3, 5, 8, 9, ...)"
    ]
    assert summary([Note("row", "odd", 2, None, 3, (3, 5))]) == ["3 rows: odd (lines 2, 3, 5)"]
    cells = [Note("cell", "empty, read as missing", 7, f"c{i}", 2, (9,)) for i in range(60)]
    assert summary([Note("file", "odd"), *cells]) == [
        "odd",
        "120 cells: 60 columns ('c0', 'c1', 'c2', 'c3', 'c4' and 55 more): empty, read as missing "
        "(lines 7, 9)",
    ]
    assert len(summary(cells[:MAX_SENTENCES])) == MAX_SENTENCES
    many = [Note("column", f"{i} rows without a value", None, f"c{i}") for i in range(500)]
    result = summary([*many, Note("file", "not UTF-8"), Note("row", "odd", 3)])
    assert len(result) == MAX_SENTENCES < 40
    assert result[:3] == ["not UTF-8", "1 row: odd (line 3)", "column 'c0': 0 rows without a value"]
    assert result[-1] == f"and {502 - (MAX_SENTENCES - 1)} more notes"


WEIGHED = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "w": [2.0, 0.0, 0.5, 1.0], "y": list("abab")})


def test_weights_are_a_column_that_is_no_feature_or_an_array() -> None:
    data = from_frame(WEIGHED, "y", sample_weight="w")
    assert data.features == ("x",)
    assert data.weights.tolist() == [2.0, 0.5, 1.0]
    assert not data.weights.flags.writeable
    assert (data.n, data.weight) == (3, 3.5)
    assert summary(data.notes) == ["1 row: left out, its weight is 0 (line 2)"]
    assert from_frame(WEIGHED, "y").features == ("x", "w")
    assert from_frame(WEIGHED, "y").weight == 4
    data = from_frame(WEIGHED, "y", ["x"], sample_weight=[1, 2, 3, 4])
    assert take_rows(data, np.array([3, 0, 0])).weights.tolist() == [4, 1, 1]
    holes = WEIGHED.assign(y=["p", None, "q", "q"])
    data = from_frame(holes, "y", ["x"], sample_weight=np.arange(1, 5))
    assert data.weights.tolist() == [1, 3, 4]


def test_weights_that_cannot_be_are_named() -> None:
    for weights, says in (
        ([1, -2, 1, 1], "from 1e-100 to 1e+100, or 0 to leave a row out; not -2 (line 2)"),
        ([1, 1, np.nan, 1], "not nan (line 3)"), ([1, 1, 1, np.inf], "not inf (line 4)"),
        ([1, 1, 1, 1e-200], "not 1e-200 (line 4)"),
        ([1, 2], "must be 4 numbers, one a row; not of shape (2,)"),
        (["a", "b", "c", "d"], "must be a number in every row"),
        ([0, 0, 0, 0], "every row weighs 0"), ("z", "`sample_weight` must be one of the columns"),
        ("y", "is the target; it cannot be the weight too"),
        (1.0, "must be 4 numbers, one a row; not of shape ()"),
        ([1, 1, 1, 10**400], "must be a number in every row"),
    ):  # fmt: skip
        assert says in refusal(from_frame, WEIGHED, "y", ["x"], sample_weight=weights), says
    reason = refusal(from_frame, WEIGHED, "y", ["x", "w"], sample_weight="w")
    assert "`features` must be one of the columns" in reason


names = st.lists(st.text(max_size=5)).map(tuple)


@given(
    st.text(max_size=20) | nasty | names,
    st.lists(st.text(min_size=1, max_size=5), min_size=1).map(tuple),
    st.integers(1 - 10**18, 10**18 - 1) | st.floats(allow_nan=False, allow_infinity=False),
)
@example("", ("a",), 10**17)
@example(("a", "b"), ("a",), 1e-300)
def test_texts_lists_of_names_and_numbers_come_back(
    value: Any, listed: tuple[str, ...], number: float
) -> None:
    assert read_names(write_value(value)) == value
    assert split_names(read_names(write_names(listed))) == listed
    assert read_value(write_value(number)) == number


def test_plain_names_are_listed_with_commas_and_one_may_be_left_out() -> None:
    assert write_names(("ü", "b_c", "d2")) == "ü,b_c,d2"
    assert write_names(("a,b", "c")) == '["a,b","c"]'
    assert split_names("b_c") == ("b_c",)
    assert [split_names(value) for value in (7, "", ("a,b",))] == [7, "", ("a,b",)]


def test_text_is_read_as_meant_and_else_stays_as_it_is() -> None:
    for text, value in (
        ("007", 7), ("+3", 3), ("1.50", 1.5), ("1e5", 1e5), (".5", 0.5), ("5.", 5.0),
        ("9" * 30, 1e30), ('["a"]', ("a",)), ('"[1]"', "[1]"), ("[]", ()),
    ):  # fmt: skip
        read = read_value(text)
        assert (read, type(read)) == (value, type(value)), text
    for text in (
        "", " 1", "1 ", "1,5", "nan", "inf", "1e999", "1e1000", "0x1", "1_0", "٣", "²", "true",
        "null", "1" * 41, "{}", "[1]", '["a", 1]', "[", '"', '"a', "[" * 5000, ' ["a"]', ' "a"',
        "[null]",
    ):  # fmt: skip
        assert read_value(text) == read_names(text) == text, text
    fits = '["' + "a" * (MAX_PARAMETER_CHARS - 4) + '"]'
    assert read_names(fits) == ("a" * (MAX_PARAMETER_CHARS - 4),)
    assert read_names('["' + "a" * (MAX_PARAMETER_CHARS - 3) + '"]').startswith('["aa')


def test_text_is_written_as_it_reads_best() -> None:
    assert write_value(("ü", "b c")) == '["ü","b c"]'
    assert write_value("[ü") == '"[ü"'
    assert (write_value(2.0), write_value(1e16), write_value(-0.5)) == ("2", "1e+16", "-0.5")
    assert (write_value(True), write_value(None), write_value("a")) == ("True", "None", "a")


@given(nasty)
def test_any_text_is_read(text: str) -> None:
    for read in (read_value, read_names):
        value = read(text)
        assert read(write_value(value)) == value
    assert NUMBER.fullmatch(text) or not isinstance(read_value(text), int | float)
