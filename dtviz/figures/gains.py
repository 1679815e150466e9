"""The gain of every cut: best starred, ties ringed, forbidden hollow, no boundary faint."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dtviz.data import Dataset
from dtviz.figures.palette import LIGHT, Theme, tint
from dtviz.search import Candidates
from dtviz.text import plotly

MAX_CUTS = 1_500
COLUMNS = 2


def gain_traces(
    cuts: Candidates,
    feature: int,
    chosen: int | None,
    theme: Theme,
    x: str,
    y: str,
    turned: bool = False,
) -> list[dict[str, Any]]:
    """The traces of one feature's gains; `turned` draws the gain along x. customdata: cut index."""
    span = cuts.of_feature(feature)
    at = _shown(cuts, np.arange(span.start, span.stop), chosen)
    axes = {"xaxis": x, "yaxis": y, "showlegend": False, "type": "scatter"}
    limits, score = cuts.threshold[at], cuts.score[at]
    first, second = (score, limits) if turned else (limits, score)
    word = "%{y:.6g}: %{x:.4g}" if turned else "%{x:.6g}: %{y:.4g}"
    traces = [
        {
            "x": first,
            "y": second,
            "mode": "lines+markers",
            "line": {"width": 1.2, "color": tint(theme.accent, 0.45)},
            "marker": _markers(cuts, at, theme),
            "customdata": at,
            "hovertemplate": f"≤ {word}<extra></extra>",
        }
        | axes
    ]
    ringed = at[cuts.tied[at] & (cuts.score[at] > 0)]
    if cuts.best is not None:
        ring = {"symbol": "circle-open", "size": 13, "color": theme.accent}
        star = {"symbol": "star", "size": 15, "color": theme.accent}
        traces += _mark(cuts, ringed[ringed != cuts.best], ring, axes, turned)
        traces += _mark(cuts, at[at == cuts.best], star, axes, turned)
    if chosen is not None and chosen != cuts.best and cuts.feature[chosen] == feature:
        diamond = {"symbol": "diamond", "size": 12, "color": theme.accent}
        traces += _mark(cuts, np.array([chosen]), diamond, axes, turned)
    if chosen is not None and cuts.feature[chosen] == feature:
        traces.append(_drop_line(cuts, chosen, theme, axes, turned))
    return traces


def gain_curves(
    data: Dataset,
    cuts: Candidates,
    chosen: int | None = None,
    measure: str = "gain",
    theme: Theme = LIGHT,
) -> go.Figure:
    """One small panel a feature, all on one gain scale."""
    features = list(range(len(data.features)))
    lines = -(-len(features) // COLUMNS)
    traces: list[dict[str, Any]] = []
    top = float(cuts.score.max()) if len(cuts) and cuts.score.max() > 0 else 1.0
    layout: dict[str, Any] = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": theme.ink, "size": 12},
        "margin": {"l": 48, "r": 10, "t": 10, "b": 40},
        "height": 190 * lines + 40,
        "showlegend": False,
        "dragmode": False,
    }
    for f in features:
        key = "" if f == 0 else str(f + 1)
        traces += gain_traces(cuts, f, chosen, theme, x=f"x{key}", y=f"y{key}")
        column, row = f % COLUMNS, f // COLUMNS
        wide = 1 / COLUMNS if len(features) > 1 else 1.0
        left = column * wide + (0.05 if column else 0)
        bottom = 1 - (row + 1) / lines + 0.32 / lines
        layout[f"xaxis{key}"] = {
            "domain": [left, (column + 1) * wide - (0.02 if column == 0 and wide < 1 else 0)],
            "anchor": f"y{key}",
            "title": axis_title(plotly(data.features[f]), theme),
            "gridcolor": theme.grid,
            "zeroline": False,
            "nticks": 6,
        }
        layout[f"yaxis{key}"] = {
            "domain": [bottom, 1 - row / lines],
            "anchor": f"x{key}",
            "range": [0, top * 1.12],
            "gridcolor": theme.grid,
            "nticks": 3,
            "title": axis_title(measure if column == 0 else "", theme),
        }
    return go.Figure({"data": traces, "layout": layout})


def axis_title(text: str, theme: Theme) -> dict[str, Any]:
    """An axis title in the page's ink; `text` is plotly text already."""
    return {"text": text, "font": {"color": theme.ink, "size": 13}, "standoff": 6}


def _shown(cuts: Candidates, at: NDArray[np.intp], chosen: int | None) -> NDArray[np.intp]:
    """The cuts that are drawn: all, or the highest of every MAX_CUTS-th part of them."""
    if len(at) <= MAX_CUTS:
        return at
    starts = np.linspace(0, len(at), MAX_CUTS + 1).astype(np.intp)[:-1]
    top = np.repeat(
        np.maximum.reduceat(cuts.score[at], starts), np.diff(np.append(starts, len(at)))
    )
    keep = cuts.score[at] == top
    for extra in (chosen, cuts.best):
        if extra is not None and at[0] <= extra <= at[-1]:
            keep[extra - at[0]] = True
    return np.asarray(at[keep])


def _markers(cuts: Candidates, at: NDArray[np.intp], theme: Theme) -> dict[str, Any]:
    hollow = ~cuts.admissible[at]
    marker: dict[str, Any] = {
        "size": 5 if len(at) > 150 else 7,
        "color": theme.accent,
        "opacity": np.where(cuts.boundary[at], 0.95, 0.3),
    }
    if hollow.any():
        marker["symbol"] = np.where(hollow, "circle-open", "circle").tolist()
    return marker


def _mark(
    cuts: Candidates,
    at: NDArray[np.intp],
    marker: dict[str, Any],
    axes: dict[str, Any],
    turned: bool,
) -> list[dict[str, Any]]:
    if not len(at):
        return []
    limits, score = cuts.threshold[at], cuts.score[at]
    xs, ys = (score, limits) if turned else (limits, score)
    trace = {"x": xs, "y": ys, "mode": "markers", "marker": marker, "customdata": at}
    return [trace | {"hoverinfo": "skip"} | axes]


def _drop_line(
    cuts: Candidates, chosen: int, theme: Theme, axes: dict[str, Any], turned: bool
) -> dict[str, Any]:
    """From the chosen cut's gain down to the plane, to lead the eye."""
    limit, score = float(cuts.threshold[chosen]), float(cuts.score[chosen])
    xs, ys = ([0, score], [limit, limit]) if turned else ([limit, limit], [0, score])
    line = {"width": 1.5, "color": theme.accent, "dash": "dot"}
    return {"x": xs, "y": ys, "mode": "lines", "line": line, "hoverinfo": "skip"} | axes
