"""Folds, held-out scores and time-lines side by side, against figures by hand and scikit-learn."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from cases import HEIGHTS, data_of
from futures import future_of
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, mean_squared_error
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from strategies import any_rules, data, grown
from test_curves import smooth, untied

from dtviz import Collapse, Grow, Rules, axis_split, fit, load
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.engine.problem import Problem
from dtviz.engine.rules import RulesError
from dtviz.engine.tree import fold
from dtviz.evaluate import metrics
from dtviz.evaluate.metrics import (
    TimelineFigures,
    accuracy,
    compare,
    folds,
    held_out_score,
    parts_by_fold,
    replay_on,
    score_of,
    squared_error,
)
from dtviz.session.session import runs_of

STAIRS = make_dataset([[1.0, 2, 3, 4, 5, 6]], np.array([0, 0, 0, 1, 1, 1]), ["x"], "y", "ab")


def test_a_score_is_written_in_its_unit() -> None:
    for task, texts in (
        ("classification", ["12.3\u00a0%", "100\u00a0%", "-"]),
        ("regression", ["0.1234", "1", "-"]),
    ):
        assert [metrics.SCORES[task].text(value) for value in (0.12341, 1.0, math.nan)] == texts  # type: ignore[index]


def test_the_share_of_the_work_rises_to_1(monkeypatch: pytest.MonkeyPatch) -> None:
    for n, most, k in ((12, 99, 5), (12, 99, 2), (3, 99, 5), (12, 11, 5)):
        monkeypatch.setattr(metrics, "MAX_ROWS_FOLDED", most)
        table = numbers([float(row % 3) for row in range(n)])
        shares = [*compare(Problem(table, Rules("squared_error")), [(1,), ()], k)]
        assert shares == sorted(shares)
        assert shares[-1] == pytest.approx(1), (n, most, k)


def compared(found: Dataset, rules: Rules, *asked: Any, **more: Any) -> tuple[TimelineFigures, ...]:
    return run_to_end(compare(Problem(found, rules), *asked, **more))


def numbers(y: list[float]) -> Dataset:
    """One feature x = 0, 1, 2, ... and these targets."""
    return make_dataset([np.arange(len(y))], np.array(y), ["x"], "y")


# --- folds ---


@given(data(40), st.integers(2, 45), st.integers(0, 3))
def test_folds_are_even_and_hold_out_each_row_once(table: Dataset, k: int, seed: int) -> None:
    fold_of, many = folds(table, k, seed), min(k, table.n)
    assert fold_of.shape == (table.n,)
    assert set(fold_of.tolist()) == set(range(many))
    for rows in [fold_of, *(fold_of[table.y == code] for code in range(len(table.classes)))]:
        sizes = np.bincount(rows, minlength=many)
        assert sizes.max() - sizes.min() <= 1
    held: list[int] = []
    for others, rows in parts_by_fold(table, k, seed):
        rest = np.setdiff1d(np.arange(table.n), rows)
        assert (others.columns == table.columns[:, rest]).all()
        assert (others.y == table.y[rest]).all()
        held += rows.tolist()
    assert sorted(held) == (list(range(table.n)) if table.n > 1 else [])


def test_folds_are_the_same_for_the_same_seed_only() -> None:
    found = smooth(0, 100, 1, 2)
    assert (folds(found, 5) == folds(found, 5, seed=0)).all()
    assert (folds(found, 5) != folds(found, 5, seed=1)).any()
    assert (folds(found, np.int64(5)) == folds(found, 5)).all()  # type: ignore[arg-type]


def test_a_number_of_folds_or_a_seed_that_cannot_be_is_refused() -> None:
    wrong: tuple[Any, ...] = (1, 0, -3, True, 2.0, "5", None)
    for k in wrong:
        for call in (folds, lambda *_, k=k: held_out_score(Problem(STAIRS, Rules()), (), k)):
            with pytest.raises(ValueError, match=f"`k` must be at least 2; not {k!r}"):
                call(STAIRS, k)
    with pytest.raises(ValueError, match="`seed` must be at least 0; not -1"):
        folds(STAIRS, 2, -1)


def test_of_very_many_rows_a_fifth_is_held_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "MAX_ROWS_FOLDED", 99)
    ((others, rows),) = parts_by_fold(smooth(0, 100, 1, 2), k=10)
    assert (others.n, len(rows)) == (80, 20)
    assert len(list(parts_by_fold(smooth(0, 99, 1, 2), k=10))) == 10


# --- scores ---


def test_scores_by_hand() -> None:
    tree = fold(Problem(STAIRS, Rules()), (Grow(1, axis_split(0, 2.5)),))
    assert accuracy(STAIRS, tree) == 5 / 6  # row 3 lies with the b's
    assert accuracy(STAIRS, tree, np.array([0, 2])) == 0.5
    assert math.isnan(accuracy(STAIRS, tree, np.array([], int)))
    table = numbers([1, 3, 10, 20])
    means = fold(Problem(table, Rules("squared_error")), (Grow(1, axis_split(0, 1.5)),))  # 2 and 15
    assert squared_error(table, means) == (1 + 1 + 25 + 25) / 4
    assert squared_error(table, means, np.array([0, 3])) == 13
    assert math.isnan(squared_error(table, means, np.array([], int)))
    with pytest.raises(ValueError, match="`accuracy` needs classes"):
        accuracy(table, means)
    with pytest.raises(ValueError, match="`squared_error` needs numbers"):
        squared_error(STAIRS, tree)


@given(grown(12))
def test_scores_are_scikit_learn_s(case: Any) -> None:
    table, rules, log, tree = case
    predicted = fit(table, rules, log).predict(table)
    if table.classes:
        expected = accuracy_score([table.classes[code] for code in table.y], predicted)
    else:
        expected = mean_squared_error(table.y, predicted)
    assert score_of(table, tree) == pytest.approx(expected, rel=1e-9, abs=1e-12)


# --- the same choices on other rows ---


@given(grown(12), st.data())
def test_on_any_rows_what_is_possible_is_made(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, _ = case
    pieces = runs_of(rules, log, future_of(found))
    rows = drawn.draw(st.lists(st.integers(0, found.n - 1), min_size=1, max_size=12))
    some = take_rows(found, np.array(rows))
    tree = replay_on(Problem(some, rules), pieces)
    steps = sum(piece if isinstance(piece, int) else 1 for piece in pieces)
    assert len(tree.splits) <= steps
    assert sum(len(part) for part in tree.rows.values()) == len(rows)
    own = {piece.node: piece.split for piece in pieces if isinstance(piece, Grow)}
    if not any(isinstance(piece, int) for piece in pieces):
        assert all(own[node] == split or node in own for node, split in tree.splits.items())


def test_moves_that_are_not_possible_are_left_out() -> None:
    few = take_rows(STAIRS, np.array([0, 1, 5]))  # x is 1, 2, 6
    cut, low, deep = (Grow(1, axis_split(0, 3.5)), Grow(2, axis_split(0, 2.5)), Collapse(5))
    below = Grow(4, axis_split(0, 1.5))
    tree = replay_on(Problem(few, Rules()), (cut, low, deep, below, Grow(2, axis_split(0, 1.5))))
    assert tree.splits == {1: axis_split(0, 3.5), 2: axis_split(0, 1.5)}
    assert replay_on(Problem(few, Rules()), (Collapse(1), cut)).splits == {1: axis_split(0, 3.5)}
    with pytest.raises(RulesError, match="`criterion`"):
        replay_on(Problem(STAIRS, Rules("squared_error")), (1,))


def test_automatic_moves_after_your_own_are_made_anew() -> None:
    few = take_rows(STAIRS, np.array([0, 1, 3, 5]))  # x is 1, 2, 4, 6; the b's are 4 and 6
    own = Grow(1, axis_split(0, 4.5))
    assert replay_on(Problem(STAIRS, Rules()), (own, 9)).splits[2] == axis_split(0, 3.5)
    assert replay_on(Problem(few, Rules()), (own, 9)).splits == {
        1: own.split,
        2: axis_split(0, 3.0),
    }
    assert replay_on(Problem(few, Rules(max_leaf_nodes=2)), (own, 9)).splits == {1: own.split}
    assert replay_on(Problem(few, Rules()), (own, 0)).splits == {1: own.split}


# --- held out ---


def test_scores_held_out_by_hand() -> None:
    def of(y: list[int], log: Any, k: int) -> float:
        table = make_dataset([np.arange(len(y))], np.array(y), ["x"], "y", "ab")
        return held_out_score(Problem(table, Rules()), log, k)

    for k in (2, 5, 10):  # the majority is the constant prediction
        assert of([0] * 7 + [1] * 3, (), k) == 0.7
    assert of([0] * 6, (4,), 3) == of([0] * 6, (Grow(1, axis_split(0, 2.5)),), 6) == 1.0
    assert of([0, 0, 0, 0, 0, 1], (1,), 6) == pytest.approx(5 / 6)
    # the cut at 0.5 parts row 0 alone; without row 0 all others predict 'a': row 0 is missed
    cut = Grow(1, axis_split(0, 0.5))
    after = (cut, Grow(2, axis_split(0, -1.0)), Grow(3, axis_split(0, 2.5)))
    assert of([1, 0, 0, 0, 0], (cut,), 5) == of([1, 0, 0, 0, 0], after, 5) == 0.8
    # without row 3 the cut goes left of it, without row 2 right of it: one of them is missed
    assert of([0, 0, 0, 1, 1, 1], (1,), 6) == pytest.approx(5 / 6)
    assert of([0, 0, 0, 1, 1, 1], (Grow(1, axis_split(0, 2.5)),), 6) == 1.0
    # leaving one out of 0, 3, 6: the others' means are 4.5, 3, 1.5, so 20.25, 0 and 20.25
    for k in (3, 99):
        score = held_out_score(Problem(numbers([0, 3, 6]), Rules("squared_error")), (), k)
        assert score == pytest.approx(40.5 / 3)
    single = take_rows(STAIRS, np.array([0]))
    (line,) = compared(single, Rules(), [()])
    assert line.training == 1.0
    assert math.isnan(line.held_out)
    assert math.isnan(held_out_score(Problem(single, Rules()), (3,)))


@given(grown(12) | grown(12, ccp_alpha=0.03), st.integers(2, 14))
def test_any_log_is_judged_and_gives_its_tree_on_its_rows(case: Any, k: int) -> None:
    table, rules, log, tree = case
    pieces = runs_of(rules, log, future_of(table))
    problem = Problem(table, rules)
    again = replay_on(problem, pieces)
    assert (again.splits, again.pruned) == (tree.splits, tree.pruned)
    if not rules.ccp_alpha:
        counts = {node: group.n for node, group in tree.nodes.items()}
        assert {node: group.n for node, group in again.nodes.items()} == counts
    score = held_out_score(problem, pieces, k)
    assert math.isnan(score) == (table.n == 1)
    (line,) = compared(table, rules, [pieces], k)
    assert (line.splits, line.leaves) == (len(tree.splits), len(tree.rows))
    assert 0 <= line.manual_splits <= sum(isinstance(piece, Grow) for piece in pieces)
    assert line.training == pytest.approx(score_of(table, tree), rel=1e-9, abs=1e-12)
    assert line.held_out == score or table.n == 1


def test_held_out_is_scikit_learn_s_on_the_same_folds() -> None:
    deep, wide = {"max_depth": 3}, {"min_samples_leaf": 25}
    for classes, limits in ((0, wide), (2, deep), (4, deep), (4, wide)):
        table = smooth(3, 200, 2, classes, 0.5)
        rules = Rules("gini" if classes else "squared_error", **limits)
        kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
        predicted = np.empty(table.n)
        for others, rows in parts_by_fold(table, 5):
            assert untied(others, rules)
            oracle = kind(criterion=rules.criterion, random_state=0, **limits)
            oracle.fit(others.columns.T, others.y)
            predicted[rows] = oracle.predict(table.columns[:, rows].T)
        score = accuracy_score if classes else mean_squared_error
        expected = score(table.y, predicted)
        steps = len(fit(table, rules).log)
        assert held_out_score(Problem(table, rules), (steps,)) == pytest.approx(
            expected, rel=1e-9
        ), limits


# --- lines side by side ---


def test_lines_side_by_side_by_hand() -> None:
    own = Grow(1, axis_split(0, 4.5))
    bare, one, both = compared(STAIRS, Rules(), [(), (1,), (own, 9)], k=6)
    # leaving a row out of 3 + 3 leaves the other class in the majority
    assert bare == TimelineFigures(
        splits=0, manual_splits=0, leaves=1, height=0, training=0.5, held_out=0.0
    )
    assert one == TimelineFigures(1, 0, 2, 1, 1.0, pytest.approx(5 / 6))
    assert both == TimelineFigures(2, 1, 3, 2, 1.0, pytest.approx(5 / 6))


def test_own_splits_are_counted_while_they_stand() -> None:
    first, second = Grow(1, axis_split(0, 4.5)), Grow(1, axis_split(0, 1.5))
    lines = compared(
        STAIRS,
        Rules(),
        [
            (first, 1),
            (first, Collapse(1), second),
            (second, Grow(3, axis_split(0, 4.5)), Collapse(1)),
            (first, Grow(2, axis_split(0, 1.5)), Collapse(1), first, 9),
        ],
        k=2,
    )
    assert [(line.splits, line.manual_splits) for line in lines] == [(2, 1), (1, 1), (0, 0), (2, 1)]


def test_the_heights_of_the_lecture() -> None:
    found = data_of(HEIGHTS)
    (line,) = compared(found, Rules(), [(9,)], k=7)
    model = fit(found)
    assert (line.splits, line.leaves, line.training) == (2, 3, pytest.approx(6 / 7))
    assert line.leaves == len(model.leaves)
    # 170 f m m: without f its leaf says m, and without an m as well; 180 alone and 160 f f stay
    assert line.held_out == pytest.approx(6 / 7)


def test_all_lines_are_judged_on_the_same_folds() -> None:
    found = smooth(1, 60, 2, 3)
    lines = [(3,), (), (9,), (3,)]
    together = compared(found, Rules(), lines, 4, 2)
    alone = [held_out_score(Problem(found, Rules()), pieces, 4, 2) for pieces in lines]
    assert [line.held_out for line in together] == alone
    assert compared(found, Rules(), []) == ()
    assert Counter(together)[together[0]] == 2


# --- with pruning ---


@given(data(16), st.integers(2, 5), st.data())
def test_a_pruned_line_is_judged_as_fit_is(found: Dataset, k: int, drawn: st.DataObject) -> None:
    assume(found.n > 1)
    rules = drawn.draw(any_rules(found))
    model = fit(found, rules)
    pieces = runs_of(rules, model.log, future_of(found))
    assert pieces == ((len(model.log),) if model.log else ())
    expected = np.empty(found.n)
    for others, rows in parts_by_fold(found, k):
        tree = fit(others, rules).tree
        expected[rows] = [score_of(found, tree, np.array([row])) for row in rows]
    assert held_out_score(Problem(found, rules), pieces, k) == pytest.approx(
        expected.mean(), rel=1e-9
    )
    (line,) = compared(found, rules, [pieces], k)
    assert (line.splits, line.manual_splits, line.leaves) == (
        len(model.tree.splits),
        0,
        len(model.leaves),
    )
    assert line.held_out == pytest.approx(expected.mean(), rel=1e-9)
    assert line.training == pytest.approx(score_of(found, model.tree), rel=1e-9, abs=1e-12)


@given(data(16), st.data())
def test_the_first_automatic_moves_with_pruning(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(found))
    log = fit(found, rules).log
    problem = Problem(found, rules)
    for steps in range(len(log) + 2):
        tree = fit(found, rules, log[:steps]).tree
        again = replay_on(problem, (steps,))
        assert (again.splits, again.pruned) == (tree.splits, tree.pruned)
    assert replay_on(problem, (1, 0, 1)).splits == replay_on(problem, (2,)).splits


def test_own_splits_that_are_pruned_are_not_counted() -> None:
    # parting row 1 from b b lowers gini from 4/9 * 3/6 = 0.2222 (of 6 rows) to 0: alpha 2/9
    own = Grow(1, axis_split(0, 1.5))
    rules = Rules("gini", ccp_alpha=0.3)
    grown_line, pruned_line = compared(STAIRS, rules, [(own,), (own, 9)], k=2)
    assert (grown_line.splits, grown_line.manual_splits) == (1, 1)
    assert (pruned_line.splits, pruned_line.manual_splits, pruned_line.leaves) == (0, 0, 1)


def test_the_first_automatic_moves_are_replayed_in_the_order_of_the_rules() -> None:
    table = load("moons", n=200)
    for order in (None, "depth", "breadth", "best"):
        model = fit(table, Rules(order=order))
        problem = Problem(table, model.rules_used)
        for n_moves in range(len(model.log) + 1):
            tree = replay_on(problem, (n_moves,))
            assert tree.splits == fold(problem, model.log[:n_moves]).splits, (order, n_moves)
