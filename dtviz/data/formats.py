"""Readers of files, one a format: the bytes of a file become a tidy frame.

A reader adds a note on each change to `notes`. CSV, workbooks and JSON are read in slices, other
formats in one step. No reader unpickles. A reader unpacks at most `max_bytes`, and checks the size
of a table before it builds the table, where the file states its size. `read_table` turns the
exceptions of damaged files into messages.
"""

from __future__ import annotations

import datetime
import gzip
import html
import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import PurePosixPath
from typing import IO, Any

import numpy as np

from dtviz.base.lazy import pa, pd
from dtviz.base.progress import Slices, scaled_progress
from dtviz.base.text import count, quoted, quoted_names
from dtviz.data.cells import read_columns, words_of
from dtviz.data.csv import clean_names, read_frame_slices
from dtviz.data.csv_dialect import ONE_COLUMN
from dtviz.data.dataset import DataError
from dtviz.data.frames import frame_of_arrow
from dtviz.data.json_table import find_table, parse_json, tables_by_name, whole_value
from dtviz.data.notes import Note
from dtviz.data.number_cells import CELL_SEPARATOR
from dtviz.data.read_options import ABSENT_CELL, ReadOptions
from dtviz.data.worker import (
    MAX_CELLS,
    MAX_MEMBERS,
    MAX_ROWS,
    MAX_SHEET_ROWS,
    check_bytes,
    check_lines,
    check_table_size,
)

PIECE_BYTES = 1 << 20  # bytes unpacked at once
GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"  # first bytes of an archive
_GZIP_PART = GZIP + b"\x08"  # first bytes of each part of a gzip archive
_ZIP_ENTRY = b"PK\x01\x02"  # first bytes of each entry in the directory of a zip archive
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Python unpacks others in unbounded pieces
_WORKBOOK = "xl/workbook.xml"  # a member of each .xlsx file
_SHEET_NAME = re.compile(r'<(?:\w+:)?sheet\s[^<>]*?\bname="([^"<>]*)"')
_OFFICE = {"[Content_Types].xml", "mimetype"}  # members of files of Microsoft Office, LibreOffice


def unpack(content: bytes, max_bytes: int, part: str = "") -> Slices[tuple[bytes, str]]:
    """The content of one file in an archive; other content, and a workbook, as it is.

    `part` names the file if the archive holds several. Returned with the content is the part that
    is left to choose in it: '' once a file was chosen by its name. Raises DataError for an archive
    that is damaged, locked, or holds more than `max_bytes`, or no such file.
    """
    if content.startswith(GZIP):
        if content.count(_GZIP_PART) > MAX_MEMBERS:
            raise DataError(f"the archive has more than {MAX_MEMBERS:,} parts; pack it again")
        with _damage_as_data_error(), gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            return (yield from _unpack_file(file, max_bytes)), part
    if not content.startswith(ZIP):
        return content, part
    with _damage_as_data_error(), _open_zip(content) as archive:
        names = set(archive.namelist())
        if _WORKBOOK in names:
            return content, part
        if names & _OFFICE:
            raise DataError("this is an Office file, but no .xlsx workbook: save the table as one")
        member = _chosen_member(archive.infolist(), part)
        check_bytes(member.file_size, max_bytes)
        with archive.open(member) as file:
            plain = yield from _unpack_file(file, max_bytes)
        return plain, "" if part == member.filename else part


def check_members(content: bytes, max_bytes: int) -> Slices[None]:
    """Raise DataError if the members of a zip archive unpack to more than `max_bytes`.

    Each member is unpacked, because the size that the archive declares for it may be false.
    """
    with _damage_as_data_error(), _open_zip(content) as archive:
        check_bytes(sum(member.file_size for member in archive.infolist()), max_bytes)
        for member in archive.infolist():
            with archive.open(member) as file:
                # at most the declared size can be read; where there is more, it raises an error
                while file.read(PIECE_BYTES):
                    yield 0


def _unpack_file(file: IO[bytes] | gzip.GzipFile, max_bytes: int) -> Slices[bytes]:
    """Unpack a file piece by piece; raises DataError beyond `max_bytes`."""
    plain = io.BytesIO()
    while piece := file.read(PIECE_BYTES):
        plain.write(piece)
        check_bytes(plain.tell(), max_bytes)
        yield min(plain.tell() / max_bytes, 1)
    return plain.getvalue()


def _open_zip(content: bytes) -> zipfile.ZipFile:
    # counted first, because ZipFile reads the whole directory at once
    if content.count(_ZIP_ENTRY) > MAX_MEMBERS:
        raise DataError(f"the archive holds more than {MAX_MEMBERS:,} files; pack the table alone")
    archive = zipfile.ZipFile(io.BytesIO(content))
    if any(member.compress_type not in _METHODS for member in archive.infolist()):
        raise DataError("the archive is packed by a rare method; pack it by the usual one, Deflate")
    return archive


def _chosen_member(members: Sequence[zipfile.ZipInfo], name: str) -> zipfile.ZipInfo:
    """The member of this name, or the only one that is neither a folder nor hidden.

    Raises DataError.
    """
    tables = [file for file in members if not file.is_dir() and not _is_hidden(file.filename)]
    tables = [file for file in tables if file.filename == name] or tables
    if len(tables) != 1:
        names = quoted_names([file.filename for file in tables])
        content = f"{count(len(tables), 'file')} ({names})" if tables else "none"
        raise DataError(
            f"a zip archive must hold one table; not {content}: choose one by its name, or pack "
            "the table alone",
            "part",
        )
    if tables[0].flag_bits & 1:  # encrypted
        raise DataError("the archive is locked by a password; pack the table without one")
    return tables[0]


def is_workbook(content: bytes) -> bool:
    """True for a zip archive that is an .xlsx workbook; False for a damaged one."""
    try:
        with _damage_as_data_error(), _open_zip(content) as archive:
            return _WORKBOOK in archive.namelist()
    except DataError:
        return False


def part_names(content: bytes) -> tuple[str, ...]:
    """Names of the sheets of a workbook, else of the files in a zip archive; () if damaged."""
    try:
        with _damage_as_data_error(), _open_zip(content) as archive:
            if _WORKBOOK not in archive.namelist():
                files = [file for file in archive.infolist() if not file.is_dir()]
                return tuple(file.filename for file in files if not _is_hidden(file.filename))
            with archive.open(_WORKBOOK) as file:
                book = file.read(PIECE_BYTES).decode("utf-8", "replace")
    except DataError:
        return ()
    # no parser of XML: it could be made to expand a text without end
    return tuple(map(html.unescape, _SHEET_NAME.findall(book)))


def json_part_names(content: bytes) -> tuple[str, ...]:
    """Names of the tables in JSON, if one has to be chosen by its name; () for others."""
    try:
        value = whole_value(content.decode("utf-8-sig"))
    except (DataError, ValueError, RecursionError):
        return ()
    return tuple(name for name, _ in tables_by_name(value))


def _is_hidden(name: str) -> bool:
    """True for a name that an operating system adds: .DS_Store, __MACOSX/._a.csv."""
    path = PurePosixPath(name)
    return path.name.startswith(".") or path.parts[:1] == ("__MACOSX",)


@contextmanager
def _damage_as_data_error() -> Iterator[None]:
    """Turn the exceptions of a damaged archive into a DataError."""
    try:
        yield
    except DataError:
        raise
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, ValueError, RuntimeError) as error:
        reason = str(error) or "it ends too early"
        raise DataError(f"the archive cannot be unpacked ({reason}); pack it again") from None


NESTED_TYPES = (list, tuple, dict, set, frozenset, np.ndarray)
"""Types of cells with several values."""


def tidy(frame: pd.DataFrame, options: ReadOptions, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame with clean and distinct names, and columns of the types that `read_frame` has.

    Numbers, dates, durations and categories keep their type; text is read as the cells of a CSV
    file are. Times of day become durations. Booleans with gaps are nullable, text is object with
    None. Columns of lists or records are left out. `attrs["lines"]`, the number of each row in the
    file, stays.
    """
    check_table_size(*frame.shape)
    names = clean_names([str(name) for name in frame.columns], notes)
    lines = frame.attrs.get("lines", np.arange(1, len(frame) + 1))
    columns: dict[str, Any] = {}
    units: dict[str, str] = {}
    for i, name in enumerate(names):
        column = _typed_column(frame.iloc[:, i].reset_index(drop=True), name, notes)
        if isinstance(column, str):
            read = read_columns([name], [column], lines, ONE_COLUMN, options, notes)
            read_frame = yield from scaled_progress(read, i / len(names), (i + 1) / len(names))
            columns[name] = read_frame[name]
            units |= read_frame.attrs["units"]
        elif column is not None:
            columns[name] = _without_chosen_numbers(column, name, options, notes)
    check_table_size(len(frame), len(columns))  # raises where every column is left out
    tidied = pd.DataFrame(columns)
    tidied.attrs = {"units": units}
    if "lines" in frame.attrs:
        tidied.attrs["lines"] = lines
    return tidied


def _typed_column(
    series: pd.Series[Any], name: str, notes: list[Note]
) -> pd.Series[Any] | str | None:
    """A column with the type of its cells; its cells as one text if some of them are text.

    None where a cell holds several values.
    """
    if not (series.dtype == object or isinstance(series.dtype, pd.StringDtype)):
        return series
    cells = [
        None if is_na else _decode(cell) for cell, is_na in zip(series, series.isna(), strict=True)
    ]
    if any(isinstance(cell, NESTED_TYPES) for cell in cells):
        text = "holds lists or records, left out: a cell must hold one value"
        notes.append(Note("column", text, None, name))
        return None
    values = pd.Series(cells, dtype=object)
    match pd.api.types.infer_dtype(values, skipna=True):
        case "boolean":
            return values.astype("boolean")
        case "integer" if all(cell is None or abs(cell) < 2**63 for cell in cells):
            return values.astype("int64" if None not in cells else "Int64")
        case "integer" | "floating" | "mixed-integer-float" | "decimal":
            return values.astype("float64")
        case "datetime" | "datetime64" | "date":
            return pd.to_datetime(values)
        case "timedelta":
            return pd.to_timedelta(values)
    if cells and {*map(type, cells)} - {str, type(None)} - {datetime.time}:
        notes.append(Note("column", "cells of several types, read as they are written", None, name))
    return CELL_SEPARATOR.join([_cell_text(cell) for cell in cells])


def _cell_text(cell: Any) -> str:
    """The text of a cell, as a CSV file would have it."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    text = str(cell).strip()
    # no text holds the sign that parts cells, or stands for a cell that a short row lacks
    return text.replace(CELL_SEPARATOR, "\ufffd").replace(ABSENT_CELL, "\ufffd")


def _decode(cell: Any) -> Any:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell


def _without_chosen_numbers(
    series: pd.Series[Any], name: str, options: ReadOptions, notes: list[Note]
) -> pd.Series[Any]:
    """A column without the numbers that a user said to mean a missing value."""
    words = words_of(options, name)
    if not words.numbers or not pd.api.types.is_numeric_dtype(series):
        return series
    is_missing = series.isin([*words.numbers])
    n = int(is_missing.sum())
    if n:
        listed = quoted_names(sorted(words.words))
        notes.append(Note("column", f"{listed} read as missing: {count(n, 'cell')}", None, name))
    return series.mask(is_missing)


EXACT_CELLS = b"dtviz.exact_cells"
"""Key in the metadata of a Parquet file whose texts are values as they stand, even 'nan' and '1'.
"""
SheetRow = tuple[int, list[Any]]
"""Number of a row in its sheet, from 1, and the row's cells."""
BLOCK_ROWS = 1_024
"""Rows that are read in one slice of the work."""


def csv_frame(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """The frame of CSV, TSV and their relatives."""
    frame, csv_notes = yield from read_frame_slices(content, options)
    notes += csv_notes
    return frame


def parquet_frame(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """The frame of a Parquet file."""
    yield 0
    import pyarrow.parquet as pq

    meta = pq.read_metadata(io.BytesIO(content))
    check_table_size(meta.num_rows, meta.num_columns)
    groups = map(meta.row_group, range(meta.num_row_groups))
    check_bytes(sum(group.total_byte_size for group in groups), max_bytes)
    fields = meta.schema.to_arrow_schema()
    text_columns = [field.name for field in fields if _is_text(field.type)]
    # The size checked above counts a repeated text once, as a dictionary does. Without one, each
    # repetition takes memory, and a file of some kB could take all.
    table = pq.ParquetFile(io.BytesIO(content), read_dictionary=text_columns).read()
    if EXACT_CELLS in (table.schema.metadata or {}):
        # a type by hand keeps a text as it is written
        by_hand = dict.fromkeys(text_columns, "category") | dict(options.types)
        words = dict.fromkeys(text_columns, ()) | dict(options.missing)
        options = replace(options, types=tuple(by_hand.items()), missing=tuple(words.items()))
    return (yield from tidy(_arrow_frame(table, text_columns), options, notes))


def exact_parquet(frame: pd.DataFrame) -> bytes:
    """The bytes of a Parquet file whose texts `parquet_frame` reads as they stand."""
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame, preserve_index=False)
    metadata = {**(table.schema.metadata or {}), EXACT_CELLS: b"1"}
    content = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(metadata), content)
    return content.getvalue()


def feather_frame(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """The frame of an Arrow file, also called Feather."""
    yield 0
    file = pa.ipc.open_file(pa.py_buffer(content))
    batches, rows, size = [], 0, 0
    for index in range(file.num_record_batches):
        batch = file.get_batch(index)
        batches.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        check_table_size(max(rows, 1), len(file.schema))
        check_bytes(size, max_bytes)
    table = pa.Table.from_batches(batches, file.schema)
    table.validate(full=True)  # offsets that point elsewhere would end the process
    return (yield from tidy(_arrow_frame(table, []), options, notes))


def _arrow_frame(table: pa.Table, text_columns: list[str]) -> pd.DataFrame:
    """The frame of an Arrow table; its dictionaries become categories, or text if named here."""
    frame = frame_of_arrow(table)
    return frame.astype({name: object for name in text_columns if name in frame})


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def excel_frame(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """The frame of a workbook's first sheet that is not empty, with the values of formulas."""
    yield 0
    import openpyxl

    yield from check_members(content, max_bytes)
    with warnings.catch_warnings(action="ignore"):  # on styles, drawings and the like
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        for sheet in _chosen_sheets(book.worksheets, options.part):
            rows = yield from _sheet_rows(sheet)
            if rows:
                break
        else:
            raise DataError("the workbook is empty; it needs a sheet with a header and rows")
    if len(book.worksheets) > 1 and not options.part:
        others = quoted_names([other.title for other in book.worksheets if other is not sheet])
        notes.append(Note("file", f"the sheet {quoted(sheet.title)} is read; not {others}"))
    return (yield from tidy(_frame_under_header(rows, options.names_line), options, notes))


def _chosen_sheets(sheets: Sequence[Any], part: str) -> list[Any]:
    """The sheets with this name; all for ''. Raises DataError for an unknown name."""
    chosen = [sheet for sheet in sheets if part in ("", sheet.title)]
    if not chosen:
        names = quoted_names([sheet.title for sheet in sheets])
        raise DataError(f"the workbook has no sheet {quoted(part)}; it has {names}", "part")
    return chosen


def _sheet_rows(sheet: Any) -> Slices[list[SheetRow]]:
    """The rows of a sheet that have a value, with their cells up to the last value."""
    sheet.reset_dimensions()  # the declared dimensions may be false
    rows, n_cells = list[SheetRow](), 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if number % BLOCK_ROWS == 0:
            yield 0
        n_cells += len(row)
        if number > MAX_SHEET_ROWS:
            raise DataError(
                f"a row has a number beyond {MAX_SHEET_ROWS:,}, the last that Excel knows: save "
                "the sheet again, or as CSV"
            )
        if n_cells > MAX_CELLS:
            raise DataError(f"at most {MAX_CELLS:,} cells; the sheet has more: keep a part of it")
        values = [*row]
        while values and values[-1] is None:
            values.pop()
        if values:
            rows.append((number, values))
            check_table_size(max(len(rows) - 1, 1), len(values))
    return rows


def _frame_under_header(rows: list[SheetRow], names_line: int | None) -> pd.DataFrame:
    """The frame of rows; the row with this number holds the names of the columns.

    The first row holds them if the number is None, and no row if it is 0. Raises DataError.
    """
    if names_line:
        rows = [row for row in rows if row[0] >= names_line]
    if not rows:
        raise DataError(f"no row of the sheet stands in line {names_line:,} or below", "names_line")
    if names_line == 0:
        names_row = [f"column {k + 1}" for k in range(max(len(cells) for _, cells in rows))]
        rows = [(0, names_row), *rows]
    (_, names), *body = rows
    width = max(len(cells) for _, cells in rows)
    check_table_size(len(body), width)
    header = ["" if name is None else str(name) for name in names] + [""] * (width - len(names))
    padded = [cells + [None] * (width - len(cells)) for _, cells in body]
    frame = pd.DataFrame(padded, dtype=object).set_axis(header, axis=1)
    frame.attrs["lines"] = np.array([number for number, _ in body])
    return frame


def json_frame(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """The frame of JSON with one object a line, or with one value that `find_table` can read.

    A name that an object lacks is a missing value.
    """
    yield 0
    full_text = content.decode("utf-8-sig")
    check_lines(full_text)
    records: Iterable[tuple[int, Any]]
    if (value := whole_value(full_text)) is not None:
        table = find_table(value, options.part, notes)
        if table.columns:
            n_rows = max(map(len, table.columns.values()))
            check_table_size(n_rows, len(table.columns))
            columns = {k: pd.Series(cells, dtype=object) for k, cells in table.columns.items()}
            return (yield from tidy(pd.DataFrame(columns), options, notes))
        records = enumerate(table.records, 1)
    else:
        if options.part:
            raise DataError("one record a line: there is no `part` to choose", "part")
        texts = ((line, text) for line, text in enumerate(full_text.split("\n"), 1) if text.strip())
        records = ((line, parse_json(text, f"line {line:,}")) for line, text in texts)
    return (yield from tidy((yield from _record_frame(records)), options, notes))


def _record_frame(records: Iterable[tuple[int, Any]]) -> Slices[pd.DataFrame]:
    """The frame of records with the number of each. Raises DataError."""
    lines: list[int] = []
    columns: dict[str, list[Any]] = {}
    for row, (line, record) in enumerate(records):
        if not isinstance(record, dict):
            raise DataError(f'row {line:,} is no object; each row must be one: {{"name": value}}')
        lines.append(line)
        if not row % BLOCK_ROWS:
            check_table_size(row + 1, len(columns) or 1)
            yield 0
        for name, cell in record.items():
            if name not in columns:
                check_table_size(row + 1, len(columns) + 1)
                columns[name] = []
            cells = columns[name]
            if len(cells) < row:  # rows before this one lack the name
                cells += [None] * (row - len(cells))
            cells.append(cell)
    check_table_size(len(lines), len(columns))
    for cells in columns.values():
        cells += [None] * (len(lines) - len(cells))
    frame = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})
    frame.attrs["lines"] = np.array(lines)
    return frame


def stata_frame(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """The frame of a Stata file; labels replace codes where every code has a label."""
    yield 0
    plain = _read_stata(content, labels=False)
    try:
        labelled = _read_stata(content, labels=True)
    except ValueError:  # two codes of a column have the same label
        notes.append(Note("file", "labels that occur twice are not used; the codes are"))
        return (yield from tidy(plain, options, notes))
    for name, column in labelled.items():
        if isinstance(column.dtype, pd.CategoricalDtype) and _all_text(column.cat.categories):
            plain[name] = column
    return (yield from tidy(plain, options, notes))


def _read_stata(content: bytes, labels: bool) -> pd.DataFrame:
    """The frame of a Stata file as pandas reads it; `labels` turns labelled codes to categories."""
    source = io.BytesIO(content)
    with warnings.catch_warnings(action="ignore"):
        file: Any = pd.read_stata(
            source, convert_categoricals=labels, order_categoricals=False, iterator=True
        )
        frame: pd.DataFrame = file.read(_row_limit(len(file.variable_labels())))
        return frame


def _row_limit(n_columns: int) -> int:
    """One row more than a table may have: a larger file is refused, but not read in full."""
    check_table_size(1, n_columns)
    return min(MAX_ROWS, MAX_CELLS // n_columns) + 1


def _all_text(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def spss_frame(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """The frame of an SPSS file; labels replace codes where every code has a label."""
    yield 0
    import pyreadstat

    _, meta = pyreadstat.read_sav(io.BytesIO(content), metadataonly=True)
    columns = meta.number_columns or 0
    check_table_size(max(meta.number_rows or 1, 1), columns)  # -1 where the file does not say
    frame, meta = pyreadstat.read_sav(
        io.BytesIO(content), row_limit=_row_limit(columns), dates_as_pandas_datetime=True
    )
    for name, labels in meta.variable_value_labels.items():
        column = frame[name]
        if set(column.dropna()) <= set(labels):
            ordered_labels = dict.fromkeys(labels[code] for code in sorted(labels))
            frame[name] = pd.Categorical(column.map(labels), list(ordered_labels))
    return (yield from tidy(frame, options, notes))


def sas_frame(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """The frame of a SAS data set."""
    yield 0
    file: Any = pd.read_sas(io.BytesIO(content), format="sas7bdat", encoding="infer", iterator=True)
    check_table_size(file.row_count, file.column_count)
    return (yield from tidy(file.read(), options, notes))


def sas_transport_frame(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """The frame of a SAS transport file."""
    yield 0
    if content.startswith(b"HEADER RECORD*******LIBV8"):
        raise DataError(
            "this is version 8 of SAS transport, of which version 5 is read: write it so (for "
            "pyreadstat: file_format_version=5), or as CSV"
        )
    file: Any = pd.read_sas(io.BytesIO(content), format="xport", encoding=None, iterator=True)
    check_table_size(file.nobs, len(file.columns))
    return (yield from tidy(file.read(), options, notes))
