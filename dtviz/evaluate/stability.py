"""How a tree changes with its rows: those of other rows, grown together, beside the full tree.

Glossary
    full     the tree of all rows, which stands before the others
    way      which rows the others are grown on; a new one is a new value in WAYS
    change   how much a tree predicts otherwise than the full one: the share of the rows or places
             where the class is another, or by how much numbers differ there on average

Sources: instability under the omission of a row or of some [M]; Breiman, Bagging predictors (1996).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.lazy import once
from dtviz.base.progress import Slices, within
from dtviz.data.dataset import DataError, Dataset, Task, take
from dtviz.data.weights import own_weights
from dtviz.engine.ensembles import Ensemble, by_round, decided
from dtviz.engine.ensembles.ensemble import bootstrap
from dtviz.engine.ensembles.grow_many import grow_together
from dtviz.engine.ensembles.trees import Members, alike, member_data, predictions, root_cuts
from dtviz.engine.importance import evenly
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.splits import Split, features_of
from dtviz.engine.splitter import work_of
from dtviz.engine.subtrees import loss_of

MOST_ROWS: dict[Task, int] = {"classification": 4_000_000, "regression": 1_000_000}
"""Of all trees together by plain cuts: those of numbers grow to a leaf a row."""
MOST_TREES = 500
MOST_PERCENT = 50
CHUNK = 1 << 19
"""Predictions in a slice, about."""
Weights = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Shake:
    """Which rows the trees are grown on: the way by its name, and what that asks for.

    `percent` of the rows are left out, so many `trees` grown, by draws of the `seed`; `shown` is
    the number of a tree that is looked at, or the row without which it is. Raises ValueError.
    """

    way: str = "one"
    percent: int = 10
    trees: int = 100
    seed: int = 0
    shown: int | None = None

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise ValueError(f"`way` must be one of {', '.join(WAYS)}; not {self.way!r}")
        _need("percent", self.percent, 1, MOST_PERCENT)
        _need("trees", self.trees, 2, MOST_TREES)
        _need("seed", self.seed, 0, 10**9 - 1)
        if self.shown is not None:
            _need("shown", self.shown, 0, 10**9 - 1)


def _need(name: str, value: Any, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"`{name}` must be a whole number from {low} to {high}; not {value!r}")


# --- which rows -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Way:
    """A way to take other rows: `weights` says what each counts for in each of T trees, (T, n).

    `percent` and `drawn` say what of a Shake it asks for; `each`: its trees leave one row out each.
    """

    name: str
    title: str
    weights: Callable[[Dataset, Shake, int], Weights]
    percent: bool = False
    drawn: bool = True
    each: bool = False


def _without_one(data: Dataset, shake: Shake, trees: int) -> Weights:
    rows = left_out(data, shake.seed, trees)
    weights = np.ones((len(rows), data.n), np.int16)
    weights[np.arange(len(rows)), rows] = 0
    return weights


def left_out(data: Dataset, seed: int, trees: int) -> Ints:
    """The rows that are left out one by one: all, or of very many as many as are drawn."""
    if trees == data.n:
        return np.arange(data.n)
    return np.sort(np.random.default_rng(seed).choice(data.n, trees, replace=False))


def _without_some(data: Dataset, shake: Shake, trees: int) -> Weights:
    """Those of a tree do not depend on how many others there are."""
    weights = np.ones((trees, data.n), np.int16)
    for tree, line in enumerate(weights):
        random = np.random.default_rng([shake.seed, tree])
        line[random.choice(data.n, out_of(data.n, shake), replace=False)] = 0
    return weights


def out_of(n: int, shake: Shake) -> int:
    """How many of n rows are left out: one at least, and not all."""
    return min(max(round(n * shake.percent / 100), 1), n - 1)


def _again(data: Dataset, shake: Shake, trees: int) -> Weights:
    return bootstrap(data.n, trees, shake.seed)


def room(data: Dataset, rules: Rules) -> int:
    """How many rows there is room for in all trees together: fewer where they take longer."""
    return MOST_ROWS[data.task] // work_of(Problem(data, rules))


def trees_of(data: Dataset, rules: Rules, shake: Shake) -> int:
    """How many trees are grown: as many as are asked for, or one a row, where there is room."""
    asked = data.n if WAYS[shake.way].each else shake.trees
    return min(asked, max(room(data, rules) // data.n, 2))


WAYS: dict[str, Way] = {
    way.name: way
    for way in (
        Way("one", "Leave one out", _without_one, drawn=False, each=True),
        Way("some", "Leave k % out", _without_some, percent=True),
        Way("resample", "Resample", _again),
    )
}
"""By name; the first is the usual one."""


def has_rows(data: Dataset, shake: Shake) -> bool:
    """Whether a tree is looked at that there can be."""
    most = max(MOST_ROWS[data.task] // data.n, 2)
    many = data.n if WAYS[shake.way].each else min(MOST_TREES, most)
    return shake.shown is not None and shake.shown < many and data.n > 1


def grown_on(data: Dataset, shake: Shake) -> Dataset:
    """The rows that the tree looked at is grown on, with their weights. Raises DataError."""
    way, shown = WAYS[shake.way], shake.shown
    if shown is None or not has_rows(data, shake):
        raise DataError(f"there is no tree {shown} of {data.n} rows; choose another", "shown")
    if way.each:
        return take(data, np.arange(data.n) != shown)
    weights = way.weights(data, shake, shown + 1)[shown]
    return take(data, weights > 0) if weights.max() <= 1 else member_data(data, weights)


# --- the trees ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Shaken:
    """The full tree, `members` 0, and T others.

    `rows` are those that are left out, (T,), where each tree leaves out one. `moved` is the change
    of each tree on the rows, by their weights, `seen` that over the places asked of, both (T,);
    `wavers`, (n,), the mean change at each row.
    """

    members: Members
    rows: Ints | None
    moved: Floats
    seen: Floats
    wavers: Floats

    @once
    def alike(self) -> Ints:
        """The number of each tree, (1 + T,), the full one first: equal where all cuts are."""
        return alike(self.members)

    @once
    def roots(self) -> Ints:
        """The number of the cut at each root, (1 + T,), see `alike.root_cuts`."""
        return root_cuts(self.members)

    @property
    def splits(self) -> dict[int, Split]:
        """The splits of the full tree, by node."""
        members = self.members
        nodes = members.nodes_of(0).items()
        return {node: members.split(at) for node, at in nodes if members.left[at] >= 0}

    def root(self, tree: int) -> Split | None:
        """The split of a root, if it has one."""
        place = int(self.members.roots[tree])
        return self.members.split(place) if self.members.left[place] >= 0 else None

    def number(self, tree: int) -> int:
        """What a tree is called, from 0 on: its row, or its own number; 0 is the full tree."""
        return tree - 1 if self.rows is None else int(self.rows[tree - 1])

    def tree(self, number: int | None) -> int | None:
        """The tree that is called so, if there is one."""
        if number is None:
            return None
        names = np.arange(len(self.moved)) if self.rows is None else self.rows
        found = np.flatnonzero(names == number)
        return 1 + int(found[0]) if len(found) else None


def shaken(data: Dataset, rules: Rules, shake: Shake, places: Floats) -> Slices[Shaken]:
    """The trees of such rows, and how they change over the rows and places (M, p), in slices.

    Rows keep their weights: classes that are balanced are so by all rows. Raises DataError.
    """
    way, trees = WAYS[shake.way], trees_of(data, rules, shake)
    weights = np.concatenate([np.ones((1, data.n), np.int16), way.weights(data, shake, trees)])
    members = yield from within(grow_together(data, rules, weights), 0.0, 0.8)
    rows = left_out(data, shake.seed, trees) if way.each else None
    own = own_weights(data)
    shares = np.full(data.n, 1 / data.n) if own is None else own / own.sum()
    wavers, both = np.zeros(data.n), np.zeros((2, len(members)))
    columns = np.concatenate([data.columns, places], axis=1)
    full = predictions(members, columns, np.zeros(1, np.intp))
    some = max(CHUNK // columns.shape[1], 1)
    for first in range(0, len(members), some):
        chunk = np.arange(first, min(first + some, len(members)))
        told = predictions(members, columns, chunk)
        change = (told != full) if data.classes else np.abs(told - full)
        here, there = change[:, : data.n], change[:, data.n :]
        both[:, chunk] = here @ shares, there.mean(axis=1)
        wavers += here.sum(axis=0)
        yield 0.8 + 0.2 * (chunk[-1] + 1) / len(members)
    return Shaken(members, rows, both[0, 1:], both[1, 1:], wavers / max(len(members) - 1, 1))


ROWS = 5_000
"""So many are judged together: what every tree says of them has room."""
PAUSE = 25
"""So many trees are asked between two looks at the clock."""


class Staged(NamedTuple):
    """The error after each round and its standard error, (R,); NaN where no row is judged yet."""

    error: Floats
    band: Floats


def staged(
    ensemble: Ensemble, data: Dataset, asked: Sequence[Bools | None] = (None,)
) -> Slices[tuple[Staged, ...]]:
    """The errors on some rows, in slices, one for each way to ask.

    A way, (T, n), says which members are asked of which rows; rows that none was asked of yet are
    left out. None: all are asked of all.
    """
    sums, own = np.zeros((len(asked), 5, ensemble.rounds)), own_weights(data)
    scale = (
        1.0 if data.classes else float(np.ptp(data.y)) ** 2 or 1.0
    )  # squares of losses are floats
    for first in range(0, data.n, ROWS):
        rows = np.arange(first, min(first + ROWS, data.n))
        some, weights = take(data, rows), np.ones(len(rows)) if own is None else own[rows]
        predicted = np.empty((len(ensemble.members), len(rows)))
        for few in np.array_split(np.arange(len(predicted)), -(-len(predicted) // PAUSE)):
            predicted[few] = predictions(ensemble.members, some.columns, few)
            yield (first + 0.7 * len(rows) * few[0] / len(predicted)) / data.n
        for found, told in zip(sums, asked, strict=True):
            judged = _losses(ensemble, some, predicted, None if told is None else told[:, rows])
            for at, (right, losses) in enumerate(judged):
                found[:, at] += _sums(losses / scale, weights * right)
            yield (first + 0.8 * len(rows)) / data.n
    return tuple(_staged(found, scale) for found in sums)


def _staged(sums: Floats, scale: float) -> Staged:
    """The errors and bands that such sums, (5, R), make."""
    weight, lost, squares, crosses, both = sums
    with np.errstate(invalid="ignore", divide="ignore"):  # where no row is judged yet
        mean = lost / weight
        band = np.sqrt(np.maximum(both - 2 * mean * crosses + mean**2 * squares, 0.0)) / weight
    return Staged(mean * scale, band * scale)


def _losses(
    ensemble: Ensemble, data: Dataset, predicted: Floats, told: Bools | None
) -> Iterator[tuple[Bools, Floats]]:
    """Which rows are judged after each round, and their losses."""
    right = np.ones(data.n, np.bool_) if told is None else np.zeros(data.n, np.bool_)
    ends = np.flatnonzero(np.append(np.diff(ensemble.round), 1))
    first = 0
    for scores, end in zip(by_round(ensemble, predicted, told), ends.tolist(), strict=True):
        if told is not None:
            right |= told[first : end + 1].any(axis=0)
            first = end + 1
        loss = np.zeros(data.n)
        loss[right] = loss_of(data, data.y[right], decided(ensemble, scores)[right])
        yield right, loss


def _sums(losses: Floats, weights: Floats) -> Floats:
    """What the mean loss and its standard error are made of."""
    squares = np.square(weights)
    return np.array(
        [
            weights.sum(),
            weights @ losses,
            squares.sum(),
            squares @ losses,
            squares @ np.square(losses),
        ]
    )


def out_of_bag(ensemble: Ensemble) -> Bools | None:
    """Which members were grown without which rows, (T, n); None where none was without any."""
    out = ensemble.members.weights == 0
    return out if out.any() else None


def impurity_worth(ensemble: Ensemble) -> Floats:
    """The share of the impurity taken away by splits on each feature, (M,), as scikit-learn has it.

    Each tree counts as much as its amount; where trees are summed up, by what they explain.
    """
    members, many = ensemble.members, len(ensemble.data.features)
    tree = _tree_of(members.roots, members.left)
    split = np.flatnonzero((members.left >= 0) & (tree >= 0))
    root = members.weight.take(members.roots)
    taken = members.gain[split] * members.weight[split] / root.take(tree[split])
    cut, feature, part = evenly(
        members.splits.projections, members.splits.line.take(members.cut[split])
    )
    at = tree[split[cut]] * many + feature
    each = np.bincount(at, taken[cut] * part, len(members) * many).reshape(-1, many)
    if not ensemble.way.sums:
        whole = each.sum(axis=1, keepdims=True)
        each = np.divide(each, whole, out=np.zeros(each.shape), where=whole > 0)
        each *= ensemble.amount[:, None]
    worth = each.sum(axis=0)
    return np.asarray(worth / worth.sum() if worth.sum() > 0 else worth)


def _tree_of(roots: Ints, left: Ints) -> Ints:
    """The member of each node, (m,); -1 for what belongs to none."""
    out = np.full(len(left), -1)
    out[roots] = np.arange(len(roots))
    level = roots[left[roots] >= 0]
    while len(level):
        below = left[level]
        out[below] = out[below + 1] = out[level]
        level = np.concatenate([below, below + 1])
        level = level[left[level] >= 0]
    return out


def permutation_worth(
    ensemble: Ensemble, data: Dataset, orders: Ints, told: Bools | None = None
) -> Slices[Floats]:
    """How much the mean loss rises once a column is permuted, (M, P), in slices.

    `orders`, (M, P, r), are P permutations of the r rows for each feature; `told` is as in
    `staged`.
    """
    many, repeats, _ = orders.shape
    members, plain = ensemble.members, predictions(ensemble.members, data.columns)
    before, out = _last_error(ensemble, data, plain, told), np.zeros((many, repeats))
    tree = _tree_of(members.roots, members.left)
    line, split = np.full(len(tree), -1), members.left >= 0
    line[split] = members.splits.line.take(members.cut[split])
    for feature in range(many):
        asks = [feature in features_of(one) for one in members.splits.projections]
        uses = np.unique(tree[np.isin(line, np.flatnonzero(asks)) & (tree >= 0)])
        for repeat, order in enumerate(orders[feature]):
            columns = data.columns.copy()
            columns[feature] = columns[feature, order]
            predicted = plain.copy()
            predicted[uses] = predictions(members, columns, uses)
            after = _last_error(ensemble, data, predicted, told)
            same = abs(after - before) <= ROUNDING * max(after, before)
            out[feature, repeat] = 0.0 if same else after - before
            yield (feature + (repeat + 1) / repeats) / many
    return out


def _last_error(ensemble: Ensemble, data: Dataset, predicted: Floats, told: Bools | None) -> float:
    """The mean loss after the last round."""
    *_, (right, losses) = _losses(ensemble, data, predicted, told)
    own = own_weights(data)
    weights = right * (1.0 if own is None else own)
    return float(losses @ weights / weights.sum())
