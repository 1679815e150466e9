"""Predictions of a tree for a table that stays in its engine, written there as a new table."""

from __future__ import annotations

import itertools
import os
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtviz.base.text import clean, quoted, quoted_names, reason_of, short_repr
from dtviz.data.dataset import DataError, Dataset
from dtviz.data.open_table import ibis_table
from dtviz.data.table_engines import DUCKDB, MAX_ADDRESS_CHARS, check_engine
from dtviz.data.tables import number_literal
from dtviz.data.units import PLAIN
from dtviz.engine.tree import Tree, leaf_ids
from dtviz.explain.export import SQLS, labels_of_one_type, leaf_position_sql

if TYPE_CHECKING:
    from ibis.expr.types import Table, Value

SQL_OF_ENGINE = {
    "duckdb": "sql",
    "postgres": "sql",
    "sqlite": "sql",
    "mysql": "mysql",
    "bigquery": "bigquery",
    "snowflake": "snowflake",
    "pyspark": "spark",
    "databricks": "spark",
}
"""Name in SQLS of the SQL that an engine of Ibis reads, by the name of the engine."""
REGRESSIONS = ("linear", "logistic")
"""Leaf models whose predictions differ from row to row."""
FILE_SUFFIX = ".parquet"
"""End of the name of a file."""


def write_scores(data: Dataset, tree: Tree, table: Any, name: Any, engine: str) -> Table:
    """Write a table with a column of predictions as a new one; see `Model.score_to`."""
    if tree.leaf_model.name in REGRESSIONS:
        raise DataError(
            f"leaves that are {tree.leaf_model.name} are not written inside an engine; run "
            '`export("sql")` there, or predict with `predict`'
        )
    engine = check_engine(engine)
    rows, _ = ibis_table(table, engine)
    name = _checked_name(name, is_private=_is_private(table, engine))
    backend = rows.get_backend()
    if backend.name not in SQL_OF_ENGINE:
        engines = quoted_names([*SQL_OF_ENGINE], len(SQL_OF_ENGINE))
        raise DataError(f"predictions are written in {engines}; not in {quoted(backend.name)}")
    try:
        scored = _with_predictions(data, tree, rows)
        if not name.endswith(FILE_SUFFIX):
            return backend.create_table(name, scored)
        scored.to_parquet(name)
        return backend.read_parquet(name)
    except DataError:
        raise
    except Exception as error:  # each engine has errors of its own
        raise DataError(
            f"the engine cannot write {quoted(name)}: {reason_of(error)}; nothing may be there yet"
        ) from None


def _is_private(table: Any, engine: str) -> bool:
    """True if a table would be lost with this program: DuckDB reads it in memory of its own."""
    module = type(table).__module__.split(".")[0]
    return engine == DUCKDB and module not in ("ibis", "pyspark")


def _checked_name(name: Any, is_private: bool) -> str:
    """Check the name of a new table or the path of a new file; raises DataError."""
    if isinstance(name, os.PathLike):
        name = os.fspath(name)
    if not isinstance(name, str) or not 0 < len(name) <= MAX_ADDRESS_CHARS or "\0" in name:
        raise DataError(
            f"`name` must be a text of 1 to {MAX_ADDRESS_CHARS} characters; not {short_repr(name)}"
        )
    if name.endswith(FILE_SUFFIX):
        if "://" not in name and Path(name).exists():
            raise DataError(f"{quoted(name)} exists; give the name of a new file")
    elif is_private:
        raise DataError(
            f"`name` must end in {FILE_SUFFIX}, since DuckDB writes what it reads from files to a "
            f"file; not {quoted(name)}"
        )
    return name


def _with_predictions(data: Dataset, tree: Tree, rows: Table) -> Table:
    """The rows of a table with a column of predictions, as an expression."""
    import ibis

    missing = [name for name in data.features if name not in rows.columns]
    if missing:
        raise DataError(f"the table has no column {quoted(missing[0])}; the tree was grown with it")
    backend, taken = rows.get_backend(), {name.lower() for name in rows.columns}
    # names of columns for this query, which no column of the table has
    prefix = "dtviz_"
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    inputs = {f"{prefix}{k}": _input(data, k, rows[name]) for k, name in enumerate(data.features)}
    inner, position = rows.mutate(**inputs), f"{prefix}leaf"
    sql = SQLS[SQL_OF_ENGINE[backend.name]]
    mark = sql.name_mark
    case = leaf_position_sql(data, tree, sql, tuple(inputs))
    query = (
        f"SELECT t.*, {case} AS {mark}{position}{mark} "
        f"FROM ({ibis.to_sql(inner, dialect=backend.name)}) AS t"
    )
    schema = ibis.schema({**inner.schema(), position: "int32"})
    scored = backend.sql(query, schema=schema)
    labels = _labels(data, tree)
    predictions = [(j, _literal(label)) for j, label in enumerate(labels)]
    none = ibis.null(_literal(labels[0]).type())
    column = scored[position].cases(*predictions, else_=none)
    title = f"predicted {clean(data.target)}"
    names = chain([title], (f"{title} ({k})" for k in itertools.count(2)))
    name = next(name for name in names if name.lower() not in taken)
    return scored.mutate(**{name: column}).drop(*inputs, position)


def _input(data: Dataset, feature: int, column: Value) -> Value:
    """A feature as the SQL of a tree takes it, null where `predict` finds no value."""
    import ibis

    levels, quantity, name = data.levels[feature], data.quantities[feature], data.features[feature]
    kind = column.type()
    if levels:
        is_text = all(isinstance(level, str) or level is None for level in levels)
        return column.cast("string") if is_text and not kind.is_string() else column
    if quantity == PLAIN:
        if not (kind.is_numeric() or kind.is_boolean()):
            raise DataError(f"the tree needs numbers in {quoted(name)}; the table has {kind}")
        number = column.cast("float64")
        # `predict` keeps what is infinite; NaN, which engines put above all numbers, is no value
        return ibis.ifelse(number.isnan(), ibis.null("float64"), number)
    if quantity.kind == "date" and (kind.is_date() or kind.is_timestamp()):
        return column
    raise DataError(
        f"{quoted(name)} holds {quantity.kind}s for the tree, which are not compared inside an "
        "engine; predict with `predict`"
    )


def _labels(data: Dataset, tree: Tree) -> list[Any]:
    """The prediction of each leaf from left to right: a class, or a number."""
    values = [tree.nodes[leaf].params[0] for leaf in leaf_ids(tree)]
    classes = labels_of_one_type(data.classes)
    return [classes[int(value)] for value in values] if classes else values


def _literal(label: Any) -> Value:
    """A prediction in a query; numbers are exact."""
    import ibis

    return number_literal(label) if isinstance(label, float) else ibis.literal(label)
