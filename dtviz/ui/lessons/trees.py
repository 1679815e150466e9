"""Learn, the first sections: what a tree is, and where it may cut."""

from __future__ import annotations

import streamlit as st

from dtviz.engine.tree import Tree, height, rows_in
from dtviz.say.words import line_text
from dtviz.screen.screen import Screen
from dtviz.screen.session import goto
from dtviz.text import count, markdown
from dtviz.ui import state
from dtviz.ui.lessons.formulas import Spot, mid_points, set_text
from dtviz.ui.lessons.lesson import Lesson
from dtviz.ui.lessons.live import beside, picture

CLICK = "Click a node: the numbers of this page are then those of its rows."
FIRST = "The first splits. Grow makes them, one after the other."
MOST_SPLITS = 7
"""So many are drawn on this page."""


def trees(lesson: Lesson) -> None:
    """What a tree is, and how its parts are called."""
    text, live = beside("trees")
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
        own = 0 < len(screen.tree.splits) <= MOST_SPLITS
        picture("tree", screen if own else _first(screen))
        st.caption(CLICK if screen.tree.splits else FIRST)


def _first(screen: Screen) -> Screen:
    """The screen after the first splits: of a large tree no more can be read here."""
    return state.tab().screen(goto(screen.session, MOST_SPLITS, screen.future))


def size_words(name: str, tree: Tree) -> str:
    """'At the end: J = 9 regions, height 5'."""
    noun = "region" if len(tree.rows) == 1 else "regions"
    return f"{name.capitalize()}: $J = {len(tree.rows)}$ {noun}, height **{height(tree)}**"


def cuts(lesson: Lesson) -> None:
    """Where a numeric feature may be cut, and the candidates of the root."""
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
    data, root = lesson.screen.data, lesson.spot
    if lesson.screen.node != 1:
        root = Spot(data, rows_in(lesson.screen.tree, 1), root.rules, "the root")
    cuts = root.cuts(root.rules.criterion)
    if not len(cuts):
        return "**Here:** the root has **0 candidates**: every feature is constant."
    each = [
        f"{len(cuts.gain[cuts.of_line(line)]):,} on {line_text(data, one)}"
        for line, one in list(enumerate(cuts.projections))[:4]
    ]
    rest = len(cuts.projections) - len(each)
    more = f" and the rest on {count(rest, 'more feature')}" if rest else ""
    left = len(data.features) - len(cuts.projections)
    more += f"; {count(left, 'feature')} with lesser cuts not counted" if left else ""
    tied = int(cuts.tied.sum())
    return (
        f"**Here:** the root has **{count(len(cuts), 'candidate')}** "
        f"({', '.join(map(markdown, each))}{more}), {int(cuts.boundary.sum()):,} of them boundary "
        f"points, {int((~cuts.admissible).sum()):,} forbidden; "
        + (f"{tied:,} tie for the best." if tied > 1 else "no two tie for the best.")
    )
