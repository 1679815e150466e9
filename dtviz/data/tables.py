"""Tables that stay in their engine (DuckDB, Spark, Postgres), counted by queries through Ibis.

A source has a prepared copy of the table, made once in the engine: every feature as a number, every
category as its code, and beside each number its bin, a whole number that grows with it. Bins are
nested: a bin shifted right by some bits is a wider bin. Queries count the rows of each node, bin or
value and class; no row leaves the engine but those of a sample.

Bins change no result: they say in what order values are looked at. Their edges come from a sample,
and are 16 pieces of equal row counts, each divided evenly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import hold, run_outside
from dtviz.base.text import reason_of
from dtviz.data.dataset import DataError, Dataset
from dtviz.data.table_engines import runner_of

if TYPE_CHECKING:
    from ibis.expr.types import Table, Value

T = TypeVar("T")
BIN_BITS = 20
"""Bits of a bin: 16 pieces, each of 2^16 bins."""
PIECES = 16
"""Number of pieces between quantiles of the sample."""
MAX_EXACT_VALUES = 256
"""Number of distinct values in the sample up to which a feature is counted value by value."""
LOW_BITS = 30
"""Bits of the lower of the two whole numbers that a target is kept as."""
TARGET_BITS = 61
"""Bits of both together: the target farthest from 0 has as many, and no target is kept finer."""
NODE_FACTOR = 1 << 32
"""Number by which node and bin are joined to one number."""
HASH_PRIME = (1 << 31) - 1
"""Hashes of rows are whole numbers below this prime: a product of two is below 2^62."""
HASH_FACTORS = 2_654_435_761, 1_629_532_151
"""Factors of the number of the row and of the seed in a hash; the first is above 2^31, so that an
engine that numbers rows in 32 bits, as Spark does, multiplies in 64."""


class RowTest(NamedTuple):
    """The question of a split, as the engine of a table answers it."""

    feature: int
    """Index of the feature."""
    threshold: float
    """Rows whose number is at most this go left; infinite: all or none of the rows with a value."""
    codes: tuple[int, ...] | None
    """Codes of the categories that go left; None: the threshold decides."""
    missing_left: bool
    """True if rows without a value go left."""


NodePath = tuple[tuple[RowTest, bool], ...]
"""Tests from the root down to a node, each with True where the node is on its left."""


class GroupQuery(NamedTuple):
    """A request to count the rows of each node by the bins or values of one feature."""

    feature: int
    """Index of the feature."""
    shift: int | None
    """Bits by which bins are shifted right; None: rows are counted by value."""
    opened: tuple[int, Ints, Ints] | None = None
    """Shift, nodes and shifted bins whose rows are counted; None: all rows of all nodes."""


class Groups(NamedTuple):
    """Counted groups of rows, arrays (g,)."""

    query: Ints
    """Index of the query that the group answers."""
    node: Ints
    """Index of the node."""
    key: Floats
    """Shifted bin, or value; NaN for rows without a value."""
    bin: Ints
    """Lowest bin, not shifted; -1 for rows without a value."""
    lowest: Floats
    """Lowest value; NaN for rows without one."""
    highest: Floats
    """Highest value; NaN for rows without one."""
    target: Ints
    """Code of the class; 0 for regression."""
    n: Ints
    """Number of rows."""
    sums: tuple[NDArray[Any], ...]
    """Sums of the group: its weight, or those of a number, see `TableSource.sum_names`."""


class TableOrigin(NamedTuple):
    """The choice by which a table was opened: another program opens the same by it."""

    path: str
    """Path of files, or the name of a table."""
    engine: str
    """Engine that reads it, or its address."""
    sample_weight: str | None
    """Name of the column of weights."""


@dataclass(frozen=True, eq=False)
class TableSource:
    """A table in its engine, prepared to be counted."""

    prepared: Table
    """Prepared copy, or some of its rows: columns x0, x1, ... (numbers), b0, b1, ... (bins), y, w
    or the parts of a numeric target, and the number of the row."""
    describe: str
    """What the table is, for sentences: 'sales.parquet, read by DuckDB'."""
    n: int
    """Number of rows with a target and a positive weight."""
    weight: float
    """Weight of all rows; their number where rows have no weights."""
    exact: tuple[bool, ...]
    """True for each feature that is counted value by value, M."""
    gaps: tuple[bool, ...]
    """True for each feature with a missing value, M."""
    n_classes: int
    """Number of classes; 0 for regression."""
    weight_unit: float | None
    """Weight that 1 in the column w stands for; None: rows have no weights."""
    target_unit: float | None
    """Power of two in which numeric targets are whole numbers: y = target_unit * (2^LOW_BITS high +
    low); None: the target is a class."""
    shown_rows: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """Numbers of the rows that the Dataset shows, (n,)."""
    origin: TableOrigin | None = None
    """How the table was opened; None: it is a table that only this program has."""
    lock: Lock = field(default_factory=Lock)
    """Held by a query: an engine's connection answers one thread at a time."""

    def fetch(self, expression: Any) -> Any:
        """Run an expression; returns an Arrow table. Raises DataError where the engine fails.

        The work pauses while the engine counts; if it is ended then, the engine stops counting.
        """
        with hold(self.lock):
            runner = self._told(lambda: runner_of(self.prepared.get_backend()))

            def ask() -> Any:
                runner.begin()
                return expression.to_pyarrow()

            return run_outside(lambda: self._told(ask), runner.interrupt)

    def _told(self, call: Callable[[], T]) -> T:
        """The result of a call of the engine, whose error becomes a DataError."""
        try:
            return call()
        except Exception as error:  # each engine has errors of its own
            raise DataError(
                f"{self.describe}: the engine does not answer ({reason_of(error)}); open the table "
                "again"
            ) from None

    @property
    def sum_names(self) -> tuple[str, ...]:
        """Names of the sums that are counted beside the number of rows."""
        if self.target_unit is not None:
            return "high", "low", "squares"
        return () if self.weight_unit is None else ("weight",)

    def _sums(self, nodes: Table) -> dict[str, Value]:
        """The sums of rows by name; squares only where the rows have the mean of their node."""
        sums = {
            name: nodes["w" if name == "weight" else name].sum().cast("int64")
            for name in self.sum_names
            if name != "squares"
        }
        return sums | {"squares": _squares(nodes)} if "mean" in nodes.columns else sums

    def of_rows(self, prepared: Table, shown_rows: Ints) -> TableSource:
        """The source of other rows: its size, its weight and its gaps are counted."""
        gaps = {f"gap{k}": prepared[f"x{k}"].isnull().any() for k in range(len(self.exact))}
        weight = {} if self.weight_unit is None else {"weight": prepared.w.sum().cast("int64")}
        answer = dict(_columns(self.fetch(prepared.agg(n=prepared.count(), **gaps, **weight))))
        totals = {name: column[0].as_py() or 0 for name, column in answer.items()}
        n = int(totals["n"])
        return replace(
            self,
            prepared=prepared,
            n=n,
            weight=n if self.weight_unit is None else int(totals["weight"]) * self.weight_unit,
            gaps=tuple(bool(totals[name]) for name in gaps),
            shown_rows=shown_rows,
        )

    def count_groups(
        self, paths: Sequence[NodePath], queries: Sequence[GroupQuery], means: Sequence[int] = ()
    ) -> Groups:
        """Count the rows of nodes, group by group, in one round through the table.

        `means` has the whole number next to the mean target of each node; squares are those of the
        targets less that number.
        """
        import ibis

        answers: list[Table] = []
        for index, query in enumerate(queries):
            # An engine may store what several parts of a query share: so each part takes the rows
            # anew, with no more columns than it needs.
            names = [f"x{query.feature}", f"b{query.feature}", *self._target_names]
            nodes = self._with_nodes(paths, means, names)
            answers.append(self._answer(nodes, index, query))
        answer = answers[0] if len(answers) == 1 else ibis.union(*answers, distinct=False)
        columns = {name: _numpy(column) for name, column in _columns(self.fetch(answer))}
        return Groups(
            query=columns["query"].astype(np.int64),
            node=columns["node"].astype(np.int64),
            key=columns["key"],
            bin=columns["bin"].astype(np.int64),
            lowest=columns["lowest"],
            highest=columns["highest"],
            target=columns["target"].astype(np.int64),
            n=columns["n"].astype(np.int64),
            sums=tuple(columns[name] for name in self.sum_names),
        )

    def describe_nodes(self, paths: Sequence[NodePath]) -> Groups:
        """Count the rows of nodes by class; of a numeric target also the lowest and the highest."""
        nodes = self._with_nodes(paths)
        target = {"target": nodes.y} if self.n_classes else {}
        extremes = {} if self.n_classes else {"lowest": nodes.y.min(), "highest": nodes.y.max()}
        sums = self._sums(nodes)
        answer = nodes.group_by("node", **target).agg(n=nodes.count(), **sums, **extremes)
        columns = {name: _numpy(column) for name, column in _columns(self.fetch(answer))}
        n = columns["n"].astype(np.int64)
        no_value = np.full(len(n), np.nan)
        return Groups(
            query=np.zeros(len(n), np.int64),
            node=columns["node"].astype(np.int64),
            key=no_value,
            bin=np.full(len(n), -1),
            lowest=columns.get("lowest", no_value),
            highest=columns.get("highest", no_value),
            target=columns.get("target", np.zeros(len(n))).astype(np.int64),
            n=n,
            sums=tuple(columns[name] for name in sums),
        )

    def read_rows(self, paths: Sequence[NodePath]) -> dict[str, NDArray[Any]]:
        """Read the rows of nodes: columns x0, x1, ..., y, w with weights, and the node's index."""
        nodes = self._with_nodes(paths)
        names = [f"x{k}" for k in range(len(self.exact))]
        weights = [] if self.weight_unit is None else ["w"]
        answer = nodes.select("node", *names, "y", *weights)
        return {name: _numpy(column) for name, column in _columns(self.fetch(answer))}

    def squares_of_nodes(self, paths: Sequence[NodePath], means: Sequence[int]) -> Floats:
        """Sum of the squares of the targets of each node less a number near their mean, (m,)."""
        nodes = self._with_nodes(paths, means)
        answer = nodes.group_by("node").agg(squares=_squares(nodes))
        columns = {name: _numpy(column) for name, column in _columns(self.fetch(answer))}
        out = np.zeros(len(paths))
        out[columns["node"].astype(np.int64)] = columns["squares"]
        return out

    def neighbours(self, path: NodePath, test: RowTest) -> tuple[float, float]:
        """Largest value on the left of a test and smallest on its right, of the rows of a node."""
        nodes = self._with_nodes([path])
        column, left = nodes[f"x{test.feature}"], _goes_left(nodes, test)
        answer = nodes.agg(lower=column.max(where=left), upper=column.min(where=~left))
        (lower,), (upper,) = (_numpy(column) for _, column in _columns(self.fetch(answer)))
        infinite = -np.inf, np.inf
        lower, upper = np.where(np.isnan([lower, upper]), infinite, [lower, upper])
        return float(lower), float(upper)

    @property
    def _target_names(self) -> tuple[str, ...]:
        """Names of the columns that have the target and the weight of a row."""
        target = ("y", "high", "low") if self.target_unit is not None else ("y",)
        return target if self.weight_unit is None else (*target, "w")

    def _with_nodes(
        self, paths: Sequence[NodePath], means: Sequence[int] = (), names: Sequence[str] = ()
    ) -> Table:
        """Rows of nodes: the columns named or all, the index of the node, and its mean if given."""
        columns = {"node": _number_of_path(self.prepared, paths, range(len(paths)), "int32")}
        if means:
            columns["mean"] = _number_of_path(self.prepared, paths, means, "int64")
        column_names = names or self.prepared.columns
        return self.prepared.select(*column_names, **columns).filter(
            lambda table: table.node.notnull()
        )

    def _answer(self, nodes: Table, index: int, query: GroupQuery) -> Table:
        import ibis

        bins, column = nodes[f"b{query.feature}"], nodes[f"x{query.feature}"]
        if query.opened is not None:
            shift, node_ids, opened_bins = query.opened
            joined = nodes.node.cast("int64") * NODE_FACTOR + (bins >> shift).cast("int64")
            opened_keys = (node_ids * NODE_FACTOR + opened_bins).tolist()
            nodes = nodes.filter(joined.isin(opened_keys))
            bins, column = nodes[f"b{query.feature}"], nodes[f"x{query.feature}"]
        key = column if query.shift is None else (bins >> query.shift).cast("float64")
        target = nodes.y.cast("int32") if self.n_classes else ibis.literal(0, "int32")
        counted = nodes.group_by(node=nodes.node.cast("int32"), key=key, target=target).agg(
            n=nodes.count().cast("int64"),
            bin=bins.min().cast("int32"),
            lowest=column.min(),
            highest=column.max(),
            **self._sums(nodes),
        )
        missing = counted.bin.fill_null(-1)
        names = ["query", "node", "key", "bin", "lowest", "highest", "target", "n", *self.sum_names]
        return counted.mutate(query=ibis.literal(index, "int32"), bin=missing).select(names)


def below_share(share: float, hashes: Any) -> Any:
    """True for the hashes of a share of all rows; an array or a column of a table."""
    return hashes < round(share * HASH_PRIME)


def row_hash(row: Any, seed: int) -> Any:
    """A whole number below HASH_PRIME for each number of a row, an array or a column of a table.

    It is the fifth power of a linear function of the row, modulo a prime: a permutation of all
    numbers below it, which are spread evenly whatever the order of the rows. No product leaves 64
    bits, so that all engines and numpy compute the same.
    """
    row_factor, seed_factor = HASH_FACTORS
    linear = (row % HASH_PRIME * row_factor + (seed + 1) * seed_factor % HASH_PRIME) % HASH_PRIME
    square = linear * linear % HASH_PRIME
    return square * square % HASH_PRIME * linear % HASH_PRIME


def split_table(
    data: Dataset, seed: int, is_held_out: Callable[[Any], Any]
) -> tuple[Dataset, Dataset]:
    """Part a table and its sample by the hashes of the rows: rows to grow on, and held-out rows.

    `is_held_out` is a function of the hashes of `row_hash`. Both parts are filters of the same
    prepared copy; one of them may have no row.
    """
    source = data.source
    assert source is not None
    rows = source.prepared
    in_table = is_held_out(row_hash(rows.row, seed))
    in_sample: Bools = np.asarray(is_held_out(row_hash(source.shown_rows, seed)))

    def part(condition: Any, mask: Bools) -> Dataset:
        return replace(
            data,
            columns=np.ascontiguousarray(data.columns[:, mask]),
            y=data.y[mask],
            weights=None if data.weights is None else data.weights[mask],
            notes=(),
            source=source.of_rows(rows.filter(condition), source.shown_rows[mask]),
        )

    return part(~in_table, ~in_sample), part(in_table, in_sample)


def _squares(nodes: Table) -> Value:
    """Sum of the squares of the targets, as whole numbers, less the mean of their node."""
    whole = nodes.high.cast("int64") * (1 << LOW_BITS) + nodes.low
    distance = (whole - nodes.mean).cast("float64")
    return (distance * distance).sum()


def _columns(answer: Any) -> list[tuple[str, Any]]:
    return list(zip(answer.column_names, answer.columns, strict=True))


def _numpy(column: Any) -> NDArray[Any]:
    """A column of an Arrow table; NaN for null among floats."""
    return np.asarray(column.to_numpy())


def _number_of_path(
    table: Table, paths: Sequence[NodePath], numbers: Sequence[int], kind: str
) -> Value:
    """The number of the path that leads to each row; null where none does."""
    import ibis

    def below(step: int, indices: Sequence[int]) -> Value:
        (first, *others) = indices
        if len(paths[first]) == step:
            assert not others, "two paths to one node"
            return ibis.literal(numbers[first], kind)
        test = paths[first][step][0]
        sides = [
            [index for index in indices if paths[index][step][1] is left] for left in (True, False)
        ]
        left, right = (below(step + 1, side) if side else ibis.null(kind) for side in sides)
        return ibis.ifelse(_goes_left(table, test), left, right)

    return below(0, range(len(paths)))


def _goes_left(table: Table, test: RowTest) -> Value:
    """True for the rows that a test sends left."""
    import ibis

    column = table[f"x{test.feature}"]
    if test.codes is not None:
        is_left = column.isin([float(code) for code in test.codes])
    elif math.isinf(test.threshold):
        is_left = ibis.literal(test.threshold > 0)
    else:
        is_left = column <= number_literal(test.threshold)
    return ibis.ifelse(column.isnull(), test.missing_left, is_left)


def number_literal(value: float) -> Value:
    """A number in a query, exactly: engines read plain digits as a decimal, and round twice."""
    import ibis

    return ibis.literal(repr(float(value))).cast("float64")


def bin_expression(column: Value, is_missing: Value, sample: Floats) -> Value:
    """The bin of each number, by pieces of equal row counts of a sample; null where missing.

    Each piece is divided evenly by plain arithmetic. Rounding may move a number by one bin, but
    never past a larger number: within a piece the bin is a product of growing factors, and the
    pieces do not overlap.
    """
    import ibis

    quantiles = np.quantile(sample, np.arange(PIECES + 1) / PIECES) if len(sample) else sample
    edges = np.unique(quantiles)
    if len(edges) < 2:
        return ibis.ifelse(is_missing, ibis.null("int32"), ibis.literal(0, "int32"))
    width = 1 << BIN_BITS - 4
    with np.errstate(over="ignore"):
        factors = width / np.diff(edges)

    def piece(low: int, high: int) -> Value:
        if high - low == 1:
            factor, edge = float(factors[low]), float(edges[low])
            if not 0 < factor < math.inf:  # numbers too near or too far apart to divide
                return ibis.literal(low * width, "int32")
            steps = (column - number_literal(edge)) * number_literal(factor)
            return steps.floor().cast("int32") + ibis.literal(low * width, "int32")
        middle = (low + high) // 2
        return ibis.ifelse(
            column < number_literal(edges[middle]), piece(low, middle), piece(middle, high)
        )

    last = ibis.literal((len(edges) - 1) * width, "int32")
    inside = ibis.ifelse(column >= number_literal(edges[-1]), last, piece(0, len(edges) - 1))
    bin_of_value = ibis.ifelse(column < number_literal(edges[0]), ibis.literal(0, "int32"), inside)
    return ibis.ifelse(is_missing, ibis.null("int32"), bin_of_value)
