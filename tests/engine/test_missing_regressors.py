"""Leaves that are lines, asked of rows without a regressor: its mean in the leaf stands for it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from itertools import cycle, product
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from grids import pairs

import dtviz
from dtviz import Model, Rules
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.leaves.linear import PARAMS_PER_REGRESSOR, has_slope
from dtviz.engine.problem import Problem
from dtviz.engine.search.missing import POLICIES
from dtviz.explain.row_path import trace_row

NAMES = ("a", "b", "c")
TASKS = (Rules("squared_error", leaf_model="linear"), Rules("gini", leaf_model="logistic"))


def grown(rules: Rules, far: float = 0.0, stump: bool = False, **more: Any) -> Model:
    n, random = 60, np.random.default_rng(3)
    x = np.array([random.random(n), random.random(n) * 9 + far, random.integers(0, 5, n)])
    y = np.where(x[0] > 0.5, 3 - x[0], 5 * x[0]) + (x[1] - far) / 3 + random.normal(size=n)
    own: Dataset = make_dataset(x, y, NAMES, "y")
    if rules.leaf_model == "logistic":
        own = make_dataset(x, (y > np.median(y)).astype(int), NAMES, "y", ("no", "yes"))
    weights = random.integers(1, 5, n)
    frame = pd.DataFrame(dict(zip(NAMES, x, strict=True))).assign(y=own.y)
    task: Any = own.task
    weighted = dtviz.from_frame(frame, "y", task=task, sample_weight=weights)
    return dtviz.fit(weighted, replace(rules, **more), () if stump else None)


def rows_with_gaps(model: Model) -> pd.DataFrame:
    """Some rows as they are, then each with every subset of its values missing."""
    some = model.data.columns.T[:4]
    lines = [
        np.where(gone, np.nan, row) for gone in product((False, True), repeat=3) for row in some
    ]
    return pd.DataFrame(lines, columns=NAMES)


def at_means(model: Model, frame: pd.DataFrame) -> pd.DataFrame:
    """The rows with the weighted mean of the leaf in place of each value that is missing."""
    data, weights = model.data, np.asarray(model.data.weights)
    out = frame.copy()
    for row, leaf in enumerate(model.apply(frame).tolist()):
        own = model.tree.rows[leaf]
        for f, name in enumerate(NAMES):
            if np.isnan(out.loc[row, name]):
                out.loc[row, name] = np.average(data.columns[f, own], weights=weights[own])
    return out


def said_by_exports(model: Model, frame: pd.DataFrame) -> dict[str, list[tuple[Any, ...]]]:
    """What Python, SQLite and DuckDB say of the rows: the prediction, then any shares."""
    scope: dict[str, Any] = {}
    exec(model.export("python"), scope)
    python = [
        (
            scope["predict"](row),
            *(scope["predict_proba"](row).values() if model.data.classes else ()),
        )
        for row in frame.astype(object).where(frame.notna(), None).to_dict("records")
    ]
    with sqlite3.connect(":memory:") as lite:
        frame.to_sql("t", lite, index=False)
        lines = lite.execute(f"SELECT {model.export('sql')} FROM t").fetchall()
    lite.close()
    with duckdb.connect() as base:
        base.execute("CREATE TABLE t (row INT, a DOUBLE, b DOUBLE, c FLOAT)")
        null = frame.astype(object).where(frame.notna(), None)
        base.executemany(
            "INSERT INTO t VALUES (?, ?, ?, ?)",
            [[row, *values] for row, values in enumerate(null.to_numpy().tolist())],
        )
        duck = base.execute(f"SELECT {model.export('sql')} FROM t ORDER BY row").fetchall()
    return {"python": python, "sqlite": lines, "duckdb": duck}


def said_by_json(model: Model, frame: pd.DataFrame) -> list[float]:
    """The start and terms of each row's leaf, as the JSON's own words have them added up."""
    nodes = {node["id"]: node for node in json.loads(model.export("json"))["nodes"]}
    out = []
    for row, leaf in zip(frame.to_numpy(), model.apply(frame).tolist(), strict=True):
        _, said, *terms = nodes[leaf]["params"]
        for at, slope, centre, mean in zip(
            *(terms[k::PARAMS_PER_REGRESSOR] for k in range(PARAMS_PER_REGRESSOR)), strict=True
        ):
            said += slope * ((mean if np.isnan(row[int(at)]) else row[int(at)]) - centre)
        out.append(said)
    return out


def test_the_mean_of_the_leaf_stands_for_a_missing_regressor_in_every_export() -> None:
    for rules, far, stump in pairs(TASKS, (0.0, 1e6), (True, False)):
        model = grown(rules, far, stump, missing="surrogates", max_depth=3, min_samples_leaf=8)
        frame = rows_with_gaps(model)
        filled = at_means(model, frame)
        places = [model.tree.nodes[leaf] for leaf in model.apply(frame).tolist()]
        said = model.predict(frame).tolist()
        level = model.tree.leaf_model.linear_score
        assert level is not None
        params = np.array([node.params for node in places])
        wanted = level(params, filled.to_numpy().T, np.arange(len(frame)))
        told = level(params, frame.to_numpy().T, np.arange(len(frame)))
        assert told == pytest.approx(wanted, rel=1e-9, abs=1e-9)
        assert said_by_json(model, frame) == pytest.approx(told, rel=1e-12, abs=1e-12)
        shares = model.predict_proba(frame) if model.data.classes else np.zeros((len(frame), 0))
        assert np.isfinite(shares).all()
        if not model.data.classes:  # without any regressor a line says the mean
            none = frame.isna().all(axis=1).to_numpy()
            values = [node.value for node in np.array(places, object)[none]]
            assert told[none] == pytest.approx(values)
        for name, lines in said_by_exports(model, frame).items():
            first = [line[0] for line in lines]
            assert first == said, (name, rules.leaf_model, far, stump)
            assert np.array([line[1:] for line in lines]) == pytest.approx(shares, abs=1e-13)
        one = frame.iloc[[-1]]
        assert model.predict(one).tolist() == said[-1:]
        ends = trace_row(Problem(model.data, model.rules_used), model.tree, one.to_numpy()[0])
        assert ("missing: its mean there" in ends.prediction_text) == has_slope(places[-1].params)


def test_under_every_policy_new_rows_without_a_regressor_are_predicted() -> None:
    for rules, policy in zip(cycle(TASKS), POLICIES, strict=False):
        model = grown(rules, stump=True, missing=policy)
        frame = rows_with_gaps(model)
        rows = make_dataset(frame.to_numpy().T, np.zeros(len(frame)), NAMES, "y")
        said = model.predict(rows).tolist()
        assert said == grown(rules, stump=True, missing="surrogates").predict(frame).tolist()
        for name, lines in said_by_exports(model, frame).items():
            assert [line[0] for line in lines] == said, (name, policy)
