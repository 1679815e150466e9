"""Greedy's limit: the greedy tree of depth 2 beside the best one on the same cuts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.criteria import CRITERIA
from dtviz.exhaustive import best_of_depth_2
from dtviz.figures.overfit import pictures_frame
from dtviz.grow import finish
from dtviz.rules import Rules, criterion_of
from dtviz.subtrees import losses, nodes_of
from dtviz.text import number
from dtviz.tree import Tree, fold, gain, stump
from dtviz.ui import state
from dtviz.ui.controls import sentence
from dtviz.ui.judge import Judged, asked, picture
from dtviz.ui.state import Screen
from dtviz.ui.view import view
from dtviz.ui.work import work
from dtviz.words import rule_text


def greedy_limit(screen: Screen, found: Judged) -> None:
    """The greedy tree of depth 2 beside the best one on the same cuts."""
    training, rules = found.training, screen.session.rules
    log = work(
        asked("greedy", screen.session, rules.criterion, rules.min_samples_leaf),
        lambda: best_of_depth_2(training, rules),
        "Every pair of levels",
    )
    if log is None:
        return
    own = Rules(criterion=rules.criterion, min_samples_leaf=rules.min_samples_leaf, max_depth=2)
    criterion = criterion_of(own, training.task)
    greedy = finish(training, own, stump(training, criterion))[1]
    trees = {"Greedy": greedy, "Best of depth 2": fold(training, criterion, log)}
    for column, (title, tree) in zip(st.columns(2, gap="medium"), trees.items(), strict=True):
        with column:
            _depth_2(screen, found, title, tree)
    risks = [float(nodes_of(tree).risk[0]) - _gain(tree) for tree in trees.values()]
    same = abs(risks[0] - risks[1]) <= 1e-9 * max(risks[0], 1e-300)
    st.caption(
        "Greedy takes the best cut at the root, whatever follows; here nothing better exists."
        if same
        else "Greedy takes the best cut at the root, whatever follows. A root cut that gains less "
        "can make better cuts possible below it."
    )


def _gain(tree: Tree) -> float:
    """How much the splits of a tree lower the impurity in all."""
    nodes = nodes_of(tree)
    return float(nodes.risk[0] - nodes.risk[~nodes.split].sum())


def _depth_2(screen: Screen, found: Judged, title: str, tree: Tree) -> None:
    nodes = nodes_of(tree)
    leaf, training = np.zeros(found.data.n, np.intp), found.training
    loss, leaf[~found.out] = losses(nodes, training)
    error = float(loss[~nodes.split].sum() / training.n)
    shown = replace(
        picture(screen.session, found),
        nodes=nodes,
        stays=nodes.split,
        leaf=leaf,
        errors=(error, np.nan),
    )
    name = state.cloud_name(screen.session.recipe, shown.axes)
    frame = pictures_frame(shown, name, ((title, False),))
    view("overfit", f"depth2 {title}", frame | {"stamp": name, "say": ""})
    root = tree.splits.get(1)
    unit = CRITERIA[screen.session.rules.criterion].unit
    first = f"Root: {rule_text(training, tree, 1)}, gain {number(gain(tree, 1))}" if root else ""
    words = f"{first or 'No cut'}; all splits together {number(_gain(tree))} {unit}"
    st.markdown(sentence(f"{words.strip()}."))
