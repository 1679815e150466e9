"""Predictions of a number over two features, as a surface of steps among the points."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dtviz.base.text import plotly
from dtviz.data.dataset import Dataset
from dtviz.engine.splits import IsMissing, Subset, axis_of
from dtviz.engine.tree import Tree, apply
from dtviz.explain.words import values_text
from dtviz.pictures.axes import clock_ticks
from dtviz.pictures.charts import band_ticks
from dtviz.pictures.frame_types import FrameAxis
from dtviz.pictures.palette import LIGHT, SCALE, Theme
from dtviz.pictures.stage import scene_axes
from dtviz.pictures.stage_cuts import StageView

MAX_POINTS = 2_000
MAX_EDGES = 150


def surface(data: Dataset, tree: Tree, view: StageView) -> go.Figure:
    """Step surface over the two features on the axes, others pinned, with the rows as points."""
    across, up = scene_axes(data, view.axes)  # no orders of categories: codes are places
    xs, ys = (
        _edges(data, tree, feature, axis)
        for feature, axis in zip(view.axes, (across, up), strict=True)
    )
    scale = [[k / (len(SCALE) - 1), colour] for k, colour in enumerate(SCALE)]
    low, high = float(data.y.min()), float(data.y.max())
    colours = {"colorscale": scale, "cmin": low, "cmax": high}
    steps = go.Surface(
        x=_doubled(xs),
        y=_doubled(ys),
        z=_heights(data, tree, view, xs, ys),
        opacity=0.85,
        showscale=False,
        hovertemplate="f = %{z:.5g}<extra></extra>",
        **colours,
    )
    x_feature, y_feature = view.axes
    rows = np.linspace(0, data.n - 1, min(data.n, MAX_POINTS)).astype(np.intp)
    axis_texts = (values_text(data, f, data.columns[f][rows]) for f in view.axes)
    points = go.Scatter3d(
        x=data.columns[x_feature][rows],
        y=data.columns[y_feature][rows],
        z=data.y[rows],
        mode="markers",
        marker={"size": 3, "color": data.y[rows], "line": {"width": 0.5}, **colours},
        text=[", ".join(map(plotly, pair)) for pair in zip(*axis_texts, strict=True)],
        hovertemplate="%{text}: %{z:.5g}<extra></extra>",
    )
    return go.Figure([steps, points], _layout(data, view, view.theme))


def _edges(data: Dataset, tree: Tree, feature: int, axis: FrameAxis) -> NDArray[np.float64]:
    """Ends of an axis and all thresholds between them, or an even choice of MAX_EDGES.

    A split along no axis is followed by many small steps; a category has its bands.
    """
    low, high = axis["low"], axis["high"]
    if data.levels[feature]:
        return np.arange(-0.5, len(data.levels[feature]))
    axes = {
        axis_of(split.projection)
        for split in tree.splits.values()
        if not isinstance(split.projection, Subset | IsMissing)
    }
    thresholds = {s.threshold for s in tree.splits.values() if axis_of(s.projection) == feature}
    if None in axes:
        shares = np.linspace(0, 1, MAX_EDGES)
        thresholds |= set(((1 - shares) * low + shares * high).tolist())
    edges = np.array([low, *sorted(t for t in thresholds if low < t < high), high])
    if len(edges) <= MAX_EDGES:
        return edges
    return np.asarray(edges[np.linspace(0, len(edges) - 1, MAX_EDGES).astype(np.intp)])


def _doubled(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each inner edge twice, so that the surface has upright steps."""
    return np.repeat(edges, 2)[1:-1]


def _heights(
    data: Dataset, tree: Tree, view: StageView, xs: NDArray[np.float64], ys: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Predictions at the corners of all cells, (2 len(ys) - 2, 2 len(xs) - 2)."""
    corner_columns = _columns(data, view, _doubled(xs), _doubled(ys))
    # the right and the upper end of a cell are inside it
    cell_columns = _columns(data, view, np.repeat(xs[1:], 2), np.repeat(ys[1:], 2))
    _, leaf_places = apply(tree, cell_columns)
    params = tree.params.take(leaf_places, axis=0)
    heights = tree.leaf_model.predict(params, corner_columns, np.arange(len(leaf_places)))
    return np.asarray(heights.reshape(2 * len(ys) - 2, -1))


def _columns(
    data: Dataset, view: StageView, xs: NDArray[np.float64], ys: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Columns of the points of a grid, row by row, other features pinned: (M, len(xs) len(ys))."""
    columns = np.repeat(view.pinned[:, None], len(xs) * len(ys), axis=1)
    for feature, positions in zip(
        view.axes, (np.tile(xs, len(ys)), np.repeat(ys, len(xs))), strict=True
    ):
        # the band of a category ends half a place behind its code
        columns[feature] = positions - 0.5 if data.levels[feature] else positions
    return columns


def _layout(data: Dataset, view: StageView, theme: Theme = LIGHT) -> dict[str, Any]:
    """Layout of the chart, its axes in the colours of the page."""
    names = [*(data.features[f] for f in view.axes), data.target]
    levels = [*(data.levels[f] for f in view.axes), ()]
    ladders = [*(axis.get("ladder", ()) for axis in scene_axes(data, view.axes)), ()]
    axes = {
        f"{letter}axis": {"title": {"text": plotly(name)}, "gridcolor": theme.grid}
        | {"backgroundcolor": "rgba(0,0,0,0)", "color": theme.ink}
        | (band_ticks(feature_levels) if feature_levels else clock_ticks(ladder))
        for letter, name, feature_levels, ladder in zip("xyz", names, levels, ladders, strict=True)
    }
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": theme.ink, "size": 12},
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "height": 480,
        "scene": axes | {"aspectmode": "cube"},
        "uirevision": "surface",
    }
