"""The cuts of the focus as the stage draws them: places, scores and marks, on one axis or two.

Glossary
    view       what is looked at: the focus, its candidates, one of them, the features on the axes
    told       whatever says how good a cut is: scores, impurities, ties, the best
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import number
from dtviz.data.dataset import Dataset
from dtviz.data.units import PLAIN
from dtviz.data.units.numbers import DIGITS, limits
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import family_of, features_of, quantity_of, score
from dtviz.explain.words import SIGNED, may_lack, some_texts
from dtviz.pictures.frame_types import AxisCuts, Cuts, Spot, Weighed, Weighing, Worth
from dtviz.pictures.packing import short
from dtviz.pictures.palette import LIGHT, Theme

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


MAX_CUTS = 600
ADMISSIBLE, BOUNDARY, TIED, TURNED, ALONE, LOST = 1, 2, 4, 8, 16, 32


@dataclass(frozen=True, slots=True)
class View:
    """What of the tree is shown: the focus, its candidates, the cut looked at, the two axes.

    `pinned` holds the values at which the features that are on no axis are pinned, shape (M,);
    `asking` leaves out whatever would tell how good a cut is. With `surrogates` each row without a
    value is sent by another cut, so that no side counts it.
    """

    focus: int
    cuts: Candidates
    cut: int | None
    axes: tuple[int, int] = (0, 1)
    measure: str = "gain"
    unit: str = ""
    impurity: str = "impurity"
    theme: Theme = LIGHT
    pinned: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    asking: bool = False
    surrogates: bool = False


def shown_axes(data: Dataset, axes: tuple[int, int]) -> tuple[int, ...]:
    """The features on the axes: one where there is no other."""
    return axes if len(data.features) > 1 else (0,)


def cuts_frame(
    data: Dataset, view: View, ends: Sequence[float], rows: NDArray[np.intp], whole: bool
) -> Cuts:
    """The cuts on both axes, the best and the one looked at; the focus has these rows.

    Where the points drawn are not the `whole` of them, the cuts come with what both sides weigh.
    A cut that parts known from missing values stands at the end of its axis' gutter: `ends`.
    """
    cuts = view.cuts
    best = None if view.asking else cuts.best
    spans = [cuts.along(feature) for feature in shown_axes(data, view.axes)]
    line = slanted(data, view)
    if line is not None:
        spans.append(cuts.of_line(line))
        ends = [*ends, np.nan]
    shown = [shown_cuts(cuts, span, view.cut, MAX_CUTS, not view.asking) for span in spans]
    told = [
        _axis_cuts(data, view, at, end, rows, whole) for at, end in zip(shown, ends, strict=False)
    ]
    return {
        "asking": view.asking,
        "best": _spot(shown, best),
        "chosen": _spot(shown, view.cut),
        "top": 0.0 if view.asking else float(cuts.score.max(initial=0.0)),
        "candidates": sum(span.stop - span.start for span in spans),
        "cuts": told,
    }


def slanted(data: Dataset, view: View) -> int | None:
    """The line on no axis whose cuts are shown: that of the cut looked at, else the best one.

    None in a strip, and none while that is asked which would tell how good it is.
    """
    cuts = view.cuts
    if len(data.features) < 2:
        return None
    able = [at for at, one in enumerate(cuts.projections) if family_of(one).form is not None]
    if view.cut is not None and int(cuts.line[view.cut]) in able:
        return int(cuts.line[view.cut])
    score = np.where(cuts.admissible & np.isin(cuts.line, able), cuts.score, -np.inf)
    found = bool(len(score)) and not view.asking and score.max() > -np.inf
    return int(cuts.line[score.argmax()]) if found else None


def is_drawn(data: Dataset, cuts: Candidates, cut: int, axes: tuple[int, int]) -> bool:
    """Whether a cut stands on the picture: along one of its axes, or over both."""
    one = cuts.projections[cuts.line[cut]]
    if family_of(one).form is not None and len(data.features) > 1:
        return bool({*features_of(one)} & {*axes})
    return cuts.axis(cut) in axes


def _spot(shown: list[NDArray[np.intp]], index: int | None) -> Spot | None:
    """Where a cut stands among those shown, if it does."""
    for axis, at in enumerate(shown):
        if len(here := np.flatnonzero(at == index)):
            return axis, int(here[0])
    return None


def has_numbers(data: Dataset, cuts: Candidates, index: int) -> bool:
    """Whether a cut is one of plain numbers that no row lacks."""
    line = int(cuts.line[index])
    one = cuts.projections[line]
    return line not in cuts.orders and quantity_of(one, data) == PLAIN and not may_lack(data, one)


def _axis_cuts(
    data: Dataset,
    view: View,
    at: NDArray[np.intp],
    end: float,
    rows: NDArray[np.intp],
    whole: bool,
) -> AxisCuts:
    cuts = view.cuts
    left, lost = cuts.n_left[at], np.zeros(len(at), np.bool_)
    away = len(rows) - left - cuts.n_right[at]  # rows that were not counted
    if cuts.missing_left is not None and not view.surrogates:
        lost = cuts.missing_left[at]
        left, away = left + np.where(lost, away, 0), np.zeros_like(away)
    apart = cuts.scattered[at] > 0
    stand = places(cuts, at, not view.asking)
    stand[np.isinf(stand)] = end
    lower = np.where(apart, -np.inf, cuts.lower[at])
    upper = np.where(apart, np.inf, cuts.upper[at])
    worth, top = Worth(), 0.0 if cuts.best is None else float(cuts.score[cuts.best])
    flags = ADMISSIBLE * cuts.admissible[at] + TURNED * cuts.turned[at] + ALONE * cuts.alone[at]
    flags = flags + LOST * lost
    if not view.asking:
        flags = flags + BOUNDARY * cuts.boundary[at] + TIED * cuts.tied[at]
        worth = {
            "score": short(cuts.score[at]),
            "share": short(100 * cuts.score[at] / top, 3) if top else np.zeros(len(at)),
            "impurity_left": short(cuts.impurity_left[at]),
            "impurity_right": short(cuts.impurity_right[at]),
        }
    sides = Weighing()
    if not whole and data.costs is None:
        sides = weighing(data, rows, cuts, at, view.surrogates)
    told, odd = limits(stand, lower, upper)
    in_words = len(at) > 0 and not (has_numbers(data, cuts, int(at[0])) and _are_numbers(odd))
    return {
        "index": at.astype(np.int32),
        "threshold": told,
        "rule": some_texts(data, cuts, at, SIGNED) if in_words else [],
        "left": left.astype(np.int32),
        "flags": flags.astype(np.uint8),
        "scattered": cuts.scattered[at if apart.any() else at[:0]].astype(np.int32),
        "away": int(away.max(initial=0)),
        **worth,
        **sides,
    }


def _are_numbers(texts: list[str]) -> bool:
    """Whether the browser writes the numbers of some texts as these are."""
    return all(number(float(text), DIGITS) == text for text in texts)


def places(cuts: Candidates, at: NDArray[np.intp], telling: bool = True) -> NDArray[np.float64]:
    """Where some cuts of a line stand along it, (k,): at their thresholds.

    Scattered subsets stand in the band behind the cut of as many values, the highest first; not
    `telling`, in their own order.
    """
    out = cuts.threshold[at].copy()
    own = np.flatnonzero(cuts.scattered[at])
    score = cuts.score[at[own]] if telling else np.zeros(len(own))
    order = own[np.lexsort((-score, out[own]))]
    _, first, many = np.unique(out[order], return_index=True, return_counts=True)
    rank = np.arange(len(order)) - first.repeat(many)
    out[order] += (rank + 1) / (many + 1).repeat(many)
    return np.asarray(out)


def shown_cuts(
    cuts: Candidates, span: slice, chosen: int | None, most: int, telling: bool = True
) -> NDArray[np.intp]:
    """The cuts of a line that are drawn: all, or the highest of each of `most` equal parts.

    The best and the chosen cut are always among them. Not `telling`, the first of each part is
    taken, so that nothing shows where the high ones are. Scattered subsets are last, as they stand.
    """
    at = np.arange(span.start, span.stop)
    if cuts.scattered[at].any():
        at = at[np.lexsort((places(cuts, at, telling), cuts.scattered[at] > 0))]
    if len(at) <= most:
        return at
    ends = np.linspace(0, len(at), most + 1).astype(np.intp)
    if not telling:
        return np.asarray(at[ends[:-1]])
    score = cuts.score[at]
    high = np.flatnonzero(score == np.maximum.reduceat(score, ends[:-1]).repeat(np.diff(ends)))
    tops = high[np.searchsorted(high, ends[:-1])]  # the first of each part
    extra = [i for i in (chosen, cuts.best) if i is not None and span.start <= i < span.stop]
    return np.unique(np.concatenate([at[tops], np.array(extra, np.intp)]))
