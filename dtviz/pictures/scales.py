"""Axes of features and targets, and the colours and marker shapes of all pictures.

The order of a category lists its codes as they are drawn, from left to right or upwards: as the
cuts of the node in focus order them. The place of a code is its index in the order; its band
reaches half a place to both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Ints
from dtviz.base.text import clean
from dtviz.data.categories import category_text
from dtviz.data.dataset import Dataset
from dtviz.data.units import PLAIN, Quantity, kind_of
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import CutPart, Split, Subset, axis_of
from dtviz.explain.dot import PALETTE
from dtviz.explain.words import feature_title
from dtviz.pictures.frame_types import ClassLook, Colours, FrameAxis, Rung

BandOrders = Mapping[int, tuple[int, ...]]
"""Order of each categorical feature, by feature; without one the codes ascend."""
AS_LEVELS: BandOrders = MappingProxyType({})
"""No order: the codes of each category ascend."""
JITTER_SHARE = 0.5
"""Share of a band over which its rows are jittered."""
GOLDEN, PLASTIC = 0.6180339887, 0.7548776662
"""Steps of the jitter, up and across: with equal steps the points would stand in a line."""


def orders_of_cuts(data: Dataset, cuts: Candidates, index: int | None = None) -> BandOrders:
    """Order of each category: as a node's cuts have it, then the values without rows in the node.

    Of several orders of a category it is that of the cuts shown, see `Candidates.along`. Values
    without rows stand by their mean target, so that regions of other nodes have few parts.
    """
    node_orders = {axis_of(cuts.projections[line]): order for line, order in cuts.orders.items()}
    orders = {}
    for feature, levels in enumerate(data.levels):
        if levels:
            shown_lines = cuts.line[cuts.along(feature, index)][:1].tolist()
            first = next(map(cuts.orders.get, shown_lines), None) or node_orders.get(feature, ())
            others = [code for code in range(len(levels)) if code not in first]
            orders[feature] = (*first, *(_by_mean(data, feature, others) if others else ()))
    return orders


def orders_of_tree(data: Dataset, splits: Mapping[int, Split]) -> BandOrders:
    """Order of each category where no node is in focus: as a tree first divides its values.

    The side with the value of the lowest mean target comes first; each side is ordered by the mean
    targets of its values.
    """
    left_codes: dict[int, tuple[int, ...]] = {}
    for node in sorted(splits):
        projection = splits[node].projection
        if isinstance(projection, Subset | CutPart):
            left_codes.setdefault(projection.feature, projection.left_codes)
    orders = {}
    for feature in np.flatnonzero([*map(bool, data.levels)]).tolist():
        order, left = (
            _by_mean(data, feature, range(len(data.levels[feature]))),
            left_codes.get(feature),
        )
        first = [code for code in order if not left or (code in left) == (order[0] in left)]
        orders[feature] = (*first, *(code for code in order if code not in first))
    return orders


def _by_mean(data: Dataset, feature: int, codes: Iterable[int]) -> list[int]:
    """Sort codes by the mean target of their rows; the target of a class is its code."""
    column, n_codes = data.columns[feature], len(data.levels[feature])
    has_value = ~np.isnan(column)
    row_codes = column[has_value].astype(int)
    rows = np.maximum(np.bincount(row_codes, minlength=n_codes), 1)
    means = np.bincount(row_codes, data.y[has_value], n_codes) / rows
    return sorted(codes, key=lambda code: float(means[code]))


def order_of(data: Dataset, feature: int, orders: BandOrders) -> tuple[int, ...]:
    """Order of one category."""
    return orders.get(feature) or tuple(range(len(data.levels[feature])))


def places_of(order: tuple[int, ...]) -> Ints:
    """Place of each code of an order."""
    return np.argsort(order)


def names_of(data: Dataset, feature: int, orders: BandOrders) -> list[str]:
    """Values of a category in their order."""
    return [category_text(data.levels[feature][code]) for code in order_of(data, feature, orders)]


def jitter(values: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Move whole numbers a little to both sides, so that the points of equal rows stay visible.

    Offsets are the multiples of `step` modulo 1: they fill a band evenly, and the same each time.
    """
    offsets = (np.arange(len(values)) * step) % 1
    return np.asarray(values + (offsets - 0.5) * JITTER_SHARE, dtype=np.float64)


MAX_INTEGER_STEPS = 40
"""Steps along an axis of whole numbers whose rows are spread: of more, no step has room for it."""
MAX_INTEGER_RANGE = 10_000
"""Range of whole numbers whose rows are spread."""
SPREAD_SHARE = 0.3
"""Share of a step by which a point is moved at most: no threshold midway between two values is
nearer than half a step to any value."""

EDGE_SHARE = 1.5
"""Margin at the ends of an axis whose points are moved, as a share of how far."""


def integer_spread(values: NDArray[np.float64]) -> float:
    """Distance by which the points of these values may be moved along their axis, else 0.

    It is above 0 for few different whole numbers, some of which are there more than once. Their
    step is the greatest that all of them are multiples of, counted from the least.
    """
    present = values[~np.isnan(values)]
    if not len(present) or np.any(present[:100] != np.rint(present[:100])):
        return 0.0
    low, high = float(present.min()), float(present.max())
    if not 0 < high / 2 - low / 2 <= MAX_INTEGER_RANGE / 2 or np.any(present != np.rint(present)):
        return 0.0
    counts = np.bincount((present - low).astype(int))
    step = int(np.gcd.reduce(np.flatnonzero(counts)))
    is_spread = counts.max() > 1 and (high - low) / step <= MAX_INTEGER_STEPS
    return SPREAD_SHARE * step if is_spread else 0.0


MAX_TICKS = 5  # under a chart as wide as half a page


def with_clock(axis: FrameAxis, quantity: Quantity) -> FrameAxis:
    """Add the quantity of a feature and its ticks to the axis, unless it is plain numbers."""
    if quantity == PLAIN:
        return axis
    axis["clock"] = {"kind": quantity.kind, "unit": quantity.unit, "aware": quantity.has_offset}
    if quantity.rank_names:  # all ranks are on the axis, also those that no row has
        axis["clock"]["names"] = [*map(category_text, quantity.rank_names)]
        axis["low"], axis["high"] = -0.5, len(quantity.rank_names) - 0.5
    axis["ladder"] = ladder_of(quantity, axis["low"], axis["high"])
    return axis


def ladder_of(quantity: Quantity, low: float, high: float) -> list[Rung]:
    """Ticks from low to high at each round step, the widest step first."""
    rungs = kind_of(quantity).ticks(low, high, quantity)
    return [{"value": np.array(values), "text": texts} for values, texts in rungs]


def clock_ticks(ladder: Sequence[Rung]) -> dict[str, Any]:
    """Ticks of a plotly axis: the narrowest step with at most MAX_TICKS; {} for plain numbers."""
    if not ladder:
        return {}
    sparse = [rung for rung in ladder if len(rung["text"]) <= MAX_TICKS] or ladder[:1]
    return {"tickmode": "array", "tickvals": sparse[-1]["value"], "ticktext": sparse[-1]["text"]}


MAX_POINTS = 20_000
"""Rows that are drawn."""
MAX_LANES = 40
"""Classes that are named on an axis."""
MAX_FLOAT = float(np.finfo(np.float64).max)
GUTTER_SHARE = 0.1
"""Width of the gutter of a number's axis, as a share of the rest of the axis."""


def with_gutter(data: Dataset, feature: int, axis: FrameAxis) -> FrameAxis:
    """Add a gutter to the axis of a feature where some row has no value."""
    if not data.gaps[feature]:
        return axis
    low, high = axis["low"], axis["high"]
    # halves first: `high - low` may overflow, and so may the end of the gutter
    width = 1.0 if "lanes" in axis else GUTTER_SHARE * (high / 2 - low / 2) * 2
    if not np.isfinite(low - width):
        width = MAX_FLOAT + low
    return {**axis, "low": float(low - width), "gutter": float(low)}


def scene_axes(
    data: Dataset, axes: tuple[int, int], orders: BandOrders = AS_LEVELS
) -> tuple[FrameAxis, FrameAxis]:
    """Axis across and axis up, without gutters; of a single feature the target is up."""
    if len(data.features) > 1:
        across_feature, up_feature = axes
        return _feature_axis(data, across_feature, orders), _feature_axis(data, up_feature, orders)
    across = _feature_axis(data, 0, orders)
    if not data.classes:
        return across, _number_axis(data.target, data.y)
    lanes, high = list(data.class_names[:MAX_LANES]), len(data.classes) - 0.5
    return across, {"name": clean(data.target), "low": -0.5, "high": high, "lanes": lanes}


def _feature_axis(data: Dataset, feature: int, orders: BandOrders) -> FrameAxis:
    """Axis of a feature; a category has a band for each value."""
    if not data.levels[feature]:
        plain = _number_axis(feature_title(data, feature), data.columns[feature])
        if spread := integer_spread(data.columns[feature, drawn_rows(data)]):
            least, greatest = np.nanmin(data.columns[feature]), np.nanmax(data.columns[feature])
            plain |= {
                "low": min(plain["low"], float(least) - EDGE_SHARE * spread),
                "high": max(plain["high"], float(greatest) + EDGE_SHARE * spread),
                "spread": spread,
            }
        return with_clock(plain, data.quantities[feature])
    lanes = names_of(data, feature, orders)
    axis: FrameAxis = {
        "name": clean(data.features[feature]),
        "low": -0.5,
        "high": len(lanes) - 0.5,
        "lanes": lanes,
    }
    if feature in orders:
        axis["places"] = places_of(orders[feature]).astype(np.int32)
    return axis


def _number_axis(name: str, values: NDArray[Any]) -> FrameAxis:
    """Axis of plain numbers."""
    low, high = value_range(values)
    return {"name": clean(name), "low": low, "high": high}


def value_range(values: NDArray[Any]) -> tuple[float, float]:
    """Range that is drawn: the range of the values with a margin, never empty."""
    present = values[~np.isnan(values)]
    low, high = (float(present.min()), float(present.max())) if len(present) else (0.0, 1.0)
    # not 0.05 * (high - low), which may overflow
    margin = 0.05 * high - 0.05 * low if low < high else max(abs(low) * 0.05, 0.5)
    return max(low - margin, -MAX_FLOAT), min(high + margin, MAX_FLOAT)


def drawn_rows(data: Dataset) -> Ints:
    """Ids of the rows that are drawn: all, or an even choice of MAX_POINTS of them."""
    if data.n <= MAX_POINTS:
        return np.arange(data.n)
    return np.linspace(0, data.n - 1, MAX_POINTS).astype(int)


SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "triangle-down",
    "x",
    "star",
    "pentagon",
    "hexagon",
    "bowtie",
)
"""Marker shapes of the classes, by their plotly names."""
SCALE = (
    "#00224e", "#0b2f6a", "#29406c", "#43506c", "#565c6c", "#68696f", "#797874", "#8a8678",
    "#9c9577", "#afa473", "#c2b46c", "#d6c562", "#e9d553", "#fde737",
)  # fmt: skip
"""Colours of numbers, low to high: Cividis in 14 steps, which colour-blind people can read."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of the page that a picture stands on.

    >>> LIGHT.paper, DARK.dark
    ('#ffffff', True)
    """

    ink: str  # text and lines
    paper: str  # background
    muted: str  # less important text and lines
    grid: str  # grid lines
    accent: str  # node, cut or mark that is looked at
    dark: bool = False  # True for light text on a dark page


LIGHT = Theme("#111418", "#ffffff", "#5b6570", "#e3e7eb", "#00588a")
DARK = Theme("#f2f4f6", "#0e1117", "#a3adb8", "#2b313a", "#6fc3f7", dark=True)


def colours_of(theme: Theme) -> Colours:
    """Colours of the page as frames have them."""
    return {
        "ink": theme.ink,
        "paper": theme.paper,
        "muted": theme.muted,
        "grid": theme.grid,
        "accent": theme.accent,
        "dark": theme.dark,
    }


def class_look(index: int, name: str) -> ClassLook:
    """Name, colour and marker shape of a class, as frames have them."""
    return name, class_colour(index), class_symbol(index)


def class_colour(index: int) -> str:
    """Colour of a class."""
    return PALETTE[index % len(PALETTE)]


def class_symbol(index: int) -> str:
    """Marker shape of a class; shape and colour together tell 88 classes apart."""
    return SYMBOLS[index % len(SYMBOLS)]


def tint(colour: str, alpha: float) -> str:
    """Hexadecimal colour with an opacity `alpha`, as CSS text."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def colour_codes(data: Dataset, values: NDArray[Any]) -> NDArray[np.int32]:
    """Code of each class, or the step of each number on SCALE, which reaches over all targets."""
    if data.classes:
        return values.astype(np.int32)
    low, high = float(data.y.min()), float(data.y.max())
    return np.array([step_of(value, low, high) for value in values.tolist()], np.int32)


def step_of(value: float, low: float, high: float) -> int:
    """Step of a number on SCALE, which reaches from `low` to `high`."""
    share = (value - low) / (high - low) if high > low else 0.5
    return max(0, min(int(share * len(SCALE)), len(SCALE) - 1))
