"""The best tree of depth 3 by pycontree, where it is installed, against all trees tried one by one.

Glossary
    slow    the fewest mistakes of any tree, from the definition
"""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import dtviz
from dtviz import DataError, Rules
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.problem import Problem
from dtviz.engine.tree import fold, height, predict
from dtviz.models.importers import contree
from dtviz.models.importers.contree import OptimalTree, best_of_depth

installed = pytest.mark.skipif(find_spec("pycontree") is None, reason="pycontree is not installed")


def noisy(seed: int, n: int, m: int, classes: int) -> Dataset:
    """Few distinct values, some of them near one another, and classes that hang on them loosely."""
    rng = np.random.default_rng(seed)
    values = np.array([-1e9, 0.0, 5e-324, 1e-12, 1.0, np.nextafter(1.0, 2), 7e11])
    columns = values[rng.integers(0, len(values), (m, n))]
    names = [f"x{j}" for j in range(m)]
    return make_dataset(columns, rng.integers(0, classes, n), names, "y", "abcd"[:classes])


def mistakes(data: Dataset, found: OptimalTree) -> int:
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
def test_no_tree_of_depth_3_makes_fewer_mistakes() -> None:
    assert_fewest(2, 3)


@pytest.mark.nightly
@installed
def test_no_tree_of_depth_3_makes_fewer_mistakes_on_more_tables() -> None:
    for seed, classes in ((0, 2), (0, 3), (1, 2), (1, 3), (2, 2)):
        assert_fewest(seed, classes)


def assert_fewest(seed: int, classes: int) -> None:
    data = noisy(seed, 14, 2, classes)
    found = run_to_end(best_of_depth(data, 3))
    assert found.proven
    assert height(fold(Problem(data, Rules("error")), found.log)) <= 3
    assert mistakes(data, found) == slow(data, [*range(data.n)], 3), (seed, classes)


@installed
def test_it_says_how_far_it_is_and_ends_with_whoever_asked() -> None:
    going = best_of_depth(dtviz.load("moons", n=300), 3)
    assert 0 <= next(going) < 1
    going.close()
    with pytest.raises(StopIteration):
        next(going)


@installed
def test_what_the_process_cannot_do_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(contree, "SCRIPT", tmp_path / "missing.py")  # which ends with an error
    with pytest.raises(DataError, match="pycontree failed on these rows"):
        run_to_end(best_of_depth(noisy(0, 14, 2, 2), 3))


def test_one_class_needs_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contree, "find_spec", lambda name: name)
    data = make_dataset([[1.0, 2.0]], np.array([0, 0]), ["x"], "y", "ab")
    assert run_to_end(best_of_depth(data, 3)) == OptimalTree((), proven=True)


def test_where_the_package_is_missing_it_is_said_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contree, "find_spec", lambda name: None)
    with pytest.raises(DataError, match=r"pip install 'dtviz\[optimal\]'"):
        next(best_of_depth(noisy(0, 14, 2, 2), 3))


def test_data_that_are_not_of_its_kind_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contree, "find_spec", lambda name: name)
    gaps = make_dataset([[1.0, np.nan, 2.0]], np.array([0, 1, 1]), ["x"], "y", "ab")
    numbers = make_dataset([[1.0, 2.0]], np.array([0.5, 1.0]), ["x"], "y")
    weights = replace(noisy(0, 3, 1, 2), weights=np.array([1.0, 2.0, 3.0]))
    for data, words in (
        (gaps, "numbers without gaps"), (numbers, "for classes"), (weights, "count alike"),
    ):  # fmt: skip
        with pytest.raises(DataError, match=words):
            next(best_of_depth(data, 3))
    monkeypatch.setattr(contree, "MAX_VALUES", 10)
    with pytest.raises(DataError, match="at most 10 values"):
        next(best_of_depth(noisy(0, 14, 2, 2), 3))
