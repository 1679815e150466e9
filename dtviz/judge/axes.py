"""The rules that a curve or a slider varies, each whole: its values, and the tree at each of them.

Glossary
    axis       the rule that is varied; all others stay
    value      of the rule that is varied; None is no limit
    free       the splits that stay without the rule that is varied, (m,)
    line       the splits that stay at one value, (m,); `lines` has one a value, (K, m)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dtviz.arrays import Bools
from dtviz.engine.prune import SMALLEST, path, pruned
from dtviz.engine.rules import Rules, counted
from dtviz.engine.subtrees import (
    Nodes,
    connected,
    gains_enough,
    height_of,
    kept,
    splits_in_order,
)
from dtviz.text import number

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
