"""Error against one rule: on the training rows, on held-out rows, and K-fold.

Depth, number of leaves and alpha only choose among the subtrees of one whole tree, so each of
their curves is read off one tree a part; leaf size changes the cuts and grows a tree a value.

Glossary
    training   the rows a tree is grown on; `held` those it never saw
    error      the mean loss: the share of wrong classes, what mistakes cost a row, or the mean
               squared error
    fold error the error on one fold of a tree grown on the other folds
    slice      a piece of long work, after which a generator yields the share that is done

Sources: theory.md, Judging [C]; Breiman et al. (1984) for the one-standard-error rule.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from dtviz.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.engine.grow import whole_in_slices
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.subtrees import Nodes, ends, height_of, losses
from dtviz.judge.axes import Axis, Value, groups, rules_at
from dtviz.judge.metrics import folds
from dtviz.slices import within
from dtviz.table.costs import own_weight
from dtviz.table.data import Dataset
from dtviz.table.weights import parted

Whole = Callable[[Rules], Nodes]
Lost = tuple[Floats, float]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """What changes along an axis: all arrays have shape (K,), one entry a value.

    `training` and `held` are errors; `held` is nan without held-out rows. `stays` are the splits
    of each tree, (K, m); it has no lines where each value has a tree of its own.
    """

    axis: Axis
    values: tuple[Value, ...]
    training: Floats
    held: Floats
    leaves: Ints
    height: Ints
    stays: Bools


def errors(nodes: Nodes, stays: Bools, data: Dataset) -> Floats:
    """The error of each subtree on the rows, (K,); `stays` has shape (K, m)."""
    return mean_loss(nodes, stays, loss_on(nodes, data)[0])


def mean_loss(nodes: Nodes, stays: Bools, lost: Lost) -> Floats:
    """The error of each subtree, (K,), from the losses of all nodes; `stays` has shape (K, m)."""
    loss, n = lost
    return np.array([loss[line].sum() for line in ends(nodes, stays)]) / n


def read_off(
    nodes: Nodes, axis: Axis, values: Sequence[Value], stays: Bools, lost: Lost, held: Lost
) -> Curve:
    """The curve of subtrees, one a value, from the losses of their nodes, see `loss_on`."""
    return Curve(
        axis,
        tuple(values),
        mean_loss(nodes, stays, lost),
        mean_loss(nodes, stays, held),
        stays.sum(axis=1) + 1,
        np.array([height_of(nodes, line) for line in stays]),
        stays,
    )


def loss_on(nodes: Nodes, data: Dataset | None) -> tuple[Lost, Ints]:
    """Each node's loss on some rows, (m,), and how many they are; and each row's leaf, (n,).

    The losses are nan where there are no rows; leaves are said by their places.
    """
    if data is None:
        return (np.full(len(nodes.ids), np.nan), 1), np.zeros(0, np.intp)
    loss, leaf = losses(nodes, data)
    return (loss, own_weight(data)), leaf


def curve(
    grow: Whole, rules: Rules, axis: Axis, training: Dataset, held: Dataset | None
) -> Generator[float, None, Curve]:
    """The curve of an axis, in slices; `grow` gives the whole tree of the training rows."""
    values = axis.values(grow(rules), rules)
    parted = groups(axis, values)
    parts: list[Curve] = []
    for at, group in enumerate(parted):
        nodes = grow(rules_at(rules, axis, group[0]))
        lost, held_lost = loss_on(nodes, training)[0], loss_on(nodes, held)[0]
        stays = axis.subtrees(nodes, rules, group)
        parts.append(read_off(nodes, axis, group, stays, lost, held_lost))
        yield (at + 1) / len(parted)
    if axis.one_tree:
        return parts[0]
    names = ("training", "held", "leaves", "height")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Curve(axis, values, **joined, stays=np.zeros((0, 0), np.bool_))


def fold_errors(
    data: Dataset, rules: Rules, axis: Axis, values: Sequence[Value], k: int, seed: int = 0
) -> Generator[float, None, Floats]:
    """The error of each fold at each value of the axis, (k, K), in slices.

    The folds are those of `metrics.folds`. Raises ValueError as it does, or for a single row.
    """
    rows, masks = [], fold_masks(data, k, seed)
    for at, mask in enumerate(masks):
        others, fold = parted(data, mask)
        row: list[Floats] = []
        for group in groups(axis, values):
            done, many = sum(map(len, row)), len(values)
            low, high = ((at + part / many) / len(masks) for part in (done, done + len(group)))
            growing = whole_in_slices(Problem(others, rules_at(rules, axis, group[0])))
            nodes = yield from within(growing, low, high)
            row.append(errors(nodes, axis.subtrees(nodes, rules, group), fold))
            del nodes  # a tree of many rows must not stay while the next is grown
            yield high
        rows.append(np.concatenate(row))
    return np.array(rows)


def folded_parts(data: Dataset, k: int, seed: int) -> list[tuple[Dataset, Dataset]]:
    """Each fold held out in turn: the other rows, and the fold. Raises ValueError."""
    return [parted(data, mask) for mask in fold_masks(data, k, seed)]


def fold_masks(data: Dataset, k: int, seed: int) -> list[Bools]:
    """The rows of each fold as a mask, (n,). Raises ValueError."""
    fold_of = folds(data, k, seed)
    if data.n < 2:
        raise ValueError("K folds need at least two training rows; not 1")
    return [fold_of == fold for fold in range(int(fold_of.max()) + 1)]


def mean_and_error(found: Floats) -> tuple[Floats, Floats]:
    """The mean over the folds and its standard error, each (K,); `found` has shape (k, K).

    Deviations are squared as shares of the largest error, so that huge ones do not overflow.
    """
    top = float(found.max(initial=0.0)) or 1.0
    error = top * ((found / top).std(axis=0, ddof=1) / np.sqrt(len(found)))
    return found.mean(axis=0), error


def best(axis: Axis, mean: Floats) -> int:
    """The place of the least mean error; of equal ones the simplest tree's."""
    return _simplest(axis, mean * (1 - ROUNDING) <= mean.min())


def one_standard_error(axis: Axis, mean: Floats, error: Floats) -> int:
    """The place of the simplest tree no more than one standard error above the least [Breiman]."""
    lowest = best(axis, mean)
    return _simplest(axis, mean * (1 - ROUNDING) <= mean[lowest] + error[lowest])


def _simplest(axis: Axis, good: Bools) -> int:
    places = np.flatnonzero(good)
    return int(places[0] if axis.small_is_simple else places[-1])
