"""Search of a table that stays in its engine: exact best splits by rounds of counting.

A round counts the rows of all open nodes in bins, then in narrower bins, then by value; only what
may hide the best cut is counted again (see `search.counted_groups`). So the best split of each node
is that of all rows, as if they were in memory. Answers are kept by the path of the node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import compress, count
from threading import RLock
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.lazy import lazy_property
from dtviz.base.progress import Slices, hold, pause, run_to_end, scaled_progress
from dtviz.data.dataset import Dataset
from dtviz.data.tables import LOW_BITS, GroupQuery, Groups, NodePath, RowTest, TableSource
from dtviz.engine.leaves.node_facts import NodeFacts
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, RulesError, without_stop_rules
from dtviz.engine.search.best_split import BestCuts, best_cuts
from dtviz.engine.search.candidates import (
    Bands,
    Candidates,
    CategoryLines,
    CutSettings,
    candidates_of_cuts,
)
from dtviz.engine.search.candidates import candidates as find_candidates
from dtviz.engine.search.category_order import sort_categories
from dtviz.engine.search.counted_groups import (
    CountedGroups,
    bound_groups,
    histogram_of_groups,
    join_groups,
)
from dtviz.engine.search.evaluate import ScoredCuts, evaluate_histogram
from dtviz.engine.search.frontier import Frontier, frontier, one_ordering
from dtviz.engine.search.histogram import Histogram
from dtviz.engine.search.missing import counted_histogram
from dtviz.engine.splits import (
    LEFT,
    RIGHT,
    Axis,
    Category,
    IsMissing,
    Projection,
    Split,
    Subset,
    family_of,
)
from dtviz.engine.splits.split import NO_CUT
from dtviz.engine.splitter import Splitter, merge_category_lines

FIRST_SHIFT = 12
"""Bits by which the bins of the first round are wider: 256 of them."""
SHIFT_STEP = 6
"""Bits by which the bins of each round are narrower than those before."""
MAX_ROWS_BY_VALUE = 1 << 16
"""Number of rows in opened bins up to which they are counted by value, not by narrower bins."""
MAX_GROUPS_KEPT = 1 << 21
"""Number of groups that are kept, of the nodes searched last: some 200 MB."""
MAX_NODES_AT_ONCE = 256
"""Number of nodes that are searched in one round."""
MAX_ROWS_READ = 50_000
"""Number of rows up to which a node is read into memory, with all nodes below it."""
MAX_ROWS_OPENED = 50_000
"""Number of rows up to which the groups beside a cut that is looked at are opened by value."""
MAX_ROWS_HELD = 1 << 20
"""Number of rows in memory at a time."""


class NodeSums(NamedTuple):
    """What the rows of a node add up to."""

    n: int
    """Number of rows."""
    counts: tuple[int, ...]
    """Number of rows of each class, (K,); empty for regression."""
    weights: tuple[int, ...]
    """Weight of each class in units, (K,); for regression, the sum of the targets in units."""
    squares: float
    """Sum of the squares of the targets in units less `mean`; 0 for classes."""
    lowest: float
    """Lowest target; 0 for classes."""
    highest: float
    """Highest target; 0 for classes."""

    @property
    def mean(self) -> int:
        """The whole number below the mean of the targets, in units."""
        return self.weights[0] // max(self.n, 1)

    @property
    def fraction(self) -> float:
        """The mean of the targets in units less `mean`."""
        return self.weights[0] % max(self.n, 1) / max(self.n, 1)


@dataclass(eq=False)
class RowBlock:
    """The rows of a small node in memory: its subtree is searched there."""

    problem: Problem
    """The rows with the rules that rank candidates."""
    units: NDArray[np.int64] | None
    """Weight of each row in units, (n,); None without weights."""
    row_ids: dict[NodePath, Ints] = field(default_factory=dict)
    """Row ids of the nodes below, by the tests that lead there."""

    def rows_at(self, path: NodePath) -> Ints:
        """Ids of the rows that pass the tests of a path."""
        if not path:
            return np.arange(self.problem.data.n)
        row_ids = self.row_ids.get(path)
        if row_ids is None:
            parent_rows, (test, left) = self.rows_at(path[:-1]), path[-1]
            column = self.problem.data.columns[test.feature][parent_rows]
            if test.codes is None:
                goes_left = column <= test.threshold
            else:
                goes_left = np.isin(column, test.codes)
            goes_left = np.where(np.isnan(column), test.missing_left, goes_left)
            row_ids = self.row_ids[path] = parent_rows[goes_left == left]
        return row_ids


class NodeBest(NamedTuple):
    """The best split of a node; the fields are those of `BestCuts`."""

    split: Split | None
    """The split with the direction of rows without a value; None: no cut is admissible."""
    line: int
    """Line of the cut."""
    lower: float
    """Value just left of the cut."""
    upper: float
    """Value just right of the cut."""
    threshold: float
    """Threshold of the cut."""
    gain: float
    """Gain of the cut."""
    grade: int
    """Highest grade of the cuts of the node."""


NOT_SEARCHED = NodeBest(None, 0, np.nan, np.nan, np.nan, np.nan, NO_CUT)
"""Stands for the best split of a node that is not searched."""


def path_of(splits: Mapping[int, Split], node: int) -> NodePath:
    """The tests that lead from the root to a node, by the splits above it."""
    return tuple(
        (test_of(splits[node >> k]), (node >> (k - 1)) % 2 == 0)
        for k in range(node.bit_length() - 1, 0, -1)
    )


def test_of(split: Split) -> RowTest:
    """The question of a split for the engine of a table; raises RulesError for other families."""
    projection, left = split.projection, split.missing.left
    match projection:
        case Axis(feature):
            return RowTest(feature, split.threshold, None, left)
        case Subset(feature, left_codes):
            return RowTest(feature, 0.0, left_codes, left)
        case IsMissing(features, missing_left) if len(features) == 1:
            return RowTest(features[0], -np.inf if missing_left else np.inf, None, missing_left)
    raise RulesError(
        "a table that stays in its engine is split by one number or category at a time, in two; "
        f"not by {family_of(projection).title}",
        "families",
        "axis or subset",
    )


def check_table_rules(problem: Problem) -> None:
    """Raise RulesError where the rules need more than counts and means of a table's rows."""
    rules = problem.rules
    families = [name for name in rules.families if name not in ("axis", "subset")]
    # first the leaf model: a regression in the leaves has an impurity that is not the criterion's
    leaf_models = ("majority", "shares") if problem.data.classes else ("mean",)
    needs: list[tuple[bool, str, str, str]] = [
        (bool(families), "families", "axis or subset", str(rules.families)),
        (
            rules.missing not in ("learned", "majority"),
            "missing",
            "'learned' or 'majority'",
            repr(rules.missing),
        ),
        (
            problem.leaf_model.name not in leaf_models,
            "leaf_model",
            " or ".join(map(repr, leaf_models)),
            repr(problem.leaf_model.name),
        ),
        (
            problem.criterion.impurity.statistics.category_key is not None
            or not (problem.data.classes or problem.criterion.impurity.sums_squares),
            "criterion",
            "'squared_error'",
            repr(rules.criterion),
        ),
        (rules.max_p_value < 1, "max_p_value", "1", f"{rules.max_p_value:g}"),
    ]
    for is_refused, name, allowed, value in needs:
        if is_refused:
            raise RulesError(
                f"`{name}` must be {allowed} for a table that stays in its engine; not {value}: "
                "read a part of the table into memory for the others",
                name,
                allowed,
            )


def suits_table(problem: Problem) -> bool:
    """True if a table that stays in its engine can be split under the rules of a problem."""
    try:
        check_table_rules(problem)
    except RulesError:
        return False
    return True


@dataclass(eq=False)
class TableSearch:
    """The search of one table under the rules that rank its candidates, with the answers so far."""

    problem: Problem
    """The sample of the table with the rules."""
    sums: dict[NodePath, NodeSums] = field(default_factory=dict)
    """Sums of the nodes that were counted."""
    best: dict[NodePath, NodeBest] = field(default_factory=dict)
    """Best splits of the nodes that were searched."""
    blocks: dict[NodePath, RowBlock] = field(default_factory=dict)
    """Rows of the small nodes that were read last, by the topmost of them."""
    groups_of: dict[NodePath, CountedGroups] = field(default_factory=dict)
    """Counted groups of the nodes that were searched last."""
    lock: RLock = field(default_factory=RLock)
    """Held while rows and groups are kept, used or forgotten: tabs on a table share a search."""

    @lazy_property
    def source(self) -> TableSource:
        """The table."""
        source = self.problem.data.source
        assert source is not None
        return source

    @lazy_property
    def lines(self) -> tuple[Projection, ...]:
        """The projection of each line."""
        return self.problem.projections

    @lazy_property
    def features(self) -> tuple[int, ...]:
        """The feature of each line."""
        return tuple(line.feature for line in self.lines if isinstance(line, Axis | Category))

    def count(self, paths: Iterable[NodePath]) -> list[NodeSums]:
        """Sums of nodes, those not known yet in one query."""
        paths = list(paths)
        unknown = [path for path in dict.fromkeys(paths) if path not in self.sums]
        for path in unknown:
            if (block := self._block_above(path)) is not None:
                self.sums[path] = self._sums_of_rows(*block)
        unknown = [path for path in unknown if path not in self.sums]
        for first in range(0, len(unknown), MAX_NODES_AT_ONCE):
            pause()
            batch = unknown[first : first + MAX_NODES_AT_ONCE]
            groups = self.source.describe_nodes(batch)
            sums = [
                self._sums_of(groups, np.flatnonzero(groups.node == j)) for j in range(len(batch))
            ]
            if self.source.target_unit is not None:
                squares = self.source.squares_of_nodes(batch, [x.mean for x in sums])
                sums = [x._replace(squares=s) for x, s in zip(sums, squares.tolist(), strict=True)]
            self.sums |= dict(zip(batch, sums, strict=True))
        return [self.sums[path] for path in paths]

    def count_leaves_in_slices(self, paths: Sequence[NodePath]) -> Slices[list[NodeSums]]:
        """Sums of the leaves of a tree; those below small nodes from their rows, many at once.

        A slice is one query.
        """
        small, level = list[NodePath](), [()] if paths else list[NodePath]()
        while level:
            sizes = {path: sums.n for path, sums in zip(level, self.count(level), strict=True)}
            small += [path for path, n in sizes.items() if n <= MAX_ROWS_READ]
            yield 0.0
            k = len(level[0])
            large = {path for path, n in sizes.items() if n > MAX_ROWS_READ}
            below = (path[: k + 1] for path in paths if len(path) > k and path[:k] in large)
            level = [*dict.fromkeys(below)]
        tops = {path[:k] for path in paths for k in range(len(path))}.intersection(small)
        waiting = [path for path in small if path in tops]
        for batch in self._batches_of_rows(waiting):
            yield 1 - (len(waiting) + len(batch)) / len(tops)
            with hold(self.lock):
                self._read_blocks(batch)
                read = {*batch}
                self.count(
                    path for path in paths if any(path[:k] in read for k in range(len(path)))
                )
        return self.count(paths)

    def _batches_of_rows(self, waiting: list[NodePath]) -> Iterator[list[NodePath]]:
        """Take nodes from a list, as many at once as may have their rows in memory."""
        while waiting:
            batch, n_rows = list[NodePath](), 0
            while waiting and n_rows + self.sums[waiting[0]].n <= MAX_ROWS_HELD:
                batch.append(waiting.pop(0))
                n_rows += self.sums[batch[-1]].n
            yield batch

    def _sums_of(self, groups: Groups, ids: Ints) -> NodeSums:
        n_classes, n = self.source.n_classes, groups.n[ids]
        if not n_classes:
            if not len(ids):
                return NodeSums(0, (), (0,), 0.0, 0.0, 0.0)
            high, low = (part[ids[0]] for part in groups.sums)
            total = int(high) * (1 << LOW_BITS) + int(low)
            extremes = float(groups.lowest[ids[0]]), float(groups.highest[ids[0]])
            return NodeSums(int(n[0]), (), (total,), 0.0, *extremes)
        counts = np.bincount(groups.target[ids], n, n_classes).astype(np.int64)
        weights = counts
        if groups.sums:
            weights = np.zeros(n_classes, np.int64)
            np.add.at(weights, groups.target[ids], groups.sums[0][ids].astype(np.int64))
        return NodeSums(
            int(n.sum()), tuple(counts.tolist()), tuple(weights.tolist()), 0.0, 0.0, 0.0
        )

    def facts(self, paths: Sequence[NodePath]) -> NodeFacts:
        """Facts of nodes, as `compute_facts` computes those of rows in memory."""
        sums = self.count(paths)
        n = np.array([x.n for x in sums], np.int64)
        if self.source.target_unit is not None:
            return self._facts_of_numbers(n, sums)
        counts = np.array([x.counts for x in sums], np.int64)
        by_class: NDArray[Any] = counts
        weight: NDArray[Any] = n
        unit = self.source.weight_unit
        if unit is not None:
            by_class = np.array([x.weights for x in sums], np.int64)
            by_class = by_class if unit == 1 else by_class * unit
            weight = by_class.sum(axis=1)
        largest = by_class.max(axis=1)
        pure = counts.max(axis=1) == n
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = self.problem.criterion.impurity.spread(list(by_class.T), weight)
            impurity = np.where(pure, 0.0, np.maximum(spread / weight, 0.0))
            share = np.where(pure, 1.0, largest / weight)
        value = (by_class >= (largest * (1 - ROUNDING))[:, None]).argmax(axis=1)
        return NodeFacts(n, counts, weight, by_class, value, share, impurity, pure)

    def _facts_of_numbers(self, n: Ints, sums: Sequence[NodeSums]) -> NodeFacts:
        lowest, highest = (
            np.array([getattr(x, name) for x in sums]) for name in ("lowest", "highest")
        )
        pure = lowest == highest
        unit, fraction = self._unit, np.array([x.fraction for x in sums])
        variance = np.array([x.squares for x in sums]) / n - fraction * fraction
        variance = np.where(pure, 0.0, np.maximum(variance, 0.0) * unit * unit)
        mean = np.array([unit * (x.weights[0] / x.n) for x in sums])
        value = np.where(pure, lowest, mean)
        none = np.zeros((len(n), 0), int)
        return NodeFacts(n, none, n, none, value, pure.astype(float), variance, pure)

    @property
    def _unit(self) -> float:
        """The difference of targets that 1 stands for."""
        assert self.source.target_unit is not None
        return self.source.target_unit

    def _less_mean(self, total: int, n: int, node: NodeSums) -> float:
        """The sum of n targets less n times the mean of a node, without rounding but the last."""
        return self._unit * ((total * node.n - n * node.weights[0]) / node.n)

    def search(self, paths: Sequence[NodePath]) -> list[NodeBest]:
        """The best split of each node; those not known yet in a few rounds for all."""
        run_to_end(self.search_in_slices(paths))
        return [self.best[path] for path in paths]

    def search_in_slices(self, paths: Sequence[NodePath]) -> Slices[None]:
        """Search nodes as `search` does, and keep what is found; a slice is one query."""
        unknown = [path for path in dict.fromkeys(paths) if path not in self.best]
        sizes = [sums.n for sums in self.count(unknown)]
        small = [path for path, n in zip(unknown, sizes, strict=True) if n <= MAX_ROWS_READ]
        large = [path for path, n in zip(unknown, sizes, strict=True) if n > MAX_ROWS_READ]
        for first in range(0, len(large), MAX_NODES_AT_ONCE):
            batch = large[first : first + MAX_NODES_AT_ONCE]
            low, high = first / len(unknown), (first + len(batch)) / len(unknown)
            batch_best = yield from scaled_progress(self._search(batch), low, high)
            self.best |= zip(batch, batch_best, strict=True)
        if small:
            done = len(large) / len(unknown)
            yield from scaled_progress(self._search_in_memory(small), done, 1)

    def best_cuts(self, paths: Sequence[NodePath], is_open: Bools) -> BestCuts:
        """The best splits of nodes in the form of a search of rows in memory.

        The nodes that are not in the mask, (m,), are not searched, and have no cut.
        """
        self.search(list(compress(paths, is_open.tolist())))
        bests = [
            self.best[path] if flag else NOT_SEARCHED
            for path, flag in zip(paths, is_open.tolist(), strict=True)
        ]
        columns: dict[str, Any] = {
            name: np.array([getattr(node, name) for node in bests], dtype)
            for name, dtype in (
                ("line", int),
                ("lower", float),
                ("upper", float),
                ("threshold", float),
                ("gain", float),
                ("grade", np.int8),
            )
        }
        splits = {j: node.split for j, node in enumerate(bests) if node.split is not None}
        cut = np.array([0 if j in splits else -1 for j in range(len(bests))], int)
        weight = self.facts(paths).weight
        return BestCuts(cut, **columns, weight=weight, fixed_splits=splits)

    def _search_in_memory(self, paths: Sequence[NodePath]) -> Slices[None]:
        """Search small nodes by their rows, which are read for as many nodes at once as may be."""
        # what is in memory first: to read others may forget it
        with hold(self.lock):
            waiting = [path for path in paths if self._block_above(path) is None]
            self._search_blocks([path for path in paths if self._block_above(path) is not None])
        for batch in self._batches_of_rows(waiting):
            yield 1 - (len(waiting) + len(batch)) / len(paths)
            with hold(self.lock):
                self._read_blocks(batch)
                self._search_blocks(batch)

    def _search_blocks(self, paths: Sequence[NodePath]) -> None:
        """Search nodes whose rows are in memory, those of a block together."""
        by_block: dict[NodePath, list[NodePath]] = {}
        for path in paths:
            by_block.setdefault(self._top_of(path), []).append(path)
        for top, block_paths in by_block.items():
            best = self._best_of_rows(self.blocks[top], top, block_paths)
            self.best |= zip(block_paths, best, strict=True)

    def _read_blocks(self, paths: Sequence[NodePath]) -> None:
        """Read the rows of nodes; rows read before are forgotten where there would be too many."""
        n_rows = sum(self.sums[path].n for path in paths)
        held = sum(block.problem.data.n for block in self.blocks.values())
        while self.blocks and held + n_rows > MAX_ROWS_HELD:
            held -= self.blocks.pop(next(iter(self.blocks))).problem.data.n
        rows = self.source.read_rows(paths)
        order = np.argsort(rows["node"], kind="stable")
        ends = np.searchsorted(rows["node"][order], np.arange(len(paths)), side="right")
        sample, unit = self.problem.data, self.source.weight_unit
        for index, path in enumerate(paths):
            ids = order[ends[index - 1] if index else 0 : ends[index]]
            columns = [rows[f"x{k}"][ids] for k in range(len(sample.features))]
            units = weights = None
            if unit is not None:
                units = rows["w"][ids].astype(np.int64)
                weights = np.asarray(units * unit, np.float64)
            data = replace(
                sample,
                columns=np.array(columns, np.float64),
                y=rows["y"][ids].astype(sample.y.dtype),
                weights=weights,
                source=None,
            )
            problem = Problem(data, self.problem.rules)
            # the minimum is that of the whole table: a lazy property keeps its value by its name
            vars(problem).update(minimum=self.problem.minimum, weight=self.problem.weight)
            self.blocks[path] = RowBlock(problem, units)

    def _top_of(self, path: NodePath) -> NodePath:
        """Path of the block that has the rows of a node."""
        return next(path[:k] for k in range(len(path) + 1) if path[:k] in self.blocks)

    def _block_above(self, path: NodePath) -> tuple[RowBlock, Ints] | None:
        """The block that has the rows of a node, and their ids there; None if they are not read."""
        for k in range(len(path) + 1):
            block = self.blocks.get(path[:k])
            if block is not None:
                return block, block.rows_at(path[k:])
        return None

    def _sums_of_rows(self, block: RowBlock, row_ids: Ints) -> NodeSums:
        """Sums of some rows of a block, as a query gives them."""
        y, n = block.problem.data.y[row_ids], len(row_ids)
        unit, n_classes = self.source.target_unit, self.source.n_classes
        if unit is not None:
            whole = np.rint(y / unit).astype(np.int64)
            total = sum(whole.tolist())
            squares = float(np.square((whole - total // max(n, 1)).astype(np.float64)).sum())
            extremes = (float(y.min()), float(y.max())) if n else (0.0, 0.0)
            return NodeSums(n, (), (total,), squares, *extremes)
        counts = tuple(np.bincount(y, minlength=n_classes).tolist())
        weights = counts
        if block.units is not None:
            by_class = np.zeros(n_classes, np.int64)
            np.add.at(by_class, y, block.units[row_ids])
            weights = tuple(by_class.tolist())
        return NodeSums(n, counts, weights, 0.0, 0.0, 0.0)

    def _best_of_rows(
        self, block: RowBlock, top: NodePath, paths: Sequence[NodePath]
    ) -> list[NodeBest]:
        """The best splits of nodes whose rows a block has; `top` is the path of the block."""
        groups = [block.rows_at(path[len(top) :]) for path in paths]
        best = Splitter(block.problem).best(frontier(block.problem.table, groups))
        out = []
        for index, path in enumerate(paths):
            split = best.split(index, self.lines) if best.cut[index] >= 0 else None
            if split is not None:
                if best.missing_left is not None:
                    split = split._replace(missing=LEFT if best.missing_left[index] else RIGHT)
                if best.missing_left is None or not any(block.problem.data.gaps):
                    split = self._to_heavier_side(path, split)
            columns = (best.line, best.lower, best.upper, best.threshold, best.gain, best.grade)
            out.append(NodeBest(split, *(column[index].item() for column in columns)))
        return out

    def sides_of_best(self, path: NodePath) -> list[tuple[RowTest, bool]]:
        """The two sides of the best split of a node; none where it is not searched or has none."""
        best = self.best.get(path)
        if best is None or best.split is None:
            return []
        test = test_of(best.split)
        return [(test, True), (test, False)]

    def _search(self, paths: Sequence[NodePath]) -> Slices[list[NodeBest]]:
        level = yield from self.count_level(paths)
        best = level.best
        splits = [
            best.split(j, self.lines) if best.cut[j] >= 0 else None for j in range(len(paths))
        ]
        gain = best.gain.copy()
        if best.missing_left is not None:
            splits = [
                split and split._replace(missing=LEFT if left else RIGHT)
                for split, left in zip(splits, best.missing_left.tolist(), strict=True)
            ]
        self._count_children(paths, splits)
        if best.missing_left is None:
            splits = [self._to_heavier_side(*pair) for pair in zip(paths, splits, strict=True)]
        if not self.problem.policy.counts_missing and any(self.source.gaps):
            gain = self._gains(paths, splits, gain)
        columns = (best.line, best.lower, best.upper, best.threshold, gain, best.grade)
        return [
            NodeBest(split, *values)
            for split, *values in zip(splits, *(c.tolist() for c in columns), strict=True)
        ]

    def count_level(self, paths: Sequence[NodePath]) -> Slices[LevelCounts]:
        """Count the groups of nodes, and open all that may hide the best cut of their node.

        Each round of counting is a slice, and takes half of the share that is left.
        """
        self.count(paths)
        queries = [
            GroupQuery(feature, None if self.source.exact[feature] else FIRST_SHIFT)
            for feature in self.features
        ]
        lines = list(range(len(queries)))
        groups = self._counted(paths, queries, lines)
        for n_rounds in count(1):
            yield 1 - 0.5**n_rounds
            level = LevelCounts.of(self, paths, groups)
            opened = level.groups_to_open()
            if not len(opened):
                self._keep_groups(paths, groups)
                return level
            groups = self._open(paths, groups, opened)
        raise AssertionError("the loop has no end")

    def _open(
        self,
        paths: Sequence[NodePath],
        groups: CountedGroups,
        opened: Ints,
        max_rows_by_value: int | None = None,
    ) -> CountedGroups:
        """Count the rows of closed groups: by value where they are few, or by narrower bins."""
        limit = MAX_ROWS_BY_VALUE if max_rows_by_value is None else max_rows_by_value
        by_value = int(groups.n[opened].sum()) <= limit
        queries, lines = list[GroupQuery](), list[int]()
        keys = np.stack([groups.line[opened], groups.shift[opened]])
        for line, shift in np.unique(keys, axis=1).T.tolist():
            ids = opened[(keys[0] == line) & (keys[1] == shift)]
            narrower = None if by_value or shift == 0 else max(shift - SHIFT_STEP, 0)
            opened_bins = shift, groups.node[ids], groups.bin[ids] >> shift
            queries.append(GroupQuery(self.features[line], narrower, opened_bins))
            lines.append(line)
        other_ids = np.delete(np.arange(len(groups.n)), opened)
        return join_groups(groups.take(other_ids), self._counted(paths, queries, lines))

    def _counted(
        self, paths: Sequence[NodePath], queries: Sequence[GroupQuery], lines: Sequence[int]
    ) -> CountedGroups:
        """The answers to some queries as groups; `lines` has the line of each query."""
        means = [] if self.source.n_classes else [x.mean for x in self.count(paths)]
        raw = self.source.count_groups(paths, queries, means)
        line = np.array(lines, int)[raw.query]
        shift = np.array([-1 if query.shift is None else query.shift for query in queries])[
            raw.query
        ]
        missing = np.isnan(raw.key)
        shift = np.where(missing, -1, shift)
        by_value = np.array([query.shift is None for query in queries])[raw.query]
        bins = np.where(by_value, raw.bin, raw.bin >> np.maximum(shift, 0) << np.maximum(shift, 0))
        # rows of one group with several classes are several answers
        keys = np.stack([line, raw.node, np.where(missing, np.iinfo(np.int64).max, bins), shift])
        key = np.where(missing, 0.0, raw.key)
        order = np.lexsort((key, *keys[::-1]))
        keys, key = keys[:, order], key[order]
        is_first = np.ones(len(order), np.bool_)
        is_first[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0) | (key[1:] != key[:-1])
        group, firsts = is_first.cumsum() - 1, order[is_first]
        n = np.bincount(group, raw.n[order], len(firsts)).astype(np.int64)
        sums, squares = self._group_sums(paths, raw, order, group, raw.node[firsts], n)
        return CountedGroups(
            line=line[firsts],
            node=raw.node[firsts],
            value=np.fmin.reduceat(raw.lowest[order], np.flatnonzero(is_first)),
            highest=np.fmax.reduceat(raw.highest[order], np.flatnonzero(is_first)),
            bin=bins[firsts],
            shift=shift[firsts],
            n=n,
            sums=sums,
            squares=squares,
            n_lines=len(self.features),
            n_nodes=len(paths),
        ).sorted()

    def _group_sums(
        self, paths: Sequence[NodePath], raw: Groups, order: Ints, group: Ints, node: Ints, n: Ints
    ) -> tuple[NDArray[np.int64] | Floats, Floats | None]:
        """Sums of each group, and of squares; each answer of `raw` is part of a group."""
        n_classes = self.source.n_classes
        if n_classes:
            amounts = (raw.sums[0] if raw.sums else raw.n).astype(np.int64)[order]
            sums = np.zeros((len(n), n_classes), np.int64)
            np.add.at(sums, (group, raw.target[order]), amounts)
            return sums, None
        # in whole numbers of any size: a sum less n times the mean of the node has no rounding
        high, low, squares = (part[order] for part in raw.sums)
        totals = high.astype(object) * (1 << LOW_BITS) + low.astype(object)
        node_sums = self.count(paths)
        parts = zip(totals.tolist(), n.tolist(), node.tolist(), strict=True)
        centred = np.array([self._less_mean(total, k, node_sums[j]) for total, k, j in parts])
        # squares about the mean of the node, from those about the whole number below it
        fraction = np.array([x.fraction for x in node_sums])[node]
        about_mean = squares - fraction * (2 * (centred / self._unit) + n * fraction)
        return centred[:, None], np.maximum(about_mean, 0.0) * self._unit * self._unit

    def _count_children(self, paths: Sequence[NodePath], splits: Sequence[Split | None]) -> None:
        """Count the rows of both sides of these splits, in one query."""
        self.count(
            (*path, (test_of(split), left))
            for path, split in zip(paths, splits, strict=True)
            if split is not None
            for left in (True, False)
        )

    def candidates(self, path: NodePath, beside: Split | None = None) -> Candidates:
        """The candidates of a node that were counted: their gains and thresholds are exact.

        No cut that was not counted scores more than the best of them. The closed groups on both
        sides of the cut `beside` are opened before: by value where they have few rows, else by
        narrower bins.
        """
        if self.count([path])[0].n <= MAX_ROWS_READ:
            with hold(self.lock):
                if self._block_above(path) is None:
                    self._read_blocks([path])
                block = self._block_above(path)
            assert block is not None
            return self._candidates_of_rows(*block)
        groups = self.groups_of.get(path)
        if groups is None:
            groups = run_to_end(self.count_level([path])).groups
        opened = np.zeros(0, int) if beside is None else self._closed_beside(groups, beside)
        if len(opened):
            groups = self._open([path], groups, opened, MAX_ROWS_OPENED)
            self._keep_groups([path], groups)
        return LevelCounts.of(self, [path], groups).candidates()

    def _closed_beside(self, groups: CountedGroups, split: Split) -> Ints:
        """The closed groups of the only node next to a cut."""
        if split.projection not in self.lines or not np.isfinite(split.threshold):
            return np.zeros(0, int)
        line = self.lines.index(split.projection)
        ids = np.flatnonzero((groups.line == line) & ~np.isnan(groups.value))
        right = int(np.searchsorted(groups.value[ids], split.threshold, side="right"))
        beside = ids[max(right - 1, 0) : right + 1]
        return beside[groups.is_closed[beside]]

    def _candidates_of_rows(self, block: RowBlock, row_ids: Ints) -> Candidates:
        """All candidates of some rows of a block."""
        problem = block.problem
        settings = problem.criterion, problem.minimum, self.lines, problem.policy
        candidates = find_candidates(problem.table, row_ids, *settings)
        return merge_category_lines(candidates)

    def _keep_groups(self, paths: Sequence[NodePath], groups: CountedGroups) -> None:
        """Keep the groups of nodes, so that their candidates need no query."""
        with hold(self.lock):
            for index, path in enumerate(paths):
                ids = np.flatnonzero(groups.node == index)
                of_node = replace(groups.take(ids), node=np.zeros(len(ids), int), n_nodes=1)
                self.groups_of[path] = of_node
            n_kept = sum(len(of_node.n) for of_node in self.groups_of.values())
            while n_kept > MAX_GROUPS_KEPT and len(self.groups_of) > len(paths):
                n_kept -= len(self.groups_of.pop(next(iter(self.groups_of))).n)

    def children(self, path: NodePath, split: Split) -> tuple[NodeSums, NodeSums]:
        """Sums of both sides of a split."""
        test = test_of(split)
        left, right = self.count([(*path, (test, True)), (*path, (test, False))])
        return left, right

    def _to_heavier_side(self, path: NodePath, split: Split | None) -> Split | None:
        """The split with rows without a value on the heavier side, where the node has none."""
        if split is None or isinstance(split.projection, IsMissing):
            return split
        weights = [self._weight(side) for side in self.children(path, split)]
        # equal sides as in `ScoredCuts.sends_left` and `Splitter.missing_go_to_left`
        is_counted = self.problem.policy.counts_missing or not (
            any(self.source.gaps) or self.source.weight_unit
        )
        left = weights[0] > weights[1] if is_counted else weights[0] >= weights[1]
        resolved = split._replace(missing=LEFT if left else RIGHT)
        if left != split.missing.left and not self._has_missing(path, split):
            # the same rows on each side, under another path
            for side in (True, False):
                old = (*path, (test_of(split), side))
                self.sums[(*path, (test_of(resolved), side))] = self.sums[old]
        return resolved

    def _has_missing(self, path: NodePath, split: Split) -> bool:
        """True if a row of a node has no value of the feature of a split."""
        return self.count_missing(path, split) > 0

    def facts_in_gain(self, path: NodePath, split: Split) -> NodeFacts:
        """Facts of the rows that count in the gain of a split: of all, of the left, the right."""
        test = test_of(split)
        if not self.problem.policy.counts_missing:
            is_known = RowTest(test.feature, np.inf, None, missing_left=False), True
            path = (*path, is_known)
        return self.facts([path, (*path, (test, True)), (*path, (test, False))])

    def count_missing(self, path: NodePath, split: Split) -> int:
        """Number of rows of a node that have no value of the feature of a split."""
        feature = test_of(split).feature
        if not self.source.gaps[feature]:
            return 0
        is_missing = RowTest(feature, np.inf, None, missing_left=False), False
        return self.count([(*path, is_missing)])[0].n

    def _weight(self, sums: NodeSums) -> int:
        """Weight of a node, in units."""
        return sum(sums.weights) if self.source.n_classes else sums.n

    def resolve(self, path: NodePath, split: Split) -> Split:
        """The split with the direction of rows without a value, as the policy chooses it."""
        if split.missing.is_explicit or isinstance(split.projection, IsMissing):
            return split
        node_best = self.best.get(path)
        if node_best is not None and node_best.split is not None:
            best = node_best.split
            if best[:2] == split[:2]:
                return best
        if not self._has_missing(path, split):
            resolved = self._to_heavier_side(path, split._replace(missing=RIGHT))
            assert resolved is not None
            return resolved
        test = test_of(split)
        is_missing = (RowTest(test.feature, np.inf, None, False), False)
        is_known = (is_missing[0], True)
        sides = [(*path, is_known, (test, left)) for left in (True, False)]
        return self._scored_direction(path, split, [*sides, (*path, is_missing)])

    def neighbours(self, path: NodePath, split: Split) -> tuple[float, float]:
        """Values beside the threshold of a split, as `Tree.threshold_neighbours` has them."""
        best = self.best.get(path)
        if best is not None and best.split == split:
            return best.lower, best.upper
        if not isinstance(split.projection, Axis):
            return 0.0, 1.0
        return self.source.neighbours(path, test_of(split))

    def _scored_direction(self, path: NodePath, split: Split, parts: Sequence[NodePath]) -> Split:
        """The split with missing values, the last of three parts, on the better side."""
        left, right, missing = self.count(parts)
        if not self.problem.policy.counts_missing:
            goes_left = self._weight(left) >= self._weight(right)
            return split._replace(missing=LEFT if goes_left else RIGHT)
        sums, squares = self._sums_of_parts(path, (left, right, missing))
        groups = CountedGroups(
            line=np.zeros(3, int),
            node=np.zeros(3, int),
            value=np.array([0.0, 1.0, np.nan]),
            highest=np.array([0.0, 1.0, np.nan]),
            bin=np.array([0, 1, -1]),
            shift=np.full(3, -1),
            n=np.array([left.n, right.n, missing.n]),
            sums=sums,
            squares=squares,
            n_lines=1,
            n_nodes=1,
        )
        cuts = evaluate_histogram(
            self.histogram([path], groups),
            self.problem.criterion,
            self.problem.policy,
            self.problem.minimum,
        )
        goes_left = cuts.missing_left is not None and bool(cuts.missing_left[0])
        return split._replace(missing=LEFT if goes_left else RIGHT)

    def _sums_of_parts(
        self, path: NodePath, parts: Sequence[NodeSums]
    ) -> tuple[NDArray[np.int64] | Floats, Floats | None]:
        """Sums of parts of a node, and of squares, as those of groups."""
        if self.source.n_classes:
            return np.array([part.weights for part in parts], np.int64), None
        (node,) = self.count([path])
        sums = np.array([self._less_mean(part.weights[0], part.n, node) for part in parts])
        return sums[:, None], np.zeros(len(parts))

    def _gains(
        self, paths: Sequence[NodePath], splits: Sequence[Split | None], gain: Floats
    ) -> Floats:
        """Gains from nodes and children, where the search left out rows without a value."""
        chosen = [j for j, split in enumerate(splits) if split is not None]
        sides = [
            (*paths[j], (test_of(split), left))
            for left in (True, False)
            for j, split in enumerate(splits)
            if split is not None
        ]
        if chosen:
            parents, below = self.facts([paths[j] for j in chosen]), self.facts(sides)
            impurity_below = (below.weight * below.impurity).reshape(2, -1).sum(axis=0)
            gain[chosen] = np.maximum(parents.impurity - impurity_below / parents.weight, 0.0)
        return gain

    def histogram(self, paths: Sequence[NodePath], groups: CountedGroups) -> Histogram:
        """The histogram of the groups of nodes."""
        sums = self.count(paths)
        weight = np.array([self._weight(x) for x in sums], np.int64)
        variance = self.facts(paths).impurity if self.source.target_unit else np.zeros(len(paths))
        return histogram_of_groups(groups, weight, self.source.weight_unit, variance)


@dataclass(frozen=True, eq=False)
class LevelCounts:
    """The counted groups of some nodes with the cuts between them."""

    search: TableSearch
    """The search that counted them."""
    groups: CountedGroups
    """Groups, some of which may be closed."""
    hist: Histogram
    """Their histogram, categories in their order."""
    cuts: ScoredCuts
    """Every cut between two groups."""
    best: BestCuts
    """The best of these cuts of each node."""

    def candidates(self) -> Candidates:
        """The candidates of the only node: every cut between two groups."""
        search, hist, problem = self.search, self.hist, self.search.problem
        orders, values = dict[int, tuple[int, ...]](), hist.values.copy()
        sizes = hist.groups_per_segment[:, 0]
        ends = sizes.cumsum()
        for line, projection in enumerate(search.lines):
            if isinstance(projection, Category):
                # codes become positions in the category order
                groups = np.arange(ends[line] - sizes[line], ends[line])
                groups = groups[~np.isnan(values[groups])]
                orders[line] = tuple(values[groups].astype(int).tolist())
                values[groups] = np.arange(len(groups))
        hist, cuts = hist._replace(values=values), self.cuts._replace(values=values)
        lower, upper = cuts.values_beside(np.arange(len(cuts.node)))
        # of a group with several values the highest is left of the cut
        highest = self.groups.highest[self.known_ids][cuts.group]
        is_number = ~np.isin(self._line_of_cut, list(orders))
        lower = np.where(is_number & np.isfinite(lower), highest, lower)
        tried = hist.all_subsets_tried
        fully_tried = (
            frozenset[int]() if tried is None else frozenset(np.flatnonzero(tried[:, 0]).tolist())
        )
        candidates = candidates_of_cuts(
            hist,
            cuts,
            (lower, upper),
            (self._side_impurities(), self._boundary_mask()),
            CategoryLines(MappingProxyType(orders), fully_tried),
            CutSettings(
                search.lines,
                problem.criterion,
                problem.minimum,
                problem.policy,
                any(search.source.gaps),
            ),
        )
        return replace(candidates, bands=self._bands())

    def _bands(self) -> Bands | None:
        """The closed groups of the only node, and bounds of their gains; None: all are open."""
        groups, problem = self.groups, self.search.problem
        closed = np.flatnonzero(groups.is_closed)
        if not len(closed):
            return None
        bounds = bound_groups(
            groups, problem.criterion, problem.minimum, problem.policy.counts_missing
        )
        return Bands(
            line=groups.line[closed],
            lower=groups.value[closed],
            upper=groups.highest[closed],
            n=groups.n[closed],
            least=bounds.least[closed],
            most=bounds.score[closed],
        )

    def _side_impurities(self) -> Floats:
        """Impurity of both sides of each cut of the only node, (2, cuts)."""
        cuts = self.cuts
        if self.groups.squares is None:
            return np.asarray(np.maximum(cuts.spread / cuts.sides.weight, 0.0))
        order = self.group_order
        sums, squares, n = (
            part[order]
            for part in (self.groups.sums[:, 0], self.groups.squares, self.groups.n.astype(float))
        )
        sides = []
        for part in (n, sums, squares):
            left, total, missing = self._left_sums(part)
            if cuts.missing_left is not None:
                # the last cut of a segment parts the rows without a value from the others
                left = left + np.where(
                    cuts.missing_left & (cuts.group != self._last_groups), missing, 0
                )
            sides.append(np.array([left, total - left]))
        size, total, of_squares = sides
        return np.asarray(np.maximum(of_squares / size - np.square(total / size), 0.0))

    @lazy_property
    def group_order(self) -> Ints:
        """Groups in the order of the histogram, in which those of categories are sorted anew."""
        order, lines = self.known_ids.copy(), self.groups.line[self.known_ids]
        for line, projection in enumerate(self.search.lines):
            if isinstance(projection, Category):
                places = np.flatnonzero(lines == line)
                group_ids = order[places]
                codes = np.nan_to_num(self.hist.values[places], nan=np.inf)
                group_codes = np.nan_to_num(self.groups.value[group_ids], nan=np.inf)
                order[places] = group_ids[np.argsort(group_codes)][np.argsort(np.argsort(codes))]
        return order

    @lazy_property
    def _line_of_cut(self) -> Ints:
        """Line of each cut, (cuts,)."""
        return self.cuts.lines_of(np.arange(len(self.cuts.node)))

    @property
    def _last_groups(self) -> Ints:
        """Group left of the last cut of the line of each cut, (cuts,)."""
        return np.asarray(self.hist.groups_per_segment[:, 0].cumsum()[self._line_of_cut] - 2)

    def _left_sums(self, part: Floats) -> tuple[Floats, Floats, Floats]:
        """Sums left of each cut, of its line, and of its line's rows without a value."""
        ends, line = self.hist.groups_per_segment[:, 0].cumsum(), self._line_of_cut
        running = np.append(0.0, part.cumsum())
        start = running[np.append(0, ends)[:-1]]
        last = np.maximum(ends - 1, 0)
        missing = np.where(np.isnan(self.hist.values[last]), part[last], 0.0)
        left = running[self.cuts.group + 1] - start[line]
        return left, (running[ends] - start)[line], missing[line]

    def _boundary_mask(self) -> Bools:
        """Mask of the cuts between groups that are not both of the same one class."""
        cuts = self.cuts
        if self.groups.squares is not None:
            return np.ones(len(cuts.node), np.bool_)
        occurs = self.groups.sums[self.group_order] > 0
        left, right = occurs[cuts.group], occurs[cuts.group + 1]
        return np.asarray((left | right).sum(axis=1) > 1)

    @classmethod
    def of(
        cls, search: TableSearch, paths: Sequence[NodePath], groups: CountedGroups
    ) -> LevelCounts:
        """Score the cuts between groups."""
        problem = search.problem
        hist = counted_histogram(search.histogram(paths, groups), problem.policy)
        hist = _order_categories(hist, search)
        cuts = evaluate_histogram(hist, problem.criterion, problem.policy, problem.minimum)
        return cls(search, groups, hist, cuts, best_cuts(cuts, _empty_frontier(len(paths))))

    @lazy_property
    def known_ids(self) -> Ints:
        """Groups that the histogram has: those with a value where the others are left out."""
        if self.search.problem.policy.counts_missing:
            return np.arange(len(self.groups.n))
        return np.flatnonzero(~np.isnan(self.groups.value))

    def groups_to_open(self) -> Ints:
        """Closed groups that may hide a cut as good as the best of their node."""
        groups, cuts, problem = self.groups, self.cuts, self.search.problem
        closed = groups.is_closed
        if not closed.any():
            return np.zeros(0, int)
        m = groups.n_nodes
        admissible_score = np.where(cuts.admissible, cuts.score, -np.inf)
        highest = np.full(m, -np.inf)
        np.fmax.at(highest, cuts.node, np.nan_to_num(admissible_score, nan=-np.inf))
        limit = highest - cuts.tolerance
        bounds = bound_groups(
            groups, problem.criterion, problem.minimum, problem.policy.counts_missing
        )
        may_win = bounds.can_be_admissible & (bounds.score >= limit[groups.node])
        # the neighbours of the best cuts tell their thresholds
        beside = np.zeros(len(groups.n), np.bool_)
        is_top = (admissible_score >= limit[cuts.node]) & np.isfinite(admissible_score)
        left_ids = cuts.group[is_top]
        beside[self.known_ids[left_ids]] = True
        beside[self.known_ids[np.minimum(left_ids + 1, len(self.known_ids) - 1)]] = True
        # a node without any cut: whether it is constant shows only inside its groups
        has_cut = np.zeros(m, np.bool_)
        has_cut[cuts.node] = True
        return np.flatnonzero(closed & (may_win | beside | ~has_cut[groups.node]))


def _order_categories(hist: Histogram, search: TableSearch) -> Histogram:
    """Sort the groups of the lines of categories."""
    problem = search.problem
    of_category = np.array([isinstance(line, Category) for line in search.lines])[:, None]
    if not of_category.any():
        return hist
    of_category = np.broadcast_to(of_category, hist.groups_per_segment.shape)
    return sort_categories(hist, of_category, problem.criterion, problem.minimum)


def _empty_frontier(n_nodes: int) -> Frontier:
    """Frontier of nodes without rows: a search of counts needs their number alone."""
    return one_ordering(np.zeros(0, int), np.zeros(n_nodes, int))


def with_own_search(problem: Problem) -> Problem:
    """The problem with a search that no other shares, and that goes with it.

    So trees that are grown once leave no counts, and push out none of those that pages use.
    """
    check_table_rules(problem)
    copy = Problem(problem.data, problem.rules)
    vars(copy)["search"] = TableSearch(copy)
    return copy


def table_search(problem: Problem) -> TableSearch:
    """The search of the table of a problem, shared by all problems that rank candidates alike."""
    if problem.rules.max_p_value < 1:
        check_table_rules(
            problem
        )  # the shared search has no stop rules, and cannot refuse this one
    search: TableSearch | None = vars(problem).get("search")
    if search is not None:
        return search
    return _shared_search(problem.data, without_stop_rules(problem.rules))


@lru_cache(maxsize=16)
def _shared_search(data: Dataset, rules: Rules) -> TableSearch:
    problem = Problem(data, rules)
    check_table_rules(problem)
    return TableSearch(problem)
