"""Grid search, learning curve, bias and variance: against scikit-learn and loops written out.

Glossary
    grown_on   the data of each tree, in the order in which they are grown
    brute      bias and variance by the book: fit a tree a resample, predict, count
    plane      points where the spread is told, (M, p)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.tree import DecisionTreeClassifier
from strategies import any_rules, class_data, data
from test_curves import ODD, STAIRS, ended, error_of, smooth, untied

import dtviz
from dtviz import Rules, from_frame
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.data.weights import split_by_mask
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.rules import RulesError, default_rules
from dtviz.engine.subtrees import Nodes
from dtviz.evaluate import validation
from dtviz.evaluate.curves import AXES, fold_errors, folded_parts, mean_and_error
from dtviz.evaluate.metrics import folds, held_rows
from dtviz.evaluate.validation import (
    DEPTHS,
    GRID_RULES,
    GridRule,
    LearningCurve,
    grid,
    learning_errors,
    resample_spread,
)

DEPTH = AXES["depth"]
CRITERION, LEAF_SIZE = GRID_RULES["classification"], GRID_RULES["regression"]
FEW = 8


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    """What holds of the votes of some trees holds of those of many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "RESAMPLES", FEW)
        yield


# --- grid ---


def test_a_grid_is_scikit_learns_grid_search() -> None:
    table, depths, k, seed = smooth(11, 150, 1, 3, 0.1), (1, 2, 3, 4, 10), 3, 1
    criteria, rules = ("gini", "entropy"), Rules(min_samples_leaf=2)
    for others, _ in folded_parts(table, k, seed):
        assert all(untied(others, replace(rules, criterion=name)) for name in criteria)
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0, min_samples_leaf=2),
        {"criterion": criteria, "max_depth": depths},
        cv=PredefinedSplit(folds(table, k, seed)),
    ).fit(table.columns.T, table.y)
    lines = replace(CRITERION, values=lambda *_: criteria)
    mine = ended(grid(table, rules, lines, depths, k, seed))
    assert (mine.values, mine.depths) == (criteria, depths)
    theirs = search.cv_results_["mean_test_score"].reshape(2, len(depths))
    assert 1 - mine.mean == pytest.approx(theirs, abs=1e-12)
    assert mine.mean[mine.best] == pytest.approx(1 - search.best_score_, abs=1e-12)
    # scikit-learn gives the standard deviation of the folds with k, not k - 1, below
    spread = search.cv_results_["std_test_score"].reshape(2, len(depths))
    assert mine.error == pytest.approx(spread / np.sqrt(k - 1), abs=1e-12)
    assert mine.tied.tolist() == (abs(theirs - theirs.max()) < 1e-9).tolist()


def test_leaf_sizes_of_a_grid_come_down_from_a_quarter_of_the_rows_to_one() -> None:
    for n, least in ((1, 1), (3, 1), (8, 2), (39, 5), (40, 10), (9_999, 500)):
        sizes = LEAF_SIZE.values(default_rules("regression"), take_rows(STAIRS, np.zeros(n, int)))
        assert (sizes[0], sizes[-1]) == (least, 1), n
        assert list(sizes) == sorted(set(sizes), reverse=True)


def test_a_line_of_a_grid_is_a_setting_with_words() -> None:
    plain = Rules(max_depth=3)
    assert (CRITERION.titled_text("gini"), LEAF_SIZE.titled_text(5)) == ("Gini", "Smallest leaf 5")
    assert CRITERION.rules_at(plain, "gini") == replace(plain, criterion="gini")
    assert LEAF_SIZE.rules_at(plain, 5) == replace(plain, min_samples_leaf=5)


@given(data(), st.integers(2, 6), st.integers(0, 3), st.data())
@settings(max_examples=10)
def test_each_cell_of_a_grid_is_the_fold_error_of_its_setting(
    found: Dataset, k: int, seed: int, pick: Any
) -> None:
    assume(found.n > 1)
    lines: GridRule = pick.draw(st.sampled_from([CRITERION, LEAF_SIZE]))
    rules = pick.draw(any_rules(found))
    mine = ended(grid(found, rules, lines, (1, 2, 4), k, seed))
    assert mine.values == lines.values(rules, found)
    assert mine.depths == (1, 2, 4)[: len(mine.depths)]
    for line, value in enumerate(mine.values):
        own = lines.rules_at(rules, value)
        errors = ended(fold_errors(found, own, DEPTH, mine.depths, k, seed))
        mean, error = mean_and_error(errors)
        assert (mine.mean[line] == mean).all()
        assert (mine.error[line] == error).all()
    least = mine.mean.min()
    assert mine.tied.tolist() == (mine.mean <= least * (1 + 1e-9)).tolist()
    line, column = mine.best
    assert mine.tied[line, column]
    assert not mine.tied[:, :column].any()  # no smaller depth is as good
    assert not mine.tied[:line, column].any()  # nor, at this depth, a criterion before it


def test_cells_that_tie_are_all_marked_and_the_best_is_the_smallest_depth() -> None:
    stairs = make_dataset([np.arange(12.0)], np.repeat([0, 1], 6), ["x"], "y", "ab")
    mine = ended(grid(stairs, Rules(), CRITERION, (1, 2, 3), 6))
    assert mine.tied.all()  # one cut parts the classes, by every criterion
    assert (mine.depths, mine.best) == ((1,), (0, 0))  # a depth which limits no tree
    columns, y = [[0.0, 0, 1, 1] * 4, [0.0, 1, 0, 1] * 4], np.array([0, 1, 1, 0] * 4)
    lines = replace(CRITERION, values=lambda *_: ("error", "gini"))
    mine = ended(grid(make_dataset(columns, y, "xz", "y", "ab"), Rules(), lines, (1, 2, 3), 4))
    assert mine.mean[:, 1:].tolist() == [[0], [0]]  # two levels solve XOR, one does not
    assert (mine.depths, mine.best) == ((1, 2), (0, 1))
    assert mine.tied.tolist() == [[False, True]] * 2


def test_errors_that_differ_by_rounding_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    gini, entropy = [0.1 + 0.2, 0.3, 0.4], [0.1 + 0.2, 0.3, 0.4]
    told = iter([gini, gini, entropy, entropy])  # two folds each
    monkeypatch.setattr(validation, "errors", lambda *_: np.array(next(told)))
    monkeypatch.setattr(validation, "height_of", lambda *_: 3)
    lines = replace(CRITERION, values=lambda *_: ("gini", "entropy"))
    mine = ended(grid(STAIRS, Rules(), lines, (1, 2, 3), 2))
    assert mine.mean[0, 0] > mine.mean[0, 1]
    assert mine.tied.tolist() == [[True, True, False]] * 2
    assert mine.best == (0, 0)


def test_the_grid_of_the_lecture_has_its_depths() -> None:
    assert {1, 2, 3, 4, 5, 10, 20, 30, 40} <= set(DEPTHS)


# --- learning ---


def grown_on(
    found: Dataset,
    rules: Rules,
    k: int,
    seed: int = 0,
    grow: Callable[[Problem], Nodes] = full_tree,
) -> tuple[LearningCurve, list[Dataset]]:
    """The learning curve and the rows of each of its trees."""
    seen: list[Dataset] = []

    def recorded(problem: Problem) -> Nodes:
        seen.append(problem.data)
        return grow(problem)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "full_tree", recorded)
        return ended(learning_errors(found, rules, k, seed)), seen


def of_one_row(problem: Problem) -> Nodes:
    """A tree that costs nothing, where only the rows that it is given matter."""
    return full_tree(Problem(take_rows(problem.data, np.array([0])), problem.rules))


def numbered(found: Dataset) -> Dataset:
    """The same rows with their number as one more feature, so that they can be told apart."""
    columns = [*found.columns, np.arange(found.n)]
    return make_dataset(columns, found.y, (*found.features, "row"), "y", found.classes)


def test_learning_sizes_ascend_to_all_rows_and_each_holds_those_of_the_last() -> None:
    for n, k, classes in ((100, 5, 10), (37, 5, 0), (101, 3, 2), (11, 30, 3), (12, 2, 0)):
        table = numbered(smooth(4, n, 1, classes, 0.3))
        mine, seen = grown_on(table, default_rules(table.task), k, 2, of_one_row)
        parts = folded_parts(table, k, 2)
        sizes = mine.sizes.tolist()
        assert sizes == sorted(set(sizes)), (n, k, classes)
        assert sizes[0] >= 1
        assert sizes[-1] == min(others.n for others, _ in parts)
        assert mine.training.shape == mine.held.shape == (len(parts), len(sizes))
        assert len(seen) == len(parts) * len(sizes)
        for part, (others, _) in enumerate(parts):
            trees = seen[part * len(sizes) : (part + 1) * len(sizes)]
            rows = [set(tree.columns[-1].tolist()) for tree in trees]
            assert [tree.n for tree in trees[:-1]] == sizes[:-1]
            assert all(small < large for small, large in pairwise(rows))
            assert rows[-1] == set(others.columns[-1].tolist())  # all, whatever the fold's size


@given(class_data(40, 1, 8), st.integers(2, 5), st.integers(0, 3))
@settings(max_examples=10)
def test_rows_of_a_learning_size_hold_the_classes_in_about_their_shares(
    found: Dataset, k: int, seed: int
) -> None:
    assume(found.n > 1)
    _, seen = grown_on(found, Rules(), k, seed, of_one_row)
    parts = folded_parts(found, k, seed)
    each = len(seen) // len(parts)
    for at, some in enumerate(seen):
        others = parts[at // each][0]
        shares = np.bincount(others.y, minlength=len(found.classes)) / others.n
        counts = np.bincount(some.y, minlength=len(found.classes))
        assert (abs(counts - some.n * shares) <= 1 + len(found.classes) * shares).all()


def test_rare_classes_do_not_all_come_at_the_same_time() -> None:
    y = np.array([0] * 90 + [*range(1, 10)])
    order = validation._stratified_order(
        make_dataset([np.arange(99.0)], y, ["x"], "y", "abcdefghij"), 0
    )
    assert sorted(order.tolist()) == list(range(99))
    assert {*(np.flatnonzero(y[order] > 0) // 33).tolist()} == {0, 1, 2}


@given(data(20), st.integers(2, 6), st.data())
@settings(max_examples=10)
def test_learning_errors_are_those_of_trees_fitted_on_these_rows(
    found: Dataset, k: int, pick: Any
) -> None:
    assume(found.n > 1)
    rules = pick.draw(any_rules(found))
    mine, seen = grown_on(found, rules, k)
    parts = folded_parts(found, k, 0)
    scale = 1.0 if found.classes else max(float(np.square(found.y).max()), 1.0)
    each = len(mine.sizes)
    for at, some in enumerate(seen):
        place, model = divmod(at, each), dtviz.fit(some, rules)
        held = parts[place[0]][1]
        assert mine.training[place] == pytest.approx(error_of(model, some), abs=1e-12 * scale)
        assert mine.held[place] == pytest.approx(error_of(model, held), abs=1e-12 * scale)


def test_equal_seeds_learn_alike() -> None:
    table = smooth(4, 24, 2, 3, 0.5)
    first, same, other = (ended(learning_errors(table, Rules(), 3, seed)) for seed in (1, 1, 2))
    assert (first.held == same.held).all()
    assert (first.held != other.held).any()


# --- resampled ---


def brute(
    found: Dataset, held: Dataset, plane: Any, rules: Rules, depths: Sequence[int], seed: int
) -> tuple[list[Any], Any]:
    """Single, vote and spread by depth, (K, 3), and what each tree says at the plane's points."""
    random = np.random.default_rng(seed)
    rows = [np.sort(random.integers(0, found.n, found.n)) for _ in range(FEW)]
    out = []
    for depth in depths:
        models = [dtviz.fit(take_rows(found, one), replace(rules, max_depth=depth)) for one in rows]
        told = np.array([codes(model, held) for model in models])
        vote, off = judged(found, told)
        truth = held.y if not found.classes else held.y.astype(float)
        if found.classes:
            out.append(((told != truth).mean(), (vote != truth).mean(), off.mean()))
        else:
            out.append((((told - truth) ** 2).mean(), ((vote - truth) ** 2).mean(), off.mean()))
    points = replace(held, columns=plane, y=np.zeros(plane.shape[1], held.y.dtype))
    own = np.array([codes(dtviz.fit(take_rows(found, one), rules), points) for one in rows])
    return out, own


def codes(model: dtviz.Model, found: Dataset) -> Any:
    """What the model predicts, classes as their codes."""
    told = model.predict(found)
    return np.searchsorted(model.data.classes, told).astype(float) if model.data.classes else told


def judged(found: Dataset, told: Any) -> tuple[Any, Any]:
    """The vote at each point, the first of equal classes, and the spread round it."""
    if not found.classes:
        return told.mean(axis=0), told.var(axis=0)
    counts = np.array([(told == code).sum(axis=0) for code in range(len(found.classes))])
    vote = counts.argmax(axis=0)
    return vote, (told != vote).mean(axis=0)


def halves(found: Dataset) -> tuple[Dataset, Dataset]:
    out = held_rows(found, 0.4)
    return take_rows(found, ~out), take_rows(found, out)


def test_resampled_is_the_loop_written_out() -> None:
    cases: tuple[tuple[int, dict[str, Any]], ...] = (
        (0, {"max_leaf_nodes": 6, "order": "best", "ccp_alpha": 0.01}),
        (2, {"max_depth": 3, "min_samples_leaf": 3}),
        (4, {}),
    )
    for classes, limits in cases:
        training, held = halves(smooth(5, 50, 2, classes, 0.5))
        rules, depths = replace(default_rules(training.task), **limits), (1, 3)
        plane = np.random.default_rng(0).uniform(0, 0.5, (2, 17))
        mine = ended(resample_spread(training, held, plane, rules, depths, 7))
        wanted, over = brute(training, held, plane, rules, depths, 7)
        assert mine.depths == depths
        got = np.array([mine.tree_error, mine.vote_error, mine.mean_spread]).T
        assert got == pytest.approx(np.array(wanted), abs=1e-12), limits
        assert mine.predictions == pytest.approx(over, abs=1e-12)
        voted, where = judged(training, over)
        assert mine.plane_vote == pytest.approx(voted, abs=1e-12)
        assert mine.plane_spread == pytest.approx(where, abs=1e-12)


def test_for_numbers_the_single_error_is_vote_plus_spread() -> None:
    plain = smooth(6, 60, 2, 0, 0.5)
    y = np.round(plain.y * 1024) / 1024
    rules, plane, depths = Rules("squared_error"), plain.columns[:, :9], (1, 3, 20)
    near, *others = (
        ended(resample_spread(*halves(replace(plain, y=y + offset)), plane, rules, depths))
        for offset in (0.0, -1e4, 1e12)
    )
    for far, offset in zip(others, (-1e4, 1e12), strict=True):
        assert far.tree_error == pytest.approx(far.vote_error + far.mean_spread, rel=1e-9), offset
        assert (far.mean_spread > 0).all()
        errors = (far.tree_error, near.tree_error), (far.vote_error, near.vote_error)
        for mine, theirs in (
            *errors,
            (far.mean_spread, near.mean_spread),
            (far.plane_spread, near.plane_spread),
        ):
            assert mine == pytest.approx(theirs, rel=1e-9, abs=1e-12)
        for mine, theirs in (
            (far.predictions, near.predictions),
            (far.plane_vote, near.plane_vote),
        ):
            assert mine - offset == pytest.approx(theirs, abs=1e-3)


@given(data(14), st.integers(0, 3), st.data())
@settings(max_examples=20)
def test_the_spread_of_any_table_lies_within_its_bounds(
    table: Dataset, seed: int, pick: Any
) -> None:
    assume(table.n > 1)
    training, held = halves(table)
    rules = pick.draw(any_rules(training))
    mine = ended(resample_spread(training, held, table.columns, rules, (1, 2), seed))
    assert mine.plane_spread.shape == (table.n,)
    assert (mine.plane_spread >= 0).all()
    if not table.classes:
        scale = max(float(np.ptp(table.y)) ** 2, 1e-30)
        assert mine.tree_error == pytest.approx(
            mine.vote_error + mine.mean_spread, rel=1e-9, abs=1e-9 * scale
        )
        return
    most = 1 - 1 / len(table.classes) + 1e-12  # the spread of an even vote
    assert (mine.plane_spread <= most).all()
    assert ((mine.mean_spread >= 0) & (mine.mean_spread <= most)).all()
    for errors in (mine.tree_error, mine.vote_error):
        assert ((errors >= 0) & (errors <= 1)).all()
    # a single tree is wrong at most where the vote is or where it is not of the vote's opinion
    assert (mine.tree_error <= mine.vote_error + mine.mean_spread + 1e-12).all()


def test_a_constant_target_spreads_nothing() -> None:
    for y in (0.3, 1e8 + 0.1, -1e-300, 1e150, 0):
        table = make_dataset([np.arange(20.0)], np.full(20, y), ["x"], "y", "a" if y == 0 else "")
        for plane in (np.linspace(-5, 25, 7)[None, :], np.empty((1, 0))):  # with no points too
            mine = ended(resample_spread(*halves(table), plane, default_rules(table.task), (1, 2)))
            assert mine.plane_spread.tolist() == [0.0] * plane.shape[1]
            for part in (mine.tree_error, mine.vote_error, mine.mean_spread):
                assert set(part.tolist()) == {0.0}, y


# --- small and odd tables ---


def test_an_odd_table_is_searched_and_resampled_or_says_what_it_lacks() -> None:
    for table in ODD:
        rules, lines = default_rules(table.task), GRID_RULES[table.task]
        mine = ended(resample_spread(table, table, table.columns, rules, (1, 2)))
        for part in (mine.tree_error, mine.vote_error, mine.mean_spread, mine.plane_spread):
            assert np.isfinite(part).all()
        if table.n == 1 or len(set(table.y.tolist())) == 1:
            assert set(mine.mean_spread.tolist()) == set(mine.plane_spread.tolist()) == {0.0}
        works = grid(table, rules, lines, DEPTHS, 5), learning_errors(table, rules, 5)
        if table.n == 1:
            for work in works:
                with pytest.raises(ValueError, match="at least two training rows; not 1"):
                    ended(work)
            continue
        cells, curve = ended(works[0]), ended(works[1])
        assert np.isfinite([cells.mean, cells.error]).all()
        assert cells.tied[cells.best]
        assert np.isfinite([curve.training, curve.held]).all()


def test_folds_and_rules_that_cannot_be_are_refused_by_name() -> None:
    wrong: tuple[tuple[Any, int, str], ...] = ((1, 0, "k"), (2, -1, "seed"), (2.0, 0, "k"))
    for k, seed, name in wrong:
        works = (
            grid(STAIRS, Rules(), CRITERION, (1,), k, seed),
            learning_errors(STAIRS, Rules(), k, seed),
        )
        for work in works:
            with pytest.raises(ValueError, match=f"`{name}` must be at least"):
                ended(work)
    squared = replace(CRITERION, values=lambda *_: ("squared_error",))
    more: tuple[Generator[float, None, Any], ...] = (
        grid(STAIRS, Rules(), squared, (1,), 2),
        learning_errors(STAIRS, Rules("squared_error"), 2),
        resample_spread(STAIRS, STAIRS, STAIRS.columns, Rules("squared_error"), (1,)),
    )
    for work in more:
        with pytest.raises(RulesError, match="`criterion` must be"):
            ended(work)


def test_balanced_classes_are_so_in_every_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    table = pd.DataFrame({"x": random.normal(size=60), "y": list("aab" * 15 + "bbc" * 5)})
    found = from_frame(table, "y", class_weight="balanced")
    grown_on: list[Dataset] = []

    def grow(problem: Problem) -> Nodes:
        grown_on.append(problem.data)
        return full_tree(problem)

    monkeypatch.setattr(validation, "full_tree", grow)
    rules, half = Rules("gini", max_depth=2), np.arange(60) % 2 > 0
    training, held = split_by_mask(found, half)
    ended(validation.learning_errors(found, rules, 3))
    ended(validation.resample_spread(training, held, held.columns, rules, [1, 2]))
    ended(validation.grid(found, rules, replace(CRITERION, values=lambda *_: ("gini",)), [1], 3))
    assert len(grown_on) == 3 * validation.N_SIZES + FEW + 3
    for some in grown_on:
        own = np.bincount(some.y, some.weights)
        assert own[own > 0] == pytest.approx(some.n / np.count_nonzero(own))


def test_trees_that_differ_from_the_vote_are_counted_by_what_that_would_cost() -> None:
    table = pd.DataFrame({"x": [0.0, 0, 1, 1, 2, 2], "y": list("abbcca")})
    costs = {"a": {"b": 5, "c": 2}, "b": {"a": 3, "c": 0.5}, "c": {"a": 4, "b": 7}}
    found = from_frame(table, "y", costs=costs)
    assert found.costs is not None
    votes = validation._VoteCount(found, 1, 3)
    said = [[0, 0, 1], [0, 1, 1], [0, 2, 2], [0, 1, 1]]
    for one in said:
        votes.add(np.array([one], float))
    winner, spread = votes.count()
    assert winner.tolist() == [[0, 1, 1]]
    assert spread.tolist() == [[0, (3 + 0.5) / 4, 0.5 / 4]]
