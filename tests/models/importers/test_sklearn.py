"""scikit-learn's trees and the members of its ensembles, against what scikit-learn says of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as hst
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import train_test_split
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)

import dtviz
from dtviz import DataError, Grow, Model, from_sklearn, regrets
from dtviz.engine.splits import address_text
from dtviz.session.address import read_split

IRIS = load_iris(return_X_y=True)
NUMBERS = tuple(part[:150] for part in load_diabetes(return_X_y=True))
TREES: dict[str, Any] = {
    "gini": DecisionTreeClassifier(random_state=0),
    "entropy, few": DecisionTreeClassifier(criterion="entropy", max_depth=3, random_state=0),
    "balanced": DecisionTreeClassifier(class_weight="balanced", random_state=0),
    "weights": DecisionTreeClassifier(class_weight={0: 2.0, 2: 0.5}, random_state=0),
    "pruned": DecisionTreeClassifier(ccp_alpha=0.02, random_state=0),
    "random": DecisionTreeClassifier(splitter="random", max_features=1, random_state=0),
    "squared": DecisionTreeRegressor(random_state=0, max_leaf_nodes=20),
    "absolute": DecisionTreeRegressor(criterion="absolute_error", max_depth=3, random_state=0),
    "poisson": DecisionTreeRegressor(criterion="poisson", max_depth=4, random_state=0),
}
FOREST = partial(RandomForestClassifier, 5, random_state=0)
EXTRA = partial(ExtraTreesClassifier, 5, random_state=0)
BOOSTED = partial(GradientBoostingRegressor, n_estimators=6, random_state=0)
BAGGED = partial(BaggingClassifier, n_estimators=5, random_state=0)
ENSEMBLES: dict[str, tuple[Any, Any]] = {
    "forest": (FOREST(), 3),
    "balanced": (FOREST(class_weight="balanced"), 0),
    "balanced_subsample": (FOREST(class_weight="balanced_subsample"), 4),
    "extra": (EXTRA(), 1),
    "extra, drawn": (EXTRA(bootstrap=True), 1),
    "bagging": (BAGGED(DecisionTreeClassifier(), max_features=0.5), 2),
    "AdaBoost": (AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), random_state=0), 6),
    "boosting, three classes": (GradientBoostingClassifier(n_estimators=5, random_state=0), (4, 1)),
    "forest of numbers": (RandomForestRegressor(5, random_state=0), 3),
    "extra of numbers": (ExtraTreesRegressor(5, random_state=0), 1),
    "boosting numbers": (BOOSTED(), 5),
    "boosting by absolute error": (BOOSTED(loss="absolute_error"), 5),
}


def rows_for(fitted: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    return IRIS if is_classifier(fitted) else NUMBERS


def frame(model: Model, X: NDArray[Any]) -> pd.DataFrame:
    return pd.DataFrame(X, columns=list(model.data.features))


def hard(fitted: Any, X: NDArray[Any]) -> NDArray[Any]:
    """Rows with values at the thresholds and beside them, in single and in double precision."""
    tree, rng = fitted.tree_, np.random.default_rng(0)
    out = X[rng.integers(0, len(X), 400)].copy()
    for row in out:
        node = rng.choice(np.flatnonzero(tree.children_left >= 0))
        threshold = tree.threshold[node]
        single = np.float32(threshold)
        near = [single, np.nextafter(single, np.float32(np.inf)), np.mean(X[:, tree.feature[node]])]
        row[tree.feature[node]] = rng.choice([threshold, *near, np.nextafter(threshold, np.inf)])
    return out


def test_a_tree_is_the_same_node_by_node_and_predicts_the_same() -> None:
    for name, tree in TREES.items():
        X, y = rows_for(tree)
        fitted = clone(tree).fit(X, y)
        model = from_sklearn(fitted, X, y)
        assert len(model.leaves) == fitted.tree_.n_leaves
        assert_nodes(model, fitted.tree_, name)
        assert model.predict(frame(model, X)) == pytest.approx(fitted.predict(X), rel=1e-9), name
        assert not [*dtviz.steps(model.data, model.rules_used, model.log)]
        refuse_other_targets(name, fitted, None)


def assert_nodes(model: Model, tree: Any, name: str) -> None:
    """Our nodes have the rows and the impurities of theirs, each at its place."""
    names = {0: 1}
    for place, node in enumerate(names[place] for place in range(tree.node_count)):
        names |= {tree.children_left[place]: 2 * node, tree.children_right[place]: 2 * node + 1}
    nodes = [model.tree.nodes[names[place]] for place in range(tree.node_count)]
    assert [node.n for node in nodes] == tree.n_node_samples.tolist(), name
    impurities = [node.impurity for node in nodes]
    assert impurities == pytest.approx(tree.impurity, rel=1e-6, abs=1e-9), name


def refuse_other_targets(name: str, fitted: Any, member: Any) -> None:
    X, y = rows_for(fitted)
    wrong = [(y + 1) % 3, np.roll(y, 75)] if is_classifier(fitted) else [-y, 2 * y, y[::-1]]
    for other in wrong:
        with pytest.raises(DataError, match=r"not the (target|rows)"):
            from_sklearn(fitted, X, other, member)


def test_rows_never_seen_go_where_scikit_learn_sends_them() -> None:
    for digits in (1, 17):
        X = np.random.default_rng(1).normal(size=(200, 3)).round(digits)
        y = (X[:, 0] * X[:, 1] > 0).astype(int)
        fitted = DecisionTreeClassifier(random_state=0).fit(X, y)
        new = hard(fitted, X) if digits == 17 else np.round(hard(fitted, X), digits)
        model = from_sklearn(fitted, X, y)
        assert (model.predict(frame(model, new)) == fitted.predict(new)).all(), digits


@given(
    hst.integers(0, 2**32 - 1), hst.sampled_from([0.0, 0.2]), hst.sampled_from(["best", "random"])
)
def test_any_table_with_gaps_or_without_makes_the_same_leaves(
    seed: int, gaps: float, splitter: str
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (30, 2)) * rng.choice([1.0, 1e-9, 1e8, 0.1])
    X[rng.random(X.shape) < gaps] = np.nan
    y, weights = rng.integers(0, 3, 30), rng.integers(0, 3, 30).astype(float)
    fitted = DecisionTreeClassifier(splitter=splitter, random_state=0).fit(X, y, weights)
    if fitted.tree_.n_leaves == 1:
        return
    model = from_sklearn(fitted, X, y, sample_weight=weights)
    X = X[weights > 0]
    ours, theirs = model.apply(frame(model, X)).tolist(), fitted.apply(X).tolist()
    assert len({*zip(ours, theirs, strict=True)}) == len({*ours}) == len({*theirs})
    for move in model.log:
        assert isinstance(move, Grow)
        again = read_split(address_text(move.split))
        assert (again, again.missing) == (move.split, move.split.missing)


def test_a_member_stands_on_the_rows_and_targets_it_was_grown_on() -> None:
    for name, (ensemble, member) in ENSEMBLES.items():
        X, y = rows_for(ensemble)
        fitted = clone(ensemble).fit(X, y)
        model = from_sklearn(fitted, X, y, member)
        tree = fitted.estimators_[member]
        tree = (tree[0] if isinstance(tree, np.ndarray) else tree).tree_
        assert len(model.leaves) == tree.n_leaves
        assert_nodes(model, tree, name)
        refuse_other_targets(name, fitted, member)


def test_two_classes_are_boosted_by_the_log_loss_or_the_exponential() -> None:
    X, y = IRIS[0][50:], IRIS[1][50:]
    for loss in ("log_loss", "exponential"):
        fitted = GradientBoostingClassifier(n_estimators=6, loss=loss, random_state=0).fit(X, y)
        for member in (0, 5, (5, 0)):
            model = from_sklearn(fitted, X, y, member)
            at = member if isinstance(member, int) else member[0]
            tree = fitted.estimators_[at, 0].tree_
            assert model.tree.nodes[1].impurity == pytest.approx(tree.impurity[0], rel=1e-6)


def test_the_best_splits_give_nothing_away_and_drawn_ones_do() -> None:
    X, y = IRIS
    best = regrets(from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y), X, y))
    assert (best.regret == 0).all()
    assert (best.better == 0).all()
    drawn = ExtraTreesClassifier(3, random_state=0).fit(X, y)
    found = regrets(from_sklearn(drawn, X, y, 1))
    assert list(found.columns) == [
        *("node", "depth", "n", "split", "gain", "best", "best_gain", "regret", "better")
    ]
    assert found.regret.max() > 0.01
    assert ((found.regret > 0) == (found.better > 0)).all()
    assert found.regret.to_numpy() == pytest.approx((found.best_gain - found.gain).to_numpy())


def test_names_come_from_the_frame_and_the_target() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    for rows, target, names in (
        (X, y, (tuple(X.columns), "target")),
        (*IRIS, (("x1", "x2", "x3", "x4"), "y")),
    ):
        table = from_sklearn(
            DecisionTreeClassifier(max_depth=2).fit(rows, target), rows, target
        ).data
        assert (table.features, table.target) == names


def test_numpy_s_integers_count_rows_and_members() -> None:
    X, y = IRIS
    tree = DecisionTreeClassifier(min_samples_leaf=np.int64(5), random_state=0).fit(X, y)
    assert from_sklearn(tree, X, y).rules_used.min_samples_leaf == 5
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    assert from_sklearn(forest, X, y, np.int64(1)).log == from_sklearn(forest, X, y, 1).log


UNEQUAL = tuple(part[:110] for part in IRIS)  # 50, 50 and 10 of the classes
WEIGHTS = np.random.default_rng(3).integers(0, 4, 110).astype(float)
STUMP = DecisionTreeClassifier(class_weight="balanced", max_depth=2)


def test_members_are_read_whatever_their_rows_and_classes_weigh() -> None:
    X, y = UNEQUAL
    for ensemble, weights in (
        (FOREST(), None),
        (FOREST(), WEIGHTS),
        (FOREST(class_weight="balanced"), WEIGHTS),
        (FOREST(class_weight="balanced_subsample"), WEIGHTS),
        (FOREST(class_weight="balanced_subsample"), None),
        (FOREST(class_weight={0: 3, 1: 1}), WEIGHTS),
        (EXTRA(class_weight="balanced"), None),
        (EXTRA(class_weight="balanced_subsample"), WEIGHTS),
        (RandomForestRegressor(2, random_state=0), WEIGHTS),
        (BAGGED(DecisionTreeClassifier()), WEIGHTS),
        (BAGGED(STUMP, bootstrap_features=True), None),
        (BAGGED(STUMP, bootstrap_features=True), WEIGHTS),
        (BAGGED(DecisionTreeClassifier(class_weight={0: 5})), WEIGHTS),
        (AdaBoostClassifier(STUMP, n_estimators=3, random_state=0), None),
        (AdaBoostClassifier(STUMP, n_estimators=3, random_state=0), WEIGHTS),
    ):
        with np.errstate(divide="ignore"):  # AdaBoost takes the logarithm of a weight of 0
            fitted = clone(ensemble).set_params(n_estimators=2).fit(X, y, sample_weight=weights)
        for member, tree in enumerate(fitted.estimators_):
            model = from_sklearn(fitted, X, y, member, weights)
            assert_nodes(model, tree.tree_, str(fitted))


def test_members_of_bagging_on_a_column_or_several_are_read() -> None:
    (X, y), (numbers, amounts) = IRIS, NUMBERS
    for tree, limit, again, width in (
        (DecisionTreeClassifier, 1, False, 3),
        (ExtraTreeClassifier, 2, True, 3),
        (DecisionTreeClassifier, 1.0, True, 1),
        (DecisionTreeClassifier, 1.0, True, 3),
        (DecisionTreeRegressor, 2, False, 3),
        (ExtraTreeRegressor, 1.0, True, 3),
        (DecisionTreeRegressor, 1, True, 1),
        (ExtraTreeRegressor, 1.0, False, 1),
    ):
        base = tree(max_depth=3)
        kind, rows, target = BaggingClassifier, X[:, :width], y
        if not is_classifier(base):
            kind, rows, target = BaggingRegressor, numbers[:, :width], amounts
        many = min(limit, rows.shape[1])
        bag = kind(base, 2, max_features=many, bootstrap_features=again, random_state=0)
        bag.fit(rows, target)
        for member, (theirs, columns) in enumerate(
            zip(bag.estimators_, bag.estimators_features_, strict=True)
        ):
            model = from_sklearn(bag, rows, target, member)
            names = list(model.data.features)
            assert len(names) == len({*columns}), (tree, limit, again, width)
            ours = model.apply(pd.DataFrame(rows[:, np.unique(columns)], columns=names))
            pairs = {*zip(ours, theirs.apply(rows[:, columns]), strict=True)}
            assert len(pairs) == len({*ours}) == theirs.tree_.n_leaves


def test_a_booster_that_kept_rows_apart_is_read_with_the_others_alone() -> None:
    X, y = IRIS
    fitted = GradientBoostingClassifier(n_estimators=3, n_iter_no_change=3, random_state=0)
    fitted.fit(X, y)
    with pytest.raises(DataError, match="keeps rows apart"):
        from_sklearn(fitted, X, y, (1, 0))
    train, _, own, _ = train_test_split(X, y, test_size=0.1, random_state=0, stratify=y)
    assert from_sklearn(fitted, train, own, (1, 0)).data.n == 135


def test_the_rules_a_tree_was_held_to_are_passed_on_or_it_is_refused() -> None:
    X, y = IRIS
    held = DecisionTreeClassifier(min_weight_fraction_leaf=0.2, min_samples_leaf=0.1).fit(X, y)
    rules = from_sklearn(held, X, y).rules_used
    assert (rules.min_weight_fraction_leaf, rules.min_samples_leaf) == (0.2, 15)
    assert (regrets(from_sklearn(held, X, y)).regret == 0).all()
    monotonic = DecisionTreeRegressor(monotonic_cst=[1] + [0] * 9, max_depth=3).fit(*NUMBERS)
    refused("monotonic_cst", monotonic, *NUMBERS)


def test_weights_stand_only_where_rows_differ_in_them() -> None:
    X, y = IRIS
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert from_sklearn(tree, X, y).data.weights is None
    assert from_sklearn(tree, X, y, sample_weight=np.ones(150)).data.weights is None
    ones = (np.arange(150) % 2).astype(float)
    half = from_sklearn(DecisionTreeClassifier().fit(X, y, ones), X, y, sample_weight=ones)
    assert (half.data.n, half.data.weights) == (75, None)


def refused(words: str, *given: Any, **more: Any) -> None:
    with pytest.raises(DataError, match=words):
        from_sklearn(*given, **more)


def test_what_cannot_be_read_is_refused_in_a_sentence() -> None:
    X, y = IRIS
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    refused("must be one of a decision tree", LinearRegression().fit(X, y), X, y)
    refused("must be one of a decision tree", DecisionTreeClassifier(), X, y)
    refused("not the rows that the tree was grown on", tree, X[::2], y[::2])
    refused("not the rows that the tree was grown on", tree, X, y, sample_weight=np.arange(150) + 1)
    refused("a value for each row of X: 150", tree, X, y[:-1])
    refused("a number for each row of X: 150", tree, X, y, sample_weight=[1, 2])
    refused("a number for each row of X: 150; not 'w'", tree, X, y, sample_weight="w")
    refused("the classes that the model had: '0', '1', '2'", tree, X, y.astype(str))
    refused("the classes that the model had", tree, X, y * 2)
    refused("of one kind", tree, X, np.array([1, "a", None] * 50, object))
    numbers = GradientBoostingRegressor(n_estimators=2).fit(*NUMBERS)
    refused("`y` must be numbers", numbers, NUMBERS[0], ["a"] * 150, 1)
    refused("several targets", DecisionTreeRegressor().fit(X, np.c_[y, y]), X, y)
    refused("4 columns; its shape is", tree, X[:, :3], y)
    refused("a table of numbers", tree, [["a"] * 4] * 150, y)
    refused("has no members", tree, X, y, 0)
    refused("one leaf", DecisionTreeClassifier().fit(X, np.zeros(150)), X, np.zeros(150))
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    for member in (None, 3, -1, "1"):
        refused("`member` must say which tree: 0 to 2", forest, X, y, member)
    boosted = GradientBoostingClassifier(n_estimators=2, random_state=0).fit(X, y)
    refused("which class", boosted, X, y, 1)
    thin = GradientBoostingClassifier(n_estimators=2, subsample=0.5, random_state=0).fit(X, y)
    refused("does not keep which rows", thin, X, y, (1, 0))
    refused(
        "does not keep which rows", AdaBoostRegressor(n_estimators=2).fit(*NUMBERS), *NUMBERS, 1
    )
    huber = GradientBoostingRegressor(loss="huber", n_estimators=2).fit(*NUMBERS)
    refused("the loss 'huber' is not among", huber, *NUMBERS, 1)
    refused("must be decision trees", BaggingClassifier(LogisticLike(), 2).fit(X, y), X, y, 1)


class LogisticLike(DecisionTreeClassifier):
    """A member that is no tree once fitted."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LogisticLike:
        super().fit(X, y, sample_weight)
        del self.tree_
        return self
