"""A data set as a small picture: its points in the colours and shapes of every view."""

from __future__ import annotations

import numpy as np

from dtviz.engine.cuts import Floats
from dtviz.figures.overview import overview
from dtviz.figures.palette import Theme
from dtviz.table.data import Dataset

WIDE, HIGH, RIM = 120, 72, 6
MOST = 200
SHAPES = {
    "square": "M{x} {y}m-2.1-2.1h4.2v4.2h-4.2z",
    "diamond": "M{x} {y}m0-2.9l2.6 2.9l-2.6 2.9l-2.6-2.9z",
    "triangle-up": "M{x} {y}m0-2.8l2.6 4.6h-5.2z",
}
CIRCLE = "M{x} {y}m-2.4 0a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0z"


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
        mark = SHAPES.get(shape, CIRCLE)
        drawn = "".join(mark.format(x=f"{x[i]:.1f}", y=f"{y[i]:.1f}") for i in of)
        if drawn:
            paths.append(f'<path fill="{colour}" d="{drawn}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}">'
        + "".join(paths)
        + "</svg>"
    )


def _placed(values: Floats, low: float, high: float, room: float) -> Floats:
    placed: Floats = RIM + (room - 2 * RIM) * (np.nan_to_num(values) - low) / (high - low)
    return np.clip(placed, RIM, room - RIM)
