"""Fair turns: pages run a few at a time; a run that takes long lets younger ones go first, and ends
when nobody waits for it.

Glossary
    run    what the server does for one message of a browser; several at once share its processor
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

from dtviz.base.progress import pause_by

HELD = 0.25
"""Seconds that a run keeps its place, if others wait: who has long work must not keep them."""


class Gate:
    """As many threads as there are places are let in, in the order they come."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._lock = Lock()
        self._since: dict[int, float] = {}  # when those inside were let in, by thread
        self._line: deque[tuple[int, Event]] = deque()

    def enter(self, meanwhile: Callable[[], None]) -> None:
        """Wait for a place; `meanwhile`, called now and then, ends that where it raises."""
        called = Event()
        me = (get_ident(), called)
        with self._lock:
            self._line.append(me)
            self._call()
        try:
            while not called.wait(HELD):
                self._expire()
                meanwhile()
        except BaseException:
            self._step_out(me)
            raise

    def leave(self) -> None:
        """Give the place of this thread back, if it has one still."""
        self._give_back(get_ident())

    def _step_out(self, waiting: tuple[int, Event]) -> None:
        with self._lock:
            if waiting in self._line:
                self._line.remove(waiting)
        self.leave()

    def _expire(self) -> None:
        """Give back the places that were held too long: who had them works on without."""
        end = time.monotonic() - HELD
        with self._lock:
            inside = [*self._since.items()]
        for thread, since in inside:
            if since <= end:
                self._give_back(thread)

    def _give_back(self, thread: int) -> None:
        with self._lock:
            if self._since.pop(thread, None) is not None:
                self._free += 1
                self._call()

    def _call(self) -> None:
        """Let in who may come."""
        while self._free and self._line:
            thread, called = self._line.popleft()
            self._free -= 1
            self._since[thread] = time.monotonic()
            called.set()


Kind = Literal["page", "act", "slice"]
LOOK = 0.05  # seconds from one look at the others to the next
PATIENCE = 0.3  # seconds for younger runs to end in
SHOWN = 0.7  # seconds until it is said that there is work
MOST = 60.0  # seconds of the processor
GATE = Gate(2)
"""Where runs of pages wait until one of them is through, or pauses."""


class TooLongError(Exception):
    """A run has had as much of the processor as one may have.

    No DataError: nothing is wrong with what was given, and nobody but the page has an answer.
    """

    def __init__(self) -> None:
        super().__init__(
            f"one change may take the server {MOST:.0f} seconds; this takes longer and was ended: "
            "take fewer rows, or let the tree stop earlier"
        )


@dataclass(slots=True)
class Run:
    """A run of one thread: when it began, how much the thread had had, its last look at the others.

    A 'page' may be run anew meanwhile, an 'act' must not be lost, a 'slice' lets all others go
    first, also those `in_line` at the gate. That it is at work is said at its `place`, if any.
    """

    kind: Kind
    began: float
    had: float
    looked: float
    place: AbstractContextManager[object] | None = None
    in_line: bool = False
    told: bool = False
    shown: ExitStack = field(default_factory=ExitStack)

    @property
    def youth(self) -> float:
        """What runs go by where one waits for another."""
        return float("-inf") if self.kind == "slice" else self.began


RUNS: dict[int, Run] = {}
"""Those under way, by their threads."""


@contextmanager
def turn(kind: Kind, place: AbstractContextManager[object] | None = None) -> Iterator[None]:
    """What is done in it is a run, or a part of one: it pauses for others.

    At its `place` it is said after a while that it is at work; saying so moves nothing else. A part
    of a run has the place of the whole.
    """
    me = get_ident()
    before = RUNS.get(me)
    now = time.monotonic()
    began, had = (before.began, before.had) if before else (now, time.thread_time())
    if before and not before.told:
        place = place or before.place
    run = RUNS[me] = Run(kind, began, had, now, place)
    try:
        with run.shown:
            if before is None and kind == "page":
                _enter(run)
            yield
    finally:
        if before is None:
            del RUNS[me]
            GATE.leave()
        else:
            RUNS[me] = before


def _enter(run: Run) -> None:
    """Wait for a place; ends a run that is superseded or left before it has one."""
    run.in_line = True
    GATE.enter(lambda: _ask(run, time.monotonic()))
    run.in_line, run.looked = False, time.monotonic()


def wait() -> None:
    """Let younger runs go first for a while; ends a run that is superseded, left or too long."""
    run = RUNS.get(get_ident())
    now = time.monotonic()
    if run is None or now - run.looked < LOOK:
        return
    GATE.leave()
    _ask(run, now)
    if run.kind != "slice" and time.thread_time() - run.had > MOST:
        raise TooLongError
    while _younger(run) and time.monotonic() - now < PATIENCE:
        time.sleep(LOOK / 5)
    run.looked = time.monotonic()


def _ask(run: Run, now: float) -> None:
    """Ends the run where nobody waits for it; says after a while that it is at work."""
    if run.kind == "page":
        _ = "page" in st.session_state  # where the browser asks for another, streamlit ends it here
    if run.place is not None and not run.told and now - run.began > SHOWN:
        run.told = True
        with run.place:
            run.shown.enter_context(st.spinner("Working", show_time=True))
    if _left():
        st.stop()


def _left() -> bool:
    """Whether nobody waits for this run any more."""
    context = get_script_run_ctx(suppress_warning=True)
    return (
        context is not None
        and runtime.exists()
        and not runtime.get_instance().is_active_session(context.session_id)
    )


def _younger(run: Run) -> bool:
    """Whether a younger one is at work: what stands in line is kept by slices alone."""
    others = [one for one in [*RUNS.values()] if run.kind == "slice" or not one.in_line]
    return any(other.youth > run.youth for other in others if other is not run)


pause_by(wait)
