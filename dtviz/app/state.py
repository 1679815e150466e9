"""Streamlit's host of the instrument: kept in the tab, written to the address, read from it.

Keys of `st.session_state` that this module writes:
- instrument, navigation: of this tab
- written_params: address that this tab wrote last; another one means that the person went Back or
  opened a link
- stale_params: address that came with a run in which something was done: it does not hold that yet
- spinner_container: container of the spinner in the last run of a page
- last_control: control that was moved last, the time, and the session that this made
- key_versions: versions of the keys of controls, see `control_args`

Turns: a run is what the server does for one message of a browser. A few runs of pages work at one
time. A long run lets younger ones go first, and ends when nobody waits for its page.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, get_ident
from typing import Any, Literal, NoReturn, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dtviz.app.instrument import Instrument, SharedState
from dtviz.app.navigation import START_RECIPE, Navigation
from dtviz.app.run_order import STOP_KEY
from dtviz.base.progress import Slices, pause, run_to_end, set_pause
from dtviz.data.dataset import DataError, Dataset, Recipe
from dtviz.data.uploads import SERVED_FILES, SERVED_TABLES
from dtviz.pictures.scales import DARK, LIGHT, Theme
from dtviz.session.screen import Screen
from dtviz.session.session import Session, Visit

T = TypeVar("T")
PLACE_SECONDS = 0.25
"""Seconds after which a run loses its place at the gate, so that others need not wait for it."""


class Gate:
    """A semaphore with a queue: it lets in as many threads as it has places, first come first."""

    def __init__(self, places: int) -> None:
        self._free_places = places
        self._lock = Lock()
        self._entry_times: dict[int, float] = {}  # monotonic, by thread inside
        self._queue: deque[tuple[int, Event]] = deque()

    def enter(self, check: Callable[[], None]) -> None:
        """Wait for a place; `check` is called now and then, and its exception ends the wait."""
        admitted = Event()
        waiter = (get_ident(), admitted)
        with self._lock:
            self._queue.append(waiter)
            self._admit()
        try:
            while not admitted.wait(PLACE_SECONDS):
                self._expire()
                check()
        except BaseException:
            self._step_out(waiter)
            raise

    def leave(self) -> None:
        """Give back the place of this thread, if it still has one."""
        self._release(get_ident())

    def _step_out(self, waiter: tuple[int, Event]) -> None:
        """Leave the queue; give back the place if the thread was let in before that."""
        with self._lock:
            if waiter in self._queue:
                self._queue.remove(waiter)
        self.leave()

    def _expire(self) -> None:
        """Give back places held for PLACE_SECONDS; their threads go on working without one."""
        end = time.monotonic() - PLACE_SECONDS
        with self._lock:
            inside = [*self._entry_times.items()]
        for thread, entry_time in inside:
            if entry_time <= end:
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
CHECK_SECONDS = 0.05  # between two checks for other runs
PATIENCE_SECONDS = 0.3  # that a run waits at most for younger ones, at one check
SPINNER_SECONDS = 0.7  # until a spinner is shown
BAR_PIXELS = 260  # width of the bar of long work
MAX_CPU_SECONDS = 60.0  # of the processor, for one run
GATE = Gate(2)
"""Gate of the runs of pages."""


class TooLongError(Exception):
    """Raised when a run has used MAX_CPU_SECONDS of the processor.

    It is no DataError: nothing is wrong with the data, and no handler of DataError may catch it.
    """

    def __init__(self) -> None:
        super().__init__(
            f"one change may take the server {MAX_CPU_SECONDS:.0f} seconds; this takes longer and "
            "was ended: take fewer rows, or let the tree stop earlier"
        )


@dataclass(slots=True)
class ServerRun:
    """A run that is under way, in one thread."""

    kind: RunKind
    """'page': Streamlit may end it for a newer run of the page; 'act': it must not be lost;
    'slice': it lets all other runs go first, queued ones too."""
    start: float
    """Monotonic time of its start, in seconds."""
    start_cpu: float
    """Processor time of the thread at its start, in seconds."""
    last_check: float
    """Monotonic time of its last check for other runs, in seconds."""
    spinner_container: AbstractContextManager[object] | None = None
    """Container of the spinner, if it shows one."""
    has_browser: bool = False
    """True if a browser had the page open as the run began; in tests there is none."""
    is_queued: bool = False
    """True while it waits at the gate."""
    is_spinner_shown: bool = False
    """True once its spinner is shown."""
    title: str = ""
    """Title of its long work, if it does any: it shows a bar instead of its spinner."""
    can_stop: bool = False
    """True if a button beside the bar may end it."""
    bar: DeltaGenerator | None = None
    """The bar, once it is shown."""
    spinner: ExitStack = field(default_factory=ExitStack)
    """Context of the spinner, closed with the run."""

    @property
    def priority(self) -> float:
        """Priority among runs: a run waits for those with a higher one, which are younger."""
        return float("-inf") if self.kind == "slice" else self.start


RUNS: dict[int, ServerRun] = {}
"""Runs under way, by thread."""


@contextmanager
def turn(
    kind: RunKind, spinner_container: AbstractContextManager[object] | None = None
) -> Iterator[None]:
    """Context of a run, or of a part of the run of this thread, that pauses for other runs.

    After SPINNER_SECONDS a spinner appears in `spinner_container`. A part of a run without a
    container uses that of the run.
    """
    thread = get_ident()
    outer_run = RUNS.get(thread)  # of which this is a part, if there is one
    now = time.monotonic()
    start, start_cpu = (
        (outer_run.start, outer_run.start_cpu) if outer_run else (now, time.thread_time())
    )
    if outer_run and not outer_run.is_spinner_shown:
        spinner_container = spinner_container or outer_run.spinner_container
    has_browser = outer_run.has_browser if outer_run else bool(st.context.headers)
    run = RUNS[thread] = ServerRun(kind, start, start_cpu, now, spinner_container, has_browser)
    try:
        with run.spinner:
            if outer_run is None and kind == "page":
                _enter(run)
            yield
    finally:
        if outer_run is None:
            del RUNS[thread]
            GATE.leave()
        else:
            RUNS[thread] = outer_run


def _enter(run: ServerRun) -> None:
    """Wait for a place at the gate; end the run if nobody waits for its page any more."""
    run.is_queued = True
    GATE.enter(lambda: _check(run, time.monotonic()))
    run.is_queued, run.last_check = False, time.monotonic()


def wait() -> None:
    """Let younger runs go first for a while; end a run that is too long or abandoned."""
    run = RUNS.get(get_ident())
    now = time.monotonic()
    if run is None or now - run.last_check < CHECK_SECONDS:
        return
    GATE.leave()
    _check(run, now)
    if run.kind != "slice" and time.thread_time() - run.start_cpu > MAX_CPU_SECONDS:
        raise TooLongError
    while _is_younger_at_work(run) and time.monotonic() - now < PATIENCE_SECONDS:
        time.sleep(CHECK_SECONDS / 5)
    run.last_check = time.monotonic()


def _check(run: ServerRun, now: float) -> None:
    """End the run if nobody waits for it; show its spinner after SPINNER_SECONDS."""
    if run.kind == "page" or run.can_stop:
        _ = "page" in st.session_state  # Streamlit ends a superseded run at such an access
    if (
        run.spinner_container is not None
        and not run.is_spinner_shown
        and now - run.start > SPINNER_SECONDS
    ):
        run.is_spinner_shown = True
        with run.spinner_container:
            if run.title:
                _show_bar(run)
            else:
                run.spinner.enter_context(st.spinner("Working", show_time=True))
    if _is_abandoned(run):
        st.stop()


def _show_bar(run: ServerRun) -> None:
    """Show a bar for the long work of a run, which goes with the run, and a button that ends it."""
    place = st.empty()
    run.spinner.callback(place.empty)
    with place.container(horizontal=True, vertical_alignment="center"):
        run.bar = st.progress(0.0, run.title, width=BAR_PIXELS)
        if run.can_stop:
            # a stopped act has changed nothing; a page must show another session
            on_click = return_to_last if run.kind == "page" else None
            st.button("Stop", key=STOP_KEY, on_click=on_click)


def _is_abandoned(run: ServerRun) -> bool:
    """True if the browser of this run has closed the page: Streamlit then has no headers of it."""
    return run.has_browser and not st.context.headers


def _is_younger_at_work(run: ServerRun) -> bool:
    """True if a younger run is at work; a slice also waits for runs in the queue."""
    others = [other for other in [*RUNS.values()] if run.kind == "slice" or not other.is_queued]
    return any(other.priority > run.priority for other in others if other is not run)


set_pause(wait)


def run_long(slices: Slices[T], title: str) -> T:
    """Run long work of a page or an act, with a bar and a button that stops it.

    Whatever the user does meanwhile on a page around it ends the run too, and the query of an
    engine. What was counted is kept.
    """
    run = RUNS.get(get_ident())
    if run is None or run.kind == "slice":
        return run_to_end(slices)
    run.title, run.can_stop = title, run.kind == "act" or bool(tab().visit.undo_stack)
    try:
        while True:
            share = next(slices)
            pause()
            if run.bar is not None:
                run.bar.progress(share, f"{title}: {share:.0%}")
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        run.title, run.can_stop = "", False
        if run.bar is not None:
            run.spinner.close()  # with the bar its button goes, which would end what comes next
            run.bar, run.is_spinner_shown = None, False


def return_to_last() -> None:
    """Return to the session before this one (use in callbacks)."""
    with _change():
        tab().undo()


DRAG_SECONDS = 1.5
"""Seconds within which a control that moves again is still dragged or held."""
SHARED = SharedState()
"""The caches that all tabs of this server share."""


def tab() -> Instrument:
    """Return the instrument of this tab, made on first use."""
    instrument: Instrument | None = st.session_state.get("instrument")
    if instrument is None:
        files = st.session_state.setdefault("files", dict(SERVED_TABLES))
        instrument = st.session_state["instrument"] = Instrument(
            Visit(Session(START_RECIPE)),
            SHARED,
            files,
            dict(SERVED_FILES),
            last_tables=frozenset(files),
            run_long=run_long,
        )
    return instrument


def navigation() -> Navigation:
    """Return the navigation of this tab, made on first use."""
    made: Navigation | None = st.session_state.get("navigation")
    if made is None:
        made = st.session_state["navigation"] = Navigation(tab())
    return made


def session() -> Session | None:
    """Return the session of this tab; None before its address was read."""
    return navigation().session


def open_screen(page: str, is_page_run: bool = True) -> tuple[Screen, tuple[str, ...]]:
    """Return the screen of this run, and sentences about parts of its address not understood.

    Raises DataError where the data cannot be built, FileNeededError where their files are missing.
    Only a run of the whole page reads the address, as in the run of a fragment the address may be
    older than the session. An address that waits for files is always read.
    """
    route, params, wanted_session = navigation(), _address_params(), session()
    problems: tuple[str, ...] = ()
    if wanted_session is None or is_page_run or route.is_waiting(params):
        # a stale address is one of the page on which something was done
        keys = ("written_params", "stale_params") if page == route.page else ("written_params",)
        known_params = [st.session_state.get(key) for key in keys]
        wanted_session, problems = route.arrive(page, params, known_params)
    screen = route.open_screen(wanted_session, problems)
    if refusal := route.take_refusal():
        st.toast(refusal)
    return screen, route.problems


def close_screen(screen: Screen) -> None:
    """Write the session of a screen to the address."""
    tab().forget_held_frames()
    current_params = _address_params()
    params = navigation().params_to_write(screen, current_params)
    if params is not None and (
        current_params != params or st.session_state.get("written_params") != params
    ):
        st.query_params.from_dict(params)
    remember_address(params or {})


def name_screen_left() -> None:
    """Write the parameters of the screen that is left, where its address is bare.

    Back leads to that address, and a bare one shows whatever is on screen by then.
    """
    route = navigation()
    params, route.params_left = route.params_left, {}
    if params and not _address_params():
        st.query_params.from_dict(params)


def remember_address(params: dict[str, str]) -> None:
    """Remember the address that the browser has, or will have in a moment."""
    st.session_state["written_params"] = params
    st.session_state["stale_params"] = None


def act(picture: str, what: str, **event: Any) -> None:
    """Do an event of a control in the same way as one of a picture (use in callbacks)."""
    with _change(), _action():
        tab().act(picture, {"what": what, **event})


def act_dragged(control: str, picture: str, what: str, **event: Any) -> None:
    """Do the event of a control that may be dragged or held (use in callbacks).

    Undo takes events of one control back together if each came within DRAG_SECONDS after the one
    before, and nothing else was done between them.
    """
    now, session = time.monotonic(), tab().visit.session
    last_control, last_time, result = st.session_state.get("last_control", ("", 0.0, None))
    more = (last_control, result) == (control, session) and now - last_time < DRAG_SECONDS
    act(picture, what, more=more, **event)
    st.session_state["last_control"] = control, time.monotonic(), tab().visit.session


def go_to_stop(stops: tuple[str, ...], stop: int) -> None:
    """Go to a stop of a tour (use in callbacks); nothing changes if its data cannot be built."""
    with _change(), _action():
        try:
            navigation().go_to_stop(stops, stop)
        except DataError as error:
            navigation().refusal = str(error)


def grow_judged_tree() -> None:
    """Go to Grow with the tree that Overfit judges (use in callbacks)."""
    with _change(), _action():
        navigation().grow_judged_tree()


def leave_tour() -> None:
    """Return to the screen that was left for a tour (use in callbacks)."""
    with _change():
        navigation().leave_tour()


def show_all() -> None:
    """Show the controls that the link hides (use in callbacks)."""
    with _change():
        navigation().show_all()


def handle_message(message: object) -> None:
    """Do the events in a message of a picture, those of Back and Forward too (use in callbacks)."""
    skip_address()
    with _action():
        tab().handle_message(message, _follow)


def _follow(params: dict[str, str]) -> None:
    """Open the address to which Back or Forward led; a picture reports it before later events."""
    try:
        navigation().follow(params)
    except DataError:
        st.session_state["stale_params"] = None  # the run reads its address, and shows the error


@contextmanager
def _action() -> Iterator[None]:
    """Context of an action: it takes its turn, and is ended and refused if it takes too long."""
    try:
        with turn("act", st.session_state.get("spinner_container")):
            yield
    except TooLongError as error:
        navigation().refusal = str(error).capitalize()


@contextmanager
def _change() -> Iterator[None]:
    """Context of a change: the address that came with this run is older than the new session."""
    before = session()
    yield
    if session() != before:
        skip_address()


def set_session(after: Session, problems: tuple[str, ...] = ()) -> None:
    """Change the session to `after`, with problems of its address; undo returns to the last one."""
    with _change():
        navigation().change_session(after, problems)


def skip_address() -> None:
    """Have the next runs not read the address that came with this run.

    The browser sent that address before what is done in this run, so it lacks that. An address that
    waits for its files is still read.
    """
    params = _address_params()
    st.session_state["stale_params"] = None if navigation().is_waiting(params) else params


def rerun() -> NoReturn:
    """Run the whole page once more, for work that is done or colours that changed."""
    tab().forget_held_frames()
    rerun_with_held_frames()


def rerun_with_held_frames() -> NoReturn:
    """Run the whole page once more, with patches of the frames that the browser holds."""
    # the address may be older than the session, which does not mean that the person went Back
    skip_address()
    st.rerun()


def theme() -> Theme:
    """Return the colours of the page as the browser shows it."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def dataset_of(recipe: Recipe) -> Dataset:
    """Return the dataset of a recipe, built once; raises DataError."""
    return tab().dataset(recipe)


def _address_params() -> dict[str, str]:
    """Return the parameters of the address that came with this run."""
    return {key: str(value) for key, value in dict(st.query_params).items()}


def control_args(
    name: str, value: object, apply: Callable[[Any], None], value_name: str = "value"
) -> dict[str, Any]:
    """Return arguments for a control that shows `value` and passes each chosen value to `apply`.

    `value_name` is the name of the argument for the value, which differs by kind of control.
    """
    versions: dict[str, int] = st.session_state.setdefault("key_versions", {})
    # Streamlit keeps what a person chose under the key: only a new key shows another value
    if st.session_state.get(_key(name, versions), value) != value:
        versions[name] = versions.get(name, 0) + 1
    key = _key(name, versions)
    return {"key": key, "on_change": _apply_change, "args": (name, key, apply), value_name: value}


def choice_args(
    name: str, value: object, apply: Callable[[Any], None], options: Sequence[Any]
) -> dict[str, Any]:
    """Return `control_args` for a control with options; for the value None no option is chosen."""
    index = None if value is None else [*options].index(value)
    return {**control_args(name, value, apply, "index"), "options": options, "index": index}


def _key(name: str, versions: dict[str, int]) -> str:
    """Return the key of a control: its name, and its version if it has one."""
    version = versions.get(name)
    return f"{name}-{version}" if version else name


def _apply_change(name: str, key: str, apply: Callable[[Any], None]) -> None:
    """Pass the value that was chosen in a control to `apply`."""
    # Streamlit also reports changes of controls that are gone
    if key == _key(name, st.session_state["key_versions"]):
        apply(st.session_state.get(key))
