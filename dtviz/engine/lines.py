"""The lines that a search runs along: one a projection that the rules' families propose.

The search knows no family. It is given a table whose columns are scores, one line a projection, and
finds cuts of these lines, in an order of each node's own where scores are places of levels; with
cuts of single features alone that table is the data itself.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from dtviz.arrays import Ints
from dtviz.engine.candidates import Candidates
from dtviz.engine.rules import Rules, proposed_by
from dtviz.engine.splits import FAMILIES, HALF, Axis, Category, Projection, Subset, levels_of, score
from dtviz.table.data import Dataset


def has_own(rules: Rules) -> bool:
    """Whether some of the competing families leave it to the nodes what to try."""
    return any(FAMILIES[name].own for name in rules.families)


def by_all_rows(rules: Rules) -> bool:
    """Whether some of the competing families are told by all rows of a tree what to try."""
    return any(FAMILIES[name].by_all_rows for name in rules.families)


def own_of(data: Dataset, rules: Rules, rows: Ints) -> tuple[Projection, ...]:
    """What the node of some rows proposes for itself."""
    owns = [own for name in rules.families if (own := FAMILIES[name].own)]
    if not owns:
        return ()
    ordered = np.sort(rows)
    return tuple(dict.fromkeys(one for own in owns for one in own(data, ordered)))


def lined(data: Dataset, rules: Rules) -> Dataset:
    """The data with the scores of those projections as its columns, (L, n)."""
    projections = proposed_by(data, rules)
    if projections == tuple(map(Axis, range(len(data.features)))):
        return data
    return _lined(data, projections)


def lines_of(data: Dataset, rules: Rules, rows: Ints) -> tuple[tuple[Projection, ...], Dataset]:
    """What the node of some rows tries, what it proposes for itself last, and the data so lined."""
    usual, own = proposed_by(data, rules), own_of(data, rules, rows)
    return (usual + own, _table(data, usual + own)) if own else (usual, lined(data, rules))


def line_along(data: Dataset, projection: Projection) -> Dataset:
    """The data with the scores of one projection as its only column."""
    return _table(data, (projection,))


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


@lru_cache(maxsize=4)
def _lined(data: Dataset, projections: tuple[Projection, ...]) -> Dataset:
    return _table(data, projections)


def _table(data: Dataset, projections: tuple[Projection, ...]) -> Dataset:
    table = np.array([score(one, data.columns) for one in projections])
    levels = tuple(levels_of(one, data) for one in projections)
    return replace(data, columns=table, levels=levels)
