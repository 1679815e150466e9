"""What Python makes of the table of candidates: titles and texts, of the numbers in full."""

from __future__ import annotations

from typing import Any

import numpy as np
from expected_stage import packed

from dtviz.base.text import number
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.tree import root_tree
from dtviz.explain.words import SYMBOL_WORDS, candidate_text
from dtviz.models.steps import node_candidates
from dtviz.pictures.gains import candidate_marks, ranking_frame, ranking_order, score_title


def rankings() -> Any:
    """The tables of classes, of numbers far apart in size, and of rows with weights."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(2, 1_300)).round(1)
    kinds, far = (x[0] + rng.normal(size=1_300) > 0).astype(int), 1e8 + x[1, :40] * 1e-3
    weights = rng.uniform(0.001, 1e6, 1_300)
    names, gini = ("x1", "x2"), Rules("gini")
    return [
        _told(make_dataset(x, kinds, names, "y", ("A", "B")), gini, 3),
        _told(make_dataset(x[:, :40], far, names, "y"), Rules("squared_error"), None),
        _told(make_dataset(x, kinds, names, "y", ("A", "B"), sample_weight=weights), gini, 0),
        _told(_with_categories(x[:, :90], kinds[:90]), gini, 1, ("yes", "no")),
    ]


def _with_categories(x: Any, y: Any) -> Dataset:
    """A number beside a category, whose sides are yes and no."""
    columns = [x[0], np.arange(x.shape[1]) * 7 % 3]
    return make_dataset(
        columns, y, ("x", "tree"), "y", ("A", "B"), categories=((), ("ash", "birch", "elm"))
    )


def _told(
    data: Dataset, rules: Rules, at: int | None, sides: tuple[str, str] = ("left", "right")
) -> Any:
    problem = Problem(data, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    order = ranking_order(cuts)
    chosen = None if at is None else int(order[at])
    frame = ranking_frame(problem, cuts, chosen, len(order), "now")
    marks = candidate_marks(data, cuts, order)
    titles = ["", "cut", score_title(rules), "%\u00a0of best"]
    figures = ["rows", "impurity"] + ["weight"] * (data.weights is not None)
    titles += [f"{figure} {side}" for figure in figures for side in sides]
    rows = [_row(data, cuts, i, mark) for i, mark in zip(order.tolist(), marks, strict=True)]
    return {"frame": packed("ranking", frame), "titles": titles, "rows": rows}


def _row(data: Dataset, cuts: Candidates, i: int, mark: str) -> list[str]:
    assert cuts.best is not None
    share = number(100 * float(cuts.score[i]) / float(cuts.score[cuts.best]), 3)
    values = [cuts.impurity_left[i], cuts.impurity_right[i]]
    if data.weights is not None:
        values += [cuts.weight_left[i], cuts.weight_right[i]]
    return [
        mark,
        candidate_text(data, cuts, i, SYMBOL_WORDS),
        number(float(cuts.score[i])),
        "99.9" if share == "100" and not cuts.tied[i] else share,
        f"{cuts.n_left[i]:,}",
        f"{cuts.n_right[i]:,}",
        *(number(float(value)) for value in values),
    ]
