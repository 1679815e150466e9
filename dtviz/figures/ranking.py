"""The candidates of the focus as a table, the best of each feature first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.candidates import Candidates
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.splits import features_of
from dtviz.figures.frame import short
from dtviz.figures.kinds import Ranking, SideWeights
from dtviz.say import explain
from dtviz.say.words import SIGNED, line_text, some_texts
from dtviz.table.data import Dataset

MOST_LISTED, MOST_TOLD = 100, 4


def ranking_frame(
    problem: Problem, cuts: Candidates, chosen: int | None, most: int, stamp: str
) -> Ranking:
    """The first `most` candidates, and which of them is looked at."""
    data = problem.data
    order = best_a_feature_first(cuts)[:most]
    marks = marks_of(data, cuts, order)
    words = list(dict.fromkeys(marks))
    weights: SideWeights = {}
    if data.weights is not None:
        weights = {
            "weight_left": short(cuts.weight_left[order]),
            "weight_right": short(cuts.weight_right[order]),
        }
    at = np.flatnonzero(order == chosen).tolist()
    return {
        "picture": "stage",
        "stamp": stamp,
        "measure": score_title(problem.rules),
        "index": order.astype(np.int32),
        "cut": some_texts(data, cuts, order, SIGNED),
        "words": words,
        "mark": np.array([words.index(mark) for mark in marks], np.int32),
        "row": at[0] if at else None,
        "said": _said(problem, cuts, len(order)) if most else [],
        "left": cuts.n_left[order].astype(np.int32),
        "right": cuts.n_right[order].astype(np.int32),
        "score": short(cuts.score[order]),
        "share": shares(cuts, order),
        "impurity_left": short(cuts.impurity_left[order]),
        "impurity_right": short(cuts.impurity_right[order]),
        **weights,
    }


def _said(problem: Problem, cuts: Candidates, listed: int) -> list[str]:
    """What is not in the table, and how the cuts of categories were searched for."""
    searched = [*explain.searched(problem, cuts)[:MOST_TOLD]]
    if listed == len(cuts):
        return searched
    return [f"The first {listed:,} of {len(cuts):,} cuts; Export has all of them.", *searched]


def score_title(rules: Rules) -> str:
    """What cuts are ranked by, with its unit: 'gain (bit)'."""
    unit = explain.unit_of(rules)
    return explain.measure_name(rules) + (f" ({unit})" if unit else "")


def best_a_feature_first(cuts: Candidates) -> NDArray[np.intp]:
    """Cut indices: each feature's best first, then all others, by score; ties as in the engine."""
    order = np.argsort(-np.where(cuts.admissible, cuts.score, -1.0), kind="stable")
    leads = order[np.sort(_leads(cuts, order))]
    return np.concatenate([leads, order[~np.isin(order, leads)]])


def _leads(cuts: Candidates, order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where in an order the first of each feature stands."""
    return np.unique(cuts.line[order], return_index=True)[1]


def marks_of(data: Dataset, cuts: Candidates, order: NDArray[np.intp]) -> list[str]:
    """What is special about each cut, in a word or two."""
    leads = {*_leads(cuts, order).tolist()}
    return [_mark(data, cuts, at, k in leads) for k, at in enumerate(order.tolist())]


def _mark(data: Dataset, cuts: Candidates, index: int, leads: bool) -> str:
    """That of one; `leads`: it is the best of its feature."""
    if index == cuts.best:
        return "★ best"
    if cuts.tied[index] and cuts.score[index] > 0:
        return "○ tie"
    if not cuts.admissible[index]:
        return "too little on a side"
    if leads:
        own = cuts.projections[cuts.line[index]]
        alone = len(features_of(own)) == 1  # the cut names it
        return "best of its feature" if alone else f"best on {line_text(data, own)}"
    return "" if cuts.boundary[index] else "no class boundary"


def shares(cuts: Candidates, order: NDArray[np.intp]) -> NDArray[np.float64]:
    """The scores in percent of the best, three digits; only a tie is 100."""
    best = float(cuts.score[cuts.best]) if cuts.best is not None else 0.0
    if not best:
        return np.zeros(len(order))
    share = short(100 * cuts.score[order] / best, 3)
    return np.where((share == 100) & ~cuts.tied[order], 99.9, share)
