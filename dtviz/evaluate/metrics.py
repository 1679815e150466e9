"""How good a tree is: on the rows it was grown on, and on rows held out.

Glossary
    fold       a share of the rows; each row is in exactly one
    part       a fold held out: the data of the other rows, and the row numbers of the fold
    pieces     a log told shorter: runs of automatic moves (their number) and moves of your own,
               as `session.runs` gives them
    mark       what one row adds to the score
    score      the mean mark: accuracy for classes, or what mistakes cost a row where that is told;
               mean squared error for numbers
    training   measured on the rows the tree was grown on
    held out   each row measured on a tree grown without it, all rows together

Source: theory.md, Judging [C].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices, finished, within
from dtviz.base.text import number
from dtviz.data.dataset import Dataset, Task, take
from dtviz.data.weights import own_weights, rebalanced
from dtviz.engine.grow import finish, finished_by
from dtviz.engine.leaves.probabilities import brier_scores, log_losses
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.subtrees import loss_of
from dtviz.engine.tree import Grow, Move, Tree, height, predict, replay, shares, stump

FOLDS = 5
MOST_FOLDED = 20_000
Pieces = tuple[int | Move, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How a task's predictions are judged, and how that is told.

    `marks` gives one number a row of such data from y and prediction; their mean is `name`, the
    mean loss is `error`, which `said` tells of the training rows. Both are shown as so many of a
    `unit`, `scale` of which are 1. Many trees say `vote` together; single ones are off by `spread`.
    `baseline` is the one answer for all rows that loses least.
    """

    name: str
    marks: Callable[[Dataset, NDArray[Any], Floats], Floats]
    error: str
    said: str
    vote: str
    spread: str
    baseline: str
    unit: str = ""
    scale: float = 1
    digits: int = 4

    def text(self, value: float) -> str:
        """A score or an error as it is shown; the unit stays on the line of its number."""
        shown = number(self.scale * value, self.digits)
        return shown if math.isnan(value) else shown + self.unit.replace(" ", "\u00a0")


SCORES: dict[Task, Score] = {
    "classification": Score(
        "accuracy",
        lambda _, y, f: np.asarray(y == f, dtype=np.float64),
        error="error",
        said="{} of the training rows are wrong",
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
        said="squared error {} on the training rows",
        vote="their mean",
        spread="variance",
        baseline="always the mean of the training rows",
    ),
}
"""The score of each task, where mistakes have no costs."""
COST = Score(
    "cost a row",
    loss_of,
    error="cost a row",
    said="mistakes cost {} a row on the training rows",
    vote="the vote",
    spread="cost of trees against the vote",
    baseline="always the cheapest class",
)


def score_by(data: Dataset) -> Score:
    """The score of the data: its task's, or what its mistakes cost."""
    return SCORES[data.task] if data.costs is None else COST


@dataclass(frozen=True, slots=True)
class Line:
    """What is shown of one time-line beside others; `own` of its splits are not the rules' own.

    `training` and `held_out` are scores: a share of the rows, a cost, or squared units; `held_out`
    is nan for a single row, which leaves no other to grow a tree on.
    """

    splits: int
    own: int
    leaves: int
    height: int
    training: float
    held_out: float


def folds(data: Dataset, k: int, seed: int = 0) -> Ints:
    """The fold of each row, shape (n,), from 0 to k - 1; equal seeds give equal folds.

    Sizes differ by at most 1, and so do the folds' rows of any class. At most n folds are made.
    Raises ValueError unless k is at least 2 and the seed at least 0.
    """
    _need_whole("k", k, 2)
    _need_whole("seed", seed, 0)
    out = np.empty(data.n, np.intp)
    out[_by_class(data, seed)] = np.arange(data.n) % min(k, data.n)
    return out


def held_rows(data: Dataset, share: float, seed: int = 0) -> Bools:
    """Which rows are held out, (n,): about that share of all and of each class; equal seeds agree.

    At least one row is held out and one is not, of a single row none. Raises ValueError unless the
    share lies between 0 and 1 and the seed is at least 0.
    """
    _need_whole("seed", seed, 0)
    _need_share("share", share)
    many = min(max(round(share * data.n), 1), data.n - 1)
    at = np.arange(data.n) * many + np.random.default_rng(seed).integers(data.n)
    out = np.empty(data.n, np.bool_)
    out[_by_class(data, seed)] = (at + many) // data.n > at // data.n
    return out


def parts(data: Dataset, k: int = FOLDS, seed: int = 0) -> Iterator[tuple[Dataset, Ints]]:
    """Each fold held out in turn: the data of the other rows, and the fold's row numbers (lazy).

    Of more than MOST_FOLDED rows a fifth is held out, once. A single row gives no part. Raises
    ValueError as `folds` does.
    """
    _need_whole("k", k, 2)
    once = data.n > MOST_FOLDED
    fold_of = folds(data, FOLDS if once else k, seed)
    for fold in range(1 if once else int(fold_of.max()) + 1):
        held = fold_of == fold
        if not held.all():
            yield rebalanced(take(data, np.flatnonzero(~held))), np.flatnonzero(held)


def accuracy(data: Dataset, tree: Tree, rows: Ints | None = None) -> float:
    """The share of the rows (all by default) whose class the tree predicts; nan for no rows.

    Raises ValueError for numbers.
    """
    if data.task != "classification":
        raise ValueError("`accuracy` needs classes; for numbers use `squared_error`")
    return _mean([_marks(data, tree, rows, SCORES[data.task])])


def squared_error(data: Dataset, tree: Tree, rows: Ints | None = None) -> float:
    """The mean of (y - prediction)^2 over the rows (all by default), in squared target units.

    It is nan for no rows. Raises ValueError for classes.
    """
    if data.task != "regression":
        raise ValueError("`squared_error` needs numbers; for classes use `accuracy`")
    return score_of(data, tree, rows)


def score_of(data: Dataset, tree: Tree, rows: Ints | None = None) -> float:
    """The data's own score on the rows (all by default); nan for no rows."""
    return _mean([_marks(data, tree, rows)])


def sureness(data: Dataset, tree: Tree) -> tuple[float, float]:
    """Log loss and Brier score of the tree's shares on the rows; nan for no rows."""
    told, own = shares(data, tree, data.columns), own_weights(data)
    weights = np.ones(data.n) if own is None else own
    log, brier = (
        _mean([np.array([of(told, data.y), weights])]) for of in (log_losses, brier_scores)
    )
    return log, brier


def replay_on(problem: Problem, pieces: Pieces) -> Tree:
    """The tree that the same choices make on these rows.

    Moves of your own stay, with their thresholds; one that is not possible here is left out.
    Automatic moves are made anew by the rules, as many as there were, or as there are. Raises
    RulesError when the criterion does not suit the task.
    """
    return _replayed(problem, pieces)[0]


def held_out(problem: Problem, pieces: Pieces, k: int = FOLDS, seed: int = 0) -> float:
    """The score over all rows, each predicted by a tree grown without its fold; nan for one row.

    Pieces that end where the rules do, go on to that end on every part: a time-line that is all
    automatic is judged as `fit` is. Of more than MOST_FOLDED rows only a fifth is predicted.
    Raises ValueError as `folds` does.
    """
    tree = replay_on(problem, pieces)
    return finished(_held_out(problem, [_to_the_end(problem, tree, pieces)], k, seed))[0]


def judged_on(held: Dataset, training: Dataset, rules: Rules, pieces: Pieces) -> float:
    """The score on held-out rows of the time-line that the same choices make on the training rows.

    It goes on to the end that the rules have there.
    """
    tree = replay_on(Problem(training, rules), (*pieces, 2 * training.n))
    return score_of(held, tree)


def compare(
    problem: Problem, lines: Sequence[Pieces], k: int = FOLDS, seed: int = 0
) -> Slices[tuple[Line, ...]]:
    """The figures of each time-line, all judged on the same folds. Raises ValueError."""
    trees, ends = [], []
    for pieces in lines:
        tree, own = _replayed(problem, pieces)
        trees.append((tree, own))
        ends.append(_to_the_end(problem, tree, pieces))
        yield 0.2 * len(trees) / len(lines)
    judged = yield from within(_held_out(problem, ends, k, seed), 0.2, 1.0)
    return tuple(_line(problem.data, *tree, held) for tree, held in zip(trees, judged, strict=True))


def _line(data: Dataset, tree: Tree, own: set[int], held: float) -> Line:
    training = score_of(data, tree)
    return Line(len(tree.splits), len(own), len(tree.rows), height(tree), training, held)


def _held_out(problem: Problem, lines: Sequence[Pieces], k: int, seed: int) -> Slices[list[float]]:
    data = problem.data
    marks: list[list[Floats]] = [[] for _ in lines]
    for others, rows in parts(data, k, seed):
        judged = rebalanced(data, others)
        many = len(lines) * (1 if data.n > MOST_FOLDED else min(k, data.n))
        for found, pieces in zip(marks, lines, strict=True):
            found.append(_marks(judged, replay_on(Problem(others, problem.rules), pieces), rows))
            yield sum(map(len, marks)) / many
    return [_mean(found) for found in marks]


def _to_the_end(problem: Problem, tree: Tree, pieces: Pieces) -> Pieces:
    """The pieces, with more automatic moves than any tree has if the rules stop at theirs."""
    ahead, _ = finish(problem, tree)
    return pieces if ahead else (*pieces, 2 * problem.data.n)


def _replayed(problem: Problem, pieces: Pieces) -> tuple[Tree, set[int]]:
    """The tree of the pieces, and those of its nodes whose split is your own."""
    tree, own = stump(problem), set[int]()
    for automatic, group in groupby(pieces, key=lambda piece: isinstance(piece, int)):
        together = tuple(group)
        before = tree.splits
        if automatic:
            steps = sum(piece for piece in together if isinstance(piece, int))
            tree = _automatic(problem, tree, steps)
            own -= tree.splits.keys() - before.keys()
        else:
            moves = [piece for piece in together if not isinstance(piece, int)]
            tree, made = _possible(problem, tree, moves)
            own |= {move.node for move in made if isinstance(move, Grow)}
        own &= tree.splits.keys()
    return tree, own


def _automatic(problem: Problem, tree: Tree, steps: int) -> Tree:
    """The tree after at most `steps` automatic moves."""
    rules = problem.rules
    if rules.ccp_alpha:
        log, whole = finish(problem, tree)
        short = log[:steps]
        return whole if short == log else replay(problem, tree, short)[0]
    leaves = len(tree.rows) + steps
    most = leaves if rules.max_leaf_nodes is None else min(leaves, rules.max_leaf_nodes)
    return (
        finished_by(Problem(problem.data, replace(rules, max_leaf_nodes=most)), tree)[1]
        if steps
        else tree
    )


def _possible(problem: Problem, tree: Tree, moves: Sequence[Move]) -> tuple[Tree, list[Move]]:
    """The tree after those of the moves that are possible on it, and these."""
    made = list[Move]()
    while moves:
        tree, error = replay(problem, tree, tuple(moves))
        reached = len(moves) if error is None else error.index
        made += moves[:reached]
        moves = moves[reached + 1 :]
    return tree, made


def _marks(data: Dataset, tree: Tree, rows: Ints | None = None, by: Score | None = None) -> Floats:
    """The mark of each of the rows (all by default), and its own weight: (2, r)."""
    rows = np.arange(data.n) if rows is None else rows
    predicted = predict(tree, data.columns.take(rows, axis=1))
    own, score = own_weights(data), by or score_by(data)
    weights = np.ones(len(rows)) if own is None else own.take(rows)
    return np.array([score.marks(data, data.y.take(rows), predicted), weights])


def _mean(marks: Sequence[Floats]) -> float:
    values, weights = np.concatenate([*marks, np.empty((2, 0))], axis=1)
    return float(np.average(values, weights=weights)) if len(values) else math.nan


def _by_class(data: Dataset, seed: int) -> Ints:
    """The rows in random order, those of a class together."""
    order = np.random.default_rng(seed).permutation(data.n)
    return order[np.argsort(data.y[order], kind="stable")] if data.classes else order


def _need_whole(name: str, value: Any, low: int) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < low:
        raise ValueError(f"`{name}` must be at least {low}; not {value!r}")


def _need_share(name: str, value: Any) -> None:
    if not isinstance(value, float | np.floating) or not 0 < value < 1:
        raise ValueError(f"`{name}` must lie between 0 and 1; not {value!r}")


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How many rows of each class (line) are called each class (column), (K, K).

    `weights` are what those rows weigh, None where each counts 1.
    """

    rows: Ints
    weights: Floats | None

    @property
    def amounts(self) -> Floats:
        """What the shares are of: the weights, or the rows."""
        return np.asarray(self.rows if self.weights is None else self.weights, np.float64)

    @property
    def recall(self) -> Floats:
        """The recall of each class, (K,); nan without such rows."""
        return _shares(np.diag(self.amounts), self.amounts.sum(axis=1))

    @property
    def precision(self) -> Floats:
        """The precision of each class, (K,); nan where no row is called so."""
        return _shares(np.diag(self.amounts), self.amounts.sum(axis=0))

    @property
    def accuracy(self) -> float:
        """The share that is right; nan for no rows."""
        return float(_shares(np.trace(self.amounts), self.amounts.sum()))


@dataclass(frozen=True, slots=True)
class Off:
    """How far predictions of numbers are off, over all rows.

    `squared` is the mean squared error (squared target units), `absolute` the mean absolute error
    (target units), `explained` R2 = 1 - squared error / that of the rows' own mean; nan where
    all targets are equal.
    """

    squared: float
    absolute: float
    explained: float


def confusion(data: Dataset, called: Floats) -> Confusion:
    """The confusion of the classes `called`, (n,), of the rows of the data."""
    many = len(data.classes)
    pair = data.y * many + called.astype(np.intp)
    rows = np.bincount(pair, minlength=many * many).reshape(many, many)
    own = own_weights(data)
    if own is None:
        return Confusion(rows, None)
    weights: Floats = np.bincount(pair, own, many * many).astype(np.float64)
    return Confusion(rows, weights.reshape(many, many))


def off_by(data: Dataset, told: Floats) -> Off:
    """How far the numbers `told`, (n,), are off those of the rows of the data."""
    own, off = own_weights(data), data.y - told
    apart = data.y - np.average(data.y, weights=own)
    squared = float(np.average(np.square(off), weights=own))
    whole = float(np.average(np.square(apart), weights=own)) if np.ptp(data.y) else 0.0
    absolute = float(np.average(np.abs(off), weights=own))
    return Off(squared, absolute, 1 - squared / whole if whole else math.nan)


def baseline(training: Dataset, held: Dataset | None) -> float:
    """The mean loss on the rows held out of the one answer of least loss on the training rows.

    That is the majority class, the class that costs least, or the mean; nan without rows.
    """
    if held is None:
        return math.nan
    answer = _one_answer(training)
    loss = loss_of(held, held.y, np.full(held.n, answer))
    return float(np.average(loss, weights=own_weights(held)))


def _one_answer(data: Dataset) -> float:
    own = own_weights(data)
    if not data.classes:
        return float(np.average(data.y, weights=own))
    weights = np.bincount(data.y, own, len(data.classes))
    if data.costs is None:
        return float(weights.argmax())
    return float((weights @ data.costs).argmin())


def _shares(some: Floats, of: Floats) -> Floats:
    out = np.full(np.shape(of), math.nan)
    np.divide(some, of, out=out, where=np.asarray(of) > 0)
    return out
