"""Rows without a value stand beside their axis, in regions that are those of the tree."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

import dtviz
from dtviz import Rules
from dtviz.engine.missing import POLICIES
from dtviz.engine.splits import parts
from dtviz.engine.tree import apply
from dtviz.figures.gutter import gutter_ends, with_gutter
from dtviz.figures.pins import pinned
from dtviz.figures.scene import cloud, rings_of, stage_axes
from dtviz.table.data import Dataset


def table(seed: int, n: int = 40) -> Dataset:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.integers(0, 6, n) * 1.0, "z": random.normal(size=n)})
    frame["c"] = random.choice(list("uvw"), n)
    for name in frame:
        frame.loc[random.random(n) < 0.2, name] = None
    frame["y"] = random.choice(list("pq"), n)
    return dtviz.from_frame(frame, "y")


def holds(ring: list[tuple[float, ...]], x: float, y: float) -> bool:
    """Whether a place is inside a polygon."""
    inside = False
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def test_each_row_stands_in_the_region_of_its_leaf() -> None:
    policies = [name for name in POLICIES if name != "drop"]
    every = product(policies, [(0, 1), (1, 2), (2, 0)])
    for seed, (policy, axes) in enumerate(every):
        data = table(seed)
        model = dtviz.fit(data, Rules(missing=policy, max_depth=4))
        data, tree = model.data, model.tree
        rings = rings_of(data, tree, axes, pinned(data))
        drawn = cloud(data, axes, "")
        columns = np.repeat(pinned(data)[:, None], data.n, axis=1)
        columns[list(axes)] = data.columns[list(axes)]
        ids, place = apply(tree, columns)
        for row in range(data.n):
            # a row at a threshold goes left, below it: `holds` counts an edge as the other side's
            where = float(drawn["x"][row]) - 1e-9, float(drawn["y"][row]) - 1e-9
            holding = [
                leaf
                for leaf in tree.rows
                if leaf in rings and any(holds([*part], *where) for part in parts(rings[leaf]))
            ]
            assert holding == [ids[place[row]]], (policy, axes, row)


def test_a_region_on_both_sides_of_a_gutter_is_one_polygon() -> None:
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, np.nan], "z": [*range(5)], "y": [*"ppqqp"]})
    data = dtviz.from_frame(frame, "y")
    model = dtviz.fit(data, Rules(max_depth=1))
    rings = rings_of(data, model.tree, (0, 1), pinned(data))
    assert [len(parts(rings[node])) for node in (1, 2, 3)] == [1, 1, 1]


def test_the_gutter_lies_before_the_axis_and_rows_that_lack_the_value_in_it() -> None:
    data = table(1)
    across, up = stage_axes(data, (0, 2))
    assert across["low"] < across["gutter"] < 0 < across["high"]
    assert (up["low"], up["gutter"]) == (-1.5, -0.5)
    assert gutter_ends((across, up)) == [across["gutter"], -0.5]
    drawn = cloud(data, (0, 2), "")
    assert np.array_equal(drawn["x"] < across["gutter"], np.isnan(data.columns[0]))
    assert np.array_equal(drawn["y"] < -0.5, np.isnan(data.columns[2]))
    assert drawn["x"].min() > across["low"]
    assert drawn["y"].min() > -1.5


def test_an_axis_without_gaps_has_no_gutter_and_the_widest_axis_has_a_gutter() -> None:
    data = dtviz.load("iris")
    assert all("gutter" not in axis for axis in stage_axes(data, (0, 1)))
    axis = stage_axes(data, (0, 1))[0]
    assert with_gutter(data, 0, axis) is axis
    top = np.finfo(float).max
    frame = pd.DataFrame({"x": [-top, top, np.nan], "y": [*"pqp"]})
    across, _ = stage_axes(dtviz.from_frame(frame, "y"), (0, 0))
    assert np.isfinite(across["low"])
    assert across["low"] <= across["gutter"]
