"""The order of a category's bands where a tree, and no node in focus, gives it."""

from __future__ import annotations

import numpy as np

import dtviz
from dtviz import Rules
from dtviz.engine.splits import subset_split
from dtviz.engine.tree import Grow
from dtviz.figures.bands import orders_in
from dtviz.figures.pins import pinned
from dtviz.figures.regions import parts
from dtviz.figures.scene import rings_of
from dtviz.table.data import Dataset, dataset

LEVELS = (tuple("abcdef"), ("u", "v", "w"))


def table(classes: int, n: int = 120) -> Dataset:
    random = np.random.default_rng(classes)
    codes = np.array([random.integers(0, 6, n), random.integers(0, 3, n)])
    y = (codes[0] * 5 % 7 + codes[1] + random.integers(0, 2, n)) % max(classes, 7)
    return dataset(codes, y % classes if classes else y * 1.0, "gh", "y", "ABC"[:classes],
                   levels=LEVELS)  # fmt: skip


def test_both_sides_of_the_first_cut_of_a_category_are_in_one_piece() -> None:
    for classes in (0, 2, 3):
        data = table(classes)
        rules = Rules("gini" if classes else "squared_error", max_depth=1)
        tree = dtviz.fit(data, rules).tree
        rings = rings_of(data, tree, (0, 1), pinned(data), orders_in(data, tree.splits))
        assert [len(parts(rings[node])) for node in (2, 3)] == [1, 1], classes


def test_values_stand_by_their_mean_target_the_lower_side_first() -> None:
    found = dataset([[0, 1, 2, 3]], np.array([3.0, 1, 4, 2]), "g", "y", levels=(tuple("abcd"),))
    rules = Rules("squared_error")

    def order(*log: Grow) -> str:
        orders = orders_in(found, dtviz.fit(found, rules, log).tree.splits)
        return "".join(found.levels[0][code] for code in orders[0])

    assert order() == "bdac"
    assert order(Grow(1, subset_split(0, (0, 3)))) == "bcda"
    assert order(Grow(1, subset_split(0, (1, 2))), Grow(2, subset_split(0, (2,)))) == "bcda"
