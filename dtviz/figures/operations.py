"""What growing costs by the number of rows, beside the curves it follows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go

from dtviz.engine.operations import WAYS, Shape, balanced, chain
from dtviz.figures.multiples import axis_title
from dtviz.figures.palette import LIGHT, Theme

SHOWN = ("presorted", "naive")
POINTS = 24


def cost_curves(shape: Shape, m: int, theme: Theme = LIGHT) -> go.Figure:
    """Looks at balanced trees and chains of up to as many rows as the shape has, and at itself.

    The curves M n log2 n, M n^2 and M n^3 / 3 are dotted; each way to search has a colour.
    """
    places = sizes_to(shape.n)
    ways = [way for way in WAYS if way.name in SHOWN]
    traces: list[dict[str, Any]] = []
    for name, curve in CURVES.items():
        y = [curve(n, m) for n in places]
        texts = [name if k == 2 * len(places) // 3 else "" for k in range(len(places))]
        traces.append(
            _line(places, y, name, theme.muted, "dot", 1.2)
            | {"mode": "lines+text", "text": texts, "textposition": "bottom right"}
            | {"showlegend": False, "hoverinfo": "skip", "textfont": {"color": theme.muted}}
        )
    for way, colour in zip(reversed(ways), (theme.accent, theme.ink), strict=True):
        for made, words, dash in ((balanced, "balanced", "solid"), (chain, "chain", "dash")):
            y = [float(way.looks(made(n), m)) for n in places]
            traces.append(_line(places, y, f"{way.name}, {words}", colour, dash, 2))
        traces.append(
            {
                "type": "scatter",
                "x": [shape.n],
                "y": [float(way.looks(shape, m))],
                "name": f"{way.name}, this tree",
                "mode": "markers",
                "marker": {"symbol": "star", "size": 13, "color": colour},
                "showlegend": False,
                "cliponaxis": False,
                "hovertemplate": "%{y:,.0f} looks<extra>%{fullData.name}</extra>",
            }
        )
    grid = {"type": "log", "gridcolor": theme.grid, "zeroline": False, "fixedrange": True}
    layout = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": theme.ink, "size": 12},
        "hoverlabel": {"bgcolor": theme.paper, "font": {"color": theme.ink}},
        "margin": {"l": 64, "r": 16, "t": 10, "b": 44},
        "height": 360,
        "dragmode": False,
        "xaxis": grid | {"title": axis_title("rows", theme), "dtick": 1},
        "yaxis": grid | {"title": axis_title("looks", theme), "exponentformat": "power"},
        "legend": {"orientation": "h", "y": -0.22, "yanchor": "top", "x": 0},
    }
    return go.Figure({"data": traces, "layout": layout})


CURVES: dict[str, Callable[[int, int], float]] = {
    "M n log₂ n": lambda n, m: m * n * math.log2(n),
    "M n²": lambda n, m: float(m * n**2),
    "M n³ / 3": lambda n, m: m * n**3 / 3,
}
"""What theory.md says of balanced trees and chains, and of a chain searched naively."""


def sizes_to(n: int) -> list[int]:
    """Some numbers of rows from 2 to n, evenly spread on a logarithmic axis."""
    steps = (round(2 * (n / 2) ** (k / (POINTS - 1))) for k in range(POINTS))
    return sorted({*steps, n})


def _line(
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
