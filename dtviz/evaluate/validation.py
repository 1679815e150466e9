"""Validation by many trees: grid search, learning curve, bias and variance.

Each of the three takes long: its function is a generator that yields the share that is done and
returns the result.

Sources: Domingos, A unified bias-variance decomposition (2000); Tijdeman, The chairman assignment
problem (1980).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import Dataset, Task, take_rows
from dtviz.data.weights import rebalance, weights_before_costs
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, suitable_criteria
from dtviz.engine.subtrees import Nodes, enclosing_leaves, height_of, loss_of
from dtviz.engine.tree import apply
from dtviz.evaluate.curves import (
    AXES,
    errors,
    folded_parts,
    kept_splits,
    mean_and_error,
    rule_value_label,
)
from dtviz.explain.words import SETTINGS

DEPTHS = (*range(1, 11), 20, 30, 40)
"""The depths of the grid."""
LEAF_SIZES = (500, 200, 100, 50, 20, 10, 5, 2, 1)
"""The leaf sizes of the grid, the largest first: they make the simplest trees."""
N_SIZES = 10
"""Number of points of the learning curve."""
RESAMPLES = 40
"""Number of resamples, and so of trees, for bias and variance."""
GridValue = str | int
"""A value of the rule that varies from line to line of a grid."""


@dataclass(frozen=True, slots=True, eq=False)
class GridRule:
    """The rule that a grid varies from line to line; from column to column it varies the depth."""

    rule: str  # name of the field of Rules
    title: str  # title before a value
    title_of_all: str  # title of all values together
    values: Callable[[Rules, Dataset], tuple[GridValue, ...]]
    """Values that suit rules and data; of equally good ones the first is taken as the best."""
    text: Callable[[Any], str]  # text of a value without the title

    def rules_at(self, rules: Rules, value: GridValue) -> Rules:
        """The rules with another value of this rule."""
        changed: dict[str, Any] = {self.rule: value}
        return replace(rules, **changed)

    def titled_text(self, value: GridValue) -> str:
        """The text of a value with its title: 'Smallest leaf 20'."""
        return f"{self.title} {self.text(value)}".lstrip()


def _leaf_size_values(_rules: Rules, data: Dataset) -> tuple[int, ...]:
    """The leaf sizes of a grid on a dataset, at most a quarter of its rows."""
    return tuple(size for size in LEAF_SIZES if size <= max(data.n // 4, 1))


_LEAF_RULE = "min_samples_leaf"
GRID_RULES: dict[Task, GridRule] = {
    "classification": GridRule(
        "criterion", "", "All criteria", suitable_criteria, lambda name: CRITERIA[name].title
    ),
    "regression": GridRule(
        _LEAF_RULE, SETTINGS[_LEAF_RULE].title, "Leaf sizes", _leaf_size_values, rule_value_label
    ),
}
"""The rule that a grid varies, by task."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Errors of trees: one line for each of L values of a rule, one column for each of D depths."""

    rule: GridRule  # rule that the lines vary
    values: tuple[GridValue, ...]  # L values of the rule
    depths: tuple[int, ...]  # D values of max_depth
    mean: Floats  # mean error over the folds, (L, D)
    error: Floats  # standard error of the mean, (L, D)
    best: tuple[int, int]
    """Line and column of the least mean; of equal means the smallest depth, then the first line."""
    tied: Bools  # True where the mean is as small as at `best`, (L, D)


@dataclass(frozen=True, slots=True, eq=False)
class LearningCurve:
    """Learning curve: errors at S numbers of training rows in each of k folds."""

    sizes: Ints  # number of rows that a tree is grown on, (S,)
    training: Floats  # error on the rows that the tree is grown on, (k, S)
    held: Floats  # error on the fold held out, (k, S)


@dataclass(frozen=True, slots=True, eq=False)
class ResampleSpread:
    """Differences between the trees of T resamples.

    The vote is the class that most trees predict for a row, or the mean of their numbers. The
    spread is the distance of single trees from the vote. For classes it is the share of trees that
    differ, or with costs their mean cost if the vote were true. For numbers it is the variance, so
    that tree_error = vote_error + mean_spread.
    """

    depths: tuple[int, ...]  # K values of max_depth
    tree_error: Floats  # mean error of one tree on held-out rows, (K,)
    vote_error: Floats  # error of the vote on held-out rows, (K,)
    mean_spread: Floats  # mean spread on held-out rows, (K,)
    predictions: Floats  # prediction of each tree under all rules at p points of the plane, (T, p)
    plane_vote: Floats  # vote of these trees there, (p,)
    plane_spread: Floats  # spread of these trees there, (p,)


def grid(
    data: Dataset, rules: Rules, rule: GridRule, depths: Sequence[int], k: int, seed: int = 0
) -> Generator[float, None, Grid]:
    """The K-fold error of each value of the rule, at the depths up to one that limits no tree.

    Raises ValueError as `metrics.folds` does.
    """
    parts, values, tallest = folded_parts(data, k, seed), rule.values(rules, data), 0
    fold_errors = np.empty((len(values), len(parts), len(depths)))
    for line, value in enumerate(values):
        line_rules = rule.rules_at(rules, value)
        for fold_index, (others, fold) in enumerate(parts):
            nodes = full_tree(Problem(others, line_rules))  # one full tree serves all depths
            tallest = max(tallest, height_of(nodes, nodes.is_split))
            split_masks = AXES["depth"].subtrees(nodes, line_rules, depths)
            fold_errors[line, fold_index] = errors(nodes, split_masks, fold)
            yield (line * len(parts) + fold_index + 1) / (len(values) * len(parts))
    depths = _useful_depths(tallest, depths)
    fold_errors = fold_errors[:, :, : len(depths)]
    pairs = [mean_and_error(line_errors) for line_errors in fold_errors]
    mean, error = (np.array(part) for part in zip(*pairs, strict=True))
    tied = mean * (1 - ROUNDING) <= mean.min()
    column = int(np.argmax(tied.any(axis=0)))
    best = (int(np.argmax(tied[:, column])), column)
    return Grid(rule, values, tuple(depths), mean, error, best, tied)


def _useful_depths(height: int, depths: Sequence[int]) -> Sequence[int]:
    """The depths up to the first that does not limit a tree of this height."""
    unlimited = (index for index, depth in enumerate(depths) if depth >= height)
    return depths[: next(unlimited, len(depths) - 1) + 1]


def learning_errors(
    data: Dataset, rules: Rules, k: int, seed: int = 0
) -> Generator[float, None, LearningCurve]:
    """The learning curve: trees of one tenth, two tenths, ... all rows outside of each fold.

    The rows of a size hold the classes in about their shares, and are among those of the next size.
    Raises ValueError as `metrics.folds` does.
    """
    parts = folded_parts(data, k, seed)
    min_rows = min(others.n for others, _ in parts)
    sizes = np.unique(np.maximum(np.arange(1, N_SIZES + 1) * min_rows // N_SIZES, 1))
    training, held = np.empty((2, len(parts), len(sizes)))
    for fold_index, (others, fold) in enumerate(parts):
        order = _stratified_order(others, seed)
        for column, size in enumerate(sizes.tolist()):
            # The sizes are those of the smallest part; other parts may have one row more.
            row_ids = order[: size * others.n // min_rows]
            sample = rebalance(take_rows(others, row_ids))
            nodes = full_tree(Problem(sample, rules))
            split_masks = kept_splits(nodes, rules)[None, :]
            training[fold_index, column] = errors(nodes, split_masks, sample)[0]
            held[fold_index, column] = errors(nodes, split_masks, fold)[0]
            yield (fold_index * len(sizes) + column + 1) / (len(parts) * len(sizes))
    return LearningCurve(sizes, training, held)


def resample_spread(
    data: Dataset,
    held: Dataset,
    plane: NDArray[np.float64],
    rules: Rules,
    depths: Sequence[int],
    seed: int = 0,
) -> Generator[float, None, ResampleSpread]:
    """Spread of the trees of RESAMPLES resamples: by depth on held-out rows, and over the plane.

    A resample has as many rows as the data, drawn with replacement. `plane` holds p points, (M, p).
    The trees of the plane keep all rules, those by depth all but `max_depth`.
    """
    random, origin = np.random.default_rng(seed), _origin(data)
    data, held = _shift_targets(data, held)
    held_votes = _VoteCount(data, len(depths), held.n)
    plane_votes = _VoteCount(data, 1, plane.shape[1])
    single, predictions = np.zeros(len(depths)), list[Floats]()
    for index in range(RESAMPLES):
        sample = rebalance(take_rows(data, np.sort(random.integers(0, data.n, data.n))))
        nodes = full_tree(Problem(sample, rules))
        depth_masks = AXES["depth"].subtrees(nodes, rules, depths)
        single += errors(nodes, depth_masks, held)
        held_votes.add(_subtree_predictions(nodes, depth_masks, held.columns))
        predictions.append(_subtree_predictions(nodes, kept_splits(nodes, rules)[None], plane))
        plane_votes.add(predictions[-1])
        yield (index + 1) / RESAMPLES
    vote, spread = held_votes.count()
    weights = weights_before_costs(held)
    vote_error = np.average(loss_of(held, held.y, vote), axis=1, weights=weights)
    mean_spread = np.average(spread, axis=1, weights=weights)
    plane_vote, plane_spread = (part[0] for part in plane_votes.count())
    on_plane = np.concatenate(predictions) + origin, plane_vote + origin, plane_spread
    return ResampleSpread(tuple(depths), single / RESAMPLES, vote_error, mean_spread, *on_plane)


def _shift_targets(data: Dataset, held: Dataset) -> tuple[Dataset, Dataset]:
    """Both datasets, with numeric targets less the first target of `data`."""
    if data.classes:
        return data, held
    # The squares of targets far from 0 would be rounded.
    origin = _origin(data)
    return replace(data, y=data.y - origin), replace(held, y=held.y - origin)


def _origin(data: Dataset) -> float:
    """The target of the first row; 0 for classes."""
    return 0.0 if data.classes else float(data.y[0])


def _subtree_predictions(nodes: Nodes, split_masks: Bools, points: NDArray[np.float64]) -> Floats:
    """Predictions of K subtrees, whose splits are `split_masks`, at p points, (M, p): (K, p)."""
    ids, leaf_of_point = apply(nodes.tree, points)
    index_of = {node: index for index, node in enumerate(nodes.ids)}
    full_leaves = np.array([index_of[node] for node in ids])[leaf_of_point]
    columns = np.arange(points.shape[1])
    leaves = (enclosing_leaves(nodes, split_mask)[full_leaves] for split_mask in split_masks)
    return np.array([nodes.predict(subtree_leaves, points, columns) for subtree_leaves in leaves])


class _VoteCount:
    """Predictions of many trees, (K, p) each, added up: counts of classes, or mean and variance.

    The variance of numbers is updated by Welford's formula.
    """

    def __init__(self, data: Dataset, n_subtrees: int, points: int) -> None:
        self.trees, self.data = 0, data
        # uint8 holds a count up to 255: a class is counted once a tree, RESAMPLES times at most.
        self.counts = np.zeros((len(data.classes), n_subtrees, points), np.uint8)
        self.mean = np.zeros((n_subtrees, points))
        self.squares = np.zeros((n_subtrees, points))

    def add(self, predicted: Floats) -> None:
        """Add the predictions of one more tree."""
        self.trees += 1
        for code, count in enumerate(self.counts):
            count += predicted == code
        if not len(self.counts):
            deviation = predicted - self.mean
            self.mean += deviation / self.trees
            self.squares += deviation * (predicted - self.mean)

    def count(self) -> tuple[Floats, Floats]:
        """The vote and the spread about it, each (K, p)."""
        if not len(self.counts):
            return self.mean, self.squares / self.trees
        vote = self.counts.argmax(axis=0).astype(np.float64)
        if self.data.costs is None:
            return vote, 1 - self.counts.max(axis=0) / self.trees
        codes, spread = vote.astype(int), np.zeros(vote.shape)
        for code, count in enumerate(self.counts):
            spread += count * loss_of(self.data, codes, np.full(vote.shape, float(code)))
        return vote, spread / self.trees


def _stratified_order(data: Dataset, seed: int) -> Ints:
    """Row ids in a random order whose first k rows hold the classes in about their shares.

    Source: Tijdeman, The chairman assignment problem (1980).
    """
    random = np.random.default_rng(seed)
    order = random.permutation(data.n)
    position = random.random(data.n)
    for code in np.unique(data.y) if data.classes else ():
        of_class = np.flatnonzero(data.y[order] == code)
        # The rows of a class stand at equal distances from 0 to 1, from a random start.
        position[of_class] = (np.arange(len(of_class)) + random.random()) / len(of_class)
    return np.asarray(order[np.argsort(position, kind="stable")])
