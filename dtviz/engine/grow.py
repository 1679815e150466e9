"""Rules in, moves out: which node splits next, at which cut, and why a node stops.

Glossary
    open       a leaf that the rules would still split
    stop       the rule that keeps a leaf from splitting, by name; '' for an open leaf
    order      'depth': as the recursive algorithm; 'breadth': level by level;
               'best': largest impurity decrease n_node/n_total * gain first
    whole      the tree that the `cutting` rules alone would grow, see subtrees.py

Where `ccp_alpha` is above 0, the moves that grow the tree are followed by those that prune it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, compress
from operator import or_
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from dtviz.engine.criteria import Criterion
from dtviz.engine.cuts import Bools, Cuts, Floats, Ints, scan
from dtviz.engine.frontier import (
    Frontier,
    children,
    first_feature,
    frontier,
    parted,
    restrict,
    root_frontier,
    unsorted,
)
from dtviz.engine.least import Least
from dtviz.engine.leaves import Facts, facts
from dtviz.engine.levels import Level, gains_of, grown_by
from dtviz.engine.lines import has_own, lined
from dtviz.engine.missing import Policy
from dtviz.engine.own import contested, own_best
from dtviz.engine.prune import pruned, weakest_links
from dtviz.engine.rules import (
    Rules,
    counted,
    criterion_of,
    cutting,
    least_of,
    policy_of,
    proposed_by,
)
from dtviz.engine.search import Best, best, divide
from dtviz.engine.sides import settled
from dtviz.engine.splits import Projection, Split, goes_left
from dtviz.engine.subtrees import (
    Nodes,
    gains_enough,
    in_order,
    nodes_of,
    pure_enough,
    ranks,
    without,
)
from dtviz.engine.tree import (
    Collapse,
    Grow,
    Log,
    Move,
    Tree,
    ancestors,
    decrease,
    depth,
    extend,
    preorder,
    stump,
)
from dtviz.table.data import Dataset

STOPS = (
    "",
    "pure",
    "purity",
    "min_samples_split",
    "max_depth",
    "constant",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "min_gain",
    "min_impurity_decrease",
    "zero_gain",
    "max_leaf_nodes",
    "pruned",
)
Stops = Iterator[tuple[str, Bools]]
"""Rules with the nodes that each stops, (m,): the first that holds is the reason."""
NOTHING_KNOWN: Mapping[int, Decision] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rules say of one leaf: why it stops, or the split they would make."""

    stop: str
    split: Split | None
    decrease: float


class _Search(NamedTuple):
    """What a growth searches by: `table` has the scores of the `projections` as its columns."""

    data: Dataset
    rules: Rules
    table: Dataset
    projections: Sequence[Projection]
    criterion: Criterion
    least: Least
    policy: Policy

    def best(self, front: Frontier) -> Best:
        """The best cut of each node."""
        cuts = self.scan(front)
        top = best(cuts, front, self.least)
        if has_own(self.rules):
            about = self.criterion, self.least, self.policy
            own = own_best(self.data, self.rules, front, *about)
            top = contested(self.data, self.rules, front, cuts, top, own)
        uncounted = any(self.data.gaps) or self.data.weights is not None
        if self.policy.counts_missing or not (self.policy.surrogates or uncounted):
            return top
        return self.sent(front, top)

    def scan(self, front: Frontier) -> Cuts:
        """Every cut of each node."""
        return scan(self.table, front, self.criterion, self.least, self.policy)

    def sent(self, front: Frontier, top: Best) -> Best:
        """The best cuts with what they gain once the rows that were not counted are sent too."""
        some = np.flatnonzero(top.cut >= 0)
        if not len(some):
            return top
        splits, sides, gain = dict[int, Split](), list[Ints](), top.gain.copy()
        groups = np.split(front.rows[0], front.starts[1:])
        for j in some.tolist():
            rows, split = groups[j], top.split(j, self.projections)
            splits[j] = settled(self.data, self.rules, rows, split)
            left = goes_left(splits[j], self.data.columns, rows)
            sides += [rows[left], rows[~left]]
        node = facts(self.data, restrict(front, top.cut >= 0), self.criterion)
        below = facts(self.data, unsorted(sides), self.criterion)
        rest = (below.weight * below.impurity).reshape(-1, 2).sum(axis=1)
        gain[some] = np.maximum(node.impurity - rest / node.weight, 0.0)
        return top._replace(gain=gain, settled=splits)

    def lost(self, top: Best, sizes: Ints) -> Bools:
        """Which of the nodes send rows that lack the value left: `sizes` are of the children."""
        if self.policy.left:
            return np.ones(len(top.cut), np.bool_)
        return np.greater(*sizes.reshape(2, -1)) if top.left is None else top.left


def _search(data: Dataset, rules: Rules) -> _Search:
    table, projections = lined(data, rules), proposed_by(data, rules)
    about = criterion_of(rules, data), least_of(rules, data), policy_of(rules)
    return _Search(data, counted(rules, data.n), table, projections, *about)


def decide(data: Dataset, rules: Rules, tree: Tree, leaves: Sequence[int]) -> dict[int, Decision]:
    """The decision on each of the leaves, by one scan over all of them."""
    if not leaves:
        return {}
    search = _search(data, rules)
    front = frontier(search.table, [tree.rows[leaf] for leaf in leaves])
    known = facts(data, front, search.criterion)
    share = _share(data, known)
    before = _before_search(search.rules, leaves, known.n, known.pure, share)
    top = search.best(front)
    after = _after_search(data, rules, top, known.impurity)
    stops = _reasons(chain(before, after), len(leaves))
    out = {}
    for j, leaf in enumerate(leaves):
        stop = "pruned" if leaf in tree.pruned else stops[j]
        split = top.split(j, search.projections) if not stop else None
        gained = decrease(tree, leaf, float(top.gain[j])) if not stop else 0.0
        out[leaf] = Decision(stop, split, gained)
    return out


def status(
    data: Dataset, rules: Rules, tree: Tree, known: Mapping[int, Decision] = NOTHING_KNOWN
) -> dict[int, Decision]:
    """The decision on every leaf of the tree, from left to right; those `known` are not searched.

    Known are decisions on the same rows by the same rules, none of them that the tree is full.
    """
    leaves = sorted(tree.rows, key=preorder)
    fresh = decide(data, rules, tree, [leaf for leaf in leaves if leaf not in known])
    found = {leaf: known[leaf] if leaf in known else fresh[leaf] for leaf in leaves}
    if not _full(rules, tree):
        return found
    closed = Decision("max_leaf_nodes", None, 0.0)
    return {leaf: decision if decision.stop else closed for leaf, decision in found.items()}


def moves(data: Dataset, rules: Rules, tree: Tree) -> Iterator[tuple[Move, Tree]]:
    """The automatic moves from here on, one at a time, each with the tree after it (lazy)."""
    known: dict[int, Decision] = {}
    while not _full(rules, tree):
        move = _next_move(data, rules, tree, known)
        if move is None:
            break
        tree = extend(data, rules, tree, move)
        yield move, tree
    for prune in _prunes(rules, tree):
        tree = extend(data, rules, tree, prune)
        yield prune, tree


def next_move(data: Dataset, rules: Rules, tree: Tree) -> Move | None:
    """The move the rules make next, or None when every leaf stops."""
    return next((move for move, _ in moves(data, rules, tree)), None)


def _next_move(data: Dataset, rules: Rules, tree: Tree, known: dict[int, Decision]) -> Move | None:
    """Look only as far as the order needs: at one leaf at a time unless it is best-first."""
    leaves = sorted(tree.rows, key=preorder if rules.growing_order == "depth" else None)
    if rules.growing_order == "best":
        known.update(decide(data, rules, tree, [leaf for leaf in leaves if leaf not in known]))
        leaves = [leaf for leaf in leaves if known[leaf].split is not None]
        leaves.sort(key=ranks(tree, {leaf: known[leaf].decrease for leaf in leaves}).__getitem__)
    for leaf in leaves:
        if leaf not in known:
            known.update(decide(data, rules, tree, [leaf]))
        split = known[leaf].split
        if split is not None:
            return Grow(leaf, split)
    return None


@contextmanager
def _uncollected() -> Iterator[None]:
    """No look for cycles meanwhile: growing makes none, but so many nodes that it is a third of it.

    Whoever was first to stop the collector starts it again, whatever other threads grow.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@_uncollected()
def finish(data: Dataset, rules: Rules, tree: Tree) -> tuple[Log, Tree]:
    """All automatic moves from here to the end, in the rules' order, and the tree after them.

    Whole levels are searched at once; the moves are then put in order, and the tail beyond
    `max_leaf_nodes` is dropped.
    """
    grown, order = tree, list[int]()
    if not _full(rules, tree):
        grown, order = _grown(data, rules, tree)
    log = tuple(map(Grow, order, map(grown.splits.__getitem__, order)))
    prunes = tuple(_prunes(rules, grown))
    return log + prunes, _pruned(grown, prunes) if prunes else grown


@_uncollected()
def whole(data: Dataset, rules: Rules) -> Nodes:
    """The tree that `cutting` rules alone grow; it holds that of all other rules."""
    tree, levels = _grow_levels(data, cutting(rules), stump(data, rules), None)
    return nodes_of(tree, gains_of(levels))


def _grown(data: Dataset, rules: Rules, tree: Tree) -> tuple[Tree, list[int]]:
    """The tree grown to the end, and the nodes split on the way, in order."""
    most = rules.max_leaf_nodes
    spare = None if most is None else most - len(tree.rows)
    grown, _ = _grow_levels(data, rules, tree, spare)
    new = [node for node in grown.splits if node not in tree.splits]
    order = in_order(grown, new, rules.growing_order)
    if spare is not None and len(order) > spare:
        return without(grown, order[spare:]), order[:spare]
    return grown, order


def _prunes(rules: Rules, tree: Tree) -> Iterator[Collapse]:
    """The moves that take back the links of at most `ccp_alpha`, the weakest first."""
    if not rules.ccp_alpha:
        return
    nodes = nodes_of(tree)
    left = pruned(nodes, nodes.split, rules.ccp_alpha)
    for link in weakest_links(nodes, nodes.split):
        if left[link.place]:
            return
        yield Collapse(nodes.ids[link.place])


def _pruned(grown: Tree, prunes: Log) -> Tree:
    """The tree with these nodes collapsed."""
    gone = {move.node for move in prunes}
    tops = {node for node in gone if not any(above in gone for above in ancestors(node))}
    below = [node for node in grown.splits if tops.intersection((*ancestors(node), node))]
    tree = without(grown, below)
    return replace(tree, pruned=tree.pruned.intersection(tree.rows) | tops)


def _grow_levels(
    data: Dataset, rules: Rules, tree: Tree, most: int | None
) -> tuple[Tree, list[Level]]:
    """The tree grown until every leaf stops, and the new levels: at most so many."""
    ids = [leaf for leaf in tree.rows if leaf not in tree.pruned]
    found: list[Level] = []
    if not ids:
        return tree, found
    search, bare = _search(data, rules), len(tree.nodes) == 1
    table = search.table
    front = root_frontier(table) if bare else frontier(table, [tree.rows[leaf] for leaf in ids])
    known = facts(data, front, search.criterion)
    share = _share(data, known)
    going = _going(_before_search(search.rules, ids, known.n, known.pure, share))
    if not going.all():
        ids, front = list(compress(ids, going.tolist())), restrict(front, going)
    while ids and len(found) != most:
        level, ids, front = _one_level(search, ids, front)
        if level is None:
            break
        found.append(level)
    return grown_by(data, search.criterion, search.projections, tree, found), found


def _one_level(
    search: _Search, ids: list[int], front: Frontier
) -> tuple[Level | None, list[int], Frontier]:
    """The level that splits each of the nodes that the rules split, and its open children."""
    data, rules, criterion = search.data, search.rules, search.criterion
    top = search.best(front)
    asked = rules.min_gain or rules.min_impurity_decrease
    impurity = facts(data, front, criterion).impurity if asked else None
    chosen = _going(_after_search(data, rules, top, impurity))
    parents = list(compress(ids, chosen.tolist()))
    if not parents:
        return None, ids, front
    left = divide(search.table, front, top, data)
    child, sizes = parted(front, left)
    level = Level(parents, top, chosen, first_feature(front), left, search.lost(top, sizes))
    made = np.concatenate([chosen, chosen])
    pure, below = _pure(data, front, child)[made], level.children
    share = _share(data, facts(data, level.below, criterion)) if rules.purity < 1 else None
    going = _going(_before_search(rules, below, sizes[made], pure, share))
    ids = list(compress(below, going.tolist()))
    if not ids:
        return level, ids, front
    made[made] = going
    return level, ids, children(front, child, sizes, made)


def _pure(data: Dataset, front: Frontier, child: Ints) -> Bools:
    """Whether the rows of each child have one target, (2 m,): `child` is that of each row, (N,).

    Each row is compared with any one of its own child.
    """
    m, y = len(front.sizes), data.y.take(front.rows[0])
    one = np.zeros(2 * m, y.dtype)
    one[child] = y
    pure = np.ones(2 * m, np.bool_)
    pure[child.compress(y != one.take(child))] = False
    return pure


def _share(data: Dataset, known: Facts) -> Floats | None:
    """The share of each node's majority class; numbers have none."""
    return known.share if data.classes else None


def _before_search(
    rules: Rules, ids: Sequence[int], n: Ints, pure: Bools, share: Floats | None
) -> Stops:
    """Which nodes stop by what needs no look at their cuts.

    `share` is that of the most frequent class, where there are classes and it matters.
    """
    yield "pure", pure
    if share is not None:
        yield "purity", pure_enough(share, rules.purity)
    yield "min_samples_split", n < rules.min_samples_split
    if rules.max_depth is not None:
        yield "max_depth", np.array([depth(node) >= rules.max_depth for node in ids])


def _after_search(data: Dataset, rules: Rules, top: Best, impurity: Floats | None) -> Stops:
    """Which nodes stop by their best cut.

    Impurities matter where there is a `min_gain` or a `min_impurity_decrease`.
    """
    yield "constant", ~top.any_cut
    yield "min_samples_leaf", ~top.any_large
    yield "min_weight_fraction_leaf", top.cut < 0
    if impurity is not None:
        share = top.weight / data.weight
        lowers = gains_enough(top.gain * share, impurity * share, rules.min_impurity_decrease)
        yield "min_gain", ~gains_enough(top.gain, impurity, rules.min_gain)
        yield "min_impurity_decrease", ~lowers
    if rules.stop_at_zero_gain:
        yield "zero_gain", top.gain <= 0


def _going(stops: Stops) -> Bools:
    """The nodes that nothing stops."""
    return ~reduce(or_, (stopped for _, stopped in stops))


def _reasons(stops: Stops, nodes: int) -> list[str]:
    """The first rule that stops each of so many nodes; '' where none does."""
    out = [""] * nodes
    for name, stopped in stops:
        for j in np.flatnonzero(stopped).tolist():
            out[j] = out[j] or name
    return out


def _full(rules: Rules, tree: Tree) -> bool:
    """Whether there are max_leaf_nodes leaves, or there were before pruning began."""
    most = rules.max_leaf_nodes
    begun = rules.ccp_alpha > 0 and bool(tree.pruned)
    return most is not None and (len(tree.rows) >= most or begun)
