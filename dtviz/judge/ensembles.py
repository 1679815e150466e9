"""How good an ensemble is after each round, and what its features are worth to it.

Glossary
    round       see engine/ensembles: the trees so far are what is judged
    out of bag  each row by those of the trees so far that were grown without it
    band        one standard error of the mean loss of the rows
    worth       what a feature does for an ensemble: by the impurity its splits take away, or by how
                much worse the predictions are once its column is permuted (Breiman 2001)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dtviz.engine.cuts import Bools, Floats, Ints
from dtviz.engine.ensembles import Ensemble, by_round, decided
from dtviz.engine.members import predictions
from dtviz.engine.splits import features_of
from dtviz.engine.subtrees import loss_of
from dtviz.slices import Slices
from dtviz.table.costs import own_weights
from dtviz.table.data import Dataset


class Staged(NamedTuple):
    """The error after each round and its standard error, (R,); NaN where no row is judged yet."""

    error: Floats
    band: Floats


def staged(
    ensemble: Ensemble, data: Dataset, predicted: Floats, told: Bools | None = None
) -> Slices[Staged]:
    """The errors on some rows, in slices, from what each member predicts of them, (T, r).

    `told`, (T, r), says which members are asked of which rows; rows that none was asked of yet are
    left out.
    """
    found = list[tuple[float, float]]()
    asked = None if told is None else np.maximum.accumulate(told, axis=0)
    last = np.flatnonzero(np.append(np.diff(ensemble.round), 1))
    for scores, member in zip(by_round(ensemble, predicted, told), last, strict=True):
        some = np.ones(data.n, np.bool_) if asked is None else asked[member]
        found.append(_error(data, decided(ensemble, scores), some))
        yield len(found) / len(last)
    return Staged(*np.array(found).T)


def _error(data: Dataset, predicted: Floats, some: Bools) -> tuple[float, float]:
    """The mean loss of some rows, and its standard error."""
    many = int(some.sum())
    if not many:
        return np.nan, np.nan
    loss = loss_of(data, data.y[some], predicted[some])
    own = own_weights(data)
    shares = np.full(many, 1 / many) if own is None else own[some] / own[some].sum()
    mean = float(loss @ shares)
    return mean, float(np.sqrt(np.square(loss - mean) @ np.square(shares)))


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
    own = np.zeros((len(members.splits.projections), many))
    for line, one in enumerate(members.splits.projections):
        some = features_of(one)
        own[line, list(some)] = 1 / len(some)
    cuts = members.splits.line.take(members.cut[split])
    each = np.zeros((len(members), many))
    for feature in range(many):
        each[:, feature] = np.bincount(tree[split], taken * own[cuts, feature], len(members))
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
    line = np.where(members.left >= 0, members.splits.line.take(members.cut, mode="clip"), -1)
    for feature in range(many):
        asks = [feature in features_of(one) for one in members.splits.projections]
        uses = np.unique(tree[np.isin(line, np.flatnonzero(asks)) & (tree >= 0)])
        for repeat, order in enumerate(orders[feature]):
            columns = data.columns.copy()
            columns[feature] = columns[feature, order]
            predicted = plain.copy()
            predicted[uses] = predictions(members, columns, uses)
            out[feature, repeat] = _last_error(ensemble, data, predicted, told) - before
            yield (feature + (repeat + 1) / repeats) / many
    return out


def _last_error(ensemble: Ensemble, data: Dataset, predicted: Floats, told: Bools | None) -> float:
    *_, scores = by_round(ensemble, predicted, told)
    some = np.ones(data.n, np.bool_) if told is None else np.asarray(told.any(axis=0))
    return _error(data, decided(ensemble, scores), some)[0]
