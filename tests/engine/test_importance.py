"""What a tree makes of each feature, against scikit-learn and against the definition.

Glossary
    plain     the mean of all rows asked one after the other, the feature set to a value
    at        what lines between the places say at a value, where the dependence has steps
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import AGE_CAR_RISK, data_of
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_iris
from sklearn.inspection import partial_dependence
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from strategies import grown
from test_missing import tables
from test_oracle import make
from toys import sum_family

import dtviz
from dtviz import DataError, Grow, Model, Rules, axis_split, fit
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.data.weights import weights_before_costs
from dtviz.engine import importance as module
from dtviz.engine.importance import (
    PartialDependence,
    feature_dependence,
    feature_importances,
    features_by_importance,
    share_by_feature,
)
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.splits import Axis, Oblique, Subset
from dtviz.engine.tree import Tree, leaf_probabilities, predict, split_gain

EXACT = 1e-12


def plain(data: Dataset, tree: Tree, feature: int, value: float) -> np.ndarray:
    """The weighted mean of what the tree tells of all rows, the feature set to a value."""
    columns = data.columns.copy()
    columns[feature] = value
    told = (
        leaf_probabilities(data, tree, columns) if data.classes else predict(tree, columns)[:, None]
    )
    return np.average(told, axis=0, weights=weights_before_costs(data))


def at(found: PartialDependence, value: float) -> np.ndarray:
    """The mean at the place that is next below."""
    return found.mean[np.searchsorted(found.grid_values, value, side="right") - 1]


def holds(data: Dataset, tree: Tree, feature: int, steps: bool = True) -> None:
    """The means at all places, and between them, are what the definition says."""
    found = feature_dependence(data, tree, feature)
    assert found.n_rows == data.n
    scale = EXACT * max(1.0, float(np.abs(found.mean).max()))
    for value, mean in zip(found.grid_values.tolist(), found.mean, strict=True):
        assert mean == pytest.approx(plain(data, tree, feature, value), abs=scale)
    if steps:
        column = data.columns[feature]
        known = np.unique(column[~np.isnan(column)])
        for value in [*known, *(known[1:] / 2 + known[:-1] / 2)]:
            if not data.levels[feature]:
                assert at(found, value) == pytest.approx(
                    plain(data, tree, feature, value), abs=scale
                )


# --- worth ----------------------------------------------------------------------------------------

IRIS = load_iris(return_X_y=True)
DIABETES = tuple(part[:60] for part in load_diabetes(return_X_y=True))
TREES: dict[str, Any] = {
    "gini": DecisionTreeClassifier(random_state=0),
    "entropy": DecisionTreeClassifier(criterion="entropy", max_depth=3, random_state=0),
    "weights": DecisionTreeClassifier(class_weight={0: 2.0, 2: 0.5}, random_state=0),
    "squared": DecisionTreeRegressor(random_state=0, max_leaf_nodes=20),
    "stump": DecisionTreeRegressor(random_state=0, max_depth=1),
}


def theirs(name: str) -> tuple[Any, Model, np.ndarray]:
    """A tree of scikit-learn, the same one here, and the rows of both."""
    tree = TREES[name]
    X, y = IRIS if isinstance(tree, DecisionTreeClassifier) else DIABETES
    X = X.astype(np.float32).astype(np.float64)
    return tree.fit(X, y), dtviz.from_sklearn(tree, X, y), X


def test_features_are_worth_what_scikit_learn_says() -> None:
    for name in TREES:
        fitted, model, _ = theirs(name)
        assert model.importances().tolist() == pytest.approx(fitted.feature_importances_, abs=1e-9)


def test_the_worth_of_weighted_rows_is_scikit_learns() -> None:
    for case in product([0, 3], ["plain", "adjacent", "offset"]):
        classes, kind = case
        data = make(3, 60, 3, classes, kind)
        weights = np.random.default_rng(0).integers(1, 5, data.n).astype(float)
        fitted = (DecisionTreeClassifier if classes else DecisionTreeRegressor)(max_depth=4)
        fitted.fit(data.columns.T, data.y, weights)
        model = dtviz.from_sklearn(fitted, data.columns.T, data.y, sample_weight=weights)
        assert model.importances().tolist() == pytest.approx(fitted.feature_importances_, abs=1e-9)


@given(grown())
def test_worth_is_a_share_of_what_all_splits_take_away(case: Any) -> None:
    data, _, _, tree = case
    found = feature_importances(data, tree)
    assert found.shape == (len(data.features),)
    assert (found >= 0).all()
    gains = any(split_gain(tree, node) > 0 for node in tree.splits)
    assert found.sum() == pytest.approx(1.0 if gains else 0.0)
    used = {split.projection.feature for split in tree.splits.values()}
    assert {*np.flatnonzero(found).tolist()} <= used
    if tree.leaf_model.linear_score is None:
        assert used == {*features_by_importance(data, tree)}


def test_worth_worked_by_hand() -> None:
    # classes by x1 then x2: the root gains all of x1's share, its right child all that is left
    data = make_dataset(
        [[0, 0, 1, 1], [0, 0, 0, 1]], np.array([0, 0, 0, 1]), ["x1", "x2"], "y", "AB"
    )
    log = (Grow(1, axis_split(0, 0.5)), Grow(3, axis_split(1, 0.5)))
    model = fit(data, Rules("gini"), log)
    # gini 0.375; after x1: 1/2 * 0.5 = 0.25; x2 takes the 0.25
    assert model.importances().tolist() == pytest.approx([1 / 3, 2 / 3])
    assert features_by_importance(data, model.tree) == [1, 0]


def test_a_split_on_several_features_is_shared_between_them() -> None:
    one = Oblique(((0, 1.0), (2, -1.0)))
    cut, feature, part = share_by_feature([one, Axis(1)], np.array([1, 0, 0]))
    assert cut.tolist() == [0, 1, 1, 2, 2]
    assert feature.tolist() == [1, 0, 2, 0, 2]
    assert part.tolist() == [1, 0.5, 0.5, 0.5, 0.5]


def test_a_split_that_does_not_say_its_features_is_worth_nothing_to_any() -> None:
    data = make_dataset([[0, 0, 1, 1], [0, 1, 0, 1]], np.array([0, 0, 0, 1]), ["a", "b"], "y", "AB")
    with sum_family():
        model = fit(data, Rules("gini", families=("sum",), max_depth=1))
        assert len(model.tree.splits) == 1
        assert feature_importances(data, model.tree).tolist() == [0, 0]
        holds(data, model.tree, 0, steps=False)


# --- dependence -----------------------------------------------------------------------------------


def test_the_dependence_is_scikit_learns_at_every_value() -> None:
    for name in TREES:
        fitted, model, X = theirs(name)
        for feature in range(X.shape[1]):
            values = np.unique(X[:, feature])[::3]
            told = partial_dependence(
                fitted,
                X,
                [feature],
                method="brute",
                sample_weight=model.data.weights,  # those of classes
                custom_values={feature: values},
            )
            found = feature_dependence(model.data, model.tree, feature)
            mine = np.array([at(found, value) for value in values]).T
            assert mine == pytest.approx(told["average"], abs=1e-9), name


@given(grown(leaf_model=None), st.data())
def test_it_is_a_step_function_and_at_each_place_the_definition(
    case: Any, draw: st.DataObject
) -> None:
    data, _, _, tree = case
    holds(data, tree, draw.draw(st.integers(0, len(data.features) - 1)))


@given(grown(), st.data())
def test_leaves_that_are_lines_or_shares_depend_as_defined(case: Any, draw: st.DataObject) -> None:
    data, rules, _, tree = case
    feature = draw.draw(st.integers(0, len(data.features) - 1))
    holds(data, tree, feature, steps=rules.leaf_model != "linear")


@given(tables(weighted=True), st.sampled_from([*POLICIES]), st.integers(0, 2))
def test_gaps_in_a_feature_go_as_they_were_learned(
    data: Dataset, policy: str, feature: int
) -> None:
    rules = Rules("gini" if data.classes else "squared_error", missing=policy)
    try:
        model = fit(data, rules)
    except DataError:  # a table of gaps alone
        assume(False)
    if data.levels[feature] or not np.isnan(model.data.columns[feature]).all():
        holds(model.data, model.tree, feature)


def test_slanted_and_round_splits_are_asked_at_an_even_grid_too() -> None:
    for case in product(["moons", "sine"], [("axis", "oblique"), ("axis", "radial")]):
        name, families = case
        data = dtviz.load(name, n=60)
        if len(data.features) < 2:
            extra = np.random.default_rng(0).normal(size=data.n)
            data = make_dataset([*data.columns, extra], data.y, ["x1", "x2"], "y")
        criterion = "gini" if data.classes else "squared_error"
        tree = fit(data, Rules(criterion, families=families, max_depth=3)).tree
        assert any(not isinstance(split.projection, Axis) for split in tree.splits.values()), case
        for feature in (0, 1):
            found = feature_dependence(data, tree, feature)
            assert len(found.grid_values) >= module.GRID_SIZE, case
            assert np.diff(found.grid_values).max() < np.ptp(found.grid_values) / 50, case
            holds(data, tree, feature, steps=False)


def test_a_grid_needs_no_more_room_than_a_float_has() -> None:
    data = make_dataset([[-1.7e308, 0.0, 1.7e308]], np.array([0.0, 1.0, 5.0]), ["x"], "y")
    model = fit(data, Rules("squared_error", leaf_model="linear"))
    found = feature_dependence(data, model.tree, 0)
    assert np.isfinite(found.grid_values).all()
    assert found.grid_values[[0, -1]].tolist() == [-1.7e308, 1.7e308]


def test_one_row_depends_on_nothing() -> None:
    data = make_dataset([[3.0], [4.0]], np.array([0]), ["a", "b"], "y", "AB")
    tree = fit(data).tree
    assert feature_importances(data, tree).tolist() == [0, 0]
    assert features_by_importance(data, tree) == []
    found = feature_dependence(data, tree, 1)
    assert found.grid_values.tolist() == [4]
    assert found.mean.tolist() == [[1, 0]]


def test_thresholds_far_from_zero_are_parted_from_the_float_above() -> None:
    x = 1e8 + np.array([0, 1, 2, 3.0])
    data = make_dataset([x], np.array([1e8, 1e8, 1e8 + 4, 1e8 + 4]), ["x"], "y")
    tree = fit(data, Rules("squared_error")).tree
    found = feature_dependence(data, tree, 0)
    assert found.grid_values.tolist() == [1e8, 1e8 + 1.5, math.nextafter(1e8 + 1.5, 2e8), 1e8 + 3]
    assert found.mean[:, 0].tolist() == [1e8, 1e8, 1e8 + 4, 1e8 + 4]


def test_costs_do_not_weigh_in_the_mean() -> None:
    frame = pd.DataFrame({"x": [0, 0, 0, 1, 1, 2], "y": [*"aabbba"]})
    data = dtviz.from_frame(frame, "y", costs={"a": {"b": 9}})
    tree = fit(data, Rules("gini", max_depth=1)).tree
    holds(data, tree, 0)
    assert feature_dependence(data, tree, 0).mean.sum(axis=1) == pytest.approx(1)


def test_of_many_rows_an_even_choice_is_asked() -> None:
    data = dtviz.load("moons", n=200)
    tree = fit(data, Rules("gini", max_depth=3)).tree
    whole = feature_dependence(data, tree, 0)
    some = feature_dependence(
        data, tree, 0, max_cells=50 * len(whole.grid_values) // module.STEP_FUNCTION_FACTOR
    )
    assert (whole.n_rows, some.n_rows) == (200, 50)
    assert some.grid_values.tolist() == whole.grid_values.tolist()
    assert np.abs(some.mean - whole.mean).max() < 0.1
    assert feature_dependence(data, tree, 0, max_cells=1).n_rows == 1


def test_surrogates_that_ask_the_feature_are_heard() -> None:
    x = np.array([0.0, 1, 2, 3, 4, 5, np.nan, np.nan])
    other = np.array([0.0, 1, 3, 2, 4, 5, 0, 5])
    data = make_dataset([x, other], np.array([0, 0, 0, 1, 1, 1, 0, 1]), ["x", "z"], "y", "AB")
    model = fit(data, Rules("gini", missing="surrogates", max_depth=1))
    assert {split.projection for split in model.tree.splits.values()} == {Axis(0)}
    assert features_by_importance(data, model.tree) == [0, 1]
    found = feature_dependence(model.data, model.tree, 1)
    assert found.mean[[0, -1], 1].tolist() == [3 / 8, 5 / 8]  # two rows go by z


# --- as a user asks -------------------------------------------------------------------------------


def test_a_frame_has_a_column_a_class_and_the_values_as_they_stand() -> None:
    model = fit(data_of(AGE_CAR_RISK), Rules("gini"))
    for name in model.data.features:
        frame = model.partial_dependence(name)
        assert [*frame.columns] == [*model.data.classes]
        assert frame.index.name == name
        assert frame.sum(axis=1).tolist() == pytest.approx([1.0] * len(frame))
        assert frame.attrs == {"rows": model.data.n}
    assert [*model.importances().index] == [*model.data.features]


def test_categories_ranks_dates_and_durations_are_told_as_in_the_data() -> None:
    n = 40
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "kind": random.choice([*"pqr"], n),
            "size": pd.Categorical(
                random.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True
            ),
            "day": pd.Timestamp("2024-03-01") + pd.to_timedelta(random.integers(0, 90, n), "D"),
            "wait": pd.to_timedelta(random.integers(0, 50, n), "h"),
        }
    )
    later = frame.day > pd.Timestamp("2024-04-10")
    frame["y"] = (frame.kind == "q") * 3.0 + later + (frame["size"] == "L") * 2.0
    frame["y"] += frame.wait.dt.total_seconds() / 36_000
    model = fit(dtviz.from_frame(frame, "y"), Rules("squared_error", min_samples_leaf=2))
    told = {name: model.partial_dependence(name) for name in frame.columns[:4]}
    assert [*told["kind"].index] == ["p", "q", "r"]
    assert told["kind"].prediction.idxmax() == "q"
    assert [*told["size"].index] == ["S", "M", "L"]
    days = told["day"].index
    assert days.is_unique
    assert (days[0], days[-1]) == (frame.day.min(), frame.day.max())
    assert (days == days.normalize()).all()
    assert told["wait"].index[-1] == frame.wait.max()
    for name, frame_told in told.items():
        for value, mean in frame_told.prediction.items():
            rows = frame[[*frame.columns[:4]]].assign(**{name: value})
            rows["size"] = pd.Categorical(rows["size"], ["S", "M", "L"], ordered=True)
            assert model.predict(rows).mean() == pytest.approx(mean)


def test_a_level_that_no_row_has_is_asked_too() -> None:
    data = make_dataset(
        [[0, 0, 2, 2]], np.array([0, 0, 1, 1]), ["k"], "y", "AB", categories=(("p", "q", "r"),)
    )
    model = fit(data, Rules("gini"))
    assert isinstance(model.tree.splits[1].projection, Subset)
    holds(data, model.tree, 0)
    assert [*model.partial_dependence("k").index] == ["p", "q", "r"]


def test_a_feature_that_is_none_is_refused_in_a_sentence() -> None:
    for feature in ["nope", 0, None, ("x1",), [1]]:
        model = fit(dtviz.load("moons", n=30))
        with pytest.raises(DataError, match="`feature` must be one of 'x1', 'x2'; not "):
            model.partial_dependence(feature)


def test_a_feature_without_a_value_is_refused_in_a_sentence() -> None:
    data = make_dataset([[1, 2.0], [np.nan, np.nan]], np.array([0, 1]), ["a", "b"], "y", "AB")
    with pytest.raises(DataError, match="no row has a value of 'b'"):
        fit(data).partial_dependence("b")


def test_classes_that_are_pairs_or_named_like_a_column_stand_as_they_are() -> None:
    frame = pd.DataFrame({"x": [0, 0, 1, 1], "y": ["value", "value", "prediction", "prediction"]})
    told = fit(dtviz.from_frame(frame, "y")).partial_dependence("x")
    assert [*told.columns] == ["prediction", "value"]
