r"""Least squares of the rows of many nodes, and of both sides of every cut of them.

Glossary
    regressor  a feature that leaves predict along: a plain number that no row lacks
    rest       the squares that the regression of some rows leaves, summed by weight
    cross      the weighted sums of products of regressors and target about their means
    line       what is predicted along regressors, as numbers: a start, and for each its slope,
               the centre that it is told from, and its mean: start + slope (x - centre) + ...

Where a row has no value of a regressor the weighted mean of that regressor among the rows of the
leaf stands for it. So a line says the mean target of the leaf where a row has no regressor at all.

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

from dtviz.base.arrays import ROUNDING, Floats, Ints
from dtviz.base.text import Dialect, apart_from
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import VARIANCE, Impurity, lesser_spread
from dtviz.engine.criteria.latex import Group, Step, rests
from dtviz.engine.criteria.statistics import (
    MIN_EXPONENT,
    Amounts,
    CategoryKey,
    Rows,
    Statistics,
    Told,
    from_both_ends,
    means,
    variances,
)
from dtviz.engine.splits import LARGEST_PART, plain_features

Literal = Callable[[float], str]
"""How a language writes a class code or a number."""
MOST_SLOPES = 10
PART = 4
"""Params that a regressor has: its feature, its slope, its centre, its mean in the node."""
FAR = 100
"""Of a regressor whose mean is more of its standard deviations from 0 a line is told from there."""
ALIKE = 1e-10
"""A regressor of whose squares the others leave no larger share is one of them."""
NOISE = 1e-12
"""No larger share of the target's squares is left but by rounding."""
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
    """Params of nodes before a fit: value, start and room for a PART each, (m, P).

    There is as much room whichever rows of a table these are; no slope is that of feature 0.
    """
    room = min(len(plain_features(data)), MOST_SLOPES)
    out = np.zeros((len(values), 2 + PART * room))
    out[:, 0] = out[:, 1] = values
    features = regressors(data)
    out[:, 2 : 2 + PART * len(features) : PART] = features
    return out


def put(params: Floats, some: NDArray[Any], lines: Floats) -> None:
    """Have some params say these lines, (m, 1 + 3 P)."""
    each = PART - 1
    end = 2 + PART * (lines.shape[1] // each)
    params[some, 1] = lines[:, 0]
    for k in range(each):
        params[some, 3 + k : end : PART] = lines[:, 1 + k :: each]


def lines_of(
    value: Floats, slopes: Floats, first: Floats, middle: Floats, spread: Floats
) -> Floats:
    """Lines of these slopes, (P, m), that have a value, (m,), where regressors have their means.

    These are `first` + `middle`. Where one is FAR from 0 for its `spread`, its slope is told from
    a centre near it: slope times mean would be so large that a text of a few digits, and at last
    any number, loses what the line is about.
    """
    mean = first + middle
    far = (slopes != 0) & (np.abs(mean) > FAR * spread) & (spread > 0)
    centre = np.where(far, _in_few_digits(mean, np.where(far, spread, 1.0)), 0.0)
    parts = slopes * np.where(far, centre - first - middle, -mean)
    start, large = value + parts.sum(axis=0), np.abs(value) + np.abs(parts).sum(axis=0)
    out = np.empty((len(value), 1 + 3 * len(slopes)))
    out[:, 0] = np.where(np.abs(start) > ROUNDING * large, start, 0.0)
    out[:, 1::3], out[:, 2::3], out[:, 3::3] = slopes.T, centre.T, mean.T
    return out


def _in_few_digits(mean: Floats, spread: Floats) -> Floats:
    """Numbers of few digits, each nearer to a mean than its standard deviation."""
    digits = -np.floor(np.log10(spread))
    up, down = 10.0 ** np.maximum(digits, 0), 10.0 ** np.maximum(-digits, 0)
    return np.asarray(np.rint(mean / down * up) / up * down)


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
    apart -= _means(rows, apart).repeat(rows.sizes, axis=1)
    apart -= _means(rows, apart).repeat(rows.sizes, axis=1)  # of what the first round left
    return _rest([_means(rows, apart[k] * apart[k:]) for k in range(len(own))])


def _means(rows: Rows, values: Floats) -> Floats:
    """The mean of each node, (.., m), of numbers of the rows, (.., N)."""
    return np.asarray(np.add.reduceat(rows.weighted(values), rows.starts, axis=-1) / rows.weight)


def _rest(cross: list[Floats]) -> Floats:
    """What regressions leave of the target, the last of the crosses; these are used up.

    cross[k] has those of the k-th with itself and with all behind it, (P + 1 - k, ..). Regressors
    are taken out one after the other.
    """
    whole, target = [row[0].copy() for row in cross], len(cross) - 1
    for k, own in enumerate(cross[:-1]):
        able = own[0] > ALIKE * whole[k]
        share = np.divide(own[1:], own[0], out=np.zeros_like(own[1:]), where=able)
        for j in range(k + 1, target + 1):
            cross[j] -= share[j - k - 1] * own[j - k :]
    rest = cross[target][0]
    return np.where(rest <= NOISE * whole[target], 0.0, rest)


def slopes(columns: Floats, target: Floats) -> Floats:
    """The least squares of columns (P, .., n) about 0, and of a target (.., n): (P, ..).

    Of equal ones those with the smallest slopes, each times what its column varies by; rounding
    noise is no slope.
    """
    size = np.sqrt((columns * columns).sum(axis=-1))
    size[size == 0] = np.inf
    inverse = np.linalg.pinv(np.moveaxis(columns / size[..., None], 0, -1), rcond=ALIKE**0.5)
    found = np.moveaxis((inverse @ target[..., None])[..., 0], -1, 0)
    noise = np.abs(found) <= NOISE * np.sqrt((target * target).sum(axis=-1))
    return np.asarray(np.where(noise, 0.0, found / size))


def along(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """Values of the lines that params say at the rows: start, then a PART for each regressor.

    Term by term, in the order in which every export adds them. A missing value counts as the mean.
    """
    out = params[:, 1]
    for at in range(2, params.shape[1], PART):
        feature, slope, centre, mean = params[:, at : at + PART].T
        value = columns[feature.astype(np.int64), rows]
        apart = np.where(np.isnan(value), mean, value) - centre
        out = out + np.multiply(slope, apart, out=np.zeros(len(rows)), where=slope != 0)
    return out


def sum_text(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, lit: Literal
) -> str:
    """Start and terms of params like `along` takes them, as a dialect writes them."""
    text = lit(params[1])
    for feature, slope, centre, mean in _parts(params):
        if slope:
            name = dialect.impute(dialect.name(features[int(feature)]), mean)
            value = f"({apart_from(name, centre, dialect.exact)})" if centre else name
            text += f" {'-' if slope < 0 else '+'} {dialect.times(lit(abs(slope)), value)}"
    return text


def _parts(params: Sequence[float]) -> Iterator[tuple[float, ...]]:
    """The PART of each regressor."""
    return zip(*(params[2 + k :: PART] for k in range(PART)), strict=True)


def imputed_means(params: Sequence[float], row: Floats) -> dict[int, float]:
    """Features with a slope that a row, (M,), lacks, and the mean that stands for each value."""
    return {
        int(feature): mean
        for feature, slope, _, mean in _parts(params)
        if slope and np.isnan(row[int(feature)])
    }


def any_slope(params: Sequence[float]) -> bool:
    """Whether what params say varies with a regressor."""
    return any(params[3::PART])


# --- of both sides of cuts ------------------------------------------------------------------------


def _told(rows: Rows) -> Told:
    """Targets so that their squares add up to less than 2^62 in each node, and what 1 is there."""
    apart = rows.y - means(rows).repeat(rows.sizes)
    squares = np.add.reduceat(rows.weighted(np.square(apart)), rows.starts)
    power = np.maximum((np.frexp(squares)[1] - 60) // 2, MIN_EXPONENT // 2)
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
    own -= own[:, :, :1].copy()
    weight = np.where(there, rows["weight"], 0.0)
    whole = weight.cumsum(axis=1)
    apart, before = own.copy(), np.zeros_like(whole)
    before[:, 1:] = whole[:, :-1]
    apart[:, :, 1:] -= (own * weight).cumsum(axis=2)[:, :, :-1] / whole[:, :-1]
    scale = weight * (before / whole)
    many, step = len(own), max(BLOCK // (len(own) * (len(own) + 1) // 2 * len(sizes)), 1)
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
        out[entry[:, k : k + step][inside]] = np.rint(_rest(cross)[inside]).astype(np.int64)


def _mean_target(rows: Rows) -> Floats:
    """The mean target of each group of what was told of it."""
    share = rows.y["weight"]
    sums = (np.add.reduceat(of, rows.starts) for of in (rows.y["y"] * share, share))
    return np.asarray(np.divide(*sums))


BY_MEAN = CategoryKey("means", _mean_target)


# --- in formulas ----------------------------------------------------------------------------------


def _step(columns: Floats, group: Group) -> Step:
    """The mean of (y - f(x))^2; the first rows only."""
    assert group.at is not None
    share = np.ones(len(group.y)) if group.weights is None else group.weights
    own = columns.take(group.at, axis=1)
    own -= own[:, share.argmax(), None].copy()
    apart = own - np.average(own, axis=1, weights=share)[:, None]
    mean = np.average(group.y, weights=share)
    root = np.sqrt(share / share.max())
    return rests(group, mean + slopes(apart * root, (group.y - mean) * root) @ apart)
