"""Overfit: depth, leaf size and pruning against the error on rows that were held out."""

from __future__ import annotations

import streamlit as st

from dtviz.screen.judged import too_many_rows, whole_work, works
from dtviz.screen.screen import Screen
from dtviz.screen.session import MOST_ONE_OUT
from dtviz.screen.verdict import verdict
from dtviz.ui import controls, state
from dtviz.ui.controls import sentence
from dtviz.ui.dials import head
from dtviz.ui.overfit_panels import panels
from dtviz.ui.page import PageSpec
from dtviz.ui.slicing import slice_words
from dtviz.ui.view import carry, view
from dtviz.ui.work import work


def draw(screen: Screen) -> None:
    """Draw the page."""
    session = screen.session
    controls.narration(session)
    grown = whole_work(session, screen.data, screen.keep)
    if grown is not None and work(grown) is None:
        return
    above, sentences, cockpit = st.container(), st.container(key="why"), st.container()
    with st.container(key="progress"):
        _work(screen)
    with cockpit:  # first of all, so that it is on screen while the rest is drawn
        _cockpit(screen)
    if "why" not in session.hidden:
        sentences.markdown(sentence(verdict(screen)))
    with above:
        head(screen)
    if "panels" not in session.hidden:
        panels(screen)
    controls.show_notes(screen.data.notes)


def _work(screen: Screen) -> None:
    """Go on with the curve, then with its folds."""
    for one in works(screen.judged):
        if work(one) is None:
            return
    if too_many_rows(screen.judged):
        st.caption(f"Leave one out is for at most {MOST_ONE_OUT} training rows; choose folds.")


def _cockpit(screen: Screen) -> None:
    """Pictures, curve and sliders; what is done there becomes the setting."""
    tab, theme = state.tab(), state.theme()
    carry("points", tab.parcel("rows", screen, theme))
    view("overfit", tab.parcel("overfit", screen, theme))
    if words := slice_words(screen):
        crosses = " Crosses count all features." if screen.data.classes else ""
        st.caption(sentence(words + crosses))


PAGE = PageSpec("Overfit", "overfit", draw, alone=True)
