"""Error against one rule: on the training rows, on held-out rows, and K-fold.

Depth, number of leaves and alpha only choose among the subtrees of one whole tree, so each of
their curves is read off one tree a part; leaf size changes the cuts and grows a tree a value.

Glossary
    axis       the rule that is varied; all others stay
    training   the rows a tree is grown on; `held` those it never saw
    error      the mean loss: the share of wrong classes, or the mean squared error
    fold error the error on one fold of a tree grown on the other folds
    slice      a piece of long work, after which a generator yields the share that is done

Sources: theory.md, Judging [C]; Breiman et al. (1984) for the one-standard-error rule.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from dtviz.data import Dataset, take
from dtviz.grow import whole
from dtviz.metrics import folds
from dtviz.prune import path, pruned
from dtviz.rules import Rules
from dtviz.search import ROUNDING, Bools, Floats, Ints
from dtviz.subtrees import Nodes, ends, height_of, kept, losses, splits_in_order

MOST_VALUES = 40
Value = int | float
Whole = Callable[[Rules], Nodes]
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
"""Every axis by name."""


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
    if axis.name == "leaves":
        changed["order"] = "best"
    return replace(rules, **changed)


def left_by(nodes: Nodes, rules: Rules) -> Bools:
    """The splits of a whole tree that are left by all the rules, pruning too, (m,)."""
    stays = kept(nodes, rules)
    if rules.ccp_alpha:
        stays = pruned(nodes, stays, path(nodes, stays), rules.ccp_alpha)
    return stays


def values_of(nodes: Nodes, rules: Rules, axis: Axis) -> tuple[Value, ...]:
    """The values of the axis at which something changes, at most MOST_VALUES of them.

    The value the rules have is among them wherever it changes something.
    """
    if axis.name == "alpha":
        alphas = path(nodes, kept(nodes, rules)).alphas.tolist()
        most = rules.ccp_alpha + ROUNDING * float(nodes.risk[0])  # what `pruned` takes back
        return _some(alphas, max(alpha for alpha in alphas if alpha <= most))
    if axis.name == "leaf_size":
        n, own = nodes.tree.nodes[1].n, rules.min_samples_leaf  # above n / 2 no cut is left
        most = max(n // 4, min(max(own, 10), n // 2), 1)
        return _some(range(1, most + 1), own)
    free: dict[str, Any] = {axis.rule: None}
    stays = kept(nodes, replace(rules, **free))
    if axis.name == "depth":
        return _some(range(1, max(height_of(nodes, stays), 1) + 1), rules.max_depth)
    return _some(range(2, max(int(stays.sum()) + 1, 2) + 1), rules.max_leaf_nodes)


def _some(values: Sequence[Value], own: Value | None) -> tuple[Value, ...]:
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
    """The splits of the tree at each value of a one-tree axis, (K, m)."""
    if axis.name == "alpha":
        stays = kept(nodes, rules)
        found = path(nodes, stays)
        return np.array([pruned(nodes, stays, found, value) for value in values])
    if axis.name == "leaves" and not rules.ccp_alpha:
        stays = kept(nodes, replace(rules, max_leaf_nodes=None))
        order = splits_in_order(nodes, stays, "best")
        out = np.repeat(stays[None, :], len(values), axis=0)
        for line, value in zip(out, values, strict=True):
            line[order[int(value) - 1 :]] = False
        return out
    return np.array([left_by(nodes, rules_at(rules, axis, value)) for value in values])


def errors(nodes: Nodes, stays: Bools, data: Dataset) -> Floats:
    """The error of each subtree on the rows, (K,); `stays` has shape (K, m)."""
    found = losses(nodes, data)[0]
    return np.array([found[line].sum() for line in ends(nodes, stays)]) / data.n


def curve(
    grow: Whole, rules: Rules, axis: Axis, training: Dataset, held: Dataset | None
) -> Generator[float, None, Curve]:
    """The curve of an axis, in slices; `grow` gives the whole tree of the training rows."""
    values = values_of(grow(rules), rules, axis)
    groups = [values] if axis.one_tree else [(value,) for value in values]
    lines, stays = [], np.zeros((0, 0), np.bool_)
    for at, group in enumerate(groups):
        nodes = grow(rules_at(rules, axis, group[0]))
        stays = subtrees(nodes, rules, axis, group)
        none = np.full(len(group), np.nan)
        lines.append(
            (
                errors(nodes, stays, training),
                none if held is None else errors(nodes, stays, held),
                stays.sum(axis=1) + 1,
                [height_of(nodes, line) for line in stays],
            )
        )
        yield (at + 1) / len(groups)
    trained, judged, leaves, height = map(np.concatenate, zip(*lines, strict=True))
    shown = stays if axis.one_tree else np.zeros((0, 0), np.bool_)
    return Curve(axis, values, trained, judged, leaves, height, shown)


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
    return _simplest(axis, mean <= mean.min() + _rounding(mean))


def one_standard_error(axis: Axis, mean: Floats, error: Floats) -> int:
    """The place of the simplest tree no more than one standard error above the least [Breiman]."""
    lowest = best(axis, mean)
    return _simplest(axis, mean <= mean[lowest] + error[lowest] + _rounding(mean))


def _simplest(axis: Axis, good: Bools) -> int:
    places = np.flatnonzero(good)
    return int(places[0] if axis.small_is_simple else places[-1])


def _rounding(mean: Floats) -> float:
    return ROUNDING * float(np.abs(mean).max())
