"""What a column holds is told in a line: its kind, its distinct values, its gaps, its shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dtviz.table.profile import BINS, KINDS, Profile, profile

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
