"""Criteria: impurities of groups of rows, and the measures by which splits are ranked.

The impurity of a group is computed from its statistics, sums over its rows. The spread of a group
is n times its impurity, up to a constant that cancels in a gain. The gain of a split is the
impurity of the node less the weighted impurity of both sides; its score is the gain, or a measure
in its place.

Sources: [F] Freiburg 2023, [Z] Zaki & Meira, [M] Murphy 18.1, [H] HSE, [C] CERMICS 2024.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache, partial, reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Floats, Ints
from dtviz.base.text import short_repr
from dtviz.data.dataset import Dataset, Task
from dtviz.data.weights import relative_costs
from dtviz.engine.criteria import latex
from dtviz.engine.criteria.latex import (
    FormulaStep,
    RowGroup,
    WorkedSplit,
    latex_fraction,
    latex_number,
)
from dtviz.engine.criteria.statistics import (
    COUNTS,
    DISTANCES,
    RELATIVE,
    TOTAL,
    Amounts,
    NodeRows,
    Statistics,
    deviances,
    deviations,
    excess,
    medians,
    running_deviation,
    shares_of_mean,
    variances,
)

ExactValue = Callable[[Sequence[int], Sequence[int]], Fraction | Decimal]
"""Exact value of a split from the class counts of both sides."""

LOGARITHM_DIGITS = 60
"""Significant digits of the logarithms of exact values."""
LAST_DECIMAL = Decimal(1).scaleb(-40)
"""Unit to which exact values with logarithms are rounded: closer ones count as equal."""


def exact_entropy(left: Sequence[int], right: Sequence[int]) -> Fraction:
    """2^(-n H), H the weighted entropy of both sides: product of c^c over that of n^n."""
    return Fraction(
        _product_of_powers((*left, *right)), _product_of_powers((sum(left), sum(right)))
    )


def exact_gini(left: Sequence[int], right: Sequence[int]) -> Fraction:
    """n (1 - G), G the weighted Gini impurity of both sides: the sum of c^2 / n."""
    return sum((Fraction(c * c, sum(side)) for side in (left, right) for c in side), Fraction(0))


def exact_error(left: Sequence[int], right: Sequence[int]) -> Fraction:
    """Number of rows that the majorities of both sides predict right."""
    return Fraction(max(left) + max(right))


def exact_gain_ratio(left: Sequence[int], right: Sequence[int]) -> Decimal:
    """Gain over the entropy of the sizes (C4.5), to 40 decimals."""
    n, sizes = sum(left) + sum(right), (sum(left), sum(right))
    parent = [a + b for a, b in zip(left, right, strict=True)]
    # 2^(n H), H the entropy of the sizes; then 2^(n G), G the gain.
    size_entropy = Fraction(_product_of_powers((n,)), _product_of_powers(sizes))
    gain = Fraction(_product_of_powers((n,)), _product_of_powers(parent)) * exact_entropy(
        left, right
    )
    with localcontext(prec=LOGARITHM_DIGITS):
        return (_logarithm(gain) / _logarithm(size_entropy)).quantize(LAST_DECIMAL)


def exact_cart_measure(left: Sequence[int], right: Sequence[int]) -> Fraction:
    """n^2 / 2 times the measure: n_L n_R sum |p_k(L) - p_k(R)|."""
    n_left, n_right = sum(left), sum(right)
    pairs = zip(left, right, strict=True)
    return Fraction(sum(abs(a * n_right - b * n_left) for a, b in pairs))


def _product_of_powers(counts: Iterable[int]) -> int:
    """Product of c^c; 0^0 is 1."""
    return prod(c**c for c in counts)


def _logarithm(value: Fraction) -> Decimal:
    return Decimal(value.numerator).ln() - Decimal(value.denominator).ln()


Sums = Iterable[Amounts]
"""The sums of one statistic after the other over the same groups, (g,) each."""
SpreadFunction = Callable[[Sums, Amounts], Floats]
"""Spread of groups, (g,), from their sums and their weights, (g,)."""
RunningImpurity = Callable[[Floats, Amounts | None], Floats]
"""Impurity of the first 1, 2, ..., n rows, (n,), from their targets and weights, (n,)."""

MAX_TABLE_SIZE = 1 << 25
"""Logarithms of whole numbers below this are looked up in a table, of 256 MB at most."""


class SideSums(NamedTuple):
    """Both sides of many splits; arrays of shape (2, S) have the left sides first."""

    # A function, so that the counts of many classes are never in memory together.
    sums: Callable[[], Iterable[Amounts]]
    """Yields the sums, (2, S), of each statistic in turn."""
    n: Amounts
    """Number of rows, (2, S)."""
    weight: Amounts
    """Weight of the rows, (2, S): `n` itself where rows have no weights."""
    gain: Floats
    """Gain of each split, (S,)."""

    @property
    def n_left(self) -> Amounts:
        """Number of rows on the left of each split, (S,)."""
        return np.asarray(self.n[0])

    @property
    def n_right(self) -> Amounts:
        """Number of rows on the right of each split, (S,)."""
        return np.asarray(self.n[1])


@dataclass(frozen=True, slots=True, eq=False)
class Impurity:
    """A number that says how mixed the targets of a group of rows are."""

    name: str
    """Noun for sentences."""
    symbol: str
    """Letter for formulas."""
    unit: str
    """Unit of the impurity; '': none."""
    lead: str
    """First sentence about the impurity on the page Learn, in Markdown."""
    formula: str
    """LaTeX of the impurity, in the class shares p_k or in the targets y."""
    spread: SpreadFunction
    """Computes n times the impurity from sums, up to a constant that cancels in a gain."""
    formula_step: Callable[[RowGroup], FormulaStep]
    """Writes the formula with the numbers of a group."""
    statistics: Statistics = COUNTS
    """Sums that the spread is computed from."""
    impurity_from_rows: Callable[[NodeRows], Floats] | None = None
    """Computes the impurity of nodes, (m,), from their rows; None: the spread gives it."""
    running_impurity: RunningImpurity | None = None
    """Computes the impurity of the first 1, 2, ... rows of a node; None: the spread gives it."""
    take_rows: Callable[[Ints], Impurity] | None = None
    """Returns the impurity for a table that consists of these rows of the present one; None: the
    impurity depends on targets alone."""
    exact: ExactValue | None = None
    """Orders the splits of a node by their gain without rounding; None: there is no such order."""
    work: int = 1
    """Rough number of sums to which each row is added, a measure of computing time."""
    best_at_boundary: bool = False
    """True: the best threshold is a boundary point, never between rows of one class (Fayyad and
    Irani)."""
    sums_squares: bool = False
    """True: the spread is a constant less the sum of s^2 / n over the sums s of all statistics."""

    def node_impurities(self, rows: NodeRows, class_weights: Amounts) -> Floats:
        """Impurity of each node, (m,), from its rows and the weights of its classes, (m, K)."""
        if self.impurity_from_rows is not None:
            return self.impurity_from_rows(rows)
        return np.maximum(self.spread(class_weights.T, rows.weight) / rows.weight, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A number that ranks splits in place of the gain."""

    name: str
    """Noun for sentences."""
    lead: str
    """First sentence about the measure on the page Learn, in Markdown."""
    formula: str
    """LaTeX of the measure."""
    score: Callable[[SideSums], Floats]
    """Computes the measure of each split, (S,)."""
    formula_steps: Callable[[WorkedSplit], tuple[FormulaStep, ...]]
    """Writes the formula with the numbers of a split."""
    exact: ExactValue | None = None
    """Orders splits by the measure without rounding; None: there is no such order."""
    score_branches: Callable[[Floats, Floats, Ints], Floats] | None = None
    """Computes the measure of m cuts with any number of branches, (m,), from their gains, the share
    of its node that each branch has, and the position of each cut's first branch; None: the measure
    is for two sides."""


@dataclass(frozen=True, slots=True, eq=False)
class Criterion:
    """A way to rank splits: by the gain of an impurity, or by a measure.

    >>> CRITERIA["gain_ratio"].measure.name, CRITERIA["gain_ratio"].impurity.name
    ('gain ratio', 'entropy')
    >>> round(impurity("entropy", [3, 1]), 3)
    0.811
    """

    name: str
    """Value of the rule `criterion`."""
    title: str
    """Text of the choice on the pages."""
    task: Task
    """Task that the criterion is for: classification or regression."""
    impurity: Impurity
    """Impurity whose gain is shown, and ranks the splits if there is no measure."""
    measure: Measure | None = None
    """Measure that ranks the splits in place of the gain."""
    min_target: float = -np.inf
    """Lowest target that is allowed."""
    leaf_model: str | None = None
    """Name of the leaf model that goes with the criterion; None: the usual one of the task."""
    means_above_zero: bool = False
    """True: both sides of a split must have a mean above 0."""

    def take_rows(self, rows: Ints) -> Criterion:
        """The criterion for a table that consists of these rows of the present one."""
        take = self.impurity.take_rows
        return self if take is None else replace(self, impurity=take(rows))

    @property
    def score_name(self) -> str:
        """Name of the score that ranks splits: 'gain', 'gain ratio' or 'CART measure'."""
        return self.measure.name if self.measure else "gain"

    @property
    def unit(self) -> str:
        """Unit of the scores: that of the impurity for gains, none for measures."""
        return "" if self.measure else self.impurity.unit

    @property
    def spread(self) -> SpreadFunction:
        """Function that computes the spread of the impurity."""
        return self.impurity.spread

    @property
    def exact(self) -> ExactValue | None:
        """Function that orders splits by their scores without rounding; None: there is none."""
        return (self.measure or self.impurity).exact


def _xlog2x_up_to(upper_limits: Amounts) -> Callable[[Amounts], Floats]:
    """Function that computes k log2 k for numbers k up to the largest of an array."""
    top = np.maximum.reduce(upper_limits, axis=None, initial=0)
    # A look-up in a table is faster than a logarithm, but takes whole numbers only.
    is_tabled = upper_limits.dtype.kind in "iu" and top < MAX_TABLE_SIZE
    return xlog2x_table(int(top)).take if is_tabled else _xlog2x


def _xlog2x(values: Amounts) -> Floats:
    values = np.maximum(values, 0.0)
    return np.asarray(values * np.log2(np.where(values > 0, values, 1.0)))


def xlog2x_table(top: int) -> Floats:
    """Table of k log2 k for k = 0 ... `top` at least; 0 log2 0 = 0."""
    return _xlog2x_table(1 << top.bit_length())


@lru_cache(maxsize=8)
def _xlog2x_table(size: int) -> Floats:
    k = np.arange(size, dtype=np.float64)
    k[1:] *= np.log2(k[1:])
    k.setflags(write=False)
    return k


def entropy_spread(counts: Sums, n: Amounts) -> Floats:
    """n times the entropy in bits: n log2 n - sum c_k log2 c_k [F, Z, H, C]."""
    xlog2x = _xlog2x_up_to(n)
    total = xlog2x(n)
    for count in counts:
        part = xlog2x(count)
        # The result goes into `part`: n may have a smaller shape, and so `total` before it.
        total = np.subtract(total, part, out=part)
    return total


def gini_spread(counts: Sums, n: Amounts) -> Floats:
    """n times the Gini impurity: n - sum c_k^2 / n [Z, M, H]."""
    n = n.astype(np.float64)  # numpy is slow to mix whole numbers and floats in each operation
    squares = reduce(np.add, (np.square(count, dtype=np.float64) for count in counts))
    squares /= n
    return np.subtract(n, squares, out=squares)


def error_spread(counts: Sums, n: Amounts) -> Floats:
    """n times the misclassification rate: n - max c_k [C]."""
    return np.asarray(n - reduce(np.maximum, counts), dtype=np.float64)


def squared_spread(sums: Sums, n: Amounts) -> Floats:
    """n times the variance, less the sum of y^2 (it cancels in a gain): -(sum y)^2 / n [F, M, H].

    Accurate only for targets less the mean of their node.
    """
    (total,) = sums
    spread = total / n.astype(np.float64)
    spread *= total
    return np.negative(spread, out=spread)


def running_variance(y: Floats, weights: Amounts | None = None) -> Floats:
    """Variance of y[:1], y[:2], ..., y[:n], (n,); exactly 0 up to the first y that differs.

    Welford's update in two cumulative sums: every term is non-negative, nothing cancels.
    """
    weight, weight_before, total, offset, mean_before = _running_terms(y, weights)
    terms = np.square(offset - mean_before) * weight * (weight_before / total)
    return np.asarray(np.cumsum(terms) / total)


def _running_terms(
    y: Floats, weights: Amounts | None
) -> tuple[Floats | Amounts, Floats, Floats, Floats, Floats]:
    """Terms of running sums over rows.

    Returns, (n,) each: the weight of each row, the weight of the rows before it, both together, the
    offset of its target from the first target, and the mean offset of the rows before it.
    """
    weight = np.ones(len(y)) if weights is None else weights
    total, offset = np.cumsum(weight), y - y[:1].repeat(len(y))
    weight_before, mean_before = np.zeros(len(y)), np.zeros(len(y))
    weight_before[1:] = total[:-1]
    mean_before[1:] = np.cumsum((offset * weight)[:-1]) / total[:-1]
    return weight, weight_before, total, offset, mean_before


def poisson_spread(sums: Sums, n: Amounts) -> Floats:
    """n times half the Poisson deviance, less the sum of y ln y (it cancels in a gain).

    `sums` are those of targets less the mean of their node as shares of that mean; the result is in
    units of that mean.
    """
    (total,) = sums
    return np.asarray(-n * excess(total / n))


def running_deviance(y: Floats, weights: Amounts | None = None) -> Floats:
    """Half the Poisson deviance of y[:1], y[:2], ..., y[:n], (n,); 0 where all are equal.

    A sum of non-negative terms, as in `running_variance`: each row adds its excess over the new
    mean and, for every row before it, the excess of the old mean over the new mean.
    """
    weight, weight_before, total, offset, mean_before = _running_terms(y, weights)
    mean_offset = mean_before + (offset - mean_before) * (weight / total)
    mean = np.cumsum(weight * y) / total
    # Where the mean is far below the first target, offsets from that target have lost digits.
    is_far = mean < y[:1] / 2
    change = np.where(is_far, np.roll(mean, 1) - mean, mean_before - mean_offset)
    difference = np.where(is_far, y - mean, offset - mean_offset)
    before = weight_before * excess(shares_of_mean(change, mean))
    added = before + weight * excess(shares_of_mean(difference, mean))
    return np.asarray(np.cumsum(mean * added) / total)


def lesser_spread(sums: Sums, n: Amounts) -> Floats:
    """n times an impurity with two statistics, see `amounts_from_both_ends`: the lesser sum."""
    forwards, backwards = sums
    return np.minimum(forwards, backwards).astype(np.float64)


def _distance_step(group: RowGroup) -> FormulaStep:
    rows = NodeRows(group.y, group.weights, np.zeros(1, int), np.array([len(group.y)]))
    return latex.distance(group, float(medians(rows)[0]))


def gain_ratio(sides: SideSums) -> Floats:
    """Gain divided by the entropy of (n_L/n, n_R/n) (C4.5)."""
    weight = sides.weight.sum(axis=0)
    return np.asarray(sides.gain / (entropy_spread(sides.weight, weight) / weight))


def gain_ratio_of_branches(gain: Floats, share: Floats, starts: Ints) -> Floats:
    """Gain divided by the split information, the entropy of the branch sizes; 0 for one branch."""
    information = -np.add.reduceat(share * np.log2(share), starts)
    return np.divide(gain, information, out=np.zeros(len(gain)), where=information > 0)


def cart_measure(sides: SideSums) -> Floats:
    """2 (n_L/n) (n_R/n) sum_k |p_k(L) - p_k(R)| [Z]."""
    shares = sides.weight / sides.weight.sum(axis=0)
    distance = np.zeros(sides.n.shape[1])
    for count in sides.sums():
        class_share = count / sides.weight
        distance += np.abs(class_share[0] - class_share[1])
    return np.asarray(2 * shares[0] * shares[1] * distance)


ENTROPY = Impurity(
    "entropy",
    "H",
    "bit",
    "**Entropy**, in bits; $0 \\log 0 = 0$ [F, Z, H, C]. [M] uses nats; bits everywhere here.",
    r"-\sum_k p_k \log_2 p_k",
    entropy_spread,
    latex.entropy,
    exact=exact_entropy,
    best_at_boundary=True,
)
GINI = Impurity(
    "gini",
    "G",
    "",
    "**Gini** [Z, M, H]",
    r"1 - \sum_k p_k^2",
    gini_spread,
    latex.gini,
    exact=exact_gini,
    best_at_boundary=True,
    sums_squares=True,
)
ERROR = Impurity(
    "error",
    "E",
    "",
    "**Error**: the share of rows the majority gets wrong [C]",
    r"1 - \max_k p_k",
    error_spread,
    latex.error,
    exact=exact_error,
)
VARIANCE = Impurity(
    "variance",
    "V",
    "",
    "**Squared error**: the variance of the target in the node [F, M, H]",
    r"\frac{1}{n} \sum_i (y_i - \bar y)^2",
    squared_spread,
    latex.variance,
    TOTAL,
    variances,
    running_variance,
    sums_squares=True,
)
POISSON = Impurity(
    "deviance",
    "D",
    "",
    "**Poisson**: half the deviance of counts from their mean; $0 \\ln 0 = 0$",
    r"\frac{1}{n} \sum_i y_i \ln \frac{y_i}{\bar y}",
    poisson_spread,
    latex.deviance,
    RELATIVE,
    deviances,
    running_deviance,
)
DISTANCE = Impurity(
    "distance",
    "A",
    "",
    "**Absolute error**: the mean distance of the target from the node's median",
    r"\frac{1}{n} \sum_i |y_i - \tilde y|",
    lesser_spread,
    _distance_step,
    DISTANCES,
    deviations,
    running_deviation,
    work=40,  # medians are slow: a tree takes some ten times as long as by squares
)
GAIN_RATIO = Measure(
    "gain ratio",
    "**Gain ratio** (C4.5): the gain over the entropy of the two sizes; it leans to uneven cuts",
    r"\frac{\text{gain of } H}{H(\tfrac{n_L}{n}, \tfrac{n_R}{n})}",
    gain_ratio,
    latex.gain_ratio,
    exact_gain_ratio,
    gain_ratio_of_branches,
)
CART_MEASURE = Measure(
    "CART measure",
    "**CART measure** [Z]: scores the split itself, no impurity of the parent",
    r"2 \tfrac{n_L}{n} \tfrac{n_R}{n} \sum_k |p_k(L) - p_k(R)|",
    cart_measure,
    latex.cart_measure,
    exact_cart_measure,
)

CRITERIA: dict[str, Criterion] = {
    c.name: c
    for c in (
        Criterion("entropy", "Entropy", "classification", ENTROPY),
        Criterion("gini", "Gini", "classification", GINI),
        Criterion("error", "Error", "classification", ERROR),
        Criterion("gain_ratio", "Gain ratio", "classification", ENTROPY, GAIN_RATIO),
        Criterion("cart", "CART measure", "classification", GINI, CART_MEASURE),
        Criterion("squared_error", "Squared error", "regression", VARIANCE),
        Criterion("absolute_error", "Absolute error", "regression", DISTANCE, leaf_model="median"),
        Criterion(
            "poisson",
            "Poisson deviance",
            "regression",
            POISSON,
            min_target=0.0,
            means_above_zero=True,
        ),
    )
}
"""Criteria by name."""

ALIASES = {"log_loss": "entropy", "friedman_mse": "squared_error"}
"""scikit-learn's other names of criteria; Friedman's score ranks splits as squared error does."""


def default_criterion(task: Task) -> str:
    """Name of the usual criterion of a task: entropy for classes, squared_error for numbers."""
    return "entropy" if task == "classification" else "squared_error"


def criteria_for(task: Task) -> tuple[str, ...]:
    """Names of the criteria for a task."""
    return tuple(c.name for c in CRITERIA.values() if c.task == task)


def criteria_of(data: Dataset) -> tuple[str, ...]:
    """Names of the criteria for the task of a dataset that allow its targets."""
    lowest = data.y.min(initial=0)
    return tuple(name for name in CRITERIA if suits_targets(name, data.task, lowest))


def suits_targets(name: str, task: Task, lowest: float) -> bool:
    """True if a criterion is for a task and allows targets as low as `lowest`."""
    return CRITERIA[name].task == task and CRITERIA[name].min_target <= lowest


def impurities_for(task: Task) -> tuple[Impurity, ...]:
    """Impurities of the criteria for a task, each once."""
    return tuple(dict.fromkeys(c.impurity for c in CRITERIA.values() if c.task == task))


def impurity(name: str, counts: Amounts) -> float:
    """Impurity of one group of rows from its class counts, (K,), by the criterion of this name.

    Raises ValueError for a criterion of regression, for counts that are no whole numbers from 0
    on, or for an empty group.
    """
    criterion = CRITERIA.get(name) if isinstance(name, str) else None
    if criterion is None or criterion.task != "classification":
        allowed = ", ".join(criteria_for("classification"))
        raise ValueError(f"`criterion` must be one of {allowed}; not {short_repr(name)}")
    counts = _to_whole_counts(counts)
    n = counts.sum()
    if n == 0:
        raise ValueError("an empty group has no impurity; give at least one row")
    return float(criterion.spread(counts[:, None], np.array([n]))[0] / n)


def _to_whole_counts(counts: Any) -> Amounts:
    """Convert counts to an array of integers; raises ValueError if they are no numbers of rows."""
    try:
        numbers = np.asarray(counts)
        numbers = numbers.astype(np.float64, casting="same_kind")
        if numbers.ndim == 1 and np.all((numbers >= 0) & (numbers % 1 == 0) & (numbers < 2**53)):
            return numbers.astype(np.int64)
    except (TypeError, ValueError):
        pass
    raise ValueError(f"`counts` must be numbers of rows, one a class; not {short_repr(counts)}")


def least_cost_class(sums: NDArray[Any], costs: Floats) -> Ints:
    """Class with the least expected cost in each node, (m,); of equal costs the first class.

    `sums` are the weights of the classes, (m, K), `costs` is the cost matrix, (K, K).
    """
    expected = sums @ relative_costs(costs)
    lowest = expected.min(axis=1, keepdims=True)
    return np.asarray((expected * (1 - ROUNDING) <= lowest).argmax(axis=1))


def impurity_with_costs(impurity: Impurity, data: Dataset) -> Impurity:
    """Adapt an impurity to the costs of the data: the error becomes the expected cost."""
    # The costs of two classes are already in the weights of their rows.
    if impurity is not ERROR or data.costs is None or len(data.costs) == 2:
        return impurity
    costs = relative_costs(data.costs)
    return replace(
        ERROR,
        lead="**Error**: the expected cost of the class that costs least, $C_{ij}$ being what a "
        "mistake costs for each unit of weight [C]",
        formula=r"\min_j \sum_i p_i \, C_{ij}",
        spread=partial(_cost_spread, costs),
        formula_step=partial(_cost_step, costs),
    )


def _cost_spread(costs: Floats, counts: Sums, _n: NDArray[Any]) -> Floats:
    """n times the expected cost of the cheapest class: min_j sum_i c_i C_ij."""
    expected: Floats | None = None
    for count, class_costs in zip(counts, costs, strict=True):
        part = np.multiply.outer(class_costs, count)
        expected = part if expected is None else np.add(expected, part, out=expected)
    assert expected is not None
    return np.asarray(expected.min(axis=0))


def _cost_step(costs: Floats, group: RowGroup) -> FormulaStep:
    """Write p_1 C_1j + p_2 C_2j + ... for the cheapest class j."""
    parts, total = np.asarray(group.parts, np.float64), group.total
    class_costs = costs[:, int((parts @ costs).argmin())]
    pairs: Iterable[tuple[float, float]] = zip(parts.tolist(), class_costs.tolist(), strict=True)
    terms = tuple(
        rf"{latex_fraction(part, total)} \cdot {latex_number(cost)}"
        for part, cost in pairs
        if part and cost
    )
    return FormulaStep(terms=terms) if terms else FormulaStep("0")
