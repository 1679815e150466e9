"""Grow: the tree step by step, why each split is made, and partial runs.

A partial run draws the fragment alone: the sentence on the node in focus, and a hidden component
that brings the pictures of the next step. The rest of the page is drawn from its *inputs*: parts of
the session and of its screen. While the inputs stay the same, a step needs only a partial run.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dtviz.app import controls, stage, state
from dtviz.app.controls import send_frame, sentence
from dtviz.app.page import PageSpec
from dtviz.app.panels import open_panel, panel_names, panels
from dtviz.app.runs import do_work, run, run_slice
from dtviz.app.share import share
from dtviz.app.state import control_args
from dtviz.base.progress import Work
from dtviz.base.text import clean
from dtviz.data.dataset import DataError
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.pictures.tree import tip_frames
from dtviz.session.branches import TipScores, has_timelines_to_compare, side_titles, tip_scores_work
from dtviz.session.headlines import grow_headline, node_title
from dtviz.session.screen import Screen
from dtviz.session.session import Session
from dtviz.session.tour import TOURS

POPOVERS = ("share", "picker")
"""Keys of the popovers that show parts of the session while they are open."""


def note_inputs(screen: Screen | None) -> None:
    """Note the inputs that the page was drawn from; None: the page is being drawn."""
    st.session_state["page_inputs"] = None if screen is None else _inputs(screen)


def may_run_partially(screen: Screen) -> bool:
    """True if the next step may need only a partial run."""
    return _inputs(screen) is not None


def is_page_current(screen: Screen) -> bool:
    """True if the rest of the page was drawn from the inputs of this screen."""
    inputs = st.session_state.get("page_inputs")
    return inputs is not None and bool(inputs == _inputs(screen))


def rerun_if_changed() -> None:
    """Run the page if those of its inputs that come from the session changed (use in callbacks)."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not context.fragment_ids_this_run:
        return  # the whole app is run anyway, perhaps for another page
    inputs = st.session_state.get("page_inputs")
    if inputs is None or inputs[0] != _session_inputs(state.tab().visit.session):
        st.rerun("page")


def _inputs(screen: Screen) -> tuple[Hashable, Hashable] | None:
    """Return the page's inputs from the session, and those from the screen.

    None where a step may change parts of the page that neither fragment nor pictures bring.
    """
    session, view = screen.session, screen.node_view
    # of the panels, that of the candidates alone is a picture
    is_panel_sent = "panels" in session.hidden or open_panel(screen) == "Candidates"
    # of more than two features, the boxes of axes and slice follow the step
    has_axes_boxes = len(screen.data.features) > 2
    if session.branches or screen.other_screen or has_axes_boxes or not is_panel_sent:
        return None
    if any(st.session_state.get(popover) for popover in POPOVERS):
        return None
    texts = stage.caption_of(screen), tuple(panel_names(screen)), state.address_problems()
    has_candidates = len(view.candidates) > 0
    screen_inputs = (view.axes, view.is_asking, has_candidates, *texts, state.theme().dark)
    return _session_inputs(session), screen_inputs


def _session_inputs(session: Session) -> Hashable:
    """Return the session without its step, and the state of the files that the browser keeps."""
    shelf = state.tab().shelf
    session_at_start = replace(session, log=(), undone=(), focus=None, cut=None, row=None)
    return session_at_start, shelf.kept_marks, shelf.marks_to_send, shelf.n_cut_uploads


FIRST_SENTENCE = (
    "**Why does the first cut go here?** Drag the line: the curves tell what any other would gain, "
    "and *Split here* makes yours. A decision tree grows by asking this again on each side."
)


def draw_sentence(screen: Screen) -> None:
    """Draw the sentence on the node in focus, and the button that splits it at the cut shown."""
    hidden, view = screen.session.hidden, screen.node_view
    split = view.candidates.split(view.index) if view.index is not None else None
    suffix = "_beside" if screen.second_stamp else ""  # two screens side by side need two keys
    with st.container(horizontal=True, vertical_alignment="center", key=f"asked{suffix}"):
        if "why" not in hidden:
            is_first = state.is_first_view()
            text = (
                FIRST_SENTENCE
                if is_first
                else f"**{node_title(screen)}.** {sentence(grow_headline(screen))}"
            )
            with st.container(key="first") if is_first else nullcontext():
                st.markdown(text, width="stretch")
        if "split" not in hidden:
            current = screen.tree.splits.get(screen.node)
            st.button(
                "Split here" if current is None else "Split here instead",
                key=f"split_here{suffix}",
                icon=":material/call_split:",
                type="primary" if screen.is_rival_chosen else "secondary",
                disabled=split is None or split == current,
                on_click=_split_here,
                args=(screen.stamp, bool(screen.second_stamp)),
            )


def _split_here(stamp: str, is_second: bool) -> None:
    state.act("grow", "split", stamp=stamp, beside=is_second)
    rerun_if_changed()


def draw_fragment(screen: Screen) -> None:
    """Draw the fragment in a run of the page."""
    note_inputs(None)
    st.session_state["fragment_screen"] = screen
    _fragment()


@st.fragment(key="moving")
def _fragment() -> None:
    """Draw the fragment in a run of the page, or in a partial run, with the pictures."""
    # the container of the spinner stands in both kinds of run, so that other elements keep places
    spinner = st.container(key="working_step")
    screen: Screen | None = st.session_state.pop("fragment_screen", None)
    if screen is not None:
        _draw(screen, ())
        return
    with run(spinner):
        try:
            screen, _ = state.open_screen("grow", is_page_run=False)
        except DataError:
            state.rerun()
        if not is_page_current(screen):
            state.rerun_with_held_frames()
        state.tab().draw_pictures_ahead(screen, state.theme())
        _draw(screen, _pictures(screen))
        state.close_screen(screen)


def _draw(screen: Screen, pictures: Sequence[str]) -> None:
    """Draw the sentence, and the hidden component that brings these pictures and takes events."""
    if screen.other_screen is None and not {"why", "split"} <= {*screen.session.hidden}:
        draw_sentence(screen)
    if pictures or may_run_partially(screen):
        tab = state.tab()
        event = tab.visit.last_event if pictures else 0
        send_frame(
            "update", tab.pack_step(screen, state.theme(), pictures), event, rerun_if_changed
        )


def _pictures(screen: Screen) -> list[str]:
    """Return the names of the pictures on the page that a step may change."""
    hidden = screen.session.hidden
    line = [] if "time-line" in hidden else ["line"]
    ranking = [] if "panels" in hidden or not len(screen.node_view.candidates) else ["ranking"]
    return [*line, "stage", "tree", *ranking]


CRITERIA_SHOWN = 3
"""Number of criteria on the switch in the head: those that lectures compare."""
DRAWER_KEY = "settings"
"""Key of the session state: True while the drawer of the settings is open."""


def criterion_switch(screen: Screen) -> None:
    """Draw the switch between the criteria that lectures compare, and the one in use."""
    current = screen.session.rules.criterion
    names = [*dict.fromkeys([*criteria_of(screen.data)[:CRITERIA_SHOWN], current])]
    controls.segments(
        "Criterion",
        "criterion_at_hand",
        current,
        names,
        lambda name: CRITERIA[name].title,
        lambda name: controls.set_rules(criterion=name),
    )


def is_drawer_open() -> bool:
    """True if the drawer of the settings is open."""
    return bool(st.session_state.get(DRAWER_KEY))


def drawer_button() -> None:
    """Draw the button that opens the drawer and shuts it."""
    st.button(
        "Settings",
        icon=":material/tune:",
        key="drawer_button",
        type="tertiary" if not is_drawer_open() else "secondary",
        on_click=partial(_show_drawer, not is_drawer_open()),
    )


def draw_drawer(screen: Screen) -> None:
    """Draw the drawer: all settings, beside the stage."""
    with st.container(key="drawer"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Settings**", width="stretch")
            st.button(
                "Close",
                icon=":material/close:",
                key="drawer_shut",
                type="tertiary",
                on_click=_show_drawer,
                args=(False,),
            )
        controls.draw_settings(screen)
        st.button(
            "Compare with these settings",
            key="compare_settings",
            icon=":material/splitscreen_vertical_add:",
            help="They stay on a second screen beside the ones you choose next",
            disabled=screen.other_screen is not None,
            on_click=partial(state.act, "settings", "compare"),
        )


def _show_drawer(visible: bool) -> None:
    st.session_state[DRAWER_KEY] = visible  # set, not toggled: a click that comes twice is one


def draw_sides(screen: Screen, second: Screen) -> None:
    """Draw two screens side by side, each with its sentence, stage and tree."""
    titles, hidden = side_titles(screen.session, screen.future), screen.session.hidden
    for side, title in zip((screen, second), titles, strict=True):
        with st.container(key=f"side_{_side_key(side)}", gap="xsmall"):
            _side_heading(side, title, titles[0])
            if "why" not in hidden or "split" not in hidden:
                draw_sentence(side)
            stage.draw_stage(side)
            stage.draw_tree(side)


def _side_key(screen: Screen) -> str:
    """Return the part of a key that tells two screens side by side apart."""
    return "other" if screen.second_stamp else "own"


def _side_heading(screen: Screen, title: str, first_title: str) -> None:
    """Draw the heading of a screen: its title, its score, and the buttons that end comparing."""
    tip, *_ = tip_frames(screen)
    key, is_second = f"head_{_side_key(screen)}", bool(screen.second_stamp)
    with st.container(key=key, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{sentence(title)}** :small[{sentence(tip['text'])}]", width="stretch")
        _end_button(
            "Keep this", f"keep_{_side_key(screen)}", "check", f"{title} stays alone", is_second
        )
        if is_second:
            text = f"Ends the comparison: {first_title} stays"
            _end_button("Close", "close_beside", "close", text, keeps_second=False)


def _end_button(label: str, key: str, icon: str, about: str, keeps_second: bool) -> None:
    """Draw a button that ends the comparison and keeps the second screen, or the first."""
    st.button(
        label,
        key=key,
        icon=f":material/{icon}:",
        help=sentence(about),
        on_click=partial(state.act, "beside", "keep", other=keeps_second),
    )


def draw(screen: Screen) -> None:
    """Draw the page: head, sentence, and the instrument, which takes the rest of the window."""
    hidden = screen.session.hidden
    state.tab().draw_pictures_ahead(screen, state.theme())
    works = _feed_tips(screen)
    _head(screen, works)
    draw_fragment(screen)
    with st.container(key="instrument", horizontal=True, gap="medium"):
        if screen.other_screen is None:
            _instrument(screen)
        else:
            draw_sides(screen, screen.other_screen)
        if is_drawer_open() and "settings" not in hidden:
            draw_drawer(screen)
    stage.send_next_step(screen)
    note_inputs(screen)


def _instrument(screen: Screen) -> None:
    """Draw the stage, and beside it the tree over the panels."""
    hidden = screen.session.hidden
    with st.container(key="plane", gap="xsmall"):
        stage.draw_stage(screen)
        if len(screen.data.features) > 2 and "settings" not in hidden:
            _axes_boxes(screen)
    with st.container(key="beside", gap="xsmall"):
        stage.draw_tree(screen)
        if "panels" not in hidden:
            panels(screen)


def _head(screen: Screen, works: Sequence[Work[TipScores]]) -> None:
    """Draw dataset, Share and progress bars on the line of the page names, and the time-line below.

    The bars are those of `works`, which score time-lines.
    """
    hidden = screen.session.hidden
    with st.container(horizontal=True, vertical_alignment="center", key="corner", gap="small"):
        tips = st.container(key="tips")  # empty or not, the elements to its right keep their places
        if "settings" in hidden:
            controls.data_title(screen.session)
        else:
            stage.draw_picker(screen)
        if not hidden:
            _tour_button(screen)
        share(screen)
        with tips:
            for tips_of_side in works:
                do_work(tips_of_side)
    if {"time-line", "settings"} <= {*hidden}:
        return
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="head"):
        if "time-line" not in hidden:
            stage.draw_timeline(screen)
        if "settings" not in hidden:
            criterion_switch(screen)
            _ask_switch(screen)
            drawer_button()


def _feed_tips(screen: Screen) -> list[Work[TipScores]]:
    """Run a slice of the first unfinished work that scores time-lines.

    Returns the works up to this one; each of two screens side by side has a work.
    """
    works: list[Work[TipScores]] = []
    if has_timelines_to_compare(screen) and (
        screen.other_screen or "time-line" not in screen.session.hidden
    ):
        for side in filter(None, (screen, screen.other_screen)):
            works.append(tip_scores_work(side))
            if run_slice(works[-1]).result is None:
                break
    return works


def _tour_button(screen: Screen) -> None:
    """Draw the button to the first stop of the tour that a link brought, else of the app's tour."""
    tour = screen.session.tour
    stops = tour.stops or TOURS["first"]
    st.button(
        "Tour",
        key="tour",
        type="tertiary",
        disabled=tour.shown_index is not None,
        on_click=state.go_to_stop,
        args=(stops, 0),
    )


def _ask_switch(screen: Screen) -> None:
    """Draw the switch that hides the gains until the user has chosen a cut."""
    st.toggle(
        "Ask first",
        help="The gains hide until you have chosen a cut",
        **control_args("ask_first", screen.session.ask, lambda on: state.act("grow", "ask", on=on)),
    )


def _axes_boxes(screen: Screen) -> None:
    """Draw the boxes that choose the two features on the axes, and the slice of the others."""
    names = {f: clean(name) for f, name in enumerate(screen.data.features)}
    with st.container(horizontal=True, vertical_alignment="center", key="axes", gap="small"):
        for place, label in ((0, "Across"), (1, "Up")):
            key, axis = f"axis{place}", screen.node_view.axes[place]
            apply = partial(_set_axis, place)
            controls.select(label, key, axis, [*names], names.__getitem__, apply)
        stage.draw_slice_sliders(screen)


def _set_axis(place: int, feature: int) -> None:
    state.act("grow", "axis", place=place, feature=feature)


PAGE = PageSpec("Grow", "grow", draw, is_fragment=True)
