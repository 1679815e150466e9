"""Greedy's limit: the greedy tree of depth 2 beside the best one on the same cuts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.engine.exhaustive import best_of_depth_2
from dtviz.engine.grow import finish
from dtviz.engine.rules import cutting
from dtviz.engine.subtrees import nodes_of
from dtviz.engine.tree import Log, Tree, fold, gain, stump
from dtviz.say.words import rule_text
from dtviz.screen.screen import Screen
from dtviz.screen.work import Work
from dtviz.text import number
from dtviz.ui.controls import sentence
from dtviz.ui.near_panel import near_gallery
from dtviz.ui.small import criterion_unit, grow_button, small_picture
from dtviz.ui.work import work


def greedy_limit(screen: Screen) -> None:
    """The greedy tree of depth 2 beside the best one on the same cuts, both of all rows."""
    data, rules = screen.data, screen.session.rules
    asked = ("greedy", screen.session.recipe, cutting(rules))
    log = work(Work(asked, lambda: best_of_depth_2(data, rules), "Every pair of levels"))
    if log is None:
        return
    own = replace(cutting(rules), max_depth=2)
    greedy_log, greedy = finish(data, own, stump(data, own))
    trees = {"Greedy": greedy, "Best of depth 2": fold(data, own, log)}
    logs = greedy_log, log
    for column, (title, tree), moves in zip(
        st.columns(2, gap="medium"), trees.items(), logs, strict=True
    ):
        with column:
            _depth_2(screen, title, tree, moves)
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
    near_gallery(screen)


def _gain(tree: Tree) -> float:
    """How much the splits of a tree lower the impurity in all."""
    nodes = nodes_of(tree)
    return float(nodes.risk[0] - nodes.risk[~nodes.split].sum())


def _depth_2(screen: Screen, title: str, tree: Tree, log: Log) -> None:
    data, rows = screen.data, np.arange(screen.judged.data.n)
    small_picture(screen, f"depth2 {title}", title, nodes_of(tree), rows >= data.n)
    unit, words = criterion_unit(screen), "No cut gains anything"
    if 1 in tree.splits:
        first = f"Root: {rule_text(data, tree, 1)}, gain {number(gain(tree, 1))} {unit}".strip()
        words = f"{first}; all splits together {number(_gain(tree))} {unit}".strip()
    st.markdown(sentence(f"{words}."))
    grow_button(f"grow_{title}", log)
