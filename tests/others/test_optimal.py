"""The best tree of depth 3 by pycontree, where it is installed, against all trees tried one by one.

Glossary
    slow    the fewest mistakes of any tree, from the definition
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import dtviz
from dtviz import DataError, Rules
from dtviz.engine.problem import Problem
from dtviz.engine.tree import fold, height, predict
from dtviz.others import optimal
from dtviz.others.optimal import Optimal, best_of_depth
from dtviz.slices import finished
from dtviz.table.data import Dataset, dataset

installed = pytest.mark.skipif(find_spec("pycontree") is None, reason="pycontree is not installed")


def noisy(seed: int, n: int, m: int, classes: int) -> Dataset:
    """Few distinct values, some of them near one another, and classes that hang on them loosely."""
    rng = np.random.default_rng(seed)
    values = np.array([-1e9, 0.0, 5e-324, 1e-12, 1.0, np.nextafter(1.0, 2), 7e11])
    columns = values[rng.integers(0, len(values), (m, n))]
    names = [f"x{j}" for j in range(m)]
    return dataset(columns, rng.integers(0, classes, n), names, "y", "abcd"[:classes])


def mistakes(data: Dataset, found: Optimal) -> int:
    tree = fold(Problem(data, Rules("error")), found.log)
    return int((predict(tree, data.columns) != data.y).sum())


def slow(data: Dataset, rows: list[int], levels: int) -> int:
    """The fewest mistakes among some rows of any tree with so many levels of splits."""
    counts = np.bincount(data.y[rows])
    least = len(rows) - int(counts.max())
    if not levels or not least:
        return least
    for column in data.columns.tolist():
        for value in sorted({column[row] for row in rows})[:-1]:
            sides = (
                [row for row in rows if column[row] <= value],
                [row for row in rows if column[row] > value],
            )
            least = min(least, sum(slow(data, side, levels - 1) for side in sides))
    return least


@installed
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_no_tree_of_depth_3_makes_fewer_mistakes(seed: int, classes: int) -> None:
    data = noisy(seed, 14, 2, classes)
    found = finished(best_of_depth(data, 3))
    assert found.proven
    assert height(fold(Problem(data, Rules("error")), found.log)) <= 3
    assert mistakes(data, found) == slow(data, [*range(data.n)], 3)


@installed
def test_moons_are_told_apart_better_than_by_greedy_growth() -> None:
    data = dtviz.load("moons", n=300)
    greedy = dtviz.fit(data, Rules(max_depth=3)).tree
    wrong = int((predict(greedy, data.columns) != data.y).sum())
    assert mistakes(data, finished(best_of_depth(data, 3))) < wrong


@installed
def test_it_says_how_far_it_is_and_ends_with_whoever_asked() -> None:
    going = best_of_depth(dtviz.load("moons", n=300), 3)
    assert 0 <= next(going) < 1
    going.close()
    with pytest.raises(StopIteration):
        next(going)


@installed
def test_what_the_process_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal, "SECONDS", -1)  # which the package refuses
    with pytest.raises(DataError, match="pycontree failed on these rows"):
        finished(best_of_depth(noisy(0, 14, 2, 2), 3))


def test_one_class_needs_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal, "find_spec", lambda name: name)
    data = dataset([[1.0, 2.0]], np.array([0, 0]), ["x"], "y", "ab")
    assert finished(best_of_depth(data, 3)) == Optimal((), proven=True)


def test_where_the_package_is_missing_it_is_said_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(optimal, "find_spec", lambda name: None)
    with pytest.raises(DataError, match=r"pip install 'dtviz\[optimal\]'"):
        next(best_of_depth(noisy(0, 14, 2, 2), 3))


def gaps() -> Dataset:
    return dataset([[1.0, np.nan, 2.0]], np.array([0, 1, 1]), ["x"], "y", "ab")


def weights() -> Dataset:
    from dataclasses import replace

    return replace(noisy(0, 3, 1, 2), weights=np.array([1.0, 2.0, 3.0]))


def numbers() -> Dataset:
    return dataset([[1.0, 2.0]], np.array([0.5, 1.0]), ["x"], "y")


@pytest.mark.parametrize(
    ("made", "said"),
    [(gaps, "numbers without gaps"), (numbers, "for classes"), (weights, "count alike")],
)
def test_data_that_are_not_of_its_kind_are_refused(
    made: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(optimal, "find_spec", lambda name: name)
    with pytest.raises(DataError, match=said):
        next(best_of_depth(made(), 3))


def test_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal, "find_spec", lambda name: name)
    monkeypatch.setattr(optimal, "MOST_VALUES", 10)
    with pytest.raises(DataError, match="at most 10 values"):
        next(best_of_depth(noisy(0, 14, 2, 2), 3))
