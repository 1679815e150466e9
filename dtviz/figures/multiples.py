"""Small charts in lines on one sheet: what they all have, and the ticks of their axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dtviz.arrays import Floats
from dtviz.figures.palette import Theme
from dtviz.table.levels import Level, told
from dtviz.text import clean, plotly

MOST_NAMES, MOST_LETTERS = 8, 12
"""So many values of a category are named on an axis, with so many letters."""
GAP = 0.05
"""The room left of a chart, in shares of the sheet."""
UNDER = 0.32
"""The room under a chart, in shares of its line."""


def sheet(lines: int, theme: Theme, height: int) -> dict[str, Any]:
    """The layout of so many lines of charts, each of a height in pixels."""
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": theme.ink, "size": 12},
        "margin": {"l": 76, "r": 10, "t": 10, "b": 40},
        "height": height * lines + 40,
        "showlegend": False,
        "dragmode": False,
        "separators": ".",  # no comma: 2,007.5 is no year
    }


def axes_at(
    place: int, columns: int, lines: int, theme: Theme
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The key of the axes of the chart at a place, and the two axes."""
    key, column, row = "" if place == 0 else str(place + 1), place % columns, place // columns
    across = {
        "domain": [column / columns + (GAP if column else 0), (column + 1) / columns],
        "anchor": f"y{key}",
        "gridcolor": theme.grid,
        "zeroline": False,
        "nticks": 6,
    }
    up = {
        "domain": [1 - (row + 1) / lines + UNDER / lines, 1 - row / lines],
        "anchor": f"x{key}",
        "gridcolor": theme.grid,
        "nticks": 3,
    }
    return key, across, up


def band_ticks(names: Sequence[Level]) -> dict[str, Any]:
    """The names under the bands of an axis, or even ones of them."""
    places = range(0, len(names), -(-len(names) // MOST_NAMES))
    texts = [plotly(clean(told(names[place]), MOST_LETTERS)) for place in places]
    ticks = {"tickmode": "array", "tickvals": [*places], "ticktext": texts}
    return ticks | {"range": [-0.5, len(names) - 0.5]}


def whole_ticks(values: Floats) -> dict[str, Any]:
    """Ticks at whole numbers where the values are some of a few; none of other values."""
    known = values[~np.isnan(values)]
    few = len(known) > 0 and not (known % 1).any() and np.ptp(known) <= MOST_NAMES
    return {"tick0": float(known.min()), "dtick": 1} if few else {}


def axis_title(text: str, theme: Theme) -> dict[str, Any]:
    """An axis title in the page's ink; `text` is plotly text already."""
    return {"text": text, "font": {"color": theme.ink, "size": 13}, "standoff": 6}
