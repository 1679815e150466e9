"""Fair turns of runs: a run is what the server does for one message of a browser.

A few runs of pages work at once; a long one lets younger ones go first, and ends when nobody waits
for it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, get_ident
from typing import Literal

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dtviz.base.progress import set_pause

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
