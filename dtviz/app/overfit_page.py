"""Overfit: depth, leaf size and pruning against the error on held-out rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from dtviz.app import controls, settings, state
from dtviz.app.controls import draw_frame, send_frame, sentence
from dtviz.app.overfit_panels import panels
from dtviz.app.page import PageSpec
from dtviz.app.runs import work
from dtviz.app.share import share
from dtviz.app.stage import slice_caption
from dtviz.app.state import choice_args, control_args
from dtviz.base.text import markdown, number
from dtviz.data.recipes import title_of
from dtviz.data.train_test import Role
from dtviz.evaluate.curves import AXES
from dtviz.explain.words import SETTINGS
from dtviz.pictures.overfit import with_present_value
from dtviz.session.headlines import overfit_headline
from dtviz.session.overfit import full_tree_work, overfit_works, too_many_rows
from dtviz.session.screen import Screen
from dtviz.session.session import LEAVE_ONE_OUT, MAX_FOLDS, MAX_ROWS_LEFT_OUT

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
FOLDS = (0, *range(2, MAX_FOLDS + 1))
ROLE_HELP: dict[Role, str] = {
    "validation": "Rows to choose a tree by; test rows, if there are any, tell at the end what it "
    "is worth",
    "test": "Rows that tell what a tree is worth that was not chosen by them: choose by the folds, "
    "or give validation rows",
}
SEEDS = 10**9  # the seeds of Judging are below


def head(screen: Screen) -> None:
    """Draw the title, the held-out share, folds, the curve's axis, undo and redo."""
    judging = screen.session.judging
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="judging"):
        st.markdown(f"**{markdown(title_of(screen.session.recipe))}**", width="content")
        if "settings" in screen.session.hidden:
            return
        with st.container(
            horizontal=True, width="content", gap="small", vertical_alignment="center"
        ):
            _held_out(screen)
            _box("folds", judging.folds, "Folds", _folds(screen), _fold_name)
        _axis(judging.against)
        with st.container(horizontal=True, width="content", gap="small", key="more"):
            settings.popover(screen)
            controls.undo_buttons()
            if not screen.session.hidden:
                share(screen)


def _held_out(screen: Screen) -> None:
    """Draw the choice of the held-out share; in words where the table itself names these rows."""
    judging, judged = screen.session.judging, screen.judged
    if judged.role is not None:
        st.markdown(f"Judged on {judged.held_words}", help=ROLE_HELP[judged.role], width="content")
        return
    shares = with_present_value(SHARES, judging.share, _share_name)
    _box("share", judging.share, "Held out", shares, _share_name)
    st.button(
        "Draw again",
        key="draw_again",
        icon=":material/casino:",
        help="Draw again: hold out other rows",
        on_click=_judge,
        args=("seed", (judging.seed + 1) % SEEDS),
    )


def _axis(against: str) -> None:
    st.segmented_control(
        "Error against",
        [*AXES],
        format_func=lambda name: SETTINGS[AXES[name].rule].title,
        required=True,
        label_visibility="collapsed",
        **control_args("judge_against", against, partial(_judge, "against"), "default"),
    )


def _folds(screen: Screen) -> list[int]:
    n_rows, current = screen.judged.training.n, screen.session.judging.folds
    options = (
        [*FOLDS] if current == LEAVE_ONE_OUT else with_present_value(FOLDS, current, _fold_name)
    )
    if n_rows <= MAX_ROWS_LEFT_OUT or current == LEAVE_ONE_OUT:
        return [*options, LEAVE_ONE_OUT]
    return options


def _share_name(share: float) -> str:
    return f"{number(100 * share, 3)} % held out"


def _fold_name(folds: int) -> str:
    return {0: "no folds", LEAVE_ONE_OUT: "leave one out"}.get(folds, f"{folds} folds")


def _box(name: str, value: Any, label: str, options: Sequence[Any], text: Any) -> None:
    st.selectbox(
        label,
        format_func=text,
        label_visibility="collapsed",
        width=145,
        **choice_args(f"judge_{name}", value, partial(_judge, name), options),
    )


def _judge(name: str, value: object) -> None:
    state.act("judging", "judge", values={name: value})


def draw(screen: Screen) -> None:
    """Draw the page."""
    session = screen.session
    controls.narration(session)
    grown = full_tree_work(session, screen.data, screen.cache)
    if grown is not None and work(grown) is None:
        return
    above, sentences, cockpit = st.container(), st.container(key="why"), st.container()
    with st.container(key="progress"):
        _work(screen)
    with cockpit:  # before the rest, so that it is on screen while that is drawn
        _cockpit(screen)
    if "why" not in session.hidden:
        sentences.markdown(sentence(overfit_headline(screen)))
    with above:
        head(screen)
    if "panels" not in session.hidden:
        panels(screen)
    controls.show_notes(screen.data.notes)


def _work(screen: Screen) -> None:
    """Run a slice of the curve, then of its folds."""
    for part in overfit_works(screen.judged):
        if work(part) is None:
            return
    if too_many_rows(screen.judged):
        st.caption(f"Leave one out is for at most {MAX_ROWS_LEFT_OUT} training rows; choose folds.")


def _cockpit(screen: Screen) -> None:
    """Draw the cockpit: pictures, curve and sliders; events on it change the settings."""
    tab, theme = state.tab(), state.theme()
    send_frame("points", tab.pack_picture("rows", screen, theme))
    draw_frame("overfit", tab.pack_picture("overfit", screen, theme))
    if words := slice_caption(screen):
        crosses = " Crosses count all features." if screen.data.classes else ""
        st.caption(sentence(words + crosses))


PAGE = PageSpec("Overfit", "overfit", draw, is_fragment=True)
