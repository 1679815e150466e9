r"""The pictures of the page Learn: those of other pages, with the formula they stand beside.

What a drag can reach is worked out before it begins, so that the formula's numbers follow the hand.

Glossary
    hole    a name with @ before it in LaTeX, such as @gain, that the browser puts a number in
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dtviz.base.text import clean, count
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Impurity, impurities_for
from dtviz.engine.criteria.from_counts import group_of_counts
from dtviz.engine.criteria.latex import MOST_TERMS, figure, share
from dtviz.engine.leaves.node_facts import facts
from dtviz.engine.problem import Problem
from dtviz.engine.prune import risks
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.frontier import unsorted
from dtviz.engine.tree import Tree, leaf_ids
from dtviz.evaluate.curves import Curve
from dtviz.explain.why import rows_counted
from dtviz.explain.words import SIGNED, leaf_rules
from dtviz.pictures.axes import orders_in
from dtviz.pictures.frame_types import Box, Boxes, Costs, Cuts, Measures, Worked
from dtviz.pictures.impurity import measures_frame
from dtviz.pictures.palette import Theme
from dtviz.pictures.slice import Slice, pinned
from dtviz.pictures.stage import bare_scene, regions_of
from dtviz.session.impurity import PERCENT, Lab
from dtviz.session.overfit import Judged

MOST_BOXES = 2_000
"""Of a tree with more leaves the first ones alone say their rules."""
LONGEST = 60


def gains_worked(problem: Problem, cuts: Candidates, rows: NDArray[np.intp], shown: Cuts) -> Worked:
    """The gain of every cut that is shown, of the node that holds these rows."""
    return {
        "sides": [
            {
                "formula": _gain_formula(problem, cuts, at, rows),
                "left": cuts.weight_left[at].astype(np.float64),
                "right": cuts.weight_right[at].astype(np.float64),
                "ileft": cuts.impurity_left[at],
                "iright": cuts.impurity_right[at],
                "gain": cuts.gain[at],
            }
            for at in (axis["index"] for axis in shown["cuts"])
        ],
    }


def _gain_formula(
    problem: Problem, cuts: Candidates, at: NDArray[np.int32], rows: NDArray[np.intp]
) -> str:
    """Formula of the gain of the cuts `at`, all of one axis, with holes for their numbers."""
    if not len(at):
        return ""
    criterion = problem.criterion
    counted = rows_counted(problem, cuts, int(at[0]), rows)
    known = facts(problem.data, unsorted([counted, rows]), criterion)
    decrease = (
        rf"{figure(known.impurity[0])} - \tfrac{{@left}}{{@whole}} \cdot @ileft"
        rf" - \tfrac{{@right}}{{@whole}} \cdot @iright"
    )
    if len(counted) < len(rows):
        factor = share(float(known.weight[0]), float(known.weight[1]))
        decrease = rf"{factor} \left({decrease}\right)"
    unit = rf"\ \text{{{criterion.impurity.unit}}}" if criterion.impurity.unit else ""
    return rf"\text{{gain}} = {decrease}" "\n" rf"= \mathbf{{@gain}}{unit}"


def measures_worked(lab: Lab, theme: Theme) -> Measures:
    """The measures of two classes, each worked out at every share."""
    frame = measures_frame(lab, theme)
    known = {one.name: one for one in impurities_for("classification")}
    for curve in frame["curves"]:
        own, values = known[curve["name"]], curve["values"].tolist()
        curve["worked"] = [_worked(own, percent, value) for percent, value in enumerate(values)]
    return frame


def _worked(impurity: Impurity, percent: int, value: float) -> str:
    """An impurity of so many percent of the first class, with its numbers."""
    body = impurity.step(group_of_counts((percent, PERCENT - percent))).line(MOST_TERMS)
    unit = rf"\ \text{{{impurity.unit}}}" if impurity.unit else ""
    return rf"{impurity.symbol} = {body} = \mathbf{{{figure(value)}}}{unit}"


def boxes_frame(
    data: Dataset, tree: Tree, axes: tuple[int, int], pins: Slice, theme: Theme, cloud: str
) -> Boxes:
    """The regions of a tree over the cloud of that name, and what f says in each."""
    orders = orders_in(data, tree.splits)
    region = {leaf: place for place, leaf in enumerate(leaf_ids(tree), 1)}
    boxes: list[Box] = [
        {
            "node": str(rule.node),
            "region": region[rule.node],
            "says": _text(rule.told),
            "where": f"{clean(rule.where)} ({count(rule.n, 'row')})",
        }
        for rule in leaf_rules(data, tree, MOST_BOXES, SIGNED)
    ]
    return {
        **bare_scene(data, axes, theme, cloud, orders),
        **regions_of(data, tree, axes, pinned(data, pins), orders),
        "formula": r"f(@x) = y_{@region} \cdot [x \in R_{@region}] = \mathbf{@says}",
        "boxes": boxes,
        "more": len(data.features) > 2,
    }


def _text(said: str) -> str:
    """Any text inside a formula: no brace or backslash of its own ends it."""
    plain = clean(said).translate(str.maketrans("", "", "{}\\\n@"))
    return rf"\text{{{plain[:LONGEST]}}}"


def costs_worked(found: Judged, along: Curve) -> Costs:
    """The risk of the tree at each place of a curve of alpha, and that with what its size costs."""
    risk = risks(found.nodes, along.stays)
    cost = risk + np.array(along.values, np.float64) * along.leaves
    return {
        "formula": r"R_\alpha(T) = @risk + @alpha \cdot @leaves = \mathbf{@cost}",
        "risk": risk,
        "cost": cost,
    }
