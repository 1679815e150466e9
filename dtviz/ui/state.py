"""The session of one browser tab: kept here, written to the address on every run, read from it.

Glossary
    screen     the session with its data, tree and automatic future: what a page draws
    written    the address parameters this tab wrote last; if others come, the person went back,
               followed a link or edited the address
    past       sessions before this one, for undo; `ahead` holds those undone, for redo
    entered    by page, the session it was entered with: Streamlit enters by the bare address, which
               stays in the browser's history; `bare` is the one that Back came to there
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from dtviz.engine.grow import Decision, finish, status
from dtviz.engine.rules import Rules, criterion_of, default_rules
from dtviz.engine.tree import Log, LogError, Move, Tree, fold
from dtviz.figures.palette import DARK, LIGHT, Theme
from dtviz.screen import address
from dtviz.screen.session import Future, Session, line
from dtviz.table import gallery
from dtviz.table.data import Dataset, Note, Recipe
from dtviz.table.origins import origin_of
from dtviz.table.uploads import FileNeededError

START = gallery.example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))
MOST_KEPT = 200
MOST_LINES = 20
Change = Callable[[Session, Future], Session]


@dataclass(frozen=True, slots=True, eq=False)
class Screen:
    """All a page draws from: `node` is the focus, `total` the number of moves on the time-line.

    `decisions` says of each leaf why it stops; `stamp` names what the pictures of Grow show.
    """

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
        tree = fold(data, criterion_of(session.rules, data.task), session.log)
    except LogError as error:
        session = replace(session, log=session.log[: error.index], undone=(), focus=None, cut=None)
        tree = fold(data, criterion_of(session.rules, data.task), session.log)
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


def act(change: Change) -> None:
    """Change the session as a control asks, so that undo can take it back (use in callbacks)."""
    session: Session = st.session_state["session"]
    data = dataset_of(session.recipe)
    put(change(session, future_for(session.recipe, data)))


def put(after: Session) -> None:
    """Make `after` the session; the one before can be had back by undo."""
    before = st.session_state.get("session")
    if after == before:
        return
    if before is not None:
        st.session_state["past"] = [*st.session_state.get("past", []), before][-MOST_KEPT:]
    st.session_state["ahead"] = []
    st.session_state["session"] = after
    play(False)
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


def undo() -> None:
    """Back to the session before the last change."""
    _swap("past", "ahead")


def redo() -> None:
    """The change that was undone last, again."""
    _swap("ahead", "past")


def can(which: str) -> bool:
    """Whether there is anything to undo ('past') or redo ('ahead')."""
    return bool(st.session_state.get(which))


def cloud_name(*made_of: object) -> str:
    """A short name for the points drawn from these."""
    return hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]


def stamp(session: Session, future: Future) -> str:
    """A short name for what the pictures of Grow show of a session."""
    following = next_move(session, future)
    shown = replace(session, undone=(), branches=(), say="")
    return cloud_name(shown, following, theme().dark)


def play(on: bool) -> None:
    """Let the time-line run by itself, or hold it."""
    st.session_state["playing"] = on


def playing() -> bool:
    """Whether the time-line runs by itself."""
    return bool(st.session_state.get("playing"))


def theme() -> Theme:
    """The colours of the page as the browser shows it."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def dataset_of(recipe: Recipe) -> Dataset:
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
    return finish(_data, _rules, fold(_data, criterion_of(_rules, _data.task), _log))[0]


@st.cache_resource(max_entries=60, show_spinner=False)
def _shared(key: str, _recipe: Recipe) -> Dataset:
    return origin_of(_recipe).build(_recipe, {})


def _session(page: str) -> tuple[Session, tuple[str, ...]]:
    """The session of this run: this tab's own, or what the address says if it is new."""
    params = _address()
    known: Session | None = st.session_state.get("session")
    moved = st.session_state.get("page") != page
    entered = st.session_state.setdefault("entered", {})
    if moved:
        play(False)
        st.session_state["bare"] = None
    st.session_state["page"] = page
    if known is not None and moved and not params:
        entered[page] = known
        return known, st.session_state.pop("said", ())
    if known is not None and params == st.session_state.get("written"):
        return known, st.session_state.pop("said", ())
    if known is not None and not moved:
        st.session_state["past"] = [*st.session_state.get("past", []), known][-MOST_KEPT:]
        st.session_state["ahead"] = []
    if not params and page in entered:
        st.session_state["bare"] = entered[page]
        return entered[page], ()
    found = address.read(params, START)
    try:
        data = dataset_of(found.recipe)
    except FileNeededError:
        st.session_state["asked"] = found
        raise
    return address.resolve(found, data, future_for(found.recipe, data))


def _address() -> dict[str, str]:
    return {key: str(value) for key, value in dict(st.query_params).items()}


def _focus(session: Session, tree: Tree, future: Future) -> int:
    """The node looked at: the chosen one, else the one that splits next, else the root."""
    if session.focus is not None:
        return session.focus
    return next_node(session, tree, future) or 1


def next_move(session: Session, future: Future) -> Move | None:
    """The move that the next step makes, or None at the end."""
    return next(iter(session.undone or future(session.rules, session.log)), None)


def next_node(session: Session, tree: Tree, future: Future) -> int | None:
    """The node that the next step splits or prunes, or None at the end."""
    move = next_move(session, future)
    return move.node if move is not None and move.node in tree.nodes else None


def _swap(source: str, target: str) -> None:
    stack = list(st.session_state.get(source, []))
    if not stack:
        return
    st.session_state[target] = [*st.session_state.get(target, []), st.session_state["session"]]
    st.session_state["session"] = stack.pop()
    st.session_state[source] = stack
    play(False)
    hold()
