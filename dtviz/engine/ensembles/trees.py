"""Many trees on the rows of one table, their nodes as columns.

Glossary
    member   one of the trees, by number
    place    the number of a node among those of all members; siblings stand side by side
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.data.dataset import Dataset, locked, read_only, take
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.frontier import Frontier, starts_of
from dtviz.engine.splits import LEFT, RIGHT, Missing, Split, Splits
from dtviz.engine.tree import Grow, Log, Tree, fold, walked

BLOCK = 1 << 19
"""Cells of a stack, rows times lines, about: what is known of them stays close to the processor."""


class Stack(NamedTuple):
    """Rows of some members: `data` has their features, `table` the lines that are searched.

    Each member's rows are a node of `front`. `rows` are their numbers in the members' table, (N,).
    """

    data: Dataset
    table: Dataset
    front: Frontier
    rows: Ints


def member_data(
    data: Dataset, weights: NDArray[Any], targets: NDArray[Any] | None = None
) -> Dataset:
    """What a member stands on: the rows with a weight, (n,), times their own. Raises DataError.

    `targets`, (n,), stand in the place of the table's.
    """
    there = weights > 0
    own = replace(take(data, there), weights=_weights(data, weights)[there])
    return own if targets is None else replace(own, y=targets[there])


def stacked(
    data: Dataset,
    table: Dataset,
    orders: Ints,
    weights: NDArray[Any],
    targets: NDArray[Any] | None = None,
) -> Stack:
    """The stack of members by their weights, (B, n); `table` has the lines of `data` as columns.

    `orders`, (L, n), are the orders of the table's rows that the stack keeps. Each member may have
    `targets` of its own, (B, n).
    """
    there = weights > 0
    rows = np.flatnonzero(there) % data.n
    place = there.ravel().cumsum() - 1
    first = (np.arange(len(there)) * data.n)[:, None]
    lines = []
    for order in orders:
        at = (first + order).ravel()
        lines.append(place.take(at.compress(there.ravel().take(at))))
    sizes = there.sum(axis=1)
    front = Frontier(np.array(lines), starts_of(sizes), sizes, len(rows))
    own = _weights(data, weights)[there]
    y = data.y.take(rows) if targets is None else targets[there]
    both = (_taken(one, rows, y, own) for one in ((data,) if table is data else (data, table)))
    stack = tuple(both)
    return Stack(stack[0], stack[-1], front, rows)


def blocks(weights: NDArray[Any], lines: int = 1, most: int = BLOCK) -> Iterator[Ints]:
    """The numbers of members that are grown together: about `most` cells, one member at least.

    Each of their rows has so many lines.
    """
    behind = np.count_nonzero(weights, axis=1).cumsum()
    block = (behind - 1) * max(lines, 2) // most
    yield from np.split(np.arange(len(behind)), np.flatnonzero(np.diff(block)) + 1)


def _weights(data: Dataset, weights: NDArray[Any]) -> NDArray[np.float64]:
    own = np.asarray(weights, np.float64)
    return own if data.weights is None else own * data.weights


def _taken(data: Dataset, rows: Ints, y: NDArray[Any], weights: NDArray[np.float64]) -> Dataset:
    own = replace(data, validation=None, test=None, notes=())
    return replace(
        own,
        columns=own.columns.take(rows, axis=1),
        y=y,
        weights=None if (weights == 1).all() else weights,  # plain counts cost less
    )


TOGETHER = 1 << 14
"""Rows times trees that are walked down together."""


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """T trees: `weights`, (T, n), say what each row of the table counts for in each.

    `targets`, (T, n), are the trees' own; None: all have the table's.

    `roots`, (T,), are the places of the roots; the other columns have shape (m,), by place. `left`
    is that of a left child, the right one stands behind it; -1 in a leaf. `cut` says which of
    `splits` a node has; `gain` is what that gains, `weight` what the node's rows weigh: both are 0
    in a leaf. `params` are those of a leaf's model, (m, P), `sums` what its classes weigh, (m, K),
    K = 0 for regression: both are 0 elsewhere.
    """

    data: Dataset
    rules: Rules
    weights: NDArray[Any]
    roots: Ints
    left: Ints
    splits: Splits
    cut: Ints
    gain: Floats
    weight: Floats
    params: Floats
    sums: NDArray[Any]
    targets: NDArray[Any] | None = None

    def __post_init__(self) -> None:
        read_only(self)
        splits = self.splits
        own = Splits(
            splits.projections,
            locked(splits.line),
            locked(splits.threshold),
            None if splits.left is None else locked(splits.left),
            MappingProxyType(dict(splits.surrogates)),
        )
        object.__setattr__(self, "splits", own)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made of plain dicts."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        parts["splits"] = self.splits._replace(surrogates=dict(self.splits.surrogates))
        return Members, tuple(parts.values())

    def __len__(self) -> int:
        return len(self.roots)

    def data_of(self, member: int) -> Dataset:
        """The rows a member was grown on, with their weights."""
        targets = None if self.targets is None else self.targets[member]
        return member_data(self.data, self.weights[member], targets)

    def nodes_of(self, member: int) -> dict[int, int]:
        """The places of a member's nodes by their ids, parents before their children."""
        out, waiting = dict[int, int](), [(1, int(self.roots[member]))]
        for node, place in waiting:
            out[node] = place
            left = int(self.left[place])
            if left >= 0:
                waiting += [(2 * node, left), (2 * node + 1, left + 1)]
        return out

    def log(self, member: int) -> Log:
        """The moves that grow a member, parents before their children."""
        nodes = self.nodes_of(member).items()
        return tuple(Grow(node, self.split(at)) for node, at in nodes if self.left[at] >= 0)

    def tree(self, member: int) -> Tree:
        """A member with all that is known of its nodes; its rows are those of `data_of`."""
        return fold(Problem(self.data_of(member), self.rules), self.log(member))

    def split(self, place: int) -> Split:
        """The split of the node at a place."""
        splits, cut = self.splits, int(self.cut[place])
        lost = splits.left is not None and bool(splits.left[cut])
        asked = splits.surrogates.get(cut)
        missing = (RIGHT, LEFT)[lost] if asked is None else Missing(lost, asked)
        return Split(splits.projections[splits.line[cut]], float(splits.threshold[cut]), missing)


def places(members: Members, columns: Floats, some: Ints | None = None) -> Ints:
    """The places of the leaves of the rows of columns (M, r) in some members, all by default."""
    rows, roots = columns.shape[1], members.roots if some is None else members.roots[some]
    out = np.empty((len(roots), rows), np.intp)
    step = max(TOGETHER // max(rows, 1), 1)
    for first in range(0, len(roots), step):
        own = roots[first : first + step]
        ends = walked(members.splits, members.left, members.cut, columns, own.repeat(rows))
        out[first : first + step] = ends.reshape(-1, rows)
    return out


def predictions(members: Members, columns: Floats, some: Ints | None = None) -> Floats:
    """What some members predict of the rows of columns (M, r): class codes or numbers, (T, r)."""
    at = places(members, columns, some)
    rows = np.tile(np.arange(columns.shape[1]), len(at))
    model = Problem(members.data, members.rules).leaf_model
    found = model.predict(members.params.take(at.ravel(), axis=0), columns, rows)
    return np.asarray(found.reshape(at.shape))


def one_after_another(parts: Sequence[Members]) -> Members:
    """The members of all parts, which grew on the same rows by the same rules."""
    first = parts[0]
    nodes = np.cumsum([0, *(len(part.left) for part in parts)])
    cuts = np.cumsum([0, *(len(part.splits.line) for part in parts)])
    same = all(part.splits.projections == first.splits.projections for part in parts)
    lines = np.cumsum([0, *(0 if same else len(part.splits.projections) for part in parts)])

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts])

    def moved(of: Callable[[Members], Ints], by: Ints) -> Ints:
        return np.concatenate([of(part) + start for part, start in zip(parts, by, strict=False)])

    left = moved(lambda part: part.left, nodes)
    left[joined("left") < 0] = -1
    splits = [part.splits for part in parts]
    asked = (
        {int(start) + k: found for k, found in some.surrogates.items()}
        for some, start in zip(splits, cuts, strict=False)
    )
    return replace(
        first,
        weights=joined("weights"),
        roots=moved(lambda part: part.roots, nodes),
        left=left,
        splits=Splits(
            tuple(chain.from_iterable(some.projections for some in splits[: 1 if same else None])),
            moved(lambda part: part.splits.line, lines),
            np.concatenate([some.threshold for some in splits]),
            np.concatenate(
                [np.zeros(0, np.bool_), *(some.left for some in splits if some.left is not None)]
            ),
            dict(chain.from_iterable(one.items() for one in asked)),
        ),
        cut=moved(lambda part: part.cut, cuts),
        gain=joined("gain"),
        weight=joined("weight"),
        params=joined("params"),
        sums=joined("sums"),
        targets=None if first.targets is None else joined("targets"),
    )


ROOT = 0


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The ways of all nodes: `way` is that of each place, (m,), the root's being ROOT.

    `fork` is the number of the one that stands there, -1 in a leaf; `first`, (F,), is a place of
    each. Forks are numbered from the roots down; behind the k-th lie the ways `beneath(k)`.
    """

    way: Ints
    fork: Ints
    first: Ints


def beneath(fork: Any) -> tuple[Any, Any]:
    """The ways to the left and to the right of a fork, or of some."""
    return 2 * fork + 1, 2 * fork + 2


def ways_of(members: Members) -> Ways:
    """The ways of all nodes of some members, level by level."""
    cuts = _cuts(members)
    way, fork = np.zeros(len(members.left), np.intp), np.full(len(members.left), -1)
    first, made = list[Ints](), 0
    for places in levels(members):
        inner = places[members.left.take(places) >= 0]
        pairs = np.stack([way.take(inner), cuts.take(members.cut.take(inner))], axis=1)
        at, which = _unique(pairs)
        fork[inner] = made + which
        left = members.left.take(inner)
        way[left], way[left + 1] = beneath(fork.take(inner))
        first.append(inner.take(at))
        made += len(at)
    return Ways(way, fork, np.concatenate(first) if first else np.zeros(0, np.intp))


def alike(members: Members) -> Ints:
    """The number of each member's tree, (T,): equal where all cuts are, whatever leaves predict."""
    cuts, same = _cuts(members), np.zeros(len(members.left), np.intp)
    for places in reversed([*levels(members)]):
        inner = places[members.left.take(places) >= 0]
        left = members.left.take(inner)
        cut = cuts.take(members.cut.take(inner))
        _, which = _unique(np.stack([cut, same.take(left), same.take(left + 1)], axis=1))
        same[inner] = 1 + which
    return same.take(members.roots)


def root_cuts(members: Members) -> Ints:
    """The number of the cut at each root, (T,): equal where they ask the same, -1 in a leaf."""
    split = members.left.take(members.roots) >= 0
    out = np.full(len(members), -1)
    out[split] = _cuts(members).take(members.cut.take(members.roots[split]))
    return out


def levels(members: Members) -> Iterator[Ints]:
    """The places of all nodes of each depth, from the roots on."""
    places = members.roots
    while len(places):
        yield places
        left = members.left.take(places)
        left = left[left >= 0]
        places = np.concatenate([left, left + 1])


def _cuts(members: Members) -> Ints:
    """The number of the cut that each of the splits is, (K,)."""
    splits, known = members.splits, dict[object, int]()
    line = np.array([known.setdefault(one, len(known)) for one in splits.projections], np.intp)
    lost, others = np.zeros(len(splits.line), np.bool_), np.zeros(len(splits.line))
    if splits.left is not None and any(members.data.gaps):
        lost = splits.left
    for k, surrogates in splits.surrogates.items():
        others[k] = known.setdefault(surrogates, len(known))
    asked = [line.take(splits.line), splits.threshold, lost, others]
    return _unique(np.stack([column.astype(np.float64) for column in asked], axis=1))[1]


def _unique(rows: NDArray[Any]) -> tuple[Ints, Ints]:
    """Where each of the different rows is first, and which of them each is."""
    order = np.lexsort(rows.T[::-1])
    by = rows[order]
    new = np.append(np.ones(min(len(by), 1), np.bool_), (by[1:] != by[:-1]).any(axis=1))
    which = np.empty(len(rows), np.intp)
    which[order] = new.cumsum() - 1
    return order[new], which
