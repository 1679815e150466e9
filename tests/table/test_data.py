"""from_frame: tasks, classes and their order, missing rows with notes, and every refusal."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import AGE_CAR_RISK, data_of, frame_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import nasty

import dtviz
from dtviz import DataError, from_frame
from dtviz.table.data import MAX_CLASSES, dataset, infer_task, is_number, recipe, take
from dtviz.table.drawing import Drawing, build
from dtviz.table.notes import MOST_TOLD, Note, summary


def table(y: Any, x: Any = None) -> pd.DataFrame:
    """One feature x (0, 1, 2, ...) and the target y."""
    return pd.DataFrame({"x": np.arange(len(y), dtype=float) if x is None else x, "y": y})


def test_the_task_is_inferred() -> None:
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
        assert data.classes == classes, values
        assert [type(c) for c in data.classes] == [type(c) for c in classes], values
        assert [data.classes[code] for code in data.y] == list(values), values


def test_a_number_target_stays_a_number() -> None:
    data = from_frame(table([0.5, 1.5, 2.25]), "y")
    assert (data.task, data.classes, data.class_names) == ("regression", (), ())
    assert data.y.tolist() == [0.5, 1.5, 2.25]


def test_the_task_can_be_chosen() -> None:
    assert from_frame(table([1, 2, 3]), "y", task="regression").y.tolist() == [1, 2, 3]
    assert from_frame(table([1.5, 2.5]), "y", task="classification").classes == (1.5, 2.5)
    assert from_frame(table([True, False]), "y", task="regression").y.tolist() == [1, 0]
    with pytest.raises(DataError, match="`task` must be 'classification', 'regression' or None"):
        from_frame(table([1, 2]), "y", task="cluster")  # type: ignore[arg-type]


def test_a_text_target_is_no_number() -> None:
    with pytest.raises(DataError, match="'y' holds text; regression needs a number"):
        from_frame(table(["a", "b"]), "y", task="regression")


def test_rows_stay_though_they_lack_a_value_and_infinite_ones_count_as_missing() -> None:
    frame = pd.DataFrame(
        {
            "a": [1, np.nan, 3, 4, np.inf],
            "b": [1, 2, 3, -np.inf, 5],
            "y": ["p", "q", None, "q", "p"],
        }
    )
    data = from_frame(frame, "y")
    nan = np.nan
    assert np.array_equal(data.columns, [[1, nan, 4, nan], [1, 2, nan, 5]], equal_nan=True)
    assert data.gaps == (True, True)
    assert data.classes == ("p", "q")
    assert data.notes == (
        Note("row", "left out, no value in 'y'", 3),
        Note("column", "2 rows without a value (50 %)", None, "a"),
        Note("column", "1 row without a value (25 %)", None, "b"),
    )


def test_notes_carry_the_file_s_lines_and_come_after_the_reader_s() -> None:
    frame = table(["p", None, "q"])
    frame.attrs["lines"] = [2, 5, 9]
    first = Note("file", "read as UTF-8")
    assert from_frame(frame, "y", notes=[first]).notes == (
        first,
        Note("row", "left out, no value in 'y'", 5),
    )


def test_a_feature_without_any_value_is_not_used_unless_it_is_named() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [np.nan] * 2, "y": ["p", "q"]})
    data = from_frame(frame, "y")
    assert data.features == ("a",)
    assert data.notes == (Note("column", "not used as a feature: no value in any row", None, "b"),)
    assert from_frame(frame, "y", ["a", "b"]).gaps == (False, True)


def test_nullable_features_are_numbers() -> None:
    for column in (
        pd.array([1, 2, None], "Int64"), pd.array([1, 2, None], "Float64"), [1.0, 2.0, np.nan],
    ):  # fmt: skip
        data = from_frame(table(["p", "q", "p"], column), "y")
        assert data.columns.dtype == np.float64, column
        assert np.array_equal(data.columns, [[1, 2, np.nan]], equal_nan=True), column
        assert len(data.notes) == 1, column


def test_a_row_without_target_is_left_out() -> None:
    for target in (
        pd.array([1, None, 3], "Int64"), pd.array([1.5, None, 3.5], "Float64"),
        pd.array(["a", None, "b"], "string"), pd.array([True, None, False], "boolean"),
        pd.Categorical(["a", None, "b"]), [1.5, np.nan, 2.5], [1.5, np.inf, 2.5], ["a", None, "b"],
    ):  # fmt: skip
        data = from_frame(table(target), "y")
        assert data.n == 2, target
        assert data.notes == (Note("row", "left out, no value in 'y'", 2),), target


def test_nothing_left_says_so() -> None:
    with pytest.raises(DataError, match="no feature is left"):
        from_frame(table(["a", "b"], [np.nan, np.inf]), "y")
    with pytest.raises(DataError, match="0 of 2 rows have a value in the target 'y'"):
        from_frame(table([None, None], [1, 2]), "y")
    with pytest.raises(DataError, match="0 of 0 rows"):
        from_frame(pd.DataFrame({"x": [], "y": []}), "y")


def test_text_of_few_values_is_a_category_and_what_is_left_out_is_told() -> None:
    n = 402
    frame = pd.DataFrame(
        {
            "a": np.arange(n) % 7,
            "t": ["v", "u"] * (n // 2),
            "key": [f"k{row}" for row in range(n)],
            "many": [f"m{row // 2}" for row in range(n)],
            "when": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-02-09"] * (n // 3)),
            "span": pd.Period("2024-01"),
            "y": ["p", "q", "q"] * (n // 3),
        }
    )
    data = from_frame(frame, "y")
    assert (data.features, data.levels) == (("a", "t", "when"), ((), ("u", "v"), ()))
    assert data.columns[1, :3].tolist() == [1, 0, 1]
    assert [(note.column, note.text) for note in data.notes] == [
        ("key", "not used as a feature: nearly every row has a text of its own, as a key has"),
        ("many", "not used as a feature: 201 distinct texts; at most 200 can be a category"),
        ("span", "not used as a feature: neither numbers nor text"),
    ]
    few = frame.iloc[:3]
    assert from_frame(few, "y", features=["key", "a"]).levels == (("k0", "k1", "k2"), ())


def test_features_are_taken_in_the_order_given() -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4], "y": ["p", "q"]})
    data = from_frame(frame, "y", features=["b", "a"])
    assert data.features == ("b", "a")
    assert data.columns.tolist() == [[3, 4], [1, 2]]
    assert from_frame(frame, "y", features=("b",)).features == ("b",)


def test_features_that_cannot_be() -> None:
    for features, message in (
        (["a", "c"], r"`features` must be one of the columns \('a', 'b', 'y'\); not 'c'"),
        (["a", "a"], "`features` names a column twice"), (["y"], "'y' is the target"),
        ([], "no feature is left"),
    ):  # fmt: skip
        frame = pd.DataFrame({"a": [1, 2], "b": [3, 4], "y": ["p", "q"]})
        with pytest.raises(DataError, match=message):
            from_frame(frame, "y", features=features)


def test_an_unknown_target_names_the_columns_there_are() -> None:
    with pytest.raises(DataError, match=r"`target` must be one of the columns \('x', 'y'\)"):
        from_frame(table([1, 2]), "z")


def test_no_feature_beside_the_target() -> None:
    with pytest.raises(DataError, match="no feature is left"):
        from_frame(pd.DataFrame({"y": [1, 2]}), "y")


def test_a_column_twice_is_refused() -> None:
    frame = pd.DataFrame([[1, 2, "a"]], columns=["x", "x", "y"])
    with pytest.raises(DataError, match="column 'x' occurs more than once"):
        from_frame(frame, "y")


def test_columns_named_by_numbers_are_found_by_them() -> None:
    frame = pd.DataFrame(np.array([[1.0, 5.0, 0.0], [2.0, 6.0, 1.0]]))
    data = from_frame(frame, 2, features=[1, 0])  # type: ignore[arg-type, list-item]
    assert (data.features, data.target) == (("1", "0"), "2")
    assert from_frame(frame, "2").features == ("0", "1")


LARGE = 2**53


def test_whole_numbers_that_would_become_one_are_no_feature() -> None:
    frame = pd.DataFrame({"a": [1, 2], "id": [LARGE + 1, LARGE], "y": ["p", "q"]})
    data = from_frame(frame, "y")
    assert data.features == ("a",)
    why = "9007199254740992 and 9007199254740993 would become one number, beyond 2^53"
    assert data.notes == (Note("column", f"not used as a feature: {why}", None, "id"),)
    with pytest.raises(DataError, match=f"in 'id', {re.escape(why)}; subtract"):
        from_frame(frame, "y", features=["id"])
    with pytest.raises(DataError, match=f"in 'id', {re.escape(why)}"):
        from_frame(frame, "id", features=["a"], task="regression")
    assert from_frame(frame, "id", features=["a"]).classes == (LARGE, LARGE + 1)


def test_large_whole_numbers_that_stay_apart_are_a_feature() -> None:
    column = pd.array([2**60, 2**60 + 4096, None], "Int64")
    found = from_frame(table(["p", "q", "p"], column), "y").columns
    assert np.array_equal(found, [[2**60, 2**60 + 4096, np.nan]], equal_nan=True)


def test_rows_left_out_are_told_once_for_each_reason_with_the_first_lines() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "w": [1, 0, 0, 0], "y": ["p", *"qqq"]})
    gap = pd.concat([frame.assign(y=[None] * 4, w=1)] * 2 + [frame], ignore_index=True)
    assert from_frame(gap, "y", sample_weight="w").notes == (
        Note("row", "left out, no value in 'y'", 1, None, 8, (2, 3, 4, 5)),
        Note("row", "left out, its weight is 0", 10, None, 3, (11, 12)),
    )


def test_too_many_classes() -> None:
    names = [f"id{i}" for i in range(MAX_CLASSES + 1)]
    with pytest.raises(DataError, match=f"'y' has {MAX_CLASSES + 1:,} distinct values"):
        from_frame(table(names), "y")
    assert len(from_frame(table(names[:-1]), "y").classes) == MAX_CLASSES


def test_too_many_features() -> None:
    frame = pd.DataFrame(np.zeros((1, 5001))).assign(y=["a"])
    with pytest.raises(DataError, match="at most 5,000 features; not 5,001"):
        from_frame(frame, "y")


def test_a_number_too_large_to_square_is_refused() -> None:
    for value in (1e200, -1e308):
        with pytest.raises(DataError, match=r"'y' .*too large"):
            from_frame(table([0.5, value, 1.5]), "y")


def test_a_number_too_large_for_the_square_of_what_all_rows_weigh_is_refused() -> None:
    y, heavy = [1e150, -1e150], [1e9, 1e9]
    asked: Any = {"task": "regression", "sample_weight": heavy}
    assert from_frame(table(y), "y", **asked | {"sample_weight": [1.0, 1.0]}).weight == 2
    with pytest.raises(DataError, match=r"'y' .*too large to square; at most 2\.2\d*e\+149"):
        from_frame(table(y), "y", **asked)
    found = from_frame(table([1e149, -1e149]), "y", **asked)
    node = dtviz.fit(found).tree.nodes[1]
    assert (node.value, node.impurity) == (0, pytest.approx(1e298))


TOO_NEAR = [
    [1e-170, 2e-170, 3e-170],
    [0.5, 1e-200, 0.0],
    [5e-324, 0.0, 7.0],
    [9e-141, -1e-300, 1.0],
]


def test_numbers_too_near_to_square_are_refused() -> None:
    for y in TOO_NEAR:
        with pytest.raises(DataError, match=r"'y' holds numbers only [\d.e-]+ apart: too near"):
            from_frame(table(y), "y")
        rows = tuple((float(at), value, 0.0) for at, value in enumerate(y))
        with pytest.raises(
            DataError, match="too near to square; at least 1e-140, in a smaller unit"
        ):
            build(Drawing("height", rows))


def test_equal_numbers_of_any_size_are_welcome() -> None:
    for value in (0.0, 5e-324, 1e-170, -1e150):
        model = dtviz.fit(
            from_frame(table([value] * 3), "y", task="regression"), dtviz.Rules("squared_error")
        )
        assert model.tree.nodes[1].pure


def test_at_both_ends_a_tree_is_that_of_any_other_unit() -> None:
    for unit in (1e-139, 1e149):
        y = np.random.default_rng(3).integers(0, 9, 60).astype(float)
        frames = [pd.DataFrame({"x": np.arange(60.0), "y": y * scale}) for scale in (1.0, unit)]
        rules = dtviz.Rules("squared_error", max_leaf_nodes=20)
        one, other = (dtviz.fit(from_frame(f, "y", task="regression"), rules) for f in frames)
        assert one.tree.splits == other.tree.splits, unit
        for node, known in one.tree.nodes.items():
            there = other.tree.nodes[node]
            assert there.impurity / unit / unit == pytest.approx(known.impurity, rel=1e-9), unit
            assert there.pure == known.pure, unit


def test_values_that_are_no_labels_are_refused() -> None:
    with pytest.raises(DataError, match="'y' holds values that cannot be classes"):
        from_frame(table(pd.Series([[1], [2]], dtype=object)), "y")


def test_complex_numbers_are_no_feature() -> None:
    frame = pd.DataFrame({"x": [1, 2], "z": [1j, 2j], "y": ["a", "b"]})
    assert from_frame(frame, "y").features == ("x",)


def test_a_dataset_is_read_only_and_does_not_share() -> None:
    x = np.array([1.0, 2.0])
    data = dataset([x], np.array([0, 1]), ["x"], "y", ["a", "b"])
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


def test_numbers_and_dates_are_cut_by_thresholds_and_booleans_are_not() -> None:
    assert not is_number(pd.Series([True, False]))
    assert not is_number(pd.Series([True, None], dtype="boolean"))
    assert is_number(pd.Series([1, 2]))
    assert not is_number(pd.Series(["1", "2"]))
    assert is_number(pd.Series(pd.to_datetime(["2020-01-01"])))


def test_the_summary_counts_equal_notes_together() -> None:
    rows = [Note("row", "left out, no value in 'a'", i) for i in range(2, 9)]
    column = Note("column", "text column", None, "t")
    assert summary([*rows, column, Note("row", "odd", 4)]) == [
        "7 rows: left out, no value in 'a' (lines 2, 3, 4, 5, 6, ...)",
        "column 't': text column",
        "1 row: odd (line 4)",
    ]


def test_the_summary_says_how_many_rows_a_note_is_of() -> None:
    assert summary([Note("row", "odd", 2, None, 12_345, (3, 5, 8, 9)), Note("row", "odd", 11)]) == [
        "12,346 rows: odd (lines 2, 3, 5, 8, 9, ...)"
    ]
    assert summary([Note("row", "odd", 2, None, 3, (3, 5))]) == ["3 rows: odd (lines 2, 3, 5)"]


def test_a_summary_of_many_columns_tells_them_together() -> None:
    cells = [Note("cell", "empty, read as missing", 7, f"c{i}", 2, (9,)) for i in range(60)]
    assert summary([Note("file", "odd"), *cells]) == [
        "odd",
        "120 cells: 60 columns ('c0', 'c1', 'c2', 'c3', 'c4' and 55 more): empty, read as missing "
        "(lines 7, 9)",
    ]
    assert len(summary(cells[:MOST_TOLD])) == MOST_TOLD


def test_a_summary_is_bounded_and_cuts_what_there_is_most_of() -> None:
    many = [Note("column", f"{i} rows without a value", None, f"c{i}") for i in range(500)]
    told = summary([*many, Note("file", "not UTF-8"), Note("row", "odd", 3)])
    assert len(told) == MOST_TOLD < 40
    assert told[:3] == ["not UTF-8", "1 row: odd (line 3)", "column 'c0': 0 rows without a value"]
    assert told[-1] == f"and {502 - (MOST_TOLD - 1)} more notes"


def test_a_recipe_sorts_its_parameters() -> None:
    made = recipe("moons", seed=7, n=200)
    assert made.params == (("n", 200), ("seed", 7))
    assert (made.get("n"), made.get("noise"), made.get("noise", 0.5)) == (200, None, 0.5)
    assert made == recipe("moons", n=200, seed=7)


def test_the_worked_example_reads_as_printed() -> None:
    data = data_of(AGE_CAR_RISK)
    assert data.features == ("Age", "Car = SUV", "Car = Sports", "Car = Vintage")
    assert data.classes == ("H", "L")
    assert data.columns.tolist() == frame_of(AGE_CAR_RISK).iloc[:, :-1].T.to_numpy().tolist()


def test_some_rows_of_a_dataset_in_any_order() -> None:
    found = from_frame(
        pd.DataFrame({"x": [1.0, 2, 3, 4], "z": [9.0, 8, 7, np.nan], "y": [*"abca"]}), "y"
    )
    part = take(found, np.array([2, 0, 2]))
    assert part.columns.tolist() == [[3, 1, 3], [7, 9, 7]]
    assert [part.classes[code] for code in part.y] == ["c", "a", "c"]
    same = ("features", "target", "classes", "task")
    assert all(getattr(part, name) == getattr(found, name) for name in same)
    assert (len(found.notes), part.notes) == (1, ())
    assert part.columns.flags.c_contiguous
    assert not part.columns.flags.writeable
    assert not part.y.flags.writeable
    assert take(found, found.y == 1).n == 1


def test_rows_that_are_not_there_cannot_be_taken() -> None:
    found = from_frame(table([0.5, 1.5]), "y")
    with pytest.raises(DataError, match="`rows` must hold at least one row"):
        take(found, np.array([], dtype=int))
    with pytest.raises(DataError, match="`rows` must hold at least one row"):
        take(found, found.y > 9)
    with pytest.raises(IndexError):
        take(found, np.array([2]))


# --- weights --------------------------------------------------------------------------------------

WEIGHED = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "w": [2.0, 0.0, 0.5, 1.0], "y": list("abab")})


def test_a_column_of_weights_is_no_feature_and_rows_of_weight_0_are_left_out() -> None:
    found = from_frame(WEIGHED, "y", sample_weight="w")
    assert found.features == ("x",)
    assert found.weights is not None
    assert found.weights.tolist() == [2.0, 0.5, 1.0]
    assert not found.weights.flags.writeable
    assert (found.n, found.weight) == (3, 3.5)
    assert summary(found.notes) == ["1 row: left out, its weight is 0 (line 2)"]
    assert from_frame(WEIGHED, "y").features == ("x", "w")
    assert from_frame(WEIGHED, "y").weight == 4


def test_weights_may_be_an_array_and_follow_the_rows_that_are_taken() -> None:
    found = from_frame(WEIGHED, "y", ["x"], sample_weight=[1, 2, 3, 4])
    assert found.weights is not None
    part = take(found, np.array([3, 0, 0]))
    assert part.weights is not None
    assert part.weights.tolist() == [4, 1, 1]
    holes = WEIGHED.assign(y=["p", None, "q", "q"])
    kept = from_frame(holes, "y", ["x"], sample_weight=np.arange(1, 5))
    assert kept.weights is not None
    assert kept.weights.tolist() == [1, 3, 4]


def test_weights_that_cannot_be_are_named() -> None:
    for weights, said in (
        ([1, -2, 1, 1], r"from 1e-100 to 1e\+100, or 0 to leave a row out; not -2 \(line 2\)"),
        ([1, 1, np.nan, 1], r"not nan \(line 3\)"), ([1, 1, 1, np.inf], r"not inf \(line 4\)"),
        ([1, 1, 1, 1e-200], r"not 1e-200 \(line 4\)"),
        ([1, 2], r"must be 4 numbers, one a row; not of shape \(2,\)"),
        (["a", "b", "c", "d"], "must be a number in every row"),
        ([0, 0, 0, 0], "every row weighs 0"), ("z", "`sample_weight` must be one of the columns"),
        ("y", "is the target; it cannot be the weight too"),
        (1.0, r"must be 4 numbers, one a row; not of shape \(\)"),
        ([1, 1, 1, 10**400], "must be a number in every row"),
    ):  # fmt: skip
        with pytest.raises(DataError, match=said):
            from_frame(WEIGHED, "y", ["x"], sample_weight=weights)


def test_a_column_of_weights_cannot_be_a_feature_too() -> None:
    with pytest.raises(DataError, match="`features` must be one of the columns"):
        from_frame(WEIGHED, "y", ["x", "w"], sample_weight="w")
