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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import chain, compress, pairwise
from operator import or_
from types import MappingProxyType

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.lazy import uncollected
from dtviz.base.progress import Slices, finished, pause
from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.node_facts import Facts, facts
from dtviz.engine.levelwise import Growth, Level, grown_by
from dtviz.engine.problem import Problem
from dtviz.engine.prune import pruned, weakest_links
from dtviz.engine.rules import Rules, cutting
from dtviz.engine.search.best_split import Best, divide
from dtviz.engine.search.frontier import (
    Frontier,
    children,
    first_feature,
    frontier,
    parted,
    restrict,
    root_frontier,
)
from dtviz.engine.search.minimum import ALL_ZERO, FEW_ROWS, LITTLE_WEIGHT, NO_CUT
from dtviz.engine.splits import Split, goes_left
from dtviz.engine.splitter import Splitter, settled
from dtviz.engine.subtrees import (
    Nodes,
    gains_enough,
    grown_nodes,
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
    is_below,
    preorder,
    stump,
)


def could_make(problem: Problem, log: Log, move: Move) -> bool:
    """Whether the rules could make the move after the log, whichever node is next; no is certain.

    Only the rows of its node are searched, by what `finish` searches all leaves by.
    """
    if isinstance(move, Collapse):
        return problem.rules.ccp_alpha > 0
    rows = _rows(problem, splits_after(log), move.node)
    if not len(rows):
        return False
    top = Splitter(problem).best(frontier(problem.table, [rows]))
    return top.grade[0] != NO_CUT and top.split(0, problem.projections) == move.split


def splits_after(log: Log) -> dict[int, Split]:
    """The splits by node that are left after the log, taken as it says them."""
    splits: dict[int, Split] = {}
    for move in log:
        match move:
            case Grow(node, split):
                splits[node] = split
            case Collapse(top):
                for node in [node for node in splits if is_below(node, top)]:
                    del splits[node]
    return splits


def _rows(problem: Problem, splits: dict[int, Split], node: int) -> Ints:
    """The rows of a node below these splits; none where it is no leaf of theirs."""
    data = problem.data
    rows = np.arange(0 if node in splits else data.n)
    for above, child in pairwise((*ancestors(node), node)):
        if above not in splits:
            return rows[:0]
        left = goes_left(settled(problem, rows, splits[above]), data.columns, rows)
        rows = rows[left if child % 2 == 0 else ~left]
    return rows


STOPS = (
    "",
    "pure",
    "purity",
    "min_samples_split",
    "max_depth",
    "constant",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "above_zero",
    "min_gain",
    "min_impurity_decrease",
    "zero_gain",
    "max_leaf_nodes",
    "pruned",
)
Stops = Iterator[tuple[str, Bools]]
"""Rules with the nodes that each stops, (m,): the first that holds is the reason."""


def pure_children(data: Dataset, front: Frontier, child: Ints, sizes: Ints) -> Bools:
    """Whether the rows of each child have one target, (2 m,): see `parted`.

    Each row is compared with any one of its own child; where all targets differ, only one row is
    pure.
    """
    if front.entries is None and _all_differ(data):
        return sizes <= 1
    m, y = len(front.sizes), data.y.take(front.rows[0])
    one = np.zeros(2 * m, y.dtype)
    one[child] = y
    mixed = np.zeros(2 * m, np.bool_)
    mixed[child.compress(y != one.take(child))] = True
    return ~mixed


@lru_cache(maxsize=4)
def _all_differ(data: Dataset) -> bool:
    """Whether the target is another number in every row."""
    if data.classes:
        return False
    y = np.sort(data.y)
    return bool((y[1:] > y[:-1]).all())


def majority(data: Dataset, known: Facts) -> Floats | None:
    """The share of each node's majority class; numbers have none."""
    return known.share if data.classes else None


def before_search(
    rules: Rules, depths: Ints | None, n: Ints, pure: Bools, share: Floats | None
) -> Stops:
    """Which nodes stop by what needs no look at their cuts.

    `depths` matter where there is a `max_depth`; `share` is that of the most frequent class, where
    there are classes and it matters.
    """
    yield "pure", pure
    if share is not None:
        yield "purity", pure_enough(share, rules.purity)
    yield "min_samples_split", n < rules.min_samples_split
    if rules.max_depth is not None and depths is not None:
        yield "max_depth", depths >= rules.max_depth


def after_search(rules: Rules, top: Best, impurity: Floats | None, weight: float) -> Stops:
    """Which nodes stop by their best cut; `weight` is that of all rows of their tree.

    Impurities matter where there is a `min_gain` or a `min_impurity_decrease`.
    """
    yield "constant", top.grade == NO_CUT
    yield "min_samples_leaf", top.grade == FEW_ROWS
    yield "min_weight_fraction_leaf", top.grade == LITTLE_WEIGHT
    yield "above_zero", top.grade == ALL_ZERO
    yield from _too_little(rules, top, impurity, weight)


def chosen_to_split(rules: Rules, top: Best, impurity: Floats | None, weight: float) -> Bools:
    """The nodes that none of those stops: they have an admissible cut, and it gains enough."""
    chosen = top.cut >= 0
    for _, stopped in _too_little(rules, top, impurity, weight):
        chosen &= ~stopped
    return chosen


def _too_little(rules: Rules, top: Best, impurity: Floats | None, weight: float) -> Stops:
    """Which nodes stop by what their best cut gains."""
    if impurity is not None:
        share = top.weight / weight
        lowers = gains_enough(top.gain * share, impurity * share, rules.min_impurity_decrease)
        yield "min_gain", ~gains_enough(top.gain, impurity, rules.min_gain)
        yield "min_impurity_decrease", ~lowers
    if rules.stop_at_zero_gain:
        yield "zero_gain", top.gain <= 0


def unstopped(stops: Stops) -> Bools:
    """The nodes that nothing stops."""
    return ~reduce(or_, (stopped for _, stopped in stops))


def reasons(stops: Stops, nodes: int) -> list[str]:
    """The first rule that stops each of so many nodes; '' where none does."""
    out = [""] * nodes
    for name, stopped in stops:
        for j in np.flatnonzero(stopped).tolist():
            out[j] = out[j] or name
    return out


NOTHING_KNOWN: Mapping[int, Decision] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rules say of one leaf: why it stops, or the split they would make."""

    stop: str
    split: Split | None
    decrease: float


def decide(problem: Problem, tree: Tree, leaves: Sequence[int]) -> dict[int, Decision]:
    """The decision on each of the leaves, by one scan over all of them."""
    if not leaves:
        return {}
    rules = problem.counted_rules
    front = frontier(problem.table, [tree.rows[leaf] for leaf in leaves])
    known = facts(problem.data, front, problem.criterion)
    share = majority(problem.data, known)
    before = before_search(rules, _depths(rules, leaves), known.n, known.pure, share)
    top = Splitter(problem).best(front)
    after = after_search(rules, top, known.impurity, problem.weight)
    stops = reasons(chain(before, after), len(leaves))
    out = {}
    for j, leaf in enumerate(leaves):
        stop = "pruned" if leaf in tree.pruned else stops[j]
        split = top.split(j, problem.projections) if not stop else None
        gained = decrease(tree, leaf, float(top.gain[j])) if not stop else 0.0
        out[leaf] = Decision(stop, split, gained)
    return out


def status(
    problem: Problem, tree: Tree, known: Mapping[int, Decision] = NOTHING_KNOWN
) -> dict[int, Decision]:
    """The decision on every leaf of the tree, from left to right; those `known` are not searched.

    Known are decisions on the same rows by the same rules, none of them that the tree is full.
    """
    leaves = sorted(tree.rows, key=preorder)
    fresh = decide(problem, tree, [leaf for leaf in leaves if leaf not in known])
    found = {leaf: known[leaf] if leaf in known else fresh[leaf] for leaf in leaves}
    if not _full(problem.rules, tree):
        return found
    closed = Decision("max_leaf_nodes", None, 0.0)
    return {leaf: decision if decision.stop else closed for leaf, decision in found.items()}


def moves(problem: Problem, tree: Tree) -> Iterator[tuple[Move, Tree]]:
    """The automatic moves from here on, one at a time, each with the tree after it (lazy)."""
    rules = problem.rules
    known: dict[int, Decision] = {}
    while not _full(rules, tree):
        pause()
        move = _next_move(problem, tree, known)
        if move is None:
            break
        tree = extend(problem, tree, move)
        yield move, tree
    for prune in _prunes(rules, tree):
        tree = extend(problem, tree, prune)
        yield prune, tree


def next_move(
    problem: Problem, tree: Tree, decisions: Mapping[int, Decision] = NOTHING_KNOWN
) -> Move | None:
    """The move the rules make next, or None at the end; leaves with `decisions` are not searched.

    The tree after that move is not made.
    """
    rules = problem.rules
    move = None if _full(rules, tree) else _next_move(problem, tree, dict(decisions))
    return next(_prunes(rules, tree), None) if move is None else move


def _next_move(problem: Problem, tree: Tree, known: dict[int, Decision]) -> Move | None:
    """Look only as far as the order needs: at one leaf at a time unless it is best-first."""
    rules = problem.rules
    leaves = sorted(tree.rows, key=preorder if rules.growing_order == "depth" else None)
    if rules.growing_order == "best":
        known.update(decide(problem, tree, [leaf for leaf in leaves if leaf not in known]))
        leaves = [leaf for leaf in leaves if known[leaf].split is not None]
        leaves.sort(key=ranks(tree, {leaf: known[leaf].decrease for leaf in leaves}).__getitem__)
    for leaf in leaves:
        if leaf not in known:
            known.update(decide(problem, tree, [leaf]))
        split = known[leaf].split
        if split is not None:
            return Grow(leaf, split)
    return None


def finish(problem: Problem, tree: Tree) -> tuple[Log, Tree]:
    """All automatic moves from here to the end, in the rules' order, and the tree after them."""
    told, grown = finished_by(problem, tree)
    return told(), grown


@uncollected()
def finished_by(problem: Problem, tree: Tree) -> tuple[Callable[[], Log], Tree]:
    """What tells the moves that `finish` makes, and the tree after them.

    Whole levels are searched at once; the moves are put in order when they are asked for, or where
    the tail beyond `max_leaf_nodes` is dropped.
    """
    rules = problem.rules
    grown, growth, most = tree, Growth((), ()), rules.max_leaf_nodes
    first: Sequence[int] | None = None
    if not _full(rules, tree):
        spare = None if most is None else most - len(tree.rows)
        grown, growth = finished(_grow_levels(problem, tree, spare))
        if spare is not None:
            grown, first = _first_of(rules, grown, growth.split, spare)
    prunes = tuple(_prunes(rules, grown))
    tree = _pruned(grown, prunes) if prunes else grown

    @uncollected()
    def told() -> Log:
        order = in_order(grown, growth.split, rules.growing_order) if first is None else first
        return (*map(Grow, order, map(grown.splits.__getitem__, order)), *prunes)

    return told, tree


@uncollected()
def whole(problem: Problem) -> Nodes:
    """The tree that `cutting` rules alone grow; it holds that of all other rules."""
    return finished(whole_in_slices(problem))


def whole_in_slices(problem: Problem) -> Slices[Nodes]:
    """The tree that `whole` grows, a level at a time."""
    problem = Problem(problem.data, cutting(problem.rules))
    tree, growth = yield from _grow_levels(problem, stump(problem), None)
    with uncollected():
        return grown_nodes(problem, tree, growth)


def _first_of(
    rules: Rules, grown: Tree, new: Sequence[int], spare: int
) -> tuple[Tree, Sequence[int] | None]:
    """The tree with so many of its new splits, the first ones, and these in order; None: all."""
    if len(new) <= spare:
        return grown, None
    order = in_order(grown, new, rules.growing_order)
    return without(grown, order[spare:]), order[:spare]


def limited(rules: Rules, grown: Tree) -> Tree:
    """What `max_leaf_nodes` and `ccp_alpha` leave of a tree that was grown from its root."""
    tree = grown
    if rules.max_leaf_nodes is not None:
        tree, _ = _first_of(rules, grown, list(grown.splits), rules.max_leaf_nodes - 1)
    prunes = tuple(_prunes(rules, tree))
    return _pruned(tree, prunes) if prunes else tree


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


def _grow_levels(problem: Problem, tree: Tree, most: int | None) -> Slices[tuple[Tree, Growth]]:
    """The tree grown until every leaf stops, and how: by at most so many levels.

    The share of the work is that of the rows that lie in leaves.
    """
    data = problem.data
    ids = [leaf for leaf in tree.rows if leaf not in tree.pruned]
    found: list[Level] = []
    if not ids:
        return tree, Growth(ids, found)
    table, bare, rules = problem.table, not tree.splits, problem.counted_rules
    front = root_frontier(table) if bare else frontier(table, [tree.rows[leaf] for leaf in ids])
    depths, known = _depths(rules, ids), facts(data, front, problem.criterion)
    share = majority(data, known)
    going = unstopped(before_search(rules, depths, known.n, known.pure, share))
    if not going.all():
        ids, front = list(compress(ids, going.tolist())), restrict(front, going)
        depths = None if depths is None else depths[going]
    growth, open_ = Growth(ids, found), front if ids else None
    splitter = Splitter(problem)
    while open_ is not None and len(found) != most:
        yield 1 - open_.rows.shape[1] / data.n
        level, open_, depths = _one_level(splitter, open_, depths)
        found += [level] if level else []
    return grown_by(problem, tree, growth), growth


def _one_level(
    splitter: Splitter, front: Frontier, depths: Ints | None
) -> tuple[Level | None, Frontier | None, Ints | None]:
    """The level that splits each of the nodes that the rules split, and its open children, if any.

    The `depths` of the nodes, (m,), and of these are told where the rules ask for them.
    """
    problem = splitter.problem
    data, rules, criterion = problem.data, problem.counted_rules, problem.criterion
    top = splitter.best(front)
    asked = rules.min_gain or rules.min_impurity_decrease
    impurity = facts(data, front, criterion).impurity if asked else None
    chosen = chosen_to_split(rules, top, impurity, problem.weight)
    if not chosen.any():
        return None, None, None
    left = divide(problem.table, front, top, data)
    child, sizes = parted(front, left)
    made, single = np.concatenate([chosen, chosen]), first_feature(front)
    if depths is not None:
        depths = np.tile(depths[chosen] + 1, 2)
    pure, share = pure_children(data, front, child, sizes)[made], None
    if criterion.impurity.taken is not None or rules.purity < 1:
        known = facts(data, children(single, child, sizes, made), criterion)
        pure = known.pure  # targets may differ, and nothing be left to explain
        share = majority(data, known) if rules.purity < 1 else None
    on = unstopped(before_search(rules, depths, sizes[made], pure, share))
    level = Level(top, chosen, single, left, splitter.lost(top, sizes), on)
    if not on.any():
        return level, None, None
    made[made] = on
    return level, children(front, child, sizes, made), None if depths is None else depths[on]


def _depths(rules: Rules, ids: Sequence[int]) -> Ints | None:
    """The depths of nodes, where the rules ask for them."""
    return None if rules.max_depth is None else np.array([depth(node) for node in ids], np.intp)


def _full(rules: Rules, tree: Tree) -> bool:
    """Whether there are max_leaf_nodes leaves, or there were before pruning began."""
    most = rules.max_leaf_nodes
    begun = rules.ccp_alpha > 0 and bool(tree.pruned)
    return most is not None and (len(tree.rows) >= most or begun)
