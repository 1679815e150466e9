"""Trees of tables in Postgres and Spark: those of the same rows in memory.

They need servers, which start in seconds: nightly, and skipped where an engine is not installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pandas as pd
import pytest
from table_engines import EngineMissing, local_spark, postgres_server, standalone_spark

import dtviz
from dtviz.data.tables import below_share, row_hash, split_table
from dtviz.engine import grow, table_search
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.subtrees import losses, subtree

pytestmark = [pytest.mark.nightly, pytest.mark.filterwarnings("ignore")]
FEATURES = ["size", "round", "kind"]


def rows() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    n = 3000
    size, noise, kind = rng.normal(size=n), rng.normal(size=n), rng.choice(list("abcde"), n)
    frame = pd.DataFrame({"size": size, "round": (noise * 5).round(), "kind": kind})
    frame.loc[rng.random(n) < 0.1, "round"] = np.nan
    score = size + 0.2 * noise * size + (kind == "b")
    frame["class"] = np.where(score + rng.normal(size=n) / 3 > 0, "yes", "no")
    frame["price"] = 1e6 + 3 * score + rng.normal(size=n)
    frame["weight"] = rng.integers(1, 5, n)
    return frame


@contextmanager
def in_postgres(folder: Path) -> Iterator[Any]:
    with postgres_server(folder) as url:
        connection = ibis.connect(url)
        yield connection.create_table("rows", rows())
        data = dtviz.from_table("rows", "class", FEATURES, engine=url)
        memory = dtviz.from_frame(rows()[[*FEATURES, "class"]], "class")
        rules = dtviz.Rules(max_depth=2)
        assert dtviz.fit(data, rules).tree.splits == dtviz.fit(memory, rules).tree.splits
        with pytest.raises(dtviz.DataError, match="the database has no table 'no such table'"):
            dtviz.from_table("no such table", "class", engine=url)
        data.source.prepared.release()
        connection.disconnect()


@contextmanager
def in_spark(folder: Path, cluster: bool = False) -> Iterator[Any]:
    path = folder / "rows.parquet"
    rows().to_parquet(path)
    with standalone_spark(folder) if cluster else local_spark() as session:
        yield ibis.pyspark.connect(session).read_parquet(path)


def in_spark_cluster(folder: Path) -> AbstractContextManager[Any]:
    return in_spark(folder, cluster=True)


@pytest.mark.parametrize("place", [in_postgres, in_spark, in_spark_cluster])
def test_a_tree_of_an_engine_is_that_of_its_rows(
    place: Callable[[Path], AbstractContextManager[Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_search, "MAX_ROWS_READ", 0)
    monkeypatch.setattr(grow, "MAX_TABLE_DEPTH", 3)
    frame = rows()
    try:
        with place(tmp_path) as table:
            for target, weight in (("class", None), ("class", "weight"), ("price", None)):
                columns = [*FEATURES, target, *([weight] if weight else [])]
                memory = dtviz.from_frame(frame[columns], target, sample_weight=weight)
                data = dtviz.from_table(table, target, FEATURES, sample_weight=weight)
                rules = dtviz.Rules("gini" if memory.classes else "squared_error", max_depth=4)
                grown, twin = dtviz.fit(data, rules).tree, dtviz.fit(memory, rules).tree
                assert grown.splits == twin.splits
                assert grown.threshold_neighbours == twin.threshold_neighbours
                assert [grown.nodes[k].n for k in twin.nodes] == [n.n for n in twin.nodes.values()]
                numbers = np.arange(len(frame))
                held = below_share(0.3, row_hash(numbers, 7))
                parts = split_table(data, 7, partial(below_share, 0.3))
                assert [part.n_grown for part in parts] == [(~held).sum(), held.sum()]
                wanted = numbers[held]
                found = parts[1].source.prepared.select("row").to_pyarrow()["row"].to_pylist()
                assert sorted(found) == wanted.tolist()
                nodes = full_tree(Problem(parts[0], rules))
                loss, _ = losses(nodes, parts[1])
                score = 1 - loss[0] / parts[1].weight
                model = dtviz.Model(parts[0], rules, (), subtree(nodes, nodes.is_split & False))
                if memory.classes:
                    assert model.score(parts[1]) == pytest.approx(score)
                data.source.prepared.release()
    except EngineMissing as reason:
        pytest.skip(str(reason))
