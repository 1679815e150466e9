"""One colour and one shape a class, the same everywhere."""

from __future__ import annotations

from dtviz.figures.palette import SCALE, class_colour, class_symbol, step_of, tint


def test_colour_and_shape_tell_88_classes_apart() -> None:
    pairs = {(class_colour(k), class_symbol(k)) for k in range(88)}
    assert len(pairs) == 88
    assert len({class_colour(k) for k in range(8)}) == 8
    assert len({class_symbol(k) for k in range(8)}) == 8


def test_a_number_has_its_place_on_the_scale() -> None:
    assert step_of(0.0, 0.0, 10.0) == 0
    assert step_of(10.0, 0.0, 10.0) == len(SCALE) - 1
    assert step_of(5.0, 5.0, 5.0) == len(SCALE) // 2
    assert step_of(-9.0, 0.0, 1.0) == 0


def test_tint() -> None:
    assert tint("#0072B2", 0.5) == "rgba(0,114,178,0.5)"
