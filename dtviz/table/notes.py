"""What was done to a table on the way in, told once for all the rows it was done to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from dtviz.text import count, quoted, several

Kind = Literal["file", "column", "row", "cell", "suspect"]

FIRST = 5
"""So many lines of a note are named."""
MOST_TOLD = 36
"""So many sentences a summary has at most."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing the reader did that the user should know of.

    `line` is the file's line (the header is line 1) or, for a frame, the row counted from 1. A
    "suspect" is a column that is used, and would fool a tree. The note is of `n` rows or cells: of
    more than one `line` is the first, and `others` are the next few.
    """

    kind: Kind
    text: str
    line: int | None = None
    column: str | None = None
    n: int = 1
    others: tuple[int, ...] = ()

    @property
    def lines(self) -> tuple[int, ...]:
        """The first of its lines."""
        return () if self.line is None else (self.line, *self.others)


def note_of(
    kind: Kind, text: str, lines: Sequence[int], column: str | None = None, n: int | None = None
) -> Note:
    """The note of rows or cells on these lines, one at least, or of `n` that begin with these."""
    first, *others = map(int, lines[:FIRST])
    return Note(kind, text, first, column, len(lines) if n is None else n, tuple(others))


def summary(notes: Iterable[Note]) -> list[str]:
    """The notes as sentences, MOST_TOLD at most: equal texts are told together.

    Where there are too many, those of several columns are told together too, and what there is
    most of is cut short.
    """
    groups: dict[tuple[str, str, str | None], list[Note]] = {}
    for note in notes:
        groups.setdefault((note.kind, note.text, note.column), []).append(note)
    told = [*groups.values()]
    if len(told) > MOST_TOLD:
        alike: dict[tuple[str, str], list[Note]] = {}
        for note in chain.from_iterable(told):
            alike.setdefault((note.kind, note.text), []).append(note)
        many = Counter(kind for kind, _ in alike)
        told = [alike[key] for key in sorted(alike, key=lambda key: many[key[0]])]
    if (rest := len(told) - MOST_TOLD) <= 0:
        return [*map(_sentence, told)]
    return [*map(_sentence, told[: MOST_TOLD - 1]), f"and {count(rest + 1, 'more note')}"]


def _sentence(notes: Sequence[Note]) -> str:
    """What equal notes say, of one column or of several."""
    columns = [*dict.fromkeys(note.column for note in notes if note.column is not None)]
    where = f"column {quoted(columns[0])}: " if columns else ""
    if len(columns) > 1:
        where = f"{count(len(columns), 'column')} ({several(columns)}): "
    text = f"{where}{notes[0].text}"
    lines = sorted({line for note in notes for line in note.lines})
    if not lines:
        return text
    n = count(sum(note.n for note in notes), notes[0].kind)
    cut = len(lines) > FIRST or any(note.n > len(note.lines) for note in notes)
    some = ", ".join(map(str, lines[:FIRST])) + (", ..." if cut else "")
    return f"{n}: {text} (line{'s' if len(lines) > 1 else ''} {some})"
