"""Streamlit's shell of the instrument: kept in the tab, written to the address, read from it.

Glossary
    written    the address parameters this tab wrote last; if others come, the person went back,
               followed a link or edited the address
    entered    by page, the session it was entered with: Streamlit enters by the bare address, which
               stays in the browser's history; `bare` is the one that Back came to there
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

<<<<<<< HEAD
from dtviz.engine.rules import default_rules
=======
from dtviz.engine.grow import Decision, finish, status
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.tree import Log, LogError, Move, Tree, fold
>>>>>>> 0854a19 (Let leaves predict by a model of their own, and play moves by rules (#9))
from dtviz.figures.palette import DARK, LIGHT, Theme
from dtviz.instrument import Instrument, Shared
from dtviz.screen import address
from dtviz.screen.screen import Screen
from dtviz.screen.session import Session
from dtviz.screen.visit import Visit
from dtviz.table import gallery
from dtviz.table.data import Dataset, Recipe
from dtviz.table.uploads import FileNeededError

START = gallery.example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))


def tab() -> Instrument:
    """The instrument of this tab."""
    if "instrument" not in st.session_state:
        files = st.session_state.setdefault("files", {})
        st.session_state["instrument"] = Instrument(Visit(Session(START)), _shared(), files)
    found: Instrument = st.session_state["instrument"]
    return found


@st.cache_resource(show_spinner=False)
def _shared() -> Shared:
    return Shared()


def session() -> Session | None:
    """The session of this tab, once it has one."""
    return tab().visit.session if tab().opened else None


def open_screen(page: str, whole: bool = True) -> tuple[Screen, tuple[str, ...]]:
    """The screen of this run, and what of its address was not understood.

    Raises DataError (FileNeededError) when its data cannot be had. A run of a fragment is not
    `whole`: its address may be older than the session, and is not read.
    """
<<<<<<< HEAD
    known = session()
    wanted, problems = (known, ()) if known and not whole else _session(page)
    screen = tab().screen(wanted)
    tab().become(screen.session)
    return screen, problems
=======

    session: Session
    data: Dataset
    tree: Tree
    future: Future
    decisions: dict[int, Decision]
    node: int
    total: int
    stamp: str
    problems: tuple[str, ...] = ()


def open_screen(page: str, whole: bool = True) -> Screen:
    """The screen of this run; raises DataError (FileNeededError) when its data cannot be had.

    A run of a fragment is not `whole`: its address may be older than the session, and is not read.
    """
    known: Session | None = st.session_state.get("session")
    session, problems = (known, ()) if known and not whole else _session(page)
    screen = screen_of(session, problems)
    st.session_state["session"] = screen.session
    return screen


def screen_of(session: Session, problems: tuple[str, ...] = ()) -> Screen:
    """All there is to draw of a session, as far as its data allows it; raises DataError."""
    data = dataset_of(session.recipe)
    future = future_for(session.recipe, data)
    try:
        tree = fold(data, session.rules, session.log)
    except LogError as error:
        session = replace(session, log=session.log[: error.index], undone=(), focus=None, cut=None)
        tree = fold(data, session.rules, session.log)
    if session.focus is not None and session.focus not in tree.nodes:
        session = replace(session, focus=None, cut=None)
    return Screen(
        session,
        data,
        tree,
        future,
        decisions=status(data, session.rules, tree),
        node=_focus(session, tree, future),
        total=len(line(session, future)),
        stamp=stamp(session, future),
        problems=problems,
    )
>>>>>>> 0854a19 (Let leaves predict by a model of their own, and play moves by rules (#9))


def close_screen(screen: Screen) -> None:
    """Write the session to the address; a bare one that Back came to stays, and Back leads on."""
    session = screen.session
    if session == st.session_state.get("bare") and not _address():
        st.session_state["written"] = {}
        return
    st.session_state["bare"] = None
    plain = Session(START, default_rules(screen.data.task))
    wanted = {} if session == plain else address.write(session, screen.data, screen.future)
    if not wanted:
        st.session_state.get("entered", {}).pop(st.session_state["page"], None)
    if _address() != wanted or st.session_state.get("written") != wanted:
        st.query_params.from_dict(wanted)
    st.session_state["written"] = wanted


def act(picture: str, what: str, **event: Any) -> None:
    """Do what a control asks, as if it had been done on a picture (use in callbacks)."""
    before = tab().visit.session
    tab().act(picture, {"what": what, **event})
    if tab().visit.session != before:
        hold()


def hear(message: object) -> None:
    """Do what the pictures say was done (use in callbacks)."""
    tab().hear(message)
    hold()


def put(after: Session) -> None:
    """Make `after` the session; the one before can be had back by undo."""
    if after != session():
        tab().do(after)
        hold()


def hold() -> None:
    """Do not read the address that came with this run.

    It is as old as the page was when the browser sent it: what was done since is not in it yet.
    """
    st.session_state["written"] = _address()


def rerun() -> None:
    """Run the whole page once more, for work that is done or colours that changed.

    The browser may have asked for this run before it learnt the last address; that is no way back.
    """
    hold()
    st.rerun()


def theme() -> Theme:
    """The colours of the page as the browser shows it."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def dataset_of(recipe: Recipe) -> Dataset:
<<<<<<< HEAD
    """The data of a recipe, built once; raises DataError."""
    return tab().dataset(recipe)
=======
    """The data of a recipe, built once; private data lives in its own tab only."""
    origin = origin_of(recipe)
    if not origin.private:
        return _shared(repr(recipe), recipe)
    kept: dict[Recipe, Dataset] = st.session_state.setdefault("datasets", {})
    if recipe not in kept:
        kept[recipe] = origin.build(recipe, st.session_state.get("files", {}))
    return kept[recipe]


def fingerprint(content: bytes) -> str:
    """What tells one file from another in a link."""
    return hashlib.sha256(content).hexdigest()[:16]


def keep_file(fingerprint: str, frame: pd.DataFrame, notes: tuple[Note, ...]) -> None:
    """Keep an uploaded table in this tab, by its fingerprint."""
    st.session_state.setdefault("files", {})[fingerprint] = (frame, notes)


def future_for(recipe: Recipe, data: Dataset) -> Future:
    """The automatic moves after a log, each time-line grown once and kept.

    A log that lies on a line grown earlier in this tab has the rest of that line as its future.
    """
    kept: list[tuple[Recipe, Rules, int, Log]] = st.session_state.setdefault("lines", [])

    def future(rules: Rules, log: Log) -> Log:
        for made_on, by, start, whole in kept:
            same = (made_on, by) == (recipe, rules) and len(log) >= start
            if same and whole[: len(log)] == log:
                return whole[len(log) :]
        rest = _future(repr((recipe, rules, log)), data, rules, log)
        kept[:] = [(recipe, rules, len(log), log + rest), *kept][:MOST_LINES]
        return rest

    return future


@st.cache_resource(max_entries=400, show_spinner=False)
def _future(key: str, _data: Dataset, _rules: Rules, _log: Log) -> Log:
    return finish(_data, _rules, fold(_data, _rules, _log))[0]


@st.cache_resource(max_entries=60, show_spinner=False)
def _shared(key: str, _recipe: Recipe) -> Dataset:
    return origin_of(_recipe).build(_recipe, {})
>>>>>>> 0854a19 (Let leaves predict by a model of their own, and play moves by rules (#9))


def _session(page: str) -> tuple[Session, tuple[str, ...]]:
    """The session of this run: this tab's own, or what the address says if it is new."""
    params, known = _address(), session()
    moved = st.session_state.get("page") != page
    entered = st.session_state.setdefault("entered", {})
    if moved:
        tab().visit = replace(tab().visit, playing=False)
        st.session_state["bare"] = None
    st.session_state["page"] = page
    if known is not None and moved and not params:
        entered[page] = known
        return known, st.session_state.pop("said", ())
    if known is not None and params == st.session_state.get("written"):
        return known, st.session_state.pop("said", ())
    back = not params and page in entered
    found, problems = (entered[page], ()) if back else _read(params)
    st.session_state["bare"] = found if back else None
    if not moved:
        tab().do(found)
    return found, problems


def _read(params: dict[str, str]) -> tuple[Session, tuple[str, ...]]:
    """The session that an address speaks of, and what of it was not understood."""
    found = address.read(params, START)
    try:
        data = dataset_of(found.recipe)
    except FileNeededError:
        st.session_state["asked"] = found
        raise
    return address.resolve(found, data, tab().future(found.recipe, data))


def _address() -> dict[str, str]:
    return {key: str(value) for key, value in dict(st.query_params).items()}
