"""What the engine says of the stage: of every cut its rows, sides, worth and words; of every place
of the plane what is predicted there.

Glossary
    scene     a frame of the stage with the cloud it is drawn over
    witness   a place of the picture with the colour the engine gives it
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from toys import sum_family

import dtviz
from dtviz.base.arrays import Ints
from dtviz.base.text import number
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.data.units import Quantity
from dtviz.data.units.numbers import DAY, SECOND
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules, policy_of
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import (
    CutPart,
    Ring,
    axis_of,
    branch_nodes,
    branch_numbers,
    goes_left,
    rows_of_sides,
    score,
    side_names,
)
from dtviz.engine.splits.split import divide_ring
from dtviz.engine.tree import Grow, apply, fold, leaf_probabilities, predict, root_tree, rows_in
from dtviz.explain import why
from dtviz.explain.words import SYMBOL_WORDS, branch_names, candidate_text, rule_text
from dtviz.models.model import Model
from dtviz.models.steps import node_candidates
from dtviz.pictures.packing import pack
from dtviz.pictures.scales import DARK, LIGHT, SCALE, class_colour, class_symbol, step_of
from dtviz.pictures.stage import cloud_frame, scene_frame
from dtviz.pictures.stage_cuts import MAX_CUTS, StageView, pinned_values, shown_cuts
from dtviz.pictures.stage_cuts import shown_projection as slanted_line

TREES = ("ash", "birch", "elm")
NAMES = ["leaf", "bark"]


def packed(kind: str, frame: Any) -> str:
    """A frame as the browser gets it, in base64."""
    return base64.b64encode(pack(kind, frame)).decode()


def scenes() -> dict[str, Any]:
    """The scenes by name."""
    three, two = _classes(24, 3, 5), _classes(16, 2, 8)
    return {
        "three classes": _scene(three, moves=0),
        "a node in focus": _scene(three, moves=2, focus=3, cut=2),
        "a node that is split": _scene(three, moves=3, focus=1, cut=4),
        "large leaves": _scene(two, moves=1, focus=2, min_samples_leaf=3),
        "a forbidden cut scores most": _scene(two, moves=1, focus=3, min_samples_leaf=2),
        "bits": _scene(two, moves=1, focus=3, criterion="entropy"),
        "a ratio": _scene(two, moves=0, criterion="gain_ratio"),
        "other axes, dark": _scene(three, moves=1, axes=(1, 0), theme=DARK),
        "a leaf, dark": _scene(three, moves=0, theme=DARK),
        "rows at thresholds": _scene(_touching(), moves=0, cut=0),
        "ties": _scene(_tied(), moves=0),
        "lanes": _scene(
            make_dataset([np.arange(9.0)], np.arange(9) % 2, ["x"], "kind", "AB"), moves=1
        ),
        "a curve": _scene(_curve(), moves=2, focus=2),
        "a surface": _scene(_surface(), moves=2, focus=3),
        "asking": _scene(three, moves=0, asking=True, cut=None),
        "nothing looked at": _scene(two, moves=1, focus=2, cut=None),
        "very many": _scene(_many(), moves=1, cut=None),
        "weighed classes": _scene(_weighed(three), moves=2, focus=3),
        "a weighed number": _scene(_weighed(_surface()), moves=1, focus=2),
        "dates": _scene(_timed(), moves=0),
        "a date alone": _scene(_aware(), moves=1),
    }


def slanted() -> dict[str, Any]:
    """Scenes of a tree with slanted regions, by their focus; the cuts shown are of one feature."""
    random = np.random.default_rng(4)
    columns = np.round(random.random((2, 90)), 3)
    above, below = np.where(columns[1] > 0.7, 1, 2), np.where(columns[0] > 0.55, 1, 0)
    y = np.where(columns.sum(axis=0) > 1, above, below)
    data = make_dataset(columns, y, NAMES, "tree", TREES)
    with sum_family():
        families = ("axis", "sum")
        return {
            str(focus): _scene(data, moves, focus, cut, criterion="gini", families=families)
            for moves, focus, cut in ((3, 1, None), (1, 2, 4), (1, 3, 9))
        }


def drawable() -> dict[str, Any]:
    """Scenes whose cuts looked at are straight lines or ellipses, by name."""
    random = np.random.default_rng(7)
    columns = np.round(random.random((3, 70)), 3) * [[1.0], [10.0], [1.0]]
    inside = np.hypot(columns[0] - 0.6, columns[1] / 10 - 0.4) < 0.3
    y = inside.astype(int) + (columns[0] + columns[1] / 10 < 0.6)
    three = make_dataset(columns, y, [*NAMES, "root"], "tree", TREES)
    two = make_dataset(columns[:2], (y > 0).astype(int), NAMES, "tree", TREES[:2])
    size = make_dataset(columns[:2], np.round(columns[0] * 3 + columns[1], 1), NAMES, "size")
    lines, circles = {"families": ("axis", "oblique")}, {"families": ("radial",)}
    return {
        "a line": _scene(two, moves=0, criterion="gini", **lines),
        "a line in a part": _scene(two, moves=1, focus=3, **lines),
        "a line of numbers": _scene(size, moves=0, **lines),
        "a circle": _scene(two, moves=0, **circles),
        "a circle in a part": _scene(two, moves=1, focus=3, **circles),
        "a circle in space": _scene(three, moves=0, axes=(1, 0), criterion="gini", **circles),
        "a line in space": _scene(three, moves=1, focus=3, **lines),
    }


def leaning() -> dict[str, Any]:
    """Scenes of leaves that predict by a line or a plane of their own, by name."""
    about: dict[str, Any] = {"focus": 1, "cut": None, "leaf_model": "linear"}
    odds = about | {"leaf_model": "logistic"}
    two, x = _classes(24, 2, 4), np.arange(16.0)
    along = make_dataset([x], (x % 5 > 1) ^ (x > 9), ["x"], "tree", TREES[:2])
    return {
        "a curve": _scene(_curve(), 2, **about),
        "a surface": _scene(_surface(), 2, **about),
        "a curve to cut": _scene(_curve(), 0, **about) | {"sides": _lines(_curve())},
        "odds": _scene(two, 1, **odds),
        "odds on a line": _scene(along, 1, **odds),
        "shares": _scene(_classes(24, 3, 5), 2, **about | {"leaf_model": "shares"}),
        "shares on a line": _scene(along, 1, **about | {"leaf_model": "shares"}),
    }


def _lines(data: Dataset) -> Any:
    """What leaves left and right of each cut of the root predict of their first and last rows."""
    rules = replace(default_rules(data.task), leaf_model="linear")
    cuts, out = node_candidates(Problem(data, rules), dtviz.fit(data, rules, ()).tree, 1), []
    for at in range(len(cuts)):
        tree = dtviz.fit(data, rules, (dtviz.Grow(1, cuts.split(at)),)).tree
        ends = [tree.rows[leaf][[0, -1]] for leaf in (2, 3)]
        said = predict(tree, data.columns)
        out.append([[[data.columns[0][k], said[k]] for k in rows.tolist()] for rows in ends])
    return out


def lacking() -> dict[str, Any]:
    """Scenes in which rows lack a value, by how these are sent."""
    three = _classes(24, 3, 5)
    columns = three.columns.copy()
    columns[0, ::5] = columns[1, 2::7] = np.nan
    data = replace(three, columns=columns)
    return {
        way: _scene(data, moves=1, focus=1, missing=way, criterion="gini")
        for way in ("surrogates", "learned")
    }


def crowded() -> dict[str, Any]:
    """Scenes of more rows than are drawn, by name, and some of the same with all of them drawn."""
    random = np.random.default_rng(11)
    three, lines = _classes(24, 3, 5), ("axis", "oblique")
    columns = three.columns.copy()
    columns[0, ::5] = columns[1, 2::7] = np.nan
    gaps = replace(three, columns=columns)
    codes = np.array([random.integers(0, 5, 60), random.integers(0, 3, 60)])
    levels = (("ash", "birch", "elm", "oak", "yew"), ("dry", "wet", "soaked"))
    y = (codes[0] > 2) + codes[1] * (random.random(60) < 0.4)
    kinds = make_dataset(codes, y % 3, NAMES, "tree", TREES, categories=levels)
    given: dict[str, tuple[Dataset, dict[str, Any]]] = {
        "the root": (three, {"moves": 0}),
        "a part": (three, {"moves": 2, "focus": 3, "cut": 2}),
        "weighed": (_weighed(three), {"moves": 2, "focus": 3}),
        "a number": (_weighed(_surface()), {"moves": 1, "focus": 2}),
        "a strip": (_weighed(_curve()), {"moves": 1, "focus": 3, "leaf_model": "linear"}),
        "a line": (_classes(24, 2, 4), {"moves": 0, "criterion": "gini", "families": lines}),
        "subsets": (kinds, {"moves": 0}),
        "subsets of a part": (kinds, {"moves": 2, "focus": 3}),
        "alone": (kinds, {"moves": 0, "families": ("axis", "onevsrest")}),
        "asking": (three, {"moves": 0, "asking": True, "cut": None}),
        "learned": (gaps, {"moves": 1, "missing": "learned", "criterion": "gini"}),
        "surrogates": (gaps, {"moves": 1, "missing": "surrogates", "criterion": "gini"}),
    }
    with patch.object(sys.modules["dtviz.pictures.scales"], "MAX_POINTS", 9):
        few = {name: _scene(data, **more) for name, (data, more) in given.items()}
    return {name: [one, _scene(given[name][0], **given[name][1])] for name, one in few.items()}


def banded() -> Any:
    """Scenes of categories, by name: their values in another order than their codes."""
    random = np.random.default_rng(6)
    codes = np.array([random.integers(0, 5, 60), random.integers(0, 3, 60)])
    levels = (("ash", "birch & elm", "<b>", "oak", "yew"), ("dry", "wet", "x" * 80))
    y = np.isin(codes[0], (0, 2)) ^ (random.random(60) < 0.2)
    some = make_dataset(codes, y.astype(int), NAMES, "tree", TREES[:2], categories=levels)
    ranks = tuple(Quantity("rank", rank_names=names) for names in levels)
    grades = make_dataset(codes, y.astype(int), NAMES, "tree", TREES[:2], quantities=ranks)
    size = make_dataset(
        [codes[0]], codes[0] % 3 * 2.0 + codes[1], ["leaf"], "size", categories=levels[:1]
    )
    more = (y + (random.random(60) < 0.3) * codes[1]) % 3
    three = make_dataset(codes, more, NAMES, "tree", TREES, categories=levels)
    return {
        "root": _scene(some, moves=0),
        "two": _scene(some, moves=2, focus=1, cut=1),
        "a node": _scene(some, moves=1, focus=3),
        "deep": _scene(some, moves=6, focus=7),
        "ranks": _scene(grades, moves=1, focus=3),
        "alone": _scene(some, moves=1, focus=3, families=("axis", "onevsrest")),
        "a strip": _scene(size, moves=2, focus=1, cut=2),
        "subsets": _scene(three, moves=0),
        "subsets of a node": _scene(three, moves=2, focus=3),
        "subsets asked": _scene(three, moves=0, cut=None, asking=True),
    }


def parts() -> Any:
    """Rings of values, a cut of each, and what goes left and right."""
    shapes: list[Ring] = [
        ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)),
        ((0.1, 0.2), (1.7, 0.9), (0.3, 2.3)),
        ((-1.7e308, -1.0), (1.7e308, 1.0), (0.0, 7.0)),  # its ends are too far apart
        ((1e8, 0.0), (1e8 + 3, 1e-9), (1e8 + 1, 1e-8)),
    ]
    shares = (-0.1, 0.0, 0.25, 0.4321, 0.5, 1.0, 1.1)
    out = []
    for ring in shapes:
        for axis in (0, 1):
            low, high = (end(corner[axis] for corner in ring) for end in (min, max))
            for limit in ((1 - share) * low + share * high for share in shares):
                if np.isfinite(limit):
                    halves = divide_ring(ring, axis, limit)
                    out.append({"ring": ring, "axis": axis, "limit": limit, "halves": halves})
    return out


def _places(n: int, seed: int) -> NDArray[np.float64]:
    """Places no two of which are the same, on a grid, so that values repeat."""
    at = np.random.default_rng(seed).permutation(64)[:n]
    return np.array([at % 8 / 2, at // 8 * 10.0])


def _classes(n: int, many: int, seed: int) -> Dataset:
    columns = _places(n, seed)
    y = (columns[0] > 1.6).astype(int) + (columns[1] > 35) * (many > 2)
    y[::7] = (y[::7] + 1) % many
    return make_dataset(columns, y, NAMES, "tree", TREES[:many])


def _touching() -> Dataset:
    """Neighbouring floats: no number lies between them, so that rows stand at the threshold."""
    step = np.nextafter(1.0, 2.0)
    columns = [[1.0, step, 1.0, step, 3.0, step], [5.0, 6.0, 7.0, 6.0, 5.0, 8.0]]
    return make_dataset(np.array(columns), np.array([0, 1, 0, 1, 1, 1]), NAMES, "tree", TREES[:2])


def _tied() -> Dataset:
    columns = np.array([[1.0, 2.0, 3.0, 4.0], [4.0, 1.0, 3.0, 2.0]])
    return make_dataset(columns, np.array([0, 1, 1, 0]), NAMES, "tree", TREES[:2])


def _curve() -> Dataset:
    x = np.arange(14.0)
    return make_dataset([x], np.round(np.sin(x / 2) * 10, 1) + x // 7 * 30, ["x"], "y")


def _surface() -> Dataset:
    columns = _places(20, 3)
    return make_dataset(columns, np.round(columns[0] ** 2 + columns[1] / 7, 2), NAMES, "height")


def _weighed(data: Dataset) -> Dataset:
    return replace(data, weights=np.random.default_rng(12).integers(1, 9, data.n) / 4)


def _many() -> Dataset:
    columns = np.random.default_rng(1).normal(size=(2, 700))
    return make_dataset(columns, (columns.sum(axis=0) > 0).astype(int), NAMES, "tree", TREES[:2])


def _timed() -> Dataset:
    """Days across, durations up."""
    days, seconds = 19_700.0 + 31 * np.arange(12.0), 5_400.0 * (np.arange(12) * 5 % 12)
    quantities = (Quantity("date", DAY), Quantity("duration", SECOND))
    y = (days > 19_850).astype(int) ^ (seconds > 50_000)
    return make_dataset([days, seconds], y, NAMES, "tree", TREES[:2], quantities=quantities)


def _aware() -> Dataset:
    seconds = 1.7e9 + 1_000.0 * np.arange(9)
    y = np.arange(9) > 4
    return make_dataset(
        [seconds], y, ["x"], "kind", "AB", quantities=(Quantity("date", SECOND, True),)
    )


def branched() -> Any:
    """Scenes of a multi-way cut: every branch, and the branch that each row goes to."""
    random = np.random.default_rng(8)
    codes = np.array([random.integers(0, 5, 60), random.integers(0, 3, 60)], float)
    codes[0, codes[0] == 1] = np.nan  # a value without a row, and rows without a value
    levels = (("ash", "birch", "fir", "oak", "yew"), ("dry", "wet", "dusty"))
    y = (np.nan_to_num(codes[0]) + (random.random(60) < 0.3)).astype(int) % 3
    data = make_dataset(codes, y, NAMES, "tree", TREES, categories=levels)
    size = make_dataset(codes[:1], y * 2.5, ["leaf"], "size", categories=levels[:1])
    given = {"branches": data, "of a strip": size, "with weights": _weighed(data)}
    return {name: _branched(data) for name, data in given.items()}


def _branched(data: Dataset) -> Any:
    problem = Problem(data, replace(default_rules(data.task), families=("multiway",)))
    tree = root_tree(problem)
    cuts = node_candidates(problem, tree, 1)
    at = next(k for k in range(len(cuts)) if cuts.branches_of(k) is not None)
    axes = (0, 1) if len(data.features) > 1 else (0, 0)
    shown = StageView(1, cuts, at, axes, pinned=pinned_values(data))
    more = {"gains": True, "can": {"cut": True, "focus": True}, "stamp": "now"}
    frame = scene_frame(data, tree, shown, "points") | more  # type: ignore[operator]
    split = cuts.split(at)
    assert isinstance(split.projection, CutPart)
    sides = rows_of_sides(split, data.columns, np.arange(data.n))
    grown = fold(problem, (Grow(1, split),))
    nodes = branch_nodes(grown.splits, 1)
    return {
        "frame": packed("stage", frame),
        "cloud": packed("cloud", cloud_frame(data, axes, "points")),
        "rule": candidate_text(data, cuts, at, SYMBOL_WORDS),
        "names": branch_names(data, split.projection),
        "sides": [
            _side(data, rows, grown.nodes[node].impurity)
            for rows, node in zip(sides, nodes, strict=True)
        ],
        "branch": branch_numbers(split, data.columns, np.arange(data.n)).tolist(),
    }


def _scene(
    data: Dataset,
    moves: int,
    focus: int = 1,
    cut: int | str | None = "best",
    axes: tuple[int, int] = (0, 1),
    theme: Any = LIGHT,
    asking: bool = False,
    **rules: Any,
) -> Any:
    used = replace(default_rules(data.task), **rules)
    model = dtviz.fit(data, used, dtviz.fit(data, used).log[:moves])
    problem = Problem(data, used)
    cuts = node_candidates(problem, model.tree, focus)
    shown = StageView(
        focus=focus,
        cuts=cuts,
        cut=cuts.best if cut == "best" else cut,  # type: ignore[arg-type]
        axes=axes if len(data.features) > 1 else (0, 0),
        measure=why.measure_name(used),
        unit=why.unit_of(used),
        impurity=why.impurity_name(problem),
        theme=theme,
        pinned=pinned_values(data),
        is_asking=asking,
        has_surrogates=policy_of(used).surrogates,
    )
    can = {"cut": True, "focus": True, "line": True, "circle": True}
    more = {"gains": True, "can": can, "stamp": "now", "announcement": "said"}
    frame = scene_frame(data, model.tree, shown, "points") | more  # type: ignore[operator]
    features = shown.axes if len(data.features) > 1 else (0,)
    line = slanted_line(data, shown)
    spans = [cuts.along(f) for f in features] + ([] if line is None else [cuts.of_line(line)])
    return {
        "frame": packed("stage", frame),
        "cloud": packed("cloud", cloud_frame(data, shown.axes, "points")),
        "points": _points(data, model, focus, shown.axes),
        "cuts": [[_cut(data, model, shown, at) for at in _few(shown, span)] for span in spans],
        "best": None
        if asking or cuts.best is None or not cuts.can_gain
        else candidate_text(data, cuts, cuts.best, SYMBOL_WORDS),
        "splits": _splits(data, model, shown.axes),
        "on_lines": _on_lines(data, model, shown.axes),
        "witnesses": _witnesses(data, model, shown.axes),
        "levels": data.levels,
        "classes": [[n, class_colour(k), class_symbol(k)] for k, n in enumerate(data.class_names)],
    }


def _few(shown: StageView, span: slice) -> list[int]:
    """The cuts of a line as they are drawn, if they are few."""
    drawn = shown_cuts(shown.cuts, span, shown.cut, MAX_CUTS, not shown.is_asking)
    return drawn.tolist() if len(drawn) < 100 else []


def _points(data: Dataset, model: Model, focus: int, axes: tuple[int, int]) -> Any:
    """Each row: whether it is in the focus, its colour, its two values, its leaf."""
    inside = np.zeros(data.n, np.bool_)
    inside[rows_in(model.tree, focus)] = True
    first, second = (data.columns[f] for f in axes)
    if len(data.features) == 1:
        second = data.y
    ids, place = apply(model.tree, data.columns)
    leaves = [str(ids[k]) for k in place.tolist()]
    rows = zip(
        inside.tolist(), first.tolist(), second.tolist(), data.y.tolist(), leaves, strict=True
    )
    return [
        {"inside": i, "x": _there(x), "y": _there(y), "colour": _colour(data, v), "leaf": leaf}
        for i, x, y, v, leaf in rows
    ]


def _there(value: float) -> float | None:
    """A number as JSON has it; None for a missing value, and for a cut at the end of all."""
    return value if np.isfinite(value) else None


def _colour(data: Dataset, value: float) -> str:
    if data.classes:
        return class_colour(int(value))
    return SCALE[step_of(value, float(data.y.min()), float(data.y.max()))]


def _cut(data: Dataset, model: Model, shown: StageView, at: int) -> Any:
    """All that is told of a cut."""
    cuts = shown.cuts
    rows = rows_in(model.tree, shown.focus)
    line = cuts.projections[cuts.line[at]]
    if shown.has_surrogates:  # each row without the value is sent by another cut
        rows = rows[~np.isnan(score(line, data.columns, rows))]
    goes = goes_left(cuts.split(at), data.columns)[rows]
    left, right = rows[goes], rows[~goes]
    assert len(left) == cuts.n_left[at]
    return {
        "index": at,
        "rule": candidate_text(data, cuts, at, SYMBOL_WORDS),
        "goes_left": left.tolist(),
        "sides": side_names(cuts.split(at).projection),
        "threshold": _there(float(cuts.threshold[at])),
        "left": _side(data, left, cuts.impurity_left[at]),
        "right": _side(data, right, cuts.impurity_right[at]),
        "on_it": int((score(line, data.columns, rows) == cuts.threshold[at]).sum()),
        "scattered": bool(cuts.scattered[at]),
        "score": f"{shown.measure} {why.score_text(model.rules_used, cuts.score[at])}",
        "worth": float(cuts.score[at]),
        "share": _share(cuts, at),
        "admissible": bool(cuts.admissible[at]),
        "boundary": bool(cuts.boundary[at]),
        "tied": bool(cuts.tied[at]),
        "best": at == cuts.best and cuts.can_gain,
        "surrogate_rows": len(rows_in(model.tree, shown.focus)) - len(rows),
    }


def _share(cuts: Candidates, at: int) -> str:
    if not cuts.admissible[at]:
        return "leaves too little on a side"
    if cuts.best is None or not cuts.score.max() > 0:
        return ""
    if cuts.tied[at]:
        return "the best"
    return f"{why.share_text(cuts.score[at], cuts.score[cuts.best])} the best"


def _side(data: Dataset, rows: Ints, impurity: float) -> Any:
    y = data.y[rows]
    weights = np.ones(len(rows)) if data.weights is None else data.weights[rows]
    weight = float(weights.sum())
    told = "" if data.weights is None else f", weight {number(weight)}"
    side = {"rows": len(rows), "weight": weight, "told": told, "impurity": number(float(impurity))}
    if not data.classes:
        mean = float(np.average(y, weights=weights))
        return side | {"mean": mean, "said": number(mean)}
    counts = np.bincount(y, weights, minlength=len(data.classes))
    return side | {"counts": counts.tolist(), "colour": class_colour(int(counts.argmax()))}


def _witnesses(data: Dataset, model: Model, axes: tuple[int, int]) -> Any:
    """Places all over the plane (of a line: along it), and what is predicted there."""
    rows = []
    spans = [(np.nanmin(data.columns[f]), np.nanmax(data.columns[f])) for f in axes]
    elsewhere = pinned_values(data)
    for i in range(12):
        for j in range(12 if len(data.features) > 1 else 1):
            row = elsewhere.copy()
            for f, (low, high), k in zip(axes, spans, (i, j), strict=True):
                row[f] = low + (high - low) * (k + 0.4321) / 12
                if len(data.features) == 1:
                    break
            rows.append(row)
    return _told_at(data, model, axes, rows)


def _told_at(
    data: Dataset, model: Model, axes: tuple[int, int], rows: Sequence[NDArray[np.float64]]
) -> list[dict[str, Any]]:
    """What is predicted at these places."""
    if not rows:
        return []
    columns = np.array(rows).T
    leaves, place = apply(model.tree, columns)
    values = predict(model.tree, columns).astype(float)
    told = (
        leaf_probabilities(data, model.tree, columns).tolist() if data.classes else [[]] * len(rows)
    )
    return [
        {
            "x": _there(row[axes[0]]),
            "y": _there(row[axes[1]] if len(row) > 1 else value),
            "leaf": str(leaves[at]),
            "value": float(value),
            "colour": _colour(data, float(value)),
            "shares": own,
        }
        for row, at, value, own in zip(rows, place, values, told, strict=True)
    ]


def _splits(data: Dataset, model: Model, axes: tuple[int, int]) -> Any:
    """Each split of a feature on an axis, upper levels first."""
    out = []
    for node, split in sorted(model.tree.splits.items()):
        feature = axis_of(split.projection)
        if feature in axes:
            rule = rule_text(data, model.tree, node, SYMBOL_WORDS)
            where = {"axis": axes.index(feature), "threshold": split.threshold}
            out.append({"node": str(node), "rule": rule} | where)
    return out


def _on_lines(data: Dataset, model: Model, axes: tuple[int, int]) -> Any:
    """Places on the lines of those splits: rows moved there along the axis, and their leaves."""
    places = []
    for split in _splits(data, model, axes):
        for row in rows_in(model.tree, int(split["node"]))[:5]:
            moved = data.columns[:, row].copy()
            moved[axes[split["axis"]]] = split["threshold"]
            places.append(moved)
    return _told_at(data, model, axes, places)
