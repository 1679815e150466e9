"""The pad that data sets are drawn on: its points, and what a new one can be."""

from __future__ import annotations

import numpy as np

from dtviz.figures.kinds import Pad, Swatch
from dtviz.figures.palette import SCALE, class_colour, class_symbol, step_of
from dtviz.table import drawing
from dtviz.table.drawing import Drawing, Kind

RANGE = (0, 10)


def pad_frame(drawn: Drawing, past: bool, ahead: bool, fit: int) -> Pad:
    """What the pad is given, see frontend/pad/pad.js.

    `past` and `ahead` say whether there is anything to undo or redo; another `fit` has the pad
    show all points.
    """
    x, y, value = np.array(drawn.rows, dtype=float).reshape(-1, 3).T
    return {
        "target": drawn.kind,
        "axes": ["x", "y"] if drawn.kind == "height" else ["x1", "x2"],
        "palette": _palette(drawn.kind),
        "scale": SCALE,
        "range": RANGE,
        "most": drawing.MOST,
        "past": past,
        "ahead": ahead,
        "fit": fit,
        "x": x,
        "y": y,
        "value": value,
    }


def _palette(kind: Kind) -> list[Swatch]:
    if kind == "classes":
        return [
            _swatch(letter, f"class {letter}", code, class_colour(code), class_symbol(code))
            for code, letter in enumerate(drawing.CLASSES)
        ]
    if kind == "height":
        return [_swatch("", "a point", 0, class_colour(0))]
    values = range(RANGE[0], RANGE[1] + 1, 2)
    return [_swatch(str(v), f"value {v}", v, SCALE[step_of(v, *RANGE)]) for v in values]


def _swatch(name: str, said: str, value: int, colour: str, symbol: str = "circle") -> Swatch:
    return {"name": name, "said": said, "value": value, "colour": colour, "symbol": symbol}
