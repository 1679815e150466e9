"""Reader of csv files: a path, bytes or a buffer becomes a frame, with a note on each repair.

A cell is the text between two delimiters, without the blanks around it. A record is the cells of
one row of the file; a quoted cell may run over several lines. The header is the first record.
Raises DataError for what is no table; cells read as missing, rows left out and repairs are Notes.
"""
# pandas' reader and csv.Sniffer are not used: they misread some files without a message.

from __future__ import annotations

import csv
import itertools
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, repeat
from typing import IO, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.lazy import pd
from dtviz.base.progress import Slices, run_to_end, scaled_progress
from dtviz.base.text import MAX_TEXT_CHARS, clean, count, quoted, short_repr
from dtviz.data import csv_dialect
from dtviz.data.cells import read_columns
from dtviz.data.csv_dialect import QUOTE_LETTER
from dtviz.data.csv_head import LINE, Head, read_head
from dtviz.data.dataset import DataError
from dtviz.data.notes import MAX_LINES_NAMED, Note, note_of
from dtviz.data.number_cells import CELL_SEPARATOR, is_number_cell
from dtviz.data.read_options import ABSENT_CELL, DEFAULT, ReadOptions
from dtviz.data.worker import (
    MAX_BYTES,
    MAX_COLUMNS,
    MAX_LINE_CHARACTERS,
    MAX_ROWS,
    TooLargeError,
    check_lines,
)

BLOCK_CHARS = 32_768  # characters cut at once, and the rest of their last line


def sound_columns(text: str, delimiter: str) -> Slices[tuple[list[str], list[int]] | None]:
    """The columns of a file in which nothing needs repair, and the numbers of its empty lines.

    A column is its stripped cells joined by CELL_SEPARATOR, lines are counted from 0. None if the
    file needs repair.
    """
    parts: list[list[str]] = []
    empty: list[int] = []
    position, n_lines = 0, 0
    for block in _blocks(text):
        yield position / len(text)
        position += len(block)
        lines = _block_lines(block)
        n_block_lines = len(lines)
        if "" in lines:
            empty += [n for n, line in enumerate(lines, n_lines) if not line]
            lines = [line for line in lines if line]
        n_lines += n_block_lines
        if n_block_lines and not lines:
            continue
        cells = lines and _cells(lines, delimiter)
        if not cells or len(cells) != len(lines) * (len(parts) or len(cells) // len(lines)):
            return None
        width = len(cells) // len(lines)
        if width == 1 and not all(map(str.strip, lines)):  # blanks: no cell, but a blank line
            return None
        parts = parts or [[] for _ in range(width)]
        for j, part in enumerate(parts):
            part.append(CELL_SEPARATOR.join(map(str.strip, cells[j::width])))
    return [CELL_SEPARATOR.join(part) for part in parts], empty


def record_pattern(delimiter: str) -> re.Pattern[str]:
    """Pattern of a record whose cells are quoted as a whole, or have quotes in pairs inside."""
    plain = rf'[^{re.escape(delimiter)}"\r\n]*+'
    cell = rf' *+(?:"(?:[^"]++|"")*+"|(?!"){plain}(?:"{plain}"{plain})*+)'
    return re.compile(rf"{cell}(?:{re.escape(delimiter)}{cell})*+[\r\n]*")


def _blocks(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start + BLOCK_CHARS) + 1 or len(text)
        yield text[start:end]
        start = end


def _block_lines(block: str) -> list[str]:
    """The lines of a block without their ends; [] where csv.reader might see other lines."""
    if "\r" in block:
        block = block.replace("\r\n", "\n")
    if "\r" in block or len(block) > csv.field_size_limit():
        return []
    return block.removesuffix("\n").split("\n")


def _cells(lines: Sequence[str], delimiter: str) -> list[str]:
    """The cells of rows of one width, row after row; [] where a row needs repair."""
    text = delimiter.join(lines)
    if '"' in text:
        return _quoted_cells(lines, delimiter)
    if len(set(map(str.count, lines, repeat(delimiter)))) > 1:
        return []
    return text.split(delimiter)


def _quoted_cells(lines: Sequence[str], delimiter: str) -> list[str]:
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error:
        return []
    cells = list(chain.from_iterable(rows))
    if len(rows) != len(lines) or len(set(map(len, rows))) != 1:
        return []
    if len(rows[0]) > 1 and any('"' in cell for cell in cells):
        sound = record_pattern(delimiter)
        pairs = zip(lines, rows, strict=True)
        if not all(sound.fullmatch(line) for line, row in pairs if '"' in "".join(row)):
            return []
    return cells


Source = str | os.PathLike[str] | IO[bytes] | IO[str] | bytes
Quotes = Literal["", "loose", "stray"]  # text after a closing quote; a quote without a partner
Record = tuple[int, list[str], Quotes]  # first line, cells, what is odd about its quotes

CUT_SHARE = 0.6  # share of the work done when the text is cut into columns
LINES_SHARE = 0.1  # share of the repair done when the text is cut into lines
BATCH_RECORDS = 512  # records held at once: too few to reach the garbage collector's old generation

_QUOTES: dict[Quotes, str] = {
    "loose": "text or blanks after a closing quote, kept in the cell",
    "stray": "a quote inside a cell that does not begin with one may have split it, kept as it is",
}


class Table(NamedTuple):
    """The cells of a file."""

    names: list[str]  # of the columns
    texts: list[str]  # each column's cells joined by CELL_SEPARATOR
    lines: NDArray[np.int64]  # file line of each row, (n,)
    labels: list[str] | None = None  # the rows' names


@dataclass(slots=True)
class _OddLines:
    """Count of the lines that are odd in one way."""

    first: list[int] = field(default_factory=list)  # the first few
    n: int = 0
    min_cells: int = MAX_LINE_CHARACTERS  # of a line
    max_cells: int = 0

    def add(self, widths: list[tuple[int, int]]) -> None:
        """Count more lines, each a pair of its number in the file and its number of cells."""
        self.first += [line for line, _ in widths[: MAX_LINES_NAMED - len(self.first)]]
        self.n += len(widths)
        cells = [n_cells for _, n_cells in widths]
        self.min_cells = min([self.min_cells, *cells])
        self.max_cells = max([self.max_cells, *cells])

    def sentence(self, text: str) -> str:
        return f"{text} ({count(self.n, 'line')}, the first is line {self.first[0]:,})"

    def notes(self, text: str) -> list[Note]:
        """The note on these lines, if there are any; `text` has a place for their cells."""
        if not self.n:
            return []
        low = "" if self.min_cells == self.max_cells else f"{self.min_cells:,} to "
        text = text.format(low + count(self.max_cells, "cell"))
        return [note_of("row", text, self.first, n=self.n)]


def read_frame(
    source: Source, options: ReadOptions = DEFAULT
) -> tuple[pd.DataFrame, tuple[Note, ...]]:
    """The frame of a text table (CSV, TSV and their relatives), and notes on what was changed.

    `source` is a path, bytes, or a binary or text buffer. Columns are float64 with NaN,
    nullable boolean, datetime64 (in UTC where the cells have offsets), timedelta64, or object: text
    with None. Where the header is one name short, the first cells of the rows are the index.
    Where no line holds names, columns are named by position.
    `frame.attrs["lines"]` has the file's line of each row, int64. Raises DataError when there is no
    table to read.
    """
    return run_to_end(read_frame_slices(read_content(source), options))


def read_frame_slices(
    content: bytes, options: ReadOptions = DEFAULT
) -> Slices[tuple[pd.DataFrame, tuple[Note, ...]]]:
    """Read the frame and notes of `read_frame` from bytes, in slices."""
    table, head, notes = yield from scaled_progress(_table(content, options), 0, CUT_SHARE)
    frame = yield from scaled_progress(_frame(table, head, notes), CUT_SHARE, 1)
    return frame, tuple(notes)


def _table(content: bytes, options: ReadOptions) -> Slices[tuple[Table, Head, list[Note]]]:
    """The cells of a file, its head and notes on both."""
    yield 0
    text, notes = csv_dialect.decode(content, options.encoding)
    if not text or text.isspace():
        raise DataError("the file is empty; choose a table with a header and rows")
    check_lines(text)
    head = read_head(text, options, notes)
    table = yield from _read_sound(head, notes)
    if table is None:
        table = yield from _repair(head, notes)
    return _finished(table, head), head, notes


def _finished(table: Table, head: Head) -> Table:
    """The table without columns that its head says to ignore, its quotes as they were."""
    names, texts, lines, labels = table
    if head.literal_quotes:
        names = [name.replace(QUOTE_LETTER, '"') for name in names]
        texts = [text.replace(QUOTE_LETTER, '"') for text in texts]
        labels = labels and [label.replace(QUOTE_LETTER, '"') for label in labels]
    return Table(names, texts, lines, labels)


def _read_sound(head: Head, notes: list[Note]) -> Slices[Table | None]:
    """The table of a file in which nothing needs repair; None for others."""
    # Strings are cut and joined here without a Python object for each cell: much faster than
    # record by record.
    sound = yield from sound_columns(head.text, head.delimiter)
    texts, empty = sound or ([], [])
    n_rows = texts[0].count(CELL_SEPARATOR) if texts else 0
    if not 0 < n_rows <= MAX_ROWS or len(texts) > MAX_COLUMNS:
        return None
    first_cells = [column[: column.index(CELL_SEPARATOR)] for column in texts]
    if not any(first_cells):
        return None
    lines = np.delete(np.arange(n_rows + 1 + len(empty)), empty) + 1
    if n_blank := len(empty) - head.n_emptied:
        notes.append(Note("file", f"{count(n_blank, 'blank line')} skipped"))
    names, n_header = _header(first_cells, head, int(lines[0]), n_rows, notes)
    if n_header:
        texts = [column[column.index(CELL_SEPARATOR) + 1 :] for column in texts]
    return Table(names, texts, lines[n_header:].astype(np.int64))


def _repair(head: Head, notes: list[Note]) -> Slices[Table]:
    """The table of any file, read record by record."""
    blank: list[int] = []
    all_lines = yield from scaled_progress(_lines(head.text), 0, LINES_SHARE)
    records = _without_blank(_parse_records(all_lines, head.delimiter), blank)
    first = next((record for record in records if any(map(str.strip, record[1]))), None)
    if first is None:
        raise DataError("the file is empty; choose a table with a header and rows")
    line, cells, quotes = first
    if len(cells) > MAX_COLUMNS:
        raise DataError(f"at most {MAX_COLUMNS:,} columns; not {len(cells):,}: remove some")
    header_notes: list[Note] = []
    sample = list(islice(records, BATCH_RECORDS))
    names, n_header = _header([*map(str.strip, cells)], head, line, len(sample), header_notes)
    has_row_names = n_header == 1 and _have_row_names(sample, len(names), header_notes)
    # "short" lacks cells, "long" has text in cells after the last column, "extra" empty cells there
    odd = {kind: _OddLines() for kind in (*_QUOTES, "short", "long", "extra")}
    if n_header and quotes:
        odd[quotes].add([(line, len(cells))])
    body = chain([first][n_header:], sample, records)
    row_slices = _rows(body, len(names) + has_row_names, odd, len(all_lines))
    lines, texts = yield from scaled_progress(row_slices, LINES_SHARE, 1)
    if (n_rows := len(lines) + odd["long"].n + n_header - 1) > MAX_ROWS:
        raise TooLargeError(f"at most {MAX_ROWS:,} rows; not {n_rows:,}: keep a part of it")
    # all lines above the header are blank
    n_blank = line - 1 + sum(blank_line > line for blank_line in blank) - head.n_emptied
    if n_blank:
        notes.append(Note("file", f"{count(n_blank, 'blank line')} skipped"))
    for kind, remark in _QUOTES.items():
        if odd[kind].n:
            notes.append(Note("file", odd[kind].sentence(remark)))
    notes += header_notes + _odd_row_notes(odd, len(texts))
    if odd["long"].n > len(lines):
        text = f"every row has more cells than the header has names ({len(names):,})"
        if len(lines):
            n_rows = len(lines) + odd["long"].n
            text = (
                f"{odd['long'].n:,} of {n_rows:,} rows have more cells than the {len(names):,} "
                f"that line {line:,} has"
            )
        raise DataError(
            f"{text}; delete the lines above the names of the columns, or choose the line of names "
            "or the delimiter",
            "names_line",
        )
    labels = texts.pop(0).split(CELL_SEPARATOR) if has_row_names else None
    return Table(names, texts, lines, labels)


def read_content(source: Source) -> bytes:
    """The bytes of a path, bytes or a buffer; raises DataError if unreadable or above MAX_BYTES."""
    if not isinstance(source, bytes | bytearray | str | os.PathLike) and not hasattr(
        source, "read"
    ):
        raise DataError(f"`source` must be a path, bytes or a buffer; not {short_repr(source)}")
    try:
        if isinstance(source, (bytes, bytearray)):
            data: bytes | str = bytes(source)
        elif isinstance(source, (str, os.PathLike)):
            with open(source, "rb") as file:
                data = file.read(MAX_BYTES + 1)
        else:
            data = source.read(MAX_BYTES + 1)
    except UnicodeDecodeError:
        raise DataError("the file could not be decoded; open it in binary mode ('rb')") from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else ""
        name = f" {quoted(os.path.basename(path) or path)}" if path else ""
        raise DataError(f"cannot read the file{name} ({reason}); check its name") from None
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")  # a lone surrogate, in no file, becomes '?'
    if len(data) > MAX_BYTES:
        raise TooLargeError(
            f"at most {MAX_BYTES // 10**6} MB; the file is larger: keep a part of it"
        )
    return data


def _lines(text: str) -> Slices[list[str]]:
    r"""The lines with their ends: \n, \r\n or \r, mixed as they may be."""
    lines: list[str] = []
    start = 0
    while start < len(text):
        yield start / len(text)
        end = text.find("\n", start + MAX_LINE_CHARACTERS) + 1 or len(text)
        lines += LINE.findall(text, start, end)
        start = end
    if max(map(len, lines)) > MAX_LINE_CHARACTERS:
        line = next(i for i, line in enumerate(lines, 1) if len(line) > MAX_LINE_CHARACTERS)
        text = f"line {line:,} has more than {MAX_LINE_CHARACTERS:,} characters"
        raise DataError(f"{text}; give each row a line of its own")
    return lines


def _without_blank(records: Iterator[Record], blank: list[int]) -> Iterator[Record]:
    """The records with a cell; appends the lines of the others to `blank`."""
    for record in records:
        if record[1]:
            yield record
        else:
            blank.append(record[0])


def _parse_records(lines: Sequence[str], delimiter: str) -> Iterator[Record]:
    """Each record; a blank line has no cells."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    sound = record_pattern(delimiter)
    start = 0
    quotes: Quotes
    while True:
        try:
            cells, quotes = next(reader), ""
            if len(cells) > 1 and '"' in "".join(cells):
                raw = "".join(lines[start : reader.line_num])
                quotes = "" if sound.fullmatch(raw) else "stray"
        except StopIteration:
            return
        except csv.Error:
            part = lines[start : reader.line_num]
            cells, quotes = _loose_cells(part, delimiter, start + 1), "loose"
        if len(cells) == 1 and not lines[start].strip():
            cells = []
        yield start + 1, cells, quotes
        start = reader.line_num


def _loose_cells(part: Sequence[str], delimiter: str, line: int) -> list[str]:
    """The cells of one line with text after a closing quote, which stays: `"a" b` is `a b`."""
    try:
        records = list(csv.reader([part[0], "end"], delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        text = f"a cell in line {line:,} has more than {csv.field_size_limit():,} characters"
        raise DataError(f"{text}; check its quotes") from None
    if len(part) == 1 and len(records) == 2:  # the quote does not run on into "end"
        return records[0]
    line += _lines_before_quote("".join(part), delimiter)
    text = f"the quote that opens in line {line:,} does not close at the end of its cell"
    raise DataError(f'{text}; close it, or write a quote inside quotes twice ("")', "quotes")


def _lines_before_quote(record: str, delimiter: str) -> int:
    """Number of line ends before the first cell that is not well quoted."""
    sign = re.escape(delimiter)
    cell = re.compile(rf' *(?:"(?:[^"]++|"")*+"|(?!")[^{sign}\r\n]*+){sign}')
    position = 0
    while match := cell.match(record, position):
        position = match.end()
    return len(re.findall(r"\r\n|\r|\n", record[:position]))


def _header(
    cells: list[str], head: Head, line: int, n_rows: int, notes: list[Note]
) -> tuple[list[str], int]:
    """Names of the columns, and how many records they take, 0 or 1.

    `cells` are those of the first record, in line `line`; at least `n_rows` records follow.
    """
    has_names = head.names_stand
    if has_names is None and all(map(is_number_cell, cells)):
        text = f"no header: line {line:,} holds only numbers; columns are named by position"
        notes.append(Note("file", text))
        has_names = False
    if has_names is False:
        return [f"column {i + 1}" for i in range(len(cells))], 0
    if not n_rows:
        raise DataError(f"no rows below the header in line {line:,}; add at least one")
    if has_names is None and any(map(is_number_cell, cells)):
        text = f"line {line:,} was read as names but holds numbers; is a line of names missing?"
        notes.append(Note("file", text))
    return clean_names(cells, notes), 1


def clean_names(raw_names: list[str], notes: list[Note]) -> list[str]:
    """Clean and distinct names of columns; logs a note on each that had to change."""
    cleaned = [clean(name) for name in raw_names]
    bases = [name or f"column {i + 1}" for i, name in enumerate(cleaned)]
    names, taken = list(bases), {*bases}
    variants: dict[str, Iterator[str]] = {}
    for i in sorted(
        range(len(raw_names)), key=lambda i: not cleaned[i]
    ):  # names of the file come first
        if bases[i] in variants:
            names[i] = next(name for name in variants[bases[i]] if name not in taken)
            taken.add(names[i])
        else:
            variants[bases[i]] = _variants(bases[i])
    for old, cleaned_name, base, name in zip(raw_names, cleaned, bases, names, strict=True):
        text = "no name in the header, called by its position" if not cleaned_name else ""
        if cleaned_name and name != base:
            text = f"{quoted(base)} is the name of another column too, so this one is renamed"
        elif cleaned_name and name != old:
            text = "name shortened, or cleaned of blanks and signs that do not show"
        if text:
            notes.append(Note("column", text, None, name))
    return names


def free_name(name: str, taken: set[str]) -> str:
    """The first of `name`, `name (2)`, `name (3)` and so on that is free, within MAX_TEXT_CHARS."""
    return next(other for other in _variants(name) if other not in taken)


def _variants(name: str) -> Iterator[str]:
    """`name`, `name (2)`, `name (3)` and so on, each within MAX_TEXT_CHARS."""
    for suffix in chain([""], (f" ({i})" for i in itertools.count(2))):
        yield clean(name, MAX_TEXT_CHARS - len(suffix)) + suffix


def _have_row_names(body: list[Record], width: int, notes: list[Note]) -> bool:
    """True if each row begins with its name, which has no header, as R's `write.table` writes.

    Then nine in ten of the first rows have one cell more than the header, not all of them empty.
    Logs a note.
    """
    longer = [cells for _, cells, _ in body if len(cells) == width + 1]
    if 10 * len(longer) < 9 * len(body) or not any(cells[-1].strip() for cells in longer):
        return False
    labels = Counter(cells[0].strip() for cells in longer)
    if len(labels) < len(longer):  # R's names of rows never repeat
        label = max(labels, key=labels.__getitem__)
        raise DataError(
            f"the header has one name fewer than the rows have cells, and the first cells are no "
            f"names of rows, since {quoted(label)} is the first of {labels[label]:,} rows: add the "
            "name that lacks, or choose the line of names",
            "names_line",
        )
    text = "the header is one name short, so the first cell of each row is read as the row's name"
    notes.append(Note("file", text))
    return True


def _rows(
    body: Iterator[Record], width: int, odd: Mapping[str, _OddLines], n_lines: int
) -> Slices[tuple[NDArray[np.int64], list[str]]]:
    """The lines and the columns of the rows, without rows that have too many cells.

    Odd rows are counted in `odd`, by kind. `n_lines` is the number of lines of the file, for the
    progress.
    """
    parts: list[list[str]] = [[] for _ in range(width)]
    lines: list[NDArray[np.int64]] = []
    while batch := list(islice(body, BATCH_RECORDS)):
        yield batch[0][0] / max(n_lines, batch[0][0])
        for kind in _QUOTES:
            odd[kind].add([(line, len(cells)) for line, cells, quotes in batch if quotes == kind])
        short = [(line, len(cells)) for line, cells, _ in batch if len(cells) < width]
        wide = [(line, cells) for line, cells, _ in batch if len(cells) > width]
        long = {line: len(cells) for line, cells in wide if any(map(str.strip, cells[width:]))}
        odd["short"].add(short)
        odd["long"].add(list(long.items()))
        odd["extra"].add([(line, len(cells)) for line, cells in wide if line not in long])
        fitting = [(line, cells) for line, cells, _ in batch if line not in long]
        rows = [
            cs if len(cs) == width else (cs + [ABSENT_CELL] * width)[:width] for _, cs in fitting
        ]
        lines.append(np.array([line for line, _ in fitting], dtype=np.int64))
        for j, part in enumerate(parts if rows else ()):
            part.append(CELL_SEPARATOR.join(row[j].strip() for row in rows))
    return np.concatenate(lines), [CELL_SEPARATOR.join(part) for part in parts]


def _odd_row_notes(odd: Mapping[str, _OddLines], width: int) -> list[Note]:
    extra = odd["extra"]
    notes = (
        [Note("file", extra.sentence("empty cells after the last column dropped"))]
        if extra.n
        else []
    )
    short = "{} of " + f"{width:,}; the others are read as missing"
    long = "left out: {} for " + count(width, "column")
    return notes + odd["short"].notes(short) + odd["long"].notes(long)


def _frame(table: Table, head: Head, notes: list[Note]) -> Slices[pd.DataFrame]:
    names, texts, lines, labels = table
    options = _with_declared(head, names)
    kept = [k for k in range(len(names)) if k not in head.ignored]
    names, texts = [names[k] for k in kept], [texts[k] for k in kept]
    frame = yield from read_columns(names, texts, lines, head.delimiter, options, notes)
    if labels:
        frame.index = pd.Index(labels)
    frame.attrs["lines"] = lines
    return frame


def _with_declared(head: Head, names: Sequence[str]) -> ReadOptions:
    """The options with the types and the words of missing values that the file declares."""
    types = {names[k]: kind for k, kind in head.types.items() if k < len(names)}
    missing = {names[k]: words for k, words in head.missing.items() if k < len(names)}
    types, missing = types | dict(head.options.types), missing | dict(head.options.missing)
    return replace(head.options, types=tuple(types.items()), missing=tuple(missing.items()))
