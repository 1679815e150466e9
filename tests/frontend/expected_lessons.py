"""What the engine says of the pictures of Learn: the gain of every cut worked out, and of every
place among the regions which of them holds it and what is said there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from expected_stage import packed

import dtviz
from dtviz.engine.criteria.latex import latex_number
from dtviz.engine.problem import Problem
from dtviz.engine.tree import leaf_ids
from dtviz.models.steps import node_candidates
from dtviz.pictures.lessons import boxes_frame, gains_frame
from dtviz.pictures.scales import LIGHT
from dtviz.pictures.stage import cloud_frame, scene_frame
from dtviz.pictures.stage_cuts import StageView

FLOWERS = dtviz.load("iris", features=("petal_length_cm", "petal_width_cm"))


def lessons() -> dict[str, Any]:
    """The pictures by what they are about."""
    points = packed("cloud", cloud_frame(FLOWERS, (0, 1), "points"))
    values = [0.0, 1.0, 1e-7, 2 / 3, 12345678.0, 0.918295834054, 5e-324, -3.25e-9]
    return {
        "figures": [[value, latex_number(value)] for value in values],
        "cloud": points,
        "gains": _gains(),
        "regions": _regions(),
    }


def _gains() -> Any:
    rules = dtviz.Rules(criterion="entropy")
    tree = dtviz.fit(FLOWERS, rules, log=()).tree
    problem = Problem(FLOWERS, rules)
    cuts, rows = node_candidates(problem, tree, 1), np.arange(FLOWERS.n)
    drawn = scene_frame(FLOWERS, tree, StageView(1, cuts, cuts.best), "points")
    frame = {**drawn, "gain_arithmetic": gains_frame(problem, cuts, rows, drawn)}
    return {"frame": packed("stage", frame), "told": _told_gains(rules, tree.nodes[1].impurity)}


def _told_gains(rules: dtviz.Rules, root: float) -> Any:
    """Of each axis, cut after cut, the formula with its numbers, from the public table."""
    table = dtviz.candidates(FLOWERS, rules)
    return [
        [
            rf"\text{{gain}} = {latex_number(root)}"
            rf" - {_part(cut.n_left)} \cdot {latex_number(cut.impurity_left)}"
            rf" - {_part(cut.n_right)} \cdot {latex_number(cut.impurity_right)}"
            "\n"
            rf"= \mathbf{{{latex_number(cut.gain)}}}\ \text{{bit}}"
            for cut in table[table.feature == name].itertuples()
        ]
        for name in FLOWERS.features
    ]


def _part(rows: int) -> str:
    return rf"\tfrac{{{rows}}}{{{FLOWERS.n}}}"


def _regions() -> Any:
    model = dtviz.fit(FLOWERS, dtviz.Rules(max_depth=3))
    frame = boxes_frame(FLOWERS, model.tree, (0, 1), (), LIGHT, "points")
    ids, rng = leaf_ids(model.tree), np.random.default_rng(4)
    told = []
    for _ in range(60):
        x, y = rng.uniform(1.2, 6.8), rng.uniform(0.2, 2.4)
        row = pd.DataFrame({"petal_length_cm": [x], "petal_width_cm": [y]})
        leaf = int(model.apply(row)[0])
        told.append([x, y, ids.index(leaf) + 1, str(model.predict(row)[0])])
    return {"frame": packed("regions", frame), "told": told}
