"""Frames of the page Learn: frames of other pages, each with a formula that stands beside it.

The numbers of all places that a drag can reach are sent before it begins, so that the browser can
write them into the formula at once. They replace the holes: names with @ in LaTeX, such as @gain.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Ints
from dtviz.base.text import clean, count
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Impurity, impurities_for
from dtviz.engine.criteria.from_counts import group_of_counts
from dtviz.engine.criteria.latex import MAX_TERMS, latex_fraction, latex_number
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.problem import Problem
from dtviz.engine.prune import subtree_risks
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.frontier import unsorted_frontier
from dtviz.engine.tree import Tree, leaf_ids
from dtviz.evaluate.curves import Curve
from dtviz.explain.why import rows_in_gain
from dtviz.explain.words import SYMBOL_WORDS, leaf_rules
from dtviz.pictures.frame_types import Box, Boxes, Costs, Cuts, GainArithmetic, Measures
from dtviz.pictures.impurity import measures_frame
from dtviz.pictures.regions import StageContext
from dtviz.pictures.scales import Theme, orders_of_tree
from dtviz.pictures.stage import bare_plane_frame, regions_frame
from dtviz.pictures.stage_cuts import Slice, pinned_values
from dtviz.session.impurity import WHOLE_IN_PERCENT, ImpuritySettings
from dtviz.session.overfit import JudgedTree

MAX_BOXES = 2_000
"""Leaves whose rules are sent as text, at most."""
MAX_LETTERS = 60
"""Letters of a text inside a formula."""


def gains_frame(problem: Problem, cuts: Candidates, rows: Ints, cuts_frame: Cuts) -> GainArithmetic:
    """Gains of the candidates of a cuts frame, with their terms; the node holds these rows."""
    return {
        "sides": [
            {
                "formula": _gain_formula(problem, cuts, cut_ids, rows),
                "left": cuts.weight_left[cut_ids].astype(np.float64),
                "right": cuts.weight_right[cut_ids].astype(np.float64),
                "ileft": cuts.impurity_left[cut_ids],
                "iright": cuts.impurity_right[cut_ids],
                "gain": cuts.gain[cut_ids],
            }
            for cut_ids in (axis["index"] for axis in cuts_frame["cuts"])
        ]
    }


def _gain_formula(
    problem: Problem, cuts: Candidates, cut_ids: NDArray[np.int32], rows: Ints
) -> str:
    """Formula of the gains of the candidates of one axis, with holes for their numbers."""
    if not len(cut_ids):
        return ""
    criterion = problem.criterion
    counted_rows = rows_in_gain(problem, cuts, int(cut_ids[0]), rows)
    node_facts = compute_facts(problem.data, unsorted_frontier([counted_rows, rows]), criterion)
    decrease = (
        rf"{latex_number(node_facts.impurity[0])} - \tfrac{{@left}}{{@whole}} \cdot @ileft"
        rf" - \tfrac{{@right}}{{@whole}} \cdot @iright"
    )
    if len(counted_rows) < len(rows):
        factor = latex_fraction(float(node_facts.weight[0]), float(node_facts.weight[1]))
        decrease = rf"{factor} \left({decrease}\right)"
    unit = rf"\ \text{{{criterion.impurity.unit}}}" if criterion.impurity.unit else ""
    return rf"\text{{gain}} = {decrease}" "\n" rf"= \mathbf{{@gain}}{unit}"


def measures_lesson_frame(lab: ImpuritySettings, theme: Theme) -> Measures:
    """Impurities of two classes, each with its formula worked out at every share."""
    frame = measures_frame(lab, theme)
    by_name = {impurity.name: impurity for impurity in impurities_for("classification")}
    for curve in frame["curves"]:
        impurity, values = by_name[curve["name"]], curve["values"].tolist()
        curve["arithmetic"] = [
            _impurity_formula(impurity, k, value) for k, value in enumerate(values)
        ]
    return frame


def _impurity_formula(impurity: Impurity, percent: int, value: float) -> str:
    """Formula of an impurity with its numbers; `percent` is the share of the first class."""
    body = impurity.formula_step(group_of_counts((percent, WHOLE_IN_PERCENT - percent))).latex(
        MAX_TERMS
    )
    unit = rf"\ \text{{{impurity.unit}}}" if impurity.unit else ""
    return rf"{impurity.symbol} = {body} = \mathbf{{{latex_number(value)}}}{unit}"


def boxes_frame(
    data: Dataset, tree: Tree, axes: tuple[int, int], pins: Slice, theme: Theme, cloud: str
) -> Boxes:
    """Regions of a tree over a cloud, with the prediction and the rule of each leaf."""
    orders = orders_of_tree(data, tree.splits)
    stage = StageContext(data, axes, pinned_values(data, pins), orders, theme)
    region_numbers = {leaf: place for place, leaf in enumerate(leaf_ids(tree), 1)}
    boxes: list[Box] = [
        {
            "node": str(rule.node),
            "region": region_numbers[rule.node],
            "prediction": _text_in_formula(rule.prediction_text),
            "rule": f"{clean(rule.where)} ({count(rule.n, 'row')})",
        }
        for rule in leaf_rules(data, tree, MAX_BOXES, SYMBOL_WORDS)
    ]
    return {
        **bare_plane_frame(stage, cloud),
        **regions_frame(stage, tree),
        "formula": r"f(@x) = y_{@region} \cdot [x \in R_{@region}] = \mathbf{@prediction}",
        "boxes": boxes,
        "has_more_features": len(data.features) > 2,
    }


def _text_in_formula(text: str) -> str:
    """Text inside a formula, without signs that would end the text or make a hole."""
    escaped = clean(text).translate(str.maketrans("", "", "{}\\\n@"))
    return rf"\text{{{escaped[:MAX_LETTERS]}}}"


def costs_frame(judged: JudgedTree, curve: Curve) -> Costs:
    """Risk and cost of the tree at each alpha of a curve: the risk plus alpha times the leaves."""
    risk = subtree_risks(judged.nodes, curve.split_masks)
    cost = risk + np.array(curve.values, np.float64) * curve.leaves
    return {
        "formula": r"R_\alpha(T) = @risk + @alpha \cdot @leaves = \mathbf{@cost}",
        "risk": risk,
        "cost": cost,
    }
