"""Lessons on impurity and gain."""

from __future__ import annotations

from functools import cache

import streamlit as st

from dtviz.app.lessons.lesson import (
    Lesson,
    LessonNode,
    aligned,
    bounds_lines,
    divergence_lines,
    example_heading,
    example_node,
    expander,
    gain_formula,
    gain_lines,
    impurity_lines,
    measure_lines,
    open_in_grow,
    picture,
    scaled_lines,
    table,
    tex,
    text_and_picture,
    winners,
)
from dtviz.base.text import count, markdown
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of, impurities_for
from dtviz.engine.criteria.from_counts import disagreements
from dtviz.engine.criteria.latex import MAX_TERMS
from dtviz.engine.rules import Rules, adapt_impurity
from dtviz.explain.why import pair_text
from dtviz.explain.words import candidate_text

CLASSES_EXAMPLE = "play_tennis"
NUMBERS_EXAMPLE = "rpart_treble"
COMMON_PAIRS = (("error", "gini"), ("entropy", "gini"), ("entropy", "gain_ratio"))
"""Pairs of criteria that lectures compare."""


def impurity(lesson: Lesson) -> None:
    """Draw the lesson on impurity."""
    text, live = text_and_picture("impurity")
    with text:
        st.markdown(
            "The impurity says how mixed the rows of one node are: 0 when it is pure, most when "
            "all classes are equally frequent. With $p_k$ the share of class $k$, of two classes:"
        )
        st.latex(
            r"\begin{aligned} H &= -\textstyle\sum_k p_k \log_2 p_k \\ "
            r"G &= 1 - \textstyle\sum_k p_k^2 \\ E &= 1 - \max_k p_k \end{aligned}"
        )
        st.markdown(
            "Entropy $H$ is in bits; Gini $G$ is how often two rows drawn with replacement differ; "
            "the error $E$ is what the majority gets wrong."
        )
    with live:
        picture("measure_lesson", lesson.screen)
        st.caption("Drag the line. A click on a measure works that one out.")
    node = lesson.node
    st.markdown(f"**Here**, at {node.name}:")
    if not node.data.classes:
        _impurities(node)
        node = example_node(CLASSES_EXAMPLE, Rules())
        st.markdown(example_heading("The measures for classes", node))
        open_in_grow("Open play tennis in Grow", "classes", data=CLASSES_EXAMPLE)
    _classes_impurity(node)
    if lesson.node.data.classes:
        node = example_node(NUMBERS_EXAMPLE, Rules(criterion="squared_error"))
        st.markdown(example_heading("The measure for a number", node))
        open_in_grow("Open rpart treble in Grow", "numbers", data=NUMBERS_EXAMPLE)
        _impurities(node)


def _classes_impurity(node: LessonNode) -> None:
    counts = [(name, int(c)) for name, c in zip(node.data.class_names, node.counts, strict=True)]
    present = [(name, c) for name, c in counts if c]
    words = ", ".join(f"{markdown(name)} {c:,}" for name, c in present[:MAX_TERMS])
    more = f" and {count(len(present) - MAX_TERMS, 'more class')}"
    st.markdown(f"Rows: **{words}**{more if len(present) > MAX_TERMS else ''}.")
    _impurities(node)
    k = len(node.data.classes)
    st.markdown(f"**Bounds** of the entropy with $K = {k}$ {'class' if k == 1 else 'classes'} [C]")
    st.latex(bounds_lines(node))
    st.markdown(
        "**Least entropy = farthest from uniform** [F]: "
        "$H = \\log_2 K - \\mathrm{KL}(p \\,\\|\\, u)$ with $u_k = 1/K$. Both sides:"
    )
    st.latex(divergence_lines(node))
    st.markdown(
        "The **surprise** (self-information) of a class is $-\\log_2 p_k$; the entropy is its mean "
        "over the rows. On *Impurity* the shares are dragged, and every measure is read off."
    )


def _impurities(node: LessonNode) -> None:
    for default in impurities_for(node.data.task):
        impurity = adapt_impurity(node.rules, node.data, default)
        st.markdown(impurity.lead)
        st.latex(impurity_lines(node, impurity))


def gain(lesson: Lesson) -> None:
    """Draw the lesson on the gain."""
    text, live = text_and_picture("gain")
    with text:
        st.markdown(
            "A split is worth what it takes away from the impurity: that of the node $D$, less "
            "that of its two sides $D_L$ and $D_R$, each by its share of the rows [Z, H, C]:"
        )
        symbol = lesson.node.criterion(lesson.node.rules.criterion).impurity.symbol
        st.latex(aligned(*gain_formula(symbol)))
        st.markdown(
            "The curves are the gains of all thresholds of a feature, on the axes of the plane. "
            "The best cut is the highest dot."
        )
    with live:
        picture("gain_lesson", lesson.screen, "cloud")
        st.caption("Drag along the dots. The cut that you leave is the one looked at on Grow.")
        open_in_grow("Open in Grow", "here")
    node = lesson.node
    cuts = node.cuts(node.rules.criterion)
    if cuts.best is None:
        st.markdown(f"No cut is possible at {node.name}, so a worked example stands in.")
        open_in_grow("Open play tennis in Grow", "gains", data=CLASSES_EXAMPLE)
        node = example_node(CLASSES_EXAMPLE, Rules())
        cuts = node.cuts("entropy")
    index = cuts.best or 0
    title = CRITERIA[node.rules.criterion].title
    cut = markdown(candidate_text(node.data, cuts, index))
    st.markdown(
        f"The best cut at {node.name} under {title}: **{cut}**, {int(cuts.n_left[index]):,} rows "
        f"left and {int(cuts.n_right[index]):,} right."
    )
    st.latex(gain_lines(node, cuts, index))
    st.markdown(
        "**Weighted gain** [F] has the same winner inside one node; the **impurity decrease** "
        "compares nodes (best-first order, importances)."
    )
    st.latex(scaled_lines(node, cuts, index))
    if not node.data.classes:
        node = example_node(CLASSES_EXAMPLE, Rules())
        index = node.cuts("entropy").best or 0
        st.markdown(example_heading("The next two need classes. The best cut by entropy", node))
    _other_measures(node, index)


def _other_measures(node: LessonNode, index: int) -> None:
    for criterion in map(CRITERIA.get, criteria_of(node.data)):
        if criterion and criterion.measure:
            st.markdown(criterion.measure.lead)
            st.latex(measure_lines(node, criterion, index))
    expander("criteria", "Every criterion's own best cut here", lambda: _winners_table(node))
    expander("disagree", "The smallest nodes on which measures disagree", _disagreements)


def _winners_table(node: LessonNode) -> None:
    """Draw the table of the best cut under each criterion."""
    best = winners(node)
    rows = [
        {
            "Criterion": CRITERIA[winner.criterion].title,
            "Best cut": markdown(winner.cut) + ("" if winner.is_chosen else " **≠**"),
            "Score": tex(winner.score),
        }
        for winner in best
    ]
    title = CRITERIA[node.rules.criterion].title
    others = [CRITERIA[winner.criterion].title for winner in best if not winner.is_chosen]
    table(rows, "Best cut and score under each criterion")
    if others:
        st.markdown(f"≠ another cut than {title}: {', '.join(others)}. The criterion matters here.")
    else:
        st.markdown("All criteria choose the same cut here.")


def _disagreements() -> None:
    """Draw the smallest nodes on which common criteria prefer different splits."""
    st.markdown(
        "Measures disagree on very small nodes already. The smallest of two classes for each "
        "pair, found by trying all; *Impurity* shows more, and lets you slide the rows:\n"
        + _smallest()
    )


@cache
def _smallest() -> str:
    """Return a line for each common pair, searched once: they do not depend on the screen."""
    pairs = [
        (first, second, pair)
        for first, second in ((CRITERIA[a], CRITERIA[b]) for a, b in COMMON_PAIRS)
        for pair in disagreements(first, second, max_pairs=1)
    ]
    return "\n".join(f"- {pair_text(first, second, pair)}" for first, second, pair in pairs)
