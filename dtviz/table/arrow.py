"""Tables of other libraries as pandas frames, through Arrow's protocol: none of them is imported.

polars, pyarrow, DuckDB and others hand out their columns by `__arrow_c_stream__`, to which pandas
points from the interchange protocol that it has given up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pandas as pd

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


def _series(column: pa.ChunkedArray) -> pd.Series[Any]:
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
