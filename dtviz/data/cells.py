"""Reading of the cells of a column: numbers, booleans, dates or durations, else text.

All kinds of files are read by these rules, so that the same cells give the same column. A column is
one text here: its cells joined by CELL_SEPARATOR.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Ints
from dtviz.base.lazy import pd
from dtviz.base.progress import Slices
from dtviz.base.text import count, quoted, quoted_names
from dtviz.data.notes import MAX_LINES_NAMED, Note, note_of
from dtviz.data.number_cells import (
    CELL_SEPARATOR,
    Numbers,
    decimal_warning,
    is_infinite_cell,
    mixed_warning,
    name_reason,
    parse_numbers,
    parse_plain_numbers,
    rounding_warning,
    sentinel_hint,
    whole_numbers,
)
from dtviz.data.read_options import ABSENT_CELL, MISSING_WORDS, ReadOptions
from dtviz.data.units import MAX_TEXTS_TRIED, could_be_time, parse_time_column

_CLASS_WORDS = frozenset(("-", "none"))  # words of MISSING_WORDS that may be classes
_NO_ROW_IDS = np.empty(0, dtype=int)


class Column(NamedTuple):
    """A column of cells as typed values."""

    values: Any
    """Array or series, (n,)."""
    missing_ids: Ints
    """Row ids of the cells that a note says are read as missing."""
    remarks: list[str]
    """Texts of its notes."""
    reading: Numbers | None = None
    """How a column of numbers was read."""
    expected: str = "a number"
    """Noun for what each cell should be, in notes."""


class CellWords(NamedTuple):
    """The words by which a column writes a missing value."""

    words: frozenset[str] = MISSING_WORDS
    """The words in small letters; an empty cell is always missing."""
    is_default: bool = True
    """False if a user chose them: then no word is kept as a class."""

    @property
    def numbers(self) -> frozenset[float]:
        """The words that are numbers, such as -999: cells with these values are missing."""
        return frozenset(float(word) for word in self.words if is_plain_number(word))


USUAL_WORDS = CellWords()
"""The words of a column of which nobody has said how it writes missing values."""


def is_plain_number(word: str) -> bool:
    """True if Python reads a word as a finite number."""
    try:
        return bool(np.isfinite(float(word)))
    except ValueError:
        return False


def read_columns(
    names: Sequence[str],
    texts: Sequence[str],
    lines: NDArray[np.int64],
    delimiter: str,
    options: ReadOptions,
    notes: list[Note],
) -> Slices[pd.DataFrame]:
    """The frame of columns from the text of each, (n,); appends to `notes`.

    `attrs["units"]` has the unit of each column whose numbers have one.

    `lines` are the lines of the rows in the file, (n,). An unclear decimal sign is read as that of
    the other columns.
    """
    columns = dict(zip(names, (yield from _columns(names, texts, delimiter, options)), strict=True))
    for name, column in columns.items():
        notes += [Note("column", remark, None, name) for remark in column.remarks]
    for (name, column), text in zip(columns.items(), texts, strict=True):
        notes += _missing_notes(name, column, text, lines, words_of(options, name))
    frame = pd.DataFrame({name: column.values for name, column in columns.items()})
    readings = {name: column.reading for name, column in columns.items()}
    frame.attrs["units"] = {
        name: read.unit for name, read in readings.items() if read and read.unit
    }
    return frame


def words_of(options: ReadOptions, name: str) -> CellWords:
    """The words of missing values of a column."""
    chosen = options.missing_words(name)
    return USUAL_WORDS if chosen is None else CellWords(chosen, False)


@lru_cache(maxsize=64)
def _missing_pattern(words: frozenset[str]) -> re.Pattern[str]:
    choices = "|".join(map(re.escape, sorted(words | {"", ABSENT_CELL})))
    return re.compile(rf"\0({choices})(?=\0)", re.IGNORECASE)


def missing_cells(column: str, words: CellWords) -> set[str]:
    """The distinct cells of a column that mean a missing value."""
    cells = {*_missing_pattern(words.words).findall(CELL_SEPARATOR + column + CELL_SEPARATOR)}
    if numbers := words.numbers:
        others = {*column.split(CELL_SEPARATOR)}
        cells |= {cell for cell in others if is_plain_number(cell) and float(cell) in numbers}
    return cells


def class_words(cells: Sequence[str]) -> dict[str, int]:
    """MISSING_WORDS that are classes in a column of text, with their numbers of cells.

    '-' is a class beside '+'; '-' or 'none' is one in a tenth of the rows, at least in two.
    """
    counts = Counter(cells)
    signs = {"-"} if "+" in counts else set()
    min_cells = max(2.0, len(cells) / 10)
    words = {cell: n for cell, n in counts.items() if cell.lower() in _CLASS_WORDS}
    return {cell: n for cell, n in words.items() if n >= min_cells or cell in signs}


def _missing_notes(
    name: str, column: Column, text: str, lines: NDArray[np.int64], words: CellWords
) -> list[Note]:
    """A note for each reason why cells of a column are read as missing."""
    if not len(column.missing_ids):
        return []
    missing = missing_cells(text, words)
    cells = text.split(CELL_SEPARATOR)
    cells = [cells[row] for row in column.missing_ids.tolist()]
    groups: dict[tuple[str, str], list[str]] = {}  # distinct cells by the texts of their reason
    for cell in dict.fromkeys(cells):
        groups.setdefault(_reason_texts(cell, column.expected, cell in missing), []).append(cell)
    group_ids = {cell: i for i, group in enumerate(groups.values()) for cell in group}
    group_of_cell = np.fromiter(map(group_ids.__getitem__, cells), int, len(cells))
    notes = []
    for i, ((singular, plural), group) in enumerate(groups.items()):
        text = (plural if len(group) > 1 else singular).format(quoted_names(group))
        rows = column.missing_ids[group_of_cell == i]
        note = note_of("cell", text, lines[rows[:MAX_LINES_NAMED]].tolist(), name, len(rows))
        shown = tuple(cell for cell in group if cell in missing and cell not in ("", ABSENT_CELL))
        notes.append(replace(note, words=shown))
    return notes


def _reason_texts(cell: str, expected: str, is_word: bool) -> tuple[str, str]:
    """Texts of the reason why a cell is read as missing: for one such cell, and for several.

    `is_word` is True for a word that means a missing value.
    """
    if cell in ("", ABSENT_CELL):
        text = "empty, read as missing" if not cell else "the row ends before it, read as missing"
        return text, text
    if is_word:
        return "{} read as missing", "{} read as missing"
    problem = "not a finite number" if is_infinite_cell(cell) else f"not {expected}"
    return f"{{}} is {problem}, read as missing", f"{{}}: {problem}, read as missing"


def _columns(
    names: Sequence[str], texts: Sequence[str], delimiter: str, options: ReadOptions
) -> Slices[list[Column]]:
    """The columns with one decimal sign: an unclear column is read as the others are."""
    types = dict(options.types)

    def column(i: int, by_point: bool | None = None) -> Column:
        words = words_of(options, names[i])
        return read_cells(texts[i], delimiter, by_point, words, types.get(names[i], ""))

    columns: list[Column] = []
    for i in range(len(texts)):
        yield i / len(texts)
        columns.append(column(i))
    signs = {c.reading.by_point for c in columns if c.reading and c.reading.decided}
    if len(signs) != 1:
        return columns
    sign = signs.pop()
    for i, read in enumerate(columns):
        reading = read.reading
        if reading is not None and reading.unclear and reading.by_point != sign:
            yield 1
            columns[i] = column(i, sign)
    return columns


def read_cells(
    text: str,
    delimiter: str,
    by_point: bool | None = None,
    words: CellWords = USUAL_WORDS,
    type_by_hand: str = "",
) -> Column:
    """A column as numbers, else booleans, else dates or durations, else text.

    `type_by_hand` is a name of `columns.TYPES`, or '': a column that was read as another type stays
    text, as it is written, so that it can be converted to that type.
    """
    column = _read_cells(text, delimiter, by_point, words)
    if not type_by_hand or _has_type(column, type_by_hand):
        return column
    return _text(text.split(CELL_SEPARATOR), missing_cells(text, words), words, [])


def _has_type(column: Column, name: str) -> bool:
    """True if a column was read as this type of `columns.TYPES`."""
    if name == "number":
        return column.reading is not None
    return name == "date" and getattr(column.values, "dtype", np.dtype(object)).kind == "M"


def _read_cells(text: str, delimiter: str, by_point: bool | None, words: CellWords) -> Column:
    parsed = None if words.numbers else parse_plain_numbers(text, by_point)
    integers = whole_numbers(text, parsed) if parsed else []
    if parsed and not name_reason(integers):
        return Column(parsed.values, _NO_ROW_IDS, _number_remarks(text, parsed, integers), parsed)
    cells = text.split(CELL_SEPARATOR)
    missing = set() if parsed else missing_cells(text, words)
    present = [cell for cell in cells if cell not in missing] if missing else cells
    if not present:
        return Column(np.full(len(cells), None), _NO_ROW_IDS, ["no value in any row"])
    if not parsed and all(cell.lower() in ("true", "false") for cell in present):
        truth = {cell: None if cell in missing else cell.lower() == "true" for cell in set(cells)}
        flags = pd.array([truth[cell] for cell in cells], dtype="boolean")
        return Column(flags, np.flatnonzero(~_value_mask(cells, missing)), [])
    may_be_times = not parsed and any(map(could_be_time, present[:MAX_TEXTS_TRIED]))
    times, remark = parse_time_column(_with_gaps(cells, missing)) if may_be_times else (None, "")
    if times is not None:
        expected = "a date" if times.dtype.kind == "M" else "a duration"
        missing_ids = np.flatnonzero(times.isna())
        return Column(times, missing_ids, [remark] if remark else [], None, expected)
    parsed = parsed or parse_numbers(present, delimiter, by_point)
    integers = whole_numbers(CELL_SEPARATOR.join(present), parsed) if parsed else []
    reason = name_reason(integers)
    finite = np.isfinite(parsed.values if parsed else [])
    if parsed is None or reason or not finite.any():
        return _text(cells, missing, words, [*filter(None, (reason, remark))])
    values = np.full(len(cells), np.nan)
    values[_value_mask(cells, missing)] = np.where(finite, parsed.values, np.nan)
    remarks = _number_remarks(CELL_SEPARATOR.join(present), parsed, integers)
    return Column(values, np.flatnonzero(np.isnan(values)), remarks, parsed)


def _number_remarks(present: str, parsed: Numbers, integers: Sequence[str]) -> list[str]:
    """Texts of the notes on a column of numbers; `present` are its cells without missing words."""
    remarks = (
        parsed.remark,
        rounding_warning(integers),
        decimal_warning(present, parsed),
        sentinel_hint(parsed.values),
    )
    return [*filter(None, remarks)]


def _text(cells: list[str], missing: set[str], words: CellWords, remarks: list[str]) -> Column:
    """A column of text; words of `missing` that are classes stay, with a remark."""
    classes = class_words(cells) if words.is_default else {}
    remarks += [
        f"{quoted(word)} is a class, not missing: {count(n, 'cell')}" for word, n in classes.items()
    ]
    present = [cell for cell in cells if cell not in missing]
    remarks += [*filter(None, [mixed_warning(present)])]
    gaps = missing - classes.keys()
    return Column(_with_gaps(cells, gaps), np.flatnonzero(~_value_mask(cells, gaps)), remarks)


def _with_gaps(cells: list[str], gaps: set[str]) -> pd.Series[Any]:
    """The cells as text with None for the gaps; equal cells share one text in memory."""
    words = {cell: None if cell in gaps else cell for cell in set(cells)}
    return pd.Series([words[cell] for cell in cells], dtype=object)


def _value_mask(cells: list[str], gaps: set[str]) -> NDArray[np.bool_]:
    """Mask of the cells that hold a value, (n,)."""
    if not gaps:
        return np.ones(len(cells), dtype=bool)
    return ~np.fromiter(map(gaps.__contains__, cells), bool, len(cells))
