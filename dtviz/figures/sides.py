"""What the rows left and right of each shown cut weigh, where not all rows are drawn.

Where all are the browser counts its points: frontend/stage/sides.js says the same of them.

Glossary
    cell      the rows between two neighbouring cuts of a line, those with one value of a category,
              or, last, those without a value
    amounts   what a cell weighs: by class; or in all, and times the target, and, over a strip,
              times the feature, its square, and the product of both
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Floats, Ints
from dtviz.engine.candidates import Candidates
from dtviz.engine.splits import score
from dtviz.figures.kinds import Weighed, Weighing
from dtviz.table.data import Dataset

MOST_FIGURES = 2**15
"""The most figures that are told of one side of the cuts of a line."""
FLAT = 1e-12
"""Squares below this share of themselves about the node's mean are rounding."""


def fits(data: Dataset, many: int) -> bool:
    """Whether the sides of so many cuts of a line are few enough to be told."""
    return many * _size(data) <= MOST_FIGURES


def _size(data: Dataset) -> int:
    return len(data.classes) or (2 if len(data.features) > 1 else 5)


def weighing(data: Dataset, rows: Ints, cuts: Candidates, at: Ints, surrogates: bool) -> Weighing:
    """The sides of some cuts of one line in the node that holds `rows`; nothing where too many.

    With `surrogates` no side has the rows without a value.
    """
    if not len(at) or not fits(data, len(at)):
        return {}
    line = int(cuts.line[at[0]])
    place, order = score(cuts.projections[line], data.columns, rows), cuts.orders.get(line)
    limits = np.unique(cuts.threshold[at])
    if order is None:
        cell, many = np.searchsorted(limits, place), len(limits) + 1
    else:
        places = np.full(max(order) + 1, -1)
        places[list(order)] = np.arange(len(order))
        cell, many = places[np.where(np.isnan(place), order[0], place).astype(np.intp)], len(order)
    amounts = _amounts(data, rows, np.where(np.isnan(place), many, cell), many + 1)
    if order is None:
        below, above = amounts[:-1].cumsum(axis=0), amounts[-2::-1].cumsum(axis=0)[::-1]
        upto = np.searchsorted(limits, cuts.threshold[at])
        left, right = below[upto], above[upto + 1]
    else:
        held = _held(cuts, at, many)
        left, right = held @ amounts[:-1], ~held @ amounts[:-1]
    apart = np.isinf(cuts.threshold[at])
    lost = apart & (cuts.threshold[at] < 0)
    if cuts.missing_left is not None and not surrogates:
        lost, apart = cuts.missing_left[at], np.ones(len(at), np.bool_)
    left[apart & lost] += amounts[-1]
    right[apart & ~lost] += amounts[-1]
    return {"weighed": _told(data, rows, left, right)}


def _held(cuts: Candidates, at: Ints, many: int) -> NDArray[np.bool_]:
    """Which of the places of an order each cut of it sends left, (cuts, many)."""
    every = np.arange(many)
    limit, alone, bits = (of[at, None] for of in (cuts.threshold, cuts.alone, cuts.scattered))
    held = np.where(alone, every == limit, every <= limit) ^ cuts.turned[at, None]
    return np.asarray(np.where(bits > 0, bits >> np.minimum(every, 62) & 1, held), np.bool_)


def _amounts(data: Dataset, rows: Ints, cell: Ints, many: int) -> Floats:
    """What each of so many cells weighs, (many, size)."""
    weight = None if data.weights is None else data.weights[rows]
    if data.classes:
        size = len(data.classes)
        flat = np.bincount(cell * size + data.y[rows], weight, many * size)
        return np.asarray(flat.reshape(many, size), np.float64)
    off, heavy = _off(data, rows), np.ones(len(rows)) if weight is None else weight
    found = [heavy, heavy * off[1]]
    if _size(data) > 2:
        found += [heavy * off[0], heavy * off[0] ** 2, heavy * off[0] * off[1]]
    return np.array([np.bincount(cell, one, many) for one in found]).T


def _off(data: Dataset, rows: Ints) -> Floats:
    """How far the rows are from their means: the first feature, 0 where it has gaps; the target."""
    both = np.array([np.nan_to_num(data.columns[0, rows]), data.y[rows]])
    return np.asarray(both - both.mean(axis=1, keepdims=True))


def _told(data: Dataset, rows: Ints, left: Floats, right: Floats) -> Weighed:
    """The amounts of both sides as the browser has them."""
    if data.classes and data.weights is None:
        return {"left": left.astype(np.int32).ravel(), "right": right.astype(np.int32).ravel()}
    if data.classes:
        return {"left": left.ravel(), "right": right.ravel()}
    about = np.array([np.nan_to_num(data.columns[0, rows]), data.y[rows]]).mean(axis=1)
    return {"left": _means(left, about).ravel(), "right": _means(right, about).ravel()}


def _means(sums: Floats, about: Floats) -> Floats:
    """Sums about the node's means as weight, mean, and of x its mean, squares, products."""
    weight, *rest = sums.T
    share = 1 / np.where(weight > 0, weight, 1)
    if len(rest) == 1:
        return np.array([weight, about[1] + rest[0] * share]).T
    y, x, squares, products = rest
    own = squares - x * x * share
    own[own <= FLAT * squares] = 0
    return np.array(
        [weight, about[1] + y * share, about[0] + x * share, own, products - x * y * share]
    ).T
