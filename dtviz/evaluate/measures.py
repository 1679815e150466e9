"""Measures of the error curve: the mean loss of trees in one of several ways, all less is better.

A measure counts what the rows of each node of a full tree lose, were the node a leaf; the losses of
its leaves add up to those of any subtree, in all measures but the area under the ROC curve, which
ranks the rows of all leaves.

Sources: the measures are those of scikit-learn's `log_loss`, `balanced_accuracy_score`,
`roc_auc_score` and `mean_absolute_error`, the scores as 1 - score.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices
from dtviz.data.dataset import Dataset
from dtviz.data.weights import total_weight_before_costs, weights_before_costs
from dtviz.engine.leaves.leaf_models import LeafModel
from dtviz.engine.leaves.node_facts import log_losses
from dtviz.engine.subtrees import Nodes, RowValues, losses_in_slices, subtree_leaves, sums_of_nodes
from dtviz.engine.tree import class_shares

SMALLEST_SHARE = float(np.finfo(np.float64).eps)
"""Share of a class that counts in a log loss at least, as in scikit-learn.

A pure leaf that is wrong about a row loses 36, not an infinity.
"""


class LeafRanking(NamedTuple):
    """What the area under the ROC curve needs of each of m nodes, were it a leaf."""

    scores: Floats
    """Share of the second class among the training rows, (m,)."""
    negatives: Floats
    """Weight of the rows of the first class that are judged, (m,)."""
    positives: Floats
    """Weight of the rows of the second class that are judged, (m,)."""


class MeanLoss(NamedTuple):
    """The losses of m nodes, which the leaves of a subtree add up."""

    losses: Floats
    """Sum of the losses of the rows that reach each node, (m,)."""
    weight: float
    """Weight of all rows."""


NodeLosses = MeanLoss | LeafRanking
"""What a measure knows of the nodes of a full tree on some rows."""


def mean_loss(nodes: Nodes, split_masks: Bools, node_losses: NodeLosses) -> Floats:
    """The measure of each of K subtrees, (K,), from that of all nodes of the full tree."""
    leaf_masks = subtree_leaves(nodes, split_masks)
    if isinstance(node_losses, LeafRanking):
        return np.array([_area_above(node_losses, mask) for mask in leaf_masks])
    losses, weight = node_losses
    return np.array([losses[mask].sum() for mask in leaf_masks]) / weight


def _area_above(ranking: LeafRanking, leaf_mask: Bools) -> float:
    """1 - the area under the ROC curve of a subtree; equal scores count half. Nan for one class."""
    scores, inverse = np.unique(ranking.scores[leaf_mask], return_inverse=True)
    negatives, positives = (
        np.bincount(inverse, part[leaf_mask], len(scores))
        for part in (ranking.negatives, ranking.positives)
    )
    below = np.cumsum(negatives) - negatives / 2
    pairs = negatives.sum() * positives.sum()
    return float(1 - (positives * below).sum() / pairs) if pairs > 0 else np.nan


@dataclass(frozen=True, slots=True)
class ErrorMeasure:
    """A measure of trees on rows."""

    name: str
    """Name in sessions and addresses."""
    title: str
    """Title where it is chosen."""
    is_share: bool
    """True if it is told in per cents."""
    suits: Callable[[Dataset, LeafModel], bool]
    """Function of data and leaf model that is True where it can judge."""
    node_losses: Callable[[Nodes, Dataset], NodeLosses] | None = None
    """Function of a full tree and rows: the measure of its nodes; None for the loss of the data."""

    @property
    def noun(self) -> str:
        """Name beside its numbers: 'log loss'."""
        return self.title[0].lower() + self.title[1:]


def node_losses_in_slices(
    nodes: Nodes, data: Dataset | None, measure: ErrorMeasure
) -> Slices[tuple[NodeLosses, Ints]]:
    """The measure of the m nodes of a tree on rows, and the index of the leaf of each row, (n,).

    Without rows it is nan. A table in its engine is counted in slices.
    """
    losses, leaf = yield from errors_of_nodes(nodes, data)
    if data is None or measure.node_losses is None:
        return losses, leaf
    return measure.node_losses(nodes, data), leaf


def errors_of_nodes(nodes: Nodes, data: Dataset | None) -> Slices[tuple[MeanLoss, Ints]]:
    """The loss of the data at the m nodes of a tree, and the index of each row's leaf, (n,)."""
    if data is None:
        return MeanLoss(np.full(len(nodes.ids), np.nan), 1), np.zeros(0, int)
    losses, leaf = yield from losses_in_slices(nodes, data)
    return MeanLoss(losses, total_weight_before_costs(data)), leaf


def _has_classes(data: Dataset, leaf_model: LeafModel) -> bool:
    return bool(data.classes) and data.costs is None and data.source is None


def _has_two_classes(data: Dataset, leaf_model: LeafModel) -> bool:
    # a leaf whose shares depend on the row has no place of its own in a ranking
    has_one_share = leaf_model.linear_score is None
    return has_one_share and len(data.classes) == 2 and _has_classes(data, leaf_model)


def _has_numbers(data: Dataset, leaf_model: LeafModel) -> bool:
    return not data.classes and data.source is None


def _shares(nodes: Nodes, data: Dataset, indices: Ints, rows: Ints) -> Floats:
    """Shares of the classes that nodes predict for rows, (r, K)."""
    proba = nodes.tree.leaf_model.proba
    if proba is not None:
        return np.asarray(proba.predict(nodes.params[indices], data.columns, rows))
    return np.array([class_shares(nodes.tree.nodes[node]) for node in nodes.ids])[indices]


def _mean(nodes: Nodes, data: Dataset, row_losses: RowValues) -> MeanLoss:
    return MeanLoss(sums_of_nodes(nodes, data, row_losses), total_weight_before_costs(data))


def _log_losses(nodes: Nodes, data: Dataset) -> MeanLoss:
    def row_losses(indices: Ints, rows: Ints) -> Floats:
        losses = log_losses(_shares(nodes, data, indices, rows), data.y[rows])
        return np.asarray(np.minimum(losses, -np.log(SMALLEST_SHARE)))

    return _mean(nodes, data, row_losses)


def _balanced_losses(nodes: Nodes, data: Dataset) -> MeanLoss:
    weights = weights_before_costs(data)
    weight_of_class = np.bincount(data.y, weights).astype(np.float64)
    is_present = weight_of_class > 0
    total = weight_of_class.sum()
    # each class that is present has the same weight in all
    factor = np.divide(
        total / is_present.sum(), weight_of_class, np.zeros(len(is_present)), where=is_present
    )

    def row_losses(indices: Ints, rows: Ints) -> Floats:
        predicted = nodes.predict(indices, data.columns, rows)
        return np.where(predicted == data.y[rows], 0.0, factor[data.y[rows]])

    return _mean(nodes, data, row_losses)


def _absolute_losses(nodes: Nodes, data: Dataset) -> MeanLoss:
    def row_losses(indices: Ints, rows: Ints) -> Floats:
        return np.abs(data.y[rows] - nodes.predict(indices, data.columns, rows))

    return _mean(nodes, data, row_losses)


def _ranking(nodes: Nodes, data: Dataset) -> LeafRanking:
    def is_positive(indices: Ints, rows: Ints) -> Floats:
        return np.asarray(data.y[rows] == 1, np.float64)

    def is_negative(indices: Ints, rows: Ints) -> Floats:
        return np.asarray(data.y[rows] == 0, np.float64)

    size = len(nodes.ids)
    scores = _shares(nodes, data, np.arange(size), np.zeros(size, int))[:, 1]
    negatives, positives = (
        sums_of_nodes(nodes, data, row_values) for row_values in (is_negative, is_positive)
    )
    return LeafRanking(scores, negatives, positives)


ERROR = ErrorMeasure("error", "Error", True, lambda data, model: True)
"""The loss of the data: share of wrong classes, cost of mistakes, or squared error."""
MEASURES = {
    measure.name: measure
    for measure in (
        ERROR,
        ErrorMeasure("balanced", "Balanced error", True, _has_classes, _balanced_losses),
        ErrorMeasure("log_loss", "Log loss", False, _has_classes, _log_losses),
        ErrorMeasure("auc", "1 − AUC", False, _has_two_classes, _ranking),
        ErrorMeasure("absolute", "Absolute error", False, _has_numbers, _absolute_losses),
    )
}
"""The measures, by name."""


def measures_for(data: Dataset, leaf_model: LeafModel) -> list[ErrorMeasure]:
    """The measures that suit data and leaf model."""
    return [measure for measure in MEASURES.values() if measure.suits(data, leaf_model)]
