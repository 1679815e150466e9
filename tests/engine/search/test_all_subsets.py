"""Where every subset of a category is tried, all of them are candidates, and each with its gain."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import fsum, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.problem import Problem
from dtviz.engine.rules import prepare_data
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import Subset, axis_split, subset_split
from dtviz.engine.tree import Grow, fold, root_tree
from dtviz.models.steps import node_candidates

LEVELS = tuple("abcdefghijkl")
IMPURITIES = ("entropy", "gini", "error")
WAYS = ("learned", "majority", "surrogates", "value")
Sides = frozenset[frozenset[int]]


def impurity(name: str, weights: list[float]) -> float:
    total = fsum(weights)
    shares = [w / total for w in weights if w]
    return {
        "entropy": -fsum(p * log2(p) for p in shares),
        "gini": 1 - fsum(p * p for p in shares),
        "error": 1 - max(shares),
    }[name]


def gain(data: Dataset, name: str, left: np.ndarray) -> float:
    """The gain of parting the rows so, from the class weights of both sides."""
    heavy = np.ones(data.n) if data.weights is None else data.weights
    parts = [np.bincount(data.y[s], heavy[s], len(data.classes)) for s in (left, ~left)]
    if min(part.sum() for part in parts) == 0:
        return 0.0
    whole = parts[0] + parts[1]
    below = fsum(part.sum() * impurity(name, part.tolist()) for part in parts)
    return impurity(name, whole.tolist()) - below / whole.sum()


def ways_to_part(codes: set[int]) -> list[tuple[int, ...]]:
    """One side of each way to part the codes in two, that without the last of them."""
    *others, _ = sorted(codes)
    return [some for size in range(1, len(codes)) for some in combinations(others, size)]


def sides(codes: set[int], named: tuple[int, ...]) -> Sides:
    return frozenset({frozenset(named), frozenset(codes) - frozenset(named)})


def subsets_of(cuts: Candidates, feature: int, codes: set[int]) -> dict[Sides, int]:
    """The candidates on a feature by how they part its codes; each way is there once."""
    its = cuts.along(feature)
    found = {}
    for at in range(its.start, its.stop):
        one = cuts.split(at).projection
        if isinstance(one, Subset):
            found[sides(codes, one.left_codes)] = at
    assert len(found) == np.isfinite(cuts.threshold[its]).sum()
    return found


def table(values: int, n: int, classes: int, seed: int, gaps: float = 0.0) -> Dataset:
    """A category that says something of the classes, and a number."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(n) % values)
    y = (rng.integers(0, classes, values)[codes] + (rng.random(n) < 0.4)) % classes
    column = np.where(rng.random(n) < gaps, np.nan, codes)
    names = "ABCDEF"[:classes]
    return make_dataset(
        [column, rng.normal(size=n)], y, "gx", "y", names, categories=(LEVELS[:values], ())
    )


@st.composite
def tables(draw: st.DrawFn) -> Dataset:
    """Few rows of three or four classes, so that cuts tie; a category of up to six values."""
    n, classes, values = draw(st.integers(3, 20)), draw(st.integers(3, 4)), draw(st.integers(3, 6))
    codes = draw(st.lists(st.integers(0, values - 1), min_size=n, max_size=n))
    y = draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    names = "ABCD"[:classes]
    found = make_dataset(
        [np.array(codes)], np.array(y), "g", "y", names, categories=(LEVELS[:values],)
    )
    heavy = draw(st.sampled_from([None, 1.0, 0.3]))
    if heavy is None:
        return found
    weights = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    return replace(found, weights=heavy * np.array(weights, float))


@given(tables(), st.sampled_from(IMPURITIES), st.integers(1, 4))
def test_the_candidates_are_all_ways_to_part_the_values(
    data: Dataset, name: str, least: int
) -> None:
    rules = Rules(name, min_samples_leaf=least)
    problem = Problem(data, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    codes = {int(code) for code in data.columns[0]}
    found = subsets_of(cuts, 0, codes) if len(codes) > 1 else {}
    expected = ways_to_part(codes)
    assert found.keys() == {sides(codes, named) for named in expected}
    gains = {}
    for named in expected:
        at = found[sides(codes, named)]
        left = np.isin(data.columns[0], named)
        gains[at] = gain(data, name, left)
        assert cuts.gain[at] == pytest.approx(gains[at], abs=1e-9)
        assert sorted((cuts.n_left[at], cuts.n_right[at])) == sorted((left.sum(), (~left).sum()))
        assert cuts.admissible[at] == (min(left.sum(), (~left).sum()) >= least)
    allowed = [worth for at, worth in gains.items() if cuts.admissible[at]]
    if cuts.best is None:
        assert not allowed
        return
    assert cuts.gain[cuts.best] == pytest.approx(max(allowed), abs=1e-9)
    tied = {
        at for at, worth in gains.items() if cuts.admissible[at] and worth > max(allowed) - 1e-9
    }
    assert tied == {*np.flatnonzero(cuts.tied).tolist()}


def test_rows_without_a_value_are_sent_to_the_better_side_of_each() -> None:
    for way, values in [*product(WAYS, (3, 5)), ("value", 10)]:
        rules = Rules("gini", missing=way)
        data = prepare_data(table(values, 240, 3, seed=values, gaps=0.2), rules)
        problem = Problem(data, rules)
        cuts = node_candidates(problem, root_tree(problem), 1)
        column = data.columns[0]
        missing, known = np.isnan(column), column[~np.isnan(column)]
        codes = {int(code) for code in known}
        found = subsets_of(cuts, 0, codes)
        if way == "value" and len(codes) > 10:  # with its own level there are eleven values
            assert len(found) == len(codes) - 1, (way, values)
            continue
        assert found.keys() == {sides(codes, named) for named in ways_to_part(codes)}, (way, values)
        part = replace(data, y=data.y[~missing], columns=data.columns[:, ~missing])
        for parted, at in found.items():
            (one, _) = parted
            left = np.isin(column, [*one])
            if way == "learned":
                expected = max(gain(data, "gini", left), gain(data, "gini", left | missing))
            else:
                expected = gain(part, "gini", left[~missing]) * (~missing).mean()
            assert cuts.gain[at] == pytest.approx(expected, abs=1e-9), (way, values)
            if way == "learned":
                tree = fold(problem, (Grow(1, cuts.split(at)),))
                worth = (
                    tree.nodes[1].impurity
                    - sum(tree.nodes[k].n * tree.nodes[k].impurity for k in (2, 3)) / data.n
                )
                assert worth == pytest.approx(cuts.gain[at], abs=1e-9), (way, values)


def test_of_ten_values_all_511_subsets_are_candidates_and_of_eleven_those_of_an_order() -> None:
    for (values, expected), gaps in product([(10, 511), (11, 10)], [0.0, 0.2]):
        data, rules = table(values, 300, 4, seed=3, gaps=gaps), Rules("entropy")
        problem = Problem(data, rules)
        cuts = node_candidates(problem, root_tree(problem), 1)
        its = cuts.along(0)
        assert np.isfinite(cuts.threshold[its]).sum() == expected, (gaps, values, expected)
        assert bool(cuts.scattered.any()) == (values == 10), (gaps, values, expected)


def test_an_order_that_is_known_to_hold_the_best_is_all_that_is_tried() -> None:
    for classes in [1, 2]:
        found = table(6, 60, 3, seed=1)
        y = (found.y > 0).astype(int) if classes == 2 else found.y.astype(float)
        names = "AB" if classes == 2 else ()
        data = make_dataset(found.columns, y, "gx", "y", names, categories=found.levels)
        rules = Rules("gini" if classes == 2 else "squared_error")
        problem = Problem(data, rules)
        cuts = node_candidates(problem, root_tree(problem), 1)
        its = cuts.along(0)
        assert its.stop - its.start == 5, classes
        assert not cuts.scattered.any(), classes


def test_a_criterion_with_a_measure_of_its_own_ranks_them_by_it() -> None:
    for name in ["gain_ratio", "cart"]:
        data, rules = table(5, 90, 3, seed=2), Rules(name)
        problem = Problem(data, rules)
        cuts = node_candidates(problem, root_tree(problem), 1)
        codes = set(range(5))
        for parted, at in subsets_of(cuts, 0, codes).items():
            (one, _) = parted
            left = np.isin(data.columns[0], [*one])
            share = left.mean()
            counts = [np.bincount(data.y[s], minlength=3) / s.sum() for s in (left, ~left)]
            expected = {
                "gain_ratio": gain(data, "entropy", left) / impurity("entropy", [share, 1 - share]),
                "cart": 2 * share * (1 - share) * np.abs(counts[0] - counts[1]).sum(),
            }[name]
            assert cuts.score[at] == pytest.approx(expected, abs=1e-9), name


def test_the_side_of_a_subset_that_was_given_by_hand_is_found_too() -> None:
    data = table(4, 40, 3, seed=5)
    rules = Rules("gini")
    problem = Problem(data, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    at = int(np.flatnonzero(cuts.scattered)[0])
    split = cuts.split(at)
    assert isinstance(split.projection, Subset)
    assert cuts.find(subset_split(0, split.projection.left_codes)) == at


def test_no_subset_of_a_pure_node_is_a_boundary() -> None:
    columns = [[0, 1, 2, 3, 0, 1], [0, 0, 0, 0, 1, 1]]
    levels = LEVELS[:4], ()
    data = make_dataset(columns, [0, 0, 0, 0, 1, 2], "gx", "y", "ABC", categories=levels)
    pure = fold(Problem(data, Rules()), (Grow(1, axis_split(1, 0.5)),))
    cuts = node_candidates(Problem(data, Rules()), pure, 2)
    assert cuts.scattered.any()
    assert not cuts.boundary.any()
    whole = node_candidates(Problem(data, Rules()), root_tree(Problem(data, Rules())), 1)
    assert whole.boundary[whole.scattered > 0].any()
