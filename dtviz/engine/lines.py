"""The lines that a search runs along: one a projection that the rules' families propose.

The search knows no family. It is given a table whose columns are scores, one line a projection, and
finds cuts of these lines, in an order of each node's own where scores are places of levels; with
cuts of single features alone that table is the data itself.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from dtviz.arrays import Ints
from dtviz.engine.candidates import Candidates
from dtviz.engine.problem import Problem, projected
from dtviz.engine.rules import Rules
from dtviz.engine.splits import FAMILIES, HALF, Category, Projection, Subset
from dtviz.table.data import Dataset


def by_all_rows(rules: Rules) -> bool:
    """Whether some of the competing families are told by all rows of a tree what to try."""
    return any(FAMILIES[name].by_all_rows for name in rules.families)


def own_of(problem: Problem, rows: Ints) -> tuple[Projection, ...]:
    """What the node of some rows proposes for itself."""
    owns = [own for name in problem.rules.families if (own := FAMILIES[name].own)]
    if not owns:
        return ()
    ordered = np.sort(rows)
    return tuple(dict.fromkeys(one for own in owns for one in own(problem.data, ordered)))


def lines_of(problem: Problem, rows: Ints) -> tuple[tuple[Projection, ...], Dataset]:
    """What the node of some rows tries, what it proposes for itself last, and the data so lined."""
    usual, own = problem.projections, own_of(problem, rows)
    return (usual + own, projected(problem.data, usual + own)) if own else (usual, problem.table)


def line_along(data: Dataset, projection: Projection) -> Dataset:
    """The data with the scores of one projection as its only column."""
    return projected(data, (projection,))


def by_category(cuts: Candidates) -> Candidates:
    """The candidates, all values of a category that are cut off alone being on one line.

    It has them in the order of the levels; the threshold of a cut is the place of its value.
    """
    homes = [*map(_home, cuts.projections)]
    if homes == list(cuts.projections) or cuts.orders:
        return cuts
    projections, orders = tuple(dict.fromkeys(homes)), dict[int, tuple[int, ...]]()
    place = np.array([projections.index(home) for home in homes], np.intp)
    cuts = _known_once(cuts, place)
    line = place.take(cuts.line)
    threshold, lower, upper = (of.copy() for of in (cuts.threshold, cuts.lower, cuts.upper))
    for at in np.flatnonzero([isinstance(home, Category) for home in projections]).tolist():
        its = np.flatnonzero((line == at) & np.isfinite(threshold))
        parts = [cuts.projections[k] for k in cuts.line[its]]
        codes = [code for one in parts if isinstance(one, Subset) for code in one.named]
        pair = len(codes) == homes.count(projections[at]) == 1  # one cut parts both values
        orders[at] = (1 - codes[0], *codes) if pair else tuple(codes)
        threshold[its] = np.arange(pair, len(orders[at]))
        lower[its], upper[its] = threshold[its] - HALF, threshold[its] + HALF
    return replace(
        cuts,
        projections=projections,
        line=line,
        threshold=threshold,
        lower=lower,
        upper=upper,
        orders=MappingProxyType(orders),
    )


def _home(projection: Projection) -> Projection:
    """The line of a category for any of its subsets."""
    return Category(projection.feature) if isinstance(projection, Subset) else projection


def _known_once(cuts: Candidates, place: Ints) -> Candidates:
    """The candidates with one cut a category that parts the rows with a value from those without.

    `place` says of what each line is a cut.
    """
    known = np.flatnonzero(np.isinf(cuts.threshold))
    _, first = np.unique(place.take(cuts.line[known]), return_index=True)
    keep = np.ones(len(cuts), np.bool_)
    keep[np.delete(known, first)] = False
    if keep.all():
        return cuts
    arrays = {name: getattr(cuts, name) for name in cuts.__slots__}
    fewer: dict[str, Any] = {
        name: of[keep]
        for name, of in arrays.items()
        if isinstance(of, np.ndarray) and len(of) == len(keep)
    }
    best = None if cuts.best is None else int(keep[: cuts.best].sum())
    return replace(cuts, **fewer, best=best)
