"""A data set as a small picture: its points in the colours and shapes of every view."""

from __future__ import annotations

import numpy as np

from dtviz.engine.cuts import Floats
from dtviz.figures.overview import overview
from dtviz.figures.palette import Theme
from dtviz.table.data import Dataset

WIDE, HIGH, RIM = 120, 72, 6
MOST = 200
DOTS = {"circle": ("h0", "round"), "square": ("h0", "square")}
"""Marks that are a line without length: the path of one, and how its ends are drawn."""
OUTLINES = {"diamond": "m0-3l3 3l-3 3l-3-3z", "triangle-up": "m0-3l3 5h-6z"}
SIZE = {"round": 4.8, "square": 4}


def thumbnail(data: Dataset, theme: Theme) -> str:
    """The SVG of a data set, WIDE by HIGH, of at most MOST points; it says nothing of its own."""
    cloud, plane = overview(data, "", theme)
    some = np.unique(np.linspace(0, len(cloud["x"]) - 1, MOST).astype(int))
    x = _placed(cloud["x"][some], plane["across"]["low"], plane["across"]["high"], WIDE)
    y = HIGH - _placed(cloud["y"][some], plane["up"]["low"], plane["up"]["high"], HIGH)
    classes = [(colour, shape) for _, colour, shape in plane.get("classes", ())]
    looks = classes or [(colour, "circle") for colour in plane.get("scale", ())]
    paths = []
    for code, (colour, shape) in enumerate(looks):
        of = np.flatnonzero(cloud["code"][some] == code)
        places = [f"M{a:.1f} {b:.1f}" for a, b in zip(x[of], y[of], strict=True)]
        if places:
            paths.append(_path(colour, shape, places))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}">'
        + "".join(paths)
        + "</svg>"
    )


def _path(colour: str, shape: str, places: list[str]) -> str:
    """The marks of one colour."""
    if shape in OUTLINES:
        return f'<path fill="{colour}" d="{"".join(at + OUTLINES[shape] for at in places)}"/>'
    mark, cap = DOTS.get(shape, DOTS["circle"])
    look = f'stroke="{colour}" stroke-width="{SIZE[cap]}" stroke-linecap="{cap}"'
    return f'<path {look} d="{"".join(at + mark for at in places)}"/>'


def _placed(values: Floats, low: float, high: float, room: float) -> Floats:
    placed: Floats = RIM + (room - 2 * RIM) * (np.nan_to_num(values) - low) / (high - low)
    return np.clip(placed, RIM, room - RIM)
