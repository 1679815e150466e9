"""Linear regression in leaves: least squares of many nodes, and of both sides of every split.

A leaf predicts along regressors, features that are plain numbers without missing values in the
data. Its line is start + slope (x - centre) + ..., with a term for each regressor. Where a new row
has no value of a regressor, the weighted mean of that regressor in the leaf stands for it: a row
without any of them is predicted the mean target of the leaf.

The residual squares of a side are summed row by row, by Welford's update in cumulative sums: each
row adds squares and takes none away, so that a small side is not lost beside a large one. Two sides
leave no more squares apart than together, so that sums from both ends give those of either side,
see `from_both_ends`. Sources: theory.md [H]; Welford (1962).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Floats, Ints
from dtviz.base.text import Dialect, difference_text
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import VARIANCE, Impurity, lesser_spread
from dtviz.engine.criteria.latex import FormulaStep, RowGroup, residuals
from dtviz.engine.criteria.statistics import (
    MIN_EXPONENT,
    Amounts,
    CategoryKey,
    NodeRows,
    ScaledTargets,
    Statistics,
    from_both_ends,
    means,
    variances,
)
from dtviz.engine.splits import MAX_SQUARABLE, plain_features

WriteLiteral = Callable[[float], str]
"""Writes a class code or a number in a language."""
MAX_REGRESSORS = 10
PART = 4
"""Number of params of a regressor: its feature, its slope, its centre, its mean in the node."""
MAX_DEVIATIONS = 100
"""A regressor whose mean is farther from 0, in standard deviations, gets a centre near its mean."""
DEPENDENT_SHARE = 1e-10
"""A regressor is taken as a sum of others if these leave no larger share of its squares."""
NOISE = 1e-12
"""Share of the target's squares that rounding alone can leave."""
BLOCK = 1 << 18
"""Numbers that are summed together: 2 MB."""
ROW_RECORD = np.dtype([("row_id", int), ("y", np.float64), ("weight", np.float64)])
"""A row: its id, its target less the mean of the node in units, its share of the weight."""


@lru_cache(maxsize=4)
def regressors(data: Dataset) -> Ints:
    """Features that leaves predict along, at most MAX_REGRESSORS, (P,)."""
    complete = [f for f in plain_features(data) if not data.gaps[f]]
    able = [f for f in complete if np.abs(data.columns[f]).max() < MAX_SQUARABLE]
    return np.array(able[:MAX_REGRESSORS], int)


def empty_params(data: Dataset, values: NDArray[Any]) -> Floats:
    """Params of nodes before a fit, all slopes 0, for these predictions, (m,).

    A row has the prediction, the start of the line, and a PART for each plain feature, so that the
    number of params is the same for all rows of a table; parts without a regressor are 0.
    """
    n_parts = min(len(plain_features(data)), MAX_REGRESSORS)
    params = np.zeros((len(values), 2 + PART * n_parts))
    params[:, 0] = params[:, 1] = values
    features = regressors(data)
    params[:, 2 : 2 + PART * len(features) : PART] = features
    return params


def set_lines(params: Floats, nodes: NDArray[Any], lines: Floats) -> None:
    """Write lines, (m, 1 + 3 P), into the params of these nodes."""
    step = PART - 1
    end = 2 + PART * (lines.shape[1] // step)
    params[nodes, 1] = lines[:, 0]
    for k in range(step):
        params[nodes, 3 + k : end : PART] = lines[:, 1 + k :: step]


def lines_through(
    value: Floats, slopes: Floats, origin: Floats, offset: Floats, deviation: Floats
) -> Floats:
    """Lines with these slopes, (P, m), and these values, (m,), at the means of the regressors.

    A line is (1 + 3 P,) numbers: start, then slope, centre and mean of each regressor. The means
    are `origin` + `offset`, the standard deviations `deviation`, (P, m).
    """
    mean = origin + offset
    far = (slopes != 0) & (np.abs(mean) > MAX_DEVIATIONS * deviation) & (deviation > 0)
    # Without a centre near a far mean, slope times mean would be so large that a text of a few
    # digits, and at last any number, loses the start of the line.
    centre = np.where(far, _in_few_digits(mean, np.where(far, deviation, 1.0)), 0.0)
    parts = slopes * np.where(far, centre - origin - offset, -mean)
    start, scale = value + parts.sum(axis=0), np.abs(value) + np.abs(parts).sum(axis=0)
    lines = np.empty((len(value), 1 + 3 * len(slopes)))
    lines[:, 0] = np.where(np.abs(start) > ROUNDING * scale, start, 0.0)
    lines[:, 1::3], lines[:, 2::3], lines[:, 3::3] = slopes.T, centre.T, mean.T
    return lines


def _in_few_digits(mean: Floats, deviation: Floats) -> Floats:
    """Numbers of few digits, each nearer to its mean than one standard deviation."""
    digits = -np.floor(np.log10(deviation))
    up, down = 10.0 ** np.maximum(digits, 0), 10.0 ** np.maximum(-digits, 0)
    return np.asarray(np.rint(mean / down * up) / up * down)


def residual_impurity(impurity: Impurity, data: Dataset) -> Impurity:
    """Replace the variance by the residual variance of a regression; keep any other impurity."""
    has_regressors = len(regressors(data)) > 0
    return _residual_impurity_of(data) if impurity is VARIANCE and has_regressors else impurity


@lru_cache(maxsize=4)
def _residual_impurity_of(data: Dataset) -> Impurity:
    columns = data.columns[regressors(data)]
    top = np.frexp(np.abs(columns).max(axis=1))[1]  # a power of two scales each to at most 1
    return _impurity(np.ldexp(columns, -top[:, None]))


def _impurity(columns: Floats) -> Impurity:
    """Residual variance of the regression along these columns, (P, n)."""
    return replace(
        VARIANCE,
        name="residual variance",
        lead="**Squared error of a regression**: the variance of the target about the regression "
        "of the node's rows [H]",
        formula=r"\min_{a, b} \frac{1}{n} \sum_i (y_i - a - \langle b, x_i \rangle)^2",
        spread=lesser_spread,
        step=partial(_step, columns),
        statistics=Statistics(_row_records, partial(_residuals, columns), category_key=BY_MEAN),
        of_rows=partial(residual_variances, columns),
        running=None,
        squares=False,
        take_rows=lambda rows: _impurity(columns.take(rows, axis=1)),
        work=(len(columns) + 1) * (len(columns) + 2) // 2,
    )


# --- of nodes -------------------------------------------------------------------------------------


def residual_variances(columns: Floats, rows: NodeRows) -> Floats:
    """Residual variance of each node, (m,); 0 where only rounding is left."""
    assert rows.row_ids is not None
    table = np.array([*columns.take(rows.row_ids, axis=1), rows.y])
    first = table.take(rows.starts, axis=1)
    centred = table - first.repeat(rows.sizes, axis=1)
    centred -= _means(rows, centred).repeat(rows.sizes, axis=1)
    centred -= _means(rows, centred).repeat(rows.sizes, axis=1)  # removes the rounding of the first
    return _residual_squares([_means(rows, centred[k] * centred[k:]) for k in range(len(table))])


def _means(rows: NodeRows, values: Floats) -> Floats:
    """Mean of each node, (.., m), of numbers of the rows, (.., N)."""
    return np.asarray(np.add.reduceat(rows.weighted(values), rows.starts, axis=-1) / rows.weight)


def _residual_squares(cross: list[Floats]) -> Floats:
    """Squares of the target, the last column, that regressions leave; overwrites `cross`.

    cross[k], (P + 1 - k, ..), has the sums of products of the centred column k with itself and
    every later column. Gaussian elimination takes out one regressor after the other.
    """
    squares, target = [row[0].copy() for row in cross], len(cross) - 1
    for k, pivot in enumerate(cross[:-1]):
        able = pivot[0] > DEPENDENT_SHARE * squares[k]
        share = np.divide(pivot[1:], pivot[0], out=np.zeros_like(pivot[1:]), where=able)
        for j in range(k + 1, target + 1):
            cross[j] -= share[j - k - 1] * pivot[j - k :]
    residual = cross[target][0]
    return np.where(residual <= NOISE * squares[target], 0.0, residual)


def least_squares(columns: Floats, target: Floats) -> Floats:
    """Slopes, (P, ..), of centred columns, (P, .., n), that predict a centred target, (.., n).

    Of equal solutions it takes the one with the smallest slopes, each times the size of its column;
    a slope that is rounding noise is 0.
    """
    size = np.sqrt((columns * columns).sum(axis=-1))
    size[size == 0] = np.inf
    scaled = np.moveaxis(columns / size[..., None], 0, -1)
    inverse = np.linalg.pinv(scaled, rcond=DEPENDENT_SHARE**0.5)
    slopes = np.moveaxis((inverse @ target[..., None])[..., 0], -1, 0)
    noise = np.abs(slopes) <= NOISE * np.sqrt((target * target).sum(axis=-1))
    return np.asarray(np.where(noise, 0.0, slopes / size))


def predict_line(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """Values, (r,), of the lines of params[i], (r, P), for rows[i] of the columns (M, n)."""
    value = params[:, 1]
    for first in range(2, params.shape[1], PART):  # in the order in which every export adds them
        feature, slope, centre, mean = params[:, first : first + PART].T
        x = columns[feature.astype(np.int64), rows]
        offset = np.where(np.isnan(x), mean, x) - centre
        value = value + np.multiply(slope, offset, out=np.zeros(len(rows)), where=slope != 0)
    return value


def line_formula(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, lit: WriteLiteral
) -> str:
    """Write the line of params, with the names of the features, in a dialect."""
    text = lit(params[1])
    for feature, slope, centre, mean in _parts(params):
        if slope:
            name = dialect.impute(dialect.name(features[int(feature)]), mean)
            value = f"({difference_text(name, centre, dialect.exact_number)})" if centre else name
            text += f" {'-' if slope < 0 else '+'} {dialect.product(lit(abs(slope)), value)}"
    return text


def _parts(params: Sequence[float]) -> Iterator[tuple[float, ...]]:
    """Feature, slope, centre and mean of each regressor in the params of a line."""
    return zip(*(params[2 + k :: PART] for k in range(PART)), strict=True)


def imputed_means(params: Sequence[float], row: Floats) -> dict[int, float]:
    """Means that stand for missing values of a row, (M,), by feature, where the slope is not 0."""
    return {
        int(feature): mean
        for feature, slope, _, mean in _parts(params)
        if slope and np.isnan(row[int(feature)])
    }


def has_slope(params: Sequence[float]) -> bool:
    """True if the line of params has a slope that is not 0."""
    return any(params[3::PART])


# --- of both sides of splits ----------------------------------------------------------------------


def _row_records(rows: NodeRows) -> ScaledTargets:
    """Rows as records, in units of each node whose squares add up to less than 2^62."""
    centred = rows.y - means(rows).repeat(rows.sizes)
    squares = np.add.reduceat(rows.weighted(np.square(centred)), rows.starts)
    power = np.maximum((np.frexp(squares)[1] - 60) // 2, MIN_EXPONENT // 2)
    records = np.empty(len(centred), ROW_RECORD)
    records["row_id"], records["weight"] = (
        rows.row_ids,
        1.0 if rows.weights is None else rows.weights,
    )
    records["y"] = np.ldexp(centred, -power.repeat(rows.sizes))
    return ScaledTargets(records, np.ldexp(1.0, 2 * power), variances(rows))


def _residuals(
    columns: Floats, records: NDArray[Any], _classes: int, _weights: Amounts | None, starts: Ints
) -> Iterator[Amounts]:
    return from_both_ends(
        lambda ordered, _, first: running_residuals(columns, ordered, first), records, None, starts
    )


def running_residuals(columns: Floats, records: NDArray[Any], starts: Ints) -> Amounts:
    """Residual squares of a segment up to each entry, (N,), as whole numbers of units."""
    sizes, out = np.diff(starts, append=len(records)), np.empty(len(records), np.int64)
    pairs = (len(columns) + 1) * (len(columns) + 2) // 2
    for segments in _by_size(sizes):
        step = max(BLOCK // pairs // int(sizes[segments[0]]), 1)
        for k in range(0, len(segments), step):
            batch = segments[k : k + step]
            _fill(out, columns, records, starts[batch], sizes[batch])
    return out


def _by_size(sizes: Ints) -> Iterator[Ints]:
    """Yield the segments of up to 1, 2, 4, ... entries, the longest of each group first."""
    order = np.argsort(-sizes, kind="stable")
    power = np.frexp(np.maximum(sizes.take(order), 1) - 0.5)[1]
    yield from np.split(order, np.flatnonzero(np.diff(power)) + 1)


def _fill(out: Amounts, columns: Floats, records: NDArray[Any], starts: Ints, sizes: Ints) -> None:
    """Write the residual squares of some segments, the longest first, to their entries of `out`.

    The segments are rows of a rectangle; its cells behind the end of a segment are not used.
    """
    position = np.arange(sizes[0])
    is_entry = position < sizes[:, None]
    entry = np.where(is_entry, starts[:, None] + position, starts[:, None])
    rows = records.take(entry)
    table = np.array([*columns.take(rows["row_id"], axis=1), rows["y"]])
    table -= table[:, :, :1].copy()
    weight = np.where(is_entry, rows["weight"], 0.0)
    total = weight.cumsum(axis=1)
    centred, weight_before = table.copy(), np.zeros_like(total)  # by the mean of the rows before
    weight_before[:, 1:] = total[:, :-1]
    centred[:, :, 1:] -= (table * weight).cumsum(axis=2)[:, :, :-1] / total[:, :-1]
    scale = weight * (weight_before / total)
    n, step = len(table), max(BLOCK // (len(table) * (len(table) + 1) // 2 * len(sizes)), 1)
    last = [np.zeros((n - j, len(sizes))) for j in range(n)]
    for k in range(0, len(position), step):  # in blocks of entries, so that arrays stay small
        block = centred[:, :, k : k + step]
        weighted = block * scale[:, k : k + step]
        cross = [weighted[j] * block[j:] for j in range(n)]
        for sums, sums_before in zip(cross, last, strict=True):
            sums[..., 0] += sums_before
            np.cumsum(sums, axis=-1, out=sums)
        last = [sums[..., -1].copy() for sums in cross]
        inside = is_entry[:, k : k + step]
        residual = _residual_squares(cross)[inside]
        out[entry[:, k : k + step][inside]] = np.rint(residual).astype(np.int64)


def _mean_target(rows: NodeRows) -> Floats:
    """Mean target of each group of row records, (g,)."""
    weight = rows.y["weight"]
    sums = (np.add.reduceat(values, rows.starts) for values in (rows.y["y"] * weight, weight))
    return np.asarray(np.divide(*sums))


BY_MEAN = CategoryKey("means", _mean_target)


# --- in formulas ----------------------------------------------------------------------------------


def _step(columns: Floats, group: RowGroup) -> FormulaStep:
    """Write the mean of (y - f(x))^2, with terms of the first rows only."""
    assert group.row_ids is not None
    weight = np.ones(len(group.y)) if group.weights is None else group.weights
    table = columns.take(group.row_ids, axis=1)
    table -= table[:, weight.argmax(), None].copy()
    centred = table - np.average(table, axis=1, weights=weight)[:, None]
    mean = np.average(group.y, weights=weight)
    root = np.sqrt(weight / weight.max())
    slopes = least_squares(centred * root, (group.y - mean) * root)
    return residuals(group, mean + slopes @ centred)
