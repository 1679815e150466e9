"""What many trees tell of one setting: grid search, learning curve, bias and variance.

All of it is long work in slices: each function is a generator that yields the share that is done
and returns what was found.

Glossary
    line       of the grid: a value of the rule that goes with the depth there, see `Lines`
    cell       a line and a depth of the grid; its error is the mean over the folds
    size       how many rows a tree of the learning curve is grown on
    resample   as many rows as there are, drawn with replacement
    vote       what most trees of the resamples predict for a row; for numbers their mean
    spread     how far single trees are from the vote: the share that differs, what that would cost
               were the vote right, or the variance

Sources: theory.md, Judging [C]; Domingos, A unified bias-variance decomposition (2000); Tijdeman,
The chairman assignment problem (1980).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import Dataset, Task, take
from dtviz.data.weights import own_weights, rebalanced
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.engine.grow import whole
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.subtrees import Nodes, above, height_of, loss_of
from dtviz.engine.tree import apply
from dtviz.evaluate.curves import AXES, errors, folded_parts, left_by, mean_and_error, value_text
from dtviz.explain.words import SETTINGS

DEPTHS = (*range(1, 11), 20, 30, 40)
"""The depths of the grid in [C], and those between them up to 10."""

LEAF_SIZES = (500, 200, 100, 50, 20, 10, 5, 2, 1)
SIZES = 10
RESAMPLES = 40
Setting = str | int


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The rule that a grid varies from line to line: its values for some rows, the first the best
    of equal ones, and what each is called; a `title` stands before it. `every` names them all.
    """

    rule: str
    title: str
    every: str
    values: Callable[[Dataset], tuple[Setting, ...]]
    text: Callable[[Any], str]

    def rules(self, rules: Rules, value: Setting) -> Rules:
        """The rules with another value."""
        changed: dict[str, Any] = {self.rule: value}
        return replace(rules, **changed)

    def said(self, value: Setting) -> str:
        """A value with its title."""
        return f"{self.title} {self.text(value)}".lstrip()


def _leaf_sizes(data: Dataset) -> tuple[int, ...]:
    """The leaf sizes of a grid, of which the largest make the simplest trees."""
    return tuple(size for size in LEAF_SIZES if size <= max(data.n // 4, 1))


_LEAF = "min_samples_leaf"
LINES: dict[Task, Lines] = {
    "classification": Lines(
        "criterion", "", "All criteria", criteria_of, lambda name: CRITERIA[name].title
    ),
    "regression": Lines(_LEAF, SETTINGS[_LEAF].words, "Leaf sizes", _leaf_sizes, value_text),
}
"""The lines of a grid by the task."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The mean fold error of each value of the lines and each depth, and its standard error.

    `best` is the cell [line, depth] with the least error: the smallest depth, then the first line;
    `tied` marks every cell as good as it.
    """

    lines: Lines
    values: tuple[Setting, ...]
    depths: tuple[int, ...]
    mean: Floats
    error: Floats
    best: tuple[int, int]
    tied: Bools


@dataclass(frozen=True, slots=True, eq=False)
class Learning:
    """Errors by training size, (S,): on the rows grown on and on the fold left out, (k, S)."""

    sizes: Ints
    training: Floats
    held: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How trees of resamples differ, by depth, (K,), judged on held-out rows.

    `single` is the mean error of one tree, `vote` the error of the vote, `spread` how far single
    trees are from it; for numbers single = vote + spread. Of the setting itself `told` is what each
    tree predicts at the points of the plane, (T, p), `voted` their vote there and `where` the
    spread, both (p,).
    """

    depths: tuple[int, ...]
    single: Floats
    vote: Floats
    spread: Floats
    told: Floats
    voted: Floats
    where: Floats


def grid(
    data: Dataset,
    rules: Rules,
    lines: Lines,
    depths: Sequence[int],
    k: int,
    seed: int = 0,
) -> Generator[float, None, Grid]:
    """The K-fold error of every line and depth, up to the first that limits no tree.

    A tree a line and fold serves all depths. Raises ValueError as `metrics.folds` does.
    """
    parts, values, tallest = folded_parts(data, k, seed), lines.values(data), 0
    found = np.empty((len(values), len(parts), len(depths)))
    for line, value in enumerate(values):
        own = lines.rules(rules, value)
        for at, (others, fold) in enumerate(parts):
            nodes = whole(Problem(others, own))
            tallest = max(tallest, height_of(nodes, nodes.split))
            found[line, at] = errors(nodes, AXES["depth"].subtrees(nodes, own, depths), fold)
            yield (line * len(parts) + at + 1) / (len(values) * len(parts))
    depths = _to(tallest, depths)
    found = found[:, :, : len(depths)]
    both = [mean_and_error(of_one) for of_one in found]
    mean, error = (np.array(part) for part in zip(*both, strict=True))
    tied = mean * (1 - ROUNDING) <= mean.min()
    column = int(np.argmax(tied.any(axis=0)))
    best = (int(np.argmax(tied[:, column])), column)
    return Grid(lines, values, tuple(depths), mean, error, best, tied)


def _to(height: int, depths: Sequence[int]) -> Sequence[int]:
    """The depths up to the first that limits no tree of that height."""
    enough = (at for at, depth in enumerate(depths) if depth >= height)
    return depths[: next(enough, len(depths) - 1) + 1]


def learning(
    data: Dataset, rules: Rules, k: int, seed: int = 0
) -> Generator[float, None, Learning]:
    """Errors by training size: of each fold's other rows the first tenth, two tenths, ... all.

    The rows of a size hold the classes in their shares, and are among those of the next. Raises
    ValueError as `metrics.folds` does.
    """
    parts = folded_parts(data, k, seed)
    least = min(others.n for others, _ in parts)
    sizes = np.unique(np.maximum(np.arange(1, SIZES + 1) * least // SIZES, 1))
    found = np.empty((2, len(parts), len(sizes)))
    for at, (others, fold) in enumerate(parts):
        order = _mixed(others, seed)
        for column, size in enumerate(sizes.tolist()):
            first = order[: size * others.n // least]  # folds differ by a row
            some = rebalanced(take(others, first))
            nodes = whole(Problem(some, rules))
            stays = left_by(nodes, rules)[None, :]
            found[:, at, column] = errors(nodes, stays, some)[0], errors(nodes, stays, fold)[0]
            yield (at * len(sizes) + column + 1) / (len(parts) * len(sizes))
    return Learning(sizes, found[0], found[1])


def resampled(
    data: Dataset,
    held: Dataset,
    plane: NDArray[np.float64],
    rules: Rules,
    depths: Sequence[int],
    seed: int = 0,
) -> Generator[float, None, Spread]:
    """How the trees of RESAMPLES resamples differ: by depth on held-out rows, and over the plane.

    `plane` has shape (M, p). The trees keep to the rules; those by depth but for `max_depth`.
    """
    random, own = np.random.default_rng(seed), data
    data, held = _centred(data, held)
    votes, here = _Votes(data, len(depths), held.n), _Votes(data, 1, plane.shape[1])
    single, told, start = np.zeros(len(depths)), list[Floats](), _start(own)
    for at in range(RESAMPLES):
        drawn = rebalanced(take(data, np.sort(random.integers(0, data.n, data.n))))
        nodes = whole(Problem(drawn, rules))
        by_depth = AXES["depth"].subtrees(nodes, rules, depths)
        single += errors(nodes, by_depth, held)
        votes.add(_predicted(nodes, by_depth, held.columns))
        told.append(_predicted(nodes, left_by(nodes, rules)[None], plane))
        here.add(told[-1])
        yield (at + 1) / RESAMPLES
    winner, spread = votes.count()
    loss, weights = loss_of(held, held.y, winner), own_weights(held)
    judged = np.average(spread, axis=1, weights=weights)
    vote = np.average(loss, axis=1, weights=weights)
    voted, where = (found[0] for found in here.count())
    every = np.concatenate(told) + start
    return Spread(tuple(depths), single / RESAMPLES, vote, judged, every, voted + start, where)


def _centred(data: Dataset, held: Dataset) -> tuple[Dataset, Dataset]:
    """Both, with numbers told from the first row's: far from 0 their squares would be rounded."""
    if data.classes:
        return data, held
    start = _start(data)
    return replace(data, y=data.y - start), replace(held, y=held.y - start)


def _start(data: Dataset) -> float:
    """The number that others are told from; 0 for classes."""
    return 0.0 if data.classes else float(data.y[0])


def _predicted(nodes: Nodes, stays: Bools, points: NDArray[np.float64]) -> Floats:
    """What each subtree predicts at the points (M, p): (K, p)."""
    ids, index = apply(nodes.tree, points)
    place = {node: at for at, node in enumerate(nodes.ids)}
    reached = np.array([place[node] for node in ids])[index]
    rows = np.arange(points.shape[1])
    ends = (above(nodes, line)[reached] for line in stays)
    return np.array([nodes.predict(end, points, rows) for end in ends])


class _Votes:
    """Counts predictions (K, p) of many trees: a class each, or numbers (by Welford's update)."""

    def __init__(self, data: Dataset, lines: int, points: int) -> None:
        self.trees, self.data = 0, data
        self.counts = np.zeros((len(data.classes), lines, points), np.uint8)
        self.mean = np.zeros((lines, points))
        self.squares = np.zeros((lines, points))

    def add(self, predicted: Floats) -> None:
        """One more tree."""
        self.trees += 1
        for code, count in enumerate(self.counts):
            count += predicted == code
        if not len(self.counts):
            off = predicted - self.mean
            self.mean += off / self.trees
            self.squares += off * (predicted - self.mean)

    def count(self) -> tuple[Floats, Floats]:
        """The vote and the spread round it, each (K, p)."""
        if not len(self.counts):
            return self.mean, self.squares / self.trees
        winner = self.counts.argmax(axis=0).astype(np.float64)
        if self.data.costs is None:
            return winner, 1 - self.counts.max(axis=0) / self.trees
        voted, spread = winner.astype(np.intp), np.zeros(winner.shape)
        for code, count in enumerate(self.counts):
            spread += count * loss_of(self.data, voted, np.full(winner.shape, float(code)))
        return winner, spread / self.trees


def _mixed(data: Dataset, seed: int) -> Ints:
    """The rows in a random order whose every beginning holds the classes in about their shares."""
    random = np.random.default_rng(seed)
    order = random.permutation(data.n)
    place = random.random(data.n)
    for code in np.unique(data.y) if data.classes else ():
        own = np.flatnonzero(data.y[order] == code)
        place[own] = (np.arange(len(own)) + random.random()) / len(own)
    return np.asarray(order[np.argsort(place, kind="stable")])
