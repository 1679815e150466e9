"""Frames of other libraries: read as the same table of pandas is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import dtviz
from dtviz import DataError
from dtviz.table.arrow import any_frame

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


@pytest.fixture(params=LIBRARIES)
def make(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """A function that makes a frame of some library from columns."""
    return LIBRARIES[request.param]


def test_a_dataset_equals_that_of_the_pandas_frame(make: Callable[[Any], Any]) -> None:
    for target in ("y", "whole", "flag", "car"):
        found, wanted = dtviz.from_frame(make(COLUMNS), target), dtviz.from_frame(PANDAS, target)
        assert np.array_equal(found.columns, wanted.columns, equal_nan=True), target
        assert found.y.tolist() == wanted.y.tolist(), target
        assert (found.features, found.levels, found.classes) == (
            wanted.features,
            wanted.levels,
            wanted.classes,
        ), target
        assert (found.task, found.notes) == (wanted.task, wanted.notes), target


def test_a_model_treats_the_frame_as_that_of_pandas(make: Callable[[Any], Any]) -> None:
    model = dtviz.fit(dtviz.from_frame(PANDAS, "y", ["whole", "car", "flag"]))
    frame = make(COLUMNS)
    assert model.predict(frame).tolist() == model.predict(PANDAS).tolist()
    assert model.predict_proba(frame).tolist() == model.predict_proba(PANDAS).tolist()
    assert model.apply(frame).tolist() == model.apply(PANDAS).tolist()
    assert model.score(frame) == model.score(PANDAS)


def test_the_path_of_a_frame_of_one_row(make: Callable[[Any], Any]) -> None:
    model = dtviz.fit(dtviz.from_frame(PANDAS, "y", ["whole", "car", "flag"]))
    for at in range(len(PANDAS)):
        row = {name: cells[at : at + 1] for name, cells in COLUMNS.items()}
        way = model.path({name: cells[at] for name, cells in COLUMNS.items()})
        assert way[-1] == model.apply(PANDAS)[at]
        assert model.path(make(row)) == model.path(PANDAS[at : at + 1]) == way
        assert model.path(PANDAS.iloc[at]) == way  # by name, though the order is another
    with pytest.raises(DataError, match="a path is that of one row; this frame has 8 rows"):
        model.path(make(COLUMNS))


def test_weights_of_another_library() -> None:
    frame = polars.DataFrame(COLUMNS)
    found = dtviz.from_frame(frame, "y", ["car"], sample_weight="whole")
    assert found.weights.tolist() == COLUMNS["whole"]
    by_array = dtviz.from_frame(frame, "y", ["car"], sample_weight=frame["whole"])
    assert by_array.weights.tolist() == COLUMNS["whole"]


def test_types_stay_what_they_are() -> None:
    large = 2**53 + 1
    frame = any_frame(
        polars.DataFrame(
            {
                "whole": [large, None],
                "small": polars.Series([1, None], dtype=polars.UInt8),
                "flag": [True, None],
                "day": [date(1500, 1, 2), None],
                "time": [datetime(2020, 1, 1, 12), None],
                "span": [timedelta(days=1), None],
                "money": [Decimal("1.25"), None],
                "kind": polars.Series(["lo", "hi"], dtype=polars.Enum(["lo", "mid", "hi"])),
            }
        )
    )
    assert frame["whole"].tolist() == [large, pd.NA]
    kinds = frame.dtypes.astype(str).to_dict()
    assert (kinds["whole"], kinds["small"], kinds["flag"]) == ("Int64", "UInt8", "boolean")
    assert kinds["money"] == "float64"
    assert frame["money"][0] == 1.25
    assert [kind[0] for kind in (kinds["day"], kinds["time"], kinds["span"])] == ["d", "d", "t"]
    assert frame["day"][0] == pd.Timestamp(1500, 1, 2)
    assert frame["kind"].cat.ordered
    assert [*frame["kind"].cat.categories] == ["lo", "mid", "hi"]


def test_what_is_no_frame_is_refused() -> None:
    for given in (
        polars.Series([1, 2]), pa.array([1, 2]), polars.DataFrame({"x": [1]}).lazy(),
        pd.Series([1]),
    ):  # fmt: skip
        with pytest.raises(
            DataError, match=r"`frame` must be a DataFrame \(pandas, polars\) or an Arrow table"
        ):
            dtviz.from_frame(given, "y")


def test_a_table_without_columns_has_no_target() -> None:
    with pytest.raises(DataError, match=r"one of the columns \(none\)"):
        dtviz.from_frame(polars.DataFrame(), "y")


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
