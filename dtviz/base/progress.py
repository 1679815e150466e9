"""Long work as generators: each yields the share of the work done, 0 to 1, and returns a result.

Work that runs without a break calls `pause` between its slices and in its longer loops. A server
with other visitors sets by `pause_by` how long it waits there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

T = TypeVar("T")
Slices = Generator[float, None, T]
_pauses: list[Callable[[], None]] = []


def set_pause(wait: Callable[[], None]) -> None:
    """Set the function that `pause` calls: it may wait, and its exception ends the work."""
    _pauses[:] = [wait]


def pause() -> None:
    """Let other work run; called at many places of long work."""
    for wait in _pauses:
        wait()


def run_to_end(slices: Slices[T]) -> T:
    """Run long work to its end and return its result."""
    while True:
        try:
            next(slices)
            pause()
        except StopIteration as stop:
            result: T = stop.value
            return result


def scaled_progress(slices: Slices[T], low: float, high: float) -> Slices[T]:
    """Run one part of a longer work: its shares from 0 to 1 become shares from `low` to `high`."""
    while True:
        try:
            share = next(slices)
        except StopIteration as stop:
            result: T = stop.value
            return result
        yield low + (high - low) * share
