"""Shapes of frames: the types of the browser are written from those of Python."""

from __future__ import annotations

import frame_types
import numpy as np
from frame_types import faults, frame_faults

from dtviz.pictures.frame_types import F8, KINDS, Figures, FrameAxis, Spot, Swatch

SWATCH = {"name": "A", "spoken": "class A", "value": 0, "colour": "#000", "symbol": "circle"}
FIGURES = {"leaves": 3, "height": 2, "errors": [0.25, None]}


def test_the_types_of_the_browser_are_those_of_python() -> None:
    assert frame_types.FILE.read_text("utf-8") == frame_types.text(), (
        "run `python tests/frontend/frame_types.py`"
    )


def test_every_kind_of_frame_is_written() -> None:
    for kind, shapes in KINDS.items():
        assert f'kind: "{kind}"' in frame_types.text()
        assert all(
            f"export interface {shape.__name__} {{" in frame_types.text() for shape in shapes
        )


def test_what_has_the_shape_has_no_fault() -> None:
    for shape, value in (
        (Swatch, SWATCH),
        (Figures, FIGURES),
        (FrameAxis, {"name": "x", "low": 0, "high": 1.5}),
        (FrameAxis, {"name": "x", "low": 0.0, "high": 1.5, "lanes": ["a"]}),
        (Spot, [0, 3]),
        (F8, np.zeros(2)),
    ):
        assert faults(value, shape) == [], value


def test_what_has_not_the_shape_has_a_fault() -> None:
    for shape, value, fault in (
        (Swatch, SWATCH | {"value": True}, "frame.value is True"),
        (Swatch, SWATCH | {"value": 0.5}, "frame.value is 0.5"),
        (Swatch, SWATCH | {"more": 1}, "frame has more"),
        (Swatch, {"name": "A"}, "frame lacks colour"),
        (Figures, FIGURES | {"errors": [0.25, "x"]}, "frame.errors[1] is 'x'"),
        (FrameAxis, {"name": "x", "low": 0.0, "high": 1.5, "lanes": "a"}, "frame.lanes is 'a'"),
        (Spot, [0, 3, 4], "frame is [0, 3, 4]"),
        (F8, np.zeros(2, "i4"), "frame is array"),
        (F8, [1.0], "frame is [1.0]"),
    ):
        assert faults(value, shape)[0].startswith(fault), fault


def test_a_frame_of_no_kind_has_a_fault() -> None:
    assert frame_faults({"kind": "chart"}) == ["no picture is of kind 'chart'"]
    assert frame_faults({"kind": "line", "step": 1})
