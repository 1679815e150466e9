"""The gain of every cut: best starred, ties ringed, forbidden hollow, no boundary faint.

Subsets of a category that its order does not show are small and faint, see `figures/cuts.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dtviz.engine.candidates import Candidates
from dtviz.engine.splits import quantity_of
from dtviz.figures.clocks import clock_ticks, ladder_of
from dtviz.figures.cuts import has_numbers, places, shown_cuts
from dtviz.figures.kinds import Rung
from dtviz.figures.multiples import axes_at, axis_title, band_ticks, sheet, whole_ticks
from dtviz.figures.palette import LIGHT, Theme, tint
from dtviz.say.words import SIGNED, cut_text, line_text
from dtviz.table.data import Dataset
from dtviz.text import plotly

MAX_CUTS = 1_500
FAINT = 0.4
COLUMNS = 2


def gain_traces(
    cuts: Candidates,
    span: slice,
    chosen: int | None,
    theme: Theme,
    x: str,
    y: str,
    rule: Callable[[int], str] | None = None,
) -> list[dict[str, Any]]:
    """The traces of one line's gains; customdata is the index of the cut.

    `rule` says what a cut is in words, where the line is no number's.
    """
    every = shown_cuts(cuts, span, chosen, MAX_CUTS)
    place = places(cuts, np.arange(span.start, span.stop))
    apart = cuts.scattered[every] > 0
    at = every[~apart]
    here = chosen is not None and span.start <= chosen < span.stop
    axes = {"xaxis": x, "yaxis": y, "showlegend": False, "type": "scatter"}

    def spots(at: NDArray[np.intp]) -> dict[str, Any]:
        return {"x": place[at - span.start], "y": cuts.score[at], "customdata": at}

    traces = [
        spots(at)
        | {
            "mode": "markers" if cuts.alone[at].any() else "lines+markers",
            "line": {"width": 1.2, "color": tint(theme.accent, 0.45)},
            "marker": _markers(cuts, at, theme),
            "hovertemplate": "≤ %{x:.6g}: %{y:.4g}<extra></extra>",
        }
        | axes
    ]
    if apart.any():
        marker = _markers(cuts, every[apart], theme) | {"size": 4, "opacity": FAINT}
        traces.append(spots(every[apart]) | {"mode": "markers", "marker": marker} | axes)
    if rule is not None:
        for trace in traces:
            texts = [plotly(rule(i)) for i in trace["customdata"].tolist()]
            trace |= {"text": texts, "hovertemplate": "%{text}: %{y:.4g}<extra></extra>"}
    ringed = every[cuts.tied[every] & (cuts.score[every] > 0)]
    if cuts.best is not None:
        ring = {"symbol": "circle-open", "size": 13, "color": theme.accent}
        star = {"symbol": "star", "size": 15, "color": theme.accent}
        traces += _mark(spots(ringed[ringed != cuts.best]), ring, axes)
        traces += _mark(spots(at[at == cuts.best]), star, axes)
    if chosen is not None and here and chosen != cuts.best:
        diamond = {"symbol": "diamond", "size": 12, "color": theme.accent}
        traces += _mark(spots(np.array([chosen])), diamond, axes)
    if chosen is not None and here:
        traces.append(_drop_line(spots(np.array([chosen])), theme, axes))
    return traces


def order_at(cuts: Candidates, span: slice) -> tuple[int, ...]:
    """The codes between which the cuts of a line stand, in order; none for numbers."""
    here = cuts.line[span]
    return cuts.orders.get(int(here[0]), ()) if len(here) else ()


@dataclass(frozen=True, slots=True)
class Panel:
    """One small chart: the cuts of a line, with the titles beside and under it."""

    data: Dataset
    cuts: Candidates
    span: slice
    chosen: int | None
    beside: str
    under: str


def gain_curves(
    data: Dataset,
    cuts: Candidates,
    chosen: int | None = None,
    measure: str = "gain",
    theme: Theme = LIGHT,
    lines: Sequence[int] | None = None,
) -> go.Figure:
    """One small panel a line, or one of some lines each, all on one gain scale."""
    lines = range(len(cuts.projections)) if lines is None else lines
    panels = [
        Panel(
            data,
            cuts,
            cuts.of_line(line),
            chosen,
            measure if place % COLUMNS == 0 else "",
            line_text(data, cuts.projections[line]),
        )
        for place, line in enumerate(lines)
    ]
    return _grid(panels, min(COLUMNS, len(panels)), theme)


def by_gain(cuts: Candidates) -> list[int]:
    """The lines, those with the best cut first; equal ones in their order."""
    top = np.full(len(cuts.projections), -np.inf)
    np.fmax.at(top, cuts.line, np.where(cuts.admissible, cuts.score, -np.inf))
    return [int(line) for line in np.argsort(-top, kind="stable")]


def race_curves(
    data: Dataset,
    raced: Mapping[str, Candidates],
    axes: Sequence[int],
    theme: Theme = LIGHT,
) -> go.Figure:
    """One line of panels a criterion, one panel a feature on the axes, each line on its own scale.

    `raced` maps a criterion's title to the node's candidates under it.
    """
    last = len(raced) - 1

    def under(feature: int, row: int) -> str:
        return data.features[feature] if row == last else ""

    panels = [
        Panel(
            data,
            cuts,
            cuts.along(f),
            None,
            "" if column else title,
            data.features[f] if row == last else "",
        )
        for row, (title, cuts) in enumerate(raced.items())
        for column, f in enumerate(axes)
    ]
    return _grid(panels, len(axes), theme, height=110)


def _grid(panels: Sequence[Panel], columns: int, theme: Theme, height: int = 190) -> go.Figure:
    """The panels in lines of so many."""
    lines = -(-len(panels) // columns)
    layout = sheet(lines, theme, height)
    traces: list[dict[str, Any]] = []
    for place, panel in enumerate(panels):
        key, across, up = axes_at(place, columns, lines, theme)
        layout |= _panel_axes(panel, key, across, up, theme)
        shown = panel.cuts, panel.span, panel.chosen, theme
        start, many = panel.span.start, panel.span.stop - panel.span.start
        plain = many == 0 or has_numbers(panel.data, panel.cuts, start)
        rule = None if plain else _rule_of(panel)
        traces += gain_traces(*shown, x=f"x{key}", y=f"y{key}", rule=rule)
    return go.Figure({"data": traces, "layout": layout})


def _rule_of(panel: Panel) -> Callable[[int], str]:
    """What a cut of a panel asks, for those that are no thresholds."""
    return lambda i: cut_text(panel.data, panel.cuts, i, SIGNED)


def _panel_axes(
    panel: Panel, key: str, across: dict[str, Any], up: dict[str, Any], theme: Theme
) -> dict[str, Any]:
    """The two axes of a panel, which stand at its place."""
    top = float(panel.cuts.score.max(initial=0.0)) or 1.0
    across |= {"title": axis_title(plotly(panel.under), theme), **_named_ticks(panel)}
    beside = axis_title(plotly(panel.beside), theme) | {"standoff": 14}
    up |= {"range": [0, top * 1.12], "title": beside}
    return {f"xaxis{key}": across, f"yaxis{key}": up}


def _named_ticks(panel: Panel) -> dict[str, Any]:
    """The values of a category, in the order of its cuts; dates and durations where these lie."""
    order = order_at(panel.cuts, panel.span)
    feature = panel.cuts.axis(panel.span.start) if len(panel.cuts) else None
    if not order:
        limits = panel.cuts.threshold[panel.span]
        limits = limits[np.isfinite(limits)]  # known from missing is no place on the axis
        if not len(limits):
            return {}
        own = {} if feature is None else whole_ticks(panel.data.columns[feature])
        return clock_ticks(_ladder(panel, limits)) or own
    levels = panel.data.levels[feature or 0]
    return band_ticks([levels[code] for code in order])


def _ladder(panel: Panel, limits: NDArray[np.float64]) -> list[Rung]:
    line = panel.cuts.projections[panel.cuts.line[panel.span.start]]
    return ladder_of(quantity_of(line, panel.data), float(limits.min()), float(limits.max()))


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
    spots: dict[str, Any], marker: dict[str, Any], axes: dict[str, Any]
) -> list[dict[str, Any]]:
    if not len(spots["x"]):
        return []
    return [spots | {"mode": "markers", "marker": marker, "hoverinfo": "skip"} | axes]


def _drop_line(spots: dict[str, Any], theme: Theme, axes: dict[str, Any]) -> dict[str, Any]:
    """From the chosen cut's gain down to its threshold, to lead the eye."""
    (limit,), (score,) = spots["x"].tolist(), spots["y"].tolist()
    line = {"width": 1.5, "color": theme.accent, "dash": "dot"}
    trace = {"x": [limit, limit], "y": [0, score], "mode": "lines", "line": line}
    return trace | {"hoverinfo": "skip"} | axes
