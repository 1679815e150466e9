"""The strips: every row is counted on its side of the cut, as its class or its level."""

from __future__ import annotations

from typing import Any

import numpy as np

import dtviz
from dtviz.engine.splits import goes_left
from dtviz.engine.tree import rows_in
from dtviz.figures.strips import BINS, FULL, LEVELS, MOST, strips_of
from dtviz.model import Model
from dtviz.table.data import dataset

GAPS = dataset(
    [np.array([1.0, 2, 3, 4, np.nan, 6, 7, 8])],
    np.array([0, 0, 0, 0, 1, 1, 1, 1]),
    ["x"],
    "y",
    "AB",
)
MODELS = {
    "classes": dtviz.fit(dtviz.load("iris")),
    "numbers": dtviz.fit(dtviz.load("sine")),
    "categories": dtviz.fit(dtviz.load("play_tennis")),
    "gaps": dtviz.fit(GAPS),
    "one row a leaf": dtviz.fit(dataset([np.arange(9.0) ** 9], np.arange(9) % 2, ["x"], "y", "AB")),
    "huge values": dtviz.fit(dataset([np.array([-1e308, 1e308])], np.arange(2), ["x"], "y", "AB")),
}


def counted(model: Model, levels: int | None = None) -> dict[int, tuple[int, Any]]:
    """The bins left of the cut and the counts, (kinds, BINS), by node."""
    strips = strips_of(model.data, model.tree, levels)
    counts = strips["counts"].reshape(-1, strips["kinds"], BINS)
    pairs = zip(strips["left"].tolist(), counts, strict=True)
    return dict(zip(map(int, strips["nodes"]), pairs, strict=True))


def test_every_row_is_on_its_side_and_of_its_kind() -> None:
    for name, model in MODELS.items():
        data, strips = model.data, counted(model)
        assert set(strips) == set(model.tree.splits), name
        low, high = data.y.min(), data.y.max()
        levels = np.minimum((data.y - low) / (high - low) * LEVELS, LEVELS - 1).astype(int)
        kinds = data.y.astype(int) if data.classes else levels
        for node, (left, counts) in strips.items():
            split, rows = model.tree.splits[node], rows_in(model.tree, node)
            rows = rows[~np.isnan(data.columns[:, rows]).any(axis=0)]
            goes = goes_left(split, data.columns, rows)
            assert 0 < left < BINS, (name, node)
            for side, taken in ((counts[:, :left], goes), (counts[:, left:], ~goes)):
                there = set(np.flatnonzero(side.any(axis=1)).tolist())
                assert there == set(kinds[rows[taken]].tolist()), (name, node)


def test_counts_are_shares_of_the_fullest_bin() -> None:
    x = np.array([0.0] * 50 + [10.0] * 100 + [5.0])
    model = dtviz.fit(dataset([x], np.array([0] * 50 + [1] * 101), ["x"], "y", "AB"))
    (left, counts), *more = counted(model).values()
    assert not more
    assert counts[0, 0] == FULL * 50 // 100
    assert counts[1, BINS - 1] == FULL
    assert counts[1, left:].tolist().count(FULL // 100) == 1  # the row at 5
    assert left == round(BINS * 0.25)


def test_only_the_nodes_that_are_drawn_have_one_and_the_upper_ones_where_there_are_many() -> None:
    model = dtviz.fit(dtviz.load("moons", n=2000, noise=0.6, seed=7))
    found = counted(model)
    assert len(found) == MOST < len(model.tree.splits)
    deepest = max(node.bit_length() for node in found)
    assert {node for node in model.tree.splits if node.bit_length() < deepest} <= set(found)
    assert set(counted(model, 2)) == {1, 2, 3} & set(model.tree.splits)
    assert counted(model, 0) == {}


def test_many_classes_are_counted_by_their_colours() -> None:
    y = np.arange(20)
    model = dtviz.fit(dataset([y], y, ["x"], "y", [f"c{k}" for k in y]), dtviz.Rules(max_depth=1))
    ((_, counts),) = counted(model).values()
    assert counts.shape == (8, BINS)
    assert counts.any(axis=1).all()
