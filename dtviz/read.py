"""Tables from files: a path, bytes or a buffer of text becomes a frame, and nothing is silent.

Glossary
    cell      the text between two delimiters, without the blanks around it
    present   a cell that is none of the MISSING texts
    header    the first record; names the columns
    hole      a cell that is read as missing; each is a note
    lines     for each row of the frame, the line of the file it starts on (often the header is 1)

What is no table is refused with a DataError; what was repaired, left out or read as missing is a
Note. pandas' reader and csv.Sniffer are not used: they misread without a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz import dialect
from dtviz.data import DataError, Dataset, Note, Task, from_frame
from dtviz.dialect import MAX_BYTES, Record, Source, form, number
from dtviz.text import MAX_LENGTH, clean, count, quoted

__all__ = ["MAX_BYTES", "MAX_COLUMNS", "MAX_ROWS", "read_frame", "read_table"]

MAX_COLUMNS = 500
MAX_ROWS = 1_000_000
MAX_NOTES = 10_000  # notes of one sort that are listed one by one; the others are counted
MOSTLY = 0.9  # share of numbers among the present cells that makes a column numeric
MISSING = frozenset(("", "na", "n/a", "n.a.", "nan", "null", "none", "?", "-", ".", "#n/a"))
EXACT = 2.0**53  # whole numbers from here on are not all float64
_PLAIN = frozenset("0123456789+-.eE")

Column = tuple[Any, NDArray[np.intp], list[str]]  # values, rows of the holes, remarks


def read_table(
    source: Source, target: str, features: Sequence[str] | None = None, task: Task | None = None
) -> Dataset:
    """The Dataset of a text table: read_frame, then data.from_frame.

    The notes of both are in its `notes`. Raises DataError when the file is no table, or a column
    is unknown or unusable.
    """
    frame, notes = read_frame(source)
    return from_frame(frame, target, features, task, notes)


def read_frame(source: Source) -> tuple[pd.DataFrame, tuple[Note, ...]]:
    """The frame of a text table (CSV, TSV and their relatives), and what was done to it.

    `source` is a path, bytes, or a binary or text buffer. Columns are float64 with NaN, bool or
    nullable boolean, or object: text with None. `frame.attrs["lines"]` has the file's line of each
    row, int64. Raises DataError, which says what to do, when there is no table to read.
    """
    text, notes = dialect.read_text(source)
    lines = dialect.lines_of(text)
    declared = dialect.declared(lines)
    delimiter = declared or dialect.detect(lines)
    if declared:
        notes.append(Note("file", f"the first line sets the delimiter {quoted(delimiter)}"))
    found = _all_records(dialect.records(lines, delimiter, 1 if declared else 0), notes)
    names, body = _header(found, notes)
    numbers, rows = _rows(body, len(names), notes)
    return _frame(names, rows, numbers, delimiter != ",", notes), tuple(notes)


# --- records to rows ----------------------------------------------------------------------------


def _all_records(records: Iterable[Record], notes: list[Note]) -> list[Record]:
    """The records that are not blank. The header is looked at before anything below it is read."""
    source = iter(records)
    first = next((record for record in source if record[1]), None)
    if first is None:
        raise DataError("the file is empty; choose a table with a header and rows")
    if len(first[1]) > MAX_COLUMNS:
        raise DataError(
            f"at most {MAX_COLUMNS} columns; not {len(first[1]):,}: remove those you do not need"
        )
    rest = list(islice(source, MAX_ROWS + dialect.MAX_LINES))
    found = [first, *(record for record in rest if record[1])]
    if len(found) > MAX_ROWS + 1:
        raise DataError(f"at most {MAX_ROWS:,} rows; the file has more: keep a part of it")
    blank = first[0] - 1 + len(rest) + 1 - len(found)
    if blank:
        notes.append(Note("file", f"{count(blank, 'blank line')} skipped"))
    loose = [line for line, _, is_loose in found if is_loose]
    if loose:
        text = "text or blanks after a closing quote, kept as part of the cell"
        notes.append(Note("file", f"{text} ({_where(loose)})"))
    return found


def _where(lines: Sequence[int]) -> str:
    return f"{count(len(lines), 'line')}, the first is line {lines[0]:,}"


def _header(found: list[Record], notes: list[Note]) -> tuple[list[str], list[Record]]:
    """The names of the columns, and the records below them."""
    line, cells, _ = found[0]
    raw = [cell.strip() for cell in cells]
    if all(form(cell) not in (None, "inf") for cell in raw):
        text = f"no header: line {line:,} holds only numbers; the columns are named by position"
        notes.append(Note("file", text))
        return [f"column {i + 1}" for i in range(len(raw))], found
    if len(found) == 1:
        raise DataError(f"there are no rows below the header in line {line:,}; add at least one")
    return _names(raw, notes), found[1:]


def _names(raw: list[str], notes: list[Note]) -> list[str]:
    """Clean, unique names; every one that had to change has a note."""
    cleaned = [clean(name) for name in raw]
    wanted = [name or f"column {i + 1}" for i, name in enumerate(cleaned)]
    reserved, used = set(wanted), set[str]()
    names = list(wanted)
    for i in sorted(range(len(wanted)), key=lambda i: not cleaned[i]):  # real names choose first
        names[i] = _free(wanted[i], used, reserved)
        used.add(names[i])
    for old, new, name in zip(raw, wanted, names, strict=True):
        if not clean(old):
            notes.append(Note("column", "no name in the header, named by its position", None, name))
        elif name != new:
            text = f"the name {quoted(old)} occurs more than once, renamed"
            notes.append(Note("column", text, None, name))
        elif old != name:
            notes.append(Note("column", "name shortened or cleaned", None, name))
    return names


def _free(name: str, used: set[str], reserved: set[str]) -> str:
    """`name`, or `name (2)`, `name (3)` and so on: the first that no other column has."""
    if name not in used:
        return name
    number = 2
    while True:
        suffix = f" ({number})"
        other = clean(name, MAX_LENGTH - len(suffix)) + suffix
        if other not in used and other not in reserved:
            return other
        number += 1


def _rows(
    body: list[Record], width: int, notes: list[Note]
) -> tuple[NDArray[np.int64], list[list[str]]]:
    """The lines and the cells of the rows, all `width` wide; those with more cells are left out."""
    odd = [(line, cells) for line, cells, _ in body if len(cells) != width]
    long = {line: len(cells) for line, cells in odd if any(map(str.strip, cells[width:]))}
    extra = [line for line, cells in odd if len(cells) > width and line not in long]
    short = {line: len(cells) for line, cells in odd if len(cells) < width}
    if extra:
        notes.append(Note("file", f"empty cells after the last column dropped ({_where(extra)})"))
    _list_rows(short, f"of {count(width, 'cell')}, the others read as missing", "", notes)
    _list_rows(long, f"for {count(width, 'column')}", "left out: ", notes)
    kept = [(line, cells) for line, cells, _ in body if line not in long]
    if not kept:
        raise DataError(
            f"the first line names {count(width, 'column')}, but every row has more cells; "
            "delete the lines above the header"
        )
    rows = [cells if len(cells) == width else (cells + [""] * width)[:width] for _, cells in kept]
    return np.array([line for line, _ in kept], dtype=np.int64), rows


def _list_rows(widths: Mapping[int, int], text: str, before: str, notes: list[Note]) -> None:
    """A note for each of the rows with the wrong number of cells, the last ones in one note."""
    for line, width in islice(widths.items(), MAX_NOTES):
        cells = f"{width:,}" if text.startswith("of") else count(width, "cell")
        notes.append(Note("row", f"{before}{cells} {text}", line))
    more = len(widths) - MAX_NOTES
    if more > 0:
        what = "left out for too many cells" if before else "with too few cells"
        notes.append(Note("file", f"{count(more, 'more row')} {what}, not listed"))


# --- columns ------------------------------------------------------------------------------------


def _frame(
    names: list[str],
    rows: list[list[str]],
    lines: NDArray[np.int64],
    comma: bool,
    notes: list[Note],
) -> pd.DataFrame:
    columns: dict[str, Any] = {}
    cell_notes: list[Note] = []
    more: dict[str, int] = {}
    for j, name in enumerate(names):
        cells = [row[j].strip() for row in rows]
        columns[name], holes, remarks = _column(cells, comma)
        notes += [Note("column", remark, None, name) for remark in remarks]
        room = MAX_NOTES - len(cell_notes)
        listed = holes[:room].tolist()
        why = {cell: _why(cell) for cell in {cells[i] for i in listed}}
        cell_notes += [Note("cell", why[cells[i]], int(lines[i]), name) for i in listed]
        more[name] = len(holes) - len(listed)
    notes += cell_notes
    if any(more.values()):
        parts = ", ".join(f"{n:,} in {quoted(name)}" for name, n in more.items() if n)
        total = count(sum(more.values()), "more cell")
        notes.append(Note("file", f"{total} read as missing, not listed: {parts}"))
    frame = pd.DataFrame(columns)
    frame.attrs["lines"] = lines
    return frame


def _why(cell: str) -> str:
    """Why a hole is one."""
    if not cell:
        return "empty, read as missing"
    if cell.lower() in MISSING:
        return f"{quoted(cell)} read as missing"
    problem = {None: "not a number", "inf": "not finite"}.get(form(cell), "too large")
    return f"{quoted(cell)} is {problem}, read as missing"


def _column(cells: list[str], comma: bool) -> Column:
    """The values of a column; `comma` says that 1,234 alone means 1.234 in this file."""
    values = _plain_numbers(cells)
    if values is not None:
        return values, _nowhere(), _precision(values)
    counts = Counter(cells)
    for cell in [cell for cell in counts if cell.lower() in MISSING]:
        del counts[cell]
    if not counts:
        return np.full(len(cells), None, dtype=object), _nowhere(), ["no value in any row"]
    if {cell.lower() for cell in counts} <= {"true", "false"}:
        return _booleans(cells, counts)
    return _numbers(cells, counts, comma) or _text(cells, counts)


def _nowhere() -> NDArray[np.intp]:
    return np.empty(0, dtype=np.intp)


def _plain_numbers(cells: list[str]) -> NDArray[np.float64] | None:
    """The column at once when every cell is a plain finite number, as most are."""
    if not _PLAIN.issuperset("".join(cells)):
        return None
    try:
        values = np.array(list(map(float, cells)))
    except ValueError:
        return None
    return values if bool(np.isfinite(values).all()) else None


def _booleans(cells: list[str], counts: Mapping[str, int]) -> Column:
    truth = {cell: cell.lower() == "true" for cell in counts}
    holes = _holes(cells, counts)
    if not len(holes):
        return np.array([truth[cell] for cell in cells]), holes, []
    return pd.array([truth.get(cell) for cell in cells], dtype="boolean"), holes, []


def _holes(cells: list[str], present: Mapping[str, Any]) -> NDArray[np.intp]:
    return np.flatnonzero([cell not in present for cell in cells])


def _text(cells: list[str], counts: Mapping[str, int]) -> Column:
    values = np.array([cell if cell in counts else None for cell in cells], dtype=object)
    return values, _holes(cells, counts), []


def _numbers(cells: list[str], counts: Mapping[str, int], comma: bool) -> Column | None:
    """The column as numbers when at least 9 of 10 present cells are, else None."""
    forms = {cell: written for cell in counts if (written := form(cell)) is not None}
    if sum(counts[cell] for cell in forms) < MOSTLY * sum(counts.values()):
        return None
    decimal_comma, remarks = _decimal(forms, counts, comma)
    parsed = {cell: number(cell, written, decimal_comma) for cell, written in forms.items()}
    finite = {cell: value for cell, value in parsed.items() if np.isfinite(value)}
    if not finite:
        return None
    values = np.array([finite.get(cell, np.nan) for cell in cells])
    return values, np.flatnonzero(np.isnan(values)), remarks + _precision(values)


def _decimal(
    forms: Mapping[str, str], counts: Mapping[str, int], comma: bool
) -> tuple[bool, list[str]]:
    """Whether the column writes decimals with a comma, and a remark if it could be otherwise."""
    seen = Counter[str]()
    for cell, written in forms.items():
        point = written == "plain" and "." in cell
        seen["point" if point else written] += counts[cell]
    points, commas = seen["point"] + seen["dot"] + seen["grouped"], seen["comma"]
    decimal_comma = comma if points == commas else commas > points
    unsure = [
        cell
        for cell, written in forms.items()
        if (written == "either" and (points > 0) == (commas > 0))
        or (written == "dot" and decimal_comma)
    ]
    if not unsure:
        return decimal_comma, []
    cell = unsure[0]
    value = number(cell, forms[cell], decimal_comma)
    sign = "decimal comma" if decimal_comma else "decimal point"
    return decimal_comma, [f"{quoted(cell)} read as {value:.15g}: numbers with a {sign}"]


def _precision(values: NDArray[np.float64]) -> list[str]:
    top = np.nanmax(np.abs(values))
    return ["whole numbers of 16 digits and more are rounded"] if top >= EXACT else []
