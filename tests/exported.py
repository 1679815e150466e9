"""What exported Python and SQL say of the rows of a frame: a value a row, or a tuple of several."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import duckdb
import pandas as pd

from dtviz.data.dataset import Dataset


def as_frame(data: Dataset) -> pd.DataFrame:
    """The features as columns of a frame, categories by their codes."""
    return pd.DataFrame(dict(zip(data.features, data.columns, strict=True)))


def scope_of(model: Any) -> dict[str, Any]:
    """The names that exported Python defines: `predict`, and `predict_proba` of classes."""
    scope: dict[str, Any] = {}
    exec(model.export("python"), scope)
    return scope


def in_python(model: Any, frame: pd.DataFrame) -> list[Any]:
    return [*map(scope_of(model)["predict"], frame.to_dict("records"))]


def in_sqlite(model: Any, frame: pd.DataFrame) -> list[Any]:
    with closing(sqlite3.connect(":memory:")) as base:
        frame.to_sql("t", base, index=False)
        return plain(base.execute(f"SELECT {model.export('sql')} FROM t ORDER BY rowid").fetchall())


def in_duckdb(model: Any, frame: pd.DataFrame) -> list[Any]:
    with duckdb.connect() as base:
        base.register("t", frame)
        return plain(base.execute(f"SELECT {model.export('sql')} FROM t").fetchall())


def plain(lines: list[Any]) -> list[Any]:
    return [line[0] if len(line) == 1 else line for line in lines]
