"""Exported SQL of categories and ranks in a database whose columns have types."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import dtviz
from dtviz import Rules

duckdb = pytest.importorskip("duckdb")

CITIES = ("Ulm", "Bonn", "it's", "Hof", "Rom", "Jena")
SIZES = ("small", "medium", "large")


def table(n: int = 120) -> pd.DataFrame:
    random = np.random.default_rng(11)
    made = {
        "city": random.choice(CITIES, n, p=[0.4, 0.3, 0.25, 0.02, 0.02, 0.01]),
        "paid": random.random(n) < 0.5,
        "grade": pd.Categorical(random.choice([1, 2, 5], n)),
        "size": pd.Categorical(random.choice(SIZES, n), SIZES, ordered=True),
    }
    score = (made["city"] == "Ulm") * 2 + made["paid"] * (made["grade"] == 2) * 3
    score = score + made["size"].codes + random.integers(0, 2, n)
    return pd.DataFrame(made | {"y": np.select([score > 3, score > 1], ["high", "fair"], "low")})


def test_it_says_what_the_model_says_of_new_values_too_and_null_of_gaps() -> None:
    data = dtviz.group_rare(dtviz.from_frame(table(), "y"), 8)
    assert [str(level) for level in data.levels[0]] == ["Bonn", "Ulm", "it's", "other"]
    rows = table(60).drop(columns="y").astype({"grade": int, "size": object})
    rows.loc[0, "city"], rows.loc[1, "grade"] = "new", 9
    base = duckdb.connect()
    base.register("t", rows)
    gaps = "SELECT NULL::VARCHAR AS city, NULL::BOOLEAN AS paid, 1 AS grade, NULL::VARCHAR AS size"
    base.execute(f"CREATE TABLE g AS {gaps}")
    for families in (("axis", "subset"), ("axis", "onevsrest")):
        model = dtviz.fit(data, Rules("gini", families=families))
        sql = model.export("sql")
        answers = [answer for (answer,) in base.execute(f"SELECT {sql} FROM t").fetchall()]
        assert answers == model.predict(rows).tolist(), families
        assert base.execute(f"SELECT {sql} FROM g").fetchall() == [(None,)]
    base.close()
