r"""Least squares of the rows of many nodes, and of both sides of every cut of them.

Glossary
    regressor  a feature that leaves predict along: a plain number that no row lacks
    rest       the squares that the regression of some rows leaves, summed by weight
    cross      the weighted sums of products of regressors and target about their means

Rows are added to a side one by one, by Welford's update in cumulative sums: each adds squares and
never takes any away, so that nothing large is left that could hide a small side. What the rows of
two sides leave apart is never more than what they leave together, so that sums from both ends tell
either side: see `from_both_ends`. Source: theory.md [H]; Welford (1962).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria import VARIANCE, Impurity, lesser_spread
from dtviz.engine.splits import LARGEST_PART, plain_features
from dtviz.engine.sums import (
    LEAST,
    Amounts,
    Floats,
    Ints,
    Order,
    Rows,
    Statistics,
    Told,
    from_both_ends,
    means,
    variances,
)
from dtviz.engine.worked import Group, Step, rests
from dtviz.table.data import Dataset
from dtviz.text import Dialect

Literal = Callable[[float], str]
"""How a language writes a class code or a number."""
MOST_SLOPES = 10
ALIKE = 1e-10
"""A regressor of whose squares the others leave no larger share is one of them."""
NOISE = 1e-12
"""No larger share of the target's squares is left but by rounding."""
STEADY = 2.0**-32
"""A regressor that deviates by no larger share of its mean has no slope: to add that up with the
intercept would lose it in rounding."""
BLOCK = 1 << 18
"""Numbers that are added up together: 2 MB."""
TOLD = np.dtype([("at", np.intp), ("y", np.float64), ("weight", np.float64)])
"""A row: its number, its target about the mean of the node in units, its share of the weight."""


@lru_cache(maxsize=4)
def regressors(data: Dataset) -> Ints:
    """The features that a leaf predicts along, at most MOST_SLOPES."""
    found = [f for f in plain_features(data) if not data.gaps[f]]
    able = [f for f in found if np.abs(data.columns[f]).max() < LARGEST_PART]
    return np.array(able[:MOST_SLOPES], np.intp)


def unfitted(data: Dataset, values: NDArray[Any]) -> Floats:
    """Params of nodes before a fit: value, intercept and room for a (feature, slope) each, (m, P).

    There is as much room whichever rows of a table these are; no slope is that of feature 0.
    """
    room = min(len(plain_features(data)), MOST_SLOPES)
    out = np.zeros((len(values), 2 + 2 * room))
    out[:, 0] = out[:, 1] = values
    features = regressors(data)
    out[:, 2 : 2 + 2 * len(features) : 2] = features
    return out


def impurity_about(usual: Impurity, data: Dataset) -> Impurity:
    """The variance as leaves have it that predict by regression: what that leaves of it."""
    some = regressors(data)
    return _about_lines(data) if usual is VARIANCE and len(some) else usual


@lru_cache(maxsize=4)
def _about_lines(data: Dataset) -> Impurity:
    columns = data.columns[regressors(data)]
    top = np.frexp(np.abs(columns).max(axis=1))[1]
    return _impurity(np.ldexp(columns, -top[:, None]))


def _impurity(columns: Floats) -> Impurity:
    """The variance about the regression along these columns, (P, n)."""
    return replace(
        VARIANCE,
        name="residual variance",
        lead="**Squared error of a regression**: the variance of the target about the regression "
        "of the node's rows [H]",
        formula=r"\min_{a, b} \frac{1}{n} \sum_i (y_i - a - \langle b, x_i \rangle)^2",
        spread=lesser_spread,
        step=partial(_step, columns),
        statistics=Statistics(_told, partial(_from_both_ends, columns), ordered=BY_MEAN),
        of_rows=partial(residual_variances, columns),
        running=None,
        squares=False,
        taken=lambda rows: _impurity(columns.take(rows, axis=1)),
        work=(len(columns) + 1) * (len(columns) + 2) // 2,
    )


# --- of nodes -------------------------------------------------------------------------------------


def residual_variances(columns: Floats, rows: Rows) -> Floats:
    """The variance of each node about its regression, (m,); 0 where only rounding is left."""
    assert rows.at is not None
    own = np.array([*columns.take(rows.at, axis=1), rows.y])
    first = own.take(rows.starts, axis=1)
    apart = own - first.repeat(rows.sizes, axis=1)
    middle = _means(rows, apart)
    apart -= middle.repeat(rows.sizes, axis=1)
    apart -= _means(rows, apart).repeat(rows.sizes, axis=1)  # of what the first round left
    least = np.square(STEADY * (first + middle))
    return _rest([_means(rows, apart[k] * apart[k:]) for k in range(len(own))], least)


def _means(rows: Rows, values: Floats) -> Floats:
    """The mean of each node, (.., m), of numbers of the rows, (.., N)."""
    return np.asarray(np.add.reduceat(rows.weighted(values), rows.starts, axis=-1) / rows.weight)


def _rest(cross: list[Floats], least: Floats) -> Floats:
    """What regressions leave of the target, the last of the crosses; these are used up.

    cross[k] has those of the k-th with itself and with all behind it, (P + 1 - k, ..). Regressors
    are taken out one after the other, but for those of no more squares than the `least` of each.
    """
    whole, target = [row[0].copy() for row in cross], len(cross) - 1
    for k, own in enumerate(cross[:-1]):
        able = (own[0] > ALIKE * whole[k]) & (whole[k] > least[k])
        share = np.divide(own[1:], own[0], out=np.zeros_like(own[1:]), where=able)
        for j in range(k + 1, target + 1):
            cross[j] -= share[j - k - 1] * own[j - k :]
    rest = cross[target][0]
    return np.where(rest <= NOISE * whole[target], 0.0, rest)


def slopes(apart: Floats, middle: Floats, target: Floats, share: Floats) -> Floats:
    """The slopes of least squares of rows (.., n) whose weights have these shares: (P, ..).

    Regressors are told `apart` from their means, (P, .., n), and these, (P, ..); a target (.., n)
    from its own. Of equal ones those with the smallest slopes, each times what its regressor varies
    by; rounding noise is no slope.
    """
    root = np.sqrt(share)
    columns, target = apart * root, target * root
    size = np.sqrt((columns * columns).sum(axis=-1))
    size[size <= STEADY * np.abs(middle) * np.sqrt(share.sum(axis=-1))] = np.inf
    inverse = np.linalg.pinv(np.moveaxis(columns / size[..., None], 0, -1), rcond=ALIKE**0.5)
    found = np.moveaxis((inverse @ target[..., None])[..., 0], -1, 0)
    noise = np.abs(found) <= NOISE * np.sqrt((target * target).sum(axis=-1))
    return np.asarray(np.where(noise, 0.0, found / size))


def along(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """What the rows have by params of which the second is the intercept: (feature, slope) follow.

    Term by term, in the order in which every export adds them.
    """
    out = params[:, 1]
    for at in range(2, params.shape[1], 2):
        slope, values = params[:, at + 1], columns[params[:, at].astype(np.intp), rows]
        out = out + np.multiply(slope, values, out=np.zeros(len(rows)), where=slope != 0)
    return out


def sum_text(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, lit: Literal
) -> str:
    """Intercept and terms of params like `along` takes them, as a dialect writes them."""
    text = lit(params[1])
    for feature, slope in zip(params[2::2], params[3::2], strict=True):
        if slope:
            term = dialect.times(lit(abs(slope)), dialect.name(features[int(feature)]))
            text += f" {'-' if slope < 0 else '+'} {term}"
    return text


# --- of both sides of cuts ------------------------------------------------------------------------


def _told(rows: Rows) -> Told:
    """Targets so that their squares add up to less than 2^62 in each node, and what 1 is there."""
    apart = rows.y - means(rows).repeat(rows.sizes)
    squares = np.add.reduceat(rows.weighted(np.square(apart)), rows.starts)
    power = np.maximum((np.frexp(squares)[1] - 60) // 2, LEAST // 2)
    out = np.empty(len(apart), TOLD)
    out["at"], out["weight"] = rows.at, 1.0 if rows.weights is None else rows.weights
    out["y"] = np.ldexp(apart, -power.repeat(rows.sizes))
    return Told(out, np.ldexp(1.0, 2 * power), variances(rows))


def _from_both_ends(
    columns: Floats, values: NDArray[Any], _classes: int, _weights: Amounts | None, starts: Ints
) -> Iterator[Amounts]:
    return from_both_ends(
        lambda some, _, first: running_rests(columns, some, first), values, None, starts
    )


def running_rests(columns: Floats, told: NDArray[Any], starts: Ints) -> Amounts:
    """What the regression of a segment leaves up to each entry, (N,), as whole numbers of units."""
    sizes, out = np.diff(starts, append=len(told)), np.empty(len(told), np.int64)
    pairs = (len(columns) + 1) * (len(columns) + 2) // 2
    for some in _alike(sizes):
        wide = max(BLOCK // pairs // int(sizes[some[0]]), 1)
        for k in range(0, len(some), wide):
            _fill(out, columns, told, starts[some[k : k + wide]], sizes[some[k : k + wide]])
    return out


def _alike(sizes: Ints) -> Iterator[Ints]:
    """The segments of up to 1, 2, 4, ... entries, the longest of each first."""
    order = np.argsort(-sizes, kind="stable")
    power = np.frexp(np.maximum(sizes.take(order), 1) - 0.5)[1]
    yield from np.split(order, np.flatnonzero(np.diff(power)) + 1)


def _fill(out: Amounts, columns: Floats, told: NDArray[Any], starts: Ints, sizes: Ints) -> None:
    """Put the rests of some segments, the longest first, where their entries stand."""
    place = np.arange(sizes[0])
    there = place < sizes[:, None]
    entry = np.where(there, starts[:, None] + place, starts[:, None])
    rows = told.take(entry)
    own = np.array([*columns.take(rows["at"], axis=1), rows["y"]])
    first = own[:, :, :1].copy()  # where all are near their mean, this is
    own -= first
    weight = np.where(there, rows["weight"], 0.0)
    whole = weight.cumsum(axis=1)
    apart, before = own.copy(), np.zeros_like(whole)
    before[:, 1:] = whole[:, :-1]
    apart[:, :, 1:] -= (own * weight).cumsum(axis=2)[:, :, :-1] / whole[:, :-1]
    scale = weight * (before / whole)
    steady, many = np.square(STEADY * first), len(own)
    step = max(BLOCK // (len(own) * (len(own) + 1) // 2 * len(sizes)), 1)
    last = [np.zeros((many - j, len(sizes))) for j in range(many)]
    for k in range(0, len(place), step):
        some = apart[:, :, k : k + step]
        heavy = some * scale[:, k : k + step]
        cross = [heavy[j] * some[j:] for j in range(many)]
        for row, before_it in zip(cross, last, strict=True):
            row[..., 0] += before_it
            np.cumsum(row, axis=-1, out=row)
        last = [row[..., -1].copy() for row in cross]
        inside = there[:, k : k + step]
        rest = _rest(cross, steady * whole[:, k : k + step])
        out[entry[:, k : k + step][inside]] = np.rint(rest[inside]).astype(np.int64)


def _mean_target(rows: Rows) -> Floats:
    """The mean target of each group of what was told of it."""
    share = rows.y["weight"]
    sums = (np.add.reduceat(of, rows.starts) for of in (rows.y["y"] * share, share))
    return np.asarray(np.divide(*sums))


BY_MEAN = Order("means", _mean_target)


# --- in formulas ----------------------------------------------------------------------------------


def _step(columns: Floats, group: Group) -> Step:
    """The mean of (y - f(x))^2; the first rows only."""
    assert group.at is not None
    share = np.ones(len(group.y)) if group.weights is None else group.weights
    own = columns.take(group.at, axis=1)
    middle = np.average(own, axis=1, weights=share)
    apart, mean = own - middle[:, None], np.average(group.y, weights=share)
    return rests(group, mean + slopes(apart, middle, group.y - mean, share / share.max()) @ apart)
