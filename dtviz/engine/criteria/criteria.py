"""The measures that rank cuts: impurity of a group of rows, from additive sums over its rows.

Glossary
    sums       what is added up over the rows of a group: one count a class, or the sum of y
    spread     n times the impurity of a group, as a function of its sums
    gain       impurity of the node minus the row-weighted impurity of both sides
    measure    what a criterion ranks cuts by where that is not the gain
    score      a cut's gain, or its measure

Sources: theory.md [F] Freiburg 2023, [Z] Zaki & Meira, [M] Murphy 18.1, [H] HSE, [C] CERMICS 2024.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Floats
from dtviz.base.text import shown
from dtviz.data.dataset import Dataset, Task
from dtviz.data.weights import relative_costs
from dtviz.engine.criteria import exact, latex
from dtviz.engine.criteria.exact import Worth
from dtviz.engine.criteria.latex import Cut, Group, Step, figure, share
from dtviz.engine.criteria.statistics import (
    COUNTS,
    DISTANCES,
    RELATIVE,
    TOTAL,
    Rows,
    Statistics,
    deviances,
    deviations,
    excess,
    medians,
    relative,
    running_deviation,
    variances,
)

Counts = NDArray[Any]
Sums = Iterable[Counts]
Spread = Callable[[Sums, Counts], Floats]
Running = Callable[[Floats, Counts | None], Floats]

MOST_LOOKED_UP = 1 << 25
"""Logarithms of whole numbers below this are looked up: 256 MB at most."""


class Sides(NamedTuple):
    """Both sides of many cuts at once, left before right: each array is (2, cuts) but the gain.

    `n` counts rows, `weight` is what they weigh: `n` itself where rows have no weights. `sums`
    gives the sums anew each time it is called, one statistic after the other, so that a node of
    many classes never has all their counts in memory.
    """

    sums: Callable[[], Iterable[Counts]]
    n: Counts
    weight: Counts
    gain: Floats

    @property
    def n_left(self) -> Counts:
        """Rows left of each cut."""
        return np.asarray(self.n[0])

    @property
    def n_right(self) -> Counts:
        """Rows right of each cut."""
        return np.asarray(self.n[1])


@dataclass(frozen=True, slots=True, eq=False)
class Impurity:
    """How mixed a group of rows is: what it is called, how it is computed and written.

    `spread` is n times the impurity, from the sums of the group's rows, but for what cancels in a
    gain; `step` writes it with the group's own numbers. `name` stands in sentences, `symbol` in
    formulas; `lead` opens it on Learn (Markdown); `formula` is LaTeX in the shares p_k, or in y.
    Where sums do not tell the whole impurity, `of_rows` gives it for each node's rows, (m,), and
    `running` for the first 1, 2, ..., n of some targets and their weights, (n,). One that depends
    on more of a row than its target is that of some rows of one table; `taken` gives it for others
    of them, where these are numbered anew. `exact` orders the splits of a node by their gain
    without rounding, from counts. `work` is about how many sums of each row it asks for. `strict`:
    to part rows of one class is always worse than to leave them together. `squares`: the spread is
    a constant less the squares of the sums, each over n.
    """

    name: str
    symbol: str
    unit: str
    lead: str
    formula: str
    spread: Spread
    step: Callable[[Group], Step]
    statistics: Statistics = COUNTS
    of_rows: Callable[[Rows], Floats] | None = None
    running: Running | None = None
    taken: Callable[[NDArray[np.intp]], Impurity] | None = None
    exact: Worth | None = None
    work: int = 1
    strict: bool = False
    squares: bool = False

    def of_nodes(self, rows: Rows, counts: Counts) -> Floats:
        """The impurity of each node, (m,), from its rows and what its classes weigh, (m, K)."""
        if self.of_rows is not None:
            return self.of_rows(rows)
        return np.maximum(self.spread(counts.T, rows.weight) / rows.weight, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """What ranks cuts in the gain's place: named, computed, and written step by step.

    `exact` orders splits by it without rounding, from counts.
    """

    name: str
    lead: str
    formula: str
    score: Callable[[Sides], Floats]
    steps: Callable[[Cut], tuple[Step, ...]]
    exact: Worth | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Criterion:
    """A named way to rank cuts: by the gain of an impurity, or by a measure of its own.

    `least` is the lowest target it takes, `leaf` the leaf model that goes with it, where that is
    not the usual one. `above_zero`: both sides of a cut must have a mean above 0.
    """

    name: str
    title: str
    task: Task
    impurity: Impurity
    measure: Measure | None = None
    least: float = -np.inf
    leaf: str | None = None
    above_zero: bool = False

    def taken(self, rows: NDArray[np.intp]) -> Criterion:
        """The criterion of these rows, numbered anew."""
        taken = self.impurity.taken
        return self if taken is None else replace(self, impurity=taken(rows))

    @property
    def measured(self) -> str:
        """What it ranks cuts by: 'gain', 'gain ratio' or 'CART measure'."""
        return self.measure.name if self.measure else "gain"

    @property
    def unit(self) -> str:
        """The unit of its scores: a gain has the impurity's, a measure none."""
        return "" if self.measure else self.impurity.unit

    @property
    def spread(self) -> Spread:
        """The impurity's."""
        return self.impurity.spread

    @property
    def exact(self) -> Worth | None:
        """Orders splits by its scores without rounding; None where no such order is known."""
        return (self.measure or self.impurity).exact


def _xlog2x_of(most: Counts) -> Callable[[Counts], Floats]:
    """k log2 k of each k up to `most`, looked up where all are whole and none is huge."""
    top = np.maximum.reduce(most, axis=None, initial=0)
    whole = most.dtype.kind in "iu" and top < MOST_LOOKED_UP
    return xlog2x_table(int(top)).take if whole else _xlog2x


def _xlog2x(values: Counts) -> Floats:
    values = np.maximum(values, 0.0)
    return np.asarray(values * np.log2(np.where(values > 0, values, 1.0)))


def xlog2x_table(top: int) -> Floats:
    """k log2 k for k = 0 ... top at least, with 0 log2 0 = 0: no logarithm per cut is needed."""
    return _xlog2x_table(1 << top.bit_length())


@lru_cache(maxsize=8)
def _xlog2x_table(size: int) -> Floats:
    k = np.arange(size, dtype=np.float64)
    k[1:] *= np.log2(k[1:])
    k.setflags(write=False)
    return k


def entropy_spread(counts: Sums, n: Counts) -> Floats:
    """n times the entropy in bits: n log2 n - sum c_k log2 c_k [F, Z, H, C]."""
    xlog2x = _xlog2x_of(n)
    total = xlog2x(n)
    for count in counts:
        part = xlog2x(count)
        total = np.subtract(total, part, out=part)  # n may be told once for many lines
    return total


def gini_spread(counts: Sums, n: Counts) -> Floats:
    """n times the Gini impurity: n - sum c_k^2 / n [Z, M, H]."""
    n = n.astype(np.float64)  # at once: numpy is slow to mix whole numbers and floats
    squares = reduce(np.add, (np.square(count, dtype=np.float64) for count in counts))
    squares /= n
    return np.subtract(n, squares, out=squares)


def error_spread(counts: Sums, n: Counts) -> Floats:
    """n times the misclassification rate: n - max c_k [C]."""
    return np.asarray(n - reduce(np.maximum, counts), dtype=np.float64)


def squared_spread(sums: Sums, n: Counts) -> Floats:
    """n times the variance, less the sum of y^2 (it cancels in a gain): -(sum y)^2 / n [F, M, H].

    Exact enough only for y centred on the node's mean.
    """
    (total,) = sums
    spread = total / n.astype(np.float64)
    spread *= total
    return np.negative(spread, out=spread)


def running_variance(y: Floats, weights: Counts | None = None) -> Floats:
    """The variance of y[:1], y[:2], ..., y[:n], shape (n,), exact where all y so far are equal.

    Welford's update in two cumulative sums: every term is non-negative, nothing cancels.
    """
    own, before, whole, offset, mean_before = _one_by_one(y, weights)
    terms = np.square(offset - mean_before) * own * (before / whole)
    return np.asarray(np.cumsum(terms) / whole)


def _one_by_one(
    y: Floats, weights: Counts | None
) -> tuple[Floats | Counts, Floats, Floats, Floats, Floats]:
    """Rows as they come, (n,) each: weight, weight before and with it, offset from the first, and
    the mean offset of those before.
    """
    own = np.ones(len(y)) if weights is None else weights
    whole, offset = np.cumsum(own), y - y[:1].repeat(len(y))
    before, mean_before = np.zeros(len(y)), np.zeros(len(y))
    before[1:] = whole[:-1]
    mean_before[1:] = np.cumsum((offset * own)[:-1]) / whole[:-1]
    return own, before, whole, offset, mean_before


def poisson_spread(sums: Sums, n: Counts) -> Floats:
    """n times half the Poisson deviance, less the sum of y ln y (it cancels in a gain).

    For sums of y told as shares of the node's mean from that mean; in units of that mean.
    """
    (total,) = sums
    return np.asarray(-n * excess(total / n))


def running_deviance(y: Floats, weights: Counts | None = None) -> Floats:
    """Half the Poisson deviance of y[:1], y[:2], ..., y[:n], shape (n,); 0 where all are equal.

    Summed up as the variance is: each row adds its own excess over the new mean and, for every row
    before it, that of the old mean over the new. Neither is negative.
    """
    own, before, whole, offset, mean_before = _one_by_one(y, weights)
    mean = mean_before + (offset - mean_before) * (own / whole)
    level = np.cumsum(own * y) / whole
    far = level < y[:1] / 2  # from the first row: the offsets from it have lost digits
    moved = np.where(far, np.roll(level, 1) - level, mean_before - mean)
    new = np.where(far, y - level, offset - mean)
    added = before * excess(relative(moved, level)) + own * excess(relative(new, level))
    return np.asarray(np.cumsum(level * added) / whole)


def lesser_spread(sums: Sums, n: Counts) -> Floats:
    """n times an impurity that is summed up from both ends: the lesser of the sums."""
    forwards, backwards = sums
    return np.minimum(forwards, backwards).astype(np.float64)


def _distance_step(group: Group) -> Step:
    rows = Rows(group.y, group.weights, np.zeros(1, np.intp), np.array([len(group.y)]))
    return latex.distance(group, float(medians(rows)[0]))


def gain_ratio(sides: Sides) -> Floats:
    """Gain divided by the entropy of (n_L/n, n_R/n) (C4.5)."""
    whole = sides.weight.sum(axis=0)
    return np.asarray(sides.gain / (entropy_spread(sides.weight, whole) / whole))


def cart_measure(sides: Sides) -> Floats:
    """2 (n_L/n) (n_R/n) sum_k |p_k(L) - p_k(R)| [Z]."""
    shares = sides.weight / sides.weight.sum(axis=0)
    apart = np.zeros(sides.n.shape[1])
    for count in sides.sums():
        share = count / sides.weight
        apart += np.abs(share[0] - share[1])
    return np.asarray(2 * shares[0] * shares[1] * apart)


ENTROPY = Impurity(
    "entropy",
    "H",
    "bit",
    "**Entropy**, in bits; $0 \\log 0 = 0$ [F, Z, H, C]. [M] uses nats; bits everywhere here.",
    r"-\sum_k p_k \log_2 p_k",
    entropy_spread,
    latex.entropy,
    exact=exact.entropy,
    strict=True,
)
GINI = Impurity(
    "gini",
    "G",
    "",
    "**Gini** [Z, M, H]",
    r"1 - \sum_k p_k^2",
    gini_spread,
    latex.gini,
    exact=exact.gini,
    strict=True,
    squares=True,
)
ERROR = Impurity(
    "error",
    "E",
    "",
    "**Error**: the share of rows the majority gets wrong [C]",
    r"1 - \max_k p_k",
    error_spread,
    latex.error,
    exact=exact.error,
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
    squares=True,
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
)
GAIN_RATIO = Measure(
    "gain ratio",
    "**Gain ratio** (C4.5): the gain over the entropy of the two sizes; it leans to uneven cuts",
    r"\frac{\text{gain of } H}{H(\tfrac{n_L}{n}, \tfrac{n_R}{n})}",
    gain_ratio,
    latex.gain_ratio,
    exact.gain_ratio,
)
CART_MEASURE = Measure(
    "CART measure",
    "**CART measure** [Z]: scores the split itself, no impurity of the parent",
    r"2 \tfrac{n_L}{n} \tfrac{n_R}{n} \sum_k |p_k(L) - p_k(R)|",
    cart_measure,
    latex.cart_measure,
    exact.cart_measure,
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
        Criterion("absolute_error", "Absolute error", "regression", DISTANCE, leaf="median"),
        Criterion("poisson", "Poisson deviance", "regression", POISSON, least=0.0, above_zero=True),
    )
}
"""Every criterion by name. `gain_ratio` and `cart` rank by their own measure; the impurity and
gain shown beside it are entropy's and Gini's."""

ALIASES = {"log_loss": "entropy", "friedman_mse": "squared_error"}
"""Other names of criteria: the cuts of a node rank alike by Friedman's score and squared error."""


def default_criterion(task: Task) -> str:
    """Entropy for classes, squared_error for numbers."""
    return "entropy" if task == "classification" else "squared_error"


def criteria_for(task: Task) -> tuple[str, ...]:
    """The names of the criteria that suit a task."""
    return tuple(c.name for c in CRITERIA.values() if c.task == task)


def criteria_of(data: Dataset) -> tuple[str, ...]:
    """The names of the criteria that suit a table: its task, and its target."""
    least = data.y.min(initial=0)
    return tuple(name for name in CRITERIA if suits(name, data.task, least))


def suits(name: str, task: Task, least: float) -> bool:
    """Whether a criterion is of a task and takes a target as low as `least`."""
    return CRITERIA[name].task == task and CRITERIA[name].least <= least


def impurities_for(task: Task) -> tuple[Impurity, ...]:
    """The impurities that the criteria of a task measure, each once."""
    return tuple(dict.fromkeys(c.impurity for c in CRITERIA.values() if c.task == task))


def impurity(name: str, counts: Counts) -> float:
    """The impurity of one group of rows from its class counts, shape (K,).

    Raises ValueError for a criterion that has no class counts, or for an empty group.
    """
    criterion = CRITERIA.get(name) if isinstance(name, str) else None
    if criterion is None or criterion.task != "classification":
        allowed = ", ".join(criteria_for("classification"))
        raise ValueError(f"`criterion` must be one of {allowed}; not {shown(name)}")
    counts = _counted(counts)
    n = counts.sum()
    if n == 0:
        raise ValueError("an empty group has no impurity; give at least one row")
    return float(criterion.spread(counts[:, None], np.array([n]))[0] / n)


def _counted(counts: Any) -> Counts:
    """The counts as whole numbers; raises ValueError where they are none."""
    try:
        given = np.asarray(counts)
        given = given.astype(np.float64, casting="same_kind")
        if given.ndim == 1 and np.all((given >= 0) & (given % 1 == 0) & (given < 2**53)):
            return given.astype(np.int64)
    except (TypeError, ValueError):
        pass
    raise ValueError(f"`counts` must be numbers of rows, one a class; not {shown(counts)}")


def cheapest(sums: NDArray[Any], costs: Floats) -> NDArray[np.intp]:
    """The class of the least expected cost of each node, (m,), but for rounding the first.

    `sums` are what its classes weigh, (m, K).
    """
    expected = sums @ relative_costs(costs)
    least = expected.min(axis=1, keepdims=True)
    return np.asarray((expected * (1 - ROUNDING) <= least).argmax(axis=1))


def impurity_on(impurity: Impurity, data: Dataset) -> Impurity:
    """The impurity as the data's costs have it: of two classes each costs what it weighs."""
    if impurity is not ERROR or data.costs is None or len(data.costs) == 2:
        return impurity
    costs = relative_costs(data.costs)
    return replace(
        ERROR,
        lead="**Error**: the expected cost of the class that costs least, $C_{ij}$ being what a "
        "mistake costs for each unit of weight [C]",
        formula=r"\min_j \sum_i p_i \, C_{ij}",
        spread=partial(_spread, costs),
        step=partial(_step, costs),
    )


def _spread(costs: Floats, counts: Sums, _n: NDArray[Any]) -> Floats:
    """n times the expected cost of the cheapest class: min_j sum_i c_i C_ij."""
    expected: Floats | None = None
    for count, line in zip(counts, costs, strict=True):
        part = np.multiply.outer(line, count)
        expected = part if expected is None else np.add(expected, part, out=expected)
    assert expected is not None
    return np.asarray(expected.min(axis=0))


def _step(costs: Floats, group: Group) -> Step:
    """p_1 C_1j + p_2 C_2j + ... of the cheapest class j."""
    parts, whole = np.asarray(group.parts, np.float64), group.whole
    line = costs[:, int((parts @ costs).argmin())]
    pairs: Iterable[tuple[float, float]] = zip(parts.tolist(), line.tolist(), strict=True)
    terms = tuple(
        rf"{share(part, whole)} \cdot {figure(cost)}" for part, cost in pairs if part and cost
    )
    return Step(terms=terms) if terms else Step("0")
