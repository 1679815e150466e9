"""Levels of categories: their types, and which one a value stands for."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from dtviz.table.data import unfit
from dtviz.table.held import from_frame
from dtviz.table.levels import UNSEEN, code_of, codes_of, levels_of, told


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
        found = levels_of(series)
        assert found == levels, values
        assert [type(level) for level in found] == [type(level) for level in levels], values
        codes = codes_of(series, found)
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
