"""The panel Greedy's limit: greedy trees beside optimal and near-optimal ones of equal depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import draw_frame, sentence
from dtviz.app.runs import compute
from dtviz.base.arrays import Bools, Floats
from dtviz.base.text import count, number
from dtviz.data.dataset import rows_in_memory, take_rows
from dtviz.data.weights import total_weight_before_costs
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.grow import finish
from dtviz.engine.optimal.depth2 import (
    MAX_DECREASE_LOST,
    NearOptimalTree,
    NearOptimalTrees,
    best_of_depth_2,
    near_optimal_trees,
)
from dtviz.engine.problem import Problem
from dtviz.engine.rules import without_stop_rules
from dtviz.engine.splits import Axis
from dtviz.engine.subtrees import Nodes, losses, nodes_of
from dtviz.engine.tree import Grow, Log, Tree, fold, predict, root_tree, split_gain
from dtviz.evaluate.curves import errors
from dtviz.evaluate.metrics import data_score
from dtviz.explain.words import rule_text
from dtviz.models.importers.contree import DEPTHS, SECONDS, best_of_depth
from dtviz.pictures.frames import rows_name
from dtviz.pictures.overfit import pictures_frame, shown_subtree
from dtviz.pictures.packing import pack
from dtviz.session.address import moves_text
from dtviz.session.overfit import work_key
from dtviz.session.screen import Screen


def small_picture(screen: Screen, key: str, title: str, nodes: Nodes, held_out_mask: Bools) -> None:
    """Draw the regions of a tree, the rows on which it was grown, and its error on these rows.

    `held_out_mask`, (n,), is True for the other rows.
    """
    data, theme = screen.judged.in_memory.data, state.theme()
    rows = take_rows(data, ~held_out_mask) if held_out_mask.any() else data
    loss = losses(nodes, rows)[0][~nodes.is_split].sum()
    picture = replace(
        shown_subtree(screen, theme),
        nodes=nodes,
        split_mask=nodes.is_split,
        leaf_places=losses(nodes, data)[1],
        is_held_out=held_out_mask,
        errors=(float(loss / total_weight_before_costs(rows)), np.nan),
        n_rows=None,
    )
    name = rows_name(screen, theme)
    draw_frame(key, pack("overfit", pictures_frame(picture, name, ((title, False),))))


def grow_button(key: str, log: Log) -> None:
    """Draw the button that opens the page Grow with the moves of a log."""
    if st.button("Grow it", key=key, icon=":material/account_tree:", disabled=not log):
        state.act("grow", "follow", moves=moves_text(log))
        st.switch_page("pages/grow.py")


def criterion_unit(screen: Screen) -> str:
    """Return the unit of the impurity on screen: 'bit', or ''."""
    return CRITERIA[screen.session.rules.criterion].impurity.unit


TREES_PER_LINE = 3


def draw_near_optimal_trees(screen: Screen) -> None:
    """Draw the trees that are near-optimal on the training rows, judged on the held-out rows."""
    training, rules = screen.judged.in_memory.training, screen.session.rules
    key = work_key("near", screen.session, without_stop_rules(rules))
    result = compute(
        key, lambda: near_optimal_trees(Problem(training, rules)), "Every tree nearly as good"
    )
    if result is None or not result.trees:
        return
    st.markdown(f"**Nearly as good, on the training rows alone.** {_count_text(result)}")
    trees, first_predictions = result.trees, _predictions(screen, result.trees[0])
    for start in range(0, len(result.trees), TREES_PER_LINE):
        columns = st.columns(TREES_PER_LINE, gap="medium")
        for column, near_tree in zip(columns, trees[start : start + TREES_PER_LINE], strict=False):
            with column:
                _draw_near_tree(screen, trees.index(near_tree) + 1, near_tree, first_predictions)
    st.caption(
        "Found on the training rows; the held-out error is that of the others. What is predicted "
        f"otherwise is counted over all rows. {screen.judged.shown_sentence}".strip()
    )


def _count_text(result: NearOptimalTrees) -> str:
    """Return the sentences on the number of trees, and of the features that they ask."""
    share = f"at least {number(100 * (1 - MAX_DECREASE_LOST))} % of what the best one does"
    if result.n_trees == 1:
        return f"No other tree of depth 2 lowers the impurity by {share}."
    choices = "They ask the same features, at other thresholds: the best of them."
    if result.n_kinds > 1:
        n_trees = len(result.trees)
        drawn = f", drawn for {n_trees}" if result.n_kinds > n_trees else ""
        choices = f"They ask features in {result.n_kinds:,} ways: the best tree of each{drawn}."
    return f"{result.n_trees:,} trees of depth 2 lower the impurity by {share}. {choices}"


def _predictions(screen: Screen, near_tree: NearOptimalTree) -> Floats:
    """Return the predictions of a tree for all rows, (n,)."""
    training = screen.judged.in_memory.training
    tree = fold(Problem(training, without_stop_rules(screen.session.rules)), near_tree.log)
    return predict(tree, screen.judged.data.columns)


def _draw_near_tree(
    screen: Screen, position: int, near_tree: NearOptimalTree, first_predictions: Floats
) -> None:
    """Draw the tree at a position in the list, from 1, with its impurity decrease and error.

    `first_predictions`, (n,), are those of the first tree, for all rows.
    """
    judged = screen.judged.in_memory
    data = judged.training
    tree = fold(Problem(data, without_stop_rules(screen.session.rules)), near_tree.log)
    nodes = nodes_of(tree)
    small_picture(screen, f"near {position}", f"{position}", nodes, judged.held_mask)
    splits = " · ".join(rule_text(data, tree, node) for node in tree.splits)
    texts = [f"{number(near_tree.decrease)} {criterion_unit(screen)}".strip()]
    if judged.held is not None:
        error = float(errors(nodes, nodes.is_split[None], judged.held)[0])
        texts.append(f"held out {data_score(data).text(error)}")
    if position > 1:
        texts.append(_difference(screen, predict(tree, judged.data.columns), first_predictions))
    if near_tree.n_trees > 1:
        ends = _threshold_range(screen, near_tree)
        texts.append(f"the best of {near_tree.n_trees:,} that ask the same features{ends}")
    st.markdown(sentence(splits))
    st.caption(sentence("; ".join(texts)))
    grow_button(f"grow_near_{position}", near_tree.log)


def _difference(screen: Screen, predictions: Floats, first_predictions: Floats) -> str:
    """Return in words how far predictions differ from those of the first tree."""
    if screen.data.classes:
        n_rows = int((predictions != first_predictions).sum())
        return f"{count(n_rows, 'row')} predicted otherwise than by the first"
    difference = float(np.abs(predictions - first_predictions).mean())
    return f"{number(difference)} away from the first on average"


def _threshold_range(screen: Screen, near_tree: NearOptimalTree) -> str:
    """Return in words the range of root thresholds among trees of equal features; '' for one."""
    first, last = near_tree.extreme_roots
    if first == last or not isinstance(first.projection, Axis):
        return ""
    data, rules = screen.judged.in_memory.training, without_stop_rules(screen.session.rules)
    low, high = (
        rule_text(data, fold(Problem(data, rules), (Grow(1, end),)), 1)
        for end in near_tree.extreme_roots
    )
    return f", the root from {low} to {high}"


def greedy_limit(screen: Screen) -> None:
    """Draw greedy and optimal trees on all rows: of depth 2, and for classes of a chosen depth."""
    _trees_of_depth_2(screen)
    if screen.data.classes:
        _deeper_trees(screen)


def _trees_of_depth_2(screen: Screen) -> None:
    """Draw the greedy tree of depth 2, the one of largest total gain, and near-optimal ones."""
    data, rules = rows_in_memory(screen.data), screen.session.rules
    key = ("greedy", screen.session.recipe, without_stop_rules(rules))
    log = compute(key, lambda: best_of_depth_2(Problem(data, rules)), "Every pair of levels")
    if log is None:
        return
    greedy, best = _draw_trees(screen, 2, {"Greedy": None, "Best of depth 2": log}, "depth2")
    # sums of gains in another order can differ by rounding
    is_optimal = _total_gain(best) - _total_gain(greedy) <= 1e-9 * float(nodes_of(greedy).risk[0])
    st.caption(
        f"{_rows_text(screen)}, depth 2. Greedy takes the cut that gains most at the root, "
        "whatever follows; "
        + (
            "here nothing better exists."
            if is_optimal
            else "looking two levels ahead, a root cut that gains less makes better cuts possible."
        )
    )
    draw_near_optimal_trees(screen)


def _deeper_trees(screen: Screen) -> None:
    """Draw the greedy tree of a chosen depth, and the tree with the fewest mistakes."""
    data, recipe = screen.data, screen.session.recipe
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Deeper.** The tree with the fewest mistakes of depth", width="content")
        depth = st.segmented_control(
            "Depth", DEPTHS, key="deeper", label_visibility="collapsed", width="content"
        )
    if depth is None:
        return
    key, title = ("deeper", recipe, depth), f"Every tree of depth {depth}"
    best = compute(key, lambda: best_of_depth(data, depth), title)
    if best is None:
        return
    logs = {f"Greedy, depth {depth}": None, f"Fewest mistakes, depth {depth}": best.log}
    _draw_trees(screen, depth, logs, "deeper")
    st.caption(
        f"{_rows_text(screen)}, cuts of one feature; found by pycontree, "
        + (
            f"and no tree of depth {depth} makes fewer mistakes."
            if best.proven
            else f"the best it found in {SECONDS} seconds: a better one may exist."
        )
    )


def _draw_trees(screen: Screen, depth: int, logs: Mapping[str, Log | None], key: str) -> list[Tree]:
    """Draw the trees of logs side by side and return them.

    `logs` are by title; None in place of a log is the greedy tree of the depth.
    """
    data, rules = rows_in_memory(screen.data), without_stop_rules(screen.session.rules)
    trees = []
    for column, (title, log) in zip(st.columns(2, gap="medium"), logs.items(), strict=True):
        if log is None:
            problem = Problem(data, replace(rules, max_depth=depth))
            moves, tree = finish(problem, root_tree(problem))
        else:
            moves, tree = log, fold(Problem(data, rules), log)
        with column:
            _draw_tree(screen, f"{key} {title}", title, tree, moves)
        trees.append(tree)
    return trees


def _rows_text(screen: Screen) -> str:
    """Return in words which rows the trees are grown on."""
    return "All rows" if screen.data.source is None else f"The {screen.data.n:,} rows shown"


def _total_gain(tree: Tree) -> float:
    """Return the impurity that all splits of a tree take away, over all rows."""
    nodes = nodes_of(tree)
    return float(nodes.risk[0] - nodes.risk[~nodes.is_split].sum())


def _draw_tree(screen: Screen, key: str, title: str, tree: Tree, log: Log) -> None:
    """Draw a tree grown on all rows of the dataset, with its gains and the button to Grow."""
    data, row_ids = screen.data, np.arange(screen.judged.data.n)
    # in the data of the judged tree, rows that the table holds out follow those of the dataset
    small_picture(screen, key, title, nodes_of(tree), row_ids >= data.n)
    unit, words = criterion_unit(screen), "No cut gains anything"
    if 1 in tree.splits:
        first = (
            f"Root: {rule_text(data, tree, 1)}, gain {number(split_gain(tree, 1))} {unit}".strip()
        )
        words = f"{first}; all splits together {number(_total_gain(tree))} {unit}".strip()
    st.markdown(sentence(f"{words}."))
    grow_button(f"grow_{key}", log)
