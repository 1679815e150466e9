"""The controls of Overfit: what is held out, the folds, the curve's axis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from dtviz.figures.dials import with_own
from dtviz.judge.axes import AXES
from dtviz.say.settings import SETTINGS
from dtviz.screen.screen import Screen
from dtviz.screen.session import MOST_FOLDS, MOST_ONE_OUT, ONE_OUT
from dtviz.table.held import Role
from dtviz.table.origins import title_of
from dtviz.text import markdown, number
from dtviz.ui import controls, settings, state
from dtviz.ui.bound import bound, chosen
from dtviz.ui.share import share

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
FOLDS = (0, *range(2, MOST_FOLDS + 1))
HELD: dict[Role, str] = {
    "validation": "Rows to choose a tree by; test rows, if there are any, tell at the end what it "
    "is worth",
    "test": "Rows that tell what a tree is worth that was not chosen by them: choose by the folds, "
    "or give validation rows",
}
SEEDS = 10**9  # Judging takes none above


def head(screen: Screen) -> None:
    """Title, held-out share, folds, the curve's axis, undo and redo."""
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
            controls.back_and_forth()
            if not screen.session.hidden:
                share(screen)


def _held_out(screen: Screen) -> None:
    """The share held out and its draw; in words where the table says which rows these are."""
    judging, found = screen.session.judging, screen.judged
    if found.role is not None:
        st.markdown(f"Judged on {found.held_words}", help=HELD[found.role], width="content")
        return
    shares = with_own(SHARES, judging.share, _share_name)
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
        format_func=lambda name: SETTINGS[AXES[name].rule].words,
        required=True,
        label_visibility="collapsed",
        **bound("judge_against", against, partial(_judge, "against"), "default"),
    )


def _folds(screen: Screen) -> list[int]:
    rows, own = screen.judged.training.n, screen.session.judging.folds
    some = [*FOLDS] if own == ONE_OUT else with_own(FOLDS, own, _fold_name)
    return [*some, ONE_OUT] if rows <= MOST_ONE_OUT or own == ONE_OUT else some


def _share_name(share: float) -> str:
    return f"{number(100 * share, 3)} % held out"


def _fold_name(folds: int) -> str:
    return {0: "no folds", ONE_OUT: "leave one out"}.get(folds, f"{folds} folds")


def _box(name: str, value: Any, label: str, options: Sequence[Any], text: Any) -> None:
    st.selectbox(
        label,
        format_func=text,
        label_visibility="collapsed",
        width=145,
        **chosen(f"judge_{name}", value, partial(_judge, name), options),
    )


def _judge(name: str, value: object) -> None:
    state.act("judging", "judge", values={name: value})
