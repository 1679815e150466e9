"""Cuts searched by what the regressions of both sides leave: against least squares cut by cut."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from exported import in_python
from hypothesis import given, settings
from hypothesis import strategies as st

import dtviz
from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.latex import RowGroup
from dtviz.engine.grow import finish
from dtviz.engine.leaves.linear import MAX_REGRESSORS, PARAMS_PER_REGRESSOR
from dtviz.engine.problem import Problem
from dtviz.engine.rules import criterion_of
from dtviz.engine.search.best_split import MAX_GROUPS_SCORED, best_cuts
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.evaluate import evaluate_frontier
from dtviz.engine.search.frontier import root_frontier
from dtviz.engine.splits import goes_left
from dtviz.engine.splitter import Splitter
from dtviz.engine.tree import root_tree, rows_in, split_gain
from dtviz.explain.why import subset_searches
from dtviz.explain.words import stop_reason
from dtviz.models.steps import node_candidates

RULES = Rules("squared_error", leaf_model="linear")
SLOW_RANK = 1e-5


def rest(data: Dataset, rows: Any, along: int | None = None) -> float:
    """The weighted squares that numpy's least squares of some rows leaves."""
    share = np.ones(len(rows)) if data.weights is None else data.weights[rows]
    root = np.sqrt(share)
    x = data.columns[:along, rows]
    x = x - np.average(x, axis=1, weights=share)[:, None]
    y = data.y[rows] - np.average(data.y[rows], weights=share)
    found = np.linalg.lstsq((x * root).T, y * root, rcond=SLOW_RANK)[0]
    return float(share @ np.square(y - found @ x))


def brute(data: Dataset, rows: Any, cuts: Candidates) -> Any:
    """The gain of each cut, by least squares of its sides."""
    whole = np.ones(data.n) if data.weights is None else data.weights
    of = cache(lambda part: rest(data, rows[np.frombuffer(part, bool)]))
    out = []
    for at in range(len(cuts)):
        left = goes_left(cuts.split(at), data.columns, rows)
        out.append(of(left.tobytes()) + of((~left).tobytes()))
    return (rest(data, rows) - np.array(out)) / whole[rows].sum()


@st.composite
def number_tables(draw: Any) -> Dataset:
    """Few rows of few features on a coarse grid, so that many values and slopes are equal."""
    n, many = draw(st.integers(2, 14)), draw(st.integers(1, 3))
    cells = st.lists(st.integers(-4, 4), min_size=n, max_size=n)
    columns = [draw(cells) for _ in range(many)]
    if draw(st.booleans()):
        columns.append([2 * value + 1 for value in columns[0]])  # one is another's twin
    y = np.array(draw(cells), float) * draw(st.sampled_from([1.0, 1e-9, 1e7]))
    if draw(st.booleans()):
        y = y + 1e8
    offset = draw(st.sampled_from([0.0, 1e8, -1e5]))
    found = make_dataset(np.array(columns, float) + offset, y, "abcd"[: len(columns)], "y")
    if draw(st.booleans()):
        weights = draw(st.lists(st.sampled_from([0.25, 1.0, 1.5, 3.0]), min_size=n, max_size=n))
        found = replace(found, weights=np.array(weights))
    return found


@settings(max_examples=15)
@given(number_tables(), st.integers(1, 3))
def test_each_gain_is_what_the_lines_of_both_sides_lose_less(found: Dataset, least: int) -> None:
    rules, rows = replace(RULES, min_samples_leaf=least), np.arange(found.n)
    problem = Problem(found, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    wanted = brute(found, rows, cuts)
    scale = max(float(np.var(found.y)), 1e-300)
    assert cuts.gain / scale == pytest.approx(wanted / scale, abs=1e-9)
    if cuts.best is None:
        assert not cuts.admissible.any()
        return
    allowed = np.flatnonzero(cuts.admissible)
    top = wanted[allowed].max()
    assert cuts.best == allowed[wanted[allowed] >= top - 1e-9 * scale][0]
    assert cuts.tied[allowed].tolist() == (wanted[allowed] >= top - 1e-9 * scale).tolist()


@settings(max_examples=12)
@given(number_tables())
def test_impurities_of_sides_and_nodes_are_those_of_their_regressions(found: Dataset) -> None:
    model = dtviz.fit(found, replace(RULES, max_depth=2))
    scale = max(float(np.var(found.y)), 1e-300)
    for node, known in model.tree.nodes.items():
        rows = rows_in(model.tree, node)
        assert known.impurity / scale == pytest.approx(
            rest(found, rows) / known.weight / scale, abs=1e-9
        )
        off = np.square(
            model.tree.leaf_model.predict(
                np.tile(known.params, (len(rows), 1)), found.columns, rows
            )
            - found.y[rows]
        )
        share = None if found.weights is None else found.weights[rows]
        assert known.impurity / scale == pytest.approx(
            np.average(off, weights=share) / scale, abs=1e-6
        )
    problem = Problem(found, RULES)
    cuts = node_candidates(problem, root_tree(problem), 1)
    for at in range(len(cuts)):
        left = goes_left(cuts.split(at), found.columns)
        for side, told in ((left, cuts.impurity_left), (~left, cuts.impurity_right)):
            own = rest(found, np.flatnonzero(side))
            heavy = side.sum() if found.weights is None else found.weights[side].sum()
            assert told[at] / scale == pytest.approx(own / heavy / scale, abs=1e-9)


def test_a_fold_of_two_lines_is_found_at_once_and_nothing_is_left_to_cut() -> None:
    x = np.arange(20) / 10
    found = make_dataset([x], np.where(x < 1.05, 3 * x, 7 - 2 * x), ["x"], "y")
    model = dtviz.fit(found, RULES)
    assert model.tree.splits[1].threshold == pytest.approx(1.05)
    assert [leaf.pure for leaf in model.leaves] == [True, True]
    assert [leaf.impurity for leaf in model.leaves] == [0.0, 0.0]
    assert model.predict(found) == pytest.approx(found.y)
    constant = dtviz.fit(found, Rules("squared_error", max_depth=1))
    assert constant.tree.splits[1].threshold != pytest.approx(1.05)


def test_a_line_far_from_0_is_pure() -> None:
    x = 1e8 + np.arange(50) / 8
    found = make_dataset([x], 1e9 - 3 * x, ["x"], "y")
    assert dtviz.fit(found, RULES).log == ()
    ragged = make_dataset([x], 1e9 - 3 * x + (np.arange(50) % 7 == 0) / 64, ["x"], "y")
    problem = Problem(ragged, RULES)
    cuts = node_candidates(problem, root_tree(problem), 1)
    near = replace(ragged, columns=ragged.columns - 1e8, y=ragged.y - 7e8 + 3e8)
    same = node_candidates(Problem(near, RULES), root_tree(Problem(near, RULES)), 1)
    assert cuts.gain == pytest.approx(same.gain, rel=1e-9)


def squares_off(model: Any) -> float:
    """The mean square of what a model predicts of its own rows too much or too little."""
    off = np.square(model.predict(model.data) - model.data.y)
    return float(np.average(off, weights=model.data.weights))


STEPS = np.array([0.0] * 5 + [1, 1, 3, 4, 4, 6])
LAST_DIGITS = 1 + (STEPS - 3) * 2.0**-52


def test_where_a_feature_varies_by_its_last_digits_alone_a_leaf_predicts_by_its_line() -> None:
    for turned, weighted, unit in product([False, True], [False, True], [1.0, 1e9, -3e-12]):
        y = np.array([1.0, 2, 1, 0, 1, 3, 2, 5, 4, 6, 8])
        rules = replace(RULES, min_samples_split=12)
        order = slice(None, None, -1 if turned else 1)
        near = make_dataset([LAST_DIGITS[order] * unit], y[order], ["x"], "y")
        steps = np.rint((near.columns[0] - unit) / (unit * 2.0**-52))
        wide = replace(near, columns=steps[None])
        if weighted:
            weights = np.array([1.0, 2, 0.5, 4, 1, 1, 3, 1, 0.25, 1, 2])
            near, wide = replace(near, weights=weights), replace(wide, weights=weights)
        mine, same = dtviz.fit(near, rules), dtviz.fit(wide, rules)
        if unit == 1.0:
            assert mine.predict(near) == pytest.approx(same.predict(wide)), (unit, weighted, turned)
        assert mine.leaves[0].impurity == pytest.approx(squares_off(mine)), (unit, weighted, turned)
        assert squares_off(mine) < 0.1 * np.var(y), (unit, weighted, turned)
        frame = pd.DataFrame({"x": near.columns[0].tolist()})
        assert in_python(mine, frame) == mine.predict(near).tolist(), (unit, weighted, turned)


def test_wherever_a_table_lies_its_leaves_say_the_same() -> None:
    for far in [0.0, 1e5, -3e9, 1e15]:
        random = np.random.default_rng(4)
        x = random.integers(0, 40, (2, 60)).astype(float)
        y = x[0] - 2 * x[1] + random.normal(size=60)
        near, moved = (make_dataset(some, y, ["a", "b"], "y") for some in (x, x + far))
        rules = replace(RULES, max_depth=2, min_samples_leaf=12)
        mine, same = dtviz.fit(moved, rules), dtviz.fit(near, rules)
        assert mine.predict(moved) == pytest.approx(same.predict(near), rel=1e-9, abs=1e-9), far
        for one, other in zip(mine.leaves, same.leaves, strict=True):
            assert one.impurity == pytest.approx(other.impurity), far
            centres = one.params[4::PARAMS_PER_REGRESSOR]
            assert all(np.abs(np.subtract(centres, far)) < 40) if far else not any(centres), far


def test_a_light_row_far_away_takes_no_digit_of_the_others_line() -> None:
    x = np.array([1e15, *(0.3 + np.arange(10))])
    y = np.array([0.0, *(2.0 * np.arange(10))])
    found = replace(make_dataset([x], y, ["x"], "y"), weights=np.array([1e-40, *[1.0] * 10]))
    model = dtviz.fit(found, replace(RULES, min_samples_split=12))
    assert model.predict(found)[1:] == pytest.approx(y[1:], abs=1e-9)
    step = criterion_of(RULES, found).impurity.formula_step(
        RowGroup(found.y, 0, found.weights, np.arange(11))
    )
    assert "(2 - 2)^2" in step.terms[2]
    assert "(4 - 4)^2" in step.terms[3]


def test_along_a_feature_whose_squares_underflow_numbers_are_predicted() -> None:
    found = make_dataset([[0.0, 0, 3e-162]], np.array([1.0, 2, 5]), ["x"], "y")
    model = dtviz.fit(found, replace(RULES, min_samples_split=4))
    assert model.predict(found).tolist() == pytest.approx([1.5, 1.5, 5])


def test_a_feature_in_another_unit_has_its_slope_beside_the_others() -> None:
    for unit in [1e-13, 1e3, 1e13]:
        random = np.random.default_rng(2)
        x = random.normal(size=(2, 40))
        y = x[0] - 2 * x[1]
        model = dtviz.fit(make_dataset([x[0] * unit, x[1]], y, ["a", "b"], "y"), RULES)
        assert model.log == (), unit
        first, second = model.leaves[0].params[3::PARAMS_PER_REGRESSOR]
        assert [first * unit, second] == pytest.approx([1, -2]), unit
        assert squares_off(model) == pytest.approx(0, abs=1e-20), unit


def test_sides_of_one_row_and_of_one_value_leave_the_variance_about_their_mean() -> None:
    found = make_dataset([[0.0, 0, 0, 5]], np.array([1.0, 3, 5, 100]), ["x"], "y")
    problem = Problem(found, RULES)
    cuts = node_candidates(problem, root_tree(problem), 1)
    assert cuts.impurity_left.tolist() == pytest.approx([8 / 3])
    assert cuts.impurity_right.tolist() == [0.0]
    assert cuts.gain.tolist() == [0.0]  # the regression of all is as good


def test_cuts_that_nodes_propose_are_searched_by_it_too() -> None:
    for family in ["oblique", "radial"]:
        random = np.random.default_rng(1)
        x = random.normal(size=(2, 16))
        y = np.where(x[0] + x[1] > 0, 2 * x[0], 1 - x[1]) + random.normal(size=16) / 20
        found = make_dataset(x, y, ["a", "b"], "y")
        rules = replace(RULES, families=("axis", "subset", family), min_samples_leaf=5, max_depth=2)
        problem = Problem(found, rules)
        cuts = node_candidates(problem, root_tree(problem), 1)
        assert cuts.gain == pytest.approx(brute(found, np.arange(16), cuts), abs=1e-9), family
        log, tree = finish(problem, root_tree(problem))
        assert tuple(step.move for step in dtviz.steps(found, rules)) == log, family
        assert split_gain(tree, 1) == pytest.approx(cuts.gain[cuts.best]), family


def test_categories_and_gaps_are_cut_by_it_and_no_regressors() -> None:
    for policy in ["learned", "majority", "surrogates", "value"]:
        random = np.random.default_rng(3)
        frame = pd.DataFrame({"a": random.random(60), "kind": random.choice(list("pqrs"), 60)})
        frame["gap"] = np.where(random.random(60) < 0.2, np.nan, random.random(60))
        frame["y"] = frame.a * frame.kind.map({"p": 1, "q": 3, "r": 1, "s": 3}) + frame.gap.fillna(
            2
        )
        found = dtviz.from_frame(frame, "y", task="regression")
        rules = replace(RULES, min_samples_leaf=5, max_depth=3, missing=policy)
        model = dtviz.fit(found, rules)
        assert tuple(step.move for step in dtviz.steps(found, rules)) == model.log, policy
        by = criterion_of(rules, model.data)
        for node in model.tree.splits:
            assert split_gain(model.tree, node) >= 0, policy
        problem = Problem(model.data, rules)
        cuts = node_candidates(problem, root_tree(problem), 1)
        plain = replace(
            model.data, columns=model.data.columns[:1], features=("a",), levels=(), quantities=()
        )
        for at in np.flatnonzero(np.isfinite(cuts.threshold)).tolist():
            if (
                policy in ("majority", "surrogates")
                and cuts.projections[cuts.line[at]] != dtviz.axis_split(0, 0.0).projection
            ):
                continue  # they count known rows alone
            left = goes_left(cuts.split(at), model.data.columns)
            sides = sum(rest(plain, np.flatnonzero(side)) for side in (left, ~left))
            gained = (rest(plain, np.arange(plain.n)) - sides) / plain.n
            assert cuts.gain[at] == pytest.approx(gained, abs=1e-9), policy
        assert by.impurity.name == "residual variance", policy


def test_other_criteria_keep_their_cuts_and_one_without_regressors_the_variance() -> None:
    x = np.arange(12.0)
    found = make_dataset([x], np.abs(x - 5), ["x"], "y")
    for name in ("absolute_error", "poisson"):
        lines, usual = (Rules(name, max_depth=2, leaf_model=leaf) for leaf in ("linear", "mean"))
        assert dtviz.fit(found, lines).log == dtviz.fit(found, usual).log
    words = dtviz.from_frame(
        pd.DataFrame({"k": list("abcabc"), "y": [1.0, 2, 3, 1, 2, 4]}), "y", task="regression"
    )
    assert criterion_of(RULES, words).impurity.name == "variance"
    assert dtviz.fit(words, RULES).log == dtviz.fit(words, Rules("squared_error")).log


def test_of_many_features_the_first_are_regressors() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(MAX_REGRESSORS + 4, 50))
    found = make_dataset(x, x.sum(axis=0), [f"f{k}" for k in range(len(x))], "y")
    rules = replace(RULES, max_depth=1, min_samples_leaf=18)
    problem = Problem(found, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    some = make_dataset(x[:MAX_REGRESSORS], found.y, found.features[:MAX_REGRESSORS], "y")
    assert cuts.gain == pytest.approx(brute_along(found, some, cuts), abs=1e-8)
    assert (
        len(dtviz.fit(found, rules).leaves[0].params) == 2 + PARAMS_PER_REGRESSOR * MAX_REGRESSORS
    )


def brute_along(found: Dataset, some: Dataset, cuts: Candidates) -> Any:
    rows, out = np.arange(found.n), []
    for at in range(len(cuts)):
        left = goes_left(cuts.split(at), found.columns, rows)
        out.append((rest(some, rows) - rest(some, rows[left]) - rest(some, rows[~left])) / found.n)
    return np.array(out)


def test_words_say_that_rows_are_on_a_line_and_that_values_keep_the_order_of_their_means() -> None:
    x = np.arange(12.0)
    found = make_dataset([x], np.where(x < 5.5, 3 * x, 40 - 2 * x), ["x"], "y")
    model = dtviz.fit(found, RULES)
    leaf = model.tree.nodes[2]
    assert stop_reason(Problem(found, RULES), leaf, "pure") == "pure: all 6 rows are on 0 + 3·x"
    frame = pd.DataFrame({"a": np.arange(12.0) % 5, "kind": list("pqrs") * 3, "y": x**2 % 7})
    words = dtviz.from_frame(frame, "y", task="regression")
    problem = Problem(words, RULES)
    cuts = node_candidates(problem, root_tree(problem), 1)
    (said,) = subset_searches(problem, cuts)
    assert said.endswith("keep the order of its means, a heuristic that may miss the best.")


def test_of_many_rows_too_the_best_cut_is_that_of_all() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, MAX_GROUPS_SCORED))
    found = make_dataset(
        x, np.abs(x[0]) + x[1] + 0.1 * rng.normal(size=x.shape[1]), ("a", "b"), "y"
    )
    front, by = root_frontier(found), criterion_of(RULES, found)
    top = Splitter(Problem(found, RULES)).best(front)
    every = best_cuts(evaluate_frontier(found, front, by), front)
    assert (top.line[0], top.threshold[0]) == (every.line[0], every.threshold[0])
    assert top.gain[0] == every.gain[0]
