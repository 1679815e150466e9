"""Two screens side by side: what tells them apart, how good each is, its stage and its tree."""

from __future__ import annotations

import streamlit as st

from dtviz.figures.forks import tips_shown
from dtviz.screen.beside import told_apart
from dtviz.screen.screen import Screen
from dtviz.ui import state
from dtviz.ui.asked import asked
from dtviz.ui.controls import sentence
from dtviz.ui.pictures import draw_stage, draw_tree


def sides(screen: Screen, theirs: Screen) -> None:
    """Draw both screens; what is pointed at on one is lit on the other."""
    names, hidden = told_apart(screen.session, screen.future), screen.session.hidden
    for one, name in zip((screen, theirs), names, strict=True):
        with st.container(key=f"side_{_which(one)}", gap="xsmall"):
            _head(one, name, names[0])
            if "why" not in hidden or "split" not in hidden:
                asked(one)
            draw_stage(one)
            draw_tree(one)


def _which(screen: Screen) -> str:
    return "other" if screen.mark else "own"


def _head(screen: Screen, name: str, first: str) -> None:
    """What it has that the other has not, its score, and what ends the comparison with it alone.

    The other can be closed: then the `first` stays.
    """
    tip, *_ = tips_shown(screen)
    key = f"head_{_which(screen)}"
    with st.container(key=key, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{sentence(name)}** :small[{sentence(tip['said'])}]", width="stretch")
        _end("Keep this", f"keep_{_which(screen)}", "check", f"{name} stays alone", screen.mark)
        if screen.mark:
            _end("Close", "close_beside", "close", f"Ends the comparison: {first} stays", "")


def _end(label: str, key: str, icon: str, about: str, mark: str) -> None:
    """A button that ends the comparison; the other screen stays where it is marked."""
    st.button(
        label,
        key=key,
        icon=f":material/{icon}:",
        help=sentence(about),
        on_click=state.act,
        args=("beside", "keep"),
        kwargs={"other": bool(mark)},
    )
