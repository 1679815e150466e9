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

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.progress import within
from dtviz.base.text import number
from dtviz.data.dataset import Dataset
from dtviz.data.weights import own_weight, parted
from dtviz.engine.grow import whole_in_slices
from dtviz.engine.problem import Problem
from dtviz.engine.prune import SMALLEST, path, pruned
from dtviz.engine.rules import Rules, counted
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
from dtviz.evaluate.metrics import folds

MOST_VALUES = 40
SPLITS = (2, 3, 4, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1_000)
GAINS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""min_gain as a share of the root's impurity."""
Number = int | float
Value = Number | None
Lines = Callable[[Nodes, Rules, Sequence[Value]], Bools]


@dataclass(frozen=True, slots=True)
class Axis:
    """A rule that is varied; `small_is_simple` where small values make small trees.

    Each function is given a whole tree and the rules. `values` are those at which something
    changes, at most MOST_VALUES, the rules' own among them wherever it changes something.
    `subtrees` are the splits of the tree at each value, (K, m), as `left_by` gives them; unless
    `one_tree`, the tree must be grown at that value, the only one. `more` are the values of a
    slider after so many; `order` is the one that a limit needs.
    """

    name: str
    rule: str
    small_is_simple: bool
    values: Callable[[Nodes, Rules], tuple[Number, ...]]
    subtrees: Lines
    one_tree: bool = True
    more: Callable[[int], Iterable[Value]] = lambda many: ()
    order: str | None = None


def rules_at(rules: Rules, axis: Axis, value: Value) -> Rules:
    """The rules with another value on the axis; a number of leaves is reached best-first."""
    changed: dict[str, Any] = {axis.rule: value}
    order = rules.order if value is None else axis.order or rules.order
    return replace(rules, **changed, order=order)


def groups(axis: Axis, values: Sequence[Value]) -> list[Sequence[Value]]:
    """The values parted: those of one group have their trees in one whole tree."""
    return [values] if axis.one_tree else [(value,) for value in values]


def left_by(nodes: Nodes, rules: Rules) -> Bools:
    """The splits of a whole tree that are left by all the rules, pruning too, (m,)."""
    return pruned(nodes, kept(nodes, rules), rules.ccp_alpha)


def value_text(value: Value) -> str:
    """A value of a rule as it is shown; the alpha that prunes what gains nothing is no figure."""
    if value is None:
        return "no limit"
    if value == SMALLEST:
        return "above 0"
    return f"{value:,}" if isinstance(value, int) else number(value, 3)


# --- the values -----------------------------------------------------------------------------------


def _depths(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    height = height_of(nodes, kept(nodes, replace(rules, max_depth=None)))
    return _some(range(1, max(height, 1) + 1), rules.max_depth)


def _leaves(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    free = kept(nodes, replace(rules, max_leaf_nodes=None))
    return _some(range(2, max(int(free.sum()) + 1, 2) + 1), rules.max_leaf_nodes)


def _leaf_sizes(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    n = int(nodes.n[0])  # above n / 2 no cut is left
    own = int(counted(rules, n).min_samples_leaf)
    most = max(n // 4, min(max(own, 10), n // 2), 1)
    return _some(range(1, most + 1), own)


def _alphas(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    along, left = path(nodes, kept(nodes, rules)), left_by(nodes, rules)
    own = along.alphas[along.leaves > left.sum()][-1]
    return _some(along.alphas.tolist(), float(own))


def _split_sizes(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    return tuple(n for n in SPLITS if n <= max(int(nodes.n[0]), 2))


def _gains(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    root = float(nodes.impurity[0])
    return tuple(share * root for share in GAINS) if root else (0.0,)


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


# --- the tree at each value -----------------------------------------------------------------------


def _where(rule: str, admits: Callable[[Nodes, Sequence[Value]], Bools]) -> Lines:
    """The subtrees of a rule that says of each node by itself whether it may split, (K, m)."""
    without: dict[str, Any] = {rule: getattr(Rules(), rule), "max_leaf_nodes": None}

    def subtrees(nodes: Nodes, rules: Rules, values: Sequence[Value]) -> Bools:
        free = kept(nodes, replace(rules, **without))
        lines = connected(nodes, free & admits(nodes, values))
        if rules.max_leaf_nodes is not None:
            limits = [rules.max_leaf_nodes] * len(values)
            lines &= _first(nodes, free, rules.growing_order, lines, limits)
        return pruned(nodes, lines, rules.ccp_alpha)

    return subtrees


def _by_leaves(nodes: Nodes, rules: Rules, values: Sequence[Value]) -> Bools:
    free = kept(nodes, replace(rules, max_leaf_nodes=None))
    lines = np.tile(free, (len(values), 1))
    return pruned(nodes, _first(nodes, free, "best", lines, values), rules.ccp_alpha)


def _by_alpha(nodes: Nodes, rules: Rules, values: Sequence[Value]) -> Bools:
    return pruned(nodes, kept(nodes, rules), np.array([values]).T)


def _first(nodes: Nodes, free: Bools, order: str, lines: Bools, limits: Sequence[Value]) -> Bools:
    """The lines with their first splits only, in that order: so many that each has its leaves."""
    places = splits_in_order(nodes, free, order)
    most = [len(places) if limit is None else limit - 1 for limit in limits]
    out = lines.copy()
    out[:, places] &= lines[:, places].cumsum(axis=1) <= np.array(most)[:, None]
    return out


def _column(values: Sequence[Value], none: float) -> Any:
    """The values as a column, (K, 1), with a number in the place of None."""
    return np.array([[none if value is None else value] for value in values])


_DEPTH = Axis(
    "depth", "max_depth", True, _depths,
    _where("max_depth", lambda nodes, values: nodes.depth < _column(values, np.inf)),
    more=lambda many: (*range(many + 1, 21), None),
)  # fmt: skip
_LEAVES = Axis(
    "leaves", "max_leaf_nodes", True, _leaves, _by_leaves,
    more=lambda many: (None,), order="best",
)  # fmt: skip
_LEAF_SIZE = Axis(
    "leaf_size", "min_samples_leaf", False, _leaf_sizes,
    _where("min_samples_leaf", lambda nodes, values: np.ones((len(values), 1), np.bool_)),
    one_tree=False,
)  # fmt: skip
_ALPHA = Axis("alpha", "ccp_alpha", False, _alphas, _by_alpha)
_SPLIT_SIZE = Axis(
    "split_size", "min_samples_split", False, _split_sizes,
    _where("min_samples_split", lambda nodes, values: nodes.n >= _column(values, 0)),
)  # fmt: skip
_GAIN = Axis(
    "gain", "min_gain", False, _gains,
    _where(
        "min_gain",
        lambda nodes, values: gains_enough(nodes.gain, nodes.impurity, _column(values, 0)),
    ),
)  # fmt: skip

AXES = {axis.name: axis for axis in (_DEPTH, _LEAVES, _LEAF_SIZE, _ALPHA)}
"""Every axis of the page's curve, by name."""
AXIS_OF = {axis.rule: axis for axis in (_DEPTH, _LEAF_SIZE, _SPLIT_SIZE, _LEAVES, _GAIN, _ALPHA)}
"""The axis of every rule that says where to stop, by rule, in the order of the sliders."""


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
