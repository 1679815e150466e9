"""The chance of a cut: how often a node without any signal has a best cut as good as this one.

The best of many cuts is good even where the targets are noise. Two figures tell how good. Shuffles
count: the targets of the node's rows are shuffled again and again, and the best cut is searched
anew each time, with the same criterion, families and minimum; the p-value is (b + 1) / (R + 1) if b
of R shuffles reach the score of the best cut. A test needs no shuffle: the p-value of the division
of the rows by the cut, times the number of cuts compared (Bonferroni). The logworth is -log10 of
the p-value. For classes the test is the likelihood-ratio chi-square, G^2 = 2 n ln 2 times the gain
in bits, with (B - 1)(K - 1) degrees of freedom for B branches and the K classes of the node; for
numbers it is the F test of the means, with B - 1 and n - B degrees of freedom.

Bonferroni multiplies too much: cuts side by side divide almost the same rows. Where fewer than 5
rows are expected of a class in a branch, chi-square is rough: G^2 is too large for many such
branches, Pearson's X^2 for a rare class. The smaller of both is taken there. The cuts along a
direction that a node fits to its targets, as those of the family 'oblique' are, were not chosen
beforehand: for them the figure is too small.

Sources: Kass, CHAID (1980): Bonferroni; Phipson, Smyth (2010): (b + 1) / (R + 1); JMP, Partition:
logworth, by an adjustment between none and Bonferroni (Sall 2002).
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.distributions import log_chi_square_tail, log_f_tail
from dtviz.base.progress import Slices
from dtviz.data.dataset import Dataset
from dtviz.data.weights import weights_before_costs
from dtviz.engine.multiway import merge_multiway, multiway_cuts
from dtviz.engine.problem import Problem
from dtviz.engine.search.best_split import BestCuts, best_cuts, divide, keys_of, uniform
from dtviz.engine.search.category_order import count_subsets
from dtviz.engine.search.evaluate import evaluate_frontier
from dtviz.engine.search.frontier import Frontier, frontier
from dtviz.engine.search.histogram import values_of
from dtviz.engine.splits import Multiway, branch_numbers, scores
from dtviz.engine.splits.split import MANY_BRANCHES
from dtviz.engine.splitter import (
    Splitter,
    best_proposed,
    node_projections,
    relative_work,
    scores_of_best,
)

SHUFFLES = 100
"""Usual number of shuffles."""
MAX_CELLS_TOGETHER = 1 << 18
"""Lines times rows of the shuffles that are searched together."""
P_VALUE_ROUNDING = 1e-9
"""Rounding of the logarithm of a p-value."""
MIN_EXPECTED_ROWS = 5
"""Expected number of rows below which chi-square is rough: the rule of Cochran (1954)."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance of a cut as good as the best of a node.

    >>> import dtviz
    >>> chance = dtviz.fit(dtviz.load("play_tennis")).chance()
    >>> chance.n_reached, chance.n_shuffles, chance.n_cuts, round(chance.logworth, 2)
    (57, 100, 8, 0.21)
    """

    n_reached: int
    """Number of shuffles whose best cut scores as much."""
    n_shuffles: int
    """Number of shuffles; 0: none was made."""
    n_cuts: int
    """Number of cuts compared; of a category each subset of its values counts."""
    log_p_value: float | None
    """Natural logarithm of the p-value by Bonferroni; None: cuts are searched by regressions, for
    which there is no test here."""
    is_rough: bool = False
    """True if the p-value by Bonferroni is rough: a branch has few rows, see `Assessment`, or the
    node proposes cuts that are fitted to its targets."""

    @property
    def shuffle_p_value(self) -> float | None:
        """The p-value by shuffles, (n_reached + 1) / (n_shuffles + 1); None without shuffles."""
        return (self.n_reached + 1) / (self.n_shuffles + 1) if self.n_shuffles else None

    @property
    def p_value(self) -> float | None:
        """The p-value by Bonferroni; 0 below the smallest float."""
        return None if self.log_p_value is None else math.exp(self.log_p_value)

    @property
    def logworth(self) -> float | None:
        """-log10 of the p-value by Bonferroni."""
        return None if self.log_p_value is None else -self.log_p_value / math.log(10) + 0.0


def has_test(problem: Problem) -> bool:
    """True if the p-value by Bonferroni is known: cuts are not searched by regressions."""
    return problem.criterion.impurity.take_rows is None


def chance_in_slices(
    problem: Problem, rows: Ints, shuffles: int = SHUFFLES
) -> Slices[Chance | None]:
    """Compute the chance of the best cut of a node's rows; None where no cut is admissible."""
    front = frontier(problem.table, [np.sort(rows)])
    best = yield from Splitter(problem).best_in_slices(front)
    if best.cut[0] < 0:
        return None
    counts, log_p, is_rough = count_cuts(problem, front), None, problem.nodes_propose
    n_cuts = int(counts.thresholds[0]) + sum(map(count_subsets, counts.values[:, 0].tolist()))
    if has_test(problem):
        assessment = assess_divisions(problem, front, _branches_of_best(problem, front, best))
        log_p = float(_by_bonferroni(assessment, counts)[0])
        is_rough = is_rough or bool(assessment.is_rough[0])
    n_reached = yield from count_shuffles_reached(problem, front, shuffles)
    return Chance(n_reached, shuffles, n_cuts, log_p, is_rough)


# --- shuffles -------------------------------------------------------------------------------------


def cells_of_shuffle(problem: Problem, n_rows: int) -> int:
    """Rough work of one shuffle: rows times lines, more for criteria and families that are slow."""
    return n_rows * len(problem.projections) * relative_work(problem)


def count_shuffles_reached(problem: Problem, front: Frontier, shuffles: int) -> Slices[int]:
    """Count the shuffles whose best cut scores as much as that of a node; yields the share done.

    `front` has the node alone. The random numbers depend on its rows alone. A weight moves with its
    target.
    """
    if not shuffles:
        return 0
    rows, n_reached = np.sort(front.rows[0]), 0
    order = rows.searchsorted(front.rows)  # of the ids, their positions
    unshuffled = _block(problem, rows, order, np.arange(len(rows))[None])
    top = yield from _top_scores(unshuffled)
    key = keys_of([zlib.crc32(rows.astype(np.int64).tobytes())])
    step = max(MAX_CELLS_TOGETHER // max(order.size, 1), 1)
    for first in range(0, shuffles, step):
        shuffle = np.arange(first, min(first + step, shuffles))
        counters = shuffle[:, None] * len(rows) + np.arange(len(rows))
        permutations = uniform(key, counters).argsort(axis=1)
        scored = yield from _top_scores(_block(problem, rows, order, permutations))
        n_reached += int((scored.score >= top.score[0] - top.tolerance[0]).sum())
        yield min(first + step, shuffles) / shuffles
    return n_reached


class _ShuffledRows(NamedTuple):
    """A node several times, one shuffle below the other."""

    problem: Problem
    """Problem of the rows of all shuffles."""
    front: Frontier
    """Frontier with a node for each shuffle."""


class _TopScores(NamedTuple):
    """Score of the best cut of each node of a frontier."""

    score: Floats
    """Scores, (m,); -inf where no cut is admissible."""
    tolerance: Floats
    """Largest difference of equal scores, (m,)."""


def _block(problem: Problem, rows: Ints, order: Ints, permutations: Ints) -> _ShuffledRows:
    """Repeat the rows of a node with targets in other orders: `permutations` has shape (R, n).

    `order`, (L, n), are the positions of the rows sorted by each line: all shuffles have the same.
    """
    n_shuffles, n = permutations.shape
    row_ids, shuffled = np.tile(rows, n_shuffles), rows.take(permutations.ravel())
    front_rows = order[:, None, :] + (np.arange(n_shuffles) * n)[:, None]
    front = Frontier(
        front_rows.reshape(len(order), -1),
        np.arange(n_shuffles) * n,
        np.full(n_shuffles, n),
        n_shuffles * n,
    )

    def repeated(data: Dataset) -> Dataset:
        weights = None if data.weights is None else data.weights.take(shuffled)
        return replace(
            data,
            columns=data.columns.take(row_ids, axis=1),
            y=data.y.take(shuffled),
            weights=weights,
            lines=None,
            validation=None,
            test=None,
        )

    data = repeated(problem.data)
    table = data if problem.table is problem.data else repeated(problem.table)
    return _ShuffledRows(problem.for_row_block(problem, data, table, row_ids), front)


def _top_scores(shuffled: _ShuffledRows) -> Slices[_TopScores]:
    """Find the score of the best cut of each node, by which its cuts compete."""
    problem, front = shuffled
    cuts = evaluate_frontier(
        problem.table, front, problem.criterion, problem.minimum, problem.policy
    )
    best = best_cuts(cuts, front)
    score = scores_of_best(cuts, best)
    if problem.has_multiway:
        _, score = merge_multiway(problem, front, best, score, cuts.tolerance)
    if problem.nodes_propose:
        proposed = yield from best_proposed(problem, front)
        score = np.maximum(score, proposed.score)
    return _TopScores(score, cuts.tolerance)


# --- tests ----------------------------------------------------------------------------------------


def log_p_of_best(problem: Problem, front: Frontier, best: BestCuts) -> Floats:
    """Natural logarithm of the p-value of the best cut of each node, (m,), see `log_p_values`."""
    return log_p_values(problem, front, _branches_of_best(problem, front, best))


def _branches_of_best(problem: Problem, front: Frontier, best: BestCuts) -> Ints:
    """Number of the branch of the best cut that each entry of the first ordering goes to, (N,)."""
    branch = (~divide(problem.table, front, best, problem.data)).astype(int)
    for node, split in best.fixed_splits.items():
        span = slice(int(front.starts[node]), int(front.starts[node] + front.sizes[node]))
        branch[span] = branch_numbers(split, problem.data.columns, front.rows[0, span])
    return branch


class Assessment(NamedTuple):
    """Tests of how m nodes divide their rows, before Bonferroni."""

    log_p: Floats
    """Natural logarithm of each p-value, (m,); 0 where all rows are in one branch."""
    is_rough: Bools
    """True where fewer than MIN_EXPECTED_ROWS rows are expected of a class in a branch, or a branch
    has fewer rows with a number as target: the test supposes many, (m,)."""


def log_p_values(problem: Problem, front: Frontier, branch: Ints) -> Floats:
    """Natural logarithm of the p-value of the division of each node, (m,), by Bonferroni.

    `branch` is that of `assess_divisions`.
    """
    assessment = assess_divisions(problem, front, branch)
    return _by_bonferroni(assessment, count_cuts(problem, front))


def _by_bonferroni(assessment: Assessment, counts: CutCounts) -> Floats:
    """Natural logarithm of the p-values times the numbers of cuts, at most 0, (m,)."""
    return np.minimum(assessment.log_p + _log_n_cuts(counts), 0.0)


def assess_divisions(problem: Problem, front: Frontier, branch: Ints) -> Assessment:
    """Test the targets for a difference between the branches of each node that noise has seldom.

    `branch`, (N,), is the number of the branch, from 0 on, of each entry of the first ordering.
    """
    n = int(branch.max(initial=0)) + 1
    weights = _row_weights(problem, front)
    y, cell = problem.data.y.take(front.rows[0]), front.owner * n + branch
    if classes := problem.data.classes:
        return _assess_classes(y, weights, cell, (len(front.sizes), n, len(classes)))
    return _assess_numbers(y, weights, cell, front, n)


def _row_weights(problem: Problem, front: Frontier) -> Floats | None:
    """Weight of each entry of the first ordering, in rows, (N,); None: each is one row."""
    weights = weights_before_costs(problem.data)
    if weights is None:
        return None
    return np.asarray(weights.take(front.rows[0]) * problem.rows_per_weight)


def _assess_classes(
    y: Ints, weights: Floats | None, cell: Ints, shape: tuple[int, int, int]
) -> Assessment:
    """Test divisions by the chi-square of the codes of rows and the branches that they are in.

    `shape` is that of the table of counts: nodes, branches, classes.
    """
    counts = np.bincount(cell * shape[2] + y, weights, math.prod(shape)).reshape(shape)
    of_branches, of_classes = counts.sum(axis=2), counts.sum(axis=1)
    g2 = 2 * (
        _times_log(counts).sum(axis=(1, 2))
        - _times_log(of_branches).sum(axis=1)
        - _times_log(of_classes).sum(axis=1)
        + _times_log(of_branches.sum(axis=1))
    )
    degrees = ((of_branches > 0).sum(axis=1) - 1) * ((of_classes > 0).sum(axis=1) - 1)
    out, tested = np.zeros(len(counts)), degrees > 0
    n = of_branches.sum(axis=1)
    expected = of_branches[:, :, None] * of_classes[:, None, :] / n[:, None, None]
    x2 = (counts**2 / np.where(expected > 0, expected, 1.0)).sum(axis=(1, 2)) - n
    is_rough = np.where(expected > 0, expected, np.inf).min(axis=(1, 2)) < MIN_EXPECTED_ROWS
    statistic = np.where(is_rough, np.minimum(g2, x2), g2)
    out[tested] = log_chi_square_tail(np.maximum(statistic[tested], 0.0), degrees[tested])
    return Assessment(out, is_rough)


def _times_log(counts: Floats | Ints) -> Floats:
    """c ln c of each count, 0 for 0."""
    return np.asarray(counts * np.log(np.where(counts > 0, counts, 1)))


def _assess_numbers(
    y: Floats, weights: Floats | None, cell: Ints, front: Frontier, n_branches: int
) -> Assessment:
    """Test divisions by the F test of the means of the branches."""
    owner, starts = front.owner, front.starts
    weights = np.ones(len(y)) if weights is None else weights
    n = np.add.reduceat(weights, starts)
    # deviations as shares of the largest: squares of huge numbers overflow
    deviation = y - (np.add.reduceat(y / front.sizes.take(owner), starts)).take(owner)
    largest = np.maximum.reduceat(np.abs(deviation), starts)
    deviation = deviation / np.where(largest > 0, largest, 1.0).take(owner)
    deviation -= (np.add.reduceat(weights * deviation, starts) / n).take(owner)
    total = np.add.reduceat(weights * deviation * deviation, starts)
    n_cells = n_branches * len(starts)
    of_cells = np.bincount(cell, weights, n_cells)
    sums = np.bincount(cell, weights * deviation, n_cells)
    deviation -= (sums / np.where(of_cells > 0, of_cells, 1.0)).take(cell)
    within = np.add.reduceat(weights * deviation * deviation, starts)
    of_branches = of_cells.reshape(-1, n_branches)
    branches = (of_branches > 0).sum(axis=1)
    out, tested = np.zeros(len(starts)), (total > 0) & (branches > 1) & (n > branches + ROUNDING)
    share = within[tested] / total[tested]
    share[share < ROUNDING**2] = 0.0  # rounding alone
    out[tested] = log_f_tail(share, branches[tested] - 1, n[tested] - branches[tested])
    fewest = np.where(of_branches > 0, of_branches, np.inf).min(axis=1)
    return Assessment(out, fewest < MIN_EXPECTED_ROWS)


def meets_max_p_value(log_p: Floats, max_p_value: float) -> Bools:
    """Mask of the p-values that are at most `max_p_value`, but for rounding, by their logarithms.

    All True at 1: the rule is then off.
    """
    limit = math.log(max_p_value) if max_p_value > 0 else -math.inf
    return np.asarray(log_p <= limit + P_VALUE_ROUNDING)


class CutCounts(NamedTuple):
    """Numbers of cuts that m nodes compare."""

    thresholds: Ints
    """Number of thresholds, cuts between known and missing values, and multi-way cuts, (m,)."""
    values: Ints
    """Number of values of each category, (categories, m): v values have 2^(v-1) - 1 subsets."""


def count_cuts(problem: Problem, front: Frontier) -> CutCounts:
    """Count the cuts of each node; `front` has an ordering for each line."""
    values = values_of(problem.table, front)
    n_values, has_missing = _distinct_values(values, front.starts, front.sizes)
    is_category = np.zeros(len(values), np.bool_)
    is_category[: len(problem.table.levels)] = [*map(bool, problem.table.levels)]
    thresholds = np.maximum(n_values[~is_category] - 1, 0).sum(axis=0)
    if problem.policy.counts_missing:
        thresholds += (has_missing & (n_values > 0)).sum(axis=0)
    if problem.nodes_propose:
        thresholds += _count_proposed(problem, front)
    if problem.has_multiway:
        thresholds += _count_multiway(problem, front)
    return CutCounts(thresholds, n_values[is_category])


def _count_multiway(problem: Problem, front: Frontier) -> Ints:
    """Number of multi-way cuts of each node, (m,)."""
    features = [each.feature for each in problem.projections if isinstance(each, Multiway)]
    cuts = (multiway_cuts(problem, front, feature) for feature in features)
    return np.asarray(sum((each.grade > MANY_BRANCHES).astype(int) for each in cuts))


def _count_proposed(problem: Problem, front: Frontier) -> Ints:
    """Number of thresholds of each node along the projections it proposes, (m,)."""
    out = np.zeros(len(front.sizes), int)
    for node, rows in enumerate(np.split(front.rows[0], front.starts[1:])):
        if projections := node_projections(problem, rows):
            which = np.arange(len(projections))[:, None].repeat(len(rows), axis=1)
            columns = np.sort(scores(projections, which, problem.data.columns, rows), axis=1)
            n_values, _ = _distinct_values(columns, np.zeros(1, int), np.array([len(rows)]))
            out[node] = np.maximum(n_values - 1, 0).sum()
    return out


def _distinct_values(values: Floats, starts: Ints, sizes: Ints) -> tuple[Ints, Bools]:
    """Number of known values of each segment, (L, m), and mask of those with missing values.

    `values`, (L, N), ascend in each segment, missing ones last.
    """
    is_first = ~np.isnan(values)
    has_missing = ~is_first[:, starts + sizes - 1]
    at_starts = is_first[:, starts]
    is_first[:, 1:] &= values[:, 1:] != values[:, :-1]
    is_first[:, starts] = at_starts
    return np.add.reduceat(is_first, starts, axis=1, dtype=int), has_missing


def _log_n_cuts(counts: CutCounts) -> Floats:
    """Natural logarithm of the number of cuts, (m,); 0 for none."""
    doubled = np.maximum(counts.values - 1, 0) * math.log(2)
    subsets = doubled + np.log1p(-np.exp(-np.maximum(doubled, math.log(2))))
    logs = np.where(doubled > 0, subsets, -np.inf)
    thresholds = np.log(np.maximum(counts.thresholds, 1))
    if not len(logs):
        return np.asarray(thresholds)
    thresholds[counts.thresholds == 0] = -np.inf
    return np.maximum(np.logaddexp(np.logaddexp.reduce(logs, axis=0), thresholds), 0.0)
