"""Slanted and round cuts: no worse than axis cuts, exact where they say so, told and run alike."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from exported import as_frame, in_duckdb, in_python, in_sqlite
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from strategies import data as tables

import dtviz
from dtviz import Rules, RulesError
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.engine import splitter
from dtviz.engine.grow import finish, full_tree, moves
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.search.best_split import keys_of
from dtviz.engine.search.frontier import frontier
from dtviz.engine.splits import (
    FAMILIES,
    Axis,
    FeaturePlane,
    Oblique,
    Radial,
    Split,
    address_text,
    direction,
    goes_left,
    projection_in,
    radial_around,
    ring_parts,
    score,
)
from dtviz.engine.splits.oblique import number_in, number_text
from dtviz.engine.splitter import best_proposed, node_projections
from dtviz.engine.subtrees import splits_kept_by_rules
from dtviz.engine.tree import Grow, LogError, root_tree
from dtviz.models.steps import node_candidates

SLANTED, ROUND = ("axis", "oblique"), ("axis", "radial")
EVERY = ("axis", "oblique", "radial")
WINDOW = ((-3.0, -2.0), (3.0, -2.0), (3.0, 4.0), (-3.0, 4.0))


def plane(points: Any, y: Any) -> Dataset:
    """Two classes in a plane, given by their points (n, 2)."""
    return make_dataset(
        np.transpose(points).astype(float), np.array(y), ("a", "b"), "y", ("A", "B")
    )


@st.composite
def planes(draw: st.DrawFn, most: int = 7) -> Dataset:
    places = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
    points = draw(st.lists(places, min_size=2, max_size=most))
    y = draw(st.lists(st.integers(0, 1), min_size=len(points), max_size=len(points)))
    return plane(points, y)


def ring_data(n: int = 120) -> Dataset:
    """A disc of one class inside another."""
    random = np.random.default_rng(3)
    points = random.uniform(-2, 2, (n, 2))
    return plane(points, (np.hypot(*(points - [0.3, 0.2]).T) < 1).astype(int))


def gain_of(data: Dataset, left: Any, name: str) -> float:
    """The gain of a bipartition of all rows, from its class shares alone."""

    def impurity(y: Any) -> float:
        shares = np.bincount(y, minlength=2) / len(y)
        if name == "gini":
            return float(1 - (shares**2).sum())
        return float(-sum(p * np.log2(p) for p in shares if p))

    y, n = data.y, data.n
    sides = [y[left], y[~left]]
    return impurity(y) - sum(len(side) / n * impurity(side) for side in sides)


def separable(data: Dataset, left: Any) -> bool:
    """Whether some line has these rows on one side and the others on the other."""
    sign = np.where(left, 1.0, -1.0)
    rows = np.column_stack([data.columns.T * sign[:, None], -sign])
    found = linprog(np.zeros(3), A_ub=rows, b_ub=-np.ones(data.n), bounds=[(None, None)] * 3)
    return bool(found.status == 0)


@settings(max_examples=12)
@given(planes(), st.sampled_from(["gini", "entropy"]))
def test_of_a_few_points_the_best_line_is_found(data: Dataset, name: str) -> None:
    some = [
        np.isin(np.arange(data.n), chosen)
        for many in range(1, data.n)
        for chosen in combinations(range(data.n), many)
        if 0 in chosen
    ]
    best = max((gain_of(data, one, name) for one in some if separable(data, one)), default=0.0)
    cuts = node_candidates(
        Problem(data, rules := Rules(name, families=SLANTED)), root_tree(Problem(data, rules)), 1
    )
    assert cuts.gain.max(initial=0.0) == pytest.approx(best, abs=1e-12)
    alone = node_candidates(
        Problem(data, rules := Rules(name, families=("oblique",))),
        root_tree(Problem(data, rules)),
        1,
    )
    assert alone.gain.max(initial=0.0) == pytest.approx(best, abs=1e-12)


@given(tables(), st.sampled_from([SLANTED, ROUND, EVERY]))
def test_no_node_gains_less_than_by_a_cut_of_one_feature(data: Dataset, families: Any) -> None:
    rules = Rules(default_rules(data.task).criterion, families=families, max_depth=3)
    problem = Problem(data, rules)
    _, tree = finish(problem, root_tree(problem))
    for node in tree.splits:
        cuts = node_candidates(problem, tree, node)
        plain = node_candidates(Problem(data, replace(rules, families=("axis",))), tree, node)
        assert cuts.best is not None
        assert cuts.score[cuts.best] >= plain.score.max(initial=-np.inf)
        assert cuts.split(cuts.best) == tree.splits[node]


@settings(max_examples=12)
@given(tables(), st.sampled_from(["depth", "breadth", "best"]))
def test_levels_and_single_steps_grow_the_same_tree(data: Dataset, order: str) -> None:
    criterion = default_rules(data.task).criterion
    rules = Rules(criterion, families=EVERY, max_depth=3, order=order, max_leaf_nodes=5)
    problem = Problem(data, rules)
    start = root_tree(problem)
    log, tree = finish(problem, start)
    assert tuple(move for move, _ in moves(problem, start)) == log
    assert splits_kept_by_rules(full_tree(problem), rules)[0] if tree.splits else True


def test_nodes_that_share_rows_are_searched_as_each_alone() -> None:
    data, rules = ring_data(), Rules("gini", families=EVERY)
    random = np.random.default_rng(8)
    groups = [random.choice(data.n, size) for size in (40, 25, 60)]
    problem = Problem(data, rules)
    found = run_to_end(best_proposed(problem, frontier(data, groups)))
    for j, rows in enumerate(groups):
        alone = run_to_end(best_proposed(problem, frontier(data, [rows])))
        assert alone.splits[0] == found.splits[j]
        assert alone.score[0] == pytest.approx(found.score[j])


@given(st.sampled_from([None, (3, 9)]), tables())
def test_a_level_searched_node_by_node_is_the_same(seeds: Any, data: Dataset) -> None:
    rules = Rules(default_rules(data.task).criterion, families=EVERY)
    half = data.n // 2
    groups = [rows for rows in (np.arange(half), np.arange(half, data.n)) if len(rows)]
    keys = None if seeds is None else keys_of(seeds[: len(groups)])
    about = frontier(data, groups), keys
    problem = Problem(data, rules)
    whole_level = run_to_end(best_proposed(problem, *about))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitter, "MAX_CELLS_AT_ONCE", 0)
        shares = list(best_proposed(problem, *about))
        apart = run_to_end(best_proposed(problem, *about))
    assert len(shares) >= sum(bool(node_projections(problem, rows)) for rows in groups)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert apart.splits == whole_level.splits
    assert apart.score == pytest.approx(whole_level.score)
    assert apart.best_cuts.grade.tolist() == whole_level.best_cuts.grade.tolist()


def test_a_node_of_very_many_rows_is_searched_some_lines_at_a_time() -> None:
    for seeds in [None, (3,)]:
        data = ring_data(3_000)
        rules = Rules("gini", families=("axis", "oblique", "radial"))
        keys = None if seeds is None else keys_of(seeds)
        about = frontier(data, [np.arange(data.n)]), keys
        problem = Problem(data, rules)
        lines = len(node_projections(problem, np.arange(data.n)))
        assert lines > 60, seeds
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(splitter, "MAX_CELLS_AT_ONCE", 10 * data.n)
            shares = list(best_proposed(problem, *about))
            apart = run_to_end(best_proposed(problem, *about))
            patch.setattr(splitter, "MAX_CELLS_AT_ONCE", 10**9)
            at_once = run_to_end(best_proposed(problem, *about))
        assert lines / 10 <= len(shares) <= lines / 5, seeds
        assert shares == sorted(shares), seeds
        assert apart.splits == at_once.splits, seeds
        assert (apart.best_cuts.gain.tolist(), apart.score.tolist()) == (
            at_once.best_cuts.gain.tolist(),
            at_once.score.tolist(),
        ), seeds


def test_whole_weights_are_rows_that_stand_there_so_often() -> None:
    data = ring_data(40)
    weights = np.random.default_rng(2).integers(1, 4, data.n)
    rules = Rules("gini", families=EVERY, max_depth=2, min_weight_fraction_leaf=0.1)
    weighed = dtviz.fit(replace(data, weights=weights.astype(float)), rules)
    (root,) = [node_candidates(Problem(weighed.data, rules), weighed.tree, 1)]
    best = root.best
    assert best is not None
    split = root.split(best)
    left = goes_left(split, data.columns)
    repeated = take_rows(data, np.arange(data.n).repeat(weights))
    again = node_candidates(
        Problem(repeated, replace(rules, families=("axis",))),
        root_tree(Problem(repeated, rules)),
        1,
    )
    assert root.weight_left[best] == weights[left].sum()
    assert root.gain[best] >= again.gain.max() - 1e-12


def test_a_disc_is_found_in_one_round_cut() -> None:
    data = ring_data()
    model = dtviz.fit(data, Rules("gini", families=ROUND, max_depth=1))
    (split,) = model.tree.splits.values()
    assert isinstance(split.projection, Radial)
    plain = dtviz.fit(data, Rules("gini", families=("axis",), max_depth=1))
    assert model.score(data) > 0.93 > plain.score(data)


def test_a_row_is_a_centre_and_every_radius_is_scored() -> None:
    data = ring_data(30)
    cuts = node_candidates(
        Problem(data, rules := Rules(families=("radial",))), root_tree(Problem(data, rules)), 1
    )
    for row in (0, 7, 29):
        centre = radial_around(data, data.columns[:, row].tolist())
        at = cuts.projections.index(centre)
        apart = np.unique(score(centre, data.columns))
        assert cuts.threshold[cuts.of_line(at)] == pytest.approx((apart[1:] + apart[:-1]) / 2)


def test_every_export_runs_as_predict_does_with_and_without_gaps() -> None:
    for missing in ["surrogates", "drop"]:
        random = np.random.default_rng(4)
        frame = as_frame(ring_data(90)).assign(c=random.integers(0, 9, 90))
        frame.loc[random.random(90) < 0.2, "a"] = np.nan
        frame.loc[random.random(90) < 0.2, "c"] = np.nan
        target = pd.Series(random.integers(0, 3, 90).astype(str), name="y")
        rules = Rules("gini", families=EVERY, max_depth=5, missing=missing)
        model = dtviz.fit(dtviz.from_frame(frame.assign(y=target), "y"), rules)
        kinds = {split.projection.family for split in model.tree.splits.values()}
        assert kinds >= {"oblique", "radial"}, missing
        asked = frame.dropna() if missing == "drop" else frame
        wanted = model.predict(asked).tolist()
        given = asked.astype(object).where(asked.notna(), None)
        assert in_python(model, given) == wanted, missing
        assert in_sqlite(model, asked) == in_duckdb(model, asked) == wanted, missing


def test_a_score_beyond_all_numbers_is_refused() -> None:
    huge = plane([[1e200, 0.0], [1.0, 2.0], [3.0, 1.0]], [0, 1, 0])
    for one in (Radial(((0, 0.0, 1.0),)), Oblique(((0, 1e200), (1, 1.0)))):
        with pytest.raises(LogError, match="its score of some row is no number"):
            dtviz.fit(huge, log=(Grow(1, Split(one, 1.0)),))


def test_numbers_of_any_size_are_cut_without_a_word() -> None:
    points = np.array([[1e8, 1e300], [1e8 + 1, -1e300], [1e8 + 2, 1e-300], [1e8, 0]])
    model = dtviz.fit(plane(points, [0, 1, 0, 1]), Rules(families=EVERY))
    assert model.score(model.data) == 1
    lone = dtviz.fit(plane([[1, 2]], [0]), Rules(families=EVERY))
    assert len(lone.leaves) == 1


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_in_letters_reads_back_to_the_last_bit(value: float) -> None:
    assert number_in(number_text(value)) == value


def test_other_letters_are_no_number() -> None:
    for text in ["", "p", "p1e999", "1", "p01", "p10", "p1f0", "x1", "p1e1x"]:
        assert number_in(text) is None, text


def test_their_splits_travel_in_an_address() -> None:
    slanted = Oblique(((0, 1.0), (1, -0.42)))
    assert address_text(Split(slanted, 0.5)) == "o0p1-1m42f2.0.5"
    round_one = Radial(((0, 3.0, 1.0), (2, -0.125, 0.42)))
    assert address_text(Split(round_one, 2.0)) == "r0p3p1-2m125f3p42f2.2.0"
    for one in (slanted, round_one):
        assert projection_in(address_text(Split(one, 1.0)).removesuffix(".1.0")) == one


def test_other_texts_are_no_projection() -> None:
    for text in ["o", "o0p1", "o1p1-0p1", "o0p1-0p1", "o0p1-1p0", "r", "r0p1", "r0p1m1", "r0p1p0"]:
        assert projection_in(text) is None, text


def test_a_move_by_hand_is_checked() -> None:
    data = ring_data(20)
    fine = Split(Oblique(((0, 1.0), (1, 2.0))), 0.1)
    assert len(dtviz.fit(data, log=(Grow(1, fine),)).leaves) == 2
    for wrong in (Oblique(((0, 1.0), (7, 2.0))), Radial(((7, 1.0, 2.0),))):
        with pytest.raises(LogError, match="feature 7 does not exist; there are 2"):
            dtviz.fit(data, log=(Grow(1, Split(wrong, 0.1)),))
    mixed = dtviz.from_frame(
        pd.DataFrame({"c": list("xyx"), "b": [1, 2, 3], "y": list("ABA")}), "y"
    )
    with pytest.raises(LogError, match="'c' is no plain number"):
        dtviz.fit(mixed, log=(Grow(1, fine),))


def test_families_with_nothing_to_cut_are_refused() -> None:
    with pytest.raises(RulesError, match="'axis' or 'oblique' or 'radial' for these features"):
        dtviz.fit(ring_data(20), Rules(families=("subset",)))


def test_a_direction_is_short_and_drops_what_hardly_turns_it() -> None:
    spread = np.array([1.0, 1.0, 1.0])
    found = direction([0, 2, 5], np.array([2.0, 0.001, -1 / 3]), spread)
    assert found == Oblique(((0, 1.0), (5, -0.167)))
    assert direction([0, 1], np.array([1.0, 0.0]), spread[:2]) is None


@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(0.3, 3), st.floats(0.01, 9))
def test_a_circle_parts_a_region_in_two(x: float, y: float, weight: float, limit: float) -> None:
    family = FAMILIES["radial"]
    one = Radial(((0, x, 1.0), (1, y, weight)))
    halves = family.clip(one, limit, WINDOW, FeaturePlane(0, 1, (0.0, 0.0)))
    areas = [sum(abs(area(part)) for part in ring_parts(half)) for half in halves]
    assert sum(areas) == pytest.approx(36)
    grid = np.stack(np.meshgrid(np.linspace(-3, 3, 80), np.linspace(-2, 4, 80))).reshape(2, -1)
    inside = (score(one, grid) <= limit).mean()
    assert areas[0] / 36 == pytest.approx(inside, abs=0.02)


def area(ring: Any) -> float:
    pairs = zip(ring, (*ring[1:], ring[0]), strict=True)
    return sum(a * d - b * c for (a, b), (c, d) in pairs) / 2


def test_where_only_one_term_is_drawn_a_band_is_inside() -> None:
    for drawn in [0, 1]:
        one = Radial(((drawn, 1.0, 1.0), (2, 5.0, 2.0)))
        inside, outside = FAMILIES["radial"].clip(
            one, 3.0, WINDOW, FeaturePlane(0, 1, (0.0, 0.0, 6.0))
        )
        assert {corner[drawn] for corner in inside} == {0.0, 2.0}, drawn
        assert len(ring_parts(outside)) == 2, drawn
        nothing, all_of_it = FAMILIES["radial"].clip(
            one, 1.0, WINDOW, FeaturePlane(0, 1, (0.0, 0.0, 6.0))
        )
        assert (nothing, all_of_it) == ((), WINDOW), drawn


def test_axes_are_directions_too() -> None:
    data = ring_data(20)
    assert FAMILIES["oblique"].propose(data) == (Axis(0), Axis(1))
