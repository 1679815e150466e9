"""Which mistakes a tree makes, and those of the one answer that knows no feature.

Glossary
    called     what a row is predicted to be
    recall     of the rows of a class the share that is called so
    precision  of the rows called a class the share that is of it
    baseline   the error of one answer for all rows: the majority class, or the mean

Source: theory.md, Judging [C].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.subtrees import loss_of
from dtviz.table.costs import own_weights
from dtviz.table.data import Dataset


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How many rows of each class (line) are called each class (column), (K, K).

    `weights` are what those rows weigh, None where each counts 1.
    """

    rows: Ints
    weights: Floats | None

    @property
    def amounts(self) -> Floats:
        """What the shares are of: the weights, or the rows."""
        return np.asarray(self.rows if self.weights is None else self.weights, np.float64)

    @property
    def recall(self) -> Floats:
        """The recall of each class, (K,); nan without such rows."""
        return _shares(np.diag(self.amounts), self.amounts.sum(axis=1))

    @property
    def precision(self) -> Floats:
        """The precision of each class, (K,); nan where no row is called so."""
        return _shares(np.diag(self.amounts), self.amounts.sum(axis=0))

    @property
    def accuracy(self) -> float:
        """The share that is right; nan for no rows."""
        return float(_shares(np.trace(self.amounts), self.amounts.sum()))


@dataclass(frozen=True, slots=True)
class Off:
    """How far predictions of numbers are off, over all rows.

    `squared` is the mean squared error (squared target units), `absolute` the mean absolute error
    (target units), `explained` R2 = 1 - squared error / that of the rows' own mean; nan where
    all targets are equal.
    """

    squared: float
    absolute: float
    explained: float


def confusion(data: Dataset, called: Floats) -> Confusion:
    """The confusion of the classes `called`, (n,), of the rows of the data."""
    many = len(data.classes)
    pair = data.y * many + called.astype(np.intp)
    rows = np.bincount(pair, minlength=many * many).reshape(many, many)
    own = own_weights(data)
    if own is None:
        return Confusion(rows, None)
    weights: Floats = np.bincount(pair, own, many * many).astype(np.float64)
    return Confusion(rows, weights.reshape(many, many))


def off_by(data: Dataset, told: Floats) -> Off:
    """How far the numbers `told`, (n,), are off those of the rows of the data."""
    own, off = own_weights(data), data.y - told
    apart = data.y - np.average(data.y, weights=own)
    squared = float(np.average(np.square(off), weights=own))
    whole = float(np.average(np.square(apart), weights=own)) if np.ptp(data.y) else 0.0
    absolute = float(np.average(np.abs(off), weights=own))
    return Off(squared, absolute, 1 - squared / whole if whole else math.nan)


def baseline(training: Dataset, held: Dataset | None) -> float:
    """The mean loss on the rows held out of the one answer of least loss on the training rows.

    That is the majority class, the class that costs least, or the mean; nan without rows.
    """
    if held is None:
        return math.nan
    answer = _one_answer(training)
    loss = loss_of(held, held.y, np.full(held.n, answer))
    return float(np.average(loss, weights=own_weights(held)))


def _one_answer(data: Dataset) -> float:
    own = own_weights(data)
    if not data.classes:
        return float(np.average(data.y, weights=own))
    weights = np.bincount(data.y, own, len(data.classes))
    if data.costs is None:
        return float(weights.argmax())
    return float((weights @ data.costs).argmin())


def _shares(some: Floats, of: Floats) -> Floats:
    out = np.full(np.shape(of), math.nan)
    np.divide(some, of, out=out, where=np.asarray(of) > 0)
    return out
