"""Budget of one reading: all that a file from outside may take, in one place.

A file is refused, with a DataError that names the limit, as soon as it is seen to pass one.
"""

from __future__ import annotations

from dtviz.table.data import DataError

MAX_BYTES = 200_000_000  # of a file, and of what it unpacks to
MAX_MEMBERS = 10_000  # files of a zip archive, parts of a gzip archive
MAX_LINES = 2_000_000
MAX_LINE = 1_000_000  # characters
MAX_COLUMNS = 5_000
MAX_ROWS = 1_000_000
MAX_CELLS = 50_000_000
MAX_SHEET_ROWS = 1 << 20  # of a sheet in Excel, with those that are empty
MAX_SECONDS = 60.0
MAX_MEMORY = 2_000_000_000  # bytes of a process that reads


def need_room(size: int, most: int) -> None:
    """Raises DataError for more than `most` bytes."""
    if size > most:
        raise DataError(
            f"at most {most / 1e6:,.6g} MB, unpacked; the file holds more: keep a part of it"
        )


def need_size(rows: int, columns: int) -> None:
    """Raises DataError for no table, or one that is too large."""
    if not rows or not columns:
        raise DataError("the table is empty; it needs columns and rows")
    if rows > MAX_ROWS:
        raise DataError(f"at most {MAX_ROWS:,} rows; the table has more: keep a part of it")
    if columns > MAX_COLUMNS:
        raise DataError(f"at most {MAX_COLUMNS:,} columns; not {columns:,}: remove some")
    if rows * columns > MAX_CELLS:
        raise DataError(
            f"at most {MAX_CELLS:,} cells; not {rows * columns:,}: keep a part of the table"
        )


def need_lines(text: str) -> None:
    """Raises DataError for too many lines."""
    if max(text.count("\n"), text.count("\r")) > MAX_LINES:
        raise DataError(f"at most {MAX_LINES:,} lines; the file has more: keep a part of it")


def time_error() -> DataError:
    """The error of a file whose reading takes more than MAX_SECONDS."""
    return DataError(
        f"reading may take {MAX_SECONDS:.0f} seconds; this file takes longer: keep a part of it, "
        "or save it as CSV"
    )


def memory_error() -> DataError:
    """The error of a file whose reading takes more than MAX_MEMORY."""
    return DataError(
        f"reading may take {MAX_MEMORY / 1e6:,.0f} MB of memory; this file takes more: keep a part "
        "of it"
    )
