"""Many trees grown together, level by level: each is the tree grown alone on its own weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices, within
from dtviz.data.dataset import DataError, Dataset
from dtviz.engine.ensembles.trees import Members, Stack, blocks, member_data, stacked
from dtviz.engine.grow import (
    Stops,
    limit_tree,
    majority_share,
    nodes_to_split,
    open_nodes,
    pure_children,
    stops_before_search,
)
from dtviz.engine.leaves.node_facts import facts
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.best_split import Best, divide
from dtviz.engine.search.frontier import (
    Frontier,
    children,
    first_feature,
    one_ordering,
    parted,
    restrict,
    root_frontier,
)
from dtviz.engine.search.histogram import MOST_WHOLE
from dtviz.engine.search.random_splits import Draws, Keys, beneath, keys_of
from dtviz.engine.splits import Projection, Splits, Surrogate
from dtviz.engine.splitter import Splitter, by_all_rows

USUAL = 8
"""Levels after which a block is told to be half done."""


def grow_together(
    data: Dataset,
    rules: Rules,
    weights: NDArray[Any],
    draws: Draws | None = None,
    seeds: Sequence[int] | None = None,
    targets: NDArray[Any] | None = None,
) -> Slices[Members]:
    """The trees that the rules grow on rows of such weights, (T, n), in slices; 0: not in a tree.

    A row counts its weight times its own. Each member is the tree that `finish` grows on its
    `data_of` alone; or, where their nodes draw what they try, the one that grows there of its seed,
    (T,), whatever others grow beside it: 0, 1, ... by default. `targets`, (T, n), are their own.
    Raises DataError for weights that are none, or a member without rows.
    """
    weights = np.array(weights)
    _need_rows(data, weights)
    keys = keys_of(range(len(weights)) if seeds is None else seeds)
    parts, done = list[_Part](), 0
    problem = Problem(data, rules)
    lines = len(problem.projections) * problem.criterion.impurity.work
    if draws is not None and draws.one_cut:
        lines = min(draws.features or lines, lines)
    grown = 1.0 if rules.max_leaf_nodes is None and not rules.ccp_alpha else 0.5
    for alike in _alike(data, rules, weights):
        for block in blocks(weights[alike], lines):
            chosen = alike[block]
            own = None if targets is None else targets[chosen]
            splitter, stack = _block(problem, weights[chosen], draws, own)
            share = (grown * some / len(weights) for some in (done, done + len(chosen)))
            growing = _Growth(splitter, chosen).run(stack.front, keys[chosen])
            parts.append((yield from within(growing, *share)))
            done += len(chosen)
    found = replace(_joined(data, rules, weights, parts), targets=targets)
    return (yield from within(_limited(found), grown, 1.0)) if grown < 1 else found


def _need_rows(data: Dataset, weights: NDArray[Any]) -> None:
    shaped = weights.ndim == 2 and weights.shape[1] == data.n and len(weights)
    if not shaped or weights.dtype.kind not in "biuf" or not np.all(np.isfinite(weights)):
        raise DataError(f"`weights` must be one line of {data.n} numbers for each tree")
    if (weights < 0).any() or not weights.any(axis=1).all():
        raise DataError("`weights` must be 0 or more, and more for at least one row of each tree")


def _alike(data: Dataset, rules: Rules, weights: NDArray[Any]) -> Iterator[Ints]:
    """The members of which the rules ask the same, and whose weights are all whole or not."""
    if len(weights) == 1:
        yield np.zeros(1, np.int64)
        return
    counts = any(isinstance(of, float) for of in (rules.min_samples_split, rules.min_samples_leaf))
    weighs = bool(rules.min_weight_fraction_leaf or rules.min_impurity_decrease)
    own = weights if data.weights is None else weights * data.weights
    heavy = own.sum(axis=1, dtype=np.float64)
    whole = np.ones(len(own), np.bool_)
    if own.dtype.kind == "f":
        whole = (own == np.floor(own)).all(axis=1)
    key: list[NDArray[Any]] = [whole]
    if heavy.sum() > MOST_WHOLE or by_all_rows(rules):
        key.append(np.arange(len(own)))
    key += [np.count_nonzero(own, axis=1)] * counts + [heavy] * weighs
    _, group = np.unique(np.array(key), axis=1, return_inverse=True)
    for one in range(int(group.max()) + 1):
        yield np.flatnonzero(group.ravel() == one)


def _block(
    problem: Problem,
    weights: NDArray[Any],
    draws: Draws | None,
    targets: NDArray[Any] | None,
) -> tuple[Splitter, Stack]:
    """The splitter and the stack of members that are alike, by their weights, (B, n)."""
    data, by_rows = problem.data, by_all_rows(problem.rules)
    if by_rows or not (weights[0] == 1).all():
        one = member_data(data, weights[0], None if targets is None else targets[0])
        member = Problem(one, problem.rules)
    else:
        member = problem  # as many rows of the same weight
    if by_rows:
        problem, data, weights, targets = member, member.data, np.ones((1, member.data.n)), None
    splitter, table = Splitter(problem, draws), problem.table
    if splitter.unordered and targets is None and (weights == 1).all():  # one table serves all
        every, sizes = np.arange(data.n), np.full(len(weights), data.n)
        rows = np.tile(every, len(weights))
        return splitter, Stack(data, table, one_ordering(rows, sizes), every)
    orders = np.arange(data.n)[None] if splitter.unordered else root_frontier(table).rows
    stack = stacked(data, table, orders, weights, targets)
    return Splitter(problem.block(member, stack.data, stack.table, stack.rows), draws), stack


# --- one block ------------------------------------------------------------------------------------


class _Split(NamedTuple):
    """The nodes of a level that were split: arrays (k,), as Members and Splits have them."""

    parent: Ints
    left: Ints
    line: Ints
    threshold: Floats
    lost: Bools
    gain: Floats
    weight: Floats


_NONE = np.zeros(0, np.intp)
NO_SPLIT = _Split(_NONE, _NONE, _NONE, np.zeros(0), np.zeros(0, np.bool_), np.zeros(0), np.zeros(0))


class _Part(NamedTuple):
    """Some members: `chosen` are their numbers, `lines` the projections that they are cut along."""

    chosen: Ints
    many: int
    splits: _Split
    lines: Sequence[Projection]
    surrogates: dict[int, tuple[Surrogate, ...]]
    ends: Ints
    params: Floats
    sums: NDArray[Any]


@dataclass(slots=True)
class _Growth:
    """The members of a block while they grow; `ends` are their leaves so far."""

    splitter: Splitter
    chosen: Ints
    many: int = 0
    levels: list[_Split] = field(default_factory=list)
    ends: list[tuple[Ints, Frontier]] = field(default_factory=list)
    lines: dict[Projection, int] = field(default_factory=dict)
    surrogates: dict[int, tuple[Surrogate, ...]] = field(default_factory=dict)

    def run(self, front: Frontier, keys: Keys) -> Slices[_Part]:
        """All levels, from the roots on, which have these keys."""
        problem, self.many = self.splitter.problem, len(self.chosen)
        known, places = facts(problem.data, front, problem.criterion), np.arange(self.many)
        on = open_nodes(self.before(np.zeros(self.many, np.intp), known.n, known.pure, front))
        self.end(places, front, ~on)
        front, places, keys = restrict(front, on), places[on], keys[on]
        while len(places):
            done = len(self.levels)
            shares = (some / (some + USUAL) for some in (done, done + 1))
            front, places, keys = yield from within(self.level(front, places, keys), *shares)
        return self.part()

    def before(self, depths: Ints, n: Ints, pure: Bools, front: Frontier) -> Stops:
        """Why nodes of these depths stop, before they are searched."""
        problem, rules = self.splitter.problem, self.splitter.problem.counted_rules
        known = facts(problem.data, front, problem.criterion) if rules.purity < 1 else None
        share = None if known is None else majority_share(problem.data, known)
        return stops_before_search(rules, depths, n, pure, share)

    def end(self, places: Ints, front: Frontier, stop: Bools) -> None:
        """Some of these nodes are leaves."""
        if stop.any():
            self.ends.append((places[stop], restrict(first_feature(front), stop)))

    def level(
        self, front: Frontier, places: Ints, keys: Keys
    ) -> Slices[tuple[Frontier, Ints, Keys]]:
        """The open children of these nodes."""
        problem, rules = self.splitter.problem, self.splitter.problem.counted_rules
        top = yield from self.splitter.steps(front, keys)
        yield 1.0
        asked = rules.min_gain or rules.min_impurity_decrease
        impurity = facts(problem.data, front, problem.criterion).impurity if asked else None
        goes = nodes_to_split(rules, top, impurity, problem.weight)
        self.end(places, front, ~goes)
        if not goes.any():
            return front, places[:0], keys[:0]
        child, sizes = parted(front, divide(problem.table, front, top, problem.data))
        self.split(top, goes, places, self.splitter.lost(top, sizes))
        left, made = self.levels[-1].left, np.tile(goes, 2)
        below, single = np.concatenate([left, left + 1]), first_feature(front)
        depths = np.full(len(below), len(self.levels))
        taken = problem.criterion.impurity.taken is not None
        made_of = single
        if taken or rules.purity < 1:
            made_of = children(single, child, sizes, made)
        if taken:
            pure = facts(problem.data, made_of, problem.criterion).pure
        else:
            pure = pure_children(problem.data, front, child, sizes)[made]
        on = open_nodes(self.before(depths, sizes[made], pure, made_of))
        stop = made.copy()
        made[made], stop[stop] = on, ~on
        if stop.any():
            self.ends.append((below[~on], children(single, child, sizes, stop)))
        return children(front, child, sizes, made), below[on], beneath(keys[goes])[on]

    def split(self, top: Best, goes: Bools, places: Ints, lost: Bools) -> None:
        """Take down the best cuts of the nodes that go on."""
        at, before = np.flatnonzero(goes), sum(len(level.parent) for level in self.levels)
        line, threshold, lost = top.line[at], top.threshold[at], lost[at]
        told = np.isinf(threshold) | np.isin(at, [*top.named, *top.settled])
        for k in np.flatnonzero(told).tolist():
            node = int(at[k])
            split = top.split(node, self.splitter.problem.projections)
            own = self.lines.setdefault(split.projection, len(self.lines))
            line[k], threshold[k] = len(self.splitter.problem.projections) + own, split.threshold
            if node in top.settled:
                lost[k] = split.missing.left
            if split.missing.surrogates:
                self.surrogates[before + k] = split.missing.surrogates
        left = self.many + 2 * np.arange(len(at))
        self.many += 2 * len(at)
        weight = top.weight[at].astype(np.float64)
        self.levels.append(_Split(places[at], left, line, threshold, lost, top.gain[at], weight))

    def part(self) -> _Part:
        """What has grown."""
        problem = self.splitter.problem
        splits = _Split(*map(np.concatenate, zip(NO_SPLIT, *self.levels, strict=True)))
        sizes = np.concatenate([front.sizes for _, front in self.ends])
        rows = np.concatenate([front.rows[0] for _, front in self.ends])
        leaves = one_ordering(rows, sizes)
        known = facts(problem.data, leaves, problem.criterion)
        params = problem.leaf_model.fit(problem.data, leaves, known)
        ends = np.concatenate([places for places, _ in self.ends])
        return _Part(
            self.chosen,
            self.many,
            splits,
            (*problem.projections, *self.lines),
            self.surrogates,
            ends,
            params,
            known.sums,
        )


# --- all of them ----------------------------------------------------------------------------------


def _joined(data: Dataset, rules: Rules, weights: NDArray[Any], parts: list[_Part]) -> Members:
    """The members of all blocks."""
    lines = {one: line for line, one in enumerate(Problem(data, rules).projections)}
    many, before = sum(part.many for part in parts), 0
    roots, left = np.zeros(len(weights), np.intp), np.full(many, -1)
    cut, gain, weight = np.zeros(many, np.intp), np.zeros(many), np.zeros(many)
    params = np.zeros((many, parts[0].params.shape[1]))
    sums = np.zeros((many, parts[0].sums.shape[1]))
    columns: list[tuple[Ints, Floats, Bools]] = []
    surrogates, cuts = dict[int, tuple[Surrogate, ...]](), 0
    for part in parts:
        splits = part.splits
        at = before + splits.parent
        roots[part.chosen] = before + np.arange(len(part.chosen))
        left[at], gain[at], weight[at] = before + splits.left, splits.gain, splits.weight
        cut[at] = cuts + np.arange(len(at))
        params[before + part.ends], sums[before + part.ends] = part.params, part.sums
        own = np.array([lines.setdefault(one, len(lines)) for one in part.lines], np.intp)
        columns.append((own.take(splits.line), splits.threshold, splits.lost))
        surrogates |= {cuts + k: found for k, found in part.surrogates.items()}
        cuts, before = cuts + len(at), before + part.many
    line, threshold, lost = (np.concatenate(of) for of in zip(*columns, strict=True))
    every = Splits(tuple(lines), line, threshold, lost, surrogates)
    return Members(data, rules, weights, roots, left, every, cut, gain, weight, params, sums)


def _limited(members: Members) -> Slices[Members]:
    """The members as `max_leaf_nodes` and `ccp_alpha` leave them."""
    names = ("left", "gain", "weight", "params", "sums")
    new = {name: getattr(members, name).copy() for name in names}
    for member in range(len(members)):
        tree, places = limit_tree(members.rules, members.tree(member)), members.nodes_of(member)
        gone = [place for node, place in places.items() if node not in tree.splits]
        new["left"][gone], new["gain"][gone], new["weight"][gone] = -1, 0.0, 0.0
        for leaf in tree.rows:
            place, node = places[leaf], tree.nodes[leaf]
            new["params"][place], new["sums"][place] = node.params, node.sums
        yield (member + 1) / len(members)
    return replace(members, **new)
