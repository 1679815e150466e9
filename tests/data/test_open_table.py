"""Tables that stay in their engine: what is read of them, what is refused, what pages show."""

from __future__ import annotations

import datetime as dt
import gc
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from refusals import refusal

import dtviz
from dtviz import Rules
from dtviz.base import progress
from dtviz.data.dataset import MAX_CLASSES, DataError, Dataset

N = 60
NAMES = [
    'a"b', "it's", "; drop table t; --", "田中", "row", "x0", "b0", "y", "w", "node", "high", "low",
    "mean", "target", "key", "bin", "query", "n", " ", "select", "a.b", "{x}", "Y", "%s",
]  # fmt: skip
TEXTS = ["a", "A", "ä", "", " ", "None", "true", "it's", '"q"', ";--", "\n", "\\", "%", "田", "👩"]


@cache
def engine() -> Any:
    return ibis.duckdb.connect()


def in_engine(table: pd.DataFrame | pa.Table) -> Any:
    if isinstance(table, pd.DataFrame):
        table = pa.Table.from_pandas(table, preserve_index=False)
    return engine().create_table(ibis.util.gen_name("t"), table)


def opened(table: pd.DataFrame | pa.Table, target: str = "y", **settings: Any) -> Dataset:
    return dtviz.from_table(in_engine(table), target, **settings)


def refused(table: Any, target: str = "y", **settings: Any) -> str:
    return refusal(lambda: opened(table, target, **settings))


def plain(n: int = N, **columns: Any) -> pd.DataFrame:
    """A number, a category and two classes, with more columns or others."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=n), "c": rng.choice(list("xyz"), n)})
    return frame.assign(y=rng.choice(["no", "yes"], n)).assign(**columns)


def as_in_memory(table: pd.DataFrame | pa.Table, target: str = "y", **settings: Any) -> Dataset:
    """Assert that a table is read as the same frame is; returns its Dataset."""
    found, twin = opened(table, target, **settings), dtviz.from_frame(table, target, **settings)
    for name in ("features", "classes", "levels", "quantities", "task", "gaps", "n"):
        assert getattr(found, name) == getattr(twin, name), name
    assert found.weight == pytest.approx(twin.weight)
    np.testing.assert_array_equal(found.columns, twin.columns)
    np.testing.assert_array_equal(found.y, twin.y)
    rules = Rules("gini" if found.classes else "squared_error", max_depth=1)
    assert dtviz.fit(found, rules).tree.splits == dtviz.fit(twin, rules).tree.splits
    return found


def moments(step: float, start: dt.datetime, unit: str = "us") -> pa.Array:
    times = [None if i % 7 == 3 else start + dt.timedelta(seconds=i * step) for i in range(N)]
    return pa.array(times, pa.timestamp(unit))


RNG = np.random.default_rng(1)
GAPS = RNG.random(N) < 0.2
COLUMNS: dict[str, Any] = {
    "missing and infinite numbers": np.where(GAPS, [np.nan, np.inf, -np.inf] * 20, np.arange(N)),
    "whole numbers with gaps": pa.array([None if gap else 5 for gap in GAPS], pa.int32()),
    "unsigned": pa.array([2**63 + 4096 * i for i in range(N)], pa.uint64()),
    "decimals": pa.array(np.arange(N) / 4).cast(pa.decimal128(18, 4)),
    "booleans": RNG.random(N) < 0.5,
    "booleans with gaps": pa.array([None if gap else i % 3 == 0 for i, gap in enumerate(GAPS)]),
    "hostile texts": RNG.choice(TEXTS, N),
    "texts of numbers": RNG.integers(0, 5, N).astype(str),
    "days": pa.array([dt.date(1969, 12, 1) + dt.timedelta(days=i * 7 % 61) for i in range(N)]),
    "seconds": moments(70_001, dt.datetime(1960, 2, 29, 23)),
    "halves of seconds": moments(1.25, dt.datetime(2024, 1, 1)),
    "microseconds": moments(0.999_999, dt.datetime(1969, 12, 31, 23, 59, 30)),
    "lists": [[1]] * N,
}
TARGETS: dict[str, Any] = {
    "booleans": np.arange(N) % 3 == 0,
    "booleans with gaps": pa.array([None if gap else i % 3 == 0 for i, gap in enumerate(GAPS)]),
    "whole numbers": np.arange(N) % 4,
    "whole numbers with gaps": pa.array([None if gap else i % 3 for i, gap in enumerate(GAPS)]),
    "floats without a fraction": np.arange(N) % 4 + 0.0,
    "many whole numbers": np.arange(N) * 7,
    "numbers and infinity": np.where(GAPS, np.inf, np.arange(N) / 7),
    "hostile texts": RNG.choice(TEXTS, N),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_read_as_that_of_a_frame(name: str) -> None:
    table = pa.Table.from_pandas(plain(), preserve_index=False)
    as_in_memory(table.append_column("column", pa.array(COLUMNS[name])))


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_is_read_as_that_of_a_frame(name: str) -> None:
    table = pa.Table.from_pandas(plain().drop(columns="y"), preserve_index=False)
    as_in_memory(table.append_column("y", pa.array(TARGETS[name])))


def test_the_task_may_be_named() -> None:
    assert as_in_memory(plain(y=np.arange(N)), task="classification").classes == (*range(N),)
    assert as_in_memory(plain(y=np.arange(N) % 3), task="regression").classes == ()
    assert as_in_memory(plain(y=np.arange(N) % 2 / 2), task="classification").classes == (0, 0.5)
    assert "`task` must be" in refused(plain(), task="clustering")
    assert refused(plain(), task="regression") == (
        "'y' holds text; regression needs a number in every row"
    )


def test_hostile_names_are_names() -> None:
    rng = np.random.default_rng(2)
    names = [name for name in NAMES if name != "Y"]  # DuckDB: y and Y are one name
    columns = {
        name: rng.normal(size=N) if i % 2 else rng.choice(["p", "q"], N)
        for i, name in enumerate(names)
    }
    for target in ("x0", "; drop table t; --"):
        as_in_memory(pd.DataFrame({**columns, target: rng.choice(["no", "yes"], N)}), target)
    numbers = pd.DataFrame({**columns, "y": rng.normal(size=N), "high": rng.normal(size=N)})
    as_in_memory(numbers, "y")
    for weight in ("row", "it's"):
        frame = pd.DataFrame({**columns, "y": plain().y, weight: rng.integers(1, 4, N)})
        as_in_memory(frame, "y", sample_weight=weight, features=["a.b", "x0"])


def test_rows_that_weigh_0_are_left_out() -> None:
    weights = np.where(np.arange(N) % 3 == 0, 0, np.random.default_rng(0).random(N))
    assert as_in_memory(plain(w=weights), sample_weight="w").n == N * 2 // 3
    assert as_in_memory(plain(w=np.arange(N) % 3), sample_weight="w").weight == N
    as_in_memory(plain(w=np.arange(N) % 2 == 0), sample_weight="w")


WEIGHTS = {
    "`sample_weight` must be a number in every row; it holds others": plain().c,
    "every row weighs 0; at least one needs a positive `sample_weight`": np.zeros(N),
    "`sample_weight` must be from 1e-100 to 1e+100, or 0 to leave a row out; not in 1 row": (
        np.array([-1, *np.ones(N - 1)])
    ),
    "`sample_weight` must be from 1e-100 to 1e+100, or 0 to leave a row out; not in 4 rows": (
        np.array([np.nan, np.inf, 1e101, 1e-101, *np.ones(N - 4)])
    ),
}


@pytest.mark.parametrize("sentence", WEIGHTS)
def test_weights_that_are_none_are_refused(sentence: str) -> None:
    assert refused(plain(w=WEIGHTS[sentence]), sample_weight="w") == sentence


def test_what_cannot_be_read_is_refused_in_a_sentence() -> None:
    names = "must be one of the columns ('a', 'c', 'y'); not 'q'"
    assert refused(plain(), "q") == f"`target` {names}"
    assert refused(plain(), features=["a", "q"]) == f"`features` {names}"
    assert refused(plain(), sample_weight="q") == f"`sample_weight` {names}"
    assert "a list of column names or None; not 'a'" in refused(plain(), features="a")
    assert "names a column twice" in refused(plain(), features=["a", "a"])
    assert "no feature is left" in refused(plain(), features=[])
    assert "cannot be a feature too" in refused(plain(), features=["y"])
    assert "cannot be the weight too" in refused(plain(y=np.arange(N)), sample_weight="y")
    assert f"at most {MAX_CLASSES} can be classes" in refused(plain(1200, y=np.arange(1200)),
                                                              task="classification")  # fmt: skip
    assert "no row with a target" in refused(plain().iloc[:0])
    nulls = pa.array([None] * N, pa.string())
    assert "no row with a target" in refused(pa.table({"a": np.arange(N), "y": nulls}))
    assert "takes no `sample_weight`" in refused(
        plain(y=np.arange(N) / 2, w=np.ones(N)), sample_weight="w"
    )
    assert "too large to square" in refused(plain(y=np.arange(N) * 1e200))
    assert "'y' holds dates" in refused(plain(y=pd.Timestamp("2024-01-01")))
    texts = plain(3000, c=[f"k{i}" for i in range(3000)])
    assert "more than 200 distinct values" in refused(texts, features=["c"])
    for name, value in {"sample_rows": 0, "seed": "x"}.items():
        assert f"`{name}` must be a whole number" in refused(plain(), **{name: value})
    for value in (5, None, plain(), b"x.parquet"):
        assert "`table` must be a table of Ibis" in refusal(dtviz.from_table, value, "y")


def test_columns_without_use_are_told_and_left_out() -> None:
    dates = [f"2024-02-{1 + i % 28:02d}" for i in range(3000)]
    table = plain(3000, none=np.nan, infinite=np.inf, key=[f"k{i}" for i in range(3000)], day=dates)
    nulls = pa.array([None] * 3000, pa.string())
    columns = pa.Table.from_pandas(table, preserve_index=False)
    columns = columns.append_column("nulls", nulls).append_column("lists", pa.array([[1]] * 3000))
    columns = columns.append_column("large", pa.array([2**62 + i for i in range(3000)]))
    found = opened(columns)
    assert found.features == ("a", "c")
    told = {note.column: note.text for note in found.notes if note.column}
    assert set(told) == {"none", "infinite", "key", "day", "nulls", "lists", "large"}
    assert told["none"] == told["nulls"] == "not used as a feature: no value in any row"
    assert told["key"] == "not used as a feature: more than 200 distinct values"
    assert told["day"] == "not used as a feature: dates as text; make them dates first"
    assert told["lists"] == "not used as a feature: neither numbers nor text"
    assert "dates as text" in refused(columns, features=["day"])


def test_a_table_that_changes_is_read_anew() -> None:
    def changed(flip: bool) -> Dataset:
        y = np.where((np.arange(N) < 30) != flip, "no", "yes")
        table = pa.table({"a": np.arange(N), "y": y})
        return dtviz.from_table(engine().create_table("changing", table, overwrite=True), "y")

    first, second = changed(False), changed(True)
    leaves = [
        dtviz.fit(found, Rules("gini", max_depth=1)).tree.nodes[2] for found in (first, second)
    ]
    assert [leaf.counts for leaf in leaves] == [(30, 0), (0, 30)]


# --- files and relations ---


def test_files_and_folders(tmp_path: Path) -> None:
    # DuckDB reads "yes" and "no" in a csv as booleans
    frame, folder = plain(y=["u", "v"] * 30), tmp_path / "it's a folder"
    (folder / "town=Ulm").mkdir(parents=True)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t")
    frame.to_parquet(tmp_path / "T.PARQUET")
    frame.to_parquet(folder / "part 0.parquet")
    frame.to_parquet(folder / "part 1.parquet")
    for path, n in {"t.csv": N, "t.tsv": N, "T.PARQUET": N, folder: 2 * N,
                    folder / "*.parquet": 2 * N}.items():  # fmt: skip
        for given in (str(tmp_path / path), tmp_path / path):
            found = dtviz.from_table(given, "y")
            assert found.source is not None
            assert (found.source.n, found.classes) == (n, ("u", "v"))
    parts = tmp_path / "parts"
    for town in ("Ulm", "Bonn"):
        (parts / f"town={town}").mkdir(parents=True)
        frame.to_parquet(parts / f"town={town}" / "part.parquet")
    found = dtviz.from_table(parts, "y")
    assert found.features == ("a", "c", "town")
    assert dict(zip(found.features, found.levels, strict=True))["town"] == ("Bonn", "Ulm")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_text("hello")
    (tmp_path / "none").mkdir()
    for name in ("no.parquet", "no.csv", "bad.parquet", "none", "none/*.parquet"):
        sentence = refusal(dtviz.from_table, str(tmp_path / name), "y")
        assert sentence.startswith("DuckDB cannot read ")
        assert name in sentence
    for name in ("t.json", "t", "t.xlsx"):
        sentence = refusal(dtviz.from_table, str(tmp_path / name), "y")
        assert "a file of '.parquet', '.csv', '.tsv', or a folder of Parquet" in sentence


def test_tables_of_ibis_and_relations_of_duckdb(tmp_path: Path) -> None:
    table = pa.Table.from_pandas(plain(), preserve_index=False)
    pq.write_table(table, tmp_path / "t.parquet")
    wanted = dtviz.fit(dtviz.from_frame(table, "y"), Rules("gini", max_depth=2)).tree.splits
    with duckdb.connect() as base:
        relation = base.read_parquet(str(tmp_path / "t.parquet"))
        for given in (relation, ibis.memtable(table), tmp_path / "t.parquet"):
            found = dtviz.from_table(given, "y")
            assert dtviz.fit(found, Rules("gini", max_depth=2)).tree.splits == wanted


def test_the_folder_for_what_memory_does_not_hold_goes_with_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain().to_parquet(tmp_path / "t.parquet")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = dtviz.from_table(tmp_path / "t.parquet", "y")
    assert len([*tmp_path.glob("dtviz-*")]) == 1
    del found
    gc.collect()
    assert not [*tmp_path.glob("dtviz-*")]


# --- the sample that pages show ---


def test_the_sample_is_seeded_and_keeps_rare_classes() -> None:
    n, rng = 20_000, np.random.default_rng(0)
    y = np.where(np.arange(n) % 2000 == 7, "rare", rng.choice(["no", "yes"], n))
    table = plain(n, y=y)
    samples = [opened(table, sample_rows=500, seed=seed) for seed in (0, 0, 1)]
    for found in samples:
        assert found.n == 500
        assert np.count_nonzero(found.y == found.classes.index("rare")) == 10
        assert (found.source and found.source.n) == n
        assert "500 rows of 20,000 are shown" in found.notes[0].text
    same, again, other = (found.columns for found in samples)
    np.testing.assert_array_equal(same, again)
    assert not np.array_equal(same, other)


def test_the_sample_is_of_all_rows_where_they_are_few() -> None:
    assert opened(plain(), sample_rows=1).n == 1
    assert opened(plain(), sample_rows=N).n == N
    assert opened(plain(), sample_rows=10**6).n == N


def test_classes_and_categories_are_known_though_the_sample_lacks_them() -> None:
    y = np.array(["no", "yes"] * 2500, object)
    y[4999] = "never"
    categories = np.array(["x", "y"] * 2500)
    categories[2500] = "z"
    found = opened(plain(5000, y=y, c=categories), sample_rows=10)
    assert found.classes == ("never", "no", "yes")
    assert found.levels[1] == ("x", "y", "z")


@pytest.mark.parametrize(
    "engine", ["oracle://host", "duck", "", 7, "file:///etc/passwd", "mysql://u@h/db"]
)
def test_an_engine_that_is_not_known_is_refused(engine: Any) -> None:
    with pytest.raises(DataError, match="`engine` must be 'duckdb'"):
        dtviz.from_table("rows", "y", engine=engine)


@pytest.mark.parametrize(
    "engine", ["postgresql://me:s3cret@127.0.0.1/db", "postgresql://h/db?password=s3cret"]
)
def test_an_address_with_a_password_is_refused_and_not_repeated(engine: str) -> None:
    with pytest.raises(DataError, match="set PGPASSWORD") as refused:
        dtviz.from_table("rows", "y", engine=engine)
    assert "s3cret" not in str(refused.value)


def test_an_engine_that_fails_gives_a_sentence_and_answers_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connection = ibis.duckdb.connect()
    # Ibis drops its copy when nobody has it any more, which fails once the connection is closed
    monkeypatch.setattr(connection, "_finalize_cached_table", lambda _: None)
    rows = pa.table({"a": np.arange(60.0), "y": ["no", "yes"] * 30})
    data = dtviz.from_table(connection.create_table("rows", rows), "y")
    known = dtviz.fit(data, dtviz.Rules(max_depth=1))
    connection.drop_table("rows")  # the prepared copy is another table
    assert dtviz.fit(data, dtviz.Rules("gini", max_depth=1)).tree.splits

    def fail(_table: Any) -> None:
        raise RuntimeError("the engine was killed\nat line 7")

    monkeypatch.setattr(ibis.expr.types.Table, "to_pyarrow", fail)
    assert dtviz.fit(data, dtviz.Rules(max_depth=1)).tree.splits == known.tree.splits
    with pytest.raises(DataError, match=r"does not answer \(the engine was killed\); open"):
        dtviz.fit(data, dtviz.Rules("gain_ratio", max_depth=2))


def test_work_that_is_ended_in_a_pause_ends_its_query(monkeypatch: pytest.MonkeyPatch) -> None:
    class EndedError(Exception):
        pass

    def end() -> None:
        raise EndedError

    source = opened(plain()).source
    assert source is not None
    pairs = "SELECT max(a.range * b.range) AS most FROM range(1000000) a, range(1000000) b"
    long_query = source.prepared.get_backend().sql(pairs)
    monkeypatch.setattr(progress, "_waits", [end])
    with pytest.raises(EndedError):
        source.fetch(long_query)
    monkeypatch.setattr(progress, "_waits", [])
    assert source.fetch(source.prepared).num_rows == source.n
