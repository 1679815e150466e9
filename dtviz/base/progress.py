"""Long work as generators: each yields the share of the work done, 0 to 1, and returns a result.

A job runs such work in slices of time, so that its page can be used meanwhile. Work calls `pause`
between its steps and in long loops: there a server may let the work of other visitors run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Iterator
from concurrent import futures
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Lock, RLock
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
Slices = Generator[float, None, T]
"""Long work with a result of type T; it yields the share done after each step."""
_waits: list[Callable[[], None]] = []  # the function that `pause` calls, if one is set


def set_pause(wait: Callable[[], None]) -> None:
    """Set the function that `pause` calls: it may wait, and its exception ends the work."""
    _waits[:] = [wait]


def pause() -> None:
    """Let other work run, if `set_pause` has said how; called at many places of long work."""
    for wait in _waits:
        wait()


WAIT_SECONDS = 0.05
"""Seconds between two pauses of work that waits."""


@contextmanager
def hold(lock: Lock | RLock) -> Iterator[None]:
    """Hold a lock; work that waits for it pauses, so that it can be ended."""
    while not lock.acquire(timeout=WAIT_SECONDS):
        pause()
    try:
        yield
    finally:
        lock.release()


def run_outside(call: Callable[[], T], interrupt: Callable[[], object]) -> T:
    """Return the result of a call in another thread; meanwhile this one pauses.

    If the work is ended in a pause, `interrupt` ends the call, which raises an exception soon.
    """
    with futures.ThreadPoolExecutor(1) as pool:
        result = pool.submit(call)
        try:
            while not futures.wait([result], WAIT_SECONDS).done:
                pause()
        except BaseException:
            # again and again: the call may not yet have come to what is interrupted
            while not futures.wait([result], WAIT_SECONDS).done:
                with suppress(Exception):  # the work ends by its own exception
                    interrupt()
            raise
        return result.result()


def run_to_end(slices: Slices[T]) -> T:
    """Run long work to its end and return its result."""
    while True:
        try:
            next(slices)
            pause()
        except StopIteration as stop:
            result: T = stop.value
            return result


class RunLong(Protocol):
    """A function that runs long work to its end and returns its result."""

    def __call__(self, slices: Slices[T], title: str, /) -> T:
        """Run the work; the title says what it is, where its progress is shown."""


def scaled_progress(slices: Slices[T], low: float, high: float) -> Slices[T]:
    """Run one part of longer work: its shares from 0 to 1 become shares from `low` to `high`."""
    while True:
        try:
            share = next(slices)
        except StopIteration as stop:
            result: T = stop.value
            return result
        yield low + (high - low) * share


SLICE_SECONDS = 0.15
"""Seconds that a job runs at a time."""
MANY_ROWS = 200_000
"""Rows beyond which growing a full tree is long work."""


@dataclass(frozen=True, slots=True)
class Work(Generic[T]):
    """Long work that can be started."""

    key: Hashable
    """Key of the result: work with the same key has the same result."""
    start: Callable[[], Generator[float, None, T]]
    """Starts the work, see `Slices`."""
    title: str
    """Title of the work for the user."""


class ResultOf(Protocol):
    """A function that returns the results of long work."""

    def __call__(self, work: Work[T], /) -> T | None:
        """Return the result of the work, or None while it is under way."""


@dataclass(slots=True)
class Job:
    """Long work under way, stopped or done."""

    slices: Generator[float, None, Any]
    """The work, started by `Work.start`."""
    share: float = 0.0
    """Share that is done, 0 to 1."""
    is_stopped: bool = False
    """True once the user has stopped it."""
    had_slice: bool = False
    """True once the present run of the page has done a slice of it."""
    is_done: bool = False
    """True once it has ended, with a result or without."""
    error_text: str = ""
    """Reason why there is no result, a sentence; '' if there was no error."""
    result: Any = None
    """Result, if it is done and has not failed."""


def advance_job(job: Job) -> None:
    """Run a slice of a job: one step at least, even on a busy machine, and more until time is up.

    A ValueError of the work ends the job, with its text as a sentence.
    """
    end = time.monotonic() + SLICE_SECONDS
    while not (job.is_done or job.is_stopped):
        try:
            job.share = next(job.slices)
            pause()
        except StopIteration as last:
            job.is_done, job.result = True, last.value
        except ValueError as error:
            text = str(error).replace("`", "")
            job.is_done, job.error_text = True, f"{text[:1].upper()}{text[1:]}."
        if time.monotonic() >= end:
            return
