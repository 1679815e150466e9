"""Plotly charts of errors, predictions, partial dependence and the looks that growing takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import clean, number, plotly
from dtviz.data.categories import CategoryValue, category_text
from dtviz.data.dataset import Dataset
from dtviz.engine.complexity import SEARCH_METHODS, SplitSizes, halving_splits, one_row_splits
from dtviz.engine.importance import PartialDependence
from dtviz.engine.splits import CutPart, IsMissing, Subset, axis_of
from dtviz.engine.tree import Tree, apply
from dtviz.evaluate.curves import mean_and_error
from dtviz.evaluate.metrics import Score, ThresholdCurve
from dtviz.evaluate.validation import Grid, LearningCurve, ResampleSpread
from dtviz.explain.words import SETTINGS, feature_value_texts
from dtviz.pictures import scales
from dtviz.pictures.frame_types import FrameAxis
from dtviz.pictures.stage_cuts import StageView

if TYPE_CHECKING:
    import plotly.graph_objects as go

MAX_NAMES, MAX_NAME_LETTERS = 8, 12
"""Values of a category that are named on an axis, and letters of each name."""
LEFT_SHARE = 0.05
"""Room left of a chart that has another chart on its left, as a share of the figure's width."""
BOTTOM_SHARE = 0.32
"""Room under a chart for its ticks and title, as a share of its row."""


def panel_layout(n_rows: int, theme: scales.Theme, row_height: int) -> dict[str, Any]:
    """Layout of a figure with charts in rows, as panels; `row_height` is in pixels."""
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": theme.ink, "size": 12},
        "margin": {"l": 76, "r": 10, "t": 10, "b": 40},
        "height": row_height * n_rows + 40,
        "showlegend": False,
        "dragmode": False,
        "separators": ".",  # no comma between thousands: years are not written 2,007
    }


def axes_at(
    place: int, columns: int, n_rows: int, theme: scales.Theme
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Key of the axes of one of several charts, its axis across and its axis up.

    `place` is the number of the chart from 0, row by row, with `columns` charts in a row. Plotly
    names the axes by the key: xaxis and yaxis for the first chart, then xaxis2 and yaxis2.
    """
    key, column, row = "" if place == 0 else str(place + 1), place % columns, place // columns
    across = {
        "domain": [column / columns + (LEFT_SHARE if column else 0), (column + 1) / columns],
        "anchor": f"y{key}",
        "gridcolor": theme.grid,
        "zeroline": False,
        "nticks": 6,
    }
    up = {
        "domain": [1 - (row + 1) / n_rows + BOTTOM_SHARE / n_rows, 1 - row / n_rows],
        "anchor": f"x{key}",
        "gridcolor": theme.grid,
        "nticks": 3,
    }
    return key, across, up


def band_ticks(names: Sequence[CategoryValue]) -> dict[str, Any]:
    """Ticks with the names of the bands of an axis, at most MAX_NAMES of them, evenly chosen."""
    places = range(0, len(names), -(-len(names) // MAX_NAMES))
    texts = [plotly(clean(category_text(names[place]), MAX_NAME_LETTERS)) for place in places]
    ticks = {"tickmode": "array", "tickvals": [*places], "ticktext": texts}
    return ticks | {"range": [-0.5, len(names) - 0.5]}


def whole_ticks(values: Floats) -> dict[str, Any]:
    """Ticks at each whole number, for whole values at most MAX_NAMES apart; {} for others."""
    present = values[~np.isnan(values)]
    fits = len(present) > 0 and not (present % 1).any() and np.ptp(present) <= MAX_NAMES
    return {"tick0": float(present.min()), "dtick": 1} if fits else {}


def axis_title(text: str, theme: scales.Theme) -> dict[str, Any]:
    """Axis title in the page's ink; `text` is escaped for plotly already."""
    return {"text": text, "font": {"color": theme.ink, "size": 13}, "standoff": 6}


def figure(traces: Sequence[Any], layout: Mapping[str, Any]) -> go.Figure:
    """Build the figure of these traces in this layout."""
    import plotly.graph_objects as go  # takes a third of a second: only where a chart is drawn

    return go.Figure({"data": [*traces], "layout": layout})


DEPTH_TITLE = SETTINGS["max_depth"].title
COLOUR_SCALE = [[k / (len(scales.SCALE) - 1), colour] for k, colour in enumerate(scales.SCALE)]
"""Colours of numbers as plotly reads them: pairs of a share of the range and its colour."""


def heat_map(grid: Grid, score: Score, theme: scales.Theme = scales.LIGHT) -> go.Figure:
    """Mean error of each value of a rule and each depth: ★ at the best cell, ○ at cells as good.

    Each cell can be clicked; its customdata is [value of the rule, depth].
    """
    rule = grid.rule
    titles = [rule.text(value) for value in grid.values]
    depths = [str(depth) for depth in grid.depths]
    cells = [(i, j) for i in range(len(titles)) for j in range(len(depths))]
    errors = score.scale * grid.mean
    middle = (float(grid.mean.min()) + float(grid.mean.max())) / 2
    inks = ["#ffffff" if grid.mean[cell] <= middle else "#111418" for cell in cells]
    marks = ["★ " if cell == grid.best else "○ " if grid.tied[cell] else "" for cell in cells]
    texts = [mark + number(errors[cell], 3) for cell, mark in zip(cells, marks, strict=True)]
    heat: dict[str, Any] = {
        "type": "heatmap",
        "x": depths,
        "y": titles,
        "z": errors,
        "colorscale": COLOUR_SCALE,
    }
    heat |= {"showscale": False, "hoverinfo": "skip", "xgap": 2, "ygap": 2}
    clicks = {  # transparent points over the cells: plotly selects points, not the cells of a map
        "type": "scatter",
        "x": [depths[j] for _, j in cells],
        "y": [titles[i] for i, _ in cells],
        "mode": "markers+text",
        "text": texts,
        "textfont": {"color": inks, "size": 13},
        "marker": {"size": 34, "symbol": "square", "color": "rgba(0,0,0,0)"},
        "customdata": [[grid.values[i], grid.depths[j]] for i, j in cells],
        "hovertemplate": f"{rule.title} ".lstrip()
        + f"%{{y}}, {DEPTH_TITLE.lower()} %{{x}}: %{{text}}<extra></extra>",
        # after a click plotly would fade all other points
        "unselected": {"marker": {"opacity": 1}, "textfont": {"color": None}},
    }
    axis = {"type": "category", "fixedrange": True, "showgrid": False, "ticks": ""}
    layout = chart_layout(theme, 60 + 46 * len(titles)) | {
        "xaxis": axis | {"title": axis_title(DEPTH_TITLE, theme)},
        "yaxis": axis | {"autorange": "reversed", "title": axis_title(rule.title, theme)},
        "margin": {"l": 104, "r": 10, "t": 10, "b": 44},
    }
    return figure([heat, clicks], layout)


def learning_curve(
    learning: LearningCurve, score: Score, theme: scales.Theme = scales.LIGHT
) -> go.Figure:
    """Mean errors by the number of training rows, with bands of one standard error.

    One curve is of the training rows, the other of the fold left out.
    """
    traces = [
        *_band(learning.sizes, *mean_and_error(learning.training), "training", theme.muted),
        *_band(learning.sizes, *mean_and_error(learning.held), "fold left out", theme.accent),
    ]
    chart = _error_chart(traces, "training rows", score, theme)
    return _with_ticks(chart, learning.sizes.tolist())


def spread_curve(
    spread: ResampleSpread, score: Score, theme: scales.Theme = scales.LIGHT
) -> go.Figure:
    """Curves by depth: error of one tree, error of the vote, spread of the trees about the vote."""
    names = ("one tree", score.vote, "spread")
    curves = (spread.tree_error, spread.vote_error, spread.mean_spread)
    styles = ((theme.ink, "solid"), (theme.accent, "solid"), (theme.muted, "dash"))
    traces = [
        _curve(spread.depths, curve, name, *style)
        for curve, name, style in zip(curves, names, styles, strict=True)
    ]
    return _with_ticks(_error_chart(traces, DEPTH_TITLE, score, theme), spread.depths)


def predicted_against_target(
    data: Dataset, predicted: Floats, theme: scales.Theme = scales.LIGHT
) -> go.Figure:
    """Predictions of the rows, (n,), against their targets; on the diagonal both are equal."""
    rows = scales.drawn_rows(data)
    target, predicted = data.y[rows], predicted[rows]
    ends = [float(min(target.min(), predicted.min())), float(max(target.max(), predicted.max()))]
    diagonal = {"type": "scatter", "x": ends, "y": ends, "mode": "lines", "hoverinfo": "skip"}
    points = {
        "type": "scatter",
        "x": target,
        "y": predicted,
        "mode": "markers",
        "marker": {"size": 6, "color": theme.accent, "opacity": 0.7},
        "hovertemplate": "is %{x:.4g}, predicted %{y:.4g}<extra></extra>",
    }
    layout = chart_layout(theme, 340) | {
        "xaxis": chart_axis(plotly(data.target), theme),
        "yaxis": chart_axis("predicted", theme),
        "showlegend": False,
    }
    traces = [diagonal | {"line": {"color": theme.muted, "width": 1}}, points]
    return figure(traces, layout)


def roc_curve(
    curve: ThresholdCurve, place: int, colour: str, theme: scales.Theme = scales.LIGHT
) -> go.Figure:
    """The ROC curve of a class, with a mark at the threshold of index `place`.

    Each point can be clicked; its customdata is its threshold, 2 for the infinite one.
    """
    rates = curve.false_positive_rate, curve.true_positive_rate
    names = "false positive rate", "true positive rate"
    chance = [0.0, 1.0], [0.0, 1.0]
    return _threshold_chart(curve, place, rates, names, chance, colour, theme).update_yaxes(
        tickformat=".0%", range=[-0.03, 1.03]
    )


def lift_curve(
    curve: ThresholdCurve, place: int, colour: str, theme: scales.Theme = scales.LIGHT
) -> go.Figure:
    """The lift of a class by the share of the rows called it; else as `roc_curve`."""
    figures = curve.positive_share, curve.lift
    chance = [0.0, 1.0], [1.0, 1.0]
    names = "share of the rows called so", "lift"
    return _threshold_chart(curve, place, figures, names, chance, colour, theme).update_yaxes(
        rangemode="tozero"
    )


def cost_curve(
    curve: ThresholdCurve, place: int, colour: str, theme: scales.Theme = scales.LIGHT
) -> go.Figure:
    """The cost of all mistakes by the share of the rows called a class; else as `roc_curve`.

    The dashed line is the cost of calling no row the class.
    """
    figures = curve.positive_share, curve.loss
    never = [0.0, 1.0], [float(curve.loss[0])] * 2
    names = "share of the rows called so", "cost"
    return _threshold_chart(curve, place, figures, names, never, colour, theme).update_yaxes(
        rangemode="tozero"
    )


def _threshold_chart(
    curve: ThresholdCurve,
    place: int,
    points: tuple[Floats, Floats],
    names: tuple[str, str],
    baseline: tuple[list[float], list[float]],
    colour: str,
    theme: scales.Theme,
) -> go.Figure:
    """Points of a curve by threshold, and the dashed line of calls that ignore the row."""
    (across, up), (across_name, up_name) = points, names
    texts = [share_from_text(share) for share in curve.thresholds.tolist()]
    sizes = [14 if index == place else 6 for index in range(len(texts))]
    line: dict[str, Any] = {
        "type": "scatter",
        "x": across,
        "y": up,
        "text": texts,
        "customdata": [[share] for share in np.minimum(curve.thresholds, 2.0).tolist()],
        "mode": "lines+markers",
        "line": {"color": colour, "width": 2},
        "marker": {"size": sizes, "color": colour, "line": {"color": theme.paper, "width": 1}},
        "hovertemplate": f"%{{text}}: {up_name} %{{y:.3g}}, {across_name} %{{x:.3g}}"
        "<extra></extra>",
        "unselected": {"marker": {"opacity": 1}},
    }
    dashed: dict[str, Any] = {"type": "scatter", "x": baseline[0], "y": baseline[1]}
    dashed |= {"mode": "lines", "line": {"color": theme.muted, "width": 1, "dash": "dash"}}
    dashed["hoverinfo"] = "skip"
    across_axis = chart_axis(across_name, theme) | {"tickformat": ".0%", "range": [-0.03, 1.03]}
    layout = chart_layout(theme, 300) | {
        "xaxis": across_axis,
        "yaxis": chart_axis(up_name, theme),
        "showlegend": False,
        "hovermode": "closest",
    }
    return figure([dashed, line], layout)


def share_from_text(threshold: float) -> str:
    """The text of a threshold on a class share: 'from 62.5 %'; 'never' for the infinite one."""
    return "never" if np.isinf(threshold) else f"from {number(100 * threshold, 4)}\u00a0%"


def _band(
    x: Sequence[Any] | Any, mean: Floats, standard_error: Floats, name: str, colour: str
) -> list[Any]:
    """Curve of a mean, with a band of one standard error to both sides, not below 0."""
    low = np.maximum(mean - standard_error, 0.0)
    edge = {"type": "scatter", "x": x, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return [
        edge | {"y": low, "showlegend": False},
        edge
        | {"y": mean + standard_error, "showlegend": False, "fill": "tonexty"}
        | {"fillcolor": scales.tint(colour, 0.15)},
        _curve(x, mean, name, colour, "solid"),
    ]


def _curve(x: Any, y: Floats, name: str, colour: str, dash: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": name,
        "mode": "lines+markers",
        "line": {"color": colour, "width": 2, "dash": dash},
        "marker": {"size": 5},
    }


def _error_chart(traces: list[Any], x_title: str, score: Score, theme: scales.Theme) -> go.Figure:
    up_axis = chart_axis(score.error, theme) | {"rangemode": "tozero"}
    layout = chart_layout(theme, 340) | {
        "xaxis": chart_axis(x_title, theme),
        "yaxis": up_axis | ({"tickformat": ".0%"} if score.unit else {}),
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "hovermode": "x unified",
    }
    return figure(traces, layout)


def _with_ticks(figure: go.Figure, numbers: Sequence[int]) -> go.Figure:
    """The figure with ticks at these whole numbers alone, or at 8 of many."""
    step = -(-len(numbers) // 8)
    return figure.update_xaxes(tickmode="array", tickvals=list(numbers)[::step])


def chart_axis(title: str, theme: scales.Theme) -> dict[str, Any]:
    """Axis of a figure with one chart."""
    grid = {"gridcolor": theme.grid, "zeroline": False, "fixedrange": True}
    return {"title": axis_title(title, theme), "nticks": 7} | grid


def chart_layout(theme: scales.Theme, height: int) -> dict[str, Any]:
    """Layout of a figure with one chart, `height` pixels high."""
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": theme.ink, "size": 12},
        "hoverlabel": {"bgcolor": theme.paper, "font": {"color": theme.ink}},
        "margin": {"l": 64, "r": 10, "t": 30, "b": 44},
        "height": height,
        "dragmode": False,
    }


MAX_COLUMNS = 2
"""Charts of partial dependence side by side."""
ROW_HEIGHT = 190
"""Height of a row of them, in pixels."""
LEGEND_HEIGHT = 30
"""Pixels above the charts, for the names of the classes."""
MAX_CLASSES = 8
"""Classes with a curve: those with the largest shares anywhere."""
MAX_CLASS_LETTERS = 24
"""Letters of the name of a class in the legend."""
MAX_PLACES = 1_500
"""Points of a curve; of more grid values an even choice is drawn."""
HALF_BAND = 0.38
"""Half the length of the level line of a category, in bands."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
"""Dashes of the classes, so that their curves differ without colour too."""


def dependence_curves(
    data: Dataset, dependences: Sequence[PartialDependence], theme: scales.Theme = scales.LIGHT
) -> go.Figure:
    """Charts of partial dependence, one a feature: a curve a class, or one of the prediction.

    Short lines mark the deciles of the feature's values.
    """
    n_rows, columns = -(-len(dependences) // MAX_COLUMNS), min(MAX_COLUMNS, len(dependences))
    classes, (low, high) = shown_classes(dependences), _y_range(data, dependences)
    legend_height = LEGEND_HEIGHT if data.classes else 0
    height = ROW_HEIGHT * n_rows + legend_height + 10
    layout = panel_layout(n_rows, theme, ROW_HEIGHT) | {"height": height}
    # each row has room under its chart already, the last one too
    layout["margin"] |= {"t": legend_height + 10, "b": 0}
    if data.classes:
        layout |= {"showlegend": True, "legend": _legend(n_rows, theme)}
    traces: list[dict[str, Any]] = []
    for place, dependence in enumerate(dependences):
        key, across, up = axes_at(place, columns, n_rows, theme)
        name = plotly(data.features[dependence.feature])
        across |= {"title": axis_title(name, theme), **_ticks(data, dependence)}
        y_title = "" if place % columns else "share" if data.classes else plotly(data.target)
        up |= {"range": [low, high], "title": axis_title(y_title, theme) | {"standoff": 14}}
        up |= {"zeroline": False, "showticklabels": place % columns == 0}
        layout |= {f"xaxis{key}": across, f"yaxis{key}": up}
        axes = {"xaxis": f"x{key}", "yaxis": f"y{key}", "type": "scatter"}
        traces += [trace | axes for trace in _curves(data, dependence, classes, theme)]
        traces += [trace | axes for trace in _decile_marks(data, dependence, low, theme)]
        for trace in traces if place == 0 else ():  # one legend serves all charts
            trace["showlegend"] = bool(trace.get("name"))
    return figure(traces, layout)


def shown_classes(dependences: Sequence[PartialDependence]) -> Ints:
    """Codes of the classes that have a curve, ascending; 0 alone where the target is a number."""
    largest_shares = np.max([dependence.mean.max(axis=0) for dependence in dependences], axis=0)
    return np.sort(np.argsort(-largest_shares, kind="stable")[:MAX_CLASSES])


def _y_range(data: Dataset, dependences: Sequence[PartialDependence]) -> tuple[float, float]:
    """Ends of the axis up that all charts share: a little more than the curves reach."""
    if data.classes:
        return -0.04, 1.04
    low = float(min(dependence.mean.min() for dependence in dependences))
    high = float(max(dependence.mean.max() for dependence in dependences))
    margin = 0.06 * (high - low) or 0.5 * abs(high) or 0.5
    return low - margin, high + margin


def _legend(n_rows: int, theme: scales.Theme) -> dict[str, Any]:
    """Legend with the names of the classes, in a row above all charts."""
    return {
        "orientation": "h",
        "x": 0,
        "y": 1 + 8 / (ROW_HEIGHT * n_rows),
        "yanchor": "bottom",
        "font": {"color": theme.ink, "size": 12},
        "bgcolor": "rgba(0,0,0,0)",
        "itemclick": False,
        "itemdoubleclick": False,
    }


def _ticks(data: Dataset, dependence: PartialDependence) -> dict[str, Any]:
    """Ticks of a feature: categories or ranks, round dates or durations, or whole numbers.

    They are {} for other numbers, where plotly chooses the ticks.
    """
    quantity = data.quantities[dependence.feature]
    if names := data.levels[dependence.feature] or quantity.rank_names:
        return band_ticks(names)
    ladder = scales.ladder_of(
        quantity, float(dependence.grid_values[0]), float(dependence.grid_values[-1])
    )
    return scales.clock_ticks(ladder) or whole_ticks(data.columns[dependence.feature])


def _curves(
    data: Dataset, dependence: PartialDependence, classes: Ints, theme: scales.Theme
) -> list[dict[str, Any]]:
    """Curves of one chart, one for each of the classes."""
    has_bands = bool(
        data.levels[dependence.feature] or data.quantities[dependence.feature].rank_names
    )
    places = dependence.grid_values
    ids = np.linspace(0, len(places) - 1, min(len(places), MAX_PLACES)).astype(int)
    x, place_ids = _bands(places) if has_bands else (places[ids], ids)
    texts = _place_texts(data, dependence)
    curves: list[dict[str, Any]] = []
    for k in classes.tolist():
        name = plotly(clean(data.class_names[k], MAX_CLASS_LETTERS)) if data.classes else ""
        colour = scales.class_colour(k) if data.classes else theme.accent
        curves.append(
            {
                "x": x,
                "y": np.where(np.isnan(x), np.nan, dependence.mean[place_ids, k]),
                "mode": "lines",
                "line": {"width": 2, "color": colour, "dash": DASHES[k % len(DASHES)]},
                "name": name,
                "legendgroup": str(k),
                "showlegend": False,
                "text": [texts[place] for place in place_ids.tolist()],
                "hovertemplate": f"%{{text}}: %{{y:.4g}}<extra>{name}</extra>",
            }
        )
    return curves


def _place_texts(data: Dataset, dependence: PartialDependence) -> list[str]:
    """The texts of the grid values, without two that are equal.

    The grid has a threshold and the next number above it. If both have the text '2.5', that of the
    number above is '> 2.5'.
    """
    texts = feature_value_texts(data, dependence.feature, dependence.grid_values)
    texts_before = ["", *texts]
    return [
        plotly(f"> {text}" if text == text_before else text)
        for text, text_before in zip(texts, texts_before, strict=False)
    ]


def _bands(places: Floats) -> tuple[Floats, Ints]:
    """Points of level lines, one a place, and the index of the place of each point.

    The third point of each line is NaN, so that no line leads to the next place.
    """
    x = places.repeat(3) + np.tile([-HALF_BAND, HALF_BAND, np.nan], len(places))
    return x, np.arange(len(places)).repeat(3)


def _decile_marks(
    data: Dataset, dependence: PartialDependence, low: float, theme: scales.Theme
) -> list[dict[str, Any]]:
    """Short lines at the deciles of the feature: they show where along a curve the rows are.

    `low` is the lower end of the axis up. A feature with bands has none.
    """
    column = data.columns[dependence.feature]
    if data.levels[dependence.feature] or data.quantities[dependence.feature].rank_names:
        return []
    present = np.sort(column[~np.isnan(column)])
    deciles = present[((len(present) - 1) * np.arange(1, 10)) // 10]
    return [
        {
            "x": deciles,
            "y": np.full(len(deciles), low),
            "mode": "markers",
            "marker": {"symbol": "line-ns-open", "size": 12, "color": theme.muted},
            "hoverinfo": "skip",
            "showlegend": False,
        }
    ]


SEARCHES_SHOWN = ("presorted", "naive")
"""Names of the search methods whose looks are drawn."""
CURVE_POINTS = 24
"""Points of a curve of looks."""


def cost_curves(shape: SplitSizes, m: int, theme: scales.Theme = scales.LIGHT) -> go.Figure:
    """Looks that growing takes by the number n of rows, with M = `m` features.

    A star is this tree, whose sizes are `shape`. Curves are balanced trees and chains of up to as
    many rows, in a colour for each search method. The curves M n log2 n, M n^2 and M n^3 / 3 are
    dotted.
    """
    sizes = sizes_to(shape.n_rows)
    searches = [search for search in SEARCH_METHODS if search.name in SEARCHES_SHOWN]
    traces: list[dict[str, Any]] = []
    for name, curve in CURVES.items():
        y = [curve(n, m) for n in sizes]
        texts = [name if k == 2 * len(sizes) // 3 else "" for k in range(len(sizes))]
        traces.append(
            _cost_line(sizes, y, name, theme.muted, "dot", 1.2)
            | {"mode": "lines+text", "text": texts, "textposition": "bottom right"}
            | {"showlegend": False, "hoverinfo": "skip", "textfont": {"color": theme.muted}}
        )
    for search, colour in zip(reversed(searches), (theme.accent, theme.ink), strict=True):
        for shape_of, shape_name, dash in (
            (halving_splits, "balanced", "solid"),
            (one_row_splits, "chain", "dash"),
        ):
            y = [float(search.looks(shape_of(n), m)) for n in sizes]
            traces.append(_cost_line(sizes, y, f"{search.name}, {shape_name}", colour, dash, 2))
        traces.append(
            {
                "type": "scatter",
                "x": [shape.n_rows],
                "y": [float(search.looks(shape, m))],
                "name": f"{search.name}, this tree",
                "mode": "markers",
                "marker": {"symbol": "star", "size": 13, "color": colour},
                "showlegend": False,
                "cliponaxis": False,
                "hovertemplate": "%{y:,.0f} looks<extra>%{fullData.name}</extra>",
            }
        )
    grid = {"type": "log", "gridcolor": theme.grid, "zeroline": False, "fixedrange": True}
    layout = chart_layout(theme, 360) | {
        "margin": {"l": 64, "r": 16, "t": 10, "b": 44},
        "xaxis": grid | {"title": axis_title("rows", theme), "dtick": 1},
        "yaxis": grid | {"title": axis_title("looks", theme), "exponentformat": "power"},
        "legend": {"orientation": "h", "y": -0.22, "yanchor": "top", "x": 0},
    }
    return figure(traces, layout)


CURVES: dict[str, Callable[[int, int], float]] = {
    "M n log₂ n": lambda n, m: m * n * math.log2(n),
    "M n²": lambda n, m: float(m * n**2),
    "M n³ / 3": lambda n, m: m * n**3 / 3,
}
"""Looks by n rows and M features: of balanced trees, of chains, of chains whose search is naive."""


def sizes_to(n: int) -> list[int]:
    """Numbers of rows from 2 to n, evenly spread on a logarithmic axis."""
    steps = (round(2 * (n / 2) ** (k / (CURVE_POINTS - 1))) for k in range(CURVE_POINTS))
    return sorted({*steps, n})


def _cost_line(
    x: list[int], y: list[float], name: str, colour: str, dash: str, width: float
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": name,
        "mode": "lines",
        "line": {"color": colour, "width": width, "dash": dash},
        "hovertemplate": "%{x:,} rows: %{y:,.0f} looks<extra>%{fullData.name}</extra>",
    }


MAX_POINTS = 2_000
"""Rows that are points over the surface; of more an even choice is drawn."""
MAX_EDGES = 150
"""Edges between the cells of the surface along one axis."""


def surface(data: Dataset, tree: Tree, view: StageView) -> go.Figure:
    """Predictions over the two features on the axes, as a surface with steps; rows are points.

    The other features are pinned at the values of the view.
    """
    # categories stand in the order of their codes, not in that of the tree's splits
    across, up = scales.scene_axes(data, view.axes)
    xs, ys = (
        _edges(data, tree, feature, axis)
        for feature, axis in zip(view.axes, (across, up), strict=True)
    )
    low, high = float(data.y.min()), float(data.y.max())
    colours = {"colorscale": COLOUR_SCALE, "cmin": low, "cmax": high}
    steps = {
        "type": "surface",
        "x": _doubled(xs),
        "y": _doubled(ys),
        "z": _heights(data, tree, view, xs, ys),
        "opacity": 0.85,
        "showscale": False,
        "hovertemplate": "f = %{z:.5g}<extra></extra>",
        **colours,
    }
    x_feature, y_feature = view.axes
    rows = np.linspace(0, data.n - 1, min(data.n, MAX_POINTS)).astype(int)
    axis_texts = (feature_value_texts(data, f, data.columns[f][rows]) for f in view.axes)
    points = {
        "type": "scatter3d",
        "x": data.columns[x_feature][rows],
        "y": data.columns[y_feature][rows],
        "z": data.y[rows],
        "mode": "markers",
        "marker": {"size": 3, "color": data.y[rows], "line": {"width": 0.5}, **colours},
        "text": [", ".join(map(plotly, pair)) for pair in zip(*axis_texts, strict=True)],
        "hovertemplate": "%{text}: %{z:.5g}<extra></extra>",
    }
    return figure([steps, points], _surface_layout(data, view, view.theme))


def _edges(data: Dataset, tree: Tree, feature: int, axis: FrameAxis) -> NDArray[np.float64]:
    """Edges of the cells along an axis: its ends and all thresholds of its feature between them.

    Of more than MAX_EDGES an even choice is taken. Where a split is on no one feature, many even
    edges are added, whose small steps follow the split. A category has the borders of its bands.
    """
    low, high = axis["low"], axis["high"]
    if data.levels[feature]:
        return np.arange(-0.5, len(data.levels[feature]))
    split_features = {
        axis_of(split.projection)
        for split in tree.splits.values()
        if not isinstance(split.projection, Subset | CutPart | IsMissing)
    }
    thresholds = {s.threshold for s in tree.splits.values() if axis_of(s.projection) == feature}
    if None in split_features:  # an oblique or radial split
        shares = np.linspace(0, 1, MAX_EDGES)
        thresholds |= set(((1 - shares) * low + shares * high).tolist())
    edges = np.array([low, *sorted(t for t in thresholds if low < t < high), high])
    if len(edges) <= MAX_EDGES:
        return edges
    return np.asarray(edges[np.linspace(0, len(edges) - 1, MAX_EDGES).astype(int)])


def _doubled(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """The edges, inner ones twice: the end of a cell and the start of the next one."""
    return np.repeat(edges, 2)[1:-1]


def _heights(
    data: Dataset, tree: Tree, view: StageView, xs: NDArray[np.float64], ys: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Predictions at the corners of all cells, (2 len(ys) - 2, 2 len(xs) - 2)."""
    corner_columns = _columns(data, view, _doubled(xs), _doubled(ys))
    # all corners of a cell belong to the leaf at its right and upper end: x <= threshold is inside
    cell_columns = _columns(data, view, np.repeat(xs[1:], 2), np.repeat(ys[1:], 2))
    _, leaf_places = apply(tree, cell_columns)
    params = tree.params.take(leaf_places, axis=0)
    heights = tree.leaf_model.predict(params, corner_columns, np.arange(len(leaf_places)))
    return np.asarray(heights.reshape(2 * len(ys) - 2, -1))


def _columns(
    data: Dataset, view: StageView, xs: NDArray[np.float64], ys: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Features of the points of a grid, others pinned, row by row: (M, len(xs) len(ys))."""
    columns = np.repeat(view.pinned[:, None], len(xs) * len(ys), axis=1)
    for feature, positions in zip(
        view.axes, (np.tile(xs, len(ys)), np.repeat(ys, len(xs))), strict=True
    ):
        # a cell of a category ends at its code + 0.5
        columns[feature] = positions - 0.5 if data.levels[feature] else positions
    return columns


def _surface_layout(data: Dataset, view: StageView, theme: scales.Theme) -> dict[str, Any]:
    """Layout of the surface: its axes in the colours of the page."""
    names = [*(data.features[f] for f in view.axes), data.target]
    levels = [*(data.levels[f] for f in view.axes), ()]
    ladders = [*(axis.get("ladder", ()) for axis in scales.scene_axes(data, view.axes)), ()]
    axes = {
        f"{letter}axis": {"title": {"text": plotly(name)}, "gridcolor": theme.grid}
        | {"backgroundcolor": "rgba(0,0,0,0)", "color": theme.ink}
        | (band_ticks(feature_levels) if feature_levels else scales.clock_ticks(ladder))
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
