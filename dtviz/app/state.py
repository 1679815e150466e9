"""Streamlit's host of the instrument: kept in the tab, written to the address, read from it.

Keys of `st.session_state` that this module writes:
- written_params: address this tab wrote last; if another comes, the person went back or elsewhere
- stale_params: address of a run in which something was done; it may be older than that
- waiting, waiting_params: session of an address that waits for its files; that address, with the
  session before
- read_params: addresses read, in their order, until a picture reports the same way back
- address_problems: sentences about parts of an address that could not be read, with its session
- refusal: reason why the last action was refused, until it is shown
- next_page, page_before_tour: page of the stop of a tour, until it is shown; page left for the tour
- working_place: place where the last page run said that it is at work
- entry_sessions: session by page with which the page was entered, by the bare address
- bare_session: session that Back came to by a bare address
- last_control: control moved last, the time, and the session it made
- key_versions: versions of the controls' keys, see `control_args`

Turns: a run is what the server does for one message of a browser. A few runs of pages work at once;
a long one lets younger ones go first, and ends when nobody waits for it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, Lock, get_ident
from typing import Any, Literal, NoReturn

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dtviz.app.instrument import Instrument, SharedState
from dtviz.base.progress import set_pause
from dtviz.data import gallery
from dtviz.data.dataset import DataError, Dataset, Recipe
from dtviz.data.uploads import SERVED_FILES, SERVED_TABLES, FileNeededError
from dtviz.pictures.scales import DARK, LIGHT, Theme
from dtviz.session import address
from dtviz.session.screen import Screen
from dtviz.session.session import Session, Visit, hide, session_before_tour, usual_rules
from dtviz.session.tour import page_of, params_at, params_on_entry, read_stops

PLACE_SECONDS = 0.25
"""Seconds after which a run loses its place to those that wait: long work must not keep them."""


class Gate:
    """A semaphore with a queue: it lets in as many threads as it has places, first come first."""

    def __init__(self, places: int) -> None:
        self._free_places = places
        self._lock = Lock()
        self._entry_times: dict[int, float] = {}  # monotonic, by thread inside
        self._queue: deque[tuple[int, Event]] = deque()

    def enter(self, meanwhile: Callable[[], None]) -> None:
        """Wait for a place; an error of `meanwhile`, called now and then, ends the wait."""
        admitted = Event()
        waiter = (get_ident(), admitted)
        with self._lock:
            self._queue.append(waiter)
            self._admit()
        try:
            while not admitted.wait(PLACE_SECONDS):
                self._expire()
                meanwhile()
        except BaseException:
            self._step_out(waiter)
            raise

    def leave(self) -> None:
        """Give back the place of this thread, if it still has one."""
        self._release(get_ident())

    def _step_out(self, waiter: tuple[int, Event]) -> None:
        """Leave the queue, or give back a place got meanwhile."""
        with self._lock:
            if waiter in self._queue:
                self._queue.remove(waiter)
        self.leave()

    def _expire(self) -> None:
        """Give back places held for PLACE_SECONDS; their threads go on working without one."""
        end = time.monotonic() - PLACE_SECONDS
        with self._lock:
            inside = [*self._entry_times.items()]
        for thread, since in inside:
            if since <= end:
                self._release(thread)

    def _release(self, thread: int) -> None:
        with self._lock:
            if self._entry_times.pop(thread, None) is not None:
                self._free_places += 1
                self._admit()

    def _admit(self) -> None:
        """Let in the first of the queue while places are free; needs the lock."""
        while self._free_places and self._queue:
            thread, admitted = self._queue.popleft()
            self._free_places -= 1
            self._entry_times[thread] = time.monotonic()
            admitted.set()


RunKind = Literal["page", "act", "slice"]
LOOK_SECONDS = 0.05  # between two looks at the other runs
PATIENCE_SECONDS = 0.3  # for younger runs to end in
SPINNER_SECONDS = 0.7  # until a spinner is shown
MAX_CPU = 60.0  # seconds
GATE = Gate(2)
"""Gate of the runs of pages."""


class TooLongError(Exception):
    """Raised where a run has used MAX_CPU of the processor.

    No DataError: nothing is wrong with the data, and only the page can show the error.
    """

    def __init__(self) -> None:
        super().__init__(
            f"one change may take the server {MAX_CPU:.0f} seconds; this takes longer and was ended"
            ": take fewer rows, or let the tree stop earlier"
        )


@dataclass(slots=True)
class ServerRun:
    """A run of one thread, under way."""

    kind: RunKind
    """'page' may be superseded, 'act' must not be lost, 'slice' lets all others go first,
    queued ones too."""
    start: float
    """Monotonic time of its start, in seconds."""
    start_cpu: float
    """Processor time of the thread at its start, in seconds."""
    last_look: float
    """Monotonic time of its last look at the other runs, in seconds."""
    place: AbstractContextManager[object] | None = None
    """Container of the spinner, if it shows one."""
    is_queued: bool = False
    """True while it waits at the gate."""
    is_shown: bool = False
    """True once its spinner was asked for."""
    spinner: ExitStack = field(default_factory=ExitStack)
    """Context of the spinner, closed with the run."""

    @property
    def youth(self) -> float:
        """Rank among runs: a run waits for those of a larger rank."""
        return float("-inf") if self.kind == "slice" else self.start


RUNS: dict[int, ServerRun] = {}
"""Runs under way, by thread."""


@contextmanager
def turn(kind: RunKind, place: AbstractContextManager[object] | None = None) -> Iterator[None]:
    """Context of a run, or of a part of the thread's run: it pauses for others.

    After SPINNER_SECONDS a spinner appears in `place`; it moves nothing else. A part without a
    place uses that of its run.
    """
    thread = get_ident()
    outer = RUNS.get(thread)
    now = time.monotonic()
    start, start_cpu = (outer.start, outer.start_cpu) if outer else (now, time.thread_time())
    if outer and not outer.is_shown:
        place = place or outer.place
    run = RUNS[thread] = ServerRun(kind, start, start_cpu, now, place)
    try:
        with run.spinner:
            if outer is None and kind == "page":
                _enter(run)
            yield
    finally:
        if outer is None:
            del RUNS[thread]
            GATE.leave()
        else:
            RUNS[thread] = outer


def _enter(run: ServerRun) -> None:
    """Wait for a place; end a run that is superseded or abandoned before it has one."""
    run.is_queued = True
    GATE.enter(lambda: _check(run, time.monotonic()))
    run.is_queued, run.last_look = False, time.monotonic()


def wait() -> None:
    """Let younger runs go first for a while; end one that is superseded, abandoned or too long."""
    run = RUNS.get(get_ident())
    now = time.monotonic()
    if run is None or now - run.last_look < LOOK_SECONDS:
        return
    GATE.leave()
    _check(run, now)
    if run.kind != "slice" and time.thread_time() - run.start_cpu > MAX_CPU:
        raise TooLongError
    while _is_younger_at_work(run) and time.monotonic() - now < PATIENCE_SECONDS:
        time.sleep(LOOK_SECONDS / 5)
    run.last_look = time.monotonic()


def _check(run: ServerRun, now: float) -> None:
    """End the run if nobody waits for it; show its spinner after SPINNER_SECONDS."""
    if run.kind == "page":
        _ = "page" in st.session_state  # Streamlit ends a superseded run at such an access
    if run.place is not None and not run.is_shown and now - run.start > SPINNER_SECONDS:
        run.is_shown = True
        with run.place:
            run.spinner.enter_context(st.spinner("Working", show_time=True))
    if _is_abandoned():
        st.stop()


def _is_abandoned() -> bool:
    """True if the browser of this run is gone."""
    context = get_script_run_ctx(suppress_warning=True)
    return (
        context is not None
        and runtime.exists()
        and not runtime.get_instance().is_active_session(context.session_id)
    )


def _is_younger_at_work(run: ServerRun) -> bool:
    """True if a younger run is at work; a slice also lets runs go first that are queued."""
    others = [other for other in [*RUNS.values()] if run.kind == "slice" or not other.is_queued]
    return any(other.youth > run.youth for other in others if other is not run)


set_pause(wait)


DRAG_SECONDS = 1.5
"""Seconds within which a control that moves again is still dragged or held."""
MAX_READ_PARAMS = 20
"""Number of addresses read that a picture may still report."""
START = gallery.example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))
"""Recipe of the data that the bare address shows."""


SHARED = SharedState()
"""The caches that all tabs of this server share."""


def tab() -> Instrument:
    """Return the instrument of this tab, made on first use."""
    instrument: Instrument | None = st.session_state.get("instrument")
    if instrument is None:
        files = st.session_state.setdefault("files", dict(SERVED_TABLES))
        instrument = st.session_state["instrument"] = Instrument(
            Visit(Session(START)), SHARED, files, dict(SERVED_FILES), last_tables=frozenset(files)
        )
    return instrument


def session() -> Session | None:
    """Return the session of this tab; None before its address was read."""
    instrument = tab()
    return instrument.visit.session if instrument.is_opened else None


def is_first_view() -> bool:
    """True if the address asked for nothing and nothing was done yet."""
    visit = tab().visit
    return not (
        visit.undo_stack or visit.redo_stack or _address() or visit.session != start_session()
    )


def start_session() -> Session:
    """Return the session of the bare address."""
    return Session(START, usual_rules(START, dataset_of(START).task))


def open_screen(page: str, is_page_run: bool = True) -> tuple[Screen, tuple[str, ...]]:
    """Return the screen of this run, and sentences about parts of its address not understood.

    Raises DataError (FileNeededError) when its data cannot be had. The run of a fragment, no
    `is_page_run`, does not read the address unless that waits for files: it may be older than the
    session.
    """
    current = session()
    reads_address = current is None or is_page_run or _is_waiting()
    wanted, problems = _session(page) if reads_address else (current, ())
    screen = tab().screen(wanted)
    tab().replace_session(screen.session)
    if tab().perform_waiting_events():
        screen = tab().screen()
        tab().replace_session(screen.session)
    owner, old_problems = st.session_state.get("address_problems", (None, ()))
    problems = problems or (old_problems if owner == wanted else ())
    st.session_state["address_problems"] = screen.session, problems
    if refusal := st.session_state.pop("refusal", ""):
        st.toast(refusal.capitalize())
    return screen, problems


def address_problems() -> tuple[str, ...]:
    """Return the sentences on the page about parts of the address that were not understood."""
    _, problems = st.session_state.get("address_problems", (None, ()))
    return tuple(problems)


def dismiss_problems() -> None:
    """Stop showing the problems of the address (use in callbacks)."""
    owner, _ = st.session_state.get("address_problems", (None, ()))
    st.session_state["address_problems"] = owner, ()


def close_screen(screen: Screen) -> None:
    """Write the session to the address; a bare one that Back came to stays, and Back leads on."""
    tab().forget_held_frames()
    session = screen.session
    if session == st.session_state.get("bare_session") and not _address():
        note_address({})
        return
    st.session_state["bare_session"] = None
    wanted = {} if session == start_session() else _params(screen)
    if not wanted:
        st.session_state.get("entry_sessions", {}).pop(st.session_state["page"], None)
    if _address() != wanted or st.session_state.get("written_params") != wanted:
        st.query_params.from_dict(wanted)
    note_address(wanted)


def _params(screen: Screen) -> dict[str, str]:
    """Return the parameters of a screen's address, kept by its session: long logs take time."""
    session = screen.session
    return tab().cache.get(
        ("address", session), lambda: address.write_address(session, screen.data, screen.future)
    )


def note_address(params: dict[str, str]) -> None:
    """Note the address that the browser has, or will have in a moment."""
    st.session_state["written_params"] = params
    st.session_state["stale_params"] = None


def act(picture: str, what: str, **event: Any) -> None:
    """Do what a control asks, as if it had been done on a picture (use in callbacks)."""
    before = tab().visit.session
    with _act():
        tab().act(picture, {"what": what, **event})
    if tab().visit.session != before:
        skip_address()


def act_dragged(control: str, picture: str, what: str, **event: Any) -> None:
    """Do what a control asks that may be dragged or held (use in callbacks).

    Its events within DRAG_SECONDS are one change for undo, unless something else was done between.
    """
    now, session = time.monotonic(), tab().visit.session
    last_control, last_time, result = st.session_state.get("last_control", ("", 0.0, None))
    more = (last_control, result) == (control, session) and now - last_time < DRAG_SECONDS
    act(picture, what, more=more, **event)
    st.session_state["last_control"] = control, time.monotonic(), tab().visit.session


def go_to_stop(stops: tuple[str, ...], stop: int) -> None:
    """Go to a stop of a tour (use in callbacks); where its data cannot be had nothing changes."""
    if tab().visit.session.tour.shown_index is None:
        st.session_state["page_before_tour"] = st.session_state["page"]
    with _act():
        try:
            after, problems = _read(params_at(stops, stop))
        except DataError as error:
            st.toast(str(error))
            return
        set_session(after, problems)
        st.session_state["next_page"] = page_of(stops[stop])


def leave_tour() -> None:
    """Return to the screen that was left for a tour (use in callbacks).

    Where a link led into the tour there is no such screen: the stop's screen stays, without the
    tour.
    """
    current, before = tab().visit.session, session_before_tour(tab().visit)
    set_session(before or replace(current, say="", tour=replace(current.tour, index=None)))
    if before:
        st.session_state["next_page"] = st.session_state.get("page_before_tour")


def show_all() -> None:
    """Show the controls that the link hides (use in callbacks)."""
    set_session(hide(tab().visit.session, ()))


def hear(message: object) -> None:
    """Do the events of a message of the pictures, ways back included (use in callbacks)."""
    skip_address()
    with _act():
        tab().handle_message(message, _go)


@contextmanager
def _act() -> Iterator[None]:
    """Context of an action: it takes its turn; one that takes too long is ended, and refused."""
    try:
        with turn("act", st.session_state.get("working_place")):
            yield
    except TooLongError as error:
        st.session_state["refusal"] = str(error)


def set_session(after: Session, problems: tuple[str, ...] = ()) -> None:
    """Make `after` the session, with problems of its address; undo returns to the one before."""
    if after != session():
        tab().change_session(after)
        skip_address()
    if problems:
        st.session_state["address_problems"] = tab().visit.session, problems


def skip_address() -> None:
    """Do not read the address that came with this run.

    It is as old as the page was when the browser sent it: what was done since is not in it yet.
    One that waits for its files is read until something is done.
    """
    st.session_state["stale_params"] = None if _is_waiting() else _address()


def rerun() -> NoReturn:
    """Run the whole page once more, for work that is done or colours that changed.

    The browser may have asked for this run before it learnt the last address; that is no way back.
    """
    tab().forget_held_frames()
    rerun_unanswered()


def rerun_unanswered() -> NoReturn:
    """Run the whole page once more; the browser still holds the frames that it reported."""
    skip_address()
    st.rerun()


def theme() -> Theme:
    """Return the colours of the page as the browser shows it."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def dataset_of(recipe: Recipe) -> Dataset:
    """Return the dataset of a recipe, built once; raises DataError."""
    return tab().dataset(recipe)


def _session(page: str) -> tuple[Session, tuple[str, ...]]:
    """Return the session of this run: this tab's own, or that of the address if it is new."""
    params, current = _address(), session()
    page_changed = st.session_state.get("page") != page
    entry_sessions = st.session_state.setdefault("entry_sessions", {})
    if page_changed:
        tab().visit = replace(tab().visit, playing=False, page=page)
        st.session_state["bare_session"], st.session_state["read_params"] = None, []
    st.session_state["page"] = page
    if current is not None and page_changed and not params:
        entry_sessions[page] = current
        return current, ()
    # stale parameters belong to one page
    keys = ("written_params",) if page_changed else ("written_params", "stale_params")
    if current is not None and params in [st.session_state.get(key) for key in keys]:
        return current, ()
    arrival = _arrive(params, page_changed)
    if current is not None and not page_changed:
        st.session_state["read_params"] = [*st.session_state["read_params"], params][
            -MAX_READ_PARAMS:
        ]
    return arrival


def _go(params: dict[str, str]) -> None:
    """Open the address to which Back led, as a picture reports, before the events after it."""
    if session() is None:
        return
    read = st.session_state["read_params"]
    if params in read:  # a run has read it: the addresses before it are reported no more
        st.session_state["read_params"] = read[read.index(params) + 1 :]
        return
    try:
        st.session_state["address_problems"] = _arrive(params)
    except DataError:
        st.session_state["stale_params"] = None  # the run reads its address, and shows the error


def _arrive(params: dict[str, str], page_changed: bool = False) -> tuple[Session, tuple[str, ...]]:
    """Return the session of an address, one change for undo, and its problems."""
    entry_session = st.session_state.get("entry_sessions", {}).get(st.session_state["page"])
    is_back = not params and entry_session is not None
    after, problems = (entry_session, ()) if is_back else _read(params)
    st.session_state["bare_session"] = after if is_back else None
    if not page_changed:
        tab().change_session(after)
    return after, problems


def _read(params: dict[str, str]) -> tuple[Session, tuple[str, ...]]:
    """Return the session of an address, and sentences about parts not understood."""
    full_params = params_on_entry(params, st.session_state["page"])
    if "stop" in full_params and "stop" not in params:
        st.session_state["next_page"] = page_of(read_stops(full_params["tour"])[0])
    parsed = address.read_address(full_params, START)
    try:
        data = dataset_of(parsed.recipe)
    except FileNeededError:
        st.session_state["waiting"] = parsed
        st.session_state["waiting_params"] = params, tab().visit.session
        tab().awaited_recipe = parsed.recipe
        raise
    return address.session_at(parsed, data, tab().future(parsed.recipe))


def _is_waiting() -> bool:
    """True if the address waits for its files: nothing was done since it came."""
    return bool(st.session_state.get("waiting_params") == (_address(), tab().visit.session))


def _address() -> dict[str, str]:
    return {key: str(value) for key, value in dict(st.query_params).items()}


def control_args(
    name: str, value: object, apply: Callable[[Any], None], value_name: str = "value"
) -> dict[str, Any]:
    """Return arguments by which a control shows `value` and hands what is chosen there to `apply`.

    `value_name` is the argument of that kind of control that takes its value.
    """
    versions: dict[str, int] = st.session_state.setdefault("key_versions", {})
    # Streamlit keeps what a person chose under the key: only a new key shows another value
    if st.session_state.get(_key(name, versions), value) != value:
        versions[name] = versions.get(name, 0) + 1
    key = _key(name, versions)
    return {"key": key, "on_change": _changed, "args": (name, key, apply), value_name: value}


def choice_args(
    name: str, value: object, apply: Callable[[Any], None], options: Sequence[Any]
) -> dict[str, Any]:
    """Return `control_args` for a control that chooses one of `options`; None chooses none."""
    index = None if value is None else [*options].index(value)
    return {**control_args(name, value, apply, "index"), "options": options, "index": index}


def _key(name: str, versions: dict[str, int]) -> str:
    version = versions.get(name)
    return f"{name}-{version}" if version else name


def _changed(name: str, key: str, apply: Callable[[Any], None]) -> None:
    # Streamlit also reports changes of controls that are gone
    if key == _key(name, st.session_state["key_versions"]):
        apply(st.session_state.get(key))
