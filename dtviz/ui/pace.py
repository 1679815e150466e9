"""Fair turns: pages run a few at a time; a run that takes long lets younger ones go first, and ends
when nobody waits for it.

Glossary
    run    what the server does for one message of a browser; several at once share its processor
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import get_ident
from typing import Literal

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dtviz.slices import pause_by
from dtviz.ui.gate import Gate

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
