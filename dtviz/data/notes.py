"""What was done to a table on the way in, told once for all the rows it was done to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.text import count, quoted, several

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


LEAST_ROWS = 20  # in fewer, whole numbers differ and columns are alike by chance
MOST_ROWS = 2_000  # twins are looked for in as many, evenly spread
MOST_PRODUCTS = 5_000_000_000  # of all pairs; of more columns few rows say which pairs are tried
ALIKE, TRIED = 0.999, 0.99
BLOCK = 256  # columns
EXACTLY = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class Suspect:
    """A column, by its place; a twin of the target, or of the column before it at place `of`."""

    feature: int
    kind: Literal["constant", "identifier", "target", "order", "groups"]
    alike: float = 1.0
    of: int = -1


def suspects(
    columns: Floats, y: NDArray[Any], classes: int, nominal: Sequence[bool]
) -> tuple[Suspect, ...]:
    """The columns that would fool a tree, in their order, each with the first reason found.

    `columns` has shape (M, n), NaN for no value; `y` (n,) holds codes below `classes`, or numbers
    where that is 0; `nominal` says of each column whether it is. About a second
    for 500 columns of 100,000 rows.
    """
    rows = np.linspace(0, len(y) - 1, min(len(y), MOST_ROWS)).astype(np.intp)
    pairs = zip(columns, nominal, strict=True)
    ranked = np.array([_ranks(_appearing(one[rows]) if free else one[rows]) for one, free in pairs])
    to_target = _alike(ranked, _ranks(y[rows].astype(np.float64))[None])[:, 0]
    twins = _twins(ranked)

    def suspect(j: int) -> Suspect | None:
        if _is_constant(columns[j]):
            return Suspect(j, "constant")
        if classes > 2 and _renames(ranked[j], y[rows]):
            return Suspect(j, "target")
        has_order = classes == 2 or (classes == 0 and not nominal[j])
        if has_order and abs(to_target[j]) > ALIKE:
            return Suspect(j, "target", float(to_target[j]))
        if _is_identifier(columns[j]):
            return Suspect(j, "identifier")
        if j in twins:
            kind: Literal["order", "groups"] = "groups" if nominal[j] else "order"
            return Suspect(j, kind, *twins[j])
        return None

    return tuple(filter(None, map(suspect, range(len(columns)))))


def reason(suspect: Suspect, features: Sequence[str]) -> str:
    """Why a tree would be fooled, to be read after the column's name."""
    nearly = "" if abs(suspect.alike) > EXACTLY else "nearly "
    reverse = "reverse " if suspect.alike < 0 else ""
    match suspect.kind:
        case "constant":
            return "one value in every row, so there is nothing to cut"
        case "identifier":
            return "a value of its own in every row, as a key has: its cuts say nothing of new rows"
        case "target":
            return f"{nearly}a copy of the target, which new rows will not have"
        case "groups":
            return f"{nearly}the groups of {quoted(features[suspect.of])}: the same cuts"
        case "order":
            return f"{nearly}in the {reverse}order of {quoted(features[suspect.of])}: the same cuts"


def _twins(ranked: Floats) -> dict[int, tuple[float, int]]:
    """How alike a line is to the first before it that is a twin, and which that is."""
    many = len(ranked)
    step = -(-many * many * ranked.shape[1] // MOST_PRODUCTS)
    few, least = (ranked, ALIKE) if step <= 1 else (ranked[:, ::step], TRIED)
    found = dict[int, tuple[float, int]]()
    for first in range(0, many, BLOCK):
        block = slice(first, first + BLOCK)
        near = np.abs(_alike(few[: block.stop], few[block])) > least
        for j, i in np.argwhere(np.triu(near, 1 - first).T).tolist():
            if first + j not in found:
                alike = float(_alike(ranked[i : i + 1], ranked[first + j : first + j + 1])[0, 0])
                if abs(alike) > ALIKE:
                    found[first + j] = alike, i
    return found


def _is_constant(column: Floats) -> bool:
    """Whether there are two rows, and no two values."""
    present = column[~np.isnan(column)]
    return len(column) > 1 and (not len(present) or bool(present.min() == present.max()))


def _is_identifier(column: Floats) -> bool:
    """Whether every row has a whole number of its own."""
    if len(column) < LEAST_ROWS or not np.array_equal(column, np.floor(column)):
        return False
    ordered = np.sort(column)
    return bool(np.all(ordered[1:] > ordered[:-1]))


def _renames(ranks: Floats, y: NDArray[Any]) -> bool:
    """Whether each class has one value of its own."""
    values, codes = np.unique(ranks, return_inverse=True)
    pairs = np.unique(codes * (int(y.max()) + 1) + y)
    return len(y) >= LEAST_ROWS and len(values) == len(np.unique(y)) == len(pairs) > 1


def _appearing(codes: Floats) -> Floats:
    """The codes, the one that comes first being 0, the next new one 1, and so on; NaN stays."""
    distinct, first, places = np.unique(codes, return_index=True, return_inverse=True)
    return np.where(np.isnan(distinct), np.nan, np.argsort(np.argsort(first)))[places]


def _ranks(values: Floats) -> Floats:
    """The mean ranks of the values about 0; NaN stays."""
    distinct, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2.0
    ranks[np.isnan(distinct)] = np.nan
    return ranks[codes] - len(values) / 2.0


def _alike(a: Floats, b: Floats) -> Floats:
    """How alike the lines of `a` (M, n) are to those of `b` (K, n), (M, K); 0 where unknown."""
    has_a, has_b = (~np.isnan(one) * 1.0 for one in (a, b))
    if has_a.all() and has_b.all():  # then all sums are over the same rows, at a fifth of the cost
        has_a, has_b = np.ones((1, a.shape[1])), np.ones((1, b.shape[1]))
    a, b = np.nan_to_num(a), np.nan_to_num(b)
    n = np.maximum(has_a @ has_b.T, 1.0)
    sum_a, sum_b = a @ has_b.T, has_a @ b.T
    spread_a = (a * a) @ has_b.T - sum_a**2 / n
    spread_b = has_a @ (b * b).T - sum_b**2 / n
    both = a @ b.T - sum_a * sum_b / n
    known = (n >= LEAST_ROWS) & (spread_a > 0) & (spread_b > 0)
    return np.where(known, both / np.sqrt(np.where(known, spread_a * spread_b, 1.0)), 0.0)
