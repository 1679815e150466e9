"""Readers of files, one a format: bytes in, a tidy frame out, what was done in `notes`.

Text and workbooks are read in slices, all else in one go.
None unpickles. Each looks at how large the table is before it makes it, where the file tells, and
unpacks at most `most` bytes. What a package raises for a damaged file is said by `files`.
"""

from __future__ import annotations

import gzip
import io
import json
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dtviz.base.progress import Slices
from dtviz.base.text import count, quoted
from dtviz.data.csv import names_of, reading
from dtviz.data.csv_dialect import MISSING
from dtviz.data.dataset import DataError
from dtviz.data.frames import frame_of
from dtviz.data.notes import Note
from dtviz.data.units import typed
from dtviz.data.worker import (
    MAX_CELLS,
    MAX_MEMBERS,
    MAX_ROWS,
    MAX_SHEET_ROWS,
    need_lines,
    need_room,
    need_size,
)

if TYPE_CHECKING:
    import pyarrow as pa


PIECE = 1 << 20  # bytes that are unpacked at once
GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
_PART = GZIP + b"\x08"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Python unpacks others in unbounded pieces
_MEMBER = b"PK\x01\x02"
_WORKBOOK = "xl/workbook.xml"
_OFFICE = {"[Content_Types].xml", "mimetype"}


def unpack(content: bytes, most: int) -> Slices[bytes]:
    """The one file inside; a file that is not packed, or is a workbook, comes back as it is.

    Raises DataError for an archive that is damaged, locked, or holds more than one table or more
    than `most` bytes.
    """
    if content.startswith(GZIP):
        if content.count(_PART) > MAX_MEMBERS:
            raise DataError(f"the archive has more than {MAX_MEMBERS:,} parts; pack it again")
        with _damage_said(), gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            return (yield from _plain(file, most))
    if not content.startswith(ZIP):
        return content
    with _damage_said(), _opened(content) as archive:
        names = set(archive.namelist())
        if _WORKBOOK in names:
            return content
        if names & _OFFICE:
            raise DataError("this is an Office file, but no .xlsx workbook: save the table as one")
        member = _only_table(archive.infolist())
        need_room(member.file_size, most)
        with archive.open(member) as file:
            return (yield from _plain(file, most))


def check_members(content: bytes, most: int) -> Slices[None]:
    """Raises DataError where the members of an archive unpack to more than `most` bytes.

    Each is unpacked and counted: the size that a member declares need not be its own.
    """
    with _damage_said(), _opened(content) as archive:
        need_room(sum(member.file_size for member in archive.infolist()), most)
        for member in archive.infolist():
            with archive.open(member) as file:
                while file.read(PIECE):  # no more than it declares, and an error where there is
                    yield 0


def _plain(file: IO[bytes] | gzip.GzipFile, most: int) -> Slices[bytes]:
    """All that comes out of an archive, piece by piece; raises DataError beyond `most` bytes."""
    plain = io.BytesIO()
    while piece := file.read(PIECE):
        plain.write(piece)
        need_room(plain.tell(), most)
        yield min(plain.tell() / most, 1)
    return plain.getvalue()


def _opened(content: bytes) -> zipfile.ZipFile:
    if content.count(_MEMBER) > MAX_MEMBERS:
        raise DataError(f"the archive holds more than {MAX_MEMBERS:,} files; pack the table alone")
    archive = zipfile.ZipFile(io.BytesIO(content))
    if any(member.compress_type not in _METHODS for member in archive.infolist()):
        raise DataError("the archive is packed by a rare method; pack it by the usual one, Deflate")
    return archive


def _only_table(members: Sequence[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    """The one member that a person put there."""
    tables = [one for one in members if not one.is_dir() and not _is_hidden(one.filename)]
    if len(tables) != 1:
        names = ", ".join(quoted(one.filename) for one in tables[:5])
        held = f"{count(len(tables), 'file')} ({names})" if tables else "none"
        raise DataError(f"a zip archive must hold one table; not {held}: pack the table alone")
    if tables[0].flag_bits & 1:
        raise DataError("the archive is locked by a password; pack the table without one")
    return tables[0]


def _is_hidden(name: str) -> bool:
    """Whether the name is one that a computer adds: .DS_Store, __MACOSX/._a.csv."""
    path = PurePosixPath(name)
    return path.name.startswith(".") or path.parts[:1] == ("__MACOSX",)


@contextmanager
def _damage_said() -> Iterator[None]:
    try:
        yield
    except DataError:
        raise
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, ValueError, RuntimeError) as error:
        reason = str(error) or "it ends too early"
        raise DataError(f"the archive cannot be unpacked ({reason}); pack it again") from None


NESTED = (list, tuple, dict, set, frozenset, np.ndarray)


def tidy(frame: pd.DataFrame, notes: list[Note]) -> pd.DataFrame:
    """The frame with clean names, each once, and of each column what a cell can hold.

    Numbers, dates, durations and categories keep their type; text of dates or durations becomes
    such, and so do times of day, as durations; booleans with gaps are nullable, text is object
    with None. `attrs["lines"]` stays.
    """
    need_size(*frame.shape)
    names = names_of([str(name) for name in frame.columns], notes)
    columns = {
        name: column
        for i, name in enumerate(names)
        if (column := _column(frame.iloc[:, i], name, notes)) is not None
    }
    need_size(len(frame), len(columns))
    made = pd.DataFrame(columns)
    made.attrs = {key: frame.attrs[key] for key in ("lines",) if key in frame.attrs}
    return made.reset_index(drop=True)


def _column(series: pd.Series[Any], name: str, notes: list[Note]) -> pd.Series[Any] | None:
    """The column, by what its cells hold; None where they hold several values each."""
    if not (series.dtype == object or isinstance(series.dtype, pd.StringDtype)):
        return series
    if pd.api.types.infer_dtype(series, skipna=True) == "string":
        return _text(series, name, notes)
    cells = [
        None if gone else _decoded(cell) for cell, gone in zip(series, series.isna(), strict=True)
    ]
    if any(isinstance(cell, NESTED) for cell in cells):
        text = "holds lists or records, left out: a cell must hold one value"
        notes.append(Note("column", text, None, name))
        return None
    cells = _without_words(cells, name, notes)
    made = pd.Series(cells, dtype=object)
    match pd.api.types.infer_dtype(made, skipna=True):
        case "boolean":
            return made.astype("boolean")
        case "integer" if all(cell is None or abs(cell) < 2**63 for cell in cells):
            return made.astype("int64" if None not in cells else "Int64")
        case "integer" | "floating" | "mixed-integer-float" | "decimal":
            return made.astype("float64")
        case "datetime" | "datetime64" | "date":
            return pd.to_datetime(made)
        case "timedelta":
            return pd.to_timedelta(made)
        case "string":
            return _text(made, name, notes)
        case "time":
            return _text(made.map(str, na_action="ignore").astype(object), name, notes)
        case "empty":
            notes.append(Note("column", "no value in any row", None, name))
            return made
    notes.append(Note("column", "values of several types, read as text", None, name))
    return made.map(lambda cell: None if cell is None else str(cell)).astype(object)


def _text(series: pd.Series[Any], name: str, notes: list[Note]) -> pd.Series[Any]:
    """A column of text, None where it is blank; of dates or durations, where all are such."""
    codes, words = pd.factorize(series.astype(object))  # -1 where there is none
    blank = {word for word in words if not word.strip()}
    texts = np.array([*(None if word in blank else word for word in words), None], dtype=object)
    made = pd.Series(texts[codes], dtype=object)
    _tell_gaps(int(made.isna().sum() - (codes < 0).sum()), blank, name, notes)
    lacking = {word for word in words if word.strip().lower() in MISSING}
    times, said = typed(made.where(~made.isin(lacking), None) if lacking else made)
    notes += [Note("column", said, None, name)] if said else []
    if times is None:
        return made
    odd = made[times.isna() & made.notna()]
    _tell_gaps(len(odd), {*odd}, name, notes)
    return times


def _decoded(cell: Any) -> Any:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell


def _without_words(cells: list[Any], name: str, notes: list[Note]) -> list[Any]:
    """The cells with None for words such as n/a, where they stand among values of other types."""
    texts = {cell for cell in cells if isinstance(cell, str)}
    if all(isinstance(cell, str | None) for cell in cells):
        return cells
    gaps = {text for text in texts if text.strip().lower() in MISSING}
    made = [None if isinstance(cell, str) and cell in gaps else cell for cell in cells]
    _tell_gaps(made.count(None) - cells.count(None), gaps, name, notes)
    return made


def _tell_gaps(found: int, words: set[str], name: str, notes: list[Note]) -> None:
    if found:
        shown = ", ".join(quoted(word) for word in sorted(words)[:5])
        text = f"{count(found, 'cell')} ({shown}) read as missing"
        notes.append(Note("column", text, None, name))


Row = tuple[int, list[Any]]

BLOCK = 1_024  # rows
ERRORS = frozenset(("#N/A", "#DIV/0!", "#REF!", "#NAME?", "#NULL!", "#NUM!", "#VALUE!"))


def text(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of CSV, TSV and their relatives."""
    frame, said = yield from reading(content)
    notes += said
    return frame


def text_without_header(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of CSV, TSV and their relatives whose first line is data."""
    frame, said = yield from reading(content, header=False)
    notes += said
    return frame


def parquet(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of a Parquet file; text stays a dictionary until its size is known."""
    yield 0
    import pyarrow.parquet as pq

    meta = pq.read_metadata(io.BytesIO(content))
    need_size(meta.num_rows, meta.num_columns)
    groups = map(meta.row_group, range(meta.num_row_groups))
    need_room(sum(group.total_byte_size for group in groups), most)
    fields = meta.schema.to_arrow_schema()
    words = [field.name for field in fields if _is_text(field.type)]
    table = pq.ParquetFile(io.BytesIO(content), read_dictionary=words).read()
    return tidy(_of_arrow(table, words), notes)


def arrow(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of an Arrow file, also called Feather."""
    yield 0
    import pyarrow as pa

    file = pa.ipc.open_file(pa.py_buffer(content))
    batches, rows, size = [], 0, 0
    for number in range(file.num_record_batches):
        batch = file.get_batch(number)
        batches.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        need_size(max(rows, 1), len(file.schema))
        need_room(size, most)
    table = pa.Table.from_batches(batches, file.schema)
    table.validate(full=True)  # offsets that point elsewhere would end the process
    return tidy(_of_arrow(table, []), notes)


def _of_arrow(table: pa.Table, words: list[str]) -> pd.DataFrame:
    """The frame; `words` are texts that are no categories."""
    frame = frame_of(table)
    return frame.astype({name: object for name in words if name in frame})


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def excel(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of a workbook's first sheet that is not empty; values, not formulas."""
    yield 0
    import openpyxl

    yield from check_members(content, most)
    with warnings.catch_warnings(action="ignore"):  # of styles, drawings and the like
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        for sheet in book.worksheets:
            rows = yield from _filled(sheet)
            if rows:
                break
        else:
            raise DataError("the workbook is empty; it needs a sheet with a header and rows")
    if len(book.worksheets) > 1:
        others = len(book.worksheets) - 1
        said = f"the sheet {quoted(sheet.title)} is read; {count(others, 'other sheet')} not"
        notes.append(Note("file", said))
    return tidy(_under_header(rows), notes)


def _filled(sheet: Any) -> Slices[list[Row]]:
    """The rows with a value, each with its number and its cells to the last that has one."""
    sheet.reset_dimensions()  # what they say need not be so
    rows, cells = list[Row](), 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if number % BLOCK == 0:
            yield 0
        cells += len(row)
        if number > MAX_SHEET_ROWS:
            raise DataError(
                f"a row has a number beyond {MAX_SHEET_ROWS:,}, the last that Excel knows: save "
                "the sheet again, or as CSV"
            )
        if cells > MAX_CELLS:
            raise DataError(f"at most {MAX_CELLS:,} cells; the sheet has more: keep a part of it")
        values = [None if isinstance(cell, str) and cell in ERRORS else cell for cell in row]
        while values and values[-1] is None:
            values.pop()
        if values:
            rows.append((number, values))
            need_size(max(len(rows) - 1, 1), len(values))
    return rows


def _under_header(rows: list[Row]) -> pd.DataFrame:
    """The frame whose names are in the first of the rows."""
    (_, names), *body = rows
    width = max(len(cells) for _, cells in rows)
    need_size(len(body), width)
    header = ["" if name is None else str(name) for name in names] + [""] * (width - len(names))
    whole = [cells + [None] * (width - len(cells)) for _, cells in body]
    frame = pd.DataFrame(whole, dtype=object).set_axis(header, axis=1)
    frame.attrs["lines"] = np.array([number for number, _ in body])
    return frame


def json_lines(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of one object a line, or of one list of objects; a name lacking is a gap."""
    yield 0
    whole = content.decode("utf-8-sig")
    need_lines(whole)
    source: Iterable[tuple[int, Any]]
    if whole.lstrip().startswith("["):
        source = enumerate(_parsed(whole, "the list"), 1)
    else:
        texts = ((i, text) for i, text in enumerate(whole.split("\n"), 1) if text.strip())
        source = ((i, _parsed(text, f"line {i:,}")) for i, text in texts)
    lines: list[int] = []
    columns: dict[str, list[Any]] = {}
    for row, (i, record) in enumerate(source):
        if not isinstance(record, dict):
            raise DataError(f'row {i:,} is no object; each row must be one: {{"name": value}}')
        lines.append(i)
        if not row % BLOCK:
            need_size(row + 1, len(columns) or 1)
            yield 0
        for name, cell in record.items():
            if name not in columns:
                need_size(row + 1, len(columns) + 1)
                columns[name] = []
            cells = columns[name]
            if len(cells) < row:  # rows before this one lack the name
                cells += [None] * (row - len(cells))
            cells.append(cell)
    need_size(len(lines), len(columns))
    for cells in columns.values():
        cells += [None] * (len(lines) - len(cells))
    frame = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})
    frame.attrs["lines"] = np.array(lines)
    return tidy(frame, notes)


def _parsed(line: str, where: str) -> Any:
    try:
        return json.loads(line, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise DataError(f"{where} is no JSON ({error.msg}); each line must be one object") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object, no name of which may come twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise DataError("a name comes twice in an object; give each value its own name")
    return made


def stata(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of a Stata file; labels stand for codes where every code has one."""
    yield 0
    plain = _stata(content, labels=False)
    try:
        labelled = _stata(content, labels=True)
    except ValueError:
        notes.append(Note("file", "labels that occur twice are not used; the codes are"))
        return tidy(plain, notes)
    for name, column in labelled.items():
        if isinstance(column.dtype, pd.CategoricalDtype) and _all_text(column.cat.categories):
            plain[name] = column
    return tidy(plain, notes)


def _stata(content: bytes, labels: bool) -> pd.DataFrame:
    source = io.BytesIO(content)
    with warnings.catch_warnings(action="ignore"):
        file: Any = pd.read_stata(
            source, convert_categoricals=labels, order_categoricals=False, iterator=True
        )
        frame: pd.DataFrame = file.read(_row_limit(len(file.variable_labels())))
        return frame


def _row_limit(columns: int) -> int:
    """One row more than a table of so many columns may have."""
    need_size(1, columns)
    return min(MAX_ROWS, MAX_CELLS // columns) + 1


def _all_text(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def spss(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of an SPSS file; labels stand for codes where every code has one."""
    yield 0
    import pyreadstat

    _, meta = pyreadstat.read_sav(io.BytesIO(content), metadataonly=True)
    columns = meta.number_columns or 0
    need_size(max(meta.number_rows or 1, 1), columns)  # -1 where the file does not say
    frame, meta = pyreadstat.read_sav(
        io.BytesIO(content), row_limit=_row_limit(columns), dates_as_pandas_datetime=True
    )
    for name, labels in meta.variable_value_labels.items():
        column = frame[name]
        if set(column.dropna()) <= set(labels):
            in_order = dict.fromkeys(labels[code] for code in sorted(labels))
            frame[name] = pd.Categorical(column.map(labels), list(in_order))
    return tidy(frame, notes)


def sas(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of a SAS data set."""
    yield 0
    file: Any = pd.read_sas(io.BytesIO(content), format="sas7bdat", encoding="infer", iterator=True)
    need_size(file.row_count, file.column_count)
    return tidy(file.read(), notes)


def sas_transport(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """The frame of a SAS transport file."""
    yield 0
    if content.startswith(b"HEADER RECORD*******LIBV8"):
        raise DataError(
            "this is version 8 of SAS transport, of which version 5 is read: write it so (for "
            "pyreadstat: file_format_version=5), or as CSV"
        )
    file: Any = pd.read_sas(io.BytesIO(content), format="xport", encoding=None, iterator=True)
    need_size(file.nobs, len(file.columns))
    return tidy(file.read(), notes)
