"""How good an ensemble is after each round, and what its features are worth to it.

Glossary
    round       see engine/ensembles: the trees so far are what is judged
    out of bag  each row by those of the trees so far that were grown without it
    band        one standard error of the mean loss of the rows
    worth       what a feature does for an ensemble: by the impurity its splits take away, or by how
                much worse the predictions are once its column is permuted (Breiman 2001)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dtviz.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.engine.dependence import evenly
from dtviz.engine.ensembles import Ensemble, by_round, decided
from dtviz.engine.members import predictions
from dtviz.engine.splits import features_of
from dtviz.engine.subtrees import loss_of
from dtviz.slices import Slices
from dtviz.table.costs import own_weights
from dtviz.table.data import Dataset, take

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
