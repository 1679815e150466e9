"""What the engine says of the cockpit: at every place of each line a tree fitted on its own, its
size, its errors, and what it predicts for every row.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from expected_stage import NAMES, TREES, packed
from numpy.typing import NDArray

import dtviz
from dtviz.base.progress import run_to_end
from dtviz.base.text import number
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.subtrees import Nodes, losses, subtree
from dtviz.engine.tree import Tree, height, predict
from dtviz.evaluate.curves import (
    AXIS_OF,
    Curve,
    RuleAxis,
    curve,
    fold_errors,
    kept_splits,
    mean_and_error,
    rule_value_label,
    rules_at,
)
from dtviz.evaluate.metrics import baseline, held_rows
from dtviz.pictures.overfit import Subtree, curve_frame, line_frame, pictures_frame
from dtviz.pictures.scales import LIGHT, SCALE, class_colour, step_of
from dtviz.pictures.stage import cloud_frame

TITLES = (("Training", False), ("Held out", True))
FOLDS = 4
LINEAR: dict[str, Any] = {"max_depth": 2, "min_samples_leaf": 4, "leaf_model": "linear"}


def cockpits() -> dict[str, Any]:
    """The cockpits by name."""
    return {
        "by depth": _cockpit(_classes(), "max_depth", max_depth=2),
        "by leaves": _cockpit(_classes(), "max_leaf_nodes", max_leaf_nodes=4),
        "by leaf size": _cockpit(_classes(), "min_samples_leaf", min_samples_leaf=2),
        "by alpha": _cockpit(_surface(), "ccp_alpha"),
        "of a line": _cockpit(_line(), "max_depth", max_depth=3),
        "without folds": _cockpit(_classes(), "max_depth", folds=False, max_depth=1),
        "of categories": _cockpit(_bands(), "max_depth", max_depth=2),
        "of weights": _cockpit(_weighed(), "max_depth", max_depth=2),
        "of costs": _cockpit(_costed(), "max_depth", max_depth=2),
        "of leaning lines": _cockpit(_line(), "max_depth", **LINEAR),
        "of planes": _cockpit(_surface(), "max_depth", **LINEAR),
        "of odds": _cockpit(_pair(), "max_depth", max_depth=1, leaf_model="logistic"),
        "of shares": _cockpit(_classes(), "max_depth", max_depth=2, leaf_model="shares"),
        "pruned": _cockpit(_classes(), "max_depth", nowhere=True, max_depth=2),
    }


def _classes() -> Dataset:
    columns = np.random.default_rng(4).normal(size=(2, 60)).round(2)
    y = (columns[0] + columns[1] > 0.1).astype(int) + (columns[1] > 0.9)
    y[::6] = (y[::6] + 1) % 3
    return make_dataset(columns, y, NAMES, "tree", TREES)


def _pair() -> Dataset:
    found = _classes()
    return make_dataset(found.columns, np.minimum(found.y, 1), NAMES, "tree", TREES[:2])


def _weighed() -> Dataset:
    return replace(_classes(), weights=np.random.default_rng(7).integers(1, 5, 60) / 2)


def _costed() -> Dataset:
    """A row weighs as much as `_weighed` says, times the mean cost of its class's mistakes."""
    costs, found = np.array([[0.0, 1, 9], [2, 0, 2], [1, 3, 0]]), _weighed()
    assert found.weights is not None
    return replace(found, weights=found.weights * np.array([5, 2, 2])[found.y], costs=costs)


def _bands() -> Dataset:
    random = np.random.default_rng(6)
    columns = np.array([random.integers(0, 5, 60), random.integers(0, 9, 60)])
    levels = (("fir", "ash", "oak", "elm", "yew"), ())
    y = (columns[0] % 3 > 0) ^ ((columns[0] < 2) & (columns[1] > 6))
    return make_dataset(columns, y, NAMES, "tree", TREES[:2], categories=levels)


def _surface() -> Dataset:
    columns = np.random.default_rng(5).normal(size=(2, 40)).round(2)
    return make_dataset(columns, (columns[0] * 3 + columns[1] ** 2).round(2), NAMES, "height")


def _line() -> Dataset:
    x = np.arange(30.0)
    return make_dataset([x], (np.sin(x / 4) * 5).round(2) + (x % 3), ["x"], "y")


def _cockpit(
    data: Dataset, rule: str, folds: bool = True, nowhere: bool = False, **fixed: Any
) -> Any:
    rules, axis = replace(default_rules(data.task), **fixed), AXIS_OF[rule]
    out = held_rows(data, 0.3, 1)
    training, held = take_rows(data, ~out), take_rows(data, out)
    nodes = full_tree(Problem(training, rules))
    along = _curve(nodes, rules, axis, training, held)
    stays = nodes.is_split.copy() if nowhere else kept_splits(nodes, rules)
    if nowhere:
        stays[1:] = False
    own = getattr(rules, rule)
    at = None if nowhere or own not in along.values else along.values.index(own)
    tree = subtree(nodes, stays)
    here = _tree(data, tree, out)
    picture = Subtree(
        data,
        nodes,
        stays,
        losses(nodes, data)[1],
        out,
        tuple(here["errors"]),
        (0, 1 % len(data.features)),
        LIGHT,
    )
    found = None
    if folds:
        found = run_to_end(fold_errors(training, rules, axis, along.values, FOLDS))
    alone = baseline(training, held)
    dials = [_dial(nodes, rules, name, training, held) for name in ("max_depth", "ccp_alpha")]
    leaf_sizes = (1, 2, 5, 9)
    dials.append(line_frame("min_samples_leaf", leaf_sizes, leaf_sizes.index(2) if own == 2 else 0))
    frame = {
        **pictures_frame(picture, "points", TITLES),
        "curve": curve_frame(along, at, f"{rule} as it is", f"{FOLDS}-fold mean", found),
        "baseline": alone,
        "baseline_name": "one answer",
        "dials": dials,
        "stamp": "now",
        "training_rows_text": "grown on some rows",
    }
    return {
        "frame": packed("overfit", frame),
        "cloud": packed("cloud", cloud_frame(data, picture.axes, "points")),
        "held": out.tolist(),
        "truth": [_colour(data, y) for y in data.y.tolist()],
        "now": here,
        "curve": _places(data, training, rules, axis, along, out),
        "dial": _places(
            data,
            training,
            rules,
            AXIS_OF["ccp_alpha"],
            _curve(nodes, rules, AXIS_OF["ccp_alpha"], training, held),
            out,
        ),
        "baseline": {"error": alone, "said": f"one answer {_error(data, alone)}"},
        "folds": None if found is None else _folds(data, found),
    }


def _curve(nodes: Nodes, rules: Rules, axis: RuleAxis, training: Dataset, held: Dataset) -> Curve:
    return run_to_end(
        curve(
            lambda at: nodes if axis.one_tree else full_tree(Problem(training, at)),
            rules,
            axis,
            training,
            held,
        )
    )


def _dial(nodes: Nodes, rules: Rules, rule: str, training: Dataset, held: Dataset) -> Any:
    along = _curve(nodes, rules, AXIS_OF[rule], training, held)
    own = getattr(rules, rule)
    at = along.values.index(own) if own in along.values else 0
    return line_frame(rule, along.values, at, along)


def _places(
    data: Dataset,
    training: Dataset,
    rules: Rules,
    axis: RuleAxis,
    along: Curve,
    out: NDArray[np.bool_],
) -> Any:
    """The tree at each place, fitted on its own."""
    return [
        {"value": value, "label": rule_value_label(value)}
        | _tree(data, dtviz.fit(training, rules_at(rules, axis, value)).tree, out)
        for value in along.values
    ]


def _tree(data: Dataset, tree: Tree, out: NDArray[np.bool_]) -> Any:
    """Its size, its errors on both kinds of rows as numbers and as texts, its predictions."""
    values = predict(tree, data.columns)
    wrong = values != data.y
    off = wrong if data.classes else (values - data.y) ** 2
    own = None if data.weights is None else _weighed().weights
    if data.costs is not None:
        off = data.costs[data.y, values.astype(int)]
    sides = [off[~out], off[out]]
    errors = [
        float(np.average(off[part], weights=None if own is None else own[part]))
        for part in (~out, out)
    ]
    return {
        "leaves": len(tree.rows),
        "height": height(tree),
        "errors": errors,
        "wrong": [int(wrong[~out].sum()), int(wrong[out].sum())] if data.classes else None,
        "said": [_panel(data, *one) for one in zip(TITLES, sides, errors, strict=True)],
        "colours": [_colour(data, value) for value in values.tolist()],
        "values": values.tolist(),
    }


def _panel(data: Dataset, title: tuple[str, bool], off: NDArray[Any], error: float) -> str:
    name = "squared error" if not data.classes else "error" if data.costs is None else "cost a row"
    if data.weights is not None or not data.classes:
        return f"{title[0]}, {len(off):,} rows: {name} {_error(data, error)}"
    return f"{title[0]}: {int(off.sum())} of {len(off)} wrong, {_error(data, error)}"


def _error(data: Dataset, error: float) -> str:
    percent = data.classes and data.costs is None
    return f"{number(100 * error, 3)}\u00a0%" if percent else number(error, 4)


def _colour(data: Dataset, value: float) -> str:
    if data.classes:
        return class_colour(int(value))
    return SCALE[step_of(value, float(data.y.min()), float(data.y.max()))]


def _folds(data: Dataset, found: NDArray[np.float64]) -> Any:
    """The mean of the folds at each place, its spread and both as text, and its least place."""
    mean, spread = mean_and_error(found)
    pairs = zip(mean.tolist(), spread.tolist(), strict=True)
    return {
        "mean": mean.tolist(),
        "spread": spread.tolist(),
        "said": [f"{_error(data, m)} ± {_error(data, s)}" for m, s in pairs],
        "least": float(mean.min()),
    }
