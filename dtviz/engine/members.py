"""Many trees on the rows of one table, their nodes as columns.

Glossary
    member   one of the trees, by number
    place    the number of a node among those of all members; siblings stand side by side
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Floats, Ints
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.splits import LEFT, RIGHT, Missing, Split, Splits
from dtviz.engine.stack import member_data
from dtviz.engine.tree import Grow, Log, Tree, fold, walked
from dtviz.table.data import Dataset, locked, read_only

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
