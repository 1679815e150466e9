"""Grow: the tree step by step, and why each split is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dtviz.app import controls, partial_runs, settings, state
from dtviz.app.cards import picker
from dtviz.app.controls import sentence
from dtviz.app.page import PageSpec
from dtviz.app.panels import panels
from dtviz.app.partial_runs import asked, note
from dtviz.app.runs import feed, work
from dtviz.app.share import share
from dtviz.app.stage import draw_ahead, draw_line, draw_stage, draw_tree, slice_boxes
from dtviz.app.state import bound, chosen
from dtviz.base.text import clean, markdown
from dtviz.data.recipes import title_of
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.pictures.tree_graph import tips_shown
from dtviz.session.branches import Tips, compared, tips_work, told_apart
from dtviz.session.jobs import Work
from dtviz.session.screen import Screen
from dtviz.session.tour import TOURS

AT_HAND = 3
OPEN = "settings"


def criteria(screen: Screen) -> None:
    """The criteria that lectures compare, to be switched at once, with the one in use."""
    own = screen.session.rules.criterion
    some = [*dict.fromkeys([*criteria_of(screen.data)[:AT_HAND], own])]
    st.segmented_control(
        "Criterion",
        some,
        format_func=lambda name: CRITERIA[name].title,
        required=True,
        label_visibility="collapsed",
        **bound("criterion_at_hand", own, lambda name: settings.choose(criterion=name), "default"),
    )


def is_open() -> bool:
    """Whether the drawer is out."""
    return bool(st.session_state.get(OPEN))


def button() -> None:
    """What opens the drawer, and shuts it."""
    st.button(
        "Settings",
        icon=":material/tune:",
        key="drawer_button",
        type="tertiary" if not is_open() else "secondary",
        on_click=_put,
        args=(not is_open(),),
    )


def draw_drawer(screen: Screen) -> None:
    """All settings, beside the stage."""
    with st.container(key="drawer"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Settings**", width="stretch")
            st.button(
                "Close",
                icon=":material/close:",
                key="drawer_shut",
                type="tertiary",
                on_click=_put,
                args=(False,),
            )
        settings.boxes(screen)
        st.button(
            "Compare with these settings",
            key="compare_settings",
            icon=":material/splitscreen_vertical_add:",
            help="They stay on a second screen beside the ones you choose next",
            disabled=screen.beside is not None,
            on_click=state.act,
            args=("settings", "compare"),
        )


def _put(out: bool) -> None:
    """Said of the drawer, not turned over: a click that comes twice is one."""
    st.session_state[OPEN] = out


def sides(screen: Screen, theirs: Screen) -> None:
    """Draw both screens; what is pointed at on one is lit on the other."""
    names, hidden = told_apart(screen.session, screen.future), screen.session.hidden
    for one, name in zip((screen, theirs), names, strict=True):
        with st.container(key=f"side_{_which(one)}", gap="xsmall"):
            _side_heading(one, name, names[0])
            if "why" not in hidden or "split" not in hidden:
                asked(one)
            draw_stage(one)
            draw_tree(one)


def _which(screen: Screen) -> str:
    return "other" if screen.mark else "own"


def _side_heading(screen: Screen, name: str, first: str) -> None:
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


def draw(screen: Screen) -> None:
    """Draw the page: head, sentence, and the instrument, which takes what is left of the window."""
    hidden = screen.session.hidden
    state.tab().prepare(screen, state.theme())
    judging = _judging(screen)
    controls.narration(screen.session)
    _head(screen, judging)
    partial_runs.draw(screen)
    with st.container(key="instrument", horizontal=True, gap="medium"):
        if screen.beside is None:
            _instrument(screen)
        else:
            sides(screen, screen.beside)
        if is_open() and "settings" not in hidden:
            draw_drawer(screen)
    draw_ahead(screen)
    note(screen)


def _instrument(screen: Screen) -> None:
    """The stage, and beside it the tree over the panels."""
    hidden = screen.session.hidden
    with st.container(key="plane", gap="xsmall"):
        draw_stage(screen)
        if len(screen.data.features) > 2 and "settings" not in hidden:
            _axes_boxes(screen)
    with st.container(key="beside", gap="xsmall"):
        draw_tree(screen)
        if "panels" not in hidden:
            panels(screen)


def _head(screen: Screen, judging: Sequence[Work[Tips]]) -> None:
    """The data set and Share in the bar of the pages; under it the time-line and the settings."""
    hidden = screen.session.hidden
    with st.container(horizontal=True, vertical_alignment="center", key="corner", gap="small"):
        tips = st.container(key="tips")  # there or not, what stands right of it keeps its place
        if "settings" in hidden:
            st.markdown(f"**{markdown(title_of(screen.session.recipe))}**", width="content")
        else:
            picker(screen)
        if not hidden:
            _tour_button(screen)
            share(screen)
        with tips:
            for one in judging:
                work(one)
    if {"time-line", "settings"} <= {*hidden}:
        return
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="head"):
        if "time-line" not in hidden:
            draw_line(screen)
        if "settings" not in hidden:
            criteria(screen)
            _ask_switch(screen)
            button()


def _judging(screen: Screen) -> list[Work[Tips]]:
    """What finds how good the compared lines are, a slice further: up to the one under way."""
    found: list[Work[Tips]] = []
    if compared(screen) and (screen.beside or "time-line" not in screen.session.hidden):
        for one in filter(None, (screen, screen.beside)):
            found.append(tips_work(one))
            if feed(found[-1]).result is None:
                break
    return found


def _tour_button(screen: Screen) -> None:
    """The way into the tour that a link brought, else into our own."""
    tour = screen.session.tour
    stops, on = tour.stops or TOURS["first"], tour.shown is not None
    st.button(
        "Tour", key="tour", type="tertiary", disabled=on, on_click=state.walk, args=(stops, 0)
    )


def _ask_switch(screen: Screen) -> None:
    st.toggle(
        "Ask first",
        help="The gains hide until you have chosen a cut",
        **bound("ask_first", screen.session.ask, lambda on: state.act("grow", "ask", on=on)),
    )


def _axes_boxes(screen: Screen) -> None:
    """Which two of the features are on the axes, and where the others are pinned."""
    names = {f: clean(name) for f, name in enumerate(screen.data.features)}
    with st.container(horizontal=True, vertical_alignment="center", key="axes", gap="small"):
        for place, label in ((0, "Across"), (1, "Up")):
            st.selectbox(
                label,
                format_func=lambda f: names[f],
                label_visibility="collapsed",
                **chosen(
                    f"axis{place}", screen.look.axes[place], partial(_axis_chosen, place), [*names]
                ),
            )
        slice_boxes(screen)


def _axis_chosen(place: int, feature: int) -> None:
    state.act("grow", "axis", place=place, feature=feature)


PAGE = PageSpec("Grow", "grow", draw, alone=True)
