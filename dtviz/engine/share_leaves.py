"""Leaves that tell how sure they are: shares of classes by Laplace, and by logistic regression.

Glossary
    params     of shares: the class code, then the share of each class; of a logistic regression:
               the class code, then the line of the second class's log odds
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.frontier import Frontier, restrict
from dtviz.engine.leaves import Facts
from dtviz.engine.logistic import chances, fitted
from dtviz.engine.regression import (
    Literal,
    along,
    any_slope,
    put,
    regressors,
    sum_text,
    unfitted,
)
from dtviz.table.costs import own_weights, raised
from dtviz.table.data import Dataset
from dtviz.text import Dialect

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
