"""Automatic growth: the moves that the rules make, their order, and the stop of each leaf.

A leaf that the rules would still split is open; its stop is ''. The growing order is 'depth' (that
of the recursive algorithm), 'breadth' (level by level) or 'best' (the largest impurity decrease,
n_node/n_total * gain, first). The full tree is grown by `without_stop_rules` of the rules. Where
`ccp_alpha` is above 0, the moves that grow the tree are followed by those that prune it.

In the shapes of arrays, m is the number of nodes searched together.
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
from dtviz.base.lazy import garbage_collector_paused
from dtviz.base.progress import Slices, pause, run_to_end, scaled_progress
from dtviz.data.dataset import Dataset
from dtviz.data.tables import NodePath
from dtviz.engine.chance import log_p_of_best, meets_max_p_value
from dtviz.engine.leaves.node_facts import NodeFacts, compute_facts
from dtviz.engine.multiway import NO_PARTS, Parts, continue_cuts, following_parts, renumber_parts
from dtviz.engine.problem import Problem
from dtviz.engine.prune import prune_at_alpha, weakest_links
from dtviz.engine.rules import Rules, without_stop_rules
from dtviz.engine.search.best_split import BestCuts, divide
from dtviz.engine.search.frontier import (
    Frontier,
    children,
    children_of_entries,
    frontier,
    keep_first_ordering,
    keep_nodes,
    root_frontier,
)
from dtviz.engine.splits import Split, count_sides, cut_depth, goes_left, is_later_part, next_part
from dtviz.engine.splits.split import ALL_ZERO, FEW_ROWS, LITTLE_WEIGHT, MANY_BRANCHES, NO_CUT
from dtviz.engine.splitter import Splitter, resolve_missing
from dtviz.engine.subtrees import (
    Nodes,
    count_whole_cuts,
    decrease_ranks,
    drop_splits,
    growing_key,
    grown_nodes,
    meets_min_gain,
    meets_purity,
    nodes_of,
    sort_in_growing_order,
)
from dtviz.engine.table_search import TableSearch, path_of, table_search, with_own_search
from dtviz.engine.tree import (
    Collapse,
    Grow,
    GrownLevel,
    Growth,
    Log,
    Move,
    Tree,
    ancestors,
    depth,
    extend,
    extend_by_growth,
    is_in_subtree,
    preorder_key,
    replay,
    root_tree,
    weighted_decrease,
)


def could_make(problem: Problem, log: Log, move: Move) -> bool:
    """False if the rules certainly do not make the move after the log.

    The split must be the best of its node, for which only the node's rows are searched; a Collapse
    needs rules that prune. True is not certain: stops and the growing order are not checked.
    """
    if isinstance(move, Collapse):
        return problem.rules.ccp_alpha > 0
    if problem.data.source is not None:
        return True  # its rows are not here to be searched
    rows = _node_rows(problem, splits_after(log), move.node)
    if not len(rows):
        return False
    best = Splitter(problem).best(frontier(problem.table, [rows]))
    return best.grade[0] != NO_CUT and best.split(0, problem.projections) == move.split


def splits_after(log: Log) -> dict[int, Split]:
    """Splits by node id after the moves of the log, which are not checked."""
    splits: dict[int, Split] = {}
    for move in log:
        match move:
            case Grow(node, split):
                part: Split | None = split
                while part is not None:
                    splits[node] = part
                    node, part = 2 * node + 1, next_part(part)
            case Collapse(collapsed):
                for node in [node for node in splits if is_in_subtree(node, collapsed)]:
                    del splits[node]
    return splits


def _node_rows(problem: Problem, splits: dict[int, Split], node: int) -> Ints:
    """Row ids of a leaf of the tree with these splits; none where the node is no leaf of it."""
    data = problem.data
    row_ids = np.arange(0 if node in splits else data.n)
    for parent, child in pairwise((*ancestors(node), node)):
        if parent not in splits:
            return row_ids[:0]
        left_mask = goes_left(
            resolve_missing(problem, row_ids, splits[parent]), data.columns, row_ids
        )
        row_ids = row_ids[left_mask if child % 2 == 0 else ~left_mask]  # left children are even
    return row_ids


MAX_TABLE_DEPTH = 12
"""Depth of the full tree of a table that stays in its engine: without a limit, the tree of millions
of rows with noise has millions of nodes."""
STOPS = (
    "",
    "pure",
    "purity",
    "min_samples_split",
    "max_depth",
    "constant",
    "many_branches",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "above_zero",
    "min_gain",
    "min_impurity_decrease",
    "zero_gain",
    "max_p_value",
    "max_leaf_nodes",
    "pruned",
)
"""Names of the stops, '' for an open leaf."""
Stops = Iterator[tuple[str, Bools]]
"""Names of rules, each with the mask of the nodes that it stops, (m,); a node's stop is the first
rule that stops it."""


def pure_children(data: Dataset, front: Frontier, child: Ints, sizes: Ints) -> Bools:
    """Mask of the children whose rows all have the same target, (2 m,).

    `child` and `sizes` are those of `children_of_entries`. Each row is compared with one row of its
    child.
    """
    # where all targets differ, only a single row is pure
    if front.entries is None and _all_differ(data):
        return sizes <= 1
    m, y = len(front.sizes), data.y.take(front.rows[0])
    child_target = np.zeros(2 * m, y.dtype)
    child_target[child] = y  # the target of one row of each child: of its last one
    mixed = np.zeros(2 * m, np.bool_)
    mixed[child.compress(y != child_target.take(child))] = True
    return ~mixed


@lru_cache(maxsize=4)
def _all_differ(data: Dataset) -> bool:
    """True if no two rows have the same number as target."""
    if data.classes:
        return False
    y = np.sort(data.y)
    return bool((y[1:] > y[:-1]).all())


def majority_share(data: Dataset, node_facts: NodeFacts) -> Floats | None:
    """Share of each node's majority class, (m,); None for a numeric target."""
    return node_facts.share if data.classes else None


def stops_before_search(
    rules: Rules, depths: Ints | None, n: Ints, pure: Bools, share: Floats | None
) -> Stops:
    """Stops that are known before the candidates of the nodes are searched.

    `n` counts the rows of each node. `depths` may be None without a `max_depth`. `share` is the
    share of the majority class; None skips the rule `purity`.
    """
    yield "pure", pure
    if share is not None:
        yield "purity", meets_purity(share, rules.purity)
    yield "min_samples_split", n < rules.min_samples_split
    if rules.max_depth is not None and depths is not None:
        yield "max_depth", depths >= rules.max_depth


def stops_after_search(
    rules: Rules,
    best: BestCuts,
    impurity: Floats | None,
    weight: float,
    log_p: Floats | None = None,
) -> Stops:
    """Stops that depend on the best split of each node; `weight` is that of all rows of the tree.

    `impurity` may be None without a `min_gain` and a `min_impurity_decrease`; `log_p`, the result
    of `log_p_of_best`, without a `max_p_value`.
    """
    yield "constant", best.grade == NO_CUT
    yield "many_branches", best.grade == MANY_BRANCHES
    yield "min_samples_leaf", best.grade == FEW_ROWS
    yield "min_weight_fraction_leaf", best.grade == LITTLE_WEIGHT
    yield "above_zero", best.grade == ALL_ZERO
    yield from _gain_stops(rules, best, impurity, weight, log_p)


def nodes_to_split(
    rules: Rules,
    best: BestCuts,
    impurity: Floats | None,
    weight: float,
    log_p: Floats | None = None,
) -> Bools:
    """Mask of the nodes that `stops_after_search` would not stop: their best cut gains enough."""
    split_mask = best.cut >= 0
    for _, stopped in _gain_stops(rules, best, impurity, weight, log_p):
        split_mask &= ~stopped
    return split_mask


def _gain_stops(
    rules: Rules, best: BestCuts, impurity: Floats | None, weight: float, log_p: Floats | None
) -> Stops:
    """Stops by the gain of the best split of each node, or by its p-value."""
    if impurity is not None:
        share = best.weight / weight
        decrease, risk = best.gain * share, impurity * share
        yield "min_gain", ~meets_min_gain(best.gain, impurity, rules.min_gain)
        decreases_enough = meets_min_gain(decrease, risk, rules.min_impurity_decrease)
        yield "min_impurity_decrease", ~decreases_enough
    if rules.stop_at_zero_gain:
        yield "zero_gain", best.gain <= 0
    if log_p is not None:
        yield "max_p_value", ~meets_max_p_value(log_p, rules.max_p_value)


def log_p_if_needed(problem: Problem, front: Frontier, best: BestCuts) -> Floats | None:
    """The result of `log_p_of_best` if the rules have a `max_p_value`, else None."""
    return log_p_of_best(problem, front, best) if problem.rules.max_p_value < 1 else None


def open_nodes(stops: Stops) -> Bools:
    """Mask of the nodes that no rule stops, (m,)."""
    return ~reduce(or_, (stopped for _, stopped in stops))


def stop_names(stops: Stops, n_nodes: int) -> list[str]:
    """Name of the first rule that stops each node; '' for an open node."""
    out = [""] * n_nodes
    for name, stopped in stops:
        for index in np.flatnonzero(stopped).tolist():
            out[index] = out[index] or name
    return out


NO_DECISIONS: Mapping[int, Decision] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Decision:
    """The stop of a leaf, or the split that the rules would make there."""

    stop: str  # one of STOPS, '' for an open leaf
    split: Split | None  # None for a leaf that stops
    decrease: float  # impurity decrease of the split in the whole tree; 0 for a leaf that stops


def decide(problem: Problem, tree: Tree, leaves: Sequence[int]) -> dict[int, Decision]:
    """Decisions by leaf, searched in one pass over all the leaves."""
    if not leaves:
        return {}
    rules = problem.counted_rules
    node_facts, best, log_p = _facts_and_best(problem, tree, leaves)
    share = majority_share(problem.data, node_facts)
    stops_before = stops_before_search(
        rules, _depths(rules, tree, leaves), node_facts.n, node_facts.pure, share
    )
    stops_after = stops_after_search(rules, best, node_facts.impurity, problem.weight, log_p)
    names = stop_names(chain(stops_before, stops_after), len(leaves))
    out = {}
    for index, leaf in enumerate(leaves):
        stop = "pruned" if leaf in tree.pruned else names[index]
        split = best.split(index, problem.projections) if not stop else None
        impurity_decrease = (
            weighted_decrease(tree, leaf, float(best.gain[index])) if not stop else 0.0
        )
        out[leaf] = Decision(stop, split, impurity_decrease)
    return out


def _facts_and_best(
    problem: Problem, tree: Tree, leaves: Sequence[int]
) -> tuple[NodeFacts, BestCuts, Floats | None]:
    """Facts, best splits and p-values, see `log_p_if_needed`, of leaves.

    They come from the rows in memory or from the counts of a table.
    """
    if problem.data.source is None:
        front = frontier(problem.table, [tree.rows[leaf] for leaf in leaves])
        node_facts = compute_facts(problem.data, front, problem.criterion)
        best = Splitter(problem).best(front)
        return node_facts, best, log_p_if_needed(problem, front, best)
    search = table_search(problem)
    paths = [path_of(tree.splits, leaf) for leaf in leaves]
    search.search(_level_paths(problem, search, tree, leaves))
    is_open = _open_paths(problem, search, paths)
    return search.facts(paths), search.best_cuts(paths, is_open), None


def search_table_in_slices(problem: Problem, tree: Tree) -> Slices[None]:
    """Search the leaves of a tree on a table, so that `decide` finds the answers known."""
    search = table_search(problem)
    yield from search.search_in_slices(_level_paths(problem, search, tree, [*tree.rows]))


def _open_paths(problem: Problem, search: TableSearch, paths: Sequence[NodePath]) -> Bools:
    """Mask of the nodes of a table that no rule stops before they are searched, (m,)."""
    facts, depths = search.facts(paths), np.array([len(path) for path in paths])
    share = majority_share(problem.data, facts)
    rules = problem.counted_rules
    return open_nodes(stops_before_search(rules, depths, facts.n, facts.pure, share))


def _level_paths(
    problem: Problem, search: TableSearch, tree: Tree, leaves: Sequence[int]
) -> list[NodePath]:
    """Paths of the open nodes that the rules reach at the depths of these leaves.

    To search one node of a table takes as long as to search its whole level.
    """
    wanted = {depth(leaf) for leaf in leaves}
    reached: dict[NodePath, None] = {}
    others = [path_of(tree.splits, leaf) for leaf in tree.rows if leaf not in tree.pruned]
    while others:
        others = list(compress(others, _open_paths(problem, search, others).tolist()))
        reached |= dict.fromkeys(path for path in others if len(path) in wanted)
        others = [
            (*path, side)
            for path in others
            if len(path) < max(wanted)
            for side in search.sides_of_best(path)
        ]
    return list(reached)


def decide_all(
    problem: Problem, tree: Tree, decisions: Mapping[int, Decision] = NO_DECISIONS
) -> dict[int, Decision]:
    """Decisions on all leaves of the tree, from left to right.

    Leaves in `decisions` are not searched again. The decisions given must be on the same rows by
    the same rules, and none may have the stop 'max_leaf_nodes', which depends on the whole tree.
    """
    leaves = sorted(tree.rows, key=preorder_key)
    searched = decide(problem, tree, [leaf for leaf in leaves if leaf not in decisions])
    out = {leaf: (decisions if leaf in decisions else searched)[leaf] for leaf in leaves}
    if not _is_full(problem.rules, tree) and not _is_blocked(problem, tree, out):
        return out
    limit_reached = Decision("max_leaf_nodes", None, 0.0)
    return {leaf: decision if decision.stop else limit_reached for leaf, decision in out.items()}


def moves(problem: Problem, tree: Tree) -> Iterator[tuple[Move, Tree]]:
    """Generate the automatic moves that follow this tree, each with the tree after it."""
    rules = problem.rules
    decisions: dict[int, Decision] = {}
    while not _is_full(rules, tree):
        pause()
        move = _next_move(problem, tree, decisions)
        if move is None:
            break
        tree = extend(problem, tree, move)
        yield move, tree
    for prune in _pruning_moves(rules, tree):
        tree = extend(problem, tree, prune)
        yield prune, tree


def next_move(
    problem: Problem, tree: Tree, decisions: Mapping[int, Decision] = NO_DECISIONS
) -> Move | None:
    """The next automatic move, or None at the end; leaves in `decisions` are not searched."""
    rules = problem.rules
    move = None if _is_full(rules, tree) else _next_move(problem, tree, dict(decisions))
    return next(_pruning_moves(rules, tree), None) if move is None else move


def _next_move(problem: Problem, tree: Tree, decisions: dict[int, Decision]) -> Move | None:
    """The next move that grows the tree, or None; new decisions are added to `decisions`.

    Leaves are searched one at a time until one is open. The order 'best' searches all of them.
    """
    rules = problem.rules
    leaves = sorted(tree.rows, key=growing_key(tree, rules.growing_order))
    if rules.growing_order == "best":
        decisions.update(decide(problem, tree, [leaf for leaf in leaves if leaf not in decisions]))
        leaves = [leaf for leaf in leaves if decisions[leaf].split is not None]
        decreases = {leaf: decisions[leaf].decrease for leaf in leaves}
        leaves.sort(key=decrease_ranks(tree, decreases).__getitem__)
    for leaf in leaves:
        if leaf not in decisions:
            decisions.update(decide(problem, tree, [leaf]))
        split = decisions[leaf].split
        if split is not None:
            return Grow(leaf, split) if _has_room(rules, tree, split) else None
    return None


def _is_blocked(problem: Problem, tree: Tree, decisions: dict[int, Decision]) -> bool:
    """True if the next cut has more branches than `max_leaf_nodes` allows leaves."""
    is_open = any(decision.split is not None for decision in decisions.values())
    has_limit = problem.has_multiway and problem.rules.max_leaf_nodes is not None
    return has_limit and is_open and _next_move(problem, tree, decisions) is None


def _has_room(rules: Rules, tree: Tree, split: Split) -> bool:
    """False if a multi-way cut has more branches than `max_leaf_nodes` allows leaves."""
    n_more = count_sides(split) - 1
    return rules.max_leaf_nodes is None or len(tree.rows) + n_more <= rules.max_leaf_nodes


def finish(problem: Problem, tree: Tree) -> tuple[Log, Tree]:
    """All automatic moves that follow this tree, in the rules' order, and the tree after them."""
    make_log, grown = finish_lazily(problem, tree)
    return make_log(), grown


@garbage_collector_paused()
def finish_lazily(problem: Problem, tree: Tree) -> tuple[Callable[[], Log], Tree]:
    """A function that returns the log of `finish`, and the tree after that log."""
    return run_to_end(finish_in_slices(problem, tree))


def finish_in_slices(problem: Problem, tree: Tree) -> Slices[tuple[Callable[[], Log], Tree]]:
    """Do what `finish_lazily` does, in slices; yields the share of the rows in leaves that stop.

    Whole levels are searched at once. Only `max_leaf_nodes` needs the order of the moves to make
    the tree; otherwise the function sorts them, which takes long, when it is called.
    """
    rules = problem.rules
    grown, split_ids, max_leaves = tree, list[int](), rules.max_leaf_nodes
    limited_order: Sequence[int] | None = None
    if not _is_full(rules, tree):
        max_splits = None if max_leaves is None else max_leaves - len(tree.rows)
        # in every order a split comes after its ancestors: deeper levels are beyond the limit
        if problem.data.source is None:
            grown, growth = yield from _grow_levels(problem, tree, max_splits)
            split_ids = growth.split_ids
        else:
            grown, split_ids = yield from _grow_table_levels(problem, tree, max_splits)
        if max_splits is not None:
            grown, limited_order = _first_splits(rules, grown, split_ids, max_splits)
    prunes = tuple(_pruning_moves(rules, grown))
    tree = _collapse(grown, prunes) if prunes else grown

    @garbage_collector_paused()
    def make_log() -> Log:
        order = (
            sort_in_growing_order(grown, split_ids, rules.growing_order)
            if limited_order is None
            else limited_order
        )
        pairs = ((node, grown.splits[node]) for node in order)
        grows = (Grow(*pair) for pair in pairs if not is_later_part(pair[1]))
        return (*grows, *prunes)

    return make_log, tree


@garbage_collector_paused()
def full_tree(problem: Problem) -> Nodes:
    """The full tree: grown without the rules that only stop growth.

    That of a table in its engine ends at MAX_TABLE_DEPTH.
    """
    return run_to_end(full_tree_in_slices(problem))


def full_tree_in_slices(problem: Problem, max_depth: int | None = None) -> Slices[Nodes]:
    """Grow the full tree level by level; yields the share done.

    `max_depth` is the depth below which no subtree of it will be asked for; on a table each level
    takes long.
    """
    problem = Problem(problem.data, without_stop_rules(problem.rules))
    if problem.data.source is not None:
        problem = with_own_search(problem)
        n_levels = min(MAX_TABLE_DEPTH, MAX_TABLE_DEPTH if max_depth is None else max_depth)
        tree, _ = yield from _grow_table_levels(problem, root_tree(problem), n_levels)
        return nodes_of(tree)
    tree, growth = yield from _grow_levels(problem, root_tree(problem), None)
    with garbage_collector_paused():
        return grown_nodes(problem, tree, growth)


def _first_splits(
    rules: Rules, grown: Tree, split_ids: Sequence[int], max_splits: int
) -> tuple[Tree, Sequence[int] | None]:
    """The tree with the first `max_splits` of its new splits `split_ids`, and these in order.

    The order is None where all of the splits stay.
    """
    if len(split_ids) <= max_splits:
        return grown, None
    order = sort_in_growing_order(grown, split_ids, rules.growing_order)
    n_kept = count_whole_cuts(grown, order, max_splits)
    return drop_splits(grown, order[n_kept:]), order[:n_kept]


def limit_tree(rules: Rules, grown: Tree) -> Tree:
    """Prune a tree that was grown without `max_leaf_nodes` and `ccp_alpha` to obey these rules."""
    tree = grown
    if rules.max_leaf_nodes is not None:
        tree, _ = _first_splits(rules, grown, list(grown.splits), rules.max_leaf_nodes - 1)
    prunes = tuple(_pruning_moves(rules, tree))
    return _collapse(tree, prunes) if prunes else tree


def _pruning_moves(rules: Rules, tree: Tree) -> Iterator[Collapse]:
    """The moves that prune the tree at the rules' `ccp_alpha`, the weakest link first."""
    if not rules.ccp_alpha:
        return
    nodes = nodes_of(tree)
    kept_mask = prune_at_alpha(nodes, nodes.is_split, rules.ccp_alpha)
    for link in weakest_links(nodes, nodes.is_split):
        if kept_mask[link.index]:
            return
        yield Collapse(nodes.ids[link.index])


def _collapse(grown: Tree, prunes: Log) -> Tree:
    """The tree after the moves, which are all of the type Collapse."""
    collapsed = {move.node for move in prunes}
    topmost = {
        node for node in collapsed if not any(above in collapsed for above in ancestors(node))
    }
    below = [node for node in grown.splits if topmost.intersection((*ancestors(node), node))]
    tree = drop_splits(grown, below)
    return replace(tree, pruned=tree.pruned.intersection(tree.rows) | topmost)


def _grow_levels(
    problem: Problem, tree: Tree, max_levels: int | None
) -> Slices[tuple[Tree, Growth]]:
    """Grow the tree until every leaf stops, by about `max_levels` levels; pruned leaves stay.

    Yields the share of the rows that are in leaves that stop.
    """
    data = problem.data
    ids = [leaf for leaf in tree.rows if leaf not in tree.pruned]
    levels: list[GrownLevel] = []
    if not ids:
        return tree, Growth(ids, levels)
    table, is_root, rules = problem.table, not tree.splits, problem.counted_rules
    front = root_frontier(table) if is_root else frontier(table, [tree.rows[leaf] for leaf in ids])
    depths, node_facts = _depths(rules, tree, ids), compute_facts(data, front, problem.criterion)
    share = majority_share(data, node_facts)
    open_mask = open_nodes(stops_before_search(rules, depths, node_facts.n, node_facts.pure, share))
    if not open_mask.all():
        ids, front = list(compress(ids, open_mask.tolist())), keep_nodes(front, open_mask)
        depths = None if depths is None else depths[open_mask]
    growth, open_front = Growth(ids, levels), front if ids else None
    splitter, parts = Splitter(problem), NO_PARTS
    # the last parts of a cut may lie below the levels asked for
    while open_front is not None and (max_levels is None or len(levels) < max_levels or parts):
        yield 1 - open_front.rows.shape[1] / data.n
        level, open_front, depths, parts = _split_level(splitter, open_front, depths, parts)
        levels += [level] if level else []
    return extend_by_growth(problem, tree, growth), growth


def _grow_table_levels(
    problem: Problem, tree: Tree, max_levels: int | None
) -> Slices[tuple[Tree, list[int]]]:
    """Grow a tree on a table until every leaf stops, by at most `max_levels` levels.

    Returns the tree and the ids of the nodes that were split; yields the share of the levels, or
    without a limit the share of the rows that are in leaves that stop.
    """
    leaves, split_ids, n_levels = [leaf for leaf in tree.rows if leaf not in tree.pruned], [], 0
    search = table_search(problem)
    while leaves and n_levels != max_levels:
        done = 1 - sum(tree.nodes[leaf].n for leaf in leaves) / problem.data.n_grown
        low, high = (
            (done, done) if max_levels is None else ((n_levels + k) / max_levels for k in (0, 1))
        )
        yield low
        searched = search.search_in_slices(_level_paths(problem, search, tree, leaves))
        yield from scaled_progress(searched, low, high)
        decisions = decide(problem, tree, leaves)
        moves = [Grow(leaf, d.split) for leaf, d in decisions.items() if d.split is not None]
        tree, error = replay(problem, tree, tuple(moves))
        assert error is None
        split_ids += [move.node for move in moves]
        leaves = [child for move in moves for child in (2 * move.node, 2 * move.node + 1)]
        n_levels += 1
    return tree, split_ids


def _split_level(
    splitter: Splitter, front: Frontier, depths: Ints | None, parts: Parts
) -> tuple[GrownLevel | None, Frontier | None, Ints | None, Parts]:
    """Split the nodes that the rules split; return the level, its open children, and their depths.

    `depths`, (m,), are those of the nodes. Depths are None without a `max_depth`. The level is None
    where no node is split, and the children are None where none is open. `parts` are splits that
    nodes must have, and those that open children must have are returned last.
    """
    problem = splitter.problem
    data, rules, criterion = problem.data, problem.counted_rules, problem.criterion
    best = splitter.best(front)
    needs_impurity = rules.min_gain or rules.min_impurity_decrease
    impurity = compute_facts(data, front, criterion).impurity if needs_impurity else None
    log_p = log_p_if_needed(problem, front, best)
    split_mask = nodes_to_split(rules, best, impurity, problem.weight, log_p)
    best = continue_cuts(best, parts)
    split_mask[[*parts]] = True
    if not split_mask.any():
        return None, None, None, NO_PARTS
    child_parts = following_parts(best, split_mask)
    left_mask = divide(problem.table, front, best, data)
    child, sizes = children_of_entries(front, left_mask)
    child_mask, first_order = np.concatenate([split_mask, split_mask]), keep_first_ordering(front)
    if depths is not None:
        depths = np.tile(depths[split_mask] + 1, 2)
        depths[[*child_parts]] -= 1  # all parts of a cut have one depth
    pure, share = pure_children(data, front, child, sizes)[child_mask], None
    # an impurity with `take_rows` depends on more than the targets, such as a linear model's: a
    # node may be pure for it though its targets differ
    if criterion.impurity.take_rows is not None or rules.purity < 1:
        node_facts = compute_facts(data, children(first_order, child, sizes, child_mask), criterion)
        pure = node_facts.pure
        share = majority_share(data, node_facts) if rules.purity < 1 else None
    open_mask = open_nodes(stops_before_search(rules, depths, sizes[child_mask], pure, share))
    open_mask[[*child_parts]] = True
    level = GrownLevel(
        best,
        split_mask,
        first_order,
        left_mask,
        splitter.missing_go_to_left(best, sizes),
        open_mask,
    )
    if not open_mask.any():
        return level, None, None, NO_PARTS
    child_mask[child_mask] = open_mask
    return (
        level,
        children(front, child, sizes, child_mask),
        None if depths is None else depths[open_mask],
        renumber_parts(child_parts, open_mask),
    )


def _depths(rules: Rules, tree: Tree, ids: Sequence[int]) -> Ints | None:
    """Numbers of cuts above the nodes, (m,); None without a `max_depth`."""
    if rules.max_depth is None:
        return None
    return np.array([cut_depth(tree.splits, node) for node in ids], int)


def _is_full(rules: Rules, tree: Tree) -> bool:
    """True if the tree has `max_leaf_nodes` leaves, or is being pruned by `ccp_alpha` already.

    A tree that is pruned has lost leaves, and must not grow others in their place.
    """
    max_leaves = rules.max_leaf_nodes
    is_pruning = rules.ccp_alpha > 0 and bool(tree.pruned)
    return max_leaves is not None and (len(tree.rows) >= max_leaves or is_pruning)
