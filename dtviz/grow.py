"""Rules in, moves out: which node splits next, at which cut, and why a node stops.

Glossary
    open       a leaf that the rules would still split
    stop       the rule that keeps a leaf from splitting, by name; '' for an open leaf
    order      'depth': as the recursive algorithm; 'breadth': level by level;
               'best': largest impurity decrease n_node/n_total * gain first
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.criteria import Criterion
from dtviz.data import Dataset
from dtviz.leaves import Facts, facts
from dtviz.rules import Rules, criterion_of
from dtviz.search import (
    Best,
    Bools,
    Frontier,
    Ints,
    best,
    children,
    divide,
    first_feature,
    frontier,
    root_frontier,
    scan,
)
from dtviz.splits import Split, axis_split
from dtviz.tree import Grow, Log, Move, Tree, depth, extend, gain, make_nodes, preorder

STOPS = (
    "",
    "pure",
    "purity",
    "min_samples_split",
    "max_depth",
    "constant",
    "min_samples_leaf",
    "min_gain",
    "zero_gain",
    "max_leaf_nodes",
    "pruned",
)
CODE = {name: code for code, name in enumerate(STOPS)}


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rules say of one leaf: why it stops, or the split they would make."""

    stop: str
    split: Split | None
    decrease: float


def decide(data: Dataset, rules: Rules, tree: Tree, leaves: Sequence[int]) -> dict[int, Decision]:
    """The decision on each of the leaves, by one scan over all of them."""
    if not leaves:
        return {}
    criterion = criterion_of(rules, data.task)
    front = frontier(data, [tree.rows[leaf] for leaf in leaves])
    codes = _stops_before_search(rules, facts(data, front, criterion), leaves)
    top = best(scan(data, front, criterion), front, rules.min_samples_leaf)
    codes = np.where(codes == 0, _stops_after_search(rules, top), codes)
    out = {}
    for j, leaf in enumerate(leaves):
        stop = "pruned" if leaf in tree.pruned else STOPS[codes[j]]
        split = axis_split(top.feature[j], top.threshold[j]) if not stop else None
        decrease = float(top.gain[j] * front.sizes[j] / data.n) if not stop else 0.0
        out[leaf] = Decision(stop, split, decrease)
    return out


def status(data: Dataset, rules: Rules, tree: Tree) -> dict[int, Decision]:
    """The decision on every leaf of the tree, from left to right."""
    found = decide(data, rules, tree, sorted(tree.rows, key=preorder))
    if not _full(rules, len(tree.rows)):
        return found
    closed = Decision("max_leaf_nodes", None, 0.0)
    return {leaf: decision if decision.stop else closed for leaf, decision in found.items()}


def moves(data: Dataset, rules: Rules, tree: Tree) -> Iterator[tuple[Move, Tree]]:
    """The automatic moves from here on, one at a time, each with the tree after it (lazy)."""
    criterion = criterion_of(rules, data.task)
    known: dict[int, Decision] = {}
    while not _full(rules, len(tree.rows)):
        move = _next_move(data, rules, tree, known)
        if move is None:
            return
        tree = extend(data, criterion, tree, move)
        yield move, tree


def next_move(data: Dataset, rules: Rules, tree: Tree) -> Move | None:
    """The move the rules make next, or None when every leaf stops."""
    return next((move for move, _ in moves(data, rules, tree)), None)


def _next_move(data: Dataset, rules: Rules, tree: Tree, known: dict[int, Decision]) -> Move | None:
    """Look only as far as the order needs: at one leaf at a time unless it is best-first."""
    leaves = sorted(tree.rows, key=preorder if rules.order == "depth" else None)
    if rules.order == "best":
        known.update(decide(data, rules, tree, [leaf for leaf in leaves if leaf not in known]))
        leaves.sort(key=lambda leaf: _rank(tree, known[leaf].decrease))
    for leaf in leaves:
        if leaf not in known:
            known.update(decide(data, rules, tree, [leaf]))
        split = known[leaf].split
        if split is not None:
            return Grow(leaf, split)
    return None


def finish(data: Dataset, rules: Rules, tree: Tree) -> tuple[Log, Tree]:
    """All automatic moves from here to the end, in the rules' order, and the tree after them.

    Whole levels are searched at once; the moves are then put in order, and the tail beyond
    `max_leaf_nodes` is dropped.
    """
    spare = None if rules.max_leaf_nodes is None else rules.max_leaf_nodes - len(tree.rows)
    if spare is not None and spare <= 0:
        return (), tree
    grown = _grow_levels(data, rules, tree, spare)
    order = _in_order(rules, tree, grown)
    if spare is not None and len(order) > spare:
        grown = _without(grown, order[spare:])
        order = order[:spare]
    return tuple(Grow(node, grown.splits[node]) for node in order), grown


def _grow_levels(data: Dataset, rules: Rules, tree: Tree, levels: int | None) -> Tree:
    """The tree grown until every leaf stops (at most `levels` further levels)."""
    criterion = criterion_of(rules, data.task)
    grown = Tree(dict(tree.nodes), dict(tree.splits), dict(tree.gaps), dict(tree.rows), tree.pruned)
    ids = [leaf for leaf in tree.rows if leaf not in tree.pruned]
    if not ids:
        return grown
    whole = ids == [1] and len(tree.nodes) == 1
    front = root_frontier(data) if whole else frontier(data, [tree.rows[leaf] for leaf in ids])
    going = _stops_before_search(rules, facts(data, front, criterion), ids) == 0
    ids, front = _restrict(ids, front, going)
    while ids and levels != 0:
        ids, front = _one_level(data, rules, criterion, grown, ids, front)
        levels = None if levels is None else levels - 1
    return grown


def _one_level(
    data: Dataset,
    rules: Rules,
    criterion: Criterion,
    grown: Tree,
    ids: list[int],
    front: Frontier,
) -> tuple[list[int], Frontier]:
    """Split each node of the frontier that the rules split; the frontier of the open children."""
    top = best(scan(data, front, criterion), front, rules.min_samples_leaf)
    chosen = _stops_after_search(rules, top) == 0
    if not chosen.any():
        return [], front
    left, n_left = divide(data, front, top)
    parents = [node for node, splits in zip(ids, chosen.tolist(), strict=True) if splits]
    child_ids = [2 * k for k in parents] + [2 * k + 1 for k in parents]
    last = rules.max_depth is not None and all(depth(k) >= rules.max_depth for k in child_ids)
    source = first_feature(front) if last else front
    below = children(source, left, n_left, np.concatenate([chosen, chosen]))
    known = facts(data, below, criterion)
    _record(grown, parents, top, chosen, child_ids, known, below)
    return _restrict(child_ids, below, _stops_before_search(rules, known, child_ids) == 0)


def _record(
    grown: Tree,
    parents: list[int],
    top: Best,
    chosen: Bools,
    child_ids: list[int],
    known: Facts,
    below: Frontier,
) -> None:
    columns = (top.feature, top.threshold, top.lower, top.upper)
    for node, feature, threshold, lower, upper in zip(
        parents, *(column[chosen].tolist() for column in columns), strict=True
    ):
        grown.splits[node] = axis_split(feature, threshold)
        grown.gaps[node] = (lower, upper)
        del grown.rows[node]
    grown.nodes.update(zip(child_ids, make_nodes(child_ids, known), strict=True))
    rows, starts = below.rows[0], below.starts.tolist()
    for child, first, size in zip(child_ids, starts, below.sizes.tolist(), strict=True):
        grown.rows[child] = rows[first : first + size]


def _restrict(ids: list[int], front: Frontier, going: Bools) -> tuple[list[int], Frontier]:
    """The frontier without the nodes that stop."""
    if going.all():
        return ids, front
    inside = np.flatnonzero(np.repeat(going, front.sizes))
    sizes = front.sizes[going]
    kept = Frontier(front.rows.take(inside, axis=1), np.cumsum(sizes) - sizes, sizes)
    return [node for node, goes in zip(ids, going.tolist(), strict=True) if goes], kept


def _stops_before_search(rules: Rules, known: Facts, ids: Sequence[int]) -> NDArray[Any]:
    """The stop code of each node that needs no look at its cuts; 0 where it goes on.

    Written from the last reason to the first, so that the first that holds stays.
    """
    codes = np.zeros(len(ids), np.intp)
    if rules.max_depth is not None:
        deep = [depth(node) >= rules.max_depth for node in ids]
        codes[deep] = CODE["max_depth"]
    codes[known.n < rules.min_samples_split] = CODE["min_samples_split"]
    if known.counts.shape[1]:
        codes[known.share >= rules.purity] = CODE["purity"]
    codes[known.pure] = CODE["pure"]
    return codes


def _stops_after_search(rules: Rules, top: Best) -> NDArray[Any]:
    """The stop code of each node by its best cut; 0 where it is split."""
    codes = np.zeros(len(top.cut), np.intp)
    if rules.stop_at_zero_gain:
        codes[top.gain <= 0] = CODE["zero_gain"]
    codes[top.gain < rules.min_gain] = CODE["min_gain"]
    codes[top.cut < 0] = CODE["min_samples_leaf"]
    codes[~top.any_cut] = CODE["constant"]
    return codes


def _full(rules: Rules, leaves: int) -> bool:
    return rules.max_leaf_nodes is not None and leaves >= rules.max_leaf_nodes


def _in_order(rules: Rules, tree: Tree, grown: Tree) -> list[int]:
    """The nodes split since `tree`, in the order the rules would have split them."""
    new = [node for node in grown.splits if node not in tree.splits]
    if rules.order != "best":
        return sorted(new, key=preorder if rules.order == "depth" else None)
    added = set(new)
    whole = grown.nodes[1].n
    size = {node: _rank(grown, gain(grown, node) * grown.nodes[node].n / whole) for node in new}
    heap = [(size[node], node) for node in new if node // 2 not in added]
    heapq.heapify(heap)
    order = []
    while heap:
        node = heapq.heappop(heap)[1]
        order.append(node)
        for child in (2 * node, 2 * node + 1):
            if child in added:
                heapq.heappush(heap, (size[child], child))
    return order


def _rank(tree: Tree, decrease: float) -> float:
    """What best-first sorts by: the decrease as a share of the root's impurity, largest first.

    It is rounded, so that equal decreases go by the lowest id and not by the last bits.
    """
    whole = tree.nodes[1].impurity
    return -round(decrease / whole, 9) if whole else 0.0


def _without(grown: Tree, dropped: Sequence[int]) -> Tree:
    """The grown tree with the splits `dropped` taken back."""
    gone = set(dropped)
    tops = [node for node in dropped if node // 2 not in gone]
    nodes, rows = dict(grown.nodes), dict(grown.rows)
    for top in tops:
        rows[top] = _gather(grown, rows, top, gone)
    for node in dropped:
        for child in (2 * node, 2 * node + 1):
            nodes.pop(child)
            rows.pop(child, None)
    splits = {k: v for k, v in grown.splits.items() if k not in gone}
    gaps = {k: v for k, v in grown.gaps.items() if k not in gone}
    return Tree(nodes, splits, gaps, rows, grown.pruned)


def _gather(grown: Tree, rows: dict[int, Ints], top: int, gone: set[int]) -> Ints:
    """The rows of every leaf under a node, by walking down from it."""
    parts, waiting = [], [top]
    while waiting:
        node = waiting.pop()
        if node in gone:
            waiting += [2 * node, 2 * node + 1]
        else:
            parts.append(rows[node])
    return np.sort(np.concatenate(parts))
