"""Streamlit's shell of the instrument: kept in the tab, written to the address, read from it.

Glossary
    written    the address parameters this tab wrote last; if others come, the person went back,
               followed a link or edited the address
    held       those of a run in which something was done: they may be older than what was done
    waits      those that could not be read yet, with the session before them
    arrived    those that were read, in their order, until a picture has told of the same way back
    said       what of an address was not understood, with the session it made: told while that is
    refused    why what was done last came to nothing, until it is told
    page_ahead    the page that the stop of a tour is on, until it is shown
    working_place    where the page said last that it is at work, or would have
    entered    by page, the session it was entered with: Streamlit enters by the bare address, which
               stays in the browser's history; `bare` is the one that Back came to there
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NoReturn

import streamlit as st

from dtviz.app import turns
from dtviz.app.instrument import Instrument, Shared
from dtviz.data import gallery
from dtviz.data.dataset import DataError, Dataset, Recipe
from dtviz.data.uploads import SERVED, SERVED_FILES, FileNeededError
from dtviz.pictures.palette import DARK, LIGHT, Theme
from dtviz.session import address
from dtviz.session.history import Visit, before_tour
from dtviz.session.screen import Screen
from dtviz.session.session import Session, hide, usual_rules
from dtviz.session.tour import entered, page_of, params_at, stops_in

SOON = 1.5
"""Seconds within which a control that moves again is still dragged or held."""
MOST_ARRIVED = 20
"""Ways back that a picture may still tell of."""
START = gallery.example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))


def tab() -> Instrument:
    """The instrument of this tab."""
    found: Instrument | None = st.session_state.get("instrument")
    if found is None:
        files = st.session_state.setdefault("files", dict(SERVED))
        found = st.session_state["instrument"] = Instrument(
            Visit(Session(START)), shared(), files, dict(SERVED_FILES), given=frozenset(files)
        )
    return found


@st.cache_resource(show_spinner=False)
def shared() -> Shared:
    """Return what all tabs of this server have in common."""
    return Shared()


def session() -> Session | None:
    """The session of this tab, once it has one."""
    own = tab()
    return own.visit.session if own.opened else None


def is_first() -> bool:
    """Whether nothing was asked for by an address, and nothing was done yet."""
    visit = tab().visit
    return not (visit.past or visit.ahead or _address() or visit.session != plain())


def plain() -> Session:
    """The session of the bare address."""
    return Session(START, usual_rules(START, dataset_of(START).task))


def open_screen(page: str, whole: bool = True) -> tuple[Screen, tuple[str, ...]]:
    """The screen of this run, and what of its address was not understood.

    Raises DataError (FileNeededError) when its data cannot be had. A run of a fragment is not
    `whole`: its address may be older than the session, and is not read unless it waits for files.
    """
    known = session()
    wanted, problems = (known, ()) if known and not (whole or _waits()) else _session(page)
    screen = tab().screen(wanted)
    tab().become(screen.session)
    if tab().catch_up():
        screen = tab().screen()
        tab().become(screen.session)
    of, said = st.session_state.get("said", (None, ()))
    problems = problems or (said if of == wanted else ())
    st.session_state["said"] = screen.session, problems
    if refused := st.session_state.pop("refused", ""):
        st.toast(refused.capitalize())
    return screen, problems


def problems() -> tuple[str, ...]:
    """What is told to be not understood of the address."""
    _, said = st.session_state.get("said", (None, ()))
    return tuple(said)


def say_no_more() -> None:
    """Have what of the address was not understood told no longer (use in callbacks)."""
    of, _ = st.session_state.get("said", (None, ()))
    st.session_state["said"] = of, ()


def close_screen(screen: Screen) -> None:
    """Write the session to the address; a bare one that Back came to stays, and Back leads on."""
    tab().answered()
    session = screen.session
    if session == st.session_state.get("bare") and not _address():
        wrote({})
        return
    st.session_state["bare"] = None
    wanted = {} if session == plain() else _written(screen)
    if not wanted:
        st.session_state.get("entered", {}).pop(st.session_state["page"], None)
    if _address() != wanted or st.session_state.get("written") != wanted:
        st.query_params.from_dict(wanted)
    wrote(wanted)


def _written(screen: Screen) -> dict[str, str]:
    """The parameters of a screen's address; told once of many moves."""
    session = screen.session
    return tab().keep.get(
        ("address", session), lambda: address.write(session, screen.data, screen.future)
    )


def wrote(params: dict[str, str]) -> None:
    """Note the address that the browser has, or will have in a moment."""
    st.session_state["written"] = params
    st.session_state["held"] = None


def act(picture: str, what: str, **event: Any) -> None:
    """Do what a control asks, as if it had been done on a picture (use in callbacks)."""
    before = tab().visit.session
    with _act():
        tab().act(picture, {"what": what, **event})
    if tab().visit.session != before:
        hold()


def act_on(control: str, picture: str, what: str, **event: Any) -> None:
    """Do what a control asks that may be dragged or held (use in callbacks).

    What it asks soon after is one change with it for undo, unless something else was done between.
    """
    now, session = time.monotonic(), tab().visit.session
    last, at, made = st.session_state.get("held_on", ("", 0.0, None))
    more = (last, made) == (control, session) and now - at < SOON
    act(picture, what, more=more, **event)
    st.session_state["held_on"] = control, time.monotonic(), tab().visit.session


def walk(stops: tuple[str, ...], stop: int) -> None:
    """Go to a stop of a tour (use in callbacks); where its data cannot be had nothing changes."""
    if tab().visit.session.tour.shown is None:
        st.session_state["page_before_tour"] = st.session_state["page"]
    with _act():
        try:
            found, problems = _read(params_at(stops, stop))
        except DataError as error:
            st.toast(str(error))
            return
        put(found, problems)
        st.session_state["page_ahead"] = page_of(stops[stop])


def leave_tour() -> None:
    """Back to the screen that was left for a tour (use in callbacks).

    Where a link led into it there was none: then this one stays, without the tour.
    """
    here, before = tab().visit.session, before_tour(tab().visit)
    put(before or replace(here, say="", tour=replace(here.tour, at=None)))
    if before:
        st.session_state["page_ahead"] = st.session_state.get("page_before_tour")


def show_all() -> None:
    """Show the controls that the link hides (use in callbacks)."""
    put(hide(tab().visit.session, ()))


def hear(message: object) -> None:
    """Do what the pictures say was done, ways back among it (use in callbacks)."""
    hold()
    with _act():
        tab().hear(message, _go)


@contextmanager
def _act() -> Iterator[None]:
    """What is done takes its turn; what takes too long is not done, and said."""
    try:
        with turns.turn("act", st.session_state.get("working_place")):
            yield
    except turns.TooLongError as error:
        st.session_state["refused"] = str(error)


def put(after: Session, problems: tuple[str, ...] = ()) -> None:
    """Make `after` the session; the one before can be had back by undo.

    `problems` is what was not understood of the address it was read from.
    """
    if after != session():
        tab().do(after)
        hold()
    if problems:
        st.session_state["said"] = tab().visit.session, problems


def hold() -> None:
    """Do not read the address that came with this run.

    It is as old as the page was when the browser sent it: what was done since is not in it yet.
    One that waits for its files is read until something is done.
    """
    st.session_state["held"] = None if _waits() else _address()


def rerun() -> NoReturn:
    """Run the whole page once more, for work that is done or colours that changed.

    The browser may have asked for this run before it learnt the last address; that is no way back.
    """
    tab().answered()
    run_anew()


def run_anew() -> NoReturn:
    """The same where this run has sent nothing: the browser holds the pictures that it said."""
    hold()
    st.rerun()


def theme() -> Theme:
    """The colours of the page as the browser shows it."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def dataset_of(recipe: Recipe) -> Dataset:
    """The data of a recipe, built once; raises DataError."""
    return tab().dataset(recipe)


def _session(page: str) -> tuple[Session, tuple[str, ...]]:
    """The session of this run: this tab's own, or what the address says if it is new."""
    params, known = _address(), session()
    moved = st.session_state.get("page") != page
    entered = st.session_state.setdefault("entered", {})
    if moved:
        tab().visit = replace(tab().visit, playing=False, page=page)
        st.session_state["bare"], st.session_state["arrived"] = None, []
    st.session_state["page"] = page
    if known is not None and moved and not params:
        entered[page] = known
        return known, ()
    ours = ("written",) if moved else ("written", "held")  # what is held is of one page
    if known is not None and params in [st.session_state.get(which) for which in ours]:
        return known, ()
    found = _arrive(params, moved)
    if known is not None and not moved:
        st.session_state["arrived"] = [*st.session_state["arrived"], params][-MOST_ARRIVED:]
    return found


def _go(params: dict[str, str]) -> None:
    """Go where a picture says that Back led, before what was done next."""
    if session() is None:
        return
    read = st.session_state["arrived"]
    if params in read:  # of those before it none is told any more
        st.session_state["arrived"] = read[read.index(params) + 1 :]
        return
    try:
        st.session_state["said"] = _arrive(params)
    except DataError:
        st.session_state["held"] = None  # the run reads its address, and tells why


def _arrive(params: dict[str, str], moved: bool = False) -> tuple[Session, tuple[str, ...]]:
    """The session that an address speaks of, one change for undo, and what was not understood."""
    known = st.session_state.get("entered", {}).get(st.session_state["page"])
    back = not params and known is not None
    found, problems = (known, ()) if back else _read(params)
    st.session_state["bare"] = found if back else None
    if not moved:
        tab().do(found)
    return found, problems


def _read(params: dict[str, str]) -> tuple[Session, tuple[str, ...]]:
    """The session that an address speaks of, and what of it was not understood."""
    whole = entered(params, st.session_state["page"])
    if "stop" in whole and "stop" not in params:
        st.session_state["page_ahead"] = page_of(stops_in(whole["tour"])[0])
    found = address.read(whole, START)
    try:
        data = dataset_of(found.recipe)
    except FileNeededError:
        st.session_state["waiting"] = found
        st.session_state["waits"] = params, tab().visit.session
        tab().awaited = found.recipe
        raise
    return address.resolve(found, data, tab().future(found.recipe))


def _waits() -> bool:
    """Whether the address waits for its files: nothing was done since it came."""
    return bool(st.session_state.get("waits") == (_address(), tab().visit.session))


def _address() -> dict[str, str]:
    return {key: str(value) for key, value in dict(st.query_params).items()}


def bound(
    name: str, value: object, take: Callable[[Any], None], begin: str = "value"
) -> dict[str, Any]:
    """The arguments by which a control shows `value` and gives `take` what is chosen there.

    `begin` is the argument by which a control of that kind is told its value.
    """
    turns: dict[str, int] = st.session_state.setdefault("turns", {})
    if st.session_state.get(_key(name, turns), value) != value:
        turns[name] = turns.get(name, 0) + 1
    key = _key(name, turns)
    return {"key": key, "on_change": _heard, "args": (name, key, take), begin: value}


def chosen(
    name: str, value: object, take: Callable[[Any], None], options: Sequence[Any]
) -> dict[str, Any]:
    """The same for a control that chooses one of `options`; None chooses none."""
    index = None if value is None else [*options].index(value)
    return {**bound(name, value, take, "index"), "options": options, "index": index}


def _key(name: str, turns: dict[str, int]) -> str:
    turn = turns.get(name)
    return f"{name}-{turn}" if turn else name


def _heard(name: str, key: str, take: Callable[[Any], None]) -> None:
    if key == _key(name, st.session_state["turns"]):  # streamlit hears controls that are gone, too
        take(st.session_state.get(key))
