"""Absolute error: medians of every prefix against sorting, scikit-learn, and repeated rows."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeRegressor
from strategies import number_data

import dtviz
from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.criteria.statistics import (
    NodeRows,
    distances_from_median,
    medians,
    running_deviation,
)
from dtviz.engine.grow import finish, full_tree, moves
from dtviz.engine.problem import Problem
from dtviz.engine.search.candidates import candidates
from dtviz.engine.subtrees import splits_kept_by_rules
from dtviz.engine.tree import root_tree
from dtviz.explain.why import arithmetic

ABSOLUTE = CRITERIA["absolute_error"]
RULES = Rules("absolute_error")
segments = st.lists(st.lists(st.integers(-5, 5), min_size=1, max_size=9), min_size=1, max_size=5)
numbers = st.sampled_from([0.1, 0.2, 0.3, 1.0, -4.0, 1e8, 1e8 + 1])


def apart(values: list[float]) -> float:
    return sum(abs(value - median(values)) for value in values)


@given(segments, st.data())
def test_each_prefix_is_as_far_from_its_median_as_sorted(
    parts: list[list[int]], drawn: st.DataObject
) -> None:
    values = np.array([value for part in parts for value in part])
    starts = np.cumsum([0, *map(len, parts)])[:-1]
    heavy = st.lists(st.integers(1, 3), min_size=len(values), max_size=len(values))
    weights = drawn.draw(st.none() | heavy)
    found = distances_from_median(values, None if weights is None else np.array(weights), starts)
    own = weights or [1] * len(values)
    for first, last in pairwise([*starts.tolist(), len(values)]):
        for end in range(first + 1, last + 1):
            often = np.repeat(values[first:end], own[first:end]).tolist()
            assert found[end - 1] == apart(often)


@given(segments)
def test_the_median_is_the_middle_or_the_mean_of_both_in_the_middle(parts: list[list[int]]) -> None:
    sizes = np.array(list(map(len, parts)))
    y = np.array([float(value) for part in parts for value in part])
    rows = NodeRows(y, None, np.cumsum(sizes) - sizes, sizes)
    assert medians(rows).tolist() == list(map(median, parts))


@given(st.lists(numbers, max_size=12))
def test_running_deviations_are_those_of_each_prefix(y: list[float]) -> None:
    found = running_deviation(np.array(y)).tolist()
    for k, value in enumerate(found, start=1):
        near = 1e-15 * max(map(abs, y))
        assert value == pytest.approx(apart(y[:k]) / k, rel=1e-12, abs=near)


@given(number_data(14))
def test_a_cut_s_gain_is_what_the_distance_falls_by(found: Dataset) -> None:
    cuts = candidates(found, np.arange(found.n), ABSOLUTE)
    scale = float(np.abs(found.y - np.median(found.y)).mean())
    for at in range(len(cuts)):
        left = found.columns[cuts.axis(at)] <= cuts.threshold[at]
        parts = sum(apart(found.y[side].tolist()) for side in (left, ~left))
        expected = scale - parts / found.n
        assert cuts.gain[at] == pytest.approx(expected, abs=1e-9 * max(scale, 1e-300))


def test_a_cut_leaves_no_more_than_scikit_learn_s() -> None:
    for seed in range(3):
        # equal gains are common: their trees may go on from another of the best cuts
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=(100, 3)), rng.normal(size=100)
        theirs = DecisionTreeRegressor(criterion="absolute_error", max_depth=1).fit(x, y)
        model = dtviz.fit(make_dataset(x.T, y, "abc", "y"), Rules("absolute_error", max_depth=1))
        left = sum(model.tree.nodes[k].n * model.tree.nodes[k].impurity for k in (2, 3))
        assert left == pytest.approx(np.abs(y - theirs.predict(x)).sum(), rel=1e-12), seed
        assert model.tree.nodes[1].impurity == pytest.approx(theirs.tree_.impurity[0], rel=1e-12)


heavy_or_light = st.lists(st.sampled_from([0.5, 1.0, 5.0, 1e-3, 300.0]), min_size=12, max_size=12)


@given(number_data(12, 1), heavy_or_light)
def test_gains_of_any_weights_are_those_of_the_definition(
    found: Dataset, weights: list[float]
) -> None:
    own = np.array(weights[: found.n])
    heavy = make_dataset(found.columns, found.y, found.features, "y", sample_weight=own)

    def apart(some: NDArray[np.bool_]) -> float:
        y, w = found.y[some], own[some]
        return min(float((w * np.abs(y - middle)).sum()) for middle in y)

    cuts = candidates(heavy, np.arange(found.n), ABSOLUTE)
    whole = apart(np.ones(found.n, np.bool_))
    for at, threshold in enumerate(cuts.threshold.tolist()):
        left = found.columns[0] <= threshold
        gain = (whole - apart(left) - apart(~left)) / own.sum()
        assert cuts.gain[at] == pytest.approx(gain, rel=1e-9, abs=1e-9 * whole / own.sum())


@given(number_data(14), st.data())
def test_growing_at_once_and_step_by_step_agree(found: Dataset, drawn: st.DataObject) -> None:
    rules = Rules(
        "absolute_error",
        order=drawn.draw(st.sampled_from(["depth", "breadth", "best"])),
        min_samples_leaf=drawn.draw(st.integers(1, 3)),
        max_depth=drawn.draw(st.sampled_from([None, 1, 2])),
    )
    problem = Problem(found, rules)
    log, tree = finish(problem, root_tree(problem))
    assert tuple(move for move, _ in moves(problem, root_tree(problem))) == log
    nodes = full_tree(problem)
    assert {nodes.ids[at] for at in np.flatnonzero(splits_kept_by_rules(nodes, rules))} == set(
        tree.splits
    )


def test_a_leaf_predicts_its_median_and_its_arithmetic_says_so() -> None:
    found = make_dataset([np.arange(5.0)], np.array([1.0, 1.0, 2.0, 10.0, 50.0]), ["x"], "y")
    model = dtviz.fit(found, Rules("absolute_error", max_depth=1))
    assert model.tree.nodes[1].value == 2.0
    assert dtviz.fit(found, Rules("squared_error", leaf_model="median")).tree.nodes[1].value == 2.0
    cuts = candidates(found, np.arange(5), ABSOLUTE)
    assert r"|50 - 2|" in "".join(arithmetic(Problem(found, RULES), cuts, 0, np.arange(5)))


def test_a_node_none_of_whose_rows_has_a_value_is_a_leaf() -> None:
    for first in ([np.nan] * 4, [np.nan, np.nan, 1.0, 2.0], [1.0, 2.0, np.nan, np.nan]):
        columns, y = [np.array(first), np.full(4, np.nan)], np.array([0.0, 1.0, 0.0, 4.0])
        for policy in ("surrogates", "majority", "learned"):
            found = make_dataset(columns, y, ["x", "z"], "y")
            model = dtviz.fit(found, Rules("absolute_error", missing=policy))
            assert model.predict(found).shape == (4,), (first, policy)
