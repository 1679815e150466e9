"""What intervals of root cuts are bounded by, against the search that opens each of them.

Glossary
    every     the search with no bound: all root cuts are opened
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from test_depth2 import search

from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.optimal import bounds, depth2
from dtviz.engine.optimal.bounds import Incumbent
from dtviz.engine.tree import Log

NAMES = ("entropy", "gini", "error")
CASES = [(NAMES[seed % 3], seed) for seed in range(6)]


@cache
def noisy(seed: int, n: int = 90) -> Dataset:
    """Classes that hardly depend on the features: many root cuts are ties or nearly so."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(2, n)).round(1 + seed % 2)
    y = (rng.random(n) < 0.35 + 0.3 * (np.abs(columns[0]) < 0.7)).astype(int)
    y += (rng.random(n) < 0.3) * (seed % 2)
    return make_dataset(columns, y, ["x1", "x2"], "y", "abc"[: 2 + seed % 2])


@cache
def every(found: Dataset, rules: Rules) -> Log:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Incumbent, "may_improve", lambda *_: True)
        return search(found, rules)


def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bound whatever can be, however few the rows."""
    monkeypatch.setattr(depth2, "WORK_PER_BATCH", 1)
    monkeypatch.setattr(bounds, "MIN_ROWS_BOUNDED", 1)


def test_bounds_do_not_change_which_tree_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seed in CASES:
        with monkeypatch.context() as patch:
            found = noisy(seed)
            rules = Rules(name, min_samples_leaf=1 + seed % 3)
            wanted = every(found, rules)
            eager(patch)
            assert search(found, rules) == wanted, (name, seed)


def test_ties_that_cannot_win_are_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    # x1 tells a | b | a apart with 2 cuts; a third one between them changes nothing
    x1 = np.arange(400.0)
    found = make_dataset(
        [x1, x1[::-1] % 7], ((x1 < 100) | (x1 >= 300)) * 1, ["x1", "x2"], "y", "ab"
    )
    opened = []
    sides = depth2.frontier_of_sides
    monkeypatch.setattr(
        depth2, "frontier_of_sides", lambda *given: opened.append(len(given[-1])) or sides(*given)
    )
    log = search(found, Rules("error"))
    assert [(move.node, move.split.threshold) for move in log] == [(1, 99.5), (3, 299.5)]
    assert sum(opened) < 40


def test_a_category_before_a_number_shifts_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    codes, x = rng.integers(0, 4, 60).astype(float), rng.normal(size=60).round(1)
    y = ((codes > 1) ^ (x > 0.3) ^ (rng.random(60) < 0.2)).astype(int)
    found = make_dataset(
        [codes, x], y, ["c", "x"], "y", "ab", categories=(("p", "q", "r", "s"), ())
    )
    for name in ("gini", "error"):
        wanted = every(found, Rules(name))
        with monkeypatch.context() as patch:
            eager(patch)
            assert search(found, Rules(name)) == wanted


@pytest.mark.parametrize("seed", range(2))
def test_numbers_are_bounded_too(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    base = noisy(seed, 60)
    found = make_dataset(base.columns, base.y + 1e6, base.features, "y")
    for name in ("squared_error", "absolute_error", "poisson"):
        wanted = every(found, Rules(name))
        with monkeypatch.context() as patch:
            eager(patch)
            assert search(found, Rules(name)) == wanted
