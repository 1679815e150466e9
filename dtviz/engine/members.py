"""Many trees on the rows of one table, their nodes as columns.

Glossary
    member   one of the trees, by number
    place    the number of a node among those of all members; siblings stand side by side
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.cuts import Floats, Ints
from dtviz.engine.rules import Rules, leaf_model_of
from dtviz.engine.splits import LEFT, RIGHT, Missing, Split, Splits, goes_left
from dtviz.engine.stack import member_data
from dtviz.engine.tree import Grow, Log, Tree, fold
from dtviz.table.data import Dataset, read_only


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """T trees: `weights`, (T, n), say what each row of the table counts for in each.

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

    def __post_init__(self) -> None:
        read_only(self)

    def __len__(self) -> int:
        return len(self.roots)

    def data_of(self, member: int) -> Dataset:
        """The rows a member was grown on, with their weights."""
        return member_data(self.data, self.weights[member])

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
        return fold(self.data_of(member), self.rules, self.log(member))

    def split(self, place: int) -> Split:
        """The split of the node at a place."""
        splits, cut = self.splits, int(self.cut[place])
        lost = splits.left is not None and bool(splits.left[cut])
        asked = splits.surrogates.get(cut)
        missing = (RIGHT, LEFT)[lost] if asked is None else Missing(lost, asked)
        return Split(splits.projections[splits.line[cut]], float(splits.threshold[cut]), missing)


def places(members: Members, columns: Floats) -> Ints:
    """The leaf of each row of the columns (M, r) in each member, by its place: (T, r)."""
    rows = columns.shape[1]
    at = members.roots.repeat(rows)
    waiting = np.flatnonzero(members.left.take(at) >= 0)
    while len(waiting):
        here = at.take(waiting)
        left = goes_left(members.splits, columns, waiting % rows, members.cut.take(here))
        below = members.left.take(here) + ~left
        at[waiting] = below
        waiting = waiting.compress(members.left.take(below) >= 0)
    return at.reshape(-1, rows)


def predictions(members: Members, columns: Floats) -> Floats:
    """What each member predicts of the rows of columns (M, r): class codes or numbers, (T, r)."""
    at = places(members, columns)
    rows = np.tile(np.arange(columns.shape[1]), len(at))
    model = leaf_model_of(members.rules, members.data)
    found = model.predict(members.params.take(at.ravel(), axis=0), columns, rows)
    return np.asarray(found.reshape(at.shape))
