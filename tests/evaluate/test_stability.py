"""Errors by round and what features are worth: against scikit-learn and by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from sklearn.inspection import permutation_importance
from sklearn.tree import DecisionTreeClassifier
from strategies import any_rules, data
from test_grow_many import alone, mixed

import dtviz
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import DataError, Dataset, make_dataset, take_rows
from dtviz.engine.ensembles import Ensemble, Plan, build, predictions_of_scores, scores_of
from dtviz.engine.ensembles.trees import predictions
from dtviz.engine.grow import finish
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules, prepare_data
from dtviz.engine.tree import predict, root_tree
from dtviz.evaluate import stability
from dtviz.evaluate.stability import (
    MAX_TREES_COMPARED,
    ROW_SAMPLINGS,
    StabilitySettings,
    StabilityTrees,
    compare_trees,
    has_selected_tree,
    impurity_importances,
    left_out_rows,
    n_left_out,
    n_trees_of,
    out_of_bag,
    permutation_importances,
    round_errors,
    rows_of_selected,
)


def table(classes: int, weighted: bool = False) -> Dataset:
    random = np.random.default_rng(0)
    x = random.normal(size=(3, 120)).astype(np.float32).astype(np.float64)
    y = x[0] + 0.5 * x[1] + 0.7 * random.normal(size=120)
    codes = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes)) if classes else y
    weights = random.choice([0.5, 1.0, 3.0], 120) if weighted else None
    return make_dataset(x, codes, "abc", "y", "ABCD"[:classes], (), weights)


def built(found: Dataset, rules: Rules | None = None, **plan: Any) -> Ensemble:
    return run_to_end(build(found, rules or default_rules(found.task), Plan(**plan)))


def test_a_row_is_judged_out_of_bag_by_the_trees_that_never_saw_it() -> None:
    for classes, weighted in product((0, 2), (False, True)):
        found = table(classes, weighted)
        ours = built(found, trees=9)
        predicted, out = predictions(ours.members, found.columns), out_of_bag(ours)
        assert out is not None
        (errors,) = run_to_end(round_errors(ours, found, [out]))
        for round_ in (0, 3, 8):
            losses, weights = [], []
            for row in range(found.n):
                judges = [t for t in range(round_ + 1) if ours.members.weights[t, row] == 0]
                if not judges:
                    continue
                says = predicted[judges, row]
                if classes:
                    votes = [(says == code).sum() for code in range(classes)]
                    losses.append(float(np.argmax(votes) != found.y[row]))
                else:
                    losses.append((says.mean() - found.y[row]) ** 2)
                weights.append(1.0 if found.weights is None else found.weights[row])
            mean = np.average(losses, weights=weights)
            assert errors.error[round_] == pytest.approx(mean, rel=1e-9), (classes, weighted)
            shares = np.array(weights) / sum(weights)
            band = np.sqrt((((np.array(losses) - mean) * shares) ** 2).sum())
            assert errors.band[round_] == pytest.approx(band, rel=1e-9)


def test_before_a_row_is_out_of_any_bag_there_is_no_error() -> None:
    found = make_dataset([[1.0, 2.0]], np.array([0, 1]), ["x"], "y", "AB")
    ours = built(found, trees=3)
    told = np.array([[False, False], [True, False], [False, True]])
    errors = run_to_end(round_errors(ours, found, [told]))[0].error
    assert np.isnan(errors[0])
    assert np.isfinite(errors[1:]).all()


def test_rows_are_judged_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    found = table(2, weighted=True)
    ours = built(found, trees=6)
    asked = (None, out_of_bag(ours))
    whole = run_to_end(round_errors(ours, found, asked))
    monkeypatch.setattr(stability, "ROWS_PER_BLOCK", 7)
    shares = list(round_errors(ours, found, asked))
    assert shares == sorted(shares)
    parts = run_to_end(round_errors(ours, found, asked))
    for part, all_at_once in zip(parts, whole, strict=True):
        assert part.error == pytest.approx(all_at_once.error, rel=1e-12)
        assert part.band == pytest.approx(all_at_once.band, rel=1e-9)


def test_targets_of_any_size_have_an_error_and_a_band() -> None:
    found = make_dataset([np.arange(6.0)], np.array([0, 1, 2, 3, 4, 9]) * 1e149, ["x"], "y")
    (errors,) = run_to_end(round_errors(built(found, trees=4), found))
    assert np.isfinite(errors.error).all()
    assert np.isfinite(errors.band).all()


def test_boosting_leaves_no_row_out() -> None:
    assert out_of_bag(built(table(2), kind="gradient", trees=3)) is None


def test_features_are_worth_as_much_impurity_as_scikit_learn_says() -> None:
    rest = {"n_estimators": 12, "min_samples_leaf": 9}  # few cuts tie
    stump = DecisionTreeClassifier(max_depth=1, min_samples_leaf=9)
    cases: tuple[tuple[str, int, Any], ...] = (
        ("adaboost", 2, AdaBoostClassifier(stump, n_estimators=12)),
        ("gradient", 3, GradientBoostingClassifier(**rest)),
        ("gradient", 0, GradientBoostingRegressor(**rest)),
    )
    for kind, classes, theirs in cases:
        found = table(classes)
        rules = Rules("gini" if classes else "squared_error", min_samples_leaf=9)
        ours = built(found, rules, kind=kind, trees=12)
        theirs.fit(found.columns.T, found.y)
        worth = theirs.feature_importances_
        assert impurity_importances(ours) == pytest.approx(worth, abs=1e-6), (kind, classes)


class _Ours:
    """An ensemble as scikit-learn asks one."""

    def __init__(self, ensemble: Ensemble) -> None:
        self.ensemble = ensemble

    def fit(self, X: Any, y: Any) -> None:
        """It is fitted."""

    def score(self, X: Any, y: Any) -> float:
        """Minus the mean loss."""
        told = predictions_of_scores(
            self.ensemble, scores_of(self.ensemble, np.ascontiguousarray(X.T))
        )
        wrong = told != y if self.ensemble.data.classes else (told - y) ** 2
        return -float(np.mean(wrong))


def test_a_permuted_column_costs_what_scikit_learn_says_of_the_same_permutations() -> None:
    # it shuffles one list of row numbers again and again, and each time what is permuted already
    seed, orders = np.random.RandomState(5).randint(np.iinfo(np.int32).max + 1), []
    for _ in range(3):
        random = np.random.RandomState(seed)
        place, order, each = np.arange(120), np.arange(120), []
        for _ in range(3):
            random.shuffle(place)
            order = order[place]
            each.append(order)
        orders.append(each)
    for kind, classes in (("forest", 3), ("gradient", 0)):
        found = table(classes)
        ours = built(found, kind=kind, trees=8)
        theirs = permutation_importance(
            _Ours(ours), found.columns.T, found.y, n_repeats=3, random_state=5
        )
        worth = run_to_end(permutation_importances(ours, found, np.array(orders)))
        assert worth == pytest.approx(theirs.importances, rel=1e-9, abs=1e-12), kind


def test_a_feature_that_no_split_asks_is_worth_nothing() -> None:
    found = table(2)
    idle = make_dataset([*found.columns, np.zeros(found.n)], found.y, "abcd", "y", "AB")
    ours = built(idle, trees=5)
    random = np.random.default_rng(0)
    orders = np.array([[random.permutation(idle.n) for _ in range(2)] for _ in range(4)])
    worth = run_to_end(permutation_importances(ours, idle, orders, out_of_bag(ours)))
    assert impurity_importances(ours)[3] == 0
    assert worth[3].tolist() == [0, 0]
    assert impurity_importances(ours)[0] > 0.3
    assert worth[0].mean() > 0.05


def moons(n: int = 60) -> Dataset:
    random = np.random.default_rng(3)
    x = random.normal(size=(2, n))
    y = (x[0] + 0.4 * random.normal(size=n) > 0).astype(int)
    return make_dataset(x, y, ["x1", "x2"], "y", "AB")


def shake_of(found: Dataset, rules: Rules | None = None, **asked: Any) -> StabilityTrees:
    rules = rules or default_rules(found.task)
    return run_to_end(compare_trees(found, rules, StabilitySettings(**asked), found.columns[:, :5]))


@given(data(9), st.data())
def test_a_tree_without_a_row_is_the_tree_fitted_without_it(
    found: Dataset, drawn: st.DataObject
) -> None:
    assume(found.n > 1)
    rules = drawn.draw(any_rules(found))
    ours = shake_of(found, rules)
    assert ours.left_out_rows is not None
    for tree, row in enumerate(ours.left_out_rows.tolist(), 1):
        other = dtviz.fit(take_rows(found, np.arange(found.n) != row), rules).tree
        log = {move.node: move.split for move in ours.members.log(tree)}
        assert log == dict(other.splits)
    full = dtviz.fit(found, rules).tree
    assert ours.splits == dict(full.splits)
    assert ours.root(0) == full.splits.get(1)


@given(data(9), st.data())
def test_changes_are_those_that_predict_tells_one_by_one(
    found: Dataset, drawn: st.DataObject
) -> None:
    assume(found.n > 1)
    way = drawn.draw(st.sampled_from([*ROW_SAMPLINGS]))
    ours = shake_of(found, drawn.draw(any_rules(found)), way=way, trees=4, percent=30)
    members, places = ours.members, found.columns[:, :5]
    told = [predict(alone(members, k), found.columns) for k in range(len(members))]
    over = [predict(alone(members, k), places) for k in range(len(members))]

    def change(one: Any, other: Any) -> Any:
        return (one != other).astype(float) if found.classes else np.abs(one - other)

    scale = 1e-9 * max(1.0, float(np.abs(found.y).max()))
    moved = [change(one, told[0]).mean() for one in told[1:]]
    assert ours.changes_over_rows == pytest.approx(moved, rel=1e-9, abs=scale)
    seen = [change(one, over[0]).mean() for one in over[1:]]
    assert ours.changes_over_places == pytest.approx(seen, rel=1e-9, abs=scale)
    wavers = np.mean([change(one, told[0]) for one in told[1:]], axis=0)
    assert ours.changes_at_rows == pytest.approx(wavers, rel=1e-9, abs=scale)


def test_a_row_counts_its_weight_in_a_change() -> None:
    found = replace(moons(), weights=np.random.default_rng(0).choice([0.5, 1.0, 4.0], 60))
    ours = shake_of(found)
    told = predictions(ours.members, found.columns)
    expected = [np.average(line != told[0], weights=found.weights) for line in told[1:]]
    assert ours.changes_over_rows == pytest.approx(expected)
    assert max(expected) > 0


@given(mixed(), st.sampled_from([*ROW_SAMPLINGS]))
def test_categories_gaps_and_weights_do_no_harm(found: Dataset, way: str) -> None:
    rules = default_rules(found.task)
    table = prepare_data(found, rules)
    ours = shake_of(table, rules, way=way, trees=3)
    for member in range(len(ours.members)):
        own = ours.members.data_of(member)
        problem = Problem(own, rules)
        tree = finish(problem, root_tree(problem))[1]
        assert {m.node: m.split for m in ours.members.log(member)} == dict(tree.splits)


def test_roots_are_counted_as_a_loop_counts_them() -> None:
    ours = shake_of(moons(), way="resample", trees=30)
    for one in range(31):
        for other in range(31):
            same = ours.root(one) == ours.root(other)
            assert (ours.root_ids[one] == ours.root_ids[other]) == same
    assert len({*ours.root_ids.tolist()}) > 2


def test_trees_are_called_by_their_rows_or_numbers() -> None:
    out, drawn = shake_of(moons(12)), shake_of(moons(12), way="some", trees=5)
    for found in (out, drawn):
        for tree in range(1, len(found.members)):
            assert found.index_of(found.number_of(tree)) == tree
        assert found.index_of(None) is None
        assert found.index_of(10**6) is None
    assert [out.number_of(tree) for tree in range(1, 13)] == [*range(12)]


def test_a_percentage_of_the_rows_is_left_out_of_each_tree() -> None:
    for percent, out in ((1, 1), (10, 4), (34, 14), (50, 20)):
        shake = StabilitySettings("some", percent, 20, seed=4)
        weights = ROW_SAMPLINGS["some"].weights(moons(40), shake, 20)
        assert weights.shape == (20, 40)
        assert ((weights == 0).sum(axis=1) == out).all(), percent
        assert weights.max() == 1
        assert n_left_out(40, shake) == out
        assert len({tuple(line) for line in weights.tolist()}) > 15
        assert (weights[:5] == ROW_SAMPLINGS["some"].weights(moons(40), shake, 5)).all()
        other = ROW_SAMPLINGS["some"].weights(moons(40), replace(shake, seed=5), 20)
        assert (weights != other).any()
    for n, out in ((1, 0), (2, 1), (3, 1)):
        assert n_left_out(n, StabilitySettings("some", 1)) == out
        assert n_left_out(n, StabilitySettings("some", 50)) == max(out, min(round(n / 2), n - 1))


def test_the_rows_of_a_tree_are_those_it_is_grown_on() -> None:
    for way in ROW_SAMPLINGS:
        ours = shake_of(moons(20), way=way, trees=4, seed=2)
        for tree in range(1, len(ours.members)):
            shake = StabilitySettings(way, trees=4, seed=2, shown=ours.number_of(tree))
            assert has_selected_tree(moons(20), shake)
            rows, expected = rows_of_selected(moons(20), shake), ours.members.data_of(tree)
            assert rows.columns.tolist() == expected.columns.tolist(), way
            assert rows.y.tolist() == expected.y.tolist()
            weights = np.ones(rows.n) if rows.weights is None else rows.weights
            assert expected.weights is not None
            assert weights.tolist() == expected.weights.tolist()


def test_slanted_and_round_cuts_of_a_tree_are_those_fitted_to_its_rows() -> None:
    for way, family in (("resample", "oblique"), ("some", "radial")):
        rules = Rules(families=("axis", family), max_depth=3)
        ours = shake_of(moons(30), rules, way=way, trees=3)
        for tree in range(1, len(ours.members)):
            rows = rows_of_selected(
                moons(30), StabilitySettings(way, trees=3, shown=ours.number_of(tree))
            )
            log = {move.node: move.split for move in ours.members.log(tree)}
            assert log == dict(dtviz.fit(rows, rules).tree.splits), (way, family)


def test_a_tree_that_there_is_not_has_no_rows() -> None:
    cases = (("one", 20), ("one", None), ("some", MAX_TREES_COMPARED), ("resample", 10**8))
    for way, shown in cases:
        shake = StabilitySettings(way, shown=shown)
        assert not has_selected_tree(moons(20), shake), (way, shown)
        with pytest.raises(DataError, match="there is no tree"):
            rows_of_selected(moons(20), shake)


def test_of_very_many_rows_some_are_left_out_and_fewer_trees_grown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(stability.MAX_ROWS_TOGETHER, "classification", 300)
    rows, plain = left_out_rows(moons(), 1, 5), Rules()
    assert len({*rows.tolist()}) == 5
    assert rows.tolist() == sorted(rows.tolist())
    assert rows.tolist() != left_out_rows(moons(), 2, 5).tolist()
    assert left_out_rows(moons(10), 1, 10).tolist() == [*range(10)]
    assert (
        n_trees_of(moons(), plain, StabilitySettings())
        == n_trees_of(moons(), plain, StabilitySettings("some"))
        == 5
    )
    assert n_trees_of(moons(299), plain, StabilitySettings()) == 2
    assert n_trees_of(moons(10), plain, StabilitySettings()) == 10
    assert (
        n_trees_of(moons(4), Rules(families=("axis", "oblique")), StabilitySettings())
        == 300 // 16 // 4
    )
    ours = shake_of(moons(), seed=1)
    assert ours.left_out_rows is not None
    assert ours.left_out_rows.tolist() == rows.tolist()
    assert len(ours.members) == 6


def test_the_work_is_done_in_slices_that_tell_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stability, "PREDICTIONS_PER_SLICE", 500)
    found = moons()
    shares = list(
        compare_trees(found, default_rules(found.task), StabilitySettings(), found.columns)
    )
    assert len(shares) > 15
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_what_is_out_of_its_range_is_refused_in_a_sentence() -> None:
    wrong: dict[str, tuple[Any, ...]] = {
        "way": ("two", ["one"]), "percent": (0, 51, 10.0, True),
        "trees": (1, MAX_TREES_COMPARED + 1, "10"), "seed": (-1, 10**9),
        "shown": (-1, 1.0, "1", True),
    }  # fmt: skip
    for name, values in wrong.items():
        for value in values:
            with pytest.raises((ValueError, TypeError)) as refused:
                StabilitySettings(**{name: value})
            sentence = f"`{name}` must be" in str(refused.value)
            assert isinstance(refused.value, TypeError) or sentence, (name, value)
