"""Two screens side by side: what tells them apart, how good each is, its stage and its tree."""

from __future__ import annotations

import streamlit as st

from dtviz.figures.forks import tips_shown
from dtviz.screen.beside import told_apart
from dtviz.screen.screen import Screen
from dtviz.ui import state
from dtviz.ui.controls import sentence
from dtviz.ui.pictures import draw_stage, draw_tree


def sides(screen: Screen, theirs: Screen) -> None:
    """Draw both screens; what is pointed at on one is lit on the other."""
    names = told_apart(screen.session, screen.future)
    for one, name in zip((screen, theirs), names, strict=True):
        with st.container(key=f"side_{'other' if one.mark else 'own'}", gap="xsmall"):
            _head(one, name)
            draw_stage(one)
            draw_tree(one)


def _head(screen: Screen, name: str) -> None:
    """What it has that the other has not, its score, and the button that ends the comparison."""
    which, (tip, *_) = bool(screen.mark), tips_shown(screen)
    key = f"head_{'other' if which else 'own'}"
    with st.container(key=key, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{sentence(name)}** :small[{sentence(tip['said'])}]", width="stretch")
        st.button(
            "Keep this",
            key=f"keep_{'other' if which else 'own'}",
            icon=":material/check:",
            on_click=state.act,
            args=("beside", "keep"),
            kwargs={"other": which},
        )
