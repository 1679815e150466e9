"""Opens a table of any size: a file or folder of Parquet or csv, or a table of an engine.

The table is read three times: once for the classes, the categories and a sample that gives the
edges of bins, once to make the prepared copy, and once for the sample that pages show.
"""

from __future__ import annotations

import glob
import math
import os
import shutil
import tempfile
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import finalize

import numpy as np

from dtviz.base.lazy import pd
from dtviz.base.text import count, quoted, quoted_names, reason_of, short_repr
from dtviz.data.dataset import (
    MAX_CATEGORIES,
    MAX_CLASSES,
    MAX_WHOLE_NUMBER_CLASSES,
    WEIGHT_RANGE,
    DataError,
    Dataset,
    Task,
    check_whole,
    dataset_of_frame,
    take_rows,
    unfit_reason,
)
from dtviz.data.frames import frame_of_arrow
from dtviz.data.notes import Note
from dtviz.data.table_engines import DUCKDB, check_engine, check_table_name, open_in_engine
from dtviz.data.tables import (
    LOW_BITS,
    MAX_EXACT_VALUES,
    TARGET_BITS,
    TableOrigin,
    TableSource,
    bin_expression,
    number_literal,
)
from dtviz.data.units import PLAIN, Quantity, parse_time_column
from dtviz.data.worker import MAX_BYTES

if TYPE_CHECKING:
    from ibis.expr.types import Table, Value

SAMPLE_ROWS = 5_000
"""Number of rows that pages show."""
MAX_SAMPLE_ROWS = 1_000_000
"""Largest number of rows that may be asked for."""
MAX_SEED = 1_000_000
"""Largest seed: it is added to the number of a row."""
EDGE_ROWS = 50_000
"""Number of rows from which the edges of bins are taken."""
MIN_CLASS_ROWS = 20
"""Number of rows that the sample has of a rare class, if the table has them."""
DUCKDB_MEMORY = "1200MB"
"""Memory that DuckDB may use before it writes to disk."""
WEIGHT_BITS = 61
"""Bits of the sum of all weights as whole numbers."""
NO_VALUE = "no value in any row"
"""Reason not to use a column, as `unfit_reason` writes it."""
SUFFIXES = {".parquet": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv"}
"""Reader of each kind of file, a method of an Ibis backend."""


def stays_in_engine(path: str) -> bool:
    """True for what no memory need hold: a folder, a pattern, a large Parquet or csv file."""
    if glob.has_magic(path) or Path(path).is_dir():
        return True
    return is_engine_file(path) and Path(path).stat().st_size > MAX_BYTES


def is_engine_file(path: str) -> bool:
    """True for a file of a kind that DuckDB reads."""
    return Path(path).suffix.lower() in SUFFIXES and Path(path).is_file()


ALL_ROWS_NEEDED = (
    "{option} needs all rows in memory, and these stay in their engine: leave it out, or give a "
    "part of the table"
)
"""Error text for a choice that a table in its engine does not have."""


@dataclass(eq=False)
class TableOpener:
    """A path that is opened once for each choice of target and features, for all who look at it."""

    path: str
    """Path of a file, a folder or a pattern, or the name of a table."""
    engine: str = DUCKDB
    """Engine that reads it, or its address."""
    opened: dict[Hashable, Dataset] = field(default_factory=dict)
    """The datasets so far, by choice."""
    lock: Lock = field(default_factory=Lock)
    """Held while a table is opened: two who make one choice open it once."""

    def __call__(
        self,
        target: str,
        features: tuple[str, ...] | None = None,
        task: Task | None = None,
        sample_weight: str | None = None,
    ) -> Dataset:
        """Open the table; raises DataError as `from_table` does."""
        choice = target, features, task, sample_weight
        with self.lock:
            if choice not in self.opened:
                self.opened[choice] = from_table(self.path, *choice, engine=self.engine)
            return self.opened[choice]


def from_table(
    table: Any,
    target: str,
    features: Sequence[str] | None = None,
    task: Task | None = None,
    sample_weight: str | None = None,
    sample_rows: int = SAMPLE_ROWS,
    seed: int = 0,
    engine: str = DUCKDB,
) -> Dataset:
    """Open a table of any size as a Dataset whose rows stay where they are.

    `table` is a table of Ibis, a relation of DuckDB, a frame of Spark, or the path of a Parquet or
    csv file, or of a folder of them ("sales/*.parquet"), which DuckDB reads. With an `engine` at
    an address, "postgresql://user@host/database" or "spark://host:7077", `table` is the name of a
    table of Postgres, or the path of Parquet that Spark reads. Passwords come from PGPASSWORD,
    ~/.pgpass or Spark's own settings; an address that holds one is refused. The columns of the
    Dataset are a sample of `sample_rows` rows, drawn by class with a fixed `seed`; trees are grown
    on all rows, and each split is that of the whole table. Raises DataError.

    >>> import ibis, pyarrow
    >>> rows = pyarrow.table({"size": [1.5, 2.5, 4.0], "kind": ["small", "small", "large"]})
    >>> from_table(ibis.duckdb.connect().create_table("rows", rows), "kind")
    Dataset('kind', 3 of 3 rows, 1 feature, 2 classes)
    """
    check_whole("sample_rows", sample_rows, 1, MAX_SAMPLE_ROWS)
    check_whole("seed", seed, 0, MAX_SEED)
    rows, describe = ibis_table(table, check_engine(engine))
    try:
        data = _open(rows, describe, str(target), features, task, sample_weight, sample_rows, seed)
    except DataError:
        raise
    except Exception as error:  # each engine has errors of its own
        reason = reason_of(error)
        raise DataError(f"{describe}: the engine cannot read it ({reason})") from None
    if data.source is None or not isinstance(table, str | os.PathLike):
        return data
    origin = TableOrigin(os.fspath(table), engine, sample_weight)
    return replace(data, source=replace(data.source, origin=origin))


def _open(
    rows: Table,
    describe: str,
    target: str,
    features: Sequence[str] | None,
    task: Task | None,
    sample_weight: str | None,
    sample_rows: int,
    seed: int,
) -> Dataset:
    """Open a table of Ibis; `describe` is what it is in words."""
    _need_columns(rows, target, features, sample_weight)
    rows = _usable_rows(rows, target, sample_weight)
    edge_frame = _sample_for_edges(rows)
    task = task or _task_of(rows, target)
    classes = _distinct(rows, target, MAX_CLASSES) if task == "classification" else None
    if task == "classification" and classes is None:
        raise DataError(
            f"{quoted(target)} has more than {MAX_CLASSES} distinct values; at most {MAX_CLASSES} "
            "can be classes: choose another target, or a number as a regression target"
        )
    names, levels, notes = _features_of(rows, edge_frame, target, features, sample_weight)
    shown = _coded_sample(edge_frame, target, names, levels, classes, task)
    return _prepare(rows, shown, notes, sample_weight, describe, edge_frame, sample_rows, seed)


def ibis_table(table: Any, engine: str) -> tuple[Table, str]:
    """The table as one of Ibis, and what it is in words; raises DataError."""
    try:
        import ibis
        from ibis.expr.types import Table
    except ImportError:
        raise DataError(
            "tables of any size need the package ibis-framework; install it with "
            "`pip install 'dtviz[tables]'`"
        ) from None
    if engine != DUCKDB:
        if not isinstance(table, str | os.PathLike):
            raise DataError(
                "`table` must be a name or a path where `engine` is an address; not "
                f"{short_repr(table)}"
            )
        return open_in_engine(os.fspath(table), engine)
    if isinstance(table, Table):
        return table, f"a table in {table.get_backend().name}"
    if isinstance(table, str | os.PathLike):
        return _read_files(ibis, os.fspath(table))
    module = type(table).__module__.split(".")[0]
    if module in ("duckdb", "_duckdb"):
        backend = _duckdb()
        backend.con.register("relation", table.to_arrow_table())
        return backend.table("relation"), "a relation of DuckDB"
    if module == "pyspark":
        backend = ibis.pyspark.connect(table.sparkSession)
        name = ibis.util.gen_name("dtviz")
        table.createOrReplaceTempView(name)
        return backend.table(name), "a frame of Spark"
    kinds = "a table of Ibis, a relation of DuckDB, a frame of Spark, or the path of a file"
    raise DataError(f"`table` must be {kinds}; not {short_repr(table)}")


def _duckdb() -> Any:
    """A DuckDB of its own, in memory, which writes to a temporary folder what does not fit."""
    import ibis

    backend = ibis.duckdb.connect()
    folder = tempfile.mkdtemp(prefix="dtviz-")
    backend.settings["memory_limit"] = DUCKDB_MEMORY
    backend.settings["temp_directory"] = folder
    finalize(backend, shutil.rmtree, folder, ignore_errors=True)
    return backend


def _read_files(ibis: Any, path: str) -> tuple[Table, str]:
    """The files of a path, read by DuckDB; raises DataError."""
    check_table_name(path)
    suffix = Path(path.rstrip("*")).suffix.lower()
    reader = SUFFIXES.get(suffix)
    if reader is None and Path(path).is_dir():
        path, reader = str(Path(path) / "**" / "*.parquet"), "read_parquet"
    if reader is None:
        raise DataError(
            f"a table must be a file of {quoted_names(list(SUFFIXES))}, or a folder of Parquet; "
            f"not {quoted(path)}"
        )
    try:
        return getattr(_duckdb(), reader)(path), f"{Path(path).name}, read by DuckDB"
    except Exception as error:  # each engine has errors of its own
        raise DataError(f"DuckDB cannot read {quoted(path)}: {reason_of(error)}") from None


def _need_columns(
    rows: Table, target: str, features: Sequence[str] | None, sample_weight: str | None
) -> None:
    """Raise DataError unless the table has all columns that are named."""
    names = ", ".join(quoted(name) for name in list(rows.columns)[:20])
    if isinstance(features, str):
        raise DataError(
            f"`features` must be a list of column names or None; not {short_repr(features)}"
        )
    columns_named = {"target": [target], "features": list(features or [])}
    columns_named["sample_weight"] = [] if sample_weight is None else [sample_weight]
    for parameter, columns in columns_named.items():
        for name in columns:
            if name not in rows.columns:
                raise DataError(
                    f"`{parameter}` must be one of the columns ({names}); not {quoted(str(name))}"
                )
    if target in columns_named["features"]:
        raise DataError(f"{quoted(target)} is the target; it cannot be a feature too")
    if features is not None and len({*features}) < len(features):
        raise DataError("`features` names a column twice; name each once")
    if sample_weight == target:
        raise DataError(f"{quoted(target)} is the target; it cannot be the weight too")
    kind = rows[target].type()
    if kind.is_temporal():
        raise DataError(
            f"{quoted(target)} holds dates or times; the target of a table that stays in its "
            "engine must be text, numbers or booleans: make it one of them first"
        )


def _usable_rows(rows: Table, target: str, sample_weight: str | None) -> Table:
    """The rows with a target and a positive weight."""
    rows = rows.filter(rows[target].notnull())
    if rows[target].type().is_floating():
        column = rows[target]
        rows = rows.filter(~column.isnan() & (column.abs() != number_literal(math.inf)))
    if sample_weight is not None:
        _check_weights(rows, sample_weight)
        rows = rows.filter(rows[sample_weight].cast("float64") > 0)
    return rows


def _check_weights(rows: Table, sample_weight: str) -> None:
    """Raise DataError unless all weights are 0 or in WEIGHT_RANGE, and one is positive."""
    column, (low, high) = rows[sample_weight], WEIGHT_RANGE
    if not (column.type().is_numeric() or column.type().is_boolean()):
        raise DataError("`sample_weight` must be a number in every row; it holds others")
    weight = column.cast("float64").fill_null(-1.0)
    in_range = (weight >= number_literal(low)) & (weight <= number_literal(high))
    is_refused = ~((weight == 0) | in_range)
    counts = _frame_of(rows.agg(n=rows.count(), refused=is_refused.sum(), used=in_range.sum()))
    n, refused, used = (int(counts[name].fillna(0).iloc[0]) for name in ("n", "refused", "used"))
    if refused:
        raise DataError(
            f"`sample_weight` must be from {low:g} to {high:g}, or 0 to leave a row out; not in "
            f"{count(refused, 'row')}"
        )
    if n and not used:
        raise DataError("every row weighs 0; at least one needs a positive `sample_weight`")


def _sample_for_edges(rows: Table) -> pd.DataFrame:
    """Some EDGE_ROWS rows, spread over the table."""
    n = int(rows.count().to_pyarrow().as_py())
    if not n:
        raise DataError("the table has no row with a target; choose another target")
    share = min(1.0, 1.2 * EDGE_ROWS / n)
    # without a seed, which Spark refuses: edges change no result
    sample = rows if share == 1 else rows.sample(share)
    return _frame_of(sample.limit(EDGE_ROWS))


def _frame_of(rows: Table) -> pd.DataFrame:
    """The rows in memory, by way of Arrow: whole numbers with gaps stay whole."""
    return frame_of_arrow(rows.to_pyarrow())


def _task_of(rows: Table, target: str) -> Task:
    """Classification for text, booleans and few distinct whole numbers, else regression."""
    if not rows[target].type().is_numeric():
        return "classification"
    values = _distinct(rows, target, MAX_WHOLE_NUMBER_CLASSES)
    is_whole = values is not None and all(float(value).is_integer() for value in values)
    return "classification" if is_whole else "regression"


def _distinct(rows: Table, name: str, limit: int) -> list[Any] | None:
    """The distinct values of a column but missing ones; None where there are more than `limit`."""
    values = _frame_of(rows.select(name).distinct().limit(limit + 2))[name].dropna().tolist()
    return values if len(values) <= limit else None


def _features_of(
    rows: Table,
    sample: pd.DataFrame,
    target: str,
    features: Sequence[str] | None,
    sample_weight: str | None,
) -> tuple[list[str], dict[str, list[Any]], list[Note]]:
    """The features to use, the distinct values of those that are no numbers, and notes."""
    names, levels, notes = list[str](), dict[str, list[Any]](), list[Note]()
    others = [name for name in rows.columns if name not in (target, sample_weight)]
    for name in others if features is None else features:
        reason, values = _unfit_reason(rows, sample, name, features is not None)
        if not reason:
            names.append(name)
            if values:
                levels[name] = values
            continue
        if features is not None:
            raise DataError(f"{quoted(name)} has {reason}; it cannot be a feature")
        notes.append(Note("column", f"not used as a feature: {reason}", None, name))
    if not names:
        raise DataError(
            "no feature is left; the table needs numbers or a category beside the target"
        )
    return names, levels, notes


def _unfit_reason(
    rows: Table, sample: pd.DataFrame, name: str, is_named: bool
) -> tuple[str, list[Any]]:
    """The reason not to use a column as a feature, '' for none, and the values of a category."""
    column = rows[name]
    kind = column.type()
    if kind.is_numeric() or kind.is_date() or kind.is_timestamp():
        reason = "" if is_named else unfit_reason(sample[name])
        if reason == NO_VALUE and _has_values(column):
            reason = ""  # outside the sample
        return reason, []
    if not _is_category(kind):
        return "neither numbers nor text", []
    values = _distinct(rows, name, MAX_CATEGORIES)
    times = sample[name] if values is None else pd.Series(values, dtype=object)
    if kind.is_string() and len(times) and parse_time_column(times)[0] is not None:
        return "dates as text; make them dates first", []
    if values is None:
        return f"more than {MAX_CATEGORIES} distinct values", []
    return "" if values else NO_VALUE, values


def _has_values(column: Value) -> bool:
    """True if any row has a value; infinite numbers count as missing."""
    has_value = column.notnull()
    if column.type().is_floating():
        has_value &= ~column.isnan() & (column.abs() != number_literal(math.inf))
    return bool(has_value.any().to_pyarrow().as_py())


def _is_category(kind: Any) -> bool:
    return bool(kind.is_string() or kind.is_boolean())


def _coded_sample(
    sample: pd.DataFrame,
    target: str,
    names: list[str],
    levels: dict[str, list[Any]],
    classes: list[Any] | None,
    task: Task,
) -> Dataset:
    """The sample as a Dataset that knows every class and category of the whole table."""
    lists = [*levels.values(), classes or []]
    n_witnesses = max(map(len, lists))
    witnesses = sample.head(1).loc[[sample.index[0]] * n_witnesses].copy()
    for name, values in [*levels.items(), *([(target, classes)] if classes else [])]:
        witnesses[name] = pd.Series(
            [values[i % len(values)] for i in range(n_witnesses)], witnesses.index, dtype=object
        ).to_numpy()
    frame = pd.concat([sample, witnesses], ignore_index=True)[[*names, target]]
    for name in [*levels, *([target] if classes else [])]:
        frame[name] = frame[name].astype(object)
    data = dataset_of_frame(frame, target, names, task)
    return take_rows(data, np.arange(len(sample))) if len(data.y) > len(sample) else data


def _prepare(
    rows: Table,
    shown: Dataset,
    notes: list[Note],
    sample_weight: str | None,
    describe: str,
    sample: pd.DataFrame,
    sample_rows: int,
    seed: int,
) -> Dataset:
    """Make the prepared copy, and the Dataset of a sample of it."""
    import ibis

    columns: dict[str, Value] = {}
    exact = []
    for k, name in enumerate(shown.features):
        raw, is_missing = _number(rows[name], shown.levels[k], shown.quantities[k])
        values = shown.columns[k][~np.isnan(shown.columns[k])]
        is_exact = bool(shown.levels[k]) or len(np.unique(values)) <= MAX_EXACT_VALUES
        exact.append(is_exact)
        columns[f"x{k}"] = ibis.ifelse(is_missing, ibis.null("float64"), raw)
        columns[f"b{k}"] = bin_expression(raw, is_missing, values[:0] if is_exact else values)
    target_unit = weight_unit = None
    if shown.classes:
        codes = {value: code for code, value in enumerate(shown.classes)}
        columns["y"] = _codes(rows[shown.target], codes, "int32")
    else:
        target_unit = _target_unit(rows, shown.target)
        number = rows[shown.target].cast("float64")
        whole = (number / number_literal(target_unit)).round().cast("int64")
        columns |= {"y": number, "high": whole >> LOW_BITS, "low": whole & ((1 << LOW_BITS) - 1)}
    if sample_weight is not None:
        if target_unit is not None:
            raise DataError(
                "a table that stays in its engine takes no `sample_weight` for regression; leave "
                "it out, or read the table into memory"
            )
        weight_unit = _weight_unit(rows, sample_weight)
        whole = (
            (rows[sample_weight].cast("float64") / number_literal(weight_unit))
            .round()
            .cast("int64")
        )
        columns["w"] = ibis.greatest(whole, ibis.literal(1, "int64"))
    numbered = rows.select(**columns).mutate(row=ibis.row_number())
    # Ibis gives equal expressions one copy, although the table may have changed: none is equal
    prepared = numbered.filter(ibis.literal(ibis.util.gen_name("dtviz")).notnull()).cache()
    source = TableSource(
        prepared=prepared,
        describe=describe,
        n=0,
        weight=0,
        exact=tuple(exact),
        gaps=(),
        n_classes=len(shown.classes),
        weight_unit=weight_unit,
        target_unit=target_unit,
    )
    source = source.of_rows(prepared, source.shown_rows)
    return _shown_sample(source, shown, notes, sample_rows, seed)


def _number(column: Value, levels: Sequence[Any], quantity: Quantity) -> tuple[Value, Value]:
    """A feature as float64, and whether it has no value: a number, a time, a category's code."""
    if levels:
        codes = _codes(column, {value: code for code, value in enumerate(levels)}, "float64")
        return codes, column.isnull()
    if quantity == PLAIN:
        number = column.cast("float64")
        has_gaps = column.isnull()
        if not column.type().is_floating():
            return number, has_gaps
        # `isinf` of Ibis is always false in Spark
        return number, has_gaps | number.isnan() | (number.abs() == number_literal(math.inf))
    is_missing = column.isnull()
    if column.type().is_date():
        column = column.cast("timestamp")
    # engines round seconds to the nearest: the fraction is cut off before
    seconds = column.truncate("s").epoch_seconds().cast("float64")
    if quantity.unit >= 10**9:
        return (seconds / float(quantity.unit // 10**9)).floor(), is_missing
    fraction = column.microsecond().cast("float64") % 10**6
    return seconds * (10**9 / quantity.unit) + fraction * (1000 / quantity.unit), is_missing


def _codes(column: Value, codes: dict[Any, int], kind: str) -> Value:
    """The code of each value of a column; null for missing."""
    import ibis

    as_text = all(isinstance(value, str) for value in codes) and not column.type().is_string()
    column = column.cast("string") if as_text else column
    pairs = [(value, ibis.literal(code, kind)) for value, code in codes.items()]
    return column.cases(*pairs, else_=ibis.null(kind))


def _target_unit(rows: Table, target: str) -> float:
    """The power of two in which the targets of a table are whole numbers."""
    column = rows[target].cast("float64")
    answer = _frame_of(rows.agg(largest=column.abs().max()))
    largest = max(float(answer["largest"].iloc[0]), 2.0**-900)
    return math.ldexp(1.0, math.frexp(largest)[1] - TARGET_BITS)


def _weight_unit(rows: Table, sample_weight: str) -> float:
    """The weight that 1 stands for: 1 if all weights are whole, else a fraction of their sum."""
    import ibis

    column = rows[sample_weight].cast("float64")
    largest = 2.0**53  # to round larger numbers down may overflow
    is_whole = (ibis.least(column, largest).floor() == ibis.least(column, largest)).all()
    answer = _frame_of(rows.agg(total=column.sum(), whole=is_whole))
    total = float(answer["total"].iloc[0])
    if bool(answer["whole"].iloc[0]) and total <= 2.0**53:
        return 1.0
    return math.ldexp(1.0, math.frexp(total)[1] - WEIGHT_BITS)


def _shown_sample(
    source: TableSource, shown: Dataset, notes: list[Note], sample_rows: int, seed: int
) -> Dataset:
    """The Dataset of a seeded sample of the prepared copy, by class."""
    prepared = source.prepared
    # a linear congruence spreads the row numbers: the same rows in every engine
    mixed = ((prepared.row + seed) * 2_654_435_761) % (1 << 32)
    share = min(1.0, 1.5 * sample_rows / source.n)
    is_drawn = mixed < int(share * (1 << 32))
    if source.n_classes:
        is_drawn |= prepared.row.isin(_rare_rows(source))
    names = [f"x{k}" for k in range(len(shown.features))]
    weights = [] if source.weight_unit is None else ["w"]
    frame = _frame_of(prepared.filter(is_drawn).select("row", *names, "y", *weights))
    frame = frame.sort_values("row", ignore_index=True)
    keep = _stratified(frame["y"].to_numpy(), sample_rows, seed, bool(source.n_classes))
    frame = frame.iloc[keep]
    columns = np.array([frame[name].to_numpy(np.float64, na_value=np.nan) for name in names])
    y = frame["y"].to_numpy(shown.y.dtype)
    row_weights = frame["w"].to_numpy(np.float64) * source.weight_unit if weights else None
    size = count(source.n, "row")
    if len(y) < source.n:
        size = f"{count(len(y), 'row')} of {source.n:,} are shown, drawn by chance"
    use = "Grow and Overfit count all rows; Stability and Forest take the rows that are shown"
    told = Note("file", f"{source.describe}: {size}. {use}")
    data = replace(shown, columns=columns, y=y, weights=row_weights, notes=(told, *notes))
    return replace(data, source=replace(source, shown_rows=frame["row"].to_numpy(np.int64)))


def _rare_rows(source: TableSource) -> list[int]:
    """Numbers of some rows of each class that a sample might miss."""
    table = source.prepared
    counts = _frame_of(table.group_by("y").agg(n=table.count()))
    rare = counts["y"][counts["n"] * SAMPLE_ROWS < source.n * 5 * MIN_CLASS_ROWS].tolist()
    rows = list[int]()
    for code in rare:
        of_class = table.filter(table.y == code).order_by("row").limit(MIN_CLASS_ROWS)
        rows += _frame_of(of_class.select("row"))["row"].tolist()
    return rows


def _stratified(y: Any, size: int, seed: int, by_class: bool) -> Any:
    """Ascending positions of `size` of the rows, rare classes first where `by_class`."""
    if len(y) <= size:
        return np.arange(len(y))
    order = np.random.default_rng(seed).permutation(len(y))
    if by_class:
        # the first rows of each class come first, so that no class is lost
        rank = np.empty(len(y), int)
        for code in np.unique(y):
            rows = order[y[order] == code]
            rank[rows] = np.arange(len(rows))
        order = np.concatenate(
            [order[rank[order] < MIN_CLASS_ROWS], order[rank[order] >= MIN_CLASS_ROWS]]
        )
    return np.sort(order[:size])
