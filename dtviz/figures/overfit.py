"""The cockpit of Overfit: one whole tree, the subtrees along an error curve, the rows held out.

Glossary
    line       the values of one rule, and the tree at each of them
    place      of a node in the whole tree, see subtrees.py; on a line: which of its values
    mask       the splits that stay, as packed bits
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dtviz.arrays import Bools, Floats, Ints
from dtviz.engine.subtrees import Nodes, height_of
from dtviz.figures.bands import orders_in
from dtviz.figures.kinds import I4, ErrorCurve, Folds, Pictures, RuleLine, Trees, Values, Wrong
from dtviz.figures.palette import LIGHT, Theme, step_of
from dtviz.figures.pins import Slice, pinned
from dtviz.figures.regions import largest, plane_of, shapes
from dtviz.figures.scene import bare_scene, drawn_rows, rings_of, stage_axes
from dtviz.figures.varied import varied
from dtviz.judge.axes import Value, value_text
from dtviz.judge.curves import Curve, best, mean_and_error, one_standard_error
from dtviz.judge.metrics import score_by
from dtviz.say.settings import SETTINGS
from dtviz.table.data import Dataset


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
