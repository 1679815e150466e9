"""Columns that would fool a tree: found before it grows, so that a person may leave them out.

Glossary
    constant    one value in every row
    identifier  a whole number (or category) of its own in every row, as a key has
    alike       Spearman's rank correlation of two columns, over the rows with a value in both;
                gaps of a few rows make it a little less than it is, as each keeps its own ranks
    twins       columns nearly in the same order of rows, or in its reverse: a tree finds nearly
                the same cuts on both
    nominal     of a category: its codes have no order, and are counted as they first appear
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Floats
from dtviz.text import quoted

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
