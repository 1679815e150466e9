"""Columns: what one holds is told in a line, and which level of a category a value stands for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from dtviz.table.data import unfit
from dtviz.table.held import from_frame
from dtviz.table.levels import UNSEEN, code_of, codes_of, levels_of, told
from dtviz.table.profile import BINS, KINDS, Profile, profile


def test_levels_are_of_one_type_or_text() -> None:
    for values, levels in (
        ([True, None, False], (False, True)), (pd.array([True, None], "boolean"), (True,)),
        (["10", "9", None], ("10", "9")), ([10, 9.0, 2.5, None], (2.5, 9, 10)),
        (pd.Categorical([3, 20]), (3, 20)),
        (pd.Categorical(["b", "a"], ["c", "b", "a"], ordered=True), ("c", "b", "a")),
        ([1, "1", True, 2.5], ("1", "2.5", "True")), ([1.0, math.inf], ("1.0", "inf")),
        ([True, 3], ("3", "True")),
    ):  # fmt: skip
        series = pd.Series(values, dtype=object if isinstance(values, list) else None)
        result = levels_of(series)
        assert result == levels, values
        assert [type(level) for level in result] == [type(level) for level in levels], values
        codes = codes_of(series, result)
        assert [not math.isnan(code) for code in codes] == series.notna().tolist(), values
        assert (codes[~np.isnan(codes)] >= 0).all(), values


def test_a_value_stands_for_the_level_it_equals() -> None:
    for value, levels, code in (
        (np.True_, (False, True), 1.0), ("TRUE", (False, True), 1.0), (0, (False, True), 0.0),
        ("no", (False, True), UNSEEN), (2, (False, True), UNSEEN), (np.float64(3), (2.5, 3), 1.0),
        ("3", (2.5, 3), UNSEEN), (3, ("3", "True"), 0.0), (True, ("3", "True"), 1.0),
        ("true", ("3", "True"), UNSEEN), ([3], (2.5, 3), UNSEEN), (10**5000, ("3",), UNSEEN),
    ):  # fmt: skip
        assert code_of(value, levels) == code, levels
    assert [told(True), told(2.5), told("a\nb")] == ["True", "2.5", "a b"]


def test_truth_values_are_used_unasked_in_a_table_of_any_length() -> None:
    for flags in ([True, False], pd.array([True, None], "boolean"), [None, True]):
        assert unfit(pd.Series(flags)) == ""
    data = from_frame(pd.DataFrame({"b": [True, False], "y": ["p", "q"]}), "y")
    assert (data.columns.tolist(), data.levels) == ([[1.0, 0.0]], ((False, True),))


SPREAD = tuple(np.histogram([0, 1, 1, 4], BINS)[0].tolist())
NOWHERE = (0,) * BINS
COLUMNS: dict[str, tuple[Any, Profile]] = {
    "whole numbers": ([4, 1, None, 1, 0], Profile("whole numbers", 3, 1, SPREAD)),
    "numbers": ([2.25, 0.75, 0.75, 0.25], Profile("numbers", 3, 0, SPREAD)),
    "nullable": (pd.array([4, 1, 1, 0, None], "Int64"), Profile("whole numbers", 3, 1, SPREAD)),
    "infinite": ([np.inf, 4, 1, 1, 0], Profile("whole numbers", 4, 0, SPREAD)),
    "booleans": (pd.array([True, None, True, False]), Profile("true or false", 2, 1, (2, 1))),
    "dates": (
        pd.to_datetime(["2020-01-05", "2020-01-02", "2020-01-02", "2020-01-01"]),
        Profile("dates", 3, 0, SPREAD),
    ),
    "durations": (
        pd.to_timedelta(["2 days 04:00:00", "2 days 01:00:00", "2 days 01:00:00", "2 days"]),
        Profile("durations", 3, 0, SPREAD),
    ),
    "text": (pd.Series(["a", None, "b", "b"], dtype=object), Profile("text", 2, 1, (2, 1))),
    "categories": (pd.Categorical(["a", "b", "b"], ["c", "b", "a"]), Profile("text", 2, 0, (2, 1))),
    "nothing": (pd.Series([None, None], dtype=object), Profile("text", 0, 2, ())),
    "no number": ([np.nan, np.nan], Profile("whole numbers", 0, 2, NOWHERE)),
}


def test_a_column_is_told() -> None:
    for name, (cells, wanted) in COLUMNS.items():
        assert profile(pd.Series(cells)) == wanted, name
        assert wanted.kind in KINDS, name
    for largest in (1e308, 1.7e308, 5e-324):  # the ends of all numbers have a shape
        assert sum(profile(pd.Series([-largest, 0.0, largest])).shape) == 3, largest
    column = pd.Series([f"v{i}" for i in range(40)] + ["v7"] * 4, dtype=object)
    assert profile(column).shape == (5,) + (1,) * (BINS - 1)  # the most frequent
