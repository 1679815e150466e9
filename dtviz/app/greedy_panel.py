"""Greedy's limit: the greedy tree beside the best one of its depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import sentence, view
from dtviz.app.runs import work
from dtviz.base.arrays import Bools, Floats
from dtviz.base.text import count, number
from dtviz.data.dataset import take
from dtviz.data.weights import own_weight
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.grow import finish
from dtviz.engine.optimal.depth2 import WITHIN, Near, NearTree, best_of_depth_2, near_best
from dtviz.engine.problem import Problem
from dtviz.engine.rules import cutting
from dtviz.engine.splits import Axis
from dtviz.engine.subtrees import Nodes, losses, nodes_of
from dtviz.engine.tree import Grow, Log, Tree, fold, gain, predict, stump
from dtviz.evaluate.curves import errors
from dtviz.evaluate.metrics import score_by
from dtviz.explain.words import rule_text
from dtviz.models.importers.contree import DEPTHS, SECONDS, best_of_depth
from dtviz.pictures.frames import rows_name
from dtviz.pictures.overfit import pictures_frame, shown
from dtviz.pictures.packing import pack
from dtviz.session.address import moves_text
from dtviz.session.jobs import Work
from dtviz.session.overfit import asked
from dtviz.session.screen import Screen


def small_picture(screen: Screen, key: str, title: str, nodes: Nodes, out: Bools) -> None:
    """The regions of a tree with the rows that are not `out`, (n,), and its error on these."""
    whole = screen.judged.data
    rows = take(whole, ~out) if out.any() else whole
    loss = losses(nodes, rows)[0][~nodes.split].sum()
    picture = replace(
        shown(screen, state.theme()),
        nodes=nodes,
        stays=nodes.split,
        leaf=losses(nodes, whole)[1],
        held=out,
        errors=(float(loss / own_weight(rows)), np.nan),
    )
    view(key, pack("overfit", pictures_frame(picture, rows_name(screen), ((title, False),))))


def grow_button(key: str, log: Log) -> None:
    """The button that makes these moves on Grow."""
    if st.button("Grow it", key=key, icon=":material/account_tree:", disabled=not log):
        state.act("grow", "follow", moves=moves_text(log))
        st.switch_page("pages/grow.py")


def criterion_unit(screen: Screen) -> str:
    """The unit of the impurity on screen: 'bit', or ''."""
    return CRITERIA[screen.session.rules.criterion].impurity.unit


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
