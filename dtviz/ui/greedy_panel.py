"""Greedy's limit: the greedy tree beside the best one of its depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.engine.exhaustive import best_of_depth_2
from dtviz.engine.grow import finish
from dtviz.engine.problem import Problem
from dtviz.engine.rules import cutting
from dtviz.engine.subtrees import nodes_of
from dtviz.engine.tree import Log, Tree, fold, gain, stump
from dtviz.others.optimal import DEPTHS, SECONDS, best_of_depth
from dtviz.say.words import rule_text
from dtviz.screen.screen import Screen
from dtviz.screen.work import Work
from dtviz.text import number
from dtviz.ui.controls import sentence
from dtviz.ui.near_panel import near_gallery
from dtviz.ui.small import criterion_unit, grow_button, small_picture
from dtviz.ui.work import work


def greedy_limit(screen: Screen) -> None:
    """The greedy tree beside the best one, of depth 2 and deeper, all grown on all rows."""
    _two_levels(screen)
    if screen.data.classes:
        _deeper(screen)


def _two_levels(screen: Screen) -> None:
    """Depth 2, where the best tree lowers the impurity most, and the trees nearly as good."""
    data, rules = screen.data, screen.session.rules
    asked = ("greedy", screen.session.recipe, cutting(rules))
    log = work(Work(asked, lambda: best_of_depth_2(Problem(data, rules)), "Every pair of levels"))
    if log is None:
        return
    greedy, best = _beside(screen, 2, {"Greedy": None, "Best of depth 2": log}, "depth2")
    nothing = _gain(best) - _gain(greedy) <= 1e-9 * float(nodes_of(greedy).risk[0])
    st.caption(
        "All rows, depth 2. Greedy takes the cut that gains most at the root, whatever follows; "
        + (
            "here nothing better exists."
            if nothing
            else "looking two levels ahead, a root cut that gains less makes better cuts possible."
        )
    )
    near_gallery(screen)


def _deeper(screen: Screen) -> None:
    """A chosen depth, where the best tree makes the fewest mistakes."""
    data, recipe = screen.data, screen.session.recipe
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Deeper.** The tree with the fewest mistakes of depth", width="content")
        depth = st.segmented_control(
            "Depth", DEPTHS, key="deeper", label_visibility="collapsed", width="content"
        )
    if depth is None:
        return
    about = Work(
        ("deeper", recipe, depth),
        lambda: best_of_depth(data, depth),
        f"Every tree of depth {depth}",
    )
    found = work(about)
    if found is None:
        return
    titles = {f"Greedy, depth {depth}": None, f"Fewest mistakes, depth {depth}": found.log}
    _beside(screen, depth, titles, "deeper")
    st.caption(
        "All rows, cuts of one feature; found by pycontree, "
        + (
            f"and no tree of depth {depth} makes fewer mistakes."
            if found.proven
            else f"the best it found in {SECONDS} seconds: a better one may exist."
        )
    )


def _beside(screen: Screen, depth: int, logs: Mapping[str, Log | None], key: str) -> list[Tree]:
    """Draw trees by their titles, those without moves being greedy ones, and give them."""
    data, rules = screen.data, cutting(screen.session.rules)
    trees = []
    for column, (title, log) in zip(st.columns(2, gap="medium"), logs.items(), strict=True):
        if log is None:
            own = replace(rules, max_depth=depth)
            problem = Problem(data, own)
            moves, tree = finish(problem, stump(problem))
        else:
            moves, tree = log, fold(Problem(data, rules), log)
        with column:
            _tree(screen, f"{key} {title}", title, tree, moves)
        trees.append(tree)
    return trees


def _gain(tree: Tree) -> float:
    """How much the splits of a tree lower the impurity in all."""
    nodes = nodes_of(tree)
    return float(nodes.risk[0] - nodes.risk[~nodes.split].sum())


def _tree(screen: Screen, key: str, title: str, tree: Tree, log: Log) -> None:
    data, rows = screen.data, np.arange(screen.judged.data.n)
    small_picture(screen, key, title, nodes_of(tree), rows >= data.n)
    unit, words = criterion_unit(screen), "No cut gains anything"
    if 1 in tree.splits:
        first = f"Root: {rule_text(data, tree, 1)}, gain {number(gain(tree, 1))} {unit}".strip()
        words = f"{first}; all splits together {number(_gain(tree))} {unit}".strip()
    st.markdown(sentence(f"{words}."))
    grow_button(f"grow_{key}", log)
