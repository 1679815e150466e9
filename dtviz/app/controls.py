"""What several pages share: undo, narration, problems, notes, errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import streamlit as st

from dtviz.app import state
from dtviz.base.text import markdown
from dtviz.data.dataset import DataError
from dtviz.data.notes import Note, summary
from dtviz.data.uploads import FileNeededError
from dtviz.session.channel import letter
from dtviz.session.history import redo, undo
from dtviz.session.session import MAX_SAY, Session
from dtviz.session.tour import is_ours

MOST_TOLD = 20  # of what was not understood of a link


def back_and_forth() -> None:
    """The buttons that undo and redo the last change of what the page shows."""
    visit = state.tab().visit
    for word, turn in (("Undo", undo), ("Redo", redo)):
        what = word.lower()
        st.button(
            word,
            key=word,
            icon=f":material/{what}:",
            help=word,
            on_click=state.act,
            args=("line", what),
            disabled=turn(visit) is visit,
        )


def narration(session: Session) -> None:
    """The line that a link may have on top, told to be the link's; the way through its tour, and to
    what it hides.
    """
    place, tour = st.empty(), session.tour  # see show_problems
    if not (session.say or session.hidden) and tour.shown is None:
        return
    with place.container(key="say", horizontal=True, vertical_alignment="center", gap="small"):
        if session.say:
            if not is_ours(tour, session.say):
                st.caption("This link says:", width="content")
            with st.container(key="says", width="stretch"):
                st.markdown(markdown(session.say, MAX_SAY))
        if session.hidden:
            if not session.say:
                st.caption("This link hides some controls.", width="content")
            st.button("Show all controls", key="show_all", type="tertiary", on_click=state.show_all)
        if tour.shown is not None:
            _stops(tour.stops, tour.shown)


def _stops(stops: tuple[str, ...], at: int) -> None:
    """Where on a tour we are, and the ways on, back and out."""
    st.markdown(f"{at + 1} of {len(stops)}", width="content")
    for name, key, icon, to in (
        ("Previous stop", "tour_back", "chevron_left", at - 1),
        ("Next stop", "tour_next", "chevron_right", at + 1),
    ):
        st.button(
            name,
            key=key,
            icon=f":material/{icon}:",
            type="primary" if to > at else "secondary",
            disabled=not 0 <= to < len(stops),
            on_click=state.walk,
            args=(stops, to),
        )
    st.button("Leave", key="leave_tour", type="tertiary", on_click=state.leave_tour)


def show_problems(problems: tuple[str, ...]) -> None:
    """What of the address was not understood, until it is waved away: the first, and how many more.

    The others are one click away.
    """
    place = st.empty()  # what stands below it keeps its own: it is not taken away as this goes
    if not problems:
        return
    first, *others = [f"{sentence(problem)}." for problem in problems]
    with place.container(key="problems", horizontal=True, vertical_alignment="center", gap="small"):
        st.warning(first)
        if others:
            with st.popover(f"{len(others)} more", type="tertiary"):
                st.markdown("\n".join(f"- {one}" for one in others[:MOST_TOLD]))
        st.button(
            "Dismiss",
            icon=":material/close:",
            key="dismiss",
            type="tertiary",
            on_click=state.say_no_more,
        )


def show_notes(notes: Sequence[Note], expanded: bool = False) -> None:
    """What was read as missing or left out, and what would fool a tree."""
    lines = summary(notes)
    if not lines:
        return
    with st.expander(f"Notes on the data ({len(lines)})", expanded=expanded):
        list_notes(lines)


def list_notes(lines: Sequence[str]) -> None:
    """Notes one under the other, as they are."""
    st.text("\n".join(lines))


def show_error(error: DataError) -> None:
    """Why there is no data to draw, and the ways on."""
    if isinstance(error, FileNeededError):
        names = " and ".join(f"the file **{markdown(name)}**" for name in error.names)
        st.info(
            f"This link was made with {names}. Files are not part of a link: give the "
            "same again here, and the tree picks up where it was."
        )
    else:
        st.error(sentence(str(error)))
    st.button("Show an example instead", on_click=_example)


def _example() -> None:
    for name in ("waiting", "page_ahead"):
        st.session_state.pop(name, None)
    state.put(state.plain())
    st.query_params.clear()
    state.wrote({})


def sentence(text: str) -> str:
    """A sentence of ours with names from outside in it, literal in Markdown.

    Parameters lose their back-ticks; a percent sign stays on the line of its number.
    """
    return markdown(re.sub(r"`([a-z_]+(?:=[^`]*)?)`", r"\1", text), 500).replace(
        r" \%", "\u00a0\\%"
    )


BARE: dict[str, Any] = {"displayModeBar": False, "displaylogo": False, "responsive": True}


def chart(figure: Any, key: str, alt: str, picked: Callable[[], None] | None = None) -> None:
    """Draw a figure in its own colours, without a toolbar; `alt` says in words what it shows.

    A click on a point is told by `picked`, where there is one.
    """
    told: dict[str, Any] = {"on_select": picked, "selection_mode": "points"} if picked else {}
    st.plotly_chart(figure, key=key, config=BARE, theme=None, alt=alt, **told)


def pick_key(name: str) -> str:
    """The key under which the next pick of that table or chart is heard."""
    return f"{name}{st.session_state.setdefault('picks', 0)}"


def picked_row(key: str, values: Sequence[Any]) -> Any:
    """The one of `values` whose row was picked in a table; None if none was."""
    row = next(iter(_picked(key, "rows")), None)
    return values[row] if type(row) is int and 0 <= row < len(values) else None


def picked_point(key: str) -> Any:
    """What the point picked in a chart carries; None if there is none."""
    points = _picked(key, "points")
    carried = [one["customdata"] for one in points if isinstance(one, dict) and "customdata" in one]
    found = next(iter(carried), None)
    return found[0] if isinstance(found, list) and len(found) == 1 else found


def _picked(key: str, part: str) -> list[Any]:
    """The rows or points picked."""
    st.session_state["picks"] = st.session_state.get("picks", 0) + 1
    found: Any = st.session_state.get(key)
    for name in ("selection", part):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, list) else []


@cache
def _component() -> Any:
    """The component of the pictures; Streamlit can declare it in a run only."""
    return st.components.v2.component("dtviz.view", js="view.js", css="view.css")


def view(key: str, frame: bytes) -> None:
    """Draw a picture from its packed frame; what is done on it becomes the session.

    A page that turns dark or light asks for its colours itself, see `recolour`.
    """
    _mount(key, state.tab().visit.heard, frame)


def carry(key: str, frame: bytes, heard: int = 0, then: Callable[[], None] = lambda: None) -> None:
    """Send what only the pictures need, in a container that the page's style hides.

    Where it acknowledges nothing the same frame is the same message. `then` is called when
    something was done that came by it.
    """
    with st.container(key=f"carry_{key}"):
        _mount(key, heard, frame, then)


def recolour() -> None:
    """Run the whole app once more where a picture has seen the page turn dark or light."""
    if st.session_state.pop("recolour", False):
        state.rerun()


def _mount(key: str, heard: int, frame: bytes, then: Callable[[], None] = lambda: None) -> None:
    def did() -> None:
        message = (st.session_state.get(key) or {}).get("did")  # none where the page was left
        if message == {"what": "theme"}:
            st.session_state["recolour"] = True
        else:
            state.hear(message)
        then()

    data = letter(heard, state.tab().mark, frame)
    _component()(key=key, data=data, on_did_change=did)


def worked(lines: Sequence[str]) -> None:
    """LaTeX lines under one another, aligned at their first equal signs; as text on demand."""
    body = r" \\[5pt] ".join(line.replace(" = ", " &= ", 1) for line in lines)
    st.latex(rf"\begin{{aligned}} \rule{{0pt}}{{1.6em}} {body} \end{{aligned}}")
    with st.expander("As LaTeX"):
        st.code("\n".join(lines), language="latex")
