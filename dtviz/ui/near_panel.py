"""All trees of depth 2 that are nearly as good as the best: a picture of each kind."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dtviz.arrays import Floats
from dtviz.engine.near import WITHIN, Near, NearTree, near_best
from dtviz.engine.problem import Problem
from dtviz.engine.rules import cutting
from dtviz.engine.splits import Axis
from dtviz.engine.subtrees import nodes_of
from dtviz.engine.tree import Grow, fold, predict
from dtviz.judge.curves import errors
from dtviz.judge.metrics import score_by
from dtviz.say.words import rule_text
from dtviz.screen.judged import asked
from dtviz.screen.screen import Screen
from dtviz.screen.work import Work
from dtviz.text import count, number
from dtviz.ui.controls import sentence
from dtviz.ui.small import criterion_unit, grow_button, small_picture
from dtviz.ui.work import work

ACROSS = 3


def near_gallery(screen: Screen) -> None:
    """The best tree of each kind that is near, on the training rows, judged on the others."""
    training, rules = screen.judged.training, screen.session.rules
    about = asked("near", screen.session, cutting(rules))
    found = work(
        Work(about, lambda: near_best(Problem(training, rules)), "Every tree nearly as good")
    )
    if found is None or not found.trees:
        return
    st.markdown(f"**Nearly as good, on the training rows alone.** {_many(found)}")
    first = _predicted(screen, found.trees[0])
    for row in range(0, len(found.trees), ACROSS):
        columns = st.columns(ACROSS, gap="medium")
        for column, near in zip(columns, found.trees[row : row + ACROSS], strict=False):
            with column:
                _one(screen, found.trees.index(near) + 1, near, first)
    st.caption(
        "Found on the training rows; the held-out error is that of the others. What is predicted "
        "otherwise is counted over all rows."
    )


def _many(found: Near) -> str:
    """How many trees there are, and of how many kinds."""
    least = f"at least {number(100 * (1 - WITHIN))} % of what the best one does"
    if found.many == 1:
        return f"No other tree of depth 2 lowers the impurity by {least}."
    kinds = "They ask the same features, at other thresholds: the best of them."
    if found.kinds > 1:
        drawn = f", drawn for {len(found.trees)}" if found.kinds > len(found.trees) else ""
        kinds = f"They ask features in {found.kinds:,} ways: the best tree of each{drawn}."
    return f"{found.many:,} trees of depth 2 lower the impurity by {least}. {kinds}"


def _predicted(screen: Screen, near: NearTree) -> Floats:
    """What a tree predicts of all rows, (n,)."""
    tree = fold(Problem(screen.judged.training, cutting(screen.session.rules)), near.log)
    return predict(tree, screen.judged.data.columns)


def _one(screen: Screen, place: int, near: NearTree, first: Floats) -> None:
    """One tree: its picture, its splits, its figures, and the way to Grow."""
    found, data = screen.judged, screen.judged.training
    tree = fold(Problem(data, cutting(screen.session.rules)), near.log)
    nodes = nodes_of(tree)
    small_picture(screen, f"near {place}", f"{place}", nodes, found.out)
    splits = " · ".join(rule_text(data, tree, node) for node in tree.splits)
    said = [f"{number(near.decrease)} {criterion_unit(screen)}".strip()]
    if found.held is not None:
        error = float(errors(nodes, nodes.split[None], found.held)[0])
        said.append(f"held out {score_by(data).text(error)}")
    if place > 1:
        said.append(_otherwise(screen, predict(tree, found.data.columns), first))
    if near.alike > 1:
        said.append(f"the best of {near.alike:,} that ask the same features{_ends(screen, near)}")
    st.markdown(sentence(splits))
    st.caption(sentence("; ".join(said)))
    grow_button(f"grow_near_{place}", near.log)


def _otherwise(screen: Screen, own: Floats, first: Floats) -> str:
    """How far what a tree predicts is from what the first does."""
    if screen.data.classes:
        return f"{count(int((own != first).sum()), 'row')} predicted otherwise than by the first"
    return f"{number(float(np.abs(own - first).mean()))} away from the first on average"


def _ends(screen: Screen, near: NearTree) -> str:
    """From where to where the root's threshold may move, where it may."""
    first, last = near.ends
    if first == last or not isinstance(first.projection, Axis):
        return ""
    data, rules = screen.judged.training, cutting(screen.session.rules)
    low, high = (
        rule_text(data, fold(Problem(data, rules), (Grow(1, one),)), 1) for one in near.ends
    )
    return f", the root from {low} to {high}"
