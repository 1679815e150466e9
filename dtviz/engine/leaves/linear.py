"""Linear regression in leaves: least squares of many nodes, and of both sides of every split.

A leaf predicts along regressors: features that are plain numbers without missing values in the
data. Its line is start + slope (x - centre) + ..., with a term for each regressor. Where a new row
has no value of a regressor, the weighted mean of that regressor in the leaf stands for it. So a row
without any value is predicted the mean target of the leaf.

The residual squares of a side, those that its regression leaves, are summed row by row, by
Welford's update in cumulative sums. Each row adds squares and takes none away, so that those of a
small side are not lost in the rounding of a large one. Two sides leave no more squares apart than
together. So sums from both ends give the squares of either side, see `amounts_from_both_ends`.
Sources: the HSE lecture on trees (the page Learn lists it); Welford (1962).

Letters in shapes: m nodes, P regressors, n rows of the data, N entries of all nodes.
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
    amounts_from_both_ends,
    means,
    variances,
)
from dtviz.engine.splits import MAX_SQUARABLE, plain_features

WriteLiteral = Callable[[float], str]
"""Writes a class code or a number in a language."""
MAX_REGRESSORS = 10
"""Number of features that the leaves of a tree predict along at most."""
PARAMS_PER_REGRESSOR = 4
"""Number of params of a regressor: its feature, its slope, its centre, its mean in the node."""
MAX_DEVIATIONS = 100
"""A regressor whose mean is farther from 0, in standard deviations, gets a centre near its mean."""
DEPENDENT_SHARE = 1e-10
"""A regressor is a linear combination of others if these leave no larger share of its squares."""
NOISE_SHARE = 1e-12
"""Share of the target's squares that rounding alone can leave."""
BLOCK_NUMBERS = 1 << 18
"""Numbers in arrays that are summed at once: 2 MB."""
ROW_RECORD = np.dtype([("row_id", int), ("y", np.float64), ("weight", np.float64)])
"""A row: its id, its target less the mean of the node in the node's unit, its weight."""


@lru_cache(maxsize=4)
def regressors(data: Dataset) -> Ints:
    """Features that leaves predict along, at most MAX_REGRESSORS, (P,)."""
    complete = [f for f in plain_features(data) if not data.gaps[f]]
    squarable = [f for f in complete if np.abs(data.columns[f]).max() < MAX_SQUARABLE]
    return np.array(squarable[:MAX_REGRESSORS], int)


def empty_params(data: Dataset, values: NDArray[Any]) -> Floats:
    """Params of nodes before a fit, with slopes 0 and the predictions `values`, (m,).

    The params of a node are its prediction, the start of its line, and PARAMS_PER_REGRESSOR for
    each plain feature, 0 if that is no regressor. So their number does not depend on which rows of
    a table the data have.
    """
    max_regressors = min(len(plain_features(data)), MAX_REGRESSORS)
    params = np.zeros((len(values), 2 + PARAMS_PER_REGRESSOR * max_regressors))
    params[:, 0] = params[:, 1] = values
    features = regressors(data)
    params[:, 2 : 2 + PARAMS_PER_REGRESSOR * len(features) : PARAMS_PER_REGRESSOR] = features
    return params


def set_lines(params: Floats, nodes: NDArray[Any], lines: Floats) -> None:
    """Write lines, (m, 1 + 3 P), into the params of these nodes; the features are there already."""
    step = PARAMS_PER_REGRESSOR - 1
    end = 2 + PARAMS_PER_REGRESSOR * (lines.shape[1] // step)
    params[nodes, 1] = lines[:, 0]
    for k in range(step):
        params[nodes, 3 + k : end : PARAMS_PER_REGRESSOR] = lines[:, 1 + k :: step]


def lines_through(
    value: Floats, slopes: Floats, origin: Floats, offset: Floats, deviation: Floats
) -> Floats:
    """Lines with these slopes, (P, m), and these values, (m,), at the means of the regressors.

    A line is (1 + 3 P,) numbers: start, then slope, centre and mean of each regressor. The mean of
    a regressor is `origin`, its value in one row, plus `offset`, the mean less that value. The
    standard deviation is `deviation`. All three have shape (P, m).
    """
    mean = origin + offset
    is_far = (slopes != 0) & (np.abs(mean) > MAX_DEVIATIONS * deviation) & (deviation > 0)
    # Without a centre near a far mean, slope times mean would be so large that a text of a few
    # digits, and at last any float, loses the start of the line.
    centre = np.where(is_far, _rounded_means(mean, np.where(is_far, deviation, 1.0)), 0.0)
    terms = slopes * np.where(is_far, centre - origin - offset, -mean)
    start, scale = value + terms.sum(axis=0), np.abs(value) + np.abs(terms).sum(axis=0)
    lines = np.empty((len(value), 1 + 3 * len(slopes)))
    lines[:, 0] = np.where(np.abs(start) > ROUNDING * scale, start, 0.0)
    lines[:, 1::3], lines[:, 2::3], lines[:, 3::3] = slopes.T, centre.T, mean.T
    return lines


def _rounded_means(mean: Floats, deviation: Floats) -> Floats:
    """Means rounded to few digits, each by less than one standard deviation."""
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
    exponent = np.frexp(np.abs(columns).max(axis=1))[1]
    # a power of two scales the numbers of a column to at most 1, without rounding
    return _impurity_along(np.ldexp(columns, -exponent[:, None]))


def _impurity_along(columns: Floats) -> Impurity:
    """Residual variance of the regression along these columns, (P, n)."""
    return replace(
        VARIANCE,
        name="residual variance",
        lead="**Squared error of a regression**: the variance of the target about the regression "
        "of the node's rows [H]",
        formula=r"\min_{a, b} \frac{1}{n} \sum_i (y_i - a - \langle b, x_i \rangle)^2",
        spread=lesser_spread,
        formula_step=partial(_formula_step, columns),
        statistics=Statistics(_row_records, partial(_loss_steps, columns), category_key=BY_MEAN),
        impurity_from_rows=partial(residual_variances, columns),
        running_impurity=None,
        sums_squares=False,
        take_rows=lambda rows: _impurity_along(columns.take(rows, axis=1)),
        work=(len(columns) + 1) * (len(columns) + 2) // 2,
    )


# --- of nodes -------------------------------------------------------------------------------------


def residual_variances(columns: Floats, rows: NodeRows) -> Floats:
    """Residual variance of each node, (m,); 0 where only rounding is left."""
    assert rows.row_ids is not None
    table = np.array([*columns.take(rows.row_ids, axis=1), rows.y])
    first = table.take(rows.starts, axis=1)
    centred = table - first.repeat(rows.sizes, axis=1)
    centred -= _node_means(rows, centred).repeat(rows.sizes, axis=1)
    # once more, as the first mean is rounded
    centred -= _node_means(rows, centred).repeat(rows.sizes, axis=1)
    products = [_node_means(rows, centred[k] * centred[k:]) for k in range(len(table))]
    return _residual_squares(products)


def _node_means(rows: NodeRows, values: Floats) -> Floats:
    """Weighted means of the nodes, (.., m), of numbers of the rows, (.., N)."""
    return np.asarray(
        np.add.reduceat(rows.multiply_by_weight(values), rows.starts, axis=-1) / rows.weight
    )


def _residual_squares(products: list[Floats]) -> Floats:
    """Squares of the target, the last column, that regressions leave; overwrites `products`.

    products[k], (P + 1 - k, ..), has the sums of products of the centred column k with itself and
    every later column. Gaussian elimination takes out one regressor after the other.
    """
    squares, target = [row[0].copy() for row in products], len(products) - 1
    for k, pivot_row in enumerate(products[:-1]):
        # a regressor that depends on those before it takes nothing more out
        is_independent = pivot_row[0] > DEPENDENT_SHARE * squares[k]
        factors = np.zeros_like(pivot_row[1:])
        np.divide(pivot_row[1:], pivot_row[0], out=factors, where=is_independent)
        for j in range(k + 1, target + 1):
            products[j] -= factors[j - k - 1] * pivot_row[j - k :]
    residual = products[target][0]
    return np.where(residual <= NOISE_SHARE * squares[target], 0.0, residual)


def least_squares(columns: Floats, target: Floats) -> Floats:
    """Slopes, (P, ..), of centred columns, (P, .., n), that predict a centred target, (.., n).

    Columns are divided by their norms first. Of equally good solutions the one with the least sum
    of squared slopes is taken; a slope that is rounding noise is 0.
    """
    norm = np.sqrt((columns * columns).sum(axis=-1))
    norm[norm == 0] = np.inf
    scaled = np.moveaxis(columns / norm[..., None], 0, -1)
    inverse = np.linalg.pinv(scaled, rcond=DEPENDENT_SHARE**0.5)
    slopes = np.moveaxis((inverse @ target[..., None])[..., 0], -1, 0)
    is_noise = np.abs(slopes) <= NOISE_SHARE * np.sqrt((target * target).sum(axis=-1))
    return np.asarray(np.where(is_noise, 0.0, slopes / norm))


def predict_line(params: Floats, columns: Floats, rows: Ints) -> Floats:
    """Values of lines, (r,): value i is of the line of params[i] for row rows[i] of `columns`.

    `columns`, (M, n), are all features, `rows`, (r,), row ids.
    """
    value = params[:, 1]
    # the order of the terms is that of the exported formulas, so that both round alike
    for first in range(2, params.shape[1], PARAMS_PER_REGRESSOR):
        feature, slope, centre, mean = params[:, first : first + PARAMS_PER_REGRESSOR].T
        x = columns[feature.astype(np.int64), rows]
        offset = np.where(np.isnan(x), mean, x) - centre
        value = value + np.multiply(slope, offset, out=np.zeros(len(rows)), where=slope != 0)
    return value


def line_formula(
    params: Sequence[float], features: Sequence[str], dialect: Dialect, literal: WriteLiteral
) -> str:
    """Write the line of params as a formula of a dialect; `features` are the names of all."""
    text = literal(params[1])
    for feature, slope, centre, mean in _regressor_params(params):
        if slope:
            name = dialect.impute(dialect.name(features[int(feature)]), mean)
            value = f"({difference_text(name, centre, dialect.exact_number)})" if centre else name
            text += f" {'-' if slope < 0 else '+'} {dialect.product(literal(abs(slope)), value)}"
    return text


def _regressor_params(params: Sequence[float]) -> Iterator[tuple[float, ...]]:
    """Feature, slope, centre and mean of each regressor in the params of a line."""
    return zip(
        *(params[2 + k :: PARAMS_PER_REGRESSOR] for k in range(PARAMS_PER_REGRESSOR)), strict=True
    )


def imputed_means(params: Sequence[float], row: Floats) -> dict[int, float]:
    """Means that stand for missing values of a row, (M,), by feature, where the slope is not 0."""
    return {
        int(feature): mean
        for feature, slope, _, mean in _regressor_params(params)
        if slope and np.isnan(row[int(feature)])
    }


def has_slope(params: Sequence[float]) -> bool:
    """True if the line of params has a slope that is not 0."""
    return any(params[3::PARAMS_PER_REGRESSOR])


# --- of both sides of splits ----------------------------------------------------------------------


def _row_records(rows: NodeRows) -> ScaledTargets:
    """Rows as records, their targets in a unit of the node, a power of two.

    In that unit the squares of a node add up to less than 2^62, so that an int64 holds the sum.
    """
    centred = rows.y - means(rows).repeat(rows.sizes)
    squares = np.add.reduceat(rows.multiply_by_weight(np.square(centred)), rows.starts)
    power = np.maximum((np.frexp(squares)[1] - 60) // 2, MIN_EXPONENT // 2)
    records = np.empty(len(centred), ROW_RECORD)
    records["row_id"], records["weight"] = (
        rows.row_ids,
        1.0 if rows.weights is None else rows.weights,
    )
    records["y"] = np.ldexp(centred, -power.repeat(rows.sizes))
    return ScaledTargets(records, np.ldexp(1.0, 2 * power), variances(rows))


def _loss_steps(
    columns: Floats, records: NDArray[Any], _classes: int, _weights: Amounts | None, starts: Ints
) -> Iterator[Amounts]:
    """Yield the steps of the residual squares from entry to entry, from both ends of segments."""
    return amounts_from_both_ends(
        lambda ordered, _, first: running_residuals(columns, ordered, first), records, None, starts
    )


def running_residuals(columns: Floats, records: NDArray[Any], starts: Ints) -> Amounts:
    """Residual squares of a segment's rows up to each entry, (N,), in whole units."""
    sizes, out = np.diff(starts, append=len(records)), np.empty(len(records), np.int64)
    n_products = (len(columns) + 1) * (len(columns) + 2) // 2  # of pairs of columns
    for segments in _segments_by_size(sizes):
        step = max(BLOCK_NUMBERS // n_products // int(sizes[segments[0]]), 1)
        for k in range(0, len(segments), step):
            batch = segments[k : k + step]
            _write_residuals(out, columns, records, starts[batch], sizes[batch])
    return out


def _segments_by_size(sizes: Ints) -> Iterator[Ints]:
    """Yield groups of segments, those of up to 1, 2, 4, ... entries, the longest of each first.

    In a group no segment is less than half as long as the longest one: a rectangle for all of them
    is at least half full.
    """
    order = np.argsort(-sizes, kind="stable")
    power = np.frexp(np.maximum(sizes.take(order), 1) - 0.5)[1]
    yield from np.split(order, np.flatnonzero(np.diff(power)) + 1)


def _write_residuals(
    out: Amounts, columns: Floats, records: NDArray[Any], starts: Ints, sizes: Ints
) -> None:
    """Write the residual squares of some segments, the longest first, to their entries of `out`.

    The segments are rows of a rectangle; its cells behind the end of a segment are not used.
    Welford's update: a row adds the products of its deviations from the means of the rows before
    it, times w W / (w + W), where w is the row's weight and W that of the rows before it.
    """
    position = np.arange(sizes[0])
    is_entry = position < sizes[:, None]
    entry = np.where(is_entry, starts[:, None] + position, starts[:, None])
    rows = records.take(entry)
    table = np.array([*columns.take(rows["row_id"], axis=1), rows["y"]])
    table -= table[:, :, :1].copy()
    weight = np.where(is_entry, rows["weight"], 0.0)
    total = weight.cumsum(axis=1)
    deviations, weight_before = table.copy(), np.zeros_like(total)
    weight_before[:, 1:] = total[:, :-1]
    deviations[:, :, 1:] -= (table * weight).cumsum(axis=2)[:, :, :-1] / total[:, :-1]
    scale = weight * (weight_before / total)
    n = len(table)
    step = max(BLOCK_NUMBERS // (n * (n + 1) // 2 * len(sizes)), 1)
    last_sums = [np.zeros((n - j, len(sizes))) for j in range(n)]
    for k in range(0, len(position), step):  # in blocks of entries, so that arrays stay small
        block = deviations[:, :, k : k + step]
        weighted = block * scale[:, k : k + step]
        products = [weighted[j] * block[j:] for j in range(n)]
        for sums, sums_before in zip(products, last_sums, strict=True):
            sums[..., 0] += sums_before
            np.cumsum(sums, axis=-1, out=sums)
        last_sums = [sums[..., -1].copy() for sums in products]
        inside = is_entry[:, k : k + step]
        residual = _residual_squares(products)[inside]
        out[entry[:, k : k + step][inside]] = np.rint(residual).astype(np.int64)


def _mean_target(rows: NodeRows) -> Floats:
    """Mean target of each group of row records, (g,)."""
    weight = rows.y["weight"]
    sums = (np.add.reduceat(values, rows.starts) for values in (rows.y["y"] * weight, weight))
    return np.asarray(np.divide(*sums))


BY_MEAN = CategoryKey("means", _mean_target)
"""Order of the values of a category: by their mean targets."""


# --- in formulas ----------------------------------------------------------------------------------


def _formula_step(columns: Floats, group: RowGroup) -> FormulaStep:
    """Write the mean of (y - f(x))^2 over the rows, where f is the line of their regression."""
    assert group.row_ids is not None
    weight = np.ones(len(group.y)) if group.weights is None else group.weights
    table = columns.take(group.row_ids, axis=1)
    table -= table[:, weight.argmax(), None].copy()
    centred = table - np.average(table, axis=1, weights=weight)[:, None]
    mean = np.average(group.y, weights=weight)
    root = np.sqrt(weight / weight.max())  # weighted squares are squares of values times the root
    slopes = least_squares(centred * root, (group.y - mean) * root)
    return residuals(group, mean + slopes @ centred)
