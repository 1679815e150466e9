"""Tables of other libraries as pandas frames, through Arrow's protocol: none of them is imported.

polars, pyarrow, DuckDB and others hand out their columns by `__arrow_c_stream__`, to which pandas
points from the interchange protocol that it has given up. A frame becomes bytes in the same format,
for another process: nothing in them is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from dtviz.base.progress import Slices

if TYPE_CHECKING:
    import pyarrow as pa


class Arrow(Protocol):
    """A table that speaks Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Its columns."""


AnyFrame = pd.DataFrame | Arrow


def any_frame(given: Any) -> Any:
    """The pandas frame of a table that speaks Arrow; anything else as it is."""
    if isinstance(given, pd.DataFrame) or not hasattr(given, "__arrow_c_stream__"):
        return given
    import pyarrow as pa

    try:
        return frame_of(pa.table(given))
    except (TypeError, pa.ArrowException):  # one column alone speaks it too
        return given


def frame_of(table: pa.Table) -> pd.DataFrame:
    """The frame, its index among the columns; whole numbers and truth values with gaps stay so."""
    if not table.num_columns:
        return pd.DataFrame(index=pd.RangeIndex(table.num_rows))
    columns = pd.concat([*map(_series, table.columns)], axis=1)
    return columns.set_axis(table.column_names, axis=1)


def _series(column: pa.Array | pa.ChunkedArray) -> pd.Series[Any]:
    import pyarrow as pa

    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    nullable: Any = _nullable if column.null_count else None
    made: pd.Series[Any] = column.to_pandas(types_mapper=nullable, date_as_object=False)
    return made


def _nullable(kind: pa.DataType) -> Any:
    """pandas' type with gaps: without it whole numbers would be rounded to floats."""
    import pyarrow as pa

    if pa.types.is_boolean(kind):
        return pd.BooleanDtype()
    if pa.types.is_integer(kind):
        return pd.api.types.pandas_dtype(str(kind).replace("int", "Int").replace("uI", "UI"))
    return None


def head_of(frame: pd.DataFrame) -> dict[str, Any]:
    """The names and types of the columns, and what is beside them: what `frame_in` must know."""
    return {
        "names": list(frame.columns),
        "kinds": [str(kind) for kind in frame.dtypes],
        "lines": "lines" in frame.attrs,
        "named": not isinstance(frame.index, pd.RangeIndex),
    }


def bytes_of(frame: pd.DataFrame) -> Iterator[Any]:
    """A tidy frame as bytes, column by column; then its lines and the names of its rows, if any."""
    for at in range(len(frame.columns)):
        yield _written(frame.iloc[:, at])
    if "lines" in frame.attrs:
        yield _written(pd.Series(frame.attrs["lines"]))
    if not isinstance(frame.index, pd.RangeIndex):
        yield _written(pd.Series(frame.index, dtype=object))


def _written(series: pd.Series[Any]) -> Any:
    import pyarrow as pa

    if series.dtype == object:  # text, each kept once: 1,000,000 rows may share a long one
        codes, words = pd.factorize(series)
        whole = [word.encode("utf-8", "replace").decode() for word in words]
        column = pa.DictionaryArray.from_arrays(
            pa.array(codes.astype(np.int32), mask=codes < 0), pa.array(whole, pa.large_string())
        )
    else:
        column = pa.array(series, from_pandas=series.dtype.kind != "f")
    table = pa.table([column], names=["cell"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue()


def frame_in(content: Any, head: dict[str, Any]) -> Slices[pd.DataFrame]:
    """The frame of the bytes that `bytes_of` made, and of what `head_of` says of it."""
    import pyarrow as pa

    source = pa.BufferReader(pa.py_buffer(content))
    columns: dict[str, pd.Series[Any]] = {}
    for name, kind in zip(head["names"], head["kinds"], strict=True):
        columns[name] = _read(pa.ipc.open_stream(source).read_all(), kind)
        yield len(columns) / len(head["names"])
    frame = pd.DataFrame(columns)
    if head["lines"]:
        frame.attrs["lines"] = _read(pa.ipc.open_stream(source).read_all(), "int64").to_numpy()
    if head["named"]:
        labels = _read(pa.ipc.open_stream(source).read_all(), "object")
        frame.index = pd.Index(labels.tolist())
    return frame


def _read(table: pa.Table, kind: str) -> pd.Series[Any]:
    table.validate(full=True)
    column = table.column(0).combine_chunks()
    if kind != "object":
        made = _series(column)
        wanted: Any = kind
        return made if str(made.dtype) == kind else made.astype(wanted)
    words = np.array([*column.dictionary.to_pylist(), None], dtype=object)
    codes = column.indices.fill_null(len(words) - 1).to_numpy(zero_copy_only=False)
    return pd.Series(words[codes], dtype=object)
