"""The public `forest`: consistent with `fit`, and with scikit-learn where both have a name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier

import dtviz
from dtviz import DataError, Dataset, Rules, RulesError, from_frame
from dtviz.engine.ensembles import ENSEMBLES

MOONS = dtviz.load("moons", n=120)
SINE = dtviz.load("sine", n=60)


def as_frame(data: Dataset) -> pd.DataFrame:
    columns = dict(zip(data.features, data.columns, strict=True))
    target = [data.classes[code] for code in data.y] if data.classes else data.y
    return pd.DataFrame(columns | {data.target: target})


def test_each_kind_predicts_classes_as_they_stand_and_their_shares() -> None:
    frame = as_frame(MOONS)
    for kind in ENSEMBLES:
        model = dtviz.forest(MOONS, kind=kind, trees=8)
        predicted = model.predict(frame)
        assert set(predicted) <= {"A", "B"}
        assert predicted.tolist() == model.predict(MOONS).tolist()
        assert model.predict_proba(frame).sum(axis=1) == pytest.approx(np.ones(120)), kind
        assert model.score(frame) == np.mean(predicted == frame[MOONS.target])
        assert model.score(MOONS) == model.score(frame) > 0.8, kind
        # trees that never split find no feature worth anything
        stumps = dtviz.forest(dtviz.load("moons", n=50), Rules(min_gain=5.0), kind=kind, trees=3)
        assert stumps.importances().to_numpy().tolist() == [[0.0, 0.0, 0.0]] * 2
        assert len(stumps.errors()) in (1, 3)


def test_numbers_are_averaged_and_have_no_shares() -> None:
    found = dtviz.forest(SINE, kind="bagging", trees=5)
    each = [found.model(tree).predict(SINE) for tree in range(5)]
    assert found.predict(SINE) == pytest.approx(np.mean(each, axis=0))
    assert 0.5 < found.score(SINE) <= 1
    with pytest.raises(ValueError, match="needs classes"):
        found.predict_proba(SINE)


def test_a_tree_of_it_is_a_model_with_its_rows_and_its_own_exports() -> None:
    found = dtviz.forest(MOONS, trees=3, seed=2)
    one = found.model(1)
    assert one.data.weights.sum() == 120
    assert one.export("text")
    votes = np.array([found.model(tree).predict(MOONS) == "B" for tree in range(3)])
    expected = np.where(votes.sum(axis=0) >= 2, "B", "A")
    assert found.predict(MOONS).tolist() == expected.tolist()
    with pytest.raises(IndexError, match="`tree` must be from 0 to 2"):
        found.model(3)
    assert len(found) == 3


def test_errors_stand_by_the_number_of_trees() -> None:
    other = dtviz.load("moons", n=120, seed=9)
    errors = dtviz.forest(MOONS, trees=20).errors(other)
    assert list(errors) == ["training", "out_of_bag", "band", "held_out", "held_out_band"]
    assert errors.index.tolist() == [*range(1, 21)]
    assert errors.training.iloc[-1] <= errors.out_of_bag.iloc[-1] < 0.3
    boosted = dtviz.forest(MOONS, kind="gradient", trees=5).errors()
    assert boosted.out_of_bag.isna().all()
    with pytest.raises(DataError, match="`frame` must have the features"):
        dtviz.forest(MOONS, trees=2).errors(SINE)


def test_importances_stand_by_feature() -> None:
    frame = as_frame(MOONS).assign(idle=np.random.default_rng(0).normal(size=120))
    worth = dtviz.forest(from_frame(frame, MOONS.target), trees=30).importances()
    assert list(worth.index) == ["x1", "x2", "idle"]
    assert worth.impurity.sum() == pytest.approx(1)
    assert worth.impurity.idxmin() == "idle"
    assert worth.permutation["x2"] > 0.05
    assert abs(worth.permutation["idle"]) < 0.05


def test_categories_gaps_and_weights_go_in_as_they_do_in_a_single_tree() -> None:
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"x": random.normal(size=80), "kind": random.choice([*"pqr"], 80)})
    frame["y"] = np.where((frame.x > 0) ^ (frame.kind == "p"), "yes", "no")
    frame.loc[::7, "x"] = np.nan
    frame["w"] = random.integers(1, 4, 80)
    data = from_frame(frame, "y", sample_weight="w")
    for kind in ENSEMBLES:
        found = dtviz.forest(data, Rules(max_depth=4), kind, trees=20)
        assert found.score(frame) > 0.8, kind


def test_gradient_boosting_is_scikit_learns() -> None:
    found = dtviz.forest(MOONS, kind="gradient", trees=30, rate=0.3)
    theirs = GradientBoostingClassifier(n_estimators=30, learning_rate=0.3)
    theirs.fit(MOONS.columns.T.astype(np.float32), MOONS.y)
    expected = theirs.predict_proba(MOONS.columns.T.astype(np.float32))
    assert found.predict_proba(MOONS) == pytest.approx(expected, abs=1e-6)


def test_what_grows_no_forest_is_refused_in_a_sentence() -> None:
    refused: tuple[tuple[dict[str, Any], type[ValueError]], ...] = (
        ({"data": 7}, DataError),
        ({"rules": 7}, RulesError),
        ({"rules": Rules("squared_error")}, RulesError),
        ({"kind": "magic"}, DataError),
        ({"data": SINE, "kind": "adaboost"}, DataError),
        ({"trees": 0}, DataError),
        ({"kind": "gradient", "rate": 7}, DataError),
        ({"kind": "forest", "rate": 0.5}, DataError),
        ({"kind": "bagging", "features": 1}, DataError),
        ({"features": 3}, DataError),
    )
    for given, error in refused:
        with pytest.raises(error, match="` "):
            dtviz.forest(**({"data": MOONS} | given))
