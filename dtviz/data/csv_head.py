"""The head of a text table: what stands above its rows and is no row.

A text is prepared for the reader of records: lines that are no part of the table become empty, and
lines of other dialects (ARFF, Markdown, fixed width) are written as cells with one delimiter. No
line moves, so that the numbers of lines in notes stay those of the file. `STAGES` lists the kinds
of head in the order in which they are looked for.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from dtviz.base.text import quoted, quoted_names
from dtviz.data import arff, text_grid
from dtviz.data.csv_dialect import (
    DELIMITERS,
    ONE_COLUMN,
    QUOTE_LETTER,
    SAMPLE_CHARS,
    declared_delimiter,
    detect_delimiter,
)
from dtviz.data.dataset import DataError
from dtviz.data.notes import MAX_LINES_NAMED, Note, note_of
from dtviz.data.number_cells import UNITS, is_number_cell
from dtviz.data.read_options import MISSING_WORDS, ReadOptions

MAX_SAMPLE_LINES = 400
"""Lines below the head from which the kind of head is guessed."""
MAX_TITLE_LINES = 20
"""Largest number of title lines above the names."""
MAX_UNIT_CHARS = 16
"""Largest number of letters of a unit in a row of units."""
LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")
"""A line with its end: mixed ends as they may be."""
_COMMENT = r"#|%|//|;(?=[ \r\n])"
_TOP_COMMENTS = re.compile(rf"(?:[ \t]*+(?:(?:{_COMMENT})[^\r\n]*+)?+(?:\r\n|\r|\n))+")
_COMMENT_SIGN = re.compile(rf"[ \t]*+({_COMMENT})")
_INNER_COMMENT = re.compile(r"[\r\n][ \t]*+(#|%|//|;)[^\r\n]*+")
_ORANGE_TYPES = {
    "c": "", "continuous": "", "numeric": "", "n": "", "t": "", "time": "",
    "d": "category", "discrete": "category", "categorical": "category",
    "s": "category", "string": "category", "text": "category", "": "",
}  # fmt: skip
_ORANGE_FLAG = re.compile(r"(?:class|c|meta|m|ignore|i|weight|w|\w+=\S+)(?: \w+=\S+)*|")
_ORANGE_PREFIX = re.compile(r"([cmiw]?)([CDSTcdst]?)#(.+)")
_COMMON_UNITS = frozenset(UNITS) | frozenset(
    ("%", "°", "°c", "°f", "c", "k", "m", "s", "h", "g", "t", "l", "v", "a", "w", "n", "j", "pa",
     "kg", "mg", "km", "cm", "mm", "min", "sec", "ms", "hz", "khz", "mhz", "ha", "m2", "m3", "m²",
     "m³", "m/s", "km/h", "mol", "bar", "hpa", "kpa", "years", "year", "days", "hours", "ppm",
     "eur", "usd", "$", "€")
)  # fmt: skip
_BRACKETED = re.compile(r"\([^()]+\)|\[[^\[\]]+\]")
Row = tuple[int, list[str]]
"""Index of the first line of a record, from 0, and its stripped cells."""


@dataclass(slots=True)
class Head:
    """A text table while its head is read; each stage changes it."""

    text: str
    """The text, whose lines keep their number."""
    options: ReadOptions
    """Options of reading."""
    notes: list[Note]
    """Notes on what the head holds."""
    delimiter: str = ""
    """Sign between cells; '' until it is found."""
    names_stand: bool | None = None
    """True if the first record holds the names, False if none does, None if the reader decides."""
    n_emptied: int = 0
    """Number of lines that are empty because the head took them."""
    types: dict[int, str] = field(default_factory=dict)
    """Types that the file declares, by position of the column, as of `ReadOptions.types`."""
    missing: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Words of missing values that the kind of file has, by position of the column."""
    ignored: set[int] = field(default_factory=set)
    """Positions of the columns that the file says to ignore."""
    is_complete: bool = False
    """True once nothing more has to be looked for."""
    literal_quotes: bool = False
    """True if quotes are letters; they stand as QUOTE_LETTER in the text."""
    comment_sign: str = ""
    """Sign of the comments above the table."""
    rows: list[Row] = field(default_factory=list)
    """The first records of the table, once the delimiter is known."""

    def replace_lines(self, changes: dict[int, str]) -> None:
        """Write other content into lines by index; each keeps its end."""
        if not changes:
            return
        parts: list[str] = []
        start = 0
        last = max(changes)
        for i, match in enumerate(LINE.finditer(self.text)):
            if i > last:
                break
            if i in changes:
                line = match[0]
                end = line[len(line.rstrip("\r\n")) :]
                parts += [self.text[start : match.start()], changes[i], end]
                start = match.end()
        self.text = "".join([*parts, self.text[start:]])

    def empty_lines(self, line_ids: Sequence[int], reason: str = "") -> None:
        """Leave lines out by index; `reason` is told with their numbers."""
        if not line_ids:
            return
        self.replace_lines(dict.fromkeys(line_ids, ""))
        self.n_emptied += len(line_ids)
        if reason:
            first = [i + 1 for i in line_ids[:MAX_LINES_NAMED]]
            self.notes.append(note_of("row", f"left out: {reason}", first, n=len(line_ids)))

    def sample(self) -> list[str]:
        """The first lines with text, each with its end, after the empty ones above them."""
        return [line for _, line in self.numbered_sample()]

    def numbered_sample(self) -> list[tuple[int, str]]:
        """The first lines from the first one with text on, with their indices."""
        lines: list[tuple[int, str]] = []
        n_chars = 0
        for i, match in enumerate(LINE.finditer(self.text)):
            if not lines and not match[0].strip():
                continue
            lines.append((i, match[0]))
            n_chars += len(match[0])
            if n_chars > SAMPLE_CHARS or len(lines) >= MAX_SAMPLE_LINES:
                break
        return lines

    def read_rows(self) -> None:
        """Cut the first records of the table."""
        numbered = self.numbered_sample()
        lines = [line for _, line in numbered]
        if len(lines) > 1 and sum(map(len, lines)) > SAMPLE_CHARS:
            lines.pop()
        reader = csv.reader(lines, delimiter=self.delimiter, skipinitialspace=True)
        self.rows, start = [], 0
        try:
            for cells in reader:
                if any(map(str.strip, cells)):
                    self.rows.append((numbered[start][0], [cell.strip() for cell in cells]))
                start = reader.line_num
        except csv.Error:  # the reader of records says what is wrong
            pass

    @property
    def width(self) -> int:
        """Most frequent number of cells of the first records."""
        rows = [cells for _, cells in self.rows if not cells[0].startswith(("#", "%", "//"))]
        widths = Counter(map(len, rows or [cells for _, cells in self.rows]))
        return max(widths, key=widths.__getitem__, default=0)

    def column(self, k: int, first: int = 1) -> list[str]:
        """The cells with a value of a column, from the record of this index on."""
        cells = [row[k] for _, row in self.rows[first:] if k < len(row)]
        return [cell for cell in cells if cell.lower() not in MISSING_WORDS]

    def is_numeric(self, k: int, first: int = 1) -> bool:
        """True if nine in ten cells of a column are numbers, from the record of this index on."""
        cells = self.column(k, first)
        return bool(cells) and 10 * sum(map(is_number_cell, cells)) >= 9 * len(cells)


def read_head(text: str, options: ReadOptions, notes: list[Note]) -> Head:
    """Prepare a text for the reader of records; appends to `notes`. Raises DataError."""
    head = Head(text, options, notes)
    if not options.quotes:
        _take_quotes_as_letters(head)
    for stage in STAGES:
        stage(head)
        if head.is_complete:
            break
    if options.names_line is not None:
        head.names_stand = options.names_line > 0
    return head


def _take_quotes_as_letters(head: Head) -> None:
    head.text, head.literal_quotes = head.text.replace('"', QUOTE_LETTER), True


# --- lines above the table ------------------------------------------------------------------------


def _separator_line(head: Head) -> None:
    """Take the line by which Excel is told the delimiter: `sep=;`."""
    match = LINE.match(head.text)
    line = match[0].rstrip("\r\n") if match and len(match[0]) < MAX_UNIT_CHARS else ""
    if delimiter := declared_delimiter(line):
        head.empty_lines([0])
        head.delimiter = "" if head.options.delimiter else delimiter
        head.notes.append(Note("file", f"the first line sets the delimiter {delimiter!r}"))


def _names_line(head: Head) -> None:
    """Leave out the lines above the one that a user said to hold the names."""
    n = head.options.names_line
    if not n:
        return
    lines = [match[0] for match in islice(LINE.finditer(head.text), n)]
    if len(lines) < n or not lines[-1].strip():
        raise DataError(
            f"line {n:,} is {'empty' if len(lines) == n else 'beyond the last'}: choose the line "
            "that holds the names of the columns",
            "names_line",
        )
    head.empty_lines(
        [i for i, line in enumerate(lines[:-1]) if line.strip()], "above the line of names"
    )


def _arff(head: Head) -> None:
    """Read the head of ARFF, Weka's format: names and types of the columns."""
    if head.options.names_line is not None or not arff.is_arff(head.text):
        return
    table = arff.read_arff(head.text)
    head.text, head.delimiter, head.types = table.text, ",", table.types
    head.missing, head.n_emptied = table.missing, table.n_emptied
    head.notes += table.notes
    head.names_stand = head.is_complete = True


def _top_comments(head: Head) -> None:
    """Leave out the comment lines above the table, but for one that holds the names."""
    match = _TOP_COMMENTS.match(head.text)
    sign = _COMMENT_SIGN.match(head.text, len(head.text) - len(head.text.lstrip()))
    if match is None or sign is None:
        return
    above = LINE.findall(match[0])
    comments = [i for i, line in enumerate(above) if line.strip()]
    if not head.text[match.end() :].strip():
        return
    last = comments[-1]
    bare = above[last].strip().removeprefix(sign[1])
    has_names = head.options.names_line != 0 and _holds_names(
        bare, head.text[match.end() : match.end() + SAMPLE_CHARS], len(comments)
    )
    if head.options.names_line:
        has_names = False
        comments = [i for i in comments if i + 1 != head.options.names_line]
    head.comment_sign = sign[1]
    if has_names:
        head.replace_lines({last: bare.strip()})
        head.notes.append(Note("file", f"the names stand in a comment, line {last + 1:,}"))
        comments.pop()
    head.empty_lines(comments, "a comment")


def _holds_names(line: str, below: str, n_comments: int) -> bool:
    """True if a comment line is the line of names of the table below it."""
    first = next(io.StringIO(below.lstrip("\r\n")), "").strip()
    if not line.strip() or not first:
        return False
    for delimiter in (*DELIMITERS, None):
        names, cells = line.strip().split(delimiter), first.split(delimiter)
        if len(cells) > 1:
            break
    cells, names = [cell.strip() for cell in cells], [name.strip() for name in names]
    if len(cells) != len(names) or not all(names) or any(map(is_number_cell, names)):
        return False
    # words of a sentence may be as many as the cells: the row below must look like one
    return any(map(is_number_cell, cells)) or (n_comments == 1 and not line[:1].isspace())


# --- how the cells are parted ---------------------------------------------------------------------


def _ruled_table(head: Head) -> None:
    """Read a table with drawn rules: Markdown, psql, MySQL, columns under dashes."""
    if head.options.delimiter or head.delimiter:
        return
    rule = text_grid.find_rule(head.numbered_sample())
    if rule is None:
        return
    grid = text_grid.read_ruled(head.text, rule)
    if grid is None:
        return
    head.text, head.n_emptied = grid.text, head.n_emptied + grid.n_emptied
    head.notes += grid.notes
    if grid.delimiter:
        head.delimiter = grid.delimiter
        head.names_stand = True
        _take_quotes_as_letters(head)


def _delimiter(head: Head) -> None:
    """Find the delimiter; write cells that blanks or columns of blanks part with tabs."""
    if head.delimiter:
        return
    chosen = head.options.delimiter
    if chosen and chosen != " ":
        head.delimiter = chosen
        return
    lines = [line.rstrip("\r\n") for line in head.sample() if line.strip()]
    guess = "" if chosen else detect_delimiter(head.text)
    if chosen or text_grid.are_blanks_better(lines, guess):
        head.text, head.delimiter = text_grid.tabs_for_blanks(head.text), "\t"
        if not chosen:
            head.notes.append(Note("file", "cells are parted by blanks"))
        return
    if guess == ONE_COLUMN and (gaps := text_grid.find_gaps(lines)):
        head.text, head.delimiter = text_grid.tabs_for_gaps(head.text, gaps), "\t"
        head.notes.append(Note("file", "cells stand in columns of fixed width"))
        _take_quotes_as_letters(head)
        return
    head.delimiter = guess


def _quotes(head: Head) -> None:
    """Take quotes as letters where every line of a tab-separated text then has as many cells."""
    if head.delimiter != "\t" or head.literal_quotes or '"' not in head.text:
        return
    n_tabs = {line.count("\t") for line in LINE.findall(head.text) if line.strip("\r\n")}
    if len(n_tabs) != 1 or n_tabs == {0}:
        return
    cells = re.compile(r'(?<![^\t\r\n])("[^\t\r\n]*+)(?![^\t\r\n])').findall(head.text)
    n_open = sum(cell.count('"') % 2 for cell in cells)
    n_whole = sum(cell.count('"') % 2 == 0 and cell.endswith('"') for cell in cells)
    if n_open <= n_whole:
        return
    _take_quotes_as_letters(head)
    head.notes.append(Note("file", "quotes are read as letters, since they do not close"))


def _rows(head: Head) -> None:
    head.read_rows()
    if head.delimiter == ONE_COLUMN:
        head.is_complete = True


def _inner_comments(head: Head) -> None:
    """Leave out the comment lines among the rows: they have not the cells of a row."""
    n_delimiters, n_quotes, position = head.width - 1, 0, 0
    # one sign is looked for much faster than two, or than a pattern
    signs = [sign for sign in ("#", "%", "/", head.comment_sign) if sign and sign in head.text]
    if n_delimiters < 1 or not signs:
        return
    ends = [end for end in "\r\n" if end in head.text]
    if not any(end + start in head.text for end in ends for start in (*signs, " ", "\t")):
        return
    starts: list[int] = []
    for match in _INNER_COMMENT.finditer(head.text):
        n_quotes += head.text.count('"', position, match.start())
        position = match.start() + 1
        is_sign = match[1] == head.comment_sign
        may_be_cell = match[0].count(head.delimiter) == n_delimiters
        if n_quotes % 2 == 0 and (is_sign or not (may_be_cell or match[1] == ";")):
            starts.append(position)
    head.empty_lines(_line_ids(head.text, starts), "a comment")
    if starts:
        head.read_rows()


def _line_ids(text: str, starts: Iterable[int]) -> list[int]:
    """Indices of the lines that start at these positions, which ascend."""
    wanted = {*starts}
    if not wanted:
        return []
    return [i for i, match in enumerate(LINE.finditer(text)) if match.start() in wanted]


# --- lines of the table that are no rows ----------------------------------------------------------


def _titles(head: Head) -> None:
    """Leave out the title lines above the names: they have fewer cells than the table."""
    width = head.width
    if head.options.names_line is not None or width < 2:
        return
    n = 0
    while n < min(MAX_TITLE_LINES, len(head.rows) - 2) and _is_title(head, n, width):
        n += 1
    first = head.rows[n][1] if n < len(head.rows) else []
    if not n or len([*filter(None, first)]) < width - 1:  # still no line of names: no title
        return
    head.empty_lines([i for i, _ in head.rows[:n]], "a title above the names")
    del head.rows[:n]


def _is_title(head: Head, n: int, width: int) -> bool:
    """True if the record of this index is no row and no line of names."""
    cells, below = head.rows[n][1], head.rows[n + 1][1]
    n_filled = len([*filter(None, cells)])
    if n_filled == 1 and width > 2:
        return True
    if n_filled == 1:
        return len(cells) == 1 and _are_names(below, width)
    if n_filled >= width or len(cells) > width:
        return False
    # R writes one name fewer than cells: then the record below is a row
    return _are_names(below, width) and any(head.is_numeric(k, n + 2) for k in range(width))


def _are_names(cells: Sequence[str], width: int) -> bool:
    names = [*filter(None, cells)]
    return (
        len(names) == len(set(names)) >= width - 1 > 0
        and len(cells) == width
        and not any(map(is_number_cell, names))
    )


def _orange(head: Head) -> None:
    """Read Orange's lines of types and flags under the names, or its prefixes of names."""
    if head.options.names_line == 0 or len(head.rows) < 2:
        return
    (names_id, names), (types_id, cells) = head.rows[:2]
    kinds = [cell.lower() for cell in cells]
    lines = dict(head.numbered_sample())
    flags_id = types_id + 1
    flag_line = lines.get(flags_id, "").rstrip("\r\n")
    flags = [flag.strip() for flag in flag_line.split(head.delimiter)]
    is_flags = all(map(_ORANGE_FLAG.fullmatch, flags)) and len(flags) <= len(names)
    has_kind = sum(kind in _ORANGE_TYPES and kind != "" for kind in kinds)
    if has_kind and is_flags and all(_is_orange_type(kind) for kind in kinds):
        flags += [""] * (len(names) - len(flags))
        _set_orange(head, names, kinds, flags, f"Orange's lines {types_id + 1} and {flags_id + 1}")
        head.empty_lines([types_id, flags_id] if flag_line.strip() else [types_id])
        head.read_rows()
        return
    matches = [_ORANGE_PREFIX.fullmatch(name) for name in names]
    flagged = [match for match in matches if match and match[1] and match[2].isupper()]
    if not flagged and not all(match and match[2] for match in matches):
        return
    kinds = [match[2].lower() if match else "" for match in matches]
    bare = [match[3] if match else name for match, name in zip(matches, names, strict=True)]
    if any(map(is_number_cell, bare)):  # C#4 is a tone
        return
    flags = [match[1] if match else "" for match in matches]
    _set_orange(head, bare, kinds, flags, "Orange's prefixes of names")
    head.replace_lines({names_id: _record_text(bare, head.delimiter)})
    head.read_rows()


def _is_orange_type(kind: str) -> bool:
    """True for a word of Orange's types, or for a list of the values of a category."""
    return kind in _ORANGE_TYPES or len(kind.split()) > 1


def _set_orange(
    head: Head, names: Sequence[str], kinds: Sequence[str], flags: Sequence[str], source: str
) -> None:
    for k, (kind, flag) in enumerate(zip(kinds, flags, strict=False)):
        if chosen := _ORANGE_TYPES.get(kind, "category"):
            head.types[k] = chosen
        if flag in ("i", "ignore"):
            head.ignored.add(k)
    texts = [f"{source} say what the columns are"]
    targets = [name for name, flag in zip(names, flags, strict=False) if flag in ("c", "class")]
    if targets:
        texts.append(f"the target is {quoted_names(targets)}")
    if head.ignored:
        ignored = [names[k] for k in sorted(head.ignored)]
        texts.append(f"left out, as they say: {quoted_names(ignored)}")
    head.notes.append(Note("file", "; ".join(texts)))


def _record_text(cells: Sequence[str], delimiter: str) -> str:
    """The line of a record."""
    quoted_cells = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    return delimiter.join(quoted_cells)


def _units(head: Head) -> None:
    """Leave out a row of units under the names; its note keeps the units."""
    if head.options.names_line == 0 or len(head.rows) < 3:
        return
    (_, names), (line_id, cells) = head.rows[:2]
    units = {k: cell for k, cell in enumerate(cells) if cell.lower() not in MISSING_WORDS}
    if not units or max(units) >= len(names) or any(map(is_number_cell, (*cells, *names))):
        return
    sure = [unit for unit in units.values() if _is_unit(unit)]
    are_short = all(len(unit) <= MAX_UNIT_CHARS for unit in units.values())
    if not (2 * len(sure) > len(units) and are_short):
        return
    if not all(head.is_numeric(k, 2) for k in units):
        return
    listed = ", ".join(f"{quoted(names[k])} in {quoted(unit)}" for k, unit in units.items())
    head.empty_lines([line_id], f"units under the names, {listed}")
    del head.rows[1]


def _is_unit(text: str) -> bool:
    return text.lower() in _COMMON_UNITS or _BRACKETED.fullmatch(text) is not None


def _no_names(head: Head) -> None:
    """Take the first record as a row where each cell of it is a value of its own column below."""
    if head.options.names_line is not None or head.names_stand is not None or head.width < 2:
        return
    if len(head.rows) < 3 or len(head.rows[0][1]) != head.width:
        return
    line_id, first = head.rows[0]
    numbers = [k for k, cell in enumerate(first) if is_number_cell(cell) and head.is_numeric(k)]
    # measurements such as 5.1 are no names; 2019 may be one
    if 2 * len(numbers) >= len(first) > len(numbers) and any("." in first[k] for k in numbers):
        _refuse_names(head, f"line {line_id + 1:,} holds measurements, as the rows do")
        return
    n_texts = 0
    for k, cell in enumerate(first):
        if not cell or cell.lower() in MISSING_WORDS:
            continue
        if k in numbers:
            continue
        n_texts += 1
        if not any(k < len(row) and row[k] == cell for _, row in head.rows[1:] if row != first):
            return
    if n_texts:
        _refuse_names(head, f"each cell of line {line_id + 1:,} is a value of its own column")


def _refuse_names(head: Head, reason: str) -> None:
    head.names_stand = False
    head.notes.append(Note("file", f"no line of names: {reason}; columns are named by position"))


def _header_again(head: Head) -> None:
    """Leave out lines that repeat the line of names, as where files were put together."""
    if head.names_stand is False or head.options.names_line == 0 or not head.rows:
        return
    line_id, names = head.rows[0]
    if len(names) < 2 or all(map(is_number_cell, names)):
        return
    match = next(islice(LINE.finditer(head.text), line_id, None))
    line, position = match[0].rstrip("\r\n"), match.end()
    starts: list[int] = []
    while (position := head.text.find(line, position)) >= 0:
        end = position + len(line)
        is_line = head.text[position - 1] in "\r\n" and head.text[end : end + 1] in ("", "\r", "\n")
        if is_line:
            starts.append(position)
        position = end
    head.empty_lines(_line_ids(head.text, starts), "the line of names again")


STAGES: tuple[Callable[[Head], None], ...] = (
    _separator_line,
    _names_line,
    _arff,
    _top_comments,
    _ruled_table,
    _delimiter,
    _quotes,
    _rows,
    _inner_comments,
    _titles,
    _orange,
    _units,
    _no_names,
    _header_again,
)
"""Stages of reading a head, in their order; each changes the head where its kind fits."""
