"""Frames of other libraries: read as the same table of pandas is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from refusals import refusal

import dtviz
from dtviz.data.frames import pandas_frame

polars = pytest.importorskip("polars")

COLUMNS: dict[str, list[Any]] = {
    "x": [1.5, 2.5, None, 4.5, 5.5, 6.5, 7.5, 8.5],
    "whole": [3, 1, 4, 1, 5, 9, 2, 6],
    "car": ["Family", "Sports", "Sports", "Family", "Family", "Sports", "Truck", "Truck"],
    "flag": [True, False, True, True, False, False, True, False],
    "y": ["low", "high", "high", "low", "low", "high", "low", "low"],
}
PANDAS = pd.DataFrame(COLUMNS)
LIBRARIES: dict[str, Callable[[Any], Any]] = {
    "polars": polars.DataFrame,
    "pyarrow": pa.table,
    "batch": lambda columns: pa.table(columns).to_batches()[0],
}


def test_a_dataset_equals_that_of_the_pandas_frame() -> None:
    for (name, make), target in product(LIBRARIES.items(), ("y", "whole", "flag", "car")):
        data, wanted = dtviz.from_frame(make(COLUMNS), target), dtviz.from_frame(PANDAS, target)
        assert np.array_equal(data.columns, wanted.columns, equal_nan=True), (name, target)
        assert data.y.tolist() == wanted.y.tolist(), (name, target)
        for part in ("features", "levels", "classes", "task", "notes"):
            assert getattr(data, part) == getattr(wanted, part), (name, target)


def test_a_model_treats_the_frame_and_a_frame_of_one_row_as_those_of_pandas() -> None:
    model = dtviz.fit(dtviz.from_frame(PANDAS, "y", ["whole", "car", "flag"]))
    for name, make in LIBRARIES.items():
        frame = make(COLUMNS)
        for ask in (model.predict, model.predict_proba, model.apply):
            assert ask(frame).tolist() == ask(PANDAS).tolist(), name
        assert model.score(frame) == model.score(PANDAS), name
        for at in range(len(PANDAS)):
            row = {column: cells[at : at + 1] for column, cells in COLUMNS.items()}
            way = model.path({column: cells[at] for column, cells in COLUMNS.items()})
            assert way[-1] == model.apply(PANDAS)[at], name
            assert model.path(make(row)) == model.path(PANDAS[at : at + 1]) == way, name
            assert model.path(PANDAS.iloc[at]) == way, name  # by name, though the order is another
        assert "a path is that of one row; this frame has 8 rows" in refusal(model.path, frame)


def test_weights_of_another_library() -> None:
    frame = polars.DataFrame(COLUMNS)
    result = dtviz.from_frame(frame, "y", ["car"], sample_weight="whole")
    assert result.weights.tolist() == COLUMNS["whole"]
    by_array = dtviz.from_frame(frame, "y", ["car"], sample_weight=frame["whole"])
    assert by_array.weights.tolist() == COLUMNS["whole"]


def test_types_stay_what_they_are() -> None:
    large = 2**53 + 1
    columns = {
        "whole": [large, None], "small": polars.Series([1, None], dtype=polars.UInt8),
        "flag": [True, None], "day": [date(1500, 1, 2), None],
        "time": [datetime(2020, 1, 1, 12), None], "span": [timedelta(days=1), None],
        "money": [Decimal("1.25"), None],
        "kind": polars.Series(["lo", "hi"], dtype=polars.Enum(["lo", "mid", "hi"])),
    }  # fmt: skip
    frame = pandas_frame(polars.DataFrame(columns))
    assert frame["whole"].tolist() == [large, pd.NA]
    kinds = frame.dtypes.astype(str).to_dict()
    assert (kinds["whole"], kinds["small"], kinds["flag"]) == ("Int64", "UInt8", "boolean")
    assert kinds["money"] == "float64"
    assert frame["money"][0] == 1.25
    assert [kind[0] for kind in (kinds["day"], kinds["time"], kinds["span"])] == ["d", "d", "t"]
    assert frame["day"][0] == pd.Timestamp(1500, 1, 2)
    assert frame["kind"].cat.ordered
    assert [*frame["kind"].cat.categories] == ["lo", "mid", "hi"]


def test_what_is_no_frame_or_has_no_columns_is_refused() -> None:
    says = "`frame` must be a DataFrame (pandas, polars) or an Arrow table"
    for odd in (polars.Series([1]), pa.array([1]), polars.DataFrame({"x": [1]}).lazy(), PANDAS.x):
        assert says in refusal(dtviz.from_frame, odd, "y"), type(odd)
    assert "one of the columns (none)" in refusal(dtviz.from_frame, polars.DataFrame(), "y")


class Once:
    """A table whose columns are handed out once, as those of some queries are."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.stream = pa.table(frame).__arrow_c_stream__()
        self.asked = 0

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        self.asked += 1
        return self.stream


def test_columns_are_asked_for_once() -> None:
    model = dtviz.fit(dtviz.from_frame(Once(PANDAS), "y", ["whole"]))
    for ask in (model.predict, model.predict_proba, model.apply, model.score):
        once = Once(PANDAS)
        ask(once)
        assert once.asked == 1
    assert model.score(Once(PANDAS)) == model.score(PANDAS)
