"""Leaves that tell how sure they are: shares of classes by Laplace, and by logistic regression.

Glossary
    params     of shares: the class code, then the share of each class; of a logistic regression:
               the class code, then the line of the second class's log odds
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import Dialect
from dtviz.data.dataset import Dataset
from dtviz.data.weights import own_weights, raised
from dtviz.engine.leaves.linear import (
    Literal,
    along,
    any_slope,
    lines_of,
    put,
    regressors,
    sum_text,
    unfitted,
)
from dtviz.engine.leaves.node_facts import Facts
from dtviz.engine.search.frontier import Frontier, restrict

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


LAPLACE = 1.0
MOST_SAID = 3
"""So many classes are said with their shares."""


def smoothed(data: Dataset, front: Frontier, known: Facts) -> Floats:
    """The majority class, and (n_k + LAPLACE) / (n + LAPLACE K) of each class, by own weights."""
    sums = _own_sums(data, known) + LAPLACE
    return np.column_stack([known.value, sums / sums.sum(axis=1, keepdims=True)])


def _own_sums(data: Dataset, known: Facts) -> Floats:
    """What the classes of each node weigh, (m, K), not raised by costs."""
    return np.asarray(known.sums / (1.0 if data.costs is None else raised(data.costs)))


def kept_shares(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """The shares, the same for all rows."""
    return params[:, 1:]


def shares_told(params: Sequence[float], features: Sequence[str], dialect: Dialect) -> list[str]:
    """The shares as a dialect writes them."""
    return [dialect.number(share) for share in params[1:]]


def shares_said(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: Literal
) -> str:
    """The largest shares: 'a 0.75, b 0.2, c 0.05'."""
    shares = np.array(params[1:])
    order = np.argsort(-shares, kind="stable")
    order = np.append([int(params[0])], order[order != int(params[0])])
    some = [f"{literal(code)} {dialect.number(shares[code])}" for code in order[:MOST_SAID]]
    return ", ".join([*some, "..."] if len(shares) > MOST_SAID else some)


def odds(data: Dataset, front: Frontier, known: Facts) -> Floats:
    """The majority class, and the line of the log odds of the second.

    The logistic regression of each node's rows by their own weights, see `logistic.fitted`; a node
    of one class has its smoothed share.
    """
    features, sums = regressors(data), _own_sums(data, known) + LAPLACE
    out = unfitted(data, known.value)
    out[:, 1] = np.log(sums[:, 1] / sums[:, 0])
    some = ~known.pure
    if some.any():
        both = restrict(front, some)
        rows = both.rows[0]
        weights = own_weights(data)
        share = np.ones(len(rows)) if weights is None else weights.take(rows)
        columns = data.columns[features[:, None], rows]
        put(out, some, fitted(columns, data.y.take(rows) == 1, share, both.starts))
    return out


def likelier(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """The code of the likelier class; of two as likely the first."""
    return (along(params, columns, rows) > 0).astype(np.float64)


def both_chances(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """The shares of both classes by the log odds of each row."""
    second = chances(along(params, columns, rows))
    return np.column_stack([1 - second, second])


def _log_odds(params: Sequence[float], features: Sequence[str], dialect: Dialect) -> str:
    return sum_text(params, features, dialect, dialect.number)


def likelier_text(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: Literal
) -> str:
    """The likelier class as a language writes it: by a sign, where there are slopes."""
    if not any_slope(params):
        return literal(int(params[1] > 0))
    return dialect.either(_log_odds(params, features, dialect), literal(1), literal(0))


def chances_told(params: Sequence[float], features: Sequence[str], dialect: Dialect) -> list[str]:
    """The shares of both classes: formulas, or numbers where there is no slope."""
    if not any_slope(params):
        second = float(chances(np.array(params[1])))
        return [dialect.number(1 - second), dialect.number(second)]
    text = dialect.chance(_log_odds(params, features, dialect))
    return [f"1 - {text}", text]


def chances_said(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: Literal
) -> str:
    """The share of the second class: 'P(b) = 1 / (1 + e^-(3·x1 - 2))'."""
    return f"P({literal(1)}) = {chances_told(params, features, dialect)[1]}"


def log_losses(shares: Floats, y: NDArray[Any]) -> Floats:
    """-ln p of each row's own class, (n,), from shares (n, K); infinite where p is 0.

    A class that has no share, whose code is -1 or K and more, has none: p is 0.
    """
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(_own(shares, y)))


def brier_scores(shares: Floats, y: NDArray[Any]) -> Floats:
    """The squared distance of each row's shares from its class, (n,); of two classes half of it.

    Source: Brier (1950); scikit-learn halves it for two classes too.
    """
    own = _own(shares, y)
    whole = np.square(shares).sum(axis=1) - 2 * own + 1
    return np.asarray(np.maximum(whole, 0.0) / (2 if shares.shape[1] == 2 else 1))


def _own(shares: Floats, y: NDArray[Any]) -> Floats:
    """The share of each row's own class."""
    codes = np.asarray(y).astype(np.intp)
    known = (codes >= 0) & (codes < shares.shape[1])
    found = shares[np.arange(len(codes)), np.where(known, codes, 0)]
    return np.where(known, found, 0.0)
