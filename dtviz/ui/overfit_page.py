"""Overfit: depth, leaf size and pruning against the error on rows that were held out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from dtviz.engine.rules import Rules
from dtviz.engine.search import Floats
from dtviz.figures.frame import pack
from dtviz.figures.kinds import Cockpit, Overfit
from dtviz.figures.overfit import curve_frame, pictures_frame
from dtviz.figures.scene import sliced
from dtviz.judge.axes import AXES, value_text
from dtviz.judge.curves import Curve, best, curve, fold_errors, mean_and_error, one_standard_error
from dtviz.screen.screen import Screen, short_name
from dtviz.screen.session import MAX_SAY, MOST_ONE_OUT, ONE_OUT, Session
from dtviz.text import count, markdown, number
from dtviz.ui import controls, state
from dtviz.ui.controls import sentence
from dtviz.ui.dials import dials, head
from dtviz.ui.judge import Judged, asked, grower, judged, picture
from dtviz.ui.overfit_panels import panels
from dtviz.ui.page import PageSpec
from dtviz.ui.view import carry, view
from dtviz.ui.work import work

TITLES = (("Training", False), ("Held out", True))


def draw(screen: Screen) -> None:
    """Draw the page."""
    session = screen.session
    found = judged(session, screen.data)
    if session.say:
        with st.container(key="say"):
            st.markdown(markdown(session.say, MAX_SAY))
    above, sentences, cockpit = st.container(), st.container(key="why"), st.container()
    with st.container(key="progress"):
        along, folded = _curve(session, found), None
        if along is not None:
            folded = _folded(session, found, along)
    words = "" if "why" in session.hidden else _words(session, found, along, folded)
    with cockpit:  # first of all, so that it is on screen while the rest is drawn
        _cockpit(screen, found, along, folded, words)
    if words:
        sentences.markdown(sentence(words))
    with above:
        head(screen)
    if "panels" not in session.hidden:
        panels(screen, found, along, folded)
    controls.show_notes(screen)


def _cockpit(
    screen: Screen, found: Judged, along: Curve | None, folded: Floats | None, said: str
) -> None:
    """Pictures, curve and sliders; what is done there becomes the setting; `said` is spoken."""
    session = screen.session
    shown = picture(session, found)
    name = short_name(session.recipe, shown.axes)
    carry("points", state.tab().cloud(screen.data, session.recipe, shown.axes))
    cockpit: Cockpit = {"say": said}
    if along is not None:
        at, folds = _place(session, found, along), _folds_name(session, found)
        cockpit["curve"] = curve_frame(along, at, _now(session, found, along), folds, folded)
    if "settings" not in session.hidden:
        cockpit["dials"] = dials(screen, found)
    frame: Overfit = {
        **pictures_frame(shown, name, TITLES),
        **cockpit,
        "stamp": short_name(session, state.theme().dark),
    }
    view("overfit", pack("overfit", frame))
    if words := sliced(screen.data, shown.axes):
        crosses = " Crosses count all features." if screen.data.classes else ""
        st.caption(sentence(words + crosses))


def _curve(session: Session, found: Judged) -> Curve | None:
    """The curve of the axis chosen; None while it is under way."""
    axis = AXES[session.judging.against]
    grow, values = grower(session, found.training), axis.values(found.nodes, session.rules)
    return work(
        asked("curve", session, _without(session), axis.name, values),
        lambda: curve(grow, session.rules, axis, found.training, found.held),
        f"One tree for each {axis.title.lower()}",
    )


def _folded(session: Session, found: Judged, along: Curve) -> Floats | None:
    """The errors of the folds along the curve; None without folds and while they are under way."""
    folds, training = session.judging.folds, found.training
    many = training.n if folds == ONE_OUT else folds
    if folds == ONE_OUT and training.n > MOST_ONE_OUT:
        st.caption(f"Leave one out is for at most {MOST_ONE_OUT} training rows; choose folds.")
        return None
    if not folds or training.n < 2:
        return None
    return work(
        asked("folds", session, _without(session), along.axis.name, along.values, folds),
        lambda: fold_errors(training, session.rules, along.axis, along.values, many),
        _folds_name(session, found).capitalize(),
    )


def _without(session: Session) -> Rules:
    """The rules as a curve depends on them: whatever the value of the one it varies.

    The order of growing matters to max_leaf_nodes only.
    """
    axis = AXES[session.judging.against]
    usual: dict[str, Any] = {axis.rule: getattr(Rules(), axis.rule)}
    rules = replace(session.rules, **usual)
    return rules if rules.max_leaf_nodes else replace(rules, order=Rules().order)


def _place(session: Session, found: Judged, along: Curve) -> int | None:
    """Where on the curve the tree on screen stands, if it does."""
    own = getattr(session.rules, along.axis.rule)
    if found.prunes:
        return None
    if not along.axis.one_tree:
        return along.values.index(own) if own in along.values else None
    same = np.flatnonzero((along.stays == found.stays).all(axis=1)).tolist()
    exact = [at for at in same if along.values[at] == own]
    return next(iter(exact or same), None)


def _now(session: Session, found: Judged, along: Curve) -> str:
    """The setting in words: 'max_depth 3, 2 prunes'."""
    own = getattr(session.rules, along.axis.rule)
    rule = f"{along.axis.rule} {value_text(own)}"
    return rule + (f", {count(len(found.prunes), 'prune')}" if found.prunes else "")


def _folds_name(session: Session, found: Judged) -> str:
    folds = session.judging.folds
    return "leave-one-out mean" if folds == ONE_OUT else f"{min(folds, found.training.n)}-fold mean"


def _words(session: Session, found: Judged, along: Curve | None, folded: Floats | None) -> str:
    """What the error does from the training rows to the others, and what the folds favour."""
    said = _gap(found)
    if along is None or folded is None:
        return said
    mean, error = mean_and_error(folded)
    axis = along.axis
    low, simple = best(axis, mean), one_standard_error(axis, mean, error)
    said += f" The {_folds_name(session, found)} is least at {axis.rule}"
    said += f" {value_text(along.values[low])} (★)"
    if low == simple:
        return f"{said}; no simpler tree is within one standard error."
    return (
        f"{said}; the simplest within one standard error is {value_text(along.values[simple])} (◆)."
    )


def _gap(found: Judged) -> str:
    training, held = found.errors
    leaves = count(int(found.stays.sum()) + 1, "leaf")
    if found.held is None:
        return "One row leaves none to hold out: choose data with more rows."
    if found.data.classes:
        texts = f"{number(100 * training, 3)} %", f"{number(100 * held, 3)} %"
        return f"{leaves}: {texts[0]} of the training rows are wrong, {texts[1]} held out."
    return (
        f"{leaves}: squared error {number(training)} on the training rows, {number(held)} held out."
    )


PAGE = PageSpec("Overfit", "overfit", draw, alone=True)
