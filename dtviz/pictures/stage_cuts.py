"""Candidates of the focus as the stage draws them: positions, scores and marks, on one axis or two.

A view is what the user looks at: a node, its candidates, one of them, the features on the axes.
While the user is asked for a split, nothing is sent that tells how good a candidate is: no scores,
no impurities, no ties, no best.

A slice is a value for each feature on no axis: the plane of the picture lies at these values.
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
from dtviz.engine.search.candidates import Bands, Candidates
from dtviz.engine.splits import (
    CutPart,
    family_of,
    feature_of,
    features_of,
    goes_left,
    midpoint,
    quantity_of,
    rows_of_sides,
    score,
)
from dtviz.engine.tree import Tree, ancestors, rows_in
from dtviz.explain.words import SYMBOL_WORDS, branch_names, can_be_missing, candidate_texts
from dtviz.pictures.frame_types import (
    AxisCuts,
    CutBands,
    CutBranches,
    CutQuality,
    Cuts,
    CutStatistics,
    OptionalBands,
    OptionalBranches,
    OptionalStatistics,
    Spot,
)
from dtviz.pictures.packing import rounded_values
from dtviz.pictures.regions import StageContext
from dtviz.pictures.scales import LIGHT, Theme

MAX_NUMBERS_SENT = 2**15
"""Numbers that are sent at most for one side of the candidates of a projection."""
ROUNDING_SHARE = 1e-12
"""A variation below this share of the squares it is computed from is an error of rounding."""


def statistics_fit(data: Dataset, n_cuts: int) -> bool:
    """True if the statistics of both sides of `n_cuts` candidates are few enough to be sent."""
    return n_cuts * _n_statistics(data) <= MAX_NUMBERS_SENT


def _n_statistics(data: Dataset) -> int:
    """Number of statistics of one side: see `_bin_sums`."""
    return len(data.classes) or (2 if len(data.features) > 1 else 5)


def statistics_frame(
    data: Dataset, rows: Ints, cuts: Candidates, cut_ids: Ints, has_surrogates: bool
) -> OptionalStatistics:
    """Statistics of both sides of candidates of one projection in the node that holds `rows`.

    {} where they are too many. With surrogates no side has the rows without a value.
    """
    if not len(cut_ids) or not statistics_fit(data, len(cut_ids)):
        return {}
    line = int(cuts.line[cut_ids[0]])
    if line in cuts.branches:
        return {}
    scores, order = score(cuts.projections[line], data.columns, rows), cuts.orders.get(line)
    thresholds = np.unique(cuts.threshold[cut_ids])
    if order is None:
        bins, n_bins = np.searchsorted(thresholds, scores), len(thresholds) + 1
    else:
        place_of_code = np.full(max(order) + 1, -1)
        place_of_code[list(order)] = np.arange(len(order))
        codes = np.where(np.isnan(scores), order[0], scores).astype(int)
        bins, n_bins = place_of_code[codes], len(order)
    # the last bin has the rows without a value, which go to a side at the end
    sums = _bin_sums(data, rows, np.where(np.isnan(scores), n_bins, bins), n_bins + 1)
    if order is None:
        sums_below, sums_above = sums[:-1].cumsum(axis=0), sums[-2::-1].cumsum(axis=0)[::-1]
        ids = np.searchsorted(thresholds, cuts.threshold[cut_ids])
        left, right = sums_below[ids], sums_above[ids + 1]
    else:
        left_masks = _left_places(cuts, cut_ids, n_bins)
        left, right = left_masks @ sums[:-1], ~left_masks @ sums[:-1]
    # an infinite threshold parts the rows with a value from those without one
    moves_missing = np.isinf(cuts.threshold[cut_ids])
    missing_left = moves_missing & (cuts.threshold[cut_ids] < 0)
    if cuts.missing_left is not None and not has_surrogates:
        missing_left, moves_missing = cuts.missing_left[cut_ids], np.ones(len(cut_ids), np.bool_)
    left[moves_missing & missing_left] += sums[-1]
    right[moves_missing & ~missing_left] += sums[-1]
    return {"statistics": _side_statistics(data, rows, left, right)}


def _branches_frame(data: Dataset, rows: Ints, view: StageView, cut_ids: Ints) -> OptionalBranches:
    """Branches of the multi-way cut among candidates of one projection; {} where there is none."""
    cuts = view.cuts
    branches = cuts.branches_of(int(cut_ids[0])) if len(cut_ids) else None
    if branches is None:
        return {}
    split = branches.split
    assert isinstance(split.projection, CutPart)
    frame: CutBranches = {
        "name": [*branch_names(data, split.projection)],
        "default": split.projection.codes.index(split.projection.default),
        "rows": branches.n.astype(np.int32),
    }
    if not view.is_asking:
        frame["impurity"] = rounded_values(branches.impurity)
    if data.costs is None and statistics_fit(data, len(branches.n)):
        sides = rows_of_sides(split, data.columns, rows)
        bins = np.arange(len(sides)).repeat([len(side) for side in sides])
        sums = _bin_sums(data, np.concatenate(sides), bins, len(sides))
        frame["statistics"] = _statistics_of(data, rows, sums)
    return {"branches": frame}


def _left_places(cuts: Candidates, cut_ids: Ints, n_places: int) -> Bools:
    """Mask of the places of a category order that each candidate sends left, (cuts, n_places)."""
    places = np.arange(n_places)
    threshold, alone, bits = (
        column[cut_ids, None] for column in (cuts.threshold, cuts.alone, cuts.scattered)
    )
    in_order = (
        np.where(alone, places == threshold, places <= threshold) ^ cuts.turned[cut_ids, None]
    )
    # numpy cannot shift 64 bits by more than 63; subsets have few values
    return np.where(bits > 0, bits >> np.minimum(places, 62) & 1, in_order).astype(np.bool_)


def _bin_sums(data: Dataset, rows: Ints, bins: Ints, n_bins: int) -> Floats:
    """Statistics of the rows of each bin, (n_bins, statistics).

    Weights by class, or sums: of weights and targets y, in a strip also of x, x squared and x y.
    y and x are taken less their means in the node.
    """
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
    first, second = (_statistics_of(data, rows, sums) for sums in (left, right))
    return {"left": first, "right": second}


def _statistics_of(data: Dataset, rows: Ints, sums: Floats) -> NDArray[np.int32] | Floats:
    """Statistics of groups of the rows from their sums, flat, as the browser reads them."""
    if data.classes:
        return (sums.astype(np.int32) if data.weights is None else sums).ravel()
    means = np.array([np.nan_to_num(data.columns[0, rows]), data.y[rows]]).mean(axis=1)
    return _means_and_variations(sums, means).ravel()


def _means_and_variations(sums: Floats, means: Floats) -> Floats:
    """Weight and mean of y from sums about the node's means, `means` of x and y.

    In a strip also the mean of x, and the sums of the squares of x and of the products of x and y
    about the means of the side.
    """
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
"""Candidates of a projection that are drawn at most, beside the best and the one looked at."""
ADMISSIBLE, BOUNDARY, TIED, TURNED, ALONE, MISSING_LEFT = 1, 2, 4, 8, 16, 32
"""Flags of a candidate, added up."""


@dataclass(frozen=True, slots=True)
class StageView:
    """The part of a tree that the stage shows: a node in focus, its candidates and two axes."""

    focus: int  # id of the node
    cuts: Candidates  # candidates of the focus
    cut: int | None  # index of the candidate that is looked at
    axes: tuple[int, int] = (0, 1)  # features across and up
    measure: str = "gain"  # name of the score of candidates
    unit: str = ""  # unit of the score
    impurity: str = "impurity"  # name of the impurity
    theme: Theme = LIGHT  # colours of the page
    pinned: Floats = field(default_factory=lambda: np.empty(0))
    """Values at which the features that are on no axis are pinned, (M,)."""
    is_asking: bool = False
    """True while the user is asked for a split: nothing may tell how good a candidate is."""
    has_surrogates: bool = False
    """True if surrogates send the rows without a value, so that no side counts them."""


def cuts_frame(stage: StageContext, view: StageView, rows: Ints) -> Cuts:
    """Candidates on both axes, the best and the one looked at; `rows` are those of the focus.

    The statistics of both sides are sent unless all rows are drawn: then the browser can count
    them. The is-missing split stands at the upper end of the gutter of its axis.
    """
    data, cuts = stage.data, view.cuts
    best = None if view.is_asking or not cuts.can_gain else cuts.best
    spans = [cuts.along(feature, view.cut) for feature in stage.features]
    gutter_ends = [axis.get("gutter", axis["low"]) for axis in stage.drawn_axes]
    projection_id = shown_projection(data, view)
    if projection_id is not None:
        spans.append(cuts.of_line(projection_id))
        gutter_ends.append(np.nan)
    of_table = data.source is not None
    shown_ids = [
        shown_cuts(cuts, span, view.cut, MAX_CUTS, not view.is_asking, of_table) for span in spans
    ]
    axis_frames = [
        _axis_cuts(stage, view, cut_ids, end, rows)
        for cut_ids, end in zip(shown_ids, gutter_ends, strict=False)
    ]
    return {
        "is_asking": view.is_asking,
        "best": _spot(shown_ids, best),
        "chosen": _spot(shown_ids, view.cut),
        "top": 0.0 if view.is_asking else float(cuts.score.max(initial=0.0)),
        "candidates": sum(span.stop - span.start for span in spans),
        "cuts": axis_frames,
    }


def shown_projection(data: Dataset, view: StageView) -> int | None:
    """Number of the projection on no axis whose candidates are shown, or None.

    It is the projection of the candidate looked at, else the one with the best candidate; but not
    the latter while a split is asked for: it would tell how good a candidate is. None in a strip.
    """
    cuts = view.cuts
    if len(data.features) < 2:
        return None
    has_form = [family_of(projection).form is not None for projection in cuts.projections]
    drawable = np.flatnonzero(has_form).tolist()
    if view.cut is not None and int(cuts.line[view.cut]) in drawable:
        return int(cuts.line[view.cut])
    score = np.where(cuts.admissible & np.isin(cuts.line, drawable), cuts.score, -np.inf)
    has_best = bool(len(score)) and not view.is_asking and score.max() > -np.inf
    return int(cuts.line[score.argmax()]) if has_best else None


def is_drawn(data: Dataset, cuts: Candidates, cut: int, axes: tuple[int, int]) -> bool:
    """True if a candidate is in the picture: along one of its axes, or over both."""
    projection = cuts.projections[cuts.line[cut]]
    if family_of(projection).form is not None and len(data.features) > 1:
        return bool({*features_of(projection)} & {*axes})
    return cuts.axis(cut) in axes


def _spot(shown_ids: list[Ints], index: int | None) -> Spot | None:
    """Axis and place of a candidate among those shown; None if it is not shown."""
    for axis, cut_ids in enumerate(shown_ids):
        if len(indices := np.flatnonzero(cut_ids == index)):
            return axis, int(indices[0])
    return None


def is_number_threshold(data: Dataset, cuts: Candidates, index: int) -> bool:
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
    n_on_neither_side = len(rows) - left - cuts.n_right[cut_ids]  # without a value
    if cuts.missing_left is not None and not view.has_surrogates:
        missing_left = cuts.missing_left[cut_ids]
        left, n_on_neither_side = (
            left + np.where(missing_left, n_on_neither_side, 0),
            np.zeros_like(n_on_neither_side),
        )
    is_subset = cuts.scattered[cut_ids] > 0
    positions = cut_positions(cuts, cut_ids, not view.is_asking)
    positions[np.isinf(positions)] = gutter_end
    lower = np.where(is_subset, -np.inf, cuts.lower[cut_ids])
    upper = np.where(is_subset, np.inf, cuts.upper[cut_ids])
    scores, top = CutQuality(), 0.0 if cuts.best is None else float(cuts.score[cuts.best])
    flags = ADMISSIBLE * cuts.admissible[cut_ids] + TURNED * cuts.turned[cut_ids]
    flags = flags + ALONE * cuts.alone[cut_ids] + MISSING_LEFT * missing_left
    if not view.is_asking:
        flags = flags + BOUNDARY * cuts.boundary[cut_ids] + TIED * cuts.tied[cut_ids]
        scores = {
            "score": rounded_values(cuts.score[cut_ids]),
            "share": rounded_values(100 * cuts.score[cut_ids] / top, 3)
            if top
            else np.zeros(len(cut_ids)),
            "impurity_left": rounded_values(cuts.impurity_left[cut_ids]),
            "impurity_right": rounded_values(cuts.impurity_right[cut_ids]),
        }
    bands = OptionalBands()
    if cuts.bands is not None and not view.is_asking and len(cut_ids):
        line = int(cuts.line[cut_ids[0]])
        bands = {"bands": _bands_frame(cuts.bands.of_line(line))}
    sides = OptionalStatistics()
    if len(stage.row_ids) < data.n and data.costs is None:
        sides = statistics_frame(data, rows, cuts, cut_ids, view.has_surrogates)
    threshold, texts = parsed_thresholds(positions, lower, upper)
    is_plain = len(cut_ids) > 0 and is_number_threshold(data, cuts, int(cut_ids[0]))
    has_texts = len(cut_ids) > 0 and not (is_plain and _are_written_alike(texts.values()))
    return {
        "index": cut_ids.astype(np.int32),
        "threshold": threshold,
        "rule": candidate_texts(data, cuts, cut_ids, SYMBOL_WORDS) if has_texts else [],
        "left": left.astype(np.int32),
        "flags": flags.astype(np.uint8),
        "scattered": cuts.scattered[cut_ids if is_subset.any() else cut_ids[:0]].astype(np.int32),
        "surrogate_rows": int(n_on_neither_side.max(initial=0)),
        **scores,
        **sides,
        **bands,
        **_branches_frame(data, rows, view, cut_ids),
    }


def _bands_frame(bands: Bands) -> CutBands:
    """Bands of a projection inside which no cut was counted, as the browser reads them."""
    return {
        "lower": bands.lower,
        "upper": bands.upper,
        "rows": bands.n.astype(np.int32),
        "least": rounded_values(bands.least),
        "most": rounded_values(bands.most),
    }


def _are_written_alike(texts: Iterable[str]) -> bool:
    """True if the browser writes the numbers of these texts as the texts do."""
    return all(number(float(text), DIGITS) == text for text in texts)


def cut_positions(cuts: Candidates, cut_ids: Ints, by_score: bool = True) -> Floats:
    """Positions of candidates along their projection, (k,): their thresholds.

    A multi-way cut stands in the middle of its values. Subsets outside the category order stand in
    the band behind the cut of as many values, the highest scores first; unless `by_score`, in the
    order of `cut_ids`.
    """
    positions = cuts.threshold[cut_ids].copy()
    for line, branches in cuts.branches.items():
        positions[cuts.line[cut_ids] == line] = (len(branches.n) - 1) / 2
    subset_ids = np.flatnonzero(cuts.scattered[cut_ids])
    score = cuts.score[cut_ids[subset_ids]] if by_score else np.zeros(len(subset_ids))
    order = subset_ids[np.lexsort((-score, positions[subset_ids]))]
    _, first, n_equal = np.unique(positions[order], return_index=True, return_counts=True)
    rank = np.arange(len(order)) - first.repeat(n_equal)
    positions[order] += (rank + 1) / (n_equal + 1).repeat(n_equal)
    return np.asarray(positions)


def shown_cuts(
    cuts: Candidates,
    span: slice,
    chosen: int | None,
    max_cuts: int,
    by_score: bool = True,
    of_table: bool = False,
) -> Ints:
    """Candidates of a projection that are drawn: all, or the highest of each of `max_cuts` parts.

    The parts have equally many candidates; of a table, equally many rows. The best and the chosen
    one are always drawn. Unless `by_score`, the first of each part is drawn, so that nothing shows
    where the high scores are. Subsets outside the category order are last, by their positions.
    """
    cut_ids = np.arange(span.start, span.stop)
    if cuts.scattered[cut_ids].any():
        positions = cut_positions(cuts, cut_ids, by_score)
        cut_ids = cut_ids[np.lexsort((positions, cuts.scattered[cut_ids] > 0))]
    if len(cut_ids) <= max_cuts:
        return cut_ids
    ends = np.linspace(0, len(cut_ids), max_cuts + 1).astype(int)
    if of_table:  # its candidates are dense where bins were opened
        n_left = np.maximum.accumulate(cuts.n_left[cut_ids]).astype(np.float64)
        part = (n_left - n_left[0]) * max_cuts // (n_left[-1] - n_left[0] + 1)
        ends = np.append(np.flatnonzero(np.diff(part, prepend=-1)), len(cut_ids))
    if not by_score:
        return np.asarray(cut_ids[ends[:-1]])
    score = cuts.score[cut_ids]
    high = np.flatnonzero(score == np.maximum.reduceat(score, ends[:-1]).repeat(np.diff(ends)))
    tops = high[np.searchsorted(high, ends[:-1])]  # the first of each part
    extra = [i for i in (chosen, cuts.best) if i is not None and span.start <= i < span.stop]
    return np.unique(np.concatenate([cut_ids[tops], np.array(extra, int)]))


Slice = tuple[tuple[int, float], ...]
"""Features that the user pinned, with their values."""
MAX_NEARNESS = 7
"""Nearness of a row in the slice; that of a row far from the slice is 0."""
NEARNESS_NOTE = "Paler points lie farther from the slice."
MAX_SAFE_VALUE = 2.0**1022  # the difference of two numbers beyond it can overflow
MAX_PINNABLE_VALUES = 61
"""Values at which a numeric feature can be pinned, at most."""


def pinned_values(data: Dataset, pins: Slice = ()) -> NDArray[np.float64]:
    """Values at which the features are pinned, (M,): by the user, else their middle values."""
    slice_values = np.array(
        [_middle_value(data, feature, column) for feature, column in enumerate(data.columns)]
    )
    for feature, value in pins:
        slice_values[feature] = value
    return slice_values


def pinnable_features(data: Dataset, tree: Tree, axes: tuple[int, int]) -> list[int]:
    """Features on no axis on which the tree's predictions depend, so that pinning them matters."""
    features = {f for split in tree.splits.values() for f in features_of(split.projection)}
    if tree.leaf_model.linear_score is not None:
        features |= {*regressors(data).tolist()}
    return sorted(features - {*axes})


def nearness(stage: StageContext, tree: Tree) -> NDArray[np.uint8] | None:
    """Nearness of each row to the slice at the pinned values, (n,); None without features to pin.

    The squared distance of a row from the slice is a mean over the features that can be pinned, in
    standard deviations: see `_squared_distances`.
    """
    features = pinnable_features(stage.data, tree, stage.axes)
    if not features:
        return None
    by_feature = [_squared_distances(stage.data, f, float(stage.pinned[f])) for f in features]
    squared = np.mean(by_feature, axis=0)
    return np.asarray((MAX_NEARNESS * np.exp(-squared / 2)).round().astype(np.uint8))


def _squared_distances(data: Dataset, feature: int, center: float) -> NDArray[np.float64]:
    """Squared distances of the rows from a value of a feature, in standard deviations, (n,).

    1 for another category and for a missing value.
    """
    column = data.columns[feature]
    has_value = ~np.isnan(column)
    squared = np.ones(len(column))
    if data.levels[feature]:
        squared[has_value] = column[has_value] != center
        return squared
    present = column[has_value]
    if np.abs(present).max(initial=abs(center)) > MAX_SAFE_VALUE:
        present, center = (
            present / 2,
            center / 2,
        )  # halving both keeps the distance in standard deviations
    distance, offsets = np.abs(present - center), present - present.min(initial=np.inf)
    largest_offset = float(offsets.max(initial=0.0))
    if (
        largest_offset
    ):  # at most a thousand times the range of the values: squares of huge numbers overflow
        distance = np.minimum(distance, 1e3 * largest_offset) / largest_offset
        squared[has_value] = np.square(distance / (offsets / largest_offset).std())
    else:
        squared[has_value] = distance > 0
    return squared


def pinnable_values(data: Dataset, feature: int) -> list[float]:
    """Values at which a feature can be pinned: all that it has, or an even choice of them."""
    column = data.columns[feature]
    values = np.unique(column[~np.isnan(column)])
    if len(values) > MAX_PINNABLE_VALUES and not data.levels[feature]:
        values = values[np.linspace(0, len(values) - 1, MAX_PINNABLE_VALUES).astype(int)]
    return [float(value) for value in values]


def _middle_value(data: Dataset, feature: int, column: NDArray[np.float64]) -> float:
    """Median of the values of a feature, or its commonest category; 0 where all are missing."""
    present = column[~np.isnan(column)] if data.gaps[feature] else column
    if data.levels[feature]:
        return float(np.bincount(present.astype(int), minlength=1).argmax())
    if not len(present):
        return 0.0
    middle_ids = [(len(present) - 1) // 2, len(present) // 2]
    low, high = np.partition(present, middle_ids)[middle_ids]
    return float(midpoint(np.array([low]), np.array([high]))[0])


def pinned_values_at(data: Dataset, tree: Tree, node: int, pins: Slice = ()) -> NDArray[np.float64]:
    """Values at which the features are pinned, (M,), so that the slice meets a node.

    A feature whose value would lead away from the node is pinned at the middle value of the node's
    rows. Only features that the user pinned can keep the slice from the node.
    """
    values, pinned_by_hand = pinned_values(data, pins), {feature for feature, _ in pins}
    for parent, child in pairwise((*ancestors(node), node)):
        split = tree.splits[parent]
        feature = feature_of(split.projection)
        is_left = goes_left(split, values[:, None])[0]
        if (
            feature is not None
            and feature not in pinned_by_hand
            and is_left != (child == 2 * parent)
        ):
            values[feature] = _middle_value(
                data, feature, data.columns[feature][rows_in(tree, node)]
            )
    return values
