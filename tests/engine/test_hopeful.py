"""Cuts that cannot be the best are passed over: what is found is what a search of all finds."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from grids import grids
from hypothesis import given
from hypothesis import strategies as st

from dtviz.engine import hopeful
from dtviz.engine.criteria import CRITERIA
from dtviz.engine.cuts import Cuts, scan
from dtviz.engine.frontier import Frontier, frontier
from dtviz.engine.hopeful import MOST, hopeful_cuts
from dtviz.engine.least import ONE_ROW, Least
from dtviz.engine.missing import LEARNED
from dtviz.engine.search import COLUMNS, best
from dtviz.table.data import Dataset, dataset


def both(data: Dataset, front: Frontier, name: str, least: Least = ONE_ROW) -> tuple[Cuts, Cuts]:
    """The cuts that are looked at, and all."""
    about = data, front, CRITERIA[name], least, LEARNED
    return hopeful_cuts(*about), scan(*about)


def same(data: Dataset, front: Frontier, name: str, least: Least = ONE_ROW) -> None:
    one, other = (best(cuts, front) for cuts in both(data, front, name, least))
    cut = one.cut >= 0
    assert np.array_equal(cut, other.cut >= 0)
    for of in (*COLUMNS[1:], "weight"):  # the first tells the place among the cuts there are
        some, every = getattr(one, of), getattr(other, of)
        told = slice(None) if of in ("grade", "weight") else cut
        assert np.array_equal(some[told], every[told]), of


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(("entropy", "gini", "error", "gain_ratio", "cart")),
    st.integers(2, 4),
    st.sampled_from((3, 20, 1000)),
    st.sampled_from(("none", "whole", "real")),
)
def test_the_best_cut_of_each_node_is_that_of_all_cuts(
    seed: int, name: str, classes: int, values: int, weighs: str
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    x = rng.integers(0, values, (2, n)).astype(float)
    y = (x[0] > values / 2) * 1 if rng.random() < 0.3 else rng.integers(0, classes, n)
    weights = {"none": None, "whole": rng.integers(1, 9, n), "real": rng.random(n) + 0.1}[weighs]
    names = tuple("ABCD"[:classes])
    data = dataset(x, y, ("a", "b"), "y", names, weights=weights)
    groups = [rng.permutation(n)[: int(rng.integers(1, n + 1))] for _ in range(3)]
    same(data, frontier(data, groups), name)
    same(data, frontier(data, groups), name, Least(2))


@grids
def test_cuts_near_the_best_are_the_best_and_its_ties(
    monkeypatch: pytest.MonkeyPatch, grid: Any
) -> None:
    monkeypatch.setattr(hopeful, "MANY", 0)
    monkeypatch.setattr(hopeful, "MOST", 1)
    rng = np.random.default_rng(3)
    for name, weighs, offset, scale, n in grid(
        ("gini", "squared_error"), ("none", "whole", "real"), (0.0, 1e9, -1e15),
        (1.0, 1e-145, 1e140), (2, 3, 9, 60, 200),
    ):  # fmt: skip
        x = rng.integers(0, n, (2, n)) * 1.0 if n % 2 else rng.normal(size=(2, n))
        x[:, : n // 3] = x[:, :1]
        y = rng.integers(0, 4, n)
        weights = {"none": None, "whole": rng.integers(1, 9, n), "real": rng.random(n) + 0.1}
        number = (y + offset) * scale if abs(offset * scale) < 1e150 else y * 1.0
        target, names = (y, tuple("ABCD")) if name == "gini" else (number, ())
        data = dataset(x, target, ("a", "b"), "y", names, weights=weights[weighs])
        groups = [rng.permutation(n)[: int(rng.integers(1, n + 1))] for _ in range(4)]
        front = frontier(data, [*groups, np.arange(n)])
        same(data, front, name)
        some, every = both(data, front, name)
        passes = weighs != "real" and n >= 60 and scale >= 1
        assert not passes or len(some.node) < len(every.node) / 2


def test_on_both_sides_of_the_heaviest_node_that_passes_cuts_over() -> None:
    for n, name in product([MOST, MOST + 1], ["entropy", "gini"]):
        x = np.arange(n, dtype=float)
        classes = (x % 7 < 5).astype(int)
        lone = (x == n // 2).astype(int)
        for y in (classes, lone):
            data = dataset(x[None], y, ("x",), "y", ("A", "B"))
            front = frontier(data, [np.arange(n), np.arange(n // 2 + 9)])
            same(data, front, name)
            some, every = both(data, front, name)
            light = [np.count_nonzero(cuts.node == 1) for cuts in (some, every)]
            assert light[0] < light[1], (name, n)
            heavy = [np.count_nonzero(cuts.node == 0) for cuts in (some, every)]
            assert (heavy[0] == heavy[1]) == (n > MOST), (name, n)


def test_pure_nodes_and_rows_of_equal_value() -> None:
    data = dataset([[1.0, 2.0, 3.0, 1.0, 1.0]], [0, 0, 0, 1, 1], ("x",), "y", ("A", "B"))
    same(data, frontier(data, [np.arange(3), np.array([0, 3]), np.arange(5), np.arange(3)]), "gini")
    some, _ = both(data, frontier(data, [np.arange(5)]), "gini")
    assert some.lower.tolist() == [1.0]  # between 2 and 3 there are only rows of A
