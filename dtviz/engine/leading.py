"""Of many features those whose cuts matter: a screen has no room for millions of cuts.

Glossary
    leading   features with the best cuts of a node, as many as keep its cuts to MOST_CUTS or so
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.arrange import MOST_TRIED, subsets
from dtviz.engine.criteria import Criterion
from dtviz.engine.cuts import scan
from dtviz.engine.frontier import frontier
from dtviz.engine.least import ONE_ROW, Least
from dtviz.engine.missing import LEARNED, Policy
from dtviz.table.data import Dataset

MOST_CUTS = 500_000
LEAST_LINES = 50


def some_lines(data: Dataset, lines: Ints) -> Dataset:
    """The data with these lines alone as its columns."""
    levels = tuple(data.levels[line] for line in lines.tolist())
    return replace(data, columns=data.columns[lines], levels=levels)


def top_scores(
    data: Dataset,
    rows: Ints,
    criterion: Criterion,
    least: Least = ONE_ROW,
    policy: Policy = LEARNED,
) -> Floats:
    """The best score of each line over the rows, (L,); -inf where it has no admissible cut.

    Some lines at a time are searched, so that the cuts of all are never there together.
    """
    many = len(data.columns)
    at_once = max(MOST_CUTS // len(rows), 1)
    out = np.full(many, -np.inf)
    for first in range(0, many, at_once):
        some = np.arange(first, min(first + at_once, many))
        part = some_lines(data, some)
        cuts = scan(part, frontier(part, [rows]), criterion, least, policy)
        score = np.where(cuts.admissible, cuts.score, -np.inf)
        np.fmax.at(out, some[cuts.lines_of(np.arange(len(score)))], score)
    return out


def leading(top: Floats, cuts: int) -> tuple[int, ...]:
    """The places of the best scores, in order: as many as have room with so many cuts each."""
    return tuple(sorted(np.argsort(-top, kind="stable")[: _room(cuts)].tolist()))


def have_room(lines: int, cuts: int) -> bool:
    """Whether all cuts of so many lines, of so many cuts each, can be shown."""
    return lines <= _room(cuts)


def cuts_a_line(data: Dataset, rows: int) -> int:
    """Upper bound on the cuts of a line over so many rows: one each, or every subset."""
    return max(rows, subsets(MOST_TRIED)) if any(data.levels) else rows


def _room(cuts: int) -> int:
    return max(MOST_CUTS // cuts, LEAST_LINES)


def best_features(data: Dataset, criterion: Criterion) -> tuple[int, int]:
    """The two features whose best cuts score highest over all rows, in their own order."""
    many = len(data.features)
    if many <= 2:
        return 0, many - 1
    top = top_scores(data, np.arange(data.n), criterion)
    first, second = sorted(np.argsort(-top, kind="stable")[:2].tolist())
    return first, second
