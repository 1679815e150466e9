"""What is late is made once, when it is first read."""

from __future__ import annotations

import copy
import pickle

import numpy as np

from dtviz import fit
from dtviz.engine.grow import finish
from dtviz.engine.late import Late
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.tree import fold, stump
from dtviz.table.data import dataset


def test_a_late_mapping_is_filled_once_and_only_when_it_is_read() -> None:
    filled = []

    def fill() -> dict[int, str]:
        filled.append(True)
        return {1: "a", 2: "b"}

    late = Late(fill)
    assert not filled
    assert late == {1: "a", 2: "b"}
    assert list(late) == [1, 2]
    assert late[2] == "b"
    assert 3 not in late
    assert len(filled) == 1


def test_a_log_that_is_told_late_goes_with_copies_and_pickles() -> None:
    x = np.arange(6.0)[None]
    model = fit(dataset(x, np.array([0, 0, 1, 1, 0, 1]), ("x",), "y", ("a", "b")))
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert other.log == model.log != ()
        assert other.tree.splits == model.tree.splits


def test_a_tree_grown_by_levels_says_what_the_fold_of_its_log_says() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(2, 60))
    data = dataset(x, rng.integers(0, 3, 60), ("x", "z"), "y", ("a", "b", "c"))
    log, tree = finish(Problem(data, Rules()), stump(Problem(data, Rules())))
    folded = fold(Problem(data, Rules()), log)
    assert tree.nodes == folded.nodes
    assert tree.splits == folded.splits
    assert tree.gaps == folded.gaps
    assert tree.rows.keys() == folded.rows.keys()
    for leaf, rows in folded.rows.items():
        assert sorted(tree.rows[leaf].tolist()) == rows.tolist()
        assert not tree.rows[leaf].flags.writeable
