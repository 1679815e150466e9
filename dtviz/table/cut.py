"""A sound table cut into columns, many lines at once.

Glossary
    sound     each line is a row, all of one width, or empty; no cell over two lines, no stray quote
    block     some lines of the file, cut at once
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain, repeat

from dtviz.slices import Slices
from dtviz.table.dialect import BETWEEN

BLOCK = 32_768  # characters, and the rest of the last line


def columns(text: str, mark: str, start: int) -> Slices[tuple[list[str], list[int]] | None]:
    """Each column of the lines from `start` on, without blanks around cells; None if not sound.

    And the places among these lines of those that are empty.
    """
    parts: list[list[str]] = []
    empty: list[int] = []
    done, before = start, 0
    for block in _blocks(text, start):
        yield done / len(text)
        done += len(block)
        lines = _lines(block)
        many = len(lines)
        if "" in lines:
            empty += [before + at for at, line in enumerate(lines) if not line]
            lines = [line for line in lines if line]
        before += many
        if many and not lines:
            continue
        cells = lines and _cells(lines, mark)
        if not cells or len(cells) != len(lines) * (len(parts) or len(cells) // len(lines)):
            return None
        width = len(cells) // len(lines)
        if width == 1 and not all(map(str.strip, lines)):
            return None
        parts = parts or [[] for _ in range(width)]
        for j, part in enumerate(parts):
            part.append(BETWEEN.join(map(str.strip, cells[j::width])))
    return [BETWEEN.join(part) for part in parts], empty


def soundly_quoted(mark: str) -> re.Pattern[str]:
    """A record without a stray quote: in each cell that does not begin with one they are paired."""
    plain = rf'[^{re.escape(mark)}"\r\n]*+'
    cell = rf' *+(?:"(?:[^"]++|"")*+"|(?!"){plain}(?:"{plain}"{plain})*+)'
    return re.compile(rf"{cell}(?:{re.escape(mark)}{cell})*+[\r\n]*")


def _blocks(text: str, start: int) -> Iterator[str]:
    while start < len(text):
        end = text.find("\n", start + BLOCK) + 1 or len(text)
        yield text[start:end]
        start = end


def _lines(block: str) -> list[str]:
    """The lines of a block without their ends; none where csv.reader might cut or refuse others."""
    if "\r" in block:
        block = block.replace("\r\n", "\n")
    if "\r" in block or len(block) > csv.field_size_limit():
        return []
    return block.removesuffix("\n").split("\n")


def _cells(lines: Sequence[str], mark: str) -> list[str]:
    """The cells of rows of one width, row after row; none where they are not sound."""
    together = mark.join(lines)
    if '"' in together:
        return _quoted_cells(lines, mark)
    if len(set(map(str.count, lines, repeat(mark)))) > 1:
        return []
    return together.split(mark)


def _quoted_cells(lines: Sequence[str], mark: str) -> list[str]:
    try:
        rows = list(csv.reader(lines, delimiter=mark, skipinitialspace=True, strict=True))
    except csv.Error:
        return []
    cells = list(chain.from_iterable(rows))
    if len(rows) != len(lines) or len(set(map(len, rows))) != 1:
        return []
    if len(rows[0]) > 1 and any('"' in cell for cell in cells):
        sound = soundly_quoted(mark)
        pairs = zip(lines, rows, strict=True)
        if not all(sound.fullmatch(line) for line, row in pairs if '"' in "".join(row)):
            return []
    return cells
