"""Candidates of the focus as the stage draws them: positions, scores and marks, on one axis or two.

The view says what is looked at: the focus, its candidates, one of them, the features on the axes.
While a split is asked for, nothing is sent that tells how good a candidate is: no scores, no
impurities, no ties, no best.

A slice is a value for each feature on no axis, so that a tree of many is seen on a plane.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.text import number
from dtviz.data.dataset import Dataset
from dtviz.data.units import PLAIN
from dtviz.data.units.numbers import DIGITS, parsed_thresholds
from dtviz.engine.leaves.linear import regressors
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import (
    family_of,
    feature_of,
    features_of,
    goes_left,
    midpoint,
    quantity_of,
    score,
)
from dtviz.engine.tree import Tree, ancestors, rows_in
from dtviz.explain.words import SYMBOL_WORDS, can_be_missing, candidate_texts
from dtviz.pictures.frame_types import (
    AxisCuts,
    CutQuality,
    Cuts,
    CutStatistics,
    OptionalStatistics,
    Spot,
)
from dtviz.pictures.packing import rounded_values
from dtviz.pictures.regions import StageContext
from dtviz.pictures.scales import LIGHT, Theme

MAX_NUMBERS_SENT = 2**15
"""Numbers that are sent at most for one side of the candidates of a projection."""
ROUNDING_SHARE = 1e-12
"""A sum of squares below this share of the sum about the node's mean is rounding."""


def statistics_fit(data: Dataset, n_cuts: int) -> bool:
    """True if the statistics of both sides of `n_cuts` candidates are few enough to be sent."""
    return n_cuts * _n_statistics(data) <= MAX_NUMBERS_SENT


def _n_statistics(data: Dataset) -> int:
    """Number of statistics of one side: class counts, or sums of y and, in a strip, of x."""
    return len(data.classes) or (2 if len(data.features) > 1 else 5)


def statistics_frame(
    data: Dataset, rows: Ints, cuts: Candidates, cut_ids: Ints, surrogates: bool
) -> OptionalStatistics:
    """Statistics of both sides of candidates of one projection in the node that holds `rows`.

    {} where they are too many. With `surrogates` no side has the rows without a value.
    """
    if not len(cut_ids) or not statistics_fit(data, len(cut_ids)):
        return {}
    line = int(cuts.line[cut_ids[0]])
    scores, order = score(cuts.projections[line], data.columns, rows), cuts.orders.get(line)
    thresholds = np.unique(cuts.threshold[cut_ids])
    if order is None:
        bins, n_bins = np.searchsorted(thresholds, scores), len(thresholds) + 1
    else:
        positions = np.full(max(order) + 1, -1)
        positions[list(order)] = np.arange(len(order))
        codes = np.where(np.isnan(scores), order[0], scores).astype(int)
        bins, n_bins = positions[codes], len(order)
    # the last bin has the rows without a value, which go to a side at the end
    sums = _bin_sums(data, rows, np.where(np.isnan(scores), n_bins, bins), n_bins + 1)
    if order is None:
        sums_below, sums_above = sums[:-1].cumsum(axis=0), sums[-2::-1].cumsum(axis=0)[::-1]
        ids = np.searchsorted(thresholds, cuts.threshold[cut_ids])
        left, right = sums_below[ids], sums_above[ids + 1]
    else:
        goes_left = _left_codes(cuts, cut_ids, n_bins)
        left, right = goes_left @ sums[:-1], ~goes_left @ sums[:-1]
    # an infinite threshold parts the rows with a value from those without one
    moves_missing = np.isinf(cuts.threshold[cut_ids])
    missing_left = moves_missing & (cuts.threshold[cut_ids] < 0)
    if cuts.missing_left is not None and not surrogates:
        missing_left, moves_missing = cuts.missing_left[cut_ids], np.ones(len(cut_ids), np.bool_)
    left[moves_missing & missing_left] += sums[-1]
    right[moves_missing & ~missing_left] += sums[-1]
    return {"statistics": _side_statistics(data, rows, left, right)}


def _left_codes(cuts: Candidates, cut_ids: Ints, n_places: int) -> Bools:
    """Places of a category order that each candidate sends left, (cuts, n_places)."""
    codes = np.arange(n_places)
    threshold, alone, bits = (
        column[cut_ids, None] for column in (cuts.threshold, cuts.alone, cuts.scattered)
    )
    in_order = np.where(alone, codes == threshold, codes <= threshold) ^ cuts.turned[cut_ids, None]
    return np.where(bits > 0, bits >> np.minimum(codes, 62) & 1, in_order).astype(np.bool_)


def _bin_sums(data: Dataset, rows: Ints, bins: Ints, n_bins: int) -> Floats:
    """Statistics of the rows of each bin, (n_bins, statistics)."""
    weight = None if data.weights is None else data.weights[rows]
    if data.classes:
        n_classes = len(data.classes)
        counts = np.bincount(bins * n_classes + data.y[rows], weight, n_bins * n_classes)
        return np.asarray(counts.reshape(n_bins, n_classes), np.float64)
    (x, y), weights = _deviations(data, rows), np.ones(len(rows)) if weight is None else weight
    columns = [weights, weights * y]
    if _n_statistics(data) > 2:
        columns += [weights * x, weights * x**2, weights * x * y]
    return np.array([np.bincount(bins, column, n_bins) for column in columns]).T


def _deviations(data: Dataset, rows: Ints) -> Floats:
    """First feature, 0 where missing, and target of the rows, less their means, (2, n)."""
    columns = np.array([np.nan_to_num(data.columns[0, rows]), data.y[rows]])
    return np.asarray(columns - columns.mean(axis=1, keepdims=True))


def _side_statistics(data: Dataset, rows: Ints, left: Floats, right: Floats) -> CutStatistics:
    """Statistics of both sides as the browser reads them."""
    if data.classes and data.weights is None:
        return {"left": left.astype(np.int32).ravel(), "right": right.astype(np.int32).ravel()}
    if data.classes:
        return {"left": left.ravel(), "right": right.ravel()}
    means = np.array([np.nan_to_num(data.columns[0, rows]), data.y[rows]]).mean(axis=1)
    return {"left": _means(left, means).ravel(), "right": _means(right, means).ravel()}


def _means(sums: Floats, means: Floats) -> Floats:
    """Weight and mean from sums about the node's means; of a strip also the other statistics."""
    weight, *others = sums.T
    scale = 1 / np.where(weight > 0, weight, 1)
    if len(others) == 1:
        return np.array([weight, means[1] + others[0] * scale]).T
    y, x, squares, products = others
    variation = squares - x * x * scale
    variation[variation <= ROUNDING_SHARE * squares] = 0
    mean_x, mean_y = means
    columns = [weight, mean_y + y * scale, mean_x + x * scale, variation, products - x * y * scale]
    return np.array(columns).T


MAX_CUTS = 600
ADMISSIBLE, BOUNDARY, TIED, TURNED, ALONE, MISSING_LEFT = 1, 2, 4, 8, 16, 32
"""Flags of a candidate, added up."""


@dataclass(frozen=True, slots=True)
class StageView:
    """The part of a tree that the stage shows: a node in focus, its candidates and two axes."""

    focus: int  # node id
    cuts: Candidates  # those of the focus
    cut: int | None  # index of the candidate that is looked at
    axes: tuple[int, int] = (0, 1)  # features across and up
    measure: str = "gain"  # name of the score of candidates
    unit: str = ""  # unit of the score
    impurity: str = "impurity"  # name of the impurity
    theme: Theme = LIGHT  # colours of the page
    pinned: Floats = field(default_factory=lambda: np.empty(0))
    """Values at which the features that are on no axis are pinned, (M,)."""
    asking: bool = False
    """Leave out all that tells how good a candidate is."""
    surrogates: bool = False
    """Surrogates send each row without a value, so that no side counts it."""


def cuts_frame(stage: StageContext, view: StageView, rows: Ints) -> Cuts:
    """Candidates on both axes, the best and the one looked at; `rows` are those of the focus.

    Unless all points are drawn, which the browser can count, the statistics of both sides come
    along. The is-missing split stands at the upper end of the gutter of its axis.
    """
    data, cuts = stage.data, view.cuts
    best = None if view.asking else cuts.best
    spans = [cuts.along(feature) for feature in stage.features]
    gutter_ends = [axis.get("gutter", axis["low"]) for axis in stage.drawn_axes]
    projection_id = shown_projection(data, view)
    if projection_id is not None:
        spans.append(cuts.of_line(projection_id))
        gutter_ends.append(np.nan)
    shown_ids = [shown_cuts(cuts, span, view.cut, MAX_CUTS, not view.asking) for span in spans]
    axis_frames = [
        _axis_cuts(stage, view, cut_ids, end, rows)
        for cut_ids, end in zip(shown_ids, gutter_ends, strict=False)
    ]
    return {
        "is_asking": view.asking,
        "best": _spot(shown_ids, best),
        "chosen": _spot(shown_ids, view.cut),
        "top": 0.0 if view.asking else float(cuts.score.max(initial=0.0)),
        "candidates": sum(span.stop - span.start for span in spans),
        "cuts": axis_frames,
    }


def shown_projection(data: Dataset, view: StageView) -> int | None:
    """Number of the projection on no axis whose candidates are shown.

    It is that of the candidate looked at, else of the best one. None in a strip, and none while a
    split is asked for, since this would tell how good a candidate is.
    """
    cuts = view.cuts
    if len(data.features) < 2:
        return None
    has_form = [family_of(projection).form is not None for projection in cuts.projections]
    drawable = np.flatnonzero(has_form).tolist()
    if view.cut is not None and int(cuts.line[view.cut]) in drawable:
        return int(cuts.line[view.cut])
    score = np.where(cuts.admissible & np.isin(cuts.line, drawable), cuts.score, -np.inf)
    has_best = bool(len(score)) and not view.asking and score.max() > -np.inf
    return int(cuts.line[score.argmax()]) if has_best else None


def is_drawn(data: Dataset, cuts: Candidates, cut: int, axes: tuple[int, int]) -> bool:
    """True if a candidate stands on the picture: along one of its axes, or over both."""
    projection = cuts.projections[cuts.line[cut]]
    if family_of(projection).form is not None and len(data.features) > 1:
        return bool({*features_of(projection)} & {*axes})
    return cuts.axis(cut) in axes


def _spot(shown_ids: list[Ints], index: int | None) -> Spot | None:
    """Axis and place of a candidate among those shown; None if it is not."""
    for axis, cut_ids in enumerate(shown_ids):
        if len(indices := np.flatnonzero(cut_ids == index)):
            return axis, int(indices[0])
    return None


def has_numbers(data: Dataset, cuts: Candidates, index: int) -> bool:
    """True if a candidate is a threshold of plain numbers that no row lacks."""
    line = int(cuts.line[index])
    projection = cuts.projections[line]
    is_plain = line not in cuts.orders and quantity_of(projection, data) == PLAIN
    return is_plain and not can_be_missing(data, projection)


def _axis_cuts(
    stage: StageContext, view: StageView, cut_ids: Ints, gutter_end: float, rows: Ints
) -> AxisCuts:
    """Candidates `cut_ids` of one projection as the browser reads them; see `cuts_frame`."""
    data, cuts = stage.data, view.cuts
    left, missing_left = cuts.n_left[cut_ids], np.zeros(len(cut_ids), np.bool_)
    n_unsent = len(rows) - left - cuts.n_right[cut_ids]  # rows on neither side
    if cuts.missing_left is not None and not view.surrogates:
        missing_left = cuts.missing_left[cut_ids]
        left, n_unsent = left + np.where(missing_left, n_unsent, 0), np.zeros_like(n_unsent)
    is_subset = cuts.scattered[cut_ids] > 0
    positions = cut_positions(cuts, cut_ids, not view.asking)
    positions[np.isinf(positions)] = gutter_end
    lower = np.where(is_subset, -np.inf, cuts.lower[cut_ids])
    upper = np.where(is_subset, np.inf, cuts.upper[cut_ids])
    scores, top = CutQuality(), 0.0 if cuts.best is None else float(cuts.score[cuts.best])
    flags = ADMISSIBLE * cuts.admissible[cut_ids] + TURNED * cuts.turned[cut_ids]
    flags = flags + ALONE * cuts.alone[cut_ids] + MISSING_LEFT * missing_left
    if not view.asking:
        flags = flags + BOUNDARY * cuts.boundary[cut_ids] + TIED * cuts.tied[cut_ids]
        scores = {
            "score": rounded_values(cuts.score[cut_ids]),
            "share": rounded_values(100 * cuts.score[cut_ids] / top, 3)
            if top
            else np.zeros(len(cut_ids)),
            "impurity_left": rounded_values(cuts.impurity_left[cut_ids]),
            "impurity_right": rounded_values(cuts.impurity_right[cut_ids]),
        }
    sides = OptionalStatistics()
    if len(stage.row_ids) < data.n and data.costs is None:
        sides = statistics_frame(data, rows, cuts, cut_ids, view.surrogates)
    threshold, texts = parsed_thresholds(positions, lower, upper)
    is_plain = len(cut_ids) > 0 and has_numbers(data, cuts, int(cut_ids[0]))
    in_words = len(cut_ids) > 0 and not (is_plain and _are_numbers(texts.values()))
    return {
        "index": cut_ids.astype(np.int32),
        "threshold": threshold,
        "rule": candidate_texts(data, cuts, cut_ids, SYMBOL_WORDS) if in_words else [],
        "left": left.astype(np.int32),
        "flags": flags.astype(np.uint8),
        "scattered": cuts.scattered[cut_ids if is_subset.any() else cut_ids[:0]].astype(np.int32),
        "surrogate_rows": int(n_unsent.max(initial=0)),
        **scores,
        **sides,
    }


def _are_numbers(texts: Iterable[str]) -> bool:
    """True if the browser writes the numbers of these texts as the texts do."""
    return all(number(float(text), DIGITS) == text for text in texts)


def cut_positions(cuts: Candidates, cut_ids: Ints, by_score: bool = True) -> Floats:
    """Positions of candidates along their projection, (k,): their thresholds.

    Subsets outside the category order stand in the band behind the cut of as many values, the
    highest scores first; unless `by_score`, in their own order.
    """
    positions = cuts.threshold[cut_ids].copy()
    subset_ids = np.flatnonzero(cuts.scattered[cut_ids])
    score = cuts.score[cut_ids[subset_ids]] if by_score else np.zeros(len(subset_ids))
    order = subset_ids[np.lexsort((-score, positions[subset_ids]))]
    _, first, n_equal = np.unique(positions[order], return_index=True, return_counts=True)
    rank = np.arange(len(order)) - first.repeat(n_equal)
    positions[order] += (rank + 1) / (n_equal + 1).repeat(n_equal)
    return np.asarray(positions)


def shown_cuts(
    cuts: Candidates, span: slice, chosen: int | None, max_cuts: int, by_score: bool = True
) -> Ints:
    """Candidates of a projection that are drawn: all, or the highest of each of `max_cuts` parts.

    The parts are equal. The best and the chosen candidate are always among them. Unless `by_score`,
    the first of each part is taken, so that nothing shows where the high ones are. Subsets outside
    the category order are last, by their positions.
    """
    cut_ids = np.arange(span.start, span.stop)
    if cuts.scattered[cut_ids].any():
        positions = cut_positions(cuts, cut_ids, by_score)
        cut_ids = cut_ids[np.lexsort((positions, cuts.scattered[cut_ids] > 0))]
    if len(cut_ids) <= max_cuts:
        return cut_ids
    ends = np.linspace(0, len(cut_ids), max_cuts + 1).astype(int)
    if not by_score:
        return np.asarray(cut_ids[ends[:-1]])
    score = cuts.score[cut_ids]
    high = np.flatnonzero(score == np.maximum.reduceat(score, ends[:-1]).repeat(np.diff(ends)))
    tops = high[np.searchsorted(high, ends[:-1])]  # the first of each part
    extra = [i for i in (chosen, cuts.best) if i is not None and span.start <= i < span.stop]
    return np.unique(np.concatenate([cut_ids[tops], np.array(extra, int)]))


Slice = tuple[tuple[int, float], ...]
"""Features that are pinned by hand, with their values."""
NEAREST = 7
"""Nearness of a row in the slice; 0 is far from it."""
FADES = "Paler points lie farther from the slice."
FAR = 2.0**1022  # beyond it the difference of two numbers can overflow
PLACES = 61
"""Values of a feature at which it can be pinned."""


def pinned_values(data: Dataset, by_hand: Slice = ()) -> NDArray[np.float64]:
    """Values at which the features are pinned, (M,): by hand, else medians or commonest values."""
    slice_values = np.array([_middle(data, f, column) for f, column in enumerate(data.columns)])
    for feature, value in by_hand:
        slice_values[feature] = value
    return slice_values


def sliceable_features(data: Dataset, tree: Tree, axes: tuple[int, int]) -> list[int]:
    """Features on no axis that the tree asks, so that their pinned values matter."""
    features = {f for split in tree.splits.values() for f in features_of(split.projection)}
    if tree.leaf_model.linear_score is not None:
        features |= {*regressors(data).tolist()}
    return sorted(features - {*axes})


def nearness(stage: StageContext, tree: Tree) -> NDArray[np.uint8] | None:
    """Nearness of each row to the slice at the pinned values, (n,); None without features to pin.

    The distance of a row is the root of its mean squared distance by the features it is pinned on
    that the tree asks, each in standard deviations; 1 where a category differs or is missing.
    """
    features = sliceable_features(stage.data, tree, stage.axes)
    if not features:
        return None
    by_feature = [_squared_distances(stage.data, f, float(stage.pinned[f])) for f in features]
    squared = np.mean(by_feature, axis=0)
    return np.asarray((NEAREST * np.exp(-squared / 2)).round().astype(np.uint8))


def _squared_distances(data: Dataset, feature: int, center: float) -> NDArray[np.float64]:
    """Squared distances of the rows from a value of a feature, in standard deviations, (n,)."""
    column = data.columns[feature]
    has_value = ~np.isnan(column)
    squared = np.ones(len(column))
    if data.levels[feature]:
        squared[has_value] = column[has_value] != center
        return squared
    present = column[has_value]
    if np.abs(present).max(initial=abs(center)) > FAR:
        present, center = present / 2, center / 2  # as many standard deviations off
    distance, span = np.abs(present - center), present - present.min(initial=np.inf)
    scale = float(span.max(initial=0.0))
    if scale:  # at most a thousand times what they span: squares of huge numbers overflow
        distance = np.minimum(distance, 1e3 * scale) / scale
        squared[has_value] = np.square(distance / (span / scale).std())
    else:
        squared[has_value] = distance > 0
    return squared


def pinnable_values(data: Dataset, feature: int) -> list[float]:
    """Values at which a feature can be pinned: all that it has, or an even choice of them."""
    column = data.columns[feature]
    values = np.unique(column[~np.isnan(column)])
    if len(values) > PLACES and not data.levels[feature]:
        values = values[np.linspace(0, len(values) - 1, PLACES).astype(int)]
    return [float(value) for value in values]


def _middle(data: Dataset, feature: int, column: NDArray[np.float64]) -> float:
    """Median of the values of a feature, or the most frequent category; 0 where all are missing."""
    present = column[~np.isnan(column)] if data.gaps[feature] else column
    if data.levels[feature]:
        return float(np.bincount(present.astype(int), minlength=1).argmax())
    if not len(present):
        return 0.0
    middle_ids = [(len(present) - 1) // 2, len(present) // 2]
    low, high = np.partition(present, middle_ids)[middle_ids]
    return float(midpoint(np.array([low]), np.array([high]))[0])


def pinned_values_at(
    data: Dataset, tree: Tree, node: int, by_hand: Slice = ()
) -> NDArray[np.float64]:
    """Values at which the features are pinned, (M,), so that the slice meets a node.

    Where the path of the node asks for other values, they are the middles of its own rows. Only
    features pinned by hand can lead the slice past the node.
    """
    values, chosen = pinned_values(data, by_hand), {feature for feature, _ in by_hand}
    for parent, child in pairwise((*ancestors(node), node)):
        split = tree.splits[parent]
        feature = feature_of(split.projection)
        is_left = goes_left(split, values[:, None])[0]
        if feature is not None and feature not in chosen and is_left != (child == 2 * parent):
            values[feature] = _middle(data, feature, data.columns[feature][rows_in(tree, node)])
    return values
