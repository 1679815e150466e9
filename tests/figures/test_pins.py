"""Where features on no axis are pinned: in the middle, or where a node has its rows."""

from __future__ import annotations

import numpy as np
import pytest

import dtviz
from dtviz.figures.pins import pinned, pinned_in
from dtviz.figures.scene import rings_of
from dtviz.table.data import dataset

IRIS = dtviz.fit(dtviz.load("iris"))


@pytest.mark.parametrize("node", IRIS.tree.nodes)
def test_the_slice_meets_the_node_looked_at(node: int) -> None:
    at = pinned_in(IRIS.data, IRIS.tree, node)
    assert node in rings_of(IRIS.data, IRIS.tree, (0, 1), at)
    if node in rings_of(IRIS.data, IRIS.tree, (0, 1), pinned(IRIS.data)):
        assert at[2:].tolist() == pinned(IRIS.data)[2:].tolist()


def test_a_slice_through_a_node_has_a_value_that_its_rows_have() -> None:
    codes, y = np.repeat([0, 1, 2], [5, 3, 2]), np.repeat([0, 1, 1], [5, 3, 2])
    found = dataset([codes, np.ones(10)], y, "ab", "y", "AB", levels=(("p", "q", "r"), ()))
    tree = dtviz.fit(found, dtviz.Rules(max_depth=1)).tree
    seen = {node: int(pinned_in(found, tree, node)[0]) for node in tree.nodes}
    assert seen == {1: 0, 2: 0, 3: 1}
