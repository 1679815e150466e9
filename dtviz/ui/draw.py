"""Draw: a data set put on a pad, point by point, or typed and pasted into the table beside it.

Glossary
    said      what of the last edit of the table was not taken, and the session it made
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from dtviz.engine.problem import Problem
from dtviz.engine.tree import Tree, fold, height
from dtviz.figures.thumbnail import empty, grown
from dtviz.screen.screen import Screen
from dtviz.screen.session import ALL_MOVES, Session
from dtviz.screen.usual import usual_rules
from dtviz.table import drawing
from dtviz.table.data import DataError, Dataset, Recipe, recipe
from dtviz.table.drawing import Drawing, EmptyDrawingError, Kind
from dtviz.table.origins import title_of
from dtviz.text import count, markdown
from dtviz.ui import controls, state
from dtviz.ui.bound import bound
from dtviz.ui.cards import image
from dtviz.ui.draw_table import Edited, merged, table
from dtviz.ui.view import view

KIND_NAMES: dict[Kind, str] = {
    "classes": "Classes",
    "colour": "Number by colour",
    "height": "Number by height",
}


def show(screen: Screen | None) -> None:
    """Draw the tab."""
    blank = state.tab().blank()
    drawn = blank.pad
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _head(drawn)
        view("pad", state.tab().parcel("pad", blank, state.theme()))
    with right:
        _live(screen if drawn.rows else None)
        table(drawn, _take)
        _size(drawn)
        with st.container(horizontal=True):
            _ways_on(drawn, screen)


def _live(screen: Screen | None) -> None:
    """The tree that the points give, in small, as it is after every change."""
    with st.container(key="live_tree"):
        if screen is None:
            st.html(image(empty(state.theme())))
            st.caption("The tree of your points grows here.")
            return
        tree = _whole(screen)
        said = f"{count(len(tree.rows), 'leaf')}, height {height(tree)}"
        st.html(image(grown(screen.data, tree, state.theme()), f"The tree of the points: {said}"))
        st.caption(f"The tree of these points: {said}.")


def _whole(screen: Screen) -> Tree:
    """The tree that the rules grow to the end, whatever step is shown."""
    data, rules, future = screen.data, screen.session.rules, screen.future
    asked = "whole", screen.session.recipe, rules
    return screen.keep.get(
        asked, lambda: fold(Problem(data, rules), future(rules, (), None, ALL_MOVES))
    )


def _ways_on(drawn: Drawing, screen: Screen | None) -> None:
    """The buttons under the table: on to the tree, into a file, or here from an example."""
    if grow_button(bool(drawn.rows)):
        st.switch_page("pages/grow.py")
    if not drawing.travels(drawn):
        st.download_button(
            f"Save {markdown(drawing.FILE)}",
            drawing.csv(drawn),
            drawing.FILE,
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
    if screen is not None and not drawn.rows and _fits(screen.data):
        title = markdown(title_of(screen.session.recipe))
        st.button(f"Draw on from {title}", icon=":material/edit:", on_click=_draw_on)


def grow_button(ready: bool = True) -> bool:
    """The button that leads from data to its tree; whether it was pressed."""
    icon = ":material/account_tree:"
    text = "Grow a tree on it"
    return st.button(text, type="primary", icon=icon, disabled=not ready, on_click=state.hold)


def shows(wanted: Recipe) -> bool:
    """Whether the data is a drawing, so that the pad shows it."""
    return drawing.drawing_in(wanted, state.dataset_of) is not None


def take_up(error: EmptyDrawingError) -> None:
    """Go on with an empty drawing: it has no tree, but an address."""
    empty = drawing.recipe_of(error.drawing)
    session = state.session()
    if session is None or session.recipe != empty:
        given = recipe(empty.name, **dict(empty.params), points=st.query_params.get("points", ""))
        controls.show_problems(drawing.problems(given))
        state.tab().become(Session(empty, usual_rules(empty, error.drawing.task)))
    wanted = {"data": empty.name, "kind": error.drawing.kind}
    if dict(st.query_params) != wanted:
        st.query_params.from_dict(wanted)
    state.wrote(wanted)


def _use(drawn: Drawing) -> None:
    """Put the drawing on screen."""
    st.session_state.pop("waiting", None)
    state.tab().draw(drawn)
    state.hold()


# --- above the pad --------------------------------------------------------------------------------


def _head(drawn: Drawing) -> None:
    """What a tree is to predict."""
    st.segmented_control(
        "A tree predicts",
        drawing.KINDS,
        format_func=lambda kind: KIND_NAMES[kind],
        **bound("draw_kind", drawn.kind, lambda kind: _act("kind", kind=kind), "default"),
    )


def _act(what: str, **event: Any) -> None:
    """Do what a control of the pad asks; a drawing waits for no file."""
    before = state.session()
    state.act("pad", what, **event)
    if state.session() != before:
        st.session_state.pop("waiting", None)


def _fits(data: Dataset) -> bool:
    try:
        drawing.from_dataset(data)
    except DataError:
        return False
    return True


def _draw_on() -> None:
    names = state.dataset_of(state.tab().visit.session.recipe).class_names
    _act("from")
    if list(names) != list(drawing.CLASSES[: len(names)]):
        listed = (
            f"{letter} is {name}" for letter, name in zip(drawing.CLASSES, names, strict=False)
        )
        _say(("; ".join(listed),) if names else ())


# --- the table ------------------------------------------------------------------------------------


def _take(before: Drawing, edited: Edited) -> None:
    """Make what the table became the drawing; what the pad did meanwhile stays."""
    now, after = state.tab().blank().pad, edited.drawing
    if after != before:
        _use(after if now == before else merged(before, after, now))
    _say(edited.refused, edited.unfinished)


def _say(refused: tuple[str, ...], unfinished: int = 0) -> None:
    """What of the last edit to tell under the table."""
    st.session_state["draw_said"] = state.session(), refused, unfinished


def _size(drawn: Drawing) -> None:
    """How many points there are, and what was not taken."""
    of, said, unfinished = st.session_state.get("draw_said", (None, (), 0))
    if of != state.session():  # the pad has gone on since
        return _many(drawn)
    if said:
        st.warning("  \n".join(controls.sentence(one) for one in said))
    if unfinished:
        st.caption(f"{count(unfinished, 'row')} in the table not complete yet.")
    return _many(drawn)


def _many(drawn: Drawing) -> None:
    many = count(len(drawn.rows), "point")
    if drawing.travels(drawn):
        st.caption(f"{many} of at most {drawing.MOST:,}. Type here, or paste from a spreadsheet.")
        return
    st.info(
        f"{many}: a link carries {drawing.LINK_POINTS}. This browser keeps all of them; "
        f"elsewhere the link asks for the file: save it. At most {drawing.MOST:,} can be drawn."
    )
