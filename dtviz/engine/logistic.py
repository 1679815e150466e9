"""Logistic regression of the rows of many nodes at once, for two classes.

Glossary
    score      a + <b, x>: the log odds of the second class
    ridge      RIDGE / 2 times the squares of the slopes, each told by what its feature varies by;
               it is added to the mean loss, so that rows which a line parts have slopes too

Newton's method from no slopes on, each step halved until the loss falls: the loss is convex, so
that it ends at the one best fit. Source: theory.md [H]; Hastie, Tibshirani, Friedman, The Elements
of Statistical Learning (2009), 4.4.1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Floats, Ints
from dtviz.engine.regression import lines_of

RIDGE = 1e-5
MOST_STEPS = 60
MOST_HALVES = 30
ENOUGH = 1e-18
"""Where a step promises to save less the loss is as small as it can be."""
ROUNDING = 1e-15


def fitted(columns: Floats, y: NDArray[np.bool_], share: Floats, starts: Ints) -> Floats:
    """The line of each node, (m, 1 + 3 P), from its rows' columns (P, N) and classes.

    `share` is what each row counts for, (N,). A node of one class must not be among them.
    """
    sizes = np.diff(starts, append=len(y))
    share = share / np.add.reduceat(share, starts).repeat(sizes)
    first = columns.take(starts, axis=1)
    apart = columns - first.repeat(sizes, axis=1)
    middle = np.add.reduceat(apart * share, starts, axis=1)
    apart -= middle.repeat(sizes, axis=1)
    spread = np.sqrt(np.add.reduceat(apart * apart * share, starts, axis=1))
    flat = spread <= 1e-12 * np.maximum.reduceat(np.abs(apart), starts, axis=1)
    apart /= np.where(flat, np.inf, spread).repeat(sizes, axis=1)
    one = np.add.reduceat(share * y, starts)
    table = np.concatenate([np.ones((1, len(y))), apart])
    beta = np.zeros((len(starts), len(table)))
    beta[:, 0] = np.log(one / (1 - one))
    _climb(table, y, share, starts, beta)
    slopes = beta[:, 1:].T / np.where(flat, np.inf, spread)
    return lines_of(beta[:, 0], slopes, first, middle, spread)


def _climb(table: Floats, y: NDArray[np.bool_], share: Floats, starts: Ints, beta: Floats) -> None:
    """Newton's steps of all nodes; whoever has arrived stays."""
    sizes, sign = np.diff(starts, append=len(y)), np.where(y, 1.0, -1.0)
    ridge = np.full(len(table), RIDGE)
    ridge[0] = 0.0

    def loss_of(some: Floats) -> Floats:
        score = (some.T.repeat(sizes, axis=1) * table).sum(axis=0)
        lost = np.add.reduceat(share * np.logaddexp(0.0, -sign * score), starts)
        return np.asarray(lost + (ridge * some * some).sum(axis=1) / 2)

    going, loss = np.ones(len(beta), np.bool_), loss_of(beta)
    for _ in range(MOST_STEPS):
        step, promised = _step(table, y, share, starts, beta, ridge)
        going &= promised > ENOUGH
        if not going.any():
            return
        length = np.where(going, 1.0, 0.0)
        for _ in range(MOST_HALVES):
            tried = beta - length[:, None] * step
            after = loss_of(tried)
            worse = going & ~(after <= loss + ROUNDING)
            if not worse.any():
                break
            length[worse] /= 2
        moved = going & (after <= loss + ROUNDING)
        beta[moved], loss[moved] = tried[moved], after[moved]
        going &= moved


def _step(
    table: Floats, y: NDArray[np.bool_], share: Floats, starts: Ints, beta: Floats, ridge: Floats
) -> tuple[Floats, Floats]:
    """Newton's step of each node, (m, 1 + P), and how much it promises to save, (m,)."""
    sizes, many = np.diff(starts, append=len(y)), len(table)
    chance = chances((beta.T.repeat(sizes, axis=1) * table).sum(axis=0))
    slope = np.add.reduceat(table * (share * (chance - y)), starts, axis=1).T + ridge * beta
    heavy, bend = share * chance * (1 - chance), np.empty((len(starts), many, many))
    for k in range(many):
        part = np.add.reduceat(heavy * table[k] * table[k:], starts, axis=1).T
        bend[:, k, k:] = bend[:, k:, k] = part
    at = np.arange(many)
    bend[:, at, at] += ridge + 1e-15
    step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
    promised: Floats = (slope * step).sum(axis=1) / 2
    return np.asarray(step, np.float64), promised


def chances(score: Floats) -> Floats:
    """The share of the second class by its log odds, which count to 700 and no further."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(score, -700.0, 700.0))))
