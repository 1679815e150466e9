"""Addresses of engines: what is an address, and that a password in one is never shown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal
from table_engines import EngineMissing, postgres_server, standalone_spark

import dtviz
from dtviz.base import progress
from dtviz.data.table_engines import Server, check_engine, parse_postgres
from dtviz.data.tables import TableSource

SECRET = "s3cret"


def refused(engine: Any, table: Any = "sales") -> str:
    return refusal(lambda: dtviz.from_table(table, "churn", engine=engine))


def test_an_address_is_read_and_what_it_leaves_out_is_for_the_engine() -> None:
    full = "postgresql://ann@db.example:5433/shop"
    assert parse_postgres(full) == Server("ann", "db.example", 5433, "shop")
    assert parse_postgres("postgres:///shop") == Server(None, None, None, "shop")
    assert parse_postgres("postgresql://[::1]/shop") == Server(None, "::1", None, "shop")
    for engine in ("duckdb", "spark://one:7077", "spark://one:7077,two:7077", full):
        assert check_engine(engine) == engine


@pytest.mark.parametrize(
    "engine",
    [
        f"postgresql://ann:{SECRET}@host/shop",
        f"postgresql://ann:{SECRET}@x@host/shop",
        f"postgresql://ann:@{SECRET}@host/shop",
        f"postgresql://ann:{SECRET}/x?y#z@host/shop",
        f"postgresql://host/shop?password={SECRET}",
        f"postgresql://host/shop?user=ann&password={SECRET}",
        f"POSTGRESQL://ann:{SECRET}@host/shop",
        f"spark://ann:{SECRET}@host:7077",
        f"mysql://ann:{SECRET}@host/shop",
        f"host=host dbname=shop password={SECRET}",
    ],
)
def test_an_address_with_a_password_is_refused_and_not_shown(engine: str) -> None:
    assert "must hold no password" in refused(engine)
    assert SECRET not in refused(engine)
    assert SECRET not in refused("duckdb", engine)
    assert SECRET not in refused("postgresql://host/shop", engine)


def test_what_is_no_address_is_refused_without_being_shown() -> None:
    engines = [None, 7, "", "s3cret", "postgresql://host", "spark://host", "spark://host:70777"]
    for engine in (*engines, "postgresql://h/s3cret/x", "postgresql://h/a\nb", "duckdb " * 200):
        told = refused(engine)
        assert "must be 'duckdb', 'spark://host:7077' or 'postgresql://user@host/database'" in told
        assert SECRET not in told
    assert "is its `engine`" in refused("duckdb", "postgresql://host/shop")
    assert "must be a name or a path" in refused("spark://host:7077", [1])
    assert "1 to 300 characters" in refused("spark://host:7077", "x" * 301)


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_refused_in_a_sentence(text: str) -> None:
    for engine in (text, f"postgresql://{text}", f"spark://{text}"):
        told = refusal(check_engine, engine)
        assert "`engine` must be" in told or "no password" in told or engine == check_engine(engine)


def rows(n: int = 3000) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"size": rng.normal(size=n), "kind": rng.choice(list("abc"), n)})
    noisy = frame["size"] + (frame["kind"] == "b") + rng.normal(size=n) / 3
    return frame.assign(churn=np.where(noisy > 0, "yes", "no"))


@contextmanager
def in_postgres(folder: Path) -> Iterator[tuple[str, str]]:
    import psycopg

    with postgres_server(folder) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute('create schema "odd one"')
            sql = 'create table "odd one"."sa""les" (size float8, kind text, churn text)'
            connection.execute(sql)
            copy = 'copy "odd one"."sa""les" from stdin'
            with connection.cursor() as cursor, cursor.copy(copy) as writer:
                for row in rows().itertuples(index=False):
                    writer.write_row(row)
        yield 'odd one.sa"les', url


@contextmanager
def in_spark(folder: Path) -> Iterator[tuple[str, str]]:
    rows().to_parquet(folder / "sales.parquet")
    with standalone_spark(folder) as session:
        yield str(folder / "sales.parquet"), session.sparkContext.master


class EndedError(Exception):
    """Ends work in a pause."""


def end_in_a_pause(source: TableSource) -> None:
    """Ask the engine what takes it minutes, and end the work in its tenth pause."""
    pauses = iter(range(10))

    def pause() -> None:
        if next(pauses, None) is None:
            raise EndedError

    row = source.prepared.row
    many = [source.prepared.select((row + k).name(f"k{k}")) for k in range(5)]
    every = reduce(lambda left, right: left.cross_join(right), many)
    most = every.agg(most=sum(every[f"k{k}"] for k in range(5)).max())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "_waits", [pause])
        with pytest.raises(EndedError):
            source.fetch(most)


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", [in_postgres, in_spark])
def test_a_table_at_an_address_grows_the_tree_of_its_rows(place: Any, tmp_path: Path) -> None:
    rules = dtviz.Rules(max_depth=3)
    twin = dtviz.fit(dtviz.from_frame(rows(), "churn"), rules)
    try:
        with place(tmp_path) as (name, engine):
            data = dtviz.from_table(name, "churn", engine=engine)
            assert dtviz.fit(data, rules).tree.splits == twin.tree.splits
            scored = twin.score_to(name, "scored", engine).to_pyarrow().to_pandas()
            predicted = twin.predict(scored[["size", "kind"]])
            assert scored["predicted churn"].tolist() == predicted.tolist()
            assert len(scored) == len(rows())
            assert data.source is not None
            assert data.source.describe.endswith(("in Postgres", "by Spark"))
            end_in_a_pause(data.source)
            told = refusal(lambda: dtviz.from_table(f"{name}x", "churn", engine=engine))
            assert "has no table" in told or "cannot read" in told
            password = os.environ.get("PGPASSWORD", SECRET)
            assert password not in told + repr(data) + repr(data.source) + str(data.notes)
            data.source.prepared.release()  # before its server ends
    except EngineMissing as reason:
        pytest.skip(str(reason))


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_a_server_that_refuses_is_told_without_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        with postgres_server(tmp_path) as url:
            monkeypatch.setenv("PGPASSWORD", SECRET)
            told = refusal(lambda: dtviz.from_table("sales", "churn", engine=url))
            assert "Postgres cannot be reached" in told
            assert SECRET not in told
    except EngineMissing as reason:
        pytest.skip(str(reason))
