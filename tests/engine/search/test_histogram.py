"""A histogram is what GROUP BY answers: one built by pandas ranks the same cuts.

Glossary
    group      a (line, node, distinct value): here one line of a pandas groupby
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import criteria_of_any, data, number_data

from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import CRITERIA, xlog2x_table
from dtviz.engine.criteria.statistics import TOTAL, to_amounts
from dtviz.engine.search.best_split import best_cuts
from dtviz.engine.search.evaluate import evaluate_frontier, score_cuts
from dtviz.engine.search.frontier import frontier
from dtviz.engine.search.histogram import Histogram, histogram_of

Groups = list[np.ndarray]


@st.composite
def grouped(draw: st.DrawFn, found: Dataset) -> Groups:
    marks = draw(st.lists(st.integers(0, 2), min_size=found.n, max_size=found.n))
    return [np.flatnonzero(np.array(marks) == mark) for mark in sorted(set(marks))]


def by_pandas(found: Dataset, groups: Groups) -> Histogram:
    """The histogram of these nodes, each line and node of it one GROUP BY."""
    frames, per_segment = [], []
    for column in found.columns:
        for rows in groups:
            y = found.y[rows]
            named = {str(k): (y == k).astype(np.int64) for k in range(len(found.classes))}
            if not found.classes:
                named = {"total": y - y.mean()}
            frame = pd.DataFrame({"x": column[rows], "n": 1} | named)
            frames.append(frame.groupby("x", as_index=False, sort=True).sum())
            per_segment.append(len(frames[-1]))
    whole = pd.concat(frames)
    sums = [whole[name].to_numpy() for name in whole.columns[2:]]
    y = [found.y[rows] for rows in groups]
    return Histogram(
        values=whole["x"].to_numpy(),
        groups_per_segment=np.array(per_segment).reshape(len(found.columns), len(groups)),
        n=whole["n"].to_numpy(),
        sums=partial(iter, sums),
        has_remainder=False,
        scale=None if found.classes else np.array([np.var(part) for part in y]),
        node_weight=np.array([len(part) for part in y]),
    )


@settings(max_examples=12)
@given(data(14), st.data())
def test_a_tally_by_pandas_ranks_the_same_cuts(found: Dataset, drawn: st.DataObject) -> None:
    groups = drawn.draw(grouped(found))
    criterion = CRITERIA[drawn.draw(st.sampled_from(criteria_of_any(found.task)))]
    front = frontier(found, groups)
    mine, theirs = (
        evaluate_frontier(found, front, criterion),
        score_cuts(by_pandas(found, groups), criterion),
    )
    assert theirs.lower.tolist() == mine.lower.tolist()
    assert theirs.upper.tolist() == mine.upper.tolist()
    assert theirs.node.tolist() == mine.node.tolist()
    assert theirs.cuts_per_segment.tolist() == mine.cuts_per_segment.tolist()
    assert theirs.sides.n.tolist() == mine.sides.n.tolist()
    scale = 1.0 if found.classes else max(float(np.var(found.y[rows])) for rows in groups)
    near = {"rel": 1e-9, "abs": 1e-11 * max(scale, 1e-300)}
    assert theirs.sides.gain.tolist() == pytest.approx(mine.sides.gain.tolist(), **near)
    assert theirs.score.tolist() == pytest.approx(mine.score.tolist(), **near)
    if found.classes:
        one, other = (best_cuts(cuts, front) for cuts in (mine, theirs))
        assert one.line.tolist() == other.line.tolist()
        assert one.threshold.tolist() == pytest.approx(other.threshold.tolist(), nan_ok=True)


@given(number_data(14), st.data())
def test_sums_of_numbers_are_whole_and_return_to_0(found: Dataset, drawn: st.DataObject) -> None:
    groups = drawn.draw(grouped(found))
    mine = histogram_of(found, frontier(found, groups), TOTAL)
    (sums,) = mine.sums()
    assert sums.dtype == np.int64
    assert mine.unit is not None
    assert mine.scale is not None
    ends = np.cumsum(mine.groups_per_segment)
    for j, rows in enumerate(groups):
        total = int(sums[ends[j] - mine.groups_per_segment[0, j] : ends[j]].sum())
        assert abs(total) * mine.unit[j] <= 1e-15 * len(rows) * np.abs(found.y[rows]).max()
        assert mine.scale[j] == pytest.approx(np.var(found.y[rows]), rel=1e-9, abs=1e-300)


@given(st.lists(st.lists(st.floats(-1e150, 1e150), min_size=1, max_size=9), min_size=1))
def test_fixed_numbers_are_exact_to_the_last_of_62_bits(nodes: list[list[float]]) -> None:
    sizes = np.array([len(node) for node in nodes])
    amounts, unit = to_amounts(np.concatenate(nodes), np.cumsum(sizes) - sizes, sizes)
    for node, part, one in zip(nodes, np.split(amounts, np.cumsum(sizes)), unit, strict=False):
        assert abs(sum(map(int, part))) < 2**62
        assert sum(map(abs, map(int, part))) < 2**62
        for value, amount in zip(node, part.tolist(), strict=True):
            assert abs(Fraction(value) - amount * Fraction(one)) < Fraction(one)


def test_the_table_of_logarithms_is_the_least_power_of_two_that_reaches() -> None:
    for top in [0, 1, 2, 3, 4, 7, 8, 1000, 1023, 1024]:
        table = xlog2x_table(top)
        assert len(table) == next(2**k for k in range(20) if 2**k > top), top
        assert table[top] == (top * np.log2(top) if top else 0), top
