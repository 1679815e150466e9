"""The points of data before any cut, on the two features that part the target best."""

from __future__ import annotations

from dtviz.figures.frame import pack
from dtviz.figures.overview import overview
from dtviz.screen.screen import short_name
from dtviz.table.data import Dataset, Recipe
from dtviz.ui import state
from dtviz.ui.view import carry, view

MOST_CELLS = 2_000_000
"""Of a larger table it would take a second and more to find these features."""


def plane(data: Dataset, of: Recipe) -> None:
    """Draw the points of the data that a recipe makes, once for all runs of the page."""
    theme = state.theme()

    def drawn() -> tuple[bytes, bytes]:
        points, picture = overview(data, short_name(of), theme)
        return pack("cloud", points), pack("stage", picture)

    points, picture = state.tab().keep.get(("overview", of, theme), drawn)
    carry("points", points)
    view("overview", picture)


def has_plane(data: Dataset) -> bool:
    """Whether its points are soon found."""
    return data.columns.size <= MOST_CELLS
