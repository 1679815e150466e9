"""Impurity: the measures over shares, two splits compared under all, and where they disagree."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from dtviz.engine.counts import group_of_counts, impurities
from dtviz.engine.criteria import CRITERIA, Criterion, criteria_for, impurities_for
from dtviz.engine.disagree import LARGEST, Counts, Disagreement, disagreements
from dtviz.say.arithmetic import counts_arithmetic, impurity_line, information_lines
from dtviz.say.compared import pair_text
from dtviz.screen.lab import PERCENT, Lab
from dtviz.screen.screen import Screen
from dtviz.ui import state
from dtviz.ui.page import PageSpec
from dtviz.ui.view import view
from dtviz.ui.worked import worked


def draw(screen: Screen) -> None:
    """Draw the page."""
    lab = screen.session.lab
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Two classes.** Drag the line: how mixed are two classes at these shares?")
        _picture(screen, "measures")
        _shares(lab, (lab.percent, PERCENT - lab.percent))
    with right:
        st.markdown("**Three classes.** Drag the point: each corner is one class alone.")
        _picture(screen, "simplex")
        _shares(lab, lab.shares)
    st.markdown(
        "**Two splits of the same rows.** Slide a class to the left or right of a split; click a "
        "measure to see its arithmetic."
    )
    _picture(screen, "splits")
    _splits(lab)
    _disagreements(screen)


def _picture(screen: Screen, name: str) -> None:
    view(name, state.tab().frame(name, screen, state.theme()))


def _shares(lab: Lab, counts: Counts) -> None:
    """The impurity looked at, and the information, worked out with these counts."""
    known = {one.name: one for one in impurities_for("classification")}
    impurity = known[lab.impurity]
    value = float(impurities(impurity, np.array([counts]))[0])
    st.latex(impurity_line(impurity, group_of_counts(counts), value, "p"))
    with st.expander("Self-information, KL to uniform, and H = log₂ K − KL"):
        worked(information_lines(counts))


def _splits(lab: Lab) -> None:
    """The arithmetic of both splits under the criterion that is opened."""
    criterion, two = CRITERIA[lab.opened], lab.splits
    for place, name, left in zip(
        st.columns(2, gap="large"), "AB", (two.first, two.second), strict=True
    ):
        with place:
            st.markdown(f"**{name}** by {criterion.title}")
            if 0 < sum(left) < sum(two.parent):
                worked(counts_arithmetic(criterion, two.parent, left))
            else:
                st.markdown("A side is empty: this is no split.")


def _disagreements(screen: Screen) -> None:
    """The smallest tables of counts on which two criteria prefer different splits."""
    lab = screen.session.lab
    one, other = (CRITERIA[name] for name in lab.between)
    st.markdown("**Where measures disagree**: the smallest nodes and splits, found by search.")
    with st.container(horizontal=True, vertical_alignment="center"):
        _criterion(lab, 0)
        st.markdown("against", width="content")
        _criterion(lab, 1)
    for place, classes in zip(st.columns(2, gap="large"), (2, 3), strict=True):
        with place:
            key = ("disagreements", lab.between, classes)
            found = screen.keep.get(key, partial(disagreements, one, other, classes))
            if not found:
                st.markdown(
                    f"With {classes} classes they agree on all nodes of up to {LARGEST} rows."
                )
            for k, example in enumerate(found):
                _example(one, other, example, f"{classes}_{k}")


def _criterion(lab: Lab, place: int) -> None:
    """Which criterion is compared."""
    key = f"between_{place}"
    st.session_state[key] = lab.between[place]
    st.selectbox(
        "Measure",
        [name for name in criteria_for("classification") if CRITERIA[name].exact is not None],
        key=key,
        format_func=lambda name: CRITERIA[name].title,
        label_visibility="collapsed",
        width=180,
        on_change=_between,
    )


def _between() -> None:
    pair = [st.session_state.get(f"between_{place}") for place in (0, 1)]
    state.act("lab", "set", values={"between": pair})


def _example(one: Criterion, other: Criterion, found: Disagreement, key: str) -> None:
    """A pair of splits in words, and the button that puts it on the picture above."""
    button, words = st.columns([1, 6], vertical_alignment="center")
    button.button(
        "Show",
        key=f"example_{key}",
        help="Put it on the picture above",
        on_click=state.act,
        args=("splits", "set"),
        kwargs={"values": {"splits": found._asdict(), "opened": other.name}},
    )
    words.markdown(pair_text(one, other, found))


PAGE = PageSpec("Impurity", "impurity", draw, alone=True)
