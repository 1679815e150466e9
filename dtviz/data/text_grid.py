"""Cells of a text that blanks, columns of blanks or drawn rules part, written with tabs instead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from dtviz.data.csv_dialect import ONE_COLUMN
from dtviz.data.notes import MAX_LINES_NAMED, Note, note_of
from dtviz.data.number_cells import is_number_cell
from dtviz.data.read_options import MISSING_WORDS

MIN_LINES_OF_WIDTH = 4
"""Fewest lines from which columns of a fixed width are guessed."""
BLOCK_LINES = 4_096
"""Lines that are compared at once."""
MAX_LINES_ABOVE_RULE = 50
"""Lines in which the first drawn rule is looked for."""
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")
_TOKEN = re.compile(r'"(?:[^"]|"")*+"(?=\s|$)|\S+')
_BLANKS = re.compile(r'((?<![^ \t\r\n])"(?:[^"\r\n]|"")*+"(?![^ \t\r\n]))|[ \t]+')
_PLAIN_BLANKS = re.compile(r"[ \t]+")
_EDGES = re.compile(r"(?<![^\r\n])\t|\t(?![^\r\n])")  # a run of blanks is one tab then
_PIPE = re.compile(r"(?<!\\)\|")
_ROW_COUNT = re.compile(r"\(?\d+ rows?(?: affected| in set)?\)?(?: \(\d+\.\d+ sec\))?", re.I)
_DASHES = re.compile(r"[ \t]*(?:-{2,}|={2,})(?:[ \t]+(?:-{2,}|={2,}))*[ \t]*")


# --- blanks ---------------------------------------------------------------------------------------


def are_blanks_better(lines: Sequence[str], delimiter: str) -> bool:
    """True if blanks cut lines into rows of equal length, and better than a delimiter does."""
    rows = [_TOKEN.findall(line) for line in lines]
    widths = Counter(map(len, rows[1:]))
    width = max(widths, key=widths.__getitem__, default=1)
    if width < 2 or len(rows) < 2 or 10 * widths[width] < 9 * (len(rows) - 1):
        return False
    if len(rows[0]) not in (width, width - 1):
        return False
    cells = [cell for row in rows[1:] for cell in row]
    n_numbers = sum(map(_is_number, cells))
    if delimiter == ONE_COLUMN:
        is_exact = len(widths) == 1 and len(rows[0]) == width
        return (is_exact and len(rows) > 2) or 2 * n_numbers >= len(cells)
    if delimiter == ",":
        return n_numbers == len(cells) and len(rows) > 2  # 1,5 2,5: decimal commas
    if delimiter != "\t" or len(widths) > 1 or _parts(lines, "\t") >= width:
        return False
    parts = [part for line in lines for part in line.split("\t") if len(part.split()) > 1]
    numeric = [part for part in parts if all(map(_is_number, part.split()))]
    return len(numeric) == len(lines)


def _is_number(cell: str) -> bool:
    return cell.lower() in MISSING_WORDS or is_number_cell(cell)


def _parts(lines: Sequence[str], delimiter: str) -> int:
    return max(line.count(delimiter) + 1 for line in lines)


def tabs_for_blanks(text: str) -> str:
    """The text with a tab for each run of blanks between cells, and none at the ends of lines."""
    if '"' in text:
        text = _BLANKS.sub(lambda match: match[1] or "\t", text)
    else:
        text = _PLAIN_BLANKS.sub("\t", text)
    return _EDGES.sub("", text)


# --- columns of fixed width -----------------------------------------------------------------------


def find_gaps(lines: Sequence[str]) -> tuple[int, ...]:
    """Positions that are blank in all lines, between cells; () if these are no columns.

    In columns of a table most cells have a value, and one column at least holds numbers.
    """
    lines = [line.expandtabs() for line in lines]
    if len(lines) < MIN_LINES_OF_WIDTH:
        return ()
    gaps = _blank_positions(lines, range(max(map(len, lines))))
    rows = [_cut(line, _bounds(gaps)) for line in lines]
    columns = [*zip(*rows, strict=True)]
    if len(columns) < 2 or any(2 * sum(map(bool, column)) < len(column) for column in columns):
        return ()
    is_table = any(all(map(is_number_cell, filter(None, column[1:]))) for column in columns)
    return tuple(gaps) if is_table else ()


def _blank_positions(lines: Sequence[str], positions: Iterable[int]) -> list[int]:
    """Those of the positions that are blank in all lines."""
    width = max(map(len, lines), default=0)
    block = "".join(line.ljust(width) for line in lines)
    return [p for p in positions if p >= width or block[p::width].isspace()]


def _bounds(gaps: Iterable[int]) -> list[int]:
    """Positions at which a cell ends: the last of each run of positions that are blank."""
    listed = [*gaps]
    nexts = {*listed}
    return [p for p in listed if p + 1 not in nexts]


def _cut(line: str, bounds: Sequence[int]) -> list[str]:
    """The stripped cells of a line; each ends before or at a bound."""
    starts = [0, *(bound + 1 for bound in bounds)]
    ends = [*starts[1:], len(line)]
    return [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def tabs_for_gaps(text: str, gaps: Sequence[int]) -> str:
    """The text with a tab at each gap that is blank in all its lines."""
    lines = _LINE.findall(text)
    positions: Sequence[int] = gaps
    blocks = iter(lines)
    while block := [line.rstrip("\r\n").expandtabs() for line in islice(blocks, BLOCK_LINES)]:
        narrowed = _blank_positions([line for line in block if line.strip()], positions)
        positions = narrowed
    bounds = _bounds(positions)
    if bounds and bounds[0] == _leading(positions):
        bounds = bounds[1:]
    return "".join(_fixed_line(line, bounds) for line in lines)


def _leading(positions: Sequence[int]) -> int:
    """The last position of the margin, blank in all lines; -1 for none."""
    n = 0
    while n < len(positions) and positions[n] == n:
        n += 1
    return n - 1


def _fixed_line(line: str, bounds: Sequence[int]) -> str:
    bare = line.rstrip("\r\n")
    if not bare.strip():
        return line[len(bare) :]
    return "\t".join(_cut(bare.expandtabs(), bounds)) + line[len(bare) :]


# --- drawn rules ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DrawnRule:
    """The first drawn rule of a text."""

    line_id: int
    """Index of its line."""
    names_id: int
    """Index of the line that holds the names."""
    text: str
    """The rule."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table without its rules."""

    text: str
    """The text, whose lines keep their number."""
    delimiter: str
    """Sign between cells; '' if it is still to be found."""
    n_emptied: int
    """Number of lines that are empty because they were rules or no rows."""
    notes: list[Note]
    """Notes on the kind of table and on lines left out."""


def _is_border(line: str) -> bool:
    """True for a rule of Markdown, psql, MySQL: |---|:-:|, ---+---, +---+---+."""
    bare = line.strip()
    is_drawn = {*bare} <= {*"|+-=: "} and ("---" in bare or "===" in bare)
    return is_drawn and ("|" in bare or "+" in bare)


def find_rule(lines: Sequence[tuple[int, str]]) -> DrawnRule | None:
    """The first drawn rule below or above names, in lines with their indices."""
    filled = [(i, line.rstrip("\r\n")) for i, line in lines if line.strip()]
    for k, (i, line) in enumerate(filled[:MAX_LINES_ABOVE_RULE]):
        if _is_border(line):
            for neighbour in (k - 1, k + 1):
                if 0 <= neighbour < len(filled) and "|" in filled[neighbour][1]:
                    return DrawnRule(i, filled[neighbour][0], line)
            return None
    if len(filled) < 3:
        return None
    (names_id, _), (line_id, line) = filled[:2]
    if _DASHES.fullmatch(line) and (len(line.split()) > 1 or len(line.strip()) > 2):
        return DrawnRule(line_id, names_id, line)
    return None


def read_ruled(text: str, rule: DrawnRule) -> DrawnTable | None:
    """The table of a text with drawn rules; None if there are no rows of it."""
    if "|" in rule.text or "+" in rule.text:
        return _piped(text, rule)
    lines = _LINE.findall(text)
    starts = [match.start() for match in re.finditer("[-=]+", rule.text)]
    is_fixed = len(starts) > 1 and "\t" not in rule.text
    n_emptied = 0
    for i, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        if not bare.strip():
            continue
        if i == rule.line_id or bare.strip() == rule.text.strip() or _is_row_count(bare):
            lines[i], n_emptied = line[len(bare) :], n_emptied + 1
        elif is_fixed:
            lines[i] = _fixed_line(line, [start - 1 for start in starts[1:]])
    note = Note("file", f"line {rule.line_id + 1:,} is a rule of dashes under the names")
    return DrawnTable("".join(lines), "\t" if is_fixed else "", n_emptied, [note])


def _is_row_count(line: str) -> bool:
    """True for the line of a database that says how many rows there are: (24 rows)."""
    return len(line) < 80 and _ROW_COUNT.fullmatch(line.strip()) is not None


def _piped(text: str, rule: DrawnRule) -> DrawnTable | None:
    """The table of a text whose cells stand between | signs."""
    lines = _LINE.findall(text)
    rows = 0
    emptied, others = 0, list[int]()
    for i, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        end = line[len(bare) :]
        if not bare.strip():
            continue
        if "|" not in bare or _is_border(bare) or i < rule.names_id:
            if "|" in bare or not (_is_border(bare) or _is_row_count(bare)):
                others += [] if _is_border(bare) else [i + 1]
            lines[i], emptied = end, emptied + 1
            continue
        rows += 1
        cells = _PIPE.split(bare.strip())
        if bare.strip().startswith("|"):
            del cells[0]
        if len(cells) > 1 and bare.rstrip().endswith("|") and not cells[-1].strip():
            del cells[-1]
        cells = [cell.replace("\\|", "|").replace("\t", " ").strip() for cell in cells]
        lines[i] = "\t".join(cells) + end
    if rows < 2:
        return None
    notes = [Note("file", "a table with drawn rules: they are left out")]
    if others:
        text = "left out: no row of the drawn table"
        notes.append(note_of("row", text, others[:MAX_LINES_NAMED], n=len(others)))
    return DrawnTable("".join(lines), "\t", emptied, notes)
