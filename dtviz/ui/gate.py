"""A gate: a few runs work at a time and the others wait in line, so that each is done sooner.

Runs that all work at once take the processor from one another, and end together, as the last would.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from threading import Event, Lock, get_ident

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
