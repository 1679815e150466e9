"""Leaves that predict by linear regression: against scikit-learn, alike in every export."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from exported import as_frame, in_python, in_sqlite
from hypothesis import given
from sklearn.linear_model import LinearRegression
from strategies import data as tables

import dtviz
from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.leaves import leaf_models
from dtviz.engine.leaves.leaf_models import LEAF_MODELS
from dtviz.engine.leaves.linear import PARAMS_PER_REGRESSOR
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.search.frontier import unsorted_frontier
from dtviz.engine.splits import FeaturePlane
from dtviz.evaluate.metrics import squared_error
from dtviz.pictures.regions import varying_predictions
from dtviz.pictures.scales import SCALE
from dtviz.pictures.stage_cuts import pinned_values

RULES = Rules("squared_error", max_depth=2, min_samples_leaf=8, leaf_model="linear")


def bent(n: int = 90, **more: Any) -> Dataset:
    """A plane with a fold in it."""
    random = np.random.default_rng(2)
    frame = pd.DataFrame({"a": random.random(n), "b": random.integers(0, 9, n)})
    frame["y"] = np.where(frame.a > 0.5, 3 - frame.a, 5 * frame.a) + frame.b / 7
    frame["y"] += random.normal(size=n) / 20
    return dtviz.from_frame(frame.assign(**more), "y", task="regression")


def test_each_leaf_is_the_regression_of_its_rows() -> None:
    for weighted in [False, True]:
        found = bent()
        weights = np.random.default_rng(0).integers(1, 5, found.n) if weighted else None
        if weighted:
            frame = as_frame(found).assign(y=found.y)
            found = dtviz.from_frame(frame, "y", task="regression", sample_weight=weights)
        model = dtviz.fit(found, RULES)
        assert len(model.leaves) == 4, weighted
        predicted = model.predict(found)
        for rows in model.tree.rows.values():
            x, y = found.columns.T[rows], found.y[rows]
            oracle = LinearRegression().fit(x, y, None if weights is None else weights[rows])
            assert predicted[rows] == pytest.approx(oracle.predict(x)), weighted


@pytest.mark.parametrize("weighted", [False, True])
def test_leaves_together_are_those_fitted_alone(
    weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, random = bent(), np.random.default_rng(1)
    if weighted:
        found = replace(found, weights=random.choice([0.5, 1.0, 3.0], found.n))
    sizes = np.array([1, 7, 3, 7, 1, 7, 2, 20, 3])
    groups = np.split(random.permutation(found.n)[: sizes.sum()], sizes.cumsum()[:-1])

    def fitted(*some: Any) -> Any:
        front = unsorted_frontier(some)
        return LEAF_MODELS["linear"].fit(
            found, front, compute_facts(found, front, CRITERIA[RULES.criterion])
        )

    alone = np.concatenate([*map(fitted, groups)])
    assert fitted(*groups) == pytest.approx(alone, rel=1e-9, abs=1e-9)
    monkeypatch.setattr(leaf_models, "BLOCK_NUMBERS", 20)
    assert fitted(*groups) == pytest.approx(alone, rel=1e-9, abs=1e-9)
    for rows, params in zip(groups, alone, strict=True):
        root = np.ones(len(rows)) if found.weights is None else np.sqrt(found.weights[rows])
        middle = np.average(found.columns[:, rows], axis=1, weights=root * root)
        apart = (found.columns[:, rows] - middle[:, None]).T
        wanted = np.linalg.lstsq(apart * root[:, None], (found.y[rows] - params[0]) * root)[0]
        if len(rows) > 3:
            assert params[3::PARAMS_PER_REGRESSOR] == pytest.approx(wanted)


def test_lines_err_less_than_means_of_the_same_leaves_and_less_where_they_choose_the_cuts() -> None:
    found = bent()
    lines = dtviz.fit(found, RULES)
    means = dtviz.fit(found, Rules("squared_error", max_depth=2, min_samples_leaf=8))
    after = dtviz.fit(found, RULES, means.log)
    assert squared_error(found, after.tree) < 0.6 * squared_error(found, means.tree)
    assert [node.value for node in after.leaves] == [node.value for node in means.leaves]
    assert squared_error(found, lines.tree) < 0.9 * squared_error(found, after.tree)


def test_every_export_adds_in_the_same_order() -> None:
    for far in [0.0, 1e10, -1e10]:
        found = bent()
        found = replace(found, columns=found.columns + far)
        model, frame = dtviz.fit(found, RULES), as_frame(found)
        wanted = model.predict(frame).tolist()
        assert in_python(model, frame) == in_sqlite(model, frame) == wanted, far


def test_a_line_predicts_by_the_digits_that_its_text_shows() -> None:
    for far in [0.0, 20.0, -2e3, 1e6, 1.7e9, -1e10]:
        random = np.random.default_rng(6)
        x = far + random.random(50)
        y = 3 * (x - far) + random.normal(size=50) / 9
        model = dtviz.fit(make_dataset([x], y, ["a"], "y"), replace(RULES, max_depth=1))
        tops = re.findall(r"predict (-?[\d.]+) ([-+]) ([\d.]+)·(.+) \[", model.export("text"))
        assert len(tops) == len(model.leaves) == 2, far
        for leaf, (start, sign, slope, value) in zip(model.leaves, tops, strict=True):
            where = re.fullmatch(r"\(a ([-+]) ([\d.]+)\)", value)
            centre = float(f"{'-' if where[1] == '+' else ''}{where[2]}") if where else 0.0
            assert (value == "a") == (far == 0), far
            assert centre == leaf.params[4], far
            shown = float(start) + float(f"{sign}{slope}") * (x - centre)
            params = np.tile(leaf.params, (50, 1))
            wanted = model.tree.leaf_model.predict(params, x[None], np.arange(50))
            assert shown == pytest.approx(wanted, abs=1e-4), far


def test_categories_and_features_with_gaps_have_no_slope() -> None:
    gaps = np.where(np.arange(90) % 4 == 0, np.nan, np.arange(90.0))
    found = bent(kind=list("xyz") * 30, g=gaps)
    model = dtviz.fit(found, RULES)
    features = {
        feature for node in model.leaves for feature in node.params[2::PARAMS_PER_REGRESSOR]
    }
    assert {found.features[int(at)] for at in features} == {"a", "b"}


@given(tables(max_rows=8))
def test_any_few_rows_have_a_regression(found: Dataset) -> None:
    if found.classes:
        return
    model = dtviz.fit(found, Rules("squared_error", leaf_model="linear", max_depth=1))
    means = dtviz.fit(found, Rules("squared_error", max_depth=1))
    assert np.isfinite(model.predict(found)).all()
    worse = squared_error(found, model.tree) - squared_error(found, means.tree)
    assert worse <= 1e-9 * max(np.square(found.y).max(), 1.0)


def test_a_leaf_that_does_not_vary_has_one_slope_of_none() -> None:
    flat = dtviz.from_frame(
        pd.DataFrame({"a": [1.0, 2, 3], "y": [4.0, 4, 4]}), "y", task="regression"
    )
    (leaf,) = dtviz.fit(flat, Rules("squared_error", leaf_model="linear")).leaves
    assert leaf.params == (4.0, 4.0, 0.0, 0.0, 0.0, 2.0)


def test_shades_cover_each_leaf_once_from_step_to_step() -> None:
    found = bent()
    model = dtviz.fit(found, RULES)
    plane = FeaturePlane(0, 1, tuple(pinned_values(found).tolist()))
    ring = ((0.0, 0.0), (0.4, 0.0), (0.4, 8.0), (0.0, 8.0))
    leaf = model.leaves[0]
    shades = varying_predictions(found, model.tree.leaf_model, {7: (ring, leaf)}, plane)["shades"]
    corners, starts = shades["corners"].reshape(-1, 2), shades["starts"]
    rings = [corners[a:b] for a, b in pairwise(starts.tolist())]
    areas = [
        abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(one, np.roll(one, -1, 0), strict=True)))
        for one in rings
    ]
    assert sum(areas) / 2 == pytest.approx(3.2)
    assert shades["code"].tolist() == sorted(set(shades["code"].tolist()))
    assert set(shades["owner"].tolist()) == {7}
    assert len(SCALE) > len(rings) > 3
