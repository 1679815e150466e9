"""Greedy's limit: the greedy tree of depth 2 beside the best one on the same cuts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.exhaustive import best_of_depth_2
from dtviz.engine.grow import finish
from dtviz.engine.rules import cutting
from dtviz.engine.subtrees import losses, nodes_of
from dtviz.engine.tree import Tree, fold, gain, stump
from dtviz.figures.cockpit import shown
from dtviz.figures.frame import pack
from dtviz.figures.frames import rows_name
from dtviz.figures.overfit import pictures_frame
from dtviz.say.words import rule_text
from dtviz.screen.screen import Screen
from dtviz.screen.work import Work
from dtviz.table.costs import own_weight
from dtviz.text import number
from dtviz.ui import state
from dtviz.ui.controls import sentence
from dtviz.ui.view import view
from dtviz.ui.work import work


def greedy_limit(screen: Screen) -> None:
    """The greedy tree of depth 2 beside the best one on the same cuts, both of all rows."""
    data, rules = screen.data, screen.session.rules
    asked = ("greedy", screen.session.recipe, cutting(rules))
    log = work(Work(asked, lambda: best_of_depth_2(data, rules), "Every pair of levels"))
    if log is None:
        return
    own = replace(cutting(rules), max_depth=2)
    greedy = finish(data, own, stump(data, own))[1]
    trees = {"Greedy": greedy, "Best of depth 2": fold(data, own, log)}
    for column, (title, tree) in zip(st.columns(2, gap="medium"), trees.items(), strict=True):
        with column:
            _depth_2(screen, title, tree)
    more = _gain(trees["Best of depth 2"]) - _gain(greedy)
    nothing = more <= 1e-9 * float(nodes_of(greedy).risk[0])
    st.caption(
        "All rows, depth 2. Greedy takes the cut that gains most at the root, whatever follows; "
        + (
            "here nothing better exists."
            if nothing
            else "looking two levels ahead, a root cut that gains less makes better cuts possible."
        )
    )


def _gain(tree: Tree) -> float:
    """How much the splits of a tree lower the impurity in all."""
    nodes = nodes_of(tree)
    return float(nodes.risk[0] - nodes.risk[~nodes.split].sum())


def _depth_2(screen: Screen, title: str, tree: Tree) -> None:
    data, nodes = screen.data, nodes_of(tree)
    loss, whole = losses(nodes, data)[0], screen.judged.data
    picture = replace(
        shown(screen, state.theme()),
        nodes=nodes,
        stays=nodes.split,
        leaf=losses(nodes, whole)[1],
        held=np.arange(whole.n) >= data.n,
        errors=(float(loss[~nodes.split].sum() / own_weight(data)), np.nan),
    )
    frame = pictures_frame(picture, rows_name(screen), ((title, False),))
    view(f"depth2 {title}", pack("overfit", frame))
    unit = CRITERIA[screen.session.rules.criterion].impurity.unit
    words = "No cut gains anything"
    if 1 in tree.splits:
        first = f"Root: {rule_text(data, tree, 1)}, gain {number(gain(tree, 1))} {unit}".strip()
        words = f"{first}; all splits together {number(_gain(tree))} {unit}".strip()
    st.markdown(sentence(f"{words}."))
