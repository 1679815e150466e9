"""The dialect of a csv file: encoding, delimiter, and how it writes numbers and missing values.

Numbers are read by point (in 1,234.5 the comma separates thousands) or by comma (in 1.234,5 the
comma is the decimal sign). A `column` is one text: its cells joined by CELL_SEPARATOR.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.lazy import pa
from dtviz.base.text import number, quoted
from dtviz.data.dataset import DataError
from dtviz.data.notes import Note

SAMPLE_CHARS = 65_536  # characters from which the delimiter is guessed
DELIMITERS = ("\t", "|", ";", ",")  # of two that fit alike the first is taken, the rarer in prose
ONE_COLUMN = "\x1f"  # stands for the delimiter of a file that has none
CELL_SEPARATOR = "\0"  # no file holds it
ABSENT_CELL = "\ud800"  # a cell that a short row lacks; no file holds it
MISSING_WORDS = frozenset(
    ("", ABSENT_CELL, "na", "n/a", "n.a.", "nan", "null", "none", "?", "-", ".", "#n/a")
)  # fmt: skip

MIN_DISTINCT_NUMBERS = 20
"""A column of at least this many distinct numbers and one word holds amounts; the word is a gap."""

_MISSING_CELL = re.compile(
    rf"\0({'|'.join(map(re.escape, sorted(MISSING_WORDS)))})(?=\0)", re.IGNORECASE
)
_CLASS_WORDS = frozenset(("-", "none"))  # words of MISSING_WORDS that may be classes

_MAGIC = (
    (re.compile(rb"\x1f\x8b"), "a gzip archive", "unpack it first"),
    (re.compile(rb"PK(\x03\x04|\x05\x06|\x07\x08)"), "an Excel workbook or a zip archive",
     "save the sheet as CSV, or unpack the archive"),
    (re.compile(rb"\xfd7zXZ\x00"), "an xz archive", "unpack it first"),
    (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), "a bzip2 archive", "unpack it first"),
    (re.compile(rb"\x28\xb5\x2f\xfd"), "a zstd archive", "unpack it first"),
    (re.compile(rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "an old Excel workbook or Office file",
     "save the sheet as .xlsx or CSV"),
    (re.compile(rb"PAR1.*[\x00-\x08]", re.DOTALL), "a parquet file", "write the table as CSV"),
    (re.compile(rb"%PDF-"), "a PDF", "copy the table into a spreadsheet and save it as CSV"),
    (re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|II\*\x00|MM\x00\*|RIFF....WEBP",
                re.DOTALL), "an image", "type the table into a spreadsheet and save it as CSV"),
)  # fmt: skip
# Windows-1252 differs from latin-1 in these bytes; those that it leaves undefined stay.
_CP1252 = {b: bytes([b]).decode("cp1252", "ignore") or chr(b) for b in range(0x80, 0xA0)}
_SEP = re.compile(r'"?sep=([^\w\s"]|\t)"?\s*', re.IGNORECASE)
_QUOTED_NAMES = re.compile(r'"[^"\r\n]*"(?: "[^"\r\n]*")*(?:\r\n|\r|\n)')  # R's write.table
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


class NoTextError(DataError):
    """Error: the bytes are binary, of no kind of file that is recognized."""


def decode(content: bytes) -> tuple[str, list[Note]]:
    """The text of a file, and notes on what was guessed of its encoding.

    Raises DataError for archives, workbooks, images and other binary content.
    """
    _refuse(content)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _utf16(content, "utf-16"), []
    if b"\0" in content:
        order = _byte_order(content)
        note = Note("file", f"no byte order mark, read as {order.upper()}")
        return _utf16(content, order), [note]
    try:
        return content.decode("utf-8").lstrip("\ufeff"), []
    except UnicodeDecodeError:
        text = content.removeprefix(codecs.BOM_UTF8).decode("latin-1").translate(_CP1252)
        return text, [Note("file", "not UTF-8, read as Windows-1252")]


def _refuse(content: bytes) -> None:
    for magic, kind, remedy in _MAGIC:
        if magic.match(content):
            raise DataError(f"this is {kind}, which is not read as a table: {remedy}")


def _utf16(content: bytes, encoding: str) -> str:
    try:
        text = content.decode(encoding).lstrip("\ufeff")
    except UnicodeDecodeError:
        raise _binary_error() from None
    if "\0" in text:
        raise _binary_error()
    return text


def _byte_order(content: bytes) -> str:
    """UTF-16 LE or BE, by the positions of the zero bytes of its ASCII characters."""
    even, odd = content[0::2].count(0), content[1::2].count(0)
    if max(even, odd) < len(content) / 20 or min(even, odd) > max(even, odd) / 10:
        raise _binary_error()
    return "utf-16-le" if odd > even else "utf-16-be"


def _binary_error() -> NoTextError:
    return NoTextError("this is binary, not text; save the table as CSV (UTF-8)")


def declared_delimiter(line: str) -> str | None:
    """The delimiter that a first line such as `sep=;` sets for Excel."""
    match = _SEP.fullmatch(line)
    return match[1] if match else None


def detect_delimiter(text: str) -> str:
    """The delimiter that best cuts the first lines into rows of equal length and sensible cells."""
    start = text.lstrip("\r\n")
    lines = list(io.StringIO(start[:SAMPLE_CHARS], newline=""))
    if len(start) > SAMPLE_CHARS and len(lines) > 1:
        lines.pop()
    if _QUOTED_NAMES.match(start) and len(next(csv.reader(lines[1:2], delimiter=" "), [])) > 1:
        return " "
    return max((*DELIMITERS, ONE_COLUMN), key=lambda delimiter: _fitness(lines, delimiter))


def _fitness(lines: Sequence[str], delimiter: str) -> float:
    """Score of a delimiter, 0 to 1: rows of equal length, a fitting header, sensible cells."""
    records = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    rows = [row for row in records if len(row) > 1 or "".join(row).strip()]
    if not rows:
        return 0.0
    widths = Counter(len(row) for row in rows)
    width = max(widths, key=widths.__getitem__)  # of a tie, the one met first
    width = width if width > 1 else len(rows[0])  # the header's, where most rows have one cell
    if width == 1 and delimiter != ONE_COLUMN:
        return 0.0
    share = widths[width] / len(rows)
    header_fitness = 0.75 if len(rows[0]) != width else 1.0
    if delimiter == ONE_COLUMN and any(other in rows[0][0] for other in DELIMITERS):
        header_fitness = 0.25
    cells_fitness = [_cell_fitness(cell.strip(), delimiter) for row in rows for cell in row]
    return share * header_fitness * sum(cells_fitness) / len(cells_fitness)


def _cell_fitness(cell: str, delimiter: str) -> float:
    """Score of a cell, 0 to 1: lowest where another delimiter would cut it."""
    if cell.lower() in MISSING_WORDS or _POINT.fullmatch(cell) or _COMMA.fullmatch(cell):
        return 1.0
    return 0.1 if any(other in cell for other in DELIMITERS if other != delimiter) else 0.9


def is_number_cell(cell: str) -> bool:
    """True if a cell is a number, read by point or by comma."""
    return bool(_POINT.fullmatch(cell) or _COMMA.fullmatch(cell))


def is_infinite_cell(cell: str) -> bool:
    """True if a cell is a word for infinity, or a number too large for a float."""
    is_word = _INFINITE.fullmatch(cell) is not None
    by_point = _POINT.fullmatch(cell) is not None
    return is_word or (is_number_cell(cell) and bool(np.isinf(_value(cell, by_point))))


def missing_cells(column: str) -> set[str]:
    """The distinct cells of a column that are MISSING_WORDS."""
    return {*_MISSING_CELL.findall(CELL_SEPARATOR + column + CELL_SEPARATOR)}


def class_words(cells: Sequence[str]) -> dict[str, int]:
    """MISSING_WORDS that are classes in a column of text, with their numbers of cells.

    '-' is a class beside '+'; '-' or 'none' is one in a tenth of the rows, at least in two.
    """
    counts = Counter(cells)
    signs = {"-"} if "+" in counts else set()
    min_cells = max(2.0, len(cells) / 10)
    words = {cell: n for cell, n in counts.items() if cell.lower() in _CLASS_WORDS}
    return {cell: n for cell, n in words.items() if n >= min_cells or cell in signs}


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
