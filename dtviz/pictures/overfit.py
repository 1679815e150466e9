"""The cockpit of Overfit: one whole tree, the subtrees along an error curve, the rows held out.

Glossary
    line       the values of one rule, and the tree at each of them
    place      of a node in the whole tree, see subtrees.py; on a line: which of its values
    mask       the splits that stay, as packed bits
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.text import count
from dtviz.data.dataset import Dataset
from dtviz.engine.grow import status
from dtviz.engine.problem import Problem
from dtviz.engine.rules import counted
from dtviz.engine.subtrees import Nodes, ends, height_of, kept
from dtviz.evaluate.curves import (
    AXIS_OF,
    Axis,
    Curve,
    Value,
    best,
    mean_and_error,
    one_standard_error,
    read_off,
    value_text,
)
from dtviz.evaluate.metrics import score_by
from dtviz.explain.words import SETTINGS, rule_value_text, stop_reason
from dtviz.pictures.axes import orders_in
from dtviz.pictures.frame_types import (
    I4,
    Cockpit,
    ErrorCurve,
    Folds,
    Overfit,
    Pictures,
    RuleLine,
    TreeFrame,
    Trees,
    Values,
    Wrong,
)
from dtviz.pictures.palette import LIGHT, Theme, step_of
from dtviz.pictures.regions import largest, plane_of, shapes, varied
from dtviz.pictures.slice import Slice, pinned
from dtviz.pictures.stage import bare_scene, drawn_rows, rings_of, stage_axes
from dtviz.pictures.tree_graph import tree_frame
from dtviz.session.headlines import verdict
from dtviz.session.overfit import Judged, folds_name
from dtviz.session.screen import Screen, short_name


@dataclass(frozen=True, slots=True, eq=False)
class Subtree:
    """A subtree with rows in it: `stays` are its splits, (m,), `leaf` the place of each row's leaf
    in the whole tree, (n,), `held` the rows held out, (n,).

    `errors` are those of the subtree on the training and the held-out rows.
    """

    data: Dataset
    nodes: Nodes
    stays: Bools
    leaf: Ints
    held: Bools
    errors: tuple[float, float]
    axes: tuple[int, int] = (0, 1)
    theme: Theme = LIGHT
    pins: Slice = ()


def pictures_frame(shown: Subtree, name: str, titles: Sequence[tuple[str, bool]]) -> Pictures:
    """The panels of a subtree over the cloud `name`: each a title and whether its rows are held."""
    data, nodes, score = shown.data, shown.nodes, score_by(shown.data)
    orders = orders_in(data, nodes.tree.splits)
    middle, both = pinned(data, shown.pins), stage_axes(data, shown.axes, orders)
    rings = largest(rings_of(data, nodes.tree, shown.axes, middle, orders), 1)
    drawn = {at: (ring, nodes.tree.nodes[node]) for at, (node, ring) in enumerate(rings.items())}
    plane = plane_of(data, shown.axes, middle, both, orders)
    place = {node: at for at, node in enumerate(nodes.ids)}
    rows = drawn_rows(data)
    held = int(shown.held.sum())
    counts = {True: held, False: data.n - held}
    values: Values = {} if data.classes else {"value": nodes.value}
    return {
        **bare_scene(data, shown.axes, shown.theme, name, orders),
        "panels": [{"title": t, "held": h, "rows": counts[h]} for t, h in titles],
        "measured": "" if data.classes and data.weights is None else score.error,
        "percent": bool(score.unit),
        "regions": {
            "node": np.array([place[node] for node in rings], np.int32),
            **shapes(rings.values()),
        },
        "parent": nodes.parent.astype(np.int32),
        "fill": _fills(data, nodes),
        "leaf": shown.leaf[rows].astype(np.int32),
        "held": np.packbits(shown.held[rows]),
        "mask": np.packbits(shown.stays),
        "now": {
            "leaves": int(shown.stays.sum()) + 1,
            "height": height_of(nodes, shown.stays),
            "errors": [_plain(error) for error in shown.errors],
        },
        "stamp": name,
        **values,
        **varied(data, nodes.tree.leaf_model, drawn, plane),
        **_wrong(shown, rows),
    }


def _wrong(shown: Subtree, rows: Ints) -> Wrong:
    """Which of the rows each node above them mistakes, where it may be right about others."""
    data, nodes = shown.data, shown.nodes
    if not data.classes or nodes.tree.leaf_model.level is None:
        return {}
    at, depth = shown.leaf[rows], nodes.depth
    out = np.zeros((len(nodes.levels) - 1, len(rows)), np.bool_)
    for level in range(len(out) - 1, -1, -1):
        here = np.flatnonzero(depth[at] == level)
        said = nodes.predict(at[here], data.columns, rows[here])
        out[level, here] = said != data.y[rows[here]]
        at[here] = nodes.parent[at[here]]
    return {"wrong": np.packbits(out)}


def curve_frame(
    curve: Curve, at: int | None, now: str, folds: str, found: Floats | None
) -> ErrorCurve:
    """The error curve: `at` is the place of the setting, `now` its words.

    `found` are the fold errors, (k, K), of so many `folds`, or None without them.
    """
    axis = curve.axis
    more = "larger trees to the right" if axis.small_is_simple else "smaller trees to the right"
    folded = Folds()
    if found is not None:
        mean, error = mean_and_error(found)
        folded = {
            "mean": mean,
            "spread": error,
            "folds": folds,
            "best": best(axis, mean),
            "one_error": one_standard_error(axis, mean, error),
        }
    return {
        **line_frame(axis.rule, curve.values, at, curve),
        "title": f"{SETTINGS[axis.rule].words} ({more})",
        "now": now,
        **folded,
    }


def line_frame(
    rule: str, values: Sequence[Value], at: int | None, along: Curve | None = None
) -> RuleLine:
    """The values of a rule, the place of the present one, and what the tree is at each if known."""
    trees = Trees()
    words, about, free = SETTINGS[rule]
    if along is not None:
        trees = {
            "training": along.training,
            "held": along.held,
            "leaves": along.leaves.astype(np.int32),
            "height": along.height.astype(np.int32),
            "masks": np.packbits(along.stays, axis=1).ravel(),
        }
    return {
        "rule": rule,
        "words": words,
        "about": about,
        "free": free,
        "values": values,
        "labels": [value_text(value) for value in values],
        "at": -1 if at is None else at,
        **trees,
    }


def _fills(data: Dataset, nodes: Nodes) -> I4:
    """Each node's class, or the step of its mean on the scale."""
    if data.classes:
        return nodes.value.astype(np.int32)
    low, high = float(data.y.min()), float(data.y.max())
    return np.array([step_of(value, low, high) for value in nodes.value.tolist()], np.int32)


def _plain(value: float) -> float | None:
    """The number, or None where there is none: JSON has no nan."""
    return None if np.isnan(value) else float(value)


MOST_NODES = 20_000  # the trees of all sliders of a larger one are too much to send


def dials(found: Judged) -> list[RuleLine]:
    """A line for the slider of each rule."""
    return [_dial(axis, found) for axis in AXIS_OF.values()]


def _dial(axis: Axis, found: Judged) -> RuleLine:
    """The line of one rule, prunes kept.

    A share of the rows stands at their number. A leaf size is a tree of its own, grown when it is
    set; of very large trees none is shown ahead.
    """
    rules, nodes = counted(found.session.rules, found.training.n), found.nodes
    own, values = getattr(rules, axis.rule), axis.values(nodes, rules)
    some = with_own([*values, *axis.more(len(values))], own, value_text)
    along = None
    if axis.one_tree and len(nodes.ids) <= MOST_NODES:
        stays = axis.subtrees(nodes, rules, some) & found.allowed
        along = read_off(nodes, axis, some, stays, found.lost, found.held_lost)
    return line_frame(axis.rule, some, some.index(own), along)


def with_own(values: Iterable[Any], own: Any, text: Callable[[Any], str]) -> list[Any]:
    """The values in order with `own` among them; None is the largest.

    The person knows them by their texts, so of those that look the same one is kept: `own`.
    """
    known = {text(value): value for value in [*values, own]}
    return sorted(known.values(), key=lambda value: (value is None, value or 0))


TITLES = {None: "Held out", "validation": "Validation", "test": "Test"}
"""What the picture of the rows held out is called, by what they were given for."""


def cockpit_frame(screen: Screen, theme: Theme, cloud: str) -> Overfit:
    """The pictures over that cloud, curve and sliders; no curve while that is under way."""
    session, found, along = screen.session, screen.judged, screen.along()
    titles = (("Training", False), (TITLES[found.role], True))
    around: Cockpit = {
        "say": "" if "why" in session.hidden else verdict(screen),
        "grown": found.grown_words,
    }
    if along is not None:
        at, now = _place(found, along), _now(found)
        around["curve"] = curve_frame(along, at, now, folds_name(found), screen.folded())
    if found.held is not None:
        around["baseline"] = found.baseline
        around["one_answer"] = score_by(found.data).baseline
    if "settings" not in session.hidden:
        around["dials"] = dials(found)
    return {
        **pictures_frame(shown(screen, theme), cloud, titles),
        **around,
        "stamp": short_name(session, theme.dark),
    }


def shown(screen: Screen, theme: Theme) -> Subtree:
    """The tree of Overfit with its rows, on the features chosen or those that part best."""
    found = screen.judged
    rows = found.leaf, found.out, found.errors
    return Subtree(
        found.data, found.nodes, found.stays, *rows, screen.axes, theme, screen.session.pins
    )


def pruning_frame(screen: Screen, theme: Theme) -> TreeFrame:
    """The tree of Overfit; its leaves say why they stop."""
    found, rules, chosen = screen.judged, screen.session.rules, screen.marked
    own = kept(found.nodes, rules) & ends(found.nodes, found.stays)
    taken = frozenset(found.nodes.ids[at] for at in np.flatnonzero(own).tolist())
    tree, data = replace(found.tree, pruned=taken), found.training
    problem = Problem(data, rules)
    stops = {
        leaf: stop_reason(problem, tree.nodes[leaf], decision.stop)
        for leaf, decision in status(problem, tree).items()
    }
    frame = tree_frame(problem, tree, stops, focus=chosen or 1, theme=theme)
    return frame | {"picture": "pruning", "stamp": short_name(screen.session, chosen)}


def _place(found: Judged, along: Curve) -> int | None:
    """Where on the curve the tree on screen stands, if it does."""
    own = getattr(counted(found.session.rules, found.training.n), along.axis.rule)
    if found.prunes:
        return None
    if not along.axis.one_tree:
        return along.values.index(own) if own in along.values else None
    same = np.flatnonzero((along.stays == found.stays).all(axis=1)).tolist()
    exact = [at for at in same if along.values[at] == own]
    return next(iter(exact or same), None)


def _now(found: Judged) -> str:
    """The setting in words: 'Depth at most 3, 2 prunes'."""
    name = found.axis.rule
    rule = rule_value_text(name, getattr(found.session.rules, name), value_text)
    return rule + (f", {count(len(found.prunes), 'prune')}" if found.prunes else "")
