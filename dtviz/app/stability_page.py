"""Stability: what becomes of the tree without a row, without some, or on rows drawn anew."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dtviz.app import controls, settings, state
from dtviz.app.controls import carry, sentence, view
from dtviz.app.overfit_page import SEEDS
from dtviz.app.page import PageSpec
from dtviz.app.runs import work
from dtviz.app.share import share
from dtviz.app.stage import slice_words
from dtviz.app.state import choice_args, control_args
from dtviz.base.text import markdown
from dtviz.data.recipes import title_of
from dtviz.evaluate.stability import MOST_PERCENT, MOST_TREES, WAYS, Shaken, trees_of
from dtviz.pictures.overfit import with_own
from dtviz.pictures.stability import grown, trees_work, works
from dtviz.pictures.tree_overlay import Drawn
from dtviz.session.derived_data import can_open, opened, sample_recipe
from dtviz.session.headlines import bounds, summary
from dtviz.session.screen import Screen

TREES = (25, 50, 100, 200, MOST_TREES)


def draw(screen: Screen) -> None:
    """Draw the page."""
    session = screen.session
    controls.narration(session)
    _head(screen)
    with st.container(key="why"):
        said = st.container(key="steady")
    pictures = st.container()
    caption, progress = st.container(), st.container(key="progress")
    if screen.data.n < 2 and WAYS[session.shake.way].each:
        st.markdown("One row leaves none to grow a tree on: choose data with more rows.")
        return
    tab, theme = state.tab(), state.theme()
    with progress:
        found = _work(screen)
        carry("points", tab.parcel("plain", screen, theme))
        if found is not None:
            carry("trees", tab.parcel("layer", screen, theme))
    with pictures:
        view("stability", tab.parcel("stability", screen, theme))
    if "why" not in session.hidden:
        words = "" if found is None else summary(screen.data, session.shake, found[0])
        said.markdown(sentence(words or "The trees are growing."))
    if found is not None:
        shaken, drawn = found
        caption.caption(sentence(_caption(screen, shaken, drawn)))
    controls.show_notes(screen.data.notes)


def _work(screen: Screen) -> tuple[Shaken, Drawn] | None:
    """Go on with the trees, then with their cuts; those of other settings are let go."""
    wanted = trees_work(screen)
    state.tab().forget(lambda asked: asked[0] == "shaken" and asked != wanted.asked)
    state.tab().forget(lambda asked: asked[0] == "layer" and asked[1] != wanted.asked)
    for one in works(screen):
        if work(one) is None:
            return None
    return grown(screen)


def _caption(screen: Screen, found: Shaken, drawn: Drawn) -> str:
    data, shake = screen.data, screen.session.shake
    rings = "without the row" if WAYS[shake.way].each else "at the row"
    said = [
        "Lines: the cuts of the full tree, and of the others the darker the more have them. "
        f"Rings: the larger, the more changes {rings}.",
        bounds(data, screen.session.rules, shake, found, len(drawn.some) - 1),
        slice_words(screen),
    ]
    return " ".join(filter(None, said))


# --- controls -------------------------------------------------------------------------------------


def _head(screen: Screen) -> None:
    """Title, the way, what it asks for, undo and redo."""
    shake, way = screen.session.shake, WAYS[screen.session.shake.way]
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="shaking"):
        st.markdown(f"**{markdown(title_of(screen.session.recipe))}**", width="content")
        if "settings" in screen.session.hidden:
            return
        st.segmented_control(
            "Which rows",
            [*WAYS],
            format_func=lambda name: WAYS[name].title,
            required=True,
            label_visibility="collapsed",
            **control_args("shake_way", shake.way, partial(_set, "way"), "default"),
        )
        if way.percent:
            st.slider(
                "Left out",
                1,
                MOST_PERCENT,
                format="%d %% left out",
                label_visibility="collapsed",
                width=150,
                **control_args("shake_percent", shake.percent, partial(_set, "percent")),
            )
        if way.drawn:
            st.selectbox(
                "Trees",
                format_func=lambda trees: f"{trees} trees",
                label_visibility="collapsed",
                width=120,
                **choice_args(
                    "shake_trees",
                    shake.trees,
                    partial(_set, "trees"),
                    with_own(TREES, shake.trees, str),
                ),
            )
        with st.container(horizontal=True, width="content", gap="small", key="more"):
            if way.drawn or trees_of(screen.data, screen.session.rules, shake) < screen.data.n:
                _again(shake.seed)
            _open(screen)
            settings.popover(screen)
            controls.undo_buttons()
            if not screen.session.hidden:
                share(screen)


def _again(seed: int) -> None:
    """The button that draws other rows."""
    st.button(
        "Draw again",
        key="shake_again",
        icon=":material/casino:",
        help="Draw again: other rows",
        on_click=state.act,
        args=("stability", "set"),
        kwargs={"values": {"seed": (seed + 1) % SEEDS}},
    )


def _open(screen: Screen) -> None:
    """The button that opens the tree looked at in Grow, on its own rows."""
    session = screen.session
    if st.button(
        "Open in Grow",
        key="open",
        icon=":material/account_tree:",
        help="The tree that was clicked, on its own rows",
        disabled=not can_open(session, screen.data),
    ):
        own = sample_recipe(session.recipe, session.rules, session.shake)
        state.set_session(opened(session, state.tab().future(own)))
        st.switch_page("pages/grow.py")


def _set(name: str, value: object) -> None:
    state.act("stability", "set", values={name: value})


PAGE = PageSpec("Stability", "stability", draw, is_fragment=True)
