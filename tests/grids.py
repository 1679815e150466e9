"""Grids of cases: each day a few that hold every pair of values, at night all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest


def pairs(*axes: Any) -> Iterator[tuple[Any, ...]]:
    """As few cases of the grid as will do to hold any two values of any two axes."""
    places = [*combinations(range(len(axes)), 2)]
    cases = [*product(*(range(len(axis)) for axis in axes))]
    pairs_of = {case: {(a, b, case[a], case[b]) for a, b in places} for case in cases}
    left = set().union(*pairs_of.values())
    while left:
        case = max(cases, key=lambda one: len(pairs_of[one] & left))
        left -= pairs_of[case]
        yield tuple(axis[k] for axis, k in zip(axes, case, strict=True))


grids = pytest.mark.parametrize(
    "grid", [pairs, pytest.param(product, marks=pytest.mark.nightly)], ids=["pairs", "all"]
)
