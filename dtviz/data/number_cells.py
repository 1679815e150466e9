"""Numbers in the cells of a column, as people write them.

Numbers are read by point (in 1,234.5 the comma separates thousands) or by comma (in 1.234,5 the
comma is the decimal sign). A `column` is one text: its cells joined by CELL_SEPARATOR.

The bare form of a number is its sign, its digits, points and commas: '-1,234.5' is that of
'($ 1,234.5)', and '-1234.5' that of '−1 234.5 kg', whose unit is 'kg'.
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
from dtviz.base.text import number, quoted, quoted_names

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

CURRENCIES = (
    "US$", "A$", "C$", "R$", "NZ$", "HK$", "S$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₪",
    "₫", "฿", "₱", "₦", "₴", "zł", "Kč", "kr", "Fr.", "CHF", "USD", "EUR", "GBP", "JPY", "CNY",
    "INR", "RUB", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "BRL", "MXN",
    "ZAR", "Rs.", "Rs",
)  # fmt: skip
"""Signs of money, which stand before a number or behind it."""
UNITS = (
    "%", "‰", "kg", "g", "mg", "µg", "μg", "lb", "lbs", "oz", "t", "m", "cm", "mm", "µm", "μm",
    "nm", "km", "mi", "ft", "yd", "m²", "m2", "km²", "m³", "sq ft", "ha", "ml", "mL", "cl", "dl",
    "l", "L", "gal", "cc", "s", "ms", "min", "h", "hr", "hrs", "°", "°C", "°F", "K", "W", "kW",
    "MW",
    "kWh", "V", "mV", "mA", "Hz", "kHz", "MHz", "GHz", "kB", "KB", "MB", "GB", "TB", "Pa",
    "kPa", "hPa", "bar", "psi", "mmHg", "km/h", "kph", "mph", "m/s", "rpm", "hp", "kcal", "cal",
    "kJ", "px", "pt", "x",
)  # fmt: skip
"""Units that may stand behind a number without a blank; with a blank any short word may."""
MIN_SHARE_OF_SAMPLE = 0.5
"""Share of numbers among the first distinct cells of a column that is read further."""
SAMPLE_CELLS = 200
MIN_CELLS_WITH_A_WORD = 3
"""Distinct cells from which a word that is no known unit may be one."""
_BLANKS = " \u00a0\u202f\u2009"
_MONEY = "|".join(map(re.escape, CURRENCIES))
_WRITTEN = re.compile(
    rf"""(?P<bracket>\()? (?P<sign>[+\-\u2212])? [{_BLANKS}]*
    (?P<money>{_MONEY})? [{_BLANKS}]* (?P<inner>[+\-\u2212])?
    (?P<digits>(?:[0-9][0-9.,'\u2019{_BLANKS}]*|[.,][0-9]+)(?<![{_BLANKS}]) {_EXPONENT})
    (?:[{_BLANKS}]*(?P<close>{_MONEY}|{"|".join(map(re.escape, UNITS))})
    |[{_BLANKS}]+(?P<word>[^\W\d_][^\d\s,;]{{0,11}}))?
    (?P<end>\))?""",
    re.VERBOSE,
)
_GROUPED = re.compile(  # by blanks or apostrophes
    rf"[0-9]{{1,3}}(?P<gap>[{_BLANKS}'\u2019])[0-9]{{3}}(?:(?P=gap)[0-9]{{3}})*(?:[.,][0-9]*)?"
)
_INDIAN = re.compile(r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]*)?")
_TRUE_MINUS = str.maketrans("\u2212", "-")


class BareNumber(NamedTuple):
    """A number without what stands around it."""

    bare: str
    """Its bare form."""
    unit: str
    """Its unit; '' for none."""


def bare_number(cell: str) -> BareNumber | None:
    """The bare form and the unit of a number, as people write it; None for other cells.

    >>> bare_number("($ 1,234.50)")
    BareNumber(bare='-1,234.50', unit='$')
    >>> bare_number("1 234,5 kg"), bare_number("12 to 15")
    (BareNumber(bare='1234,5', unit='kg'), None)
    """
    match = _WRITTEN.fullmatch(cell)
    if match is None or (match["bracket"] is None) != (match["end"] is None):
        return None
    signs = [match[name] for name in ("bracket", "sign", "inner") if match[name] is not None]
    units = [match[name] for name in ("money", "close", "word") if match[name] is not None]
    if len(signs) > 1 or len(units) > 1:
        return None
    digits = match["digits"]
    if _GROUPED.fullmatch(digits):
        digits = re.sub(rf"[{_BLANKS}'\u2019]", "", digits)
    elif _INDIAN.fullmatch(digits):
        digits = digits.replace(",", "")
    if not is_number_cell(digits):
        return None
    sign = "-" if signs and signs[0].translate(_TRUE_MINUS) in "(-" else ""
    return BareNumber(sign + digits, units[0] if units else "")


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
    unit: str = ""
    """Unit that stands beside the numbers, as '$', '%' or 'kg'; '' for none."""
    example: str = ""
    """A cell that is not written as a bare number; '' for none."""

    @property
    def remark(self) -> str:
        """Sentence on how an odd or an unclear cell was read; '' for none, or a decimal point."""
        if self.example:
            written = bare_number(self.example)
            value = number(_value(written.bare, self.by_point), 15) if written else ""
            unit = f", in {quoted(self.unit)}" if self.unit else ""
            return f"{quoted(self.example)} read as {value}{unit}"
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
    In money and in '(1,234)' either separates thousands, and so does the comma beside '1,23,456'.
    """
    plain = parse_plain_numbers(CELL_SEPARATOR.join(cells), by_point)
    if plain and len(plain.values) == len(cells):
        return plain
    counts = Counter(cells)
    bare, unit, example = _bare_forms(counts)
    point = {cell: n for cell, n in counts.items() if _POINT.fullmatch(bare.get(cell, cell))}
    comma = {cell: n for cell, n in counts.items() if _COMMA.fullmatch(bare.get(cell, cell))}
    n_by_point, n_by_comma = sum(point.values()), sum(comma.values())
    decided = n_by_point != n_by_comma
    signs = [next((c for c in point if c in comma and sign in c), "") for sign in ",."]
    unclear = "" if decided else signs[0] or signs[1]
    if decided or by_point is None:
        by_point = delimiter == "," if "," in unclear else n_by_point >= n_by_comma
    is_money = unit in CURRENCIES or any(cell.startswith("(") for cell in bare)
    if unclear and is_money:  # nobody writes money with three decimals
        by_point = "," in unclear
    if not decided and any(map(_INDIAN.fullmatch, bare)):
        by_point = True
    words = {cell: n for cell, n in counts.items() if _INFINITE.fullmatch(cell)}
    numeric = {**(point if by_point else comma), **words}
    if sum(numeric.values()) < min_share * len(cells) and not _has_one_word(counts, numeric.keys()):
        return None
    value_of = {
        cell: _value(bare.get(cell, cell), by_point) for cell in (point if by_point else comma)
    }
    value_of |= dict.fromkeys(words, np.inf)
    values = np.fromiter((value_of.get(cell, np.nan) for cell in cells), np.float64, len(cells))
    return Numbers(values, by_point, decided, unclear, unit, example)


def _bare_forms(counts: Counter[str]) -> tuple[dict[str, str], str, str]:
    """The bare form of each number that is not written as one, their unit, and an example.

    A unit must stand beside all numbers, but for money: then a number without it is money too.
    """
    others = [cell for cell in counts if not is_number_cell(cell)]
    sample = others[:SAMPLE_CELLS]
    n_plain = min(len(counts) - len(others), SAMPLE_CELLS)
    written = {cell: form for cell in sample if (form := bare_number(cell)) is not None}
    if not written or n_plain + len(written) < MIN_SHARE_OF_SAMPLE * (n_plain + len(sample)):
        return {}, "", ""
    written |= {
        cell: form for cell in others[SAMPLE_CELLS:] if (form := bare_number(cell)) is not None
    }
    if len(written) < MIN_CELLS_WITH_A_WORD:  # '120 Lane' alone is an address
        known = {"", *CURRENCIES, *UNITS}
        written = {cell: form for cell, form in written.items() if form.unit in known}
    n_of_unit = Counter[str]()
    for cell, form in written.items():
        n_of_unit[form.unit] += counts[cell]
    n_of_unit[""] += sum(n for cell, n in counts.items() if is_number_cell(cell))
    unit = n_of_unit.most_common(1)[0][0]
    with_money = [other for other in n_of_unit if other in CURRENCIES]
    taken = {unit}
    if len(with_money) == 1 and unit in ("", *with_money):
        unit, taken = with_money[0], {"", *with_money}
    forms = {cell: form.bare for cell, form in written.items() if form.unit in taken}
    if unit not in taken - {""}:
        unit = ""
    if unit and "" not in taken:  # a bare number beside '30 kg' may be of another unit
        plain = [cell for cell in counts if is_number_cell(cell)]
        forms |= dict.fromkeys(plain, "")
    example = next((cell for cell in forms if forms[cell]), "")
    return forms, unit, example


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


MAX_DISTINCT_CODES = 200
"""Distinct numbers up to which a column may hold codes."""
MIN_MIXED_SHARE = 0.5
"""Share of numbers in a column of text from which a note tells them."""
MIN_MIXED_CELLS = 10
_TRAILING_ZERO = re.compile(r"\.[0-9]*0(?=\0|$)")
SENTINELS = (-9, -99, -999, -9999, -99999, -1, 99, 999, 9999, 99999)
"""Numbers that some files write for a missing value."""
MIN_SENTINELS = 2


def decimal_warning(column: str, parsed: Numbers) -> str:
    """Message about two decimals of a column of codes that are one number; '' for none."""
    if (
        not _TRAILING_ZERO.search(column)
        or len(np.unique(parsed.values[:1000])) > MAX_DISTINCT_CODES
    ):
        return ""
    cells = sorted({*column.split(CELL_SEPARATOR)}, key=lambda cell: (len(cell), cell))
    if len(cells) > 2 * MAX_DISTINCT_CODES or len({*map(len, cells)}) == 1:
        return ""
    first_cell: dict[str, str] = {}
    for cell in cells:
        bare = cell.rstrip("0") if "." in cell else cell
        other = first_cell.setdefault(bare, cell)
        if other != cell and "." in other:
            return (
                f"{quoted(other)} and {quoted(cell)} are one number: read as a category, they stay "
                "apart"
            )
    return ""


def sentinel_hint(values: NDArray[np.float64]) -> str:
    """Hint at a number that may stand for a missing value, far from all others; '' for none."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return ""
    for extreme, sign in ((finite.min(), 1.0), (finite.max(), -1.0)):
        if extreme not in SENTINELS:
            continue
        others = finite[finite != extreme]
        n = len(finite) - len(others)
        if n < MIN_SENTINELS or not len(others):
            continue
        low, high = others.min(), others.max()
        gap = sign * ((low if sign > 0 else high) - extreme)
        if gap > max(high - low, abs(extreme) / 2):
            return (
                f"{number(extreme)} stands in {n:,} of {len(finite):,} rows, far from the others "
                f"({number(low)} to {number(high)}): does it mean a missing value?"
            )
    return ""


def mixed_warning(cells: Sequence[str]) -> str:
    """Message about a column of text that is mostly numbers, or numbers in several units."""
    sample = cells[:SAMPLE_CELLS]
    if warning := _units_warning(sample, len(cells)):
        return warning
    if len(cells) < MIN_MIXED_CELLS or sum(map(is_number_cell, sample)) < len(sample) / 4:
        return ""
    counts = Counter(cells)
    others, n_numbers = max(
        (_not_in_form(counts, form) for form in (_POINT, _COMMA)), key=lambda pair: pair[1]
    )
    if not others or n_numbers < MIN_MIXED_SHARE * len(cells):
        return ""
    verb = "is" if len(others) == 1 else "are"
    return f"{n_numbers:,} of {len(cells):,} cells are numbers; {quoted_names(others)} {verb} not"


def _units_warning(sample: Sequence[str], n_cells: int) -> str:
    """Message about numbers in several known units, which cannot be compared; '' for none."""
    forms = filter(None, map(bare_number, sample)) if n_cells >= MIN_MIXED_CELLS else ()
    n_of_unit = Counter(form.unit for form in forms if form.unit in UNITS)
    if len(n_of_unit) < 2 or n_of_unit.total() < MIN_MIXED_SHARE * len(sample):
        return ""
    units = quoted_names([unit for unit, _ in n_of_unit.most_common()])
    return f"numbers in several units, {units}: in one unit they are read as numbers"


def _not_in_form(counts: Counter[str], form: re.Pattern[str]) -> tuple[list[str], int]:
    """The distinct cells that are no numbers in a form, and how many cells are numbers."""
    others = [cell for cell in counts if not form.fullmatch(cell)]
    return others, counts.total() - sum(map(counts.__getitem__, others))
