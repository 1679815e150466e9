"""Numbers in the cells of a column, as people write them.

Numbers are read by point (in 1,234.5 the comma separates thousands) or by comma (in 1.234,5 the
comma is the decimal sign). A `column` is one text: its cells joined by CELL_SEPARATOR.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.lazy import pa
from dtviz.base.text import number, quoted

CELL_SEPARATOR = "\0"  # no file holds it
MIN_DISTINCT_NUMBERS = 20
"""A column of at least this many distinct numbers and one word holds amounts; the word is a gap."""

_EXPONENT = r"(?:[eE][+-]?[0-9]+)?"
_POINT = re.compile(
    r"[+-]?(?:(?:[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]*)?|\.[0-9]+)" + _EXPONENT
)
_COMMA = re.compile(
    r"[+-]?(?:(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+)(?:,[0-9]*)?|,[0-9]+)" + _EXPONENT
)
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_PLAIN_COLUMN = re.compile(r"[0-9+\-.eE\0]*")  # cells of these signs alone
_CELL_WITH_POINT = re.compile(r"[^.\0]*\.[^\0]*")
_WHOLE_NUMBER = re.compile(r"-?[0-9]+(?:[eE][0-9]+)?")
_PADDED = re.compile(r"0[0-9]+")  # a whole number with a leading zero
_TWO_FORMS = re.compile(r"\0-?(?:0[0-9]|[0-9]+[eE][0-9])")  # '07', '1e5': forms of 7 and 100000
_LEADING_ZERO = re.compile(r"\0-?0[0-9]")  # the first of these forms: enough without an exponent
_MAX_EXACT_INTEGER = 2.0**53  # every whole number up to it is a float


def is_number_cell(cell: str) -> bool:
    """True if a cell is a number, read by point or by comma."""
    return bool(_POINT.fullmatch(cell) or _COMMA.fullmatch(cell))


def is_infinite_cell(cell: str) -> bool:
    """True if a cell is a word for infinity, or a number too large for a float."""
    is_word = _INFINITE.fullmatch(cell) is not None
    by_point = _POINT.fullmatch(cell) is not None
    return is_word or (is_number_cell(cell) and bool(np.isinf(_value(cell, by_point))))


class Numbers(NamedTuple):
    """A column of numbers."""

    values: NDArray[np.float64]
    """(n,), NaN for a cell that is no number."""
    by_point: bool
    """True if read by point, False by comma."""
    decided: bool
    """True if some cell can be read in this one way only."""
    unclear: str
    """A cell that can be read by point and by comma, where no cell decides; '' for none."""

    @property
    def remark(self) -> str:
        """Sentence on how the unclear cell was read; '' for none, or for a decimal point."""
        if not self.unclear or (self.by_point and "," not in self.unclear):
            return ""
        sign = "comma" if "," in self.unclear else "point"
        role = "is the decimal sign" if self.by_point == (sign == "point") else "parts thousands"
        value = number(_value(self.unclear, self.by_point), 15)
        return f"{quoted(self.unclear)} read as {value}: the {sign} {role}"


def parse_plain_numbers(column: str, by_point: bool | None = None) -> Numbers | None:
    """The numbers of a column in which every cell is a finite number with a decimal point.

    None for other columns. If `by_point` is False, None too where all cells can be read by comma.
    """
    if not _PLAIN_COLUMN.fullmatch(column):
        return None
    values = _floats(column)
    if values is None or not np.isfinite(values).all():
        return None
    decided, unclear = _plain_sign(column)
    return None if unclear and by_point is False else Numbers(values, True, decided, unclear)


def _floats(column: str) -> NDArray[np.float64] | None:
    """The cells as Python's `float` reads them, (n,); None where it refuses one."""
    # pyarrow reads the same numbers three times as fast, but refuses some: '+1', '1e-400'.
    from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

    read = ReadOptions(column_names=["cell"], use_threads=False)
    parse = ParseOptions(ignore_empty_lines=False)
    convert = ConvertOptions(column_types={"cell": pa.float64()})
    cells = column.count(CELL_SEPARATOR) + 1
    try:
        lines = pa.py_buffer(column.replace(CELL_SEPARATOR, "\n").encode())
        values: NDArray[np.float64] = read_csv(lines, read, parse, convert)["cell"].to_numpy()
        if len(values) == cells:
            return values
    except pa.ArrowException:
        pass
    try:
        return np.array([float(cell) for cell in column.split(CELL_SEPARATOR)])
    except ValueError:
        return None


def _plain_sign(column: str) -> tuple[bool, str]:
    """True if a cell has a point that must be decimal; and if none has, `unclear` of Numbers."""
    unclear = ""
    for cell in map(re.Match.group, _CELL_WITH_POINT.finditer(column) if "." in column else ()):
        if not _COMMA.fullmatch(cell):
            return True, ""
        unclear = unclear or cell
    return False, unclear


def parse_numbers(
    cells: Sequence[str], delimiter: str, by_point: bool | None = None, min_share: float = 0.9
) -> Numbers | None:
    """The numbers of the present cells of a column; None below the share `min_share`.

    Fewer suffice beside a single word, such as 'unknown', if there are at least
    MIN_DISTINCT_NUMBERS distinct numbers.

    A number too large for a float becomes infinite. '1,234' alone is ambiguous: `by_point` says how
    the other columns of the table are read. Where none of them decides, the comma separates
    thousands in a file delimited by commas and is the decimal sign in others; a point is decimal.
    """
    plain = parse_plain_numbers(CELL_SEPARATOR.join(cells), by_point)
    if plain and len(plain.values) == len(cells):
        return plain
    counts = Counter(cells)
    point = {cell: n for cell, n in counts.items() if _POINT.fullmatch(cell)}
    comma = {cell: n for cell, n in counts.items() if _COMMA.fullmatch(cell)}
    n_by_point, n_by_comma = sum(point.values()), sum(comma.values())
    decided = n_by_point != n_by_comma
    signs = [next((c for c in point if c in comma and sign in c), "") for sign in ",."]
    unclear = "" if decided else signs[0] or signs[1]
    if decided or by_point is None:
        by_point = delimiter == "," if "," in unclear else n_by_point >= n_by_comma
    words = {cell: n for cell, n in counts.items() if _INFINITE.fullmatch(cell)}
    numeric = {**(point if by_point else comma), **words}
    if sum(numeric.values()) < min_share * len(cells) and not _has_one_word(counts, numeric.keys()):
        return None
    value_of = {cell: _value(cell, by_point) for cell in (point if by_point else comma)}
    value_of |= dict.fromkeys(words, np.inf)
    values = np.fromiter((value_of.get(cell, np.nan) for cell in cells), np.float64, len(cells))
    return Numbers(values, by_point, decided, unclear)


def _has_one_word(counts: Counter[str], numeric: Collection[str]) -> bool:
    """True if half of the cells are numbers, many of them distinct, and the rest are one word."""
    others = counts.keys() - numeric
    words = {cell.casefold() for cell in others}
    n_others = sum(map(counts.__getitem__, others))
    are_amounts = len(numeric) >= MIN_DISTINCT_NUMBERS and 2 * n_others <= counts.total()
    return are_amounts and len(words) == 1 and not any(map(str.isdigit, "".join(words)))


def _value(cell: str, by_point: bool) -> float:
    return float(_ungrouped(cell, by_point).replace(",", "."))


def _ungrouped(cell: str, by_point: bool) -> str:
    return cell.replace("," if by_point else ".", "")


def whole_numbers(column: str, parsed: Numbers) -> list[str]:
    """Distinct whole numbers of a column that needs `name_reason` and `rounding_warning`.

    It has large numbers, or perhaps two forms of one number; the list is empty for other columns.
    """
    has_large = (
        np.abs(parsed.values).max(initial=0, where=np.isfinite(parsed.values)) >= _MAX_EXACT_INTEGER
    )
    has_exponent = "e" in column or "E" in column
    if not has_large and not (_TWO_FORMS if has_exponent else _LEADING_ZERO).search(
        CELL_SEPARATOR + column
    ):
        return []
    ungrouped = {_ungrouped(cell, parsed.by_point) for cell in set(column.split(CELL_SEPARATOR))}
    return sorted(c for c in ungrouped if _WHOLE_NUMBER.fullmatch(c) and math.isfinite(float(c)))


def name_reason(integers: Sequence[str]) -> str:
    """Reason to read whole numbers as names, not amounts; '' for none.

    They are names if one begins with 0 (unless all have two digits, as hours and months have), or
    if two of them would become one number.
    """
    padded = next(filter(_PADDED.fullmatch, integers), "")
    if padded and {len(cell) for cell in integers} != {2}:
        return f"{quoted(padded)} begins with 0, so the numbers are read as text"
    first_cell: dict[float, str] = {}
    for cell in integers:
        other = first_cell.setdefault(float(cell), cell)
        if other != cell and float(cell):
            return f"{quoted(other)} and {quoted(cell)} would be one number, all are read as text"
    return ""


def rounding_warning(integers: Sequence[str]) -> str:
    """Message about whole numbers too large for a float to hold exactly; '' for none."""
    digits = [cell for cell in integers if "e" not in cell.lower()]
    rounded = next((cell for cell in digits if int(cell) != int(float(cell))), "")
    return f"{quoted(rounded)} and the like beyond 2^53 are rounded" if rounded else ""
