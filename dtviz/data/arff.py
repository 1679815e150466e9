"""ARFF, the format of Weka: its head of names and types, and its rows.

The rows are written as CSV on the same lines; the names take the place of the line @data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dtviz.base.text import count, quoted, short_repr
from dtviz.data.dataset import DataError
from dtviz.data.notes import MAX_LINES_NAMED, Note, note_of
from dtviz.data.worker import MAX_COLUMNS

_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")
_START = re.compile(r"(?:[ \t]*+(?:%[^\r\n]*+)?+(?:\r\n|\r|\n))*+[ \t]*+@relation\b", re.I)
_QUOTED = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]++)\s*(.*)", re.I)
_CELL = re.compile(rf"[ ]*+(?:({_QUOTED})[ ]*+(?=[,\t]|$)|([^,\t]*+))([,\t]|$)")
_WEIGHT = re.compile(r"[,\t ]\s*\{([^{},]*+)\}\s*$")
_ODD = re.compile("['\"{\\\\\t]")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_NUMBERS = ("numeric", "real", "integer")
_JAVA_TIME = (
    ("yyyy", "%Y"), ("yy", "%y"), ("MMM", "%b"), ("MM", "%m"), ("dd", "%d"), ("HH", "%H"),
    ("mm", "%M"), ("ss", "%S"), ("SSS", "%f"),
)  # fmt: skip
WEIGHT_NAME = "instance weight"
"""Name of the column of the weights that stand in braces at the end of rows."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A declared column."""

    name: str
    """Its name."""
    kind: str
    """Its type in small letters: 'nominal', 'string', 'date' or one of numbers."""
    first: str = "0"
    """Value of a cell that a sparse row leaves out."""
    time_format: str = ""
    """Format of its dates, as of `strptime`; '' for ISO."""


@dataclass(frozen=True, slots=True)
class ArffTable:
    """A table of ARFF, written as CSV."""

    text: str
    """The text, whose lines keep their number; the first record holds the names."""
    n_emptied: int
    """Number of lines that are empty because they declared something."""
    types: dict[int, str]
    """Types by position of the column, as of `ReadOptions.types`."""
    missing: dict[int, tuple[str, ...]]
    """Words of missing values by position of the column."""
    notes: list[Note]
    """Notes on what was declared."""


def is_arff(text: str) -> bool:
    """True if a text begins as ARFF does, with @relation below comments."""
    return _START.match(text) is not None


def read_arff(text: str) -> ArffTable:
    """The table of a text in ARFF. Raises DataError."""
    lines = _LINE.findall(text)
    attributes: list[Attribute] = []
    data_id = -1
    for i, line in enumerate(lines):
        bare = line.strip()
        if bare[:5].lower() == "@data":
            data_id = i
            break
        if bare[:10].lower() == "@attribute":
            attributes.append(_attribute(bare, i + 1))
        elif bare and not bare.startswith("%") and bare[:9].lower() != "@relation":
            raise DataError(
                f"line {i + 1:,} is no line of an ARFF head ({quoted(bare)}); it must begin with "
                "@attribute, @data or %"
            )
    if data_id < 0 or not attributes:
        raise DataError(
            f"the ARFF file has no line {'@attribute' if data_id >= 0 else '@data'}; it needs a "
            "line for each column, then @data and the rows"
        )
    if len(attributes) > MAX_COLUMNS:
        raise DataError(f"at most {MAX_COLUMNS:,} columns; not {len(attributes):,}: remove some")
    body = [_content(line) for line in lines[data_id + 1 :]]
    weights = [_weight(row) for row in body] if "}" in text else []
    has_weights = any(weight is not None for weight in weights)
    names = [attribute.name for attribute in attributes]
    if has_weights:
        body = [
            row[: match.start()] if weight is not None and (match := _weight_match(row)) else row
            for row, weight in zip(body, weights, strict=True)
        ]
        names.append(WEIGHT_NAME)
    is_dated = any(attribute.time_format for attribute in attributes)
    n_sparse = 0
    for i, row in enumerate(body):
        if not row:
            continue
        is_sparse = row.startswith("{")
        n_sparse += is_sparse
        if is_sparse or is_dated or _ODD.search(row):
            line = data_id + i + 2
            cells = _sparse_cells(row, attributes, line) if is_sparse else _cells(row, line)
            body[i] = _csv_line(_dated(cells, attributes) if is_dated else cells)
        if has_weights:
            body[i] += f",{weights[i] or '1'}"
    ends = [line[len(line.rstrip("\r\n")) :] for line in lines]
    head = [*[""] * data_id, _csv_line(names)]
    table = "".join(text + end for text, end in zip([*head, *body], ends, strict=True))
    comments = [i + 1 for i in range(data_id + 1, len(lines)) if lines[i].lstrip()[:1] == "%"]
    n_emptied = sum(1 for line in lines[:data_id] if line.strip()) + len(comments)
    notes = [Note("file", f"ARFF, which declares {count(len(attributes), 'column')}")]
    if n_sparse:
        text = "sparse, so what a row does not name is 0, or the first value of its column"
        notes.append(Note("file", f"{count(n_sparse, 'row')} {text}"))
    if has_weights:
        notes.append(Note("column", "weights in braces at the end of rows", None, WEIGHT_NAME))
    if comments:
        n = len(comments)
        notes.append(note_of("row", "left out: a comment", comments[:MAX_LINES_NAMED], n=n))
    texts = [k for k, a in enumerate(attributes) if a.kind in ("nominal", "string")]
    return ArffTable(
        table, n_emptied, dict.fromkeys(texts, "category"), dict.fromkeys(texts, ("?",)), notes
    )


def _content(line: str) -> str:
    bare = line.strip()
    return "" if bare.startswith("%") else bare


def _attribute(line: str, number: int) -> Attribute:
    """The column that a line declares; raises DataError."""
    match = _ATTRIBUTE.match(line)
    kind = match[2].strip() if match else ""
    if match is None or not kind:
        raise DataError(f'line {number:,} must be like "@attribute name numeric"')
    name, word = _unquoted(match[1]), kind.split()[0].lower()
    if kind.startswith("{"):
        values = _cells(kind.strip("{}\t "), number)
        return Attribute(name, "nominal", values[0] if values else "")
    if word in _NUMBERS:
        return Attribute(name, word)
    if word == "date":
        time_format = _unquoted(kind[len(word) :].strip())
        return Attribute(name, word, "", _strptime_format(time_format))
    if word == "string":
        return Attribute(name, word, "")
    raise DataError(
        f"line {number:,} declares the type {short_repr(word)}, which is not read: a column must "
        "be numeric, {nominal}, string or date"
    )


def _strptime_format(java_format: str) -> str:
    """The format of dates in Python; '' for ISO, which every reader of cells knows."""
    if not java_format or java_format.startswith("yyyy-MM-dd"):
        return ""
    text = java_format.replace("%", "%%").replace("'", "")
    for java, python in _JAVA_TIME:
        text = text.replace(java, python)
    return text


def _unquoted(cell: str) -> str:
    """A cell without its quotes and escapes."""
    if len(cell) > 1 and cell[0] == cell[-1] and cell[0] in "'\"":
        return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), cell[1:-1])
    return cell


def _cells(row: str, line: int) -> list[str]:
    """The cells of a row with quotes. Raises DataError where a quote does not close."""
    cells: list[str] = []
    position = 0
    while True:
        match = _CELL.match(row, position)
        if match is None or (match[1] is None and match[2].strip()[:1] in ("'", '"')):
            raise DataError(f"a quote in line {line:,} does not close at the end of its cell")
        cells.append(_unquoted(match[1]) if match[1] is not None else match[2].strip())
        position = match.end()
        if not match[3]:
            return cells


def _sparse_cells(row: str, attributes: Sequence[Attribute], line: int) -> list[str]:
    """The cells of a row that names those that are not 0: {1 X, 3 'Y Z'}."""
    cells = [attribute.first for attribute in attributes]
    if not row.endswith("}"):
        raise DataError(f"line {line:,} begins with {{ and must end with }}")
    for part in _cells_kept(row[1:-1].strip(), line):
        position, _, value = part.partition(" ")
        if not position.isdecimal() or len(position) > 9 or int(position) >= len(cells):
            raise DataError(
                f"line {line:,} names the column {short_repr(position)}; it must be a number from "
                f"0 to {len(cells) - 1:,}"
            )
        cells[int(position)] = _unquoted(value.strip())
    return cells


_SPARSE_CELL = re.compile(rf"\s*+([0-9]++\s++(?:{_QUOTED}|[^,]*+)|[^,]*+)\s*+(?:,|$)")


def _cells_kept(row: str, line: int) -> list[str]:
    """The parts of a sparse row, with their quotes."""
    parts: list[str] = []
    position = 0
    while position < len(row):
        match = _SPARSE_CELL.match(row, position)
        if match is None:
            raise DataError(f"a quote in line {line:,} does not close at the end of its cell")
        parts.append(" ".join(match[1].split(None, 1)))
        position = match.end()
    return parts


def _weight(row: str) -> str | None:
    """The weight in braces at the end of a row; None if it has none."""
    if not row.endswith("}"):
        return None
    match = _weight_match(row)
    return match[1].strip() if match else None


def _weight_match(row: str) -> re.Match[str] | None:
    # only the end is searched: a row of blanks alone would take long
    return _WEIGHT.search(row, max(0, len(row) - 40))


def _dated(cells: list[str], attributes: Sequence[Attribute]) -> list[str]:
    """The cells with dates in ISO, where a format is declared and fits."""
    dated = [*cells]
    for k, (cell, attribute) in enumerate(zip(cells, attributes, strict=False)):
        if attribute.time_format and cell != "?":
            try:
                dated[k] = datetime.strptime(cell, attribute.time_format).isoformat()
            except ValueError:
                continue
    return dated


def _csv_line(cells: Sequence[str]) -> str:
    """A line of CSV, with its cells in quotes."""
    quoted_cells = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    return re.sub(r"[\r\n]+", " ", ",".join(quoted_cells))
