"""The sentence over the stage, and beside it the button that makes the cut looked at."""

from __future__ import annotations

from contextlib import nullcontext

import streamlit as st

from dtviz.screen.screen import Screen
from dtviz.screen.why import where, why
from dtviz.ui import state, still
from dtviz.ui.controls import sentence

FIRST = (
    "**Why does the first cut go here?** Drag the line: the curves tell what any other would gain, "
    "and *Split here* makes yours. A decision tree grows by asking this again on each side."
)


def asked(screen: Screen) -> None:
    """Draw both; of two screens side by side each has its own."""
    hidden, look = screen.session.hidden, screen.look
    split, end = look.cuts.split(look.cut) if look.cut is not None else None, _end(screen)
    with st.container(horizontal=True, vertical_alignment="center", key=f"asked{end}"):
        if "why" not in hidden:
            first = state.is_first()
            told = FIRST if first else f"**{where(screen)}.** {sentence(why(screen))}"
            with st.container(key="first") if first else nullcontext():
                st.markdown(told, width="stretch")
        if "split" not in hidden:
            has = screen.tree.splits.get(screen.node)
            st.button(
                "Split here" if has is None else "Split here instead",
                key=f"split_here{end}",
                icon=":material/call_split:",
                type="primary" if screen.prefers_own else "secondary",
                disabled=split is None or split == has,
                on_click=_split_here,
                args=(screen.stamp, bool(screen.mark)),
            )


def _end(screen: Screen) -> str:
    """What the keys of the other of two screens end in."""
    return "_beside" if screen.mark else ""


def _split_here(stamp: str, beside: bool) -> None:
    state.act("grow", "split", stamp=stamp, beside=beside)
    still.follow()
