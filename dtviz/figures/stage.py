"""The stage: points, regions and, on the same axes, the gain of every cut.

With two features or more the plane has x1 and x2, the gains of x1 stand above it and those of x2
to its right. With one feature the plane shows x against y (a number) or the classes in lanes, and
the gains lie under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dtviz.data import Dataset
from dtviz.figures.gains import axis_title, gain_traces
from dtviz.figures.palette import LIGHT, SCALE, Theme, class_colour, class_symbol, step_of, tint
from dtviz.search import Candidates
from dtviz.splits import Split, midpoint
from dtviz.text import number, plotly, threshold
from dtviz.tree import Region, Tree, is_below, region, regions

MAX_POINTS = 5_000
MAX_LEGEND = 8
MAX_LANES = 40
LARGEST = float(np.finfo(np.float64).max)
POINT_SIZES = ((60, 10), (600, 7), (2_500, 5), (MAX_POINTS, 3.5))
Trace = dict[str, Any]


@dataclass(frozen=True, slots=True)
class View:
    """What of the tree is shown: the focus, its candidates, the cut looked at, the two axes.

    `slice_at` holds the values at which the features that are on no axis are pinned, shape (M,).
    """

    focus: int
    cuts: Candidates
    cut: int | None
    axes: tuple[int, int] = (0, 1)
    measure: str = "gain"
    unit: str = ""
    theme: Theme = LIGHT
    slice_at: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))


def stage(data: Dataset, tree: Tree, view: View) -> go.Figure:
    """The picture of the tree's regions with the gains of the focus at its margins."""
    traces, layout = (_plane if len(data.features) > 1 else _strip)(data, tree, view)
    return _figure(data, view, traces, layout | {"annotations": _cut_note(data, view)})


def points_only(data: Dataset, tree: Tree, view: View) -> go.Figure:
    """The rows without any cut, on two features or on one beside the target."""
    xs, ys, across, up = _placed(data, view)
    rows = drawn_rows(data)
    traces = _points(data, tree, view, rows, xs[rows], ys[rows])
    return _figure(data, view, traces, {"xaxis": across, "yaxis": up, "height": 400})


def _figure(data: Dataset, view: View, traces: list[Trace], layout: dict[str, Any]) -> go.Figure:
    top = 8 if len(data.features) > 1 else 34
    base = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": view.theme.ink, "size": 13},
        "margin": {"l": 54, "r": 12, "t": top, "b": 46},
        "showlegend": bool(data.classes) and len(data.classes) <= MAX_LEGEND,
        "legend": {"orientation": "h", "y": 1.0, "x": 1.0, "xanchor": "right", "yanchor": "bottom"},
        "hovermode": "closest",
        "dragmode": False,
        "uirevision": "stage",
    }
    return go.Figure({"data": traces, "layout": base | layout})


def _placed(
    data: Dataset, view: View
) -> tuple[NDArray[np.float64], NDArray[np.float64], dict[str, Any], dict[str, Any]]:
    """Where each row stands, and the two axes it is measured on."""
    theme = view.theme
    if len(data.features) > 1:
        a, b = view.axes
        xs, ys = data.columns[a], data.columns[b]
        return xs, ys, _axis(data, a, _span(xs), theme), _axis(data, b, _span(ys), theme)
    xs = data.columns[0]
    ys = _lanes(data) if data.classes else np.asarray(data.y, dtype=np.float64)
    span = (-0.5, len(data.classes) - 0.5) if data.classes else _span(ys)
    up = _plain_axis(theme, span) | {"title": axis_title(plotly(data.target), theme)}
    if data.classes:
        names = [plotly(name) for name in data.class_names][:MAX_LANES]
        up |= {"tickvals": list(range(len(names))), "ticktext": names}
    return xs, ys, _axis(data, 0, _span(xs), theme), up


def pinned(data: Dataset) -> NDArray[np.float64]:
    """Where the features that are on no axis are pinned: at their medians."""
    columns, half = np.sort(data.columns, axis=1), data.n // 2
    return midpoint(columns[:, (data.n - 1) // 2], columns[:, half])


def drawn_rows(data: Dataset) -> NDArray[np.intp]:
    """The rows that are drawn: all, or an even choice of MAX_POINTS of them."""
    if data.n <= MAX_POINTS:
        return np.arange(data.n)
    return np.linspace(0, data.n - 1, MAX_POINTS).astype(np.intp)


def _plane(data: Dataset, tree: Tree, view: View) -> tuple[list[Trace], dict[str, Any]]:
    """Two features: the gains of x1 above the plane, those of x2 right of it."""
    xs, ys, across, up = _placed(data, view)
    traces = _scene(data, tree, view, xs, ys, (across["range"], up["range"]))
    traces += gain_traces(view.cuts, view.axes[0], view.cut, view.theme, x="x", y="y2")
    traces += gain_traces(view.cuts, view.axes[1], view.cut, view.theme, x="x2", y="y", turned=True)
    gain = _gain_axis(view)
    layout = {
        "xaxis": across | {"domain": [0, 0.8], "anchor": "y"},
        "yaxis": up | {"domain": [0, 0.76], "anchor": "x"},
        "yaxis2": gain | {"domain": [0.81, 1], "anchor": "x"},
        "xaxis2": gain | {"domain": [0.83, 1], "anchor": "y"},
    }
    return traces, layout


def _strip(data: Dataset, tree: Tree, view: View) -> tuple[list[Trace], dict[str, Any]]:
    """One feature: classes in lanes or the number as height; the gains under it."""
    xs, ys, across, up = _placed(data, view)
    traces = _scene(data, tree, view, xs, ys, (across["range"], up["range"]))
    traces += gain_traces(view.cuts, 0, view.cut, view.theme, x="x", y="y2")
    layout = {
        "xaxis": across | {"anchor": "y2"},
        "yaxis": up | {"domain": [0.36, 1], "anchor": "x"},
        "yaxis2": _gain_axis(view) | {"domain": [0, 0.3], "anchor": "x"},
    }
    return traces, layout


def _scene(
    data: Dataset,
    tree: Tree,
    view: View,
    xs: NDArray[np.float64],
    ys: NDArray[np.float64],
    box: tuple[list[float], list[float]],
) -> list[Trace]:
    """Regions, points, focus and the cut looked at, from back to front."""
    rows = drawn_rows(data)
    flat = len(data.features) == 1 and not data.classes
    traces = [] if flat else _rectangles(data, tree, view, box)
    traces += _points(data, tree, view, rows, xs[rows], ys[rows])
    if flat:
        traces += _step_function(data, tree, box[0])
    return traces + _focus_outline(data, tree, view, box) + _chosen_line(data, tree, view, box)


def _gain_axis(view: View) -> dict[str, Any]:
    title = f"{view.measure} ({view.unit})" if view.unit else view.measure
    top = _top_gain(view.cuts)
    return {
        "range": [-0.03 * top, 1.12 * top],
        "showgrid": False,
        "zeroline": False,
        "nticks": 3,
        "title": axis_title(title, view.theme),
    }


def _points(
    data: Dataset,
    tree: Tree,
    view: View,
    rows: NDArray[np.intp],
    xs: NDArray[np.float64],
    ys: NDArray[np.float64],
) -> list[Trace]:
    """One trace a class, rows outside the focus faded; for a number one trace on a scale."""
    inside = np.zeros(data.n, np.bool_)
    for leaf, members in tree.rows.items():
        if is_below(leaf, view.focus):
            inside[members] = True
    opacity = np.where(inside[rows], 0.9, 0.16 if data.classes else 0.35)
    size = next(size for most, size in POINT_SIZES if len(rows) <= most)
    line = {"width": 0.6, "color": view.theme.paper}
    if not data.classes:
        low, high = float(data.y.min()), float(data.y.max())
        scale = [[k / (len(SCALE) - 1), colour] for k, colour in enumerate(SCALE)]
        bar = {"thickness": 10, "len": 0.5, "y": 0.3, "outlinewidth": 0, "nticks": 4}
        marker = {"color": data.y[rows], "colorscale": scale, "cmin": low, "cmax": high}
        marker |= {"size": size, "opacity": opacity, "line": line}
        if len(data.features) > 1:
            marker |= {"showscale": True, "colorbar": bar | {"title": plotly(data.target)}}
        hover = "%{x:.5g}, %{y:.5g}<extra></extra>"
        return [_scatter(xs, ys, mode="markers", marker=marker, hovertemplate=hover)]
    traces = []
    codes = data.y[rows]
    for k, name in enumerate(data.class_names):
        mine = codes == k
        shape = {"color": class_colour(k), "symbol": class_symbol(k), "size": size, "line": line}
        marker = shape | {"opacity": opacity[mine]}
        hover = f"{plotly(name)}<br>%{{x:.5g}}, %{{y:.5g}}<extra></extra>"
        points = _scatter(xs[mine], ys[mine], mode="markers", marker=marker, hovertemplate=hover)
        traces.append(points)
        if len(data.classes) <= MAX_LEGEND:
            key = _scatter([None], [None], mode="markers", marker=shape | {"size": 9})
            traces.append(key | {"name": plotly(name), "showlegend": True})
    return traces


def _rectangles(data: Dataset, tree: Tree, view: View, box: Any) -> list[Trace]:
    """The regions in the plane, one filled trace a colour."""
    groups: dict[str, list[Region]] = {}
    for area in regions(data, tree):
        if not _in_slice(data, view, area):
            continue
        groups.setdefault(_fill(data, area), []).append(area)
    traces = []
    for colour, areas in groups.items():
        xs: list[float] = []
        ys: list[float] = []
        for area in areas:
            left, right, bottom, top = _corners(data, view, area, box)
            if left < right and bottom < top:
                xs += [left, right, right, left, left, np.nan]
                ys += [bottom, bottom, top, top, bottom, np.nan]
        alpha = 0.24 if view.theme.dark else 0.15
        alpha = alpha if data.classes else 0.45
        line = {"width": 1, "color": tint(view.theme.muted, 0.55)}
        traces.append(
            _scatter(
                np.array(xs), np.array(ys), mode="lines", fill="toself", hoverinfo="skip", line=line
            )
            | {"fillcolor": tint(colour, alpha)}
        )
    return traces


def _fill(data: Dataset, area: Region) -> str:
    if data.classes:
        return class_colour(int(area.value))
    return SCALE[step_of(area.value, float(data.y.min()), float(data.y.max()))]


def _in_slice(data: Dataset, view: View, area: Region) -> bool:
    """Whether a region meets the plane: it holds where the other features are pinned."""
    others = [f for f in range(len(view.slice_at)) if f not in view.axes[: len(data.features)]]
    return all(area.lower[f] < view.slice_at[f] <= area.upper[f] for f in others)


def _corners(data: Dataset, view: View, area: Region, box: Any) -> tuple[float, ...]:
    """Left, right, bottom, top of a region, cut to the box."""
    a = view.axes[0] if len(data.features) > 1 else 0
    (x0, x1), (y0, y1) = box
    left, right = max(area.lower[a], x0), min(area.upper[a], x1)
    if len(data.features) == 1:
        return left, right, y0, y1
    b = view.axes[1]
    return left, right, max(area.lower[b], y0), min(area.upper[b], y1)


def _focus_outline(data: Dataset, tree: Tree, view: View, box: Any) -> list[Trace]:
    area = region(data, tree, view.focus)
    left, right, bottom, top = _corners(data, view, area, box)
    xs, ys = [left, right, right, left, left], [bottom, bottom, top, top, bottom]
    line = {"width": 2, "color": view.theme.accent}
    return [_scatter(xs, ys, mode="lines", hoverinfo="skip", line=line)]


def _chosen_line(data: Dataset, tree: Tree, view: View, box: Any) -> list[Trace]:
    """The cut looked at, through the focus, dashed, with its rule beside it."""
    if view.cut is None:
        return []
    split = view.cuts.split(view.cut)
    left, right, bottom, top = _corners(data, view, region(data, tree, view.focus), box)
    shown_axes = view.axes if len(data.features) > 1 else (0,)
    if split.feature not in shown_axes:
        return []
    t = split.threshold
    upright = split.feature == shown_axes[0]
    xs, ys = ([t, t], [bottom, top]) if upright else ([left, right], [t, t])
    line = {"width": 2.5, "color": view.theme.accent, "dash": "dash"}
    return [_scatter(xs, ys, mode="lines", hoverinfo="skip", line=line)]


def _cut_note(data: Dataset, view: View) -> list[dict[str, Any]]:
    """The rule of the cut looked at, beside its line at the edge of the plane."""
    if view.cut is None:
        return []
    split = view.cuts.split(view.cut)
    shown_axes = view.axes if len(data.features) > 1 else (0,)
    if split.feature not in shown_axes:
        return []
    place: dict[str, Any] = {"x": split.threshold, "xref": "x", "y": 1, "yref": "y domain"}
    place |= {"yanchor": "bottom", "xanchor": "center"}
    name, label = plotly(data.features[split.feature]), f"≤ {_limit(view, split)}"
    if split.feature == shown_axes[0]:
        label = f"{name} {label}"
    else:
        place = {"x": 0, "xref": "x2 domain", "y": split.threshold, "yref": "y"}
        place |= {"xanchor": "left", "yanchor": "bottom"}
    return [
        place
        | {
            "text": f"<b>{label}</b>",
            "showarrow": False,
            "font": {"color": view.theme.accent, "size": 13},
            "bgcolor": tint(view.theme.paper, 0.85),
            "borderpad": 2,
        }
    ]


def _limit(view: View, split: Split) -> str:
    """The threshold of the cut looked at, as short as its gap allows."""
    at = view.cut or 0
    return threshold(split.threshold, float(view.cuts.lower[at]), float(view.cuts.upper[at]))


def _step_function(data: Dataset, tree: Tree, span: Sequence[float]) -> list[Trace]:
    """f(x), the mean of each region, as a step line."""
    xs: list[float] = []
    ys: list[float] = []
    for area in regions(data, tree):
        xs += [max(area.lower[0], span[0]), min(area.upper[0], span[1])]
        ys += [area.value, area.value]
    line = {"width": 3, "color": class_colour(5)}
    return [_scatter(xs, ys, mode="lines", line=line, hovertemplate="f = %{y:.5g}<extra></extra>")]


def _lanes(data: Dataset) -> NDArray[np.float64]:
    """The class of each row as a height, spread a little so that equal rows stay visible."""
    golden = (np.arange(data.n) * 0.6180339887) % 1
    return np.asarray(data.y + (golden - 0.5) * 0.5, dtype=np.float64)


def _span(values: NDArray[Any]) -> list[float]:
    """The range that is drawn: the data with a margin, never empty."""
    low, high = float(np.min(values)), float(np.max(values))
    margin = 0.05 * high - 0.05 * low if low < high else max(abs(low) * 0.05, 0.5)
    return [max(low - margin, -LARGEST), min(high + margin, LARGEST)]


def _axis(data: Dataset, feature: int, span: Sequence[float], theme: Theme) -> dict[str, Any]:
    return _plain_axis(theme, span) | {"title": axis_title(plotly(data.features[feature]), theme)}


def _plain_axis(theme: Theme, span: Sequence[float]) -> dict[str, Any]:
    return {
        "range": list(span),
        "gridcolor": theme.grid,
        "zeroline": False,
        "nticks": 8,
        "linecolor": theme.muted,
    }


def _top_gain(cuts: Candidates) -> float:
    top = float(cuts.score.max(initial=0.0))
    return top if top > 0 else 1.0


def _scatter(xs: Any, ys: Any, **rest: Any) -> Trace:
    return {"type": "scatter", "x": xs, "y": ys, "showlegend": False, **rest}


def caption(data: Dataset, axes: tuple[int, int]) -> str:
    """What must be said under the picture: pinned features, and points left out of the drawing."""
    parts = []
    others = [f for f in range(len(data.features)) if f not in axes]
    if others and len(data.features) > 1:
        at = pinned(data)
        some = ", ".join(f"{data.features[f]} = {number(float(at[f]))}" for f in others[:4])
        more = f" and {len(others) - 4} more" if len(others) > 4 else ""
        parts.append(f"Rectangles: the slice at the medians of the others ({some}{more}).")
    if data.n > MAX_POINTS:
        parts.append(f"{MAX_POINTS:,} of {data.n:,} points are drawn; every row counts.")
    return " ".join(parts)
