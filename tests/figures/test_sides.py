"""What both sides of a cut weigh, told for all cuts at once, is what `goes_left` sends there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dtviz
from dtviz.engine.missing import POLICIES
from dtviz.engine.problem import Problem
from dtviz.engine.splits import goes_left, score
from dtviz.figures.sides import fits, weighing
from dtviz.table.data import Dataset, dataset
from dtviz.trace import node_candidates

LEVELS = ((), (), ("ash", "birch", "elm", "oak", "yew"))


def table(classes: int, gaps: bool) -> Dataset:
    """Two numbers and a category, rows with weights; of no class the target is a number."""
    random = np.random.default_rng(3)
    columns = np.array(
        [random.integers(0, 9, 70), random.integers(0, 4, 70), random.integers(0, 5, 70)], float
    )
    y = random.integers(0, classes or 50, 70)
    if gaps:
        columns[0, ::6] = columns[2, 3::9] = np.nan
    names = [str(k) for k in range(classes)]
    found = dataset(columns, y, ["a", "b", "c"], "y", names, levels=LEVELS)
    return replace(found, weights=random.integers(1, 5, 70) / 4)


@pytest.mark.parametrize("classes", [0, 2, 3])
@pytest.mark.parametrize("missing", [name for name in POLICIES if name != "drop"])
def test_both_sides_weigh_what_the_rows_do_that_each_split_sends_there(
    classes: int, missing: str
) -> None:
    data = table(classes, gaps=True)
    criterion = "gini" if classes else "squared_error"
    model = dtviz.fit(data, dtviz.Rules(criterion, missing=missing), ())
    data, rules = model.data, model.rules_used
    cuts = node_candidates(Problem(data, rules), model.tree, 1)
    surrogates = missing == "surrogates"
    assert data.weights is not None
    for line, one in enumerate(cuts.projections):
        at = np.arange(len(cuts))[cuts.of_line(line)]
        rows = np.arange(3, data.n)
        found = weighing(data, rows, cuts, at, surrogates)["weighed"]
        sides = [found[side].reshape(len(at), -1) for side in ("left", "right")]
        lacks = np.isnan(score(one, data.columns))
        for k, cut in enumerate(at.tolist()):
            goes = goes_left(cuts.split(cut), data.columns)
            known = ~(lacks & surrogates & np.isfinite(cuts.threshold[cut]))
            for side, own in zip(sides, (goes & known, ~goes & known), strict=True):
                own = own[rows]
                weight, y = data.weights[rows][own], data.y[rows][own]
                if classes:
                    expected = np.bincount(y, weight, classes)
                else:
                    expected = np.array([weight.sum(), np.average(y, weights=weight)])
                assert side[k] == pytest.approx(expected)


def test_many_figures_are_not_told() -> None:
    assert fits(table(3, gaps=False), 10_000)
    assert not fits(table(3, gaps=False), 11_000)
    data = table(2, gaps=False)
    cuts = node_candidates(Problem(data, dtviz.Rules()), dtviz.fit(data, dtviz.Rules(), ()).tree, 1)
    assert weighing(data, np.arange(data.n), cuts, np.arange(0), surrogates=False) == {}
