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
from strategies import any_rules, class_data, data, grown, logs, number_data, rules_for

from dtviz import Collapse, Grow, Rules, axis_split, fit
from dtviz.engine.candidates import candidates
from dtviz.engine.grow import finish, moves
from dtviz.engine.problem import Problem
from dtviz.engine.rules import RulesError, criterion_of, default_rules
from dtviz.engine.tree import fold, rows_in, stump
from dtviz.judge import metrics
from dtviz.judge.metrics import (
    Line,
    accuracy,
    compare,
    folds,
    held_out,
    parts,
    replay_on,
    score_of,
    squared_error,
)
from dtviz.screen.session import runs
from dtviz.slices import finished
from dtviz.table.data import Dataset, dataset, take

STAIRS = dataset([[1.0, 2, 3, 4, 5, 6]], np.array([0, 0, 0, 1, 1, 1]), ["x"], "y", "ab")


@pytest.mark.parametrize(
    ("task", "texts"),
    [
        ("classification", ["12.3\u00a0%", "100\u00a0%", "-"]),
        ("regression", ["0.1234", "1", "-"]),
    ],
)
def test_a_score_is_told_in_its_unit(task: Any, texts: list[str]) -> None:
    assert [metrics.SCORES[task].text(value) for value in (0.12341, 1.0, math.nan)] == texts


@pytest.mark.parametrize(("n", "most", "k"), [(12, 99, 5), (12, 99, 2), (3, 99, 5), (12, 11, 5)])
def test_the_share_that_is_done_rises_to_the_whole(
    monkeypatch: pytest.MonkeyPatch, n: int, most: int, k: int
) -> None:
    monkeypatch.setattr(metrics, "MOST_FOLDED", most)
    found = numbers([float(row % 3) for row in range(n)])
    shares = [*compare(Problem(found, Rules("squared_error")), [(1,), ()], k)]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)


def compared(*asked: Any, **more: Any) -> tuple[Line, ...]:
    return finished(compare(*asked, **more))


def numbers(y: list[float]) -> Dataset:
    """One feature x = 0, 1, 2, ... and these targets."""
    return dataset([np.arange(len(y))], np.array(y), ["x"], "y")


def noisy(seed: int, n: int, m: int, classes: int) -> Dataset:
    """Continuous random features, exact in float32; the target depends on them, with noise."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(m, n)).astype(np.float32).astype(float)
    target = columns.sum(axis=0) + rng.normal(size=n) / 2
    names = [f"x{j}" for j in range(m)]
    if not classes:
        return dataset(columns, target, names, "y")
    codes = np.searchsorted(np.quantile(target, np.arange(1, classes) / classes), target)
    return dataset(columns, codes, names, "y", "abcdef"[:classes])


# --- folds ---


@given(data(40), st.integers(2, 45), st.integers(0, 3))
def test_folds_are_even_in_size_and_in_every_class(found: Dataset, k: int, seed: int) -> None:
    fold_of = folds(found, k, seed)
    many = min(k, found.n)
    assert fold_of.shape == (found.n,)
    assert set(fold_of.tolist()) == set(range(many))
    for rows in [fold_of, *(fold_of[found.y == code] for code in range(len(found.classes)))]:
        sizes = np.bincount(rows, minlength=many)
        assert sizes.max() - sizes.min() <= 1


@given(data(40), st.integers(2, 45))
def test_each_row_is_held_out_once_and_grown_on_otherwise(found: Dataset, k: int) -> None:
    held: list[int] = []
    for others, rows in parts(found, k):
        rest = np.setdiff1d(np.arange(found.n), rows)
        assert (others.columns == found.columns[:, rest]).all()
        assert (others.y == found.y[rest]).all()
        held += rows.tolist()
    assert sorted(held) == (list(range(found.n)) if found.n > 1 else [])


def test_folds_are_the_same_for_the_same_seed_only() -> None:
    found = noisy(0, 100, 1, 2)
    assert (folds(found, 5) == folds(found, 5, seed=0)).all()
    assert (folds(found, 5) != folds(found, 5, seed=1)).any()
    assert (folds(found, np.int64(5)) == folds(found, 5)).all()  # type: ignore[arg-type]


@pytest.mark.parametrize("k", [1, 0, -3, True, 2.0, "5", None])
def test_a_number_of_folds_that_cannot_be(k: Any) -> None:
    message = f"`k` must be at least 2; not {k!r}"
    for call in (folds, lambda *_: held_out(Problem(STAIRS, Rules()), (), k)):
        with pytest.raises(ValueError, match=message):
            call(STAIRS, k)


def test_a_seed_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="`seed` must be at least 0; not -1"):
        folds(STAIRS, 2, -1)


def test_of_very_many_rows_a_fifth_is_held_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "MOST_FOLDED", 99)
    ((others, rows),) = parts(noisy(0, 100, 1, 2), k=10)
    assert (others.n, len(rows)) == (80, 20)
    assert len(list(parts(noisy(0, 99, 1, 2), k=10))) == 10


# --- scores ---


def test_accuracy_by_hand() -> None:
    tree = fold(Problem(STAIRS, Rules()), (Grow(1, axis_split(0, 2.5)),))
    assert accuracy(STAIRS, tree) == 5 / 6  # row 3 lies with the b's
    assert accuracy(STAIRS, tree, np.array([0, 2])) == 0.5
    assert accuracy(STAIRS, tree, np.array([2])) == 0.0
    assert math.isnan(accuracy(STAIRS, tree, np.array([], int)))


def test_squared_error_by_hand() -> None:
    found = numbers([1, 3, 10, 20])
    rules = default_rules("regression")
    tree = fold(Problem(found, rules), (Grow(1, axis_split(0, 1.5)),))
    assert squared_error(found, tree) == (1 + 1 + 25 + 25) / 4  # means 2 and 15
    assert squared_error(found, tree, np.array([0, 3])) == 13
    assert math.isnan(squared_error(found, tree, np.array([], int)))


def test_each_task_has_its_own_score() -> None:
    class_tree, number_tree = fit(STAIRS).tree, fit(numbers([1, 2]), Rules("squared_error")).tree
    with pytest.raises(ValueError, match="`accuracy` needs classes"):
        accuracy(numbers([1, 2]), number_tree)
    with pytest.raises(ValueError, match="`squared_error` needs numbers"):
        squared_error(STAIRS, class_tree)
    assert score_of(STAIRS, class_tree) == 1.0
    assert score_of(numbers([1, 2]), number_tree) == 0.0


@given(grown(12))
def test_scores_are_scikit_learn_s(case: Any) -> None:
    found, rules, log, tree = case
    predicted = fit(found, rules, log).predict(found)
    if found.classes:
        truth = [found.classes[code] for code in found.y]
        assert accuracy(found, tree) == pytest.approx(accuracy_score(truth, predicted), abs=1e-12)
    else:
        expected = mean_squared_error(found.y, predicted)
        assert squared_error(found, tree) == pytest.approx(expected, rel=1e-9, abs=1e-12)


# --- the same choices on other rows ---


@given(grown(12))
def test_on_its_own_rows_a_log_gives_its_own_tree(case: Any) -> None:
    found, rules, log, tree = case
    again = replay_on(Problem(found, rules), runs(rules, log, future_of(found)))
    assert (again.splits, again.pruned) == (tree.splits, tree.pruned)
    assert {node: known.n for node, known in again.nodes.items()} == {
        node: known.n for node, known in tree.nodes.items()
    }


@given(data(20), st.data())
def test_automatic_moves_are_the_first_of_the_rules(found: Dataset, drawn: st.DataObject) -> None:
    rules, steps = drawn.draw(rules_for(found.task)), drawn.draw(st.integers(0, 8))
    problem = Problem(found, rules)
    tree = stump(problem)
    for (_, after), _ in zip(moves(problem, tree), range(steps), strict=False):
        tree = after
    again = replay_on(problem, (steps,))
    assert again.splits == tree.splits


@given(grown(12), st.data())
def test_on_any_rows_what_is_possible_is_made(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, _ = case
    pieces = runs(rules, log, future_of(found))
    rows = drawn.draw(st.lists(st.integers(0, found.n - 1), min_size=1, max_size=12))
    some = take(found, np.array(rows))
    tree = replay_on(Problem(some, rules), pieces)
    steps = sum(piece if isinstance(piece, int) else 1 for piece in pieces)
    assert len(tree.splits) <= steps
    assert sum(len(part) for part in tree.rows.values()) == len(rows)
    own = {piece.node: piece.split for piece in pieces if isinstance(piece, Grow)}
    if not any(isinstance(piece, int) for piece in pieces):
        assert all(own[node] == split or node in own for node, split in tree.splits.items())


def test_moves_that_are_not_possible_are_left_out() -> None:
    few = take(STAIRS, np.array([0, 1, 5]))  # x is 1, 2, 6
    cut, low, deep = (Grow(1, axis_split(0, 3.5)), Grow(2, axis_split(0, 2.5)), Collapse(5))
    below = Grow(4, axis_split(0, 1.5))
    tree = replay_on(Problem(few, Rules()), (cut, low, deep, below, Grow(2, axis_split(0, 1.5))))
    assert tree.splits == {1: axis_split(0, 3.5), 2: axis_split(0, 1.5)}
    assert replay_on(Problem(few, Rules()), (Collapse(1), cut)).splits == {1: axis_split(0, 3.5)}


def test_automatic_moves_after_your_own_are_made_anew() -> None:
    few = take(STAIRS, np.array([0, 1, 3, 5]))  # x is 1, 2, 4, 6; the b's are 4 and 6
    own = Grow(1, axis_split(0, 4.5))
    assert replay_on(Problem(STAIRS, Rules()), (own, 9)).splits[2] == axis_split(0, 3.5)
    assert replay_on(Problem(few, Rules()), (own, 9)).splits == {
        1: own.split,
        2: axis_split(0, 3.0),
    }
    assert replay_on(Problem(few, Rules(max_leaf_nodes=2)), (own, 9)).splits == {1: own.split}
    assert replay_on(Problem(few, Rules()), (own, 0)).splits == {1: own.split}


def test_a_criterion_for_the_other_task_is_refused() -> None:
    with pytest.raises(RulesError, match="`criterion`"):
        replay_on(Problem(STAIRS, Rules("squared_error")), (1,))


# --- held out ---


def test_a_constant_prediction_is_right_on_the_share_of_the_majority() -> None:
    found = dataset([np.arange(10)], np.array([0] * 7 + [1] * 3), ["x"], "y", "ab")
    for k in (2, 5, 10):
        assert held_out(Problem(found, Rules()), (), k) == 0.7


def test_the_mean_of_the_others_by_hand() -> None:
    # leaving one out of 0, 3, 6: the others' means are 4.5, 3, 1.5, so 20.25, 0 and 20.25
    found = numbers([0, 3, 6])
    assert held_out(Problem(found, Rules("squared_error")), (), k=3) == pytest.approx(40.5 / 3)
    assert held_out(Problem(found, Rules("squared_error")), (), k=99) == pytest.approx(40.5 / 3)


def test_leaving_one_out_of_the_stairs_by_hand() -> None:
    # without 3 the cut is 3.0 and row 3 goes left; without 4 it is 4.0 and row 4 goes left: wrong
    assert held_out(Problem(STAIRS, Rules()), (1,), k=6) == pytest.approx(5 / 6)
    own = Grow(1, axis_split(0, 3.5))  # a cut of your own stays where it is
    assert held_out(Problem(STAIRS, Rules()), (own,), k=6) == 1.0


def test_one_row_leaves_none_to_grow_on() -> None:
    one = take(STAIRS, np.array([0]))
    assert math.isnan(held_out(Problem(one, Rules()), (3,)))
    assert compared(one, Rules(), [()])[0].training == 1.0
    assert math.isnan(compared(one, Rules(), [()])[0].held_out)


def test_one_class_is_always_right() -> None:
    found = dataset([np.arange(6)], np.zeros(6, int), ["x"], "y", "ab")
    assert held_out(Problem(found, Rules()), (4,), k=3) == 1.0
    assert held_out(Problem(found, Rules()), (Grow(1, axis_split(0, 2.5)),), k=6) == 1.0


def test_a_class_of_a_single_row_is_missed() -> None:
    found = dataset([np.arange(6)], np.array([0, 0, 0, 0, 0, 1]), ["x"], "y", "ab")
    assert held_out(Problem(found, Rules()), (1,), k=6) == pytest.approx(5 / 6)


def test_a_fold_that_cannot_make_a_split_goes_without() -> None:
    # the cut at 0.5 parts row 0 alone; without row 0 all others predict 'a': row 0 is missed
    found = dataset([np.arange(5)], np.array([1, 0, 0, 0, 0]), ["x"], "y", "ab")
    own = Grow(1, axis_split(0, 0.5))
    assert held_out(Problem(found, Rules()), (own,), k=5) == pytest.approx(4 / 5)
    after = (own, Grow(2, axis_split(0, -1.0)), Grow(3, axis_split(0, 2.5)))
    assert held_out(Problem(found, Rules()), after, k=5) == pytest.approx(4 / 5)


@given(data(20), st.integers(2, 6), st.data())
def test_an_automatic_line_is_judged_as_fit_is(
    found: Dataset, k: int, drawn: st.DataObject
) -> None:
    assume(found.n > 1)
    rules = drawn.draw(rules_for(found.task))
    problem = Problem(found, rules)
    whole = len(finish(problem, stump(problem))[0])
    expected = np.empty(found.n)
    for others, rows in parts(found, k):
        expected[rows] = [score_of(found, fit(others, rules).tree, np.array([row])) for row in rows]
    assert held_out(problem, (whole,), k) == pytest.approx(expected.mean(), rel=1e-9)


@given(class_data(15) | number_data(15), st.data())
def test_any_log_is_judged_without_an_error(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(rules_for(found.task))
    log, tree = drawn.draw(logs(found, rules))
    pieces = runs(rules, log, future_of(found))
    k = drawn.draw(st.integers(2, 16))
    score = held_out(Problem(found, rules), pieces, k)
    assert math.isnan(score) == (found.n == 1)
    (line,) = compared(found, rules, [pieces], k)
    assert (line.splits, line.leaves) == (len(tree.splits), len(tree.rows))
    assert 0 <= line.own <= sum(isinstance(piece, Grow) for piece in pieces)
    assert line.training == pytest.approx(score_of(found, tree), rel=1e-9, abs=1e-12)
    assert line.held_out == score or found.n == 1


def ties(found: Dataset, rules: Rules) -> bool:
    """Whether any node of the grown tree had two best cuts."""
    tree = fit(found, rules).tree
    criterion = criterion_of(rules, found)
    return any(
        candidates(found, rows_in(tree, node), criterion).tied.sum() > 1 for node in tree.splits
    )


@pytest.mark.uncounted
@pytest.mark.parametrize("limits", [{"max_depth": 2}, {"max_depth": 3}, {"min_samples_leaf": 25}])
@pytest.mark.parametrize("classes", [0, 2, 4])
def test_held_out_is_scikit_learn_s_on_the_same_folds(classes: int, limits: Any) -> None:
    compared = 0
    for seed in range(6):
        found = noisy(seed, 300, 2, classes)
        rules = Rules("gini" if classes else "squared_error", **limits)
        if any(ties(others, rules) for others, _ in parts(found, 5)):
            continue
        kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
        predicted = np.empty(found.n)
        for others, rows in parts(found, 5):
            oracle = kind(criterion=rules.criterion, random_state=0, **limits)
            oracle.fit(others.columns.T, others.y)
            predicted[rows] = oracle.predict(found.columns[:, rows].T)
        score = accuracy_score if classes else mean_squared_error
        steps = len(fit(found, rules).log)
        expected = score(found.y, predicted)
        assert held_out(Problem(found, rules), (steps,)) == pytest.approx(expected, rel=1e-9)
        compared += 1
    assert compared >= 3


# --- lines side by side ---


def test_lines_side_by_side_by_hand() -> None:
    own = Grow(1, axis_split(0, 4.5))
    bare, one, both = compared(STAIRS, Rules(), [(), (1,), (own, 9)], k=6)
    # leaving a row out of 3 + 3 leaves the other class in the majority
    assert bare == Line(splits=0, own=0, leaves=1, height=0, training=0.5, held_out=0.0)
    assert one == Line(1, 0, 2, 1, 1.0, pytest.approx(5 / 6))
    assert both == Line(2, 1, 3, 2, 1.0, pytest.approx(5 / 6))


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
    assert [(line.splits, line.own) for line in lines] == [(2, 1), (1, 1), (0, 0), (2, 1)]


def test_the_heights_of_the_lecture() -> None:
    found = data_of(HEIGHTS)
    (line,) = compared(found, Rules(), [(9,)], k=7)
    model = fit(found)
    assert (line.splits, line.leaves, line.training) == (2, 3, pytest.approx(6 / 7))
    assert line.leaves == len(model.leaves)
    # 170 f m m: without f its leaf says m, and without an m as well; 180 alone and 160 f f stay
    assert line.held_out == pytest.approx(6 / 7)


def test_all_lines_are_judged_on_the_same_folds() -> None:
    found = noisy(1, 60, 2, 3)
    lines = [(3,), (), (9,), (3,)]
    together = compared(found, Rules(), lines, 4, 2)
    alone = [held_out(Problem(found, Rules()), pieces, 4, 2) for pieces in lines]
    assert [line.held_out for line in together] == alone
    assert compared(found, Rules(), []) == ()
    assert Counter(together)[together[0]] == 2


# --- with pruning ---


@given(data(16), st.integers(2, 5), st.data())
def test_a_pruned_line_is_judged_as_fit_is(found: Dataset, k: int, drawn: st.DataObject) -> None:
    assume(found.n > 1)
    rules = drawn.draw(any_rules(found))
    model = fit(found, rules)
    pieces = runs(rules, model.log, future_of(found))
    assert pieces == ((len(model.log),) if model.log else ())
    expected = np.empty(found.n)
    for others, rows in parts(found, k):
        tree = fit(others, rules).tree
        expected[rows] = [score_of(found, tree, np.array([row])) for row in rows]
    assert held_out(Problem(found, rules), pieces, k) == pytest.approx(expected.mean(), rel=1e-9)
    (line,) = compared(found, rules, [pieces], k)
    assert (line.splits, line.own, line.leaves) == (len(model.tree.splits), 0, len(model.leaves))
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


@given(grown(12, ccp_alpha=0.03), st.integers(2, 5))
def test_any_log_with_pruning_is_judged(case: Any, k: int) -> None:
    found, rules, log, tree = case
    pieces = runs(rules, log, future_of(found))
    again = replay_on(Problem(found, rules), pieces)
    assert (again.splits, again.pruned) == (tree.splits, tree.pruned)
    (line,) = compared(found, rules, [pieces], k)
    assert (line.splits, line.leaves) == (len(tree.splits), len(tree.rows))
    assert math.isnan(line.held_out) == (found.n == 1)


def test_own_splits_that_are_pruned_are_not_counted() -> None:
    # parting row 1 from b b lowers gini from 4/9 * 3/6 = 0.2222 (of 6 rows) to 0: alpha 2/9
    own = Grow(1, axis_split(0, 1.5))
    rules = Rules("gini", ccp_alpha=0.3)
    grown_line, pruned_line = compared(STAIRS, rules, [(own,), (own, 9)], k=2)
    assert (grown_line.splits, grown_line.own) == (1, 1)
    assert (pruned_line.splits, pruned_line.own, pruned_line.leaves) == (0, 0, 1)
