"""Pandas frames from tables of other libraries, and frames as bytes, both in Arrow's format.

polars, pyarrow, DuckDB and others export their columns by `__arrow_c_stream__`: they need not be
imported to read their tables. A frame goes to another process as Arrow bytes and not as a pickle,
since reading Arrow bytes runs no code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias

import numpy as np

from dtviz.base.lazy import pa, pd
from dtviz.base.progress import Slices


class ArrowTable(Protocol):
    """A table that exports its columns in Arrow's format."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Stream of the columns."""


AnyFrame: TypeAlias = "pd.DataFrame | ArrowTable"


def pandas_frame(table: Any) -> Any:
    """Pandas frame of a table that exports Arrow; any other value unchanged."""
    if isinstance(table, pd.DataFrame) or not hasattr(table, "__arrow_c_stream__"):
        return table
    try:
        return frame_of_arrow(pa.table(table))
    except (TypeError, pa.ArrowException):  # a single column exports Arrow too, and is no table
        return table


def frame_of_arrow(table: pa.Table) -> pd.DataFrame:
    """Frame of an Arrow table, without an index; integers with gaps stay integers."""
    if not table.num_columns:
        return pd.DataFrame(index=pd.RangeIndex(table.num_rows))
    columns = pd.concat([*map(_series, table.columns)], axis=1)
    return columns.set_axis(table.column_names, axis=1)


def _series(column: pa.Array | pa.ChunkedArray) -> pd.Series[Any]:
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    nullable: Any = _nullable_dtype if column.null_count else None
    series: pd.Series[Any] = column.to_pandas(types_mapper=nullable, date_as_object=False)
    return series


def _nullable_dtype(kind: pa.DataType) -> Any:
    """Pandas type with room for gaps, for an Arrow type; None for the default type."""
    # By default integers with gaps become floats, which rounds large integers.
    if pa.types.is_boolean(kind):
        return pd.BooleanDtype()
    if pa.types.is_integer(kind):
        return pd.api.types.pandas_dtype(str(kind).replace("int", "Int").replace("uI", "UI"))
    return None


def frame_head(frame: pd.DataFrame) -> dict[str, Any]:
    """Head that `parse_frame` needs: columns, and whether lines and an index follow them."""
    return {
        "names": list(frame.columns),
        "kinds": [str(kind) for kind in frame.dtypes],
        "lines": "lines" in frame.attrs,
        "units": frame.attrs.get("units", {}),
        "named": not isinstance(frame.index, pd.RangeIndex),
    }


def frame_bytes(frame: pd.DataFrame) -> Iterator[Any]:
    """Bytes of a frame by column; then of its lines in a file and of its index, if any."""
    for i in range(len(frame.columns)):
        yield _column_bytes(frame.iloc[:, i])
    if "lines" in frame.attrs:
        yield _column_bytes(pd.Series(frame.attrs["lines"]))
    if not isinstance(frame.index, pd.RangeIndex):
        yield _column_bytes(pd.Series(frame.index, dtype=object))


def _column_bytes(series: pd.Series[Any]) -> Any:
    if series.dtype == object:  # each text is written once: many rows may share a long text
        codes, texts = pd.factorize(series)
        # A text may have code points that UTF-8 cannot write.
        valid_texts = [text.encode("utf-8", "replace").decode() for text in texts]
        column = pa.DictionaryArray.from_arrays(
            pa.array(codes.astype(np.int32), mask=codes < 0),
            pa.array(valid_texts, pa.large_string()),
        )
    else:
        # Missing values are NaN in floats and null in other types.
        column = pa.array(series, from_pandas=series.dtype.kind != "f")
    table = pa.table([column], names=["cell"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue()


def parse_frame(content: Any, head: dict[str, Any]) -> Slices[pd.DataFrame]:
    """Frame from the bytes of `frame_bytes` and the head of `frame_head`, column by column."""
    source = pa.BufferReader(pa.py_buffer(content))
    columns: dict[str, pd.Series[Any]] = {}
    for name, kind in zip(head["names"], head["kinds"], strict=True):
        columns[name] = _read_column(pa.ipc.open_stream(source).read_all(), kind)
        yield len(columns) / len(head["names"])
    frame = pd.DataFrame(columns)
    frame.attrs["units"] = {str(name): str(unit) for name, unit in head["units"].items()}
    if head["lines"]:
        frame.attrs["lines"] = _read_column(
            pa.ipc.open_stream(source).read_all(), "int64"
        ).to_numpy()
    if head["named"]:
        labels = _read_column(pa.ipc.open_stream(source).read_all(), "object")
        frame.index = pd.Index(labels.tolist())
    return frame


def _read_column(table: pa.Table, kind: str) -> pd.Series[Any]:
    table.validate(full=True)  # the process that wrote the bytes had read a hostile file
    column = table.column(0).combine_chunks()
    if kind != "object":
        series = _series(column)
        dtype: Any = kind
        return series if str(series.dtype) == kind else series.astype(dtype)
    texts = np.array([*column.dictionary.to_pylist(), None], dtype=object)
    codes = column.indices.fill_null(len(texts) - 1).to_numpy(zero_copy_only=False)
    return pd.Series(texts[codes], dtype=object)
