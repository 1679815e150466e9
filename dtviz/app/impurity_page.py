"""Impurity: the measures over class shares, two splits compared, and where criteria disagree."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from dtviz.app import controls, state
from dtviz.app.page import PageSpec
from dtviz.app.share import share
from dtviz.engine.criteria import from_counts
from dtviz.engine.criteria.criteria import CRITERIA, Criterion, impurities_for
from dtviz.explain.why import counts_arithmetic, impurity_line, information_lines, pair_text
from dtviz.session.impurity import (
    MAX_CLASS_ROWS,
    WHOLE_IN_PERCENT,
    ImpuritySettings,
    TwoSplits,
    comparable_criteria,
)
from dtviz.session.screen import Screen, two_splits

N_CLASSES_SEARCHED = (2, 3)
"""Numbers of classes of the nodes that are searched for disagreements."""


def draw(screen: Screen) -> None:
    """Draw the page: two classes, three classes, disagreements of criteria, and two splits."""
    lab = screen.session.lab
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        st.markdown("**How mixed are the rows of a node, and what does a split take away?**")
        controls.undo_buttons()
        share(screen)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Two classes.** Drag the line, and read every measure off.")
        _picture(screen, "measures")
        _impurity_arithmetic(lab, (lab.percent, WHOLE_IN_PERCENT - lab.percent))
    with right:
        st.markdown("**Three classes.** Drag the point: each corner is one class alone.")
        _picture(screen, "simplex")
        _impurity_arithmetic(lab, lab.shares)
    _splits_head(screen)
    _disagreements(screen)
    _picture(screen, "splits")
    _splits_arithmetic(lab)


def _picture(screen: Screen, name: str) -> None:
    """Draw the picture of this name."""
    controls.draw_frame(name, state.tab().pack_picture(name, screen, state.theme()))


def _impurity_arithmetic(lab: ImpuritySettings, counts: from_counts.ClassCounts) -> None:
    """Draw the arithmetic of the chosen impurity, and of self-information, for class counts."""
    by_name = {impurity.name: impurity for impurity in impurities_for("classification")}
    impurity = by_name[lab.impurity]
    value = float(from_counts.impurities(impurity, np.array([counts]))[0])
    st.latex(impurity_line(impurity, from_counts.group_of_counts(counts), value, "p"))
    with st.expander("Self-information, KL to uniform, and H = log₂ K − KL"):
        controls.latex_lines(information_lines(counts))


def _splits_head(screen: Screen) -> None:
    """Draw how to use the picture of two splits, and the button that takes splits from Grow."""
    with st.container(horizontal=True, vertical_alignment="center", key="above_splits"):
        st.markdown(
            "**Two splits of the same rows.** Slide a class to the left or right of a split; click "
            "a measure to see its arithmetic.",
            width="content",
        )
        if "gains" not in screen.session.hidden:
            st.button(
                "Take the cut on Grow",
                help="A is the cut looked at on Grow, B its rival: the best on another feature. "
                f"For nodes of two to four classes, each of at most {MAX_CLASS_ROWS} rows",
                on_click=partial(state.act, "lab", "take"),
                disabled=two_splits(screen) in (None, screen.session.lab.splits),
            )


def _splits_arithmetic(lab: ImpuritySettings) -> None:
    """Draw the arithmetic of both splits under the chosen criterion."""
    criterion, splits = CRITERIA[lab.opened], lab.splits
    for column, name, left_counts in zip(
        st.columns(2, gap="large"), "AB", (splits.first, splits.second), strict=True
    ):
        with column:
            st.markdown(f"**{name}** by {criterion.title}")
            if 0 < sum(left_counts) < sum(splits.parent):
                controls.latex_lines(counts_arithmetic(criterion, splits.parent, left_counts))
            else:
                st.markdown("A side is empty: this is no split.")


def _disagreements(screen: Screen) -> None:
    """Draw buttons of the smallest nodes where two criteria prefer different splits."""
    lab = screen.session.lab
    first, second = (CRITERIA[name] for name in lab.between)
    pairs = [pair for n in N_CLASSES_SEARCHED for pair in _pairs(screen, first, second, n)]
    with st.container(horizontal=True, vertical_alignment="center", key="disagree"):
        st.markdown("**Where**", width="content")
        _criterion_choice(lab, 0)
        st.markdown("**and**", width="content")
        _criterion_choice(lab, 1)
        st.markdown("**disagree**, the smallest:" if pairs else "agree", width="content")
        for k, pair in enumerate(pairs):
            _example_button(pair, f"example_{k}", lab, second)
    if not pairs:
        st.markdown(
            f"On all nodes of two and three classes of up to {from_counts.MAX_ROWS} rows, tried "
            "one by one."
        )
        return
    for pair in pairs:
        if TwoSplits(*pair) == lab.splits:
            st.markdown(pair_text(first, second, pair))


def _pairs(
    screen: Screen, first: Criterion, second: Criterion, n_classes: int
) -> tuple[from_counts.Disagreement, ...]:
    """Return the smallest pairs of splits on which two criteria disagree, from the cache."""
    key = ("disagreements", first.name, second.name, n_classes)
    pairs: tuple[from_counts.Disagreement, ...] = screen.cache.get(
        key, lambda: from_counts.disagreements(first, second, n_classes)
    )
    return pairs


def _criterion_choice(lab: ImpuritySettings, index: int) -> None:
    """Draw the choice of the criterion with this index, 0 or 1, of the two that are compared."""
    controls.select(
        "Measure",
        f"between_{index}",
        lab.between[index],
        comparable_criteria(),
        lambda name: CRITERIA[name].title,
        partial(_set_criterion, lab, index),
        160,
    )


def _set_criterion(lab: ImpuritySettings, index: int, name: str) -> None:
    """Set one of the two criteria that are compared."""
    names = [*lab.between]
    names[index] = name
    state.act("lab", "set", values={"between": names})


def _example_button(
    pair: from_counts.Disagreement, key: str, lab: ImpuritySettings, criterion: Criterion
) -> None:
    """Draw the button that puts a pair of splits on the picture, with this criterion opened."""
    values = {"splits": pair._asdict(), "opened": criterion.name}
    st.button(
        " + ".join(map(str, pair.parent)),
        key=key,
        type="primary" if TwoSplits(*pair) == lab.splits else "secondary",
        help="Put it on the picture below",
        on_click=partial(state.act, "splits", "set", values=values),
    )


PAGE = PageSpec("Impurity", "impurity", draw, is_fragment=True)
