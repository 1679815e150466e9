"""Lessons on trees: their parts, where they may cut, kinds of cuts, leaf models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.lessons.lesson import (
    Lesson,
    LessonNode,
    expander,
    mid_points,
    picture,
    set_text,
    table,
    tex,
    text_and_picture,
)
from dtviz.base.text import count, markdown, number
from dtviz.data.weights import weights_before_costs
from dtviz.engine.leaves.leaf_models import LeafModel, leaf_models_for
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.leaves.probabilities import log_losses
from dtviz.engine.problem import Problem
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.frontier import unsorted_frontier
from dtviz.engine.splits import FAMILIES
from dtviz.engine.subtrees import loss_of
from dtviz.engine.tree import Tree, height, make_nodes, rows_in
from dtviz.evaluate.metrics import data_score
from dtviz.explain.words import candidate_text, projection_text, value_text
from dtviz.models.steps import search_candidates
from dtviz.session.screen import Screen
from dtviz.session.session import go_to_step

CLICK = "Click a node: the numbers of this page are then those of its rows."
FIRST = "The first splits. Grow makes them, one after the other."
MAX_SPLITS_DRAWN = 7


def trees(lesson: Lesson) -> None:
    """Draw the lesson on what a tree is, and on the names of its parts."""
    text, live = text_and_picture("trees")
    with text:
        st.markdown(
            "A decision tree asks one question after the other. Each **node** asks whether a value "
            "is at most a **threshold** $t$: yes leads left, no leads right, and a **leaf** says "
            "what it predicts. Below a split stand two smaller trees, $T_L$ and $T_R$:"
        )
        st.latex(
            r"T(x) = \begin{cases} T_L(x) & \text{if } x_j \le t \\ "
            r"T_R(x) & \text{if not} \end{cases}"
        )
        st.markdown(
            "The **root** has depth 0. The *depth* of a node is the number of edges above it, the "
            "*height* of a tree its largest depth. With $J$ leaves it has $J - 1$ splits and "
            "$2J - 1$ nodes.\n\n**Here:**\n\n"
            + "\n".join(f"- {size_words(name, tree)}" for name, tree, _ in lesson.stages)
        )
    with live:
        screen = lesson.screen
        is_small = 0 < len(screen.tree.splits) <= MAX_SPLITS_DRAWN
        picture("tree", screen if is_small else _first_splits(screen))
        st.caption(CLICK if screen.tree.splits else FIRST)


def _first_splits(screen: Screen) -> Screen:
    """Return the screen after the first splits: more cannot be read at this size."""
    return state.tab().screen(go_to_step(screen.session, MAX_SPLITS_DRAWN, screen.future))


def size_words(name: str, tree: Tree) -> str:
    """Return the size of a tree in words, as 'At the end: J = 9 regions, height 5'."""
    noun = "region" if len(tree.rows) == 1 else "regions"
    return f"{name.capitalize()}: $J = {len(tree.rows)}$ {noun}, height **{height(tree)}**"


def cuts(lesson: Lesson) -> None:
    """Draw the lesson on the candidates of a numeric feature, and those of the root."""
    first, second = (1, 3, 1, 5, 4), (5, 4, 6, 5, 8)
    st.markdown(
        "Between two neighbouring values of a feature every threshold parts the rows alike. So one "
        "is tried for each pair of neighbours $v_i < v_{i+1}$ *in the node*, half-way between:"
    )
    st.latex(r"t_i = \tfrac12 \, (v_i + v_{i+1})")
    st.markdown(
        f"The **candidates** of {set_text(first)} are {set_text(mid_points(first))}, those of "
        f"{set_text(second)} are {set_text(mid_points(second))}. A row exactly at the threshold "
        "goes left.\n\n"
        "A **boundary point** is a candidate whose two neighbours do not all share one class (or "
        "number). A best cut is always found among them [C], as long as no limit on the sides "
        "forbids any.\n\n" + _root_candidates(lesson)
    )


def _root_candidates(lesson: Lesson) -> str:
    data, root = lesson.screen.data, lesson.node
    if lesson.screen.node != 1:
        root = LessonNode(data, rows_in(lesson.screen.tree, 1), root.rules, "the root")
    cuts = root.cuts(root.rules.criterion)
    if not len(cuts):
        return "**Here:** the root has **0 candidates**: every feature is constant."
    counts = [
        f"{len(cuts.gain[cuts.of_line(line)]):,} on {projection_text(data, projection)}"
        for line, projection in list(enumerate(cuts.projections))[:4]
    ]
    n_more = len(cuts.projections) - len(counts)
    more = f" and the rest on {count(n_more, 'more feature')}" if n_more else ""
    n_left_out = len(data.features) - len(cuts.projections)
    more += f"; {count(n_left_out, 'feature')} with lesser cuts not counted" if n_left_out else ""
    tied = int(cuts.tied.sum())
    return (
        f"**Here:** the root has **{count(len(cuts), 'candidate')}** "
        f"({', '.join(map(markdown, counts))}{more}), {int(cuts.boundary.sum()):,} of them "
        f"boundary points, {int((~cuts.admissible).sum()):,} forbidden; "
        + (f"{tied:,} tie for the best." if tied > 1 else "no two tie for the best.")
    )


def kinds(lesson: Lesson) -> None:
    """Draw the lesson on projections: thresholds, slanted lines, circles."""
    node = lesson.node
    st.markdown(
        "Every cut asks `score(x) <= t` of a row. A **threshold** takes one feature as the score, "
        "a **slanted line** a weighted sum [F, H], a **circle** the squared distance to a centre "
        "[H]:"
    )
    st.latex(r"x_j \le t \qquad \langle w, x \rangle \le t \qquad \rho(x, x_0)^2 \le t")
    st.markdown(
        "All thresholds of a score are tried. Each node proposes lines and circles of its own, by "
        "its rows: the linear discriminants of its classes, the angles of its planes, in small "
        "nodes every direction in which two rows change places; centres are means and rows. "
        "Choose them under Settings, *Cuts compared*, and turn them by hand on the stage."
    )
    expander("kinds", f"The best of each kind at {node.name}", lambda: _best_table(node))


def _best_table(node: LessonNode) -> None:
    rows = [row for name in ("axis", "oblique", "radial") if (row := _best(node, name))]
    if rows:
        table(rows, "The best cut of each kind")
    else:
        st.markdown("No kind has a cut here.")


def _best(node: LessonNode, name: str) -> dict[str, str] | None:
    """Return the table row on the best cut of a family; None where it has no cut."""
    family, data = FAMILIES[name], node.data
    if not family.propose(data):
        return None
    rules = replace(node.rules, families=(name,))
    cuts: Candidates = search_candidates(Problem(data, rules), node.row_ids)
    if cuts.best is None:
        return None
    return {
        "Kind": family.title,
        "Tried": count(len(cuts), "cut"),
        "Best": markdown(candidate_text(data, cuts, cuts.best)),
        "Gain": tex(float(cuts.gain[cuts.best])),
    }


MAX_CHARACTERS = 300
LAPLACE = r"p_k = \frac{n_k + 1}{n + K}"
LOGISTIC = r"p_2(x) = \frac{1}{1 + e^{-(a_j + \langle b_j, x \rangle)}}"
REGRESSION = r"y_j(x) = a_j + \langle b_j, x \rangle"


def leaves(node: LessonNode) -> None:
    """Draw the prediction and error of each leaf model of the data, were the node a leaf."""
    st.markdown(
        "**What a leaf predicts** is a choice (Settings, *A leaf predicts*). Were "
        f"{node.name} a leaf:\n"
        + "\n".join(_model_line(node, model) for model in leaf_models_for(node.data))
    )
    if node.data.classes:
        st.markdown(
            "Shares by Laplace, or of two classes by logistic regression, think no class "
            "impossible, so that the log loss of rows held out stays finite:"
        )
        st.latex(rf"{LAPLACE} \qquad {LOGISTIC}" if len(node.data.classes) == 2 else LAPLACE)
        return
    st.markdown(
        "A regression [H] explains a slope without a cut. So by squared error the cuts are "
        "searched by what the regressions of both sides leave, the *residual variance*, and not "
        "by the variance; rows are added to a side one by one, for every cut of every feature:"
    )
    st.latex(REGRESSION)


def _model_line(node: LessonNode, model: LeafModel) -> str:
    """Return a line on a leaf model: '- **Mean**: ... Here **0.4**; squared error 0.2.'."""
    data, front = node.data, unsorted_frontier([node.row_ids])
    node_facts = compute_facts(data, front, Problem(data, node.rules).criterion)
    (leaf,) = make_nodes(data, front, [1], node_facts, model)
    params = np.tile(leaf.params, (node.n, 1))
    weights = weights_before_costs(data)
    if weights is not None:
        weights = weights.take(node.row_ids)
    y = data.y.take(node.row_ids)
    losses = loss_of(data, y, model.predict(params, data.columns, node.row_ids))
    score = data_score(data)
    errors = f"{score.error} {score.text(float(np.average(losses, weights=weights)))}"
    if model.proba is not None:
        log = log_losses(model.proba.predict(params, data.columns, node.row_ids), y)
        errors += f", log loss {number(float(np.average(log, weights=weights)))}"
    value = markdown(value_text(data, model, leaf), MAX_CHARACTERS)
    return f"- **{model.title}**: {model.description} Here **{value}**; {errors}."
