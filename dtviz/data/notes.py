"""Notes on what reading changed in a table, and the suspect columns that would fool a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.text import count, quoted, quoted_names

NoteKind = Literal["file", "column", "row", "cell", "suspect", "leak"]
SUSPECT_KINDS: tuple[NoteKind, ...] = ("suspect", "leak")
"""Kinds of notes on columns that are used, and would fool a tree."""

MAX_LINES_NAMED = 5
"""Maximum number of lines that a note names."""
MAX_SENTENCES = 36
"""Maximum number of sentences of a summary."""


@dataclass(frozen=True, slots=True)
class Note:
    """One change that reading made, or one suspect column."""

    kind: NoteKind
    """Thing that the note is on; one of SUSPECT_KINDS is on a column that would fool a tree, and a
    "leak" on one that may be known only once the target is."""
    text: str
    """Sentence for the user, without the object."""
    line: int | None = None
    """First file line (the header is line 1), or the row of a frame, from 1; None for no row."""
    column: str | None = None
    """Name of the column; None for a note on no single column."""
    n: int = 1
    """Number of rows or cells."""
    others: tuple[int, ...] = ()
    """The next few lines, if `n` is above 1."""
    words: tuple[str, ...] = ()
    """Words of the column that are read as missing, if the note is on them."""

    @property
    def lines(self) -> tuple[int, ...]:
        """The first few lines of the note."""
        return () if self.line is None else (self.line, *self.others)


def note_of(
    kind: NoteKind, text: str, lines: Sequence[int], column: str | None = None, n: int | None = None
) -> Note:
    """The note on rows or cells; `lines` are all of them, or the first ones of `n`."""
    first, *others = map(int, lines[:MAX_LINES_NAMED])
    return Note(kind, text, first, column, len(lines) if n is None else n, tuple(others))


def summary(notes: Iterable[Note]) -> list[str]:
    """The notes as sentences, at most MAX_SENTENCES; notes with equal text and column become one.

    Where there are too many, notes with equal text become one whatever their columns, and the kinds
    with the most sentences come last, where the list is cut.
    """
    groups: dict[tuple[str, str, str | None], list[Note]] = {}
    for note in notes:
        groups.setdefault((note.kind, note.text, note.column), []).append(note)
    merged = [*groups.values()]
    if len(merged) > MAX_SENTENCES:
        by_text: dict[tuple[str, str], list[Note]] = {}
        for note in chain.from_iterable(merged):
            by_text.setdefault((note.kind, note.text), []).append(note)
        n_of_kind = Counter(kind for kind, _ in by_text)
        merged = [by_text[key] for key in sorted(by_text, key=lambda key: n_of_kind[key[0]])]
    if (excess := len(merged) - MAX_SENTENCES) <= 0:
        return [*map(_sentence, merged)]
    return [*map(_sentence, merged[: MAX_SENTENCES - 1]), f"and {count(excess + 1, 'more note')}"]


def _sentence(notes: Sequence[Note]) -> str:
    """The sentence of notes with equal text, on one column or several."""
    columns = [*dict.fromkeys(note.column for note in notes if note.column is not None)]
    subject = f"column {quoted(columns[0])}: " if columns else ""
    if len(columns) > 1:
        subject = f"{count(len(columns), 'column')} ({quoted_names(columns)}): "
    text = f"{subject}{notes[0].text}"
    lines = sorted({line for note in notes for line in note.lines})
    if not lines:
        return text
    n = count(sum(note.n for note in notes), notes[0].kind)
    is_cut = len(lines) > MAX_LINES_NAMED or any(note.n > len(note.lines) for note in notes)
    numbers = ", ".join(map(str, lines[:MAX_LINES_NAMED])) + (", ..." if is_cut else "")
    return f"{n}: {text} (line{'s' if len(lines) > 1 else ''} {numbers})"


MIN_ROWS_COMPARED = 20  # with fewer, whole numbers are distinct and columns correlate by chance
MAX_ROWS_COMPARED = 2_000  # rows, evenly spread, from which correlations are computed
MAX_PRODUCTS = 5_000_000_000  # pairs of columns times rows; above it, fewer rows choose the pairs
MIN_TWIN_CORRELATION = 0.999  # rank correlation of twins
MIN_TRIED_CORRELATION = 0.99  # rank correlation, over the fewer rows, of pairs that may be twins
BLOCK_COLUMNS = 256  # columns compared at once with all before them
MIN_COPY_CORRELATION = 1 - 1e-9  # correlation of an exact copy, up to rounding
MAX_SHARE_LEFT = 0.1  # of the errors of one leaf, that a leak's single cut leaves
MIN_ROWS_TOLD = 10  # rows of the rarer class, or with a value of a column known for one class
MIN_CATEGORIES_AS_KEY = 20
MAX_ROWS_A_CATEGORY = 2.0  # mean rows of a category in a column that is nearly a key


@dataclass(frozen=True, slots=True)
class Suspect:
    """A column that would fool a tree."""

    feature: int
    """Index of the column."""
    kind: Literal["constant", "identifier", "names", "target", "cut", "known", "order", "groups"]
    """Reason: one value; a key, or nearly one; a copy of the target; one cut tells the target; rows
    with a value are of one class; a copy of the order, or of the groups, of a column."""
    correlation: float = 1.0
    """Rank correlation with the column that it copies; negative for the reverse order."""
    twin: int = -1
    """Index of the earlier column that it copies; -1 for none."""
    n_rows: int = 0
    """Number of rows with a value, or that one cut tells right."""
    n_values: int = 0
    """Number of distinct values of a column that is nearly a key."""
    class_code: int = -1
    """Code of the class of all rows with a value; -1 for none."""

    @property
    def note_kind(self) -> NoteKind:
        """The kind of the note on it."""
        return "leak" if self.kind in ("target", "cut", "known") else "suspect"


def suspect_columns(
    columns: Floats, y: NDArray[Any], n_classes: int, nominal: Sequence[bool]
) -> tuple[Suspect, ...]:
    """The suspect columns in their order, each with the first reason that applies.

    `columns` has shape (M, n), NaN for missing; `y` (n,) holds class codes, or numbers where
    `n_classes` is 0; `nominal` (M,) is True for categories without an order. Takes about a second
    for 500 columns of 100,000 rows.
    """
    rows = np.linspace(0, len(y) - 1, min(len(y), MAX_ROWS_COMPARED)).astype(int)
    # The codes of an unordered category are arbitrary: equal groups get equal numbers.
    samples = [
        _number_by_first_row(column[rows]) if is_nominal else column[rows]
        for column, is_nominal in zip(columns, nominal, strict=True)
    ]
    ranks = np.array([*map(_ranks, samples)])
    to_target = _correlations(ranks, _ranks(y[rows].astype(np.float64))[None])[:, 0]
    twins = _twins(ranks)
    n_rarer = int(np.bincount(y).min()) if n_classes else 0

    def suspect(j: int) -> Suspect | None:
        if _is_constant(columns[j]):
            return Suspect(j, "constant")
        if n_classes > 2 and _is_one_to_one(ranks[j], y[rows]):
            return Suspect(j, "target")
        has_order = n_classes == 2 or (n_classes == 0 and not nominal[j])
        if has_order and abs(to_target[j]) > MIN_TWIN_CORRELATION:
            return Suspect(j, "target", float(to_target[j]))
        if _is_identifier(columns[j]):
            return Suspect(j, "identifier")
        n_present, n_values = _near_key(columns[j]) if nominal[j] else (0, 0)
        if n_values:
            return Suspect(j, "names", n_rows=n_present, n_values=n_values)
        if n_classes and (code := _only_class(columns[j], y)) >= 0:
            return Suspect(j, "known", n_rows=_n_present(columns[j]), class_code=code)
        if (
            n_classes == 2
            and n_rarer >= MIN_ROWS_TOLD
            and _is_told_by_one_cut(columns[j][rows], y[rows], nominal[j])
        ):
            n_errors = _errors_of_one_cut(columns[j], y, nominal[j])
            if n_errors <= MAX_SHARE_LEFT * n_rarer:
                return Suspect(j, "cut", n_rows=len(y) - n_errors)
        if j in twins:
            kind: Literal["order", "groups"] = "groups" if nominal[j] else "order"
            return Suspect(j, kind, *twins[j])
        return None

    return tuple(filter(None, map(suspect, range(len(columns)))))


def suspect_text(
    suspect: Suspect, features: Sequence[str], n: int = 0, classes: Sequence[object] = ()
) -> str:
    """Text of the reason why a column would fool a tree, to follow the column's name.

    `n` is the number of rows, `classes` are those of the target.
    """
    nearly = "" if abs(suspect.correlation) > MIN_COPY_CORRELATION else "nearly "
    reverse = "reverse " if suspect.correlation < 0 else ""
    match suspect.kind:
        case "constant":
            return "one value in every row, so there is nothing to cut"
        case "identifier":
            return "a value of its own in every row, as a key has: its cuts say nothing of new rows"
        case "names":
            return (
                f"{suspect.n_values:,} values in {suspect.n_rows:,} rows, nearly as a key has: its "
                "cuts say little of new rows"
            )
        case "cut":
            return (
                f"one cut of it tells the target in {suspect.n_rows:,} of {n:,} rows: would you "
                "know it in time?"
            )
        case "known":
            return (
                f"known in {suspect.n_rows:,} rows, all of them "
                f"{quoted(str(classes[suspect.class_code]))}: would you know it in time?"
            )
        case "target":
            return f"{nearly}a copy of the target, which new rows will not have"
        case "groups":
            return f"{nearly}the groups of {quoted(features[suspect.twin])}: the same cuts"
        case "order":
            return (
                f"{nearly}in the {reverse}order of {quoted(features[suspect.twin])}: the same cuts"
            )


def _twins(ranks: Floats) -> dict[int, tuple[float, int]]:
    """The first earlier twin of each column that has one: correlation and index, by column.

    `ranks` holds the ranks of each column, (M, n).
    """
    n_columns = len(ranks)
    step = -(-n_columns * n_columns * ranks.shape[1] // MAX_PRODUCTS)
    sample, limit = (
        (ranks, MIN_TWIN_CORRELATION) if step <= 1 else (ranks[:, ::step], MIN_TRIED_CORRELATION)
    )
    twins = dict[int, tuple[float, int]]()
    for first in range(0, n_columns, BLOCK_COLUMNS):
        block = slice(first, first + BLOCK_COLUMNS)
        is_tried = np.abs(_correlations(sample[: block.stop], sample[block])) > limit
        for j, i in np.argwhere(np.triu(is_tried, 1 - first).T).tolist():
            column = first + j
            if column not in twins:
                r = float(_correlations(ranks[i : i + 1], ranks[column : column + 1])[0, 0])
                if abs(r) > MIN_TWIN_CORRELATION:
                    twins[column] = r, i
    return twins


def _is_constant(column: Floats) -> bool:
    """True if two rows or more have at most one distinct value."""
    present = column[~np.isnan(column)]
    return len(column) > 1 and (not len(present) or bool(present.min() == present.max()))


def _is_identifier(column: Floats) -> bool:
    """True if the rows have distinct whole numbers."""
    if len(column) < MIN_ROWS_COMPARED or not np.array_equal(column, np.floor(column)):
        return False
    ordered = np.sort(column)
    return bool(np.all(ordered[1:] > ordered[:-1]))


def _n_present(column: Floats) -> int:
    """Number of rows with a value."""
    return int(np.count_nonzero(~np.isnan(column)))


def _near_key(codes: Floats) -> tuple[int, int]:
    """Numbers of rows with a value and of categories, if most categories have hardly a row."""
    present = codes[~np.isnan(codes)]
    n_values = len(np.unique(present))
    is_key = n_values >= MIN_CATEGORIES_AS_KEY and len(present) <= MAX_ROWS_A_CATEGORY * n_values
    return (len(present), n_values) if is_key else (0, 0)


def _only_class(column: Floats, y: NDArray[Any]) -> int:
    """Code of the class of all rows with a value, if other rows lack one; -1 for none."""
    is_present = ~np.isnan(column)
    codes = y[is_present]
    if is_present.all() or len(codes) < MIN_ROWS_TOLD or codes.min() != codes.max():
        return -1
    return int(codes[0]) if y.min() != y.max() else -1


def _is_told_by_one_cut(column: Floats, y: NDArray[Any], is_nominal: bool) -> bool:
    """True if one cut leaves few of the errors of one leaf, among some of the rows."""
    n_rarer = int(np.bincount(y, minlength=2).min())
    # of few rows more errors may be left by chance than of all
    return (
        len(y) >= MIN_ROWS_COMPARED
        and n_rarer >= MIN_ROWS_TOLD // 2
        and (_errors_of_one_cut(column, y, is_nominal) <= max(2 * MAX_SHARE_LEFT * n_rarer, 1))
    )


def _errors_of_one_cut(column: Floats, y: NDArray[Any], is_nominal: bool) -> int:
    """Number of rows of two classes that the best cut of a column tells wrong.

    A cut of categories takes any of them to one side; rows without a value go to the better side.
    """
    is_present = ~np.isnan(column)
    missing = np.bincount(y[~is_present], minlength=2)
    _, codes = np.unique(column[is_present], return_inverse=True)
    if not len(codes):
        return int(np.bincount(y, minlength=2).min())
    n_values, present_y = int(codes.max()) + 1, y[is_present]
    counts = np.array([np.bincount(codes[present_y == k], minlength=n_values) for k in (0, 1)])
    if is_nominal:
        return int(counts.min(axis=0).sum() + missing.min())
    left = np.concatenate([np.zeros((2, 1), int), np.cumsum(counts, axis=1)], axis=1)
    right = left[:, -1:] - left
    # each side says one class; an empty left side leaves the cut between known and missing
    errors = np.minimum(left[0] + right[1] + missing.min(), left[1] + right[0] + missing.min())
    known = int(np.bincount(present_y, minlength=2).min() + missing.min())
    return min(int(errors.min()), known)


def _is_one_to_one(ranks: Floats, y: NDArray[Any]) -> bool:
    """True if values and classes correspond one to one."""
    values, codes = np.unique(ranks, return_inverse=True)
    pairs = np.unique(codes * (int(y.max()) + 1) + y)
    return len(y) >= MIN_ROWS_COMPARED and len(values) == len(np.unique(y)) == len(pairs) > 1


def _number_by_first_row(codes: Floats) -> Floats:
    """The codes numbered anew in the order of their first rows; NaN stays."""
    distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.where(np.isnan(distinct), np.nan, np.argsort(np.argsort(first)))[inverse]


def _ranks(values: Floats) -> Floats:
    """Ranks of the values less n / 2, to be near 0, ties at their mean rank, (n,); NaN stays."""
    distinct, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2.0
    ranks[np.isnan(distinct)] = np.nan
    return ranks[codes] - len(values) / 2.0


def _correlations(a: Floats, b: Floats) -> Floats:
    """Pearson correlations of the lines of `a` (M, n) with those of `b` (K, n), shape (M, K).

    Each is over the rows where both lines have a value; 0 for constant lines, or fewer rows than
    MIN_ROWS_COMPARED.
    """
    has_a, has_b = (~np.isnan(lines) * 1.0 for lines in (a, b))
    if has_a.all() and has_b.all():  # then all sums are over the same rows, at a fifth of the cost
        has_a, has_b = np.ones((1, a.shape[1])), np.ones((1, b.shape[1]))
    a, b = np.nan_to_num(a), np.nan_to_num(b)
    n = np.maximum(has_a @ has_b.T, 1.0)
    sum_a, sum_b = a @ has_b.T, has_a @ b.T
    spread_a = (a * a) @ has_b.T - sum_a**2 / n
    spread_b = has_a @ (b * b).T - sum_b**2 / n
    covariance = a @ b.T - sum_a * sum_b / n
    is_valid = (n >= MIN_ROWS_COMPARED) & (spread_a > 0) & (spread_b > 0)
    spread = np.sqrt(np.where(is_valid, spread_a * spread_b, 1.0))
    return np.where(is_valid, covariance / spread, 0.0)
