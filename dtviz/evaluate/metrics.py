"""Metrics of a tree: on the rows it was grown on, and on rows held out.

The score of a tree is the weighted mean of the scores of its rows: accuracy for classes, or the
cost of mistakes where the data has costs; mean squared error for numbers. For a held-out score,
each row is predicted by a tree that was grown without that row; the mean is over all rows together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.progress import Slices, run_to_end, scaled_progress
from dtviz.base.text import number
from dtviz.data.dataset import Dataset, Task, take_rows
from dtviz.data.weights import rebalance, weights_before_costs
from dtviz.engine.grow import finish, finish_lazily
from dtviz.engine.leaves.node_facts import brier_scores, log_losses
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import is_later_part
from dtviz.engine.subtrees import loss_of
from dtviz.engine.table_search import TableSearch, path_of
from dtviz.engine.tree import (
    Grow,
    Move,
    Tree,
    height,
    leaf_ids,
    leaf_probabilities,
    predict,
    replay,
    root_tree,
)

FOLDS = 5
MAX_ROWS_FOLDED = 20_000
"""Largest number of rows of which each fold is held out; of more, one fifth is, for speed."""
SHARE_DECIMALS = 12
"""Decimals of a class share that are compared: more would tell equal shares of weights apart."""
Pieces = tuple[int | Move, ...]
"""A short form of a log: the number of moves of each automatic run, and each move made by hand."""


@dataclass(frozen=True, slots=True)
class Score:
    """The metric of a task, with the names and texts that pages show for it."""

    name: str  # name of the mean score
    row_scores: Callable[[Dataset, NDArray[Any], Floats], Floats]
    """Function of the data, targets and predictions, (n,) each: the score of each row, (n,)."""
    error: str  # name of the mean loss
    training_text: str  # sentence on the error of the training rows, {} for the number
    vote: str  # name of the common prediction of many trees
    spread: str  # name of the distance of single trees from the common prediction
    baseline: str  # name of the constant prediction of least loss
    unit: str = ""  # unit in which scores and errors are shown
    scale: float = 1  # number of these units in a score of 1
    digits: int = 4  # significant digits shown

    def text(self, value: float) -> str:
        """The text of a score or an error with its unit: '93.3 %'."""
        digits = number(self.scale * value, self.digits)
        # The no-break space keeps the unit on the line of its number.
        return digits if math.isnan(value) else digits + self.unit.replace(" ", "\u00a0")


SCORES: dict[Task, Score] = {
    "classification": Score(
        "accuracy",
        lambda _, y, f: np.asarray(y == f, dtype=np.float64),
        error="error",
        training_text="{} of the training rows are wrong",
        vote="the vote",
        spread="trees that differ from the vote",
        baseline="always the majority class",
        unit=" %",
        scale=100,
        digits=3,
    ),
    "regression": Score(
        "squared error",
        loss_of,
        error="squared error",
        training_text="squared error {} on the training rows",
        vote="their mean",
        spread="variance",
        baseline="always the mean of the training rows",
    ),
}
"""The score of each task where mistakes have no costs."""
COST = Score(
    "cost a row",
    loss_of,
    error="cost a row",
    training_text="mistakes cost {} a row on the training rows",
    vote="the vote",
    spread="cost of trees against the vote",
    baseline="always the cheapest class",
)


def data_score(data: Dataset) -> Score:
    """The score of the data: accuracy, squared error, or the cost a row where costs are given."""
    return SCORES[data.task] if data.costs is None else COST


@dataclass(frozen=True, slots=True)
class TimelineFigures:
    """Figures of the tree of one time-line, to be compared with those of others."""

    splits: int  # number of splits
    manual_splits: int  # number of splits made by hand, not by the rules
    leaves: int  # number of leaves
    height: int  # largest depth of a leaf
    training: float  # score on the training rows
    held_out: float  # held-out score; nan for a single row, which leaves none to grow a tree on


def folds(data: Dataset, k: int, seed: int = 0) -> Ints:
    """The fold of each row, shape (n,), from 0 to k - 1; equal seeds give equal folds.

    The sizes of folds differ by at most 1, and so do the numbers of their rows of any one class. At
    most n folds are made.
    Raises ValueError unless k is at least 2 and the seed at least 0.
    """
    _check_whole("k", k, 2)
    _check_whole("seed", seed, 0)
    fold_ids = np.empty(data.n, int)
    fold_ids[_class_order(data, seed)] = np.arange(data.n) % min(k, data.n)
    return fold_ids


def held_rows(data: Dataset, share: float, seed: int = 0) -> Bools:
    """True at the rows that are held out, (n,): about that share of all rows and of each class.

    Equal seeds give equal rows. At least one row is held out and one is not, of a single row none.
    Raises ValueError unless the share lies between 0 and 1 and the seed is at least 0.
    """
    _check_whole("seed", seed, 0)
    _check_share("share", share)
    n_held = min(max(round(share * data.n), 1), data.n - 1)
    # Every 1 / share-th row in class order, from a random start: each class gives its share.
    start = np.random.default_rng(seed).integers(data.n)
    offsets = np.arange(data.n, dtype=np.int64) * n_held + start
    held = np.empty(data.n, np.bool_)
    held[_class_order(data, seed)] = (offsets + n_held) // data.n > offsets // data.n
    return held


def parts_by_fold(data: Dataset, k: int = FOLDS, seed: int = 0) -> Iterator[tuple[Dataset, Ints]]:
    """Generate, for each fold: the data of all other rows, and the row ids of the fold.

    Of more than MAX_ROWS_FOLDED rows a fifth is held out, once. A single row gives no part. Raises
    ValueError as `folds` does.
    """
    _check_whole("k", k, 2)
    is_large = data.n > MAX_ROWS_FOLDED
    fold_of = folds(data, FOLDS if is_large else k, seed)
    for fold in range(1 if is_large else int(fold_of.max()) + 1):
        held = fold_of == fold
        if not held.all():
            yield rebalance(take_rows(data, np.flatnonzero(~held))), np.flatnonzero(held)


def accuracy(data: Dataset, tree: Tree, rows: Ints | None = None) -> float:
    """The share of the rows (all by default) whose class the tree predicts; nan for no rows.

    Raises ValueError for numbers.
    """
    if data.task != "classification":
        raise ValueError("`accuracy` needs classes; for numbers use `squared_error`")
    return _weighted_mean([_row_scores(data, tree, rows, SCORES[data.task])])


def squared_error(data: Dataset, tree: Tree, rows: Ints | None = None) -> float:
    """The mean of (y - prediction)^2 over the rows (all by default), in squared target units.

    It is nan for no rows. Raises ValueError for classes.
    """
    if data.task != "regression":
        raise ValueError("`squared_error` needs numbers; for classes use `accuracy`")
    return score_of(data, tree, rows)


def score_of(data: Dataset, tree: Tree, rows: Ints | None = None) -> float:
    """The score by `data_score(data)` on the rows (all by default); nan for no rows."""
    return _weighted_mean([_row_scores(data, tree, rows)])


def share_losses(data: Dataset, tree: Tree) -> tuple[float, float]:
    """Log loss and Brier score of the tree's class shares on all rows; nan for no rows."""
    class_shares, weights = leaf_probabilities(data, tree, data.columns), weights_before_costs(data)
    weights = np.ones(data.n) if weights is None else weights
    log_loss, brier_score = (
        _weighted_mean([np.array([losses(class_shares, data.y), weights])])
        for losses in (log_losses, brier_scores)
    )
    return log_loss, brier_score


def replay_on(problem: Problem, pieces: Pieces) -> Tree:
    """Replay the pieces of a time-line on the rows of a problem; returns the tree.

    Moves made by hand stay, with their thresholds; a move that is not possible here is left out.
    Automatic moves are made anew by the rules, as many as there were, or as many as are possible.
    Raises RulesError when the criterion does not suit the task.
    """
    return _replay_pieces(problem, pieces)[0]


def held_out_score(problem: Problem, pieces: Pieces, k: int = FOLDS, seed: int = 0) -> float:
    """The score over all rows, each predicted by a tree grown without its fold; nan for one row.

    If the rules stop where the time-line ends, then each tree without a fold is grown until the
    rules stop too. So a time-line without moves by hand gets the held-out score of `fit`. Of more
    than MAX_ROWS_FOLDED rows only a fifth is predicted. Raises ValueError as `folds` does.
    """
    tree = replay_on(problem, pieces)
    return run_to_end(_held_out_scores(problem, [_extend_to_end(problem, tree, pieces)], k, seed))[
        0
    ]


def score_on_held_rows(held: Dataset, training: Dataset, rules: Rules, pieces: Pieces) -> float:
    """The score on held-out rows of the tree of a time-line's pieces on the training rows.

    The rules make further automatic moves until they stop.
    """
    # No tree has as many moves as twice its rows: the run ends where the rules stop.
    tree = replay_on(Problem(training, rules), (*pieces, 2 * training.n))
    return score_of(held, tree)


def compare(
    problem: Problem, timelines: Sequence[Pieces], k: int = FOLDS, seed: int = 0
) -> Slices[tuple[TimelineFigures, ...]]:
    """The figures of each time-line; held-out scores have the same folds.

    Yields the share of the work that is done. Raises ValueError as `folds` does.
    """
    trees, extended = [], []
    for pieces in timelines:
        tree, manual_nodes = _replay_pieces(problem, pieces)
        trees.append((tree, manual_nodes))
        extended.append(_extend_to_end(problem, tree, pieces))
        yield 0.2 * len(trees) / len(timelines)
    scores = yield from scaled_progress(_held_out_scores(problem, extended, k, seed), 0.2, 1.0)
    pairs = zip(trees, scores, strict=True)
    return tuple(_timeline_figures(problem.data, *tree, score) for tree, score in pairs)


def _timeline_figures(
    data: Dataset, tree: Tree, manual_nodes: set[int], held_out_score: float
) -> TimelineFigures:
    n_cuts = sum(not is_later_part(split) for split in tree.splits.values())
    counts = n_cuts, len(manual_nodes), len(tree.rows), height(tree)
    return TimelineFigures(*counts, score_of(data, tree), held_out_score)


def _held_out_scores(
    problem: Problem, lines: Sequence[Pieces], k: int, seed: int
) -> Slices[list[float]]:
    data = problem.data
    scores: list[list[Floats]] = [[] for _ in lines]
    for others, rows in parts_by_fold(data, k, seed):
        weighted = rebalance(data, others)
        n_trees = len(lines) * (1 if data.n > MAX_ROWS_FOLDED else min(k, data.n))
        for line_scores, pieces in zip(scores, lines, strict=True):
            tree = replay_on(Problem(others, problem.rules), pieces)
            line_scores.append(_row_scores(weighted, tree, rows))
            yield sum(map(len, scores)) / n_trees
    return [_weighted_mean(line_scores) for line_scores in scores]


def _extend_to_end(problem: Problem, tree: Tree, pieces: Pieces) -> Pieces:
    """Add more automatic moves than any tree has, if the rules stop at `tree`."""
    moves, _ = finish(problem, tree)
    return pieces if moves else (*pieces, 2 * problem.data.n)


def _replay_pieces(problem: Problem, pieces: Pieces) -> tuple[Tree, set[int]]:
    """Replay the pieces; returns the tree, and the ids of its nodes with a split made by hand."""
    tree, manual_nodes = root_tree(problem), set[int]()
    for is_automatic, group in groupby(pieces, key=lambda piece: isinstance(piece, int)):
        run = tuple(group)
        before = tree.splits
        if is_automatic:
            steps = sum(piece for piece in run if isinstance(piece, int))
            tree = _grow_automatic(problem, tree, steps)
            manual_nodes -= tree.splits.keys() - before.keys()
        else:
            moves = [piece for piece in run if not isinstance(piece, int)]
            tree, made_moves = _replay_possible(problem, tree, moves)
            manual_nodes |= {move.node for move in made_moves if isinstance(move, Grow)}
        manual_nodes &= tree.splits.keys()
    return tree, manual_nodes


def _grow_automatic(problem: Problem, tree: Tree, steps: int) -> Tree:
    """Make at most `steps` automatic moves."""
    rules = problem.rules
    # the last moves collapse what pruning takes back; a multi-way cut adds several leaves
    if rules.ccp_alpha or problem.has_multiway:
        log, full_tree = finish(problem, tree)
        first_moves = log[:steps]
        return full_tree if first_moves == log else replay(problem, tree, first_moves)[0]
    if not steps:
        return tree
    leaves = len(tree.rows) + steps
    max_leaves = leaves if rules.max_leaf_nodes is None else min(leaves, rules.max_leaf_nodes)
    # a limit on the leaves alone would change the order in which an unset `order` splits them
    limits = replace(rules, max_leaf_nodes=max_leaves, order=rules.growing_order)
    limited = Problem(problem.data, limits)
    return finish_lazily(limited, tree)[1]


def _replay_possible(
    problem: Problem, tree: Tree, moves: Sequence[Move]
) -> tuple[Tree, list[Move]]:
    """Make those moves that are possible; returns the tree and these moves."""
    made_moves = list[Move]()
    while moves:
        tree, error = replay(problem, tree, tuple(moves))
        n_made = len(moves) if error is None else error.index
        made_moves += moves[:n_made]
        moves = moves[n_made + 1 :]
    return tree, made_moves


def _row_scores(
    data: Dataset, tree: Tree, rows: Ints | None = None, score: Score | None = None
) -> Floats:
    """The score of each of the rows (all by default), and the row's sample weight: (2, r)."""
    rows = np.arange(data.n) if rows is None else rows
    predicted = predict(tree, data.columns.take(rows, axis=1))
    weights, score = weights_before_costs(data), score or data_score(data)
    weights = np.ones(len(rows)) if weights is None else weights.take(rows)
    return np.array([score.row_scores(data, data.y.take(rows), predicted), weights])


def _weighted_mean(row_scores: Sequence[Floats]) -> float:
    values, weights = np.concatenate([*row_scores, np.empty((2, 0))], axis=1)
    return float(np.average(values, weights=weights)) if len(values) else math.nan


def _class_order(data: Dataset, seed: int) -> Ints:
    """The row ids in random order, but the rows of each class together."""
    order = np.random.default_rng(seed).permutation(data.n)
    return order[np.argsort(data.y[order], kind="stable")] if data.classes else order


def _check_whole(name: str, value: Any, low: int) -> None:
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or value < low:
        raise ValueError(f"`{name}` must be at least {low}; not {value!r}")


def _check_share(name: str, value: Any) -> None:
    if not isinstance(value, float | np.floating) or not 0 < value < 1:
        raise ValueError(f"`{name}` must lie between 0 and 1; not {value!r}")


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """Confusion matrix: one line for each true class, one column for each predicted class."""

    rows: Ints  # number of rows, (K, K)
    weights: Floats | None  # sample weight of these rows, (K, K); None without weights

    @property
    def amounts(self) -> Floats:
        """The weights, or the numbers of rows if these have no weights, (K, K)."""
        return np.asarray(self.rows if self.weights is None else self.weights, np.float64)

    @property
    def recall(self) -> Floats:
        """The recall of each class, (K,); nan for a class without rows."""
        return _ratios(np.diag(self.amounts), self.amounts.sum(axis=1))

    @property
    def precision(self) -> Floats:
        """The precision of each class, (K,); nan for a class that is never predicted."""
        return _ratios(np.diag(self.amounts), self.amounts.sum(axis=0))

    @property
    def accuracy(self) -> float:
        """The share of the rows whose class is predicted; nan for no rows."""
        return float(_ratios(np.trace(self.amounts), self.amounts.sum()))


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """Errors of predicted numbers, over all rows."""

    squared_error: float  # mean squared error, in squared target units
    absolute_error: float  # mean absolute error, in target units
    r2: float  # R2 = 1 - squared error / variance of the targets; nan for equal targets


def confusion(data: Dataset, predicted: Floats) -> Confusion:
    """The confusion matrix of the class codes `predicted`, (n,), for the rows of the data."""
    k = len(data.classes)
    pair = data.y * k + predicted.astype(int)
    rows = np.bincount(pair, minlength=k * k).reshape(k, k)
    weights = weights_before_costs(data)
    if weights is None or np.allclose(weights, 1):  # as where costs alone raise the weights
        return Confusion(rows, None)
    amounts: Floats = np.bincount(pair, weights, k * k).astype(np.float64)
    return Confusion(rows, amounts.reshape(k, k))


def counted_confusion(data: Dataset, tree: Tree) -> Slices[Confusion]:
    """The confusion matrix of a tree for all rows of a table in its engine, from its leaves."""
    source, k = data.source, len(data.classes)
    assert source is not None
    leaves = leaf_ids(tree)
    search = TableSearch(Problem(data, default_rules(data.task)))
    paths = [path_of(tree.splits, leaf) for leaf in leaves]
    sums = yield from search.count_leaves_in_slices(paths)
    rows, weights = np.zeros((2, k, k), np.int64)
    for leaf, of_leaf in zip(leaves, sums, strict=True):
        code = int(tree.nodes[leaf].params[0])
        rows[:, code] += of_leaf.counts
        weights[:, code] += of_leaf.weights
    if source.weight_unit is None:
        return Confusion(rows, None)
    return Confusion(rows, np.asarray(weights * source.weight_unit, np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdCurve:
    """The rows called one class at each of T thresholds on the share that the tree gives it.

    A row is called the class where its share is at least the threshold. The first threshold is
    infinite: no row is called the class. The others are the shares of the rows, falling, so that
    rows of equal share are one step; at the last threshold every row is called the class.
    """

    thresholds: Floats  # (T,)
    true_positives: Floats  # weight of the rows of the class that are called it, (T,)
    false_positives: Floats  # weight of the rows of other classes that are called it, (T,)
    loss: Floats  # weight of all mistakes, or their total cost where the data has costs, (T,)

    @property
    def true_positive_rate(self) -> Floats:
        """The share of the class's rows that are called it, (T,); nan without such rows."""
        return _ratios(self.true_positives, np.full_like(self.loss, self.true_positives[-1]))

    @property
    def false_positive_rate(self) -> Floats:
        """The share of the other classes' rows that are called it, (T,); nan without such rows."""
        return _ratios(self.false_positives, np.full_like(self.loss, self.false_positives[-1]))

    @property
    def positive_share(self) -> Floats:
        """The share of all rows that are called the class, (T,)."""
        positives = self.true_positives + self.false_positives
        return np.asarray(positives / positives[-1])

    @property
    def lift(self) -> Floats:
        """How many times more of the rows called the class are of it than of all rows, (T,).

        It is nan where no row is called the class.
        """
        return _ratios(self.true_positive_rate, self.positive_share)

    @property
    def auc(self) -> float:
        """The area under the ROC curve by the trapezoid rule; nan without rows of both sides."""
        heights = self.true_positives[1:] + self.true_positives[:-1]
        area = np.diff(self.false_positives) @ heights / 2  # of counts of rows without rounding
        return float(_ratios(area, self.true_positives[-1] * self.false_positives[-1]))

    def at(self, indices: Ints) -> ThresholdCurve:
        """The curve at some of its thresholds, the last among them."""
        arrays = self.thresholds, self.true_positives, self.false_positives, self.loss
        return ThresholdCurve(*(array[indices] for array in arrays))


def threshold_curve(data: Dataset, class_shares: Floats, code: int) -> ThresholdCurve:
    """The curve of a class by its code, from the share of each class in each row, (n, K)."""
    share = class_shares[:, code].round(SHARE_DECIMALS)
    order = np.argsort(-share, kind="stable")
    last_of_step = np.flatnonzero(np.diff(share[order], append=-1))
    weights, is_class = weights_before_costs(data), data.y == code
    weights = np.ones(data.n) if weights is None else weights
    positive_loss, negative_loss = (
        weights * loss_of(data, data.y, calls)
        for calls in (np.full(data.n, float(code)), _best_other_class(data, class_shares, code))
    )

    def totals(amounts: Floats) -> Floats:
        return np.append(0.0, amounts[order].cumsum()[last_of_step])

    return ThresholdCurve(
        np.append(np.inf, share[order][last_of_step]),
        totals(weights * is_class),
        totals(weights * ~is_class),
        negative_loss.sum() + totals(positive_loss - negative_loss),
    )


def calls_at(data: Dataset, class_shares: Floats, code: int, threshold: float) -> Floats:
    """The class code of each row, (n,): `code` where its share is at least the threshold.

    Every other row gets the other class of largest share, or of least cost where there are costs.
    """
    is_called = class_shares[:, code].round(SHARE_DECIMALS) >= threshold
    return np.asarray(np.where(is_called, code, _best_other_class(data, class_shares, code)))


def _best_other_class(data: Dataset, class_shares: Floats, code: int) -> Floats:
    losses = -class_shares if data.costs is None else class_shares @ data.costs
    losses = np.where(np.arange(losses.shape[1]) == code, np.inf, losses)
    least = losses.min(axis=1, keepdims=True)
    is_least: Bools = losses <= least + ROUNDING * np.abs(least)
    return np.asarray(is_least.argmax(axis=1), np.float64)


def error_summary(data: Dataset, predicted: Floats) -> ErrorSummary:
    """The errors of the numbers `predicted`, (n,), for the rows of the data."""
    weights, errors = weights_before_costs(data), data.y - predicted
    deviations = data.y - np.average(data.y, weights=weights)
    squared = float(np.average(np.square(errors), weights=weights))
    absolute = float(np.average(np.abs(errors), weights=weights))
    # Equal targets have variance 0, which rounding of their mean would miss.
    is_constant = not np.ptp(data.y)
    variance = 0.0 if is_constant else float(np.average(np.square(deviations), weights=weights))
    return ErrorSummary(squared, absolute, 1 - squared / variance if variance else math.nan)


def baseline(training: Dataset, held: Dataset | None) -> float:
    """The mean loss on held-out rows of the constant prediction of least loss on training rows.

    The constant is the majority class, the class that costs least, or the mean; nan without rows.
    """
    if held is None:
        return math.nan
    constant = _constant_prediction(training)
    loss = loss_of(held, held.y, np.full(held.n, constant))
    return float(np.average(loss, weights=weights_before_costs(held)))


def _constant_prediction(data: Dataset) -> float:
    sample_weight = weights_before_costs(data)
    if not data.classes:
        return float(np.average(data.y, weights=sample_weight))
    class_weights = np.bincount(data.y, sample_weight, len(data.classes))
    if data.costs is None:
        return float(class_weights.argmax())
    return float((class_weights @ data.costs).argmin())


def _ratios(parts: Floats, totals: Floats) -> Floats:
    ratios = np.full(np.shape(totals), math.nan)
    np.divide(parts, totals, out=ratios, where=np.asarray(totals) > 0)
    return ratios
