"""Tables in JSON: the shapes that are read, names that choose one, refusals."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from dtviz.data.dataset import DataError
from dtviz.data.notes import summary
from dtviz.data.read_options import ReadOptions
from dtviz.data.read_table import option_names, part_names, read_file

FRAME = pd.DataFrame({"x": [1, 2, 3], "y": ["a", "b", "c"]})
RECORDS = [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}, {"x": 3, "y": "c"}]
SHAPES: dict[str, Any] = {
    "under a name": {"data": RECORDS, "count": 3},
    "under names": {"a": {"b": RECORDS}},
    "columns": {"x": [1, 2, 3], "y": ["a", "b", "c"]},
    "rows": [["x", "y"], [1, "a"], [2, "b"], [3, "c"]],
    "GeoJSON": {
        "type": "FeatureCollection",
        "features": [{"type": "Feature", "geometry": None, "properties": r} for r in RECORDS],
    },
    **{
        f"pandas, {orient}": json.loads(FRAME.to_json(orient=orient))
        for orient in ("columns", "index", "split", "records")
    },
}


def test_every_shape_is_read() -> None:
    for case, value in SHAPES.items():
        for indent in (None, 1):
            frame, _ = read_file(json.dumps(value, indent=indent).encode())
            assert frame.to_dict("list") == FRAME.to_dict("list"), case
    frame, notes = read_file(b'{"ann": {"x": 1}, "bob": {"x": 2}}')
    assert frame.to_dict("list") == {"key": ["ann", "bob"], "x": [1, 2]}
    assert summary(notes) == ["the names of the records are the column 'key'"]
    assert list(read_file(b'[[1, "a"], [2, "b"]]')[0]) == ["column 1", "column 2"]
    assert len(read_file(b'{"x": 1, "y": 2}\n')[0]) == 1  # records a line, one of them


TWO = b'{"a": [{"x": 1, "y": 2}], "b": {"c": [{"x": 3, "y": 4}]}}'


def test_of_several_tables_one_is_chosen_by_its_name() -> None:
    assert part_names(TWO) == ("a", "b.c")
    assert option_names(TWO) == {"part"}
    assert read_file(TWO, options=ReadOptions(part="b.c"))[0]["x"].tolist() == [3]
    for isolated in (False, True):  # the parameter comes back from a process of its own
        content = TWO + b" " * (1_000_001 if isolated else 0)
        for part in ("", "z"):
            with pytest.raises(DataError) as error:
                read_file(content, options=ReadOptions(part=part), isolated=isolated)
            assert "'a', 'b.c'" in str(error.value), part
            assert error.value.parameter == "part", part


def test_what_is_no_table_says_which_shapes_are_read() -> None:
    for text in ("{}", '{"a": [1, 2], "b": [1]}', '{"a":' * 50 + "1" + "}" * 50):
        with pytest.raises(DataError, match="this JSON is no table: read are a list of records"):
            read_file(text.encode())
    assert part_names(b'{"a":' * 100_000) == ()
