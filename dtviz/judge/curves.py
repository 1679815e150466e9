"""Error against one rule: on the training rows, on held-out rows, and K-fold.

Depth, number of leaves and alpha only choose among the subtrees of one whole tree, so each of
their curves is read off one tree a part; leaf size changes the cuts and grows a tree a value.

Glossary
    axis       the rule that is varied; all others stay
    training   the rows a tree is grown on; `held` those it never saw
    error      the mean loss: the share of wrong classes, or the mean squared error
    fold error the error on one fold of a tree grown on the other folds
    value      of the rule that is varied; None is no limit
    slice      a piece of long work, after which a generator yields the share that is done

Sources: theory.md, Judging [C]; Breiman et al. (1984) for the one-standard-error rule.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from dtviz.engine.grow import whole
from dtviz.engine.prune import path, pruned
from dtviz.engine.rules import Rules
from dtviz.engine.search import ROUNDING, Bools, Floats, Ints
from dtviz.engine.subtrees import (
    Nodes,
    connected,
    ends,
    gains_enough,
    height_of,
    kept,
    losses,
    splits_in_order,
)
from dtviz.judge.metrics import folds
from dtviz.table.data import Dataset, take

MOST_VALUES = 40
Number = int | float
Value = Number | None
Whole = Callable[[Rules], Nodes]
Lost = tuple[Floats, float]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Axis:
    """A rule that a curve varies; `small_is_simple` where small values make small trees.

    `one_tree` says that the trees of all its values are subtrees of one.
    """

    name: str
    rule: str
    title: str
    small_is_simple: bool
    one_tree: bool = True


AXES = {
    axis.name: axis
    for axis in (
        Axis("depth", "max_depth", "Depth", True),
        Axis("leaves", "max_leaf_nodes", "Leaves", True),
        Axis("leaf_size", "min_samples_leaf", "Leaf size", False, one_tree=False),
        Axis("alpha", "ccp_alpha", "Alpha", False),
    )
}
"""Every axis of the page's curve, by name."""
AXIS_OF = {axis.rule: axis for axis in AXES.values()} | {
    "min_samples_split": Axis("split_size", "min_samples_split", "Split size", False),
    "min_gain": Axis("gain", "min_gain", "Gain", False),
}
"""The axis of every rule that says where to stop, by rule."""


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


def rules_at(rules: Rules, axis: Axis, value: Value) -> Rules:
    """The rules with another value on the axis; a number of leaves is reached best-first."""
    changed: dict[str, Any] = {axis.rule: value}
    if axis.name == "leaves" and value is not None:
        changed["order"] = "best"
    return replace(rules, **changed)


def left_by(nodes: Nodes, rules: Rules) -> Bools:
    """The splits of a whole tree that are left by all the rules, pruning too, (m,)."""
    return pruned(nodes, kept(nodes, rules), rules.ccp_alpha)


def values_of(nodes: Nodes, rules: Rules, axis: Axis) -> tuple[Number, ...]:
    """The values of one of AXES at which something changes, at most MOST_VALUES of them.

    The value the rules have is among them wherever it changes something.
    """
    if axis.name == "alpha":
        line, left = path(nodes, kept(nodes, rules)), left_by(nodes, rules)
        own = line.alphas[line.leaves > left.sum()][-1]
        return _some(line.alphas.tolist(), float(own))
    if axis.name == "leaf_size":
        n, own = nodes.tree.nodes[1].n, rules.min_samples_leaf  # above n / 2 no cut is left
        most = max(n // 4, min(max(own, 10), n // 2), 1)
        return _some(range(1, most + 1), own)
    free: dict[str, Any] = {axis.rule: None}
    stays = kept(nodes, replace(rules, **free))
    if axis.name == "depth":
        return _some(range(1, max(height_of(nodes, stays), 1) + 1), rules.max_depth)
    return _some(range(2, max(int(stays.sum()) + 1, 2) + 1), rules.max_leaf_nodes)


def _some(values: Sequence[Number], own: Value) -> tuple[Number, ...]:
    """At most MOST_VALUES of the values, thinner to the end; first, last and `own` among them."""
    if len(values) <= MOST_VALUES:
        return tuple(values)
    at = np.unique(np.geomspace(1, len(values), MOST_VALUES - 1).round().astype(int) - 1)
    if isinstance(values[-1], float):  # the large alphas matter as the small depths do
        at = len(values) - 1 - at
    chosen = {values[k] for k in at.tolist()} | {values[0]}
    if own is not None and own in values:
        chosen.add(own)
    return tuple(sorted(chosen))


def subtrees(nodes: Nodes, rules: Rules, axis: Axis, values: Sequence[Value]) -> Bools:
    """The splits of the tree at each value of a one-tree axis, (K, m); None is no limit.

    The same as `left_by` under the rules at each value, for all values at once.
    """
    if axis.name == "alpha":
        return pruned(nodes, kept(nodes, rules), np.array([values]).T)
    free: dict[str, Any] = {axis.rule: getattr(Rules(), axis.rule), "max_leaf_nodes": None}
    all_stay = kept(nodes, replace(rules, **free))
    lines = connected(nodes, all_stay & _admitted(nodes, axis, values))
    limits = values if axis.name == "leaves" else [rules.max_leaf_nodes] * len(values)
    if any(limit is not None for limit in limits):
        first = "best" if axis.name == "leaves" else rules.growing_order
        order = splits_in_order(nodes, all_stay, first)
        most = [len(order) if limit is None else limit - 1 for limit in limits]
        lines[:, order] &= lines[:, order].cumsum(axis=1) <= np.array(most)[:, None]
    return pruned(nodes, lines, rules.ccp_alpha)


def _admitted(nodes: Nodes, axis: Axis, values: Sequence[Value]) -> Bools:
    """Which nodes may split at each value of the axis, by their own figures, (K, m)."""
    if axis.name in ("leaves", "leaf_size"):
        return np.ones((len(values), 1), np.bool_)
    if axis.name == "depth":
        return np.array([nodes.depth < (np.inf if value is None else value) for value in values])
    limits = np.array([[value or 0] for value in values])
    if axis.name == "split_size":
        return np.asarray(nodes.n >= limits)
    return gains_enough(nodes.gain, nodes.impurity, limits)


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
    return (loss, data.weight), leaf


def curve(
    grow: Whole, rules: Rules, axis: Axis, training: Dataset, held: Dataset | None
) -> Generator[float, None, Curve]:
    """The curve of an axis, in slices; `grow` gives the whole tree of the training rows."""
    values = values_of(grow(rules), rules, axis)
    groups = [values] if axis.one_tree else [(value,) for value in values]
    parts: list[Curve] = []
    for at, group in enumerate(groups):
        nodes = grow(rules_at(rules, axis, group[0]))
        lost, held_lost = loss_on(nodes, training)[0], loss_on(nodes, held)[0]
        stays = subtrees(nodes, rules, axis, group)
        parts.append(read_off(nodes, axis, group, stays, lost, held_lost))
        yield (at + 1) / len(groups)
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
    rows, parts = [], folded_parts(data, k, seed)
    for at, (others, fold) in enumerate(parts):
        row: list[Floats] = []
        for group in [values] if axis.one_tree else [(value,) for value in values]:
            nodes = whole(others, rules_at(rules, axis, group[0]))
            row.append(errors(nodes, subtrees(nodes, rules, axis, group), fold))
            yield (at + len(np.concatenate(row)) / len(values)) / len(parts)
        rows.append(np.concatenate(row))
    return np.array(rows)


def finished(slices: Generator[float, None, T]) -> T:
    """What long work returns, done to its end without a pause."""
    while True:
        try:
            next(slices)
        except StopIteration as last:
            found: T = last.value
            return found


def folded_parts(data: Dataset, k: int, seed: int) -> list[tuple[Dataset, Dataset]]:
    """Each fold held out in turn: the other rows, and the fold. Raises ValueError."""
    fold_of = folds(data, k, seed)
    if data.n < 2:
        raise ValueError("K folds need at least two training rows; not 1")
    every = range(int(fold_of.max()) + 1)
    return [(take(data, fold_of != fold), take(data, fold_of == fold)) for fold in every]


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
