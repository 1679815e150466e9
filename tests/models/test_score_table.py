"""Predictions that an engine writes beside its rows: those of `predict`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from refusals import refusal

import dtviz
from dtviz import Rules

N = 2000


def rows(seed: int = 0) -> pd.DataFrame:
    """Numbers with gaps and infinities, categories, truth values, days and moments."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=N)
    frame = pd.DataFrame({"size": np.where(rng.random(N) < 0.1, np.nan, size)})
    frame.loc[rng.random(N) < 0.02, "size"] = np.inf
    frame['it"s'] = rng.normal(size=N)
    frame["kind"] = rng.choice(["a", "it's", "\\", "田", None], N)
    frame["open"] = rng.random(N) < 0.5
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, N), "D")
    frame["seen"] = frame["day"] + pd.to_timedelta(rng.integers(0, 10**6, N), "s")
    score = size + (frame["kind"] == "a") * 2 - frame["open"] + (frame["day"] > "2024-06-01")
    noisy = score + rng.normal(size=N) / 4
    frame["class"] = np.where(noisy > 1, "yes", np.where(noisy > 0, "it's", "no"))
    frame["price"] = noisy / 3
    frame["rank"] = pd.Series(noisy > 0.5)
    return frame


def arrow(frame: pd.DataFrame) -> pa.Table:
    return pa.Table.from_pandas(frame, preserve_index=False)


FEATURES = ["size", 'it"s', "kind", "open", "day", "seen"]


@pytest.mark.parametrize("target", ["class", "price", "rank"])
@pytest.mark.parametrize("missing", ["learned", "majority", "surrogates", "value"])
def test_an_engine_writes_what_predict_returns(target: str, missing: str, tmp_path: Path) -> None:
    frame, others = rows(), rows(1)
    data = dtviz.from_frame(frame[[*FEATURES, target]], target)
    criterion = "gini" if data.classes else "squared_error"
    model = dtviz.fit(data, Rules(criterion, max_depth=7, missing=missing))
    backend = ibis.duckdb.connect()
    others.loc[:20, "kind"] = "never seen"
    table = backend.create_table("others", arrow(others))
    found = model.score_to(table, 'sco"red').order_by('it"s').to_pyarrow().to_pandas()
    assert 'sco"red' in backend.list_tables()
    others = others.sort_values('it"s', ignore_index=True)
    assert [*found.columns] == [*others.columns, f"predicted {target}"]
    assert found[f"predicted {target}"].tolist() == model.predict(others[FEATURES]).tolist()

    others.to_parquet(path := tmp_path / "others.parquet")
    model.score_to(path, tmp_path / "scored.parquet")
    written = pd.read_parquet(tmp_path / "scored.parquet").sort_values('it"s', ignore_index=True)
    assert written.iloc[:, -1].tolist() == found.iloc[:, -1].tolist()


def test_a_tree_of_a_table_scores_the_table(tmp_path: Path) -> None:
    frame = rows()[[*FEATURES, "class"]].replace(np.inf, np.nan)
    frame.to_parquet(path := tmp_path / "sales.parquet")
    data = dtviz.from_table(path, "class")
    model = dtviz.fit(data, Rules("gini", max_depth=4))
    out = model.score_to(path, str(tmp_path / "scored.parquet")).to_pyarrow().to_pandas()
    assert (out["predicted class"] == out["class"]).mean() == pytest.approx(model.score(data))


def test_a_row_without_a_value_that_its_path_asks_for_has_no_prediction() -> None:
    frame = pd.DataFrame({"Predicted Y": [1.0, 2.0, 3.0, 4.0], "y": list("aabb")})
    model = dtviz.fit(dtviz.from_frame(frame, "y"))
    table = ibis.duckdb.connect().create_table(
        "t", arrow(frame.assign(dtviz_0=[1.0, None, 3.0, 4.0]))
    )
    table = table.mutate(**{"Predicted Y": table.dtviz_0})
    out = model.score_to(table, "scored").to_pyarrow().to_pandas()
    assert out["predicted y (2)"].fillna("none").tolist() == ["a", "none", "b", "b"]
    assert [*out.columns] == ["Predicted Y", "y", "dtviz_0", "predicted y (2)"]


def test_what_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    frame = rows()[["size", 'it"s', "class"]]
    frame.to_parquet(path := tmp_path / "sales.parquet")
    model = dtviz.fit(dtviz.from_frame(frame, "class"), Rules("gini", max_depth=2))
    table = ibis.duckdb.connect().create_table("t", arrow(frame))

    def refused(table: Any, name: Any) -> str:
        return refusal(lambda: model.score_to(table, name))

    assert "exists; give the name of a new file" in refused(path, path)
    assert "must end in .parquet" in refused(path, "scored")
    assert "text of 1 to 300 characters" in refused(path, 7)
    assert "the engine cannot write 't'" in refused(table, "t")
    assert "no column 'size'" in refused(table.drop("size"), "u")
    assert "needs numbers in 'size'" in refused(table.mutate(size=table["class"]), "u")
    lines = dtviz.load("heights")
    plane = dtviz.fit(lines, Rules("gini", max_depth=1, leaf_model="logistic"))
    assert "leaves that are logistic" in refusal(lambda: plane.score_to(table, "u"))
