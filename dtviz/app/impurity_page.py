"""Impurity: the measures over shares, two splits compared under all, and where they disagree."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from dtviz.app import controls, state
from dtviz.app.controls import latex_lines, view
from dtviz.app.page import PageSpec
from dtviz.app.share import share
from dtviz.app.state import choice_args
from dtviz.engine.criteria.criteria import CRITERIA, Criterion, impurities_for
from dtviz.engine.criteria.from_counts import (
    LARGEST,
    Counts,
    Disagreement,
    disagreements,
    group_of_counts,
    impurities,
)
from dtviz.explain.why import counts_arithmetic, impurity_line, information_lines, pair_text
from dtviz.session.cuts import two_cuts
from dtviz.session.impurity import MOST_ROWS, PERCENT, Lab, TwoSplits, comparable
from dtviz.session.screen import Screen

SEARCHED = (2, 3)
"""Classes of the nodes that are searched for disagreements."""


def draw(screen: Screen) -> None:
    """Draw the page."""
    lab = screen.session.lab
    controls.narration(screen.session)
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        st.markdown("**How mixed are the rows of a node, and what does a split take away?**")
        controls.undo_buttons()
        if not screen.session.hidden:
            share(screen)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Two classes.** Drag the line, and read every measure off.")
        _picture(screen, "measures")
        _shares(lab, (lab.percent, PERCENT - lab.percent))
    with right:
        st.markdown("**Three classes.** Drag the point: each corner is one class alone.")
        _picture(screen, "simplex")
        _shares(lab, lab.shares)
    _above_splits(screen)
    _disagreements(screen)
    _picture(screen, "splits")
    _splits(lab)


def _picture(screen: Screen, name: str) -> None:
    view(name, state.tab().parcel(name, screen, state.theme()))


def _shares(lab: Lab, counts: Counts) -> None:
    """The impurity looked at, and the information, worked out with these counts."""
    known = {one.name: one for one in impurities_for("classification")}
    impurity = known[lab.impurity]
    value = float(impurities(impurity, np.array([counts]))[0])
    st.latex(impurity_line(impurity, group_of_counts(counts), value, "p"))
    with st.expander("Self-information, KL to uniform, and H = log₂ K − KL"):
        latex_lines(information_lines(counts))


def _above_splits(screen: Screen) -> None:
    """What to do with the splits, and the ways to other ones."""
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
                f"For nodes of two to four classes, each of at most {MOST_ROWS} rows",
                on_click=state.act,
                args=("lab", "take"),
                disabled=two_cuts(screen) in (None, screen.session.lab.splits),
            )


def _splits(lab: Lab) -> None:
    """The arithmetic of both splits under the criterion that is opened."""
    criterion, two = CRITERIA[lab.opened], lab.splits
    for place, name, left in zip(
        st.columns(2, gap="large"), "AB", (two.first, two.second), strict=True
    ):
        with place:
            st.markdown(f"**{name}** by {criterion.title}")
            if 0 < sum(left) < sum(two.parent):
                latex_lines(counts_arithmetic(criterion, two.parent, left))
            else:
                st.markdown("A side is empty: this is no split.")


def _disagreements(screen: Screen) -> None:
    """The smallest nodes on which two criteria prefer different splits; a click puts one there."""
    lab = screen.session.lab
    one, other = (CRITERIA[name] for name in lab.between)
    found = [pair for classes in SEARCHED for pair in _found(screen, one, other, classes)]
    with st.container(horizontal=True, vertical_alignment="center", key="disagree"):
        st.markdown("**Where**", width="content")
        _criterion(lab, 0)
        st.markdown("**and**", width="content")
        _criterion(lab, 1)
        st.markdown("**disagree**, the smallest:" if found else "agree", width="content")
        for k, pair in enumerate(found):
            _example(pair, f"example_{k}", lab, other)
    if not found:
        st.markdown(
            f"On all nodes of two and three classes of up to {LARGEST} rows, tried one by one."
        )
        return
    for pair in found:
        if TwoSplits(*pair) == lab.splits:
            st.markdown(pair_text(one, other, pair))


def _found(
    screen: Screen, one: Criterion, other: Criterion, classes: int
) -> tuple[Disagreement, ...]:
    """The pairs of so many classes, searched for once."""
    key = ("disagreements", one.name, other.name, classes)
    pairs: tuple[Disagreement, ...] = screen.keep.get(
        key, lambda: disagreements(one, other, classes)
    )
    return pairs


def _criterion(lab: Lab, place: int) -> None:
    """Which criterion is compared."""
    st.selectbox(
        "Measure",
        format_func=lambda name: CRITERIA[name].title,
        label_visibility="collapsed",
        width=160,
        **choice_args(
            f"between_{place}", lab.between[place], partial(_between, lab, place), comparable()
        ),
    )


def _between(lab: Lab, place: int, chosen: str) -> None:
    pair = [chosen if at == place else own for at, own in enumerate(lab.between)]
    state.act("lab", "set", values={"between": pair})


def _example(pair: Disagreement, key: str, lab: Lab, other: Criterion) -> None:
    """The button that puts a pair on the picture below."""
    st.button(
        " + ".join(map(str, pair.parent)),
        key=key,
        type="primary" if TwoSplits(*pair) == lab.splits else "secondary",
        help="Put it on the picture below",
        on_click=state.act,
        args=("splits", "set"),
        kwargs={"values": {"splits": pair._asdict(), "opened": other.name}},
    )


PAGE = PageSpec("Impurity", "impurity", draw, is_fragment=True)
