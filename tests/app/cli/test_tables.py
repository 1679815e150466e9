"""Tables that stay in their engine, on the command line and in the app that it opens."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import dtviz
from dtviz.app.cli import serving
from dtviz.app.instrument import Instrument
from dtviz.data import csv, open_table, uploads, worker
from dtviz.data.dataset import DataError
from dtviz.engine.rules import Rules
from dtviz.session import address
from dtviz.session.session import Session, Visit

N_ROWS = 7_000


@pytest.fixture
def sales(tmp_path: Path) -> str:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"price": rng.normal(size=N_ROWS).round(2), "visits": rng.integers(9)})
    frame["churn"] = np.where(frame["price"] + rng.normal(size=N_ROWS) > 0, "yes", "no")
    path = tmp_path / "sales.parquet"
    frame.to_parquet(path)
    return str(path)


def test_a_tree_is_printed_as_of_a_file_in_memory(run: Any, sales: str) -> None:
    options = ["--target", "churn", "--max-depth", "2"]
    memory, table = (run("grow", sales, *options, *more) for more in ([], ["--engine", "duckdb"]))
    assert table.out == memory.out
    assert "sales.parquet, read by DuckDB: 5,000 rows of 7,000 are shown" in table.err


def test_a_folder_and_a_large_file_stay_in_the_engine(
    run: Any, sales: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(Path(sales).parent)
    options = ["--target", "churn", "--max-depth", "1"]
    assert f"{folder} is read by DuckDB" in run("grow", folder, *options).err
    assert not open_table.stays_in_engine(sales)
    monkeypatch.setattr(open_table, "MAX_BYTES", 100)
    assert open_table.stays_in_engine(sales)


def test_an_option_that_needs_all_rows_is_refused(run: Any, sales: str) -> None:
    words = ["--target", "churn", "--engine", "duckdb", "--role", "visits"]
    err = run("grow", sales, *words).err
    assert "--role needs all rows in memory" in err
    assert "leave it out" in err


def test_a_served_table_is_one_for_all_tabs_and_its_trees_count_all_rows(
    sales: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SERVED_TABLES", "SERVED_SOURCES"):
        monkeypatch.setattr(uploads, name, {})
    params = dict(parse_qsl(serving.open_for_all(sales, "churn")))
    tables = dict(uploads.SERVED_TABLES)
    recipe = uploads.complete(
        uploads.make_recipe("file", **{k: params[k] for k in ("sha", "file", "target", "task")})
    )
    session = Session(recipe, Rules(max_depth=2))
    tabs = [Instrument(Visit(session), files=dict(tables)) for _ in "ab"]
    first, second = (tab.screen() for tab in tabs)
    assert first.data.source is second.data.source is not None
    assert first.tree.nodes[1].n == N_ROWS
    assert first.data.n == open_table.SAMPLE_ROWS
    assert first.decisions[1] == second.decisions[1]
    with pytest.raises(DataError, match="`rare` needs all rows in memory"):
        uploads.build(uploads.with_params(recipe, rare=5), tables)
    without = uploads.build(uploads.with_params(recipe, without=("visits",)), tables)
    assert without.features == ("price",)


def test_a_file_with_more_rows_than_memory_may_hold_is_opened_instead(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = worker.MAX_ROWS + 1
    frame = pd.DataFrame({"x": np.arange(n) // 1000, "y": np.arange(n) > 7000})
    frame.to_parquet(path := str(tmp_path / "many.parquet"))
    _, out, err = run("grow", path, "--target", "y")
    assert out.splitlines()[0] == "[1,000,001 rows]"
    assert "x <= 6.5? yes: predict False [7,000 rows" in out
    assert "is too large to be read into memory (at most 1,000,000 rows; the table has more" in err
    assert "DuckDB reads it, where its rows stay" in err
    monkeypatch.setattr(csv, "MAX_BYTES", 1000)
    assert (
        "is too large to be read into memory (at most 0 MB"
        in run("grow", path, "--target", "y").err
    )


def test_an_address_with_a_password_is_not_shown(run: Any) -> None:
    address = "postgresql://ann:s3cret@host/shop"
    for words in (["sales", "--engine", address], [address], [address, "--engine", "duckdb"]):
        for command in ("grow", "open"):
            code, out, err = run(command, *words, "--target", "churn")
            assert (code, out) == (2, "")
            assert "must hold no password" in err
            assert "s3cret" not in err


def test_without_the_package_it_is_said_what_to_install(
    run: Any, sales: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ibis", None)
    code, _, err = run("grow", sales, "--target", "churn", "--engine", "duckdb")
    assert code == 2
    assert "pip install 'dtviz[tables]'" in err


def test_explore_opens_a_tree_of_a_table_where_its_rows_are(sales: str) -> None:
    data = dtviz.from_table(sales, "churn", sample_weight="visits")
    model = dtviz.fit(data, Rules("gini", max_depth=2))
    for tree in (model, dtviz.fit(data, log=())):
        link, origin = serving.link_of_source(tree)
        assert origin == (sales, "duckdb", "visits")
        assert not uploads.SERVED_SOURCES
        params = dict(parse_qsl(link, keep_blank_values=True))
        serving.open_at(params, sales, "duckdb")
        default = uploads.upload_recipe("1", "a", "y", None, "classification")
        found = address.read_address(params, default)
        tab = Instrument(Visit(Session(found.recipe)), files=dict(uploads.SERVED_TABLES))
        rows, future = tab.dataset(found.recipe), tab.future(found.recipe)
        session, problems = address.session_at(found, rows, future)
        assert (found.problems, problems) == ((), ())
        tab.change_session(session)
        assert tab.screen().tree.splits == tree.tree.splits
        assert tab.screen().tree.nodes[1].n == N_ROWS
        assert len(uploads.SERVED_SOURCES.popitem()[1].opened) == 1
    with pytest.raises(DataError, match="only this program has this table"):
        serving.link_of_source(
            dtviz.fit(
                dtviz.from_table(ibis.memtable(pa.table({"a": [1, 2], "y": ["a", "b"]})), "y")
            )
        )
