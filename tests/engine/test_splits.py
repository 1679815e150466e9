"""Thresholds and sides: half-way, never on the upper neighbour, and a row at it goes left."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from cases import MIDPOINTS
from hypothesis import assume, given
from hypothesis import strategies as st

from dtviz.engine.splits import (
    Axis,
    Split,
    axis_split,
    goes_left,
    midpoint,
    position_between,
    score,
)

finite = st.floats(allow_nan=False, allow_infinity=False)


def test_midpoints_of_the_lectures() -> None:
    for values, thresholds in MIDPOINTS:
        distinct = np.unique(np.array(values, dtype=float))
        assert tuple(midpoint(distinct[:-1], distinct[1:])) == thresholds, (values, thresholds)


@given(finite, finite)
def test_a_midpoint_parts_its_neighbours(a: float, b: float) -> None:
    assume(a != b)
    lower, upper = min(a, b), max(a, b)
    assert lower <= midpoint(np.array(lower), np.array(upper)) < upper


@given(finite)
def test_between_adjacent_floats_the_threshold_is_the_lower(lower: float) -> None:
    upper = math.nextafter(lower, math.inf)
    assume(math.isfinite(upper))
    assert float(midpoint(np.array(lower), np.array(upper))) == lower


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_a_midpoint_is_the_nearest_float_to_the_middle(a: float, b: float) -> None:
    assume(abs(a) > 1e-300 and abs(b) > 1e-300 and a != b)
    lower, upper = min(a, b), max(a, b)
    middle = float((Fraction(lower) + Fraction(upper)) / 2)
    found = float(midpoint(np.array(lower), np.array(upper)))
    assert found == (middle if middle < upper else lower)


def test_midpoints_of_the_largest_floats_do_not_overflow() -> None:
    assert float(midpoint(np.array(1.7e308), np.array(1.79e308))) == 1.745e308


def test_a_row_at_the_threshold_goes_left() -> None:
    at = 2.45
    columns = np.array([[math.nextafter(at, 0), at, math.nextafter(at, 9)], [0, 0, 0]])
    assert goes_left(axis_split(0, at), columns).tolist() == [True, True, False]


def test_a_score_is_the_feature_s_column() -> None:
    assert score(Axis(1), np.array([[1.0, 2], [3, 4]])).tolist() == [3, 4]


def test_splits_are_plain_values() -> None:
    split = axis_split(np.int64(1), np.float64(2.5))  # type: ignore[arg-type]
    assert split == Split(Axis(1), 2.5)
    assert type(split.projection.feature) is int
    assert type(split.threshold) is float
    assert axis_split(0, 9.0) < axis_split(1, 0.0)
    assert hash(split) == hash(axis_split(1, 2.5))


def test_how_far_a_number_lies_between_two_is_told_of_the_largest_too() -> None:
    for far in [1.0, 1e-300, 1.7e308]:
        assert position_between(-far, far, 0.0) == 0.5, far
        assert position_between(far, -far, far / 2) == 0.25, far
