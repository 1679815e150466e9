"""Splits put in order without rounding: as their scores order them, and equal is equal."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtviz.engine.criteria.criteria import CRITERIA, criteria_for
from dtviz.engine.criteria.exact import entropy, error, gain_ratio, gini
from dtviz.engine.criteria.from_counts import scores

NAMES = criteria_for("classification")


@st.composite
def two_splits(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """A parent, and the left counts of two splits with rows on both sides."""
    parent = draw(st.lists(st.integers(0, 12), min_size=2, max_size=4).filter(lambda n: sum(n) > 1))
    some = st.tuples(*(st.integers(0, n) for n in parent))
    whole = some.filter(lambda left: 0 < sum(left) < sum(parent))
    return parent, draw(whole), draw(whole)


def worth(name: str, parent: Any, left: Any) -> Any:
    exact = CRITERIA[name].exact
    assert exact is not None
    return exact(left, [n - a for n, a in zip(parent, left, strict=True)])


@given(st.sampled_from(NAMES), two_splits())
def test_worths_stand_in_the_order_of_scores(name: str, case: Any) -> None:
    parent, *both = case
    first, second = scores(CRITERIA[name], np.array(parent), np.array(both)).tolist()
    one, two = (worth(name, parent, left) for left in both)
    if abs(first - second) > 1e-9:
        assert (one > two) == (first > second)
        assert one != two
    else:
        assert one == two  # of so few rows none are that near and not the same


@given(st.sampled_from(NAMES), two_splits())
def test_a_split_and_its_mirror_image_are_worth_the_same(name: str, case: Any) -> None:
    parent, left, _ = case
    right = [n - a for n, a in zip(parent, left, strict=True)]
    assert worth(name, parent, left) == worth(name, parent, right)


def test_two_splits_as_different_as_these_have_the_same_entropy() -> None:
    """8 + 8 rows: 7 + 2 left or 4 + 8 left, both 2^8 / 3^12."""
    assert entropy((7, 2), (1, 6)) == entropy((4, 8), (4, 0)) == Fraction(2**8, 3**12)


def test_worths_by_hand() -> None:
    left, right = (3, 1), (0, 2)
    assert entropy(left, right) == Fraction(3**3 * 1 * 2**2, 4**4 * 2**2)
    assert gini(left, right) == Fraction(9 + 1, 4) + Fraction(4, 2)
    assert error(left, right) == 5
    gain = 1 - 4 / 6 * -(3 / 4 * math.log2(3 / 4) + 1 / 4 * math.log2(1 / 4))
    sizes = -(4 / 6 * math.log2(4 / 6) + 2 / 6 * math.log2(2 / 6))
    assert float(gain_ratio(left, right)) == pytest.approx(gain / sizes, abs=1e-15)
